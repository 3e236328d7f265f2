import CSQLite
import RealmModels
import RealmQuery
import RealmStorage

/// A walk over the objects of a class. Only columns that a statement reads are decoded.
final class SQLObjectCursor: SQLCursor {
  let reader: SQLReader
  private let table: SQLTable
  private let realmTable: Table
  private let relational: RelationalClass
  private var walk: ObjectBatches?
  private var keys: ArraySlice<ObjectKey> = []
  private var batch: ObjectBatch?
  private var row = 0
  /// Leaves out objects for which the comparisons are false.
  private var matcher: QueryMatcher?
  /// The rows of the batch that are wanted; nil for all.
  private var wanted: RowMask?
  /// The object that the walk is at, to find it again after pages were given back.
  private var key = ObjectKey(rawValue: 0)
  private var values: [PropertyValues?]
  private var generation = 0
  private(set) var isAtEnd = true

  init(_ table: SQLTable, _ position: Int) {
    (self.table, reader) = (table, table.reader)
    (realmTable, relational) = (table.plan.tables[position], table.plan.relational.classes[position])
    values = Array(repeating: nil, count: relational.values.count)
  }

  var rowID: Int64 { key.rawValue }

  func begin(_ search: SQLTable.Search, _ comparisons: [SQLComparison], _ arguments: [OpaquePointer]) throws {
    try reader.releasePagesIfNeeded()
    (walk, keys, matcher, isAtEnd, generation) = (nil, [], nil, false, reader.generation)
    leaveBatch()
    guard case .objects(let position) = table.content else { return }
    if let found = try SQLKeys(reader: reader).keys(search, of: position, arguments.first) {
      keys = found[...]
      return try nextKey()
    }
    matcher = SQLComparison.matcher(comparisons, arguments, of: realmTable, in: reader.snapshot)
    walk = realmTable.batches()
    try nextBatch()
  }

  func next() throws {
    guard walk != nil else {
      try reader.releasePagesIfNeeded()
      return try nextKey()
    }
    try restore()
    if let batch, let next = nextRow(in: batch, from: row + 1) {
      (row, key) = (next, batch.key(at: next))
      return
    }
    try reader.releasePagesIfNeeded()
    try restore()
    try nextBatch()
  }

  private func nextRow(in batch: ObjectBatch, from first: Int) -> Int? {
    guard let wanted else { return first < batch.count ? first : nil }
    return (first..<max(batch.count, first)).first { wanted.contains($0) }
  }

  // MARK: Places

  private func leaveBatch() {
    batch = nil
    for index in values.indices { values[index] = nil }
  }

  private func nextBatch() throws {
    leaveBatch()
    row = 0
    while let step = walk?.next() {
      switch step {
      case .damaged(let error): note(error)
      case .batch(let found):
        wanted = try matcher?.rows(of: found)
        // If the answer is not known, SQLite compares by itself.
        if let damage = matcher?.takeDamage(), !damage.isEmpty { wanted = nil }
        guard let first = nextRow(in: found, from: 0) else { continue }
        (batch, row, key) = (found, first, found.key(at: first))
        return
      }
    }
    isAtEnd = true
  }

  private func nextKey() throws {
    while let next = keys.popFirst() {
      if generation == reader.generation, let row = batch?.row(of: next) {
        (self.row, key) = (row, next)
        return
      }
      leaveBatch()
      generation = reader.generation
      do {
        // An index may contain objects that no longer exist, and a statement keys that never existed.
        guard let found = try realmTable.object(next) else { continue }
        (batch, row, key) = (found.batch, found.row, next)
        return
      } catch let error as StorageError { note(error) }
    }
    isAtEnd = true
  }

  /// Finds the place in the file again after pages were given back.
  private func restore() throws {
    guard generation != reader.generation else { return }
    generation = reader.generation
    matcher?.forgetPlaces()
    if let error = walk?.restorePlaces() { note(error) }
    leaveBatch()
    guard let found = try realmTable.object(key) else { return }
    (batch, row) = (found.batch, found.row)
  }

  private func note(_ error: StorageError) {
    var report = DamageReport()
    report.add(Damage(table: realmTable.schema.displayName, part: .objects, error: error))
    reader.add(report)
  }

  // MARK: Cells

  func give(_ column: Int, to context: OpaquePointer) throws {
    if case .property(let property, _) = table.columns[column], case .objects(let position) = table.content {
      try reader.measureDates(relational.values[property], of: position, property: property)
    }
    try restore()
    switch table.columns[column] {
    case .objectKey: sqlite3_result_int64(context, key.rawValue)
    case .property(let property, let cell):
      reader.setPlace(realmTable, key, property: property)
      reader.give(value(property), of: relational, property: property, skipped: cell, to: context)
    }
  }

  private func value(_ property: Int) -> ValueView? {
    do {
      if values[property] == nil { values[property] = try batch?.values(ofProperty: property) }
      return try values[property]?.value(at: row)
    } catch {
      if let error = error as? StorageError { reader.note(error) }
      return nil
    }
  }
}
