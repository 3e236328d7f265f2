import TestSupport
import Testing

@testable import RealmStorage

/// Sets of links, and classes that change between embedded and top-level: a set holds no embedded objects.
@Suite struct SetTargetTests {
  private static func realm(_ tables: [TableSchema]) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    for _ in 0..<3 {
      for name in transaction.tables.map(\.name) where name.hasPrefix(TableSchema.classPrefix) {
        try? transaction.removeTable(name)
      }
    }
    try transaction.addTables(tables)
    let (d, a) = (try transaction.table("class_D"), try transaction.table("class_A"))
    if d.kind == .embedded {
      _ = try a.createEmbedded(in: "d", of: a.create())
    } else {
      try a.set("d", of: a.create(), to: .link(d.key, d.create()))
    }
    try transaction.commit()
    return (folder, path)
  }

  private static func function(_ isWanted: Bool) -> MigrationFunction? {
    guard isWanted else { return nil }
    return { _ in }
  }

  private static func link(_ name: RealmString, _ collection: CollectionKind? = nil) -> Property {
    Property(name: name, type: .object, collection: collection, isOptional: collection == nil, target: "class_D")
  }

  private static func classes(_ kind: TableKind, _ links: Property...) -> [TableSchema] {
    [
      TableSchema(name: "class_D", kind: kind, properties: [Property(name: "n", type: .int)]),
      TableSchema(name: "class_A", properties: links),
    ]
  }

  private static func schema(_ path: String) throws -> Schema {
    let snapshot = try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
    #expect(try snapshot.faults() == [])
    return snapshot.schema
  }

  @Test(arguments: [false, true])
  func `a class that a set of another class links to does not become embedded`(_ hasFunction: Bool) throws {
    let outside = TableSchema(name: "class_Outside", properties: [Self.link("ds", .set)])
    let (folder, path) = try Self.realm(Self.classes(.topLevel, Self.link("d")) + [outside])
    let before = try Fixture.bytes(ofFile: path)
    let target = Schema(tables: Self.classes(.embedded, Self.link("d")))
    let update = SchemaUpdate(to: target, version: 9, policy: .automatic, function: Self.function(hasFunction))
    let origin = PropertyPath(className: "Outside", property: "ds")
    #expect {
      try update.run(in: RealmFile(exclusive: path, key: nil))
    } throws: { error in
      guard case .embedding(.set(origin), _) = error as? MigrationError else { return false }
      return true
    }
    #expect(try Fixture.bytes(ofFile: path) == before)
    // One that is removed in the same migration does not matter.
    let emptied = TableSchema(name: "class_Outside", properties: [Property(name: "n", type: .int)])
    let without = Schema(tables: target.tables + [emptied])
    _ = try SchemaUpdate(to: without, version: 9, policy: .automatic).run(in: RealmFile(exclusive: path, key: nil))
    #expect(try Self.schema(path).classNamed("D")?.kind == .embedded)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [false, true])
  func `a class that is no longer embedded may be in a new set`(_ hasFunction: Bool) throws {
    let (folder, path) = try Self.realm(Self.classes(.embedded, Self.link("d")))
    let new = TableSchema(name: "class_New", properties: [Self.link("ds", .set)])
    let target = Schema(tables: Self.classes(.topLevel, Self.link("d"), Self.link("set", .set)) + [new])
    let update = SchemaUpdate(
      to: target, version: 9, policy: MigrationPolicy(), function: Self.function(hasFunction))
    _ = try update.run(in: RealmFile(exclusive: path, key: nil))
    let schema = try Self.schema(path)
    #expect(schema.classNamed("D")?.kind == .topLevel)
    #expect(schema.classNamed("A")?.property(named: "set")?.collection == .set)
    #expect(schema.classNamed("New")?.property(named: "ds")?.collection == .set)
    withExtendedLifetime(folder) {}
  }

  @Test func `a set of embedded objects is not committed`() throws {
    let (folder, path) = try Self.realm(Self.classes(.embedded, Self.link("d")))
    let before = try Fixture.bytes(ofFile: path)
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    let table = try transaction.table("class_A")
    #expect(throws: BuildError.wrongType) {
      try RealmError.uncovering { try table.addProperty(Self.link("set", .set)) }
    }
    try table.addProperty(Self.link("set", .set), targetBecomes: .topLevel)
    #expect(throws: BuildError.wrongType) { try transaction.commit() }
    #expect(try Fixture.bytes(ofFile: path) == before)
    withExtendedLifetime(folder) {}
  }
}
