/// A type whose values a realm stores, each as a value of one type of the file.
///
/// ```swift
/// let age = try dog.get("age", as: Int.self)
/// let name = try dog.get("name", as: String?.self)
/// ```
///
/// Nothing is converted that could lose something: an `int` is no `Double`, and a `float` neither. An enumeration whose raw
/// values are stored needs no code: `extension Size: RealmConvertible {}`.
public protocol RealmConvertible {
  /// The value as it is in a realm.
  ///
  /// - Throws: `ValueMismatch` if it is null, of another type, or not a value of this type.
  init(realmValue: Value) throws

  /// What is stored in a realm.
  var realmValue: Value { get }

  /// An array of this type; a list or set unless the type has its own form, as bytes have.
  ///
  /// - Throws: `ValueMismatch`.
  static func array(of realmValue: Value) throws -> [Self]

  /// What is stored for an array of this type.
  static func realmValue(of array: [Self]) -> Value
}

extension RealmConvertible {
  /// The elements of a list in order, or those of a set in the order of the file.
  ///
  /// - Throws: `ValueMismatch` of the first element that is wrong, or if it is not a list or set.
  public static func array(of realmValue: Value) throws -> [Self] {
    guard let elements = realmValue.elements else { throw ValueMismatch(realmValue, expected: [Self].self) }
    return try Self.converted(elements)
  }

  /// A list.
  public static func realmValue(of array: [Self]) -> Value { .list(array.map(\.realmValue)) }

  fileprivate static func converted(_ elements: [Value]) throws -> [Self] {
    var result: [Self] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      do { result.append(try Self(realmValue: element)) } catch let error as ValueMismatch {
        throw error.inside("[\(result.count)]")
      }
    }
    return result
  }
}

/// Integers are stored in 64 bits, whatever their type is.
extension RealmConvertible where Self: FixedWidthInteger {
  /// - Throws: `ValueMismatch` if it is not an `int`, or beyond the range of the type.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .int(let number) = realmValue else { throw ValueMismatch(realmValue, expected: Self.self) }
    guard let exact = Self(exactly: number) else {
      throw ValueMismatch(.outOfRange(realmValue), expected: Self.self)
    }
    self = exact
  }

  /// An `int`.
  public var realmValue: Value { .int(Int64(truncatingIfNeeded: self)) }
}

// Not `UInt` and `UInt64`, which have numbers that no realm stores.
extension Int: RealmConvertible {}
extension Int8: RealmConvertible {}
extension Int16: RealmConvertible {}
extension Int32: RealmConvertible {}
extension Int64: RealmConvertible {}
extension UInt16: RealmConvertible {}
extension UInt32: RealmConvertible {}

/// Alone an `int`, in an array a byte of `data`.
extension UInt8: RealmConvertible {
  /// The bytes of a `data`, or the numbers of a list or set.
  ///
  /// - Throws: `ValueMismatch` if it is neither, or a number is beyond the range.
  public static func array(of realmValue: Value) throws(ValueMismatch) -> [UInt8] {
    switch realmValue {
    case .data(let bytes): return bytes
    case .list(let elements), .set(let elements):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(elements.count)
      for element in elements {
        do { bytes.append(try UInt8(realmValue: element)) } catch { throw error.inside("[\(bytes.count)]") }
      }
      return bytes
    default: throw ValueMismatch(realmValue, expected: [UInt8].self)
    }
  }

  /// A `data`.
  public static func realmValue(of array: [UInt8]) -> Value { .data(array) }
}

extension Bool: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `bool`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .bool(let value) = realmValue else { throw ValueMismatch(realmValue, expected: Bool.self) }
    self = value
  }

  /// A `bool`.
  public var realmValue: Value { .bool(self) }
}

extension Float: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `float`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .float(let value) = realmValue else { throw ValueMismatch(realmValue, expected: Float.self) }
    self = value
  }

  /// A `float`.
  public var realmValue: Value { .float(self) }
}

extension Double: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `double`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .double(let value) = realmValue else { throw ValueMismatch(realmValue, expected: Double.self) }
    self = value
  }

  /// A `double`.
  public var realmValue: Value { .double(self) }
}

extension String: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `string`, or its bytes are not UTF-8.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .string(let value) = realmValue else { throw ValueMismatch(realmValue, expected: String.self) }
    guard let text = String(utf8: value.utf8) else { throw ValueMismatch(.notText, expected: String.self) }
    self = text
  }

  /// A `string`.
  public var realmValue: Value { .string(RealmString(self)) }
}

