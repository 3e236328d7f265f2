/// One table of a snapshot: its schema and its objects.
package final class Table: Sendable {
  package let key: TableKey
  package let schema: TableSchema
  let top: TableTop
  /// Parallel to `schema.properties`.
  let columns: [Column]
  let backlinks: [BacklinkColumn]
  let store: ByteStore

  var clusters: ClusterTree { ClusterTree(root: top.clusters) }

  init(schema: TableSchema, top: TableTop, columns: Columns, store: ByteStore) {
    self.schema = schema
    self.top = top
    self.store = store
    key = top.key
    self.columns = columns.properties
    backlinks = columns.backlinks
  }

  /// The number of objects, tombstones left out. Touches only the root of the objects.
  ///
  /// - Throws: `StorageError.corrupted` where that root is damaged.
  package func objectCount() throws -> Int { try clusters.count(in: store) }

  /// The error for a link to an object not in this file.
  package func danglingLink(to key: ObjectKey) -> StorageError {
    .corrupted(Corruption(ref: top.clusters, reason: .danglingLink(key: key.rawValue)))
  }

  /// A walk over the objects in order of their keys, a batch at a time.
  package func batches() -> ObjectBatches {
    let budget = WalkBudget.bytes(of: store)
    store.keepAlive(budget)
    return ObjectBatches(
      table: self, walk: ClusterWalk(clusters, in: store, budget: budget, columnCount: columns.count))
  }

  /// Makes the nodes that the table keeps views of present again, after pages were released.
  func restoreViews() throws {
    for node in [top.indexes, top.oppositeTables, top.oppositeColumns] { try node.makePresent(in: store) }
    for column in columns { try column.enumeration?.values.makePresent(in: store) }
  }

  /// The object with `key`; nil if there is none.
  package func object(_ key: ObjectKey) throws -> (batch: ObjectBatch, row: Int)? {
    try clusters.find(key, in: store).map { (ObjectBatch(table: self, cluster: $0.cluster), $0.row) }
  }
}

/// Objects that lie together in the file: at most 256, with the values of each property side by side.
///
/// This is where layouts meet: formats 10–24 give the clusters of a tree; older ones will give ranges of rows.
///
/// A plain value that is free to copy; valid as long as its snapshot is alive.
package struct ObjectBatch: @unchecked Sendable {
  private let owner: Unmanaged<Table>
  let cluster: Cluster
  /// The walk's that has come here; nil for what is read alone.
  private let budget: Unmanaged<WalkBudget>?

  /// - Parameter budget: one that the store keeps alive: counting references to it would cost more than reading does.
  init(table: Table, cluster: Cluster, budget: Unmanaged<WalkBudget>? = nil) {
    owner = .passUnretained(table)
    self.cluster = cluster
    self.budget = budget
  }

  package var table: Table { owner._withUnsafeGuaranteedRef { $0 } }

  package var count: Int { cluster.count }

  /// The key of the object in `row`, where `0 <= row < count`.
  package func key(at row: Int) -> ObjectKey { cluster.key(at: row) }

  /// The row of the object with `key`; nil if it is not in this batch.
  package func row(of key: ObjectKey) -> Int? { cluster.row(of: key) }

  /// The values of the property at `index` of the table's schema.
  ///
  /// - Throws: `StorageError.corrupted` where the values are damaged as a whole.
  package func values(ofProperty index: Int) throws -> PropertyValues {
    let column = table.columns[index]
    let ref = try cluster.leafRef(column.leafIndex)
    let leaf =
      if let collection = column.collection {
        try Leaf(ref, of: collection, column.element, in: table.store)
      } else {
        try Leaf(
          ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: table.store)
      }
    guard leaf.count == count else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: leaf.count))
    }
    return PropertyValues(leaf: leaf, ref: ref, store: table.store, budget: budget)
  }
}

