import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// However a query is run, it finds the same.
@Suite struct QueryRunTests {
  private static let fixtures = ["all-types", "corners", "indexes", "strings", "nested-mixed", "todo", "deep-tree"]

  @Test("indexes and threads change nothing", arguments: fixtures)
  func sameHowever(_ name: String) throws {
    let path = Fixture.path("engine/\(name).realm")
    let before = try Fixture.bytes("engine/\(name).realm")
    let opened = try ByteStore.open(.path(path), key: nil)
    let snapshot = try Snapshot(of: opened.store)
    var writer = QueryWriter(seed: 11, samples: try QuerySamples(try Realm.open(at: path)))
    var answered = 0
    for _ in 0..<25 {
      guard let text = writer.next(), let table = snapshot.table(displayName: RealmString(text.className)),
        let query = try? Query(text.text, of: table, in: snapshot, dialect: .reference)
      else { continue }
      answered += 1
      guard let plain = try? query.keys(QueryOptions()) else { continue }
      var other = QueryOptions(threadCount: 3)
      other.usesIndexes = false
      #expect(try query.keys(other).keys == plain.keys, "\(text.text)")
      #expect(try query.count(QueryOptions(threadCount: 2)).count == plain.keys.count, "\(text.text)")
      #expect(try query.exists().exists == !plain.keys.isEmpty, "\(text.text)")
      if query.isPlain { #expect(try filtered(table, query.matcher()) == plain.keys, "\(text.text)") }
    }
    #expect(answered > 10)
    #expect(try Fixture.bytes("engine/\(name).realm") == before)
  }

  /// Object by object, like code that goes through the objects for other reasons.
  private func filtered(_ table: Table, _ matcher: QueryMatcher) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var batches = table.batches()
    while case .batch(let batch)? = batches.next() {
      for row in 0..<batch.count where try matcher.matches(batch, row) { keys.append(batch.key(at: row)) }
    }
    return keys
  }

  @Test("an encrypted realm gives the same") func encrypted() throws {
    let plain = try ByteStore.open(.path(Fixture.path("engine/all-types.realm")), key: nil)
    let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    let secret = try ByteStore.open(.path(Fixture.path("engine/all-types-encrypted.realm")), key: key)
    let (snapshot, encrypted) = (try Snapshot(of: plain.store), try Snapshot(of: secret.store, wasDecrypted: true))
    for text in [
      "intCol > 0", "stringCol CONTAINS 'a' SORT(stringCol DESC)", "link.@count == 1",
      "TRUEPREDICATE SORT(intCol ASC) LIMIT(3)",
    ] {
      for table in snapshot.tables.filter(\.schema.isClass) {
        guard let query = try? Query(text, of: table, in: snapshot), let other = encrypted.table(table.key) else {
          continue
        }
        let found = try Query(text, of: other, in: encrypted).keys(QueryOptions(threadCount: 2))
        #expect(try query.keys().keys == found.keys)
      }
    }
  }

  @Test("LIMIT ends the walk, SORT and DISTINCT come in the order written") func steps() throws {
    let realm = try QueryRealm()
    let person = try realm.table("Person")
    func keys(_ text: String, limit: Int? = nil) throws -> [Int64] {
      try Query(text, of: person, in: realm.snapshot).keys(QueryOptions(limit: limit)).keys.map(\.rawValue)
    }
    #expect(try keys("TRUEPREDICATE LIMIT(2)") == [0, 1])
    #expect(try keys("TRUEPREDICATE LIMIT(0)") == [])
    #expect(try keys("TRUEPREDICATE", limit: 3) == [0, 1, 2])
    #expect(try keys("TRUEPREDICATE SORT(name DESC) LIMIT(2)") == [3, 5])
    #expect(try keys("TRUEPREDICATE SORT(name DESC)", limit: 1) == [3])
    #expect(try keys("TRUEPREDICATE LIMIT(2) SORT(name DESC)") == [1, 0])
  }

  @Test("a lookup by primary key says so, and looks at one object") func explained() throws {
    let realm = try QueryRealm()
    let query = try Query("_id == 5", of: realm.table("Person"), in: realm.snapshot)
    #expect(query.explanation.index == "primary key of '_id'")
    let counter = Counter()
    #expect(try query.keys(QueryOptions(visited: { counter.add($0) })).keys.map(\.rawValue) == [4])
    #expect(counter.count == 1)
    #expect(try Query("age == 25", of: realm.table("Person"), in: realm.snapshot).explanation.index == nil)
  }

  @Test("what the caller throws ends the query") func cancelled() throws {
    struct Stopped: Error {}
    let realm = try QueryRealm()
    let query = try Query("age > 1", of: realm.table("Person"), in: realm.snapshot)
    #expect(throws: Stopped.self) { try query.keys(QueryOptions(threadCount: 2, visited: { _ in throw Stopped() })) }
  }

  private final class Counter: @unchecked Sendable {
    private(set) var count = 0
    func add(_ number: Int) { count += number }
  }
}

/// Queries over damaged files report what they could not read.
@Suite struct DamagedQueryTests {
  @Test("no damage ends a query other than with an answer or an error") func anyBytes() throws {
    let sound = try Fixture.bytes("engine/all-types.realm")
    var random = SeededGenerator(seed: 5)
    var damaged = 0
    for _ in 0..<60 {
      var bytes = sound
      for _ in 0..<40 {
        bytes[Int.random(in: 24..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let realm = try? QueryRealm(bytes: bytes) else { continue }
      for table in realm.snapshot.tables.filter(\.schema.isClass) {
        for property in table.schema.properties.prefix(12) {
          for text in ["\(property.name) != null", "ANY \(property.name) == 5", "\(property.name).@count > 0"] {
            guard let query = try? Query(text, of: table, in: realm.snapshot),
              let result = try? query.keys(QueryOptions(threadCount: 2))
            else { continue }
            if !result.damage.isEmpty { damaged += 1 }
          }
        }
      }
    }
    #expect(damaged > 0)
  }

  @Test("objects whose values are lost are named, not guessed") func namedDamage() throws {
    let sound = try QueryRealm()
    // The leaf of the names begins with "Ann" in a field of eight bytes; its header is in front of it.
    let field: [UInt8] = [0x41, 0x6e, 0x6e, 0, 0, 0, 0, 4]
    let bytes = sound.bytes
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: field) })
    var damaged = bytes
    damaged[start - 4] = 0x41
    let realm = try QueryRealm(bytes: damaged)
    let person = try realm.table("Person")
    func result(_ text: String) throws -> QueryResult { try Query(text, of: person, in: realm.snapshot).keys() }
    for text in ["name == 'Ann'", "NOT name == 'Ann'", "age > 0 AND name != 'Ann'"] {
      let result = try result(text)
      #expect(result.keys.isEmpty, "\(text)")
      #expect(result.damage.count == 1, "\(text)")
      guard case .values("name", _, _)? = result.damage.described.first?.part else {
        Issue.record("\(text): \(result.damage.described)")
        continue
      }
    }
    // A field that says that it has more padding than bytes is not just different.
    var padded = bytes
    padded[start + field.count - 1] = 0x41
    let other = try QueryRealm(bytes: padded)
    let lost = try Query("name == 'Bob'", of: other.table("Person"), in: other.snapshot).keys()
    #expect(lost.keys.map(\.rawValue) == [1])
    #expect(lost.damage.count == 1)
    // No name is needed if another part of the query decides.
    #expect(try result("age == 25 OR name == 'Ann'").keys.map(\.rawValue) == [1, 4])
    #expect(try result("age == 25").damage.isEmpty)
  }
}
