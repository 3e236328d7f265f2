/// Objects that come and go (Docs/Format/3-tables-and-objects.md §4.4).
extension EditedClusterTree {
  // MARK: Insert

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - prepare: loads all leaves of the cluster.
  ///   - defaults: the object's values by leaf index.
  /// - Returns: false if the key is in use.
  func insert(
    _ key: ObjectKey, _ defaults: [Value], prepare: (EditedCluster) throws -> Void,
    newCluster: (UInt64) -> EditedCluster
  ) throws -> Bool {
    let key = UInt64(bitPattern: key.rawValue)
    let way = try way(to: key)
    let cluster = way.cluster
    let row = cluster.firstRow(notBelow: key)
    if row < cluster.count, cluster.keys[row] == key { return false }
    way.change()
    var sibling: (node: Subtree, base: UInt64)?
    if cluster.count < Cluster.mostObjects {
      try prepare(cluster)
      cluster.insert(key, at: row, defaults)
    } else if row == cluster.count {
      let tail = newCluster(key)
      tail.insert(key, at: 0, defaults)
      sibling = (.leaf(tail), key)
    } else {
      try prepare(cluster)
      let tail = cluster.split(at: row)
      cluster.insert(key, at: row, defaults)
      sibling = (.leaf(tail), tail.base)
    }
    if sibling != nil { lastWay = nil }
    for (node, index) in way.steps.reversed() {
      node.summary.total += 1
      if let added = sibling { sibling = try addChild(added, to: node, at: index + 1) }
    }
    if let sibling {
      let total = try objectCount(of: root) + objectCount(of: sibling.node)
      let depth = depth(of: root) + 1
      guard depth <= ClusterTree.maximumDepth else { throw StorageError.corrupted(.null, .tooDeep) }
      root = .inner(
        Inner([0, sibling.base], [root, sibling.node], Summary(base: 0, depth: depth, total: total)))
    }
    count += 1
    return true
  }

  /// - Returns: the second half of a node that had no room.
  private func addChild(
    _ child: (node: Subtree, base: UInt64), to node: Inner, at index: Int
  ) throws -> (node: Subtree, base: UInt64)? {
    node.insert(child.node, child.base, at: index)
    guard node.count > Cluster.mostObjects else { return nil }
    let tail = node.removeTail(from: index == node.count - 1 ? index : index + 1)
    let base = tail.bounds.first ?? child.base
    let total = try tail.children.reduce(0) { $0 + (try objectCount(of: $1)) }
    node.summary.total -= total
    let sibling = Inner(
      tail.bounds, tail.children, Summary(base: base, depth: node.summary.depth, total: total))
    return (.inner(sibling), base)
  }

  private func depth(of subtree: Subtree) -> Int {
    if case .inner(let node) = subtree { node.summary.depth } else { 0 }
  }

  private func objectCount(of subtree: Subtree) throws -> Int {
    switch subtree {
    case .inner(let node): node.summary.total
    case .leaf(let cluster): cluster.count
    case .stored(let ref): try Self.objectCount(ClusterTree(root: ref).count(in: store), at: ref)
    }
  }

  // MARK: Remove

  /// Removes an object.
  ///
  /// - Parameters:
  ///   - prepare: loads all leaves of the cluster.
  ///   - emptied: called with a cluster that nothing is left in.
  ///   - join: appends the rows of a cluster to those of the previous one.
  ///   - newCluster: makes the cluster of a tree that has lost its last object.
  func remove(
    _ key: ObjectKey, prepare: (EditedCluster) throws -> Void, emptied: (EditedCluster) throws -> Void,
    join: (EditedCluster, EditedCluster) throws -> Void, newCluster: (UInt64) -> EditedCluster
  ) throws -> Bool {
    let key = UInt64(bitPattern: key.rawValue)
    let way = try way(to: key)
    let cluster = way.cluster
    guard let row = cluster.row(of: key) else { return false }
    try prepare(cluster)
    cluster.remove(row)
    way.change()
    for step in way.steps { step.node.summary.total -= 1 }
    count -= 1
    var steps = way.steps[...]
    if cluster.count == 0, !steps.isEmpty {
      lastWay = nil
      try emptied(cluster)
      try removeEmpty(&steps, newCluster)
    }
    try joinSmall(steps, join)
    try collapseRoot()
    return true
  }

  /// Removes the empty node at the end of a path from the one above it, and that one as well if nothing is left in it.
  ///
  /// - Parameter steps: of the path; those whose child still exists afterwards are left.
  private func removeEmpty(
    _ steps: inout ArraySlice<(node: Inner, index: Int)>, _ newCluster: (UInt64) -> EditedCluster
  ) throws {
    while let (node, index) = steps.popLast() {
      node.remove(at: index)
      guard node.count == 0 else { return try rebaseFirstChild(of: node) }
      dropped += node.stored
    }
    // Nothing is left at all.
    root = .leaf(newCluster(0))
  }

  /// Joins each node of a path that has few rows or children left with the next one, if both fit well into one.
  private func joinSmall(
    _ steps: ArraySlice<(node: Inner, index: Int)>, _ join: (EditedCluster, EditedCluster) throws -> Void
  ) throws {
    for (parent, index) in steps.reversed() where index + 1 < parent.count {
      let size = try size(of: parent.children[index])
      guard size < Self.fewElements, size + (try self.size(of: parent.children[index + 1])) < Self.mostJoined else {
        continue
      }
      switch (parent.children[index], try child(index + 1, of: parent)) {
      case (.leaf(let left), .leaf(let right)): try join(left, right)
      case (.inner(let left), .inner(let right)):
        left.append(right.bounds, right.children)
        left.summary.total += right.summary.total
        dropped += right.stored
      default: continue
      }
      parent.remove(at: index + 1)
      lastWay = nil
    }
  }

  private static let fewElements = 128
  private static let mostJoined = 192

  private func size(of subtree: Subtree) throws -> Int {
    switch subtree {
    case .leaf(let cluster): return cluster.count
    case .inner(let node): return node.count
    case .stored(let ref):
      let stored = try Node(ref, in: store)
      guard stored.isInner else { return try objectCount(of: subtree) }
      return try ClusterTree.InnerNode(stored, in: store).childCount
    }
  }

  /// A root with one child gives way to it.
  private func collapseRoot() throws {
    while case .inner(let node) = root, node.count == 1 {
      try rebaseFirstChild(of: node)
      dropped += node.stored
      root = node.children[0]
      lastWay = nil
    }
  }

  /// The first child of a node begins where the node does.
  private func rebaseFirstChild(of node: Inner) throws {
    let base = node.summary.base
    guard node.bounds[0] != base else { return }
    let first = try child(0, of: node)
    node.setBound(base, at: 0)
    switch first {
    case .leaf(let cluster): cluster.rebase(to: base)
    case .inner(let inner):
      inner.summary.base = base
      // Its offsets are now relative to another number.
      inner.isChanged = true
      try rebaseFirstChild(of: inner)
    case .stored: break
    }
  }
}
