/// One table of a snapshot: its schema and its objects.
package final class Table: Sendable {
  package let key: TableKey
  package let schema: TableSchema
  /// The table's own node, above all its other nodes.
  package let root: Ref
  package let source: ObjectSource
  /// Parallel to `schema.properties`.
  package let columns: [Column]
  package let backlinks: [BacklinkColumn]
  package let store: ByteStore

  /// The root in formats 10–24; nil for a table in rows.
  package var top: TableTop? {
    switch source {
    case .clusters(let top): top
    case .rows: nil
    }
  }

  /// The same for a table to be changed in place.
  ///
  /// - Throws: `StorageError.corrupted` for a table in rows, which must be rebuilt.
  var clusterTop: TableTop {
    get throws {
      guard let top else { throw StorageError.corrupted(root, .badTable("the table's objects are rows")) }
      return top
    }
  }

  /// Of the leaves that each group of objects has for its properties.
  fileprivate var leafIndexes: [Int] { columns.map(\.leafIndex) }

  /// The objects in formats 10–24; nil for a table in rows.
  var clusters: ClusterTree? { top.map { ClusterTree(root: $0.clusters) } }

  package init(
    schema: TableSchema, key: TableKey, root: Ref, source: ObjectSource, columns: [Column],
    backlinks: [BacklinkColumn], store: ByteStore
  ) {
    self.schema = schema
    (self.key, self.root) = (key, root)
    self.source = source
    self.columns = columns
    self.backlinks = backlinks
    self.store = store
  }

  /// The number of objects without tombstones. Reads only the root of the objects.
  ///
  /// - Throws: `StorageError.corrupted` if that root is damaged.
  package func objectCount() throws -> Int {
    switch source {
    case .clusters(let top): try ClusterTree(root: top.clusters).count(in: store, leafIndexes: leafIndexes)
    case .rows(let first): try first?.count(in: store) ?? 0
    }
  }

  /// Whether a property of a class leads here, or did once: of a mixed one that is known from its first link on.
  package func hasIncomingLinks(from origin: Table, _ property: RealmString) -> Bool {
    guard let index = origin.schema.properties.firstIndex(where: { $0.name == property }) else { return false }
    let column = origin.columns[index].key
    return backlinks.contains { $0.originTable == origin.key && $0.originColumn == column }
  }

  /// The error for a link to an object not in this file.
  package func danglingLink(to key: ObjectKey) -> StorageError {
    .corrupted(Corruption(ref: top?.clusters ?? root, reason: .danglingLink(key: key.rawValue)))
  }

  /// A walk over the objects in order of their keys, a batch at a time.
  package func batches() -> ObjectBatches {
    let budget = WalkBudget.bytes(of: store)
    store.keepAlive(budget)
    return ObjectBatches(of: self, budget: budget)
  }

  /// Makes the nodes that the table keeps views of present again, after pages were released.
  func restoreViews() throws {
    for node in [top?.indexes, top?.oppositeTables, top?.oppositeColumns] { try node?.makePresent(in: store) }
    for column in columns { try column.enumeration?.makePresent(in: store) }
  }

  /// The object with `key`; nil if there is none.
  package func object(_ key: ObjectKey) throws -> (batch: ObjectBatch, row: Int)? {
    guard let clusters else { return try rowBatch(holding: key.rawValue).map { ($0, $0.row(of: key) ?? 0) } }
    return try clusters.find(key, in: store).map { (ObjectBatch(table: self, cluster: $0.cluster), $0.row) }
  }

  /// The rows around a row, of a table in rows; nil if no such row exists.
  ///
  /// They begin at a multiple of their maximum number, as compact clusters do.
  func rowBatch(holding row: Int64, budget: Unmanaged<WalkBudget>? = nil) throws -> ObjectBatch? {
    let count = try objectCount()
    guard row >= 0, row < Int64(count) else { return nil }
    let first = Int(row) & ~(Cluster.mostObjects - 1)
    return ObjectBatch(table: self, rows: first..<min(count, first + Cluster.mostObjects), budget: budget)
  }
}

