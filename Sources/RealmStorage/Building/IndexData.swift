/// The bytes by which a value is found in a search index (Docs/Format/3-tables-and-objects.md §6.2).
enum IndexData {
  /// Calls `body` with the bytes of a value, nil for null; they are gone afterwards.
  ///
  /// - Throws: `BuildError.wrongType` for a value that no index holds.
  static func withBytes<Result>(
    of value: ValueView, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    switch value {
    case .null: return try body(nil)
    case .int(let number): return try withNumber(number, body)
    case .bool(let flag): return try withNumber(flag ? 1 : 0, body)
    case .float(let number):
      // A number that 32 bits hold exactly counts as an integer.
      if let whole = Int32(exactly: number) { return try withNumber(Int64(whole), body) }
      return try withUnsafeBytes(of: number.bitPattern.littleEndian, body)
    case .double(let number):
      if let whole = Int32(exactly: number) { return try withNumber(Int64(whole), body) }
      return try withUnsafeBytes(of: number.bitPattern.littleEndian, body)
    case .decimal(let number): return try withDecimal(number, body)
    case .string(let text), .data(let text): return try withBlob(text, body)
    case .date(let date):
      return try withUnsafeBytes(of: (date.seconds.littleEndian, date.nanoseconds.littleEndian)) {
        try body(UnsafeRawBufferPointer(rebasing: $0.prefix(12)))
      }
    case .objectID(let id):
      return try withUnsafeBytes(of: (id.head.bigEndian, id.tail.bigEndian)) {
        try body(UnsafeRawBufferPointer(rebasing: $0.prefix(12)))
      }
    case .uuid(let uuid): return try withUnsafeBytes(of: (uuid.head.bigEndian, uuid.tail.bigEndian), body)
    case .typedLink(let table, let key): return try withLink(table, key, body)
    case .list: return try withLiteral("__List__", body)
    case .dictionary: return try withLiteral("__Dictionary__", body)
    case .link, .set: throw BuildError.wrongType
    }
  }

  private static func withNumber<Result>(
    _ number: Int64, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    try withUnsafeBytes(of: number.littleEndian, body)
  }

  private static func withLiteral<Result>(
    _ text: StaticString, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private static func withBlob<Result>(
    _ blob: BlobView, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    if let bytes = blob.contiguous { return try body(bytes) }
    return try blob.copied().withUnsafeBytes(body)
  }

  /// A link to a tombstone reads as null.
  private static func withLink<Result>(
    _ table: TableKey, _ key: ObjectKey, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    guard key.rawValue >= 0 else { return try body(nil) }
    var bytes: [UInt8] = []
    withUnsafeBytes(of: table.rawValue.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: key.rawValue.littleEndian) { bytes.append(contentsOf: $0) }
    return try bytes.withUnsafeBytes(body)
  }

  /// A finite decimal whose whole part fits counts as that integer, its fraction cut off.
  private static func withDecimal<Result>(
    _ decimal: Decimal128, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    if let whole = wholePart(of: decimal) { return try withNumber(whole, body) }
    return try withUnsafeBytes(of: (decimal.low.littleEndian, decimal.high.littleEndian), body)
  }

  private static func wholePart(of decimal: Decimal128) -> Int64? {
    guard case .finite(let isNegative, let coefficient, let exponent) = decimal.classified else { return nil }
    guard coefficient > 0 else { return 0 }
    var magnitude = coefficient
    if exponent < 0 {
      // 34 digits at most: whatever is cut off beyond leaves zero.
      magnitude = exponent < -34 ? 0 : coefficient / DecimalOrder.power(of10: -exponent)
    } else {
      guard exponent <= 19 else { return nil }
      let (product, overflow) = coefficient.multipliedReportingOverflow(by: DecimalOrder.power(of10: exponent))
      guard !overflow else { return nil }
      magnitude = product
    }
    let limit = UInt128(Int64.max) + (isNegative ? 1 : 0)
    guard magnitude <= limit else { return nil }
    let number = UInt64(truncatingIfNeeded: magnitude)
    return isNegative ? Int64(truncatingIfNeeded: 0 &- number) : Int64(truncatingIfNeeded: number)
  }

  /// Bytes that one level of an index looks at.
  static let chunkSize = 4
  /// Levels begin at offsets 0, 4 … 200; what agrees beyond lies in one list (§6.5).
  static let lastOffset = 200

  /// The part of index data at an offset, as the number by which a level is sorted (§6.3).
  @inline(__always)
  static func chunk(of data: UnsafeRawBufferPointer?, at offset: Int) -> Int32 {
    guard let data, offset <= data.count else { return 0 }
    let rest = data.count - offset
    if rest >= chunkSize {
      return Int32(bigEndian: data.loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }
    var word: UInt32 = 0
    for index in 0..<chunkSize {
      let byte = index < rest ? data[offset + index] : index == rest ? UInt8(ascii: "X") : 0
      word = word << 8 | UInt32(byte)
    }
    return Int32(bitPattern: word)
  }
}
