/// Why an output could not be written. In every case what stood under its name before still stands there.
public enum OutputError: Error, Hashable, Sendable {
  /// There is a file of that name, and it was not to be replaced.
  case exists(path: String)
  /// It is a file that is being read.
  case isInput(path: String)
  /// The name is one that only lock files have.
  case isLockFile(path: String)
  /// A realm that is to be replaced cannot be had for oneself.
  case access(AccessError)
  case isDirectory(path: String)
  /// A folder was to be written, and there is something else of that name.
  case notADirectory(path: String)
  /// A device or pipe of that name cannot hold a file that is written in any order and checked afterwards.
  case notARegularFile(path: String)
  /// The folder of the output does not exist.
  case folderMissing(path: String)
  /// Bytes needed and bytes there are.
  case noSpace(path: String, needed: UInt64, available: UInt64)
  /// The file that was to be replaced belongs to somebody else, and the system does not let this user make another
  /// file theirs.
  case cannotKeepOwner(path: String, owner: UInt32, group: UInt32)
  /// The attribute (such as an access control list) of the file that was to be replaced cannot be carried over.
  case cannotKeepAttribute(path: String, name: String, errorNumber: Int32)
  /// A symbolic link that leads to itself, or through too many others.
  case linksInCircles(path: String)
  /// A symbolic link of another user, in a folder where everybody may make one, is not followed.
  case linkOfAnother(path: String, link: String)
  /// The file that was to be replaced is no longer the one that was read.
  case changedMeanwhile(path: String)
  /// A call of the operating system failed, for instance with `ENOSPC`.
  case systemCall(path: String, name: String, errorNumber: Int32)

  init(_ path: String, _ error: SystemCallError) {
    self = .systemCall(path: path, name: error.name, errorNumber: error.number)
  }
}
