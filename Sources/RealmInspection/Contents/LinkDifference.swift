import RealmStorage

/// Finds out which links and backlinks of one column do not match.
///
/// Pairs are collected and sorted a part at a time, so that memory stays bounded whatever the number of links.
struct LinkDifference {
  let context: CheckContext
  let tables: [CheckedTable]
  /// The place of each table in the list.
  let numbers: [TableKey: Int]
  let backlinks: Backlinks
  /// The table and the column, by their places.
  let number: Int
  let columnNumber: Int
  /// How many links and backlinks there are.
  let count: Int

  private var table: CheckedTable { tables[number] }
  private var column: CheckedColumn { table.columns[columnNumber] }
  private var scan: LinkScan { LinkScan(context: context) }
  private var parts: UInt64 { UInt64(count / Self.pairsPerPart + 1) }

  private static let pairsPerPart = 1 << 20

  /// The backlink columns that belong to each link column.
  struct Backlinks {
    fileprivate struct Origin: Hashable {
      let table: Int
      let column: Int
    }

    /// With the numbers of their tables.
    fileprivate private(set) var columns: [Origin: [(table: Int, column: CheckedBacklinkColumn)]] = [:]

    init(_ tables: [CheckedTable]) {
      for (number, table) in tables.enumerated() {
        for column in table.backlinks {
          guard let origin = column.origin else { continue }
          columns[Origin(table: origin.table, column: origin.column), default: []].append((number, column))
        }
      }
    }
  }

  private struct Pair: Comparable {
    /// Number of the target table in the list; -1 for a nonexistent table.
    let table: Int
    let target: ObjectKey
    let origin: ObjectKey

    static func < (left: Pair, right: Pair) -> Bool {
      (left.table, left.target, left.origin) < (right.table, right.target, right.origin)
    }

    var hash: UInt64 {
      let bits = UInt64(bitPattern: target.rawValue) ^ UInt64(bitPattern: origin.rawValue) &* 0xc2b2_ae3d_27d4_eb4f
      let hash = bits &* 0x9e37_79b9_7f4a_7c15
      return hash ^ hash >> 32
    }
  }

  func report() {
    for part in 0..<parts {
      Runs.forEachDifference(links(part), backlinks(part)) { pair, difference in
        if difference > 0 {
          reportLink(pair, times: difference)
        } else {
          reportBacklink(pair, times: -difference)
        }
      }
    }
  }

  private func links(_ part: UInt64) -> Runs<Pair> {
    var pairs = Runs<Pair>()
    for entry in table.objects.entries {
      context.letGoOfPages()
      scan.links(of: column, in: entry) { link in
        let pair = Pair(table: numbers[link.table] ?? -1, target: link.target, origin: link.origin)
        if pair.hash % parts == part { pairs.append(pair) }
      }
    }
    return pairs
  }

  private func backlinks(_ part: UInt64) -> Runs<Pair> {
    var pairs = Runs<Pair>()
    for (target, backlink) in backlinks.columns[.init(table: number, column: columnNumber), default: []] {
      for entry in tables[target].objects.entries + tables[target].tombstones.entries {
        context.letGoOfPages()
        let keys = RowKeys(entry, in: context.store)
        scan.backlinks(of: backlink, in: entry) { row, origin in
          let pair = Pair(table: target, target: keys[row], origin: origin)
          if pair.hash % parts == part { pairs.append(pair) }
        }
      }
    }
    return pairs
  }

  private func reportLink(_ pair: Pair, times: Int) {
    let place = Finding.Place(part: .objects, table: table.name, column: .property(column.name), object: pair.origin)
    guard pair.table >= 0, column.type == .mixed || tables[pair.table].key == column.target else {
      let name = pair.table >= 0 ? tables[pair.table].name : nil
      context.log.add(
        .linkTable, .link(table: name, key: pair.target), times: times, after: cause(pair), inNode: cluster(pair),
        at: place)
      return
    }
    let target = tables[pair.table]
    let directory = pair.target.isUnresolved ? target.tombstones : target.objects
    let exists = directory.find(pair.target, in: context.store) != nil
    context.log.add(
      exists ? .linkWithoutBacklink : .linkDangling, .link(table: target.name, key: pair.target), times: times,
      after: cause(pair), inNode: cluster(pair), at: place)
  }

  /// What was found at one of the two ends of a link, or on the way there.
  private func cause(_ pair: Pair) -> Int? {
    let damages = context.log.damages
    if let cause = damages.column(table.name, .property(column.name)) { return cause }
    guard pair.table >= 0 else { return damages.tableList }
    return damages.backlinks(tables[pair.table].name, from: table.name, column.name)
  }

  /// The cluster of the object that has the link. Many wrong links of one cluster count as one damage.
  private func cluster(_ pair: Pair) -> Ref? {
    table.objects.find(pair.origin, in: context.store).map { table.objects.entries[$0.entry].ref }
  }

  private func reportBacklink(_ pair: Pair, times: Int) {
    // Overwriting a collection nested in a mixed value leaves the backlinks of its links behind (§11).
    let isStale = column.type == .mixed && column.collection != .set && context.format >= 24
    context.log.add(
      isStale ? .backlinkStale : .backlinkWithoutLink, .link(table: table.name, key: pair.origin), times: times,
      after: isStale ? nil : cause(pair), inNode: isStale ? nil : cluster(pair),
      at: Finding.Place(
        part: pair.target.isUnresolved ? .tombstones : .objects, table: tables[pair.table].name,
        column: .backlinks(table: table.name, column: column.name), object: pair.target))
  }
}
