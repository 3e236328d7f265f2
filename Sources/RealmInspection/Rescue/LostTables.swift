import RealmStorage

/// Recovers tables of which neither root nor description is left from the trees of objects that belong to no other
/// table.
struct LostTables {
  private let bytes: RescueBytes
  private let space: RescueSpace
  private let reader: RescueReader
  private let scan: NodeScan
  private let names: [RealmString]
  private let isLive: Bool
  private let work: RescueWork

  private static let mostTables = 64
  private static let mostRoots = 1024
  private static let mostKnown = 4096
  private static let mostLeaves = 1024

  /// - Parameters:
  ///   - names: those of the tables that were not found, by slot; empty if there are none.
  ///   - isLive: the live snapshot is there: what has no name in it is not wanted.
  init(_ reader: RescueReader, _ scan: NodeScan, names: [RealmString], isLive: Bool, _ work: RescueWork) {
    (bytes, space, self.reader, self.scan) = (reader.bytes, reader.space, reader, scan)
    (self.names, self.isLive, self.work) = (names, isLive, work)
  }

  /// The tables found in addition to the known ones.
  func tables(excluding known: [RescuedTable]) -> [RescuedTable] {
    // The live snapshot names all that there is.
    guard known.count <= Self.mostKnown, !isLive || names.contains(where: { $0.hasPrefix(TableSchema.classPrefix) })
    else { return [] }
    var found: [RescuedTable] = []
    var free = (known.map(\.key.slot).max() ?? -1) + 1
    free = max(free, names.count)
    for tree in trees() where found.count < Self.mostTables && free < TableKey.mostSlots - 1 {
      // An older version of a table that is known, or that was already found, does not count.
      guard !sharesLeaves(tree), !(known + found).contains(where: { belongs(tree, to: $0) }),
        let table = table(tree, TableKey(rawValue: UInt32(free)), named: madeUpName(known + found))
      else { continue }
      if let (key, name) = identity(of: table, excluding: known + found), let named = self.table(tree, key, named: name)
      {
        named.hasMadeUpName = name == table.schema.name
        found.append(named)
      } else if !isLive {
        table.hasMadeUpName = true
        found.append(table)
        free += 1
      }
    }
    return found + tables(ofGroupsExcluding: known + found, &free)
  }

  // MARK: Groups without a tree

  /// Groups of objects without the node that refers to them, by the columns that they have, if links show their keys.
  private func tables(ofGroupsExcluding others: [RescuedTable], _ free: inout Int) -> [RescuedTable] {
    var groups: [(shape: RescuedTable, width: Int, places: [ClusterPlace])] = []
    let candidates = orphans(excluding: others)
    // Groups without losses determine the columns; the others only have to agree with them.
    for isWhole in [true, false] {
      for (ref, width) in candidates {
        guard work.spend((groups.count + 1) * width) else { break }
        bytes.letGoOfPages()
        let place = ClusterPlace(ref: ref, offset: 0, keys: RescueClusterTree.allKeys, confidence: .found)
        let shape = table([place], .null, named: "")
        guard (shape?.leafIndexes.count == width) == isWhole else { continue }
        if let index = groups.firstIndex(where: { $0.width == width && $0.shape.fits(ref, in: bytes) }) {
          groups[index].places.append(place)
        } else if isWhole, let shape, groups.count < Self.mostTables {
          groups.append((shape, width, [place]))
        }
      }
    }
    var found: [RescuedTable] = []
    for group in groups.sorted(by: { $0.places.count > $1.places.count }) where free < TableKey.mostSlots - 1 {
      let tables = others + found
      guard let table = table(group.places, TableKey(rawValue: UInt32(free)), named: madeUpName(tables)),
        let (key, places) = keys(of: group.places, table, excluding: tables)
      else { continue }
      let lost = key ?? onlyLostTable(excluding: tables)
      let known = lost.flatMap { lostName(of: $0, excluding: tables) }
      guard known != nil || !isLive else { continue }
      var named = table
      if let lost, let known, let other = self.table(group.places, lost, named: known) { named = other }
      named.hasMadeUpName = known == nil
      if named === table { free += 1 }
      named.holes = [KeyHole(keys: RescueClusterTree.allKeys, ref: .null)]
      for place in places { named.insert(place) }
      found.append(named)
    }
    return found
  }

