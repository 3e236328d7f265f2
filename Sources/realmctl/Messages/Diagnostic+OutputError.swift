import Libc
import RealmPresentation
import RealmStorage
import RealmSystem
import RealmText

extension Diagnostic {
  init(_ error: OutputError) {
    switch error {
    case .exists(let path):
      self.init(
        .failed, .fileExists, path: path, error.description, advice: "use --force to replace it")
    case .isInput(let path):
      // A mistake in the arguments, whatever the command.
      self.init(
        .usage, .fileExists, path: path, error.description, advice: "choose another path")
    case .isLockFile(let path):
      self.init(
        .failed, .fileExists, path: path, error.description,
        advice: "choose a name that does not end in .lock")
    case .access(let error):
      self.init(error)
      if case .inUse = error { advice = "close it there, or write to another path" }
    case .isDirectory(let path):
      self.init(
        .failed, .fileOperationFailed, path: path, error.description, advice: "name a file")
    case .notADirectory(let path):
      self.init(.failed, .fileExists, path: path, error.description, advice: "name another path")
    case .folderMissing(let path) where path.hasSuffix("/"):
      self.init(
        .failed, .fileOperationFailed, path: path, "a name that ends with '/' is that of a folder",
        advice: "name a file")
    case .folderMissing(let path) where Self.hasFolder(path):
      // As in /proc, where the system says the same of the file.
      self.init(
        .failed, .fileOperationFailed, path: path, "the folder takes no new files",
        advice: StreamName.isOutput(path) ? "use - for standard output" : "choose another folder")
    case .folderMissing(let path):
      self.init(
        .failed, .fileNotFound, path: path, error.description, advice: "create it first")
    case .notARegularFile(let path):
      self.init(.failed, .fileExists, path: path, error.description, advice: "choose another path")
    case .noSpace(let path, let needed, let available):
      self.init(
        .failed, .outOfDiskSpace, path: path, error.description,
        detail: "\(ByteCount.text(needed)) needed, \(ByteCount.text(available)) free", advice: "free some space")
    case .cannotKeepOwner(let path, let owner, let group):
      self.init(
        .failed, .filePermissionDenied, path: path, error.description,
        detail: "user \(owner), group \(group)", advice: "run as that user, in that group, or write to another path")
    case .cannotKeepAttribute(let path, _, let errorNumber):
      self.init(
        .failed, .filePermissionDenied, path: path,
        error.description,
        detail: SystemCallError.text(errorNumber), advice: "write to another path")
    case .linksInCircles(let path):
      self.init(
        .failed, .fileOperationFailed, path: path, error.description,
        detail: "it points to itself, or through too many links",
        advice: "check the link")
    case .linkOfAnother(let path, _):
      self.init(
        .failed, .filePermissionDenied, path: path, error.description,
        advice: "name the file it points to, if you trust it")
    case .pipeOfAnother(let path):
      self.init(
        .failed, .filePermissionDenied, path: path, error.description,
        advice: "make a pipe of your own, or redirect standard output to it if you trust it")
    case .changedMeanwhile(let path):
      self.init(
        .inUse, .fileOperationFailed, path: path, error.description, advice: "try again")
    case .temporary(let folder, _, let errorNumber):
      let advice =
        switch errorNumber {
        case ENOSPC: "free some space, or set TMPDIR to another folder"
        case EMFILE, ENFILE, EFBIG: "raise the limit with 'ulimit', or set REALMCTL_MEMORY to more"
        default: "set TMPDIR to another folder"
        }
      self.init(
        .failed, errorNumber == ENOSPC ? .outOfDiskSpace : .fileOperationFailed, path: folder, error.description,
        advice: advice)
    case .systemCall(let path, let name, let errorNumber):
      self.init(SystemCallError(name: name, number: errorNumber), path: path)
      guard code == .filePermissionDenied, ["open", "access", "mkdir"].contains(name) else { return }
      let isFolder = name != "open" || !SafeOutput.isNameTaken(path)
      if errorNumber == EACCES { denyWriting(isFolder: isFolder) }
      // What an app is told of a realm that is there.
      guard name == "open", errorNumber != EACCES || !isFolder else { return }
      detail = SystemCallError.text(errorNumber) + ". Please use a path where your app has read-write permissions."
      if errorNumber == EPERM { problem = "this process cannot write the file" }
    }
  }

  /// Says of a missing permission what it is for: a file that is there, or a new one in its folder.
  mutating func denyWriting(isFolder: Bool) {
    problem = "this user cannot write \(isFolder ? "to the folder" : "the file")"
    advice = "give this user write permission for the \(isFolder ? "folder" : "file and its folder")"
  }

  private static func hasFolder(_ path: String) -> Bool {
    guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return true }
    return SafeOutput.isNameTaken(String(path[..<end]))
  }
}
