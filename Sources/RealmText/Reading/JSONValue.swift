import RealmStorage

/// A JSON value as a tree, for schemas, plans and other small texts.
///
/// Large inputs are read with `JSONReader`, which builds no tree, or value by value with `JSONReader.readValue()`.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(RealmString)
  case array([JSONValue])
  case object(JSONObject)

  /// Reads a text that is one value and nothing else.
  public static func parse(
    _ bytes: UnsafeRawBufferPointer, options: JSONReader.Options = JSONReader.Options()
  ) throws(JSONError) -> JSONValue {
    var options = options
    options.isSequence = false
    let reader = JSONReader(bytes, options: options)
    guard let value = try reader.readValue() else { throw reader.unexpectedEnd() }
    // The reader allows nothing after the value.
    _ = try reader.next()
    return value
  }

  /// Reads a text that is one value and nothing else.
  public static func parse(
    _ text: String, options: JSONReader.Options = JSONReader.Options()
  ) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8), options: options)
  }

  /// Reads a text that is one value and nothing else.
  public static func parse(
    _ bytes: [UInt8], options: JSONReader.Options = JSONReader.Options()
  ) throws(JSONError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try parse(UnsafeRawBufferPointer(buffer), options: options)
    }
  }

  /// The string's text, if it is one, invalid UTF-8 replaced by U+FFFD.
  public var string: String? {
    if case .string(let text) = self { text.description } else { nil }
  }

  /// The number, if it is one without point and exponent that fits into 64 bits.
  public var integer: Int64? {
    if case .number(let number) = self { number.integer } else { nil }
  }

  /// The truth value, if it is one.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, if it is an array.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The keys and values, if it is an object.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The value of the key, if this is an object that has it.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// What kind of value this is, in words for messages.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A JSON number with the text it was written as: `1.0` and `1` are different numbers here.
public struct JSONNumber: Hashable, Sendable {
  /// As it was written.
  public let text: String
  /// Whether the number has neither point nor exponent.
  public let isInteger: Bool
  /// The value, if the number is an integer (`isInteger`) that fits.
  public let integer: Int64?

  /// The nearest `Double`.
  public var double: Double { Double(text: text) ?? .nan }
}

extension JSONNumber {
  /// A number as it is written.
  package init(text: String) {
    let isInteger = text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    self.init(text: text, isInteger: isInteger, integer: isInteger ? Int64(text: text) : nil)
  }
}

/// The keys and values of a JSON object, in the order in which they were written.
public struct JSONObject: Hashable, Sendable {
  /// A key with its value.
  public struct Entry: Hashable, Sendable {
    /// Unescaped; different from the other keys of the object.
    public let key: RealmString
    /// The value of the key.
    public let value: JSONValue
  }

  /// In the order in which they were written.
  public private(set) var entries: [Entry] = []
  /// The position of a key; kept for larger objects only.
  private var positions: [RealmString: Int] = [:]

  private static let indexedCount = 16

  /// Without entries.
  public init() {}

  /// The number of entries.
  public var count: Int { entries.count }
  /// Whether there are no entries.
  public var isEmpty: Bool { entries.isEmpty }
  /// The keys, in the order in which they were written.
  public var keys: some Sequence<RealmString> { entries.lazy.map(\.key) }

  /// The value of a key; nil without one.
  public subscript(key: RealmString) -> JSONValue? { position(of: key).map { entries[$0].value } }
  /// The value of a key; nil without one.
  public subscript(key: String) -> JSONValue? { self[RealmString(key)] }

  /// Adds an entry at the end; returns false, and adds nothing, if the key exists.
  @discardableResult public mutating func append(_ key: RealmString, _ value: JSONValue) -> Bool {
    if position(of: key) != nil { return false }
    entries.append(Entry(key: key, value: value))
    if entries.count == Self.indexedCount {
      for (position, entry) in entries.enumerated() { positions[entry.key] = position }
    } else if entries.count > Self.indexedCount {
      positions[key] = entries.count - 1
    }
    return true
  }

  private func position(of key: RealmString) -> Int? {
    entries.count < Self.indexedCount ? entries.firstIndex { $0.key == key } : positions[key]
  }

  // The positions follow from the entries.

  /// Whether both have the same entries in the same order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool { left.entries == right.entries }

  /// Hashes the entries.
  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension JSONReader {
  /// The next value as a tree; nil at the end of the text or of the array that the reader is in.
  ///
  /// A repeated key in an object is an error. In an object, `next()` gives the key, and then this its value.
  public func readValue() throws(JSONError) -> JSONValue? {
    switch try next() {
    case .endObject, .endArray, .end: nil
    case let token: try readValue(beginningWith: token)
    }
  }

  /// The value that begins with `token`, which was the last one to be read.
  public func readValue(beginningWith token: Token) throws(JSONError) -> JSONValue {
    switch token {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .string: return .string(text)
    case .number:
      let digits = withText { String(decoding: $0, as: UTF8.self) }
      return .number(JSONNumber(text: digits, isInteger: isInteger, integer: integer))
    case .beginArray:
      var elements: [JSONValue] = []
      while let element = try readValue() { elements.append(element) }
      return .array(elements)
    case .beginObject: return .object(try readMembers())
    case .key, .endObject, .endArray, .end: throw unexpectedEnd()
    }
  }

  private func readMembers() throws(JSONError) -> JSONObject {
    var object = JSONObject()
    while try next() == .key {
      let key = text
      if object[key] != nil { throw .malformed(.duplicateKey(key.description), at: location) }
      guard let value = try readValue() else { throw unexpectedEnd() }
      object.append(key, value)
    }
    return object
  }

  func unexpectedEnd() -> JSONError { .malformed(.unexpectedEnd(expected: .value), at: location) }
}
