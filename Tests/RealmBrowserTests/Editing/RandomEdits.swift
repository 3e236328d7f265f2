import RealmStorage
import TestSupport

@testable import RealmBrowser

/// Random edits of every kind.
struct RandomEdits {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func roll(_ sides: Int) -> Int { Int(random.next() >> 33) % max(sides, 1) }

  /// An edit, or a step back or forth.
  mutating func step(_ changes: StagedChanges) {
    switch roll(8) {
    case 0: try? changes.undo()
    case 1: try? changes.redo()
    default: edit(changes)
    }
  }

  /// An edit, if the realm accepts it.
  mutating func edit(_ changes: StagedChanges) {
    let realm = changes.realm
    let tables = realm.snapshot.tables.filter(\.schema.isClass)
    guard !tables.isEmpty else { return }
    let table = tables[roll(tables.count)]
    let keys = self.keys(of: table)
    let name = table.schema.name
    if keys.isEmpty || roll(6) == 0 { return create(in: table, realm, changes) }
    let key = keys[roll(keys.count)]
    if roll(8) == 0 {
      _ = try? changes.append(StagedEdit(table: name, keys: Array(Set([key, keys[0]])).sorted(), change: .delete))
      return
    }
    guard
      let property = table.schema.properties.isEmpty
        ? nil : table.schema.properties[roll(table.schema.properties.count)]
    else { return }
    let steps = self.steps(into: property, of: ObjectAddress(table: name, key: key), realm)
    let change: StagedEdit.Change =
      switch roll(5) {
      case 0 where property.collection != nil:
        .insert(property.name, [], at: roll(3), element(of: property, realm))
      case 1 where !steps.isEmpty: .remove(property.name, steps)
      case 2 where property.collection == .list && !steps.isEmpty: .move(property.name, steps, to: 0)
      case 3 where !steps.isEmpty: .set(property.name, steps, element(of: property, realm))
      default: .set(property.name, [], value(of: property, realm))
      }
    _ = try? changes.append(StagedEdit(table: name, keys: [key], change: change))
  }

  private mutating func create(in table: Table, _ realm: BrowsedRealm, _ changes: StagedChanges) {
    var primaryKey: Value?
    if let property = table.schema.primaryKey, case .plain(let value) = element(of: property, realm) {
      primaryKey = value
    }
    var members: [UnmanagedValue.Member] = []
    for property in table.schema.properties where property.name != table.schema.primaryKey?.name && roll(2) == 0 {
      members.append(.init(property.name, value(of: property, realm)))
    }
    _ = try? changes.append(
      StagedEdit(table: table.schema.name, keys: [], change: .create(primaryKey: primaryKey, members)))
  }

  private func keys(of table: Table) -> [ObjectKey] {
    var (keys, batches) = ([ObjectKey](), table.batches())
    while keys.count < 40, case .batch(let batch)? = batches.next() { keys += (0..<batch.count).map(batch.key) }
    return keys
  }

  /// A place in a collection; none if it is empty.
  private mutating func steps(
    into property: Property, of object: ObjectAddress, _ realm: BrowsedRealm
  ) -> [ValueAddress.Step] {
    let address = ValueAddress(object: object, property: property.name)
    guard let view = (try? realm.value(at: address)) ?? nil,
      let value = try? Value(view, realm.snapshot.collectionWalk())
    else { return [] }
    if let elements = value.elements, !elements.isEmpty { return [.position(roll(elements.count))] }
    if let entries = value.entries, let key = entries.keys.sorted().first { return [.key(key)] }
    return []
  }

  private mutating func value(of property: Property, _ realm: BrowsedRealm) -> UnmanagedValue {
    guard let collection = property.collection else { return element(of: property, realm) }
    let elements = (0..<roll(4)).map { _ in element(of: property, realm) }
    let plain = elements.compactMap { if case .plain(let value) = $0 { value } else { nil } }
    guard plain.count == elements.count else {
      return collection == .dictionary
        ? .dictionary(elements.enumerated().map { .init(RealmString("k\($0)"), $1) }) : .list(elements)
    }
    switch collection {
    case .list: return .plain(.list(plain))
    case .set: return .plain(.set(Array(Set(plain))))
    case .dictionary:
      return .plain(
        .dictionary(
          Dictionary(plain.enumerated().map { (RealmString("k\($0)"), $1) }, uniquingKeysWith: { $1 })))
    }
  }

  private mutating func element(of property: Property, _ realm: BrowsedRealm) -> UnmanagedValue {
    if property.isOptional, roll(4) == 0 { return .plain(.null) }
    switch property.type {
    case .object: return link(to: property.target, realm)
    case .mixed:
      switch roll(4) {
      case 0: return .plain(.list([.int(Int64(roll(9))), .dictionary(["a": .string("b")])]))
      case 1: return .plain(.dictionary(["x": .list([.bool(true)]), "y": .null]))
      default: return .plain(scalar([.int, .string, .bool, .double, .date, .uuid][roll(6)]))
      }
    default: return .plain(scalar(property.type))
    }
  }

  private mutating func link(to name: RealmString?, _ realm: BrowsedRealm) -> UnmanagedValue {
    guard let table = name.flatMap({ realm.table(named: $0) }) else { return .plain(.null) }
    guard table.schema.kind != .embedded else {
      let plain = table.schema.properties.filter { $0.collection == nil && $0.type != .object }
      return .object(plain.prefix(3).map { .init($0.name, element(of: $0, realm)) })
    }
    let keys = keys(of: table)
    return keys.isEmpty ? .plain(.null) : .plain(.link(table.key, keys[roll(keys.count)]))
  }

  private mutating func scalar(_ type: PropertyType) -> Value {
    let number = roll(1000)
    switch type {
    case .int: return .int(Int64(number) - 500)
    case .bool: return .bool(number % 2 == 0)
    case .float: return .float(Float(number) / 8)
    case .double: return .double(Double(number) / 16)
    case .string: return .string(RealmString(String(repeating: "é\(number) ", count: roll(5))))
    case .data: return .data(Array(repeating: UInt8(number & 0xff), count: roll(80)))
    case .date: return .date(Timestamp(seconds: Int64(number) * 86_400, nanoseconds: Int32(number)))
    case .decimal128: return .decimal(Decimal128(low: UInt64(number), high: 0x3040_0000_0000_0000))
    case .objectID: return .objectID(ObjectID(head: UInt64(number), tail: 7))
    case .uuid: return .uuid(RealmUUID(head: UInt64(number), tail: 9))
    case .mixed, .object, .linkingObjects: return .null
    }
  }
}
