/// Writes a B+tree front to back: full leaves and inner nodes of the compact form (Docs/Format/2-nodes-and-values.md
/// §4.4).
///
/// Leaves are written as they fill up. A builder is used for tree after tree.
final class BPlusTreeBuilder {
  private let nodes: NodeEncoder
  let leaf: any LeafEncoder
  private let mixed: MixedLeafEncoder?
  /// Leaves that are written; empty while all elements fit into one.
  private var leaves: [Ref] = []
  private var countInLeaves = 0
  /// Whether a link to a tombstone is among the elements.
  private var hasUnresolved = false

  init(_ element: ElementType, _ nodes: NodeEncoder) {
    self.nodes = nodes
    leaf = element.leafEncoder(inCollection: true, nodes)
    mixed = leaf as? MixedLeafEncoder
  }

  /// Number of elements so far.
  var count: Int { countInLeaves + leaf.count }

  func append(_ value: ValueView) throws {
    try makeRoom()
    try leaf.append(value)
    if case .link(_, let key) = value, key.rawValue < 0 { hasUnresolved = true }
  }

  /// Appends a nested collection; its identity number is its position among all elements.
  func append(_ kind: CollectionKind, root: Ref) throws {
    guard let mixed else { throw BuildError.wrongType }
    try makeRoom()
    guard let key = Int32(exactly: count + 1) else { throw BuildError.nodeTooLarge(elementCount: count) }
    try mixed.append(kind, root: root, key: Int64(key))
  }

  /// Writes what is left.
  ///
  /// - Returns: the root; null for a tree without elements.
  func finish() throws -> Ref {
    defer { removeAll() }
    guard count > 0 else { return .null }
    return try finishRoot()
  }

  /// Writes what is left; a tree without elements has an empty leaf as its root, as the halves of a dictionary need.
  func finishRoot() throws -> Ref {
    defer { removeAll() }
    guard !leaves.isEmpty else { return try leaf.finish() }
    try finishLeaf()
    var (level, countPerChild) = (leaves, BPlusTree.fanOut)
    while level.count > 1 {
      level = try innerNodes(over: level, countPerChild: countPerChild)
      countPerChild *= BPlusTree.fanOut
    }
    return level.first ?? .null
  }

  /// Writes the objects that link to one, unless there is at most one.
  ///
  /// - Returns: the element for them (Docs/Format/2-nodes-and-values.md §2.12).
  func incomingLinks(_ keys: some Collection<Int64>) throws -> Int64 {
    guard keys.count > 1 else { return keys.first.map { .tagged(UInt64(bitPattern: $0)) } ?? 0 }
    guard nodes.format.hasTreesOfIncomingLinks else { return try nodes.integers(Array(keys)).element }
    for key in keys { try append(.int(key)) }
    return try finish().element
  }

  private func removeAll() {
    leaves.removeAll(keepingCapacity: true)
    countInLeaves = 0
    hasUnresolved = false
  }

  private func makeRoom() throws {
    if leaf.count == BPlusTree.fanOut { try finishLeaf() }
  }

  /// Writes one of several leaves.
  private func finishLeaf() throws {
    mixed?.alwaysHasKeys = true
    let count = leaf.count
    leaves.append(try leaf.finish())
    countInLeaves += count
  }

  /// Writes one level of inner nodes. All children but the last have `countPerChild` elements.
  private func innerNodes(over children: [Ref], countPerChild: Int) throws -> [Ref] {
    let isRoot = children.count <= BPlusTree.fanOut
    return try stride(from: 0, to: children.count, by: BPlusTree.fanOut).map { first in
      let group = children[first..<min(first + BPlusTree.fanOut, children.count)]
      let before = first * countPerChild
      let total = min(countInLeaves - before, group.count * countPerChild)
      var slots = [Int64.tagged(UInt64(countPerChild))]
      slots.append(contentsOf: group.map(\.element))
      slots.append(.tagged(UInt64(total)))
      // Unresolved links are looked for where the root says that there are some (§5.6).
      return try nodes.integers(slots, isRoot && hasUnresolved ? [.inner, .refs, .context] : [.inner, .refs])
    }
  }
}
