import RealmStorage

/// Search indexes that nothing refers to any longer, because the root of their table is lost.
///
/// An index says of values which objects have them. One whose objects are, for the values of a group of objects, keys one
/// as far apart from the other as those in the group, is the index of that column: chance does not put them in order.
struct LostIndexes {
  private let bytes: RescueBytes
  private let votes: KeyOffsetInference
  private let work: RescueWork
  /// Nodes that no other node of an index leads to; the last in the file first, which as a rule is the newest.
  private let roots: [Ref]

  private static let mostRoots = 256
  private static let mostGroups = 8
  private static let costOfVotes = 64

  init(_ bytes: RescueBytes, _ space: RescueSpace, _ tables: [RescuedTable], _ scan: NodeScan, _ work: RescueWork) {
    (self.bytes, self.work) = (bytes, work)
    votes = KeyOffsetInference(bytes, Dictionary(tables.map { ($0.key, $0) }) { first, _ in first })
    var children: Set<Ref> = []
    for ref in scan.indexNodes {
      bytes.letGoOfPages()
      bytes.wholeNode(ref)?.forEachRef { children.insert($0) }
    }
    roots = scan.indexNodes.reversed().filter { !children.contains($0) && !space.isTaken($0.rawValue) }
  }

  /// Gives a table the indexes that its objects show.
  ///
  /// - Parameter groups: groups of objects that can be those of the table.
  func find(for table: RescuedTable, groups: [Ref]) {
    guard !roots.isEmpty, table.hasLostIndexes else { return }
    let step = max(1, table.places.count / Self.mostGroups)
    let known = stride(from: 0, to: table.places.count, by: step).map { table.places[$0] }
    let others = groups.prefix(Self.mostGroups).map {
      ClusterPlace(ref: $0, offset: 0, keys: RescueClusterTree.allKeys, confidence: .earlier)
    }
    for index in table.columns.indices where table.canHaveIndex(index) {
      var best: (root: Ref, hits: Int)?
      for root in roots.prefix(Self.mostRoots) {
        let hits = hits(root, table.columns[index], known, others, table)
        if hits > best?.hits ?? 0 { best = (root, hits) }
      }
      if let best { table.setIndex(index, root: best.root) }
    }
  }

  /// How many groups agree with an index; 0 if one of those whose keys are known does not.
  private func hits(
    _ root: Ref, _ column: Column, _ known: [ClusterPlace], _ others: [ClusterPlace], _ table: RescuedTable
  ) -> Int {
    var hits = 0
    for (number, place) in (known + others).enumerated() {
      bytes.letGoOfPages()
      guard work.spend(Self.costOfVotes), let cluster = place.cluster(in: bytes), cluster.count > 0,
        let offset = votes.offset(of: cluster, in: table, ifIndexOf: column, isAt: root)
      else { continue }
      if number < known.count, offset != place.offset { return 0 }
      hits += 1
    }
    return hits
  }
}

extension RescuedTable {
  /// Whether nothing says which indexes the table has.
  fileprivate var hasLostIndexes: Bool { top?.hasIndexes != true }

  /// Whether a column may have an index, and none is known.
  fileprivate func canHaveIndex(_ index: Int) -> Bool {
    let column = columns[index]
    return column.canBePrimaryKey && indexRoot(at: column.leafIndex) == nil
  }
}
