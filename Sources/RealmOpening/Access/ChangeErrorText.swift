import RealmStorage

// The texts of launch errors for users of the library.

extension BackupError: RealmErrorCause {
  package var kind: RealmError.Kind { .system }

  /// What is wrong, in lower case and without the path of the realm.
  package var description: String {
    switch self {
    case .different(let path): "the backup \(path) differs from the realm, so nothing was changed"
    case .output(let error): "the backup could not be made, so nothing was changed: \(error)"
    case .realmMissing: "the file that the change wrote does not exist, so nothing was changed"
    case .realmHasChanged: "the file differs from the one that the change wrote, so nothing was changed"
    case .notDurable(let path): "the folder of the backup \(path) could not be synced, so nothing was changed"
    }
  }
}

extension LaunchError: RealmErrorCause {
  package var kind: RealmError.Kind {
    if case .seed(_, let cause) = self { (cause as? any RealmErrorCause)?.kind ?? .system } else { .unsettled }
  }

  /// What is wrong, in lower case and without the path of the realm.
  package var description: String {
    switch self {
    case .seed(let path, let cause): return "the seed \(path): \(cause)"
    case .unsettled(let cause, let backup, let isDone):
      let what =
        isDone
        ? "the change was made, but the file could not be read afterwards"
        : "the last step failed: the file has either the old or the new content"
      return "\(what) (\(cause))" + (backup.map { "; \($0.path) has the old content" } ?? "")
    }
  }
}
