/// The objects of a table while a transaction changes them: keys, values and incoming links
/// (Docs/Format/3-tables-and-objects.md §4). Rules between tables are up to the callers.
final class EditedObjects {
  let columns: EditedColumns
  private let base: Snapshot
  private let output: TransactionOutput
  private let nodes: NodeEncoder
  private let account: ChangeAccount
  private let live: EditedClusterTree
  private let tombstones: EditedClusterTree
  private let hasTombstones: Bool
  /// The number of the next object.
  private(set) var sequence: UInt64
  /// Whether anything differs from the file.
  private(set) var isChanged = false
  /// Whether an object or a placeholder was removed.
  private(set) var hasRemoved = false
  private var writers = SmallMap<ColumnKey, EditedLeafWriter>()

  /// - Parameter table: nil for a new one.
  /// - Throws: `StorageError.corrupted`.
  init(_ table: Table?, key: TableKey, _ transaction: WriteTransaction) throws {
    (base, output, nodes, account) = (transaction.base, transaction.output, transaction.nodes, transaction.account)
    let top = try table?.clusterTop
    sequence = try top.map { [base] in try RawTableTop($0.ref, in: base.store).number(.objectSequence) } ?? 0
    live = try EditedClusterTree(top?.clusters ?? .null, in: base.store)
    tombstones = try EditedClusterTree(top?.tombstones ?? .null, in: base.store)
    hasTombstones = !(top?.tombstones.isNull ?? true)
    columns = try table.map { [live] in try EditedColumns($0, objectCount: live.count) } ?? EditedColumns(of: key)
  }

  private var store: ByteStore { base.store }

  // MARK: Keys

  /// Number of objects.
  var count: Int { live.count }

  /// The number of objects to reserve room for: the file may claim any number.
  var likelyCount: Int { min(count, base.byteCount) }

  private func tree(of key: ObjectKey) -> EditedClusterTree { key.isUnresolved ? tombstones : live }

  private var trees: [EditedClusterTree] { hasTombstones ? [live, tombstones] : [live] }

  /// The cluster and row of an object, or of a placeholder.
  func find(_ key: ObjectKey) throws -> EditedRow? { try tree(of: key).find(key).map { EditedRow($0, $1) } }

  /// As `find`, for objects alone.
  func findLive(_ key: ObjectKey) throws -> EditedRow? { try live.find(key).map { EditedRow($0, $1) } }

  /// As `find`, for changing it. The table is written then, even if the change is refused: its nodes are given back as soon
  /// as they are read for a change.
  func change(_ key: ObjectKey) throws -> EditedRow? {
    guard let (cluster, row) = try tree(of: key).change(key) else { return nil }
    isChanged = true
    return EditedRow(cluster, row)
  }

  func firstKey() throws -> ObjectKey? { try live.firstKey().map { ObjectKey(rawValue: Int64(bitPattern: $0)) } }

  /// Calls `visit` with all clusters of objects in order.
  func forEachCluster(_ visit: (EditedCluster) throws -> Void) throws { try live.forEachCluster(visit) }

  // MARK: Objects

  /// Makes an object with the next free key (§4.5); its values are defaults.
  ///
  /// - Returns: nil if no key is left.
  func make() throws -> ObjectKey? {
    isChanged = true
    while true {
      let number = sequence
      // A damaged file may claim that all keys were assigned; the highest is the last of them.
      guard number < UInt64(Int64.max) else { return nil }
      sequence = number + 1
      let key =
        columns.primaryKeyName != nil
        ? ObjectKey(rawValue: Int64(clamping: number)) : ObjectKey(spreading: UInt32(truncatingIfNeeded: number))
      let defaults = try columns.defaults(unshareEnumeration)
      guard try live.insert(key, defaults, prepare: loadAll, newCluster: newCluster) else { continue }
      for column in columns.all where !column.isIndexStale { column.noteIndexChange(at: key) }
      return key
    }
  }

  /// Removes an object, or a placeholder, whose links and collections are already gone.
  func remove(_ key: ObjectKey) throws {
    _ = try tree(of: key).remove(
      key, prepare: loadAll, emptied: { try $0.release(output) }, join: join, newCluster: newCluster)
    (isChanged, hasRemoved) = (true, true)
  }

  // MARK: Columns

