/// The objects under one entry of a search index, while they change: a tree of their keys
/// (Docs/Format/2-nodes-and-values.md §4) whose nodes are read when they are needed.
final class EditedKeyList: EditedTree {
  /// The position among the keys of its node that a child begins at.
  typealias Bound = Int
  /// The number of keys.
  typealias Summary = Int

  final class Leaf {
    fileprivate(set) var keys: [Int64]
    fileprivate let stored: Node?
    fileprivate var isChanged: Bool

    fileprivate init(_ keys: [Int64], stored: Node? = nil) {
      (self.keys, self.stored, isChanged) = (keys, stored, stored == nil)
    }
  }

  private let store: ByteStore
  private var root: Subtree
  private(set) var count: Int
  /// Nodes in the file that are no longer part of the tree.
  private var dropped: [Node] = []

  /// Where two nodes side by side are joined: as the engine does it (§4.3).
  private static let fewKeys = 500
  private static let mostJoined = 750

  /// A new list.
  init(_ keys: [ObjectKey], in store: ByteStore) {
    (self.store, root, count) = (store, .leaf(Leaf(keys.map(\.rawValue))), keys.count)
  }

  /// A list of the file.
  ///
  /// - Throws: `StorageError.corrupted`; a list has at least one key.
  init(_ ref: Ref, in store: ByteStore) throws {
    (self.store, root) = (store, .stored(ref))
    count = try BPlusTree(root: ref, element: .objectKey).count(in: store)
    guard count > 0 else { throw StorageError.corrupted(ref, .wrongElementCount(expected: 1, found: count)) }
  }

  // MARK: Loading

  private func loadedRoot() throws -> Subtree {
    if case .stored(let ref) = root { root = try load(ref, count: count, depth: 0) }
    return root
  }

  private func child(_ index: Int, of node: Inner, depth: Int) throws -> Subtree {
    if case .stored(let ref) = node.children[index] {
      node.children[index] = try load(ref, count: node.keyCount(index), depth: depth)
    }
    return node.children[index]
  }

  private func load(_ ref: Ref, count: Int, depth: Int) throws -> Subtree {
    guard depth <= InnerTreeNode.maximumDepth else { throw StorageError.corrupted(ref, .tooDeep) }
    let stored = try Node(ref, in: store)
    guard stored.isInner else { return .leaf(Leaf(try keys(of: stored, count: count), stored: stored)) }
    let inner = try InnerTreeNode(stored, in: store)
    let starts = try starts(of: inner, count: count)
    let children = try starts.indices.map { Subtree.stored(try inner.child($0)) }
    return .inner(Inner(starts, children, count, stored: [stored] + [inner.offsets].compactMap { $0 }))
  }

  private func keys(of leaf: Node, count: Int) throws -> [Int64] {
    guard leaf.flags & 0xf8 == 0 else {
      throw StorageError.corrupted(leaf.ref, .unexpectedNodeKind(expected: "a list of object keys"))
    }
    guard leaf.count == count, count <= BPlusTree.fanOut else {
      throw StorageError.corrupted(
        leaf.ref, .wrongElementCount(expected: min(count, BPlusTree.fanOut), found: leaf.count))
    }
    return (0..<count).map { leaf.uncheckedInt($0) }
  }

  /// - Throws: `offsetsNotAscending` unless every child has a key.
  private func starts(of inner: InnerTreeNode, count: Int) throws -> [Int] {
    guard inner.total == count, inner.childCount <= BPlusTree.fanOut else {
      throw StorageError.corrupted(inner.node.ref, .wrongElementCount(expected: count, found: inner.total))
    }
    if let offsets = inner.offsets, offsets.count != inner.childCount - 1 {
      throw StorageError.corrupted(
        offsets.ref, .wrongElementCount(expected: inner.childCount - 1, found: offsets.count))
    }
    let starts = (0..<inner.childCount).map { inner.start(ofChild: $0) }
    for (start, end) in zip(starts, starts.dropFirst() + [count]) where end <= start || end > count {
      throw StorageError.corrupted(inner.node.ref, .offsetsNotAscending)
    }
    return starts
  }

  // MARK: Finding

  /// The key at a place, which must be inside the list.
  func key(at index: Int) throws -> ObjectKey { ObjectKey(rawValue: try key(at: index, in: root)) }

