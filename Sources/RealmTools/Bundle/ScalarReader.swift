import RealmStorage
import RealmText

/// Reads single values in all the forms that `export` writes them and that the rules of input allow.
struct ScalarReader {
  let reader: JSONReader
  let coerces: Bool

  /// The value that begins with `token`, as one of a type.
  ///
  /// - Parameter values: takes bytes in.
  /// - Returns: nil where it is not a value of that type. The reader stands anywhere then.
  @inline(__always)
  func read(
    _ token: JSONReader.Token, as type: PropertyType, into values: StagedValues, limit: Int
  ) throws -> StagedCell? {
    switch (token, type) {
    case (.string, .string): return try text(into: values, limit: limit)
    case (.number, .int): return reader.isInteger ? reader.integer.map(StagedCell.int) : nil
    case (.number, .double): return try doubleNumber()
    case (.bool(let flag), .bool): return .bool(flag)
    case (.number, .float): return try floatNumber()
    case (.string, .date): return reader.withText { Timestamp(text: $0) }.map(StagedCell.date)
    case (.string, .objectID): return reader.withText { ObjectID(text: $0) }.map(StagedCell.objectID)
    case (.string, .uuid): return reader.withText { RealmUUID(text: $0) }.map(StagedCell.uuid)
    case (.string, .data): return try base64(into: values, limit: limit)
    case (.number, .decimal128), (.string, .decimal128): return decimal()
    case (.string, .double), (.string, .float), (.string, .int), (.string, .bool): return try coerced(type)
    case (.beginObject, _):
      guard case .key = try reader.next() else { return nil }
      return try wrapped(as: type, into: values, limit: limit)
    default: return nil
    }
  }

  func doubleNumber() throws -> StagedCell { .double(try finite(reader.double, "double")) }
  private func floatNumber() throws -> StagedCell { .float(try finite(reader.float, "float")) }

  /// - Throws: `NumberOutOfRange` for digits that only infinity would be near to.
  private func finite<Number: BinaryFloatingPoint>(_ number: Number, _ type: String) throws -> Number {
    guard number.isFinite || !isInDigits else { throw NumberOutOfRange(reader, type) }
    return number
  }

  /// Whether the text that was read last is a number in digits, and no name such as `Infinity`.
  private var isInDigits: Bool {
    reader.withText { text in
      let first = text.first { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
      return first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") } ?? false
    }
  }

  func text(into values: StagedValues, limit: Int) throws -> StagedCell {
    try reader.withText { bytes in
      guard bytes.count <= limit else { throw BuildError.valueTooLong(byteCount: bytes.count, limit: limit) }
      return values.text(bytes)
    }
  }

  private func base64(into values: StagedValues, limit: Int) throws -> StagedCell? {
    guard let bytes = reader.withText({ Base64.decode($0) }) else { return nil }
    guard bytes.count <= limit else { throw BuildError.valueTooLong(byteCount: bytes.count, limit: limit) }
    return bytes.withUnsafeBytes { values.text($0, kind: .data) }
  }

  /// A decimal that is read without rounding.
  private func decimal() -> StagedCell? {
    guard let reading = reader.withText({ DecimalReading(text: $0) }), !reading.isRounded else { return nil }
    return .decimal(reading.decimal)
  }

  /// A text as a number or boolean: names of numbers that JSON has not always, others only where that is wanted.
  private func coerced(_ type: PropertyType) throws -> StagedCell? {
    switch type {
    case .double: return try double().flatMap { coerces || !$0.isFinite ? try namedDouble() : nil }
    case .float: return try float().flatMap { coerces || !$0.isFinite ? try namedFloat() : nil }
    case .int: return coerces ? reader.withText { Int64(text: $0) }.map(StagedCell.int) : nil
    case .bool: return coerces ? reader.withText { Self.truth($0) }.map(StagedCell.bool) : nil
    default: return nil
    }
  }

  /// A boolean as people write it: `true`, `false`, `1` or `0`, in upper or lower case, with white space around it.
  private static func truth(_ text: UnsafeRawBufferPointer) -> Bool? {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0d).contains(byte) }
    let trimmed = text.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    guard trimmed.count <= 5 else { return nil }
    return switch String(decoding: trimmed, as: UTF8.self).lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// The number in the text that was read last; a NaN may carry its bits (`NaN(0x7ff8000000000001)`).
  private func double() -> Double? {
    reader.withText { Double(text: $0) ?? bits(of: $0).map { Double(bitPattern: $0) }.flatMap { $0.isNaN ? $0 : nil } }
  }

  private func namedDouble() throws -> StagedCell? { try double().map { .double(try finite($0, "double")) } }
  private func namedFloat() throws -> StagedCell? { try float().map { .float(try finite($0, "float")) } }

  private func float() -> Float? {
    reader.withText { text in
      Float(text: text)
        ?? bits(of: text).flatMap { UInt32(exactly: $0) }.map { Float(bitPattern: $0) }.flatMap { $0.isNaN ? $0 : nil }
    }
  }

  private func bits(of text: UnsafeRawBufferPointer) -> UInt64? {
    let prefix = Array("NaN(0x".utf8)
    guard text.starts(with: prefix), text.last == UInt8(ascii: ")") else { return nil }
    return UInt64(String(decoding: text.dropFirst(prefix.count).dropLast(), as: UTF8.self), radix: 16)
  }

