/// The tree of a list, a set, one half of a dictionary, or a list of backlinks
/// (Docs/Format/2-nodes-and-values.md §4). A tree of one leaf has no inner node.
package struct BPlusTree: Sendable {
  /// Null for a collection that has never had an element.
  let root: Ref
  let element: ElementType

  package init(root: Ref, element: ElementType) { (self.root, self.element) = (root, element) }

  /// Elements per leaf, and children per inner node: the engine relies on it in the compact form (§4.3).
  package static let fanOut = Leaf.mostElements
  /// At most 2^7 elements per byte: a leaf of 1000 zeros is a header of eight bytes.
  static func mostElements(in store: ByteStore) -> Int { store.count.multiplied(atMost: 1 << 7) }

  // MARK: Size

  /// Number of elements, from the root alone.
  ///
  /// - Throws: `StorageError.corrupted`, also for a number that the file has no room for.
  package func count(in store: ByteStore) throws -> Int {
    guard !root.isNull else { return 0 }
    let node = try Node(spine(in: store), in: store)
    guard node.isInner else {
      // The most frequently counted lists: their leaves have nothing but their elements.
      if element.layout == .current, element.code == .link { return try links(node, in: store).count }
      if element.layout == .current, element.code == .int, !element.isNullable {
        return try possible(node.requiring("a leaf of integers").count, inLeaf: node)
      }
      if element.layout == .current, element.code == .string, !node.hasRefs, node.scheme == .multiply {
        return try possible(node.count, inLeaf: node)
      }
      if element.layout == .current, element.code == .mixed {
        return try possible(MixedLeaf.count(of: node, in: store), inLeaf: node)
      }
      return try leaf(node.ref, from: 0, in: store).count
    }
    return try possible(try InnerTreeNode(node, in: store).total, in: store)
  }

  /// A number of elements that the file has room for. Those of width 0 take none, so that a node can claim millions.
  private func possible(_ count: Int, in store: ByteStore) throws -> Int {
    guard count <= Self.mostElements(in: store) else {
      throw StorageError.corrupted(root, .valueOutOfRange("number of elements"))
    }
    return count
  }

  /// A number of elements that one leaf can have. A damaged one of width 0 can claim millions in eight bytes, which would
  /// use up what the walk may cost, so that undamaged trees behind it could not be read. Lists of backlinks are one leaf of
  /// any length in older formats; their keys differ, so that each takes a bit or more.
  @inline(__always)
  private func possible(_ count: Int, inLeaf node: Node) throws -> Int {
    guard count <= Self.fanOut || count / 8 <= node.byteSize else {
      throw StorageError.corrupted(node.ref, .valueOutOfRange("number of elements"))
    }
    return count
  }

  /// - Parameter first: the index of the leaf's first element.
  private func leaf(_ ref: Ref, from first: Int, in store: ByteStore) throws -> Leaf {
    let node = try Node(ref, in: store)
    guard element.layout != .current else { return try leaf(node, in: store) }
    let leaf = try Leaf(legacy: node, of: element, LegacyPlace(column: root, first: first), in: store)
    _ = try possible(leaf.count, in: store)
    return leaf
  }

  // MARK: Trees of one leaf

  /// The leaf that is the whole tree; nil for all others, and for those of formats 2–9.
  @inline(__always)
  func onlyLeaf(in store: ByteStore) throws -> Node? {
    guard element.layout == .current else { return nil }
    let node = try Node(root, in: store)
    return node.isInner ? nil : node
  }

  /// A leaf of the layout since format 10.
  @inline(__always)
  func leaf(_ node: Node, in store: ByteStore) throws -> Leaf {
    let leaf = try Leaf(node, of: element, inCollection: true, in: store)
    _ = try possible(leaf.count, inLeaf: node)
    return leaf
  }

  /// The same of links, as the node that holds their keys.
  @inline(__always)
  func links(_ node: Node, in store: ByteStore) throws -> Node {
    let keys = try node.requiring("a leaf of links")
    _ = try possible(keys.count, inLeaf: keys)
    return keys
  }

  /// The tree that says how many elements there are: this one, unless its elements have parts in several.
  private func spine(in store: ByteStore) throws -> Ref {
    element.isInSeveralTrees ? try LegacyPlace.tree(0, of: root, in: store) : root
  }

  // MARK: All elements

  /// Calls `visit` with each leaf in order.
  ///
  /// A damaged node is passed to `damaged`, and its siblings follow.
  package func forEachLeaf(
    in store: ByteStore, budget: WalkBudget, damaged: (StorageError) throws -> Void, visit: (Leaf) throws -> Void
  ) throws {
    guard !root.isNull else { return }
    try walk(spine(in: store), from: 0, depth: 0, in: store, budget: budget, damaged: damaged, visit: visit)
  }

  private func walk(
    _ ref: Ref, from first: Int, depth: Int, in store: ByteStore, budget: WalkBudget,
    damaged: (StorageError) throws -> Void, visit: (Leaf) throws -> Void
  ) throws {
    guard depth <= InnerTreeNode.maximumDepth else { throw StorageError.corrupted(ref, .tooDeep) }
    let node = try Node(ref, in: store)
    guard node.isInner else {
      let leaf = try leaf(ref, from: first, in: store)
      try budget.spend(leaf.footprint, at: ref)
      return try visit(leaf)
    }
    try budget.spend(node.byteSize, at: ref)
    let inner = try InnerTreeNode(node, in: store)
    for index in 0..<inner.childCount {
      do {
        let child = try inner.child(index)
        let start = element.isInSeveralTrees ? first.clampedSum(inner.start(ofChild: index)) : 0
        try walk(child, from: start, depth: depth + 1, in: store, budget: budget, damaged: damaged, visit: visit)
      } catch let error as StorageError {
        try damaged(error)
      }
    }
  }

  /// Calls `visit` with the object keys of a list of incoming links, or of a search index.
  ///
  /// - Throws: `StorageError.corrupted`; what `visit` throws.
  package func forEachKey(in store: ByteStore, budget: WalkBudget, _ visit: (Int64) throws -> Void) throws {
    try forEachLeaf(in: store, budget: budget, damaged: { throw $0 }) { leaf in
      for index in 0..<leaf.count { if case .int(let key) = try leaf.value(at: index, in: store) { try visit(key) } }
    }
  }

  // MARK: One element

  /// The leaf with element `index`, and the element's place there.
  ///
  /// - Throws: `indexOutOfRange` if no such element exists.
  func leaf(holding index: Int, in store: ByteStore) throws -> (leaf: Leaf, position: Int) {
    let (node, position) = try InnerTreeNode.leaf(below: spine(in: store), holding: index, in: store)
    let leaf = try leaf(node.ref, from: index - position, in: store)
    guard position >= 0, position < leaf.count else {
      throw StorageError.corrupted(node.ref, .indexOutOfRange(position, count: leaf.count))
    }
    return (leaf, position)
  }
}
