import RealmStorage
import RealmText

/// How an older file format stores what it has no type for: `Person.id=string`, `Address=plain`.
package struct TypeChange: Hashable, Sendable {
  /// What a property or class becomes.
  package enum Target: String, CaseIterable, Sendable {
    /// UUIDs, object ids, decimals and Mixed values, as the text that `export` gives.
    case string
    /// Decimals that a double stores exactly.
    case double
    /// Sets.
    case list
    /// Dictionaries: a list of links to objects with a key and a value each.
    case pairs
    /// Embedded classes: ordinary ones, whose objects their parents link to.
    case plain
  }

  /// A class, or a class and its property with a dot between.
  package let path: RealmString
  package let target: Target

  /// As on the command line.
  ///
  /// - Returns: nil for a text that is not a path, `=`, and the name of a target.
  package init?(_ text: String) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
      let target = Target(rawValue: String(text[text.index(after: sign)...]))
    else { return nil }
    (path, self.target) = (RealmString(String(text[..<sign])), target)
  }
}

extension TypeChange: CustomStringConvertible {
  /// As on the command line.
  package var description: String { "\(path)=\(target.rawValue)" }
}

/// A property or class that is changed so that a file format can store it.
package struct MappedPart: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Values are converted, sets become lists.
    case property(from: Property, to: Property)
    /// A dictionary becomes a list of links to a new class, whose `key` is a string and whose `value` is `value`.
    case pairs(from: Property, className: RealmString, value: Property)
    /// An embedded class becomes an ordinary one.
    case plainClass
  }

  package let className: RealmString
  package let change: Change
  /// Values that are not null and not empty, or objects of the class.
  package var count: Int

  /// Nil for a class.
  package var property: RealmString? {
    switch change {
    case .property(let property, _), .pairs(let property, _, _): property.name
    case .plainClass: nil
    }
  }

  /// The type before and after, in the words of `FormatLoss`.
  package var types: (from: String, to: String) {
    switch change {
    case .property(let from, let to): (from.formatText, to.formatText)
    case .pairs(let from, let className, _): (from.formatText, "list of '\(className)'")
    case .plainClass: ("embedded", "plain")
    }
  }
}

extension MappedPart: CustomStringConvertible {
  /// One line: `property 'Person.id' from uuid to string (3 values)`
  package var description: String {
    let (from, to) = types
    guard let property else { return "class '\(className)' from \(from) to \(to) (\(count.counted("object")))" }
    return "property '\(className).\(property)' from \(from) to \(to) (\(count.counted("value")))"
  }
}

/// Why mappings do not fit a realm and a file format.
package enum TypeChangeProblem: Hashable, Sendable {
  case noSuchProperty(RealmString, in: TableSchema)
  /// The format can store it as it is.
  case notNeeded(TypeChange, TargetFormat)
  /// A property of this type has no such counterpart.
  case notPossible(TypeChange, type: String)
  /// Only a class can become plain.
  case needsClass(TypeChange)
  /// A class can only become plain.
  case needsProperty(TypeChange)
  case classNotEmbedded(TypeChange)
  /// Two mappings contradict each other.
  case contradiction(TypeChange, TypeChange)
  /// Even after its mappings the format cannot store the property; another mapping may help.
  case notEnough(TypeChange, becomes: String, TargetFormat, needed: TypeChange.Target?)
  /// Values that have no counterpart.
  case values(MappedPart, String)
}
