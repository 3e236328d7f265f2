/// Tables and the schema version (Docs/Format/3-tables-and-objects.md §7.2, §8.1–8.3).
extension WriteTransaction {
  /// Adds a table without properties.
  ///
  /// - Parameter name: the full name, such as `class_Person`.
  /// - Throws: `BuildError.nameInUse`, `nameTooLong`, `tooManyTables` if there are 65,535 already; `EditError.ended`.
  package func addTable(_ name: RealmString, _ kind: TableKind = .topLevel) throws -> TableEditor {
    try requireFreeName(name)
    return try addTable { try TableEditor(name, kind, key: $0, self) }
  }

  /// Adds the tables of a schema that are not there yet, then their properties: links need their targets.
  ///
  /// - Throws: as `addTable`, `TableEditor.addProperty` and `setPrimaryKey`; what was added until then stays.
  package func addTables(_ schemas: [TableSchema]) throws {
    let added = try schemas.map { ($0, try addTable($0.name, $0.kind)) }
    for (schema, table) in added {
      // The primary key comes first, as the engine puts it.
      let primaryKey = schema.primaryKey
      for property in [primaryKey].compactMap({ $0 }) + schema.properties where property.type != .linkingObjects {
        if property.name == primaryKey?.name, table.columns[property.name] != nil { continue }
        try table.addProperty(property)
      }
      if let primaryKey { try table.setPrimaryKey(primaryKey.name) }
    }
  }

  private func requireFreeName(_ name: RealmString) throws {
    guard name.utf8.count <= TableSchema.longestName else { throw BuildError.nameTooLong(name) }
    guard !hasTable(name) else { throw BuildError.nameInUse(name) }
  }

  /// Gives a table another name.
  ///
  /// - Parameters:
  ///   - name: the full name, as `newName` is.
  /// - Throws: `EditError.noSuchTable`, `ended`; `BuildError.nameInUse`, `nameTooLong`.
  package func renameTable(_ name: RealmString, to newName: RealmString) throws {
    try status.requireGoing()
    let table = try table(name)
    try requireFreeName(newName)
    rename(table, to: newName)
  }

  /// Removes a table with all its objects.
  ///
  /// - Throws: `EditError.isLinkTarget` if other tables have properties that link to it; `noSuchTable`, `ended`;
  ///   `StorageError.corrupted` if the table is damaged, which stops the transaction.
  package func removeTable(_ name: RealmString) throws {
    try status.requireGoing()
    let table = try table(name)
    for backlink in table.columns.backlinks where backlink.originTable != table.key {
      guard let origin = self.table(backlink.originTable),
        origin.columns[backlink.originColumn]?.column.element.code == .link
      else { continue }
      throw EditError.isLinkTarget(table: name)
    }
    try status.finish {
      try table.noteRemoval()
      try table.deleteAll()
      try table.releaseAll()
      removeTable(table.key)
    }
  }

  /// The version an app gave the schema; nil if none was set.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` if it is damaged.
  package func schemaVersion() throws -> UInt64? {
    guard hasTable(SchemaVersionTable.name), case let table = try table(SchemaVersionTable.name),
      let property = table.columns.all.first?.name, let key = try table.firstKey(),
      case .int(let number) = try table.value(property, of: key)
    else { return nil }
    let version = UInt64(bitPattern: number)
    return version == .max ? nil : version
  }

  /// Sets the schema version, in a table that is created if there is none.
  ///
  /// - Throws: `EditError.unsound` if the table contains something else, `ended`; `StorageError.corrupted` if it is
  ///   damaged.
  package func setSchemaVersion(_ version: UInt64) throws {
    try status.change { try storeSchemaVersion(version) }
  }

  private func storeSchemaVersion(_ version: UInt64) throws {
    if !hasTable(SchemaVersionTable.name) {
      try addTables([SchemaVersionTable.schema])
    }
    let table = try table(SchemaVersionTable.name)
    guard let property = table.columns.all.first?.name else { throw EditError.unsound(table: table.name) }
    try table.set(property, of: try table.firstKey() ?? table.create(), to: .int(Int64(bitPattern: version)))
  }
}
