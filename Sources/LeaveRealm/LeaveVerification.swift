import RealmStorage

/// What identifies an object in the target.
public enum LeaveIdentity: Hashable, Sendable {
  /// Its primary key; in a class without one, its key in the class, as an int. A link is the same of the object it leads
  /// to, one in a Mixed value a dictionary of `class` and `key`; an embedded object is a dictionary of its properties.
  case primaryKey
  /// Its key in the class, as an int. So are links, those to embedded objects included; those in Mixed values are as in the
  /// realm.
  case objectKey
  /// The value of a property, which no two objects share. Links and embedded objects are as for `primaryKey`.
  case property(String)
}

/// An object as the target has it.
///
/// What links and embedded objects are in it depends on `LeaveIdentity`.
public struct LeaveRow: Hashable, Sendable {
  /// What identifies the object.
  public var key: Value
  /// The values, by the names of the properties.
  public var values: [RealmString: Value]

  /// An object of the target.
  ///
  /// - Parameters:
  ///   - key: what identifies the object.
  ///   - values: of the properties that are to be compared.
  public init(key: Value, _ values: [RealmString: Value]) { (self.key, self.values) = (key, values) }
}

/// A difference between a realm and the target.
public struct LeaveDifference: Hashable, Sendable, CustomStringConvertible {
  /// What differs.
  public enum Kind: Hashable, Sendable {
    /// The target does not have the object.
    case missing
    /// The realm does not have the object.
    case extra
    /// The target has the object more than once.
    case duplicate
    /// A value of a property.
    case value(String, realm: Value, target: Value)
    /// The order of a list; the elements are the same.
    case order(String)
    /// The target has a property that the class lacks.
    case unknownProperty(String)
    /// The object cannot be read in the realm.
    case unreadable(String)
  }

  /// What identifies the object.
  public let key: Value
  /// What differs.
  public let kind: Kind

  init(key: Value, _ kind: Kind) { (self.key, self.kind) = (key, kind) }

  /// One line: the key, and what differs.
  public var description: String {
    let what =
      switch kind {
      case .missing: "is not in the target"
      case .extra: "is not in the realm"
      case .duplicate: "is in the target more than once"
      case .value(let name, let realm, let target): "\(name) is \(realm) in the realm, \(target) in the target"
      case .order(let name): "\(name) has another order in the target"
      case .unknownProperty(let name): "\(name) is not a property of the class"
      case .unreadable(let reason): "cannot be read: \(reason)"
      }
    return "\(key): \(what)"
  }
}

/// The result of comparing a class with the target.
public struct LeaveVerification: Sendable {
  /// Objects of the class.
  public let objectCount: Int
  /// Objects that the target has exactly once, with the same values.
  public let sameCount: Int
  /// All differences.
  public let differenceCount: Int
  /// The first of them.
  public let differences: [LeaveDifference]
  /// Properties that were not compared of each object that the target has: a row lacked them, or there was none.
  public let notCompared: [String]

  /// Whether the target has exactly the objects of the class, with the same values of all properties that were compared.
  public var isSame: Bool { differenceCount == 0 && sameCount == objectCount }
}

/// Compares the rows of a target with the objects of a class, one at a time.
struct LeaveComparison {
  private let table: Table
  private let realm: Realm
  private let limit: Int
  /// Whether objects are identified by their keys, and nothing else.
  private let usesObjectKeys: Bool
  /// Of the property that identifies an object; nil for the key of the object.
  private let identity: Int?
  /// The objects by what identifies them, if no index finds all of them.
  private var objects: [Value: ObjectKey]?
  private var seen = ObjectKeySet()
  private var differing = ObjectKeySet()
  private var differenceCount = 0
  private var differences: [LeaveDifference] = []
  /// Properties that each row had so far; nil before the first.
  private var compared: Set<RealmString>?

  /// - Parameter property: that identifies an object; nil for what `identity` says.
  init(of table: Table, by identity: LeaveIdentity, _ property: Int?, in realm: Realm, limit: Int) throws {
    (self.table, self.realm, self.limit) = (table, realm, limit)
    usesObjectKeys = identity == .objectKey
    self.identity = usesObjectKeys ? nil : property ?? table.schema.primaryKeyIndex
    guard let index = self.identity, table.columns[index].index != .general || table.top == nil else { return }
    objects = try objects(byProperty: index)
  }

  private func objects(byProperty index: Int) throws -> [Value: ObjectKey] {
    var objects: [Value: ObjectKey] = [:]
    let name = table.schema.properties[index].name.description
    try forEachObject(columns: [name]) { key, object in
      if let value = object?.values.first { objects[value] = key }
    }
    return objects
  }

  /// Calls `body` with each object that the walk finds; nil for one that cannot be read, which counts as different in the end.
  private func forEachObject(columns: [String], _ body: (ObjectKey, RealmObject?) throws -> Void) throws {
    var cursor = try RealmObjects(realm: realm, table: table).cursor(columns: columns)
    while true {
      var object: RealmObject?
      do throws(RealmError) {
        object = try cursor.next()
        guard object != nil else { return }
      } catch {
        if error.kind == .changed { throw error }
      }
      if let key = cursor.key { try body(key, object) }
    }
  }

