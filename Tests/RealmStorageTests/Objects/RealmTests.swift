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
      let realm = try Realm.open(path)
      #expect(realm.path == path)
      #expect(!realm.isEncrypted)
      #expect(realm.fileFormat == 24)
      #expect(realm.schema.version == 3)
      #expect(realm.damagedTables.isEmpty)
      #expect(realm.classes.map(\.name) == ["Dog", "Person", "Toy"])
      #expect(realm.classNamed("Cat") == nil)
      #expect(try !realm.hasChanged())
      let people = try #require(realm.classNamed("Person"))
      for person in people.objects {
        let person = try person.get()
        for link in person["dogs"]?.elements ?? [] {
          let dog = try #require(try realm.object(linkedBy: link))
          #expect(dog.schema.displayName == "Dog")
          let backlinks = try #require(realm.classNamed("Dog")).backlinks(to: dog.key)
          #expect(backlinks.contains { $0.property == "dogs" && $0.objects.contains(person.key) })
        }
      }
      #expect(try realm.object(linkedBy: .int(5)) == nil)
    }
  }

  @Test func `objects are found by a value, of a primary key for example`() throws {
    let realm = try Realm.open(Fixture.path("engine/dogs.realm"))
    let toys = try #require(realm.classNamed("Toy"))
    let toy = try #require(try toys.objects.map { try $0.get() }.last)
    let id = try #require(toy["_id"])
    #expect(try toys.object(where: "_id", is: id)?.key == toy.key)
    #expect(try toys.object(where: "_id", is: .null) == nil)
    #expect(try toys.object(where: "no such property", is: id) == nil)
  }

  @Test func `an encrypted realm is walked by several at once, each with pages of its own`() async throws {
    let path = Fixture.path("engine/all-types-encrypted.realm")
    let realm = try await Realm.open(path, key: Self.key())
    #expect(realm.isEncrypted)
    let tables = realm.classes
    let counts = await withTaskGroup(of: Int.self) { group in
      for objects in tables + tables { group.addTask { objects.objects.count { (try? $0.get()) != nil } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try counts.reduce(0, +) == 2 * tables.reduce(0) { try $0 + $1.count() })
    #expect(counts.reduce(0, +) > 0)
  }

  @Test func `iterators that are copied share their place`() throws {
    let dogs = try #require(try Realm.open(Fixture.path("engine/dogs.realm")).classNamed("Dog"))
    var first = dogs.objects.makeIterator()
    var second = first
    let keys = try [first.next(), second.next(), first.next(), second.next(), first.next()].map { try $0?.get().key }
    #expect(Set(keys).count == 5)
    #expect(first.next() == nil && second.next() == nil)
  }

  @Test func `errors say what kind they are, and what is wrong`() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", Array("text, and some more of it\n".utf8))
    try folder.write("cut.realm", Array(Fixture.bytes("engine/fragmented-compacted.realm").dropLast(64)))
    func error(_ name: String, _ key: EncryptionKey? = nil) -> RealmError? {
      do throws(RealmError) { _ = try Realm.open(name, key: key) } catch { return error }
      return nil
    }
    let missing = folder.path("missing.realm")
    #expect(error(missing)?.kind == .notFound)
    #expect(error(missing)?.description == "\(missing): no such file or directory")
    #expect(error(folder.path("text"))?.kind == .notARealm)
    #expect(error(folder.path("cut.realm"))?.kind == .notARealm)
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
    let realm = try Realm.open(folder.path("damaged.realm"))
    let dogs = try #require(realm.classNamed("Dog"))
    let kinds = dogs.objects.map { object -> RealmError.Kind? in
      if case .failure(let error) = object { error.kind } else { nil }
    }
    #expect(kinds == [nil, nil, .damaged, nil, nil])
    #expect(try #require(realm.classNamed("Person")).objects.allSatisfy { (try? $0.get()) != nil })
  }
}