  /// Puts a new leaf into every cluster.
  func addLeaves(_ leafIndex: Int, _ leaf: (EditedCluster) throws -> EditedLeaf) throws {
    for tree in trees {
      try tree.forEachCluster(changing: true) { cluster in
        cluster.makeRoom(for: leafIndex)
        cluster.leaves[leafIndex] = try leaf(cluster)
        cluster.isLoaded = false
      }
    }
  }

  /// Removes the leaves of a column from all clusters.
  func dropLeaves(_ leafIndex: Int) throws {
    for tree in trees {
      try tree.forEachCluster(changing: true) { cluster in
        guard leafIndex < cluster.leaves.count else { return }
        try cluster.leaves[leafIndex].releaseAll(output)
        cluster.leaves[leafIndex] = .none
      }
    }
  }

  /// An enumerated column contains numbers instead of strings; before one of them changes, all become strings again
  /// (§3.5).
  func unshareEnumeration(_ column: EditedColumn) throws {
    guard !column.enumeration.isNull else { return }
    for tree in trees { try tree.forEachCluster(changing: true) { try loadValues(column, in: $0) } }
    try output.releaseTree(column.enumeration)
    (column.enumeration, column.column.enumeration) = (.null, nil)
    columns.noteChange()
  }

  // MARK: Values

  /// For what goes through all clusters, so that no collection is read for one after the other.
  var walk: CollectionWalk {
    var walk = base.collectionWalk(passes: 4)
    walk.showsTombstones = true
    return walk
  }

  func value(_ column: EditedColumn, at place: EditedRow, _ walk: CollectionWalk? = nil) throws -> Value {
    let (cluster, row) = (place.cluster, place.row)
    guard column.leafIndex < cluster.leaves.count else { return column.defaultValue }
    switch cluster.leaves[column.leafIndex] {
    case .values(let leaf):
      switch leaf.cells[row] {
      case .value(let value): return value
      case .storedCollection(let root): return try Value(column.collectionView(root), walk ?? self.walk)
      }
    case .defaults: return column.defaultValue
    case .stored(let ref):
      let leaf = try column.leaf(ref, count: cluster.count, in: store)
      return try Value(try leaf.value(at: row, in: store, showsTombstones: true), walk ?? self.walk)
    case .none, .backlinks: throw cluster.missingLeaf
    }
  }

  /// The values of all objects of a cluster.
  func values(_ column: EditedColumn, in cluster: EditedCluster, _ walk: CollectionWalk? = nil) throws -> [Value] {
    let walk = walk ?? self.walk
    guard column.leafIndex < cluster.leaves.count, case .stored(let ref) = cluster.leaves[column.leafIndex] else {
      return try (0..<cluster.count).map { try value(column, at: EditedRow(cluster, $0), walk) }
    }
    return try storedValues(column, ref, count: cluster.count, walk)
  }

  /// All values of a leaf in the file, copied.
  private func storedValues(_ column: EditedColumn, _ ref: Ref, count: Int, _ walk: CollectionWalk) throws -> [Value] {
    let leaf = try column.leaf(ref, count: count, in: store)
    let store = self.store
    let budget = leaf.canShareLongValues ? WalkBudget.values(of: store) : nil
    return try (0..<count).map {
      let value = try leaf.value(at: $0, in: store, showsTombstones: true)
      try budget?.spend(onValue: value, at: ref)
      return try Value(value, walk)
    }
  }

  /// Sets the value of a row. Incoming links are up to the caller.
  func store(_ value: Value, _ column: EditedColumn, at place: EditedRow) throws {
    try loadValues(column, in: place.cluster)
    guard case .values(let leaf) = place.cluster.leaves[column.leafIndex] else { return }
    if case .storedCollection(let root) = leaf.cells[place.row] { try output.releaseTree(root) }
    account.note(work: value.elements?.count ?? 1)
    leaf.cells[place.row] = .value(value)
    column.noteIndexChange(at: place.key)
    isChanged = true
  }