  private static let mostGroups = 4096
  private static let costOfVotes = 64

  /// Groups that belong to no table, with the number of their leaves. An older version of a group that is known shares
  /// leaves with it.
  private func orphans(excluding tables: [RescuedTable]) -> [(ref: Ref, width: Int)] {
    var known: Set<Ref> = []
    for table in tables {
      for place in table.places {
        bytes.letGoOfPages()
        known.insert(place.ref)
        guard let cluster = place.cluster(in: bytes) else { continue }
        for index in 0..<cluster.leafCount { if let ref = cluster.leafRef(index) { known.insert(ref) } }
      }
      known.formUnion(table.alternatives.map(\.ref) + table.unplaced)
    }
    var found: [(Ref, Int)] = []
    for ref in scan.clusters where !known.contains(ref) && !space.isTaken(ref.rawValue) {
      bytes.letGoOfPages()
      guard found.count < Self.mostGroups, let cluster = RescueCluster(ref, offset: 0, in: bytes),
        (2...Self.mostLeaves).contains(cluster.leafCount), work.spend(tables.count * cluster.leafCount)
      else { continue }
      let leaves = (0..<cluster.leafCount).compactMap { cluster.leafRef($0) }
      guard !leaves.contains(where: { known.contains($0) || space.isTaken($0.rawValue) }),
        !tables.contains(where: { $0.fits(ref, in: bytes) })
      else { continue }
      found.append((ref, leaves.count))
    }
    return found
  }

  /// The places of groups whose links, or links to them, determine their keys, and the table that these links name.
  private func keys(
    of groups: [ClusterPlace], _ table: RescuedTable, excluding known: [RescuedTable]
  ) -> (TableKey?, [ClusterPlace])? {
    let votes = KeyOffsetInference(bytes, [:])
    func places(_ offset: (RescueCluster) -> UInt64?) -> [ClusterPlace] {
      groups.compactMap { group -> ClusterPlace? in
        bytes.letGoOfPages()
        guard work.spend(Self.costOfVotes), let cluster = RescueCluster(group.ref, offset: 0, in: bytes),
          cluster.count > 0,
          let offset = offset(cluster)
        else { return nil }
        let last = offset.addingReportingOverflow(cluster.relativeKey(at: cluster.count - 1))
        let first = offset.addingReportingOverflow(cluster.relativeKey(at: 0))
        guard !last.overflow, first.partialValue <= last.partialValue, last.partialValue <= UInt64(Int64.max) else {
          return nil
        }
        return ClusterPlace(
          ref: group.ref, offset: offset, keys: first.partialValue...last.partialValue, confidence: .found)
      }
    }
    for other in known {
      for link in other.unresolved where link.column.collection == nil {
        for column in table.backlinks {
          let found = places { votes.offset(of: $0, ifBacklinksAt: column.leafIndex, come: other, link.column) }
          if found.count * 2 > groups.count { return (link.statedTarget == .null ? nil : link.statedTarget, found) }
        }
      }
      for partner in other.backlinks where !known.contains(where: { $0.key == partner.originTable }) {
        for link in table.unresolved where link.column.collection == nil {
          let found = places {
            votes.offset(of: $0, ifLinksAt: link.column.leafIndex, leadTo: other, partner.leafIndex)
          }
          if found.count * 2 > groups.count { return (partner.originTable == .null ? nil : partner.originTable, found) }
        }
      }
    }
    return nil
  }

