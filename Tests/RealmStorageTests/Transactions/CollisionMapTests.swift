import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// The map of key collisions, which files of formats below 22 and synchronized ones have
/// (Docs/Format/3-tables-and-objects.md §4.6).
@Suite struct CollisionMapTests {
  /// A realm whose class `Dog` has a map with an entry for each of its objects.
  private struct Dogs {
    let folder: TemporaryFolder
    let path: String
    let keys: [Int64]

    init() throws {
      folder = try TemporaryFolder()
      let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
      path = try folder.write("app.realm", tree.written(.normal))
      keys = try Self.objects(path)
      let ids = keys.indices.map { Int64($0) }
      try tree.table("class_Dog").top.elements[10] = .child(
        .refs([.child(.numbers(ids)), .child(.numbers(ids)), .child(.numbers(keys))]))
      try folder.write("app.realm", tree.written(.normal))
      #expect(try findings() == [])
    }

    static func objects(_ path: String) throws -> [Int64] {
      var keys: [Int64] = []
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
      try transaction.table("class_Dog").forEachKey { keys.append($0.rawValue) }
      transaction.rollBack()
      return keys
    }

    func change(_ body: (WriteTransaction) throws -> Void) throws {
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
      try body(transaction)
      try transaction.commit()
    }

    /// Low words, high words and keys; nil if there is no map.
    func map() throws -> [[Int64]]? {
      let tree = try NodeTree(Fixture.bytes(ofFile: path))
      guard let map = try tree.table("class_Dog").top.child(10) else { return nil }
      return try (0..<3).map { try map.require($0).values }
    }

    func findings() throws -> [FindingKind] { try CheckResult(of: Fixture.bytes(ofFile: path)).findings.map(\.kind) }
  }

  @Test func `the entry of an object goes with it`() throws {
    let dogs = try Dogs()
    try dogs.change { try $0.table("class_Dog").delete(ObjectKey(rawValue: dogs.keys[1])) }
    #expect(try dogs.findings() == [])
    let rest = dogs.keys.indices.filter { $0 != 1 }
    let ids = rest.map { Int64($0) }
    #expect(try dogs.map() == [ids, ids, rest.map { dogs.keys[$0] }])
  }

  @Test func `the last entry takes the map along`() throws {
    let dogs = try Dogs()
    try dogs.change { try $0.table("class_Dog").deleteAll() }
    #expect(try dogs.findings() == [])
    #expect(try dogs.map() == nil)
  }

  @Test func `a table that is removed leaves nothing of its map`() throws {
    let dogs = try Dogs()
    try dogs.change { transaction in
      try transaction.table("class_Person").removeProperty("dogs")
      try transaction.removeTable("class_Dog")
    }
    #expect(try dogs.findings() == [])
  }

  @Test func `other changes leave the map as it is, and new objects are not in it`() throws {
    let dogs = try Dogs()
    let before = try dogs.map()
    try dogs.change { transaction in
      let table = try transaction.table("class_Dog")
      try table.set("name", of: ObjectKey(rawValue: dogs.keys[0]), to: "Rex")
      _ = try table.create(primaryKey: .objectID(ObjectID(head: 7, tail: 7)))
    }
    #expect(try dogs.findings() == [])
    #expect(try dogs.map() == before)
  }
}
