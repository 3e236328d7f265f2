import RealmStorage

/// A SQLite table. Knows nothing about where its columns come from.
package struct RelationalTable: Sendable {
  package let name: Identifier
  package let columns: [RelationalColumn]
  /// The columns of a key that is declared after all columns; empty if a column is the key itself, or there is no key.
  package let compoundKey: [String]
  package let indexes: [RelationalIndex]

  /// The name as SQLite knows it.
  package var sqlName: String { name.name }

  /// `CREATE TABLE "Person" (…);`, and its indexes.
  package func statements() -> [String] { [creation] + indexes.map { $0.statement(on: name) } }

  /// A clustered table if it has a compound key: its rows are stored in the order of the key, without a second tree.
  package var creation: String {
    var lines = columns.map(\.definition)
    if !compoundKey.isEmpty { lines.append("PRIMARY KEY (\(compoundKey.map(SQLText.quoted).joined(separator: ", ")))") }
    let body = lines.map { "  \($0)" }.joined(separator: ",\n")
    return "CREATE TABLE \(SQLText.quoted(name.name)) (\n\(body)\n)\(compoundKey.isEmpty ? "" : " WITHOUT ROWID");"
  }
}

/// A column as SQLite has it.
package struct RelationalColumn: Sendable {
  /// How SQLite converts values that are stored in a column.
  package enum Affinity: String, Sendable {
    case integer = " INTEGER"
    case real = " REAL"
    case text = " TEXT"
    case blob = " BLOB"
    /// A column without a type, which keeps each value as it is.
    case any = ""
  }

  /// The row that a value names, and what happens to this one when that is deleted.
  package struct Reference: Sendable {
    package let table: Identifier
    package let column: Identifier
    package let action: String
  }

  package let name: String
  package let affinity: Affinity
  package var isRequired = false
  package var isPrimaryKey = false
  package var isUnique = false
  package var isBool = false
  /// Where it is not that of the texts. No database has it, because other programs could not read it then.
  package var order: SQLOrder?
  package var reference: Reference?

  package var definition: String {
    let quoted = SQLText.quoted(name)
    var text = quoted + affinity.rawValue
    if isPrimaryKey { text += " PRIMARY KEY" }
    if isRequired { text += " NOT NULL" }
    if isUnique { text += " UNIQUE" }
    if isBool { text += " CHECK (\(quoted) IN (0, 1))" }
    guard let reference else { return text }
    let place = "\(SQLText.quoted(reference.table.name)) (\(SQLText.quoted(reference.column.name)))"
    return text + " REFERENCES \(place) ON DELETE \(reference.action) DEFERRABLE INITIALLY DEFERRED"
  }
}

/// An index over one column.
package struct RelationalIndex: Sendable {
  package let name: Identifier
  package let column: String

  package func statement(on table: Identifier) -> String {
    "CREATE INDEX \(SQLText.quoted(name.name)) ON \(SQLText.quoted(table.name)) (\(SQLText.quoted(column)));"
  }
}

/// Names in SQL.
package enum SQLText {
  /// A name in double quotes, which may contain any text.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// A text between single quotes.
  package static func literal(_ text: String) -> String { "'" + text.replacing("'", by: "''") + "'" }

  /// For SQLite, names that differ only in the case of ASCII letters are equal.
  @Sendable package static func lowercased(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isCapital = ("A"..."Z").contains(scalar)
      scalars.append(isCapital ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
    }
    return String(scalars)
  }
}