  // MARK: Wrappers

  /// The keys of all of them.
  static let wrappers: [StaticString] = [
    "$numberLong", "$numberInt", "$numberDouble", "$float", "$numberDecimal", "$date", "$binary", "$oid", "$uuid",
  ]

  /// The rest of an object whose first key, which was read last, says what it wraps.
  ///
  /// - Parameter type: what is wanted; `mixed` for whatever it is.
  func wrapped(as type: PropertyType, into values: StagedValues, limit: Int) throws -> StagedCell? {
    let cell: StagedCell?
    if reader.textEquals("$numberLong") || reader.textEquals("$numberInt") {
      cell = try number(as: type) { reader.withText { Int64(text: $0) }.map(StagedCell.int) }
    } else if reader.textEquals("$numberDouble") {
      cell = try number(as: type) { try type == .float ? namedFloat() : namedDouble() }
    } else if reader.textEquals("$float") {
      cell = try number(as: type, namedFloat)
    } else if reader.textEquals("$numberDecimal") {
      cell = try number(as: type, decimal)
    } else {
      cell = try wrappedOther(into: values, limit: limit)
    }
    guard let cell, case .endObject = try reader.next() else { return nil }
    return Self.converted(cell, to: type)
  }

  private func number(as type: PropertyType, _ read: () throws -> StagedCell?) throws -> StagedCell? {
    switch try reader.next() {
    case .string, .number: try read()
    default: nil
    }
  }

  private func wrappedOther(into values: StagedValues, limit: Int) throws -> StagedCell? {
    if reader.textEquals("$date") { return try date() }
    if reader.textEquals("$binary") { return try binary(into: values, limit: limit) }
    let isObjectID = reader.textEquals("$oid")
    guard isObjectID || reader.textEquals("$uuid"), case .string = try reader.next() else { return nil }
    return reader.withText {
      isObjectID ? ObjectID(text: $0).map(StagedCell.objectID) : RealmUUID(text: $0).map(StagedCell.uuid)
    }
  }

  /// Milliseconds, `{"$numberLong": "milliseconds"}`, or a date in words.
  private func date() throws -> StagedCell? {
    switch try reader.next() {
    case .number: return reader.integer.map { .date(Timestamp(milliseconds: $0)) }
    case .string: return reader.withText { Timestamp(text: $0) }.map(StagedCell.date)
    case .beginObject:
      guard case .key = try reader.next(), reader.textEquals("$numberLong") else { return nil }
      guard case .string = try reader.next(), let milliseconds = reader.withText({ Int64(text: $0) }),
        case .endObject = try reader.next()
      else { return nil }
      return .date(Timestamp(milliseconds: milliseconds))
    default: return nil
    }
  }

  /// `{"base64": …, "subType": "04"}`: data, or a UUID where the subtype is 04.
  private func binary(into values: StagedValues, limit: Int) throws -> StagedCell? {
    guard case .beginObject = try reader.next() else { return nil }
    var bytes: [UInt8]?
    var isUUID = false
    while case .key = try reader.next() {
      let isBase64 = reader.textEquals("base64")
      let isSubtype = reader.textEquals("subType") || reader.textEquals("subtype")
      guard isBase64 || isSubtype, case .string = try reader.next() else { return nil }
      if isBase64 { bytes = reader.withText { Base64.decode($0) } } else { isUUID = reader.textEquals("04") }
    }
    guard let bytes else { return nil }
    guard bytes.count <= limit else { throw BuildError.valueTooLong(byteCount: bytes.count, limit: limit) }
    return bytes.withUnsafeBytes { bytes in
      guard isUUID else { return values.text(bytes, kind: .data) }
      guard bytes.count == 16 else { return nil }
      return .uuid(
        RealmUUID(
          head: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
          tail: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))))
    }
  }

  /// A value that came with its type, as one of the type that is wanted; nil where that is another.
  private static func converted(_ cell: StagedCell, to type: PropertyType) -> StagedCell? {
    switch (type, cell.kind) {
    case (.mixed, _), (.int, .int), (.double, .double), (.float, .float), (.decimal128, .decimal), (.date, .date),
      (.data, .data), (.objectID, .objectID), (.uuid, .uuid):
      return cell
    case (.double, .int):
      let number = Int64(bitPattern: cell.first)
      return Double(exactly: number).map(StagedCell.double)
    case (.float, .int): return Float(exactly: Int64(bitPattern: cell.first)).map(StagedCell.float)
    case (.double, .float): return .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: cell.first))))
    case (.decimal128, .int):
      let number = Int64(bitPattern: cell.first)
      let sign: UInt64 = number < 0 ? 1 << 63 : 0
      return .decimal(Decimal128(low: number.magnitude, high: 0x3040_0000_0000_0000 | sign))
    default: return nil
    }
  }
}

/// A number whose nearest value of a type would be infinite.
struct NumberOutOfRange: Error {
  let number: String
  let type: String

  /// The number that was read last; a long one is cut.
  init(_ reader: JSONReader, _ type: String) {
    number = reader.withText { String(decoding: $0.prefix(40), as: UTF8.self) + ($0.count > 40 ? "..." : "") }
    self.type = type
  }
}
