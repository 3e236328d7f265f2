/// The values and incoming links of objects, cluster by cluster.
extension TableEditor {
  func newCluster(base: UInt64) -> EditedCluster {
    let cluster = EditedCluster(base: base, leafCount: leafCount)
    fillEmpty(cluster)
    cluster.isLoaded = true
    return cluster
  }

  /// Every new object has the same values until one of them is set.
  private func fillEmpty(_ cluster: EditedCluster) {
    for leafIndex in columns.map(\.leafIndex) + backlinks.map(\.leafIndex) {
      makeRoom(in: cluster, for: leafIndex)
      cluster.leaves[leafIndex] = .defaults
    }
  }

  /// All leaves of a cluster that are in the file, to be changed.
  func loadAll(_ cluster: EditedCluster) throws {
    if cluster.isLoaded { return }
    cluster.isLoaded = true
    if cluster.stored == nil, cluster.count == 0 { return fillEmpty(cluster) }
    for column in columns where !cluster.hasDefaults(column.leafIndex) { try loadValues(column, in: cluster) }
    for column in backlinks where !cluster.hasDefaults(column.leafIndex) {
      try loadBacklinks(column.leafIndex, in: cluster)
    }
  }

  /// Puts the rows of a cluster behind those of the one before it.
  func join(_ cluster: EditedCluster, _ next: EditedCluster) throws {
    try loadAll(cluster)
    try loadAll(next)
    for column in columns where !(cluster.hasDefaults(column.leafIndex) && next.hasDefaults(column.leafIndex)) {
      try loadValues(column, in: cluster)
      try loadValues(column, in: next)
    }
    for column in backlinks where !(cluster.hasDefaults(column.leafIndex) && next.hasDefaults(column.leafIndex)) {
      try loadBacklinks(column.leafIndex, in: cluster)
      try loadBacklinks(column.leafIndex, in: next)
    }
    cluster.append(next)
    try next.release(output)
  }

  /// Makes a cluster have the place of a column.
  func makeRoom(in cluster: EditedCluster, for leafIndex: Int) {
    let missing = leafIndex + 1 - cluster.leaves.count
    if missing > 0 { cluster.leaves += Array(repeating: .none, count: missing) }
  }

