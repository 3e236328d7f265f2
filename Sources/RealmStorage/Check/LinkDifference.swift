/// Finds out which links and backlinks of one column do not match.
///
/// Pairs are collected and sorted a part at a time, so that memory stays bounded whatever the number of links.
struct LinkDifference {
  private let context: CheckContext
  private let tables: [CheckedTable]
  private let number: Int
  private let columnNumber: Int
  private let scan: LinkScan
  private let parts: UInt64
  private let numbers: [TableKey: Int]
  private let backlinks: Backlinks

  private var table: CheckedTable { tables[number] }
  private var column: CheckedColumn { tables[number].columns[columnNumber] }

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

  /// - Parameters:
  ///   - numbers: the place of each table in the list.
  ///   - backlinks: all backlink columns.
  ///   - count: links and backlinks.
  init(
    _ context: CheckContext, _ tables: [CheckedTable], numbers: [TableKey: Int], backlinks: Backlinks, table: Int,
    column: Int, count: Int
  ) {
    self.context = context
    self.tables = tables
    number = table
    columnNumber = column
    scan = LinkScan(context: context)
    parts = UInt64(count / Self.pairsPerPart + 1)
    self.numbers = numbers
    self.backlinks = backlinks
  }

  private struct Pair: Comparable {
    /// Number of the target table in the list; -1 for a table that does not exist.
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

  /// Pairs of one part. Equal ones that follow each other take the room of one: damage makes millions of them.
  private struct Pairs {
    private(set) var runs: [(pair: Pair, count: Int)] = []
    private var mostRuns = 4 * LinkDifference.pairsPerPart

    mutating func append(_ pair: Pair) {
      if let last = runs.indices.last, runs[last].pair == pair {
        runs[last].count &+= 1
        return
      }
      runs.append((pair, 1))
      guard runs.count >= mostRuns else { return }
      // Far more than a part has by chance: some of them come again and again.
      sort()
      mostRuns = max(mostRuns, 2 * runs.count)
    }

    /// In order, each pair once.
    mutating func sort() {
      let sorted = runs.sorted { $0.pair < $1.pair }
      runs.removeAll(keepingCapacity: true)
      for run in sorted {
        if let last = runs.indices.last, runs[last].pair == run.pair {
          runs[last].count &+= run.count
        } else {
          runs.append(run)
        }
      }
    }
  }

  func report() {
    for part in 0..<parts { reportPart(part) }
  }

  private func reportPart(_ part: UInt64) {
    let (links, backlinks) = (links(part).runs, backlinks(part).runs)
    var (left, right) = (0, 0)
    while left < links.count || right < backlinks.count {
      if left < links.count, right < backlinks.count, links[left].pair == backlinks[right].pair {
        let difference = links[left].count - backlinks[right].count
        if difference > 0 { reportLink(links[left].pair, times: difference) }
        if difference < 0 { reportBacklink(links[left].pair, times: -difference) }
        (left, right) = (left + 1, right + 1)
      } else if right == backlinks.count || (left < links.count && links[left].pair < backlinks[right].pair) {
        reportLink(links[left].pair, times: links[left].count)
        left += 1
      } else {
        reportBacklink(backlinks[right].pair, times: backlinks[right].count)
        right += 1
      }
    }
  }

  private func links(_ part: UInt64) -> Pairs {
    var pairs = Pairs()
    for entry in table.objects.entries {
      context.letGoOfPages()
      scan.links(of: column, in: entry) { link in
        let pair = Pair(table: numbers[link.table] ?? -1, target: link.target, origin: link.origin)
        if pair.hash % parts == part { pairs.append(pair) }
      }
    }
    pairs.sort()
    return pairs
  }

  private func backlinks(_ part: UInt64) -> Pairs {
    var pairs = Pairs()
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
    pairs.sort()
    return pairs
  }

  private func reportLink(_ pair: Pair, times: Int) {
    let place = Finding.Place(
      part: .objects, table: table.name, column: .property(column.name), object: pair.origin)
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

  /// The cluster of the object that a link leads from. What is wrong with many links of one is one damage.
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
