import RealmStorage

/// Random changes of the existing tables and objects.
struct EditSequence {
  private var values: SeededValues
  private var keys: [TableKey: [ObjectKey]] = [:]
  private var nextName = 0

  init(seed: UInt64) { values = SeededValues(seed: seed) }

  /// - Throws: what is not a refusal.
  mutating func run(_ transaction: WriteTransaction) throws {
    for _ in 0..<values.roll(14) + 1 {
      do { try RealmError.uncovering { try step(transaction) } } catch is any ChangeRefusal { continue }
    }
  }

  private mutating func step(_ transaction: WriteTransaction) throws {
    guard let table = values.pick(transaction.tables), values.roll(30) > 0 else { return try addTable(transaction) }
    switch values.roll(24) {
    case 0: try transaction.removeTable(table.name)
    case 1: try transaction.renameTable(table.name, to: newName("class_R"))
    case 2: try transaction.setSchemaVersion(UInt64(values.roll(1000)))
    case 3: try table.addProperty(newProperty(transaction))
    case 4: try withProperty(of: table) { try table.removeProperty($1.name) }
    case 5: try withProperty(of: table) { try table.renameProperty($1.name, to: $0.newName("r")) }
    case 6: try withProperty(of: table) { try table.setOptional($1.name, !$1.isOptional) }
    case 7:
      try withProperty(of: table) {
        try table.setIndex($1.name, $0.values.pick([IndexKind.none, .general, .fullText]) ?? .none)
      }
    case 8:
      guard values.roll(3) > 0 else { return try table.setPrimaryKey(nil) }
      try withProperty(of: table) { try table.setPrimaryKey($1.name) }
    case 9, 10, 11: try create(in: table)
    case 12, 13, 14:
      guard let key = try object(of: table) else { return }
      try table.delete(key)
    case 15: try table.deleteAll()
    case 16: try createEmbedded(below: table)
    default: try change(table, transaction)
    }
  }

  fileprivate mutating func newName(_ prefix: String) -> RealmString {
    nextName += 1
    return RealmString("\(prefix)\(nextName)")
  }

  // MARK: Tables and properties

  private mutating func addTable(_ transaction: WriteTransaction) throws {
    let kind = values.pick([TableKind.topLevel, .topLevel, .embedded, .asymmetric]) ?? .topLevel
    let table = try transaction.addTable(newName("class_N"), kind)
    for _ in 0..<values.roll(4) { try table.addProperty(newProperty(transaction)) }
  }

  private mutating func newProperty(_ transaction: WriteTransaction) -> Property {
    var property = Property(name: newName("p"), type: values.pick(SeededValues.types) ?? .int)
    property.collection = values.roll(2) == 0 ? nil : values.pick([CollectionKind.list, .set, .dictionary])
    property.isOptional = values.roll(2) == 0 || property.type == .mixed
    if property.type == .object {
      property.target = values.pick(transaction.tables)?.name
      property.isOptional = property.collection == nil || property.collection == .dictionary
    }
    if values.roll(3) == 0 { property.index = .general }
    return property
  }

  private mutating func withProperty(
    of table: TableEditor, _ body: (inout EditSequence, Property) throws -> Void
  ) throws {
    guard let property = values.pick(table.schema.properties) else { return }
    try body(&self, property)
  }

  // MARK: Objects

  private mutating func object(of table: TableEditor) throws -> ObjectKey? {
    if keys[table.key] == nil {
      var found: [ObjectKey] = []
      // What cannot be read does not prevent anything else.
      try? table.forEachKey { found.append($0) }
      keys[table.key] = found
    }
    if values.roll(40) == 0 { return ObjectKey(rawValue: Int64(values.roll(100)) - 20) }
    return values.pick(keys[table.key] ?? [])
  }

  private mutating func create(in table: TableEditor) throws {
    let key: ObjectKey
    if let primaryKey = table.schema.primaryKey {
      key = try table.create(primaryKey: values.scalar(primaryKey.type, isOptional: primaryKey.isOptional))
    } else {
      key = try table.create()
    }
    keys[table.key]?.append(key)
  }

  private mutating func createEmbedded(below table: TableEditor) throws {
    guard let key = try object(of: table), let property = values.pick(table.schema.properties) else { return }
    let name: RealmString? = property.collection == .dictionary ? RealmString("k\(values.roll(9))") : nil
    _ = try table.createEmbedded(in: property.name, of: key, dictionaryKey: name)
  }

  private mutating func change(_ table: TableEditor, _ transaction: WriteTransaction) throws {
    guard let key = try object(of: table), let property = values.pick(table.schema.properties) else { return }
    if values.roll(4) == 0 {
      _ = try? table.value(property.name, of: key)
      _ = try? table.backlinks(of: key)
    }
    try table.set(property.name, of: key, to: try value(of: property, transaction))
  }

  private mutating func value(of property: Property, _ transaction: WriteTransaction) throws -> Value {
    let count = values.roll(12) == 0 ? values.roll(1500) : values.roll(5)
    switch property.collection {
    case nil: return try element(of: property, transaction)
    case .list: return .list(try (0..<count).map { _ in try element(of: property, transaction) })
    case .set: return .set(Array(Set(try (0..<count).map { _ in try element(of: property, transaction) })))
    case .dictionary:
      var entries: [RealmString: Value] = [:]
      for _ in 0..<min(count, 30) {
        entries[RealmString("k\(values.roll(50))")] = try element(of: property, transaction)
      }
      return .dictionary(entries)
    }
  }

  private mutating func element(of property: Property, _ transaction: WriteTransaction) throws -> Value {
    switch property.type {
    case .object:
      guard let name = property.target, let target = try? transaction.table(name), let key = try object(of: target)
      else { return .null }
      return .link(target.key, key)
    case .mixed:
      if values.roll(5) == 0, let target = values.pick(transaction.tables), let key = try object(of: target) {
        return .typedLink(target.key, key)
      }
      return property.collection == .set ? values.scalar(.int, isOptional: true) : values.mixed(depth: 0)
    default: return values.scalar(property.type, isOptional: property.isOptional)
    }
  }
}
