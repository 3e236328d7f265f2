/// Looks for what the trees of the tables do not lead to any more: other versions of groups of objects in older trees,
/// and groups that nothing leads to.
struct RescueSearch {
  private let bytes: RescueBytes
  private let space: RescueSpace
  private let tables: [RescuedTable]
  private let tops: RescueTops
  private let scan: NodeScan
  private let includesDeleted: Bool
  private let byKey: [TableKey: RescuedTable]

  private static let mostAlternatives = 1 << 18
  /// Groups that nothing leads to and that are looked at closely.
  private static let mostOrphans = 1 << 16

  init(
    _ bytes: RescueBytes, _ space: RescueSpace, _ tables: [RescuedTable], _ tops: RescueTops, _ scan: NodeScan,
    includesDeleted: Bool
  ) {
    (self.bytes, self.space, self.tables, self.tops, self.scan) = (bytes, space, tables, tops, scan)
    self.includesDeleted = includesDeleted
    byKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
  }

  func run() {
    collectOlderTrees()
    // What was placed tells where what it is linked with belongs.
    for _ in 0..<Self.rounds {
      var found = false
      for table in tables where placeOrphans(of: table) { found = true }
      for table in tables { fillHoles(of: table) }
      if !found { break }
    }
    if includesDeleted { for table in tables { collectDeleted(of: table) } }
  }

  private static let rounds = 3

  // MARK: Older trees

  /// The groups that older roots of the tables lead to. Of the snapshot before the live one everything is still there;
  /// of others only what was not overwritten.
  private func collectOlderTrees() {
    var roots: [TableKey: [(ref: Ref, version: UInt64)]] = [:]
    for ref in scan.tableTops + tops.others.flatMap({ tops.tableRefs(of: $0).values }) {
      guard let top = try? RescueTableTop(ref, in: bytes), let table = byKey[top.key], table.top?.ref != ref,
        !top.clusters.isNull, top.clusters != table.top?.clusters
      else { continue }
      roots[top.key, default: []].append((top.clusters, top.contentVersion))
    }
    for table in tables {
      var seen = Set(table.places.map(\.ref))
      for root in (roots[table.key] ?? []).sorted(by: { ($0.version, $0.ref) > ($1.version, $1.ref) }) {
        guard table.alternatives.count < Self.mostAlternatives else { break }
        let tree = RescueClusterTree(root.ref, bytes, grade: .earlier)
        for place in tree.places where !space.isTaken(place.ref.rawValue) && seen.insert(place.ref).inserted {
          if fits(place.ref, table) { table.alternatives.append(place) }
        }
        letGoOfPages()
      }
    }
  }

  private func letGoOfPages() {
    guard bytes.letGoOfPages() else { return }
    for table in tables { table.restoreViews(in: bytes.store) }
  }

  // MARK: Groups that nothing leads to

  /// Whether the leaves of a group are what the columns of a table ask for, as far as they are there; at least one must
  /// be.
  private func fits(_ ref: Ref, _ table: RescuedTable) -> Bool {
    guard let cluster = RescueCluster(ref, offset: 0, in: bytes), cluster.count > 0 else { return false }
    let known = Set(table.columns.map(\.leafIndex) + table.backlinks.map(\.leafIndex))
    var sound = 0
    for index in 0..<max(cluster.node.count - 1, 0) {
      let child = cluster.node.slot(index + 1).child
      if !known.contains(index), !table.lostProperties.isEmpty { continue }
      // A column that was added later is not in older groups.
      guard known.contains(index) == (child != nil) || child == nil else { return false }
      guard let child, let node = try? Node(child, in: bytes.store) else { continue }
      guard let count = count(of: node, index, table) else { return false }
      guard count == cluster.count else { return false }
      sound += 1
    }
    return sound > 0
  }

  /// The number of values of a leaf, if it is one of the column.
  private func count(of node: Node, _ leafIndex: Int, _ table: RescuedTable) -> Int? {
    guard let column = table.columns.first(where: { $0.leafIndex == leafIndex }) else {
      return node.flags & 0xf8 == 0x40 ? node.count : nil
    }
    if let collection = column.collection {
      return try? Leaf(node.ref, of: collection, column.element, in: bytes.store).count
    }
    return try? Leaf(
      node.ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: bytes.store
    ).count
  }