  mutating func compare(_ row: LeaveRow, _ expected: (inout LeaveRow) throws -> Void) throws {
    guard let key = try find(row.key) else { return add(row.key, .extra) }
    guard seen.insert(key) else { return add(row.key, .duplicate, of: key) }
    var own = LeaveRow(key: row.key, [:])
    do { own.values = try RowForm(realm, usesObjectKeys).values(of: key, in: table) } catch {
      return add(row.key, .unreadable("\(RealmError(path: realm.path, error).cause)"), of: key)
    }
    try expected(&own)
    compared = compared?.intersection(row.values.keys) ?? Set(row.values.keys)
    for (name, value) in row.values.sorted(by: { $0.key < $1.key }) {
      if let difference = Self.difference(of: name.description, own.values[name], value) {
        add(row.key, difference, of: key)
      }
    }
  }

  private static func difference(of name: String, _ own: Value?, _ other: Value) -> LeaveDifference.Kind? {
    guard let own else { return .unknownProperty(name) }
    if own.isSame(as: other) { return nil }
    if case .list(let left) = own, case .list(let right) = other, Value.set(left).isSame(as: .set(right)) {
      return .order(name)
    }
    return .value(name, realm: own, target: other)
  }

  private mutating func find(_ value: Value) throws -> ObjectKey? {
    guard let identity else {
      guard case .int(let number) = value else { return nil }
      let key = ObjectKey(rawValue: number)
      return try realm.shared.use { _, _ in try table.object(key) == nil ? nil : key }
    }
    if let objects { return objects[value] }
    let indexed = try realm.shared.use { snapshot, _ in
      try? table.indexedObject(ofProperty: identity, is: value, in: snapshot)?.key
    }
    if let indexed { return indexed }
    // A damaged index hides nothing.
    let objects = try objects(byProperty: identity)
    self.objects = objects
    return objects[value]
  }

  private mutating func add(_ value: Value, _ kind: LeaveDifference.Kind, of key: ObjectKey? = nil) {
    differenceCount += 1
    if let key { differing.insert(key) }
    if differences.count < limit { differences.append(LeaveDifference(key: value, kind)) }
  }

  /// Adds what the target does not have.
  mutating func finish() throws -> LeaveVerification {
    var missing: [ObjectKey] = []
    var missingCount = 0
    try forEachObject(columns: []) { key, _ in
      guard !seen.contains(key) else { return }
      missingCount += 1
      if missing.count < limit - differences.count { missing.append(key) }
    }
    let form = RowForm(realm, usesObjectKeys)
    for key in missing {
      differences.append(LeaveDifference(key: form.identity(of: key, in: table, by: identity), .missing))
    }
    differenceCount += missingCount
    return LeaveVerification(
      objectCount: try table.objectCount(), sameCount: seen.count - differing.count, differenceCount: differenceCount,
      differences: differences,
      notCompared: table.schema.properties.map(\.name).filter { compared?.contains($0) != true }.map(\.description))
  }
}

/// Turns an object into what `LeaveRow` describes.
private final class RowForm {
  private let realm: Realm
  private let usesObjectKeys: Bool
  /// Embedded objects so far.
  private var partCount = 0

  init(_ realm: Realm, _ usesObjectKeys: Bool) { (self.realm, self.usesObjectKeys) = (realm, usesObjectKeys) }

  private static let mostLevels = 100
  /// In a damaged file, parts may be parts of each other.
  private static let mostParts = 1_000_000

  /// - Throws: `StorageError` if the object cannot be read.
  func values(of key: ObjectKey, in table: Table) throws -> [RealmString: Value] {
    try values(of: key, in: table, level: 0) ?? [:]
  }

  private func values(of key: ObjectKey, in table: Table, level: Int) throws -> [RealmString: Value]? {
    partCount += 1
    guard level < Self.mostLevels, partCount < Self.mostParts else {
      throw StorageError.corrupted(table.root, .visitedTooOften)
    }
    guard let object = try RealmObjects(realm: realm, table: table).object(key) else { return nil }
    var values: [RealmString: Value] = [:]
    for (property, value) in zip(object.schema.properties, object.values) {
      values[property.name] = try form(value, level)
    }
    return values
  }

  /// What identifies an object; its key if the value cannot be read.
  func identity(of key: ObjectKey, in table: Table, by identity: Int?) -> Value {
    guard let identity else { return .int(key.rawValue) }
    let value = try? realm.shared.use { snapshot, _ in
      try table.object(key).map { place in
        try Value(place.batch.values(ofProperty: identity).value(at: place.row), snapshot.collectionWalk())
      }
    }
    return value.flatMap { $0 } ?? .int(key.rawValue)
  }

  private func form(_ value: Value, _ level: Int) throws -> Value {
    switch value {
    case .link(let table, let key):
      guard !usesObjectKeys else { return .int(key.rawValue) }
      guard let table = realm.snapshot.table(table) else { return .null }
      guard table.schema.kind == .embedded else {
        return identity(of: key, in: table, by: table.schema.primaryKeyIndex)
      }
      guard let values = try values(of: key, in: table, level: level + 1) else { return .null }
      return .dictionary(values)
    case .typedLink(let table, let key):
      guard !usesObjectKeys else { return value }
      guard let table = realm.snapshot.table(table) else { return .null }
      return .dictionary([
        "class": .string(table.schema.displayName),
        "key": identity(of: key, in: table, by: table.schema.primaryKeyIndex),
      ])
    case .list(let elements): return .list(try elements.map { try form($0, level) })
    case .set(let elements): return .set(try elements.map { try form($0, level) })
    case .dictionary(let entries): return .dictionary(try entries.mapValues { try form($0, level) })
    default: return value
    }
  }
}
