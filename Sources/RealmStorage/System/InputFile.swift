import CSystem
import Libc

/// A regular file, open for reading. Nothing is created, locked or written, and where the system allows it not even the
/// time of the last access changes.
final class InputFile: InputBytes, @unchecked Sendable {
  let path: String
  let descriptor: Int32
  let size: UInt64
  let identity: FileIdentity
  /// When it had last been written to when it was opened.
  let modified: FileTime?
  let calls: any FileCalls
  /// Whose descriptor it is, if not this object's.
  private let owner: WritableFile?

  /// A file that is open for writing, as it is now, to be read through the same descriptor.
  ///
  /// - Throws: `StorageError.file`.
  init(of file: WritableFile) throws {
    let status = try file.status()
    (path, descriptor, calls, owner) = (file.path, file.descriptor, file.calls, file)
    (size, identity, modified) = (status.size, status.identity, status.modified)
  }

  /// Opens a regular file.
  ///
  /// The kind of file is looked at before opening, because opening a pipe or a device can block or do something, and
  /// once more afterwards, because the name may lead elsewhere by then.
  ///
  /// - Throws: `StorageError.file`.
  init(path: String, calls: any FileCalls = FileBackend.calls) throws {
    do {
      try Self.requireRegular(try calls.status(ofPath: path))
      let descriptor = try Self.open(path, calls)
      do {
        let status = try calls.status(of: descriptor)
        try Self.requireRegular(status)
        (self.path, self.descriptor, self.calls, owner) = (path, descriptor, calls, nil)
        (size, identity, modified) = (status.size, status.identity, status.modified)
      } catch {
        calls.close(descriptor)
        throw error
      }
    } catch let error as SystemCallError {
      throw StorageError.file(error.problem)
    }
  }

  deinit { if owner == nil { calls.close(descriptor) } }

  /// Bytes of the file by now; nil where it cannot be asked.
  var currentSize: UInt64? { (try? calls.status(of: descriptor))?.size }

  /// Whether the file has another size by now than when it was opened.
  var hasOtherSize: Bool { currentSize.map { $0 != size } ?? false }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    try calls.readFully(descriptor, into: buffer, at: offset)
  }

  private static func requireRegular(_ status: FileStatus) throws {
    switch status.kind {
    case .regular: return
    case .directory: throw StorageError.file(.isDirectory)
    case .special(let kind): throw StorageError.file(.notARegularFile(kind: kind))
    }
  }

  private static func open(_ path: String, _ calls: any FileCalls) throws(SystemCallError) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    do throws(SystemCallError) {
      return try calls.opened(path, flags: flags | csystem_open_keeps_access_time)
    } catch {
      // Only the owner may ask for that.
      guard error.number == EPERM, csystem_open_keeps_access_time != 0 else { throw error }
      return try calls.opened(path, flags: flags)
    }
  }
}
