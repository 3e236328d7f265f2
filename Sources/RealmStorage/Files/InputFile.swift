import CSystem
import Libc
import RealmSystem

/// A regular file, open for reading. Nothing is created, locked or written, and if the system allows it, not even the
/// time of the last access changes.
package final class InputFile: InputBytes, @unchecked Sendable {
  let path: String
  let descriptor: Int32
  package let size: UInt64
  package let identity: FileIdentity
  /// The time of the last change, as of the opening.
  let modified: FileTime?
  let calls: any FileCalls
  /// The file that the descriptor belongs to, if not this one.
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
  /// The kind of file is checked before opening, because opening a pipe or a device can block or have effects, and once
  /// more afterwards, because the name may lead elsewhere by then.
  ///
  /// - Throws: `StorageError.file`.
  package init(path: String, calls: any FileCalls = FileBackend.calls) throws {
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

  /// Current size of the file; nil if it cannot be determined.
  var currentSize: UInt64? { (try? calls.status(of: descriptor))?.size }

  /// Whether the size of the file has changed since it was opened.
  package var hasOtherSize: Bool { currentSize.map { $0 != size } ?? false }

  /// Whether something was written to the file since it was opened, as far as its time tells.
  var wasWritten: Bool { (try? calls.status(of: descriptor)).map { $0.modified != modified } ?? false }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    try calls.readFully(descriptor, into: buffer, at: offset)
  }

  private static func requireRegular(_ status: FileStatus) throws {
    switch status.kind {
    case .regular, .symbolicLink: return
    case .directory: throw StorageError.file(.isDirectory)
    case .special(let kind): throw StorageError.file(.notARegularFile(kind: kind))
    }
  }

  private static func open(_ path: String, _ calls: any FileCalls) throws(SystemCallError) -> Int32 {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    do throws(SystemCallError) {
      return try calls.opened(path, flags: flags | csystem_open_keeps_access_time)
    } catch {
      // Only the owner may request that.
      guard error.number == EPERM, csystem_open_keeps_access_time != 0 else { throw error }
      return try calls.opened(path, flags: flags)
    }
  }
}

/// The bytes of an input as they are in the file, read by position.
package protocol InputBytes: AnyObject, Sendable {
  /// Bytes, as they were when the input was opened.
  var size: UInt64 { get }

  /// Fills the buffer from `offset` on.
  ///
  /// - Returns: bytes read; fewer than fit in the buffer only at the end of the input.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int
}

extension InputBytes {
  /// As `read`.
  ///
  /// - Throws: also if bytes are missing that the input had when it was opened.
  func readRequired(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    let count = try read(into: buffer, at: offset)
    guard offset >= size || UInt64(count) >= min(UInt64(buffer.count), size - offset) else { throw .shortRead }
    return count
  }
}

/// An input that is wholly in memory.
package final class MemoryBytes: InputBytes, @unchecked Sendable {
  /// The bytes; allocated with `malloc`, freed with the object, never changed.
  let bytes: UnsafeRawBufferPointer
  package var size: UInt64 { UInt64(bytes.count) }

  /// - Parameter allocation: memory from `malloc`, which the object takes over.
  package init(takingOver allocation: UnsafeMutableRawPointer, count: Int) {
    bytes = UnsafeRawBufferPointer(start: allocation, count: count)
  }

  deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    guard offset < size else { return 0 }
    let start = Int(offset)
    let count = min(buffer.count, bytes.count - start)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    return count
  }
}

/// A file of any size that is read once, front to back: data to build a realm from, or bytes to make a digest of.
///
/// ```swift
/// let input = try SequentialInput("people.ndjson")
/// while case let count = try input.read(into: buffer), count > 0 { … }
/// ```
package final class SequentialInput {
  private enum Source {
    case file(InputFile)
    /// A pipe, or whatever standard input is.
    case stream(Int32)
  }

  private let source: Source
  private let calls: any FileCalls
  private var position: UInt64 = 0

  /// Bytes of the file; nil for a stream, whose size is known only at its end.
  package let byteCount: UInt64?

  /// - Parameter path: of a regular file, of a pipe that the shell has opened (`<(…)`), or `-` for standard input.
  /// - Throws: `StorageError.file`.
  package convenience init(_ path: String) throws { try self.init(path, calls: FileBackend.calls) }

  init(_ path: String, calls: any FileCalls) throws {
    self.calls = calls
    guard path != "-" else {
      if calls.isTerminal(StandardInput.descriptor) {
        throw StorageError.file(.notARegularFile(kind: .characterDevice))
      }
      (source, byteCount) = (.stream(StandardInput.descriptor), nil)
      return
    }
    if let pipe = StandardInput.pipe(at: path, calls: calls) {
      (source, byteCount) = (.stream(pipe), nil)
      return
    }
    let file = try InputFile(path: path, calls: calls)
    (source, byteCount) = (.file(file), file.size)
  }

  /// What `stat` says of a file, which changes with its content.
  ///
  /// - Throws: `StorageError.file`.
  package static func stamp(of path: String) throws -> FileStamp {
    let file = try InputFile(path: path)
    return FileStamp(identity: file.identity, size: file.size, modified: file.modified)
  }

  /// Which file a path leads to.
  ///
  /// - Throws: `StorageError.file`.
  package static func identity(of path: String) throws -> FileIdentity { try InputFile(path: path).identity }

  /// Fills the start of a buffer with the next bytes.
  ///
  /// - Returns: how many; 0 at the end.
  /// - Throws: `StorageError.file`, also for a file that has become shorter since it was opened.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    do throws(SystemCallError) {
      let count =
        switch source {
        case .file(let file): try file.readRequired(into: buffer, at: position)
        case .stream(let descriptor): try calls.readNext(descriptor, into: buffer)
        }
      position += UInt64(count)
      return count
    } catch {
      throw StorageError.file(error.problem)
    }
  }
}

/// Text files that fit in memory: schemas, plans.
package enum TextInput {
  /// A schema with thousands of classes has a few megabytes.
  static let sizeLimit = 256 << 20

  /// All bytes of a file or of a pipe that the shell has opened, or of standard input for the path `-`.
  ///
  /// - Throws: `StorageError.file`.
  package static func read(_ path: String) throws -> [UInt8] {
    if let descriptor = streamDescriptor(of: path) {
      let input = try StandardInput.shared(
        descriptor, limit: sizeLimit + 1, beyondLimit: .file(.textTooLarge(limit: sizeLimit)))
      guard input.bytes.count <= sizeLimit else { throw StorageError.file(.textTooLarge(limit: sizeLimit)) }
      return Array(input.bytes)
    }
    let file = try InputFile(path: path)
    guard let size = Int(exactly: file.size), size <= sizeLimit else {
      throw StorageError.file(.textTooLarge(limit: sizeLimit))
    }
    do throws(SystemCallError) {
      var failure: SystemCallError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        do throws(SystemCallError) {
          count = try file.readRequired(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
        } catch { failure = error }
      }
      if let failure { throw failure }
      return bytes
    } catch {
      throw StorageError.file(error.problem)
    }
  }

  /// The source behind a path that can be read only once; nil for any other path.
  static func streamDescriptor(of path: String) -> Int32? {
    path == "-" ? StandardInput.descriptor : StandardInput.pipe(at: path)
  }
}
