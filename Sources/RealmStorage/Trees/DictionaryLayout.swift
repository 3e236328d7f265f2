/// The places of a dictionary's keys and values (Docs/Format/2-nodes-and-values.md §5, §12).
package enum DictionaryLayout {
  /// Formats 23 and 24: two parallel trees.
  case trees(keys: BPlusTree, values: BPlusTree)
  /// Formats 21 and 22: clusters of hashes, keys and values.
  case clusters(ClusterTree)

  /// Slots of a root of trees, as many as there are trees; and leaf indexes in clusters.
  package static let (keys, values) = (0, 1)
  package static let treeCount = 2

  /// Detects the layout from the root.
  ///
  /// - Throws: `StorageError.corrupted` if the root is not a node of refs, or the trees differ in length: what one of them
  ///   lost would otherwise be missing without a word.
  init(_ root: Ref, in store: ByteStore) throws {
    let top = try Node(root, in: store)
    try top.requireRefs("a dictionary")
    guard !top.isInner, top.count == Self.treeCount else {
      self = .clusters(ClusterTree(root: root))
      return
    }
    let keys = BPlusTree(root: try top.childRef(Self.keys), element: .string)
    let values = BPlusTree(root: try top.childRef(Self.values), element: .mixed)
    guard !keys.root.isNull, !values.root.isNull else { throw StorageError.corrupted(root, .missingNode) }
    let (keyCount, valueCount) = (try keys.count(in: store), try values.count(in: store))
    guard keyCount == valueCount else {
      throw StorageError.corrupted(root, .wrongElementCount(expected: keyCount, found: valueCount))
    }
    self = .trees(keys: keys, values: values)
  }
}