  /// How many objects have a value in a column; see `EditedColumn.isSomething`.
  ///
  /// - Parameter others: objects that do not count.
  /// - Returns: the objects that count, and how many of them have a value.
  func countValues(_ column: EditedColumn, excluding others: Set<ObjectKey>) throws -> (objects: Int, values: Int) {
    var counts = (objects: 0, values: 0)
    try forEachCluster { cluster in
      var leaf: Leaf?
      if column.leafIndex < cluster.leaves.count, case .stored(let ref) = cluster.leaves[column.leafIndex] {
        leaf = try column.leaf(ref, count: cluster.count, in: store)
      }
      for (row, key) in cluster.keys.enumerated() {
        guard others.isEmpty || !others.contains(ObjectKey(rawValue: Int64(bitPattern: key))) else { continue }
        counts.objects += 1
        let isSomething =
          if let leaf {
            try leaf.value(at: row, in: store, showsTombstones: true).isSomething(in: column, base)
          } else {
            try column.isSomething(value(column, at: EditedRow(cluster, row)))
          }
        if isSomething { counts.values += 1 }
      }
    }
    return counts
  }

  /// The values of one column in a cluster, to be changed; the leaf in the file is released.
  func loadValues(_ column: EditedColumn, in cluster: EditedCluster) throws {
    try cluster.requirePlace(column.leafIndex)
    switch cluster.leaves[column.leafIndex] {
    case .values, .backlinks: return
    case .defaults:
      let cell = EditedCell.value(column.defaultValue)
      cluster.leaves[column.leafIndex] = .values(EditedCells(Array(repeating: cell, count: cluster.count)))
    case .stored(let ref) where column.collection != nil:
      let roots = try refs(ref, "the collections of a property", count: cluster.count)
      cluster.leaves[column.leafIndex] = .values(
        EditedCells(try (0..<roots.count).map { .storedCollection(try roots.childRef($0)) }))
      // Collections that are not read stay where they are.
      output.release(roots)
    case .stored(let ref):
      let values = try storedValues(column, ref, count: cluster.count, walk)
      cluster.leaves[column.leafIndex] = .values(EditedCells(values.map { .value($0) }))
      try output.releaseTree(ref)
    case .none: throw cluster.missingLeaf
    }
  }