  /// Gives groups whose parent is lost their keys, where other parts of the file tell them: the index of the primary
  /// key, and links to and from these objects.
  ///
  /// - Returns: whether there were any.
  private func placeOrphans(of table: RescuedTable) -> Bool {
    guard !table.holes.isEmpty || includesDeleted else { return false }
    let known = Set(table.places.map(\.ref) + table.alternatives.map(\.ref))
    var orphans: [(ref: Ref, isListed: Bool)] = table.unplaced.map { ($0, true) }
    let listed = Set(table.unplaced)
    for ref in scan.clusters where !known.contains(ref) && !listed.contains(ref) && !space.isTaken(ref.rawValue) {
      guard orphans.count < Self.mostOrphans else { break }
      if fits(ref, table) { orphans.append((ref, false)) }
      letGoOfPages()
    }
    let offsets = offsetsByInnerNodes(Set(orphans.map(\.ref)))
    let votes = KeyVotes(bytes, byKey)
    var found = false
    for (ref, isListed) in orphans {
      guard let cluster = RescueCluster(ref, offset: 0, in: bytes) else { continue }
      let vote = votes.offset(of: cluster, in: table)
      guard let offset = vote ?? offsets[ref] else { continue }
      let place = ClusterPlace(
        ref: ref, offset: offset, keys: RescueClusterTree.allKeys, grade: vote != nil || isListed ? .found : .earlier)
      table.alternatives.append(place)
      found = true
      letGoOfPages()
    }
    return found
  }

  /// The keys at which groups begin, as inner nodes say that nothing leads to: taken for roots, whose keys begin at 0.
  private func offsetsByInnerNodes(_ orphans: Set<Ref>) -> [Ref: UInt64] {
    guard !orphans.isEmpty else { return [:] }
    var children: Set<Ref> = []
    for ref in scan.innerNodes {
      guard let node = try? Node(ref, in: bytes.store) else { continue }
      for index in ClusterTree.InnerNode.firstChildSlot..<max(node.count, ClusterTree.InnerNode.firstChildSlot) {
        if let child = node.slot(index).child { children.insert(child) }
      }
    }
    var offsets: [Ref: UInt64] = [:]
    for ref in scan.innerNodes where !children.contains(ref) && !space.isTaken(ref.rawValue) {
      for place in RescueClusterTree(ref, bytes, grade: .earlier).places where orphans.contains(place.ref) {
        offsets[place.ref] = offsets[place.ref] ?? place.offset
      }
      letGoOfPages()
    }
    return offsets
  }

  // MARK: Holes

  /// Puts other versions of groups where the tree has lost its own.
  private func fillHoles(of table: RescuedTable) {
    // The better first, and of equals the one with more objects.
    let ranked = table.alternatives.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      return a.grade == b.grade ? left.offset < right.offset : a.grade < b.grade
    }.map(\.element)
    table.alternatives = ranked
    /// Ascending, and apart from each other.
    var taken = table.filled
    let placed = Set(table.places.map(\.ref))
    for place in ranked where !placed.contains(place.ref) {
      guard let all = range(of: place) else { continue }
      let next = firstIndex(in: table.holes.indices) { table.holes[$0].keys.upperBound >= all.lowerBound }
      if next < table.holes.count, table.holes[next].keys.overlaps(all) {
        let hole = table.holes[next]
        var fitted = place
        // Where the tree says which node should be here, any other is of another time.
        if !hole.ref.isNull, !table.unplaced.contains(place.ref), hole.keys != RescueClusterTree.allKeys {
          fitted.grade = max(fitted.grade, .earlier)
        }
        fitted.keys = all.clamped(to: hole.keys)
        let behind = firstIndex(in: taken.indices) { taken[$0].upperBound >= fitted.keys.lowerBound }
        guard behind == taken.count || !taken[behind].overlaps(fitted.keys) else { continue }
        taken.insert(fitted.keys, at: behind)
        table.places.append(fitted)
      }
    }
    table.filled = taken
    table.places.sort { $0.offset < $1.offset }
  }

  /// Groups that are no part of what was saved: objects of them may have been deleted.
  private func collectDeleted(of table: RescuedTable) {
    let placed = Set(table.places.map(\.ref))
    table.deleted = table.alternatives.filter { !placed.contains($0.ref) }.map { place in
      var deleted = place
      deleted.grade = .doubtful
      return deleted
    }
  }

  /// The keys that a group has.
  private func range(of place: ClusterPlace) -> ClosedRange<UInt64>? {
    guard let cluster = RescueCluster(place.ref, offset: place.offset, in: bytes), cluster.count > 0 else { return nil }
    let first = UInt64(bitPattern: cluster.key(at: 0).rawValue)
    let last = UInt64(bitPattern: cluster.key(at: cluster.count - 1).rawValue)
    guard first <= last, last <= UInt64(Int64.max) else { return nil }
    return first...last
  }
}

/// Finds out which keys a group of objects has from what the rest of the file says of them.
struct KeyVotes {
  private let bytes: RescueBytes
  private let tables: [TableKey: RescuedTable]

