/// Numbers in as few bytes as they need: seven bits in each, the lowest first, the highest bit set in all but the last.
///
/// For what is kept in memory; no file has them.
package enum Varint {
  /// Bytes of the longest.
  package static let mostBytes = 10

  /// - Parameter target: room for `mostBytes`.
  /// - Returns: the place after the number.
  @inline(__always)
  package static func store(_ number: UInt64, to target: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var (rest, target) = (number, target)
    while rest >= 0x80 {
      target.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      target += 1
      rest >>= 7
    }
    target.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    return target + 1
  }

  /// Reads a stored number, and continues after it.
  @inline(__always)
  package static func load(_ source: inout UnsafeRawPointer) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = source.load(as: UInt8.self)
      source += 1
      number |= UInt64(byte & 0x7f) &<< shift
      guard byte & 0x80 != 0 else { return number }
      shift &+= 7
    }
  }

  /// Small for small numbers of either sign.
  @inline(__always)
  package static func folded(_ number: Int64) -> UInt64 { UInt64(bitPattern: number &<< 1 ^ number &>> 63) }

  @inline(__always)
  package static func unfolded(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1)
  }
}

/// A long row of numbers, kept as the steps from one to the next: a byte or two for most keys of objects.
final class StepLog {
  private struct Block {
    let start: UnsafeMutableRawPointer
    let capacity: Int
    var count = 0
  }

  private var blocks: [Block] = []
  // As in `TextBuffer`, these skip the run-time exclusivity check.
  /// Where the next number goes, and how much room is there.
  @exclusivity(unchecked) private var place: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var room = 0
  @exclusivity(unchecked) private var last: Int64 = 0
  @exclusivity(unchecked) private(set) var count = 0

  /// The first blocks are smaller.
  private static let (firstBlock, largestBlock) = (1 << 8, 1 << 16)

  deinit { for block in blocks { block.start.deallocate() } }

  func append(_ number: Int64) {
    if room < Varint.mostBytes { addBlock() }
    guard let start = place else { return }
    let end = Varint.store(Varint.folded(number &- last), to: start)
    room -= end - start
    place = end
    last = number
    count += 1
  }

  private func addBlock() {
    closeBlock()
    let capacity = min(blocks.last.map { $0.capacity * 2 } ?? Self.firstBlock, Self.largestBlock)
    let block = Block(start: .allocate(byteCount: capacity, alignment: 1), capacity: capacity)
    blocks.append(block)
    (place, room) = (block.start, capacity)
  }

  /// Says how far the last block is filled.
  private func closeBlock() {
    if let last = blocks.last { blocks[blocks.count - 1].count = last.capacity - room }
  }

  /// Keeps some memory.
  func removeAll() {
    for block in blocks.dropFirst() { block.start.deallocate() }
    blocks.removeLast(max(blocks.count - 1, 0))
    (place, room) = (blocks.first?.start, blocks.first?.capacity ?? 0)
    (last, count) = (0, 0)
  }

  /// The numbers in order. Valid as long as the log is there and nothing is appended.
  struct Reader {
    private var blocks: ArraySlice<Block>
    private var place: UnsafeRawPointer?
    private var end: UnsafeRawPointer?
    private var last: Int64 = 0

    fileprivate init(_ log: StepLog) {
      log.closeBlock()
      blocks = log.blocks[...]
    }

    /// Nil at the end.
    mutating func next() -> Int64? {
      while place == end {
        guard let block = blocks.popFirst() else { return nil }
        (place, end) = (UnsafeRawPointer(block.start), UnsafeRawPointer(block.start + block.count))
      }
      guard var source = place else { return nil }
      last = last &+ Varint.unfolded(Varint.load(&source))
      place = source
      return last
    }
  }

  func makeReader() -> Reader { Reader(self) }
}