  /// A leaf of refs in the file.
  private func refs(_ ref: Ref, _ expected: String, count: Int) throws -> Node {
    let leaf = try Node(ref, in: store)
    try leaf.requireRefs(expected)
    guard leaf.count == count else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: leaf.count))
    }
    return leaf
  }

  // MARK: Incoming links

  /// The keys of the objects that link to one through one property; the leaf stays as it is.
  func origins(_ leafIndex: Int, of place: EditedRow) throws -> [Int64] {
    guard leafIndex < place.cluster.leaves.count else { return [] }
    switch place.cluster.leaves[leafIndex] {
    case .backlinks(let leaf): return try keys(leaf.cells[place.row])
    case .stored(let ref): return try keys(BacklinkCell(Node(ref, in: store).refOrTagged(place.row)))
    case .defaults, .none, .values: return []
    }
  }

  /// Whether anything links to an object through one property; the links are not read.
  func hasOrigins(_ leafIndex: Int, of place: EditedRow) throws -> Bool {
    guard leafIndex < place.cluster.leaves.count else { return false }
    switch place.cluster.leaves[leafIndex] {
    case .backlinks(let leaf): return try !leaf.cells[place.row].isEmpty(in: store)
    case .stored(let ref): return try !BacklinkCell(Node(ref, in: store).refOrTagged(place.row)).isEmpty(in: store)
    case .defaults, .none, .values: return false
    }
  }

  func addOrigin(_ key: ObjectKey, _ leafIndex: Int, of place: EditedRow) throws {
    try changeOrigins(leafIndex, of: place) { $0.add(key.rawValue) }
  }

  func removeOrigin(_ key: ObjectKey, _ leafIndex: Int, of place: EditedRow) throws {
    try changeOrigins(leafIndex, of: place) { [account] in account.note(work: $0.remove(key.rawValue)) }
  }

  func clearOrigins(_ leafIndex: Int, of place: EditedRow) throws {
    try changeOrigins(leafIndex, of: place) { $0 = .empty }
  }

  private func changeOrigins(_ leafIndex: Int, of place: EditedRow, _ change: (inout BacklinkCell) -> Void) throws {
    try loadBacklinks(leafIndex, in: place.cluster)
    guard case .backlinks(let leaf) = place.cluster.leaves[leafIndex] else { return }
    if case .storedList(let root) = leaf.cells[place.row] {
      leaf.cells[place.row] = .keys(try keys(leaf.cells[place.row]))
      try output.releaseTree(root)
    }
    change(&leaf.cells[place.row])
    isChanged = true
  }

  private func loadBacklinks(_ leafIndex: Int, in cluster: EditedCluster) throws {
    try cluster.requirePlace(leafIndex)
    switch cluster.leaves[leafIndex] {
    case .backlinks, .values: return
    case .defaults: cluster.leaves[leafIndex] = .noBacklinks(cluster.count)
    case .stored(let ref):
      let leaf = try refs(ref, "incoming links", count: cluster.count)
      cluster.leaves[leafIndex] = .backlinks(
        EditedCells((0..<leaf.count).map { BacklinkCell(RefOrTagged(leaf.uncheckedInt($0))) }))
      output.release(leaf)
    case .none: throw cluster.missingLeaf
    }
  }

  private func keys(_ cell: BacklinkCell) throws -> [Int64] {
    switch cell {
    case .keys(let keys): return keys
    case .counted(let counts):
      return counts.keys.sorted().flatMap { Array(repeating: $0, count: counts[$0] ?? 0) }
    case .storedList(let root):
      var keys: [Int64] = []
      let tree = BPlusTree(root: root, element: .objectKey)
      try tree.forEachKey(in: store, budget: .bytes(of: store)) { keys.append($0) }
      return keys
    }
  }

  // MARK: Clusters

  private func newCluster(base: UInt64) -> EditedCluster {
    let cluster = EditedCluster(base: base, leafCount: columns.leafCount)
    fillEmpty(cluster)
    cluster.isLoaded = true
    return cluster
  }

  /// Every new object has the same values until one of them is set.
  private func fillEmpty(_ cluster: EditedCluster) {
    for leafIndex in columns.leafIndexes {
      cluster.makeRoom(for: leafIndex)
      cluster.leaves[leafIndex] = .defaults
    }
  }

  /// All leaves of a cluster that are in the file, to be changed.
  func loadAll(_ cluster: EditedCluster) throws {
    if cluster.isLoaded { return }
    cluster.isLoaded = true
    if cluster.stored == nil, cluster.count == 0 { return fillEmpty(cluster) }
    try load(cluster) { !cluster.hasDefaults($0) }
  }

  /// Appends the rows of a cluster to those of the one before it.
  private func join(_ cluster: EditedCluster, _ next: EditedCluster) throws {
    try loadAll(cluster)
    try loadAll(next)
    for each in [cluster, next] { try load(each) { !(cluster.hasDefaults($0) && next.hasDefaults($0)) } }
    cluster.append(next)
    try next.release(output)
  }

  private func load(_ cluster: EditedCluster, where isNeeded: (Int) -> Bool) throws {
    for column in columns.all where isNeeded(column.leafIndex) { try loadValues(column, in: cluster) }
    for column in columns.backlinks where isNeeded(column.leafIndex) {
      try loadBacklinks(column.leafIndex, in: cluster)
    }
  }

  // MARK: Writing

  /// Writes what has changed.
  ///
  /// - Parameter collisions: the map of key collisions in the file; null if there is none.
  func write(collisions: Ref) throws -> TableRootWriter.Objects {
    let clusters = try live.write(nodes, output, write)
    var placeholders = Ref.null
    if hasTombstones {
      // The last placeholder takes the tree with it.
      if tombstones.count == 0 {
        try tombstones.releaseAll(output)
      } else {
        placeholders = try tombstones.write(nodes, output, write)
      }
    }
    let collisions = try writeCollisionMap(collisions)
    return TableRootWriter.Objects(clusters: clusters, tombstones: placeholders, sequence: sequence) { collisions }
  }

  /// Releases all nodes.
  func releaseAll() throws { for tree in trees { try tree.releaseAll(output) } }

  private func write(_ cluster: EditedCluster) throws -> Ref {
    let links = BPlusTreeBuilder(.objectKey, nodes)
    // A damaged cluster may have more slots than there are columns; these stay.
    var refs: [Ref] = Array(repeating: .null, count: cluster.leaves.count)
    for index in cluster.leaves.indices {
      switch cluster.leaves[index] {
      case .none: continue
      case .stored(let ref): refs[index] = ref
      case .backlinks(let leaf):
        refs[index] = try nodes.integers(leaf.cells.map { try element($0, links) }, .refs)
      case .values(let leaf): refs[index] = try writer(index)?.write(leaf.cells, of: cluster.keys) ?? .null
      case .defaults:
        refs[index] =
          try writer(index)?.writeDefaults(cluster.count)
          ?? nodes.refs(Array(repeating: .null, count: cluster.count))
      }
    }
    // Slots without a column are cut off at the end.
    while let last = refs.last, last.isNull { refs.removeLast() }
    return try cluster.write(refs, nodes, output)
  }

  /// - Returns: nil for hidden columns.
  private func writer(_ leafIndex: Int) -> EditedLeafWriter? {
    guard let column = columns.all.first(where: { $0.leafIndex == leafIndex }) else { return nil }
    let writer = writers[column.key] ?? EditedLeafWriter(column.column, nodes)
    writers[column.key] = writer
    return writer
  }

  private func element(_ cell: BacklinkCell, _ tree: BPlusTreeBuilder) throws -> Int64 {
    switch cell {
    case .storedList(let root): root.element
    case .keys, .counted: try tree.incomingLinks(keys(cell))
    }
  }

  // MARK: Key collisions

  /// Writes the map of key collisions (§4.6) without entries of objects that are gone.
  ///
  /// Only engines of formats below 22 and synchronized files add to it: keys of new objects are consecutive numbers, so
  /// none of them collides. An entry is removed with its object.
  ///
  /// - Returns: null if no entry is left.
  private func writeCollisionMap(_ stored: Ref) throws -> Ref {
    guard hasRemoved, !stored.isNull else { return stored }
    let map = try Node(stored, in: store)
    // Low words, high words, keys.
    let lists = try (0..<3).map { slot in
      let list = try Node(map.childRef(slot), in: store)
      return try (0..<list.count).map { try list.int($0) }
    }
    // Lists of different lengths are damaged, which is not for a transaction to repair.
    guard let keys = lists.last, lists.allSatisfy({ $0.count == keys.count }) else { return stored }
    let kept = try keys.indices.filter { index in
      // Keys of placeholders are stored in the map like those of objects.
      try live.find(ObjectKey(rawValue: keys[index])) != nil
        || tombstones.find(ObjectKey(rawValue: -2 &- keys[index])) != nil
    }
    guard kept.count < keys.count else { return stored }
    try output.releaseTree(stored)
    guard !kept.isEmpty else { return .null }
    return try nodes.refs(lists.map { list in try nodes.integers(kept.map { list[$0] }) })
  }
}

