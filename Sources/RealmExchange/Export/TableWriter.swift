import RealmStorage
import RealmText

/// Writes objects as rows of a table: a header, then a line per object. `RelationalLines` writes the tables of
/// collections.
///
/// Cells contain scalars as plain text, links as the target's key, and everything else as compact JSON. Null is an
/// empty cell, and the empty string is a quoted empty cell.
final class TableWriter {
  private let quoting: DelimitedText
  private let text: TextBuffer
  /// Writes the JSON of a cell.
  private let json: ObjectWriter<ReadableForm>
  private let cell = TextBuffer(capacity: 1 << 12)
  private let options: ExportOptions
  private let spill: (TextBuffer) throws -> Void
  private let decoded = DecodedBatch()
  /// Nil if the caller does not need to know what `import` would read back.
  private let cellReturn: CSVRoundTrip?
  /// By property of the table that is written, whether the JSON of its values has to be looked at.
  private var doubtful: [Bool] = []
  private let replacements = Replacements()

  /// Whether the cell being written contains the character that replaces bytes that are not UTF-8.
  private final class Replacements {
    var areThere = false

    func look(in cell: TextBuffer) {
      guard !areThere else { return }
      cell.withBytes { bytes in
        var rest = bytes[...]
        while let start = rest.firstIndex(of: 0xef) {
          rest = rest[start...]
          if rest.starts(with: [0xef, 0xbf, 0xbd]) { return areThere = true }
          rest = rest.dropFirst()
        }
      }
    }
  }

  init(
    _ context: ExportContext, _ text: TextBuffer,
    _ spill: @escaping (TextBuffer) throws -> Void
  ) {
    quoting = DelimitedText(context.options.format, isSafeForSpreadsheets: context.options.isSafeForSpreadsheets)
    (self.text, self.spill) = (text, spill)
    options = context.options
    // A large cell is quoted and handed on in parts.
    cellReturn = context.options.changedValues.map { _ in CSVRoundTrip(context.snapshot) }
    json = ObjectWriter(form: ReadableForm(), context: context, text: cell) { [replacements] cell in
      replacements.look(in: cell)
      cell.withBytes { DelimitedText.appendDoublingQuotes($0, to: text) }
      cell.removeAll()
      try spill(text)
    }
  }

  func takeReport() -> DamageReport { json.takeReport() }

  func forgetPlaces() {
    json.resolver.forgetAll()
    cellReturn?.forgetPlaces()
  }

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
        default: _ = try appendCell(keeper.view(of: value), at: .typed)
        }
      }
    }
    text.append("\n")
  }

  private func showsKey(of table: Table) -> Bool { options.showsObjectKeys && table.schema.primaryKeyIndex == nil }

  // MARK: Rows

  private func append(_ batch: ObjectBatch, _ rows: [Int]?) throws {
    json.setTable(batch.table)
    let schema = batch.table.schema
    if let cellReturn { doubtful = schema.properties.map(cellReturn.isDoubtful) }
    decoded.read(batch, rows: rows) { json.note($2, in: batch, property: $0, row: $1) }
    let columns = schema.properties.indices
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
        guard try !appendCell(value, at: CSVRoundTrip.Place(of: schema.properties[column]), column) else { continue }
        options.changedValues?.add(schema.displayName, schema.properties[column].name, key)
      }
      text.append("\n")
      if text.count > ExportLimits.spill { try spill(text) }
    }
  }

  // MARK: Cells

  /// Appends a value, or nothing if it is damaged, which is recorded.
  ///
  /// - Parameters:
  ///   - place: the declared type of the property.
  ///   - column: the property.
  /// - Returns: whether `import` reads the same value.
  private func appendCell(_ value: ValueView, at place: CSVRoundTrip.Place, _ column: Int? = nil) throws -> Bool {
    let isMixed = place == .mixed
    do {
      switch value {
      case .null: break
      case .int(let value): text.append(integer: value)
      case .bool(let value): text.append(value ? "true" : "false")
      case .float(let value):
        appendNumber(Double(value)) { text.appendShortest(value) }
        return !isMixed && CSVRoundTrip.isUsual(value)
      case .double(let value):
        appendNumber(value) { text.appendShortest(value) }
        return value.isFinite || !isMixed && CSVRoundTrip.isUsual(value)
      case .string(let value):
        var comesBack = true
        try value.withContiguous {
          comesBack = appendText($0) && !(isMixed && CSVRoundTrip.isTakenForMixed($0))
        }
        return comesBack
      case .data(let value):
        if value.count == 0 { text.append("\"\"") }
        return try quoting.appendGuarded(to: text) { try value.forEachPiece { text.appendBase64($0) } } && !isMixed
      case .date(let value): return quoting.appendGuarded(to: text) { text.appendISODate(value) } && !isMixed
      case .decimal(let value):
        text.appendCanonical(value)
        return !isMixed
      case .objectID(let value):
        text.append(value)
        return !isMixed
      case .uuid(let value):
        text.append(value)
        return !isMixed
      case .link(let table, let key): return try appendLink(table, key, column)
      case .typedLink, .list, .set, .dictionary:
        return try appendJSON(value, at: place, column)
      }
    } catch let error as StorageError {
      json.note(error)
    }
    return true
  }

  /// - Returns: whether it was appended unchanged.
  private func appendText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if UTF8Sequence.firstInvalid(in: bytes) == nil { return quoting.append(text: bytes, to: text) }
    // CSV has no escapes, and other programs refuse a file of which a part is not UTF-8.
    _ = Array(String(decoding: bytes, as: UTF8.self).utf8).withUnsafeBytes { quoting.append(text: $0, to: text) }
    return false
  }

  private func appendNumber(_ value: Double, _ finite: () -> Void) {
    if value.isFinite { return finite() }
    text.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }

  private func appendLink(_ key: TableKey, _ object: ObjectKey, _ column: Int?) throws -> Bool {
    guard let table = json.snapshot.table(key), table.schema.kind != .embedded else {
      return try appendJSON(.link(key, object), at: .typed, column)
    }
    if table.schema.primaryKeyIndex == nil {
      text.append(integer: object.rawValue)
      return true
    }
    let primaryKey = try json.resolver.primaryKey(of: object, in: table)
    switch primaryKey {
    // An empty cell means that there is no link, and text that looks like JSON is read as JSON: wrapped with the class,
    // both are clear.
    case .null: return try appendJSON(.typedLink(key, object), at: .typed, column)
    case .string(let name) where name.contiguous.map(CSVRoundTrip.isTakenForLink) ?? false:
      return try appendJSON(.typedLink(key, object), at: .typed, column)
    default: return try appendCell(primaryKey, at: .typed)
    }
  }

  private func appendJSON(_ value: ValueView, at place: CSVRoundTrip.Place, _ column: Int?) throws -> Bool {
    replacements.areThere = false
    try appendJSON { try json.write(value, at: .property) }
    guard let cellReturn, replacements.areThere || column.map({ doubtful[$0] }) ?? false else { return true }
    return try cellReturn.comesBack(value, at: place)
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
    if cellReturn != nil { replacements.look(in: cell) }
    cell.withBytes { DelimitedText.appendDoublingQuotes($0, to: text) }
    text.append("\"")
  }
}
