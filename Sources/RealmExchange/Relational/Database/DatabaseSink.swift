import RealmModels
import RealmStorage

/// Writes rows into the tables of a SQLite file in the order in which they are passed.
///
/// Used by one thread at a time.
final class DatabaseSink: TextSink, @unchecked Sendable {
  private let database: SQLiteDatabase
  private let inserts: [Insert]
  private let progress: (Int) -> Void
  /// Tables of classes: the rows that follow one belong to it, up to the next.
  private let heads: Set<Int>
  private var skipsParts = false
  /// Rows by table.
  private(set) var rowCounts: [Int]
  /// Rows that SQLite refused, by table: keys that occur twice.
  private(set) var refusals: [Int: (count: Int, reason: String)] = [:]

  private struct Insert {
    let statement: SQLiteStatement
    let columnCount: Int
  }

  init(
    _ database: SQLiteDatabase, _ relational: RelationalSchema, progress: @escaping (Int) -> Void
  ) throws(DatabaseError) {
    (self.database, self.progress) = (database, progress)
    let names = relational.tables.map { ($0.sqlName, $0.columns.count) }
    let metas = RelationalMeta.allCases.map { ($0.name, $0.columns.count) }
    var inserts: [Insert] = []
    for (name, count) in names + metas {
      let marks = Array(repeating: "?", count: count).joined(separator: ", ")
      let statement = try database.prepare("INSERT INTO \(SQLText.quoted(name)) VALUES (\(marks))")
      inserts.append(Insert(statement: statement, columnCount: count))
    }
    self.inserts = inserts
    heads = Set(relational.classes.map(\.number))
    rowCounts = Array(repeating: 0, count: inserts.count)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = RelationalRecords.Reader(bytes)
    while let table = reader.nextRow() { try write(&reader, into: table) }
  }

  func finished(objects: Int) { progress(objects) }

  private func write(_ reader: inout RelationalRecords.Reader, into table: Int) throws(DatabaseError) {
    let insert = inserts[table]
    let isHead = heads.contains(table)
    if isHead { skipsParts = false }
    var column = 0
    while let cell = reader.nextCell() {
      if column < insert.columnCount, !skipsParts { try insert.statement.bind(cell, at: column) }
      column += 1
    }
    guard !skipsParts else { return }
    defer { insert.statement.reset() }
    do throws(DatabaseError) {
      _ = try insert.statement.step()
      rowCounts[table] += 1
    } catch {
      guard let reason = error.refusal else { throw error }
      refusals[table] = ((refusals[table]?.count ?? 0) + 1, reason)
      if isHead { skipsParts = true }
    }
  }
}
