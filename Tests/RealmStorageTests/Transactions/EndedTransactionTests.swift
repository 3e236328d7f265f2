import TestSupport
import Testing

@testable import RealmStorage

/// Objects that are kept longer than their transaction.
@Suite struct EndedTransactionTests {
  /// Everything that a table can return, and everything that it can do.
  private static let uses: [(name: String, use: @Sendable (TableEditor) throws -> Void)] = [
    ("forEachKey", { try $0.forEachKey { _ in } }),
    ("contains", { _ = try $0.contains(ObjectKey(rawValue: 0)) }),
    ("value", { _ = try $0.value("name", of: ObjectKey(rawValue: 0)) }),
    ("backlinks", { _ = try $0.backlinks(of: ObjectKey(rawValue: 0)) }),
    ("set", { try $0.set("name", of: ObjectKey(rawValue: 0), to: "Rex") }),
    ("createEmbedded", { _ = try $0.createEmbedded(in: "name", of: ObjectKey(rawValue: 0)) }),
    ("find", { _ = try $0.find(primaryKey: 1) }),
    ("create", { _ = try $0.create() }),
    ("create with a primary key", { _ = try $0.create(primaryKey: 1) }),
    ("delete", { try $0.delete(ObjectKey(rawValue: 0)) }),
    ("deleteAll", { try $0.deleteAll() }),
    ("addProperty", { try $0.addProperty(Property(name: "new", type: .int)) }),
    ("removeProperty", { try $0.removeProperty("name") }),
    ("renameProperty", { try $0.renameProperty("name", to: "called") }),
    ("setOptional", { try $0.setOptional("name", true) }),
    ("setPrimaryKey", { try $0.setPrimaryKey("name") }),
    ("hasUniquePrimaryKeys", { _ = try $0.hasUniquePrimaryKeys() }),
    ("setIndex", { try $0.setIndex("name", .general) }),
    ("setKind", { try $0.setKind(.embedded) }),
  ]

  private func expect(_ table: TableEditor, throws expected: EditError) {
    for (name, use) in Self.uses {
      let error = #expect(throws: EditError.self, "\(name)") { try RealmError.uncovering { try use(table) } }
      #expect(error == expected, "\(name)")
    }
    // What does not need the file still works.
    #expect(table.schema.properties.contains { $0.name == "name" })
    #expect(table.objectCount > 0)
  }

  private func open(_ folder: TemporaryFolder) throws -> RealmFile {
    try RealmFileTests.file(folder.write("app.realm", Fixture.bytes("engine/dogs.realm")), key: nil)
  }

  @Test func `a table that outlives its transaction throws`() throws {
    let folder = try TemporaryFolder()
    let file = try open(folder)
    var table: TableEditor
    do {
      let transaction = try WriteTransaction(file)
      table = try transaction.table("class_Dog")
      try transaction.commit()
      expect(table, throws: .ended)
    }
    expect(table, throws: .ended)
    do {
      let transaction = try WriteTransaction(file)
      table = try transaction.table("class_Dog")
      transaction.rollBack()
      expect(table, throws: .ended)
    }
    // Neither committed nor cancelled.
    table = try WriteTransaction(file).table("class_Dog")
    expect(table, throws: .ended)
    #expect(try file.snapshot.faults() == [])
  }

  @Test func `a table that was removed throws, and the rest can be committed`() throws {
    let folder = try TemporaryFolder()
    let file = try open(folder)
    let transaction = try WriteTransaction(file)
    let table = try transaction.addTable("class_Gone")
    try table.addProperty(Property(name: "name", type: .string))
    _ = try table.create()
    try transaction.removeTable("class_Gone")
    for (name, use) in Self.uses {
      #expect(throws: EditError.noSuchTable("class_Gone"), "\(name)") { try RealmError.uncovering { try use(table) } }
    }
    try transaction.commit()
    #expect(try file.snapshot.faults() == [])
  }

  @Test func `a transaction that has ended changes nothing more`() throws {
    let folder = try TemporaryFolder()
    let file = try open(folder)
    let transaction = try WriteTransaction(file)
    try transaction.commit()
    #expect(throws: EditError.ended) { try transaction.commit() }
    #expect(throws: EditError.ended) { try transaction.addTable("class_New") }
    #expect(throws: EditError.ended) { try transaction.renameTable("class_Dog", to: "class_Cat") }
    #expect(throws: EditError.ended) { try transaction.removeTable("class_Dog") }
    #expect(throws: EditError.ended) { try transaction.setSchemaVersion(3) }
    #expect(transaction.tables.contains { $0.name == "class_Dog" })
  }

  @Test func `a refusal leaves the transaction as it was, and the rest is committed`() throws {
    let folder = try TemporaryFolder()
    let file = try open(folder)
    let transaction = try WriteTransaction(file)
    let people = try transaction.table("class_Person")
    let property = try #require(people.schema.properties.first { $0.type == .object && $0.collection == .list })
    var keys: [ObjectKey] = []
    try people.forEachKey { keys.append($0) }
    let key = try #require(keys.first)
    let before = try people.value(property.name, of: key)
    let target = try transaction.table(try #require(property.target)).key
    #expect(throws: BuildError.self) {
      try RealmError.uncovering {
        try people.set(property.name, of: key, to: .list([.link(target, ObjectKey(rawValue: 99_999))]))
      }
    }
    #expect(try people.value(property.name, of: key) == before)
    try people.deleteAll()
    try transaction.commit()
    #expect(try file.snapshot.faults() == [])
  }

  @Test func `a primary key that was none for a while has an index of what objects hold now`() throws {
    let folder = try TemporaryFolder()
    let file = try open(folder)
    let transaction = try WriteTransaction(file)
    let people = try transaction.table("class_Person")
    let key = try #require(try people.firstKey())
    try people.setPrimaryKey(nil)
    try people.set("_id", of: key, to: .objectID(ObjectID(head: 1, tail: 2)))
    try people.setPrimaryKey("_id")
    try transaction.commit()
    #expect(try file.snapshot.faults() == [])
  }

  @Test func `what a kind of table cannot have is refused by the commit, and the file stays as it is`() throws {
    let folder = try TemporaryFolder()
    let file = try open(folder)
    let before = try file.snapshot.nodeDigest(places: true)
    let changes: [@Sendable (WriteTransaction) throws -> Void] = [
      { try $0.table("class_Dog").setKind(.embedded) },
      { try $0.table("class_Dog").setKind(.asymmetric) },
      { transaction in
        try transaction.table("class_Toy").setPrimaryKey(nil)
        let all = Property(name: "all", type: .object, collection: .set, target: "class_Toy")
        try transaction.table("class_Dog").addProperty(all)
        try transaction.table("class_Toy").setKind(.embedded)
      },
    ]
    for change in changes {
      let transaction = try WriteTransaction(file)
      try change(transaction)
      let error = #expect(throws: (any Error).self) { try transaction.commit() }
      #expect(error is EditError || error is BuildError)
    }
    #expect(try file.snapshot.nodeDigest(places: true) == before)
    let transaction = try WriteTransaction(file)
    let table = try transaction.addTable("class_Part", .embedded)
    try table.addProperty(Property(name: "id", type: .int))
    try table.setPrimaryKey("id")
    #expect(throws: EditError.embeddedObject(table: "class_Part")) {
      try RealmError.uncovering { try table.create(primaryKey: 1) }
    }
  }
}
