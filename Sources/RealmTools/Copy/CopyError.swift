import RealmQuery
import RealmStorage

/// Why a realm, or a part of it, cannot be copied.
package enum CopyError: Error, Equatable, Sendable {
  case noSuchClass(RealmString, among: [RealmString])
  /// A condition is for an embedded class, whose objects go where their parents go.
  case conditionOnEmbeddedClass(RealmString)
  /// A condition is not a query, or not one for its class.
  case query(QueryError, in: ClassCondition)
  /// Something that is copied links to classes or objects that are left out. Nothing is lost unless it is allowed.
  case linksToLeftOutParts([LinkLoss])
  /// The file format cannot store everything that is copied. Nothing is lost unless it is allowed.
  case formatCannotHold(TargetFormat, [FormatLoss])
  /// Mappings do not fit the realm and the file format.
  case mapping(TypeChangeProblem)
}

extension CopyError: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .formatCannotHold: .format
    case .noSuchClass, .conditionOnEmbeddedClass, .query, .linksToLeftOutParts, .mapping: .change
    }
  }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .noSuchClass(let name, _): "no class '\(name)'"
    case .conditionOnEmbeddedClass(let name): "class '\(name)' is embedded; its objects are copied with their parents"
    case .query(let error, let condition): "class '\(condition.className)': \(error)"
    case .linksToLeftOutParts(let losses): losses.map(\.description).joined(separator: "; ")
    case .formatCannotHold(_, let losses): losses.map(\.description).joined(separator: "; ")
    case .mapping: "types that were given for the file format do not fit the realm"
    }
  }
}
