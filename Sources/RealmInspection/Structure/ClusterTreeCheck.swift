import RealmStorage

/// The tree of a table's objects, or of its tombstones, and the directory of its clusters
/// (Docs/Format/3-tables-and-objects.md §4.2, §4.3, §4.7, §9.1).
struct ClusterTreeCheck {
  private let context: CheckContext
  private let table: CheckedTable
  private let part: Finding.Part
  private let liveLeafIndexes: Set<Int>
  private var directory = ObjectDirectory()

  private static let narrowestKeys = 8

  init(_ context: CheckContext, _ table: CheckedTable, _ part: Finding.Part) {
    self.context = context
    self.table = table
    self.part = part
    liveLeafIndexes = table.liveLeafIndexes
  }

  mutating func run(_ root: Ref) -> ObjectDirectory {
    _ = visit(root, Reach(offset: 0, limit: nil, depth: nil, level: 0))
    directory.sortIfNeeded()
    return directory
  }

  /// The position of a node in the tree.
  private struct Reach {
    let offset: UInt64
    /// Relative keys stay below it; nil for the last child of the last child.
    let limit: UInt64?
    /// The depth that its parent requires; nil at the root.
    let depth: Int?
    let level: Int
  }

  /// - Returns: the number of objects below; nil if it cannot be determined.
  private mutating func visit(_ ref: Ref, _ reach: Reach) -> Int? {
    guard reach.level <= ClusterTree.maximumDepth else { return fail(.clusterDepth, ref) }
    guard !ref.isNull else { return fail(.nodeMissing, ref) }
    guard context.visit(ref), let node = try? Node(ref, in: context.store) else { return nil }
    guard node.hasRefs, node.scheme == .bits, node.count > 0 else { return fail(.clusterNode, ref) }
    if node.context { report(.clusterNode, ref) }
    return node.isInner ? visitInner(node, reach) : visitCluster(node, reach)
  }

  private func report(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none, position: Int? = nil) {
    context.log.add(kind, facts, at: table.place(part, ref: ref, position: position))
  }

  /// Reports, and gives nothing.
  private func fail<T>(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none, position: Int? = nil) -> T? {
    report(kind, ref, facts, position: position)
    return nil
  }

  // MARK: Inner nodes

  private mutating func visitInner(_ node: Node, _ reach: Reach) -> Int? {
    let childCount = node.count - ClusterTree.InnerNode.firstChildSlot
    guard childCount > 0 else { return fail(.clusterChildren, node.ref, .count(childCount)) }
    if childCount > Cluster.mostObjects { report(.clusterChildren, node.ref, .count(childCount)) }
    guard childCount <= CheckContext.mostElements else { return nil }
    let depth = self.depth(of: node, reach)
    guard let offsets = offsets(of: node, childCount: childCount, depth: depth) else { return nil }
    var total: Int? = 0
    for index in 0..<childCount {
      guard let child = try? node.childRef(index + ClusterTree.InnerNode.firstChildSlot) else {
        report(.nodeKind, node.ref, position: index + ClusterTree.InnerNode.firstChildSlot)
        total = nil
        continue
      }
      let count = visit(child, childReach(offsets, index, depth, reach))
      total = total.flatMap { sum in count.map { sum + $0 } }
    }
    let stored = node.slot(InnerClusterSlot.objectCount)
    if let total, !stored.isTagged || stored.tagged != UInt64(total) {
      report(.clusterTotal, node.ref, .counts(total, found: stored.tagged))
    }
    return total
  }

  private func depth(of node: Node, _ reach: Reach) -> Int {
    let stored = node.slot(InnerClusterSlot.depth)
    let depth = Int(clamping: stored.tagged)
    let isPossible = stored.isTagged && ClusterTree.InnerNode.depths.contains(depth)
    if !isPossible || depth != reach.depth ?? depth {
      report(.clusterDepth, node.ref, .counts(reach.depth ?? 1, found: depth))
    }
    // The tree itself is more likely to be right than a number in it.
    return max(reach.depth ?? (isPossible ? depth : 1), 1)
  }

