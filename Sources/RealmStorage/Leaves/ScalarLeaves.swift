/// Integers with null: element 0 is the value that stands for null in this leaf
/// (Docs/Format/2-nodes-and-values.md §2.2).
struct NullableIntLeaf: Sendable {
  private let node: Node
  private let marker: Int64

  init(_ node: Node) throws {
    try node.requireBits("a leaf of optional integers")
    guard node.count > 0 else { throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 1, found: 0)) }
    self.node = node
    marker = node.uncheckedInt(0)
  }

  var count: Int { node.count - 1 }

  @inline(__always)
  func value(at index: Int) throws -> Int64? {
    let value = try node.int(index &+ 1)
    return value == marker ? nil : value
  }
}

/// Seconds and nanoseconds in two parallel leaves (Docs/Format/2-nodes-and-values.md §2.5).
struct TimestampLeaf: Sendable {
  private let seconds: NullableIntLeaf
  private let nanoseconds: Node

  init(_ node: Node, in store: ByteStore) throws {
    try node.requireRefs("a leaf of dates")
    guard node.count == 2 else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 2, found: node.count))
    }
    seconds = try NullableIntLeaf(Node(node.childRef(0), in: store))
    nanoseconds = try Node(node.childRef(1), in: store)
    try nanoseconds.requireBits("nanoseconds of a leaf of dates")
    guard nanoseconds.count == seconds.count else {
      throw StorageError.corrupted(
        nanoseconds.ref, .wrongElementCount(expected: seconds.count, found: nanoseconds.count))
    }
  }

  var count: Int { seconds.count }

  @inline(__always)
  func value(at index: Int) throws -> Timestamp? {
    guard let whole = try seconds.value(at: index) else { return nil }
    return try Timestamp(checking: whole, nanoseconds: nanoseconds.int(index), at: nanoseconds.ref)
  }
}

extension Timestamp {
  /// - Throws: `valueOutOfRange` unless both parts agree in sign and there are less than 10^9 nanoseconds.
  @inline(__always)
  init(checking seconds: Int64, nanoseconds: Int64, at ref: Ref) throws {
    guard Self.areValid(seconds, nanoseconds) else {
      throw StorageError.corrupted(ref, .valueOutOfRange("nanoseconds of a date"))
    }
    self.init(unchecked: seconds, Int32(truncatingIfNeeded: nanoseconds))
  }
}

/// Object ids or UUIDs: blocks of a null bitmap and up to eight values (Docs/Format/2-nodes-and-values.md §2.6).
struct FixedBytesLeaf: Sendable {
  private let node: Node
  /// Bytes of one value: 12 or 16.
  private let valueSize: Int
  let count: Int

  init(_ node: Node, valueSize: Int) throws {
    guard !node.hasRefs, node.scheme == .multiply, node.width == 1 || node.count == 0 else {
      throw StorageError.corrupted(node.ref, .unexpectedNodeKind(expected: "a leaf of object ids or UUIDs"))
    }
    self.node = node
    self.valueSize = valueSize
    let blockSize = 8 * valueSize + 1
    count = (node.count - (node.count + blockSize - 1) / blockSize) / valueSize
    let expected = count * valueSize + (count + 7) / 8
    guard expected == node.count else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: expected, found: node.count))
    }
  }

  /// The byte position of value `index`; nil for null.
  @inline(__always)
  private func position(of index: Int) throws -> Int? {
    guard index >= 0, index < count else {
      throw StorageError.corrupted(node.ref, .indexOutOfRange(index, count: count))
    }
    let block = (index >> 3) * (8 * valueSize + 1)
    guard let bitmap = node.value(UInt8.self, atByte: block), bitmap >> UInt8(index & 7) & 1 == 0 else { return nil }
    return block + 1 + (index & 7) * valueSize
  }

  func objectID(at index: Int) throws -> ObjectID? {
    guard let position = try position(of: index) else { return nil }
    return ObjectID(node.bytes, at: position)
  }

  func uuid(at index: Int) throws -> RealmUUID? {
    guard let position = try position(of: index) else { return nil }
    return RealmUUID(node.bytes, at: position)
  }
}

extension ObjectID {
  /// The twelve bytes from `position` on; nil where there are fewer.
  init?(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    guard position >= 0, bytes.count - position >= 12 else { return nil }
    self.init(
      head: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
      tail: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self)))
  }
}

extension RealmUUID {
  /// The sixteen bytes from `position` on; nil where there are fewer.
  init?(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    guard position >= 0, bytes.count - position >= 16 else { return nil }
    self.init(
      head: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
      tail: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)))
  }
}

/// Decimals of 0, 4, 8 or 16 bytes each (Docs/Format/2-nodes-and-values.md §2.7).
struct DecimalLeaf: Sendable {
  private let node: Node

  init(_ node: Node) throws {
    guard !node.hasRefs, node.scheme == .multiply, [0, 4, 8, 16].contains(node.width) else {
      throw StorageError.corrupted(node.ref, .unexpectedNodeKind(expected: "a leaf of decimals"))
    }
    self.node = node
  }

  var count: Int { node.count }

  func value(at index: Int) throws -> Decimal128? {
    try node.requireIndex(index)
    switch node.width {
    case 4: return try widened(UInt32.self, at: index, exponentBits: 8, bias: 101)
    case 8: return try widened(UInt64.self, at: index, exponentBits: 10, bias: 398)
    case 16:
      guard let low = node.value(UInt64.self, atByte: index * 16),
        let high = node.value(UInt64.self, atByte: index * 16 + 8)
      else { return nil }
      let value = Decimal128(low: UInt64(littleEndian: low), high: UInt64(littleEndian: high))
      return value == .null ? nil : value
    default: return node.context ? Decimal128(coefficient: 0, exponent: 0, isNegative: false) : nil
    }
  }

  /// A decimal32 or decimal64; null is their NaN with payload 0xaa.
  private func widened<Word: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: Word.Type, at index: Int, exponentBits: Int, bias: Int
  ) throws -> Decimal128? {
    guard let stored = node.value(type, atByte: index * (Word.bitWidth / 8)) else { return nil }
    let word = UInt64(truncatingIfNeeded: Word(littleEndian: stored))
    let coefficientBits = Word.bitWidth - 1 - exponentBits
    let exponentField = Int(truncatingIfNeeded: word >> UInt64(coefficientBits)) & (1 << exponentBits - 1)
    let coefficient = word & (1 << UInt64(coefficientBits) - 1)
    let isNegative = word >> UInt64(Word.bitWidth - 1) & 1 != 0
    guard exponentField >> (exponentBits - 2) == 3 else {
      return Decimal128(coefficient: coefficient, exponent: exponentField - bias, isNegative: isNegative)
    }
    guard exponentField >> (exponentBits - 5) == 0b11111, coefficient == 0xaa else {
      throw StorageError.corrupted(node.ref, .valueOutOfRange("decimal \(index)"))
    }
    return nil
  }
}

extension Decimal128 {
  /// `±coefficient × 10^exponent`; the exponent is one that narrower forms can hold, and so fits.
  init(coefficient: UInt64, exponent: Int, isNegative: Bool) {
    let biased = UInt64(truncatingIfNeeded: exponent + Self.exponentBias)
    self.init(low: coefficient, high: biased << 49 | (isNegative ? 1 << 63 : 0))
  }
}
