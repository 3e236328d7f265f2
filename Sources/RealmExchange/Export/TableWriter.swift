import RealmStorage
import RealmText

/// Writes objects as rows of a table: a header, then a line per object. `RelationalLines` writes the tables of
/// collections.
///
/// Cells hold scalars as plain text, links as the target's key, everything else as compact JSON. Null is an empty cell,
/// the empty text a quoted one.
final class TableWriter {
  private let quoting: DelimitedText
  private let text: TextBuffer
  /// Writes the JSON of a cell.
  private let json: ObjectWriter<ReadableForm>
  private let cell = TextBuffer(capacity: 1 << 12)
  private let options: ExportOptions
  private let spill: (TextBuffer) throws -> Void
  private let decoded = DecodedBatch()

  init(
    _ context: ExportContext, _ text: TextBuffer,
    _ spill: @escaping (TextBuffer) throws -> Void
  ) {
    quoting = DelimitedText(context.options.format, isSafeForSpreadsheets: context.options.isSafeForSpreadsheets)
    (self.text, self.spill) = (text, spill)
    options = context.options
    // A large cell is quoted and handed on in parts.
    json = ObjectWriter(form: ReadableForm(), context: context, text: cell) { cell in
      cell.withBytes { DelimitedText.appendDoublingQuotes($0, to: text) }
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
    if showsKey(of: table) { names.append(table.schema.objectKeyMember) }
    appendHeader(names + table.schema.properties.map(\.name))
  }

  /// A first line with the names of the columns.
  func appendHeader(_ names: [RealmString]) { quoting.appendHeader(names, to: text) }

  /// A line of values.
  func appendRow(_ values: [Value], under columns: [RealmString], of className: RealmString) throws {
    let keeper = ValueKeeper()
    try withExtendedLifetime(keeper) {
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(byte: quoting.separator) }
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

  // MARK: Rows

  private func append(_ batch: ObjectBatch, _ rows: [Int]?) throws {
    json.setTable(batch.table)
    decoded.read(batch, rows: rows) { json.note($2, in: batch, property: $0, row: $1) }
    let columns = batch.table.schema.properties.indices
    let showsKey = showsKey(of: batch.table)
    for number in 0..<(rows?.count ?? batch.count) {
      let row = rows?[number] ?? number
      let cell = decoded.isSparse ? number : row
      let key = batch.key(at: row)
      if showsKey { text.append(integer: key.rawValue) }
      for column in columns {
        if column > 0 || showsKey { text.append(byte: quoting.separator) }
        guard let value = decoded.value(ofProperty: column, row: cell) else { continue }
        json.setPlace(object: key, property: column)
        try appendCell(value)
      }
      text.append("\n")
      if text.count > ExportLimits.spill { try spill(text) }
    }
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
      case .string(let value): try value.withContiguous { quoting.append(text: $0, to: text) }
      case .data(let value):
        if value.count == 0 { text.append("\"\"") }
        try quoting.appendGuarded(to: text) { try value.forEachPiece { text.appendBase64($0) } }
      case .date(let value): quoting.appendGuarded(to: text) { text.appendISODate(value) }
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
    cell.withBytes { DelimitedText.appendDoublingQuotes($0, to: text) }
    text.append("\"")
  }
}
