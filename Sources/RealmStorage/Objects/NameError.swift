/// A name that a realm does not have, with the names that it has.
///
/// A path consists of names with dots in between: links to one object, and the property that they lead to.
public enum NameError: Error, Hashable, Sendable {
  /// No class, nor an internal table, has the name; the classes there are.
  case noSuchClass(String, known: [String])
  /// The class has no property with the name; the properties that it has.
  case noSuchProperty(String, className: String, known: [String])
  /// A path goes on after a property that is not a link to one object, or links are asked of one without links.
  case notALink(String, className: String)
  /// No property links to the class by the name `Class.property`; the properties that do.
  case noSuchBacklink(String, className: String, known: [String])
  /// The object was read without the value of that name; the columns that were asked for.
  case notRead(String, columns: [String])
  /// The class has no primary key.
  case noPrimaryKey(className: String)
}

extension NameError: RealmErrorCause {
  package var kind: RealmError.Kind { .value }

  /// What is wrong, in lower case and without the path.
  public var description: String {
    switch self {
    case .noSuchClass(let name, let known):
      known.isEmpty
        ? "no class '\(name)'; the realm has no classes" : "no class '\(name)'; the realm has \(Self.list(known))"
    case .noSuchProperty(let name, let className, let known):
      known.isEmpty
        ? "'\(className)' has no property '\(name)', nor any other"
        : "'\(className)' has no property '\(name)'; it has \(Self.list(known))"
    case .notALink(let name, let className): "'\(className).\(name)' is not a link"
    case .noSuchBacklink(let name, let className, let known):
      known.isEmpty
        ? "no property '\(name)' links to '\(className)', nor does any other"
        : "no property '\(name)' links to '\(className)'; these do: \(Self.list(known))"
    case .notRead(let name, let columns):
      "'\(name)' was not read; the columns that were asked for are \(Self.list(columns))"
    case .noPrimaryKey(let className): "'\(className)' has no primary key"
    }
  }

  /// Names in a message are a help for those who mistype one, not a list of all.
  private static let mostListed = 40

  private static func list(_ names: [String]) -> String {
    let rest = names.count - mostListed
    return names.prefix(mostListed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