/// Objects that are stored together in the file: at most 256, with the values of each property side by side.
///
/// In formats 10–24 these are the clusters of a tree, in older ones ranges of rows.
///
/// A plain value that is free to copy; valid as long as its snapshot is alive.
package struct ObjectBatch: @unchecked Sendable {
  private let owner: Unmanaged<Table>
  private let keys: ClusterKeys
  /// Where the leaves are; nil for rows.
  private let cluster: Node?
  /// Of the walk that has arrived here; nil for a batch that is read alone.
  private let budget: Unmanaged<WalkBudget>?

  /// - Parameter budget: one that the store keeps alive: counting references to it would cost more than reading does.
  init(table: Table, cluster: Cluster, budget: Unmanaged<WalkBudget>? = nil) {
    owner = .passUnretained(table)
    (keys, self.cluster) = (cluster.keys, cluster.node)
    self.budget = budget
  }

  /// - Parameter rows: 256 at most.
  init(table: Table, rows: Range<Int>, budget: Unmanaged<WalkBudget>? = nil) {
    owner = .passUnretained(table)
    (keys, cluster) = (ClusterKeys(from: UInt64(rows.lowerBound), count: rows.count), nil)
    self.budget = budget
  }

  package var table: Table { owner._withUnsafeGuaranteedRef { $0 } }

  package var count: Int { keys.count }

  /// The batch's place in the file, which differs for all batches of a table that exist at the same time. Nodes are at
  /// multiples of 8.
  package var place: UInt64 {
    cluster?.ref.rawValue ?? (count == 0 ? 1 : UInt64(bitPattern: key(at: 0).rawValue) &<< 1 | 1)
  }

  /// The key of the object in `row`, where `0 <= row < count`.
  package func key(at row: Int) -> ObjectKey { keys.key(at: row) }

  /// The row of the object with `key`; nil if it is not in this batch.
  package func row(of key: ObjectKey) -> Int? { keys.row(of: key) }

  /// The values of the property at `index` of the table's schema.
  ///
  /// - Throws: `StorageError.corrupted` if the values are damaged as a whole.
  package func values(ofProperty index: Int) throws -> PropertyValues {
    let column = table.columns[index]
    if let rows = column.rows {
      return PropertyValues(
        rows: try RowValues(rows, column.enumeration, keys, in: table.store), store: table.store, budget: budget)
    }
    guard let cluster else { throw StorageError.corrupted(table.root, .missingNode) }
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

  /// The elements of a column of incoming links.
  ///
  /// - Throws: `StorageError.corrupted` if they are damaged as a whole.
  func backlinks(through column: BacklinkColumn) throws -> BacklinkElements {
    if let rows = column.rows { return .rows(rows, keys) }
    guard let cluster else { throw StorageError.corrupted(table.root, .missingNode) }
    let leaf = try Node(cluster.leafRef(column.leafIndex), in: table.store)
    try leaf.requireRefs("a leaf of backlinks")
    return .leaf(leaf)
  }
}

/// The elements of a column of incoming links for the objects of a batch: the same in all formats
/// (Docs/Format/3-tables-and-objects.md §5.2).
enum BacklinkElements {
  case leaf(Node)
  case rows(RowColumn, ClusterKeys)

  func element(at row: Int, in store: ByteStore) throws -> Int64 {
    switch self {
    case .leaf(let leaf): try leaf.int(row)
    case .rows(let column, let keys):
      try column.backlinkElement(row: column.row(of: keys.key(at: row), in: store), in: store)
    }
  }
}

/// The values of one property for the objects of a batch.
///
/// A plain value that is free to copy; valid as long as its snapshot is alive.
package struct PropertyValues: @unchecked Sendable {
  private enum Source {
    case leaf(Leaf, Ref)
    case rows(RowValues)
  }

  private let source: Source
  fileprivate let store: Unmanaged<ByteStore>
  /// For values that may be used in many places; nil for all others.
  private let budget: Unmanaged<WalkBudget>?

  init(leaf: Leaf, ref: Ref, store: ByteStore, budget: Unmanaged<WalkBudget>?) {
    source = .leaf(leaf, ref)
    self.store = .passUnretained(store)
    self.budget = leaf.canShareLongValues ? budget : nil
  }

  init(rows: RowValues, store: ByteStore, budget: Unmanaged<WalkBudget>?) {
    source = .rows(rows)
    self.store = .passUnretained(store)
    self.budget = budget
  }

  package var count: Int {
    switch source {
    case .leaf(let leaf, _): leaf.count
    case .rows(let rows): rows.count
    }
  }

  /// Where the values are, for errors.
  private var ref: Ref {
    switch source {
    case .leaf(_, let ref): ref
    case .rows(let rows): rows.ref
    }
  }

  /// The values as integers; nil if they are anything else, or may be null.
  package var integers: IntegerValues? {
    guard case .leaf(let leaf, _) = source, case .ints(let node) = leaf.searchable else { return nil }
    return IntegerValues(node: node)
  }

  /// How many elements a list has that is one of the values.
  func elementCount(of list: ListView) throws -> Int {
    try store._withUnsafeGuaranteedRef { try list.count(in: $0) }
  }

  /// Calls `body` with the leaf, and with the account for long values.
  ///
  /// - Returns: nil if the values are not a leaf, but rows of a column.
  @inline(__always)
  func withLeaf<Result>(_ body: (Leaf, ByteStore, (_ byteCount: Int) throws -> Void) throws -> Result) rethrows
    -> Result?
  {
    guard case .leaf(let leaf, _) = source else { return nil }
    return try store._withUnsafeGuaranteedRef { store in
      try body(leaf, store) { byteCount in
        if let budget { try budget._withUnsafeGuaranteedRef { try $0.spend(onBytes: byteCount, at: ref) } }
      }
    }
  }

  /// The value in `row`.
  ///
  /// - Throws: `StorageError.corrupted` if it cannot be read.
  package func value(at row: Int) throws -> ValueView { try value(at: row, showsTombstones: false) }

  /// The value in `row`, links to tombstones with their unresolved keys.
  package func valueShowingTombstones(at row: Int) throws -> ValueView { try value(at: row, showsTombstones: true) }

  @inline(__always)
  private func value(at row: Int, showsTombstones: Bool) throws -> ValueView {
    let value = try store._withUnsafeGuaranteedRef { store in
      switch source {
      case .leaf(let leaf, _): try leaf.value(at: row, in: store, showsTombstones: showsTombstones)
      case .rows(let rows): try rows.value(at: row, in: store)
      }
    }
    if let budget { try budget._withUnsafeGuaranteedRef { try $0.spend(onValue: value, at: ref) } }
    return value
  }

  /// Reads all values into `values`, which has room for them, in one go.
  ///
  /// - Parameter damaged: called for each value that cannot be read, which becomes null.
  package func decode(
    into values: UnsafeMutableBufferPointer<ValueView>, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) {
    store._withUnsafeGuaranteedRef { store in
      switch source {
      case .leaf(let leaf, _): leaf.decode(into: values, in: store, damaged: damaged)
      case .rows(let rows): rows.decode(into: values, in: store, damaged: damaged)
      }
    }
    guard let budget else { return }
    let rows = 0..<min(count, values.count)
    // All threads of a walk share the budget: in a sound file they meet there once per leaf.
    let bytes = rows.reduce(0) { $0.clampedSum(values[$1].longByteCount) }
    if budget._withUnsafeGuaranteedRef({ $0.trySpend(onBytes: bytes) }) { return }
    for row in rows {
      do { try budget._withUnsafeGuaranteedRef { try $0.spend(onValue: values[row], at: ref) } } catch {
        values[row] = .null
        if let error = error as? StorageError { damaged(row, error) }
      }
    }
  }
}

/// The values of a property of integers without null, for looking up single values again and again: a value for all
/// encodings is large, and would be copied each time.
package struct IntegerValues: Sendable {
  fileprivate let node: Node

  /// The value in `row`.
  ///
  /// - Throws: `StorageError.corrupted` if no such row exists.
  package func value(at row: Int) throws -> Int64 { try node.int(row) }
}

/// The batches of a table, one after another.
package struct ObjectBatches {
  package enum Step {
    case batch(ObjectBatch)
    /// Part of the objects could not be read; the others follow.
    case damaged(StorageError)
  }

  private enum Walk {
    case clusters(ClusterWalk)
    case rows(RowWalk)
  }

  private let table: Table
  private let budget: WalkBudget
  private var walk: Walk

  fileprivate init(of table: Table, budget: WalkBudget) {
    (self.table, self.budget) = (table, budget)
    if let clusters = table.clusters {
      let walk = ClusterWalk(clusters, in: table.store, budget: budget, leafIndexes: table.leafIndexes)
      self.walk = .clusters(walk)
    } else {
      walk = .rows(RowWalk(of: table, budget: budget))
    }
  }

  package mutating func next() -> Step? {
    switch walk {
    case .clusters(var clusters):
      let step = clusters.next()
      walk = .clusters(clusters)
      return switch step {
      case .cluster(let cluster): .batch(ObjectBatch(table: table, cluster: cluster, budget: .passUnretained(budget)))
      case .damaged(let error): .damaged(error)
      case nil: nil
      }
    case .rows(var rows):
      defer { walk = .rows(rows) }
      return rows.next()
    }
  }
}

extension ObjectBatches {
  /// Finds its place again after the bytes of the file were released.
  ///
  /// - Returns: why objects after this place can no longer be read; nil if they can.
  package mutating func restorePlaces() -> StorageError? {
    guard case .clusters(var clusters) = walk else { return nil }
    defer { walk = .clusters(clusters) }
    return clusters.restorePlaces()
  }
}

extension Table {
  /// Calls `body` with all objects, a batch at a time. Pages are given back in between.
  ///
  /// - Throws: `StorageError` if objects are damaged; what `body` throws.
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