extension RealmString: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `string`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .string(let value) = realmValue else { throw ValueMismatch(realmValue, expected: RealmString.self) }
    self = value
  }

  /// A `string`.
  public var realmValue: Value { .string(self) }
}

extension Timestamp: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `date`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .date(let value) = realmValue else { throw ValueMismatch(realmValue, expected: Timestamp.self) }
    self = value
  }

  /// A `date`.
  public var realmValue: Value { .date(self) }
}

extension Decimal128: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `decimal128`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .decimal(let value) = realmValue else { throw ValueMismatch(realmValue, expected: Decimal128.self) }
    self = value
  }

  /// A `decimal128`.
  public var realmValue: Value { .decimal(self) }
}

extension ObjectID: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not an `objectId`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .objectID(let value) = realmValue else { throw ValueMismatch(realmValue, expected: ObjectID.self) }
    self = value
  }

  /// An `objectId`.
  public var realmValue: Value { .objectID(self) }
}

extension RealmUUID: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a `uuid`.
  public init(realmValue: Value) throws(ValueMismatch) {
    guard case .uuid(let value) = realmValue else { throw ValueMismatch(realmValue, expected: RealmUUID.self) }
    self = value
  }

  /// A `uuid`.
  public var realmValue: Value { .uuid(self) }
}

extension Value: RealmConvertible {
  /// The value itself.
  public init(realmValue: Value) { self = realmValue }

  /// The value itself.
  public var realmValue: Value { self }
}

extension RealmConvertible where Self: RawRepresentable, RawValue: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a raw value of the type.
  public init(realmValue: Value) throws {
    let value: RawValue
    do { value = try RawValue(realmValue: realmValue) } catch let error as ValueMismatch {
      throw ValueMismatch(error.problem, expected: Self.self, at: error.place)
    }
    guard let known = Self(rawValue: value) else { throw ValueMismatch(.outOfRange(realmValue), expected: Self.self) }
    self = known
  }

  /// The raw value.
  public var realmValue: Value { rawValue.realmValue }
}

/// Nil is null.
extension Optional: RealmConvertible where Wrapped: RealmConvertible {
  /// - Throws: what the wrapped type throws, except for null.
  public init(realmValue: Value) throws {
    self = realmValue == .null ? nil : try Wrapped(realmValue: realmValue)
  }

  /// Null for nil.
  public var realmValue: Value { map(\.realmValue) ?? .null }
}

/// A list or a set; of bytes a `data`.
extension Array: RealmConvertible where Element: RealmConvertible {
  /// - Throws: what the elements throw, with their places.
  public init(realmValue: Value) throws { self = try Element.array(of: realmValue) }

  /// A list; of bytes a `data`.
  public var realmValue: Value { Element.realmValue(of: self) }
}

/// A set.
extension Set: RealmConvertible where Element: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a set, or two elements are the same in Swift; what the elements throw.
  public init(realmValue: Value) throws {
    guard case .set(let elements) = realmValue else { throw ValueMismatch(realmValue, expected: Self.self) }
    self = Set(try Element.converted(elements))
    guard count == elements.count else { throw ValueMismatch(.notDistinct, expected: Self.self) }
  }

  /// A set.
  public var realmValue: Value { .set(map(\.realmValue)) }
}

/// A dictionary.
extension Dictionary: RealmConvertible where Key == String, Value: RealmConvertible {
  /// - Throws: `ValueMismatch` if it is not a dictionary, or two keys are the same in Swift; what the values throw.
  public init(realmValue: RealmStorage.Value) throws {
    guard case .dictionary(let entries) = realmValue else { throw ValueMismatch(realmValue, expected: Self.self) }
    self.init(minimumCapacity: entries.count)
    for (key, value) in entries {
      guard let name = String(utf8: key.utf8) else { throw ValueMismatch(.notText, expected: Self.self) }
      do { self[name] = try Value(realmValue: value) } catch let error as ValueMismatch {
        throw error.inside("[\"\(name)\"]")
      }
    }
    guard count == entries.count else { throw ValueMismatch(.notDistinct, expected: Self.self) }
  }

  /// A dictionary.
  public var realmValue: RealmStorage.Value {
    .dictionary([RealmString: RealmStorage.Value](uniqueKeysWithValues: map { (RealmString($0), $1.realmValue) }))
  }
}
