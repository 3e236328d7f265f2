/// Who owns a file and who may use it.
package struct FileAccess: Hashable, Sendable {
  package var owner: UInt32
  package var group: UInt32
  /// The twelve bits of permissions.
  package var mode: UInt32
  /// Names that lead to the file.
  package var linkCount: UInt64
}

/// What a name in a folder is, symbolic links not followed.
package enum NameKind: Hashable, Sendable {
  case symbolicLink
  case file(FileIdentity)
}

/// The target of a symbolic link, and its owner.
package struct SymbolicLink: Hashable, Sendable {
  package var path: String
  /// `st_uid` of the link.
  package var owner: UInt32
}

/// How a file is opened for writing.
package enum OutputOpening: Hashable, Sendable {
  /// A new file, which must not exist (`O_CREAT | O_EXCL`), for reading and writing.
  case create(mode: UInt32)
  /// Something that exists, for reading and writing, without waiting.
  case existing
  /// A device or pipe, for writing.
  case device
  /// A file that exists, for looking at it.
  case reading
  /// A folder, for syncing its names.
  case folder
}

/// The calls for writing files, apart from those for reading. Everything that changes files goes through this protocol,
/// so that tests can make any call fail, come up short, or become the last one before a crash.
///
/// One method is one call: no method here retries.
package protocol OutputCalls: FileCalls {
  func open(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32
  /// `write`: bytes written, at least one.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int
  /// `pwrite`: bytes written, at least one.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int
  /// `ftruncate`.
  func truncate(_ descriptor: Int32, to size: UInt64) throws(SystemCallError)
  /// `posix_fallocate`: makes a file longer, with room on the disk for all of it. On Apple, and where the file system
  /// cannot, `ftruncate`.
  func reserve(_ descriptor: Int32, from size: UInt64, to newSize: UInt64) throws(SystemCallError)
  /// `fsync`, on Apple `F_FULLFSYNC`: for files and for folders.
  func synchronize(_ descriptor: Int32) throws(SystemCallError)

  func rename(_ path: String, to newPath: String) throws(SystemCallError)
  /// As `rename`, but fails with `EEXIST` if the new path exists. Not every file system can.
  func renameExclusively(_ path: String, to newPath: String) throws(SystemCallError)
  func link(_ path: String, to newPath: String) throws(SystemCallError)
  func unlink(_ path: String) throws(SystemCallError)
  /// `mkdir`.
  func makeFolder(_ path: String, mode: UInt32) throws(SystemCallError)
  func removeFolder(_ path: String) throws(SystemCallError)

  /// `lstat`.
  func kind(ofName path: String) throws(SystemCallError) -> NameKind
  /// `readlink` and `lstat`.
  func target(ofLink path: String) throws(SystemCallError) -> SymbolicLink

  // In an open folder: whatever happens to its path, these calls use the same folder. No link is followed.

  /// Names, in any order, without `.` and `..`.
  func names(in folder: Int32) throws(SystemCallError) -> [String]
  /// `openat`.
  func open(_ name: String, in folder: Int32, _ opening: OutputOpening) throws(SystemCallError) -> Int32
  /// `fstatat`, of a link itself.
  func status(ofName name: String, in folder: Int32) throws(SystemCallError) -> FileStatus
  /// `unlinkat`.
  func unlink(_ name: String, in folder: Int32) throws(SystemCallError)
  /// `unlinkat(AT_REMOVEDIR)`.
  func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError)
  /// `faccessat`: fails if this user cannot create or remove files there.
  func requireWritable(_ folder: Int32) throws(SystemCallError)

  func access(of descriptor: Int32) throws(SystemCallError) -> FileAccess
  func setOwner(of descriptor: Int32, owner: UInt32, group: UInt32) throws(SystemCallError)
  func setMode(of descriptor: Int32, _ mode: UInt32) throws(SystemCallError)
  func extendedAttributeNames(of descriptor: Int32) throws(SystemCallError) -> [String]
  func extendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError) -> [UInt8]
  func setExtendedAttribute(_ name: String, of descriptor: Int32, to value: [UInt8]) throws(SystemCallError)
  func removeExtendedAttribute(_ name: String, of descriptor: Int32) throws(SystemCallError)

  /// `flock(LOCK_EX | LOCK_NB)`; fails with `EWOULDBLOCK` if another process holds the lock.
  func lock(_ descriptor: Int32) throws(SystemCallError)
  /// `flock(LOCK_UN)`: releases the lock although a child process may still have the descriptor.
  func unlock(_ descriptor: Int32)
  /// Whether a process of that number exists.
  func isRunning(process: Int32) -> Bool
  /// The user that this process acts as.
  var userID: UInt32 { get }
  /// `access`: fails if this user cannot create files in a folder.
  func requireWritable(folder path: String) throws(SystemCallError)
  /// Bytes that this user may still write in a folder; nil if unknown.
  func freeSpace(inFolder path: String) throws(SystemCallError) -> UInt64?
  /// A clock that never goes back, in milliseconds.
  func milliseconds() -> UInt64
  /// This process's number.
  var processID: Int32 { get }
}

extension OutputCalls {
  /// The access lists of a file, by the names of their attributes: its permissions beyond the twelve bits. None if the
  /// file system does not have any.
  package func accessLists(of descriptor: Int32) throws(SystemCallError) -> [String] {
    do throws(SystemCallError) {
      return try extendedAttributeNames(of: descriptor).filter { $0.hasPrefix("system.") }
    } catch {
      guard error.isNotSupported else { throw error }
      return []
    }
  }

  /// Opens the file at a path.
  package func opened(_ path: String, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    try uninterrupted { () throws(SystemCallError) in try open(path, opening) }
  }

  /// Opens a file in a folder.
  package func opened(_ name: String, in folder: Int32, _ opening: OutputOpening) throws(SystemCallError) -> Int32 {
    try uninterrupted { () throws(SystemCallError) in try open(name, in: folder, opening) }
  }

  /// Writes all bytes, whatever interrupts it: the one place that does.
  ///
  /// - Parameter offset: in the file; nil for the current position of the descriptor, which waits for a slow reader.
  package func writeFully(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: UInt64? = nil
  ) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      do throws(SystemCallError) {
        done += try uninterrupted { () throws(SystemCallError) in
          guard let offset else { return try write(descriptor, rest) }
          return try write(descriptor, rest, at: offset &+ UInt64(done))
        }
      } catch {
        // Another process has made the stream non-blocking, for instance a parent that shares it.
        guard offset == nil, error.wouldBlock else { throw error }
        try waitUntilReady(descriptor, forWriting: true)
      }
    }
  }
}
