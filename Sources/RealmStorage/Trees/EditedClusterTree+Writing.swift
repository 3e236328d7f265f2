/// Writing and releasing the nodes of a tree at the end of a transaction.
extension EditedClusterTree {
  /// Writes what has changed.
  ///
  /// - Parameter write: writes a cluster.
  /// - Returns: the root.
  func write(
    _ nodes: NodeEncoder, _ output: any NodeReplacement, _ write: (EditedCluster) throws -> Ref
  ) throws -> Ref {
    for node in dropped { output.release(node) }
    dropped.removeAll()
    return try root.write(output) { cluster in
      if !cluster.isChanged, let stored = cluster.stored { return stored.ref }
      return try write(cluster)
    } inner: { node, children in
      let summary = node.summary
      guard summary.total >= 0 else {
        throw StorageError.corrupted(node.stored.first?.ref ?? .null, .valueOutOfRange("number of objects"))
      }
      return try nodes.innerClusterNode(
        offsets: node.bounds.map { $0 &- summary.base }, children, depth: summary.depth, objectCount: summary.total)
    }
  }

  /// Releases all nodes.
  func releaseAll(_ output: any NodeReplacement) throws {
    for node in dropped { output.release(node) }
    try releaseAll(root, output)
  }

  private func releaseAll(_ subtree: Subtree, _ output: any NodeReplacement) throws {
    switch subtree {
    case .stored(let ref): try output.releaseTree(ref)
    case .inner(let node):
      for child in node.children { try releaseAll(child, output) }
      for stored in node.stored { output.release(stored) }
    case .leaf(let cluster):
      for leaf in cluster.leaves { try leaf.releaseAll(output) }
      try cluster.release(output)
    }
  }
}
