/// What all walks through collections need: the snapshot's bytes, and a limit on the nodes that they may visit.
package struct CollectionWalk: Sendable {
  package let store: ByteStore
  let budget: WalkBudget
  /// Formats 21–23 have their own orders of sets and dictionaries, which an upgrade to 24 changes
  /// (Docs/Format/4-file-versions.md §3.8); here, elements are in the order of 24.
  private(set) var sortsOldOrders: Bool
  /// Whether links to tombstones are passed with their unresolved keys; otherwise lists and sets leave them out, and
  /// elsewhere they are null.
  package var showsTombstones = false

  package init(store: ByteStore, format: UInt8, passes: Int) {
    self.init(store: store, format: format, budget: .bytes(of: store, passes: passes))
  }

  init(store: ByteStore, format: UInt8, budget: WalkBudget) {
    (self.store, self.budget) = (store, budget)
    sortsOldOrders = format < 24
  }

  /// Accounts for work on values that were read already, as if so many bytes were read again.
  ///
  /// - Throws: `StorageError.limitReached`; what the walk's check throws.
  package func spend(_ byteCount: Int) throws { try budget.spend(byteCount, at: .null) }
}

extension CollectionWalk {
  /// This walk, for dictionaries in an order other than that of format 24; see `DictionaryView.isSorted`.
  package var sortingDictionaries: CollectionWalk {
    var walk = self
    walk.sortsOldOrders = true
    return walk
  }
}

extension ListView {
  /// Whether the elements are Mixed values, which name the tables of their links themselves.
  package var holdsMixed: Bool { element.code == .mixed }

  private var tree: BPlusTree { BPlusTree(root: root, element: element) }

  /// Number of elements, hidden links to tombstones included.
  package func count(in snapshot: Snapshot) throws -> Int { try count(in: snapshot.store) }

  package func count(in store: ByteStore) throws -> Int { try tree.count(in: store) }

  /// Calls `visit` with each element of a list in order; links to tombstones are left out.
  ///
  /// - Parameter damaged: called for each part that cannot be read; the walk continues after it.
  package func forEach(
    _ walk: CollectionWalk, damaged: (StorageError) throws -> Void, visit: (ValueView) throws -> Void
  ) throws {
    guard !root.isNull else { return }
    // Most lists have one leaf, which is read without the closures, and the counting of references, that a tree takes.
    guard let node = try tree.onlyLeaf(in: walk.store) else {
      let budget = walk.budget.forOneTree(of: walk.store)
      return try tree.forEachLeaf(in: walk.store, budget: budget, damaged: damaged) {
        try forEach(in: $0, walk, damaged: damaged, visit: visit)
      }
    }
    guard element.code == .link else {
      let leaf = try tree.leaf(node, in: walk.store)
      try walk.budget.spend(leaf.footprint, at: root)
      return try forEach(in: leaf, walk, damaged: damaged, visit: visit)
    }
    let keys = try tree.links(node, in: walk.store)
    try walk.budget.spend(Leaf.footprint(of: keys, count: keys.count), at: root)
    for index in 0..<keys.count {
      let key = keys.uncheckedInt(index)
      if key >= 0 || walk.showsTombstones { try visit(Leaf.link(key, element.target, true)) }
    }
  }

  private func forEach(
    in leaf: Leaf, _ walk: CollectionWalk, damaged: (StorageError) throws -> Void, visit: (ValueView) throws -> Void
  ) throws {
    let canBeLong = element.code == .string || element.code == .binary || element.code == .mixed
    try leaf.forEach(
      in: walk.store, showsTombstones: walk.showsTombstones, budget: canBeLong ? walk.budget : nil, at: root,
      damaged: damaged, visit: visit)
  }

  /// Like `forEach`, for the elements of a set, always in the order of format 24.
  package func forEachOfSet(
    _ walk: CollectionWalk, damaged: (StorageError) throws -> Void, visit: (ValueView) throws -> Void
  ) throws {
    guard walk.sortsOldOrders, [.string, .binary, .mixed].contains(element.code) else {
      return try forEach(walk, damaged: damaged, visit: visit)
    }
    var values: [ValueView] = []
    try forEach(walk, damaged: damaged) { values.append($0) }
    for value in try TextOrder.sorted(values) { try visit(value) }
  }
}

extension DictionaryView {
  /// Whether links among the values name their tables themselves.
  package var holdsMixed: Bool { linkTarget == nil }

  /// Number of entries.
  package func count(in snapshot: Snapshot) throws -> Int {
    guard !root.isNull else { return 0 }
    switch try DictionaryLayout(root, in: snapshot.store) {
    case .trees(let keys, _): return try keys.count(in: snapshot.store)
    case .clusters(let tree): return try tree.count(in: snapshot.store)
    }
  }

  /// Calls `visit` with each entry in the order of the keys.
  ///
  /// - Parameter damaged: called for each part that cannot be read; the walk continues after it.
  package func forEach(
    _ walk: CollectionWalk, damaged: (StorageError) throws -> Void, visit: (BlobView, ValueView) throws -> Void
  ) throws {
    guard !root.isNull else { return }
    switch try DictionaryLayout(root, in: walk.store) {
    case .trees(let keys, let values) where walk.sortsOldOrders:
      try visitSorted({ try forEachEntry(keys, values, walk, damaged: damaged, visit: $0) }, visit)
    case .trees(let keys, let values):
      try forEachEntry(keys, values, walk, damaged: damaged, visit: visit)
    case .clusters(let tree):
      try visitSorted({ try forEachEntry(tree, walk, damaged: damaged, visit: $0) }, visit)
    }
  }

