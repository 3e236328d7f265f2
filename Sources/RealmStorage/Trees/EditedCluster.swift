/// Up to 256 objects with their values while a transaction changes them.
final class EditedCluster {
  /// The lowest key that may be here; keys are stored relative to it.
  var base: UInt64
  /// As unsigned numbers, ascending.
  private(set) var keys: [UInt64]
  /// By leaf index.
  var leaves: [EditedLeaf]
  /// The node in the file; nil for a new one.
  let stored: Node?
  /// The node of the keys in the file, as long as the keys are those; null if there is none or it no longer fits.
  private var storedKeys: Ref
  private var oldKeys: Ref
  var isChanged = false
  /// Whether all leaves are ready for rows to come and go.
  var isLoaded = false

  init(base: UInt64, leafCount: Int) {
    (self.base, keys, stored, storedKeys, oldKeys) = (base, [], nil, .null, .null)
    leaves = Array(repeating: .none, count: leafCount)
    isChanged = true
  }

  init(_ node: Node, base: UInt64, in store: ByteStore) throws {
    let cluster = try Cluster(node, offset: base, in: store)
    self.base = base
    stored = node
    keys = (0..<cluster.count).map { UInt64(bitPattern: cluster.key(at: $0).rawValue) }
    // Keys are searched for as in a sorted list.
    for row in 1..<max(keys.count, 1) where keys[row - 1] >= keys[row] {
      throw StorageError.corrupted(node.ref, .valueOutOfRange("keys of objects"))
    }
    let first = try node.refOrTagged(0)
    storedKeys = first.isTagged ? .null : first.ref
    oldKeys = storedKeys
    leaves = try (1..<node.count).map { slot in
      let ref = try node.childRef(slot)
      return ref.isNull ? .none : .stored(ref)
    }
  }

  var count: Int { keys.count }

  func row(of key: UInt64) -> Int? {
    let row = firstRow(notBelow: key)
    return row < keys.count && keys[row] == key ? row : nil
  }

  func firstRow(notBelow key: UInt64) -> Int { firstIndex(in: 0..<keys.count) { keys[$0] >= key } }

  /// Makes sure that the cluster has a place for a column.
  func makeRoom(for leafIndex: Int) {
    let missing = leafIndex + 1 - leaves.count
    if missing > 0 { leaves += Array(repeating: .none, count: missing) }
  }

  // MARK: Rows

  /// Adds a row with default values; all leaves are loaded.
  ///
  /// - Parameter defaults: by leaf index.
  func insert(_ key: UInt64, at row: Int, _ defaults: [Value]) {
    keys.insert(key, at: row)
    for index in leaves.indices {
      switch leaves[index] {
      case .values(let leaf): leaf.cells.insert(.value(index < defaults.count ? defaults[index] : .null), at: row)
      case .backlinks(let leaf): leaf.cells.insert(.empty, at: row)
      case .none, .stored, .defaults: break
      }
    }
    keysChanged()
  }

  /// Whether no object has another value than the default.
  func hasDefaults(_ leafIndex: Int) -> Bool {
    if leafIndex < leaves.count, case .defaults = leaves[leafIndex] { true } else { false }
  }

  func remove(_ row: Int) {
    keys.remove(at: row)
    for index in leaves.indices {
      switch leaves[index] {
      case .values(let leaf): leaf.cells.remove(at: row)
      case .backlinks(let leaf): leaf.cells.remove(at: row)
      case .none, .stored, .defaults: break
      }
    }
    keysChanged()
  }

  /// Moves the rows from `row` on into a cluster of their own. All leaves are loaded.
  func split(at row: Int) -> EditedCluster {
    let tail = EditedCluster(base: keys[row], leafCount: leaves.count)
    tail.keys = Array(keys[row...])
    keys.removeSubrange(row...)
    for index in leaves.indices {
      switch leaves[index] {
      case .values(let leaf):
        tail.leaves[index] = .values(EditedCells(Array(leaf.cells[row...])))
        leaf.cells.removeSubrange(row...)
      case .backlinks(let leaf):
        tail.leaves[index] = .backlinks(EditedCells(Array(leaf.cells[row...])))
        leaf.cells.removeSubrange(row...)
      case .defaults: tail.leaves[index] = .defaults
      case .none, .stored: break
      }
    }
    keysChanged()
    return tail
  }

  /// Takes over the rows of the next cluster. Leaves of both are loaded, or both have nothing but defaults.
  func append(_ next: EditedCluster) {
    keys += next.keys
    for index in leaves.indices where index < next.leaves.count {
      switch (leaves[index], next.leaves[index]) {
      case (.values(let leaf), .values(let more)): leaf.cells += more.cells
      case (.backlinks(let leaf), .backlinks(let more)): leaf.cells += more.cells
      default: break
      }
    }
    keysChanged()
  }

  /// The keys are stored relative to another number from now on.
  func rebase(to base: UInt64) {
    guard base != self.base else { return }
    self.base = base
    keysChanged()
  }

  private func keysChanged() {
    storedKeys = .null
    isChanged = true
  }

  // MARK: Writing

  /// Writes the cluster; its leaves are written.
  func write(_ leafRefs: [Ref], _ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    if let stored { output.release(stored) }
    return try nodes.cluster(keys: try keysElement(nodes, output), leaves: leafRefs)
  }

  /// Releases the nodes of the cluster itself, when nothing is left in it.
  func release(_ output: any NodeReplacement) throws {
    if let stored { output.release(stored) }
    try output.releaseTree(oldKeys)
  }

  private func keysElement(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Int64 {
    if !storedKeys.isNull { return storedKeys.element }
    try output.releaseTree(oldKeys)
    return try nodes.clusterKeys(keys, base: base)
  }
}
