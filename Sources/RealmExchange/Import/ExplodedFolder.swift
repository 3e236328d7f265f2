import RealmModels
import RealmStorage
import RealmText

/// A folder written by `export --format csv --explode`: a text for each table of the relational form.
///
/// Its rows are loaded into a database of the same form, which SQLite keeps in an unnamed file, and are read from
/// there. So the same code reads both, and links may point anywhere.
package enum ExplodedFolder {
  /// Whether a path is that of such a folder.
  package static func isOne(_ path: String) -> Bool {
    SafeOutput.isFolder(path) && endings.contains { isThere(path, RelationalMeta.schema.name, $0) }
  }

  /// Bytes of the texts in such a folder; nil for anything else.
  package static func byteCount(of folder: String) -> UInt64? {
    guard isOne(folder), let names = try? SafeOutput.names(inFolder: folder) else { return nil }
    return names.reduce(0) { total, name in
      let (sum, overflow) = total.addingReportingOverflow((try? SequentialInput(folder + "/" + name))?.byteCount ?? 0)
      return overflow ? .max : sum
    }
  }

  private static let endings = ["csv", "tsv"]

  fileprivate static func path(_ folder: String, _ table: String, _ ending: String) -> String {
    folder + (folder.hasSuffix("/") ? "" : "/") + FileName.part(for: RealmString(table)) + "." + ending
  }

  private static func isThere(_ folder: String, _ table: String, _ ending: String) -> Bool {
    SafeOutput.isNameTaken(path(folder, table, ending))
  }

  /// - Throws: `InputError.source`, `DatabaseError`, `StorageError.file`.
  static func file(at folder: String) throws -> RelationalFile {
    guard let ending = endings.first(where: { isThere(folder, RelationalMeta.schema.name, $0) }) else {
      throw InputError.source(
        .content, "the folder has no \(RelationalMeta.schema.name).csv",
        advice: "name the files, or a folder that 'export --explode' wrote")
    }
    let database = try SQLiteDatabase("", .temporary)
    let loading = Loading(folder: folder, ending: ending, database: database)
    try loading.load()
    return try RelationalFile(database)
  }
}

extension ExplodedFolder {
  /// A table that is filled from its text.
  fileprivate struct Loading {
    let folder: String
    let ending: String
    let database: SQLiteDatabase

    func load() throws {
      try database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
      for meta in RelationalMeta.allCases { try database.execute(meta.creation) }
      let kinds: [String: Kind] = ["schema_version": .integer, "file_format": .integer]
      try fill(RelationalMeta.schema.name, RelationalMeta.schema.columns) { name, _ in kinds[name] ?? .text }
      let relational = try RelationalFile(database).relational
      for table in relational.tables {
        for statement in table.statements() { try database.execute(statement) }
        let kinds = Self.kinds(of: table.columns)
        try fill(table.sqlName, table.columns.map(\.name)) { name, _ in kinds[name] ?? .text }
      }
      try fillKeys(relational)
      try database.execute("COMMIT")
    }

    /// The object keys and exact values, whose columns contain keys of any class.
    private func fillKeys(_ relational: RelationalSchema) throws {
      let classes = Dictionary(
        relational.classes.map { (RealmString($0.table.sqlName), $0) }, uniquingKeysWith: { first, _ in first })
      func key(_ table: RelationalClass?) -> Kind {
        guard let table, let column = table.table.columns.first(where: { $0.name == table.keyName.name }) else {
          return .integer
        }
        return Kind(column)
      }
      try fill(RelationalMeta.keys.name, RelationalMeta.keys.columns) { name, row in
        switch name {
        case "object": key(row("class").flatMap { classes[$0] })
        case "key": .integer
        default: .text
        }
      }
      try fill(RelationalMeta.values.name, RelationalMeta.values.columns) { name, row in
        let table = row("class").flatMap { classes[$0] }
        switch name {
        case "owner": return key(table)
        case "position":
          let property = row("property")
          let index = table?.propertyNames.firstIndex { RealmString($0.name) == property }
          return index.map { table?.schema.properties[$0].collection == .dictionary } == true ? .text : .integer
        default: return .text
        }
      }
      if let index = RelationalMeta.values.index { try database.execute(index) }
    }

    private static func kinds(of columns: [RelationalColumn]) -> [String: Kind] {
      var kinds: [String: Kind] = [:]
      for (index, column) in columns.enumerated() {
        kinds[column.name] =
          column.affinity == .any && index + 1 < columns.count ? .mixed(type: columns[index + 1].name) : Kind(column)
      }
      return kinds
    }
  }

  /// How the fields of a column are read.
  fileprivate enum Kind {
    case integer, real, text, blob
    /// As another column of the row says.
    case mixed(type: String)

    init(_ column: RelationalColumn) {
      switch column.affinity {
      case .integer: self = .integer
      case .real: self = .real
      case .blob: self = .blob
      case .text, .any: self = .text
      }
    }
  }
}

// MARK: - Rows

