import RealmModels
import RealmStorage
import RealmText

/// Turns the rows of a SQLite file back into the text that content hashes and comparisons are made of: what
/// `ContentWriter` makes of the objects of a realm.
///
/// This never fails: a value that its column should not have becomes a text that no value of a realm has.
final class RelationalReader {
  typealias Cell = RelationalRecords.Cell

  let file: RelationalFile
  let text: TextBuffer
  private let form: TypedForm
  private let style: JSONStringStyle
  private var plans: [Int: Plan] = [:]
  private var depth = 0
  private var visits = 0
  /// Passes on `text` when it has become large.
  var spill: (TextBuffer) throws -> Void = { _ in }
  /// Properties that do not count, by class.
  private let leftOut: [RealmString: Set<RealmString>]

  private static let mostLevels = 400

  init(
    _ file: RelationalFile, style: JSONStringStyle, leavingOut leftOut: [RealmString: Set<RealmString>] = [:],
    text: TextBuffer
  ) {
    (self.file, self.style, self.leftOut, self.text) = (file, style, leftOut, text)
    form = TypedForm(style: style)
  }

  /// The members of a class's objects by name, with where their values are.
  final class Plan {
    struct Member {
      let property: Int
      /// The column of the value; nil for a collection.
      let column: Int?
      let label: [UInt8]
      let hasExact: Bool
    }

    let table: RelationalClass
    let members: [Member]
    /// Statements that are not in use: by property; -1 for the row of a key.
    var free: [Int: [SQLiteStatement]] = [:]
    /// Whether objects are read in the order of their keys, so that one pass over a collection's table finds all
    /// elements.
    var isInKeyOrder = false
    /// One pass for each property.
    var passes: [Int: OwnerPass] = [:]

    init(_ table: RelationalClass, _ members: [Member]) { (self.table, self.members) = (table, members) }
  }

  func plan(of position: Int) -> Plan {
    if let plan = plans[position] { return plan }
    let table = file.relational.classes[position]
    let properties = table.schema.properties
    var column = table.key == .objectKey ? 1 : 0
    var columns: [Int?] = []
    for property in properties {
      columns.append(property.hasColumn ? column : nil)
      if property.hasColumn { column += property.type == .mixed ? 2 : 1 }
    }
    let ignored = leftOut[table.schema.name] ?? []
    let order = properties.indices.filter { !ignored.contains(properties[$0].name) && !properties[$0].isComputed }
      .sorted { properties[$0].name < properties[$1].name }
    let members = order.enumerated().map { index, property in
      let label = TextBuffer(capacity: 64)
      label.append(index == 0 ? "{" : ",")
      form.append(propertyName: properties[property].name, to: label)
      label.append(":")
      let exact = [RealmString(table.table.sqlName), RealmString(table.propertyNames[property].name)]
      return Plan.Member(
        property: property, column: columns[property], label: label.withBytes { Array($0) },
        hasExact: file.exactProperties.contains(exact))
    }
    let plan = Plan(table, members)
    plans[position] = plan
    return plan
  }

  // MARK: Objects

  /// `SELECT` of all columns of a class's table, followed by the row's number.
  ///
  /// - Parameter others: expressions to add at the end.
  static func selection(from table: RelationalClass, and others: [String] = []) -> String {
    let columns = table.table.columns.map { SQLText.quoted($0.name) } + [rowNumber(of: table)] + others
    return "SELECT \(columns.joined(separator: ", ")) FROM \(SQLText.quoted(table.table.sqlName))"
  }

  /// The name under which SQLite gives the number of a row: one that no column has.
  static func rowNumber(of table: RelationalClass) -> String {
    let names = Set(table.table.columns.map { SQLText.lowercased($0.name) })
    return ["rowid", "_rowid_", "oid"].first { !names.contains($0) } ?? SQLText.quoted(table.keyName.name)
  }

  /// The key of the current row of a statement of `selection(from:)`.
  func key(_ row: SQLiteStatement, of plan: Plan) -> Cell {
    guard case .property(let index) = plan.table.key else { return row.cell(0) }
    return plan.members.first { $0.property == index }?.column.map(row.cell) ?? row.cell(columnOfKey(plan))
  }

  private func columnOfKey(_ plan: Plan) -> Int {
    plan.table.table.columns.firstIndex { $0.name == plan.table.keyName.name } ?? 0
  }

