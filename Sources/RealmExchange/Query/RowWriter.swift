import RealmStorage
import RealmText

/// Writes rows of values under named columns, in one of the forms of `export` that know rows.
///
/// ```swift
/// let writer = RowWriter(["name", "dogs.@count"], of: "Person", format: .ndjson, in: snapshot, to: sink)
/// try writer.append([.string("Ann"), .int(2)])
/// let damage = try writer.finish()
/// ```
package final class RowWriter {
  private let text = TextBuffer(capacity: 1 << 16)
  private let sink: any TextSink
  private let rows: any RowForm
  private var isOpen = false

  /// Text that is gathered before it is handed on.
  private static let block = 1 << 16

  /// - Parameters:
  ///   - className: the class that the rows are about, for the report.
  ///   - format: the `core` forms and `sqlite` have no rows; NDJSON is written instead.
  package init(
    _ columns: [String], of className: RealmString, format: ExportFormat, isSafeForSpreadsheets: Bool = false,
    in snapshot: Snapshot, to sink: any TextSink
  ) {
    let names = columns.map { RealmString($0) }
    self.sink = sink
    var options = ExportOptions(format: format, tables: [])
    options.isSafeForSpreadsheets = isSafeForSpreadsheets
    let context = ExportContext(
      snapshot: snapshot, options: options, walk: snapshot.collectionWalk(),
      embedded: EmbeddedBudget(fileSize: snapshot.byteCount))
    let spill: (TextBuffer) throws -> Void = { text in
      try text.withBytes(sink.write)
      text.removeAll()
    }
    switch format {
    case .csv: rows = TableRowForm(className, names, TableWriter(context, text, spill))
    case .tsv: rows = TableRowForm(className, names, TableWriter(context, text, spill))
    case .typed, .typedNDJSON:
      rows = JSONRowForm(
        className, names, inArray: format == .typed,
        ObjectWriter(form: TypedForm(), context: context, text: text, spill: spill))
    case .json, .ndjson, .core, .coreXJSON, .coreXJSONPlus, .sqlite:
      rows = JSONRowForm(
        className, names, inArray: format == .json,
        ObjectWriter(form: ReadableForm(), context: context, text: text, spill: spill))
    }
  }

  /// Writes a row.
  ///
  /// - Parameter values: one for each column.
  /// - Throws: what the sink throws.
  package func append(_ values: [Value]) throws {
    try open()
    try rows.append(values)
    if text.count > Self.block { try handOn() }
  }

  /// Writes the text after the last row.
  ///
  /// - Returns: what could not be read, such as keys of link targets.
  package func finish() throws -> DamageReport {
    try open()
    rows.close()
    try handOn()
    return rows.takeReport()
  }

  private func open() throws {
    guard !isOpen else { return }
    isOpen = true
    rows.open()
  }

  private func handOn() throws {
    try text.withBytes(sink.write)
    text.removeAll()
  }
}

/// How rows look.
private protocol RowForm: AnyObject {
  func open()
  func append(_ values: [Value]) throws
  func close()
  func takeReport() -> DamageReport
}

/// An object for each row, its columns as members.
private final class JSONRowForm<Form: ValueForm>: RowForm {
  private let className: RealmString
  private let columns: [RealmString]
  private let writer: ObjectWriter<Form>
  private let inArray: Bool
  private let labels: [TextBuffer]
  private var isFirst = true

  init(_ className: RealmString, _ columns: [RealmString], inArray: Bool, _ writer: ObjectWriter<Form>) {
    (self.className, self.columns, self.inArray, self.writer) = (className, columns, inArray, writer)
    labels = columns.map { column in
      let label = TextBuffer(capacity: 32)
      writer.form.append(propertyName: column, to: label)
      label.append(byte: UInt8(ascii: ":"))
      return label
    }
  }

  func open() { if inArray { writer.text.append("[") } }

  func append(_ values: [Value]) throws {
    let text = writer.text
    if inArray { text.append(isFirst ? "\n" : ",\n") }
    isFirst = false
    text.append("{")
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(",") }
      labels[index].withBytes { text.append(bytes: $0) }
      let mark = text.count
      writer.setColumn(columns[index], of: className)
      do { try writer.write(owned: value) } catch let error as StorageError {
        text.truncate(to: mark)
        writer.form.appendNull(to: text)
        writer.note(error)
      }
    }
    text.append(inArray ? "}" : "}\n")
  }

  func close() { if inArray { writer.text.append(isFirst ? "]\n" : "\n]\n") } }
  func takeReport() -> DamageReport { writer.takeReport() }
}

/// A line of cells for each row.
private final class TableRowForm: RowForm {
  private let className: RealmString
  private let columns: [RealmString]
  private let writer: TableWriter

  init(_ className: RealmString, _ columns: [RealmString], _ writer: TableWriter) {
    (self.className, self.columns, self.writer) = (className, columns, writer)
  }

  func open() { writer.appendHeader(columns) }
  func append(_ values: [Value]) throws { try writer.appendRow(values, under: columns, of: className) }
  func close() {}
  func takeReport() -> DamageReport { writer.takeReport() }
}

extension ObjectWriter {
  /// Writes a value that is owned.
  func write(owned value: Value) throws {
    switch value {
    case .list(let elements): try write(elements, "[", "]")
    case .set(let elements): try write(elements, form.setBrackets.open, form.setBrackets.close)
    case .dictionary(let entries):
      text.append(form.dictionaryBrackets.open)
      for (index, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { text.append(",") }
        form.append(propertyName: entry.key, to: text)
        text.append(":")
        try write(owned: entry.value)
      }
      text.append(form.dictionaryBrackets.close)
    default:
      let keeper = ValueKeeper()
      try withExtendedLifetime(keeper) { try write(keeper.view(of: value), at: .property) }
    }
  }

  private func write(_ elements: [Value], _ open: StaticString, _ close: StaticString) throws {
    text.append(open)
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(",") }
      try write(owned: element)
    }
    text.append(close)
  }
}
