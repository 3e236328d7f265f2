/// What is left of the history inside a realm when nobody can read it any longer: a single change, which changed nothing
/// (Docs/Format/1-container.md §3.6). An engine leaves that when it opens a realm to compact it.
package struct EmptiedHistory {
  /// Widths of the ends and the null flags of a leaf of short changes; nil for one that has had a long change. A leaf
  /// never gets narrower, and never has a form for short changes again.
  private let widths: (ends: ElementWidth, nulls: ElementWidth)?

  private static let fresh = (ends: ElementWidth.zero, nulls: ElementWidth(holding: 1))

  /// - Parameter root: of the history before; its last leaf stays. One that cannot be read is replaced by a new one.
  package init(of root: Ref, in store: ByteStore) {
    widths = root.isNull ? Self.fresh : Self.widths(below: root, in: store)
  }

  private static func widths(below root: Ref, in store: ByteStore) -> (ends: ElementWidth, nulls: ElementWidth)? {
    guard let leaf = try? lastLeaf(below: root, in: store), leaf.hasRefs else { return fresh }
    guard !leaf.context else { return nil }
    func width(_ slot: Int) -> ElementWidth? {
      leaf.slot(slot).child.flatMap { try? Node($0, in: store) }.map { ElementWidth(ofFlags: $0.flags) }
    }
    return (width(0) ?? fresh.ends, max(width(2) ?? fresh.nulls, fresh.nulls))
  }

  private static func lastLeaf(below root: Ref, in store: ByteStore) throws -> Node {
    let node = try Node(root, in: store)
    guard node.isInner else { return node }
    let total = try InnerTreeNode(node, in: store).total
    return try InnerTreeNode.leaf(below: root, holding: total - 1, in: store).leaf
  }

  /// Writes the one leaf.
  package func write(to nodes: NodeEncoder) throws -> Ref {
    func blob() throws -> Ref { try nodes.blob(UnsafeRawBufferPointer(start: nil, count: 0), isTerminated: false) }
    guard let widths else { return try nodes.refs([blob()], .context) }
    return try nodes.refs([
      nodes.integers([0], width: widths.ends), blob(), nodes.integers([0], width: widths.nulls),
    ])
  }

  /// Whether a history is that: it has one change, of no bytes.
  static func isAll(of root: Ref, in store: ByteStore) throws -> Bool {
    let history = BPlusTree(root: root, element: ElementType(.binary, isNullable: true))
    guard try history.onlyLeaf(in: store) != nil, try history.count(in: store) == 1 else { return false }
    let (leaf, position) = try history.leaf(holding: 0, in: store)
    guard case .data(let bytes) = try leaf.value(at: position, in: store) else { return false }
    return bytes.count == 0
  }
}
