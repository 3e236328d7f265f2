/// A node of a search index while it changes (Docs/Format/3-tables-and-objects.md §6.4).
final class EditedIndexNode {
  /// What a chunk leads to.
  enum Slot {
    /// As the file has it.
    case stored(RefOrTagged)
    case object(ObjectKey)
    case list(EditedKeyList)
    /// A child of an inner node, or a sub-index for the next chunk.
    case node(EditedIndexNode)
  }

  private(set) var isInner: Bool
  /// Ascending; in an inner node the largest of each child.
  private(set) var chunks: [Int32]
  private(set) var slots: [Slot]
  /// What the file has, to be given back when this is written.
  private(set) var stored: IndexNode?
  var isChanged = false

  /// A new leaf.
  init() { (isInner, chunks, slots, isChanged) = (false, [], [], true) }

  /// A new inner node.
  init(over children: [EditedIndexNode]) {
    (isInner, chunks, slots) = (true, children.map(\.lastChunk), children.map { .node($0) })
    isChanged = true
  }

  private init(_ isInner: Bool, _ chunks: ArraySlice<Int32>, _ slots: ArraySlice<Slot>) {
    (self.isInner, self.chunks, self.slots, isChanged) = (isInner, Array(chunks), Array(slots), true)
  }

  /// - Throws: `StorageError.corrupted` unless the node has the shape that engines read, its keys in order.
  init(_ ref: Ref, in store: ByteStore) throws {
    let node = try IndexNode(ref, in: store)
    chunks = (0..<node.count).map { node.chunk(at: $0) }
    for (chunk, next) in zip(chunks, chunks.dropFirst()) where chunk >= next {
      throw StorageError.corrupted(node.keys.ref, .offsetsNotAscending)
    }
    slots = try (0..<node.count).map { index in
      let element = node.element(at: index)
      guard element.rawValue != 0, !(node.isInner && element.isTagged) else {
        throw StorageError.corrupted(ref, .missingNode)
      }
      return .stored(element)
    }
    guard !(node.isInner && chunks.isEmpty) else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: 1, found: 0))
    }
    (isInner, stored) = (node.isInner, node)
  }

  var count: Int { chunks.count }
  var isEmpty: Bool { chunks.isEmpty }
  var lastChunk: Int32 { chunks.last ?? 0 }

  /// The first chunk that is not below another one.
  func position(notBelow chunk: Int32) -> Int { firstIndex(in: 0..<chunks.count) { chunks[$0] >= chunk } }

  /// What a chunk leads to, read if it was not yet.
  func slot(at index: Int, in store: ByteStore) throws -> Slot {
    guard case .stored(let element) = slots[index] else { return slots[index] }
    let slot: Slot
    if element.isTagged {
      slot = .object(ObjectKey(rawValue: Int64(bitPattern: element.tagged)))
    } else if try isInner || Node(element.ref, in: store).context {
      slot = .node(try EditedIndexNode(element.ref, in: store))
    } else {
      slot = .list(try EditedKeyList(element.ref, in: store))
    }
    slots[index] = slot
    return slot
  }

  // MARK: Changing

  func set(_ slot: Slot, at index: Int) { slots[index] = slot }

  /// The largest chunk of a child is another one.
  func set(_ chunk: Int32, at index: Int) { chunks[index] = chunk }

  func insert(_ chunk: Int32, _ slot: Slot, at index: Int) {
    chunks.insert(chunk, at: index)
    slots.insert(slot, at: index)
  }

  func remove(at index: Int) {
    chunks.remove(at: index)
    slots.remove(at: index)
    // What has lost its last child is an empty leaf.
    if chunks.isEmpty { isInner = false }
  }

  /// Cuts a node that has become too large: at the end, where keys come in order, and in the middle otherwise.
  ///
  /// - Returns: the second part; nil where all fits.
  func split(insertedAt index: Int) -> EditedIndexNode? {
    guard count > IndexNode.mostKeys else { return nil }
    let cut = index == count - 1 ? count - 1 : count / 2
    let sibling = EditedIndexNode(isInner, chunks[cut...], slots[cut...])
    chunks.removeSubrange(cut...)
    slots.removeSubrange(cut...)
    return sibling
  }

  // MARK: Writing

  /// Gives back the node itself, and not what it leads to.
  func release(_ output: any NodeReplacement) {
    guard let stored else { return }
    for node in [stored.node, stored.keys] { output.release(node.ref, byteSize: node.byteSize) }
  }

  /// Writes what has changed.
  func write(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    if !isChanged, let stored { return stored.node.ref }
    release(output)
    let elements = try slots.map { slot -> Int64 in
      switch slot {
      case .stored(let element): element.rawValue
      case .object(let key): .tagged(UInt64(bitPattern: key.rawValue))
      case .list(let list): try list.write(nodes, output).element
      case .node(let node): try node.write(nodes, output).element
      }
    }
    return try nodes.indexNode(chunks: chunks.map { Int64($0) }, slots: elements, isInner: isInner)
  }
}
