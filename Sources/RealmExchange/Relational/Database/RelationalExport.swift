import RealmModels
import RealmStorage
import RealmText

/// Writes a SQLite file in the relational form: `Docs/SQLite.md`.
package struct RelationalExport {
  private let snapshot: Snapshot
  private let options: ExportOptions
  private let plan: RelationalPlan

  /// What was written.
  package struct Report: Sendable {
    /// The tables with their rows.
    package let tables: [(name: String, rowCount: Int)]
    /// Number of values in `_realm_values`.
    package let exactCount: Int
    package let damage: DamageReport
    package let byteCount: UInt64
  }

  package init(_ snapshot: Snapshot, options: ExportOptions, plan: RelationalPlan) {
    (self.snapshot, self.options, self.plan) = (snapshot, options, plan)
  }

  /// - Parameters:
  ///   - path: of an empty file.
  ///   - keepsOffDisk: whether SQLite must not write temporary files, as for the content of an encrypted realm.
  ///   - progress: called with a number of objects that are complete.
  /// - Throws: `DatabaseError.sqlite`; errors of `progress`.
  package func write(
    to path: String, keepsOffDisk: Bool, progress: @escaping (Int) -> Void = { _ in }
  ) throws -> Report {
    let database = try SQLiteDatabase(path, .writing)
    for pragma in [
      "page_size = 4096", "encoding = 'UTF-8'", "auto_vacuum = NONE", "journal_mode = OFF", "synchronous = OFF",
      "locking_mode = EXCLUSIVE", "cache_size = -32768", "foreign_keys = OFF",
      "temp_store = \(keepsOffDisk ? "MEMORY" : "DEFAULT")",
    ] { try database.execute("PRAGMA \(pragma)") }
    try database.execute("BEGIN EXCLUSIVE")
    let tables = plan.relational.tables
    // Each CREATE takes as long as there are tables already: thousands are made apart from each other.
    let isWide = tables.reduce(tables.count) { $0 + $1.indexes.count } > Self.mostAtOnce
    if isWide {
      try database.createApart(tables.map { $0.statements() }, each: Self.createdTogether)
    } else {
      for table in tables { try database.execute(table.creation) }
    }
    for meta in RelationalMeta.allCases { try database.execute(meta.creation) }
    let sink = try DatabaseSink(database, plan.relational, progress: progress)
    try writeSchema(to: sink)
    try plan.measureDates(ofTable: nil, in: snapshot)
    var damage = try RelationalRun(snapshot: snapshot, options: options, plan: plan, sink: sink).run {
      RelationalRecords($0)
    }
    if !sink.refusals.isEmpty { try note(sink.refusals, in: &damage, database) }
    for table in tables where !isWide {
      for index in table.indexes { try database.execute(index.statement(on: table.name)) }
    }
    for meta in RelationalMeta.allCases {
      if let index = meta.index { try database.execute(index) }
    }
    if let version = plan.whole.version, let number = Int32(exactly: version) {
      try database.execute("PRAGMA user_version = \(number)")
    }
    try database.execute("COMMIT")
    let pages = try database.number("PRAGMA page_count")
    let names = tables.map(\.sqlName) + RelationalMeta.allCases.map(\.name)
    return Report(
      tables: Array(zip(names, sink.rowCounts)).map { (name: $0, rowCount: $1) },
      exactCount: sink.rowCounts[plan.relational.number(of: .values)], damage: damage,
      byteCount: UInt64(pages) * 4096)
  }

  /// Tables and indexes that are created one after another.
  private static let mostAtOnce = 2_000
  private static let createdTogether = 200

  /// The row with what SQL cannot express.
  private func writeSchema(to sink: DatabaseSink) throws {
    let text = TextBuffer(capacity: 1 << 12)
    let cells = RelationalRecords(text)
    cells.begin(plan.relational.number(of: .schema))
    plan.appendSchemaRow(to: cells, format: snapshot.header.format)
    cells.end()
    try text.withBytes(sink.write)
  }

  /// Reports the rows that SQLite refused, and removes what refers to them.
  private func note(
    _ refusals: [Int: (count: Int, reason: String)], in damage: inout DamageReport, _ database: SQLiteDatabase
  ) throws {
    let owners = plan.relational.classes.flatMap { table in
      [(table.number, table)] + table.collectionNumbers.compactMap { $0.map { ($0, table) } }
    }
    for (number, table) in owners {
      guard let refusal = refusals[number] else { continue }
      for _ in 0..<refusal.count {
        damage.add(
          Damage(
            table: table.schema.displayName, part: .objects,
            error: .corrupted(.null, .valueOutOfRange("SQLite refused a row: \(refusal.reason)"))))
      }
    }
    for table in plan.relational.tables {
      for column in table.columns {
        guard let reference = column.reference else { continue }
        let (name, own) = (SQLText.quoted(table.sqlName), SQLText.quoted(column.name))
        let target =
          "SELECT 1 FROM \(SQLText.quoted(reference.table.name)) AS t"
          + " WHERE t.\(SQLText.quoted(reference.column.name)) = \(name).\(own)"
        let condition = "WHERE \(own) IS NOT NULL AND NOT EXISTS (\(target))"
        try database.execute(
          column.isRequired ? "DELETE FROM \(name) \(condition)" : "UPDATE \(name) SET \(own) = NULL \(condition)")
      }
    }
  }
}

extension RelationalPlan {
  /// The name in `_realm_schema` for the form for Room.
  static let formForRoom = "room"

  /// The only row of `_realm_schema`.
  func appendSchemaRow(to cells: some RelationalCells, format: UInt8) {
    SchemaFormat.json.text(of: whole).utf8.withUnsafeBytes { cells.append(text: $0, isFromFile: true) }
    if let version = whole.version { cells.append(integer: Int64(bitPattern: version)) } else { cells.appendNull() }
    cells.append(integer: Int64(format))
    Array(relational.dates.rawValue.utf8).withUnsafeBytes { cells.append(text: $0, isFromFile: false) }
    relational.names.withUnsafeBytes { cells.append(text: $0, isFromFile: true) }
  }
}
