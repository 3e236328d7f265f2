import RealmModels
import RealmStorage
import RealmText

/// A SQLite database that is not an export of a realm, as classes: tables become classes, foreign keys links, and tables of
/// nothing but two foreign keys and a position lists.
package final class ForeignDatabase {
  struct Column {
    let name: String
    let declared: String
    let isRequired: Bool
    /// The property, as a new class has it.
    var property: Property
    /// Where a link finds its target, if not by the primary key.
    var lookup: Lookup?
  }

  /// A column without duplicates that a foreign key names.
  struct Lookup {
    let table: String
    let column: String
    /// The primary key of the table, which a link stores.
    let key: String
  }

  /// A foreign key that is no link.
  package struct UnlinkedKey: Hashable, Sendable {
    /// `table.column`; the columns of a key that has several.
    package let columns: String
    package let target: String
  }

  /// A list that is stored in another table.
  struct Join {
    let table: String
    let owner: String
    let target: String
    let position: String?
    var property: Property
  }

  struct Table {
    let name: String
    let className: RealmString
    var columns: [Column]
    /// The only column of the primary key.
    let primaryKey: Int?
    var joins: [Join] = []
  }

  let database: SQLiteDatabase
  private(set) var tables: [Table] = []
  /// The foreign keys whose columns stay values, because a link cannot store what they name.
  package private(set) var unlinkedKeys: [UnlinkedKey] = []

  /// - Parameters:
  ///   - only: the tables to read; all if empty.
  ///   - names: class names by table names.
  /// - Throws: `DatabaseError`; `InputError.source` for a table that does not exist.
  package init(_ path: String, only: [String] = [], names: [String: String] = [:]) throws {
    try RelationalFile.requireFinished(path)
    database = try SQLiteDatabase(path, .reading)
    var found = try Self.tableNames(database)
    if let missing = (only + names.keys.sorted()).first(where: { !found.contains($0) }) {
      throw InputError.source(
        .name, "the database has no table '\(missing)'",
        advice: NameAdvice.tables.text(for: missing, among: found))
    }
    if !only.isEmpty { found = found.filter(only.contains) }
    tables = try found.map { try Self.table($0, named: names[$0] ?? $0, in: database) }
    try findLinks()
  }

  /// Whether a database is an export of a realm.
  package static func isRelational(_ path: String) throws -> Bool {
    try SQLiteDatabase(path, .reading).number("SELECT count(*) FROM sqlite_master WHERE name = '_realm_schema'") > 0
  }

  /// The names of all tables of a database.
  package static func tableNames(_ path: String) throws -> [String] {
    try RelationalFile.requireFinished(path)
    return try tableNames(SQLiteDatabase(path, .reading))
  }

  /// Classes that fit its content.
  package var schema: Schema {
    Schema(
      tables: tables.map { table in
        var properties = table.columns.map(\.property)
        if let primaryKey = table.primaryKey { properties[primaryKey].index = .general }
        return TableSchema(
          name: TableSchema.tableName(ofClass: table.className), properties: properties + table.joins.map(\.property),
          primaryKeyIndex: table.primaryKey)
      })
  }

  private static func tableNames(_ database: SQLiteDatabase) throws(DatabaseError) -> [String] {
    let statement = try database.prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        + "ESCAPE '\\' ORDER BY name")
    var names: [String] = []
    while try statement.step() { if let name = statement.text(0) { names.append(name.description) } }
    return names
  }

  // MARK: Columns

  private static func table(_ name: String, named className: String, in database: SQLiteDatabase) throws -> Table {
    var columns: [Column] = []
    var keys: [Int] = []
    // Unlike table_info it has generated columns.
    let statement = try database.prepare("PRAGMA table_xinfo(\(SQLText.quoted(name)))")
    while try statement.step() {
      // Hidden columns of virtual tables are arguments, not values.
      guard let column = statement.text(1)?.description, statement.integer(6) != 1 else { continue }
      if statement.integer(6) > 1 { try database.limitComputing() }
      let declared = statement.text(2)?.description.uppercased() ?? ""
      let isKey = statement.integer(5) > 0
      if isKey { keys.append(columns.count) }
      let isRequired = statement.integer(3) != 0
      let type = try type(of: column, declared, in: name, database)
      columns.append(
        Column(
          name: column, declared: declared, isRequired: isRequired,
          property: Property(
            name: RealmString(column), type: type.type,
            isOptional: type.type == .mixed || !isRequired && (type.hasNull || !isKey))))
    }
    var primaryKey = keys.count == 1 ? keys.first : nil
    if let key = primaryKey, ![.int, .string].contains(columns[key].property.type) { primaryKey = nil }
    return Table(name: name, className: RealmString(className), columns: columns, primaryKey: primaryKey)
  }

  /// A type that fits all values of a column.
  private static func type(
    of column: String, _ declared: String, in table: String, _ database: SQLiteDatabase
  ) throws -> (type: PropertyType, hasNull: Bool) {
    let quoted = SQLText.quoted(column)
    let statement = try database.prepare(
      """
      SELECT count(*) FILTER (WHERE typeof(\(quoted)) = 'integer'), count(*) FILTER (WHERE typeof(\(quoted)) = 'real'),
      count(*) FILTER (WHERE typeof(\(quoted)) = 'text'), count(*) FILTER (WHERE typeof(\(quoted)) = 'blob'),
      count(*) FILTER (WHERE \(quoted) IS NULL),
      count(*) FILTER (WHERE typeof(\(quoted)) = 'integer' AND \(quoted) NOT IN (0, 1)),
      count(*) FILTER (WHERE typeof(\(quoted)) = 'integer' AND \(quoted) NOT BETWEEN -9007199254740992 AND 9007199254740992)
      FROM \(SQLText.quoted(table))
      """)
    guard try statement.step() else { return (.string, true) }
    let (integers, reals, texts, blobs) = (
      statement.integer(0) > 0, statement.integer(1) > 0, statement.integer(2) > 0, statement.integer(3) > 0
    )
    let hasNull = statement.integer(4) > 0
    func says(_ words: String...) -> Bool { words.contains { declared.contains(text: $0) } }
    switch (integers, reals, texts, blobs) {
    case (true, false, false, false) where says("BOOL") && statement.integer(5) == 0: return (.bool, hasNull)
    // A double cannot represent every integer.
    case (true, true, false, false) where statement.integer(6) > 0: return (.mixed, hasNull)
    case (true, false, false, false)
    where statement.integer(6) > 0 || !says("DEC", "NUM", "REAL", "FLOA", "DOUB", "MONEY"):
      return (.int, hasNull)
    case (true, _, false, false), (false, true, false, false): return (.double, hasNull)
    case (false, false, true, false):
      let isDate = try says("DATE", "TIME") && allAreDates(quoted, in: table, database)
      return (isDate ? .date : .string, hasNull)
    case (false, false, false, true): return (.data, hasNull)
    case (false, false, false, false):
      if says("BOOL") { return (.bool, hasNull) }
      if says("INT") { return (.int, hasNull) }
      if says("REAL", "FLOA", "DOUB", "DEC", "NUM") { return (.double, hasNull) }
      return (says("BLOB") ? .data : says("DATE", "TIME") ? .date : .string, hasNull)
    default: return (.mixed, hasNull)
    }
  }

  private static func allAreDates(_ column: String, in table: String, _ database: SQLiteDatabase) throws -> Bool {
    let statement = try database.prepare(
      "SELECT \(column) FROM \(SQLText.quoted(table)) WHERE \(column) IS NOT NULL")
    while try statement.step() {
      guard let text = statement.text(0), let date = dateText(text),
        try Value(text: date, as: .date) != nil
      else { return false }
    }
    return true
  }

  /// A date as SQLite writes it, in ISO 8601: its functions take times without a zone for UTC.
  static func dateText(_ text: RealmString) -> RealmString? {
    var bytes = Array(text.utf8)
    guard bytes.count >= 10, bytes.count <= 40 else { return nil }
    guard bytes.count > 10 else { return text }
    if bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
    if bytes.count == 16 { bytes += ":00".utf8 }
    let hasZone =
      bytes.last == UInt8(ascii: "Z") || bytes[10...].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    if !hasZone { bytes.append(UInt8(ascii: "Z")) }
    return RealmString(utf8: bytes)
  }

  // MARK: Foreign keys

  private struct ForeignKey {
    let column: Int
    let target: Int
    /// The column of the target; nil for its primary key.
    let unique: Int?
  }

  private func findLinks() throws {
    var keys: [[ForeignKey]] = []
    for table in tables { keys.append(try foreignKeys(of: table)) }
    let named = Set(keys.joined().map(\.target))
    var removed: Set<Int> = []
    for (number, table) in tables.enumerated() where !named.contains(number) {
      guard let join = join(table, keys[number]) else { continue }
      let owner = keys[number].first { table.columns[$0.column].name == join.owner }?.target ?? 0
      guard !tables[owner].columns.contains(where: { $0.property.name == join.property.name }),
        !tables[owner].joins.contains(where: { $0.property.name == join.property.name })
      else { continue }
      tables[owner].joins.append(join)
      removed.insert(number)
    }
    for (number, table) in tables.enumerated() where !removed.contains(number) {
      for key in keys[number] where key.column != table.primaryKey {
        let target = tables[key.target]
        let names = table.columns.map(\.property.name) + tables[number].joins.map(\.property.name)
        let short = Self.linkName(table.columns[key.column].name)
        var property = table.columns[key.column].property
        if !names.contains(RealmString(short)) { property.name = RealmString(short) }
        (property.type, property.isOptional) = (.object, true)
        property.target = TableSchema.tableName(ofClass: target.className)
        tables[number].columns[key.column].property = property
        if let unique = key.unique, let primaryKey = target.primaryKey {
          tables[number].columns[key.column].lookup = Lookup(
            table: target.name, column: target.columns[unique].name, key: target.columns[primaryKey].name)
        }
      }
    }
    tables = tables.indices.filter { !removed.contains($0) }.map { tables[$0] }
  }

  /// Foreign keys of one column that reference a table with a primary key, by it or by another column without duplicates.
  private func foreignKeys(of table: Table) throws -> [ForeignKey] {
    let statement = try database.prepare("PRAGMA foreign_key_list(\(SQLText.quoted(table.name)))")
    var rows: [(id: Int64, target: String, from: String, to: String?)] = []
    while try statement.step() {
      guard let target = statement.text(2)?.description, let from = statement.text(3)?.description else { continue }
      rows.append((statement.integer(0), target, from, statement.text(4)?.description))
    }
    func index(_ name: String, in table: Table) -> Int? {
      table.columns.firstIndex { SQLText.lowercased($0.name) == SQLText.lowercased(name) }
    }
    var keys: [ForeignKey] = []
    for row in rows.reversed() {
      // A table that was left out has no objects to link to.
      guard let target = tables.firstIndex(where: { SQLText.lowercased($0.name) == SQLText.lowercased(row.target) })
      else { continue }
      let others = rows.filter { $0.id == row.id }
      let named = row.to.flatMap { index($0, in: tables[target]) }
      if others.count == 1, let key = tables[target].primaryKey, let column = index(row.from, in: table),
        row.to == nil || named != nil
      {
        if named == nil || named == key {
          keys.append(ForeignKey(column: column, target: target, unique: nil))
          continue
        }
        if let named, try isUnique(tables[target].columns[named].name, in: tables[target].name) {
          keys.append(ForeignKey(column: column, target: target, unique: named))
          continue
        }
      }
      guard others.last?.from == row.from else { continue }
      let columns = others.map(\.from).joined(separator: ", ")
      let targets = others.compactMap(\.to).joined(separator: ", ")
      unlinkedKeys.append(
        UnlinkedKey(
          columns: "\(table.name).\(columns)",
          target: tables[target].name + (targets.isEmpty ? "" : ".\(targets)")))
    }
    return keys
  }

  /// Whether no two rows of a table have the same value in a column.
  private func isUnique(_ column: String, in table: String) throws -> Bool {
    let indexes = try database.prepare("PRAGMA index_list(\(SQLText.quoted(table)))")
    while try indexes.step() {
      guard indexes.integer(2) != 0, indexes.integer(4) == 0, let name = indexes.text(1)?.description else { continue }
      let columns = try database.prepare("PRAGMA index_info(\(SQLText.quoted(name)))")
      var names: [String?] = []
      while try columns.step() { names.append(columns.text(2)?.description) }
      if names == [column] { return true }
    }
    return false
  }

  private static let positions = ["position", "_position", "pos", "ord", "ordinal", "sort_order", "seq", "idx"]

  /// A table that consists of two foreign keys, and perhaps a position, as a list; nil for any other table.
  private func join(_ table: Table, _ keys: [ForeignKey]) -> Join? {
    guard keys.count == 2, keys[0].column != keys[1].column, keys.allSatisfy({ $0.unique == nil }) else { return nil }
    let ordered = keys.sorted { $0.column < $1.column }
    let others = table.columns.indices.filter { column in !keys.contains { $0.column == column } }
    let position = others.first { Self.positions.contains(SQLText.lowercased(table.columns[$0].name)) }
    guard others.count == (position == nil ? 0 : 1) else { return nil }
    let target = table.columns[ordered[1].column].name
    return Join(
      table: table.name, owner: table.columns[ordered[0].column].name, target: target,
      position: position.map { table.columns[$0].name },
      property: Property(
        name: RealmString(Self.linkName(target) + "s"), type: .object, collection: .list,
        target: TableSchema.tableName(ofClass: tables[ordered[1].target].className)))
  }

  /// A column's name without a final `_id`, `Id` or `ID`.
  private static func linkName(_ column: String) -> String {
    for ending in ["_id", "_ID", "Id", "ID"] where column.hasSuffix(ending) && column.utf8.count > ending.utf8.count {
      return String(column.dropLast(ending.count))
    }
    return column
  }
}

