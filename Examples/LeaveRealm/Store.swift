import RealmStorage

/// The tables of an app that is done with Realm: one for each class, and one for each collection, whose elements have their
/// position. An app with a model of its own has its own statements here.
struct Store {
  let database: SQLite

  /// A name in quotes.
  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  private static func table(_ parts: String...) -> String { quoted("realm." + parts.joined(separator: ".")) }

  init(_ path: String) throws {
    database = try SQLite(path)
    try database.run(
      "CREATE TABLE IF NOT EXISTS leaving (id INTEGER PRIMARY KEY CHECK (id = 1), checkpoint TEXT NOT NULL)")
  }

  func transaction(_ body: () throws -> Void) throws {
    try database.run("BEGIN IMMEDIATE")
    do {
      try body()
      try database.run("COMMIT")
    } catch {
      try? database.run("ROLLBACK")
      throw error
    }
  }

  // MARK: Checkpoint

  func checkpoint() throws -> String? {
    var text: String?
    try database.run("SELECT checkpoint FROM leaving") { text = $0[0].stringValue }
    return text
  }

  /// In the same transaction as what it is about.
  func setCheckpoint(_ text: String) throws {
    try database.run("INSERT OR REPLACE INTO leaving VALUES (1, ?)", [.string(RealmString(text))])
  }

  /// Removes what was copied from another state of the realm.
  func startAgain() throws {
    try transaction {
      var tables: [String] = []
      try database.run("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'realm.%'") { row in
        row[0].stringValue.map { tables.append($0) }
      }
      for table in tables { try database.run("DROP TABLE \(Self.quoted(table))") }
      try database.run("DELETE FROM leaving")
    }
  }

  // MARK: Objects

  func createTables(for schema: TableSchema) throws {
    let (name, single) = (schema.displayName.description, schema.properties.filter { $0.collection == nil })
    let columns = (["_key INTEGER PRIMARY KEY"] + single.map { Self.quoted($0.name.description) }).joined(
      separator: ", ")
    try database.run("CREATE TABLE IF NOT EXISTS \(Self.table(name)) (\(columns))")
    for property in schema.properties where property.collection != nil {
      try database.run(
        "CREATE TABLE IF NOT EXISTS \(Self.table(name, property.name.description)) "
          + "(_key INTEGER, position INTEGER, name TEXT, value, PRIMARY KEY (_key, position))")
    }
  }

  func insert(_ object: RealmObject) throws {
    let (schema, key) = (object.schema, Value.int(object.key.rawValue))
    let name = schema.displayName.description
    let values = zip(schema.properties, object.values)
    let row = [key] + values.filter { $0.0.collection == nil }.map { Self.cell($0.1, of: $0.0) }
    try database.run(
      "INSERT INTO \(Self.table(name)) VALUES (\(row.map { _ in "?" }.joined(separator: ", ")))", row)
    for (property, value) in values where property.collection != nil {
      let elements: [(Value, Value)] =
        value.elements.map { $0.map { (.null, $0) } }
        ?? (value.entries ?? [:]).sorted { $0.key < $1.key }.map { (.string($0.key), $0.value) }
      for (position, element) in elements.enumerated() {
        try database.run(
          "INSERT INTO \(Self.table(name, property.name.description)) VALUES (?, ?, ?, ?)",
          [key, .int(Int64(position)), element.0, Self.cell(element.1, of: property)])
      }
    }
  }

  /// Calls `body` with each object as it is stored.
  func forEachRow(of schema: TableSchema, _ body: (_ key: Int64, [RealmString: Value]) throws -> Void) throws {
    let name = schema.displayName.description
    let single = schema.properties.filter { $0.collection == nil }
    try database.run("SELECT * FROM \(Self.table(name))") { row in
      guard let key = row[0].intValue else { return }
      var values: [RealmString: Value] = [:]
      for (property, value) in zip(single, row.dropFirst()) { values[property.name] = value }
      for property in schema.properties {
        guard let kind = property.collection else { continue }
        var elements: [(name: Value, value: Value)] = []
        try database.run(
          "SELECT name, value FROM \(Self.table(name, property.name.description)) WHERE _key = ? ORDER BY position",
          [.int(key)]
        ) { elements.append(($0[0], $0[1])) }
        values[property.name] = Self.collection(kind, elements)
      }
      try body(key, values)
    }
  }

  private static func collection(_ kind: CollectionKind, _ elements: [(name: Value, value: Value)]) -> Value {
    switch kind {
    case .list: return .list(elements.map(\.value))
    case .set: return .set(elements.map(\.value))
    case .dictionary:
      var entries: [RealmString: Value] = [:]
      for case (.string(let name), let value) in elements { entries[name] = value }
      return .dictionary(entries)
    }
  }

  // MARK: Values

  /// What a property of an object is to be in the database.
  static func stored(_ value: Value, of property: Property) -> Value {
    switch value {
    case .list(let elements) where property.collection != nil: .list(elements.map { cell($0, of: property) })
    case .set(let elements) where property.collection != nil: .set(elements.map { cell($0, of: property) })
    case .dictionary(let entries) where property.collection != nil:
      .dictionary(entries.mapValues { cell($0, of: property) })
    default: cell(value, of: property)
    }
  }

  /// A value as SQLite stores it. Nothing is lost: SQLite has no NaN, so it is text; dates are seconds and nanoseconds, so
  /// they are text; decimals and identifiers are their bytes; a Mixed value is text with its type.
  private static func cell(_ value: Value, of property: Property) -> Value {
    if property.type == .mixed, value != .null { return .string(RealmString(text(of: value))) }
    switch value {
    case .null, .int, .string, .data: return value
    case .bool(let flag): return .int(flag ? 1 : 0)
    case .float(let number):
      return number.isNaN ? .string(RealmString("nan \(number.bitPattern)")) : .double(Double(number))
    case .double(let number): return number.isNaN ? .string(RealmString("nan \(number.bitPattern)")) : .double(number)
    case .date(let date): return .string(RealmString("\(date.seconds) \(date.nanoseconds)"))
    case .decimal(let number): return .data(bytes(number.high) + bytes(number.low))
    case .objectID(let id): return .data(bytes(id.head) + bytes(id.tail))
    case .uuid(let id): return .data(bytes(id.head) + bytes(id.tail))
    case .link(_, let key), .typedLink(_, let key): return .int(key.rawValue)
    case .list, .set, .dictionary: return .string(RealmString(text(of: value)))
    }
  }

  /// A value with its type, the same for the same value.
  private static func text(of value: Value) -> String {
    switch value {
    case .list(let elements): "list [\(elements.map(text).joined(separator: ", "))]"
    case .set(let elements): "set [\(elements.map(text).joined(separator: ", "))]"
    case .dictionary(let entries):
      "dictionary [\(entries.sorted { $0.key < $1.key }.map { "\($0.key.utf8): \(text(of: $0.value))" }.joined(separator: ", "))]"
    case .string(let text): "string \(text.utf8)"
    case .double(let number): "double \(number.bitPattern)"
    case .float(let number): "float \(number.bitPattern)"
    default: "\(value)"
    }
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    stride(from: Number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
  }
}
