/// Writes the tree of a table's objects over clusters whose leaves are written (Docs/Format/3-tables-and-objects.md
/// §4.2, §4.3, §12).
///
/// Clusters are full, in order of their keys.
struct ClusterTreeBuilder {
  /// A node of the level that was written last.
  private struct Child {
    /// First key that can be in it: 0 in the first of a level, whatever its objects.
    let offset: UInt64
    let ref: Ref
    let objectCount: Int
  }

  private let nodes: NodeEncoder
  private var clusters: [Child] = []

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  /// Writes a cluster.
  ///
  /// - Parameters:
  ///   - keys: ascending as unsigned numbers, at most 256; none only in a table without objects.
  ///   - leaves: by leaf index.
  mutating func append(keys: [UInt64], leaves: [Ref]) throws {
    let offset = clusters.isEmpty ? 0 : keys.first ?? 0
    let ref = try nodes.cluster(keys: try nodes.clusterKeys(keys, base: offset), leaves: leaves)
    clusters.append(Child(offset: offset, ref: ref, objectCount: keys.count))
  }

  /// Writes the inner nodes over what was appended, at least one cluster.
  ///
  /// - Returns: the root.
  func finish() throws -> Ref {
    var (level, depth) = (clusters, 1)
    while level.count > 1 {
      level = try stride(from: 0, to: level.count, by: Cluster.mostObjects).map { first in
        try innerNode(Array(level[first..<min(first + Cluster.mostObjects, level.count)]), depth: depth)
      }
      depth += 1
    }
    return level.first?.ref ?? .null
  }

  private func innerNode(_ children: [Child], depth: Int) throws -> Child {
    // The first child of the whole tree starts at 0; the first of every other node is where the node starts.
    let offset = children.first?.offset ?? 0
    let objectCount = children.reduce(0) { $0 + $1.objectCount }
    let ref = try nodes.innerClusterNode(
      offsets: children.map { $0.offset &- offset }, children.map(\.ref), depth: depth, objectCount: objectCount)
    return Child(offset: offset, ref: ref, objectCount: objectCount)
  }
}
