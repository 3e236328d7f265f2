import Libc
import RealmStorage
import RealmSystem

extension SystemCallError {
  /// The advice after "operation not permitted", which permissions do not explain.
  static let notPermittedAdvice = "the file may be immutable, or protected while the device is locked"

  /// Whether the reader of a pipe has gone.
  var isClosedPipe: Bool { number == EPIPE }
}

extension Diagnostic {
  init(_ error: SystemCallError, path: String) {
    let detail = error.text
    switch error.number {
    case ENOENT:
      self.init(
        .notFound, .fileNotFound, path: path, "no such file or directory",
        advice: path == BundleCommand.defaultFile ? "name a realm" : "check the path")
    case EACCES:
      self.init(
        .failed, .filePermissionDenied, path: path, "permission denied",
        advice: "give this user access to the file")
    case EPERM:
      // The error of a locked device for a protected file.
      self.init(
        .failed, .filePermissionDenied, path: path, "operation not permitted", detail: detail,
        advice: SystemCallError.notPermittedAdvice)
    case EROFS:
      self.init(
        .failed, .filePermissionDenied, path: path, "the file system is read-only", detail: detail,
        advice: "write to another place")
    case ENOSPC, EDQUOT:
      self.init(.failed, .outOfDiskSpace, path: path, "no space left", detail: detail, advice: "free some space")
    case EFBIG:
      self.init(
        .failed, .fileOperationFailed, path: path, "the file is too large for its file system or for 'ulimit -f'",
        detail: detail, advice: "write to another disk")
    case ENOMEM:
      self.init(
        .failed, .outOfMemory, path: path, "not enough memory", detail: detail,
        advice: "close other programs, then try again")
    case ELOOP:
      self.init(
        .failed, .fileOperationFailed, path: path, "symbolic link loop", detail: detail, advice: "check the link")
    case ENOLCK, EOPNOTSUPP:
      self.init(
        .failed, .fileOperationFailed, path: path, "the file system does not support this", detail: detail,
        advice: "copy the file to another disk, change it there, and copy it back")
    case ENAMETOOLONG:
      self.init(
        .failed, .fileOperationFailed, path: path, "the name is too long", detail: detail,
        advice: "choose a shorter name")
    default:
      self.init(.failed, .fileOperationFailed, path: path, "system error", detail: detail)
    }
  }
}
