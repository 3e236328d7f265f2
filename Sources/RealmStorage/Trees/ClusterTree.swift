/// The keys of at most 256 objects that lie together (Docs/Format/3-tables-and-objects.md §4.2).
struct ClusterKeys: Sendable {
  /// Added to each relative key, modulo 2^64.
  let offset: UInt64
  /// Relative keys in explicit form; in compact form they are 0, 1, 2 ….
  private let keys: Node?
  let count: Int

  /// Keys that follow one another.
  init(from offset: UInt64, count: Int) { (self.offset, keys, self.count) = (offset, nil, count) }

  fileprivate init(of cluster: Node, offset: UInt64, in store: ByteStore) throws {
    let first = try cluster.refOrTagged(0)
    self.offset = offset
    keys = first.isTagged ? nil : try Node(first.ref, in: store)
    try keys?.requireBits("keys of objects")
    count = keys?.count ?? Int(clamping: first.tagged)
    guard count <= Cluster.mostObjects else { throw StorageError.corrupted(cluster.ref, .tooManyElements(count)) }
  }

  /// The key of object `row`, where `0 <= row < count`.
  func key(at row: Int) -> ObjectKey {
    let relative = keys?.uncheckedUnsigned(row) ?? UInt64(row)
    return ObjectKey(rawValue: Int64(bitPattern: offset &+ relative))
  }

  /// The row of the object with `key`; nil if it is not here.
  func row(of key: ObjectKey) -> Int? {
    let relative = UInt64(bitPattern: key.rawValue) &- offset
    guard let keys else { return relative < UInt64(count) ? Int(relative) : nil }
    let row = keys.firstIndex(notBelow: relative)
    return row < count && keys.uncheckedUnsigned(row) == relative ? row : nil
  }
}

/// A group of at most 256 objects: their keys, and one leaf per column
/// (Docs/Format/3-tables-and-objects.md §4.2).
package struct Cluster: Sendable {
  package let node: Node
  let keys: ClusterKeys

  package static let mostObjects = 256

  package init(_ node: Node, offset: UInt64, in store: ByteStore) throws {
    try node.requireRefs("a cluster of objects")
    self.node = node
    keys = try ClusterKeys(of: node, offset: offset, in: store)
  }

  package var count: Int { keys.count }

  /// The key of object `row`, where `0 <= row < count`.
  package func key(at row: Int) -> ObjectKey { keys.key(at: row) }

  /// The row of the object with `key`; nil if it is not here.
  func row(of key: ObjectKey) -> Int? { keys.row(of: key) }

  /// The root of a column's leaf.
  package func leafRef(_ leafIndex: Int) throws -> Ref { try node.leafRef(leafIndex) }

  /// Refuses a group that says it is empty if a column lacks its leaf: engines make one for each column of an empty group
  /// as well, and a damaged header can make a group of many objects look like one of none.
  ///
  /// - Throws: `StorageError.corrupted`.
  func requireLeaves(at leafIndexes: [Int]) throws {
    guard count == 0 else { return }
    for leafIndex in leafIndexes where try leafRef(leafIndex).isNull {
      throw StorageError.corrupted(node.ref, .missingNode)
    }
  }
}

extension Node {
  /// The root of a column's leaf in a cluster.
  func leafRef(_ leafIndex: Int) throws -> Ref {
    guard leafIndex + 1 < count else { throw StorageError.corrupted(ref, .missingNode) }
    return try childRef(leafIndex + 1)
  }
}

extension Node {
  /// The first position whose unsigned element is not below `value`, in an ascending node.
  package func firstIndex(notBelow value: UInt64) -> Int {
    RealmStorage.firstIndex(in: 0..<count) { uncheckedUnsigned($0) >= value }
  }
}

/// The first slots of an inner node of a tree of objects; its children follow (Docs/Format/3-tables-and-objects.md §4.3).
package enum InnerClusterSlot: Int, StructureSlot {
  case offsets, depth, objectCount

  package var content: SlotContent { self == .offsets ? .refOrZero : .number }
}

