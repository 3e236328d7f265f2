import TestSupport
import Testing

@testable import RealmStorage

/// Random changes of the schema.
extension RandomEdits {
  // MARK: Classes

  mutating func addClass(_ transaction: WriteTransaction) throws {
    let name = name("class_C")
    let kind: TableKind = !model.classes.isEmpty && roll(3) == 0 ? .embedded : .topLevel
    let table = try transaction.addTable(name, kind)
    model.classes[name] = RealmModel.Class(key: table.key, kind: kind)
    if kind == .topLevel, roll(2) == 0 {
      let type = pick([PropertyType.int, .string, .objectID, .uuid]) ?? .int
      let property = Property(name: "_id", type: type, isOptional: roll(3) == 0, index: .general)
      try table.addProperty(property)
      try table.setPrimaryKey("_id")
      model.classes[name]?.properties = [property]
      model.classes[name]?.primaryKey = "_id"
      model.classes[name]?.isKeyIndexedToo = true
    }
    for _ in 0..<roll(4) { try addProperty(transaction, name) }
    // Embedded objects need something that links to them.
    guard kind == .embedded, let parent = pick(model.classes.keys.sorted()) else { return }
    try add(linkProperty(to: name, pick([nil, .list, .dictionary]) ?? nil), to: parent, transaction)
  }

  mutating func removeClass(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let others = model.classes.filter { $0.key != table }.values
    if others.contains(where: { $0.properties.contains { $0.target == table } }) {
      #expect(throws: EditError.isLinkTarget(table: table)) { try transaction.removeTable(table) }
      return count("class that others link to not removed")
    }
    guard let entry = model.classes[table] else { return }
    try transaction.removeTable(table)
    model.delete(entry.keys.map { RealmModel.Object(table: entry.key, key: $0) })
    model.classes[table] = nil
    count("class removed")
  }

  mutating func renameClass(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let new = name("class_N")
    try transaction.renameTable(table, to: new)
    model.classes[new] = model.classes.removeValue(forKey: table)
    for name in model.classes.keys.sorted() {
      for index in (model.classes[name]?.properties ?? []).indices
      where model.classes[name]?.properties[index].target == table {
        model.classes[name]?.properties[index].target = new
      }
    }
    count("class renamed")
  }

