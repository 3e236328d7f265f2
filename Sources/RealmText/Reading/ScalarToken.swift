import RealmStorage

/// A number in digits whose nearest value of its type is infinite.
package struct NumberOutOfRange: Error {
  /// As it was written; shortened if it is long.
  package let number: String
  package let type: PropertyType

  private static let mostShown = 40

  init(_ text: UnsafeRawBufferPointer, _ type: PropertyType) {
    let isCut = text.count > Self.mostShown
    number = String(decoding: text.prefix(Self.mostShown), as: UTF8.self) + (isCut ? "..." : "")
    self.type = type
  }
}

/// A single value as JSON and YAML write it, except null. Its text is lent.
package enum ScalarToken {
  case bool(Bool)
  case number(UnsafeRawBufferPointer)
  case string(UnsafeRawBufferPointer)
}

extension Value {
  /// The value of a type that a text means: numbers in digits, with an exponent or by name, `true` and `1`, dates in
  /// ISO 8601 or days, data in Base64; for `mixed`, a number.
  ///
  /// - Returns: nil if it is not one.
  /// - Throws: `NumberOutOfRange`.
  package init?(text: UnsafeRawBufferPointer, as type: PropertyType) throws(NumberOutOfRange) {
    let value: Value? =
      switch type {
      case .int: Int64(text: text).map(Value.int)
      case .bool: Self.truth(text).map(Value.bool)
      case .float: try Self.real(text, .float, Float.init(bitsOfNaN:)).map(Value.float)
      case .double: try Self.real(text, .double, Double.init(bitPattern:)).map(Value.double)
      case .decimal128: DecimalReading(text: text).flatMap { $0.isRounded ? nil : .decimal($0.decimal) }
      case .string: .string(RealmString(text))
      case .data: Base64.decode(text).map(Value.data)
      case .date: Timestamp(dateOrDay: text).map(Value.date)
      case .objectID: ObjectID(text: text).map(Value.objectID)
      case .uuid: RealmUUID(text: text).map(Value.uuid)
      case .mixed: try Self.number(text)
      case .object, .linkingObjects: nil
      }
    guard let value else { return nil }
    self = value
  }

  /// As `init(text:as:)` of bytes.
  package init?(text: RealmString, as type: PropertyType) throws(NumberOutOfRange) {
    let value = try text.utf8.withUnsafeBufferPointer { bytes throws(NumberOutOfRange) in
      try Value(text: UnsafeRawBufferPointer(bytes), as: type)
    }
    guard let value else { return nil }
    self = value
  }

  /// The value of a type that a token means; for `mixed`, a number is an int without point and exponent, otherwise a
  /// double.
  ///
  /// - Parameter coerces: whether strings may be read as numbers and booleans; names of numbers such as `NaN`, and
  ///   decimals, always may.
  /// - Returns: nil if it is not one.
  /// - Throws: `NumberOutOfRange`.
  package init?(
    _ token: ScalarToken, as type: PropertyType, coerces: Bool = false
  ) throws(NumberOutOfRange) {
    let value: Value?
    switch (token, type) {
    case (.bool(let flag), .bool), (.bool(let flag), .mixed): value = .bool(flag)
    case (.number(let text), .int), (.number(let text), .float), (.number(let text), .double),
      (.number(let text), .decimal128), (.number(let text), .mixed):
      value = try Value(text: text, as: type)
    case (.string(let text), .mixed): value = .string(RealmString(text))
    case (.string(let text), .float), (.string(let text), .double):
      let number = try Value(text: text, as: type)
      value = coerces || number?.isFiniteReal == false ? number : nil
    case (.string, .int) where !coerces, (.string, .bool) where !coerces: value = nil
    case (.string(let text), _): value = try Value(text: text, as: type)
    default: value = nil
    }
    guard let value else { return nil }
    self = value
  }

  // MARK: Parts

  private var isFiniteReal: Bool {
    switch self {
    case .float(let number): number.isFinite
    case .double(let number): number.isFinite
    default: true
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

  /// A number, or a NaN that carries its bits (`NaN(0x7ff8000000000001)`).
  private static func real<Real: BinaryFloatingPoint & ReadableFromText>(
    _ text: UnsafeRawBufferPointer, _ type: PropertyType, _ number: (UInt64) -> Real?
  ) throws(NumberOutOfRange) -> Real? {
    if let number = Real(textInRange: text) { return number }
    guard Real(text: text) == nil else { throw NumberOutOfRange(text, type) }
    let prefix = Array("NaN(0x".utf8)
    guard text.starts(with: prefix), text.last == UInt8(ascii: ")"),
      let bits = UInt64(String(decoding: text.dropFirst(prefix.count).dropLast(), as: UTF8.self), radix: 16)
    else { return nil }
    return number(bits).flatMap { $0.isNaN ? $0 : nil }
  }

  private static func number(_ text: UnsafeRawBufferPointer) throws(NumberOutOfRange) -> Value? {
    if let integer = Int64(text: text) { return .int(integer) }
    // An integer beyond 64 bits is neither.
    guard !text.allSatisfy({ $0.decimalDigitValue != nil || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }) else {
      return nil
    }
    return try Value(text: text, as: .double)
  }
}

extension Float {
  fileprivate init?(bitsOfNaN bits: UInt64) {
    guard let bits = UInt32(exactly: bits) else { return nil }
    self.init(bitPattern: bits)
  }
}

extension Timestamp {
  /// A date as `init(text:)` reads it, or a day alone, which begins at midnight UTC.
  fileprivate init?(dateOrDay text: UnsafeRawBufferPointer) {
    // A time without a zone is ambiguous, and every time has a colon.
    let needsZone = text.contains(UInt8(ascii: ":"))
    self.init(text: text, needsZone: needsZone)
  }
}
