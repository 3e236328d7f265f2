import RealmStorage

/// The content of a realm, as far as sensible queries need it: classes, and values of each property.
package struct QuerySamples: Sendable {
  package struct Class: Sendable {
    package let name: String
    package let schema: TableSchema
    package let tableKey: TableKey
    /// Some values of each property, elements of collections by themselves.
    package let values: [[Value]]
    /// Keys of some dictionary properties, parallel to the properties.
    package let dictionaryKeys: [[RealmString]]
    package let objects: [ObjectKey]
    /// Classes and properties that link here.
    package fileprivate(set) var incoming: [(className: String, property: Property)] = []

    /// The value of the primary key, parallel to `objects`.
    package let primaryKeys: [Value]
  }

  package private(set) var classes: [Class] = []

  /// - Parameter limit: the number of objects read of each class, and of elements read of each collection.
  package init(_ realm: Realm, limit: Int = 200) throws {
    for realmClass in realm.classes where realmClass.schema.isClass && realmClass.schema.kind != .asymmetric {
      classes.append(try Self.sample(realmClass, limit: limit))
    }
    for index in classes.indices {
      for other in classes {
        for property in other.schema.properties
        where property.type == .object && property.target == classes[index].schema.name {
          classes[index].incoming.append((other.name, property))
        }
      }
    }
  }

  /// The class that a link leads to.
  package func target(of property: Property) -> Class? { classes.first { $0.schema.name == property.target } }

  private static func sample(_ realmClass: RealmObjects, limit: Int) throws -> Class {
    let schema = realmClass.schema
    var values = [[Value]](repeating: [], count: schema.properties.count)
    var seen = [Set<Value>](repeating: [], count: schema.properties.count)
    var dictionaryKeys = [[RealmString]](repeating: [], count: schema.properties.count)
    var objects: [ObjectKey] = []
    var primaryKeys: [Value] = []
    // What is damaged is left out.
    for object in try realmClass.readable(atMost: limit) {
      objects.append(object.key)
      primaryKeys.append(schema.primaryKeyIndex.map { object.values[$0] } ?? .null)
      for (index, value) in object.values.enumerated() {
        if case .dictionary(let entries) = value, dictionaryKeys[index].count < limit {
          dictionaryKeys[index] += entries.keys.sorted().prefix(8)
        }
        for scalar in scalars(value, limit: limit) where values[index].count < limit {
          if seen[index].insert(scalar).inserted { values[index].append(scalar) }
        }
      }
    }
    return Class(
      name: schema.displayName.description, schema: schema, tableKey: realmClass.table.key, values: values,
      dictionaryKeys: dictionaryKeys, objects: objects, primaryKeys: primaryKeys)
  }

  private static func scalars(_ value: Value, limit: Int) -> [Value] {
    switch value {
    case .list(let elements), .set(let elements): elements.prefix(limit).flatMap { scalars($0, limit: 8) }
    case .dictionary(let entries):
      entries.keys.sorted().prefix(limit).flatMap { scalars(entries[$0] ?? .null, limit: 8) }
    default: [value]
    }
  }
}
