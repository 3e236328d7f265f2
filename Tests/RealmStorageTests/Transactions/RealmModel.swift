import TestSupport
import Testing

@testable import RealmStorage

/// A simple model of what a realm should contain, independent of the code under test.
struct RealmModel {
  struct Class {
    var key: TableKey
    var kind = TableKind.topLevel
    var properties: [Property] = []
    var primaryKey: RealmString?
    /// Whether a property keeps its index when it is no longer the primary key.
    var isKeyIndexedToo = false
    private(set) var objects: [ObjectKey: [RealmString: Value]] = [:]
    /// The same objects, in an order that depends only on the changes.
    private(set) var keys: [ObjectKey] = []
    private var places: [ObjectKey: Int] = [:]

    init(key: TableKey, kind: TableKind = .topLevel) { (self.key, self.kind) = (key, kind) }

    mutating func insert(_ key: ObjectKey, _ values: [RealmString: Value]) {
      objects[key] = values
      places[key] = keys.count
      keys.append(key)
    }

    mutating func remove(_ key: ObjectKey) {
      guard objects.removeValue(forKey: key) != nil, let place = places.removeValue(forKey: key) else { return }
      let last = keys.removeLast()
      guard last != key else { return }
      keys[place] = last
      places[last] = place
    }

    mutating func set(_ property: RealmString, of key: ObjectKey, to value: Value?) {
      objects[key]?[property] = value
    }

    mutating func changeValues(_ property: RealmString, _ change: (Value) -> Value) {
      for (key, object) in objects { objects[key]?[property] = object[property].map(change) }
    }

    mutating func setAll(_ property: RealmString, to value: Value?) {
      for key in keys { objects[key]?[property] = value }
    }

    func values(of property: RealmString) -> [Value] { keys.compactMap { objects[$0]?[property] } }
  }

  /// An object of some class.
  struct Object: Hashable {
    let table: TableKey
    let key: ObjectKey
  }

  var classes: [RealmString: Class] = [:]
  var schemaVersion: UInt64?

  init() {}

  /// What is in a snapshot.
  init(of snapshot: Snapshot) throws {
    schemaVersion = snapshot.schema.version
    for table in snapshot.tables where table.schema.isClass {
      var entry = Class(key: table.key, kind: table.schema.kind)
      (entry.properties, entry.primaryKey) = (table.schema.properties, table.schema.primaryKey?.name)
      var walk = snapshot.collectionWalk()
      walk.showsTombstones = true
      var batches = table.batches()
      while let step = batches.next() {
        guard case .batch(let batch) = step else {
          if case .damaged(let error) = step { throw error }
          continue
        }
        for row in 0..<batch.count { entry.insert(batch.key(at: row), [:]) }
        for (index, property) in table.schema.properties.enumerated() {
          let values = try batch.values(ofProperty: index)
          for row in 0..<batch.count {
            entry.set(property.name, of: batch.key(at: row), to: try Value(values.value(at: row), walk))
          }
        }
      }
      classes[table.schema.name] = entry
    }
  }

  /// What a transaction shows.
  init(of transaction: WriteTransaction) throws {
    schemaVersion = try transaction.schemaVersion()
    for table in transaction.tables where table.schema.isClass {
      let schema = table.schema
      var entry = Class(key: table.key, kind: schema.kind)
      (entry.properties, entry.primaryKey) = (schema.properties, schema.primaryKey?.name)
      try table.forEachKey { key in
        entry.insert(key, [:])
        for property in schema.properties {
          entry.set(property.name, of: key, to: try table.value(property.name, of: key))
        }
      }
      classes[table.name] = entry
    }
  }

  // MARK: Links

  private func name(of table: TableKey) -> RealmString? { classes.first { $0.value.key == table }?.key }

  /// Deletes objects with their embedded objects, and all links to them.
  mutating func delete(_ objects: [Object]) {
    let names = Dictionary(uniqueKeysWithValues: classes.map { ($1.key, $0) })
    var gone: Set<Object> = []
    var pending = objects
    while let object = pending.popLast() {
      guard let name = names[object.table], let values = classes[name]?.objects[object.key],
        gone.insert(object).inserted
      else { continue }
      for value in values.values {
        value.forEachLink { table, key in
          guard let name = names[table], classes[name]?.kind == .embedded else { return }
          pending.append(Object(table: table, key: key))
        }
      }
    }
    for object in gone.sorted(by: { ($0.table.rawValue, $0.key) < ($1.table.rawValue, $1.key) }) {
      if let name = names[object.table] { classes[name]?.remove(object.key) }
    }
    for (name, entry) in classes {
      for property in entry.properties where property.type == .object || property.type == .mixed {
        for (key, object) in entry.objects {
          guard let value = object[property.name], value.hasLinks else { continue }
          classes[name]?.set(property.name, of: key, to: Self.unlinked(value, gone) ?? .null)
        }
      }
    }
  }

