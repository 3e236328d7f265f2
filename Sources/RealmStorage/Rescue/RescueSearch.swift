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

  /// - Parameter evidence: tells where links lead whose description is lost.
  func run(_ evidence: LinkEvidence, _ work: RescueWork) {
    findIndexes(work)
    collectOlderTrees(work)
    let fragments = fragments(work)
    // What was placed tells where what it is linked with belongs.
    for _ in 0..<Self.rounds {
      var found = evidence.resolve()
      for table in tables where placeOrphans(of: table) { found = true }
      if let fragments, place(fragments) { found = true }
      for table in tables { fillHoles(of: table) }
      if !found { break }
    }
    if includesDeleted { for table in tables { collectDeleted(of: table) } }
  }

  private static let rounds = 4

  /// The indexes of tables whose root is lost: they tell which objects a group has.
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

  /// The groups that older roots of the tables lead to. Of the snapshot before the live one everything is still there;
  /// of others only what was not overwritten.
  private func collectOlderTrees(_ work: RescueWork) {
    let votes = KeyVotes(bytes, byKey)
    var roots: [TableKey: [(ref: Ref, version: UInt64)]] = [:]
    for ref in scan.tableTops + tops.others.flatMap({ tops.tableRefs(of: $0).values }) {
      guard let top = try? RescueTableTop(ref, in: bytes), let table = byKey[top.key], table.top?.ref != ref,
        !top.clusters.isNull, top.clusters != table.top?.clusters
      else { continue }
      roots[top.key, default: []].append((top.clusters, top.contentVersion))
    }
    for table in tables {
      table.alternatives.removeAll()
      var seen = Set(table.places.map(\.ref))
      for root in (roots[table.key] ?? []).sorted(by: { ($0.version, $0.ref) > ($1.version, $1.ref) }) {
        guard table.alternatives.count < Self.mostAlternatives else { break }
        let tree = RescueClusterTree(root.ref, bytes, grade: .earlier)
        for place in tree.places where !space.isTaken(place.ref.rawValue) && seen.insert(place.ref).inserted {
          if table.fits(place.ref, in: bytes) { table.alternatives.append(corrected(place, of: table, votes, work)) }
        }
        letGoOfPages()
      }
    }
  }

  /// A group of an older tree with the keys that its objects have. Where the tree's own group was overwritten, another one
  /// of the same size may stand in its place now: what nothing but the tree speaks for is compared with the rest of the
  /// file.
  private func corrected(
    _ place: ClusterPlace, of table: RescuedTable, _ votes: KeyVotes, _ work: RescueWork
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

  /// Whether a group has a leaf of the one that the table has at its place: then it is another version of it.
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
      if table.fits(ref, in: bytes) { orphans.append((ref, false)) }
      letGoOfPages()
    }
    let offsets = offsets(of: orphans.map(\.ref), in: table)
    let votes = KeyVotes(bytes, byKey)
    var voted: [ClusterPlace] = []
    var found = false
    for (ref, isListed) in orphans {
      guard let cluster = RescueCluster(ref, offset: 0, in: bytes) else { continue }
      let vote = votes.offset(of: cluster, in: table)
      guard let offset = vote ?? offsets[ref]?.offset else { continue }
      let grade = vote != nil || isListed ? .found : offsets[ref]?.grade ?? .earlier
      let place = ClusterPlace(ref: ref, offset: offset, keys: RescueClusterTree.allKeys, grade: grade)
      if place.grade == .found, !isListed { voted.append(place) } else { table.alternatives.append(place) }
      found = true
      letGoOfPages()
    }
    table.alternatives += gradingVersions(of: voted)
    return found
  }

  /// Of several groups with the same keys nothing says which is the newest.
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
        (places[index].grade, places[known.index].grade) = (.earlier, .earlier)
      }
      if reach.map({ $0.end < range.upperBound }) ?? true { reach = (range.upperBound, index) }
    }
    return places
  }

  /// The keys at which groups begin, as trees say that nothing leads to.
  ///
  /// A tree is taken for a whole one, whose keys begin at 0; nothing says that it is the newest. In a copy each tree, and
  /// each group without one, is behind those before it in the file (Docs/Format/1-container.md §6.1).
  private func offsets(of orphans: [Ref], in table: RescuedTable) -> [Ref: (offset: UInt64, grade: RescueGrade)] {
    guard !orphans.isEmpty else { return [:] }
    // What could be of another class, too, has no place in the order.
    let ordered = Set(
      isCopyWithoutKeys(table)
        ? orphans.filter { ref in !tables.contains { $0 !== table && $0.fits(ref, in: bytes) } } : [])
    let wanted = Set(orphans)
    var offsets: [Ref: (offset: UInt64, grade: RescueGrade)] = [:]
    var next: UInt64 = 0
    for root in scan.rootsOfTrees(in: bytes.store, letGoOfPages) where !space.isTaken(root.rawValue) {
      var last: UInt64?
      for place in RescueClusterTree(root, bytes, grade: .earlier).places
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

  /// Whether a table is one of a copy that was cut before its root, and nothing depends on the keys of its objects: there
  /// are no links to them or from them.
  private func isCopyWithoutKeys(_ table: RescuedTable) -> Bool {
    guard let header = try? RawHeader(of: bytes.store), header.isStreaming else { return false }
    return table.holes.map(\.keys) == [RescueClusterTree.allKeys] && table.backlinks.isEmpty
      && !table.columns.contains { $0.element.code == .link || $0.element.code == .mixed }
  }

  /// Leaves that no group leads to any more; nil where nothing is missing.
  private func fragments(_ work: RescueWork) -> LeafFragments? {
    guard tables.contains(where: { !$0.holes.isEmpty }) else { return nil }
    let known = Set(tables.flatMap { $0.places.map(\.ref) + $0.alternatives.map(\.ref) })
    let groups = scan.clusters.filter { ref in
      letGoOfPages()
      return !known.contains(ref) && work.spend(tables.count) && tables.contains { $0.fits(ref, in: bytes) }
    }
    return LeafFragments(bytes, space, tables, groups: known.union(groups), work)
  }

  /// Puts leaves together whose groups are lost.
  ///
  /// - Returns: whether there were any that were not known.
  private func place(_ fragments: LeafFragments) -> Bool {
    var found = false
    for table in tables where !table.holes.isEmpty {
      let known = Set(table.places.map(\.ref) + table.alternatives.map(\.ref))
      let places = fragments.places(of: table).filter { !known.contains($0.ref) }
      table.alternatives += places
      if !places.isEmpty { found = true }
      letGoOfPages()
    }
    return found
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
    guard let cluster = place.cluster(in: bytes), cluster.count > 0 else { return nil }
    let first = UInt64(bitPattern: cluster.key(at: 0).rawValue)
    let last = UInt64(bitPattern: cluster.key(at: cluster.count - 1).rawValue)
    guard first <= last, last <= UInt64(Int64.max) else { return nil }
    return first...last
  }
}
