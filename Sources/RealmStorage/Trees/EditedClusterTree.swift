/// The objects of a table, or its tombstones, while a transaction changes them: a tree whose nodes are read when they
/// are needed (Docs/Format/3-tables-and-objects.md §4).
final class EditedClusterTree: EditedTree {
  typealias Leaf = EditedCluster
  /// The lowest key that may be below a child.
  typealias Bound = UInt64

  struct Summary {
    /// The lowest key that may be below the node; offsets of its children are relative to it.
    var base: UInt64
    /// Levels below.
    let depth: Int
    /// Number of objects.
    var total: Int
  }

  let store: ByteStore
  var root: Subtree
  /// Number of objects.
  var count: Int
  /// Inner nodes in the file that are no longer part of the tree.
  var dropped: [Node] = []

  /// - Parameter root: null for a new tree.
  init(_ root: Ref, in store: ByteStore) throws {
    self.store = store
    if root.isNull {
      self.root = .leaf(EditedCluster(base: 0, leafCount: 0))
      count = 0
    } else {
      self.root = .stored(root)
      count = try Self.objectCount(ClusterTree(root: root).count(in: store), at: root)
    }
  }

  // MARK: Loading

  /// The root, read if necessary.
  func loadedRoot(_ budget: WalkBudget? = nil) throws -> Subtree {
    if case .stored(let ref) = root { root = try load(ref, base: 0, depth: nil, budget) }
    return root
  }

  /// A child, read if necessary.
  func child(_ index: Int, of node: Inner, _ budget: WalkBudget? = nil) throws -> Subtree {
    if case .stored(let ref) = node.children[index] {
      node.children[index] = try load(ref, base: node.bounds[index], depth: node.summary.depth - 1, budget)
    }
    return node.children[index]
  }

  /// - Parameter depth: according to the node above; nil for the root.
  private func load(_ ref: Ref, base: UInt64, depth: Int?, _ budget: WalkBudget?) throws -> Subtree {
    let stored = try Node(ref, in: store)
    // With one node at least for each slot.
    try budget?.spend(stored.byteSize + stored.count * Node.headerSize, at: ref)
    guard stored.isInner else {
      guard depth ?? 0 == 0 else { throw StorageError.corrupted(ref, .valueOutOfRange("depth of a cluster")) }
      return .leaf(try EditedCluster(stored, base: base, in: store))
    }
    let inner = try ClusterTree.InnerNode(stored, in: store)
    // Depths that decrease step by step end every path.
    guard depth ?? inner.depth == inner.depth else {
      throw StorageError.corrupted(ref, .valueOutOfRange("depth of a cluster"))
    }
    guard inner.childCount <= Cluster.mostObjects else {
      throw StorageError.corrupted(ref, .tooManyElements(inner.childCount))
    }
    for index in 1..<max(inner.childCount, 1) where inner.childOffset(index - 1) >= inner.childOffset(index) {
      throw StorageError.corrupted(ref, .valueOutOfRange("key offsets of clusters"))
    }
    let total = try Self.objectCount(inner.objectCount, at: ref)
    return .inner(
      Inner(
        (0..<inner.childCount).map { base &+ inner.childOffset($0) },
        try (0..<inner.childCount).map { .stored(try inner.childRef($0)) },
        Summary(base: base, depth: inner.depth, total: total), stored: [stored] + [inner.offsets].compactMap { $0 }))
  }

  /// - Throws: `StorageError.corrupted` for more objects than any file has room for: numbers are added to it.
  static func objectCount(_ stated: Int, at ref: Ref) throws -> Int {
    guard stated <= 1 << 48 else { throw StorageError.corrupted(ref, .valueOutOfRange("number of objects")) }
    return stated
  }

  // MARK: Ways

  /// The last path: work mostly continues in the same place.
  final class Way {
    /// Inner nodes from the root on, each with the place of the child that comes next.
    let steps: [(node: Inner, index: Int)]
    let cluster: EditedCluster
    /// The base of what follows the cluster; nil if nothing does.
    private let end: UInt64?
    private var isChanged = false

