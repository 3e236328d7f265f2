import RealmStorage

/// `schema dump --format swiftdata`: a SwiftData model for each table of the exported SQLite file, and code that
/// imports the file into them.
///
/// Elements of collections have their own models, because SwiftData does not keep the order of a to-many relationship.
struct SwiftDataModels: SchemaForm {
  let whole: Schema?

  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    let relational = RelationalSchema(outline.classes, in: whole ?? schema)
    let plan = TableModels(relational, types: Self.typeNames, members: Self.memberNames)
    text.line("// SwiftData models, and an importer for the file that 'realmctl export --format sqlite' writes.")
    text.line("// \(schema.missingParts)")
    text.line("// Dates are kept to the microsecond, Mixed values as text with their type.")
    text.line()
    text.line("import Foundation")
    text.line("import SQLite3")
    text.line("import SwiftData")
    for model in plan.models {
      text.line()
      write(model, plan, to: &text)
    }
    writeImporter(plan, to: &text)
    text.write(Self.reader)
  }

  // MARK: Models

  private func write(_ model: TableModel, _ plan: TableModels, to text: inout SchemaText) {
    text.line("/// \(StringEscapes.comment(model.comment))")
    text.line("@Model final class \(model.name.code) {")
    text.line("    /// What the row goes by, the same in every import.")
    text.line("    @Attribute(.unique) var realmKey: String")
    for column in model.columns {
      text.line("    var \(column.name.code): \(Self.declaration(of: column, in: model, plan))")
    }
    text.line()
    text.line("    init(realmKey: String) { self.realmKey = realmKey }")
    text.line()
    text.line("    static func find(_ key: String, in context: ModelContext) throws -> \(model.name.code)? {")
    text.line(
      "        try context.fetch(FetchDescriptor<\(model.name.code)>(predicate: #Predicate { $0.realmKey == key })).first"
    )
    text.line("    }")
    text.line("}")
  }

  /// The model that a column's values refer to; nil for a plain value.
  private static func target(of column: ColumnModel, _ plan: TableModels) -> TableModel? {
    guard let reference = column.column.reference else { return nil }
    return plan.models.first { $0.property == nil && $0.table.sqlName == reference.table.name }
  }

  private static func declaration(of column: ColumnModel, in model: TableModel, _ plan: TableModels) -> String {
    if let target = target(of: column, plan) { return target.name.code + "?" }
    let word = word(of: column, in: model)
    if column.isOptional { return word.type + "?" }
    return "\(word.type) = \(word.start)"
  }

  /// Type, the value it begins with, and what reads it.
  private static func word(
    of column: ColumnModel, in model: TableModel
  ) -> (type: String, start: String, read: String) {
    switch column.type(ownerKey: model.owner.keyType) {
    case .bool: ("Bool", "false", "bool")
    case .float: ("Float", "0", "float")
    case .double: ("Double", "0", "double")
    case .data: ("Data", "Data()", "data")
    case .date: ("Date", "Date(timeIntervalSince1970: 0)", "date")
    case .int: ("Int64", "0", "int")
    case .object, .linkingObjects:
      column.column.affinity == .integer ? ("Int64", "0", "int") : ("String", "\"\"", "text")
    case .string, .decimal128, .objectID, .uuid, .mixed: ("String", "\"\"", "text")
    }
  }

  // MARK: Importer

  private func writeImporter(_ plan: TableModels, to text: inout SchemaText) {
    text.line()
    text.line("/// Imports an exported file. A second run finds what the first has made, and changes nothing.")
    text.line("struct RealmImporter {")
    text.line("    let context: ModelContext")
    text.line("    /// Rows between two saves.")
    text.line("    var batchSize = 1000")
    text.line()
    text.line("    /// Values first, then links, so that every target is there.")
    text.line("    ///")
    text.line("    /// - Returns: how many rows each table has.")
    text.line("    func run(path: String) throws -> [String: Int] {")
    text.line("        let file = try ExportedFile(path: path)")
    text.line("        var counts: [String: Int] = [:]")
    for model in plan.models { writeValues(of: model, plan, to: &text) }
    for model in plan.models { writeLinks(of: model, plan, to: &text) }
    text.line("        try context.save()")
    text.line("        return counts")
    text.line("    }")
    text.line("}")
  }

  /// The expression for a row's key, from the columns of a selection that begins with it.
  private static func key(of model: TableModel) -> String {
    let owner = model.columns[0]
    guard model.property != nil else {
      return SQLText.quoted(model.keyColumns.first?.column.name ?? owner.column.name)
    }
    let place =
      model.columns.count > 1 && !model.table.compoundKey.isEmpty
      ? SQLText.quoted(model.columns[1].column.name)
      : "row_number() OVER (PARTITION BY \(SQLText.quoted(owner.column.name)) ORDER BY rowid)"
    return "\(SQLText.quoted(owner.column.name)) || '/' || \(place)"
  }

  private static func literal(_ text: String) -> String { StringEscapes.braces.literal(RealmString(text)) }

  private func writeValues(of model: TableModel, _ plan: TableModels, to text: inout SchemaText) {
    let columns = model.columns.filter { Self.target(of: $0, plan) == nil }
    let names = ([Self.key(of: model)] + columns.map { SQLText.quoted($0.column.name) }).joined(separator: ", ")
    let sql = "SELECT \(names) FROM \(SQLText.quoted(model.table.sqlName))"
    text.line(
      "        counts[\(Self.literal(model.table.sqlName))] = try file.forEachRow(\(Self.literal(sql))) { row in")
    text.line("            let key = row.text(0) ?? \"\"")
    text.line("            let found = try \(model.name.code).find(key, in: context)")
    text.line("            let object = found ?? \(model.name.code)(realmKey: key)")
    text.line("            if found == nil { context.insert(object) }")
    for (index, column) in columns.enumerated() {
      let word = Self.word(of: column, in: model)
      let read = "row.\(word.read)(\(index + 1))"
      text.line("            object.\(column.name.code) = \(read)\(column.isOptional ? "" : " ?? \(word.start)")")
    }
    text.line("            if row.number % batchSize == 0 { try context.save() }")
    text.line("        }")
  }

  private func writeLinks(of model: TableModel, _ plan: TableModels, to text: inout SchemaText) {
    let columns = model.columns.compactMap { column in
      Self.target(of: column, plan).map { (column: column, target: $0) }
    }
    guard !columns.isEmpty else { return }
    let names = ([Self.key(of: model)] + columns.map { SQLText.quoted($0.column.column.name) }).joined(separator: ", ")
    let sql = "SELECT \(names) FROM \(SQLText.quoted(model.table.sqlName))"
    text.line("        try file.forEachRow(\(Self.literal(sql))) { row in")
    text.line(
      "            guard let object = try \(model.name.code).find(row.text(0) ?? \"\", in: context) else { return }")
    for (index, link) in columns.enumerated() {
      text.line(
        "            object.\(link.column.name.code) = try row.text(\(index + 1)).flatMap { "
          + "try \(link.target.name.code).find($0, in: context) }")
    }
    text.line("            if row.number % batchSize == 0 { try context.save() }")
    text.line("        }")
  }

  /// The code that reads the file, which is the same for every schema.
  private static let reader = #"""

    /// The exported file, read row by row.
    final class ExportedFile {
        private var connection: OpaquePointer?

        struct Failure: Error { var message: String }

        init(path: String) throws {
            guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { throw failure() }
        }

        deinit { sqlite3_close_v2(connection) }

        private func failure() -> Failure { Failure(message: String(cString: sqlite3_errmsg(connection))) }

        /// Calls `body` with each row, and returns how many there were.
        @discardableResult func forEachRow(_ sql: String, _ body: (Row) throws -> Void) throws -> Int {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
                throw failure()
            }
            defer { sqlite3_finalize(statement) }
            var count = 0
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW:
                    count += 1
                    try body(Row(statement: statement, number: count))
                case SQLITE_DONE: return count
                default: throw failure()
                }
            }
        }

        /// A row under way; columns count from 0.
        struct Row {
            let statement: OpaquePointer
            /// From 1.
            let number: Int

            private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

            func int(_ column: Int32) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(statement, column) }
            func double(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(statement, column) }
            func float(_ column: Int32) -> Float? { double(column).map { Float($0) } }
            func bool(_ column: Int32) -> Bool? { int(column).map { $0 != 0 } }

            /// Data as Base64.
            func text(_ column: Int32) -> String? {
                if sqlite3_column_type(statement, column) == SQLITE_BLOB { return data(column)?.base64EncodedString() }
                return sqlite3_column_text(statement, column).map { String(cString: $0) }
            }

            func data(_ column: Int32) -> Data? {
                guard !isNull(column) else { return nil }
                let count = Int(sqlite3_column_bytes(statement, column))
                return sqlite3_column_blob(statement, column).map { Data(bytes: $0, count: count) } ?? Data()
            }

            /// ISO 8601 in UTC, with any number of fractional digits.
            func date(_ column: Int32) -> Date? {
                guard let text = text(column) else { return nil }
                let parts = text.dropLast().split(separator: ".", maxSplits: 1)
                let format = ISO8601DateFormatter()
                guard let first = parts.first, let whole = format.date(from: first + "Z") else { return nil }
                return parts.count == 1 ? whole : whole.addingTimeInterval(Double("0." + parts[1]) ?? 0)
            }
        }
    }

    """#

  // MARK: Names

  private static let typeNames = IdentifierRules(
    fallback: "Model", reserved: SwiftNames.keywords.union(taken),
    shaped: { $0.prefix(1).uppercased() + $0.dropFirst() })

  private static let memberNames = IdentifierRules(
    fallback: "column",
    reserved: [
      "init", "self", "Self", "Type", "Protocol", "description", "hash", "hashValue", "modelContext",
      "persistentModelID",
      "persistentBackingData", "hasChanges", "isDeleted", "realmKey", "schemaMetadata", "find",
    ],
    // SwiftData keeps the value of `name` in `_name`.
    claims: { [$0, "_" + $0] }, written: { SwiftNames.keywords.contains($0) ? "`\($0)`" : $0 })

  /// Types that the generated code uses.
  private static let taken: Set<String> = [
    "Attribute", "Bool", "Data", "Date", "Double", "Error", "ExportedFile", "FetchDescriptor", "Float", "Foundation",
    "ISO8601DateFormatter", "Int", "Int32", "Int64", "Model", "ModelContext", "OpaquePointer", "Predicate", "Protocol",
    "RealmImporter", "SQLite3", "Self", "String", "SwiftData", "Type", "init", "self",
  ]
}
