import Foundation
import RealmStorage

/// What all decoders of one call share.
///
/// Of the properties here and in `ObjectLayout`, those that each value needs skip the run-time check for exclusive access: they
/// are read or set as a whole.
final class Decoding {
  let realm: Realm
  /// Levels of embedded objects and collections around the value at hand.
  @exclusivity(unchecked) private var depth = 0
  private var layouts: [TableKey: ObjectLayout] = [:]
  /// The layout of the last object: mostly that of the next.
  @exclusivity(unchecked) private var last: ObjectLayout?
  /// Primary keys by table; nil for a class without one.
  private var primaryKeys: [TableKey: Int?] = [:]

  /// For primary keys, which are no collections, so that its limit means nothing.
  private let walk: CollectionWalk

  /// A decoder uses about a kibibyte of the stack for a level, and threads of apps have 512.
  private static let mostLevels = 100

  init(_ realm: Realm) {
    self.realm = realm
    walk = realm.snapshot.collectionWalk()
  }

  // MARK: Objects

  /// Where the values of an object are.
  func layout(of object: RealmObject) -> ObjectLayout {
    let table = object.table
    let layout: ObjectLayout
    if let last, last.table == table.key {
      layout = last
    } else {
      layout = layouts[table.key] ?? ObjectLayout(table.key, object)
      layouts[table.key] = layout
      last = layout
    }
    layout.begin()
    return layout
  }

  func decode<T: Decodable>(_ type: T.Type, _ object: RealmObject) throws -> T {
    try T(from: ValueDecoder(self, .object(object), Path(nil, ObjectCodingKey(object))))
  }

  /// The names that nothing was decoded from, of the classes of which objects were decoded; those of embedded classes with
  /// the class in front.
  func unread(in table: TableKey) -> [String] {
    layouts.values.flatMap { layout in
      layout.unread.map { layout.table == table ? $0 : "\(layout.className).\($0)" }
    }.sorted()
  }