  /// The offset of each child, compared with the rules: the first is 0, they ascend, their node is wide enough to be
  /// changed.
  private func offsets(of node: Node, childCount: Int, depth: Int) -> [UInt64]? {
    let first = node.slot(InnerClusterSlot.offsets)
    guard first.rawValue != 0 else {
      let shift = context.bitsPerClusterLevel * UInt64(depth)
      return (0..<childCount).map { UInt64($0) << shift }
    }
    guard !first.isTagged else { return fail(.clusterOffsets, node.ref, position: 0) }
    guard let stored = try? Node(first.ref, in: context.store) else { return nil }
    guard stored.has(.integers), stored.count >= childCount else {
      return fail(.clusterOffsets, stored.ref, .counts(childCount, found: stored.count))
    }
    if stored.width < Self.narrowestKeys { report(.clusterKeyWidth, stored.ref, .count(stored.width)) }
    let offsets = (0..<childCount).map(stored.uncheckedUnsigned)
    let ascends = zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 }
    if stored.count != childCount || offsets.first != 0 || !ascends { report(.clusterOffsets, stored.ref) }
    return offsets
  }

  private func childReach(_ offsets: [UInt64], _ index: Int, _ depth: Int, _ reach: Reach) -> Reach {
    let offset = offsets[index]
    let limit =
      index + 1 < offsets.count ? offsets[index + 1] &- offset : reach.limit.map { $0 >= offset ? $0 - offset : 0 }
    return Reach(offset: reach.offset &+ offset, limit: limit, depth: depth - 1, level: reach.level + 1)
  }

  // MARK: Clusters

  private mutating func visitCluster(_ node: Node, _ reach: Reach) -> Int? {
    if let depth = reach.depth, depth != 0 {
      report(.clusterDepth, node.ref, .counts(depth, found: 0))
    }
    let first = node.slot(0)
    let keys = context.node(first.child, .integers) { report(.nodeKind, $0.ref, .text("keys of objects")) }
    guard first.isTagged || keys != nil else {
      if first.rawValue == 0 { report(.nodeMissing, node.ref, position: 0) }
      return nil
    }
    let count = keys?.count ?? Int(clamping: first.tagged)
    guard count <= Cluster.mostObjects else { return fail(.clusterSize, node.ref, .count(count)) }
    if count == 0, reach.level > 0 { report(.clusterEmpty, node.ref) }
    // A node of eight bytes can claim thousands of columns.
    guard context.spend(table.columns.count + table.backlinks.count, at: node.ref) else { return nil }
    if let keys { checkKeys(keys) }
    checkLeaves(node)
    if count > 0 {
      add(node, keys, count, reach)
    } else {
      directory.emptyCluster = ObjectDirectory.Entry(
        ref: node.ref, offset: reach.offset, keys: .null, count: 0, firstKey: reach.offset)
    }
    return count
  }

  private func checkKeys(_ keys: Node) {
    if keys.width < Self.narrowestKeys { report(.clusterKeyWidth, keys.ref, .count(keys.width)) }
    for row in 1..<max(1, keys.count) where keys.uncheckedUnsigned(row) <= keys.uncheckedUnsigned(row - 1) {
      return report(.clusterKeys, keys.ref, position: row)
    }
  }

  /// A leaf for each column that exists, none for those that are gone.
  private func checkLeaves(_ node: Node) {
    for column in table.columns where node.slot(column.leafIndex + 1).child == nil {
      reportMissingLeaf(node, .property(column.name))
    }
    for column in table.backlinks where node.slot(column.leafIndex + 1).child == nil {
      reportMissingLeaf(node, column.name)
    }
    for slot in 1..<max(1, node.count)
    where node.uncheckedInt(slot) != 0 && !liveLeafIndexes.contains(slot - 1)
      && !table.unreadableLeafIndexes.contains(slot - 1)
    {
      report(.clusterDeadLeaf, node.ref, position: slot)
    }
  }

  private func reportMissingLeaf(_ node: Node, _ name: Finding.ColumnName) {
    context.log.add(.clusterMissingLeaf, at: Finding.Place(part: part, table: table.name, column: name, ref: node.ref))
  }

  private mutating func add(_ node: Node, _ keys: Node?, _ count: Int, _ reach: Reach) {
    let firstRelative = keys?.uncheckedUnsigned(0) ?? 0
    let lastRelative = keys?.uncheckedUnsigned(count - 1) ?? UInt64(count - 1)
    let (first, last) = (reach.offset &+ firstRelative, reach.offset &+ lastRelative)
    if let limit = reach.limit, lastRelative >= limit {
      report(.clusterKeyRange, node.ref, .expected(Int64(bitPattern: limit), found: Int64(bitPattern: lastRelative)))
    }
    let isSound =
      part == .tombstones
      ? Int64(bitPattern: first) <= -2 && Int64(bitPattern: last) <= -2
      : Int64(bitPattern: first) >= 0 && Int64(bitPattern: last) >= 0
    if !isSound { report(.objectKey, node.ref, .found(Int64(bitPattern: last))) }
    directory.append(
      ObjectDirectory.Entry(
        ref: node.ref, offset: reach.offset, keys: keys?.ref ?? .null, count: count, firstKey: first))
  }
}
