/// A node of a search index in the file (Docs/Format/3-tables-and-objects.md §6.4).
package struct IndexNode {
  let node: Node
  package let keys: Node

  /// Bits of a key.
  package static let keyWidth = 32
  /// Keys per node.
  package static let mostKeys = BPlusTree.fanOut
  /// 51 levels of chunks, with a few of inner nodes each.
  package static let mostLevels = 256
  /// The last chunk that a word can have, in the sub-index after its 200 bytes.
  static let lastOffset = IndexData.lastOffset + IndexData.chunkSize

  /// - Throws: `StorageError.corrupted` unless the nodes have the shape that engines read.
  package init(_ ref: Ref, in store: borrowing ByteStore) throws {
    node = try Node(ref, in: store)
    guard node.flags & 0x78 == 0x60, node.count > 0 else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a node of a search index"))
    }
    keys = try Node(node.childRef(0), in: store)
    // The engine reads the keys at 32 bits, whatever the node says.
    guard keys.flags == ElementWidth.bits32.code else {
      throw StorageError.corrupted(keys.ref, .unexpectedNodeKind(expected: "keys of 32 bits"))
    }
    guard keys.count == node.count - 1 else {
      throw StorageError.corrupted(keys.ref, .wrongElementCount(expected: node.count - 1, found: keys.count))
    }
    guard keys.count <= Self.mostKeys else { throw StorageError.corrupted(keys.ref, .tooManyElements(keys.count)) }
  }

  package var isInner: Bool { node.isInner }
  package var count: Int { keys.count }

  package func chunk(at index: Int) -> Int32 { Int32(truncatingIfNeeded: keys.uncheckedInt(index)) }
  package func element(at index: Int) -> RefOrTagged { RefOrTagged(node.uncheckedInt(index + 1)) }

  /// The first key that is not below a chunk.
  func position(notBelow chunk: Int32) -> Int { firstIndex(in: 0..<count) { self.chunk(at: $0) >= chunk } }
}

/// Finds objects with an index of single values, in the file as it is.
package struct IndexLookup {
  let root: Ref
  let store: ByteStore
  /// The largest number of objects of one value that is worth reading.
  let mostCandidates: Int

  package init(root: Ref, store: ByteStore, mostCandidates: Int = 64) {
    (self.root, self.store, self.mostCandidates) = (root, store, mostCandidates)
  }

  /// The objects that the index has where a value belongs.
  ///
  /// Values that agree in many bytes share a place: callers must also check the objects' values.
  ///
  /// - Returns: nil if they are more than `mostCandidates`.
  /// - Throws: `StorageError.corrupted`.
  package func candidates(for value: Value) throws -> [ObjectKey]? {
    try value.withIndexData { try candidates(for: $0) }
  }

  private func candidates(for data: IndexData) throws -> [ObjectKey]? {
    var (ref, offset) = (root, 0)
    for _ in 0..<IndexNode.mostLevels {
      let node = try IndexNode(ref, in: store)
      let chunk = data.chunk(at: offset)
      let index = node.position(notBelow: chunk)
      guard index < node.count else { return [] }
      let element = node.element(at: index)
      if node.isInner {
        ref = try node.node.childRef(index + 1)
        continue
      }
      guard node.chunk(at: index) == chunk else { return [] }
      if element.isTagged { return [ObjectKey(rawValue: Int64(bitPattern: element.tagged))] }
      guard try Node(element.ref, in: store).context else { return try list(element.ref) }
      offset += IndexData.chunkSize
      ref = element.ref
      guard offset <= IndexData.lastOffset else { break }
    }
    throw StorageError.corrupted(ref, .tooDeep)
  }

  private func list(_ root: Ref) throws -> [ObjectKey]? {
    var keys: [ObjectKey] = []
    let tree = BPlusTree(root: root, element: .objectKey)
    guard try tree.count(in: store) <= mostCandidates else { return nil }
    try tree.forEachLeaf(
      in: store, budget: WalkBudget.bytes(of: store), damaged: { throw $0 }
    ) { leaf in
      guard keys.count + leaf.count <= mostCandidates else {
        throw StorageError.corrupted(root, .tooManyElements(leaf.count))
      }
      for index in 0..<leaf.count {
        if case .int(let key) = try leaf.value(at: index, in: store) { keys.append(ObjectKey(rawValue: key)) }
      }
    }
    return keys
  }
}