  /// Makes a class embedded, or top-level again.
  mutating func changeKind(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table] else { return }
    let editor = try transaction.table(table)
    if entry.kind == .embedded {
      try editor.setKind(.topLevel)
      model.classes[table]?.kind = .topLevel
      return count("class no longer embedded")
    }
    let isInSet = model.classes.values.contains {
      $0.properties.contains { $0.target == table && $0.collection == .set }
    }
    guard entry.primaryKey == nil, !isInSet, entry.keys.count < 200, let links = model.linkCounts(to: entry.key),
      links.count <= 60, links.values.allSatisfy({ $0 < 20 })
    else { return }
    // Objects without a link to them are deleted, and those with several are copied.
    model.delete(entry.keys.filter { links[$0] == nil }.map { RealmModel.Object(table: entry.key, key: $0) })
    let sharedCount = model.linkCounts(to: entry.key)?.values.count { $0 > 1 }
    let conversion = EmbeddingConversion(editor, in: transaction)
    let converted = try conversion.convert(conversion.analysis())
    #expect(converted.originals == sharedCount)
    model.classes[table]?.kind = .embedded
    let read = try RealmModel(of: transaction)
    #expect(model.expanded().difference(from: read.expanded()) == nil)
    // Copies have keys that the model cannot know.
    for (name, entry) in read.classes {
      var entry = entry
      entry.isKeyIndexedToo = model.classes[name]?.isKeyIndexedToo ?? false
      model.classes[name] = entry
    }
    count(converted.copies > 0 ? "class embedded with copies" : "class embedded")
  }

  // MARK: Properties

  mutating func addProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    try add(newProperty(), to: table, transaction)
  }

  private mutating func newProperty() -> Property {
    var property = Property(name: name("p"), type: .int)
    property.collection = roll(2) == 0 ? nil : pick([CollectionKind.list, .set, .dictionary])
    if roll(4) == 0, let target = pick(model.classes.keys.sorted()) {
      let isEmbedded = model.classes[target]?.kind == .embedded
      return linkProperty(to: target, isEmbedded && property.collection == .set ? .list : property.collection)
    }
    property.type = pick(Self.scalars) ?? .int
    property.isOptional = roll(2) == 0
    property.isOptional = property.isStoredNullable
    for index in [IndexKind.general, .fullText] where property.allows(index) && roll(4) == 0 { property.index = index }
    return property
  }

  private mutating func linkProperty(to target: RealmString, _ collection: CollectionKind?) -> Property {
    var property = Property(name: name("l"), type: .object)
    (property.collection, property.target) = (collection, target)
    property.isOptional = property.isStoredNullable
    return property
  }

  private mutating func add(_ property: Property, to table: RealmString, _ transaction: WriteTransaction) throws {
    let editor = try transaction.table(table)
    try editor.addProperty(property)
    model.classes[table]?.properties.append(property)
    model.classes[table]?.setAll(property.name, to: try editor.column(property.name).defaultValue)
    count("property added")
  }

  mutating func removeProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let isKeyToo = roll(4) == 0
    guard let property = pick(isKeyToo ? model.classes[table]?.properties ?? [] : ordinaryProperties(table)) else {
      return
    }
    try remove(property, from: table, transaction)
    count("property removed")
  }

  private mutating func remove(_ property: Property, from table: RealmString, _ transaction: WriteTransaction) throws {
    try transaction.table(table).removeProperty(property.name)
    if model.classes[table]?.primaryKey == property.name { forgetPrimaryKey(table) }
    let values = model.classes[table]?.values(of: property.name) ?? []
    model.classes[table]?.properties.removeAll { $0.name == property.name }
    model.classes[table]?.setAll(property.name, to: nil)
    guard let target = property.target, model.classes[target]?.kind == .embedded else { return }
    var orphans: [RealmModel.Object] = []
    for value in values { value.forEachLink { orphans.append(RealmModel.Object(table: $0, key: $1)) } }
    model.delete(orphans)
  }

  /// Another type under the same name, like a change of the type in a schema: nothing is converted.
  mutating func replaceProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let old = pick(ordinaryProperties(table)) else { return }
    try remove(old, from: table, transaction)
    var new = newProperty()
    new.name = old.name
    try add(new, to: table, transaction)
    count("type of a property changed")
  }

  mutating func renameProperty(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let property = pick(model.classes[table]?.properties ?? []), let entry = model.classes[table],
      let index = entry.properties.firstIndex(of: property)
    else { return }
    let new = name("r")
    try transaction.table(table).renameProperty(property.name, to: new)
    if entry.primaryKey == property.name { model.classes[table]?.primaryKey = new }
    model.classes[table]?.properties[index].name = new
    for key in entry.keys {
      model.classes[table]?.set(new, of: key, to: entry.objects[key]?[property.name])
      model.classes[table]?.set(property.name, of: key, to: nil)
    }
    count("property renamed")
  }

  mutating func changeOptionality(_ transaction: WriteTransaction, _ table: RealmString) throws {
    let properties = (model.classes[table]?.properties ?? []).filter { $0.type != .mixed && $0.type != .object }
    guard var property = pick(properties) else { return }
    let replacement = Self.defaultValue(of: property.type)
    if property.isOptional, property.name == model.classes[table]?.primaryKey {
      // A null that becomes 0 could be a duplicate.
      let values = (model.classes[table]?.values(of: property.name) ?? []).map { Self.replacing($0, replacement) }
      guard Set(values).count == values.count else { return }
    }
    property.isOptional.toggle()
    try transaction.table(table).setOptional(property.name, property.isOptional)
    model.classes[table]?.properties.removeAll { $0.name == property.name }
    model.classes[table]?.properties.append(property)
    count(property.isOptional ? "property made optional" : "property made required")
    guard !property.isOptional else { return }
    model.classes[table]?.changeValues(property.name) { Self.replacing($0, replacement) }
  }

  private static func replacing(_ value: Value, _ replacement: Value) -> Value {
    switch value {
    case .null: return replacement
    case .list(let elements): return .list(elements.map { $0 == .null ? replacement : $0 })
    case .set(let elements):
      var seen: Set<Value> = []
      return .set(elements.map { $0 == .null ? replacement : $0 }.filter { seen.insert($0).inserted })
    case .dictionary(let entries): return .dictionary(entries.mapValues { $0 == .null ? replacement : $0 })
    default: return value
    }
  }

  mutating func changeIndex(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table], var property = pick(entry.properties),
      let index = entry.properties.firstIndex(of: property),
      let kind = pick([IndexKind.none, .general, .fullText].filter { property.allows($0) })
    else { return }
    let isPrimaryKey = property.name == entry.primaryKey
    guard !isPrimaryKey || kind != .fullText else { return }
    try transaction.table(table).setIndex(property.name, kind)
    count("index changed")
    if isPrimaryKey {
      model.classes[table]?.isKeyIndexedToo = kind == .general
    } else {
      property.index = kind
      model.classes[table]?.properties[index] = property
    }
  }

  // MARK: Primary keys

  private mutating func forgetPrimaryKey(_ table: RealmString) {
    guard let entry = model.classes[table] else { return }
    if let index = entry.properties.firstIndex(where: { $0.name == entry.primaryKey }) {
      model.classes[table]?.properties[index].index = entry.isKeyIndexedToo ? .general : .none
    }
    model.classes[table]?.primaryKey = nil
  }

  mutating func changePrimaryKey(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table], entry.kind == .topLevel else { return }
    let editor = try transaction.table(table)
    if entry.primaryKey != nil, roll(3) == 0 {
      try editor.setPrimaryKey(nil)
      forgetPrimaryKey(table)
      return count("primary key removed")
    }
    let candidates = ordinaryProperties(table).filter {
      [.int, .string, .objectID, .uuid].contains($0.type) && $0.collection == nil && $0.index != .fullText
    }
    guard let property = pick(candidates) else { return }
    let values = entry.values(of: property.name)
    let isUnique = Set(values).count == values.count
    try editor.setPrimaryKey(property.name)
    #expect(try editor.hasUniquePrimaryKeys() == isUnique)
    guard isUnique else {
      try editor.setPrimaryKey(entry.primaryKey)
      return count("primary key with duplicates given up")
    }
    forgetPrimaryKey(table)
    model.classes[table]?.primaryKey = property.name
    model.classes[table]?.isKeyIndexedToo = property.index == .general
    if let index = entry.properties.firstIndex(of: property) {
      model.classes[table]?.properties[index].index = .general
    }
    count("primary key set")
  }

  // MARK: Refusals

  /// What is impossible is refused, and the transaction continues.
  mutating func refuse(_ transaction: WriteTransaction, _ table: RealmString) throws {
    guard let entry = model.classes[table] else { return }
    let editor = try transaction.table(table)
    if entry.kind == .embedded {
      #expect(throws: EditError.embeddedObject(table: table)) { try RealmError.uncovering { try editor.create() } }
    } else if entry.primaryKey != nil {
      #expect(throws: EditError.primaryKeyMismatch(table: table)) { try RealmError.uncovering { try editor.create() } }
    }
    let missing = ObjectKey(rawValue: 1 << 40)
    #expect(throws: EditError.noSuchObject(table: table, key: missing)) {
      try RealmError.uncovering { try editor.delete(missing) }
    }
    if let property = entry.properties.first {
      #expect(throws: BuildError.nameInUse(property.name)) {
        try RealmError.uncovering { try editor.addProperty(property) }
      }
    }
    for property in entry.properties where property.type == .object && property.collection == nil {
      guard let key = entry.keys.first, let name = property.target, let target = model.classes[name] else { continue }
      #expect(throws: (any Error).self) { try editor.set(property.name, of: key, to: .link(target.key, missing)) }
      guard target.kind == .embedded, let other = target.keys.first, entry.values(of: property.name).count > 1,
        entry.objects[key]?[property.name] != .link(target.key, other)
      else { continue }
      #expect(throws: EditError.embeddedObject(table: name)) {
        try RealmError.uncovering { try editor.set(property.name, of: key, to: .link(target.key, other)) }
      }
    }
    count("refused")
  }
}
