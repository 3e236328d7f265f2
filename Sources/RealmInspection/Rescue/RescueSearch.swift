import RealmStorage

/// Looks for objects that the trees of the tables no longer refer to: other versions of groups of objects in older
/// trees, and groups that nothing refers to.
struct RescueSearch {
  private let bytes: RescueBytes
  private let space: RescueSpace
  private let tables: [RescuedTable]
  private let tops: RescueTops
  private let scan: NodeScan
  private let includesDeleted: Bool
  private let byKey: [TableKey: RescuedTable]

  private static let mostAlternatives = 1 << 18
  /// Maximum number of groups without references that are examined closely.
  private static let mostOrphans = 1 << 16

  init(
    _ bytes: RescueBytes, _ space: RescueSpace, _ tables: [RescuedTable], _ tops: RescueTops, _ scan: NodeScan,
    includesDeleted: Bool
  ) {
    (self.bytes, self.space, self.tables, self.tops, self.scan) = (bytes, space, tables, tops, scan)
    self.includesDeleted = includesDeleted
    byKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
  }

  /// - Parameter evidence: finds the target of links whose description is lost.
  func run(_ evidence: LinkEvidence, _ work: RescueWork) {
    findIndexes(work)
    collectOlderTrees(work)
    let fragments = fragments(work)
    // Groups that were placed show where the groups linked with them belong.
    for _ in 0..<Self.rounds {
      var found = evidence.resolve()
      for table in tables where placeOrphans(of: table) { found = true }
      if let fragments, place(fragments) { found = true }
      for table in tables { fillHoles(of: table) }
      if !found { break }
    }
    for table in tables { placeLateGroups(of: table, work) }
    if includesDeleted { for table in tables { collectDeleted(of: table) } }
  }

  private static let rounds = 4

  /// The indexes of tables whose root is lost: they show which objects a group has.
  private func findIndexes(_ work: RescueWork) {
    let lost = tables.filter { $0.top?.hasIndexes != true }
    guard !lost.isEmpty, !scan.indexNodes.isEmpty else { return }
    let indexes = LostIndexes(bytes, space, tables, scan, work)
    for table in lost {
      let known = Set(table.places.map(\.ref))
      var groups: [Ref] = []
      for ref in scan.clusters where groups.count < Self.mostCompared {
        guard !known.contains(ref), !space.isTaken(ref.rawValue), work.spend(1) else { continue }
        if table.fits(ref, in: bytes) { groups.append(ref) }
        letGoOfPages()
      }
      indexes.find(for: table, groups: groups)
    }
  }

  private static let mostCompared = 8

  // MARK: Older trees

  /// The groups that older roots of the tables refer to. The snapshot before the live one is still complete; of others,
  /// only what was not overwritten is left.
  private func collectOlderTrees(_ work: RescueWork) {
    let votes = KeyOffsetInference(bytes, byKey)
    var roots: [TableKey: [(ref: Ref, version: UInt64)]] = [:]
    for ref in scan.tableTops + tops.others.flatMap({ tops.tableRefs(of: $0).values }) {
      guard let top = try? RescueTableTop(ref, in: bytes), let table = byKey[top.key], !top.clusters.isNull,
        table.tree != top.clusters
      else { continue }
      roots[top.key, default: []].append((top.clusters, top.contentVersion))
    }
    for table in tables {
      table.alternatives.removeAll()
      var seen = Set(table.places.map(\.ref))
      for root in (roots[table.key] ?? []).sorted(by: { ($0.version, $0.ref) > ($1.version, $1.ref) }) {
        guard table.alternatives.count < Self.mostAlternatives else { break }
        let tree = RescueClusterTree(root.ref, bytes, confidence: .earlier)
        for place in tree.places where !space.isTaken(place.ref.rawValue) && seen.insert(place.ref).inserted {
          if table.fits(place.ref, in: bytes) { table.alternatives.append(corrected(place, of: table, votes, work)) }
        }
        letGoOfPages()
      }
    }
  }

