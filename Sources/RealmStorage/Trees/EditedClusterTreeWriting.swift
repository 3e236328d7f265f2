/// What becomes of the nodes of a tree at the end of a transaction.
extension EditedClusterTree {
  /// Writes what has changed.
  ///
  /// - Parameter write: writes a cluster.
  /// - Returns: the root.
  func write(
    _ nodes: NodeEncoder, _ output: any NodeReplacement, _ write: (EditedCluster) throws -> Ref
  ) throws -> Ref {
    for node in dropped { try release(node, output) }
    dropped.removeAll()
    return try self.write(root, nodes, output, write)
  }

  /// Gives all nodes back.
  func releaseAll(_ output: any NodeReplacement) throws {
    for node in dropped { try release(node, output) }
    try releaseAll(root, output)
  }

  private func releaseAll(_ node: EditedNode, _ output: any NodeReplacement) throws {
    switch node.content {
    case .stored(let ref): try output.releaseTree(ref)
    case .inner(let children):
      for child in children { try releaseAll(child, output) }
      try release(node, output)
    case .cluster(let cluster):
      for leaf in cluster.leaves { try leaf.releaseAll(output) }
      try cluster.release(output)
    }
  }

  private func release(_ node: EditedNode, _ output: any NodeReplacement) throws {
    guard let stored = node.storedInner else { return }
    output.release(stored.ref, byteSize: stored.byteSize)
    try output.releaseTree(stored.childRef(0))
  }

  private func write(
    _ node: EditedNode, _ nodes: NodeEncoder, _ output: any NodeReplacement, _ write: (EditedCluster) throws -> Ref
  ) throws -> Ref {
    switch node.content {
    case .stored(let ref): return ref
    case .cluster(let cluster):
      if !cluster.isChanged, let stored = cluster.stored { return stored.ref }
      return try write(cluster)
    case .inner(let children):
      if !node.isChanged, let stored = node.storedInner { return stored.ref }
      guard let depth = node.depth, node.total >= 0 else {
        throw StorageError.corrupted(node.storedInner?.ref ?? .null, .valueOutOfRange("number of objects"))
      }
      let refs = try children.map { try self.write($0, nodes, output, write) }
      try release(node, output)
      return try nodes.innerClusterNode(
        offsets: children.map { $0.base &- node.base }, refs, depth: depth, objectCount: node.total)
    }
  }
}
