import RealmInspection
import RealmStorage

/// Why a realm is not copied, or not changed, as a whole.
package enum CopyRefusal: Error, Equatable, Sendable {
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
}

extension CopyRefusal: RealmErrorCause {
  package var kind: RealmError.Kind {
    switch self {
    case .historyCannotBeKept, .unknownHistory: .format
    case .unsoundSource, .damagedWithoutBackup, .hiddenLoss, .readsDifferently: .damaged
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
    }
  }
}