  /// A group of an older tree with the keys that its objects have. If the tree's own group was overwritten, another one
  /// of the same size may now be in its place, so what only the tree confirms is compared with the rest of the file.
  private func corrected(
    _ place: ClusterPlace, of table: RescuedTable, _ votes: KeyOffsetInference, _ work: RescueWork
  ) -> ClusterPlace {
    guard let cluster = place.cluster(in: bytes), cluster.count > 0, !sharesLeaves(cluster, place.offset, table),
      work.spend(Self.costOfVotes), let offset = votes.offset(of: cluster, in: table), offset != place.offset
    else { return place }
    var place = place
    (place.offset, place.keys) = (offset, RescueClusterTree.allKeys)
    if let keys = range(of: place) { place.keys = keys }
    return place
  }

  private static let costOfVotes = 64

  /// Whether a group has a leaf of the one that the table has at its place: then it is another version of that group.
  private func sharesLeaves(_ cluster: RescueCluster, _ offset: UInt64, _ table: RescuedTable) -> Bool {
    let behind = firstIndex(in: table.places.indices) { table.places[$0].offset > offset }
    guard behind > 0, let known = table.places[behind - 1].cluster(in: bytes), known.offset == offset else {
      return false
    }
    return (0..<cluster.leafCount).contains { index in
      cluster.leafRef(index).map { $0 == known.leafRef(index) } ?? false
    }
  }

  private func letGoOfPages() {
    guard bytes.letGoOfPages() else { return }
    for table in tables { table.restoreViews(in: bytes.store) }
  }

  // MARK: Groups that nothing leads to

  /// Gives groups of the lost last commit whose keys are unknown keys in the order of the file: each full group, and
  /// the last one that is not full, which was written again whenever objects were added.
  private func placeLateGroups(of table: RescuedTable, _ work: RescueWork) {
    guard let end = table.endOfKnown, let hole = table.holes.last,
      hole.keys.upperBound == RescueClusterTree.allKeys.upperBound
    else { return }
    let late = lateGroups(of: table, behind: end, work)
    let last = late.last { $0.count < Cluster.mostObjects }?.ref
    // No link may point to an object whose key is not known.
    var next = table.backlinks.isEmpty ? hole.keys.lowerBound : max(hole.keys.lowerBound, Self.firstUnlinkedKey)
    for place in table.places {
      guard let taken = range(of: place)?.upperBound, taken >= next, taken < Self.lastNewKey else { continue }
      next = (taken | 0xffff) + 1
    }
    for (ref, count) in late where count == Cluster.mostObjects || ref == last {
      guard next < Self.lastNewKey, let cluster = RescueCluster(ref, offset: 0, in: bytes) else { return }
      guard !extendsLast(of: table, cluster, ref) else { continue }
      let width = cluster.relativeKey(at: cluster.count - 1) &- cluster.relativeKey(at: 0)
      guard width < Self.firstUnlinkedKey else { continue }
      table.insert(
        ClusterPlace(
          ref: ref, offset: next &- cluster.relativeKey(at: 0), keys: next...next + width, confidence: .found,
          isOfLostCommit: true))
      next = ((next + width) | 0xffff) + 1
      letGoOfPages()
    }
  }

  /// Groups that no snapshot has, that cannot belong to another table, and that were written after the end of those
  /// snapshots.
  private func lateGroups(
    of table: RescuedTable, behind end: UInt64, _ work: RescueWork
  ) -> [(ref: Ref, count: Int)] {
    let known = Set(table.places.map(\.ref) + table.alternatives.map(\.ref))
    var late: [(ref: Ref, count: Int)] = []
    for ref in scan.clusters.sorted() where ref.rawValue >= end && !known.contains(ref) {
      letGoOfPages()
      guard late.count < Self.mostOrphans, work.spend(tables.count), !space.isTaken(ref.rawValue),
        table.fits(ref, in: bytes), !tables.contains(where: { $0 !== table && $0.fits(ref, in: bytes) }),
        let cluster = RescueCluster(ref, offset: 0, in: bytes), cluster.count > 0
      else { continue }
      late.append((ref, cluster.count))
    }
    return late
  }

