import RealmExchange
import RealmModels
import RealmText

/// What an export has written to a SQLite database.
struct DatabaseReport {
  private let written: RelationalExport.Report
  private let isVerified: Bool
  let dryRun: Bool
  private let keepsMeta: Bool

  /// The tables with their rows.
  private let tables: [(name: String, rowCount: Int)]

  /// - Parameter keepsMeta: whether the tables of realmctl are there.
  init(_ written: RelationalExport.Report, keepsMeta: Bool, isVerified: Bool, dryRun: Bool) {
    (self.written, self.isVerified, self.dryRun) = (written, isVerified, dryRun)
    self.keepsMeta = keepsMeta
    tables = written.tables.filter { keepsMeta || !RelationalMeta.names.contains($0.name) }
  }

  /// A line for each table with rows, and facts about all of them.
  func text() -> String {
    var text = ""
    for table in tables where table.rowCount > 0 {
      text += "  \(PrintableText.escaping(table.name)): \(table.rowCount.counted("row"))\n"
    }
    let count = written.exactCount.counted("value")
    if written.exactCount > 0 {
      text +=
        keepsMeta
        ? "\(count) that SQLite cannot store exactly; _realm_values has the exact ones\n"
        : "\(count) rounded or replaced; --with-schema keeps the exact ones in _realm_values\n"
    }
    let isEqual = keepsMeta || written.exactCount == 0
    text += isVerified ? "verified against the source\(isEqual ? "" : ": all others are equal")\n" : "not verified\n"
    return text
  }

  func addMembers(to json: JSONText) {
    json.objects("sqlTables", tables) { table in
      json.member("sqlTable", table.name)
      json.member("rowCount", table.rowCount)
    }
    json.member("exactValues", written.exactCount)
    json.member("equalToRealm", isVerified && (keepsMeta || written.exactCount == 0))
    json.member("dryRun", dryRun)
  }
}
