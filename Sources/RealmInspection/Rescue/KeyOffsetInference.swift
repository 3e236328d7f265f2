import RealmStorage

/// Finds out which keys a group of objects has from what the rest of the file says about them.
struct KeyOffsetInference {
  private let bytes: RescueBytes
  private let tables: [TableKey: RescuedTable]

  private static let mostRows = 32
  private static let leastVotes = 2
  /// Set if nothing shows that the columns belong together.
  private static let leastAgreeing = 6

  init(_ bytes: RescueBytes, _ tables: [TableKey: RescuedTable]) { (self.bytes, self.tables) = (bytes, tables) }

  /// The number to add to the keys in the node; nil if nothing determines it, or the votes differ.
  func offset(of cluster: RescueCluster, in table: RescuedTable) -> UInt64? {
    offset(of: cluster, in: table, by: nil, atLeast: min(Self.leastVotes, cluster.count))
  }

  /// The same from some columns alone, for leaves that may belong to other groups.
  func offset(of cluster: RescueCluster, in table: RescuedTable, by leafIndexes: Set<Int>) -> UInt64? {
    offset(of: cluster, in: table, by: leafIndexes, atLeast: Self.leastAgreeing)
  }

  private func offset(
    of cluster: RescueCluster, in table: RescuedTable, by leafIndexes: Set<Int>?, atLeast least: Int
  ) -> UInt64? {
    func counts(_ leafIndex: Int) -> Bool { leafIndexes?.contains(leafIndex) ?? true }
    var votes = Ballot()
    let rows = rows(of: cluster)
    for index in table.columns.indices
    where table.hasIndex(index) && counts(table.columns[index].leafIndex) {
      let column = table.columns[index]
      if let root = table.indexRoot(at: column.leafIndex) { voteByIndex(root, of: column, cluster, rows, &votes) }
    }
    for column in table.columns where column.element.code == .link && column.collection == nil {
      guard counts(column.leafIndex), let target = tables[column.element.target],
        let partner = table.partners[column.leafIndex]
      else { continue }
      voteByLinks(cluster, rows, column.leafIndex, target, partner.leafIndex, &votes)
    }
    for column in table.backlinks where counts(column.leafIndex) {
      guard let origin = tables[column.originTable],
        let link = origin.columns.first(where: { $0.key == column.originColumn })
      else { continue }
      voteByBacklinks(cluster, rows, column.leafIndex, origin, link, &votes)
    }
    return votes.winner(atLeast: least)
  }

  /// The offset if a column had the links that belong to the incoming ones of a target.
  func offset(of cluster: RescueCluster, ifLinksAt leafIndex: Int, leadTo target: RescuedTable, _ partner: Int)
    -> UInt64?
  {
    var votes = Ballot()
    voteByLinks(cluster, rows(of: cluster), leafIndex, target, partner, &votes)
    return votes.winner(atLeast: min(Self.leastAgreeing, cluster.count))
  }

  /// The offset if a column had the incoming links that belong to the links of another table.
  func offset(of cluster: RescueCluster, ifBacklinksAt leafIndex: Int, come origin: RescuedTable, _ link: Column)
    -> UInt64?
  {
    var votes = Ballot()
    voteByBacklinks(cluster, rows(of: cluster), leafIndex, origin, link, &votes)
    return votes.winner(atLeast: min(Self.leastAgreeing, cluster.count))
  }

  /// The offset if an index were that of a column.
  func offset(of cluster: RescueCluster, in table: RescuedTable, ifIndexOf column: Column, isAt root: Ref) -> UInt64? {
    var votes = Ballot()
    voteByIndex(root, of: column, cluster, rows(of: cluster), &votes)
    return votes.winner(atLeast: min(Self.leastAgreeing, cluster.count))
  }

  private func rows(of cluster: RescueCluster) -> [Int] {
    Array(stride(from: 0, to: cluster.count, by: max(1, cluster.count / Self.mostRows)))
  }

  /// Which rows vote for which offset.
  private struct Ballot {
    private var votes: [UInt64: Set<Int>] = [:]
    private var voters: Set<Int> = []
    /// Rows that have named exactly one offset.
    private var decided: [UInt64: Set<Int>] = [:]
    /// Rows that have named several.
    private var undecided = 0

    /// Rows that may name several offsets; by chance, half of them hardly ever agree on a wrong one.
    private static let mostUndecided = 12
    /// Rows that name the places from which the following ones choose.
    private static let mostNaming = 4
    private static let leastUndecided = 6