  /// Whether a group begins with the objects of the last known one: then it is a later version of that, and its
  /// additional objects follow them.
  private func extendsLast(of table: RescuedTable, _ cluster: RescueCluster, _ ref: Ref) -> Bool {
    guard let place = table.places.last(where: { !$0.isOfLostCommit }), let known = place.cluster(in: bytes),
      known.count > 0, known.count < Cluster.mostObjects, known.count <= cluster.count
    else { return false }
    let columns = table.columns.filter { $0.collection == nil && $0.element.code != .link }
    let isSame =
      !columns.isEmpty
      && columns.allSatisfy { column in
        guard let values = firstValues(of: known, column), let others = firstValues(of: cluster, column) else {
          return false
        }
        return zip(values, others).allSatisfy { $0.isSame(as: $1) }
      }
    guard isSame else { return false }
    let offset = place.offset &+ known.relativeKey(at: 0) &- cluster.relativeKey(at: 0)
    let (first, last) = (
      offset &+ cluster.relativeKey(at: known.count - 1) &+ 1, offset &+ cluster.relativeKey(at: cluster.count - 1)
    )
    guard known.count < cluster.count, first <= last, last <= UInt64(Int64.max) else { return true }
    table.insert(ClusterPlace(ref: ref, offset: offset, keys: first...last, confidence: .found, isOfLostCommit: true))
    return true
  }

  private func firstValues(of cluster: RescueCluster, _ column: Column) -> [Value]? {
    guard let ref = cluster.leafRef(column.leafIndex),
      let leaf = try? Leaf(
        ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: bytes.store),
      leaf.count == cluster.count
    else { return nil }
    let walk = CollectionWalk(store: bytes.store, format: 24, passes: 1)
    return (0..<min(cluster.count, Self.mostCompared)).compactMap { row in
      try? Value(leaf.value(at: row, in: bytes.store), walk)
    }
  }

  private static let lastNewKey: UInt64 = 1 << 60
  private static let firstUnlinkedKey: UInt64 = 1 << 41

  /// Gives groups whose parent is lost their keys, if other parts of the file show them: the index of the primary key,
  /// and links to and from these objects.
  ///
  /// - Returns: whether there were any.
  private func placeOrphans(of table: RescuedTable) -> Bool {
    guard !table.holes.isEmpty || includesDeleted else { return false }
    let known = Set(table.places.map(\.ref) + table.alternatives.map(\.ref))
    var orphans: [(ref: Ref, isListed: Bool)] = table.unplaced.map { ($0, true) }
    let listed = Set(table.unplaced)
    for ref in scan.clusters where !known.contains(ref) && !listed.contains(ref) && !space.isTaken(ref.rawValue) {
      guard orphans.count < Self.mostOrphans else { break }
      if table.fits(ref, in: bytes) { orphans.append((ref, false)) }
      letGoOfPages()
    }
    let offsets = offsets(of: orphans.map(\.ref), in: table)
    let votes = KeyOffsetInference(bytes, byKey)
    var voted: [ClusterPlace] = []
    var found = false
    for (ref, isListed) in orphans {
      guard let cluster = RescueCluster(ref, offset: 0, in: bytes) else { continue }
      let vote = votes.offset(of: cluster, in: table)
      guard let offset = vote ?? offsets[ref]?.offset else { continue }
      let confidence = vote != nil || isListed ? .found : offsets[ref]?.confidence ?? .earlier
      let place = ClusterPlace(ref: ref, offset: offset, keys: RescueClusterTree.allKeys, confidence: confidence)
      if place.confidence == .found, !isListed { voted.append(place) } else { table.alternatives.append(place) }
      found = true
      letGoOfPages()
    }
    table.alternatives += gradingVersions(of: voted)
    return found
  }

