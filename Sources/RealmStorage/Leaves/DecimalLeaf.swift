/// Decimals of 0, 4, 8 or 16 bytes each (Docs/Format/2-nodes-and-values.md §2.7).
package struct DecimalLeaf: Sendable {
  private let node: Node

  package init(_ node: Node) throws {
    guard !node.hasRefs, node.scheme == .multiply, [0, 4, 8, 16].contains(node.width) else {
      throw StorageError.corrupted(node.ref, .unexpectedNodeKind(expected: "a leaf of decimals"))
    }
    self.node = node
  }

  var count: Int { node.count }

  package func value(at index: Int) throws -> Decimal128? {
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
      return Decimal128(coefficient: Unsigned128(coefficient), exponent: exponentField - bias, isNegative: isNegative)
    }
    guard exponentField >> (exponentBits - 5) == 0b11111, coefficient == 0xaa else {
      throw StorageError.corrupted(node.ref, .valueOutOfRange("decimal \(index)"))
    }
    return nil
  }
}

/// Decimals of 0, 4, 8 or 16 bytes each, the narrowest that fits all values of a leaf
/// (Docs/Format/2-nodes-and-values.md §2.7); always 16 before format 24.
final class DecimalLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var values: [Decimal128] = []
  private var hasNull = false
  private var hasZero = false
  /// Bytes that the values other than null and plain zero need.
  private var neededSize = 0

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  var count: Int { values.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .decimal(.null), .null:
      values.append(.null)
      hasNull = true
    case .decimal(let decimal):
      values.append(decimal)
      let size = Self.size(of: decimal)
      if size == 0 { hasZero = true }
      neededSize = max(neededSize, size)
    default: throw BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer {
      values.removeAll(keepingCapacity: true)
      (hasNull, hasZero, neededSize) = (false, false, 0)
    }
    // A leaf without bytes for its values is all null, or, if the context flag is set, all zero.
    var size = neededSize == 0 && hasNull && hasZero ? 4 : neededSize
    if !nodes.format.shortensDecimals { size = values.isEmpty ? 0 : 16 }
    let kind: NodeHeader.Kind = size == 0 && hasZero ? .context : []
    return try nodes.fixed(count: values.count, widthCode: Self.widthCode(ofSize: size), kind) { payload in
      switch size {
      case 4: for (index, value) in values.enumerated() { Self.store32(value, at: index, payload) }
      case 8: for (index, value) in values.enumerated() { Self.store64(value, at: index, payload) }
      case 16: for (index, value) in values.enumerated() { Self.store128(value, at: index, payload) }
      default: break
      }
    }
  }

  private static func widthCode(ofSize size: Int) -> UInt8 {
    switch size {
    case 4: 3
    case 8: 4
    case 16: 5
    default: 0
    }
  }

  /// The bytes that a value needs, 0 for zero with exponent zero.
  ///
  /// A negative zero counts four, so that its sign is not lost in a leaf of zeros.
  private static func size(of decimal: Decimal128) -> Int {
    let steering = decimal.high & 0x6000_0000_0000_0000
    let exponent = Self.exponent(of: decimal)
    guard steering != 0x6000_0000_0000_0000, decimal.high & 0x0001_ffff_ffff_ffff == 0 else { return 16 }
    if decimal.low == 0, exponent == 0, decimal.high >> 63 == 0 { return 0 }
    if decimal.low < 1 << 23, -90...90 ~= exponent { return 4 }
    return decimal.low < 1 << 53 && -369...369 ~= exponent ? 8 : 16
  }

  private static func exponent(of decimal: Decimal128) -> Int {
    Int((decimal.high >> 49) & 0x3fff) - Decimal128.exponentBias
  }

  private static func store32(_ value: Decimal128, at index: Int, _ payload: UnsafeMutableRawBufferPointer) {
    let exponent = UInt32(truncatingIfNeeded: exponent(of: value) &+ 101)
    let sign = UInt32(truncatingIfNeeded: value.high >> 63) << 31
    let word = value == .null ? 0x7c00_00aa : sign | exponent << 23 | UInt32(truncatingIfNeeded: value.low)
    payload.storeBytes(of: word.littleEndian, toByteOffset: index * 4, as: UInt32.self)
  }

  private static func store64(_ value: Decimal128, at index: Int, _ payload: UnsafeMutableRawBufferPointer) {
    let exponent = UInt64(truncatingIfNeeded: exponent(of: value) &+ 398)
    let word = value == .null ? 0x7c00_0000_0000_00aa : (value.high >> 63) << 63 | exponent << 53 | value.low
    payload.storeBytes(of: word.littleEndian, toByteOffset: index * 8, as: UInt64.self)
  }

  private static func store128(_ value: Decimal128, at index: Int, _ payload: UnsafeMutableRawBufferPointer) {
    payload.storeBytes(of: value.low.littleEndian, toByteOffset: index * 16, as: UInt64.self)
    payload.storeBytes(of: value.high.littleEndian, toByteOffset: index * 16 + 8, as: UInt64.self)
  }
}
