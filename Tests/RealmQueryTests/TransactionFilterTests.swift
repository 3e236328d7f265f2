import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// Queries over the objects of a transaction.
@Suite struct TransactionFilterTests {
  private static func copy(_ folder: TemporaryFolder, _ fixture: String = "dogs") throws -> String {
    try folder.write("app.realm", Fixture.bytes("engine/\(fixture).realm"))
  }

  private static func checkSound(_ path: String) throws {
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).faults == [])
  }

  @Test func `a filter sees the changes of the transaction, also those after another filter`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder, "person-v1")
    try Realm.write(at: path) { tx in
      let people = try tx.objects("Person")
      let before = try people.count()
      for age in 100..<110 { try tx.create("Person", ["firstName": "New", "age": age]) }
      let old = try people.filter("age >= $0 AND firstName == $1", 105, "New")
      #expect(try old.count() == 5)
      let first = try old.first()
      try first?.set("age", to: 1)
      // What was found is kept; what is asked again is found again.
      #expect(try old.count() == 5)
      #expect(try people.filter("age >= 105 AND firstName == 'New'").count() == 4)
      #expect(try old.filter("age == 1").count() == 1)
      #expect(try people.filter("age IN $0", [106, 107]).count() == 2)
      let sorted = try people.filter("age > 100 SORT(age DESC) LIMIT(3)")
      var ages: [Int] = []
      try sorted.forEach { ages.append(try $0.get("age")) }
      #expect(ages == [109, 108, 107])
      #expect(try sorted.filter("age < 109 SORT(age ASC)").first()?.get("age") == 107)
      #expect(try people.filter("firstName == 'New' AND age > 105").delete() == 4)
      #expect(try people.count() == before + 6)
    }
    #expect(try Realm.open(at: path).objects("Person").count() == 12)
    try Self.checkSound(path)
  }

  @Test func `objects are arguments, and links lead through the filter`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    try Realm.write(at: path) { tx in
      let ball = try tx.create("Toy", primaryKey: RealmUUID(head: 1, tail: 2), ["name": "Zeppelin"])
      let dog = try tx.objects("Dog").first()
      try dog?.set("favoriteToy", to: ball)
      #expect(try tx.objects("Dog").filter("favoriteToy == $0", ball).first()?.key == dog?.key)
      #expect(try tx.objects("Dog").filter("favoriteToy.name == 'Zeppelin'").count() == 1)
      #expect(
        try tx.objects("Dog").filter("favoriteToy == $0", nil).filter("favoriteToy.name == 'Zeppelin'").count() == 0)
    }
    try Self.checkSound(path)
  }

  @Test func `a query that is wrong leaves the transaction as it was`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    try Realm.write(at: path) { tx in
      let dogs = try tx.objects("Dog")
      for query in ["name ==", "nose == 1", "name == $1"] {
        let error = #expect(throws: RealmError.self) { try dogs.filter(query, 1) }
        #expect(error?.kind == .query)
        #expect(error?.cause is QueryError)
      }
      #expect(throws: RealmError.self) { try dogs.filter("name == $0", ["a": 1]) }
      try dogs.first()?.set("name", to: "Max")
    }
    try Self.checkSound(path)
    let kept = try Realm.write(at: path) { try $0.objects("Dog") }
    let error = #expect(throws: RealmError.self) { try kept.filter("name == 'Max'") }
    #expect(error?.kind == .change)
  }

  @Test func `what was written for a filter does not count where the closure throws`() throws {
    struct Enough: Error {}
    let folder = try TemporaryFolder()
    for fixture in ["dogs", "all-types-encrypted"] {
      let path = try Self.copy(folder, fixture)
      let key = fixture == "dogs" ? nil : try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
      let before = try Realm.open(at: path, key: key)
      let name = fixture == "dogs" ? "Dog" : "AllTypes"
      let count = try before.objects(name).count()
      #expect(throws: Enough.self) {
        try Realm.write(at: path, key: key) { tx in
          let objects = try tx.objects(name)
          for _ in 0..<3 {
            try objects.first()?.delete()
            #expect(try objects.filter("TRUEPREDICATE").count() == objects.count())
          }
          throw Enough()
        }
      }
      let after = try Realm.open(at: path, key: key)
      #expect(try after.objects(name).count() == count)
      #expect(after.commit == before.commit)
      if key == nil { try Self.checkSound(path) }
      let deleted = try Realm.write(at: path, key: key) { try $0.objects(name).filter("TRUEPREDICATE").delete() }
      #expect(deleted == count)
      #expect(try Realm.open(at: path, key: key).objects(name).count() == 0)
    }
  }
}
