/// The nodes of a cluster tree (Docs/Format/3-tables-and-objects.md §4.2, §4.3).
extension NodeEncoder {
  /// Writes the keys of a cluster, unless they follow one another from the base on.
  ///
  /// - Parameter base: the lowest key that can be in the cluster.
  /// - Returns: the first element of the cluster.
  func clusterKeys(_ keys: [UInt64], base: UInt64) throws -> Int64 {
    let isCompact = keys.enumerated().allSatisfy { $1 == base &+ UInt64($0) }
    return isCompact ? .tagged(UInt64(keys.count)) : try unsigned(keys.map { $0 &- base }).element
  }

  /// Writes a cluster.
  ///
  /// - Parameter leaves: by leaf index.
  func cluster(keys: Int64, leaves: [Ref]) throws -> Ref { try integers([keys] + leaves.map(\.element), .refs) }

  /// Writes an inner node.
  ///
  /// - Parameters:
  ///   - offsets: where the children begin, relative to the node.
  ///   - depth: levels below.
  func innerClusterNode(offsets: [UInt64], _ children: [Ref], depth: Int, objectCount: Int) throws -> Ref {
    let isCompact = offsets.enumerated().allSatisfy { $1 == UInt64($0) << (8 * UInt64(depth)) }
    let slots: [Int64] = [
      isCompact ? 0 : try unsigned(offsets).element, .tagged(UInt64(depth)), .tagged(UInt64(objectCount)),
    ]
    return try integers(slots + children.map(\.element), [.inner, .refs])
  }
}
