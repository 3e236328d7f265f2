/// Bytes that stay where they are until the arena goes.
package final class ByteArena {
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  private static let blockSize = 1 << 18

  package init() {}

  deinit { blocks.forEach { $0.deallocate() } }

  /// A copy of bytes.
  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if bytes.count > room.count {
      let size = max(Self.blockSize, bytes.count)
      let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      room = UnsafeMutableRawBufferPointer(start: block, count: size)
      blocks.append(room)
    }
    room.copyMemory(from: bytes)
    defer { room = UnsafeMutableRawBufferPointer(rebasing: room[bytes.count...]) }
    return UnsafeRawBufferPointer(rebasing: room[..<bytes.count])
  }

  /// Forgets all copies; what comes next may lie where they were.
  package func removeAll() {
    guard let first = blocks.first else { return }
    for block in blocks.dropFirst() { block.deallocate() }
    blocks.removeSubrange(1...)
    room = first
  }
}
