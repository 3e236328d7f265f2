import RealmInspection
import RealmQuery
import RealmStorage

/// Why a realm, or a part of it, cannot be copied.
package enum CopyError: Error, Equatable, Sendable {
  /// A rebuild cannot keep the history of a synced file.
  case historyCannotBeKept(HistoryKind)
  /// The history was to be kept, but has an unknown kind or layout.
  case unknownHistory(HistoryProblem)
  /// The source is damaged, and only an undamaged one was wanted.
  case unsoundSource(SourceCheck)
  /// The realm is damaged, and was to be changed in place without a backup.
  case damagedWithoutBackup(SourceCheck)
  /// The source is damaged, the copy is to replace it, and what cannot be read of it now would be gone.
  case hiddenLoss(SourceCheck)
  /// The source is damaged, and a copy of its nodes would not read as the source does.
  case readsDifferently
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
    case .historyCannotBeKept, .unknownHistory, .formatCannotHold: .format
    case .unsoundSource, .damagedWithoutBackup, .hiddenLoss, .readsDifferently: .damaged
    case .noSuchClass, .conditionOnEmbeddedClass, .query, .linksToLeftOutParts, .mapping: .change
    }
  }

  /// What is wrong, in lower case and without the path.
  package var description: String {
    switch self {
    case .historyCannotBeKept: "the sync history cannot be kept when the realm is rebuilt"
    case .unknownHistory: "the file has a history of unknown kind"
    case .hiddenLoss(let check):
      "the realm is damaged, and what 'recover' could still find in it would be removed, so nothing was written"
        + (check.hiddenObjects.map { ": \($0.message)" } ?? "")
    case .unsoundSource(let check), .damagedWithoutBackup(let check):
      "the realm is damaged, so nothing was written" + (check.findings.first.map { ": \($0.message)" } ?? "")
    case .readsDifferently: "the realm is damaged and a copy would lose readable data, so nothing was written"
    case .noSuchClass(let name, _): "no class '\(name)'"
    case .conditionOnEmbeddedClass(let name): "class '\(name)' is embedded; its objects are copied with their parents"
    case .query(let error, let condition): "class '\(condition.className)': \(error)"
    case .linksToLeftOutParts(let losses): losses.map(\.description).joined(separator: "; ")
    case .formatCannotHold(_, let losses): losses.map(\.description).joined(separator: "; ")
    case .mapping: "types that were given for the file format do not fit the realm"
    }
  }
}
