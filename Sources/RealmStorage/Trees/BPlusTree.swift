/// The tree of a list, a set, one half of a dictionary, or a list of backlinks
/// (Docs/Format/2-nodes-and-values.md §4). A tree of one leaf has no inner node.
struct BPlusTree: Sendable {
  /// Null for a collection that never had an element.
  let root: Ref
  let element: ElementType

  /// Elements per leaf, and children per inner node: the engine relies on it in the compact form (§4.3).
  static let fanOut = Leaf.mostElements
  /// Levels of inner nodes. Nothing real comes near.
  static let maximumDepth = 12
  /// A byte holds 2^7 elements at most: a leaf of 1000 zeros is a header of eight bytes.
  private static let mostElementsShift = 7

  // MARK: Size

  /// Number of elements, from the root alone.
  ///
  /// - Throws: `StorageError.corrupted`, also for a number that the file has no room for.
  func count(in store: ByteStore) throws -> Int {
    guard !root.isNull else { return 0 }
    let node = try Node(root, in: store)
    guard node.isInner else { return try leaf(root, in: store).count }
    let inner = try InnerNode(node, in: store)
    guard inner.total >> Self.mostElementsShift <= store.count else {
      throw StorageError.corrupted(root, .valueOutOfRange("number of elements"))
    }
    return inner.total
  }

  private func leaf(_ ref: Ref, in store: ByteStore) throws -> Leaf {
    try Leaf(ref, of: element, inCollection: true, in: store)
  }

  // MARK: All elements

  /// Calls `visit` with each leaf in order.
  ///
  /// A damaged node is handed to `damaged`, and its siblings go on.
  func forEachLeaf(
    in store: ByteStore, budget: WalkBudget, damaged: (StorageError) throws -> Void, visit: (Leaf) throws -> Void
  ) throws {
    guard !root.isNull else { return }
    try walk(root, depth: 0, in: store, budget: budget, damaged: damaged, visit: visit)
  }

  private func walk(
    _ ref: Ref, depth: Int, in store: ByteStore, budget: WalkBudget, damaged: (StorageError) throws -> Void,
    visit: (Leaf) throws -> Void
  ) throws {
    guard depth <= Self.maximumDepth else { throw StorageError.corrupted(ref, .tooDeep) }
    let node = try Node(ref, in: store)
    guard node.isInner else {
      let leaf = try leaf(ref, in: store)
      try budget.spend(leaf.footprint, at: ref)
      return try visit(leaf)
    }
    try budget.spend(node.byteSize, at: ref)
    let inner = try InnerNode(node, in: store)
    for index in 0..<inner.childCount {
      do {
        let child = try inner.child(index)
        try walk(child, depth: depth + 1, in: store, budget: budget, damaged: damaged, visit: visit)
      } catch let error as StorageError {
        try damaged(error)
      }
    }
  }

  /// Calls `visit` with the object keys of a list of incoming links, or of a search index.
  ///
  /// - Throws: `StorageError.corrupted`; what `visit` throws.
  func forEachKey(in store: ByteStore, budget: WalkBudget, _ visit: (Int64) throws -> Void) throws {
    try forEachLeaf(in: store, budget: budget, damaged: { throw $0 }) { leaf in
      for index in 0..<leaf.count { if case .int(let key) = try leaf.value(at: index, in: store) { try visit(key) } }
    }
  }

  // MARK: One element

  /// The leaf that holds element `index`, and the element's place there.
  ///
  /// - Throws: `indexOutOfRange` where there is no such element.
  func leaf(holding index: Int, in store: ByteStore) throws -> (leaf: Leaf, position: Int) {
    var ref = root
    var rest = index
    for _ in 0...Self.maximumDepth {
      let node = try Node(ref, in: store)
      guard node.isInner else {
        let leaf = try leaf(ref, in: store)
        guard rest >= 0, rest < leaf.count else {
          throw StorageError.corrupted(ref, .indexOutOfRange(rest, count: leaf.count))
        }
        return (leaf, rest)
      }
      (ref, rest) = try InnerNode(node, in: store).child(holding: rest)
    }
    throw StorageError.corrupted(ref, .tooDeep)
  }

  /// An inner node: children between a first slot (elements per child, or a ref of the cumulative counts) and the
  /// total (Docs/Format/2-nodes-and-values.md §4.2).
  struct InnerNode {
    let node: Node
    let total: Int
    let childCount: Int
    /// Cumulative element counts; nil in compact form.
    let offsets: Node?
    /// Elements per child in compact form.
    let elementsPerChild: Int

    init(_ node: Node, in store: ByteStore) throws {
      try node.requireTreeNode()
      guard node.count >= 3 else {
        throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 3, found: node.count))
      }
      self.node = node
      childCount = node.count - 2
      total = Int(clamping: try node.tagged(node.count - 1))
      let first = try node.refOrTagged(0)
      elementsPerChild = first.isTagged ? Int(clamping: first.tagged) : 0
      offsets = first.isTagged ? nil : try Node(first.ref, in: store)
      try offsets?.requireBits("offsets of a tree")
    }

    func child(_ index: Int) throws -> Ref { try node.childRef(index + 1) }

    /// The child that holds element `index`, and the element's index there.
    func child(holding index: Int) throws -> (Ref, Int) {
      guard index >= 0, index < total else {
        throw StorageError.corrupted(node.ref, .indexOutOfRange(index, count: total))
      }
      guard let offsets else {
        guard elementsPerChild > 0 else {
          throw StorageError.corrupted(node.ref, .valueOutOfRange("elements per child"))
        }
        return (try child(index / elementsPerChild), index % elementsPerChild)
      }
      let place = firstIndex(in: 0..<offsets.count) { offsets.uncheckedUnsigned($0) > UInt64(index) }
      let before = place == 0 ? 0 : Int(clamping: offsets.uncheckedUnsigned(place - 1))
      return (try child(place), index - before)
    }
  }
}

extension Node {
  /// - Throws: `unexpectedNodeKind` unless this is an inner node of references.
  func requireTreeNode() throws {
    guard isInner else { throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "an inner node")) }
    try requireRefs("an inner node")
  }
}
