import TestSupport
import Testing

@testable import RealmStorage

/// What a realm ought to hold, as plain as can be: the tests' own idea of it.
struct RealmModel: Equatable {
  struct Class: Equatable {
    var key: TableKey
    var properties: [Property]
    var primaryKey: RealmString?
    var objects: [ObjectKey: [RealmString: Value]] = [:]
  }

  var classes: [RealmString: Class] = [:]
  var schemaVersion: UInt64?

  /// What is in a snapshot.
  init(of snapshot: Snapshot) throws {
    schemaVersion = snapshot.schema.version
    for table in snapshot.tables where table.schema.isClass {
      var entry = Class(
        key: table.key, properties: table.schema.properties, primaryKey: table.schema.primaryKey?.name)
      var walk = snapshot.collectionWalk()
      walk.showsTombstones = true
      var batches = table.batches()
      while let step = batches.next() {
        guard case .batch(let batch) = step else {
          if case .damaged(let error) = step { throw error }
          continue
        }
        for (index, property) in table.schema.properties.enumerated() {
          let values = try batch.values(ofProperty: index)
          for row in 0..<batch.count {
            entry.objects[batch.key(at: row), default: [:]][property.name] = try Value(values.value(at: row), walk)
          }
        }
        for row in 0..<batch.count where entry.objects[batch.key(at: row)] == nil {
          entry.objects[batch.key(at: row)] = [:]
        }
      }
      classes[table.schema.name] = entry
    }
    normalize()
  }

  init() {}

  /// Sets have no order, and a NaN is no number: both are compared by what can be seen.
  mutating func normalize() {
    for (name, entry) in classes {
      for (key, object) in entry.objects {
        classes[name]?.objects[key] = object.mapValues(Self.normal)
      }
    }
  }

  private static func normal(_ value: Value) -> Value {
    switch value {
    case .set(let elements): .set(elements.map(normal).sorted { "\($0)" < "\($1)" })
    case .list(let elements): .list(elements.map(normal))
    case .dictionary(let entries): .dictionary(entries.mapValues(normal))
    default: value
    }
  }

  // MARK: Changes

  mutating func delete(_ table: RealmString, _ key: ObjectKey) {
    guard let target = classes[table]?.key else { return }
    classes[table]?.objects[key] = nil
    for (name, entry) in classes {
      for (origin, object) in entry.objects {
        for (property, value) in object {
          var value = value
          while let rest = value.removingLink(to: target, key) { value = rest }
          classes[name]?.objects[origin]?[property] = value
        }
      }
    }
  }

  /// The first difference, in words.
  func difference(from other: RealmModel) -> String? {
    if schemaVersion != other.schemaVersion {
      return "schema version \(String(describing: schemaVersion)), \(String(describing: other.schemaVersion))"
    }
    let names = classes.keys.sorted()
    if names != other.classes.keys.sorted() { return "classes \(names), \(other.classes.keys.sorted())" }
    for name in names {
      guard let one = classes[name], let two = other.classes[name] else { continue }
      if one.properties != two.properties { return "\(name): \(one.properties)\n\(two.properties)" }
      if one.primaryKey != two.primaryKey { return "\(name): primary key" }
      let keys = one.objects.keys.sorted()
      if keys != two.objects.keys.sorted() { return "\(name): objects \(keys), \(two.objects.keys.sorted())" }
      for key in keys where one.objects[key] != two.objects[key] {
        for property in one.properties.map(\.name) {
          let (left, right) = (one.objects[key]?[property], two.objects[key]?[property])
          if left != right { return "\(name).\(property) of \(key.rawValue): \(left as Any)\n\(right as Any)" }
        }
      }
    }
    return nil
  }
}
