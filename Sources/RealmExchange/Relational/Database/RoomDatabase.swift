import RealmModels
import RealmStorage

/// Turns an exported SQLite file, which has been read back and compared, into one that Android's Room opens.
package struct RoomDatabase {
  /// - Parameters:
  ///   - path: of a file with dates as milliseconds, complete and not published yet.
  ///   - keepsMeta: whether the tables of realmctl stay.
  /// - Returns: how long the file is now, in bytes.
  /// - Throws: `DatabaseError.sqlite`; `WrittenFault.table`.
  package static func convert(
    _ path: String, _ plan: RelationalPlan, keepsMeta: Bool, keepsOffDisk: Bool
  ) throws -> UInt64 {
    let tables = RoomTable.all(of: plan.relational)
    let database = try SQLiteDatabase(path, .writing)
    for pragma in [
      "journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", "legacy_alter_table = ON",
      "temp_store = \(keepsOffDisk ? "MEMORY" : "DEFAULT")",
    ] { try database.execute("PRAGMA \(pragma)") }
    try database.execute("BEGIN EXCLUSIVE")
    for index in try names(of: "index", in: database) { try database.execute("DROP INDEX \(SQLText.quoted(index))") }
    for (number, table) in tables.enumerated() { try replace(table, number, in: database) }
    if keepsMeta {
      try database.execute("UPDATE \"\(RelationalMeta.schema.name)\" SET \"dates\" = '\(RelationalPlan.formForRoom)'")
    } else {
      for meta in RelationalMeta.allCases { try database.execute("DROP TABLE \"\(meta.name)\"") }
    }
    for table in tables { for index in table.indexStatements() { try database.execute(index) } }
    try database.execute("PRAGMA user_version = \(RoomTable.version(of: plan.whole))")
    try database.execute("COMMIT")
    try database.execute("VACUUM")
    guard try database.number("SELECT count(*) FROM pragma_foreign_key_check") == 0,
      try database.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == 0
    else { throw WrittenFault.table("") }
    return UInt64(try database.number("PRAGMA page_count") * database.number("PRAGMA page_size"))
  }

  private static func replace(_ table: RoomTable, _ number: Int, in database: SQLiteDatabase) throws {
    let temporary = "_realm_room_\(number)"
    try database.execute(table.creation(as: temporary))
    let columns = table.columns.map { SQLText.quoted($0.name) }.joined(separator: ", ")
    let new = SQLText.quoted(temporary)
    try database.execute("INSERT INTO \(new) (\(columns)) \(table.selection)")
    // Every row is there, with every value, and no other.
    let count = "(SELECT count(*) FROM \(SQLText.quoted(table.name))) <> (SELECT count(*) FROM \(new))"
    let missing = "EXISTS (\(table.selection) EXCEPT SELECT \(columns) FROM \(new))"
    guard try database.number("SELECT \(count) OR \(missing)") == 0 else { throw WrittenFault.table(table.name) }
    try database.execute("DROP TABLE \(SQLText.quoted(table.name))")
    try database.execute("ALTER TABLE \(new) RENAME TO \(SQLText.quoted(table.name))")
  }

  private static func names(of kind: String, in database: SQLiteDatabase) throws -> [String] {
    let statement = try database.prepare(
      "SELECT name FROM sqlite_master WHERE type = '\(kind)' AND sql IS NOT NULL ORDER BY rowid")
    var names: [String] = []
    while try statement.step() { if let name = statement.text(0) { names.append(name.description) } }
    return names
  }
}
