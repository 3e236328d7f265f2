import TestSupport

@testable import RealmStorage

/// Changes at random, done to a realm and to the model of it.
struct RandomEdits {
  var model: RealmModel
  var dice: SeededDice
  private var nextName = 0

  init(seed: UInt64) {
    dice = SeededDice(seed: seed)
    model = RealmModel()
  }

  static let scalars: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed,
  ]

  private mutating func roll(_ sides: Int) -> Int { Int(dice.roll(UInt64(max(sides, 1)))) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[roll(elements.count)]
  }
  private mutating func name(_ prefix: String) -> RealmString {
    nextName += 1
    return RealmString("\(prefix)\(nextName)")
  }

  // MARK: Steps

  /// One transaction's worth of changes.
  mutating func run(_ transaction: WriteTransaction, steps: Int) throws {
    for _ in 0..<steps { try step(transaction) }
  }

  private mutating func step(_ transaction: WriteTransaction) throws {
    guard let table = pick(model.classes.keys.sorted()) else { return try addClass(transaction) }
    switch roll(60) {
    case 0: if model.classes.count < 5 { try addClass(transaction) }
    case 1, 2: if (model.classes[table]?.properties.count ?? 0) < 12 { try addProperty(transaction, table) }
    case 3: try removeProperty(transaction, table)
    case 4: try renameProperty(transaction, table)
    case 5: try changeOptionality(transaction, table)
    case 6: try changeIndex(transaction, table)
    case 7:
      let version = UInt64(roll(100))
      try transaction.setSchemaVersion(version)
      model.schemaVersion = version
    case 8...25: try create(transaction, table)
    case 26...33: try delete(transaction, table)
    default: try change(transaction, table)
    }
  }

  private mutating func addClass(_ transaction: WriteTransaction) throws {
    let name = name("class_C")
    let table = try transaction.addTable(name)
    model.classes[name] = RealmModel.Class(key: table.key, properties: [])
    if roll(2) == 0 {
      let type = pick([PropertyType.int, .string, .objectID, .uuid]) ?? .int
      let property = Property(name: "_id", type: type, isOptional: roll(3) == 0, index: .general)
      try table.addProperty(property)
      try table.setPrimaryKey("_id")
      model.classes[name]?.properties = [property]
      model.classes[name]?.primaryKey = "_id"
    }
    for _ in 0..<roll(4) { try addProperty(transaction, name) }
  }

  private mutating func addProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    var property = Property(name: name("p"), type: .int)
    property.collection = roll(2) == 0 ? nil : pick([CollectionKind.list, .set, .dictionary])
    if roll(4) == 0 {
      property.type = .object
      property.target = pick(model.classes.keys.sorted())
    } else {
      property.type = pick(Self.scalars) ?? .int
      property.isOptional = roll(2) == 0
    }
    property.isOptional = property.isStoredNullable
    for index in [IndexKind.general, .fullText] where property.allows(index) && roll(4) == 0 { property.index = index }
    let editor = try transaction.table(table)
    try editor.addProperty(property)
    model.classes[table]?.properties.append(property)
    let value = try editor.column(property.name).defaultValue
    for key in (model.classes[table]?.objects ?? [:]).keys {
      model.classes[table]?.objects[key]?[property.name] = value
    }
  }

  private mutating func removeProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let property = pick(ordinaryProperties(table)) else { return }
    try transaction.table(table).removeProperty(property.name)
    model.classes[table]?.properties.removeAll { $0.name == property.name }
    for key in (model.classes[table]?.objects ?? [:]).keys { model.classes[table]?.objects[key]?[property.name] = nil }
  }

  /// All but the primary key.
  private func ordinaryProperties(_ table: RealmString) -> [Property] {
    (model.classes[table]?.properties ?? []).filter { $0.name != model.classes[table]?.primaryKey }
  }

  private mutating func renameProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let property = pick(ordinaryProperties(table)),
      let index = model.classes[table]?.properties.firstIndex(of: property)
    else { return }
    let new = name("r")
    try transaction.table(table).renameProperty(property.name, to: new)
    model.classes[table]?.properties[index].name = new
    for key in (model.classes[table]?.objects ?? [:]).keys {
      let value = model.classes[table]?.objects[key]?.removeValue(forKey: property.name)
      model.classes[table]?.objects[key]?[new] = value
    }
  }

  private mutating func changeOptionality(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let candidates = ordinaryProperties(table).filter { $0.type != .mixed && $0.type != .object }
    guard var property = pick(candidates) else { return }
    property.isOptional.toggle()
    let editor = try transaction.table(table)
    try editor.setOptional(property.name, property.isOptional)
    model.classes[table]?.properties.removeAll { $0.name == property.name }
    model.classes[table]?.properties.append(property)
    guard !property.isOptional else { return }
    var single = property
    single.collection = nil
    let replacement = Self.defaultValue(of: single.type)
    for (key, object) in model.classes[table]?.objects ?? [:] {
      model.classes[table]?.objects[key]?[property.name] = object[property.name].map { Self.replacing($0, replacement) }
    }
  }

  private static func replacing(_ value: Value, _ replacement: Value) -> Value {
    switch value {
    case .null: replacement
    case .list(let elements): .list(elements.map { $0 == .null ? replacement : $0 })
    case .set(let elements): .set(Array(Set(elements.map { $0 == .null ? replacement : $0 })))
    case .dictionary(let entries): .dictionary(entries.mapValues { $0 == .null ? replacement : $0 })
    default: value
    }
  }

  private static func defaultValue(of type: PropertyType) -> Value {
    switch type {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data([])
    case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal128: .decimal(Decimal128(coefficient: 0, exponent: 0, isNegative: false))
    case .objectID: .objectID(ObjectID(head: 0, tail: 0))
    case .uuid: .uuid(RealmUUID(head: 0, tail: 0))
    default: .null
    }
  }

  private mutating func changeIndex(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard var property = pick(ordinaryProperties(table)),
      let index = model.classes[table]?.properties.firstIndex(of: property),
      let kind = pick([IndexKind.none, .general, .fullText].filter { property.allows($0) })
    else { return }
    property.index = kind
    try transaction.table(table).setIndex(property.name, kind)
    model.classes[table]?.properties[index] = property
  }

  // MARK: Objects

  private mutating func create(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table] else { return }
    let editor = try transaction.table(table)
    var object: [RealmString: Value] = [:]
    for property in entry.properties { object[property.name] = try editor.column(property.name).defaultValue }
    let key: ObjectKey
    if let primaryKey = entry.primaryKey, let property = entry.properties.first(where: { $0.name == primaryKey }) {
      let value = scalar(property.type, isOptional: property.isOptional, wide: true)
      if entry.objects.values.contains(where: { $0[primaryKey] == value }) { return }
      key = try editor.create(primaryKey: value)
      object[primaryKey] = value
    } else {
      key = try editor.create()
    }
    model.classes[table]?.objects[key] = object
    for _ in 0..<roll(4) { try change(transaction, table, key) }
  }

  private mutating func delete(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let key = pick((model.classes[table]?.objects.keys).map { $0.sorted() } ?? []) else { return }
    try transaction.table(table).delete(key)
    model.delete(table, key)
  }

  private mutating func change(_ transaction: WriteTransaction, _ table: RealmString, _ key: ObjectKey? = nil) throws {
    guard let key = key ?? pick((model.classes[table]?.objects.keys).map { $0.sorted() } ?? []),
      let property = pick(ordinaryProperties(table))
    else { return }
    let value = self.value(of: property)
    try transaction.table(table).set(property.name, of: key, to: value)
    model.classes[table]?.objects[key]?[property.name] = value
  }

  private mutating func value(of property: Property) -> Value {
    let count = roll(10) == 0 ? roll(3000) : roll(6)
    switch property.collection {
    case nil: return element(of: property, depth: 0) ?? .null
    case .list: return .list((0..<count).compactMap { _ in element(of: property, depth: 1) })
    case .set:
      var elements: Set<Value> = []
      for _ in 0..<count { if let element = element(of: property, depth: Self.inSet) { elements.insert(element) } }
      return .set(Array(elements))
    case .dictionary:
      var entries: [RealmString: Value] = [:]
      for _ in 0..<min(count, 40) { entries[RealmString("k\(roll(50))")] = element(of: property, depth: 1) }
      return .dictionary(entries)
    }
  }

  /// Nil where there is nothing to link to.
  private mutating func element(of property: Property, depth: Int) -> Value? {
    switch property.type {
    case .object:
      let isNullable = property.collection == nil || property.collection == .dictionary
      if isNullable, roll(5) == 0 { return .null }
      guard let target = property.target, let entry = model.classes[target],
        let key = pick(entry.objects.keys.sorted())
      else { return isNullable ? .null : nil }
      return .link(entry.key, key)
    case .mixed: return mixed(depth: depth)
    default: return scalar(property.type, isOptional: property.isOptional, wide: roll(3) == 0)
    }
  }

  /// The depth of what cannot hold collections.
  private static let inSet = 9

  private mutating func mixed(depth: Int) -> Value {
    if depth < 3, roll(6) == 0 {
      if roll(2) == 0 { return .list((0..<roll(4)).map { _ in mixed(depth: depth + 1) }) }
      var entries: [RealmString: Value] = [:]
      for _ in 0..<roll(4) { entries[RealmString("m\(roll(9))")] = mixed(depth: depth + 1) }
      return .dictionary(entries)
    }
    if roll(5) == 0, let name = pick(model.classes.keys.sorted()), let entry = model.classes[name],
      let key = pick(entry.objects.keys.sorted())
    {
      return .typedLink(entry.key, key)
    }
    // In a set, numbers of different types can be equal.
    let others: Set<PropertyType> = depth >= Self.inSet ? [.mixed, .float, .double, .decimal128] : [.mixed]
    let type = pick(Self.scalars.filter { !others.contains($0) }) ?? .int
    return scalar(type, isOptional: true, wide: roll(3) == 0)
  }

  private mutating func scalar(_ type: PropertyType, isOptional: Bool, wide: Bool) -> Value {
    if isOptional, roll(6) == 0 { return .null }
    let number = wide ? Int64(bitPattern: dice.roll(1 << 31) << 33 | dice.roll(1 << 31)) : Int64(roll(20)) - 5
    switch type {
    case .bool: return .bool(number & 1 == 0)
    case .float: return .float(Float(number % 100_000) / 4)
    case .double: return .double(Double(number) / 8)
    case .string: return .string(text(number))
    case .data: return .data(text(number).utf8)
    case .date: return .date(Timestamp(seconds: number / 16, nanoseconds: number < 0 ? -5 : 7))
    case .decimal128:
      // Zeros of different exponents would be equal in a set.
      let exponent = number == 0 ? 0 : -2
      return .decimal(Decimal128(coefficient: number.magnitude, exponent: exponent, isNegative: number < 0))
    case .objectID: return .objectID(ObjectID(head: UInt64(bitPattern: number), tail: 7))
    case .uuid: return .uuid(RealmUUID(head: UInt64(bitPattern: number), tail: 9))
    default: return .int(number)
    }
  }

  private mutating func text(_ number: Int64) -> RealmString {
    switch roll(8) {
    case 0: ""
    // An index on a list takes texts of 200 bytes at most.
    case 1: RealmString(String(repeating: "long text ", count: 1 + roll(17)) + "\(number)")
    case 2: RealmString("Zoë and \(number & 7) others")
    default: RealmString("t\(number)")
    }
  }
}
