import RealmStorage

/// Links against backlinks (Docs/Format/3-tables-and-objects.md §5, §9.1).
///
/// Each link column and the backlink columns that belong to it are compared as multisets: first by sums of hashes, which
/// take no memory, and only where these differ one by one.
struct LinkCheck {
  private let context: CheckContext
  private let tables: [CheckedTable]
  private let scan: LinkScan
  private let trees: ValueCheck
  /// By table and public column.
  private var accounts: [[Account]]
  /// The links of a column, and the links that its backlink columns claim.
  private struct Account {
    var links = HashSum()
    var backlinks = HashSum()
    var isBalanced: Bool { links == backlinks }
  }

  /// Links that were found.
  var linkCount: Int { accounts.reduce(0) { $0 + $1.reduce(0) { $0 + $1.links.count } } }
  /// Whether links and backlinks agree, as far as sums show.
  var isBalanced: Bool { accounts.allSatisfy { $0.allSatisfy(\.isBalanced) } }

  init(_ context: CheckContext, _ tables: [CheckedTable]) {
    (self.context, self.tables) = (context, tables)
    (scan, trees) = (LinkScan(context: context), ValueCheck(context))
    accounts = tables.map { $0.columns.map { _ in Account() } }
  }

  /// Sums up links and backlinks of some objects or tombstones.
  ///
  /// - Parameter progress: called after each cluster.
  mutating func add(_ run: ClusterRun, progress: () -> Void) {
    if run.part == .objects { addLinks(run, progress) }
    addBacklinks(run, progress)
  }

  /// Adds the sums of other objects.
  mutating func add(_ other: LinkCheck) {
    for number in accounts.indices {
      for column in accounts[number].indices {
        accounts[number][column].links.add(other.accounts[number][column].links)
        accounts[number][column].backlinks.add(other.accounts[number][column].backlinks)
      }
    }
  }

  /// Reports the differences after everything was added.
  func finish() {
    context.startPass()
    let (numbers, backlinks) = (tables.numbersByKey, LinkDifference.Backlinks(tables))
    for number in tables.indices {
      for column in tables[number].columns.indices {
        let account = accounts[number][column]
        guard !account.isBalanced else { continue }
        LinkDifference(
          context: context, tables: tables, numbers: numbers, backlinks: backlinks, number: number,
          columnNumber: column, count: account.links.count + account.backlinks.count
        )
        .report()
      }
    }
  }

  private mutating func addLinks(_ run: ClusterRun, _ progress: () -> Void) {
    let (table, number) = (run.table, run.number)
    let columns = table.columns.indices.filter { table.columns[$0].canLink }
    guard !columns.isEmpty else { return }
    for entry in run.entries {
      context.letGoOfPages()
      for column in columns {
        var sum = accounts[number][column].links
        scan.links(of: table.columns[column], in: entry) { sum.add(hash: $0.hash) }
        accounts[number][column].links = sum
      }
      progress()
    }
  }

  private mutating func addBacklinks(_ run: ClusterRun, _ progress: () -> Void) {
    let (table, part) = (run.table, run.part)
    guard !table.backlinks.isEmpty || table.kind == .embedded || part == .tombstones else { return }
    let isCounted = table.kind == .embedded || part == .tombstones
    let key = table.key
    var parents: [Int] = []
    for entry in run.entries {
      context.letGoOfPages()
      let keys = RowKeys(entry, in: context.store)
      parents.removeAll(keepingCapacity: true)
      if isCounted { parents.append(contentsOf: repeatElement(0, count: entry.count)) }
      for column in table.backlinks {
        let spot = Spot(part: part, table: table.name, column: column.name, cluster: entry)
        var sum = HashSum()
        scan.backlinks(of: column, in: entry) { row, origin in
          sum.add(hash: LinkScan.Link(table: key, target: keys[row], origin: origin).hash)
          if isCounted { parents[row] += 1 }
        } longList: { row, root in
          trees.spot = spot
          trees.spot.row = row
          _ = trees.checkTree(root) { $0.require($1, .integers, "a leaf of backlinks") ? $1.count : nil }
        } badForm: { row, ref in
          context.log.add(.backlinkForm, at: spot.place(ref, element: row, in: context.store))
        }
        add(sum, column, table, spot)
      }
      if isCounted { checkParents(parents, entry, table, part) }
      progress()
    }
  }

  private mutating func add(_ sum: HashSum, _ column: CheckedBacklinkColumn, _ table: CheckedTable, _ spot: Spot) {
    guard let origin = column.origin, sum.count > 0 else { return }
    accounts[origin.table][origin.column].backlinks.add(sum)
    let source = tables[origin.table].columns[origin.column]
    if table.kind == .embedded, source.type == .mixed || source.collection == .set {
      context.log.add(.embeddedOrigin, .count(sum.count), at: spot.place(spot.cluster?.ref, in: context.store))
    }
  }

  /// An embedded object has one parent; a tombstone is removed with its last backlink (§4.7, §5.4).
  private func checkParents(
    _ parents: [Int], _ entry: ObjectDirectory.Entry, _ table: CheckedTable, _ part: Finding.Part
  ) {
    let spot = Spot(part: part, table: table.name, cluster: entry)
    for (row, count) in parents.enumerated() where part == .objects ? count != 1 : count == 0 {
      guard part == .objects else {
        context.log.add(
          .tombstoneUnlinked, after: cause(table), inNode: entry.ref,
          at: spot.place(entry.ref, element: row, in: context.store))
        continue
      }
      // Removing the column or the table that owned it leaves it behind (§11); that raises the count of removed columns.
      let kind: FindingKind = count == 0 && table.removedColumns > 0 ? .embeddedOrphan : .embeddedParents
      context.log.add(
        kind, .counts(1, found: count), after: cause(table), inNode: entry.ref,
        at: spot.place(entry.ref, element: row, in: context.store))
    }
  }

  /// What was found in a table, or where links to it come from.
  private func cause(_ table: CheckedTable) -> Int? {
    let damages = context.log.damages
    if let cause = damages.table(table.name) { return cause }
    for column in table.backlinks {
      guard let origin = column.origin else { continue }
      let (source, property) = (tables[origin.table], tables[origin.table].columns[origin.column])
      if let cause = damages.column(source.name, .property(property.name))
        ?? damages.backlinks(table.name, from: source.name, property.name)
      {
        return cause
      }
    }
    return table.backlinks.contains { $0.origin == nil } ? damages.tableList : nil
  }
}
