import TestSupport
import Testing

@testable import RealmStorage

/// Random changes of a realm and its model.
struct RandomEdits {
  var model = RealmModel()
  var dice: SeededDice
  /// How often each kind of change was made.
  private(set) var counts: [String: Int] = [:]
  private var nextName = 0
  private var nextNumber: Int64 = 10_000_000
  /// Whether there are thousands of objects, so that clusters split and are joined.
  private let isLarge: Bool

  init(seed: UInt64, isLarge: Bool = false) {
    dice = SeededDice(seed: seed)
    self.isLarge = isLarge
  }

  mutating func roll(_ sides: Int) -> Int { Int(dice.roll(UInt64(max(sides, 1)))) }
  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[roll(elements.count)]
  }
  mutating func name(_ prefix: String) -> RealmString {
    nextName += 1
    return RealmString("\(prefix)\(nextName)")
  }
  mutating func count(_ change: String) { counts[change, default: 0] += 1 }

  // MARK: Steps

  /// The changes of one transaction.
  mutating func run(_ transaction: WriteTransaction, steps: Int) throws {
    if isLarge, !model.classes.isEmpty { try changeMany(transaction) }
    for _ in 0..<steps { try step(transaction) }
  }

  private mutating func step(_ transaction: WriteTransaction) throws {
    guard let table = pick(model.classes.keys.sorted()) else { return try addClass(transaction) }
    switch roll(76) {
    case 0, 1: if model.classes.count < 6 { try addClass(transaction) }
    case 2: try removeClass(transaction, table)
    case 3: try renameClass(transaction, table)
    case 4, 5, 6: if (model.classes[table]?.properties.count ?? 0) < 12 { try addProperty(transaction, table) }
    case 7: try removeProperty(transaction, table)
    case 8: try replaceProperty(transaction, table)
    case 9: try renameProperty(transaction, table)
    case 10, 11: try changeOptionality(transaction, table)
    case 12: try changeIndex(transaction, table)
    case 13, 14: try changePrimaryKey(transaction, table)
    case 15, 16: try changeKind(transaction, table)
    case 17: try changeVersion(transaction)
    case 18, 19: try refuse(transaction, table)
    case 20...37: try create(transaction, table)
    case 38...45: try delete(transaction, table)
    case 46: try changePrimaryKeyValue(transaction, table)
    default: try change(transaction, table)
    }
  }

  private mutating func changeVersion(_ transaction: WriteTransaction) throws {
    let version = UInt64(roll(100))
    try transaction.setSchemaVersion(version)
    model.schemaVersion = version
  }

  // MARK: Many objects

  private mutating func changeMany(_ transaction: WriteTransaction) throws {
    let names = model.classes.filter { $1.kind == .topLevel }.keys.sorted()
    guard let table = pick(names), let entry = model.classes[table] else { return }
    if entry.keys.count < 500 || roll(3) == 0 { return try createMany(transaction, table) }
    let keys = entry.keys.sorted()
    let (divisor, start) = (roll(9) + 2, roll(keys.count))
    let range = start..<start + roll(keys.count)
    let goes = roll(2) == 0
    let doomed = keys.enumerated().filter { range.contains($0.offset) || ($0.offset % divisor == 0) == goes }
    let editor = try transaction.table(table)
    for (_, key) in doomed { try editor.delete(key) }
    model.delete(doomed.map { RealmModel.Object(table: entry.key, key: $0.element) })
    count("objects deleted together")
  }

  private mutating func createMany(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let editor = try transaction.table(table)
    guard let entry = model.classes[table], let defaults = try defaults(of: table, editor) else { return }
    let keyProperty = entry.properties.first { $0.name == entry.primaryKey }
    let property = ordinaryProperties(table).first { $0.collection == nil && $0.type != .object }
    for number in 0..<1000 + roll(2500) {
      nextNumber += 1
      var object = defaults
      let key: ObjectKey
      if let keyProperty, let value = Self.identity(keyProperty.type, nextNumber) {
        key = try editor.create(primaryKey: value)
        object[keyProperty.name] = value
      } else {
        key = try editor.create()
      }
      if number % 3 == 0, let property {
        let value = value(of: property)
        try editor.set(property.name, of: key, to: value)
        object[property.name] = value
      }
      model.classes[table]?.insert(key, object)
    }
    count("objects created together")
  }

  // MARK: Objects

  /// All but the primary key.
  func ordinaryProperties(_ table: RealmString) -> [Property] {
    (model.classes[table]?.properties ?? []).filter { $0.name != model.classes[table]?.primaryKey }
  }

  private func defaults(of table: RealmString, _ editor: TableEditor) throws -> [RealmString: Value]? {
    guard let entry = model.classes[table] else { return nil }
    return Dictionary(
      uniqueKeysWithValues: try entry.properties.map { ($0.name, try editor.column($0.name).defaultValue) })
  }

  private mutating func create(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let editor = try transaction.table(table)
    guard let entry = model.classes[table], entry.kind != .embedded, var object = try defaults(of: table, editor)
    else { return }
    let key: ObjectKey
    if let primaryKey = entry.primaryKey, let property = entry.properties.first(where: { $0.name == primaryKey }) {
      let value = scalar(property.type, isOptional: property.isOptional, wide: true)
      if entry.values(of: primaryKey).contains(value) {
        count("duplicate refused")
        #expect(throws: EditError.primaryKeyInUse(table: table, value)) {
          try RealmError.uncovering { try editor.create(primaryKey: value) }
        }
        return
      }
      key = try editor.create(primaryKey: value)
      object[primaryKey] = value
    } else {
      key = try editor.create()
    }
    model.classes[table]?.insert(key, object)
    count("object created")
    for _ in 0..<roll(4) { try change(transaction, table, key) }
  }

  private mutating func delete(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table], let key = pick(entry.keys) else { return }
    let editor = try transaction.table(table)
    if entry.keys.count < 30, roll(30) == 0 {
      try editor.deleteAll()
      model.delete(entry.keys.map { RealmModel.Object(table: entry.key, key: $0) })
      return count("class emptied")
    }
    try editor.delete(key)
    model.delete([RealmModel.Object(table: entry.key, key: key)])
    count(entry.kind == .embedded ? "embedded object deleted" : "object deleted")
  }

  private mutating func change(_ transaction: WriteTransaction, _ table: RealmString, _ key: ObjectKey? = nil) throws {
    guard let key = key ?? pick(model.classes[table]?.keys ?? []), let property = pick(ordinaryProperties(table))
    else { return }
    if let target = property.target, model.classes[target]?.kind == .embedded {
      return try changeEmbedded(transaction, table, key, property, target)
    }
    let value = self.value(of: property)
    try transaction.table(table).set(property.name, of: key, to: value)
    model.classes[table]?.set(property.name, of: key, to: value)
    count("value changed")
  }

  private mutating func changePrimaryKeyValue(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table], let primaryKey = entry.primaryKey, let key = pick(entry.keys),
      let property = entry.properties.first(where: { $0.name == primaryKey })
    else { return }
    let value = scalar(property.type, isOptional: property.isOptional, wide: roll(2) == 0)
    guard !entry.values(of: primaryKey).contains(value) else { return }
    try transaction.table(table).set(primaryKey, of: key, to: value)
    model.classes[table]?.set(primaryKey, of: key, to: value)
    count("primary key of an object changed")
  }

  // MARK: Embedded objects

  /// Creates an embedded object, or removes some.
  private mutating func changeEmbedded(
    _ transaction: WriteTransaction, _ table: RealmString, _ key: ObjectKey, _ property: Property,
    _ target: RealmString
  ) throws {
    guard let old = model.classes[table]?.objects[key]?[property.name], let targetKey = model.classes[target]?.key
    else { return }
    let editor = try transaction.table(table)
    var new = old
    if roll(4) == 0 {
      switch old {
      case .list(let elements): new = .list(rotated(elements.filter { _ in roll(3) > 0 }))
      case .dictionary(let entries):
        let doomed = pick(entries.keys.sorted())
        new = .dictionary(entries.filter { $0.key != doomed })
      default: new = .null
      }
      try editor.set(property.name, of: key, to: new)
      count("embedded objects let go")
    } else {
      let dictionaryKey: RealmString? = property.collection == .dictionary ? RealmString("e\(roll(6))") : nil
      let made = try editor.createEmbedded(in: property.name, of: key, dictionaryKey: dictionaryKey)
      guard let defaults = try defaults(of: target, try transaction.table(target)) else { return }
      model.classes[target]?.insert(made, defaults)
      switch old {
      case .list(let elements): new = .list(elements + [.link(targetKey, made)])
      case .dictionary(var entries):
        if let dictionaryKey { entries[dictionaryKey] = .link(targetKey, made) }
        new = .dictionary(entries)
      default: new = .link(targetKey, made)
      }
      count("embedded object created")
    }
    model.classes[table]?.set(property.name, of: key, to: new)
    var kept: Set<ObjectKey> = []
    new.forEachLink { kept.insert($1) }
    var orphans: [RealmModel.Object] = []
    old.forEachLink { if !kept.contains($1) { orphans.append(RealmModel.Object(table: $0, key: $1)) } }
    model.delete(orphans)
    guard let child = kept.sorted().last, roll(2) == 0 else { return }
    try change(transaction, target, child)
  }

  private mutating func rotated(_ elements: [Value]) -> [Value] {
    guard let place = elements.indices.last.map({ roll($0 + 1) }) else { return elements }
    return Array(elements[place...] + elements[..<place])
  }
}
