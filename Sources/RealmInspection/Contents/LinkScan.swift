import RealmStorage

/// Reads links and backlinks as they are stored, tombstones included.
///
/// Damaged nodes are skipped; they were reported by the checks of nodes and values.
struct LinkScan {
  let context: CheckContext

  private var store: ByteStore { context.store }

  /// One link: from an object, to an object of a table.
  struct Link {
    let table: TableKey
    let target: ObjectKey
    let origin: ObjectKey

    @inline(__always) var hash: UInt64 {
      var hash = UInt64(bitPattern: target.rawValue) &* 0x9e37_79b9_7f4a_7c15
      hash = (hash ^ hash >> 32) &+ UInt64(bitPattern: origin.rawValue) &* 0xc2b2_ae3d_27d4_eb4f
      hash = (hash ^ hash >> 29) &* 0xbf58_476d_1ce4_e5b9 &+ UInt64(table.rawValue)
      hash = (hash ^ hash >> 32) &* 0x94d0_49bb_1331_11eb
      return hash ^ hash >> 31
    }
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
      guard leaf.holdsRefs else { return }
      for row in 0..<min(leaf.count, entry.count) {
        context.prefetchChild(of: leaf, ahead: row)
        guard let root = leaf.slot(row).child else { continue }
        let origin = keys[row]
        collectionLinks(root, collection, column.element, level: 0) { table, target in
          visit(Link(table: table, target: target, origin: origin))
        }
      }
    default: break
    }
  }

  private func leaf(_ entry: ObjectDirectory.Entry, _ leafIndex: Int) -> Node? {
    entry.leafRef(leafIndex, in: store).flatMap(node)
  }

  /// A node, unless it cannot be read, or was visited often enough.
  private func node(_ ref: Ref) -> Node? { context.visited(ref) }

  private func singleLinks(_ leaf: Node, _ table: TableKey, _ keys: RowKeys, _ visit: (Link) -> Void) {
    guard leaf.holdsIntegers else { return }
    for row in 0..<min(leaf.count, keys.count) {
      let stored = leaf.uncheckedInt(row)
      if stored != 0 { visit(Link(table: table, target: ObjectKey(rawValue: stored &- 1), origin: keys[row])) }
    }
  }

  private func collectionLinks(
    _ root: Ref, _ kind: CollectionKind, _ element: ElementType, level: Int, _ visit: (TableKey, ObjectKey) -> Void
  ) {
    guard kind != .dictionary else { return dictionaryLinks(root, level: level, visit) }
    forEachLeaf(root) { scan, leaf in
      guard element.code == .link else { return scan.mixedLinks(leaf, level: level) { visit($1, $2) } }
      guard leaf.holdsIntegers, leaf.count <= CheckContext.mostElements else { return }
      for index in 0..<leaf.count {
        let key = leaf.uncheckedInt(index)
        // A null is a finding of its own.
        if key != -1 { visit(element.target, ObjectKey(rawValue: key)) }
      }
    }
  }

  private func dictionaryLinks(_ root: Ref, level: Int, _ visit: (TableKey, ObjectKey) -> Void) {
    guard let top = node(root) else { return }
    if context.format >= 23 {
      guard top.holdsRefs, top.count == DictionaryLayout.treeCount,
        let values = try? top.childRef(DictionaryLayout.values)
      else { return }
      return forEachLeaf(values) { scan, leaf in scan.mixedLinks(leaf, level: level) { visit($1, $2) } }
    }
    var walk = ClusterWalk(ClusterTree(root: root), in: store, budget: WalkBudget.bytes(of: store))
    while let step = walk.next() {
      guard case .cluster(let cluster) = step, context.visit(cluster.node.ref) else { return }
      guard let ref = try? cluster.leafRef(DictionaryLayout.values), let values = try? Node(ref, in: store) else {
        continue
      }
      mixedLinks(values, level: level) { visit($1, $2) }
    }
  }

  /// Calls `visit` with row, table and object of each link in a mixed leaf and in the collections nested there.
  private func mixedLinks(_ leaf: Node, level: Int, _ visit: (Int, TableKey, ObjectKey) -> Void) {
    guard leaf.holdsRefs, leaf.count >= 4, let composite = leaf.slot(0).child.flatMap(node), composite.holdsIntegers,
      composite.count <= CheckContext.mostElements, context.spend(elements: composite.count, at: leaf.ref)
    else { return }
    let pairs = leaf.slot(2).child.flatMap(node)
    let refs = leaf.slot(4).child.flatMap(node)
    for row in 0..<composite.count {
      let element = MixedElement(composite.uncheckedInt(row))
      let index = element.payload
      guard index >= 0 else { continue }
      if element.slot == 2, element.type == .typedLink {
        guard let pairs, pairs.holdsIntegers, index < Int64(pairs.count / 2) else { continue }
        let table = TableKey(rawValue: UInt32(truncatingIfNeeded: pairs.uncheckedInt(Int(index) * 2)))
        visit(row, table, ObjectKey(rawValue: pairs.uncheckedInt(Int(index) * 2 + 1)))
      } else if element.slot == 4, let kind = element.collection {
        guard level < MixedElement.mostNesting, let refs, refs.holdsRefs, index < Int64(refs.count),
          let root = refs.slot(Int(index)).child
        else { continue }
        collectionLinks(root, kind, .mixed, level: level + 1) { visit(row, $0, $1) }
      }
    }
  }

  // MARK: Backlinks

  /// Calls `visit` with row and origin of each backlink of a column in the objects of one cluster, and `badForm` with
  /// rows whose backlinks are not stored as their number asks for (Docs/Format/3-tables-and-objects.md §5.2).
  ///
  /// - Parameter longList: called with the row and the root of a list that is a tree of several leaves.
  func backlinks(
    of column: CheckedBacklinkColumn, in entry: ObjectDirectory.Entry, _ visit: (Int, ObjectKey) -> Void,
    longList: (Int, Ref) -> Void = { _, _ in }, badForm: (Int, Ref) -> Void = { _, _ in }
  ) {
    guard let leaf = leaf(entry, column.leafIndex), leaf.holdsRefs else { return }
    for row in 0..<min(leaf.count, entry.count) {
      let element = RefOrTagged(leaf.uncheckedInt(row))
      context.prefetchChild(of: leaf, ahead: row)
      guard element.rawValue != 0 else { continue }
      guard !element.isTagged else {
        visit(row, ObjectKey(rawValue: Int64(bitPattern: element.tagged)))
        continue
      }
      var count = 0
      let root = node(element.ref)
      if let root, root.isInner { longList(row, element.ref) }
      forEachLeaf(root, level: 0, areBacklinks: true) { _, list in
        guard list.holdsIntegers else { return }
        count += list.count
        for index in 0..<list.count { visit(row, ObjectKey(rawValue: list.uncheckedInt(index))) }
      }
      if count < 2 { badForm(row, element.ref) }
    }
  }

  // MARK: Trees

  /// Calls `visit` with the leaves of a tree, and with this scan: a closure that captured it would count references for
  /// each tree, of which there are as many as objects.
  private func forEachLeaf(_ root: Ref, _ visit: (LinkScan, Node) -> Void) {
    forEachLeaf(node(root), level: 0, visit)
  }

  /// - Parameter areBacklinks: a list of backlinks can be one leaf of any length, which engines up to format 23 write
  ///   and later ones keep.
  private func forEachLeaf(
    _ node: Node?, level: Int, areBacklinks: Bool = false, _ visit: (LinkScan, Node) -> Void
  ) {
    guard let node, level <= InnerTreeNode.maximumDepth else { return }
    guard node.isInner else {
      let isAffordable =
        areBacklinks
        ? context.spend(leafOf: node.count, at: node.ref)
        : node.count <= CheckContext.mostElements && context.spend(elements: node.count, at: node.ref)
      return isAffordable ? visit(self, node) : ()
    }
    guard node.holdsRefs else { return }
    for index in 1..<max(1, node.count - 1) {
      guard let child = node.slot(index).child else { continue }
      forEachLeaf(self.node(child), level: level + 1, areBacklinks: areBacklinks, visit)
    }
  }
}

extension Node {
  /// Whether the elements are references, or plain integers, whatever else the flags say.
  fileprivate var holdsRefs: Bool { flags & 0x58 == 0x40 }
  fileprivate var holdsIntegers: Bool { flags & 0x58 == 0 }
}
