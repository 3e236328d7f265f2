import Libc
import RealmStorage

/// A call of the operating system that failed: which, and why.
struct SystemCallFailure: Error, Equatable, Sendable {
  var name: String
  var errorNumber: Int32

  init(name: String, errorNumber: Int32 = errno) {
    (self.name, self.errorNumber) = (name, errorNumber)
  }

  /// What the system says of an error number. The program never calls `setlocale`, so that it says the same everywhere.
  static func text(_ errorNumber: Int32) -> String {
    SystemCallError.text(errorNumber)
  }

  /// `fsync: Input/output error`
  var text: String { "\(name): \(Self.text(errorNumber))" }

  /// What stands behind "operation not permitted", which permissions do not explain.
  static let notPermittedAdvice = "the file may be immutable, or protected while the device is locked"

  /// Whether an error number says that the reader of a pipe has gone.
  static func isClosedPipe(_ errorNumber: Int32) -> Bool { errorNumber == EPIPE }
}

extension Diagnostic {
  init(_ failure: SystemCallFailure, path: String) {
    let detail = failure.text
    switch failure.errorNumber {
    case ENOENT:
      self.init(.notFound, .fileNotFound, path: path, "no such file or directory", advice: "check the path")
    case EACCES:
      self.init(
        .failed, .filePermissionDenied, path: path, "permission denied", detail: detail,
        advice: "give this user access to the file")
    case EPERM:
      // What a locked device answers for a protected file.
      self.init(
        .failed, .filePermissionDenied, path: path, "operation not permitted", detail: detail,
        advice: SystemCallFailure.notPermittedAdvice)
    case EROFS:
      self.init(
        .failed, .filePermissionDenied, path: path, "the file system is read-only", detail: detail,
        advice: "write to another place")
    case ENOSPC, EDQUOT:
      self.init(.failed, .outOfDiskSpace, path: path, "no space left", detail: detail, advice: "free some space")
    case ENOMEM:
      self.init(.failed, .outOfMemory, path: path, "not enough memory", detail: detail)
    default:
      self.init(.failed, .fileOperationFailed, path: path, "system error", detail: detail)
    }
  }
}
