import Foundation
import RealmStorage

/// Encodes one value, or the values of one object by their names.
final class ValueEncoder: Encoder {
  /// Gives the value of a link.
  typealias LinkResolver = (Link) throws -> Value

  /// What containers have put in.
  private enum Part {
    case value(Value)
    case encoder(ValueEncoder)

    var value: Value {
      switch self {
      case .value(let value): value
      case .encoder(let encoder): encoder.value
      }
    }
  }

  private enum Content {
    case nothing
    case single(Value)
    case members([String: Part])
    case elements([Part])
  }

  private let resolver: LinkResolver
  private let path: Path?
  private var content = Content.nothing

  init(_ path: Path? = nil, resolver: @escaping LinkResolver) { (self.path, self.resolver) = (path, resolver) }

  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// What was encoded; null if nothing was.
  var value: Value {
    switch content {
    case .nothing: .null
    case .single(let value): value
    case .members(let members):
      .dictionary([RealmString: Value](members.map { (RealmString($0), $1.value) }) { $1 })
    case .elements(let elements): .list(elements.map(\.value))
    }
  }

  /// The values of an object, by the names of its properties.
  ///
  /// - Throws: `EncodingError`, also for a single value or a list; what `link` throws, and the type's own code.
  static func members<T: Encodable>(of object: T, link: LinkResolver) throws -> [String: Value] {
    try withoutActuallyEscaping(link) { link in
      let encoder = ValueEncoder(resolver: link)
      try object.encode(to: encoder)
      guard case .members(let members) = encoder.content else {
        throw EncodingError.invalidValue(
          object,
          EncodingError.Context(codingPath: [], debugDescription: "An object of a realm has properties with names."))
      }
      return members.mapValues(\.value)
    }
  }

  // MARK: Filling

  func encode(plain value: Value) { content = .single(value) }

  func encode(link: Link) throws { content = .single(try resolver(link)) }

  fileprivate func beginMembers() { if case .members = content {} else { content = .members([:]) } }

  fileprivate func beginElements() { if case .elements = content {} else { content = .elements([]) } }

  fileprivate var elementCount: Int { if case .elements(let elements) = content { elements.count } else { 0 } }

  fileprivate func set(_ value: Value, _ key: any CodingKey) { set(.value(value), key) }

  fileprivate func append(_ value: Value) { append(.value(value)) }

  private func set(_ part: Part, _ key: any CodingKey) {
    guard case .members(var members) = content else { return }
    content = .nothing
    members[key.stringValue] = part
    content = .members(members)
  }

  private func append(_ part: Part) {
    guard case .elements(var elements) = content else { return }
    content = .nothing
    elements.append(part)
    content = .elements(elements)
  }

  fileprivate func child(_ key: any CodingKey) -> ValueEncoder {
    // A second container for a key goes on with the first.
    if case .members(let members) = content, case .encoder(let child)? = members[key.stringValue] { return child }
    let child = ValueEncoder(Path(path, key), resolver: resolver)
    set(.encoder(child), key)
    return child
  }

  fileprivate func nextChild() -> ValueEncoder {
    let child = ValueEncoder(Path(path, IndexCodingKey(elementCount)), resolver: resolver)
    append(.encoder(child))
    return child
  }

  fileprivate func encoded<T: Encodable>(_ value: T, _ key: @autoclosure () -> any CodingKey) throws -> Value {
    if let plain = try plain(value, Path(path, key())) { return plain }
    let child = ValueEncoder(Path(path, key()), resolver: resolver)
    try value.encode(to: child)
    return child.value
  }

  // MARK: Values

  /// The value of a type that a realm knows; nil for a type that encodes itself.
  fileprivate func plain<T>(_ value: T, _ path: Path?) throws -> Value? {
    func invalid(_ reason: String) -> EncodingError {
      .invalidValue(value, EncodingError.Context(codingPath: path.codingPath, debugDescription: reason))
    }
    switch value {
    case let number as Decimal:
      guard let exact = Decimal128(exactly: number) else { throw invalid("It has more than 34 digits.") }
      return .decimal(exact)
    case let date as Date:
      guard let timestamp = Timestamp(date) else { throw invalid("It is not a date.") }
      return .date(timestamp)
    case let number as UInt:
      guard let exact = Int64(exactly: number) else { throw invalid("It has more than 63 bits.") }
      return .int(exact)
    case let number as UInt64:
      guard let exact = Int64(exactly: number) else { throw invalid("It has more than 63 bits.") }
      return .int(exact)
    case let value as any ScalarOfRealm: return value.realmValue
    // Any empty array is one of bytes when it is asked for its value's type.
    case let bytes as [UInt8] where T.self == [UInt8].self: return .data(bytes)
    default: return nil
    }
  }
}

/// Types of which each value is one of a realm, exactly.
private protocol ScalarOfRealm: RealmConvertible {}
extension Bool: ScalarOfRealm {}
extension Int: ScalarOfRealm {}
extension Int8: ScalarOfRealm {}
extension Int16: ScalarOfRealm {}
extension Int32: ScalarOfRealm {}
extension Int64: ScalarOfRealm {}
extension UInt8: ScalarOfRealm {}
extension UInt16: ScalarOfRealm {}
extension UInt32: ScalarOfRealm {}
extension Float: ScalarOfRealm {}
extension Double: ScalarOfRealm {}
extension String: ScalarOfRealm {}
extension RealmString: ScalarOfRealm {}
extension Timestamp: ScalarOfRealm {}
extension Decimal128: ScalarOfRealm {}
extension ObjectID: ScalarOfRealm {}
extension RealmUUID: ScalarOfRealm {}
extension UUID: ScalarOfRealm {}
extension Data: ScalarOfRealm {}
extension URL: ScalarOfRealm {}

extension ValueEncoder: SingleValueEncodingContainer {
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginMembers()
    return KeyedEncodingContainer(MemberEncodingContainer(self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    beginElements()
    return ElementEncodingContainer(self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { content = .single(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    if let plain = try plain(value, path) { content = .single(plain) } else { try value.encode(to: self) }
  }
}

/// The properties of an object, or the entries of a dictionary.
private struct MemberEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoder: ValueEncoder

  init(_ encoder: ValueEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.set(.null, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { encoder.set(try encoder.encoded(value, key), key) }

  /// Nil is null: left out, an existing object would keep its value.
  private func encodeOrNull<T: Encodable>(_ value: T?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // A generic function alone would leave these to the standard library, which skips nil.
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOrNull(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOrNull(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.child(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.child(key).unkeyedContainer() }

  /// A class's properties are those of its superclass as well.
  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.child(key) }
}

/// The elements of a list.
private struct ElementEncodingContainer: UnkeyedEncodingContainer {
  private let encoder: ValueEncoder

  init(_ encoder: ValueEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.elementCount }

  func encodeNil() { encoder.append(.null) }

  func encode<T: Encodable>(_ value: T) throws { encoder.append(try encoder.encoded(value, IndexCodingKey(count))) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.nextChild().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextChild().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder.nextChild() }
}
