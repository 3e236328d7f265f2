import RealmStorage
import RealmText

/// Writes objects as rows of a table: a header, then a line per object or per element of a collection.
///
/// Cells hold scalars as plain text, links as the target's key, everything else as compact JSON. Null is an empty cell,
/// the empty text a quoted one.
final class TableWriter {
  /// Two ways to separate cells; both quote as RFC 4180 says.
  enum Dialect: Sendable { case csv, tsv }

  private let separator: UInt8
  private let text: TextBuffer
  /// Writes the JSON of a cell.
  private let json: ObjectWriter<ReadableForm>
  private let cell = TextBuffer(capacity: 1 << 12)
  private let options: ExportOptions
  private let spill: (TextBuffer) throws -> Void
  private let decoded = DecodedBatch()

  init(
    _ dialect: Dialect, _ context: ExportContext, _ text: TextBuffer,
    _ spill: @escaping (TextBuffer) throws -> Void
  ) {
    separator = dialect == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")
    (self.text, self.spill) = (text, spill)
    options = context.options
    // A large cell is quoted and handed on in parts.
    json = ObjectWriter(form: ReadableForm(), context: context, text: cell) { cell in
      cell.withBytes { Self.appendDoublingQuotes($0, to: text) }
      cell.removeAll()
      try spill(text)
    }
  }

  func takeReport() -> DamageReport { json.takeReport() }

  func forgetPlaces() { json.resolver.forgetAll() }

  func write(_ piece: ExportPiece) throws {
    switch piece.content {
    case .openTable(let table, _): appendHeader(of: table)
    case .objects(let objects, _, _): try objects.forEachBatch(damaged: json.note, append)
    case .openDocument, .closeTable, .closeDocument: break
    }
  }

  // MARK: Header

  private func appendHeader(of table: Table) {
    var names: [RealmString] = []
    if case .elements = options.rows {
      names = ["_parent", "_index", "_key", "value"]
    } else {
      if showsKey(of: table) { names.append(table.schema.objectKeyMember) }
      names += properties(of: table).map { table.schema.properties[$0].name }
    }
    appendHeader(names)
  }

  /// A first line with the names of the columns.
  func appendHeader(_ names: [RealmString]) {
    for (index, name) in names.enumerated() {
      if index > 0 { text.append(byte: separator) }
      name.utf8.withUnsafeBytes { appendText($0) }
    }
    text.append("\n")
  }

