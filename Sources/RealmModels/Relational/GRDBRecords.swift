import RealmStorage

/// `schema dump --format grdb`: a record of GRDB 7 for each table of the exported SQLite file, with associations.
struct GRDBRecords: SchemaForm {
  let whole: Schema?

  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    let relational = RelationalSchema(outline.classes, in: whole ?? schema)
    let plan = TableModels(relational, types: Self.typeNames, members: Self.memberNames)
    text.line("// Records of GRDB 7 for the file that 'realmctl export --format sqlite' writes.")
    text.line("// \(schema.missingParts)")
    text.line(
      "// Dates are text, ISO 8601 in UTC. GRDB reads those of the years 0 to 9999 as Date, to the millisecond; for")
    text.line("// others make the type String.")
    text.line()
    text.line("import Foundation")
    text.line("import GRDB")
    for model in plan.models {
      text.line()
      write(model, plan, to: &text)
    }
    let hasMixed = plan.models.contains { $0.columns.contains { $0.isMixed } }
    if hasMixed { writeStoredValue(to: &text) }
  }

  private func write(_ model: TableModel, _ plan: TableModels, to text: inout SchemaText) {
    text.line("/// \(StringEscapes.comment(model.comment))")
    text.line("struct \(model.name.code): Codable, Hashable, FetchableRecord, PersistableRecord {")
    text.line("    static let databaseTableName = \(StringEscapes.braces.literal(RealmString(model.table.sqlName)))")
    text.line()
    for column in model.columns {
      text.line("    var \(column.name.code): \(Self.type(of: column, in: model, plan))")
    }
    writeNames(of: model, to: &text)
    let associations = associations(of: model, plan)
    if !associations.isEmpty { text.line() }
    for line in associations { text.line("    " + line) }
    text.line("}")
  }

  private func writeNames(of model: TableModel, to text: inout SchemaText) {
    text.line()
    text.line("    enum CodingKeys: String, CodingKey, ColumnExpression {")
    for column in model.columns {
      let name = column.column.name
      text.line(
        "        case \(column.name.code)"
          + (name == column.name.name ? "" : " = \(StringEscapes.braces.literal(RealmString(name)))"))
    }
    text.line("    }")
  }

  // MARK: Associations

  private func associations(of model: TableModel, _ plan: TableModels) -> [String] {
    var lines: [String] = []
    for column in model.columns {
      guard let reference = column.column.reference,
        let target = plan.models.first(where: { $0.property == nil && $0.table.sqlName == reference.table.name })
      else { continue }
      lines.append(
        "static let \(column.name.code) = belongsTo(\(target.name.code).self, using: \(Self.key(column.column.name, reference)))"
      )
    }
    guard model.property == nil else { return lines }
    for elements in plan.models where elements.position == model.position && elements.property != nil {
      guard let index = elements.property, let reference = elements.columns.first?.column.reference else { continue }
      let name = model.owner.schema.properties[index].name
      let own = Self.memberNames.identifiers(for: [RealmString(name.description + "Rows")])[0]
      let order = model.owner.schema.properties[index].collection == .list ? ".order(Column(\"_position\"))" : ""
      lines.append(
        "static let \(own.code) = hasMany(\(elements.name.code).self, using: "
          + "\(Self.key("_owner", reference)))\(order)")
    }
    return lines
  }

  private static func key(_ column: String, _ reference: RelationalColumn.Reference) -> String {
    "ForeignKey([\(StringEscapes.braces.literal(RealmString(column)))], "
      + "to: [\(StringEscapes.braces.literal(RealmString(reference.column.name)))])"
  }

  // MARK: Types

  private static func type(of column: ColumnModel, in model: TableModel, _ plan: TableModels) -> String {
    if column.isMixed { return "StoredValue" }
    let optional = column.isOptional ? "?" : ""
    switch column.type(ownerKey: model.owner.keyType) {
    case .int: return "Int64" + optional
    case .bool: return "Bool" + optional
    case .float: return "Float" + optional
    case .double: return "Double" + optional
    case .data: return "Data" + optional
    case .date: return "Date" + optional
    case .object, .linkingObjects: return (column.column.affinity == .integer ? "Int64" : "String") + optional
    case .string, .decimal128, .objectID, .uuid, .mixed: return "String" + optional
    }
  }

  private func writeStoredValue(to text: inout SchemaText) {
    text.write(
      """

      /// A value of any type, as in the file; the next column has its type.
      struct StoredValue: Codable, Hashable, DatabaseValueConvertible {
          var databaseValue: DatabaseValue

          init(databaseValue: DatabaseValue) { self.databaseValue = databaseValue }

          static func fromDatabaseValue(_ value: DatabaseValue) -> StoredValue? { StoredValue(databaseValue: value) }

          init(from decoder: any Decoder) throws {
              let container = try decoder.singleValueContainer()
              if container.decodeNil() {
                  databaseValue = .null
              } else if let number = try? container.decode(Int64.self) {
                  databaseValue = number.databaseValue
              } else if let number = try? container.decode(Double.self) {
                  databaseValue = number.databaseValue
              } else if let data = try? container.decode(Data.self) {
                  databaseValue = data.databaseValue
              } else {
                  databaseValue = try container.decode(String.self).databaseValue
              }
          }

          func encode(to encoder: any Encoder) throws {
              var container = encoder.singleValueContainer()
              switch databaseValue.storage {
              case .null: try container.encodeNil()
              case .int64(let number): try container.encode(number)
              case .double(let number): try container.encode(number)
              case .string(let text): try container.encode(text)
              case .blob(let data): try container.encode(data)
              }
          }
      }

      """)
  }

  // MARK: Names

  private static let typeNames = IdentifierRules(
    fallback: "Record", reserved: SwiftNames.keywords.union(taken),
    shaped: { $0.prefix(1).uppercased() + $0.dropFirst() })

  private static let memberNames = IdentifierRules(
    fallback: "column", reserved: ["init", "self", "Self", "Type", "Protocol", "hashValue", "databaseSelection"],
    written: { SwiftNames.keywords.contains($0) ? "`\($0)`" : $0 })

  /// Types that the generated code uses.
  private static let taken: Set<String> = [
    "Bool", "Codable", "CodingKey", "CodingKeys", "Column", "ColumnExpression", "Data", "DatabaseValue",
    "DatabaseValueConvertible", "Date", "Decoder", "Double", "Encoder", "FetchableRecord", "Float", "ForeignKey",
    "Foundation",
    "GRDB", "Hashable", "Int64", "PersistableRecord", "Protocol", "Self", "StoredValue", "String", "Type", "init",
    "self",
  ]
}

extension ColumnModel {
  fileprivate var isMixed: Bool {
    if case .value(let property) = role { property.type == .mixed } else { false }
  }
}
