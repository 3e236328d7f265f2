import Libc

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

  /// Bytes of the file; nil for a stream, whose end only reading tells.
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
