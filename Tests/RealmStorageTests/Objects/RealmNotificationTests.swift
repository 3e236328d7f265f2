import Foundation
import RealmStorage
import TestSupport
import Testing

/// Notifications of what apps commit.
@Suite struct RealmNotificationTests {
  private static let schema = [
    TableSchema(
      name: "class_Dog",
      properties: [
        Property(name: "name", type: .string), Property(name: "age", type: .double),
        Property(name: "tags", type: .string, collection: .list),
      ]),
    TableSchema(name: "class_Cat", properties: [Property(name: "n", type: .int)]),
  ]

  private static func realm(_ folder: TemporaryFolder) throws -> String {
    let path = try folder.write("app.realm", Fixture.bytes("engine/person-v1.realm"))
    try RealmFile.open(at: path).edit { transaction in
      try transaction.removeTable("class_Person")
      try transaction.addTables(schema)
    }
    return path
  }

  private static func write(_ path: String, _ body: (borrowing RealmTransaction) throws -> Void) throws {
    try Realm.write(at: path, body)
  }

  @Test(arguments: [1, 2, 3]) func `changes are those of a plain model`(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    var random = SeededGenerator(seed: seed)
    var model: [ObjectKey: (name: String, age: Double, tags: [String])] = [:]
    var iterator = Realm.changes(at: path, of: ["Dog"], everyMilliseconds: 1).makeAsyncIterator()
    let first = try #require(try await iterator.next())
    #expect(first.classes.isEmpty && !first.changesSchema)
    for _ in 0..<12 {
      let before = model
      // Several commits between two looks are one change.
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try Self.write(path) { tx in
          for _ in 0..<Int.random(in: 1...5, using: &random) {
            let name = "\(Int.random(in: 0..<3, using: &random))"
            let age = [0.0, -0.0, 1.5, .infinity].randomElement(using: &random) ?? 0
            let tags = (0..<Int.random(in: 0..<3, using: &random)).map { "\($0)" }
            if let key = model.keys.sorted().randomElement(using: &random), Bool.random(using: &random) {
              let dog = try #require(try tx.object("Dog", key: key))
              if Int.random(in: 0..<3, using: &random) == 0 {
                try dog.delete()
                model[key] = nil
              } else {
                try dog.set("name", to: name)
                try dog.set("age", to: age)
                try dog.set("tags", to: tags)
                model[key] = (name, age, tags)
              }
            } else {
              let dog = try tx.create("Dog", ["name": name, "age": age])
              try dog.set("tags", to: tags)
              model[dog.key] = (name, age, tags)
            }
          }
          // Another class does not count.
          _ = try tx.create("Cat", ["n": 1])
        }
      }
      let inserted = model.keys.filter { before[$0] == nil }.sorted()
      let deleted = before.keys.filter { model[$0] == nil }.sorted()
      let modified = model.keys.filter { key in
        guard let old = before[key], let new = model[key] else { return false }
        return old.name != new.name || old.age.bitPattern != new.age.bitPattern || old.tags != new.tags
      }.sorted()
      guard !(inserted + deleted + modified).isEmpty else { continue }
      let change = try #require(try await iterator.next())
      #expect(!change.changesSchema)
      #expect(change.classes.map(\.name) == ["Dog"])
      #expect(change.classes.first?.inserted == inserted)
      #expect(change.classes.first?.deleted == deleted)
      #expect(change.classes.first?.modified == modified)
      #expect(try change.realm.objects("Dog").count() == model.count)
    }
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).faults == [])
  }

  @Test func `a file that is replaced is followed, and one that is removed is an error`() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    let other = try TemporaryFolder()
    let replacement = try Self.realm(other)
    try RealmFile.open(at: replacement).edit { try $0.removeTable("class_Cat") }
    try Self.write(replacement) { tx in _ = try tx.create("Dog", ["name": "Rex", "age": 1.0]) }
    var iterator = Realm.changes(at: path, everyMilliseconds: 1).makeAsyncIterator()
    _ = try await iterator.next()
    #expect(rename(replacement, path) == 0)
    let change = try #require(try await iterator.next())
    #expect(change.changesSchema)
    #expect(change.classes.map(\.name) == ["Dog"])
    #expect(change.classes.first?.inserted == [ObjectKey(rawValue: 0)])
    try FileManager.default.removeItem(atPath: path)
    do {
      _ = try await iterator.next()
      Issue.record("the realm is gone")
    } catch let error as RealmError {
      #expect(error.kind == .notFound)
    }
  }

  @Test func `waiting ends with the task`() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    let task = Task {
      for try await change in Realm.changes(at: path, everyMilliseconds: 3_600_000) where change.classes.isEmpty {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
