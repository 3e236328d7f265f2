/// Objects that come and go (Docs/Format/3-tables-and-objects.md §4.4).
extension EditedClusterTree {
  // MARK: Insert

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - prepare: loads all leaves of the cluster.
  ///   - defaults: the object's values by leaf index.
  /// - Returns: false where the key is in use.
  func insert(
    _ key: ObjectKey, _ defaults: [Value], prepare: (EditedCluster) throws -> Void,
    newCluster: (UInt64) -> EditedCluster
  ) throws -> Bool {
    let key = UInt64(bitPattern: key.rawValue)
    let way = try way(to: key)
    let (nodes, cluster) = (way.nodes, way.cluster)
    let row = cluster.firstRow(notBelow: key)
    if row < cluster.count, cluster.keys[row] == key { return false }
    way.change()
    var sibling: EditedNode?
    if cluster.count < Cluster.mostObjects {
      try prepare(cluster)
      cluster.insert(key, at: row, defaults)
    } else if row == cluster.count {
      let tail = newCluster(key)
      tail.insert(key, at: 0, defaults)
      sibling = EditedNode(base: key, .cluster(tail))
    } else {
      try prepare(cluster)
      let tail = cluster.split(at: row)
      cluster.insert(key, at: row, defaults)
      sibling = EditedNode(base: tail.base, .cluster(tail))
    }
    sibling?.isChanged = true
    if sibling != nil { lastWay = nil }
    for node in nodes.dropLast().reversed() {
      node.total += 1
      if let added = sibling { sibling = try addChild(added, to: node) }
    }
    if let sibling { try growRoot(sibling) }
    count += 1
    return true
  }

  /// - Returns: the second half of a node that had no room.
  private func addChild(_ child: EditedNode, to node: EditedNode) throws -> EditedNode? {
    guard case .inner(var children) = node.content else { return nil }
    let place = children.firstIndex { $0.base &- node.base > child.base &- node.base } ?? children.count
    guard children.count == Cluster.mostObjects else {
      children.insert(child, at: place)
      node.content = .inner(children)
      return nil
    }
    let tail = place == children.count ? [child] : Array(children[place...])
    if place < children.count {
      children.removeSubrange(place...)
      children.append(child)
      node.content = .inner(children)
    }
    let sibling = EditedNode(base: tail.first?.base ?? child.base, .inner(tail), depth: node.depth)
    sibling.isChanged = true
    sibling.total = try tail.reduce(0) { $0 + (try objectCount(of: $1)) }
    node.total -= sibling.total
    return sibling
  }

  private func objectCount(of node: EditedNode) throws -> Int {
    switch node.content {
    case .inner: return node.total
    case .cluster(let cluster): return cluster.count
    case .stored(let ref):
      let count = try ClusterTree(root: ref).count(in: store)
      guard count <= Self.mostObjects else { throw StorageError.corrupted(ref, .valueOutOfRange("number of objects")) }
      return count
    }
  }

  private func growRoot(_ sibling: EditedNode) throws {
    let old = root
    let depth = (old.depth ?? 0) + 1
    guard depth <= ClusterTree.maximumDepth else { throw StorageError.corrupted(.null, .tooDeep) }
    root = EditedNode(base: 0, .inner([old, sibling]), depth: depth)
    root.isChanged = true
    root.total = try objectCount(of: old) + objectCount(of: sibling)
  }

  // MARK: Remove

  /// Takes an object out.
  ///
  /// - Parameters:
  ///   - prepare: loads all leaves of the cluster.
  ///   - emptied: called with a cluster that nothing is left in.
  ///   - join: puts the rows of a cluster behind those of the one before it.
  ///   - newCluster: makes the cluster of a tree that has lost its last object.
  func remove(
    _ key: ObjectKey, prepare: (EditedCluster) throws -> Void, emptied: (EditedCluster) throws -> Void,
    join: (EditedCluster, EditedCluster) throws -> Void, newCluster: (UInt64) -> EditedCluster
  ) throws -> Bool {
    let key = UInt64(bitPattern: key.rawValue)
    let way = try way(to: key)
    let (nodes, cluster) = (way.nodes, way.cluster)
    guard let row = cluster.row(of: key) else { return false }
    try prepare(cluster)
    cluster.remove(row)
    way.change()
    for node in nodes.dropLast() { node.total -= 1 }
    count -= 1
    if cluster.count == 0, nodes.count > 1 {
      lastWay = nil
      try emptied(cluster)
      try removeEmpty(nodes, newCluster)
    }
    try joinSmall(nodes, join)
    collapseRoot()
    return true
  }

  /// Takes an empty node out of the one above it, and that one too where nothing is left.
  private func removeEmpty(_ path: [EditedNode], _ newCluster: (UInt64) -> EditedCluster) throws {
    var path = path
    while path.count > 1 {
      let empty = path.removeLast()
      guard let parent = path.last, case .inner(var children) = parent.content else { return }
      children.removeAll { $0 === empty }
      parent.content = .inner(children)
      if let first = children.first {
        try rebase(first, to: parent.base)
        break
      }
      if path.count > 1 {
        dropped.append(parent)
      } else {
        // Nothing is left at all.
        dropped.append(parent)
        root = EditedNode(base: 0, .cluster(newCluster(0)))
        root.isChanged = true
        return
      }
    }
  }

  /// Joins each node of a way that has few rows or children left with the one behind it, where both fit well into one.
  private func joinSmall(_ way: [EditedNode], _ join: (EditedCluster, EditedCluster) throws -> Void) throws {
    for (parent, node) in zip(way, way.dropFirst()).reversed() {
      let size = try size(of: node)
      guard size < Self.fewElements, case .inner(var siblings) = parent.content,
        let index = siblings.firstIndex(where: { $0 === node }), index + 1 < siblings.count,
        case let next = siblings[index + 1], size + (try self.size(of: next)) < Self.mostJoined
      else { continue }
      try load(next)
      switch (node.content, next.content) {
      case (.cluster(let left), .cluster(let right)): try join(left, right)
      case (.inner(let left), .inner(let right)):
        node.content = .inner(left + right)
        node.total += next.total
        dropped.append(next)
      default: continue
      }
      siblings.remove(at: index + 1)
      parent.content = .inner(siblings)
      lastWay = nil
    }
  }

  private static let fewElements = 128
  private static let mostJoined = 192

  private func size(of node: EditedNode) throws -> Int {
    switch node.content {
    case .cluster(let cluster): return cluster.count
    case .inner(let children): return children.count
    case .stored(let ref):
      let stored = try Node(ref, in: store)
      guard stored.isInner else { return try objectCount(of: node) }
      return try ClusterTree.InnerNode(stored, in: store).childCount
    }
  }

  /// A root with one child gives way to it.
  private func collapseRoot() {
    while case .inner(let children) = root.content, children.count == 1, let only = children.first {
      dropped.append(root)
      root = only
      root.isChanged = true
      lastWay = nil
    }
  }

  /// The first child of a node begins where the node does.
  private func rebase(_ node: EditedNode, to base: UInt64) throws {
    guard node.base != base else { return }
    try load(node)
    node.base = base
    node.isChanged = true
    switch node.content {
    case .cluster(let cluster): cluster.rebase(to: base)
    case .inner(let children): if let first = children.first { try rebase(first, to: base) }
    case .stored: break
    }
  }
}
