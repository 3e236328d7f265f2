import RealmStorage

/// A table as Android's Room expects it of a database that it opens: what its `TableInfo` compares.
package struct RoomTable: Sendable {
  package struct Column: Sendable {
    package let name: String
    package let affinity: RelationalColumn.Affinity
    package let isRequired: Bool
    /// The column of the exported table that its values come from; nil for a generated number.
    package let source: RelationalColumn?
  }

  package let name: String
  package let columns: [Column]
  package let primaryKey: [String]
  package let references: [(column: String, reference: RelationalColumn.Reference)]
  package let indexes: [RelationalIndex]

  /// - Parameter table: as exported, with dates as milliseconds.
  init(_ model: TableModel) {
    let table = model.table
    (name, indexes) = (table.sqlName, table.indexes)
    var columns = table.columns.map { column in
      Column(
        name: column.name, affinity: column.affinity == .any ? .text : column.affinity,
        isRequired: column.isRequired || column.isPrimaryKey || table.compoundKey.contains(column.name), source: column)
    }
    var key = table.compoundKey.isEmpty ? table.columns.filter(\.isPrimaryKey).map(\.name) : table.compoundKey
    if key.isEmpty {
      // Rows of a set have no key of their own, and Room requires one.
      let place = Self.freeName(among: table.columns.map(\.name))
      columns.insert(Column(name: place, affinity: .integer, isRequired: true, source: nil), at: 1)
      key = [table.columns[0].name, place]
    }
    (self.columns, primaryKey) = (columns, key)
    references = table.columns.compactMap { column in column.reference.map { (column.name, $0) } }
  }

  /// All tables of an exported database.
  package static func all(of relational: RelationalSchema) -> [RoomTable] {
    TableModels(relational, types: RoomEntities.typeNames, members: RoomEntities.memberNames).models.map {
      RoomTable($0)
    }
  }

  /// Room opens no file of version 0.
  package static func version(of schema: Schema) -> Int32 {
    max(Int32(exactly: schema.version ?? 1) ?? 1, 1)
  }

  private static func freeName(among names: [String]) -> String {
    var name = "_position"
    while names.contains(where: { SQLText.lowercased($0) == name }) { name += "_" }
    return name
  }

  /// - Parameter name: that it has while the exported table is there.
  package func creation(as name: String) -> String {
    var lines = columns.map { column in
      SQLText.quoted(column.name) + column.affinity.rawValue + (column.isRequired ? " NOT NULL" : "")
    }
    lines.append("PRIMARY KEY (\(primaryKey.map(SQLText.quoted).joined(separator: ", ")))")
    for (column, reference) in references {
      lines.append(
        "FOREIGN KEY (\(SQLText.quoted(column))) REFERENCES \(SQLText.quoted(reference.table.name)) "
          + "(\(SQLText.quoted(reference.column.name))) ON UPDATE NO ACTION ON DELETE \(reference.action) "
          + "DEFERRABLE INITIALLY DEFERRED")
    }
    return "CREATE TABLE \(SQLText.quoted(name)) (\n\(lines.map { "  " + $0 }.joined(separator: ",\n"))\n)"
  }

  /// The values of the exported table's rows, column by column.
  package var selection: String {
    let values = columns.map { column -> String in
      guard let source = column.source else {
        let owner = SQLText.quoted(columns[0].name)
        return "row_number() OVER (PARTITION BY \(owner) ORDER BY rowid) - 1"
      }
      let name = SQLText.quoted(source.name)
      guard source.affinity == .any else { return name }
      // A number as text with all its digits.
      return
        "CASE typeof(\(name)) WHEN 'real' THEN printf('%!.17g', \(name)) WHEN 'integer' THEN CAST(\(name) AS TEXT) "
        + "ELSE \(name) END"
    }
    return "SELECT \(values.joined(separator: ", ")) FROM \(SQLText.quoted(name))"
  }

  /// The statements that create the indexes, once the table has its name.
  package func indexStatements() -> [String] {
    indexes.map {
      "CREATE INDEX \(SQLText.quoted($0.name.name)) ON \(SQLText.quoted(name)) (\(SQLText.quoted($0.column)))"
    }
  }
}
