/// The entries of an index while they are collected: objects by their index data, each in as few bytes as it needs.
///
/// An entry has a place, and places ascend in the order the entries came in.
final class IndexLog {
  /// The number of the entry's block and its place there, in units of four bytes.
  typealias Place = UInt32

  /// What an entry's bytes begin with.
  private enum Form {
    static let null: UInt8 = 0
    /// Up to this number: so many words of four bytes.
    static let mostWords: UInt8 = 4
    /// Eight bytes, as a small number.
    static let number: UInt8 = 5
    /// Bytes after their number.
    static let bytes: UInt8 = 6
  }

  private struct Block {
    let start: UnsafeMutableRawPointer
    var count = 0
    let capacity: Int
  }

  private var blocks: [Block] = []
  private var owned: [UnsafeMutableRawPointer] = []
  private(set) var count = 0
  /// Memory that it takes.
  private(set) var byteCount = 0
  /// Whether the objects came in the order of their keys.
  private(set) var isAscending = true
  private var lastKey = ObjectKey(rawValue: .min)

  /// Places of a block. The first blocks have less memory than that.
  private static let (blockBits, firstBlock) = (UInt64(16), 1 << 10)
  private static let blockSize = 1 << Int(blockBits)
  private static let mostBlocks = 1 << (34 - Int(blockBits))

  deinit { for memory in owned { memory.deallocate() } }

  // MARK: Adding

  /// - Throws: `BuildError.nodeTooLarge` beyond 16 GiB.
  @discardableResult
  func append(_ data: IndexData, of key: ObjectKey) throws -> Place {
    if key < lastKey { isAscending = false }
    lastKey = key
    count += 1
    var length = 1 + 2 * Varint.mostBytes + 16
    if case .bytes(let bytes) = data { length += bytes.count }
    let index = try block(for: length)
    let start = blocks[index].start + blocks[index].count
    var end = Varint.store(UInt64(bitPattern: key.rawValue), to: start + 1)
    let form: UInt8
    switch data {
    case .null: form = Form.null
    case .inline(let low, _, 8):
      form = Form.number
      end = Varint.store(Varint.folded(Int64(bitPattern: low)), to: end)
    case .inline(let low, let high, let byteCount):
      form = UInt8(truncatingIfNeeded: byteCount / IndexData.chunkSize)
      end.storeBytes(of: low, as: UInt64.self)
      end.storeBytes(of: high, toByteOffset: 8, as: UInt64.self)
      end += byteCount
    case .bytes(let bytes):
      form = Form.bytes
      end = Varint.store(UInt64(bytes.count), to: end)
      if let source = bytes.baseAddress { end.copyMemory(from: source, byteCount: bytes.count) }
      end += bytes.count
    }
    start.storeBytes(of: form, as: UInt8.self)
    let place = Place(truncatingIfNeeded: (index << Int(Self.blockBits) + blocks[index].count) >> 2)
    blocks[index].count += (end - start + 3) & ~3
    return place
  }

  /// A block with room for that many bytes.
  private func block(for length: Int) throws -> Int {
    if let last = blocks.last, last.capacity - last.count >= length { return blocks.count - 1 }
    // One that is longer than a block takes several.
    let blockCount = (length + Self.blockSize - 1) / Self.blockSize
    guard blocks.count + blockCount <= Self.mostBlocks else { throw BuildError.nodeTooLarge(elementCount: count) }
    let usual = min(blocks.last.map { max($0.capacity, Self.firstBlock / 2) * 2 } ?? Self.firstBlock, Self.blockSize)
    let capacity = blockCount > 1 ? length + 3 : max(usual, (length + 3) & ~3)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4)
    owned.append(memory)
    byteCount += capacity
    let index = blocks.count
    for number in 0..<blockCount {
      blocks.append(Block(start: memory + number << Int(Self.blockBits), capacity: number == 0 ? capacity : 0))
    }
    return index
  }

  // MARK: Reading

  /// The places of all entries.
  func forEachPlace(_ visit: (Place) throws -> Void) rethrows {
    for (number, block) in blocks.enumerated() {
      var position = 0
      while position < block.count {
        try visit(Place(truncatingIfNeeded: (number << Int(Self.blockBits) + position) >> 2))
        position += byteCount(block.start + position)
      }
    }
  }

  private func start(of place: Place) -> UnsafeRawPointer {
    let position = UInt64(place) << 2
    return UnsafeRawPointer(blocks[Int(position >> Self.blockBits)].start) + Int(position) & (Self.blockSize - 1)
  }

  /// Bytes of an entry, with what makes the next begin at a multiple of four.
  private func byteCount(_ start: UnsafeMutableRawPointer) -> Int {
    var source = UnsafeRawPointer(start) + 1
    _ = Varint.load(&source)
    let form = start.load(as: UInt8.self)
    switch form {
    case Form.number: _ = Varint.load(&source)
    case Form.bytes:
      let count = Int(Varint.load(&source))
      source += count
    default: source += Int(form) * IndexData.chunkSize
    }
    return (source - UnsafeRawPointer(start) + 3) & ~3
  }

  func key(at place: Place) -> ObjectKey {
    var source = start(of: place) + 1
    return ObjectKey(rawValue: Int64(bitPattern: Varint.load(&source)))
  }

  /// Bytes of it point here.
  func data(at place: Place) -> IndexData { entry(at: place).data }

  /// Bytes of the data point here.
  @inline(__always)
  func entry(at place: Place) -> (key: ObjectKey, data: IndexData) {
    var source = start(of: place)
    let form = source.load(as: UInt8.self)
    source += 1
    let key = ObjectKey(rawValue: Int64(bitPattern: Varint.load(&source)))
    return (key, Self.data(form, source))
  }

  private static func data(_ form: UInt8, _ start: UnsafeRawPointer) -> IndexData {
    var source = start
    switch form {
    case Form.null: return .null
    case Form.number:
      return .inline(low: UInt64(bitPattern: Varint.unfolded(Varint.load(&source))), high: 0, count: 8)
    case Form.bytes:
      let count = Int(Varint.load(&source))
      return .bytes(UnsafeRawBufferPointer(start: source, count: count))
    default:
      let byteCount = Int(form) * IndexData.chunkSize
      var words: (low: UInt64, high: UInt64) = (0, 0)
      withUnsafeMutableBytes(of: &words) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: byteCount))
      }
      return .inline(low: words.low, high: words.high, count: byteCount)
    }
  }
}
