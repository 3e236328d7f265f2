import RealmStorage

/// `schema dump --format sql`: the tables of the relational form as SQLite makes them.
struct SQLSchema: SchemaForm {
  /// The whole schema of the realm, if `schema` is a part of it: it determines how links to other classes look.
  let whole: Schema?

  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    let relational = RelationalSchema(outline.classes, in: whole ?? schema)
    text.line("-- Tables for the classes of a realm, as 'export --format sqlite' writes them.")
    text.line("-- \(schema.missingParts)")
    if let version = schema.version { writeVersion(version, to: &text) }
    for table in relational.classes {
      note(table, outline, in: &text)
      text.line()
      for comment in comments(on: table, outline) { text.line("-- \(comment)") }
      write(table.table, to: &text)
      for (index, collection) in table.collections.enumerated() {
        guard let collection else { continue }
        text.line()
        text.line("-- \(table.schema.displayName.shown).\(table.schema.properties[index].name.shown)")
        write(collection, to: &text)
      }
    }
    for table in RelationalMeta.allCases {
      text.line()
      text.line(table.creation)
      if let index = table.index { text.line(index) }
    }
  }

  private func write(_ table: RelationalTable, to text: inout SchemaText) {
    for statement in table.statements() { text.line(statement) }
  }

  /// SQLite keeps a signed 32-bit number for the application.
  private func writeVersion(_ version: UInt64, to text: inout SchemaText) {
    guard let number = Int32(exactly: version) else { return text.line("-- schema version \(version)") }
    text.line("PRAGMA user_version = \(number);")
  }

  // MARK: - What the tables do not say

  private func comments(on table: RelationalClass, _ outline: SchemaOutline) -> [String] {
    let properties = zip(table.schema.properties, table.propertyNames).flatMap { property, name in
      limits(of: property, name, outline).map { "\(property.name.shown): \($0)" }
    }
    let incoming = outline.links(to: table.schema).map { "<- \($0.className.shown).\($0.property.name.shown)" }
    return limits(of: table).map { "\(table.schema.displayName.shown): \($0)" } + properties + incoming
  }

  private func limits(of table: RelationalClass) -> [String] {
    let kind =
      switch table.schema.kind {
      case .topLevel: [String]()
      case .embedded: ["embedded: each object belongs to exactly one parent, which the table does not enforce"]
      case .asymmetric: ["asymmetric: objects are only sent to a sync server, so the table is empty"]
      }
    return kind + (table.table.name.isMapped ? ["table \(table.table.name.name)"] : [])
  }

  private func limits(of property: Property, _ name: Identifier, _ outline: SchemaOutline) -> [String] {
    var limits: [String] = []
    if property.isComputed { limits.append("inverse relationships have no column") }
    if property.index == .fullText { limits.append("a full-text index needs a virtual table in SQLite") }
    if property.type == .object, outline.target(of: property) == nil {
      limits.append("links to a class that is not in the schema")
    }
    if name.isMapped { limits.append("column \(name.name)") }
    return limits
  }

  private func note(_ table: RelationalClass, _ outline: SchemaOutline, in text: inout SchemaText) {
    let className = table.schema.displayName
    let width = table.table.columns.count
    if width > RelationalSchema.TooWide.limit {
      let reason = "\(width) columns, more than the \(RelationalSchema.TooWide.limit) that SQLite takes"
      text.note(SchemaNote(className: className, reason: reason, isError: true))
    }
    for limit in limits(of: table) { text.note(SchemaNote(className: className, reason: limit)) }
    for (property, name) in zip(table.schema.properties, table.propertyNames) {
      for limit in limits(of: property, name, outline) {
        text.note(SchemaNote(className: className, propertyName: property.name, reason: limit))
      }
    }
  }
}