    mutating func vote(_ key: ObjectKey, _ cluster: RescueCluster, _ row: Int) {
      guard let offset = Self.offset(key, cluster, row) else { return }
      votes[offset, default: []].insert(row)
      decided[offset, default: []].insert(row)
      voters.insert(row)
    }

    /// One of the keys is that of the row.
    mutating func vote(oneOf keys: [ObjectKey], _ cluster: RescueCluster, _ row: Int) {
      guard !keys.isEmpty, undecided < Self.mostUndecided else { return }
      undecided += 1
      voters.insert(row)
      for key in keys {
        guard let offset = Self.offset(key, cluster, row) else { continue }
        if undecided <= Self.mostNaming || votes[offset] != nil { votes[offset, default: []].insert(row) }
      }
    }

    private static func offset(_ key: ObjectKey, _ cluster: RescueCluster, _ row: Int) -> UInt64? {
      guard key.rawValue >= 0 else { return nil }
      let (offset, overflow) = UInt64(key.rawValue).subtractingReportingOverflow(cluster.relativeKey(at: row))
      return overflow || offset > UInt64(Int64.max) ? nil : offset
    }

    /// The offset that most of the rows that know any agree on, if no other comes close.
    func winner(atLeast least: Int) -> UInt64? {
      let counts = votes.mapValues(\.count).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      guard let best = counts.first, best.value * 2 > voters.count else { return nil }
      guard decided[best.key]?.count ?? 0 >= least || best.value >= max(least, Self.leastUndecided) else { return nil }
      if counts.count > 1, counts[1].value * 2 > best.value { return nil }
      return best.key
    }
  }

  private func voteByIndex(
    _ root: Ref, of column: Column, _ cluster: RescueCluster, _ rows: [Int], _ votes: inout Ballot
  ) {
    guard let ref = cluster.leafRef(column.leafIndex),
      let leaf = try? Leaf(
        ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: bytes.store),
      leaf.count == cluster.count
    else { return }
    let lookup = IndexLookup(root: root, store: bytes.store)
    let walk = CollectionWalk(store: bytes.store, format: 24, passes: 1)
    for row in rows {
      guard let value = try? Value(leaf.value(at: row, in: bytes.store), walk),
        value != .null, let keys = try? lookup.candidates(for: value), keys.count == 1
      else { continue }
      votes.vote(keys[0], cluster, row)
    }
  }

  /// The targets of links say where the links come from. A row with one link identifies its offset; a row with many
  /// only says what is possible, and rows with different targets together leave one offset.
  private func voteByLinks(
    _ cluster: RescueCluster, _ rows: [Int], _ leafIndex: Int, _ target: RescuedTable, _ partner: Int,
    _ votes: inout Ballot
  ) {
    guard let leaf = cluster.leafRef(leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0xf8 == 0,
      leaf.count == cluster.count
    else { return }
    for row in rows {
      let key = ObjectKey(rawValue: leaf.uncheckedInt(row) &- 1)
      guard key.rawValue >= 0, let place = target.find(key, in: bytes) else { continue }
      let origins = origins(place.cluster, place.row, partner)
      if origins.count == 1 { votes.vote(origins[0], cluster, row) } else { votes.vote(oneOf: origins, cluster, row) }
    }
  }

  /// The objects that link here say where their links lead.
  private func voteByBacklinks(
    _ cluster: RescueCluster, _ rows: [Int], _ leafIndex: Int, _ origin: RescuedTable, _ link: Column,
    _ votes: inout Ballot
  ) {
    guard link.collection == nil, link.element.code == .link else { return }
    for row in rows {
      guard let key = origins(cluster, row, leafIndex).first, let place = origin.find(key, in: bytes),
        let leaf = place.cluster.leafRef(link.leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0x58 == 0,
        leaf.count == place.cluster.count
      else { continue }
      votes.vote(ObjectKey(rawValue: leaf.uncheckedInt(place.row) &- 1), cluster, row)
    }
  }

  /// The objects that link to one, unless there are more than fit in a leaf.
  private func origins(_ cluster: RescueCluster, _ row: Int, _ leafIndex: Int) -> [ObjectKey] {
    guard let leaf = cluster.leafRef(leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0xf8 == 0x40,
      leaf.count == cluster.count
    else { return [] }
    let element = leaf.slot(row)
    if element.isTagged { return [ObjectKey(rawValue: Int64(bitPattern: element.tagged))] }
    guard let list = element.child.flatMap(bytes.wholeNode), list.flags & 0xf8 == 0, list.count <= Leaf.mostElements
    else { return [] }
    return (0..<list.count).map { ObjectKey(rawValue: list.uncheckedInt($0)) }
  }
}
