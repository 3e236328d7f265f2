import TestSupport
import Testing

@testable import RealmStorage

/// Objects of a class that becomes embedded, and that link to each other.
@Suite struct EmbeddedChainTests {
  /// A realm with a class of ten nodes that link to others, and three holders.
  ///
  /// - Parameters:
  ///   - next: the node that each node links to.
  ///   - held: the nodes that holders link to.
  private static func realm(_ next: [Int: Int], held: [Int]) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    for name in transaction.tables.map(\.name) where name.hasPrefix(TableSchema.classPrefix) {
      try? transaction.removeTable(name)
    }
    for name in transaction.tables.map(\.name) where name.hasPrefix(TableSchema.classPrefix) {
      try transaction.removeTable(name)
    }
    let node = try transaction.addTable("class_Node")
    try node.addProperty(Property(name: "number", type: .int))
    try node.addProperty(Property(name: "next", type: .object, isOptional: true, target: "class_Node"))
    let holder = try transaction.addTable("class_Holder")
    try holder.addProperty(Property(name: "node", type: .object, isOptional: true, target: "class_Node"))
    var keys: [ObjectKey] = []
    for number in 0..<10 as Range<Int64> {
      keys.append(try node.create())
      try node.set("number", of: #require(keys.last), to: .int(number))
    }
    for (number, other) in next { try node.set("next", of: keys[number], to: .link(node.key, keys[other])) }
    for number in held { try holder.set("node", of: holder.create(), to: .link(node.key, keys[number])) }
    try transaction.commit()
    return (folder, path)
  }

  private static func embed(_ path: String) throws -> MigrationOutcome {
    var target = try Snapshot(of: ByteStore.open(.path(path), key: nil).store).schema
    target.tables.removeAll { !$0.isClass }
    for index in target.tables.indices where target.tables[index].name == "class_Node" {
      target.tables[index].kind = .embedded
    }
    let update = SchemaUpdate(to: target, version: 10, policy: .automatic)
    return try update.run(in: RealmFile(exclusive: path, key: nil))
  }

  /// The numbers of the nodes, one list for each holder, beginning with its node.
  private static func chains(_ path: String) throws -> [[Int64]] {
    let transaction = try WriteTransaction(RealmFile(exclusive: path, key: nil))
    defer { transaction.rollBack() }
    #expect(try transaction.base.faults() == [])
    let (holder, node) = (try transaction.table("class_Holder"), try transaction.table("class_Node"))
    var chains: [[Int64]] = []
    try holder.forEachKey { key in
      var chain: [Int64] = []
      var value = try holder.value("node", of: key)
      while case .link(_, let next) = value, chain.count < 100 {
        if case .int(let number) = try node.value("number", of: next) { chain.append(number) }
        value = try node.value("next", of: next)
      }
      chains.append(chain)
    }
    #expect(node.objectCount == chains.reduce(0) { $0 + $1.count })
    return chains
  }

  @Test func `what only an orphan leads to goes with it, in whatever order`() throws {
    let (folder, path) = try Self.realm([9: 8, 8: 7, 7: 0, 1: 2, 2: 3, 5: 4], held: [5])
    let outcome = try Self.embed(path)
    #expect(try Self.chains(path) == [[5, 4]])
    #expect(outcome.deleted["Node"] == 8)
    withExtendedLifetime(folder) {}
  }

  @Test func `what a copy leads to is copied too`() throws {
    // 1 comes before the node that leads to it, 8 after it.
    let (folder, path) = try Self.realm([5: 1, 1: 8, 8: 2], held: [5, 5, 1])
    _ = try Self.embed(path)
    #expect(try Self.chains(path) == [[5, 1, 8, 2], [5, 1, 8, 2], [1, 8, 2]])
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [[0: 1, 1: 2, 2: 0], [0: 1, 1: 0], [0: 0]])
  func `a circle that is led into has no end, and nothing changes`(_ next: [Int: Int]) throws {
    let (folder, path) = try Self.realm(next, held: [0])
    let before = try Fixture.bytes(ofFile: path)
    let error = #expect(throws: MigrationError.self) { try Self.embed(path) }
    guard case .embedding(.shared, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(try Array(Fixture.bytes(ofFile: path).prefix(24)) == Array(before.prefix(24)))
    #expect(try Snapshot(of: ByteStore.open(.path(path), key: nil).store).faults() == [])
    withExtendedLifetime(folder) {}
  }
}