extension Node {
  /// The children of an inner node of a tree of objects, null if there is none.
  package var clusterChildren: some Sequence<Ref> {
    let first = ClusterTree.InnerNode.firstChildSlot
    return (first..<max(count, first)).lazy.map { slot($0).child ?? .null }
  }
}

/// The objects of a table in order of their keys (Docs/Format/3-tables-and-objects.md §4).
package struct ClusterTree: Sendable {
  let root: Ref

  package init(root: Ref) { self.root = root }

  /// Eight levels of 256 children and objects span all keys.
  package static let maximumDepth = 8

  /// An inner node: offsets, depth, total, children (§4.3).
  package struct InnerNode: Sendable {
    let node: Node
    /// Key offsets of the children; nil in compact form.
    let offsets: Node?
    let depth: Int
    let objectCount: Int
    package let childCount: Int

    /// Slots before the children.
    package static let firstChildSlot = InnerClusterSlot.allCases.count

    /// Levels of nodes from here down to the groups of objects.
    package static let depths = 1...ClusterTree.maximumDepth

    package init(_ node: Node, in store: ByteStore) throws {
      try node.requireTreeNode()
      guard node.count > Self.firstChildSlot else {
        throw StorageError.corrupted(
          node.ref, .wrongElementCount(expected: Self.firstChildSlot + 1, found: node.count))
      }
      self.node = node
      let first = try node.childRef(InnerClusterSlot.offsets.rawValue)
      offsets = first.isNull ? nil : try Node(first, in: store)
      depth = Int(clamping: try node.tagged(InnerClusterSlot.depth.rawValue))
      objectCount = Int(clamping: try node.tagged(InnerClusterSlot.objectCount.rawValue))
      childCount = node.count - Self.firstChildSlot
      try offsets?.requireBits("key offsets of clusters")
      guard Self.depths.contains(depth) else { throw StorageError.corrupted(node.ref, .tooDeep) }
      guard offsets.map({ $0.count >= childCount }) ?? (childCount <= Cluster.mostObjects) else {
        throw StorageError.corrupted(node.ref, .wrongElementCount(expected: childCount, found: offsets?.count ?? 0))
      }
    }

    package func childRef(_ index: Int) throws -> Ref { try node.childRef(index + Self.firstChildSlot) }

    package func childOffset(_ index: Int) -> UInt64 {
      offsets?.uncheckedUnsigned(index) ?? UInt64(index) << (8 * UInt64(depth))
    }

    /// The child that can contain a key relative to this node.
    func child(for relative: UInt64) -> Int? {
      guard let offsets else { return Int(min(relative >> (8 * UInt64(depth)), UInt64(childCount - 1))) }
      let next = relative == .max ? childCount : min(offsets.firstIndex(notBelow: relative + 1), childCount)
      return next == 0 ? nil : next - 1
    }
  }

  /// Number of objects, from the root alone.
  ///
  /// - Throws: `StorageError.corrupted`, also for a number that the file has no room for.
  package func count(in store: ByteStore, leafIndexes: [Int] = []) throws -> Int {
    let node = try Node(root, in: store)
    guard node.isInner else {
      let cluster = try Cluster(node, offset: 0, in: store)
      try cluster.requireLeaves(at: leafIndexes)
      return cluster.count
    }
    let count = try InnerNode(node, in: store).objectCount
    guard count <= Self.mostObjects(in: store) else {
      throw StorageError.corrupted(root, .valueOutOfRange("number of objects"))
    }
    return count
  }

  /// More objects than a file has room for: a cluster of 256 takes sixteen bytes at least.
  static func mostObjects(in store: ByteStore) -> Int {
    store.count.multiplied(atMost: Cluster.mostObjects / (2 * Node.headerSize))
  }

  /// The cluster and row of the object with `key`; nil if there is none.
  func find(_ key: ObjectKey, in store: ByteStore) throws -> (cluster: Cluster, row: Int)? {
    var ref = root
    var offset: UInt64 = 0
    for _ in 0...Self.maximumDepth {
      let node = try Node(ref, in: store)
      guard node.isInner else {
        let cluster = try Cluster(node, offset: offset, in: store)
        return cluster.row(of: key).map { (cluster, $0) }
      }
      let inner = try InnerNode(node, in: store)
      guard let child = inner.child(for: UInt64(bitPattern: key.rawValue) &- offset) else { return nil }
      ref = try inner.childRef(child)
      offset &+= inner.childOffset(child)
    }
    throw StorageError.corrupted(ref, .tooDeep)
  }
}

