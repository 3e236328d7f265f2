import RealmStorage

/// Tables for SQLite: one for each class, with the object key as row identifier, and one for each collection.
///
/// Single links are columns that refer to the other table's object key. A list has a table of owner, position and value,
/// a set one of owner and value, a dictionary one of owner, key and value.
struct SQLSchema: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = SQLPlan(of: SchemaOutline(schema))
    text.line("-- Tables for the classes of a realm. _key is the object key; dates, decimals and ids are text.")
    text.line("-- \(schema.missingParts)")
    if let version = schema.version { writeVersion(version, to: &text) }
    for table in plan.tables {
      noteNames(of: table, in: &text)
      text.line()
      writeClass(table, plan: plan, to: &text)
      for column in table.columns where column.collectionTable != nil {
        text.line()
        writeCollection(column, of: table, plan: plan, to: &text)
      }
    }
  }

  /// SQLite keeps a signed 32-bit number for the application.
  private func writeVersion(_ version: UInt64, to text: inout SchemaText) {
    guard let number = Int32(exactly: version) else { return text.line("-- schema version \(version)") }
    text.line("PRAGMA user_version = \(number);")
  }

  // MARK: - Classes

  private func writeClass(_ table: SQLTable, plan: SQLPlan, to text: inout SchemaText) {
    for comment in table.comments { text.line("-- \(comment)") }
    var lines = ["\(SQLPlan.quoted(table.keyName)) INTEGER PRIMARY KEY"]
    lines += table.columns.filter { $0.property.collection == nil }.compactMap { definition(of: $0, plan: plan) }
    writeTable(table.name, lines, to: &text)
    for column in table.columns where column.property.collection == nil { writeIndex(column, of: table, to: &text) }
  }

  private func writeTable(_ name: Identifier, _ lines: [String], to text: inout SchemaText) {
    text.line("CREATE TABLE \(SQLPlan.quoted(name)) (")
    for (index, line) in lines.enumerated() { text.line("  \(line)\(index + 1 < lines.count ? "," : "")") }
    text.line(");")
  }

  private func definition(of column: SQLColumn, plan: SQLPlan) -> String? {
    guard !column.property.isComputed else { return nil }
    let name = SQLPlan.quoted(column.name)
    guard column.property.type != .object else { return reference(name, to: column.property, plan: plan) }
    return "\(name)\(valueType(of: column.property, named: name))\(column.isPrimaryKey ? " UNIQUE" : "")"
  }

  private func reference(_ name: String, to property: Property, plan: SQLPlan, isRequired: Bool = false) -> String {
    let integer = "\(name) INTEGER\(isRequired ? " NOT NULL" : "")"
    guard let target = plan.table(of: property) else { return integer }
    let place = "\(SQLPlan.quoted(target.name)) (\(SQLPlan.quoted(target.keyName)))"
    return "\(integer) REFERENCES \(place) ON DELETE \(isRequired ? "CASCADE" : "SET NULL")"
  }

  /// Type and constraints as they follow the column's name, each after a space.
  private func valueType(of property: Property, named name: String) -> String {
    let required = property.isOptional ? "" : " NOT NULL"
    return switch property.type {
    case .int, .object, .linkingObjects: " INTEGER\(required)"
    case .bool: " INTEGER\(required) CHECK (\(name) IN (0, 1))"
    case .float, .double: " REAL\(required)"
    case .data: " BLOB\(required)"
    case .string, .date, .decimal128, .objectID, .uuid: " TEXT\(required)"
    // No type: SQLite then keeps each value as it comes.
    case .mixed: ""
    }
  }

  private func writeIndex(_ column: SQLColumn, of table: SQLTable, to text: inout SchemaText) {
    guard let index = column.index else { return }
    text.line(
      "CREATE INDEX \(SQLPlan.quoted(index)) ON \(SQLPlan.quoted(table.name)) (\(SQLPlan.quoted(column.name)));")
  }

  // MARK: - Collections

  private func writeCollection(_ column: SQLColumn, of table: SQLTable, plan: SQLPlan, to text: inout SchemaText) {
    guard let name = column.collectionTable, let collection = column.property.collection else { return }
    text.line("-- \(table.schema.displayName.shown).\(column.property.name.shown)")
    let owner =
      "\"_owner\" INTEGER NOT NULL REFERENCES \(SQLPlan.quoted(table.name)) (\(SQLPlan.quoted(table.keyName)))"
      + " ON DELETE CASCADE"
    let value = elementDefinition(of: column.property, plan: plan)
    let lines =
      switch collection {
      case .list: [owner, "\"_position\" INTEGER NOT NULL", value, "PRIMARY KEY (\"_owner\", \"_position\")"]
      case .set: [owner, value, "UNIQUE (\"_owner\", \"_value\")"]
      case .dictionary: [owner, "\"_key\" TEXT NOT NULL", value, "PRIMARY KEY (\"_owner\", \"_key\")"]
      }
    writeTable(name, lines, to: &text)
    if let index = column.index {
      text.line("CREATE INDEX \(SQLPlan.quoted(index)) ON \(SQLPlan.quoted(name)) (\"_value\");")
    }
  }

  private func elementDefinition(of property: Property, plan: SQLPlan) -> String {
    let name = "\"_value\""
    guard property.type == .object else { return name + valueType(of: property, named: name) }
    return reference(name, to: property, plan: plan, isRequired: property.collection != .dictionary)
  }

  // MARK: - Notes

  private func noteNames(of table: SQLTable, in text: inout SchemaText) {
    let className = table.schema.displayName
    for comment in table.limits { text.note(SchemaNote(className: className, reason: comment)) }
    for column in table.columns {
      for limit in column.limits {
        text.note(SchemaNote(className: className, propertyName: column.property.name, reason: limit))
      }
    }
  }
}