/// The rows of a database that is not an export of a realm, as objects.
package final class ForeignSource: ImportSource {
  private let file: ForeignDatabase
  private let output = LineOutput()
  private var plans: [Plan] = []
  private var current: Plan?
  private var rows: SQLiteStatement?
  private var joins: [JoinRows] = []
  private var note: (ImportProblem) throws -> Void = { _ in }

  package let coerces = true
  package let ownsObjectKeys = true
  package private(set) var byteCount = 0

  private struct Plan {
    let table: ForeignDatabase.Table
    let head: [UInt8]
    /// The property that a column belongs to; nil for a column that is left out.
    var columns: [(name: RealmString, type: PropertyType)?]
    var joins: [ForeignDatabase.Join]
  }

  /// The elements of lists, ordered as their owners are.
  private final class JoinRows {
    let property: RealmString
    let statement: SQLiteStatement
    var isThere: Bool

    init(_ property: RealmString, _ statement: SQLiteStatement) throws {
      (self.property, self.statement) = (property, statement)
      isThere = try statement.step()
    }
  }

  package init(_ file: ForeignDatabase) { self.file = file }

  package func open(_ classes: ImportedClasses, note: @escaping (ImportProblem) throws -> Void) throws {
    self.note = note
    var missing = (classes: [String](), properties: [String]())
    for table in file.tables {
      guard let dataClass = classes.classNamed(table.className) else {
        let isMapped = table.className != RealmString(table.name)
        missing.classes.append("'\(table.className)'" + (isMapped ? " for the table '\(table.name)'" : ""))
        continue
      }
      func property(_ names: RealmString...) -> DataProperty? {
        names.lazy.compactMap { name in dataClass.properties.first { $0.name == name } }.first
      }
      let text = TextBuffer(capacity: 64)
      text.append("{\"class\":")
      text.appendJSON(table.className, style: .lossless)
      text.append(",\"value\":{")
      let columns = table.columns.map { column in
        let found = property(column.property.name, RealmString(column.name))
        if found == nil { missing.properties.append("'\(table.className).\(column.property.name)'") }
        return found.map { ($0.name, $0.type) }
      }
      for join in table.joins where property(join.property.name) == nil {
        missing.properties.append("'\(table.className).\(join.property.name)'")
      }
      plans.append(
        Plan(
          table: table, head: text.withBytes { Array($0) }, columns: columns,
          joins: table.joins.filter { property($0.property.name) != nil }))
    }
    plans.reverse()
    guard missing.classes.isEmpty && missing.properties.isEmpty || classes.ignoresUnknown else {
      throw InputError.source(
        .missing(
          classes: missing.classes, properties: missing.properties, canAddProperties: classes.canAddProperties,
          hasTables: true))
    }
  }

  package func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try output.read(buffer) { try appendObject() }
  }

  private func appendObject() throws -> Bool {
    while true {
      if let rows, let current, try rows.step() {
        let before = output.text.count
        try append(rows, current)
        byteCount += output.text.count - before
        return true
      }
      guard let plan = plans.popLast() else { return false }
      current = plan
      let table = SQLText.quoted(plan.table.name)
      let key = plan.table.primaryKey.map { SQLText.quoted(plan.table.columns[$0].name) }
      let columns = zip(plan.table.columns, plan.columns).map { column, property in
        guard let lookup = column.lookup, property?.type == .object else { return SQLText.quoted(column.name) }
        return Self.found(lookup, for: "\(table).\(SQLText.quoted(column.name))")
      }.joined(separator: ", ")
      for (column, property) in zip(plan.table.columns, plan.columns) where property?.type == .object {
        if let lookup = column.lookup { try noteMissing(lookup, column.name, of: plan.table) }
      }
      rows = try file.database.prepare("SELECT \(columns) FROM \(table)" + (key.map { " ORDER BY \($0)" } ?? ""))
      for join in plan.joins { try noteOrphans(of: join, plan.table) }
      joins = try plan.joins.map { join in
        let owner = "o." + (key ?? "rowid")
        let elements =
          "SELECT \(owner), j.\(SQLText.quoted(join.target)) FROM \(SQLText.quoted(join.table)) j JOIN \(table) o "
          + "ON \(owner) = j.\(SQLText.quoted(join.owner)) ORDER BY \(owner)"
        if let position = join.position {
          return try JoinRows(join.property.name, file.database.prepare("\(elements), j.\(SQLText.quoted(position))"))
        }
        // A table may have no row numbers.
        let statement = try (try? file.database.prepare(elements + ", j.rowid")) ?? file.database.prepare(elements)
        return try JoinRows(join.property.name, statement)
      }
    }
  }

  /// Reports the rows of a list whose owner does not exist.
  private func noteOrphans(of join: ForeignDatabase.Join, _ owner: ForeignDatabase.Table) throws {
    guard let key = owner.primaryKey.map({ SQLText.quoted(owner.columns[$0].name) }) else { return }
    let column = "j.\(SQLText.quoted(join.owner))"
    let rows = try file.database.prepare(
      "SELECT CAST(\(column) AS TEXT) FROM \(SQLText.quoted(join.table)) j LEFT JOIN \(SQLText.quoted(owner.name)) o "
        + "ON o.\(key) = \(column) WHERE o.\(key) IS NULL")
    while try rows.step() {
      let name = rows.text(0).map { ShownText.beginning(of: $0.description) }
      try note(
        ImportProblem(
          source: 0, line: 0, column: 0, className: nil, property: nil, object: nil, value: name,
          reason: "table '\(join.table)': "
            + (name.map { "\(owner.className) '\($0)' of a row does not exist" } ?? "a row has no \(join.owner)")))
    }
  }

  /// The primary key of the row that a value names.
  private static func found(_ lookup: ForeignDatabase.Lookup, for value: String) -> String {
    "(SELECT t.\(SQLText.quoted(lookup.key)) FROM \(SQLText.quoted(lookup.table)) t "
      + "WHERE t.\(SQLText.quoted(lookup.column)) = \(value))"
  }

  /// Reports the values of a foreign key that name no row.
  private func noteMissing(_ lookup: ForeignDatabase.Lookup, _ column: String, of table: ForeignDatabase.Table) throws {
    let own = "\(SQLText.quoted(table.name)).\(SQLText.quoted(column))"
    let rows = try file.database.prepare(
      "SELECT CAST(\(own) AS TEXT) FROM \(SQLText.quoted(table.name)) WHERE \(own) IS NOT NULL "
        + "AND \(Self.found(lookup, for: own)) IS NULL")
    while try rows.step() {
      let name = rows.text(0).map { ShownText.beginning(of: $0.description) } ?? ""
      try note(
        ImportProblem(
          source: 0, line: 0, column: 0, className: nil, property: nil, object: nil, value: name,
          reason: "table '\(table.name)': \(lookup.table) with \(lookup.column) '\(name)' of a row does not exist"))
    }
  }

  private func append(_ row: SQLiteStatement, _ plan: Plan) throws {
    let text = output.text
    plan.head.withUnsafeBytes { text.append(bytes: $0) }
    var isFirst = true
    func label(_ name: RealmString) {
      if !isFirst { text.append(",") }
      isFirst = false
      text.appendJSON(name, style: .lossless)
      text.append(":")
    }
    for (index, column) in plan.columns.enumerated() {
      guard let column else { continue }
      label(column.name)
      append(row.cell(index), as: column.type)
    }
    if let key = plan.table.primaryKey {
      for join in joins {
        label(join.property)
        text.append("[")
        var isFirstElement = true
        while join.isThere, Self.isSame(join.statement.cell(0), row.cell(key)) {
          if !isFirstElement { text.append(",") }
          isFirstElement = false
          append(join.statement.cell(1), as: .object)
          join.isThere = try join.statement.step()
        }
        text.append("]")
      }
    }
    text.append("}}\n")
  }

  private static func isSame(_ left: RelationalRecords.Cell, _ right: RelationalRecords.Cell) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.elementsEqual(right)
    default: false
    }
  }

  private func append(_ cell: RelationalRecords.Cell, as type: PropertyType) {
    let text = output.text
    switch cell {
    case .null: text.append("null")
    case .integer(let number) where type == .bool && 0...1 ~= number: text.append(number == 1 ? "true" : "false")
    case .integer(let number): text.append(integer: number)
    case .real(let number) where number.isFinite: text.appendShortest(number)
    case .real(let number): text.append(number > 0 ? "\"Infinity\"" : "\"-Infinity\"")
    case .text(let bytes):
      let date = type == .date ? ForeignDatabase.dateText(RealmString(bytes)) : nil
      if let date { text.appendJSON(date, style: .lossless) } else { text.appendJSON(bytes, style: .lossless) }
    case .blob(let bytes):
      if type != .data { text.append("{\"$binary\":{\"base64\":") }
      text.append("\"")
      text.appendBase64(bytes)
      text.append("\"")
      if type != .data { text.append(",\"subType\":\"00\"}}") }
    }
  }

  package func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace {
    ImportPlace(line: 0, column: 0)
  }
}