  func writeMembers(_ row: SQLiteStatement, of plan: Plan) throws {
    for member in plan.members {
      member.label.withUnsafeBytes { text.append(bytes: $0) }
      try write(member, row, of: plan)
    }
    text.append(plan.members.isEmpty ? "{}" : "}")
  }

  /// The text of one value.
  func write(_ member: Plan.Member, _ row: SQLiteStatement, of plan: Plan) throws {
    let value = plan.table.values[member.property]
    guard let column = member.column else { return try writeCollection(member, key(row, of: plan), of: plan) }
    let cell = row.cell(column)
    if member.hasExact {
      for exact in try exactValues(member, key(row, of: plan), .null, of: plan)
      where standsFor(exact, cell, value, type: value.property.type == .mixed ? row.cell(column + 1) : .null) {
        return exact.withUnsafeBytes { text.append(bytes: $0) }
      }
    }
    try write(cell, type: value.property.type == .mixed ? row.cell(column + 1) : .null, value)
  }

  // MARK: Exact values

  private func exactValues(
    _ member: Plan.Member, _ owner: Cell, _ position: Cell, of plan: Plan
  ) throws -> [[UInt8]] {
    let slot = -2 - member.property
    let statement =
      try plan.free[slot]?.popLast()
      ?? file.database.prepare(
        """
        SELECT "value" FROM "_realm_values"
        WHERE "class" = ?1 AND "property" = ?2 AND "owner" = ?3 AND "position" IS ?4 ORDER BY rowid
        """)
    defer {
      statement.reset()
      plan.free[slot, default: []].append(statement)
    }
    // Bound text has to stay.
    let names = [plan.table.table.sqlName, plan.table.propertyNames[member.property].name].map { Array($0.utf8) }
    var found: [[UInt8]] = []
    var failure: DatabaseError?
    names[0].withUnsafeBytes { first in
      names[1].withUnsafeBytes { second in
        do throws(DatabaseError) {
          try statement.bind(.text(first), at: 0)
          try statement.bind(.text(second), at: 1)
          try statement.bind(owner, at: 2)
          try statement.bind(position, at: 3)
          while try statement.step() { found.append(statement.text(0)?.utf8 ?? []) }
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    return found
  }

  /// Whether a column has the value that an export writes in place of one that it cannot store. If not, the column has
  /// been changed since.
  private func standsFor(_ exact: [UInt8], _ cell: Cell, _ value: RelationalValue, type: Cell) -> Bool {
    if value.property.type == .mixed {
      // A Mixed value names its type, and only doubles and strings have a substitute.
      let word = exact.first == UInt8(ascii: "\"") ? "string" : "double"
      guard case .text(let name) = type, name.elementsEqual(word.utf8) else { return false }
      if word == "double", case .integer = cell { return false }
    }
    func begins(_ prefix: String) -> Bool { exact.starts(with: prefix.utf8) }
    if begins("{\"$float\":\"") || begins("{\"$numberDouble\":\"") {
      if !begins("{\"$float\":\"NaN"), !begins("{\"$numberDouble\":\"NaN") { return isZero(cell) }
      return value.isRequired ? isZero(cell) : isNull(cell)
    }
    if exact.first == UInt8(ascii: "\"") {
      var options = JSONReader.Options()
      options.restoresBytes = true
      guard case .text(let bytes) = cell, case .string(let text) = try? JSONValue.parse(exact, options: options) else {
        return false
      }
      return text.description.utf8.elementsEqual(bytes)
    }
    let datePrefix = "{\"$date\":\""
    if begins(datePrefix), value.property.type == .date {
      guard case .integer(let number) = cell else { return false }
      let date = exact.dropFirst(datePrefix.utf8.count).dropLast(2).withUnsafeBytes { Timestamp(text: $0) }
      return date.flatMap(file.relational.dates.number)?.value == number
    }
    switch cell {
    case .null: return !value.isRequired
    case .integer(let number): return value.isRequired && number == 0
    case .real(let number): return value.isRequired && number == 0
    case .text(let bytes), .blob(let bytes): return value.isRequired && bytes.isEmpty
    }
  }

  private func isZero(_ cell: Cell) -> Bool {
    switch cell {
    case .integer(let number): number == 0
    case .real(let number): number == 0
    case .null, .text, .blob: false
    }
  }

  private func isNull(_ cell: Cell) -> Bool { if case .null = cell { true } else { false } }

  // MARK: Values

  private func write(_ cell: Cell, type: Cell, _ value: RelationalValue) throws {
    switch (value.property.type, cell) {
    case (.mixed, _): writeMixed(cell, type)
    case (_, .null): form.appendNull(to: text)
    case (.int, .integer(let number)): form.append(int: number, to: text)
    case (.bool, .integer(let number)) where number == 0 || number == 1: form.append(bool: number == 1, to: text)
    case (.float, .real(let number)):
      let float = Float(number)
      guard Double(float) == number else { return writeForeign(cell) }
      form.append(float: float, at: value.position, to: text)
    case (.double, .real(let number)): form.append(double: number, to: text)
    case (.string, .text(let bytes)): text.appendJSON(bytes, style: style)
    case (.data, .blob(let bytes)): try form.append(data: BlobView(bytes), to: text)
    case (.date, .text(let bytes)) where file.relational.dates == .iso: write(date: bytes)
    case (.date, .integer(let number)) where file.relational.dates != .iso:
      form.append(date: file.relational.dates.date(number), to: text)
    case (.decimal128, .text(let bytes)): write(bytes, in: "$numberDecimal")
    case (.objectID, .text(let bytes)): write(bytes, in: "$oid")
    case (.uuid, .text(let bytes)): write(bytes, in: "$uuid")
    case (.object, _): try writeLink(cell, value)
    default: writeForeign(cell)
    }
  }

  /// Without the zeros at the end of its fraction, which a realm's content does not have.
  private func write(date bytes: UnsafeRawBufferPointer) {
    guard let point = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.last == UInt8(ascii: "Z"),
      bytes[bytes.count - 2] == UInt8(ascii: "0"), (1...9).contains(bytes.count - point - 2)
    else { return write(bytes, in: "$date") }
    var end = bytes.count - 1
    while bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
    if end == point + 1 { end = point }
    (Array(bytes[..<end]) + "Z".utf8).withUnsafeBytes { write($0, in: "$date") }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, in wrapper: StaticString) {
    text.append("{\"")
    text.append(wrapper)
    text.append("\":")
    text.appendJSON(bytes, style: style)
    text.append("}")
  }

  /// A value that no column of the form has.
  private func writeForeign(_ cell: Cell, type: Cell = .null) {
    text.append("{\"$sqlite\":")
    writePlain(cell)
    if !isNull(type) {
      text.append(",\"type\":")
      writePlain(type)
    }
    text.append("}")
  }

  private func writePlain(_ cell: Cell) {
    switch cell {
    case .null: form.appendNull(to: text)
    case .integer(let number): form.append(int: number, to: text)
    case .real(let number): form.append(double: number, to: text)
    case .text(let bytes): text.appendJSON(bytes, style: style)
    case .blob(let bytes):
      text.append("\"")
      text.appendBase64(bytes)
      text.append("\"")
    }
  }

  /// How values that are stored as JSON in Mixed columns begin.
  private static let beginnings: [(type: String, texts: [String])] = [
    ("bool", ["true", "false"]), ("float", ["{\"$float\":"]), ("date", ["{\"$date\":"]),
    ("decimal128", ["{\"$numberDecimal\":"]), ("objectId", ["{\"$oid\":"]), ("uuid", ["{\"$uuid\":"]),
    ("object", ["{\"$link\":"]), ("list", ["["]), ("set", ["{\"$set\":"]), ("dictionary", ["{\"$dictionary\":"]),
  ]

  private func writeMixed(_ cell: Cell, _ type: Cell) {
    guard case .text(let name) = type else {
      return isNull(cell) && isNull(type) ? form.appendNull(to: text) : writeForeign(cell, type: type)
    }
    func isType(_ word: String) -> Bool { name.elementsEqual(word.utf8) }
    switch cell {
    case .integer(let number) where isType("int"): form.append(int: number, to: text)
    case .real(let number) where isType("double"): form.append(double: number, to: text)
    case .text(let bytes) where isType("string"): text.appendJSON(bytes, style: style)
    case .blob(let bytes) where isType("data"):
      text.append("{\"$binary\":{\"base64\":\"")
      text.appendBase64(bytes)
      text.append("\",\"subType\":\"00\"}}")
    case .text(let bytes):
      let beginning = Self.beginnings.first { isType($0.type) }?.texts ?? []
      guard beginning.contains(where: { bytes.starts(with: $0.utf8) }) else { return writeForeign(cell, type: type) }
      text.append(bytes: bytes)
    case .null, .integer, .real, .blob: writeForeign(cell, type: type)
    }
  }

  // MARK: Links

  private func writeLink(_ cell: Cell, _ value: RelationalValue) throws {
    guard let target = value.target, let name = value.property.targetClass else { return writeForeign(cell) }
    switch target.key {
    case .primaryKey(let type):
      appendLinkHead(name, "key")
      writeKey(cell, type)
      text.append("}}")
    case .objectKey:
      guard case .integer(let key) = cell else { return writeForeign(cell) }
      guard let position = target.position else {
        appendLinkHead(name, "objKey")
        text.append(integer: key)
        return text.append("}}")
      }
      try writeLink(to: key, in: position, at: value.position)
    }
  }

  private func appendLinkHead(_ name: RealmString, _ member: StaticString) {
    text.append("{\"$link\":{\"table\":")
    text.appendJSON(name, style: style)
    text.append(",\"")
    text.append(member)
    text.append("\":")
  }

  private func writeKey(_ cell: Cell, _ type: PropertyType) {
    switch (type, cell) {
    case (_, .null): form.appendNull(to: text)
    case (.int, .integer(let number)): form.append(int: number, to: text)
    case (.string, .text(let bytes)): text.appendJSON(bytes, style: style)
    case (.objectID, .text(let bytes)): write(bytes, in: "$oid")
    case (.uuid, .text(let bytes)): write(bytes, in: "$uuid")
    default: writeForeign(cell)
    }
  }

  /// A link to a row that is identified by its object key.
  private func writeLink(to key: Int64, in position: Int, at place: ValuePosition) throws {
    let plan = plan(of: position)
    let schema = plan.table.schema
    guard schema.kind == .embedded else {
      appendLinkHead(schema.displayName, schema.primaryKeyIndex == nil ? "objKey" : "key")
      if let index = schema.primaryKeyIndex {
        let column = plan.table.table.columns.firstIndex { $0.name == plan.table.propertyNames[index].name } ?? 0
        let isThere = try withRow(key, of: plan) { row in
          if schema.properties[index].type.canBePrimaryKey {
            writeKey(row.cell(column), schema.properties[index].type)
          } else {
            try write(row.cell(column), type: .null, plan.table.values[index])
          }
        }
        if !isThere { writeForeign(.integer(key)) }
      } else {
        text.append(integer: key)
      }
      return text.append("}}")
    }
    let isWrapped = place != .property || schema.hasPropertyLikeWrapper
    if isWrapped {
      text.append("{\"$embedded\":{\"table\":")
      text.appendJSON(schema.displayName, style: style)
      text.append(",\"value\":")
    }
    visits += 1
    guard depth < Self.mostLevels, visits <= file.byteCount else { throw DatabaseError.endless }
    depth += 1
    defer { depth -= 1 }
    if try !withRow(key, of: plan, { try writeMembers($0, of: plan) }) { writeForeign(.integer(key)) }
    if isWrapped { text.append("}}") }
  }

  /// - Returns: whether there is such a row.
  private func withRow(_ key: Int64, of plan: Plan, _ body: (SQLiteStatement) throws -> Void) throws -> Bool {
    let statement =
      try plan.free[-1]?.popLast()
      ?? file.database.prepare(
        Self.selection(from: plan.table) + " WHERE \(SQLText.quoted(plan.table.keyName.name)) = ?1")
    defer {
      statement.reset()
      plan.free[-1, default: []].append(statement)
    }
    try statement.bind(.integer(key), at: 0)
    guard try statement.step() else { return false }
    try body(statement)
    return true
  }

  // MARK: Collections

  private func writeCollection(_ member: Plan.Member, _ owner: Cell, of plan: Plan) throws {
    let value = plan.table.values[member.property]
    guard let collection = value.property.collection, let table = plan.table.collections[member.property] else {
      return form.appendNull(to: text)
    }
    func write(_ rows: OwnedRows) throws {
      switch collection {
      case .list: try writeList(rows, member, owner, of: plan)
      case .set: try writeSet(rows, member, owner, of: plan)
      case .dictionary: try writeDictionary(rows, member, owner, of: plan)
      }
    }
    // The text is made for the first object only.
    func prepare(_ rest: (_ order: String) -> String) throws(DatabaseError) -> SQLiteStatement {
      let columns = table.columns.dropFirst().map { SQLText.quoted($0.name) + ", " }.joined() + "\"_owner\""
      let order = collection.choice("\"_position\"", "rowid", "\"_key\"")
      return try file.database.prepare(
        "SELECT \(columns) FROM \(SQLText.quoted(table.sqlName)) \(rest(order))")
    }
    // Embedded objects are in the order of their parents.
    if plan.isInKeyOrder, depth == 0 {
      let pass =
        try plan.passes[member.property]
        ?? OwnerPass(
          prepare { "ORDER BY \"_owner\" COLLATE BINARY, \($0)" }, ownerColumn: table.columns.count - 1)
      plan.passes[member.property] = pass
      if try pass.begin(owner) { return try write(.pass(pass)) }
    }
    let statement =
      try plan.free[member.property]?.popLast() ?? prepare { "WHERE \"_owner\" = ?1 ORDER BY \($0)" }
    defer {
      statement.reset()
      plan.free[member.property, default: []].append(statement)
    }
    try statement.bind(owner, at: 0)
    try write(.search(statement))
  }

  /// - Parameter first: the column of the value.
  private func writeElement(
    _ row: OwnedRows, _ first: Int, _ member: Plan.Member, _ owner: Cell, of plan: Plan
  ) throws {
    let value = plan.table.values[member.property]
    let cell = row.cell(first)
    if member.hasExact {
      for exact in try exactValues(member, owner, row.cell(0), of: plan)
      where standsFor(exact, cell, value, type: value.property.type == .mixed ? row.cell(first + 1) : .null) {
        return exact.withUnsafeBytes { text.append(bytes: $0) }
      }
    }
    try write(cell, type: value.property.type == .mixed ? row.cell(first + 1) : .null, value)
  }

  private func writeList(_ rows: OwnedRows, _ member: Plan.Member, _ owner: Cell, of plan: Plan) throws {
    text.append("[")
    var index: Int64 = 0
    while try rows.step() {
      if index > 0 { text.append(",") }
      if case .integer(index) = rows.cell(0) {
        try writeElement(rows, 1, member, owner, of: plan)
      } else {
        // An export numbers elements without gaps.
        text.append("{\"$sqlite\":")
        try writeElement(rows, 1, member, owner, of: plan)
        text.append(",\"position\":")
        writePlain(rows.cell(0))
        text.append("}")
      }
      index += 1
      if text.count > ExportLimits.spill, depth == 0 { try spill(text) }
    }
    text.append("]")
  }

  private func writeDictionary(_ rows: OwnedRows, _ member: Plan.Member, _ owner: Cell, of plan: Plan) throws {
    text.append(form.dictionaryBrackets.open)
    var isFirst = true
    while try rows.step() {
      if !isFirst { text.append(",") }
      isFirst = false
      if case .text(let key) = rows.cell(0) { text.appendJSON(key, style: style) } else { writeForeign(rows.cell(0)) }
      text.append(":")
      try writeElement(rows, 1, member, owner, of: plan)
      if text.count > ExportLimits.spill, depth == 0 { try spill(text) }
    }
    text.append(form.dictionaryBrackets.close)
  }

  /// Links are written after other values, sorted by their text, as in `ContentWriter`.
  private func writeSet(_ rows: OwnedRows, _ member: Plan.Member, _ owner: Cell, of plan: Plan) throws {
    let value = plan.table.values[member.property]
    var ordinal: Int64 = 0
    text.append(form.setBrackets.open)
    var links: [[UInt8]] = []
    var isFirst = true
    while try rows.step() {
      let cell = rows.cell(0)
      let mark = text.count
      if !isFirst { text.append(",") }
      let start = text.count
      let exact = member.hasExact ? try exactValues(member, owner, .integer(ordinal), of: plan) : []
      ordinal += 1
      if let exact = exact.first(where: {
        standsFor($0, cell, value, type: value.property.type == .mixed ? rows.cell(1) : .null)
      }) {
        exact.withUnsafeBytes { text.append(bytes: $0) }
      } else {
        try write(cell, type: value.property.type == .mixed ? rows.cell(1) : .null, value)
      }
      let isLink = text.withBytes { $0[start...].starts(with: "{\"$link\":".utf8) || value.property.type == .object }
      if isLink {
        links.append(text.withBytes { Array($0[start...]) })
        text.truncate(to: mark)
      } else {
        isFirst = false
      }
    }
    for link in links.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if !isFirst { text.append(",") }
      isFirst = false
      link.withUnsafeBytes { text.append(bytes: $0) }
    }
    text.append(form.setBrackets.close)
  }
}

extension RelationalSchema.DateForm {
  /// The date that a number of the form means.
  func date(_ number: Int64) -> Timestamp {
    guard self == .unixMilliseconds else { return Timestamp(seconds: number, nanoseconds: 0) }
    return Timestamp(seconds: number / 1000, nanoseconds: Int32(number % 1000) * 1_000_000)
  }
}