  /// The object that a value embeds.
  ///
  /// - Throws: `DecodingError` for any other link; `RealmError` if it cannot be read.
  func embeddedObject(_ value: Value, _ path: Path?) throws -> RealmObject {
    guard case .link(let table, let key) = value, let schema = realm.snapshot.table(table)?.schema else {
      throw mismatch(ValueMismatch(value, expected: [String: Any].self), path)
    }
    guard schema.kind == .embedded else {
      throw DecodingError.typeMismatch(
        [String: Any].self,
        DecodingError.Context(
          codingPath: path.codingPath,
          debugDescription: "It is a link to an object of the class '\(schema.displayName)', which a Ref takes."))
    }
    guard let object = try realm.object(linkedBy: value) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: path.codingPath, debugDescription: "There is no object with the key \(key.rawValue)."))
    }
    return object
  }

  /// - Throws: `DecodingError` for a value that is not a link; `RealmError` if the target cannot be read.
  func link(_ value: Value, expected: Any.Type, _ path: Path?) throws -> Link {
    switch value {
    case .link(let tableKey, let key), .typedLink(let tableKey, let key):
      guard let table = realm.snapshot.table(tableKey) else { break }
      let className = "\(table.schema.displayName)"
      let position = primaryKeys[tableKey] ?? table.schema.primaryKeyIndex
      primaryKeys[tableKey] = position
      guard let position, table.schema.properties.indices.contains(position) else {
        return Link(className: className, key: key, primaryKey: nil)
      }
      let primaryKey = try RealmError.wrapping(realm.path) {
        try realm.shared.use { _, _ in
          guard let place = try table.object(key) else { throw table.danglingLink(to: key) }
          return try Value(place.batch.values(ofProperty: position).value(at: place.row), walk)
        }
      }
      return Link(className: className, key: key, primaryKey: primaryKey)
    default: break
    }
    throw mismatch(ValueMismatch(value, expected: expected), path)
  }

  // MARK: Values

  /// A value as a type of Swift.
  ///
  /// - Throws: `DecodingError`; what the type's own code throws; `RealmError` if an embedded object cannot be read.
  @inline(__always)
  func convert<T: Decodable>(
    _ value: Value, to type: T.Type, _ parent: Path?, _ key: @autoclosure () -> any CodingKey
  ) throws -> T {
    do {
      if let result = try converted(value, to: type) { return result }
    } catch { throw mismatch(error, Path(parent, key())) }
    return try nested(value, type, Path(parent, key()))
  }

  /// A value as a type of Swift that a realm knows; nil for a type that decodes itself.
  @inline(__always)
  func converted<T>(_ value: Value, to type: T.Type) throws(ValueMismatch) -> T? {
    // By what is read most. The standard library's conversions of `Any` would take ten times as long.
    if type == String.self { return same(try String(realmValue: value)) }
    if type == Int.self { return same(try Int(realmValue: value)) }
    if type == Bool.self { return same(try Bool(realmValue: value)) }
    if type == Double.self { return same(try Double(realmValue: value)) }
    if type == Date.self { return same(try Date(realmValue: value)) }
    if type == ObjectID.self { return same(try ObjectID(realmValue: value)) }
    if type == RealmUUID.self { return same(try RealmUUID(realmValue: value)) }
    if type == UUID.self { return same(try UUID(realmValue: value)) }
    if type == Data.self { return same(try Data(realmValue: value)) }
    if type == Timestamp.self { return same(try Timestamp(realmValue: value)) }
    return try convertedRarely(value, to: type)
  }

  /// The other types. Apart, because some of them are looked up in tables before the first is compared.
  @inline(never)
  private func convertedRarely<T>(_ value: Value, to type: T.Type) throws(ValueMismatch) -> T? {
    if type == Decimal128.self { return same(try Decimal128(realmValue: value)) }
    if type == Decimal.self { return same(try Decimal(realmValue: value)) }
    if type == Float.self { return same(try Float(realmValue: value)) }
    if type == Int64.self { return same(try Int64(realmValue: value)) }
    if type == Int32.self { return same(try Int32(realmValue: value)) }
    if type == Int16.self { return same(try Int16(realmValue: value)) }
    if type == Int8.self { return same(try Int8(realmValue: value)) }
    if type == UInt.self { return same(try unsigned(value, UInt.self)) }
    if type == UInt64.self { return same(try unsigned(value, UInt64.self)) }
    if type == UInt32.self { return same(try UInt32(realmValue: value)) }
    if type == UInt16.self { return same(try UInt16(realmValue: value)) }
    if type == UInt8.self { return same(try UInt8(realmValue: value)) }
    if type == [UInt8].self { return same(try UInt8.array(of: value)) }
    if type == URL.self { return same(try URL(realmValue: value)) }
    if type == RealmString.self { return same(try RealmString(realmValue: value)) }
    return nil
  }

  /// A value of a type that is known to be the other.
  @inline(__always)
  private func same<A, B>(_ value: A) -> B? {
    withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: B.self).pointee }
  }

  private func unsigned<Number: FixedWidthInteger>(
    _ value: Value, _ type: Number.Type
  ) throws(ValueMismatch) -> Number {
    guard case .int(let number) = value else { throw ValueMismatch(value, expected: type) }
    guard let exact = Number(exactly: number) else { throw ValueMismatch(.outOfRange(value), expected: type) }
    return exact
  }

  func nested<T: Decodable>(_ value: Value, _ type: T.Type, _ path: Path?) throws -> T {
    guard depth < Self.mostLevels else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: path.codingPath, debugDescription: "Values are nested too deeply."))
    }
    depth += 1
    defer { depth -= 1 }
    let decoder = ValueDecoder(self, .value(value), path)
    let elementCount: Int
    switch value {
    case .list(let elements), .set(let elements): elementCount = elements.count
    case .dictionary(let entries): elementCount = entries.count
    default: return try T(from: decoder)
    }
    guard let distinct = type as? any DistinctCollection.Type else { return try T(from: decoder) }
    // A set would lose elements of a list that come twice.
    if case .list = value, distinct.isSet { throw mismatch(ValueMismatch(value, expected: type), path) }
    let result = try T(from: decoder)
    guard (result as? any DistinctCollection)?.count == elementCount else {
      throw mismatch(ValueMismatch(.notDistinct, expected: type), path)
    }
    return result
  }

  func mismatch(_ error: ValueMismatch, _ path: Path?) -> DecodingError {
    let codingPath = path.codingPath
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "\(error).", underlyingError: error)
    return switch error.problem {
    case .absent: codingPath.last.map { .keyNotFound($0, context) } ?? .dataCorrupted(context)
    case .null: .valueNotFound(Any.self, context)
    case .type: .typeMismatch(Any.self, context)
    case .outOfRange, .notText, .notDistinct: .dataCorrupted(context)
    }
  }
}

