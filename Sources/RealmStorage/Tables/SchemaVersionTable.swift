/// The table with the schema version: one object with one number (Docs/Format/3-tables-and-objects.md §7.2).
package enum SchemaVersionTable {
  package static let name: RealmString = "metadata"

  package static let schema = TableSchema(name: name, properties: [Property(name: "version", type: .int)])

  /// A new one in the first slot after those in use.
  static func definition(behind keys: [TableKey]) -> TableDefinition {
    let slot = (keys.map(\.slot).max() ?? -1) + 1
    return TableDefinition(key: TableKey(rawValue: UInt32(truncatingIfNeeded: slot)), schema: schema)
  }
}

extension TableBuilder {
  /// The one object of this table, which is that of the schema version.
  ///
  /// - Throws: `BuildError` if the table is of another kind.
  package func append(schemaVersion: UInt64) throws {
    guard schema.properties == SchemaVersionTable.schema.properties else { throw BuildError.wrongType }
    try append(count: 1, keyAt: { _ in ObjectKey(rawValue: 0) }) { _, _, column in
      try column.append(.int(Int64(bitPattern: schemaVersion)))
      return true
    }
  }
}