/// The values of one property for the objects of a batch.
///
/// A plain value that is free to copy; valid as long as its snapshot is alive.
package struct PropertyValues: @unchecked Sendable {
  private let leaf: Leaf
  private let ref: Ref
  private let store: Unmanaged<ByteStore>
  /// For values of which one may be in many places; nil for all others.
  private let budget: Unmanaged<WalkBudget>?

  init(leaf: Leaf, ref: Ref, store: ByteStore, budget: Unmanaged<WalkBudget>?) {
    (self.leaf, self.ref) = (leaf, ref)
    self.store = .passUnretained(store)
    self.budget = leaf.canShareLongValues ? budget : nil
  }

  package var count: Int { leaf.count }

  /// Calls `body` with the leaf, and with what accounts for a long value.
  @inline(__always)
  func withLeaf<Result>(_ body: (Leaf, ByteStore, (_ byteCount: Int) throws -> Void) throws -> Result) rethrows -> Result
  {
    try store._withUnsafeGuaranteedRef { store in
      try body(leaf, store) { byteCount in
        if let budget { try budget._withUnsafeGuaranteedRef { try $0.spend(onBytes: byteCount, at: ref) } }
      }
    }
  }

  /// The value in `row`.
  ///
  /// - Throws: `StorageError.corrupted` where it cannot be read.
  package func value(at row: Int) throws -> ValueView {
    let value = try store._withUnsafeGuaranteedRef { try leaf.value(at: row, in: $0) }
    if let budget { try budget._withUnsafeGuaranteedRef { try $0.spend(onValue: value, at: ref) } }
    return value
  }

  /// The value in `row`, links to tombstones with their unresolved keys.
  func valueShowingTombstones(at row: Int) throws -> ValueView {
    let value = try store._withUnsafeGuaranteedRef { try leaf.value(at: row, in: $0, showsTombstones: true) }
    if let budget { try budget._withUnsafeGuaranteedRef { try $0.spend(onValue: value, at: ref) } }
    return value
  }

  /// Reads all values into `values`, which has room for them, in one go.
  ///
  /// - Parameter damaged: called for each value that cannot be read; null stands in its place.
  package func decode(
    into values: UnsafeMutableBufferPointer<ValueView>, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) {
    store._withUnsafeGuaranteedRef { leaf.decode(into: values, in: $0, damaged: damaged) }
    guard let budget else { return }
    for row in 0..<min(count, values.count) {
      do { try budget._withUnsafeGuaranteedRef { try $0.spend(onValue: values[row], at: ref) } } catch {
        values[row] = .null
        if let error = error as? StorageError { damaged(row, error) }
      }
    }
  }
}

/// The batches of a table, one after another.
package struct ObjectBatches {
  package enum Step {
    case batch(ObjectBatch)
    /// Part of the objects could not be read; the others follow.
    case damaged(StorageError)
  }

  private let table: Table
  private var walk: ClusterWalk

  init(table: Table, walk: ClusterWalk) {
    self.table = table
    self.walk = walk
  }

  package mutating func next() -> Step? {
    switch walk.next() {
    case .cluster(let cluster):
      .batch(ObjectBatch(table: table, cluster: cluster, budget: .passUnretained(walk.budget)))
    case .damaged(let error): .damaged(error)
    case nil: nil
    }
  }
}

extension ObjectBatches {
  /// Finds its place again after the bytes of the file were released.
  ///
  /// - Returns: why objects behind this place cannot be read any more; nil if all is well.
  package mutating func restorePlaces() -> StorageError? { walk.restorePlaces() }
}

extension Table {
  /// Calls `body` with all objects, a batch at a time. Pages are given back in between.
  ///
  /// - Throws: `StorageError` where objects are damaged; what `body` throws.
  package func forEachBatch(in snapshot: Snapshot, _ body: (ObjectBatch) throws -> Void) throws {
    var batches = batches()
    while let step = batches.next() {
      switch step {
      case .batch(let batch): try body(batch)
      case .damaged(let error): throw error
      }
      if snapshot.holdsTooManyPages {
        try snapshot.releasePages()
        if let error = batches.restorePlaces() { throw error }
      }
    }
  }
}
