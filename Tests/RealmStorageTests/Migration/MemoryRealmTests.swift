import RealmInspection
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage

/// Realms without a file, shared by name.
@Suite struct MemoryRealmTests {
  private static let schema = Schema(tables: [
    TableSchema(
      name: "class_Note",
      properties: [Property(name: "id", type: .int), Property(name: "text", type: .string)], primaryKeyIndex: 0)
  ])

  private static func texts(_ realm: Realm) throws -> [String] {
    var texts: [String] = []
    try realm.objects("Note").forEach { texts.append(try $0.get("text")) }
    return texts
  }

  private static func checkSound(_ realm: MemoryRealm) throws {
    var findings: [String] = []
    _ = try Checker(realm.open().snapshot.store).run { if $0.severity != .note { findings.append($0.message) } }
    #expect(findings == [])
  }

  @Test func `everything that names a realm in memory has the same one`() throws {
    let one = try Realm.inMemory("notes, shared", schema: Self.schema)
    let other = try Realm.inMemory("notes, shared")
    #expect(one === other)
    #expect(try Realm.inMemory("notes, others") !== one)
    try one.write { try $0.create("Note", ["id": 1, "text": "A"]) }
    try other.write { try $0.upsert("Note", ["id": 1, "text": "B"]) }
    #expect(try Self.texts(one.open()) == ["B"])
    #expect(try one.open().schema.version == 0)
    try Self.checkSound(one)
  }

  @Test func `what is open stays as it is, whatever is written later`() throws {
    let realm = try Realm.inMemory("notes, states", schema: Self.schema)
    var states: [Realm] = [try realm.open()]
    for number in 0..<20 {
      try realm.write { tx in
        try tx.objects("Note").delete()
        for id in 0...number { try tx.create("Note", ["id": id, "text": String(repeating: "\(number)", count: 50)]) }
      }
      states.append(try realm.open())
    }
    for (number, state) in states.enumerated() {
      let texts = try Self.texts(state)
      #expect(texts.count == number)
      #expect(texts.allSatisfy { $0 == String(repeating: "\(number - 1)", count: 50) })
      #expect(try !state.hasChanged())
    }
    try Self.checkSound(realm)
  }

  @Test func `the content goes with the last that has it`() throws {
    var realm: MemoryRealm? = try Realm.inMemory("notes, gone", schema: Self.schema)
    try realm?.write { try $0.create("Note", ["id": 1, "text": "A"]) }
    var reader = try realm?.open()
    realm = nil
    // The reader keeps it.
    #expect(try Self.texts(Realm.inMemory("notes, gone").open()) == ["A"])
    reader = nil
    #expect(reader == nil)
    #expect(try Realm.inMemory("notes, gone").open().classes.isEmpty)
  }

  @Test func `what throws changes nothing, and a transaction in a transaction is refused`() throws {
    struct Enough: Error {}
    let realm = try Realm.inMemory("notes, refused", schema: Self.schema)
    #expect(throws: Enough.self) {
      try realm.write { tx in
        try tx.create("Note", ["id": 1])
        throw Enough()
      }
    }
    try realm.write { tx in
      let error = #expect(throws: RealmError.self) { try realm.write { _ in } }
      #expect(error?.kind == .change)
      try tx.create("Note", ["id": 2])
    }
    #expect(try Self.texts(realm.open()).count == 1)
    let error = #expect(throws: RealmError.self) {
      var other = Self.schema
      other.tables[0].properties[1].type = .int
      _ = try Realm.inMemory("notes, refused", schema: other)
    }
    #expect(error?.kind == .schema)
    try Self.checkSound(realm)
  }

  @Test func `files are files in a transaction of a realm in memory`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let realm = try Realm.inMemory("notes, files", schema: Self.schema)
    try realm.write { _ in try Realm.write(at: path) { _ = try $0.objects("Dog").delete() } }
    #expect(try Realm.open(at: path).objects("Dog").count() == 0)
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).faults == [])
  }

  @Test func `threads take turns`() async throws {
    let realm = try Realm.inMemory("notes, threads", schema: Self.schema)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for step in 0..<10 {
            try await realm.write { try $0.create("Note", ["id": number * 100 + step]) }
            _ = try Self.texts(realm.open()).count
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Self.texts(realm.open()).count == 80)
    try Self.checkSound(realm)
  }
}
