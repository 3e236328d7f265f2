/// What a search index keeps of a value: a string of bytes, in chunks of four
/// (Docs/Format/3-tables-and-objects.md §6.2, §6.3).
package enum IndexData {
  case null
  /// Up to 16 bytes, byte 0 lowest in `low`; a multiple of four of them.
  case inline(low: UInt64, high: UInt64, count: Int)
  case bytes(UnsafeRawBufferPointer)

  package static let chunkSize = 4
  /// From this offset on, values are no longer distinguished.
  package static let lastOffset = 200

  package init(_ value: ValueView) {
    switch value {
    case .null: self = .null
    case .int(let value): self.init(value)
    case .bool(let value): self.init(value ? 1 : 0)
    case .float(let value):
      self = Int32(exactly: value).map { .init(Int64($0)) } ?? .inline(low: UInt64(value.bitPattern), high: 0, count: 4)
    case .double(let value):
      self = Int32(exactly: value).map { .init(Int64($0)) } ?? .inline(low: value.bitPattern, high: 0, count: 8)
    case .decimal(let value):
      self = value.truncated.map { .init($0) } ?? .inline(low: value.low, high: value.high, count: 16)
    case .string(let text): self = .bytes(ValueOrder.bytes(of: text))
    case .data(let data): self = .bytes(ValueOrder.bytes(of: data))
    case .date(let date):
      self = .inline(
        low: UInt64(bitPattern: date.seconds), high: UInt64(UInt32(bitPattern: date.nanoseconds)), count: 12)
    case .objectID(let id): self = .inline(low: id.head.byteSwapped, high: UInt64(id.tail.byteSwapped), count: 12)
    case .uuid(let uuid): self = .inline(low: uuid.head.byteSwapped, high: uuid.tail.byteSwapped, count: 16)
    case .link(let table, let key), .typedLink(let table, let key):
      let bits = UInt64(bitPattern: key.rawValue)
      self = .inline(low: UInt64(table.rawValue) | bits << 32, high: bits >> 32, count: 12)
    case .list, .set: self = .bytes(Self.bytes(of: "__List__"))
    case .dictionary: self = .bytes(Self.bytes(of: "__Dictionary__"))
    }
  }

  private init(_ value: Int64) { self = .inline(low: UInt64(bitPattern: value), high: 0, count: 8) }

  private static func bytes(of text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  // MARK: Chunks

  /// The chunk at an offset that is a multiple of four: a big-endian number, after the end `X` and zeros, then 0.
  package func chunk(at offset: Int) -> Int32 {
    switch self {
    case .null: return 0
    case .inline(let low, let high, let count):
      guard offset < count else { return offset == count ? Self.end : 0 }
      let word = offset < 8 ? low >> UInt64(offset * 8) : high >> UInt64((offset - 8) * 8)
      return Int32(bitPattern: UInt32(truncatingIfNeeded: word).byteSwapped)
    case .bytes(let bytes): return Self.chunk(of: bytes, at: offset)
    }
  }

  private static let end: Int32 = 0x5800_0000

  package static func chunk(of bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    let rest = bytes.count - offset
    guard rest < chunkSize else {
      return Int32(bitPattern: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
    }
    guard rest >= 0 else { return 0 }
    var chunk: UInt32 = 0
    for byte in bytes[offset...] { chunk = chunk << 8 | UInt32(byte) }
    chunk = chunk << 8 | 0x58
    return Int32(bitPattern: chunk << UInt32(8 * (3 - rest)))
  }

  /// Whether both are the same bytes.
  package static func == (left: IndexData, right: IndexData) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.inline(let low, let high, let count), .inline(let otherLow, let otherHigh, let otherCount)):
      low == otherLow && high == otherHigh && count == otherCount
    case (.bytes(let a), .bytes(let b)): a.hasSameBytes(as: b)
    case (.null, _), (_, .null): false
    case (.inline(let low, let high, let count), .bytes(let bytes)),
      (.bytes(let bytes), .inline(let low, let high, let count)):
      isEqual(bytes, low, high, count)
    }
  }

  private static func isEqual(_ bytes: UnsafeRawBufferPointer, _ low: UInt64, _ high: UInt64, _ count: Int) -> Bool {
    guard bytes.count == count else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      let word = index < 8 ? low >> UInt64(index * 8) : high >> UInt64((index - 8) * 8)
      return byte == UInt8(truncatingIfNeeded: word)
    }
  }
}

extension Decimal128 {
  /// The number with its fraction cut off, if it is one and fits.
  fileprivate var truncated: Int64? {
    guard case .finite(let isNegative, var magnitude, var exponent) = classified else { return nil }
    while exponent < 0, magnitude > 0 { (magnitude, exponent) = (magnitude / 10, exponent + 1) }
    while exponent > 0, magnitude > 0 {
      guard magnitude.high == 0 else { return nil }
      (magnitude, exponent) = (magnitude * 10, exponent - 1)
    }
    return Int64(exactly: Signed128(magnitude, isNegative: isNegative))
  }
}