  /// The table that is meant if only one was not found.
  private func onlyLostTable(excluding known: [RescuedTable]) -> TableKey? {
    let slots = names.indices.filter { slot in
      names[slot].hasPrefix(TableSchema.classPrefix) && !known.contains { $0.key.slot == slot }
    }
    return isLive && slots.count == 1 ? TableKey(rawValue: UInt32(slots[0])) : nil
  }

  /// The name of a table that was not found.
  private func lostName(of key: TableKey, excluding known: [RescuedTable]) -> RealmString? {
    guard key.slot < names.count, names[key.slot].hasPrefix(TableSchema.classPrefix),
      !known.contains(where: { $0.key.slot == key.slot })
    else { return nil }
    return names[key.slot]
  }

  // MARK: Trees

  /// Trees of objects that nothing refers to, the largest first.
  private func trees() -> [RescueClusterTree] {
    let roots = scan.rootsOfTrees(in: bytes.store) { bytes.letGoOfPages() }.filter { !space.isTaken($0.rawValue) }
    let trees = roots.suffix(Self.mostRoots).map { RescueClusterTree($0, bytes, confidence: .found) }
    return trees.filter { !$0.places.isEmpty }.enumerated().sorted { left, right in
      (left.element.places.count, left.offset) > (right.element.places.count, right.offset)
    }.map(\.element)
  }

  private static let mostCompared = 8

  private func belongs(_ tree: RescueClusterTree, to table: RescuedTable) -> Bool {
    let placed = Set(table.places.map(\.ref))
    let step = max(1, tree.places.count / Self.mostCompared)
    return stride(from: 0, to: tree.places.count, by: step).contains { index in
      bytes.letGoOfPages()
      let ref = tree.places[index].ref
      return placed.contains(ref) || table.fits(ref, in: bytes)
    }
  }

  /// Whether the snapshot has leaves of a tree: it is an older version of one that is known.
  private func sharesLeaves(_ tree: RescueClusterTree) -> Bool {
    let step = max(1, tree.places.count / Self.mostCompared)
    return stride(from: 0, to: tree.places.count, by: step).contains { index in
      bytes.letGoOfPages()
      guard let cluster = tree.places[index].cluster(in: bytes), work.spend(cluster.leafCount) else { return false }
      return (0..<cluster.leafCount).contains { cluster.leafRef($0).map { space.isTaken($0.rawValue) } ?? false }
    }
  }

  private func table(_ places: [ClusterPlace], _ key: TableKey, named name: RealmString) -> RescuedTable? {
    let shapes = ColumnShapes(key, places, known: [], links: [], in: bytes, work)
    return RescueSpec(of: shapes.columns()).map { RescuedTable(key: key, named: name, byStructure: $0) }
  }

  private func table(_ tree: RescueClusterTree, _ key: TableKey, named name: RealmString) -> RescuedTable? {
    guard let table = table(tree.places, key, named: name) else { return nil }
    (table.places, table.holes) = (tree.places, tree.holes)
    table.expectedCount = tree.objectCount
    return table
  }

  private func madeUpName(_ tables: [RescuedTable]) -> RealmString {
    var made = RescuedTableNames(stated: tables.map(\.schema.name) + names)
    return made.name(nil)
  }

  /// Which of the lost tables this is, if links of another table to it say so.
  private func identity(of table: RescuedTable, excluding known: [RescuedTable]) -> (TableKey, RealmString)? {
    let evidence = LinkEvidence(reader, known + [table], work)
    for other in known {
      for link in other.unresolved where link.statedTarget != .null {
        let key = link.statedTarget
        guard key.slot < TableKey.mostSlots, !known.contains(where: { $0.key.slot == key.slot }),
          evidence.end(of: link, in: other)?.table === table
        else { continue }
        let name =
          key.slot < names.count && names[key.slot].hasPrefix(TableSchema.classPrefix)
          ? names[key.slot] : table.schema.name
        return (key, name)
      }
    }
    return nil
  }
}