  private static let mostRows = 32
  private static let leastVotes = 2

  init(_ bytes: RescueBytes, _ tables: [TableKey: RescuedTable]) { (self.bytes, self.tables) = (bytes, tables) }

  /// The number to add to the keys in the node; nil where nothing tells it, or not with one voice.
  func offset(of cluster: RescueCluster, in table: RescuedTable) -> UInt64? {
    var votes: [UInt64: Int] = [:]
    let step = max(1, cluster.count / Self.mostRows)
    let rows = Array(stride(from: 0, to: cluster.count, by: step))
    voteByIndex(cluster, rows, table, &votes)
    for column in table.columns where column.element.code == .link && column.collection == nil {
      voteByLinks(cluster, rows, column, table, &votes)
    }
    for column in table.backlinks { voteByBacklinks(cluster, rows, column, table, &votes) }
    let total = votes.values.reduce(0, +)
    guard let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value * 2 > total,
      best.value >= min(Self.leastVotes, cluster.count), best.key <= UInt64(Int64.max)
    else { return nil }
    return best.key
  }

  private func vote(_ key: ObjectKey, _ cluster: RescueCluster, _ row: Int, _ votes: inout [UInt64: Int]) {
    guard key.rawValue >= 0 else { return }
    let (offset, overflow) = UInt64(key.rawValue).subtractingReportingOverflow(cluster.relativeKey(at: row))
    if !overflow { votes[offset, default: 0] += 1 }
  }

  private func voteByIndex(
    _ cluster: RescueCluster, _ rows: [Int], _ table: RescuedTable, _ votes: inout [UInt64: Int]
  ) {
    guard let index = table.schema.primaryKeyIndex, case let column = table.columns[index],
      let root = table.top?.indexRoot(at: column.leafIndex), let ref = cluster.leafRef(column.leafIndex),
      let leaf = try? Leaf(
        ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: bytes.store),
      leaf.count == cluster.count
    else { return }
    let lookup = IndexLookup(root: root, store: bytes.store)
    let walk = CollectionWalk(store: bytes.store, format: 24, passes: 1)
    for row in rows {
      guard let value = try? Value(leaf.value(at: row, in: bytes.store), walk),
        let keys = try? lookup.candidates(for: value), keys.count == 1
      else { continue }
      vote(keys[0], cluster, row, &votes)
    }
  }

  /// The targets of links say where the links come from.
  private func voteByLinks(
    _ cluster: RescueCluster, _ rows: [Int], _ column: Column, _ table: RescuedTable, _ votes: inout [UInt64: Int]
  ) {
    guard let target = tables[column.element.target], let partner = table.partners[column.leafIndex],
      let leaf = cluster.leafRef(column.leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0x58 == 0,
      leaf.count == cluster.count
    else { return }
    for row in rows {
      let key = ObjectKey(rawValue: leaf.uncheckedInt(row) &- 1)
      guard key.rawValue >= 0, let place = target.find(key, in: bytes) else { continue }
      for origin in origins(place.cluster, place.row, partner.leafIndex) { vote(origin, cluster, row, &votes) }
    }
  }

  /// The objects that link here say where their links lead.
  private func voteByBacklinks(
    _ cluster: RescueCluster, _ rows: [Int], _ column: BacklinkColumn, _ table: RescuedTable,
    _ votes: inout [UInt64: Int]
  ) {
    guard let origin = tables[column.originTable],
      let link = origin.columns.first(where: { $0.key == column.originColumn }), link.collection == nil,
      link.element.code == .link
    else { return }
    for row in rows {
      guard let key = origins(cluster, row, column.leafIndex).first, let place = origin.find(key, in: bytes),
        let leaf = place.cluster.leafRef(link.leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0x58 == 0,
        leaf.count == place.cluster.count
      else { continue }
      vote(ObjectKey(rawValue: leaf.uncheckedInt(place.row) &- 1), cluster, row, &votes)
    }
  }

  /// A few of the objects that link to one.
  private func origins(_ cluster: RescueCluster, _ row: Int, _ leafIndex: Int) -> [ObjectKey] {
    guard let leaf = cluster.leafRef(leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0xf8 == 0x40,
      leaf.count == cluster.count
    else { return [] }
    let element = leaf.slot(row)
    if element.isTagged { return [ObjectKey(rawValue: Int64(bitPattern: element.tagged))] }
    guard let list = element.child.flatMap(bytes.wholeNode), list.flags & 0xf8 == 0, list.count <= 64 else { return [] }
    return (0..<list.count).map { ObjectKey(rawValue: list.uncheckedInt($0)) }
  }
}