    init(_ steps: [(node: Inner, index: Int)], to cluster: EditedCluster, end: UInt64?) {
      (self.steps, self.cluster, self.end) = (steps, cluster, end)
    }

    func leads(to key: UInt64) -> Bool { key >= cluster.base && end.map { key < $0 } ?? true }

    /// Marks everything on the path as changed.
    func change() {
      guard !isChanged else { return }
      for step in steps { step.node.isChanged = true }
      cluster.isChanged = true
      isChanged = true
    }
  }

  /// Nil after every change of the set of nodes.
  var lastWay: Way?

  /// The path from the root to the cluster that has a key, or would have it.
  func way(to key: UInt64) throws -> Way {
    if let lastWay, lastWay.leads(to: key) { return lastWay }
    var steps: [(node: Inner, index: Int)] = []
    var end: UInt64?
    var subtree = try loadedRoot()
    while case .inner(let inner) = subtree {
      let base = inner.summary.base
      let index = max(firstIndex(in: 0..<inner.count) { inner.bounds[$0] &- base > key &- base } - 1, 0)
      if index + 1 < inner.count { end = inner.bounds[index + 1] }
      steps.append((inner, index))
      subtree = try child(index, of: inner)
    }
    guard case .leaf(let cluster) = subtree else { throw StorageError.corrupted(.null, .tooDeep) }
    let way = Way(steps, to: cluster, end: end)
    lastWay = way
    return way
  }

  // MARK: Objects

  /// The cluster and row of an object.
  func find(_ key: ObjectKey) throws -> (cluster: EditedCluster, row: Int)? {
    let key = UInt64(bitPattern: key.rawValue)
    let cluster = try way(to: key).cluster
    return cluster.row(of: key).map { (cluster, $0) }
  }

  /// Marks an object's cluster and all above it as changed.
  ///
  /// - Returns: the cluster and row of the object; nil if there is none.
  func change(_ key: ObjectKey) throws -> (cluster: EditedCluster, row: Int)? {
    let key = UInt64(bitPattern: key.rawValue)
    let way = try way(to: key)
    guard let row = way.cluster.row(of: key) else { return nil }
    way.change()
    return (way.cluster, row)
  }

  /// The lowest key: only the root of a tree can be without objects.
  func firstKey() throws -> UInt64? { try way(to: 0).cluster.keys.first }

  /// Calls `visit` with all clusters in order.
  ///
  /// - Parameter changing: whether every one of them will be changed.
  func forEachCluster(changing: Bool = false, _ visit: (EditedCluster) throws -> Void) throws {
    defer { lastWay = nil }
    // The slots of clusters and of the nodes above may be narrower than the nodes they lead to.
    let budget = WalkBudget.bytes(of: store, passes: 2)
    let before = root
    try forEachCluster(below: loadedRoot(budget), changing: changing, budget, visit)
    if isOnlyRead(root, before, changing) { root = before }
  }

  private func forEachCluster(
    below subtree: Subtree, changing: Bool, _ budget: WalkBudget, _ visit: (EditedCluster) throws -> Void
  ) throws {
    switch subtree {
    case .leaf(let cluster):
      if changing { cluster.isChanged = true }
      try visit(cluster)
    case .inner(let node):
      if changing { node.isChanged = true }
      for index in node.children.indices {
        let before = node.children[index]
        try forEachCluster(below: child(index, of: node, budget), changing: changing, budget, visit)
        guard isOnlyRead(node.children[index], before, changing) else { continue }
        node.children[index] = before
        lastWay = nil
      }
    case .stored: break
    }
  }

  /// Whether a subtree was only read and need not stay in memory.
  private func isOnlyRead(_ subtree: Subtree, _ before: Subtree, _ changing: Bool) -> Bool {
    guard case .stored = before, !changing else { return false }
    return !hasChanges(subtree)
  }

  private func hasChanges(_ subtree: Subtree) -> Bool {
    switch subtree {
    case .stored: false
    case .leaf(let cluster): cluster.isChanged
    case .inner(let node): node.isChanged || node.children.contains { hasChanges($0) }
    }
  }
}
