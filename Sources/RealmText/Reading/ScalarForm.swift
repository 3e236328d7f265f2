import RealmStorage

/// An object that names the type of a single value: `{"$date":"2024-01-31T12:00:00Z"}`,
/// `{"$binary":{"base64":"AAEC","subType":"00"}}`.
package struct ScalarForm {
  private static let types: [(key: String, type: PropertyType)] = [
    ("$numberLong", .int), ("$numberInt", .int), ("$numberDouble", .double), ("$float", .float),
    ("$numberDecimal", .decimal128), ("$date", .date), ("$binary", .data), ("$oid", .objectID), ("$uuid", .uuid),
  ]

  /// Of what is inside.
  private let type: PropertyType
  private var value: Value?
  private var isUUID = false

  /// Nil if the key of an object is not that of a form.
  package init?(key: UnsafeRawBufferPointer) {
    guard let type = Self.type(ofKey: key) else { return nil }
    self.type = type
  }

  /// The type that the key of an object names; nil if it is not that of a form.
  package static func type(ofKey key: UnsafeRawBufferPointer) -> PropertyType? {
    types.first { key.elementsEqual($0.key.utf8) }?.type
  }

  /// Takes the content: a string or a number, which is in milliseconds for a date.
  ///
  /// - Returns: false if it does not belong there.
  /// - Throws: `NumberOutOfRange`.
  fileprivate mutating func take(_ token: ScalarToken, for wanted: PropertyType) throws(NumberOutOfRange) -> Bool {
    switch (type, token) {
    case (_, .bool), (.data, .number): return false
    case (.date, .number(let text)): takeMilliseconds(text)
    case (_, .number(let text)), (_, .string(let text)):
      // A float is rounded once.
      value = try Value(text: text, as: type == .double && wanted == .float ? .float : type)
    }
    return value != nil
  }

  /// Takes a member of an object inside; as `take(_:for:)`.
  fileprivate mutating func take(_ token: ScalarToken, of key: RealmString) -> Bool {
    switch (type, key, token) {
    case (.date, "$numberLong", .number(let text)), (.date, "$numberLong", .string(let text)): takeMilliseconds(text)
    case (.data, "base64", .string(let text)): value = Base64.decode(text).map(Value.data)
    case (.data, "subType", .string(let text)), (.data, "subtype", .string(let text)):
      isUUID = text.elementsEqual("04".utf8) || text.elementsEqual("4".utf8)
      return true
    default: return false
    }
    return value != nil
  }

  private mutating func takeMilliseconds(_ text: UnsafeRawBufferPointer) {
    value = Int64(text: text).map { .date(Timestamp(milliseconds: $0)) }
  }

  /// What was taken, as a value of a type; nil if it has another type.
  fileprivate func value(as wanted: PropertyType) -> Value? {
    switch (wanted, value) {
    case (_, .data(let bytes)) where isUUID:
      guard bytes.count == 16, wanted == .uuid || wanted == .mixed else { return nil }
      func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      return .uuid(RealmUUID(head: number(0..<8), tail: number(8..<16)))
    case (.mixed, _), (.int, .int), (.double, .double), (.float, .float), (.decimal128, .decimal), (.date, .date),
      (.data, .data), (.objectID, .objectID), (.uuid, .uuid):
      return value
    case (.double, .int(let number)): return Double(exactly: number).map(Value.double)
    case (.float, .int(let number)): return Float(exactly: number).map(Value.float)
    case (.double, .float(let number)): return .double(Double(number))
    case (.decimal128, .int(let number)):
      return DecimalReading(text: "\(number)").map { .decimal($0.decimal) }
    default: return nil
    }
  }
}

extension JSONReader {
  /// The single value that begins with `token`, which was read last, as a value of a type: plain, or in a form.
  ///
  /// - Returns: nil if it is null or not a value of that type; the reader may then be anywhere.
  /// - Throws: `NumberOutOfRange`, `JSONError`.
  package func scalar(_ token: Token, as type: PropertyType, coerces: Bool = false) throws -> Value? {
    // The digits are read already.
    if token == .number, type == .int { return isInteger ? integer.map(Value.int) : nil }
    guard token == .beginObject else { return try lend(token) { try Value($0, as: type, coerces: coerces) } ?? nil }
    return try next() == .key ? scalar(inFormAs: type) : nil
  }

  /// The rest of an object whose first key, which was read last, is that of a form; as `scalar(_:as:)`.
  package func scalar(inFormAs type: PropertyType) throws -> Value? {
    guard var form = withText({ ScalarForm(key: $0) }) else { return nil }
    let token = try next()
    if token == .beginObject {
      while try next() == .key {
        let key = text
        guard try lend(next(), { form.take($0, of: key) }) == true else { return nil }
      }
    } else {
      guard try lend(token, { try form.take($0, for: type) }) == true else { return nil }
    }
    return try next() == .endObject ? form.value(as: type) : nil
  }

  /// Nil for a token that is not a scalar.
  @inline(__always)
  private func lend<Result>(_ token: Token, _ body: (ScalarToken) throws -> Result) throws -> Result? {
    switch token {
    case .bool(let flag): try body(.bool(flag))
    case .number: try withText { try body(.number($0)) }
    case .string: try withText { try body(.string($0)) }
    default: nil
    }
  }
}

extension JSONValue {
  /// This single value, as a value of a type: plain, or in a form.
  ///
  /// - Returns: nil if it is null or not a value of that type.
  /// - Throws: `NumberOutOfRange`.
  package func scalar(as type: PropertyType) throws -> Value? {
    guard let object else { return try lend { try Value($0, as: type) } ?? nil }
    guard object.count == 1, let entry = object.entries.first,
      var form = entry.key.utf8.withUnsafeBytes({ ScalarForm(key: $0) })
    else { return nil }
    if let inner = entry.value.object {
      for member in inner.entries {
        guard try member.value.lend({ form.take($0, of: member.key) }) == true else { return nil }
      }
    } else {
      guard try entry.value.lend({ try form.take($0, for: type) }) == true else { return nil }
    }
    return form.value(as: type)
  }

  private func lend<Result>(_ body: (ScalarToken) throws -> Result) throws -> Result? {
    switch self {
    case .bool(let flag): try body(.bool(flag))
    case .number(let number): try RealmString(number.text).utf8.withUnsafeBytes { try body(.number($0)) }
    case .string(let text): try text.utf8.withUnsafeBytes { try body(.string($0)) }
    case .null, .array, .object: nil
    }
  }
}
