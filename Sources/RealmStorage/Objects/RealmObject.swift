/// One object of a class with all its values, owned: it lives on when the snapshot it came from is gone, and when the file
/// has changed.
///
/// ```swift
/// for table in snapshot.tables where table.schema.isClass {
///   try table.forEachObject { object in print(object.key, object["name"] ?? .null) }
/// }
/// ```
public struct RealmObject: Sendable {
  /// The class of the object.
  public let schema: TableSchema
  public let key: ObjectKey
  /// Parallel to the properties of `schema`; collections with all that they contain.
  public let values: [Value]

  /// The value of a property; nil where the class has none of that name.
  public subscript(_ property: RealmString) -> Value? {
    schema.properties.firstIndex { $0.name == property }.map { values[$0] }
  }
}

extension Table {
  /// The object with `key`; nil if there is none.
  ///
  /// - Throws: `StorageError.corrupted` where one of its values is damaged.
  public func object(_ key: ObjectKey, in snapshot: Snapshot) throws -> RealmObject? {
    guard let place = try object(key) else { return nil }
    let walk = snapshot.collectionWalk()
    let values = try schema.properties.indices.map { index in
      try Value(place.batch.values(ofProperty: index).value(at: place.row), walk)
    }
    return RealmObject(schema: schema, key: key, values: values)
  }

  /// Calls `visit` with each object in the order of their keys. At most 256 of them are in memory at a time.
  ///
  /// - Throws: `StorageError.corrupted` at the first object that is damaged; what `visit` throws.
  public func forEachObject(in snapshot: Snapshot, _ visit: (RealmObject) throws -> Void) throws {
    let walk = snapshot.collectionWalk()
    var batches = batches()
    while let step = batches.next() {
      switch step {
      case .damaged(let error): throw error
      case .batch(let batch):
        let columns = try schema.properties.indices.map { try batch.values(ofProperty: $0) }
        for row in 0..<batch.count {
          let values = try columns.map { try Value($0.value(at: row), walk) }
          try visit(RealmObject(schema: schema, key: batch.key(at: row), values: values))
        }
      }
    }
  }
}
