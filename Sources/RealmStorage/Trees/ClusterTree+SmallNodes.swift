extension ClusterTree {
  /// Whether all trees look like those of a test build (Docs/Format/4-file-versions.md §3.11): at most four children
  /// and, if keys are implied, exactly four objects in every cluster but the last. An ordinary engine merges such
  /// clusters.
  ///
  /// - Parameter roots: of the trees; few nodes of an ordinary one are looked at.
  package static func areSmall(_ roots: [Ref], in store: ByteStore) -> Bool {
    var found = false
    let budget = WalkBudget.bytes(of: store)
    for root in roots {
      guard let node = try? Node(root, in: store), node.isInner else { continue }
      guard isSmall(node, in: store, budget, level: 0, found: &found) else { return false }
    }
    return found
  }

  private static func isSmall(
    _ node: Node, in store: ByteStore, _ budget: WalkBudget, level: Int, found: inout Bool
  ) -> Bool {
    guard level <= ClusterTree.maximumDepth, (try? budget.spend(node.byteSize, at: node.ref)) != nil,
      let inner = try? ClusterTree.InnerNode(node, in: store),
      inner.childCount <= 4
    else { return false }
    for index in 0..<inner.childCount {
      guard let ref = try? inner.childRef(index), let child = try? Node(ref, in: store) else { return false }
      guard !child.isInner else {
        guard isSmall(child, in: store, budget, level: level + 1, found: &found) else { return false }
        continue
      }
      guard let cluster = try? Cluster(child, offset: 0, in: store), cluster.count <= 4 else { return false }
      guard inner.offsets == nil, index + 1 < inner.childCount else { continue }
      guard cluster.count == 4 else { return false }
      found = true
    }
    return true
  }
}
