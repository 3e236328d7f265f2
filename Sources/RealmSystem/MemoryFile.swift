import Libc

/// A file whose changes are kept in memory; what was never changed is read from a file of the system, if there is one.
///
/// Memory grows with the changes, not with the file. Any number of threads may read and write at the same time.
final class MemoryFile: Sendable {
  /// A file of the system that is read.
  struct Base: Sendable {
    let descriptor: Int32
    let size: UInt64
  }

  let identity: FileIdentity
  let base: Base?
  private let content: Locked<Content>

  init(_ identity: FileIdentity, over base: Base? = nil) {
    (self.identity, self.base) = (identity, base)
    content = Locked(Content(base: base))
  }

  private init(copying file: MemoryFile) {
    identity = file.identity
    base = nil
    content = Locked(file.content.withLock { $0 })
  }

  /// The same content, of which blocks are shared until one of the two writes to them. Not for a file that stands on one of
  /// the system.
  func copy() -> MemoryFile { MemoryFile(copying: self) }

  deinit {
    if let base { SystemFileCalls().close(base.descriptor) }
  }

  var size: UInt64 { content.withLock { $0.size } }

  /// As `pread`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    try content.withLock { content throws(SystemCallError) in try content.read(into: buffer, at: offset) }
  }

  /// As `pwrite`; writes everything.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemCallError) {
    try content.withLock { content throws(SystemCallError) in try content.write(bytes, at: offset) }
  }

  func setSize(_ size: UInt64) { content.withLock { $0.setSize(size) } }
}

/// The bytes of a file in memory.
private struct Content: Sendable {
  private let base: MemoryFile.Base?
  /// From here on, bytes are no longer those of the base.
  private var baseLimit: UInt64
  private(set) var size: UInt64
  /// The blocks that were written to, by number.
  private var blocks: [UInt64: [UInt8]] = [:]

  private static let blockSize: UInt64 = 1 << 16

  init(base: MemoryFile.Base?) {
    self.base = base
    baseLimit = base?.size ?? 0
    size = baseLimit
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemCallError) -> Int {
    guard offset < size else { return 0 }
    let count = Int(min(UInt64(buffer.count), size - offset))
    var done = 0
    while done < count {
      let position = offset + UInt64(done)
      let start = Int(position % Self.blockSize)
      let length = min(count - done, Int(Self.blockSize) - start)
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + length])
      if let block = blocks[position / Self.blockSize] {
        block.withUnsafeBytes { part.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + length])) }
      } else {
        try readBase(into: part, at: position)
      }
      done += length
    }
    return count
  }

  /// Bytes of the base, zeros after its end.
  private func readBase(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(SystemCallError) {
    var filled = 0
    if let base, offset < baseLimit {
      let known = Int(min(UInt64(buffer.count), baseLimit - offset))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<known])
      filled = try SystemFileCalls().readFully(base.descriptor, into: part, at: offset, ofFileWith: base.size)
    }
    UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).initializeMemory(as: UInt8.self, repeating: 0)
  }

  mutating func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemCallError) {
    var done = 0
    while done < bytes.count {
      let position = offset + UInt64(done)
      let number = position / Self.blockSize
      let start = Int(position % Self.blockSize)
      let length = min(bytes.count - done, Int(Self.blockSize) - start)
      // Taken out of the dictionary, so that it is changed without being copied.
      var block = if let known = blocks.removeValue(forKey: number) { known } else { try baseBlock(number) }
      block.withUnsafeMutableBytes { target in
        let source = UnsafeRawBufferPointer(rebasing: bytes[done..<done + length])
        UnsafeMutableRawBufferPointer(rebasing: target[start..<start + length]).copyMemory(from: source)
      }
      blocks[number] = block
      done += length
    }
    size = max(size, offset + UInt64(bytes.count))
  }

  private func baseBlock(_ number: UInt64) throws(SystemCallError) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: Int(Self.blockSize))
    try block.withUnsafeMutableBufferPointer { room throws(SystemCallError) in
      try readBase(into: UnsafeMutableRawBufferPointer(room), at: number * Self.blockSize)
    }
    return block
  }

  mutating func setSize(_ newSize: UInt64) {
    defer { size = newSize }
    guard newSize < size else { return }
    baseLimit = min(baseLimit, newSize)
    let last = newSize / Self.blockSize
    blocks = blocks.filter { $0.key <= last }
    guard var block = blocks.removeValue(forKey: last) else { return }
    for index in Int(newSize % Self.blockSize)..<block.count { block[index] = 0 }
    blocks[last] = block
  }
}