  /// Whether the entries are in the order of their keys. Files of format 24 that were upgraded from 23 can contain
  /// dictionaries in the order of that format (Docs/Format/2-nodes-and-values.md §11.3); `forEach` with
  /// `CollectionWalk.sortingDictionaries` sorts them.
  package func isSorted(_ walk: CollectionWalk) throws -> Bool {
    guard !walk.sortsOldOrders else { return true }
    var last: BlobView?
    var isSorted = true
    try forEach(walk, damaged: { throw $0 }) { key, _ in
      if isSorted, let last, ValueOrder.compareBytes(last, key) >= 0 { isSorted = false }
      last = key
    }
    return isSorted
  }

  private func visitSorted(
    _ collect: ((BlobView, ValueView) throws -> Void) throws -> Void, _ visit: (BlobView, ValueView) throws -> Void
  ) throws {
    var entries: [(key: BlobView, value: ValueView)] = []
    try collect { entries.append(($0, $1)) }
    let keys = try entries.map { try $0.key.copied() }
    for index in keys.indices.sorted(by: { keys[$0].lexicographicallyPrecedes(keys[$1]) }) {
      try visit(entries[index].key, entries[index].value)
    }
  }

  private func forEachEntry(
    _ keys: BPlusTree, _ values: BPlusTree, _ walk: CollectionWalk, damaged: (StorageError) throws -> Void,
    visit: (BlobView, ValueView) throws -> Void
  ) throws {
    let store = walk.store
    var position = 0
    var current: (leaf: Leaf, start: Int)?
    try keys.forEachLeaf(in: store, budget: walk.budget.forOneTree(of: store), damaged: damaged) { leaf in
      for index in 0..<leaf.count {
        defer { position += 1 }
        let entry: (BlobView, ValueView)
        do {
          if current.map({ position - $0.start >= $0.leaf.count }) ?? true {
            let found = try values.leaf(holding: position, in: store)
            try walk.budget.spend(found.leaf.footprint, at: values.root)
            current = (found.leaf, position - found.position)
          }
          guard let current else { continue }
          entry = (
            try key(leaf.value(at: index, in: store), walk), try value(current.leaf, position - current.start, walk)
          )
        } catch let error as StorageError {
          try damaged(error)
          // A search that fails costs about as much as one that succeeds.
          try walk.budget.spend(Node.headerSize * 8, at: values.root)
          continue
        }
        try visit(entry.0, entry.1)
      }
    }
  }

  private func forEachEntry(
    _ tree: ClusterTree, _ walk: CollectionWalk, damaged: (StorageError) throws -> Void,
    visit: (BlobView, ValueView) throws -> Void
  ) throws {
    var clusters = ClusterWalk(tree, in: walk.store, budget: walk.budget.forOneTree(of: walk.store))
    while let step = clusters.next() {
      switch step {
      case .damaged(let error): try damaged(error)
      case .cluster(let cluster):
        do { try forEachEntry(cluster, walk, damaged: damaged, visit: visit) } catch let error as StorageError {
          try damaged(error)
        }
      }
    }
  }

  private func forEachEntry(
    _ cluster: Cluster, _ walk: CollectionWalk, damaged: (StorageError) throws -> Void,
    visit: (BlobView, ValueView) throws -> Void
  ) throws {
    let store = walk.store
    let keys = try Leaf(cluster.leafRef(DictionaryLayout.keys), of: .string, inCollection: true, in: store)
    let values = try Leaf(cluster.leafRef(DictionaryLayout.values), of: .mixed, inCollection: true, in: store)
    for row in 0..<cluster.count {
      let entry: (BlobView, ValueView)
      do {
        entry = (try key(keys.value(at: row, in: store), walk), try value(values, row, walk))
      } catch let error as StorageError {
        try damaged(error)
        continue
      }
      try visit(entry.0, entry.1)
    }
  }

  private func key(_ value: ValueView, _ walk: CollectionWalk) throws -> BlobView {
    guard case .string(let key) = value else {
      throw StorageError.corrupted(root, .valueOutOfRange("key of a dictionary"))
    }
    try walk.budget.spend(onValue: value, at: root)
    return key
  }

  private func value(_ leaf: Leaf, _ index: Int, _ walk: CollectionWalk) throws -> ValueView {
    let value = try leaf.value(at: index, in: walk.store, showsTombstones: walk.showsTombstones)
    try walk.budget.spend(onValue: value, at: root)
    return withPlainLink(value)
  }

  /// Turns the typed links of a dictionary of links into plain ones.
  func withPlainLink(_ value: ValueView) -> ValueView {
    if let linkTarget, case .typedLink(linkTarget, let key) = value { return .link(linkTarget, key) }
    return value
  }
}

/// The order in which an upgrade to format 24 sorts sets of strings, data and mixed values: strings by bytes, then data
/// by bytes. Everything else keeps its place, because it already was in order (Docs/Format/4-file-versions.md §4.3).
private enum TextOrder {
  static func sorted(_ values: [ValueView]) throws -> [ValueView] {
    let ranked = try values.enumerated().map { index, value -> (rank: Int, bytes: [UInt8], index: Int) in
      let rank = ValueOrder.rank(value)
      return switch value {
      case .string(let bytes), .data(let bytes): (rank, try bytes.copied(), index)
      default: (rank, [], index)
      }
    }
    let order = ranked.sorted { left, right in
      if left.rank != right.rank { return left.rank < right.rank }
      if left.bytes != right.bytes { return left.bytes.lexicographicallyPrecedes(right.bytes) }
      // The others are already in order, unless the file is damaged; the result is in order in either case.
      let order = left.bytes.isEmpty ? ValueOrder.compare(values[left.index], values[right.index]) : 0
      return order == 0 ? left.index < right.index : order < 0
    }
    return order.map { values[$0.index] }
  }
}
