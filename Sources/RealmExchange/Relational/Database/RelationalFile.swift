import RealmModels
import RealmStorage
import RealmText

/// A SQLite file in the relational form, as it is on disk: as an export wrote it, or as changed since.
///
/// It is only read: no other files are made, and no lock is taken. Used by one thread at a time.
package final class RelationalFile: @unchecked Sendable {
  let database: SQLiteDatabase
  /// The schema of the whole realm.
  let whole: Schema
  /// The classes that are here.
  package let schema: Schema
  let relational: RelationalSchema
  /// Bytes of the file, which limit how much it can contain.
  let byteCount: Int
  /// The properties with values in `_realm_values`, by the names of table and column.
  let exactProperties: Set<[RealmString]>

  /// Whether a file is a SQLite database.
  ///
  /// - Throws: `StorageError.file`.
  package static func isDatabase(at path: String) throws -> Bool {
    try path != "-" && TextInput.kind(of: path) == .sqlite
  }

  /// - Throws: `DatabaseError`.
  package convenience init(_ path: String) throws(DatabaseError) {
    do { try Self.requireFinished(path) } catch let error as DatabaseError { throw error } catch {
      throw .otherForm("\(error)")
    }
    try self.init(SQLiteDatabase(path, .reading))
  }

  /// A database that nobody writes to.
  ///
  /// - Throws: `DatabaseError`.
  init(_ database: SQLiteDatabase) throws(DatabaseError) {
    self.database = database
    byteCount = Int(clamping: try database.number("PRAGMA page_count") &* (try database.number("PRAGMA page_size")))
    try Self.requireTables(database)
    let meta = try Self.readMeta(database)
    (whole, schema, relational) = (meta.whole, meta.schema, meta.relational)
    positions = Dictionary(
      meta.relational.classes.enumerated().map { ($1.schema.displayName, $0) }
    ) { first, _ in first }
    var exact: Set<[RealmString]> = []
    let statement = try database.prepare("SELECT DISTINCT \"class\", \"property\" FROM \"_realm_values\"")
    while try statement.step() {
      if let table = statement.text(0), let column = statement.text(1) { exact.insert([table, column]) }
    }
    exactProperties = exact
  }

  /// Makes sure that no part of a database is in another file.
  ///
  /// - Throws: `DatabaseError.unfinished`; `StorageError.file`.
  static func requireFinished(_ path: String) throws {
    // SQLite puts them next to the target of a symbolic link.
    let file = SafeOutput.destination(of: path)
    for ending in ["-wal", "-journal"] where try hasContent(file + ending) {
      throw DatabaseError.unfinished(file + ending)
    }
  }

  private static func hasContent(_ path: String) throws -> Bool {
    do { return try !TextInput.isEmpty(path) } catch StorageError.file(.missing) { return false }
  }

  /// An export has tables that store their rows, and none that computes them.
  private static func requireTables(_ database: SQLiteDatabase) throws(DatabaseError) {
    let others = try database.number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'view' OR type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%'")
    guard others == 0 else {
      throw .otherForm("it has views, triggers or virtual tables, which no export has")
    }
    let computed = try database.number(
      "SELECT count(*) FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c WHERE s.type = 'table' AND c.hidden <> 0"
    )
    guard computed == 0 else { throw .otherForm("it has generated columns, which no export has") }
  }

  private static func readMeta(
    _ database: SQLiteDatabase
  ) throws(DatabaseError) -> (whole: Schema, schema: Schema, relational: RelationalSchema) {
    let statement: SQLiteStatement
    do throws(DatabaseError) {
      statement = try database.prepare(
        "SELECT \"schema\", \"dates\", \"names\", \"schema_version\" FROM \"_realm_schema\"")
    } catch {
      guard case .sqlite(let fault) = error, fault.isOfStatement else { throw error }
      throw .otherForm("it has no table _realm_schema: it was not exported from a realm, or with --for room")
    }
    guard try statement.step(), let json = statement.text(0), let dates = statement.text(1),
      let names = statement.text(2)
    else { throw .otherForm("its table _realm_schema is empty") }
    guard dates.description != RelationalPlan.formForRoom else {
      throw .room
    }
    guard let form = RelationalSchema.DateForm(rawValue: dates.description) else {
      throw .otherForm("its table _realm_schema names an unknown form of dates")
    }
    guard let row = RelationalSchemaRow(schema: json, names: names) else {
      throw .otherForm("the schema in _realm_schema cannot be read")
    }
    var whole = row.whole
    whole.version = nil
    if case .null = statement.cell(3) {} else { whole.version = UInt64(bitPattern: statement.integer(3)) }
    let schema = Schema(tables: whole.classes.filter { row.names.contains($0.displayName) }, version: whole.version)
    return (whole, schema, RelationalSchema(schema.classes.sorted { $0.name < $1.name }, in: whole, dates: form))
  }

  /// Lets SQLite check a file.
  ///
  /// - Throws: `DatabaseError`.
  static func check(_ path: String) throws(DatabaseError) {
    try check(SQLiteDatabase(path, .reading))
  }

  private static func check(_ database: SQLiteDatabase) throws(DatabaseError) {
    let integrity = try database.prepare("PRAGMA integrity_check(1)")
    var finding: String?
    while try integrity.step() {
      if let text = integrity.text(0), text != "ok" { finding = finding ?? text.description }
    }
    let keys = try database.prepare("PRAGMA foreign_key_check")
    if finding == nil, try keys.step() {
      finding = "a row of table '\(keys.text(0)?.description ?? "")' refers to one that is missing"
    }
    if let finding { throw .unsound(finding) }
  }

  /// Makes sure that each element of a collection has an owner: nothing that is read by owners sees one that has none.
  ///
  /// - Throws: `DatabaseError`.
  package func requireOwners() throws(DatabaseError) {
    for table in relational.classes {
      for collection in table.collections.compactMap(\.self) {
        let orphan = try database.prepare(
          """
          SELECT 1 FROM \(SQLText.quoted(collection.sqlName)) AS element WHERE NOT EXISTS (
            SELECT 1 FROM \(SQLText.quoted(table.table.sqlName)) AS owner
            WHERE owner.\(SQLText.quoted(table.keyName.name)) = element."_owner") LIMIT 1
          """)
        guard try !orphan.step() else {
          throw .unsound("a row of table '\(collection.sqlName)' belongs to no object")
        }
      }
    }
  }

  func position(_ className: RealmString) -> Int? { positions[className] }

  private let positions: [RealmString: Int]

  func table(_ className: RealmString) -> RelationalClass? { position(className).map { relational.classes[$0] } }

  /// Rows of a class's table.
  func count(of table: RelationalClass) throws(DatabaseError) -> Int {
    Int(clamping: try database.number("SELECT count(*) FROM \(SQLText.quoted(table.table.sqlName))"))
  }
}
