import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage

/// Objects in a transaction, as an app makes, finds, changes and deletes them.
@Suite struct WrittenObjectTests {
  private static let schema: [TableSchema] = {
    func property(_ name: RealmString, _ type: PropertyType, optional: Bool = false) -> Property {
      Property(name: name, type: type, isOptional: optional)
    }
    func link(_ name: RealmString, _ target: RealmString, _ kind: CollectionKind? = nil) -> Property {
      Property(
        name: name, type: .object, collection: kind, isOptional: kind == nil || kind == .dictionary, target: target)
    }
    func many(_ name: RealmString, _ type: PropertyType, _ kind: CollectionKind) -> Property {
      Property(name: name, type: type, collection: kind, isOptional: type == .mixed)
    }
    return [
      TableSchema(
        name: "class_Person",
        properties: [
          property("id", .int), property("name", .string), link("dogs", "class_Dog", .list), link("best", "class_Dog"),
          link("home", "class_Address"), link("past", "class_Address", .list),
          link("named", "class_Address", .dictionary),
          link("friends", "class_Person", .set), link("byName", "class_Dog", .dictionary),
        ],
        primaryKeyIndex: 0),
      TableSchema(
        name: "class_Dog",
        properties: [
          property("name", .string), property("age", .int), property("weight", .double), property("height", .float),
          property("price", .decimal128), property("born", .date, optional: true),
          property("any", .mixed, optional: true),
          many("tags", .string, .set), many("scores", .double, .list), many("extra", .mixed, .dictionary),
          many("things", .mixed, .list),
        ]),
      TableSchema(
        name: "class_Address", kind: .embedded,
        properties: [property("street", .string), property("number", .int), link("inner", "class_Address")]),
    ]
  }()

  /// A realm with these classes.
  private static func realm(_ folder: TemporaryFolder) throws -> String {
    let path = try folder.write("app.realm", Fixture.bytes("engine/person-v1.realm"))
    try RealmFile.open(at: path).edit { transaction in
      try transaction.removeTable("class_Person")
      try transaction.addTables(schema)
    }
    return path
  }

