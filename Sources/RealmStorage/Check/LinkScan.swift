/// Reads links and backlinks as they are stored, tombstones included.
///
/// Damaged nodes are passed over; they were reported by the checks of nodes and values.
struct LinkScan {
  let context: CheckContext

  private var store: ByteStore { context.store }
  private static let mostNesting = 100

  /// One link: from an object, to an object of a table.
  struct Link {
    let table: TableKey
    let target: ObjectKey
    let origin: ObjectKey
  }

  // MARK: Links

  /// Calls `visit` with each link of a column in the objects of one cluster, once per occurrence.
  func links(of column: CheckedColumn, in entry: ObjectDirectory.Entry, _ visit: (Link) -> Void) {
    guard let leaf = leaf(entry, column.leafIndex) else { return }
    let keys = RowKeys(entry, in: store)
    switch (column.type, column.collection) {
    case (.link, nil): singleLinks(leaf, column.target, keys, visit)
    case (.mixed, nil):
      mixedLinks(leaf, level: 0) { row, table, target in
        visit(Link(table: table, target: target, origin: keys[row]))
      }
    case (_, let collection?):
      guard leaf.flags & 0x58 == 0x40 else { return }
      for row in 0..<min(leaf.count, entry.count) {
        let root = RefOrTagged(leaf.uncheckedInt(row))
        guard root.rawValue != 0, !root.isTagged else { continue }
        let origin = keys[row]
        collectionLinks(root.ref, collection, column.element, level: 0) { table, target in
          visit(Link(table: table, target: target, origin: origin))
        }
      }
    default: break
    }
  }

  private func leaf(_ entry: ObjectDirectory.Entry, _ leafIndex: Int) -> Node? {
    guard let cluster = try? Node(entry.ref, in: store), leafIndex + 1 < cluster.count, cluster.hasRefs,
      case let element = RefOrTagged(cluster.uncheckedInt(leafIndex + 1)), !element.isTagged, !element.ref.isNull,
      context.visit(element.ref)
    else { return nil }
    return try? Node(element.ref, in: store)
  }

  private func singleLinks(_ leaf: Node, _ table: TableKey, _ keys: RowKeys, _ visit: (Link) -> Void) {
    guard leaf.flags & 0x58 == 0 else { return }
    for row in 0..<min(leaf.count, keys.count) {
      let stored = leaf.uncheckedInt(row)
      if stored != 0 { visit(Link(table: table, target: ObjectKey(rawValue: stored &- 1), origin: keys[row])) }
    }
  }

  private func collectionLinks(
    _ root: Ref, _ kind: CollectionKind, _ element: ElementType, level: Int, _ visit: (TableKey, ObjectKey) -> Void
  ) {
    guard kind != .dictionary else { return dictionaryLinks(root, level: level, visit) }
    forEachLeaf(root) { leaf in
      guard element.code == .link else { return mixedLinks(leaf, level: level) { visit($1, $2) } }
      guard leaf.flags & 0x58 == 0, leaf.count <= CheckContext.mostElements else { return }
      for index in 0..<leaf.count {
        let key = leaf.uncheckedInt(index)
        // A null is a finding of its own.
        if key != -1 { visit(element.target, ObjectKey(rawValue: key)) }
      }
    }
  }

  private func dictionaryLinks(_ root: Ref, level: Int, _ visit: (TableKey, ObjectKey) -> Void) {
    guard context.visit(root), let top = try? Node(root, in: store) else { return }
    if context.format >= 23 {
      guard top.flags & 0x58 == 0x40, top.count == 2, let values = try? top.childRef(1) else { return }
      return forEachLeaf(values) { mixedLinks($0, level: level) { visit($1, $2) } }
    }
    var walk = ClusterWalk(
      ClusterTree(root: root), in: store, budget: WalkBudget.bytes(of: store))
    while let step = walk.next() {
      guard case .cluster(let cluster) = step, context.visit(cluster.node.ref) else { return }
      guard let ref = try? cluster.leafRef(1), let values = try? Node(ref, in: store) else { continue }
      mixedLinks(values, level: level) { visit($1, $2) }
    }
  }

