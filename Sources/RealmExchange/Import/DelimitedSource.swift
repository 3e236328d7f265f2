import RealmStorage
import RealmText

/// How a CSV or TSV text is read.
package struct DelimitedForm: Hashable, Sendable {
  package var separator = UInt8(ascii: ",")
  /// The text that means null if it is not quoted; nil if empty fields do.
  package var null: RealmString?
  /// The names of the columns, if the text has no header.
  package var columns: [RealmString]?
  /// The class of the rows.
  package var className: RealmString
  /// Files with the elements of properties.
  package var collections: [CollectionFile] = []

  package init(className: RealmString) { self.className = className }
}

/// Rows of CSV or TSV as objects of one class: lines of JSON, a member for each column.
package final class DelimitedSource: ImportSource {
  private let rows: DelimitedReader
  private let form: DelimitedForm
  private let counter: Counter
  private let output = LineOutput()
  private let fields: DelimitedFields
  private var columns: [Column] = []
  /// The column that owners of collections are named by.
  private var keyColumn: Int?
  private var collections: [CollectionElements] = []
  private var prefix: [UInt8] = []
  private var note: (ImportProblem) throws -> Void = { _ in }
  private var className: RealmString = ""
  /// Where the fields of the last lines are; the line with a number is at that number modulo `mostRows`.
  private var places: [Row] = []
  private var lineCount = 0
  /// Problems to report once the lines before them have been read.
  private var heldProblem: ImportProblem?
  private var isAtEnd = false
  private var hasToldOrphans = false

  private final class Row {
    var line = 0
    var number = 0
    var bytes: [UInt8] = []
    /// Where the fields are in `bytes`.
    var fields: [(line: Int, lineStart: Int, start: Int)] = []
    var elements: [CollectionElements.Place] = []
    /// Bytes of the output before those that were in memory with the line.
    var passedBytes = 0

    func forget() {
      guard !bytes.isEmpty else { return }
      bytes.removeAll(keepingCapacity: bytes.count < DelimitedSource.batchSize)
      elements.removeAll()
    }
  }

  private struct Column {
    enum Kind {
      case property, objectKey, unknown
    }

    var kind: Kind
    var property: DataProperty?
    var isKeyOfOther = false
    /// The name and a colon.
    var label: [UInt8] = []
  }

  private final class Counter {
    var bytes = 0
  }

  package var coerces: Bool { true }
  package var hasHeader: Bool { !columns.isEmpty }
  package var byteCount: Int { counter.bytes }

  /// The numbers of rows and bytes that are made at once. The JSON reader is at most one row behind, unless it looks
  /// ahead.
  private static let batchRows = 64
  private static let batchSize = 1 << 14
  /// Names of columns in a message.
  private static let mostShown = 10
  /// Rows whose places are remembered, and of those before the last batch.
  private static let mostRows = 128
  private static let keptRows = 16

  /// - Throws: `StorageError.file`.
  package init(_ path: String, _ form: DelimitedForm) throws {
    let input = try SequentialInput(path)
    let counter = Counter()
    (self.form, self.counter) = (form, counter)
    fields = DelimitedFields(null: form.null, text: output.text)
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
      guard try header() != nil else {
        throw InputError.source(
          .content, "the file is empty, and class '\(form.className)' does not exist", advice: "check the path")
      }
      guard !form.className.utf8.contains(UInt8(ascii: ".")) else {
        throw InputError.source(
          .schema, "no class '\(form.className)'",
          advice: "if it is a collection, also name the file of the class, or name the whole folder")
      }
      throw InputError.source(
        .noClass(
          form.className, among: classes.classes.map(\.name), .schema,
          orElse: "use --create-classes to create '\(form.className)'"
            + (classes.className == nil ? ", or --class to name another" : "")))
    }
    guard !dataClass.isEmbedded else { throw InputError.source(.embedded(dataClass.name)) }
    className = dataClass.name
    guard let names = try header() else { return }
    let properties = Dictionary(dataClass.properties.map { ($0.name, $0) }) { first, _ in first }
    var unknown: [RealmString] = []
    var seen = Set(form.collections.map(\.property))
    for name in names {
      if name.isEmpty, !classes.ignoresUnknown {
        throw InputError.source(
          .content, "column \(columns.count + 1) has no name",
          advice: "name it, or use --ignore-unknown to leave it out", line: rows.line)
      }
      guard seen.insert(name).inserted else { throw Self.twice(name) }
      if let property = properties[name] {
        if property.index == dataClass.primaryKey { keyColumn = columns.count }
        columns.append(
          Column(
            kind: .property, property: property, isKeyOfOther: classes.isKeyOfOther(property),
            label: Self.label(property.name)))
      } else if dataClass.primaryKey == nil, name == dataClass.keyName {
        keyColumn = columns.count
        columns.append(Column(kind: .objectKey, label: Self.label("_key")))
      } else {
        columns.append(Column(kind: .unknown))
        unknown.append(name)
      }
    }
    guard unknown.isEmpty || classes.ignoresUnknown else {
      throw unknownColumns(unknown, of: dataClass, classes, among: names)
    }
    let head = TextBuffer(capacity: 64)
    head.append("{\"class\":")
    head.appendJSON(className, style: .lossless)
    head.append(",\"value\":{")
    prefix = head.withBytes { Array($0) }
    try openCollections(of: dataClass, classes)
  }

  private static func label(_ name: RealmString) -> [UInt8] {
    let label = TextBuffer(capacity: 64)
    label.appendJSON(name, style: .lossless)
    label.append(":")
    return label.withBytes { Array($0) }
  }

  private func openCollections(of dataClass: DataClass, _ classes: ImportedClasses) throws {
    for file in form.collections {
      guard let property = dataClass.properties.first(where: { $0.name == file.property }), property.collection != nil
      else {
        guard classes.ignoresUnknown else {
          throw InputError.source(
            .schema, "class '\(className)' has no list, set or dictionary '\(file.property)' for \(file.name)",
            advice: "use --ignore-unknown to leave it out")
        }
        continue
      }
      guard !property.targetIsEmbedded else {
        throw InputError.source(
          .schema, "\(file.name) has embedded objects",
          advice: "name the whole folder that 'export --explode' wrote")
      }
      guard keyColumn != nil else {
        throw InputError.source(
          .schema,
          "the elements in \(file.name) cannot find their owners: the file of their class has no "
            + "column '\(dataClass.primaryKey.map { dataClass.properties[$0].name } ?? dataClass.keyName)'",
          advice: "add the column to the file of the class, or leave \(file.name) out")
      }
      let elements = try CollectionElements(
        file, property, of: dataClass, isKeyOfOther: classes.isKeyOfOther(property)
      ) { try note(problem($0, in: file)) }
      collections.append(elements)
    }
  }

  private func problem(_ problem: CollectionElements.Problem, in file: CollectionFile) -> ImportProblem {
    ImportProblem(
      source: 0, file: file.path, line: problem.line, column: problem.column, className: className,
      property: file.property, object: nil, value: problem.value, reason: problem.reason)
  }

  /// The first row of a file.
  ///
  /// - Throws: `InputError.source`, `StorageError.file`.
  package static func header(ofFile path: String, separator: UInt8) throws -> [RealmString] {
    let rows = try CollectionFile.reader(path, separator)
    return try rows.next() ? names(in: rows) : []
  }

  static func names(in rows: DelimitedReader) throws -> [RealmString] {
    guard rows.fieldCount <= TableSchema.mostProperties else {
      throw InputError.source(
        .content, "\(rows.fieldCount) columns, and a class has at most \(TableSchema.mostProperties) properties",
        line: rows.line, column: 1)
    }
    let names = (0..<rows.fieldCount).map { rows.text($0) }
    let isAlone = names.count == 1 || names.count == 2 && names[1].isEmpty
    if isAlone, !rows.isQuoted(0), let first = names.first?.description,
      ["sep=", "sep=;", "sep=,", "sep=|"].contains(first)
    {
      let separator = first.dropFirst(4)
      throw InputError.source(
        .content, "the first line, '\(first)', is a mark of Excel",
        advice: "delete it" + (separator.isEmpty ? "" : ", and use --delimiter '\(separator)'"), line: rows.line,
        column: 1)
    }
    var seen: Set<RealmString> = []
    if let name = names.first(where: { !$0.isEmpty && !seen.insert($0).inserted }) {
      throw twice(name, line: rows.line)
    }
    return names
  }

  private static func twice(_ name: RealmString, line: Int? = nil) -> InputError {
    .source(.content, "two columns are named '\(name)'", line: line)
  }

  private func header() throws -> [RealmString]? {
    if let columns = form.columns { return columns }
    guard try rows.next() else { return nil }
    return try Self.names(in: rows)
  }

  /// An error for a header that is one column because another character separates them; nil for all others.
  static func otherSeparator(in names: [RealmString], _ separator: UInt8) -> InputError? {
    let others = [UInt8(ascii: ";"), 9, UInt8(ascii: ","), UInt8(ascii: "|")].filter { $0 != separator }
    guard names.count == 1, let other = others.first(where: { names[0].utf8.contains($0) }) else { return nil }
    let shown = other == 9 ? "tab" : String(decoding: [other], as: UTF8.self)
    return .source(
      .content, "there is one column, '\(ShownText.beginning(of: names[0].description))'",
      advice: "use --delimiter '\(shown)' if that separates the columns")
  }

  private func unknownColumns(
    _ unknown: [RealmString], of dataClass: DataClass, _ classes: ImportedClasses, among names: [RealmString]
  ) -> InputError {
    if let error = Self.otherSeparator(in: names, form.separator) { return error }
    let shown = unknown.prefix(Self.mostShown).map { "'\(ShownText.beginning(of: $0.description))'" }
    let more = unknown.count - shown.count
    let list = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    let problem = "'\(dataClass.name)' has no \(unknown.count == 1 ? "property" : "properties") \(list)"
    let isData = unknown.count == names.count && names.contains { Double($0.description) != nil }
    guard form.columns != nil || !isData else {
      return .source(
        .schema, problem, advice: "use --no-header and --columns if the first line is data, not the names of columns")
    }
    let advice = SourceFault.advice(onUnknown: unknown.count, canAddProperties: classes.canAddProperties)
    let near = unknown.count == 1 ? Self.near(unknown[0], dataClass) : nil
    return .source(.schema, problem, advice: near.map { NameAdvice.sentences($0, advice) } ?? advice)
  }

  private static func near(_ name: RealmString, _ dataClass: DataClass) -> String? {
    Similarity.question(about: name.description, among: dataClass.properties.map(\.name.description))
  }

  // MARK: Rows

  package func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try output.read(buffer) { try appendRows() }
  }

  /// - Returns: false at the end.
  private func appendRows() throws -> Bool {
    for line in max(lineCount - Self.mostRows + 1, 1)..<max(lineCount - Self.keptRows, 1) {
      places[line % Self.mostRows].forget()
    }
    var count = 0
    while count < Self.batchRows, output.text.count < Self.batchSize {
      if let problem = heldProblem {
        // Problems in earlier lines are reported first.
        guard count == 0 else { break }
        heldProblem = nil
        try note(problem)
      }
      guard !isAtEnd, try appendRow(&count) else { break }
    }
    if count == 0, heldProblem == nil, !hasToldOrphans {
      hasToldOrphans = true
      for elements in collections {
        try elements.forEachOrphan(of: className) { try note(problem($0, in: elements.file)) }
      }
    }
    return count > 0
  }

  /// - Returns: false at the end.
  private func appendRow(_ count: inout Int) throws -> Bool {
    do {
      guard try rows.next() else {
        isAtEnd = true
        return false
      }
    } catch InputError.source(let fault) {
      isAtEnd = true
      heldProblem = problem(
        fault.line ?? 0, fault.column ?? 0, "\(fault.description); the rest of the file is not read")
      heldProblem?.remedy = .fixSyntax
      // It is reported in the next round, after the lines of this one.
      return true
    }
    let fieldCount = rows.fieldCount
    if fieldCount == 1, columns.count != 1, !rows.isQuoted(0), rows.withField(0, { $0.isEmpty }) { return true }
    guard fieldCount == columns.count else {
      heldProblem = problem(
        rows.line, 1, Self.problem(ofRow: fieldCount, expected: columns.count))
      return true
    }
    try append()
    count += 1
    return true
  }

  static func problem(ofRow fieldCount: Int, expected: Int) -> String {
    "the row has \(fieldCount.counted("field")), expected \(expected)"
  }

  private func problem(_ line: Int, _ column: Int, _ reason: String) -> ImportProblem {
    ImportProblem(
      source: 0, line: line, column: column, className: className, property: nil, object: nil, value: nil,
      reason: reason)
  }

  private func append() throws {
    let text = output.text
    lineCount += 1
    if places.count < Self.mostRows { while places.count <= lineCount % Self.mostRows { places.append(Row()) } }
    let row = places[lineCount % Self.mostRows]
    (row.line, row.number, row.passedBytes) = (lineCount, rows.line, output.passedBytes)
    row.bytes.removeAll(keepingCapacity: true)
    row.fields.removeAll(keepingCapacity: true)
    row.elements.removeAll(keepingCapacity: true)
    rows.withRow { row.bytes.append(contentsOf: $0) }
    prefix.withUnsafeBytes { text.append(bytes: $0) }
    var isFirst = true
    columns.withUnsafeBufferPointer { columns in
      for index in columns.indices {
        row.fields.append(rows.place(index))
        if columns[index].kind == .unknown { continue }
        rows.withField(index) { field in
          if columns[index].kind == .objectKey, field.isEmpty { return }
          if !isFirst { text.append(",") }
          isFirst = false
          columns[index].label.withUnsafeBytes { text.append(bytes: $0) }
          if let property = columns[index].property {
            fields.append(
              field, isQuoted: rows.isQuoted(index), property, isKeyOfOther: columns[index].isKeyOfOther)
          } else {
            fields.appendNumber(field)
          }
        }
      }
    }
    if let keyColumn { for elements in collections { try append(elements, keyColumn, row, &isFirst) } }
    text.append("}}\n")
  }

  private func append(_ elements: CollectionElements, _ keyColumn: Int, _ row: Row, _ isFirst: inout Bool) throws {
    if !isFirst { output.text.append(",") }
    isFirst = false
    Self.label(elements.property.name).withUnsafeBytes { output.text.append(bytes: $0) }
    try rows.withField(keyColumn) { owner in
      try elements.append(of: owner, fields) { row.elements.append($0) }
    }
  }

  // MARK: Places

  package func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace {
    guard places.indices.contains(location.line % Self.mostRows), location.line > 0 else {
      return ImportPlace(line: rows.line, column: 1)
    }
    let row = places[location.line % Self.mostRows]
    guard row.line == location.line, !row.bytes.isEmpty else { return ImportPlace(line: rows.line, column: 1) }
    let offset = location.byteOffset - row.passedBytes
    if let element = row.elements.last(where: { $0.property == property && $0.start <= offset })
      ?? row.elements.first(where: { $0.property == property })
    {
      let file = collections.first { $0.property.name == element.property }?.file.path
      return ImportPlace(file: file, line: element.line, column: element.column)
    }
    let index = property.flatMap { name in columns.firstIndex { $0.property?.name == name } }
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