  /// Runs a transaction, and checks the file that it leaves.
  private static func write(_ path: String, _ body: (borrowing RealmTransaction) throws -> Void) throws {
    try Realm.write(at: path, body)
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).faults == [])
  }

  private static func object(_ path: String, _ name: String, _ key: ObjectKey) throws -> RealmObject {
    try #require(try Realm.open(at: path).objects(name).object(key))
  }

  private static func refusal(_ body: () throws -> Void) -> (any Error)? {
    do { try body() } catch let error as RealmError { return error.cause } catch { return error }
    return nil
  }

  @Test func `values of all kinds are given as an app has them`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    var key = ObjectKey(rawValue: -1)
    let age: Int8 = 3
    let born: Timestamp? = nil
    try Self.write(path) { tx in
      let rex = try tx.create(
        "Dog",
        [
          "name": "Rex", "age": age, "weight": 30, "height": 0.5 as Float, "price": -12, "born": born, "any": [1, 2],
          "tags": ["a", "b", "a"], "scores": [1.5, 2], "extra": ["x": 1, "y": nil] as [String: Int?],
        ])
      key = rex.key
      #expect(rex.className == "Dog")
      #expect(try rex.get("name") == "Rex")
      #expect(try rex.get("age", as: Int.self) == 3)
      #expect(try rex.get("weight", as: Double.self) == 30)
      #expect(try rex.get("born", as: Timestamp?.self) == nil)
      #expect(try rex.get("tags", as: Set<String>.self) == ["a", "b"])
      #expect(try rex.get("extra", as: [String: Int?].self) == ["x": 1, "y": nil])
      try rex.set("age", to: rex.get("age", as: Int.self) + 1)
      try rex.set("born", to: Timestamp(seconds: 5, nanoseconds: 6))
      try rex.set("any", to: nil)
      try rex.append(3, to: "scores")
      try rex.insert(0.25, at: 0, in: "scores")
      try rex.setElement(at: 1, of: "scores", to: 7)
      try rex.removeElement(at: 2, of: "scores")
      try rex.insert("c", into: "tags")
      try rex.remove("a", from: "tags")
      try rex.setEntry("z", of: "extra", to: [true] as [Bool])
      try rex.removeEntry("x", of: "extra")
    }
    let rex = try Self.object(path, "Dog", key)
    #expect(rex["age"] == 4)
    #expect(rex["price"] == .decimal(Decimal128(coefficient: 12, exponent: 0, isNegative: true)))
    #expect(rex["born"] == .date(Timestamp(seconds: 5, nanoseconds: 6)))
    #expect(rex["scores"] == .list([.double(0.25), .double(7), .double(3)]))
    #expect(rex["tags"] == .set(["b", "c"]))
    #expect(rex["extra"] == .dictionary(["y": .null, "z": .list([.bool(true)])]))
  }

  @Test func `links are made of objects, alone and in collections`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      let dogs = try ["Rex", "Fido", "Max"].map { try tx.create("Dog", ["name": $0]) }
      let alice = try tx.create(
        "Person", primaryKey: 1, ["name": "Alice", "dogs": [dogs[0], dogs[1]], "best": dogs[0]])
      let bob = try tx.create("Person", ["id": 2, "friends": [alice], "byName": ["a": dogs[0], "b": nil]])
      try alice.append(dogs[2], to: "dogs")
      try alice.insert(bob, into: "friends")
      try alice.set("best", to: tx.object("Dog", key: dogs[2].key))
      try dogs[0].set("any", to: alice)
      try dogs[0].append(bob, to: "things")
      try dogs[1].set("extra", to: ["owner": alice])
      #expect(try alice.link("best")?.get("name") == "Max")
      #expect(try dogs[0].link("any")?.key == alice.key)
      #expect(try dogs[1].link("any") == nil)
      #expect(try alice.links("dogs").map { try $0.get("name", as: String.self) } == ["Rex", "Fido", "Max"])
      #expect(try dogs[0].backlinks("Person.dogs").map(\.key) == [alice.key])
      #expect(try dogs[0].backlinks("Person.best").isEmpty)
      #expect(try alice.backlinks("Dog.any").map(\.key) == [dogs[0].key])
      #expect(Self.refusal { _ = try dogs[0].backlinks("Person.friends") } as? BuildError == .wrongType)
      #expect(Self.refusal { _ = try dogs[0].backlinks("Nobody") } as? EditError == .noSuchTable("class_Nobody"))
      try dogs[1].delete()
      #expect(try alice.links("dogs").count == 2)
      #expect(Self.refusal { try dogs[1].delete() } is EditError)
      #expect(try !dogs[1].exists())
    }
    let realm = try Realm.open(at: path)
    let people = try realm.objects("Person")
    let alice = try #require(try people.object(where: "id", is: 1))
    #expect(alice["dogs"]?.elements?.count == 2)
    #expect(try realm.object(linkedBy: alice["best"] ?? .null)?["name"] == "Max")
    #expect(try people.object(where: "id", is: 2)?["byName"]?.entries?["b"] == .null)
  }

  @Test func `embedded objects are made with their parents, or alone`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    var key = ObjectKey(rawValue: -1)
    try Self.write(path) { tx in
      let street = ["street": "A"]
      let deep: [String: Value] = ["street": "D", "number": 4, "inner": .dictionary(["street": "E"])]
      let alice = try tx.create(
        "Person", primaryKey: 1, ["home": deep, "past": [street, street], "named": ["x": street]])
      key = alice.key
      #expect(try tx.objects("Address").count() == 5)
      // The old one goes with its own.
      try alice.set("home", to: ["street": "F"])
      #expect(try tx.objects("Address").count() == 4)
      let home = try alice.createEmbedded("home", ["street": "G", "number": 7])
      #expect(try alice.link("home")?.key == home.key)
      try home.createEmbedded("inner", ["street": "H"])
      try alice.createEmbedded("past", ["street": "B"])
      try alice.append(["street": "C"], to: "past")
      try alice.insert(["street": "0"], at: 0, in: "past")
      try alice.createEmbedded("named", entry: "y", ["street": "I"])
      try alice.setEntry("z", of: "named", to: ["street": "J"])
      try alice.setEntry("x", of: "named", to: nil)
      #expect(try alice.links("past").map { try $0.get("street", as: String.self) } == ["0", "A", "A", "B", "C"])
      // They can change places, and nothing else.
      let past = try alice.links("past")
      try alice.set("past", to: Array(past.reversed()))
      #expect(Self.refusal { try alice.set("past", to: past + [home]) } is EditError)
      #expect(Self.refusal { try alice.set("home", to: past[0]) } is EditError)
      #expect(Self.refusal { try alice.append(home, to: "past") } is EditError)
      #expect(Self.refusal { _ = try tx.create("Address", ["street": "X"]) } is EditError)
      #expect(Self.refusal { _ = try alice.createEmbedded("named", ["street": "X"]) } as? BuildError == .wrongType)
      #expect(Self.refusal { _ = try alice.createEmbedded("home", entry: "a") } as? BuildError == .wrongType)
      #expect(Self.refusal { _ = try alice.createEmbedded("dogs") } as? BuildError == .wrongType)
      #expect(try tx.objects("Address").count() == 9)
      try past[0].delete()
    }
    let alice = try Self.object(path, "Person", key)
    #expect(alice["past"]?.elements?.count == 4)
    #expect(alice["named"]?.entries?.count == 3)
    try Self.write(path) { try $0.object("Person", primaryKey: 1)?.delete() }
    #expect(try Realm.open(at: path).objects("Address").count() == 0)
  }

  @Test func `upsert makes an object, or changes only what is given`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      let first = try tx.upsert("Person", ["id": 1, "name": "Alice"])
      let home = try first.createEmbedded("home", ["street": "A"])
      let second = try tx.upsert("Person", primaryKey: 1, ["name": "Bob"])
      #expect(first.key == second.key)
      #expect(try first.get("name") == "Bob")
      // Its own embedded object may stay.
      try tx.upsert("Person", primaryKey: 1, ["home": home])
      #expect(try first.link("home")?.key == home.key)
      try tx.upsert("Person", primaryKey: 1, ["home": ["street": "B"]])
      #expect(try tx.objects("Address").count() == 1)
      #expect(try tx.objects("Person").count() == 1)
      #expect(try tx.object("Person", primaryKey: 2) == nil)
      #expect(Self.refusal { try tx.upsert("Dog", ["name": "Rex"]) } is EditError)
      #expect(Self.refusal { try tx.upsert("Person", ["name": "Rex"]) } is EditError)
      #expect(Self.refusal { try tx.upsert("Person", ["id": "1"]) } as? BuildError == .wrongType)
    }
  }

  /// What a refused change has read is not given back twice when the changes so far are written for a query.
  @Test func `a transaction goes on after a refused change and a write in between`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      for id in 0..<2 {
        try tx.create("Dog", ["name": "d"])
        try tx.create("Person", ["id": id])
      }
    }
    try Self.write(path) { tx in
      let people = try (0..<2).map { try #require(try tx.object("Person", primaryKey: $0)) }
      let dog = try #require(try tx.objects("Dog").first())
      var missing = Value.null
      if case .link(let table, _) = dog.realmValue { missing = .link(table, ObjectKey(rawValue: 1 << 40)) }
      #expect(throws: RealmError.self) { try people[1].append(missing, to: "dogs") }
      try dog.set("name", to: "x")
      _ = try tx.objects("Person").current()
      try people[0].append(dog, to: "dogs")
    }
    #expect(try Self.object(path, "Dog", ObjectKey(rawValue: 0))["name"] == "x")
  }

  @Test func `what is refused leaves nothing behind, and the rest is committed`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      let rex = try tx.create("Dog", ["name": "Rex"])
      let gone = try tx.create("Dog")
      try gone.delete()
      let alice = try tx.create("Person", primaryKey: 1, ["name": "Alice"])
      let wrong: [(String, [String: (any RealmConvertible)?])] = [
        ("Dog", ["name": "A", "nose": 1]), ("Dog", ["name": "A", "age": "3"]), ("Dog", ["name": "A", "age": nil]),
        ("Dog", ["name": "A", "weight": 1 << 62 | 1]), ("Dog", ["name": 1]), ("Dog", ["tags": 3]),
        ("Dog", ["extra": ["a.b": 1]]), ("Dog", ["things": Self.nested(200)]), ("Dog", ["things": Self.nested(20_000)]),
        ("Person", ["name": "No key"]), ("Person", ["id": 1]), ("Person", ["id": 3, "best": alice]),
        ("Person", ["id": 3, "name": "A", "best": gone]), ("Person", ["id": 3, "dogs": [rex, gone]]),
        ("Person", ["id": 3, "home": ["street": "A", "nose": "B"]]), ("Person", ["id": 3, "home": ["number": "B"]]),
        ("Person", ["id": 3, "past": [["street": "A"], ["number": "B"]]]),
        ("Person", ["id": 3, "named": ["$a": ["street": "A"]]]), ("Person", ["id": 3, "home": "A"]),
        ("Cat", [:]),
      ]
      for (name, values) in wrong {
        let error = #expect(throws: RealmError.self, "\(values.keys)") { try tx.create(name, values) }
        #expect(error?.kind == .change)
        #expect(try tx.objects("Dog").count() == 1)
        #expect(try tx.objects("Person").count() == 1)
        #expect(try tx.objects("Address").count() == 0)
      }
      #expect(Self.refusal { try tx.upsert("Person", primaryKey: 1, ["name": "B", "best": gone]) } is BuildError)
      #expect(try alice.get("name") == "Alice")
      #expect(Self.refusal { try tx.create("Dog", primaryKey: 1) } is EditError)
      #expect(Self.refusal { try tx.create("Person", primaryKey: 5, ["id": 6]) } is EditError)
      #expect(Self.refusal { try alice.set("id", to: 9) } as? EditError == .fixedPrimaryKey(table: "class_Person"))
      try alice.set("id", to: 1)
      for use in Self.uses { #expect(Self.refusal { try use.use(gone) } is any RealmErrorCause, "\(use.name)") }
      #expect(try tx.objects("Person").first()?.key == alice.key)
    }
  }

  private static func nested(_ depth: Int) -> Value { (0..<depth).reduce(Value.int(1)) { value, _ in .list([value]) } }

  @Test func `what is read as something else is told apart`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      let rex = try tx.create("Dog", ["name": "Rex"])
      func problem(_ body: () throws -> Void) -> ValueMismatch.Problem? {
        (Self.refusal(body) as? ValueMismatch)?.problem
      }
      #expect(problem { _ = try rex.get("born", as: Timestamp.self) } == .null)
      #expect(problem { _ = try rex.get("name", as: Int.self) } == .type(found: "string"))
      guard case .absent(let names)? = problem({ _ = try rex.get("nose", as: Int.self) }) else {
        Issue.record("not absent")
        return
      }
      #expect(names.contains("name"))
      #expect(problem { _ = try rex.link("name") } == .type(found: "string"))
      #expect(problem { _ = try rex.links("name") } == .type(found: "string"))
    }
  }

  @Test func `objects are visited and deleted together`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      let dogs = try tx.objects("Dog")
      #expect(try dogs.first() == nil)
      for number in 0..<600 { try tx.create("Dog", ["name": "\(number)", "age": number]) }
      var visited = 0
      try dogs.forEach { dog in
        visited += 1
        if visited == 1 { try tx.create("Dog") }
        if visited == 2 { try tx.object("Dog", key: ObjectKey(rawValue: 5))?.delete() }
        try dog.set("age", to: dog.get("age", as: Int.self) + 1)
      }
      #expect(visited == 599)
      #expect(try dogs.count() == 600)
      #expect(try dogs.first()?.get("age") == 1)
    }
    try Self.write(path) { tx in
      let dogs = try tx.objects("Dog")
      #expect(try dogs.delete() == 600)
      #expect(try dogs.count() == 0)
      #expect(try dogs.delete() == 0)
    }
  }

  // MARK: What outlives its transaction

  /// Everything that an object can do.
  private static let uses: [(name: String, use: @Sendable (WrittenObject) throws -> Void)] = [
    ("get", { _ = try $0.get("name", as: String.self) }),
    ("link", { _ = try $0.link("any") }),
    ("links", { _ = try $0.links("things") }),
    ("backlinks", { _ = try $0.backlinks("Person.dogs") }),
    ("set", { try $0.set("name", to: "A") }),
    ("createEmbedded", { _ = try $0.createEmbedded("home") }),
    ("delete", { try $0.delete() }),
    ("append", { try $0.append(1, to: "scores") }),
    ("insert at", { try $0.insert(1, at: 0, in: "scores") }),
    ("setElement", { try $0.setElement(at: 0, of: "scores", to: 1) }),
    ("removeElement", { try $0.removeElement(at: 0, of: "scores") }),
    ("insert into", { try $0.insert("a", into: "tags") }),
    ("remove from", { try $0.remove("a", from: "tags") }),
    ("setEntry", { try $0.setEntry("a", of: "extra", to: 1) }),
    ("removeEntry", { try $0.removeEntry("a", of: "extra") }),
  ]

  @Test func `objects that outlive their transaction answer with an error`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    func expectEnded(_ object: WrittenObject, _ objects: WrittenObjects) throws {
      for (name, use) in Self.uses { #expect(Self.refusal { try use(object) } as? EditError == .ended, "\(name)") }
      #expect(Self.refusal { _ = try object.exists() } as? EditError == .ended)
      #expect(Self.refusal { _ = try objects.count() } as? EditError == .ended)
      #expect(Self.refusal { _ = try objects.first() } as? EditError == .ended)
      #expect(Self.refusal { try objects.forEach { _ in } } as? EditError == .ended)
      #expect(Self.refusal { try objects.delete() } as? EditError == .ended)
      #expect(object.className == "Dog" && objects.className == "Dog")
    }
    let file = try RealmFile.open(at: path)
    let kept = try file.write { (try $0.create("Dog", ["name": "Rex"]), try $0.objects("Dog")) }
    try expectEnded(kept.0, kept.1)
    try file.write { tx in
      try expectEnded(kept.0, kept.1)
      // Nor are they links here.
      let alice = try tx.create("Person", primaryKey: 1)
      let refusal = EditError.otherTransaction(table: "class_Dog")
      let maybe: WrittenObject? = kept.0
      for value: any RealmConvertible in [kept.0, maybe, [kept.0], ["a": kept.0], [[maybe]], ["a": [kept.0]]]
        as [any RealmConvertible]
      {
        #expect(Self.refusal { try alice.set("best", to: value) } as? EditError == refusal)
      }
      #expect(Self.refusal { try alice.append(kept.0, to: "dogs") } as? EditError == refusal)
      #expect(Self.refusal { try tx.create("Person", ["id": 2, "dogs": [kept.0]]) } as? EditError == refusal)
    }
    struct Enough: Error {}
    var failed: (WrittenObject, WrittenObjects)?
    #expect(throws: Enough.self) {
      try file.write { tx in
        failed = (try tx.create("Dog"), try tx.objects("Dog"))
        throw Enough()
      }
    }
    let (object, objects) = try #require(failed)
    try expectEnded(object, objects)
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).faults == [])
  }

  @Test func `objects of a transaction answer other threads with an error`() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    // A closure of one expression gives its object away.
    let kept = try await Realm.write(at: path) { try $0.create("Dog", ["name": "Rex"]) }
    #expect(Self.refusal { _ = try kept.get("name", as: String.self) } is EditError)
    try Self.write(path) { tx in
      let rex = try #require(try tx.objects("Dog").first())
      let dogs = try tx.objects("Dog")
      let answer = ThreadResult { () -> [EditError?] in
        [
          Self.refusal { try rex.set("name", to: "Max") } as? EditError,
          Self.refusal { _ = try dogs.count() } as? EditError,
        ]
      }
      #expect(answer.get() == [.otherThread, .otherThread])
      #expect(try rex.get("name") == "Rex")
    }
  }

  @Test func `objects can be used after a spill, which makes new tables`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder)
    try Self.write(path) { tx in
      let rex = try tx.create("Dog", ["name": "Rex"])
      let dogs = try tx.objects("Dog")
      try tx.editing.spill()
      try rex.set("age", to: 4)
      try tx.editing.spill()
      #expect(try rex.get("age") == 4)
      #expect(try dogs.count() == 1)
      try dogs.delete()
      #expect(Self.refusal { try rex.set("age", to: 5) } is EditError)
    }
  }
}
