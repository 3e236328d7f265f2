import RealmQuery
import RealmStorage
import RealmSystem

/// How often each value of a property occurs among some objects; of a collection, each of its elements.
///
/// Counts like `summarize`, by the same rule for which values are the same.
enum ValueCounting {
  /// The number of different values that are listed.
  static let mostListed = 10_000

  /// - Throws: `TaskProgress.Stopped`, what opening the source throws.
  static func summary(
    of source: RowsSource, property: Int, in realm: BrowsedRealm, _ progress: TaskProgress
  ) throws -> ColumnSummary {
    var walk = try ShownRowWalk(source, in: realm, progress)
    guard let table = try source.open(in: walk.realm)?.table else { throw BrowserProblem.stale }
    let summarizer = ColumnSummarizer(.property(property), of: table, SummaryOptions(top: mostListed)) {
      try progress.check()
    }
    try walk.forEach { group in
      var rows = RowMask()
      for row in group.rows { rows.insert(row) }
      try summarizer.add(group.batch, rows: rows, in: group.snapshot)
    }
    return try summarizer.summary(in: walk.realm.snapshot)
  }

  /// The same for elements of one collection.
  ///
  /// - Parameter positions: the positions of the elements that count; nil for all.
  static func summary(
    of address: ValueAddress, _ type: PropertyType, at positions: [Int]?, in realm: BrowsedRealm,
    _ progress: TaskProgress
  ) throws -> ColumnSummary {
    guard let table = realm.table(named: address.object.table), let elements = try Elements(of: address, in: realm)
    else { throw BrowserProblem.stale }
    let summarizer = ColumnSummarizer(.elements(type, elements), of: table, SummaryOptions(top: mostListed)) {
      try progress.check()
    }
    for index in 0..<(positions?.count ?? elements.count) {
      try summarizer.add(elementAt: positions?[index] ?? index, in: realm.snapshot)
      try progress.advance(by: 1)
    }
    return try summarizer.summary(in: realm.snapshot)
  }
}

/// Objects with one value, or one of a range, in a property or among the elements of a collection.
struct DistinctPredicate: ObjectPredicate {
  let property: Int
  private let isWanted: @Sendable (DistinctValue) -> Bool

  init(identity: DistinctValue, property: Int) {
    self.property = property
    isWanted = { $0 == identity }
  }

  /// - Parameter isLast: whether no other bin has the upper limit.
  init(_ bin: Histogram.Bin, isLast: Bool, property: Int) {
    self.property = property
    isWanted = { bin.holds($0, isLast: isLast) }
  }

  /// Values that are in none of the bins.
  init(outside histogram: Histogram, property: Int) {
    self.property = property
    isWanted = { histogram.isOutside($0) }
  }

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) -> any ObjectMatcher {
    let schema = table.schema.properties[property]
    return Matcher(
      predicate: self, isCollection: schema.collection != nil, snapshot: snapshot, progress: progress,
      reader: DistinctValue.Reader(of: schema.type))
  }

  private struct Matcher: ObjectMatcher {
    let predicate: DistinctPredicate
    let isCollection: Bool
    let snapshot: Snapshot
    let progress: TaskProgress
    let reader: DistinctValue.Reader

    func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws {
      try batch.match(property: predicate.property, rows: rows, &damage, found: found) { value, row, damage in
        try progress.check()
        let walk = snapshot.collectionWalk()
        guard isCollection else { return predicate.isWanted(try reader.identity(of: value, in: snapshot, walk)) }
        return try holdsElement(value, walk) { damage.add(batch.damage(predicate.property, row, $0)) }
      }
    }

    private func holdsElement(
      _ value: ValueView, _ walk: CollectionWalk, _ damaged: (StorageError) -> Void
    ) throws -> Bool {
      func visit(_ element: ValueView) throws {
        try progress.check()
        if predicate.isWanted(try reader.identity(of: element, in: snapshot, walk)) { throw EarlyEnd() }
      }
      func isDamaged(_ error: StorageError) throws {
        try progress.check()
        damaged(error)
      }
      return try EarlyEnd.ends {
        switch value {
        case .list(let list), .set(let list): try list.forEach(walk, damaged: isDamaged, visit: visit)
        case .dictionary(let dictionary): try dictionary.forEach(walk, damaged: isDamaged) { try visit($1) }
        default: break
        }
      }
    }
  }
}