/// The place of an object, or of a placeholder, until one is created or deleted.
struct EditedRow {
  let cluster: EditedCluster
  let row: Int

  init(_ cluster: EditedCluster, _ row: Int) { (self.cluster, self.row) = (cluster, row) }

  var key: ObjectKey { ObjectKey(rawValue: Int64(bitPattern: cluster.keys[row])) }
}

extension EditedColumn {
  /// A leaf of the column in the file.
  fileprivate func leaf(_ ref: Ref, count: Int, in store: ByteStore) throws -> Leaf {
    let leaf =
      if let collection = column.collection {
        try Leaf(ref, of: collection, column.element, in: store)
      } else {
        try Leaf(ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: store)
      }
    guard leaf.count == count else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: leaf.count))
    }
    return leaf
  }

  /// The collection with a root in the file.
  fileprivate func collectionView(_ root: Ref) -> ValueView {
    column.collection.map { Leaf.collection(root, $0, column.element) } ?? .null
  }
}

extension BacklinkCell {
  /// - Throws: `StorageError.corrupted` if a list is damaged.
  fileprivate func isEmpty(in store: ByteStore) throws -> Bool {
    switch self {
    case .keys(let keys): keys.isEmpty
    case .counted(let counts): counts.isEmpty
    case .storedList(let root): try BPlusTree(root: root, element: .objectKey).count(in: store) == 0
    }
  }
}

extension EditedCluster {
  fileprivate var missingLeaf: StorageError { .corrupted(stored?.ref ?? .null, .missingNode) }

  fileprivate func requirePlace(_ leafIndex: Int) throws {
    guard leafIndex < leaves.count else { throw missingLeaf }
  }
}
