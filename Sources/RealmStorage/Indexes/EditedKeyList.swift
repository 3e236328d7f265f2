/// The objects under one entry of a search index, while they change: a tree of their keys
/// (Docs/Format/2-nodes-and-values.md §4) whose nodes are read when they are needed.
final class EditedKeyList {
  private let store: ByteStore
  private var root: TreeNode
  /// Nodes in the file that are no longer part of the tree.
  private var dropped: [Node] = []

  private final class TreeNode {
    enum Content {
      case stored(Ref)
      case leaf([Int64])
      case inner([TreeNode])
    }

    var content: Content
    /// Keys below.
    var count: Int
    /// What the file has, and what is to be given back: the node, with the list of offsets of an inner one.
    var stored: [Node] = []
    var isChanged = false

    init(_ content: Content, count: Int) { (self.content, self.count) = (content, count) }
  }

  /// Where two nodes side by side are joined: as the engine does it (§4.3).
  private static let fewKeys = 500
  private static let mostJoined = 750

  /// A new list.
  init(_ keys: [ObjectKey], in store: ByteStore) {
    self.store = store
    root = TreeNode(.leaf(keys.map(\.rawValue)), count: keys.count)
    root.isChanged = true
  }

  /// A list of the file.
  ///
  /// - Throws: `StorageError.corrupted`; a list has a key at least.
  init(_ ref: Ref, in store: ByteStore) throws {
    self.store = store
    root = TreeNode(.stored(ref), count: try BPlusTree(root: ref, element: .objectKey).count(in: store))
    guard root.count > 0 else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: 1, found: root.count))
    }
  }

  var count: Int { root.count }

  // MARK: Loading

  private func load(_ node: TreeNode, depth: Int) throws {
    guard case .stored(let ref) = node.content else { return }
    guard depth <= InnerTreeNode.maximumDepth else { throw StorageError.corrupted(ref, .tooDeep) }
    let stored = try Node(ref, in: store)
    guard stored.isInner else {
      let keys = try keys(of: stored, count: node.count)
      (node.content, node.stored) = (.leaf(keys), [stored])
      return
    }
    let inner = try InnerTreeNode(stored, in: store)
    node.content = .inner(try children(of: inner, count: node.count))
    node.stored = [stored] + [inner.offsets].compactMap { $0 }
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
  private func children(of inner: InnerTreeNode, count: Int) throws -> [TreeNode] {
    guard inner.total == count, inner.childCount <= BPlusTree.fanOut else {
      throw StorageError.corrupted(inner.node.ref, .wrongElementCount(expected: count, found: inner.total))
    }
    if let offsets = inner.offsets, offsets.count != inner.childCount - 1 {
      throw StorageError.corrupted(
        offsets.ref, .wrongElementCount(expected: inner.childCount - 1, found: offsets.count))
    }
    var start = 0
    return try (0..<inner.childCount).map { index in
      let end =
        if index == inner.childCount - 1 {
          count
        } else if let offsets = inner.offsets {
          Int(clamping: offsets.uncheckedUnsigned(index))
        } else {
          Int(clamping: Int128(inner.elementsPerChild) * Int128(index + 1))
        }
      guard end > start, end <= count else { throw StorageError.corrupted(inner.node.ref, .offsetsNotAscending) }
      defer { start = end }
      return TreeNode(.stored(try inner.child(index)), count: end - start)
    }
  }

  // MARK: Finding

  /// The key at a place, which must be inside the list.
  func key(at index: Int) throws -> ObjectKey { ObjectKey(rawValue: try key(at: index, in: root)) }

  private func key(at index: Int, in node: TreeNode) throws -> Int64 {
    var (node, rest) = (node, index)
    while true {
      // What is only looked at is not kept.
      if case .stored(let ref) = node.content {
        let place = try BPlusTree(root: ref, element: .objectKey).leaf(holding: rest, in: store)
        guard case .int(let key) = try place.leaf.value(at: place.position, in: store) else {
          throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a list of object keys"))
        }
        return key
      }
      switch node.content {
      case .inner(let children): (node, rest) = try Self.child(holding: rest, of: children)
      case .leaf(let keys):
        guard keys.indices.contains(rest) else {
          throw StorageError.corrupted(.null, .indexOutOfRange(rest, count: keys.count))
        }
        return keys[rest]
      case .stored: continue
      }
    }
  }

  private static func child(holding index: Int, of children: [TreeNode]) throws -> (TreeNode, Int) {
    var rest = index
    for child in children {
      if rest < child.count { return (child, rest) }
      rest -= child.count
    }
    throw StorageError.corrupted(.null, .indexOutOfRange(index, count: index - rest))
  }

  /// The first place whose key is not below another one, in a list in the order of its keys.
  func position(notBelow key: ObjectKey) throws -> Int {
    var (node, before, depth) = (root, 0, 0)
    while true {
      try load(node, depth: depth)
      switch node.content {
      case .leaf(let keys): return before + firstIndex(in: 0..<keys.count) { keys[$0] >= key.rawValue }
      case .inner(let children):
        // The last child that begins at the key or below.
        let behind = try firstIndex(in: 0..<children.count) { try self.key(at: 0, in: children[$0]) > key.rawValue }
        let index = max(behind - 1, 0)
        before += children[..<index].reduce(0) { $0 + $1.count }
        node = children[index]
        depth += 1
      case .stored: throw StorageError.corrupted(.null, .tooDeep)
      }
    }
  }

  /// Calls `visit` with the keys in order until it returns false.
  func forEach(_ visit: (ObjectKey) throws -> Bool) throws {
    var goesOn = true
    try forEach(below: root, budget: WalkBudget.bytes(of: store)) { key in
      if goesOn { goesOn = try visit(ObjectKey(rawValue: key)) }
    }
  }

  private func forEach(below node: TreeNode, budget: WalkBudget, _ visit: (Int64) throws -> Void) throws {
    switch node.content {
    case .leaf(let keys): for key in keys { try visit(key) }
    case .inner(let children): for child in children { try forEach(below: child, budget: budget, visit) }
    case .stored(let ref):
      try BPlusTree(root: ref, element: .objectKey).forEachKey(in: store, budget: budget, visit)
    }
  }

  // MARK: Changing

  /// Puts a key at a place, at most the end.
  func insert(_ key: ObjectKey, at index: Int) throws {
    guard let sibling = try insert(key.rawValue, at: index, into: root, depth: 0) else { return }
    root = TreeNode(.inner([root, sibling]), count: root.count + sibling.count)
    root.isChanged = true
  }

  /// - Returns: the second half of a node that had no room.
  private func insert(_ key: Int64, at index: Int, into node: TreeNode, depth: Int) throws -> TreeNode? {
    try load(node, depth: depth)
    node.isChanged = true
    node.count += 1
    switch node.content {
    case .leaf(var keys):
      node.content = .leaf([])
      keys.insert(key, at: min(max(index, 0), keys.count))
      let isLast = index == keys.count - 1
      return split(node, keys, isLast: isLast, { $0.count }) { .leaf(Array($0)) }
    case .inner(var children):
      node.content = .inner([])
      var (place, rest) = (0, index)
      while place < children.count - 1, rest > children[place].count {
        rest -= children[place].count
        place += 1
      }
      let sibling = try insert(key, at: rest, into: children[place], depth: depth + 1)
      if let sibling { children.insert(sibling, at: place + 1) }
      return split(node, children, isLast: sibling != nil && place == children.count - 2, Self.total) {
        .inner(Array($0))
      }
    case .stored: throw StorageError.corrupted(.null, .tooDeep)
    }
  }

  private static func total(_ children: ArraySlice<TreeNode>) -> Int { children.reduce(0) { $0 + $1.count } }

  /// Gives a node its elements, and the rest to a new one where they are too many: one alone at the end, half otherwise.
  private func split<Element>(
    _ node: TreeNode, _ elements: [Element], isLast: Bool, _ count: (ArraySlice<Element>) -> Int,
    _ content: (ArraySlice<Element>) -> TreeNode.Content
  ) -> TreeNode? {
    guard elements.count > BPlusTree.fanOut else {
      node.content = content(elements[...])
      return nil
    }
    let cut = isLast ? elements.count - 1 : elements.count / 2
    let sibling = TreeNode(content(elements[cut...]), count: count(elements[cut...]))
    sibling.isChanged = true
    (node.content, node.count) = (content(elements[..<cut]), node.count - sibling.count)
    return sibling
  }

  /// Takes the key at a place out.
  func remove(at index: Int) throws {
    guard index >= 0, index < count else { throw StorageError.corrupted(.null, .indexOutOfRange(index, count: count)) }
    try remove(at: index, from: root, depth: 0)
    while case .inner(let children) = root.content, children.count == 1, let only = children.first {
      dropped += root.stored
      root = only
    }
  }

  private func remove(at index: Int, from node: TreeNode, depth: Int) throws {
    try load(node, depth: depth)
    node.isChanged = true
    node.count -= 1
    switch node.content {
    case .leaf(var keys):
      node.content = .leaf([])
      keys.remove(at: index)
      node.content = .leaf(keys)
    case .inner(var children):
      node.content = .inner([])
      var (place, rest) = (0, index)
      while place < children.count - 1, rest >= children[place].count {
        rest -= children[place].count
        place += 1
      }
      try remove(at: rest, from: children[place], depth: depth + 1)
      if children[place].count == 0 {
        dropped += children.remove(at: place).stored
      } else if place + 1 < children.count {
        if try join(children[place], children[place + 1], depth: depth + 1) { children.remove(at: place + 1) }
      }
      node.content = .inner(children)
    case .stored: throw StorageError.corrupted(.null, .tooDeep)
    }
  }

  /// Joins two nodes side by side where the first has little in it and both fit into one.
  private func join(_ left: TreeNode, _ right: TreeNode, depth: Int) throws -> Bool {
    switch left.content {
    case .leaf(let keys):
      guard keys.count < Self.fewKeys, keys.count + right.count < Self.mostJoined else { return false }
      try load(right, depth: depth)
      guard case .leaf(let more) = right.content else { throw StorageError.corrupted(.null, .tooDeep) }
      left.content = .leaf(keys + more)
    case .inner(let children):
      guard children.count < Self.fewKeys else { return false }
      try load(right, depth: depth)
      guard case .inner(let more) = right.content else { throw StorageError.corrupted(.null, .tooDeep) }
      guard children.count + more.count < Self.mostJoined else { return false }
      left.content = .inner(children + more)
    case .stored: return false
    }
    left.count += right.count
    dropped += right.stored
    return true
  }

  // MARK: Writing

  /// Gives back all nodes of a list that is no longer needed: it has a key at most, in its root.
  func release(_ output: any NodeReplacement) throws {
    for node in dropped + root.stored { output.release(node.ref, byteSize: node.byteSize) }
    if case .stored(let ref) = root.content { try output.releaseTree(ref) }
  }

  /// Writes what has changed, inner nodes in the general form.
  ///
  /// - Returns: the root.
  func write(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    for node in dropped { output.release(node.ref, byteSize: node.byteSize) }
    dropped = []
    return try write(root, nodes, output)
  }

  private func write(_ node: TreeNode, _ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    if case .stored(let ref) = node.content { return ref }
    if !node.isChanged, let stored = node.stored.first { return stored.ref }
    for stored in node.stored { output.release(stored.ref, byteSize: stored.byteSize) }
    guard case .inner(let children) = node.content else {
      if case .leaf(let keys) = node.content { return try nodes.integers(keys) }
      return .null
    }
    let refs = try children.map { try write($0, nodes, output).element }
    var ends: [UInt64] = []
    var end = 0
    for child in children.dropLast() {
      end += child.count
      ends.append(UInt64(end))
    }
    let slots = [try nodes.unsigned(ends).element] + refs + [.tagged(UInt64(node.count))]
    return try nodes.integers(slots, [.inner, .refs])
  }
}
