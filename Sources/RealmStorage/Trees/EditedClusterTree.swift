/// The objects of a table, or its tombstones, while a transaction changes them: a tree whose nodes are read when they
/// are needed (Docs/Format/3-tables-and-objects.md §4).
final class EditedClusterTree {
  let store: ByteStore
  var root: EditedNode
  /// Number of objects.
  var count: Int
  /// Inner nodes that are no longer part of the tree.
  var dropped: [EditedNode] = []

  /// A node of the tree.
  final class EditedNode {
    enum Content {
      case stored(Ref)
      case inner([EditedNode])
      case cluster(EditedCluster)
    }

    /// The lowest key that may be below it.
    var base: UInt64
    var content: Content
    /// The inner node in the file, to be given back when it is rewritten.
    var storedInner: Node?
    /// 0 for clusters; nil as long as a root has not been looked at.
    var depth: Int?
    /// Objects below an inner node.
    var total = 0
    var isChanged = false

    init(base: UInt64, _ content: Content, depth: Int? = 0) {
      (self.base, self.content, self.depth) = (base, content, depth)
    }
  }

  /// - Parameter root: null for a tree that is not there yet.
  init(_ root: Ref, in store: ByteStore) throws {
    self.store = store
    if root.isNull {
      self.root = EditedNode(base: 0, .cluster(EditedCluster(base: 0, leafCount: 0)))
      count = 0
    } else {
      self.root = EditedNode(base: 0, .stored(root), depth: nil)
      count = try ClusterTree(root: root).count(in: store)
      guard count <= Self.mostObjects else { throw StorageError.corrupted(root, .valueOutOfRange("number of objects")) }
    }
  }

  // MARK: Loading

  func load(_ node: EditedNode, _ budget: WalkBudget? = nil) throws {
    guard case .stored(let ref) = node.content else { return }
    let stored = try Node(ref, in: store)
    // With one node at least for each slot.
    try budget?.spend(stored.byteSize + stored.count * Node.headerSize, at: ref)
    guard stored.isInner else {
      guard node.depth ?? 0 == 0 else { throw StorageError.corrupted(ref, .valueOutOfRange("depth of a cluster")) }
      node.content = .cluster(try EditedCluster(stored, base: node.base, in: store))
      node.depth = 0
      return
    }
    let inner = try ClusterTree.InnerNode(stored, in: store)
    try require(inner, below: node)
    let children = try (0..<inner.childCount).map { index in
      EditedNode(
        base: node.base &+ inner.childOffset(index), .stored(try inner.childRef(index)), depth: inner.depth - 1)
    }
    node.storedInner = stored
    (node.depth, node.total) = (inner.depth, inner.objectCount)
    node.content = .inner(children)
  }

  /// Depths that go down step by step end every way; what is counted here and added to must not overflow.
  private func require(_ inner: ClusterTree.InnerNode, below node: EditedNode) throws {
    let ref = inner.node.ref
    guard node.depth ?? inner.depth == inner.depth else {
      throw StorageError.corrupted(ref, .valueOutOfRange("depth of a cluster"))
    }
    guard inner.childCount <= Cluster.mostObjects else {
      throw StorageError.corrupted(ref, .tooManyElements(inner.childCount))
    }
    guard inner.objectCount <= Self.mostObjects else {
      throw StorageError.corrupted(ref, .valueOutOfRange("number of objects"))
    }
    for index in 1..<max(inner.childCount, 1) where inner.childOffset(index - 1) >= inner.childOffset(index) {
      throw StorageError.corrupted(ref, .valueOutOfRange("key offsets of clusters"))
    }
  }

  /// More than any file has room for.
  static let mostObjects = 1 << 48

  /// Where the child for a key is.
  private func child(for key: UInt64, among children: [EditedNode], base: UInt64) -> Int {
    max(firstIndex(in: 0..<children.count) { children[$0].base &- base > key &- base } - 1, 0)
  }

  /// The way that was asked for last: work mostly goes on where it was.
  final class Way {
    let nodes: [EditedNode]
    let cluster: EditedCluster
    /// The base of what comes behind the cluster; nil where nothing does.
    private let end: UInt64?
    private var isChanged = false

    init(_ nodes: [EditedNode], to cluster: EditedCluster, end: UInt64?) {
      (self.nodes, self.cluster, self.end) = (nodes, cluster, end)
    }

    func leads(to key: UInt64) -> Bool { key >= cluster.base && end.map { key < $0 } ?? true }

    /// Marks all that is on the way as changed.
    func change() {
      guard !isChanged else { return }
      for node in nodes { node.isChanged = true }
      cluster.isChanged = true
      isChanged = true
    }
  }

  /// Nil after every change of what nodes there are.
  var lastWay: Way?

  /// The way from the root to the cluster that has a key, or would have it.
  func way(to key: UInt64) throws -> Way {
    if let lastWay, lastWay.leads(to: key) { return lastWay }
    var nodes = [root]
    var end: UInt64?
    for _ in 0...ClusterTree.maximumDepth {
      guard let node = nodes.last else { break }
      try load(node)
      switch node.content {
      case .cluster(let cluster):
        let way = Way(nodes, to: cluster, end: end)
        lastWay = way
        return way
      case .inner(let children):
        let index = child(for: key, among: children, base: node.base)
        if index + 1 < children.count { end = children[index + 1].base }
        nodes.append(children[index])
      case .stored: break
      }
    }
    throw StorageError.corrupted(.null, .tooDeep)
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
  /// - Returns: the cluster and row of the object; nil where there is none.
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
    try forEachCluster(below: root, depth: 0, changing: changing, budget, visit)
  }

  private func forEachCluster(
    below node: EditedNode, depth: Int, changing: Bool, _ budget: WalkBudget, _ visit: (EditedCluster) throws -> Void
  ) throws {
    guard depth <= ClusterTree.maximumDepth else { throw StorageError.corrupted(.null, .tooDeep) }
    let wasStored = if case .stored = node.content { true } else { false }
    let stored = node.content
    try load(node, budget)
    if changing { node.isChanged = true }
    switch node.content {
    case .cluster(let cluster):
      if changing { cluster.isChanged = true }
      try visit(cluster)
    case .inner(let children):
      for child in children { try forEachCluster(below: child, depth: depth + 1, changing: changing, budget, visit) }
    case .stored: break
    }
    // What was only looked at need not stay in memory.
    if wasStored, !changing, !hasChanges(node) {
      node.content = stored
      lastWay = nil
    }
  }

  private func hasChanges(_ node: EditedNode) -> Bool {
    switch node.content {
    case .stored: false
    case .cluster(let cluster): cluster.isChanged || node.isChanged
    case .inner(let children): node.isChanged || children.contains { hasChanges($0) }
    }
  }
}
