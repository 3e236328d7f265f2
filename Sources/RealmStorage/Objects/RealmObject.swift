/// One object of a class with all its values, owned: it lives on when the snapshot it came from is gone, and when the file
/// has changed.
///
/// ```swift
/// if let dog = try realm.classNamed("Dog")?.object(key) { print(dog["name"]?.stringValue ?? "") }
/// ```
public struct RealmObject: Sendable {
  /// The class of the object.
  public let schema: TableSchema
  /// The key of the object in its class.
  public let key: ObjectKey
  /// Parallel to the properties of `schema`; collections with all that they contain.
  public let values: [Value]

  /// The value of a property; nil if the class has none with that name.
  public subscript(_ property: RealmString) -> Value? {
    schema.properties.firstIndex { $0.name == property }.map { values[$0] }
  }
}

extension Table {
  /// The object with `key`; nil if there is none.
  ///
  /// - Throws: `StorageError.corrupted` if one of its values is damaged.
  package func object(_ key: ObjectKey, in snapshot: Snapshot) throws -> RealmObject? {
    guard let place = try object(key) else { return nil }
    let walk = snapshot.collectionWalk()
    let values = try schema.properties.indices.map { index in
      try Value(place.batch.values(ofProperty: index).value(at: place.row), walk)
    }
    return RealmObject(schema: schema, key: key, values: values)
  }
}
