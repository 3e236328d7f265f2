import RealmStorage
import RealmSystem

/// A summary of the objects of a class, column by column.
///
/// Each column is summarized in a walk of its own, several at a time, each of which takes 100 MiB at most: so memory is
/// bounded, however many columns a class has.
package struct ClassSummary: Sendable {
  /// Objects that were looked at.
  package let objectCount: Int
  /// In the order of the columns.
  package let columns: [ColumnSummary]
  package let damage: DamageReport

  /// - Parameters:
  ///   - keys: of the objects that count; nil for all.
  /// - Throws: what `SummaryOptions.visited` throws; `QueryError` if a path leads to too many values; `StorageError` if
  ///   the pages that the realm stands on are lost.
  package init(
    of table: Table, in snapshot: Snapshot, _ columns: [SummaryColumn], among keys: ObjectKeySet? = nil,
    _ options: SummaryOptions = SummaryOptions()
  ) throws {
    // One thread reads and evicts pages; a few columns side by side, because each walk reads them all again.
    let isInPages = snapshot.isReadInPages
    let width = isInPages ? Self.columnsInPages : 1
    let groups = stride(from: 0, to: max(columns.count, 1), by: width).map { $0..<min($0 + width, columns.count) }
    let next = AtomicInt(0)
    let done = Locked<[(first: Int, walk: SummaryWalk.Outcome)]>([])
    let pipeline = OrderedPipeline<Range<Int>>(threadCount: isInPages ? 1 : min(options.threadCount, groups.count)) {
      let index = next.add(1) - 1
      return index < groups.count ? groups[index] : nil
    }
    try pipeline.run {
      { group, _ in
        let walk = SummaryWalk(table, snapshot, columns[group], keys, options)
        let outcome = try walk.run()
        done.withLock { $0.append((group.lowerBound, outcome)) }
      }
    }
    let outcomes = done.withLock { $0 }.sorted { $0.first < $1.first }.map(\.walk)
    self.columns = outcomes.flatMap(\.columns)
    objectCount = outcomes.first?.objectCount ?? 0
    // What keeps objects from being found is the same in each walk.
    var damage = outcomes.first?.objectDamage ?? DamageReport()
    for outcome in outcomes { damage.merge(outcome.valueDamage) }
    self.damage = damage
  }

  private static let columnsInPages = 4
}

/// One walk over the objects for some of the columns.
private struct SummaryWalk {
  struct Outcome: Sendable {
    var objectCount = 0
    var columns: [ColumnSummary] = []
    var objectDamage = DamageReport()
    var valueDamage = DamageReport()
  }

  private let table: Table
  private let snapshot: Snapshot
  private let columns: ArraySlice<SummaryColumn>
  private let keys: ObjectKeySet?
  private let options: SummaryOptions

  init(
    _ table: Table, _ snapshot: Snapshot, _ columns: ArraySlice<SummaryColumn>, _ keys: ObjectKeySet?,
    _ options: SummaryOptions
  ) {
    (self.table, self.snapshot, self.columns, self.keys, self.options) = (table, snapshot, columns, keys, options)
  }

  func run() throws -> Outcome {
    let summarizers = columns.map { column in
      ColumnSummarizer(column, of: table, options) { try options.visited?(0) }
    }
    var outcome = Outcome()
    var batches = table.batches()
    var isMissingSome = false
    while let step = batches.next() {
      switch step {
      case .damaged(let error):
        isMissingSome = true
        outcome.objectDamage.add(Damage(table: table.schema.displayName, part: .objects, error: error))
      case .batch(let batch):
        let rows = rows(of: batch)
        guard !rows.isEmpty else { continue }
        outcome.objectCount += rows.count
        for summarizer in summarizers { try summarizer.add(batch, rows: rows, in: snapshot) }
        try options.visited?(rows.count * summarizers.count)
      }
      if snapshot.holdsTooManyPages {
        for summarizer in summarizers { summarizer.forgetPlaces() }
        try snapshot.releasePages()
        if let error = batches.restorePlaces() {
          isMissingSome = true
          outcome.objectDamage.add(Damage(table: table.schema.displayName, part: .objects, error: error))
        }
      }
    }
    if keys != nil {
      // The search for the objects has already reported what cannot be found.
      outcome.objectDamage = DamageReport()
    } else if isMissingSome, let expected = try? table.objectCount() {
      // The root of the table tells how many objects there should be.
      outcome.objectDamage.addMissingObjects(max(0, expected - outcome.objectCount))
    }
    for summarizer in summarizers {
      outcome.columns.append(try summarizer.summary(in: snapshot))
      outcome.valueDamage.merge(summarizer.damage)
    }
    return outcome
  }

  private func rows(of batch: ObjectBatch) -> RowMask {
    guard let keys else { return RowMask(first: batch.count) }
    var rows = RowMask()
    for row in 0..<batch.count where keys.contains(batch.key(at: row)) { rows.insert(row) }
    return rows
  }
}