  private func key(at index: Int, in node: Subtree) throws -> Int64 {
    var (node, rest) = (node, index)
    while true {
      switch node {
      case .inner(let inner):
        let place = inner.child(before: rest + 1)
        (node, rest) = (inner.children[place], rest - inner.bounds[place])
      case .leaf(let leaf):
        guard leaf.keys.indices.contains(rest) else {
          throw StorageError.corrupted(.null, .indexOutOfRange(rest, count: leaf.keys.count))
        }
        return leaf.keys[rest]
      case .stored(let ref):
        // Nodes that are only read are not kept.
        let place = try BPlusTree(root: ref, element: .objectKey).leaf(holding: rest, in: store)
        guard case .int(let key) = try place.leaf.value(at: place.position, in: store) else {
          throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a list of object keys"))
        }
        return key
      }
    }
  }

  /// The first place whose key is not below another one, in a list in the order of its keys.
  func position(notBelow key: ObjectKey) throws -> Int {
    var (node, before, depth) = (try loadedRoot(), 0, 0)
    while case .inner(let inner) = node {
      // The last child that begins at the key or below.
      let behind = try firstIndex(in: 0..<inner.count) { try self.key(at: 0, in: inner.children[$0]) > key.rawValue }
      let index = max(behind - 1, 0)
      before += inner.bounds[index]
      depth += 1
      node = try child(index, of: inner, depth: depth)
    }
    guard case .leaf(let leaf) = node else { throw StorageError.corrupted(.null, .tooDeep) }
    return before + firstIndex(in: 0..<leaf.keys.count) { leaf.keys[$0] >= key.rawValue }
  }

  /// Calls `visit` with the keys in order until it returns false.
  func forEach(_ visit: (ObjectKey) throws -> Bool) throws {
    var goesOn = true
    try forEach(below: root, budget: WalkBudget.bytes(of: store)) { key in
      if goesOn { goesOn = try visit(ObjectKey(rawValue: key)) }
    }
  }

  private func forEach(below node: Subtree, budget: WalkBudget, _ visit: (Int64) throws -> Void) throws {
    switch node {
    case .leaf(let leaf): for key in leaf.keys { try visit(key) }
    case .inner(let inner): for child in inner.children { try forEach(below: child, budget: budget, visit) }
    case .stored(let ref):
      try BPlusTree(root: ref, element: .objectKey).forEachKey(in: store, budget: budget, visit)
    }
  }

  // MARK: Changing

  /// Puts a key at a place, at most the end.
  func insert(_ key: ObjectKey, at index: Int) throws {
    let sibling = try insert(key.rawValue, at: min(max(index, 0), count), into: loadedRoot(), depth: 0)
    count += 1
    guard let sibling else { return }
    root = .inner(Inner([0, count - sibling.count], [root, sibling.node], count))
  }

  /// - Returns: the second half of a node that had no room, and its number of keys.
  private func insert(
    _ key: Int64, at index: Int, into node: Subtree, depth: Int
  ) throws -> (node: Subtree, count: Int)? {
    switch node {
    case .leaf(let leaf):
      leaf.keys.insert(key, at: index)
      leaf.isChanged = true
      guard let cut = cutOfFullNode(leaf.keys.count, most: BPlusTree.fanOut, insertedAt: index) else { return nil }
      let sibling = Leaf(Array(leaf.keys[cut...]))
      leaf.keys.removeSubrange(cut...)
      return (.leaf(sibling), sibling.keys.count)
    case .inner(let inner):
      let place = inner.child(before: index)
      let child = try child(place, of: inner, depth: depth + 1)
      let added = try insert(key, at: index - inner.bounds[place], into: child, depth: depth + 1)
      inner.addToCount(1, at: place)
      guard let added else { return nil }
      inner.insert(added.node, inner.end(place) - added.count, at: place + 1)
      guard let cut = cutOfFullNode(inner.count, most: BPlusTree.fanOut, insertedAt: place + 1) else { return nil }
      let (start, end) = (inner.bounds[cut], inner.summary)
      let tail = inner.removeTail(from: cut)
      inner.summary = start
      return (.inner(Inner(tail.bounds.map { $0 - start }, tail.children, end - start)), end - start)
    case .stored: throw StorageError.corrupted(.null, .tooDeep)
    }
  }

