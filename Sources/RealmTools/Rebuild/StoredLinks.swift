import RealmExchange
import RealmStorage

/// Reads the links of objects, including those inside collections and Mixed values. Links to missing objects do not
/// count.
struct StoredLinks {
  let snapshot: Snapshot
  private let walk: CollectionWalk

  /// - Parameter passes: how often each collection may be read.
  init(_ snapshot: Snapshot, passes: Int) {
    self.snapshot = snapshot
    walk = snapshot.collectionWalk(passes: passes)
  }

  /// Calls `body` with each link of a property. Pages are given back in between.
  ///
  /// - Parameter wanted: the objects to look at; nil for all.
  /// - Throws: `StorageError` if one cannot be read; what `body` throws.
  func forEach(
    of table: Table, property: Int, among wanted: ObjectKeySet? = nil, _ body: (TableKey, ObjectKey) throws -> Void
  ) throws {
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: property)
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true {
        try forEach(in: values.value(at: row), body)
      }
    }
  }

  /// Calls `body` with each link of some objects. Pages are given back in between.
  ///
  /// - Parameters:
  ///   - keys: ascending, so that objects that lie together are read together.
  ///   - properties: the positions of the properties to look at.
  /// - Throws: `StorageError` if an object does not exist or cannot be read; what `body` throws.
  func forEach(
    ofObjects keys: [ObjectKey], in table: Table, properties: [Int], _ body: (TableKey, ObjectKey) throws -> Void
  ) throws {
    var damage: StorageError?
    try ExportedObjects.keys(keys[...], table).forEachBatch(damaged: { damage = damage ?? $0.error }) { batch, rows in
      if let damage { throw damage }
      for property in properties {
        let values = try batch.values(ofProperty: property)
        for row in rows ?? [] { try forEach(in: values.value(at: row), body) }
      }
      if snapshot.holdsTooManyPages { try snapshot.releasePages() }
    }
    if let damage { throw damage }
  }

  private func forEach(
    in value: ValueView, depth: Int = 0, _ body: (TableKey, ObjectKey) throws -> Void
  ) throws {
    guard depth < 400 else { throw StorageError.corrupted(.null, .tooDeep) }
    switch value {
    case .link(let table, let key), .typedLink(let table, let key): try body(table, key)
    case .list(let list), .set(let list):
      try list.forEach(walk, damaged: { throw $0 }) { try forEach(in: $0, depth: depth + 1, body) }
    case .dictionary(let dictionary):
      try dictionary.forEach(walk, damaged: { throw $0 }) { try forEach(in: $1, depth: depth + 1, body) }
    default: break
    }
  }
}
