import Libc
import RealmOpening
import RealmStorage
import RealmSystem
import RealmTools

extension Diagnostic {
  /// Why a realm could not be opened by this process alone.
  init(_ error: AccessError) {
    switch error {
    case .inUse(let path, let holders, let waited):
      var detail: String?
      if case .processes(let processes) = holders, !processes.isEmpty {
        detail = processes.map(\.detail).joined(separator: "; ")
      }
      self.init(
        .inUse, .alreadyOpen, path: path, error.description, detail: detail,
        advice: waited == 0 ? "close it there, or use --wait SECONDS" : "close it there, or use a longer --wait")
    case .notALockFile(let path, let problem):
      self.init(
        .failed, .incompatibleLockFile, path: path, error.description,
        advice: problem.advice)
    case .systemCall(let path, let name, let errorNumber):
      self.init(SystemCallError(name: name, number: errorNumber), path: path)
      problem = "the lock file cannot be used: " + problem
      if code == .fileNotFound {
        let realm = path.hasSuffix(".lock") ? String(path.dropLast(".lock".count)) : path
        (self.path, status) = (realm, .failed)
        let folder = realm.lastIndex(of: "/").map { realm[..<$0] } ?? "."
        problem = "the folder '\(folder)' does not exist"
        detail = "Failed to open file at path '\(path)': parent directory does not exist"
        advice = "create it first"
      }
      if code == .filePermissionDenied {
        let isFolder = name == "mkdir"
        // The system's own words are in the SDKs' text.
        problem = "the lock file cannot be used"
        advice = "give this user write permission for the folder"
        if errorNumber == EACCES { denyWriting(isFolder: isFolder || !SafeOutput.isNameTaken(path)) }
        detail =
          (isFolder ? "Failed to create directory at '\(path)': " : "Failed to open file at path '\(path)': ")
          + SystemCallError.text(errorNumber)
        advice = advice.map { $0 + ", or work on a copy" }
      }
    }
  }

  /// For a file that would have to be upgraded, which was not allowed.
  init(upgradeOf path: String, from format: UInt8) {
    self.init(
      .format, .fileFormatUpgradeRequired, path: path,
      "the file has format \(format), which cannot be changed in place",
      detail: "Database upgrade required but prohibited.",
      advice: "use --upgrade to convert it to format 24 (a backup is kept)")
  }
}

extension LockFileProblem {
  fileprivate var advice: String {
    switch self {
    case .realm: "delete that hard link; the realm itself stays"
    case .symbolicLink: "remove the link, then try again"
    case .notARegularFile, .otherContent: "move it away, then try again"
    }
  }
}