  /// A value without the links to deleted objects: an entry of a list or set is removed, anything else becomes null.
  private static func unlinked(_ value: Value, _ gone: Set<Object>) -> Value? {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      gone.contains(Object(table: table, key: key)) ? nil : value
    case .list(let elements): .list(elements.compactMap { unlinked($0, gone) })
    case .set(let elements): .set(elements.compactMap { unlinked($0, gone) })
    case .dictionary(let entries): .dictionary(entries.mapValues { unlinked($0, gone) ?? .null })
    default: value
    }
  }

  /// The number of links to each object of a class; nil if Mixed values link to it, or objects of the class itself or
  /// their embedded objects: a copy of one object gives others more parents.
  func linkCounts(to table: TableKey) -> [ObjectKey: Int]? {
    var counts: [ObjectKey: Int] = [:]
    let owned = ownedClasses(of: table)
    for entry in classes.values {
      for property in entry.properties where property.type == .object || property.type == .mixed {
        for value in entry.values(of: property.name) {
          var isPossible = true
          value.forEachLink { target, key in
            guard target == table else { return }
            counts[key, default: 0] += 1
            if property.type == .mixed || owned.contains(entry.key) { isPossible = false }
          }
          guard isPossible else { return nil }
        }
      }
    }
    return counts
  }

  /// A class and the embedded ones that its objects can have objects of, at any depth.
  private func ownedClasses(of table: TableKey) -> Set<TableKey> {
    var owned: Set<TableKey> = [table]
    var pending = [table]
    while let next = pending.popLast() {
      guard let entry = classes.values.first(where: { $0.key == next }) else { continue }
      for case let target? in entry.properties.map({ $0.target.flatMap { classes[$0] } })
      where target.kind == .embedded && owned.insert(target.key).inserted { pending.append(target.key) }
    }
    return owned
  }

  /// The model with embedded objects in place of the links to them, so that it does not matter which objects they are.
  func expanded() -> RealmModel {
    var result = self
    for (name, entry) in classes {
      if entry.kind == .embedded {
        for key in entry.keys { result.classes[name]?.remove(key) }
        continue
      }
      for property in entry.properties where property.type == .object {
        for key in entry.keys {
          result.classes[name]?.set(property.name, of: key, to: entry.objects[key]?[property.name].map(expanded))
        }
      }
    }
    return result
  }

  private func expanded(_ value: Value) -> Value {
    switch value {
    case .link(let table, let key):
      guard let name = name(of: table), let entry = classes[name], entry.kind == .embedded else { return value }
      return .dictionary((entry.objects[key] ?? [:]).mapValues(expanded))
    case .list(let elements): return .list(elements.map(expanded))
    case .dictionary(let entries): return .dictionary(entries.mapValues(expanded))
    default: return value
    }
  }

  // MARK: Comparison

  /// The first difference, in words.
  func difference(from other: RealmModel) -> String? {
    if schemaVersion != other.schemaVersion {
      return "schema version \(String(describing: schemaVersion)), \(String(describing: other.schemaVersion))"
    }
    let names = classes.keys.sorted()
    if names != other.classes.keys.sorted() { return "classes \(names), \(other.classes.keys.sorted())" }
    for name in names {
      guard let one = classes[name], let two = other.classes[name] else { continue }
      if let difference = Self.difference(one, two) { return "\(name)\(difference)" }
    }
    return nil
  }

  private static func difference(_ one: Class, _ two: Class) -> String? {
    if one.properties != two.properties { return ": \(one.properties)\n\(two.properties)" }
    if one.primaryKey != two.primaryKey { return ": primary key" }
    if (one.kind, one.key) != (two.kind, two.key) { return ": \(one.kind) \(one.key), \(two.kind) \(two.key)" }
    let keys = one.keys.sorted()
    if keys != two.keys.sorted() { return ": objects \(keys), \(two.keys.sorted())" }
    for key in keys {
      for property in one.properties.map(\.name) {
        let (left, right) = (one.objects[key]?[property], two.objects[key]?[property])
        if left != right, left.map(normal) != right.map(normal) {
          return ".\(property) of \(key.rawValue): \(left as Any)\n\(right as Any)"
        }
      }
    }
    return nil
  }

  /// Sets have no order.
  private static func normal(_ value: Value) -> Value {
    switch value {
    case .set(let elements): .set(elements.map(normal).sorted { "\($0)" < "\($1)" })
    case .list(let elements): .list(elements.map(normal))
    case .dictionary(let entries): .dictionary(entries.mapValues(normal))
    default: value
    }
  }
}
