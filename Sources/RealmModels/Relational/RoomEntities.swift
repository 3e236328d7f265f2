import RealmStorage

/// `schema dump --format room`: entities, relations, converters and a database class of Android's Room for the file that
/// `export --format sqlite --for room` writes.
struct RoomEntities: SchemaForm {
  let whole: Schema?

  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    let relational = RelationalSchema(outline.classes, in: whole ?? schema, dates: .unixMilliseconds)
    let plan = TableModels(relational, types: Self.typeNames, members: Self.memberNames)
    text.line("// Room entities for the file that 'realmctl export --format sqlite --for room' writes.")
    text.line("// \(schema.missingParts)")
    text.line("// Replace your.package.name.here with your package.")
    text.line("package your.package.name.here")
    text.line()
    for name in Self.imports { text.line("import \(name)") }
    for model in plan.models {
      text.line()
      write(model, plan, to: &text)
    }
    for model in plan.models where model.property == nil { writeRelations(of: model, plan, to: &text) }
    writeDatabase(plan, schema, to: &text)
  }

  // MARK: Entities

  private func write(_ model: TableModel, _ plan: TableModels, to text: inout SchemaText) {
    let table = RoomTable(model)
    text.line("// \(StringEscapes.comment(model.comment))")
    text.line("@Entity(")
    text.line("    tableName = \(Self.literal(table.name)),")
    text.line("    primaryKeys = [\(table.primaryKey.map(Self.literal).joined(separator: ", "))],")
    if !table.references.isEmpty {
      text.line("    foreignKeys = [")
      for (column, reference) in table.references {
        guard let target = plan.models.first(where: { $0.property == nil && $0.table.sqlName == reference.table.name })
        else { continue }
        let action = reference.action == "CASCADE" ? "CASCADE" : "SET_NULL"
        text.line("        ForeignKey(")
        text.line("            entity = \(target.name.code)::class,")
        text.line("            parentColumns = [\(Self.literal(reference.column.name))],")
        text.line("            childColumns = [\(Self.literal(column))],")
        text.line("            onDelete = ForeignKey.\(action), deferred = true),")
      }
      text.line("    ],")
    }
    if !table.indexes.isEmpty {
      text.line("    indices = [")
      for index in table.indexes {
        text.line("        Index(name = \(Self.literal(index.name.name)), value = [\(Self.literal(index.column))]),")
      }
      text.line("    ],")
    }
    text.line(")")
    text.line("data class \(model.name.code)(")
    let names = Self.memberNames.identifiers(for: table.columns.map { RealmString($0.name) })
    for (column, name) in zip(table.columns, names) {
      let affinity = column.affinity.rawValue.dropFirst()
      text.line("    @ColumnInfo(name = \(Self.literal(column.name)), typeAffinity = ColumnInfo.\(affinity))")
      text.line("    val \(name.code): \(Self.type(of: column, in: model))\(column.isRequired ? "" : "? = null"),")
    }
    text.line(")")
  }

  private static func type(of column: RoomTable.Column, in model: TableModel) -> String {
    guard let source = column.source, let own = model.columns.first(where: { $0.column.name == source.name }) else {
      return "Long"
    }
    switch (column.affinity, own.type(ownerKey: model.owner.keyType)) {
    case (.integer, .bool): return "Boolean"
    case (.integer, .date): return "Date"
    case (.integer, _): return "Long"
    case (.real, .float): return "Float"
    case (.real, _): return "Double"
    case (.blob, _): return "ByteArray"
    case (.text, _), (.any, _): return "String"
    }
  }

  // MARK: Relations

  /// A class with the targets of its collections of links.
  private func writeRelations(of model: TableModel, _ plan: TableModels, to text: inout SchemaText) {
    let links = plan.models.compactMap { rows -> (rows: TableModel, target: TableModel, column: ColumnModel)? in
      guard rows.position == model.position, rows.property != nil, let column = rows.columns.last,
        let reference = column.column.reference,
        let target = plan.models.first(where: { $0.property == nil && $0.table.sqlName == reference.table.name })
      else { return nil }
      return (rows, target, column)
    }
    guard !links.isEmpty, let key = model.keyColumns.first?.column.name else { return }
    text.line()
    text.line("// Objects with the targets of their collections; the rows between them have the order.")
    text.line("data class \(Self.relationName(model, plan))(")
    text.line("    @Embedded val self: \(model.name.code),")
    for link in links {
      guard let property = link.rows.property, let reference = link.column.column.reference else { continue }
      let name = Self.memberNames.identifiers(for: [model.owner.schema.properties[property].name])[0]
      text.line("    @Relation(")
      text.line("        parentColumn = \(Self.literal(key)), entityColumn = \(Self.literal(reference.column.name)),")
      text.line("        associateBy = Junction(")
      text.line(
        "            \(link.rows.name.code)::class, parentColumn = \"_owner\", entityColumn = "
          + "\(Self.literal(link.column.column.name))))")
      text.line("    val \(name.code == "self" ? "self_" : name.code): List<\(link.target.name.code)>,")
    }
    text.line(")")
  }

  private static func relationName(_ model: TableModel, _ plan: TableModels) -> String {
    var name = model.name.name + "WithLinks"
    while plan.models.contains(where: { $0.name.name == name }) { name += "_" }
    return name
  }

  // MARK: Database

  private func writeDatabase(_ plan: TableModels, _ schema: Schema, to text: inout SchemaText) {
    text.line()
    text.line("class RealmConverters {")
    text.line("    @TypeConverter fun date(milliseconds: Long?): Date? = milliseconds?.let { Date(it) }")
    text.line("    @TypeConverter fun milliseconds(date: Date?): Long? = date?.time")
    text.line("}")
    text.line()
    text.line("@Database(")
    text.line("    version = \(RoomTable.version(of: schema)), exportSchema = false,")
    text.line("    entities = [")
    for model in plan.models { text.line("        \(model.name.code)::class,") }
    text.line("    ])")
    text.line("@TypeConverters(RealmConverters::class)")
    text.line("abstract class AppDatabase : RoomDatabase()")
  }

  private static func literal(_ name: String) -> String {
    StringEscapes.fourDigitsAndDollar.literal(RealmString(name))
  }

  private static let imports = [
    "androidx.room.ColumnInfo", "androidx.room.Database", "androidx.room.Embedded", "androidx.room.Entity",
    "androidx.room.ForeignKey", "androidx.room.Index", "androidx.room.Junction", "androidx.room.Relation",
    "androidx.room.RoomDatabase", "androidx.room.TypeConverter", "androidx.room.TypeConverters", "java.util.Date",
  ]

  static let typeNames = IdentifierRules(
    fallback: "Table", reserved: Set(imports.map { String($0.split(separator: ".").last ?? "") }).union(taken),
    shaped: { $0.prefix(1).uppercased() + $0.dropFirst() })

  static let memberNames = IdentifierRules(
    fallback: "column", reserved: KotlinModels.takenMembers,
    written: { KotlinModels.keywords.contains($0) ? "`\($0)`" : $0 })

  /// Types that the generated code uses.
  private static let taken: Set<String> = [
    "AppDatabase", "Boolean", "ByteArray", "Double", "Float", "List", "Long", "RealmConverters", "String", "_",
  ]
}