  private func requirePlace(_ leafIndex: Int, in cluster: EditedCluster) throws {
    guard leafIndex < cluster.leaves.count else {
      throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// The values of one column in a cluster, to be changed; the leaf in the file is given back.
  func loadValues(_ column: EditedColumn, in cluster: EditedCluster) throws {
    try requirePlace(column.leafIndex, in: cluster)
    switch cluster.leaves[column.leafIndex] {
    case .values, .backlinks: return
    case .defaults:
      let cell = EditedCell.value(column.defaultValue)
      cluster.leaves[column.leafIndex] = .values(EditedCells(Array(repeating: cell, count: cluster.count)))
    case .stored(let ref):
      cluster.leaves[column.leafIndex] = .values(EditedCells(try cells(column, ref, count: cluster.count)))
      // Collections that are not looked at stay where they are.
      if column.type.collection != nil {
        output.release(ref, byteSize: try Node(ref, in: store).byteSize)
      } else {
        try output.releaseTree(ref)
      }
    case .none: throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// What a leaf in the file holds.
  private func cells(_ column: EditedColumn, _ ref: Ref, count: Int) throws -> [EditedCell] {
    if column.type.collection != nil {
      let roots = try Node(ref, in: store)
      try roots.requireRefs("the collections of a property")
      guard roots.count == count else {
        throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: roots.count))
      }
      return try (0..<count).map { .storedCollection(try roots.childRef($0)) }
    }
    let leaf = try storedLeaf(column, ref, count: count)
    return try values(of: leaf, ref, walk).map { .value($0) }
  }

  /// All values of a leaf in the file, copied.
  private func values(of leaf: Leaf, _ ref: Ref, _ walk: CollectionWalk) throws -> [Value] {
    let store = self.store
    let budget = leaf.canShareLongValues ? WalkBudget.values(of: store) : nil
    return try (0..<leaf.count).map {
      let value = try leaf.value(at: $0, in: store, showsTombstones: true)
      try budget?.spend(onValue: value, at: ref)
      return try Value(value, walk)
    }
  }

  private func storedLeaf(_ column: EditedColumn, _ ref: Ref, count: Int) throws -> Leaf {
    let leaf =
      if let collection = column.type.collection {
        try Leaf(ref, of: collection, column.type.element, in: store)
      } else {
        try Leaf(
          ref, of: column.type.element, enumeration: column.column.enumeration, inCollection: false, in: store)
      }
    guard leaf.count == count else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: leaf.count))
    }
    return leaf
  }

  var walk: CollectionWalk {
    var walk = base.collectionWalk(passes: 4)
    walk.showsTombstones = true
    return walk
  }

  /// The value in a row of a cluster.
  func value(
    _ column: EditedColumn, in cluster: EditedCluster, row: Int, _ walk: CollectionWalk? = nil
  ) throws -> Value {
    guard column.leafIndex < cluster.leaves.count else { return column.defaultValue }
    switch cluster.leaves[column.leafIndex] {
    case .values(let leaf): return try value(of: leaf.cells[row], column, walk)
    case .defaults: return column.defaultValue
    case .stored(let ref):
      let leaf = try storedLeaf(column, ref, count: cluster.count)
      return try Value(try leaf.value(at: row, in: store, showsTombstones: true), walk ?? self.walk)
    case .none, .backlinks: throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// The values of all objects of a cluster.
  ///
  /// - Parameter walk: for what goes through all clusters, so that no collection is read for one after the other.
  func values(_ column: EditedColumn, in cluster: EditedCluster, _ walk: CollectionWalk? = nil) throws -> [Value] {
    let walk = walk ?? self.walk
    guard column.leafIndex < cluster.leaves.count, case .stored(let ref) = cluster.leaves[column.leafIndex] else {
      return try (0..<cluster.count).map { try value(column, in: cluster, row: $0, walk) }
    }
    return try values(of: storedLeaf(column, ref, count: cluster.count), ref, walk)
  }

  private func value(of cell: EditedCell, _ column: EditedColumn, _ walk: CollectionWalk?) throws -> Value {
    switch cell {
    case .value(let value): return value
    case .storedCollection(let root):
      let walk = walk ?? self.walk
      let element = column.type.element
      switch column.type.collection {
      case .list: return try Value(.list(ListView(root: root, element: element)), walk)
      case .set: return try Value(.set(ListView(root: root, element: element)), walk)
      case .dictionary:
        let target = element.code == .link ? element.target : nil
        return try Value(.dictionary(DictionaryView(root: root, linkTarget: target)), walk)
      case nil: return .null
      }
    }
  }

  /// Puts a value into a row of a loaded leaf. Incoming links are the caller's business.
  func store(_ value: Value, _ column: EditedColumn, in cluster: EditedCluster, row: Int) throws {
    try loadValues(column, in: cluster)
    guard case .values(let leaf) = cluster.leaves[column.leafIndex] else { return }
    if case .storedCollection(let root) = leaf.cells[row] { try output.releaseTree(root) }
    leaf.cells[row] = .value(value)
    column.noteIndexChange(at: ObjectKey(rawValue: Int64(bitPattern: cluster.keys[row])))
    isTouched = true
  }

  // MARK: Backlink cells

  func loadBacklinks(_ leafIndex: Int, in cluster: EditedCluster) throws {
    try requirePlace(leafIndex, in: cluster)
    switch cluster.leaves[leafIndex] {
    case .backlinks, .values: return
    case .defaults: cluster.leaves[leafIndex] = .backlinks(EditedCells(Array(repeating: .empty, count: cluster.count)))
    case .stored(let ref):
      let leaf = try Node(ref, in: store)
      try leaf.requireRefs("incoming links")
      guard leaf.count == cluster.count else {
        throw StorageError.corrupted(ref, .wrongElementCount(expected: cluster.count, found: leaf.count))
      }
      cluster.leaves[leafIndex] = .backlinks(
        EditedCells(
          (0..<leaf.count).map { row in
            let element = RefOrTagged(leaf.uncheckedInt(row))
            if element.isTagged { return .keys([Int64(bitPattern: element.tagged)]) }
            return element.ref.isNull ? .empty : .storedList(element.ref)
          }))
      output.release(ref, byteSize: leaf.byteSize)
    case .none: throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// The keys in a cell.
  func keys(_ cell: BacklinkCell) throws -> [Int64] {
    switch cell {
    case .keys(let keys): return keys
    case .storedList(let root):
      var keys: [Int64] = []
      try BPlusTree(root: root, element: .objectKey).forEachLeaf(
        in: store, budget: WalkBudget.bytes(of: store), damaged: { throw $0 }
      ) { leaf in
        for index in 0..<leaf.count {
          if case .int(let key) = try leaf.value(at: index, in: store) { keys.append(key) }
        }
      }
      return keys
    }
  }
}
