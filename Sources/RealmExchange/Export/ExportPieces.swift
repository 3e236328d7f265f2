import RealmStorage

/// A piece of work of an export.
struct ExportPiece: Sendable {
  enum Content: Sendable {
    case openDocument
    case openTable(Table, isFirst: Bool)
    case objects(ExportedObjects, isFirstInTable: Bool, isFirstOfAll: Bool)
    case closeTable(Table)
    case closeDocument
  }

  let number: Int
  let content: Content

  var objectCount: Int {
    guard case .objects(let objects, _, _) = content else { return 0 }
    return objects.count
  }
}

/// Objects of one table that are written one after another.
package enum ExportedObjects: Sendable {
  case batches([ObjectBatch])
  /// Those with these keys, in this order.
  case keys(ArraySlice<ObjectKey>, Table)

  var count: Int {
    switch self {
    case .batches(let batches): batches.reduce(0) { $0 + $1.count }
    case .keys(let keys, _): keys.count
    }
  }

  /// Calls `body` with batches and the rows that are wanted of each; nil for all.
  ///
  /// - Parameter damaged: called for objects that cannot be found.
  package func forEachBatch(
    damaged: (Damage) -> Void, _ body: (ObjectBatch, _ rows: [Int]?) throws -> Void
  ) throws {
    switch self {
    case .batches(let batches): for batch in batches { try body(batch, nil) }
    case .keys(let keys, let table):
      var rest = keys
      while let key = rest.first {
        let found: (batch: ObjectBatch, row: Int)
        do {
          guard let place = try table.object(key) else { throw table.danglingLink(to: key) }
          found = place
        } catch {
          if let error = error as? StorageError {
            damaged(Damage(table: table.schema.displayName, part: .objects, error: error))
          }
          rest = rest.dropFirst()
          continue
        }
        // Objects whose keys follow each other are usually stored together.
        var rows: [Int] = []
        while let key = rest.first, let row = found.batch.row(of: key) {
          rows.append(row)
          rest = rest.dropFirst()
        }
        try body(found.batch, rows)
      }
    }
  }
}

/// Cuts an export into pieces, on demand; used by one thread at a time.
final class ExportPieces: @unchecked Sendable {
  private enum State {
    case document
    case table
    case objects(ObjectBatches, Table)
    case keys(ArraySlice<ObjectKey>, Table)
    case done
  }

  private let tables: [Table]
  private let keys: [ObjectKey]?
  private var tableIndex = 0
  private var state = State.document
  private var number = 0
  private var objectsInTable = 0
  private var objectsInAll = 0
  private var damagesInTable = 0
  /// What could not even be divided into pieces.
  private(set) var report = DamageReport()

  /// - Parameter keys: of the objects that are wanted of the only table; nil for all.
  init(_ tables: [Table], keys: [ObjectKey]?) { (self.tables, self.keys) = (tables, keys) }

  func next() -> ExportPiece? {
    guard let content = nextContent() else { return nil }
    defer { number += 1 }
    return ExportPiece(number: number, content: content)
  }

  /// Finds its place again after the bytes of the file were released.
  func restorePlaces() {
    guard case .objects(var batches, let table) = state else { return }
    if let error = batches.restorePlaces() {
      damagesInTable += 1
      report.add(Damage(table: table.schema.displayName, part: .objects, error: error))
    }
    state = .objects(batches, table)
  }

  private func nextContent() -> ExportPiece.Content? {
    switch state {
    case .document:
      state = .table
      return .openDocument
    case .table:
      guard tableIndex < tables.count else {
        state = .done
        return .closeDocument
      }
      let table = tables[tableIndex]
      defer { tableIndex += 1 }
      state = keys.map { .keys($0[...], table) } ?? .objects(table.batches(), table)
      (objectsInTable, damagesInTable) = (0, 0)
      return .openTable(table, isFirst: tableIndex == 0)
    case .objects(let batches, let table): return nextObjects(batches, of: table)
    case .keys(let keys, let table): return nextObjects(keys, of: table)
    case .done: return nil
    }
  }

  private func nextObjects(_ batches: ObjectBatches, of table: Table) -> ExportPiece.Content {
    var batches = batches
    var taken: [ObjectBatch] = []
    var count = 0
    let before = (objectsInTable, objectsInAll)
    while count < ExportLimits.objectsPerPiece, let step = batches.next() {
      switch step {
      case .batch(let batch):
        guard batch.count > 0 else { continue }
        taken.append(batch)
        count += batch.count
      case .damaged(let error):
        damagesInTable += 1
        report.add(Damage(table: table.schema.displayName, part: .objects, error: error))
      }
    }
    objectsInTable += count
    objectsInAll += count
    guard count > 0 else {
      state = .table
      noteMissingObjects(of: table)
      return .closeTable(table)
    }
    state = .objects(batches, table)
    return .objects(.batches(taken), isFirstInTable: before.0 == 0, isFirstOfAll: before.1 == 0)
  }

  private func nextObjects(_ keys: ArraySlice<ObjectKey>, of table: Table) -> ExportPiece.Content {
    let taken = keys.prefix(ExportLimits.objectsPerPiece)
    guard !taken.isEmpty else {
      state = .table
      return .closeTable(table)
    }
    state = .keys(keys.dropFirst(taken.count), table)
    defer { objectsInAll += taken.count }
    return .objects(.keys(taken, table), isFirstInTable: objectsInAll == 0, isFirstOfAll: objectsInAll == 0)
  }

  /// The root of a table says how many objects there should be.
  private func noteMissingObjects(of table: Table) {
    guard damagesInTable > 0, let expected = try? table.objectCount() else { return }
    report.addMissingObjects(max(0, expected - objectsInTable))
  }
}
