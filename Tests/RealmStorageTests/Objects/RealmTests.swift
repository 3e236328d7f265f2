import Foundation
import RealmStorage
import TestSupport
import Testing

/// The API that a Swift program uses.
@Suite struct RealmTests {
  private static func key() throws -> EncryptionKey {
    try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  }

  @Test func `a realm is read`() throws {
    try leavingUntouched(Fixture.path("engine/dogs.realm")) { path in
      let realm = try Realm.open(at: path)
      #expect(realm.path == path)
      #expect(!realm.isEncrypted)
      #expect(realm.fileFormat == 24)
      #expect(realm.schema.version == 3)
      #expect(realm.damagedTables.isEmpty)
      #expect(realm.classes.map(\.name) == ["Dog", "Person", "Toy"])
      #expect(try !realm.hasChanged())
      try realm.objects("Person").forEach { person in
        let dogs = try person.links("dogs")
        #expect(dogs.name == "Dog")
        let linked = try person["dogs"]?.elements?.map { try realm.object(linkedBy: $0)?.key }
        #expect(try dogs.all().map(\.key) == linked)
        try dogs.forEach { dog in
          let owners = try dog.backlinks("Person.dogs").all().map(\.key)
          #expect(owners.contains(person.key))
          let groups = try dog.backlinks().map { "\($0.objects.name).\($0.property)" }
          #expect(groups.contains("Person.dogs"))
        }
      }
      #expect(try realm.object(linkedBy: .int(5)) == nil)
    }
  }

  @Test func `objects are found by a value, of a primary key for example`() throws {
    let realm = try Realm.open(at: Fixture.path("engine/dogs.realm"))
    let toys = try realm.objects("Toy")
    let toy = try #require(try toys.all().last)
    let id = try #require(toy["_id"])
    #expect(try toys.object(where: "_id", is: id)?.key == toy.key)
    #expect(try toys.object(where: "_id", is: Value.null) == nil)
    #expect(try toys.object(primaryKey: id)?.key == toy.key)
    #expect(try toys.object(primaryKey: Value.null) == nil)
    #expect(Self.cause { _ = try toys.object(where: "no such property", is: id) } != nil)
  }

  @Test func `an encrypted realm is walked by several at once, each with pages of its own`() async throws {
    let path = Fixture.path("engine/all-types-encrypted.realm")
    let realm = try await Realm.open(at: path, key: Self.key())
    #expect(realm.isEncrypted)
    let tables = realm.classes
    let counts = await withTaskGroup(of: Int.self) { group in
      for objects in tables + tables { group.addTask { (try? objects.all().count) ?? -1 } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try counts.reduce(0, +) == 2 * tables.reduce(0) { try $0 + $1.count() })
    #expect(counts.reduce(0, +) > 0)
  }

  @Test func `cursors that are copied share their place`() throws {
    let dogs = try Realm.open(at: Fixture.path("engine/dogs.realm")).objects("Dog")
    var first = try dogs.cursor()
    var second = first
    let keys = try [first.next(), second.next(), first.next(), second.next(), first.next()].map { $0?.key }
    #expect(Set(keys).count == 5)
    #expect(try first.next() == nil && second.next() == nil)
    #expect(first.key == nil)
  }

  @Test func `a name that does not exist is answered with those that do`() throws {
    let realm = try Realm.open(at: Fixture.path("engine/dogs.realm"))
    #expect(
      Self.cause { _ = try realm.objects("Cat") } == .noSuchClass("Cat", known: ["Dog", "Person", "Toy"]))
    let dogs = try realm.objects("Dog")
    let names = dogs.schema.properties.map { "\($0.name)" }
    #expect(
      Self.cause { _ = try dogs.cursor(columns: ["name", "nme"]) }
        == .noSuchProperty("nme", className: "Dog", known: names))
    #expect(Self.cause { _ = try dogs.cursor(columns: ["name.length"]) } == .notALink("name", className: "Dog"))
    var cursor = try dogs.cursor(columns: ["name"])
    let dog = try #require(try cursor.next())
    #expect(dog.columns == ["name"] && dog.values.count == 1 && dog[names[0] == "name" ? names[1] : names[0]] == nil)
    #expect(Self.cause { _ = try dog.link("name") } == .notALink("name", className: "Dog"))
    #expect(Self.cause { _ = try dog.links("breed") } == .notRead("breed", columns: ["name"]))
    #expect(
      Self.cause { _ = try dog.backlinks("Toy.dog") }
        == .noSuchBacklink("Toy.dog", className: "Dog", known: ["Person.dogs"]))
    let addresses = try Realm.open(at: Fixture.path("engine/address-twice.realm")).objects("Address")
    #expect(Self.cause { _ = try addresses.object(primaryKey: 1) } == .noPrimaryKey(className: "Address"))
    do throws(RealmError) { _ = try realm.objects("Cat") } catch {
      #expect(error.kind == .value)
      #expect(error.description.hasSuffix("no class 'Cat'; the realm has Dog, Person, Toy"))
    }
  }

  /// The unknown name that an error is about.
  private static func cause(_ body: () throws -> Void) -> NameError? {
    do { try body() } catch { return (error as? RealmError)?.cause as? NameError }
    return nil
  }

  @Test func `errors say what kind they are, and what is wrong`() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", Array("text, and some more of it\n".utf8))
    try folder.write("cut.realm", Array(Fixture.bytes("engine/fragmented-compacted.realm").dropLast(64)))
    func error(_ name: String, _ key: EncryptionKey? = nil) -> RealmError? {
      do throws(RealmError) { _ = try Realm.open(at: name, key: key) } catch { return error }
      return nil
    }
    let missing = folder.path("missing.realm")
    #expect(error(missing)?.kind == .notFound)
    #expect(error(missing)?.description == "\(missing): no such file or directory")
    #expect(error(folder.path("text"))?.kind == .notARealm)
    #expect(error(folder.path("cut.realm"))?.kind == .damaged)
    #expect(error(Fixture.path("engine/all-types-encrypted.realm"))?.kind == .key)
    #expect(try error(Fixture.path("engine/dogs.realm"), Self.key())?.kind == .key)
    #expect(error(folder.path("."))?.kind == .system)
  }

  @Test func `damage stands in the place of the object, and the others follow`() throws {
    let folder = try TemporaryFolder()
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let table = try tree.table("class_Dog")
    // More than a second of nanoseconds.
    try #require(table.leaf("dateOfBirth").child(1)).values[2] = 4_000_000_000
    try folder.write("damaged.realm", tree.written(.normal))
    let realm = try Realm.open(at: folder.path("damaged.realm"))
    let dogs = try realm.objects("Dog")
    let kinds = try dogs.outcomes().map { object -> RealmError.Kind? in
      if case .failure(let error) = object { error.kind } else { nil }
    }
    #expect(kinds == [nil, nil, .damaged, nil, nil])
    var cursor = try dogs.cursor()
    _ = try (cursor.next(), cursor.next())
    #expect(throws: RealmError.self) { try cursor.next() }
    #expect(try cursor.key == dogs.outcomes()[3].get().key.predecessor)
    #expect(try realm.objects("Person").all().count == realm.objects("Person").count())
    // What is not read does no harm.
    #expect(try dogs.all(columns: ["name"]).count == 5)
  }
}

extension ObjectKey {
  fileprivate var predecessor: ObjectKey { ObjectKey(rawValue: rawValue - 1) }
}
