import RealmExchange
import RealmText

/// What an export has written to a SQLite database.
struct DatabaseReport {
  private let written: RelationalExport.Report
  private let isVerified: Bool
  private let isDryRun: Bool

  init(_ written: RelationalExport.Report, isVerified: Bool, isDryRun: Bool) {
    (self.written, self.isVerified, self.isDryRun) = (written, isVerified, isDryRun)
  }

  var verb: String { isDryRun ? "would write" : "wrote" }

  /// A line for each table with rows, and what is to be said about all of them.
  func text() -> String {
    var text = ""
    for table in written.tables where table.rowCount > 0 {
      text += "  \(PrintableText.escaping(table.name)): \(table.rowCount.counted("row"))\n"
    }
    if written.exactCount > 0 {
      let count = written.exactCount.counted("value")
      text += "\(count) that SQLite cannot hold: exact in _realm_values\n"
    }
    text += isVerified ? "read back: equal to the realm\n" : "not compared with the realm\n"
    return text
  }

  func addMembers(to json: JSONText) {
    json.objects("tables", written.tables) { table in
      json.member("name", table.name)
      json.member("rows", table.rowCount)
    }
    json.member("exactValues", written.exactCount)
    json.member("verified", isVerified)
    json.member("dryRun", isDryRun)
  }
}
