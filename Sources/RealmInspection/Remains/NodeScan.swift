import RealmStorage

/// Finds nodes that look as if they describe others, in one pass over all bytes, whatever refers to them.
///
/// Each node is judged by its own bytes; the code that uses it checks what it refers to. Memory is bounded: from a file
/// that consists of such nodes, only the first of each kind are taken.
struct NodeScan {
  /// Roots of snapshots.
  private(set) var tops: [Ref] = []
  /// Roots of tables.
  private(set) var tableTops: [Ref] = []
  /// Descriptions of columns.
  private(set) var specs: [Ref] = []
  /// Lists of the keys of columns.
  private(set) var columnKeys: [Ref] = []
  /// Lists of names of tables.
  private(set) var names: [Ref] = []
  /// Inner nodes of the trees of objects.
  private(set) var innerNodes: [Ref] = []
  /// Groups of objects, and nodes that look like one until their children are checked.
  private(set) var clusters: [Ref] = []

  /// Nodes of search indexes.
  private(set) var indexNodes: [Ref] = []

  private static let mostOfAKind = 1 << 20

  /// - Parameter isTaken: returns whether eight bytes belong to something that is known.
  init(_ bytes: RescueBytes, isTaken: (UInt64) -> Bool) {
    let (store, size) = (bytes.store, UInt64(bytes.byteCount))
    var offset = UInt64(RawHeader.size)
    while offset + UInt64(Node.headerSize) <= size {
      let end = min((offset | UInt64(PageCache.pageSize - 1)) + 1, size & ~7)
      if let start = try? store.bytes(at: offset, length: Int(end - offset)) {
        for place in stride(from: offset, to: end, by: 8) {
          let word = (start + Int(place - offset)).loadUnaligned(as: UInt64.self)
          guard NodeHeader.isSignature(UInt32(truncatingIfNeeded: UInt64(littleEndian: word)).littleEndian) else {
            continue
          }
          let header = NodeHeader(UInt64(littleEndian: word))
          guard Self.mayDescribe(header), !isTaken(place)
          else { continue }
          guard let node = try? Node(Ref(place), in: store) else { continue }
          if header.flags & 0x78 == 0x60 {
            if bytes.isWhole(node), let index = try? IndexNode(node.ref, in: store), index.count > 0,
              bytes.isWhole(index.keys)
            {
              Self.add(node.ref, to: &indexNodes)
            }
          } else if bytes.isWhole(node) || node.isInner {
            judge(node, size)
          }
        }
      }
      offset = end
      bytes.letGoOfPages()
    }
  }

  /// Whether a node may refer to others, or contain names or the keys of columns.
  private static func mayDescribe(_ header: NodeHeader) -> Bool {
    if header.flags & 0x78 == 0x40 || header.flags & 0x78 == 0x60 { return header.count > 1 }
    if header.flags & 0xf8 == 0x08 { return header.count > 0 }
    return header.flags & 0xf8 == 0 && header.flags & 7 >= 6 && header.count > 0
  }

  private mutating func judge(_ node: Node, _ size: UInt64) {
    guard node.hasRefs else {
      if node.scheme == .bits {
        if RescueSpec(keys: node) != nil { Self.add(node.ref, to: &columnKeys) }
        return
      }
      if Self.holdsTableNames(node) { Self.add(node.ref, to: &names) }
      return
    }
    if node.isInner {
      if Self.isInnerClusterNode(node, size) { Self.add(node.ref, to: &innerNodes) }
      return
    }
    if node.count <= 14 {
      let raw = RawSlots(node)
      if raw.count <= 12, Self.isTop(node, size) { return Self.add(node.ref, to: &tops) }
      if raw.count >= 12, Self.isTableTop(node, size) { return Self.add(node.ref, to: &tableTops) }
      if raw.count == RawSpec.slotCount, Self.isSpec(node, size) { Self.add(node.ref, to: &specs) }
    }
    if Self.isCluster(node, size) { Self.add(node.ref, to: &clusters) }
  }

  private static func add(_ ref: Ref, to list: inout [Ref]) {
    if list.count < mostOfAKind { list.append(ref) }
  }

  /// Inner nodes of trees of objects that no other node refers to, in the order of the file.
  ///
  /// - Parameter letGoOfPages: called between two nodes.
  func rootsOfTrees(in store: ByteStore, _ letGoOfPages: () -> Void) -> [Ref] {
    var children: Set<Ref> = []
    for ref in innerNodes {
      guard let node = try? Node(ref, in: store) else { continue }
      for child in node.clusterChildren where !child.isNull { children.insert(child) }
      letGoOfPages()
    }
    return innerNodes.filter { !children.contains($0) }
  }

  // MARK: Shapes

  /// Docs/Format/1-container.md §3.1.
  static func isTop(_ node: Node, _ size: UInt64) -> Bool {
    let top = RawTop(node)
    return RawTop.slotCounts.contains(top.count) && top.isLikely(inFileOf: size) && top[.logicalSize].isTagged
      && top.logicalSize & 7 == 0 && top.logicalSize > top[.tableNames].ref.rawValue
  }

  /// Docs/Format/3-tables-and-objects.md §2.
  static func isTableTop(_ node: Node, _ size: UInt64) -> Bool {
    let top = RawTableTop(node)
    return RawTableTop.slotCounts.contains(top.count) && top.isLikely(inFileOf: size) && top[.key].isTagged
      && top[.key].tagged < UInt64(TableKey.null.rawValue)
  }

  /// §3.1.
  static func isSpec(_ node: Node, _ size: UInt64) -> Bool {
    let spec = RawSpec(node)
    return spec.count >= RawSpec.slotCount && spec.isLikely(inFileOf: size)
  }

  /// §4.3. Some of its children may be lost.
  static func isInnerClusterNode(_ node: Node, _ size: UInt64) -> Bool {
    let first = ClusterTree.InnerNode.firstChildSlot
    return node.count > first && InnerClusterSlot.allCases.allSatisfy { $0.content.allows(node.slot($0)) }
      && ClusterTree.InnerNode.depths.contains(Int(clamping: node.slot(InnerClusterSlot.depth).tagged))
      && SlotContent.refOrZero.isLikely(node.slot(InnerClusterSlot.offsets), inFileOf: size)
      && (first..<node.count).allSatisfy { SlotContent.refOrZero.isLikely(node.slot($0), inFileOf: size) }
  }

  /// §4.2.
  static func isCluster(_ node: Node, _ size: UInt64) -> Bool {
    let first = node.slot(0)
    let hasKeys =
      first.isTagged
      ? (1...UInt64(Cluster.mostObjects)).contains(first.tagged) : first.ref.isPlace(inFileOf: size)
    guard hasKeys else { return false }
    var hasLeaf = false
    for index in 1..<min(node.count, ColumnKey.mostLeafIndexes) {
      guard SlotContent.refOrZero.isLikely(node.slot(index), inFileOf: size) else { return false }
      if node.slot(index).rawValue != 0 { hasLeaf = true }
    }
    return hasLeaf
  }

  /// Texts of which one is the name of a class's table (§1, §7.1).
  private static func holdsTableNames(_ node: Node) -> Bool {
    guard node.scheme == .multiply, node.width >= 8, node.count < TableKey.mostSlots, let names = try? node.names()
    else {
      return false
    }
    return names.contains { $0.hasPrefix(TableSchema.classPrefix) }
  }
}
