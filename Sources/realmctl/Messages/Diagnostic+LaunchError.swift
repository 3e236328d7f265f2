import Libc
import RealmOpening
import RealmStorage
import RealmSystem
import RealmTools

extension Diagnostic {
  /// Runs `body`, and turns an error that keeps a realm from being opened or migrated into a message for the user.
  static func ofLaunch<Result>(_ files: DiagnosedFiles, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as any DiagnosticConvertible { throw error.diagnosis(of: files) }
  }

  /// - Parameters:
  ///   - path: of the realm, as typed.
  ///   - output: where the result goes, if not there.
  static func ofLaunch<Result>(_ path: String, output: String? = nil, _ body: () throws -> Result) throws -> Result {
    try ofLaunch(DiagnosedFiles(source: path, output: output ?? path), body)
  }

  /// A launch makes no change that an undamaged realm would refuse.
  init(_ error: EditError, path: String) {
    let detail: String
    switch error {
    case .unsound(let table): detail = "table '\(table)'"
    default: detail = "\(error)"
    }
    self.init(
      .failed, .invalidDatabase, path: path, "the realm has damage that makes changes unsafe, so nothing was changed",
      detail: detail, advice: "run 'check' for details, or use a backup")
  }

  /// A transaction would write where it must not. A compaction copies the nodes in use and ignores the list.
  init(_ fault: SpaceFault, path: String) {
    self.init(
      .failed, .invalidDatabase, path: path, "\(fault), so nothing was changed", detail: fault.place,
      advice: "run 'check'; if it finds no other damage, 'compact' makes a new list")
  }

  /// A warning about a realm that was changed without its free space.
  init(spared fault: SpaceFault, path: String) {
    self.init(
      .done, .invalidDatabase, path: path, "free space was left alone, because \(fault)", detail: fault.place,
      advice: "run 'compact' before an app writes to the file")
  }

  init(unsettled cause: any Error, isDone: Bool, _ backup: RealmBackup?, path: String) {
    var detail: String?
    if case .systemCall(_, let name, let number) = cause as? OutputError {
      detail = SystemCallError(name: name, number: number).text
    }
    guard !isDone else {
      if let cause = cause as? StorageError {
        let diagnostic = Diagnostic(cause, path: path)
        detail = diagnostic.detail ?? diagnostic.problem
      }
      self.init(
        .failed, .fileOperationFailed, path: path,
        "the change was made, but the file could not be read afterwards", detail: detail,
        advice: backup.map { "run 'check'; \($0.path) has the old contents" } ?? "run 'check'")
      return
    }
    self.init(
      .failed, .fileOperationFailed, path: path,
      "the disk failed in the last step, so the file has either the old or the new contents", detail: detail,
      advice: backup.map { "run 'open' to see which; \($0.path) has the old contents" }
        ?? "run 'open' to see which")
  }
}

extension Diagnostic {
  /// Why a backup could not be made or restored.
  init(_ error: BackupError, realm: String) {
    switch error {
    case .realmHasChanged:
      self.init(
        .schema, .migrationFailed, path: realm,
        "the file differs from the one that the migration wrote, so nothing was changed",
        advice: "use --force to restore the backup anyway")
    case .realmMissing:
      self.init(
        .notFound, .fileNotFound, path: realm, "no such file or directory, so nothing was changed",
        advice: "use --force to restore the backup anyway")
    case .different(let path):
      self.init(
        .failed, .fileOperationFailed, path: path, "the backup differs from the realm, so nothing was changed",
        advice: "try another disk with --backup")
    case .notDurable(let path):
      self.init(
        .failed, .fileOperationFailed, path: path,
        "the folder could not be synced and a power cut could lose the backup, so nothing was changed",
        advice: "try another disk with --backup, or --no-backup")
    case .output(let error):
      self.init(error)
      if case .folderMissing = error { problem = "its folder does not exist" }
      problem = "the backup could not be made, so nothing was changed: " + problem
      advice = Self.backupAdvice(error)
    }
  }

  /// Advice for outputs, such as --force, does not apply to backups.
  private static func backupAdvice(_ error: OutputError) -> String {
    switch error {
    case .exists, .isInput, .isDirectory, .notARegularFile: "name another file with --backup, or remove that one"
    case .noSpace, .systemCall(_, _, ENOSPC):
      "free some space, put the backup on another disk with --backup, or use --no-backup"
    case .cannotKeepOwner: "run as that user, in that group, or use --no-backup"
    case .folderMissing: "create it first, or name another with --backup"
    default: "name another folder with --backup, or use --no-backup"
    }
  }
}

extension CompactionCondition {
  /// Whether the condition is met; a warning, and false, if it divides by zero.
  ///
  /// - Parameter option: that gave the condition.
  func holds(for space: SpaceUse, of option: String, path: String, on console: Console) -> Bool {
    if let isMet = holds(for: space) { return isMet }
    console.warn(
      Diagnostic(
        .done, .invalidInput, path: path, "\(option) divides by zero for this file, so it counts as not met",
        detail: "total \(space.total), used \(space.used), free \(space.free)",
        advice: "check for zero first, as in 'free > 0 && total / free < 4'"))
    return false
  }
}

extension SpaceFault {
  /// Where it is.
  fileprivate var place: String {
    switch self {
    case .listed(let node, let start, let end):
      "bytes \(start) to \(end) are listed as free, but the node at byte \(Ref(node)) is there"
    case .beyondEnd(let node): "the node at byte \(Ref(node)) is beyond it"
    case .shared(let node): "the node at byte \(Ref(node)) is used twice"
    case .list(let corruption): "\(corruption.reason), node \(corruption.ref)"
    }
  }
}
