import Libc
import RealmStorage
import RealmTools

extension Diagnostic {
  /// Why there is no backup.
  init(_ error: BackupError) {
    switch error {
    case .different(let path):
      self.init(
        .failed, .fileOperationFailed, path: path, "the backup differs from the realm, so nothing was done",
        advice: "try another disk with --backup")
    case .notDurable(let path):
      self.init(
        .failed, .fileOperationFailed, path: path,
        "the folder could not be synced, so a power cut could lose the backup; nothing was done",
        advice: "try another disk with --backup, or --no-backup")
    case .output(let error):
      self.init(error)
      problem = "the backup could not be made, so nothing was done: " + problem
      advice = Self.backupAdvice(error)
    }
  }

  /// What is written for outputs, such as --force, does not go for backups.
  private static func backupAdvice(_ error: OutputError) -> String {
    switch error {
    case .exists, .isInput, .isDirectory, .notARegularFile: "name another file with --backup, or remove that one"
    case .noSpace, .systemCall(_, _, ENOSPC): "free some space, name another disk with --backup, or use --no-backup"
    case .cannotKeepOwner: "run as that user, or use --no-backup"
    case .folderMissing: "create it first, or name another with --backup"
    default: "name another folder with --backup, or use --no-backup"
    }
  }
}