  /// Nothing shows which of several groups with the same keys is the newest.
  private func gradingVersions(of places: [ClusterPlace]) -> [ClusterPlace] {
    var places = places
    let ranges = places.map { range(of: $0) }
    let order = places.indices.filter { ranges[$0] != nil }.sorted { left, right in
      (ranges[left]?.lowerBound ?? 0, left) < (ranges[right]?.lowerBound ?? 0, right)
    }
    var reach: (end: UInt64, index: Int)?
    for index in order {
      guard let range = ranges[index] else { continue }
      if let known = reach, known.end >= range.lowerBound {
        (places[index].confidence, places[known.index].confidence) = (.earlier, .earlier)
      }
      if reach.map({ $0.end < range.upperBound }) ?? true { reach = (range.upperBound, index) }
    }
    return places
  }

  /// The keys at which groups begin, as trees say that nothing leads to.
  ///
  /// A tree counts as a whole one, whose keys begin at 0; nothing shows that it is the newest. In a copy each tree, and
  /// each group without one, comes after the previous ones in the file (Docs/Format/1-container.md §6.1).
  private func offsets(of orphans: [Ref], in table: RescuedTable) -> [Ref: (
    offset: UInt64, confidence: RescueConfidence
  )] {
    guard !orphans.isEmpty else { return [:] }
    var listed: [Ref: (offset: UInt64, confidence: RescueConfidence)] = [:]
    for hole in table.holes { for (ref, key) in keys(ofGroupsIn: hole, of: table) { listed[ref] = (key, .found) } }
    guard listed.isEmpty else { return listed }
    // What could also belong to another class has no place in the order.
    let ordered = Set(
      isCopyWithoutKeys(table)
        ? orphans.filter { ref in !tables.contains { $0 !== table && $0.fits(ref, in: bytes) } } : [])
    let wanted = Set(orphans)
    var offsets: [Ref: (offset: UInt64, confidence: RescueConfidence)] = [:]
    var next: UInt64 = 0
    for root in scan.rootsOfTrees(in: bytes.store, letGoOfPages) where !space.isTaken(root.rawValue) {
      var last: UInt64?
      for place in RescueClusterTree(root, bytes, confidence: .earlier).places
      where wanted.contains(place.ref) && offsets[place.ref] == nil {
        if ordered.contains(place.ref) {
          last = next &+ place.offset
          offsets[place.ref] = (next &+ place.offset, .found)
        } else {
          offsets[place.ref] = (place.offset, .earlier)
        }
      }
      // Where the next full node of this kind begins.
      if let last { next = (last | 0xffff) &+ 1 }
      letGoOfPages()
    }
    for ref in ordered.sorted() where offsets[ref] == nil {
      guard let cluster = RescueCluster(ref, offset: 0, in: bytes), cluster.count > 0 else { continue }
      offsets[ref] = (next, .found)
      next = (next &+ cluster.relativeKey(at: cluster.count - 1) | 0xff) &+ 1
    }
    return offsets
  }

  /// The keys at which the groups in a hole begin, if it has room for no others, or nothing depends on the keys: then they
  /// follow each other.
  private func keys(ofGroupsIn hole: KeyHole, of table: RescuedTable) -> [Ref: UInt64] {
    var offsets: [Ref: UInt64] = [:]
    var next = hole.keys.lowerBound
    var last: UInt64?
    for ref in hole.groups {
      letGoOfPages()
      guard let cluster = RescueCluster(ref, offset: 0, in: bytes), cluster.count > 0 else { continue }
      let end = next.addingReportingOverflow(cluster.relativeKey(at: cluster.count - 1))
      guard !end.overflow, end.partialValue <= hole.keys.upperBound else { return [:] }
      (offsets[ref], last) = (next, end.partialValue)
      next = (end.partialValue | 0xff) + 1
    }
    return isUnlinked(table) || offsets.count == 1 && last == hole.keys.upperBound ? offsets : [:]
  }

