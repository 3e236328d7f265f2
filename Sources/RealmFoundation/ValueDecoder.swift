import RealmStorage

/// Decodes one value, or one object.
struct ValueDecoder: Decoder {
  enum Content {
    case value(Value)
    case object(RealmObject)
  }

  let decoding: Decoding
  private let content: Content
  private let path: Path?

  init(_ decoding: Decoding, _ content: Content, _ path: Path?) {
    (self.decoding, self.content, self.path) = (decoding, content, path)
  }

  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch content {
    case .object(let object):
      return KeyedDecodingContainer(
        ObjectDecodingContainer(decoding, decoding.layout(of: object), object, path))
    case .value(.dictionary(let entries)):
      return KeyedDecodingContainer(DictionaryDecodingContainer(decoding, entries, path))
    case .value(let value):
      let object = try decoding.embeddedObject(value, path)
      return KeyedDecodingContainer(
        ObjectDecodingContainer(decoding, decoding.layout(of: object), object, path))
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let value = try plainValue()
    guard let elements = value.elements else {
      throw decoding.mismatch(ValueMismatch(value, expected: [Any].self), path)
    }
    return ListDecodingContainer(decoding, elements, path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  /// - Throws: `DecodingError` for an object.
  func plainValue() throws -> Value {
    guard case .value(let value) = content else {
      throw DecodingError.typeMismatch(
        Value.self, DecodingError.Context(codingPath: codingPath, debugDescription: "It is an object, not a value."))
    }
    return value
  }

  func link<Object>(_ type: Ref<Object>.Type) throws -> Ref<Object> {
    let link = try decoding.link(plainValue(), expected: type, path)
    return Ref(className: link.className, key: link.key, primaryKey: link.primaryKey)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .value(.null) = content { true } else { false } }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard case .value(let value) = content else { return try T(from: self) }
    do {
      if let result = try decoding.converted(value, to: type) { return result }
    } catch { throw decoding.mismatch(error, path) }
    return try decoding.nested(value, type, path)
  }
}

/// The properties of an object.
struct ObjectDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoding: Decoding
  private let layout: ObjectLayout
  private let object: RealmObject
  private let path: Path?

  init(_ decoding: Decoding, _ layout: ObjectLayout, _ object: RealmObject, _ path: Path?) {
    (self.decoding, self.layout, self.object, self.path) = (decoding, layout, object, path)
  }

  var codingPath: [any CodingKey] { path.codingPath }
  var allKeys: [Key] { object.columns.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { layout.position(of: key.stringValue) != nil }

  @inline(__always)
  private func value(_ key: Key, _ type: Any.Type) throws -> Value {
    guard let position = layout.position(of: key.stringValue) else {
      throw decoding.mismatch(layout.absent(key.stringValue, type), Path(path, key))
    }
    return object.values[position]
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key, Any?.self) == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoding.convert(value(key, type), to: type, path, key)
  }

  @inline(__always)
  private func decodeOrNil<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
    guard let position = layout.position(of: key.stringValue) else { return nil }
    let value = object.values[position]
    if case .null = value { return nil }
    return try decoding.convert(value, to: type, path, key)
  }

  // A generic function alone would leave these to the standard library, which looks for the name three times.
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try decodeOrNil(type, key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try decodeOrNil(type, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  /// A class's properties are those of its superclass as well.
  func superDecoder() throws -> any Decoder { ValueDecoder(decoding, .object(object), path) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    ValueDecoder(decoding, .value(try value(key, Any.self)), Path(path, key))
  }
}

/// The entries of a dictionary.
struct DictionaryDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoding: Decoding
  private let entries: [RealmString: Value]
  private let path: Path?

  init(_ decoding: Decoding, _ entries: [RealmString: Value], _ path: Path?) {
    (self.decoding, self.entries, self.path) = (decoding, entries, path)
  }

  var codingPath: [any CodingKey] { path.codingPath }

  /// Those that are text, in their order; one that is not is missed when the entries are counted.
  var allKeys: [Key] {
    entries.keys.sorted().compactMap { name in
      (try? String(realmValue: .string(name))).flatMap { Key(stringValue: $0) }
    }
  }

  func contains(_ key: Key) -> Bool { entries[RealmString(key.stringValue)] != nil }

  private func value(_ key: Key, _ type: Any.Type) throws -> Value {
    guard let value = entries[RealmString(key.stringValue)] else {
      let names = entries.keys.sorted().map(\.description)
      throw decoding.mismatch(
        ValueMismatch(.absent(names: names), expected: type, at: key.stringValue), Path(path, key))
    }
    return value
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key, Any?.self) == .null }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoding.convert(value(key, type), to: type, path, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { ValueDecoder(decoding, .value(.dictionary(entries)), path) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    ValueDecoder(decoding, .value(try value(key, Any.self)), Path(path, key))
  }
}

/// The elements of a list in order, or of a set in the order of the file.
struct ListDecodingContainer: UnkeyedDecodingContainer {
  private let decoding: Decoding
  private let elements: [Value]
  private let path: Path?
  private(set) var currentIndex = 0

  init(_ decoding: Decoding, _ elements: [Value], _ path: Path?) {
    (self.decoding, self.elements, self.path) = (decoding, elements, path)
  }

  var codingPath: [any CodingKey] { path.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private func value(_ type: Any.Type) throws -> Value {
    guard elements.indices.contains(currentIndex) else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [IndexCodingKey(currentIndex)], debugDescription: "There are no more elements."))
    }
    return elements[currentIndex]
  }

  mutating func decodeNil() throws -> Bool {
    guard try value(Any?.self) == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let index = currentIndex
    let result = try decoding.convert(value(type), to: type, path, IndexCodingKey(index))
    currentIndex += 1
    return result
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try nextDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nextDecoder().unkeyedContainer() }

  mutating func superDecoder() throws -> any Decoder { try nextDecoder() }

  private mutating func nextDecoder() throws -> ValueDecoder {
    let decoder = ValueDecoder(decoding, .value(try value(Any.self)), Path(path, IndexCodingKey(currentIndex)))
    currentIndex += 1
    return decoder
  }
}
