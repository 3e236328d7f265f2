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
    let (code, problem, advice): (ErrorCode, String, String?) =
      switch error.number {
      case ENOENT:
        (
          .fileNotFound, "no such file or directory",
          path == BundleCommand.defaultFile ? "name a realm" : "check the path"
        )
      case EACCES: (.filePermissionDenied, "permission denied", "give this user access to the file")
      // The error of a locked device for a protected file.
      case EPERM: (.filePermissionDenied, "operation not permitted", SystemCallError.notPermittedAdvice)
      case EROFS: (.filePermissionDenied, "the file system is read-only", "write to another place")
      case ENOSPC, EDQUOT: (.outOfDiskSpace, "no space left", "free some space")
      case EFBIG:
        (.fileOperationFailed, "the file is too large for its file system or for 'ulimit -f'", "write to another disk")
      case ENOMEM: (.outOfMemory, "not enough memory", "close other programs, then try again")
      case ELOOP: (.fileOperationFailed, "symbolic link loop", "check the link")
      case ENOLCK, EOPNOTSUPP:
        (
          .fileOperationFailed, "the file system does not support this",
          "copy the file to another disk, change it there, and copy it back"
        )
      case ENAMETOOLONG: (.fileOperationFailed, "the name is too long", "choose a shorter name")
      default: (.fileOperationFailed, "system error", nil)
      }
    // The problem says all that the system does.
    let isPlain = [ENOENT, EACCES].contains(error.number)
    self.init(
      code == .fileNotFound ? .notFound : .failed, code, path: path, problem, detail: isPlain ? nil : error.text,
      advice: advice)
  }
}
