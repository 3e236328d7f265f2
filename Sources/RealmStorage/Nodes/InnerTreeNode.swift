/// An inner node: children between a first slot (elements per child, or a ref of the cumulative counts) and the
/// total (Docs/Format/2-nodes-and-values.md §4.2).
package struct InnerTreeNode: Sendable {
  /// Levels of inner nodes. Nothing real comes near.
  package static let maximumDepth = 12

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

  /// The child with element `index`, and the element's index there.
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

  /// Where a child begins among the elements of this node.
  func start(ofChild index: Int) -> Int {
    guard index > 0 else { return 0 }
    guard let offsets else { return elementsPerChild.multiplied(atMost: index) }
    return index <= offsets.count ? Int(clamping: offsets.uncheckedUnsigned(index - 1)) : total
  }

  /// The leaf with element `index` of a tree, and the element's place there, which may be after its end.
  static func leaf(
    below root: Ref, holding index: Int, in store: ByteStore
  ) throws -> (leaf: Node, position: Int) {
    var ref = root
    var rest = index
    for _ in 0...maximumDepth {
      let node = try Node(ref, in: store)
      guard node.isInner else { return (node, rest) }
      (ref, rest) = try InnerTreeNode(node, in: store).child(holding: rest)
    }
    throw StorageError.corrupted(ref, .tooDeep)
  }
}

extension Node {
  /// - Throws: `unexpectedNodeKind` unless this is an inner node of references.
  func requireTreeNode() throws {
    guard isInner else { throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "an inner node")) }
    try requireRefs("an inner node")
  }
}