  /// Removes the key at a place.
  func remove(at index: Int) throws {
    guard index >= 0, index < count else { throw StorageError.corrupted(.null, .indexOutOfRange(index, count: count)) }
    try remove(at: index, from: loadedRoot(), depth: 0)
    count -= 1
    while case .inner(let inner) = root, inner.count == 1, let only = inner.children.first {
      dropped += inner.stored
      root = only
    }
  }

  private func remove(at index: Int, from node: Subtree, depth: Int) throws {
    switch node {
    case .leaf(let leaf):
      leaf.keys.remove(at: index)
      leaf.isChanged = true
    case .inner(let inner):
      let place = inner.child(before: index + 1)
      let child = try child(place, of: inner, depth: depth + 1)
      try remove(at: index - inner.bounds[place], from: child, depth: depth + 1)
      inner.addToCount(-1, at: place)
      if inner.keyCount(place) == 0 {
        dropped += child.storedNodes
        inner.remove(at: place)
      } else if place + 1 < inner.count, try join(child, with: place + 1, of: inner, depth: depth + 1) {
        inner.remove(at: place + 1)
      }
    case .stored: throw StorageError.corrupted(.null, .tooDeep)
    }
  }

  /// Appends the keys of the next node to one that has few left, if both fit into one.
  private func join(_ node: Subtree, with next: Int, of parent: Inner, depth: Int) throws -> Bool {
    switch node {
    case .leaf(let leaf):
      guard leaf.keys.count < Self.fewKeys, leaf.keys.count + parent.keyCount(next) < Self.mostJoined else {
        return false
      }
      guard case .leaf(let more) = try child(next, of: parent, depth: depth) else {
        throw StorageError.corrupted(.null, .tooDeep)
      }
      leaf.keys += more.keys
      leaf.isChanged = true
    case .inner(let inner):
      guard inner.count < Self.fewKeys else { return false }
      guard case .inner(let more) = try child(next, of: parent, depth: depth) else {
        throw StorageError.corrupted(.null, .tooDeep)
      }
      guard inner.count + more.count < Self.mostJoined else { return false }
      inner.append(more.bounds.map { $0 + inner.summary }, more.children)
      inner.summary += more.summary
    case .stored: return false
    }
    dropped += parent.children[next].storedNodes
    return true
  }

  // MARK: Writing

  /// Releases all nodes of a list that is no longer needed: it has at most one key, in its root.
  func release(_ output: any NodeReplacement) throws {
    for node in dropped + root.storedNodes { output.release(node) }
    if case .stored(let ref) = root { try output.releaseTree(ref) }
  }

  /// Writes what has changed, inner nodes in the general form.
  ///
  /// - Returns: the root.
  func write(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    for node in dropped { output.release(node) }
    dropped = []
    return try root.write(output) { leaf in
      if let stored = leaf.stored {
        guard leaf.isChanged else { return stored.ref }
        output.release(stored)
      }
      return try nodes.integers(leaf.keys)
    } inner: { inner, children in
      let starts = try nodes.unsigned(inner.bounds.dropFirst().map { UInt64($0) })
      return try nodes.integers(
        [starts.element] + children.map(\.element) + [.tagged(UInt64(inner.summary))], [.inner, .refs])
    }
  }
}

extension EditedInnerNode<EditedKeyList> {
  fileprivate func end(_ index: Int) -> Int { index + 1 < count ? bounds[index + 1] : summary }
  fileprivate func keyCount(_ index: Int) -> Int { end(index) - bounds[index] }

  /// The first child that goes up to a position, or beyond.
  fileprivate func child(before position: Int) -> Int { firstIndex(in: 0..<count - 1) { end($0) >= position } }

  fileprivate func addToCount(_ number: Int, at index: Int) {
    summary += number
    changeBounds(from: index + 1) { $0 += number }
  }
}

extension EditedSubtree<EditedKeyList> {
  fileprivate var storedNodes: [Node] {
    switch self {
    case .stored: []
    case .leaf(let leaf): [leaf.stored].compactMap { $0 }
    case .inner(let inner): inner.stored
    }
  }
}