  /// Whether a table is from a copy that was cut off before its root, and nothing depends on the keys of its objects.
  private func isCopyWithoutKeys(_ table: RescuedTable) -> Bool {
    guard let header = try? RawHeader(of: bytes.store), header.isStreaming else { return false }
    return table.holes.map(\.keys) == [RescueClusterTree.allKeys] && isUnlinked(table)
  }

  /// Whether there are no links to objects of a table or from them.
  private func isUnlinked(_ table: RescuedTable) -> Bool {
    table.backlinks.isEmpty && !table.columns.contains { $0.element.code == .link || $0.element.code == .mixed }
  }

  /// Leaves that no group refers to any longer; nil if nothing is missing.
  private func fragments(_ work: RescueWork) -> LeafFragments? {
    guard tables.contains(where: \.hasHoles) else { return nil }
    let known = Set(tables.flatMap { $0.places.map(\.ref) + $0.alternatives.map(\.ref) })
    let groups = scan.clusters.filter { ref in
      letGoOfPages()
      return !known.contains(ref) && work.spend(tables.count) && tables.contains { $0.fits(ref, in: bytes) }
    }
    return LeafFragments(bytes, space, tables, groups: known.union(groups), work)
  }

  /// Puts leaves together whose groups are lost.
  ///
  /// - Returns: whether there were any new ones.
  private func place(_ fragments: LeafFragments) -> Bool {
    var found = false
    for table in tables where table.hasHoles {
      let known = Set(table.places.map(\.ref) + table.alternatives.map(\.ref))
      let places = fragments.places(of: table).filter { !known.contains($0.ref) }
      table.alternatives += places
      if !places.isEmpty { found = true }
      letGoOfPages()
    }
    return found
  }

  // MARK: Holes

  /// Puts other versions of groups in place of those that the tree has lost.
  private func fillHoles(of table: RescuedTable) {
    // The more trustworthy first, and of equal ones the one with more objects.
    let ranked = table.alternatives.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      return a.confidence == b.confidence ? left.offset < right.offset : a.confidence < b.confidence
    }.map(\.element)
    table.alternatives = ranked
    /// Ascending, without overlaps.
    var taken = table.filled
    let placed = Set(table.places.map(\.ref))
    for place in ranked where !placed.contains(place.ref) {
      guard let all = range(of: place) else { continue }
      let next = firstIndex(in: table.holes.indices) { table.holes[$0].keys.upperBound >= all.lowerBound }
      if next < table.holes.count, table.holes[next].keys.overlaps(all) {
        let hole = table.holes[next]
        var fitted = place
        // If the tree says which node should be here, any other is from another time.
        if !hole.ref.isNull, !table.unplaced.contains(place.ref), hole.keys != RescueClusterTree.allKeys {
          fitted.confidence = max(fitted.confidence, .earlier)
        }
        fitted.keys = all.clamped(to: hole.keys)
        fitted.isOfLostCommit = hole.isBehind
        let behind = firstIndex(in: taken.indices) { taken[$0].upperBound >= fitted.keys.lowerBound }
        guard behind == taken.count || !taken[behind].overlaps(fitted.keys) else { continue }
        taken.insert(fitted.keys, at: behind)
        table.places.append(fitted)
      }
    }
    table.filled = taken
    table.places.sort { $0.offset < $1.offset }
  }

  /// Groups that are not part of what was saved: their objects may have been deleted.
  private func collectDeleted(of table: RescuedTable) {
    let placed = Set(table.places.map(\.ref))
    table.deleted = table.alternatives.filter { !placed.contains($0.ref) }.map { place in
      var deleted = place
      deleted.confidence = .doubtful
      return deleted
    }
  }

  /// The keys that a group has.
  private func range(of place: ClusterPlace) -> ClosedRange<UInt64>? {
    guard let cluster = place.cluster(in: bytes), cluster.count > 0 else { return nil }
    let first = UInt64(bitPattern: cluster.key(at: 0).rawValue)
    let last = UInt64(bitPattern: cluster.key(at: cluster.count - 1).rawValue)
    guard first <= last, last <= UInt64(Int64.max) else { return nil }
    return first...last
  }
}