extension ExplodedFolder.Loading {
  /// - Parameter kind: how a column is read in a row, of which it can ask the texts of other columns.
  private func fill(
    _ table: String, _ columns: [String], kind: (String, (String) -> RealmString?) -> ExplodedFolder.Kind
  ) throws {
    let path = ExplodedFolder.path(folder, table, ending)
    let name = FileName.part(for: RealmString(table)) + "." + ending
    let input: SequentialInput
    do { input = try SequentialInput(path) } catch StorageError.file(.missing) {
      throw InputError.source(.content, "\(name) is missing")
    }
    let rows = DelimitedReader(
      name: name, separator: ending == "tsv" ? 9 : UInt8(ascii: ","), source: { try input.read(into: $0) })
    guard try rows.next() else { throw InputError.source(.content, "\(name) is empty, without a header") }
    let header = (0..<rows.fieldCount).map { rows.text($0).description }
    guard Set(header) == Set(columns), header.count == columns.count else {
      throw InputError.source(
        .content, "\(name) does not have the columns of the table: \(columns.joined(separator: ", "))")
    }
    let marks = header.map { _ in "?" }.joined(separator: ", ")
    let names = header.map(SQLText.quoted).joined(separator: ", ")
    let insertion = try database.prepare("INSERT INTO \(SQLText.quoted(table)) (\(names)) VALUES (\(marks))")
    let positions = Dictionary(uniqueKeysWithValues: header.enumerated().map { ($1, $0) })
    while try rows.next() {
      guard rows.fieldCount == header.count else {
        throw InputError.source(
          .content,
          "\(name): the row has \(rows.fieldCount.counted("field")), expected \(header.count)",
          line: rows.line, column: 1)
      }
      try insert(rows, insertion, named: name) { index in
        kind(header[index]) { column in positions[column].map { rows.text($0) } }
      } text: { column in
        positions[column].map { rows.text($0).description }
      }
    }
  }

  private func insert(
    _ rows: DelimitedReader, _ insertion: SQLiteStatement, named name: String, kind: (Int) -> ExplodedFolder.Kind,
    text: (String) -> String?
  ) throws {
    var (fields, bytes): ([Field], [UInt8]) = ([], [])
    for index in 0..<rows.fieldCount {
      let field = rows.withField(index) { field in
        field.isEmpty && !rows.isQuoted(index) ? .null : Self.field(field, kind(index), text, &bytes)
      }
      guard let field else {
        let value = ShownText.beginning(of: rows.text(index).description)
        throw fault(rows, name, index, "'\(value)' is not a value of this column")
      }
      fields.append(field)
    }
    // Bound bytes have to stay until the statement is reset.
    let failure = try bytes.withUnsafeBytes { bytes -> String? in
      defer { insertion.reset() }
      for (index, field) in fields.enumerated() { try insertion.bind(field.cell(in: bytes), at: index) }
      do throws(DatabaseError) { _ = try insertion.step() } catch {
        guard let reason = error.refusal else { throw error }
        return reason
      }
      return nil
    }
    if let failure { throw fault(rows, name, 0, "the row is refused: \(failure)") }
  }

  /// A field as its column takes it; texts and data lie in the bytes of the row.
  private enum Field {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)

    func cell(in bytes: UnsafeRawBufferPointer) -> RelationalRecords.Cell {
      switch self {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let range): .text(UnsafeRawBufferPointer(rebasing: bytes[range]))
      case .blob(let range): .blob(UnsafeRawBufferPointer(rebasing: bytes[range]))
      }
    }
  }

  private static let signsOfNumbers = Set("0123456789+-.eE".utf8)

  /// Nil for what is not a value of that kind.
  private static func field(
    _ field: UnsafeRawBufferPointer, _ kind: ExplodedFolder.Kind, _ text: (String) -> String?, _ bytes: inout [UInt8]
  ) -> Field? {
    switch kind {
    case .integer: return Int64(text: String(decoding: field, as: UTF8.self)).map(Field.integer)
    case .real:
      // What is beyond the range is infinity, as SQLite has it: 9e999.
      guard field.allSatisfy({ Self.signsOfNumbers.contains($0) }) else { return nil }
      return Double(String(decoding: field, as: UTF8.self)).map(Field.real)
    case .text:
      bytes += field
      return .text(bytes.count - field.count..<bytes.count)
    case .blob:
      guard let data = Base64.decode(field) else { return nil }
      bytes += data
      return .blob(bytes.count - data.count..<bytes.count)
    case .mixed(let type):
      // Other types are JSON.
      let kinds: [String: ExplodedFolder.Kind] = ["int": .integer, "double": .real, "data": .blob]
      return Self.field(field, text(type).flatMap { kinds[$0] } ?? .text, text, &bytes)
    }
  }

  private func fault(_ rows: DelimitedReader, _ name: String, _ index: Int, _ reason: String) -> InputError {
    let place = rows.place(index)
    let column = rows.withRow { row in
      DelimitedReader.column(behind: row.dropFirst(place.lineStart).prefix(max(place.start - place.lineStart, 0)))
    }
    return .source(.content, "\(name): \(reason)", line: place.line, column: column)
  }
}
