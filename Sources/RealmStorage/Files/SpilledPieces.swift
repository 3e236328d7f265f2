/// Pieces of bytes, each read later as a whole: in memory, or in the file of a `Spill`.
package final class SpilledPieces: SpillMember {
  /// Where a piece is.
  package struct Piece: Sendable {
    fileprivate let offset: UInt64
    fileprivate let count: Int
  }

  /// Pieces next to each other.
  private struct Block {
    /// The offset of the first piece.
    let offset: UInt64
    var count = 0
    /// Where the bytes are; nil if they are in the file.
    var memory: UnsafeMutableRawBufferPointer?
    var fileOffset: UInt64 = 0
  }

  /// The memory that blocks take.
  private let memory: Spill
  private var blocks: [Block] = []
  private var count: UInt64 = 0
  /// Bytes of the blocks in memory; the first of those.
  private(set) package var spillableByteCount = 0
  private var firstInMemory = 0

  private static let (firstBlock, largestBlock) = (1 << 10, 1 << 18)

  package init(_ spill: Spill) {
    memory = spill
    spill.register(self)
  }

  deinit {
    for block in blocks { block.memory?.deallocate() }
    memory.shrink(spillableByteCount)
  }

  /// - Throws: as `Spill.grow`.
  package func append(_ bytes: UnsafeRawBufferPointer) throws -> Piece {
    guard bytes.count > 0 else { return Piece(offset: count, count: 0) }
    let room = blocks.last.flatMap { block in block.memory.map { $0.count - block.count } } ?? 0
    if room < bytes.count { try addBlock(bytes.count) }
    let index = blocks.count - 1
    if let room = blocks[index].memory {
      UnsafeMutableRawBufferPointer(rebasing: room[blocks[index].count...]).copyMemory(from: bytes)
    }
    blocks[index].count += bytes.count
    defer { count += UInt64(bytes.count) }
    return Piece(offset: count, count: bytes.count)
  }

  private func addBlock(_ byteCount: Int) throws {
    let usual = blocks.last?.memory.map { min($0.count * 2, Self.largestBlock) } ?? Self.firstBlock
    let capacity = max(usual, byteCount)
    try memory.grow(capacity)
    spillableByteCount += capacity
    blocks.append(Block(offset: count, memory: .allocate(byteCount: capacity, alignment: 16)))
  }

  package func spill() throws {
    for index in firstInMemory..<blocks.count {
      guard let bytes = blocks[index].memory else { continue }
      blocks[index].fileOffset = memory.end
      try memory.append(UnsafeRawBufferPointer(rebasing: bytes[..<blocks[index].count]))
      bytes.deallocate()
      blocks[index].memory = nil
    }
    firstInMemory = blocks.count
    memory.shrink(spillableByteCount)
    spillableByteCount = 0
  }

  /// Lends the bytes of a piece.
  ///
  /// - Throws: `OutputError.temporary`; what `body` throws.
  package func withBytes<Result>(of piece: Piece, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let behind = firstIndex(in: 0..<blocks.count) { blocks[$0].offset > piece.offset }
    guard behind > 0, piece.count > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    let block = blocks[behind - 1]
    let start = Int(piece.offset - block.offset)
    if let bytes = block.memory {
      return try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + piece.count]))
    }
    return try withUnsafeTemporaryAllocation(byteCount: piece.count, alignment: 16) { buffer in
      try memory.read(into: buffer, at: block.fileOffset + UInt64(start))
      return try body(UnsafeRawBufferPointer(buffer))
    }
  }
}