  /// A line of values.
  func appendRow(_ values: [Value], under columns: [RealmString], of className: RealmString) throws {
    let keeper = ValueKeeper()
    try withExtendedLifetime(keeper) {
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(byte: separator) }
        json.setColumn(columns[index], of: className)
        switch value {
        case .list, .set, .dictionary: try appendJSON { try json.write(owned: value) }
        default: try appendCell(keeper.view(of: value))
        }
      }
    }
    text.append("\n")
  }

  private func showsKey(of table: Table) -> Bool { options.showsObjectKeys && table.schema.primaryKeyIndex == nil }

  /// The properties that have a column.
  private func properties(of table: Table) -> [Int] {
    let all = table.schema.properties.indices
    guard case .objectsWithoutCollections = options.rows else { return Array(all) }
    return all.filter { table.schema.properties[$0].collection == nil }
  }

  // MARK: Rows

  private func append(_ batch: ObjectBatch, _ rows: [Int]?) throws {
    json.setTable(batch.table)
    decoded.read(batch, rows: rows) { json.note($2, in: batch, property: $0, row: $1) }
    if case .elements(let name) = options.rows {
      guard let property = batch.table.schema.properties.firstIndex(where: { $0.name == name }) else { return }
      for index in 0..<(rows?.count ?? batch.count) {
        let row = rows?[index] ?? index
        try appendElements(of: property, batch, row, cell: decoded.isSparse ? index : row)
      }
      return
    }
    let columns = properties(of: batch.table)
    let showsKey = showsKey(of: batch.table)
    for number in 0..<(rows?.count ?? batch.count) {
      let row = rows?[number] ?? number
      let cell = decoded.isSparse ? number : row
      let key = batch.key(at: row)
      if showsKey { text.append(integer: key.rawValue) }
      for (index, column) in columns.enumerated() {
        if index > 0 || showsKey { text.append(byte: separator) }
        guard let value = decoded.value(ofProperty: column, row: cell) else { continue }
        json.setPlace(object: key, property: column)
        try appendCell(value)
      }
      text.append("\n")
      if text.count > ExportLimits.spill { try spill(text) }
    }
  }

  private func appendElements(of property: Int, _ batch: ObjectBatch, _ row: Int, cell: Int) throws {
    guard let value = decoded.value(ofProperty: property, row: cell) else { return }
    json.setPlace(object: batch.key(at: row), property: property)
    try json.forEachElement(of: value) { index, key, element in
      try appendParent(batch, row, cell: cell)
      text.append(byte: separator)
      if let index { text.append(integer: Int64(index)) }
      text.append(byte: separator)
      try key?.withContiguous { appendText($0) }
      text.append(byte: separator)
      try appendCell(element)
      text.append("\n")
      if text.count > ExportLimits.spill { try spill(text) }
    }
  }

  /// The key by which links name the object.
  private func appendParent(_ batch: ObjectBatch, _ row: Int, cell: Int) throws {
    guard let primaryKey = batch.table.schema.primaryKeyIndex else {
      return text.append(integer: batch.key(at: row).rawValue)
    }
    if let value = decoded.value(ofProperty: primaryKey, row: cell) { try appendCell(value) }
  }

  // MARK: Cells

  /// Appends a value, or nothing where it is damaged, which is noted.
  private func appendCell(_ value: ValueView) throws {
    do {
      switch value {
      case .null: break
      case .int(let value): text.append(integer: value)
      case .bool(let value): text.append(value ? "true" : "false")
      case .float(let value): appendNumber(Double(value)) { text.appendShortest(value) }
      case .double(let value): appendNumber(value) { text.appendShortest(value) }
      case .string(let value): try value.withContiguous { appendText($0) }
      case .data(let value):
        if value.count == 0 { text.append("\"\"") }
        try appendGuarded { try value.forEachPiece { text.appendBase64($0) } }
      case .date(let value): try appendGuarded { text.appendISODate(value) }
      case .decimal(let value): text.appendCanonical(value)
      case .objectID(let value): text.append(value)
      case .uuid(let value): text.append(value)
      case .link(let table, let key): try appendLink(table, key)
      case .typedLink, .list, .set, .dictionary: try appendJSON(value)
      }
    } catch let error as StorageError {
      json.note(error)
    }
  }

  private func appendNumber(_ value: Double, _ finite: () -> Void) {
    if value.isFinite { return finite() }
    text.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }

  private func appendLink(_ key: TableKey, _ object: ObjectKey) throws {
    guard let table = json.snapshot.table(key), table.schema.kind != .embedded else {
      return try appendJSON(.link(key, object))
    }
    if table.schema.primaryKeyIndex == nil { return text.append(integer: object.rawValue) }
    try appendCell(json.resolver.primaryKey(of: object, in: table))
  }

  private func appendJSON(_ value: ValueView) throws {
    try appendJSON { try json.write(value, at: .property) }
  }

  private func appendJSON(_ write: () throws -> Void) throws {
    defer { cell.removeAll() }
    let mark = text.count
    text.append("\"")
    do { try write() } catch {
      // Thrown only before anything was handed on.
      text.truncate(to: mark)
      throw error
    }
    cell.withBytes { Self.appendDoublingQuotes($0, to: text) }
    text.append("\"")
  }

  /// Text of the file.
  private func appendText(_ bytes: UnsafeRawBufferPointer) {
    guard options.isSafeForSpreadsheets, SpreadsheetFormula.begins(bytes) else { return appendQuoted(bytes) }
    (SpreadsheetFormula.mark + bytes).withUnsafeBytes { appendQuoted($0) }
  }

  /// What needs no quotes, and can begin with a sign where it is no number.
  private func appendGuarded(_ write: () throws -> Void) throws {
    let start = text.count
    try write()
    guard options.isSafeForSpreadsheets else { return }
    let isFormula = text.withBytes { SpreadsheetFormula.begins(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    guard isFormula else { return }
    let cell = text.withBytes { Array($0[start...]) }
    text.truncate(to: start)
    (SpreadsheetFormula.mark + cell).withUnsafeBytes { text.append(bytes: $0) }
  }

  /// Text, quoted where it is empty or holds a separator, a quote or a line break.
  private func appendQuoted(_ bytes: UnsafeRawBufferPointer) {
    let needsQuotes =
      bytes.isEmpty || bytes.first == UInt8(ascii: " ") || bytes.last == UInt8(ascii: " ")
      || bytes.contains { $0 == separator || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13 }
    guard needsQuotes else { return text.append(bytes: bytes) }
    text.append("\"")
    Self.appendDoublingQuotes(bytes, to: text)
    text.append("\"")
  }

  private static func appendDoublingQuotes(_ bytes: UnsafeRawBufferPointer, to text: TextBuffer) {
    var rest = bytes[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      text.append(bytes: UnsafeRawBufferPointer(rebasing: rest[...quote]))
      text.append("\"")
      rest = rest[(quote + 1)...]
    }
    text.append(bytes: UnsafeRawBufferPointer(rebasing: rest))
  }
}

/// Cells that a spreadsheet runs when it opens a file.
private enum SpreadsheetFormula {
  /// What stands in front of such a cell: the sign for text.
  static let mark = Array("'".utf8)

  /// The signs, the full-width ones too, and white space that is passed over in front of them.
  private static let beginnings = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}",
  ]
  .map { Array($0.utf8) }

  static func begins(_ cell: UnsafeRawBufferPointer) -> Bool {
    beginnings.contains { cell.starts(with: $0) }
  }
}
