import Libc

/// The bytes of an input as they lie in the file, read by position.
protocol InputBytes: AnyObject, Sendable {
  /// Bytes, as they were when the input was opened.
  var size: UInt64 { get }

  /// Fills the buffer from `offset` on.
  ///
  /// - Returns: bytes read; fewer than the buffer holds only at the end of the input.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int
}

extension InputBytes {
  /// As `read`.
  ///
  /// - Throws: also where bytes are missing that the input had when it was opened.
  func readRequired(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    let count = try read(into: buffer, at: offset)
    guard offset >= size || UInt64(count) >= min(UInt64(buffer.count), size - offset) else { throw .shortRead }
    return count
  }
}

/// An input that is wholly in memory.
final class MemoryBytes: InputBytes, @unchecked Sendable {
  /// The bytes; allocated with `malloc`, freed with the object, never changed.
  let bytes: UnsafeRawBufferPointer
  var size: UInt64 { UInt64(bytes.count) }

  /// - Parameter allocation: memory from `malloc`, which the object takes over.
  init(takingOver allocation: UnsafeMutableRawPointer, count: Int) {
    bytes = UnsafeRawBufferPointer(start: allocation, count: count)
  }

  deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    guard offset < size else { return 0 }
    let start = Int(offset)
    let count = min(buffer.count, bytes.count - start)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    return count
  }
}
