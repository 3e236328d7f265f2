import RealmStorage
import RealmSystem
import RealmText

/// The values of an export to CSV that `import` would read as something else: CSV has no types, so those of Mixed
/// values are lost.
package final class ChangedValues: Sendable {
  /// The values of one property.
  package struct Entry: Hashable, Sendable {
    package let className: RealmString
    package let property: RealmString
    package fileprivate(set) var count: Int
    /// The lowest key of an object that has one.
    package fileprivate(set) var first: ObjectKey
  }

  private let found = Locked<[PropertyPath: Entry]>([:])

  package init() {}

  /// The values found so far, by class and property.
  package var entries: [Entry] {
    found.withLock { Array($0.values) }.sorted { ($0.className, $0.property) < ($1.className, $1.property) }
  }

  func add(_ className: RealmString, _ property: RealmString, _ key: ObjectKey, count: Int = 1) {
    found.withLock { found in
      let path = PropertyPath(className: className, property: property)
      var entry = found[path] ?? Entry(className: className, property: property, count: 0, first: key)
      entry.count += count
      entry.first = min(entry.first, key)
      found[path] = entry
    }
  }
}

/// Finds out which values `import` would read back correctly from JSON in CSV cells. Used by one thread.
final class CSVRoundTrip {
  private let snapshot: Snapshot
  private let walk: CollectionWalk
  private let resolver = LinkResolver()
  private var depth = 0

  /// The kind of place that a value is in.
  enum Place {
    /// A type is declared for it.
    case typed
    /// Inside the JSON of a Mixed value.
    case mixed

    init(of property: Property) { self = property.type == .mixed ? .mixed : .typed }
  }

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    walk = snapshot.collectionWalk()
  }

  func forgetPlaces() { resolver.forgetAll() }

  /// Whether a text in a cell of a Mixed property is read as something else: a number, a boolean, or JSON.
  static func isTakenForMixed(_ text: UnsafeRawBufferPointer) -> Bool {
    DelimitedFields.isMixedJSON(text)
  }

  /// Whether a text that names the target of a link is read as something else.
  static func isTakenForLink(_ text: UnsafeRawBufferPointer) -> Bool {
    text.first == UInt8(ascii: "{") && DelimitedFields.isJSON(text)
  }

  // MARK: Properties

  /// Whether values of a property must be examined, other than for strings that are not UTF-8.
  func isDoubtful(_ property: Property) -> Bool {
    var seen: Set<RealmString> = []
    return isDoubtful(property, &seen)
  }

  private func isDoubtful(_ property: Property, _ seen: inout Set<RealmString>) -> Bool {
    switch property.type {
    case .mixed, .float, .double: return true
    case _ where property.collection == .dictionary: return true
    case .object:
      guard let name = property.target, seen.insert(name).inserted, let target = snapshot.schema.tableNamed(name),
        target.kind == .embedded
      else { return false }
      return target.properties.contains { isDoubtful($0, &seen) }
    default: return false
    }
  }

  // MARK: Values

  /// Whether a value in the JSON of a cell is read back as it was. Damaged values are not written, and are reported
  /// elsewhere.
  func comesBack(_ value: ValueView, at place: Place) throws -> Bool {
    switch value {
    case .null, .int, .bool: return true
    case .float(let number): return place == .typed && Self.isUsual(number)
    case .double(let number): return number.isFinite || place == .typed && Self.isUsual(number)
    case .data, .date, .decimal, .objectID, .uuid: return place == .typed
    case .string(let text): return try Self.isUTF8(text)
    case .link(let table, let key), .typedLink(let table, let key): return try linkComesBack(table, key)
    case .list(let list):
      return try allComeBack { visit in
        try list.forEach(walk, damaged: { _ in }) { try visit($0, list.holdsMixed ? .mixed : .typed) }
      }
    case .set(let set):
      return try allComeBack { visit in
        try set.forEach(walk, damaged: { _ in }) { try visit($0, set.holdsMixed ? .mixed : .typed) }
      }
    case .dictionary(let dictionary): return try entriesComeBack(dictionary, place)
    }
  }

  private func allComeBack(_ forEach: ((ValueView, Place) throws -> Void) throws -> Void) throws -> Bool {
    var areSame = true
    try nested { try forEach { value, place in if areSame { areSame = try comesBack(value, at: place) } } }
    return areSame
  }

  private func entriesComeBack(_ dictionary: DictionaryView, _ place: Place) throws -> Bool {
    var areSame = true
    try nested {
      try dictionary.forEach(walk, damaged: { _ in }) { key, value in
        if areSame { areSame = try Self.isKey(key) && comesBack(value, at: place) }
      }
    }
    return areSame
  }

  /// Whether text can be a key. Files also contain keys that the engine no longer accepts.
  private static func isKey(_ key: BlobView) throws -> Bool {
    let bytes = try key.copied()
    return try bytes.first != UInt8(ascii: "$") && !bytes.contains(UInt8(ascii: ".")) && isUTF8(key)
  }

  private func linkComesBack(_ key: TableKey, _ object: ObjectKey) throws -> Bool {
    guard let table = snapshot.table(key) else { return true }
    if table.schema.kind == .embedded {
      let (batch, row) = try resolver.find(object, in: table)
      return try nested {
        try table.schema.properties.indices.allSatisfy { index in
          let property = table.schema.properties[index]
          let value = try batch.values(ofProperty: index).value(at: row)
          return try Self.isUTF8(property.name) && comesBack(value, at: Place(of: property))
        }
      }
    }
    guard table.schema.primaryKeyIndex != nil else { return true }
    return try comesBack(resolver.primaryKey(of: object, in: table), at: .typed)
  }

  private func nested<Result>(_ body: () throws -> Result) throws -> Result {
    // Deeper values are not written.
    guard depth < 400 else { throw StorageError.corrupted(.null, .tooDeep) }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  static func isUsual(_ number: Float) -> Bool { !number.isNaN || number.bitPattern == Float.nan.bitPattern }
  static func isUsual(_ number: Double) -> Bool { !number.isNaN || number.bitPattern == Double.nan.bitPattern }

  private static func isUTF8(_ text: BlobView) throws -> Bool {
    if let bytes = text.contiguous { return String(utf8: bytes) != nil }
    return String(utf8: try text.copied()) != nil
  }

  private static func isUTF8(_ text: RealmString) -> Bool { String(utf8: text.utf8) != nil }
}