  /// Calls `visit` with row, table and object of each link in a mixed leaf and in the collections nested there.
  private func mixedLinks(_ leaf: Node, level: Int, _ visit: (Int, TableKey, ObjectKey) -> Void) {
    guard leaf.flags & 0x58 == 0x40, leaf.count >= 4, let composite = child(leaf, 0), composite.flags & 0x58 == 0,
      composite.count <= CheckContext.mostElements, context.spend(elements: composite.count, at: leaf.ref)
    else { return }
    let pairs = child(leaf, 2)
    let refs = leaf.count > 4 ? child(leaf, 4) : nil
    for row in 0..<composite.count {
      let element = composite.uncheckedInt(row)
      let index = element >> 8
      guard index >= 0 else { continue }
      switch (TypeCode(rawValue: Int(element & 31) - 1), element >> 5 & 7) {
      case (.typedLink, 2):
        guard let pairs, pairs.flags & 0x58 == 0, index < Int64(pairs.count / 2) else { continue }
        let table = TableKey(rawValue: UInt32(truncatingIfNeeded: pairs.uncheckedInt(Int(index) * 2)))
        visit(row, table, ObjectKey(rawValue: pairs.uncheckedInt(Int(index) * 2 + 1)))
      case (.list, 4):
        nested(refs, index, .list, level) { visit(row, $0, $1) }
      case (.dictionary, 4):
        nested(refs, index, .dictionary, level) { visit(row, $0, $1) }
      default: continue
      }
    }
  }

  private func nested(
    _ refs: Node?, _ index: Int64, _ kind: CollectionKind, _ level: Int, _ visit: (TableKey, ObjectKey) -> Void
  ) {
    guard level < Self.mostNesting, let refs, refs.flags & 0x58 == 0x40, index < Int64(refs.count) else { return }
    let root = RefOrTagged(refs.uncheckedInt(Int(index)))
    guard !root.isTagged, root.rawValue != 0 else { return }
    collectionLinks(root.ref, kind, .mixed, level: level + 1, visit)
  }

  private func child(_ node: Node, _ slot: Int) -> Node? {
    guard let ref = try? node.childRef(slot), !ref.isNull, context.visit(ref) else { return nil }
    return try? Node(ref, in: store)
  }

  // MARK: Backlinks

  /// Calls `visit` with row and origin of each backlink of a column in the objects of one cluster, and `badForm` with
  /// rows whose backlinks are not stored as their number asks for (Docs/Format/3-tables-and-objects.md §5.2).
  func backlinks(
    of column: CheckedBacklinkColumn, in entry: ObjectDirectory.Entry, _ visit: (Int, ObjectKey) -> Void,
    badForm: (Int, Ref) -> Void = { _, _ in }
  ) {
    guard let leaf = leaf(entry, column.leafIndex), leaf.flags & 0x58 == 0x40 else { return }
    for row in 0..<min(leaf.count, entry.count) {
      let element = RefOrTagged(leaf.uncheckedInt(row))
      guard element.rawValue != 0 else { continue }
      guard !element.isTagged else {
        visit(row, ObjectKey(rawValue: Int64(bitPattern: element.tagged)))
        continue
      }
      var count = 0
      forEachLeaf(element.ref) { list in
        guard list.flags & 0x58 == 0 else { return }
        count += list.count
        for index in 0..<list.count { visit(row, ObjectKey(rawValue: list.uncheckedInt(index))) }
      }
      if count < 2 { badForm(row, element.ref) }
    }
  }

  // MARK: Trees

  /// Calls `visit` with the leaves of a tree.
  private func forEachLeaf(_ root: Ref, level: Int = 0, _ visit: (Node) -> Void) {
    guard level <= BPlusTree.maximumDepth, context.visit(root), let node = try? Node(root, in: store) else {
      return
    }
    guard node.isInner else {
      guard context.spend(elements: node.count, at: root) else { return }
      return visit(node)
    }
    guard node.flags & 0x58 == 0x40 else { return }
    for index in 1..<max(1, node.count - 1) {
      let element = RefOrTagged(node.uncheckedInt(index))
      if !element.isTagged, element.rawValue != 0 { forEachLeaf(element.ref, level: level + 1, visit) }
    }
  }
}

/// The keys of a cluster's objects.
struct RowKeys {
  private let offset: UInt64
  private let keys: Node?
  let count: Int

  init(_ entry: ObjectDirectory.Entry, in store: ByteStore) {
    offset = entry.offset
    let node = entry.keys.isNull ? nil : try? Node(entry.keys, in: store)
    keys = node
    count = node.map { min($0.count, entry.count) } ?? (entry.keys.isNull ? entry.count : 0)
  }

  /// The key of an object, where `0 <= row < count`; null beyond.
  subscript(row: Int) -> ObjectKey {
    guard row >= 0, row < count else { return ObjectKey(rawValue: -1) }
    return ObjectKey(rawValue: Int64(bitPattern: offset &+ (keys?.uncheckedUnsigned(row) ?? UInt64(row))))
  }
}
