/// One value of a realm, owned: it outlives the snapshot it came from. Collections are copied with everything in them.
/// `ValueView` is the borrowed form.
public enum Value: Hashable, Sendable {
  /// No value.
  case null
  /// A whole number.
  case int(Int64)
  /// True or false.
  case bool(Bool)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// Text.
  case string(RealmString)
  /// Bytes.
  case data([UInt8])
  /// A point in time.
  case date(Timestamp)
  /// A decimal number.
  case decimal(Decimal128)
  /// An identifier of 12 bytes.
  case objectID(ObjectID)
  /// An identifier of 16 bytes.
  case uuid(RealmUUID)
  /// A link through a link property.
  case link(TableKey, ObjectKey)
  /// A link inside a Mixed value, which names its table itself.
  case typedLink(TableKey, ObjectKey)
  /// Elements in their order.
  case list([Value])
  /// Each element once, in any order.
  case set([Value])
  /// Entries by their keys.
  case dictionary([RealmString: Value])
}

extension Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .string(RealmString(value)) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

// Null has no literal: with one, `isKnown ? value : nil` would be a null instead of no value.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral {
  /// A `bool`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A `double`; a `float` is written as `.float(1.5)`.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// A list; a set is written as `.set([…])`.
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  /// A dictionary; of entries with the same key the last.
  public init(dictionaryLiteral entries: (RealmString, Value)...) {
    self = .dictionary(Dictionary(entries, uniquingKeysWith: { $1 }))
  }
}

/// What is in a value, nil if it is of another type; named as the SDKs name them.
extension Value {
  /// The value of an `int`.
  public var intValue: Int64? { if case .int(let value) = self { value } else { nil } }
  /// The value of a `bool`.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The value of a `float`.
  public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
  /// The value of a `double`.
  public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
  /// Invalid UTF-8 replaced by U+FFFD; `case .string` has the bytes.
  public var stringValue: String? { if case .string(let value) = self { value.description } else { nil } }
  /// The bytes of a `data`.
  public var dataValue: [UInt8]? { if case .data(let value) = self { value } else { nil } }
  /// The point in time of a `date`.
  public var dateValue: Timestamp? { if case .date(let value) = self { value } else { nil } }
  /// The value of a `decimal`.
  public var decimal128Value: Decimal128? { if case .decimal(let value) = self { value } else { nil } }
  /// The value of an `objectID`.
  public var objectIDValue: ObjectID? { if case .objectID(let value) = self { value } else { nil } }
  /// The value of a `uuid`.
  public var uuidValue: RealmUUID? { if case .uuid(let value) = self { value } else { nil } }
  /// The elements of a list or set.
  public var elements: [Value]? {
    switch self {
    case .list(let elements), .set(let elements): elements
    default: nil
    }
  }
  /// The entries of a dictionary.
  public var entries: [RealmString: Value]? { if case .dictionary(let value) = self { value } else { nil } }
}

extension Value {

  /// Calls `visit` with each link in the value, at any depth, always in the same order.
  func forEachLink(_ visit: (TableKey, ObjectKey) throws -> Void) rethrows {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key): try visit(table, key)
    case .list(let elements), .set(let elements): for element in elements { try element.forEachLink(visit) }
    case .dictionary(let entries):
      let withLinks = entries.filter(\.value.hasLinks).sorted { $0.key < $1.key }
      for entry in withLinks { try entry.value.forEachLink(visit) }
    default: return
    }
  }

  var hasLinks: Bool {
    switch self {
    case .link, .typedLink: true
    case .list(let elements), .set(let elements): elements.contains(where: \.hasLinks)
    case .dictionary(let entries): entries.values.contains(where: \.hasLinks)
    default: false
    }
  }

  /// The value without some of its links, as it is when their targets disappear (Docs/Format/3-tables-and-objects.md §5.5): an
  /// entry of a list or set goes, anything else becomes null.
  ///
  /// - Parameters:
  ///   - isGone: whether the target of a link disappears.
  ///   - count: how many links go is added to it.
  func removingLinks(_ isGone: (TableKey, ObjectKey) -> Bool, _ count: inout Int) -> Value {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key):
      guard isGone(table, key) else { return self }
      count += 1
      return .null
    case .list(let elements): return .list(Self.removingLinks(from: elements, isGone, &count))
    case .set(let elements): return .set(Self.removingLinks(from: elements, isGone, &count))
    case .dictionary(let entries): return .dictionary(entries.mapValues { $0.removingLinks(isGone, &count) })
    default: return self
    }
  }

  private static func removingLinks(
    from elements: [Value], _ isGone: (TableKey, ObjectKey) -> Bool, _ count: inout Int
  ) -> [Value] {
    elements.compactMap { element in
      let rest = element.removingLinks(isGone, &count)
      return rest == .null && element != .null ? nil : rest
    }
  }
}
