import TestSupport
import Testing

@testable import RealmStorage

/// Objects are found by their primary keys, regardless of what a transaction has done before.
@Suite struct PrimaryKeyTests {
  private static let table: RealmString = "class_T"

  static let types: [PropertyType] = [.int, .string, .objectID, .uuid]

  private static func value(_ type: PropertyType, _ number: UInt64) -> Value {
    switch type {
    case .string: .string(RealmString(String(repeating: "long ", count: number % 3 == 0 ? 0 : 50) + "\(number)"))
    case .objectID: .objectID(ObjectID(head: number, tail: 1))
    case .uuid: .uuid(RealmUUID(head: 5, tail: number))
    default: .int(Int64(number) << 20)
    }
  }

  @Test(arguments: types) func `finds what there is and nothing else`(_ type: PropertyType) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.realm")
    try RandomEditTests.writeEmptyRealm(at: path, nil)
    var dice = SeededDice(seed: 31)
    var model: [Value: ObjectKey] = [:]
    for round in 0..<8 {
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
      if round == 0 {
        let table = try transaction.addTable(Self.table)
        try table.addProperty(Property(name: "id", type: type, isOptional: true, index: .general))
        try table.setPrimaryKey("id")
      }
      let table = try transaction.table(Self.table)
      for _ in 0..<(round == 0 ? 1200 : 25) { try step(table, type, &model, &dice) }
      for number in UInt64(0)..<600 {
        let value = Self.value(type, number)
        #expect(try table.find(primaryKey: value) == model[value])
      }
      #expect(try table.find(primaryKey: .null) == model[.null])
      #expect(try table.hasUniquePrimaryKeys())
      try transaction.commit()
      #expect(try RealmFileTests.opened(path, nil).faults() == [])
    }
    #expect(model.count > 256)
  }

  private func step(
    _ table: TableEditor, _ type: PropertyType, _ model: inout [Value: ObjectKey], _ dice: inout SeededDice
  ) throws {
    let value = dice.roll(40) == 0 ? Value.null : Self.value(type, dice.roll(600))
    switch dice.roll(5) {
    case 0:
      guard let key = model[value] else { return }
      try table.delete(key)
      model[value] = nil
    case 1:
      let old = Self.value(type, dice.roll(600))
      guard model[value] == nil, let key = model[old] else { return }
      try table.set("id", of: key, to: value)
      (model[old], model[value]) = (nil, key)
    default:
      if model[value] == nil {
        model[value] = try table.create(primaryKey: value)
      } else {
        #expect(throws: EditError.primaryKeyInUse(table: Self.table, value)) {
          try RealmError.uncovering { try table.create(primaryKey: value) }
        }
      }
    }
  }

  @Test(arguments: [IndexKind.none, .general])
  func `whether a primary key is indexed apart from is kept, even if nothing else changes`(_ index: IndexKind) throws {
    let folder = try TemporaryFolder()
    let path = try realm(in: folder).path
    for index in [IndexKind.none, .general, index] {
      try Self.change(path) { try $0.setIndex("id", index) }
      // It keeps its index as long as it is a primary key.
      #expect(try Self.index(in: path) == .general)
    }
    try Self.change(path) { try $0.setPrimaryKey(nil) }
    #expect(try Self.index(in: path) == index)
  }

  private static func change(_ path: String, _ change: (TableEditor) throws -> Void) throws {
    let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
    try change(transaction.table(table))
    try transaction.commit()
    #expect(try RealmFileTests.opened(path, nil).faults() == [])
  }

  private static func index(in path: String) throws -> IndexKind? {
    let tables = try RealmFileTests.opened(path, nil).tables
    return tables.first { $0.schema.name == table }?.schema.property(named: "id")?.index
  }

  /// A realm with 300 objects whose primary keys count up, and another property that counts down.
  private func realm(in folder: TemporaryFolder) throws -> (path: String, keys: [ObjectKey]) {
    let path = folder.path("app.realm")
    try RandomEditTests.writeEmptyRealm(at: path, nil)
    let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
    let table = try transaction.addTable(Self.table)
    try table.addProperty(Property(name: "id", type: .int, index: .general))
    try table.addProperty(Property(name: "other", type: .int, index: .general))
    try table.setPrimaryKey("id")
    let keys = try (0..<300).map { try table.create(primaryKey: .int($0)) }
    for (number, key) in keys.enumerated() { try table.set("other", of: key, to: .int(Int64(1000 - number))) }
    try transaction.commit()
    return (path, keys)
  }

  private func change(_ path: String, _ body: (TableEditor) throws -> Void) throws {
    let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
    try body(transaction.table(Self.table))
    try transaction.commit()
    #expect(try transaction.file.snapshot.faults() == [])
  }

  @Test func `another primary key is found by its own values`() throws {
    let folder = try TemporaryFolder()
    let (path, keys) = try realm(in: folder)
    try change(path) { table in
      try table.setPrimaryKey(nil)
      #expect(throws: EditError.primaryKeyMismatch(table: Self.table)) {
        try RealmError.uncovering { try table.find(primaryKey: 5) }
      }
      // Changed while it has no index.
      try table.set("id", of: keys[5], to: 5000)
      try table.setPrimaryKey("other")
      #expect(try table.find(primaryKey: 5) == nil)
      #expect(try table.find(primaryKey: 995) == keys[5])
      try table.setPrimaryKey("id")
      #expect(try table.find(primaryKey: 5) == nil)
      #expect(try table.find(primaryKey: 5000) == keys[5])
    }
    try change(path) { table in
      let found = try [5, 5000].map { try table.find(primaryKey: $0) }
      #expect(found == [nil, keys[5]])
    }
  }

  @Test func `duplicates that a migration makes are found`() throws {
    let folder = try TemporaryFolder()
    let (path, keys) = try realm(in: folder)
    try change(path) { table in
      let second = try table.create(primaryKey: 7, allowsDuplicates: true)
      #expect(try table.hasUniquePrimaryKeys() == false)
      try table.set("id", of: second, to: 700)
      #expect(try table.find(primaryKey: 7) == keys[7])
      #expect(try table.find(primaryKey: 700) == second)
    }
  }
}
