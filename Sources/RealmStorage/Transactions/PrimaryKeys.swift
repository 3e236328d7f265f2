/// Objects by primary key, as a transaction changes them.
struct PrimaryKeys {
  /// The index in the file; nil if all objects are listed here.
  private let index: IndexLookup?
  /// Whether an object that is neither here nor in the index does not exist.
  private var isComplete: Bool
  /// With an index, the objects that the transaction has given their primary keys.
  private var keys = SmallMap<Value, ObjectKey>()

  /// - Parameter index: nil if there is none, or none of this primary key: then nothing is known.
  init(_ index: IndexLookup? = nil) { (self.index, isComplete) = (index, index != nil) }

  /// The object with a primary key.
  ///
  /// - Throws: `StorageError.corrupted` if keys are damaged.
  mutating func find(_ value: Value, _ column: EditedColumn, in objects: EditedObjects) throws -> ObjectKey? {
    if !isComplete { try readAll(column, in: objects) }
    if let key = keys[value] { return key }
    guard let index else { return nil }
    guard let candidates = try index.candidates(for: value) else {
      try readAll(column, in: objects)
      return keys[value]
    }
    // The index in the file shows the state before the transaction.
    return try candidates.first { key in
      guard let place = try objects.findLive(key) else { return false }
      return try objects.value(column, at: place) == value
    }
  }

  /// Reads all objects once, if there is no index, or one that does not distinguish long texts.
  private mutating func readAll(_ column: EditedColumn, in objects: EditedObjects) throws {
    self = PrimaryKeys()
    keys.reserveCapacity(objects.likelyCount)
    try objects.forEachCluster { cluster in
      for (key, value) in zip(cluster.keys, try objects.values(column, in: cluster)) {
        keys[value] = ObjectKey(rawValue: Int64(bitPattern: key))
      }
    }
    isComplete = true
  }

  /// Records that an object has another primary key, or its first. Duplicates are found at the end of the transaction.
  mutating func set(_ value: Value, insteadOf old: Value? = nil, of key: ObjectKey) {
    guard isComplete else { return }
    if let old { remove(old, of: key) }
    keys[value] = key
  }

  mutating func remove(_ value: Value, of key: ObjectKey) {
    if keys[value] == key { keys[value] = nil }
  }
}