/// Collections that keep one of several elements that are the same.
private protocol DistinctCollection {
  static var isSet: Bool { get }
  var count: Int { get }
}

extension Set: DistinctCollection {
  fileprivate static var isSet: Bool { true }
}

extension Dictionary: DistinctCollection {
  fileprivate static var isSet: Bool { false }
}

/// The names of a class's properties, and which of them were read.
final class ObjectLayout {
  let table: TableKey
  let className: String
  private let names: [String]
  private let positions: [String: Int]
  private var isRead: [Bool]
  /// The names that were asked for of the last object, in their order: mostly those of the next.
  @exclusivity(unchecked) private var expected: [(name: String, position: Int?)] = []
  @exclusivity(unchecked) private var next = 0

  init(_ table: TableKey, _ object: RealmObject) {
    (self.table, className, names) = (table, object.className, object.columns)
    positions = Dictionary(zip(names, names.indices)) { first, _ in first }
    isRead = names.map { _ in false }
  }

  /// An object comes.
  func begin() { next = 0 }

  /// The position of a property; nil if the class has none of that name.
  @inline(__always)
  func position(of name: String) -> Int? {
    if next < expected.count, expected[next].name.hasBytes(of: name) {
      next += 1
      return expected[next - 1].position
    }
    return find(name)
  }

  @inline(never)
  private func find(_ name: String) -> Int? {
    var position = positions[name]
    if let found = position, !names[found].hasBytes(of: name) {
      position = names.firstIndex { $0.hasBytes(of: name) }
    }
    if let position { isRead[position] = true }
    if next < expected.count { expected[next] = (name, position) } else { expected.append((name, position)) }
    next += 1
    return position
  }

  func absent(_ name: String, _ type: Any.Type) -> ValueMismatch {
    ValueMismatch(.absent(names: names), expected: type, at: name)
  }

  var unread: [String] { zip(names, isRead).filter { !$0.1 }.map(\.0) }
}

/// Where a value is, from the inside out.
final class Path {
  private let parent: Path?
  private let key: any CodingKey

  init(_ parent: Path?, _ key: any CodingKey) { (self.parent, self.key) = (parent, key) }

  var codingPath: [any CodingKey] { parent.codingPath + [key] }
}

extension Path? {
  var codingPath: [any CodingKey] { self?.codingPath ?? [] }
}

/// An object among those of its class. Its text is made only for errors.
struct ObjectCodingKey: CodingKey {
  private let object: RealmObject

  var stringValue: String { "\(object.className) \(object.key.rawValue)" }
  // A number would be shown alone.
  var intValue: Int? { nil }

  init(_ object: RealmObject) { self.object = object }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { nil }
}

/// An element of a list or set.
struct IndexCodingKey: CodingKey {
  let intValue: Int?
  var stringValue: String { "Index \(intValue ?? 0)" }

  init(_ index: Int) { intValue = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }
}
