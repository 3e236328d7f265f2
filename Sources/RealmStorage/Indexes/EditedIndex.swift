/// A search index, or one of its sub-indexes, while it changes: a tree of chunks
/// (Docs/Format/3-tables-and-objects.md §6.4).
enum EditedIndex: EditedTree {
  /// The largest chunk of a child.
  typealias Bound = Int32
  typealias Summary = Void
  typealias Leaf = EditedIndexLeaf
}

/// What the chunks of an index refer to.
final class EditedIndexLeaf {
  enum Slot {
    /// As it is in the file.
    case stored(RefOrTagged)
    case object(ObjectKey)
    case list(EditedKeyList)
    /// A sub-index for the next chunk.
    case index(EditedIndex.Subtree)
  }

  /// Ascending.
  private(set) var chunks: [Int32]
  private var slots: [Slot]
  /// The nodes in the file to be released when this is written: none, or the node and its keys.
  let stored: [Node]
  private var isChanged: Bool

  init(_ chunks: [Int32] = [], _ slots: [Slot] = []) {
    (self.chunks, self.slots, stored, isChanged) = (chunks, slots, [], true)
  }

  fileprivate init(_ node: IndexNode) throws {
    (chunks, stored, isChanged) = (try node.ascendingChunks(), [node.node, node.keys], false)
    slots = try (0..<node.count).map { .stored(try node.slot(at: $0)) }
  }

  var count: Int { chunks.count }

  /// The first chunk that is not below another one.
  func position(notBelow chunk: Int32) -> Int { firstIndex(in: 0..<count) { chunks[$0] >= chunk } }

  /// What a chunk refers to, read if necessary.
  func slot(at index: Int, in store: ByteStore) throws -> Slot {
    guard case .stored(let element) = slots[index] else { return slots[index] }
    let slot: Slot =
      if element.isTagged {
        .object(ObjectKey(rawValue: Int64(bitPattern: element.tagged)))
      } else if try Node(element.ref, in: store).context {
        .index(try EditedIndex.Subtree(index: element.ref, in: store))
      } else {
        .list(try EditedKeyList(element.ref, in: store))
      }
    slots[index] = slot
    return slot
  }

  // MARK: Changing

  func set(_ slot: Slot, at index: Int) {
    slots[index] = slot
    isChanged = true
  }

  func insert(_ chunk: Int32, _ slot: Slot, at index: Int) {
    chunks.insert(chunk, at: index)
    slots.insert(slot, at: index)
    isChanged = true
  }

  func remove(at index: Int) {
    chunks.remove(at: index)
    slots.remove(at: index)
    isChanged = true
  }

  /// - Returns: the second part of a leaf that has become too large; nil if all fits.
  func split(insertedAt index: Int) -> EditedIndexLeaf? {
    guard let cut = cutOfFullNode(count, most: IndexNode.mostKeys, insertedAt: index) else { return nil }
    let sibling = EditedIndexLeaf(Array(chunks[cut...]), Array(slots[cut...]))
    chunks.removeSubrange(cut...)
    slots.removeSubrange(cut...)
    return sibling
  }

  // MARK: Writing

  fileprivate func write(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    if !isChanged, let stored = stored.first { return stored.ref }
    for node in stored { output.release(node) }
    let elements = try slots.map { slot -> Int64 in
      switch slot {
      case .stored(let element): element.rawValue
      case .object(let key): .tagged(UInt64(bitPattern: key.rawValue))
      case .list(let list): try list.write(nodes, output).element
      case .index(let index): try index.write(nodes, output).element
      }
    }
    return try nodes.indexNode(chunks: chunks.map { Int64($0) }, slots: elements, isInner: false)
  }
}

extension EditedSubtree<EditedIndex> {
  /// - Throws: `StorageError.corrupted` unless the node has the shape that engines read, its keys in order.
  init(index ref: Ref, in store: ByteStore) throws {
    let node = try IndexNode(ref, in: store)
    guard node.isInner else {
      self = .leaf(try EditedIndexLeaf(node))
      return
    }
    let chunks = try node.ascendingChunks()
    guard !chunks.isEmpty else { throw StorageError.corrupted(ref, .wrongElementCount(expected: 1, found: 0)) }
    let children = try chunks.indices.map { index in
      let element = try node.slot(at: index)
      guard !element.isTagged else { throw StorageError.corrupted(ref, .missingNode) }
      return Self.stored(element.ref)
    }
    self = .inner(EditedIndex.Inner(chunks, children, (), stored: [node.node, node.keys]))
  }

  var lastChunk: Int32 {
    switch self {
    case .stored: 0
    case .leaf(let leaf): leaf.chunks.last ?? 0
    case .inner(let inner): inner.bounds.last ?? 0
    }
  }

  var isEmpty: Bool {
    switch self {
    case .stored: false
    case .leaf(let leaf): leaf.count == 0
    case .inner(let inner): inner.count == 0
    }
  }

  /// The nodes of its root in the file.
  var storedNodes: [Node] {
    switch self {
    case .stored: []
    case .leaf(let leaf): leaf.stored
    case .inner(let inner): inner.stored
    }
  }

  /// Writes what has changed.
  func write(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    try write(output) {
      try $0.write(nodes, output)
    } inner: { inner, children in
      try nodes.indexNode(
        chunks: inner.bounds.map { Int64($0) }, slots: children.map(\.element), isInner: true)
    }
  }
}

extension EditedInnerNode<EditedIndex> {
  /// The first child whose last chunk is not below another one.
  func position(notBelow chunk: Int32) -> Int { firstIndex(in: 0..<count) { bounds[$0] >= chunk } }

  /// A child, read if necessary.
  func child(at index: Int, in store: ByteStore) throws -> EditedIndex.Subtree {
    if case .stored(let ref) = children[index] { children[index] = try EditedIndex.Subtree(index: ref, in: store) }
    return children[index]
  }
}

extension IndexNode {
  fileprivate func ascendingChunks() throws -> [Int32] {
    let chunks = (0..<count).map { chunk(at: $0) }
    for (chunk, next) in zip(chunks, chunks.dropFirst()) where chunk >= next {
      throw StorageError.corrupted(keys.ref, .offsetsNotAscending)
    }
    return chunks
  }

  fileprivate func slot(at index: Int) throws -> RefOrTagged {
    let element = element(at: index)
    guard element.rawValue != 0 else { throw StorageError.corrupted(node.ref, .missingNode) }
    return element
  }
}