/// A walk over the clusters of a tree in order, one step at a time, that continues after damaged nodes.
package struct ClusterWalk {
  package enum Step {
    case cluster(Cluster)
    /// A node that could not be read; its siblings follow.
    case damaged(StorageError)
  }

  private struct Level {
    var inner: ClusterTree.InnerNode
    let offset: UInt64
    var next = 0
  }

  private let store: ByteStore
  let budget: WalkBudget
  /// Each cluster has a leaf at each of them.
  private let leafIndexes: [Int]
  private var levels: [Level] = []
  /// The next node, with its key offset.
  private var pending: (ref: Ref, offset: UInt64)?
  /// Objects that the root says there are and that the walk has not reached; nil if it is not known.
  private var missing: Int?
  private let root: Ref

  package init(_ tree: ClusterTree, in store: ByteStore, budget: WalkBudget, leafIndexes: [Int] = []) {
    (self.store, self.leafIndexes) = (store, leafIndexes)
    self.budget = budget
    root = tree.root
    pending = (tree.root, 0)
  }

  /// The next cluster, or nil after the last. Clusters that together have fewer or more objects than the root says are
  /// followed by damage, unless some of them could not be read.
  package mutating func next() -> Step? {
    while true {
      if pending == nil { takeNextChild() }
      guard let (ref, offset) = pending else { return wrongCount() }
      pending = nil
      do {
        let node = try Node(ref, in: store)
        try budget.spend(node.byteSize, at: ref)
        guard node.isInner else {
          try budget.spend(leafIndexes.count * Node.headerSize, at: ref)
          let cluster = try Cluster(node, offset: offset, in: store)
          try cluster.requireLeaves(at: leafIndexes)
          missing = missing.map { $0 - cluster.count }
          return .cluster(cluster)
        }
        guard levels.count < ClusterTree.maximumDepth else { throw StorageError.corrupted(ref, .tooDeep) }
        let inner = try ClusterTree.InnerNode(node, in: store)
        if ref == root { missing = inner.objectCount }
        levels.append(Level(inner: inner, offset: offset))
      } catch let error as StorageError {
        missing = nil
        return .damaged(error)
      } catch {
        missing = nil
        return .damaged(.corrupted(ref, .missingNode))
      }
    }
  }

  private mutating func wrongCount() -> Step? {
    guard let missing, missing != 0, let inner = try? ClusterTree.InnerNode(Node(root, in: store), in: store) else {
      return nil
    }
    self.missing = nil
    return .damaged(
      .corrupted(root, .wrongElementCount(expected: inner.objectCount, found: inner.objectCount - missing)))
  }

  /// Reads the nodes on the path again, after the bytes of the file were released.
  ///
  /// - Returns: the error that keeps the rest from being read; nil without one.
  mutating func restorePlaces() -> StorageError? {
    for index in levels.indices {
      do {
        levels[index].inner = try ClusterTree.InnerNode(Node(levels[index].inner.node.ref, in: store), in: store)
      } catch {
        levels.removeSubrange(index...)
        return error as? StorageError
      }
    }
    return nil
  }

  /// Moves to the next child of the innermost level that has one.
  private mutating func takeNextChild() {
    while var level = levels.popLast() {
      guard level.next < level.inner.childCount else { continue }
      let index = level.next
      level.next += 1
      levels.append(level)
      // A slot without a ref yields the null ref, which is reported as a missing node when it is looked at.
      let ref = (try? level.inner.childRef(index)) ?? .null
      pending = (ref, level.offset &+ level.inner.childOffset(index))
      return
    }
  }
}
