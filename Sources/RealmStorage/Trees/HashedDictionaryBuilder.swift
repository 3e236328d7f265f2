/// Writes a dictionary of formats 21 and 22: clusters of entries in the order of the hashes of their keys
/// (Docs/Format/4-file-versions.md §3.8).
///
/// A builder is used for dictionary after dictionary.
final class HashedDictionaryBuilder {
  private let nodes: NodeEncoder
  private var tree: ClusterTreeBuilder
  private var hashes: [UInt64] = []
  private let keys: any LeafEncoder
  private let values: MixedLeafEncoder
  private var last: UInt64?
  /// Entries in clusters that are written.
  private var countInClusters = 0

  init(_ nodes: NodeEncoder) {
    self.nodes = nodes
    tree = ClusterTreeBuilder(nodes)
    keys = ElementType.string.leafEncoder(inCollection: true, nodes)
    values = MixedLeafEncoder(nodes)
  }

  /// The key of the value that comes next.
  ///
  /// - Throws: `BuildError.equalHashes` for one that does not come after the last one. Engines tolerate two keys with
  ///   one hash, which hardly ever occurs among 2^63.
  func append(key: BlobView) throws {
    if hashes.count == Cluster.mostObjects { try finishCluster() }
    let hash = HashedDictionary.hash(of: key)
    if let last, last >= hash { throw BuildError.equalHashes(RealmString(ValueOrder.bytes(of: key))) }
    last = hash
    hashes.append(hash)
    try keys.append(.string(key))
  }

  func append(_ value: ValueView) throws { try values.append(value) }

  /// Writes what is left; null for a dictionary without entries.
  func finish() throws -> Ref {
    defer {
      tree = ClusterTreeBuilder(nodes)
      (last, countInClusters) = (nil, 0)
    }
    guard countInClusters + hashes.count > 0 else { return .null }
    try finishCluster()
    return try tree.finish()
  }

  private func finishCluster() throws {
    guard values.count == hashes.count else {
      throw BuildError.wrongValueCount(expected: hashes.count, found: values.count)
    }
    try tree.append(keys: hashes, leaves: [try keys.finish(), try values.finish()])
    countInClusters += hashes.count
    hashes.removeAll(keepingCapacity: true)
  }
}

/// The order of dictionaries of formats 21 and 22.
package enum HashedDictionary {
  /// The part of a key's hash that engines store.
  package static func hash(of key: BlobView) -> UInt64 { CityHash.hash(ValueOrder.bytes(of: key)) & (1 << 63 - 1) }
}
