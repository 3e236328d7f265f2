import RealmStorage
import RealmText

/// How a CSV or TSV text is read.
package struct DelimitedForm: Hashable, Sendable {
  package var separator = UInt8(ascii: ",")
  /// The text that stands for null, without quotes; nil where empty fields do.
  package var null: RealmString?
  /// The names of the columns, where the text has no header.
  package var columns: [RealmString]?
  /// The class of the rows.
  package var className: RealmString

  package init(className: RealmString) { self.className = className }
}

/// Rows of CSV or TSV as objects of one class: lines of JSON, a member for each column.
package final class DelimitedSource: ImportSource {
  private let rows: DelimitedReader
  private let form: DelimitedForm
  private let counter: Counter
  private let output = LineOutput()
  private var columns: [Column] = []
  private var prefix: [UInt8] = []
  private var note: (ImportProblem) throws -> Void = { _ in }
  private var className: RealmString = ""
  /// Where the fields of the lines that were made last are, by line from 1.
  private var places: [Row] = []
  private var lineCount = 0

  private struct Row {
    let line: Int
    let number: Int
    let bytes: [UInt8]
    /// In `bytes`.
    let fields: [(line: Int, lineStart: Int, start: Int)]
  }

  /// What a column is to the class.
  private enum Column {
    case property(DataProperty, isKeyOfOther: Bool)
    case objectKey
    case unknown
  }

  private final class Counter {
    var bytes = 0
  }

  package var coerces: Bool { true }
  package var byteCount: Int { counter.bytes }

  /// Rows whose places are remembered: the reader of JSON is never more than one row ahead, but where it looks ahead.
  private static let keptRows = 16

  /// - Throws: `StorageError.file`.
  package init(_ path: String, _ form: DelimitedForm) throws {
    let input = try SequentialInput(path)
    let counter = Counter()
    (self.form, self.counter) = (form, counter)
    rows = DelimitedReader(separator: form.separator) { buffer in
      let count = try input.read(into: buffer)
      counter.bytes += count
      return count
    }
  }

  // MARK: Header

  package func open(_ classes: ImportedClasses, note: @escaping (ImportProblem) throws -> Void) throws {
    self.note = note
    guard let dataClass = classes.classNamed(form.className) else {
      throw ImportSourceError(
        .schema, "the realm has no class '\(form.className)'",
        advice: form.className.utf8.contains(UInt8(ascii: "."))
          ? "the files of export --explode are read together: name their folder" : nil)
    }
    guard !dataClass.isEmbedded else {
      throw ImportSourceError(
        .schema, "objects of the embedded class '\(dataClass.name)' exist only inside other objects")
    }
    className = dataClass.name
    guard let names = try header() else { return }
    var unknown: [RealmString] = []
    var seen: Set<RealmString> = []
    for name in names {
      guard seen.insert(name).inserted else { throw ImportSourceError(.content, "two columns are named '\(name)'") }
      if let property = dataClass.properties.first(where: { $0.name == name }) {
        let target = property.target.map { classes.classes[$0] }
        columns.append(
          .property(
            property,
            isKeyOfOther: property.type == .object && property.lookup == nil && target?.primaryKey == nil
              && !property.targetIsEmbedded))
      } else if dataClass.primaryKey == nil, name == dataClass.keyName {
        columns.append(.objectKey)
      } else {
        columns.append(.unknown)
        unknown.append(name)
      }
    }
    guard unknown.isEmpty || classes.ignoresUnknown else { throw unknownColumns(unknown, of: dataClass, among: names) }
    let head = TextBuffer(capacity: 64)
    head.append("{\"class\":")
    head.appendJSON(className, style: .lossless)
    head.append(",\"value\":{")
    prefix = head.withBytes { Array($0) }
  }

  private func header() throws -> [RealmString]? {
    if let columns = form.columns { return columns }
    do {
      guard try rows.next() else { return nil }
    } catch let failure as DelimitedReader.Failure {
      throw ImportSourceError(
        .content, failure.fault.description, line: failure.line, column: failure.column)
    }
    return (0..<rows.fieldCount).map { rows.text($0) }
  }

  private func unknownColumns(
    _ unknown: [RealmString], of dataClass: DataClass, among names: [RealmString]
  ) -> ImportSourceError {
    let others = [UInt8(ascii: ";"), 9, UInt8(ascii: ","), UInt8(ascii: "|")].filter { $0 != form.separator }
    if names.count == 1, let other = others.first(where: { names[0].utf8.contains($0) }) {
      let shown = other == 9 ? "tab" : String(decoding: [other], as: UTF8.self)
      return ImportSourceError(
        .content, "there is one column, '\(ShownText.beginning(of: names[0].description))'",
        advice: "use --delimiter '\(shown)' if that separates the columns")
    }
    let list = unknown.map { "'\(ShownText.beginning(of: $0.description))'" }.joined(separator: ", ")
    return ImportSourceError(
      .schema, "class '\(dataClass.name)' has no \(unknown.count == 1 ? "property" : "properties") \(list)",
      advice: "use --ignore-unknown to leave \(unknown.count == 1 ? "it" : "them") out")
  }

  // MARK: Rows

  package func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try output.read(buffer) { try appendRow() }
  }

  private func appendRow() throws -> Bool {
    while true {
      do {
        guard try rows.next() else { return false }
      } catch let failure as DelimitedReader.Failure {
        try note(
          ImportProblem(
            source: 0, line: failure.line, column: failure.column, className: className, property: nil, object: nil,
            value: nil, reason: "\(failure.fault); the rest of the file is not read"))
        return false
      }
      let count = rows.fieldCount
      if count == 1, columns.count != 1, !rows.isQuoted(0), rows.withField(0, { $0.isEmpty }) { continue }
      guard count == columns.count else {
        try note(
          ImportProblem(
            source: 0, line: rows.line, column: 1, className: className, property: nil, object: nil, value: nil,
            reason: "the row has \(count.counted("field")), and there are \(columns.count.counted("column"))"))
        continue
      }
      append()
      return true
    }
  }

  private func append() {
    let text = output.text
    prefix.withUnsafeBytes { text.append(bytes: $0) }
    var isFirst = true
    for (index, column) in columns.enumerated() {
      if case .unknown = column { continue }
      let label = label(of: column)
      rows.withField(index) { field in
        if case .objectKey = column, field.isEmpty { return }
        if !isFirst { text.append(",") }
        isFirst = false
        text.appendJSON(label, style: .lossless)
        text.append(":")
        append(field, isQuoted: rows.isQuoted(index), column)
      }
    }
    text.append("}}\n")
    lineCount += 1
    if places.count == Self.keptRows { places.removeFirst() }
    places.append(
      Row(
        line: lineCount, number: rows.line, bytes: rows.withRow { Array($0) }, fields: columns.indices.map(rows.place)))
  }

  private func label(of column: Column) -> RealmString {
    switch column {
    case .property(let property, _): property.name
    case .objectKey, .unknown: "_key"
    }
  }

  private func append(_ field: UnsafeRawBufferPointer, isQuoted: Bool, _ column: Column) {
    let text = output.text
    guard case .property(let property, let isKeyOfOther) = column else { return appendNumber(field) }
    if !isQuoted, isNull(field) {
      switch property.collection {
      case .list, .set: return text.append("[]")
      case .dictionary: return text.append("{}")
      case nil: break
      }
      if !property.isNullable, property.type == .string, form.null == nil { return text.append("\"\"") }
      return text.append("null")
    }
    if property.collection != nil || property.targetIsEmbedded { return appendJSON(field) }
    switch property.type {
    case .mixed: appendMixed(field)
    case .object where isKeyOfOther: appendNumber(field)
    case .object where field.first == UInt8(ascii: "{"): appendJSON(field)
    default: text.appendJSON(field, style: .lossless)
    }
  }

  private func isNull(_ field: UnsafeRawBufferPointer) -> Bool {
    guard let null = form.null else { return field.isEmpty }
    return field.elementsEqual(null.utf8)
  }

  /// Digits as they are, anything else as text, which is then refused with its words.
  private func appendNumber(_ field: UnsafeRawBufferPointer) {
    guard (1...19).contains(field.count), field.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      field.count == 1 || field[0] != UInt8(ascii: "0")
    else { return output.text.appendJSON(field, style: .lossless) }
    output.text.append(bytes: field)
  }

  /// JSON as it is, on one line; anything else as text.
  private func appendJSON(_ field: UnsafeRawBufferPointer) {
    guard Self.isJSON(field) else { return output.text.appendJSON(field, style: .lossless) }
    guard field.contains(where: { $0 == 10 || $0 == 13 }) else { return output.text.append(bytes: field) }
    // Outside of strings, where alone a line break can be, it is a space.
    field.map { $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 }.withUnsafeBytes { output.text.append(bytes: $0) }
  }

  /// A number, a boolean, or a collection or object as JSON; anything else is text.
  private func appendMixed(_ field: UnsafeRawBufferPointer) {
    guard let first = field.first else { return output.text.append("\"\"") }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      appendJSON(field)
    default: output.text.appendJSON(field, style: .lossless)
    }
  }

  private static func isJSON(_ field: UnsafeRawBufferPointer) -> Bool {
    var options = JSONReader.Options()
    options.restoresBytes = true
    let reader = JSONReader(field, options: options)
    do throws(JSONError) {
      let first = try reader.next()
      guard first != .end else { return false }
      try reader.skipValue(after: first)
      return try reader.next() == .end
    } catch {
      return false
    }
  }

  // MARK: Places

  package func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace {
    guard let row = places.last(where: { $0.line == location.line }) else {
      return ImportPlace(line: rows.line, column: 1)
    }
    let index = property.flatMap { name in
      columns.firstIndex { if case .property(let property, _) = $0 { property.name == name } else { false } }
    }
    guard let index else { return ImportPlace(line: row.number, column: 1) }
    let field = row.fields[index]
    return ImportPlace(
      line: field.line, column: DelimitedReader.column(behind: row.bytes[field.lineStart..<field.start]),
      value: ShownText.beginning(of: text(at: field.start, of: row).description))
  }

  private func text(at start: Int, of row: Row) -> RealmString {
    var rest = row.bytes[start...]
    let reader = DelimitedReader(separator: form.separator) { buffer in
      let count = min(buffer.count, rest.count)
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
    return (try? reader.next()) == true ? reader.text(0) : ""
  }
}
