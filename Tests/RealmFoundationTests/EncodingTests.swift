import Foundation
import RealmFoundation
import RealmStorage
import TestSupport
import Testing

// Inside the package, RealmStorage has a type of this name as well.
private typealias Ref = RealmFoundation.Ref

@Suite struct EncodingTests {
  private struct Toy: Codable, Equatable {
    var _id = UUID()
    var name: String
  }

  private struct Dog: Codable, Equatable {
    var _id = ObjectID.generate()
    var name: String
    var breed: String?
    var dateOfBirth: Timestamp
    var favoriteToy: Ref<Toy>?
  }

  private struct Person: Codable, Equatable {
    var _id = ObjectID.generate()
    var name: String
    var birthdate: Date?
    var dogs: [Ref<Dog>]
  }

  private static func copy(_ folder: borrowing TemporaryFolder) throws -> URL {
    try folder.write("dogs.realm", Fixture.bytes("engine/dogs.realm"))
    return URL(fileURLWithPath: folder.path("dogs.realm"))
  }

  @Test("what is written is read again") func roundTrip() throws {
    let folder = try TemporaryFolder()
    let url = try Self.copy(folder)
    let toy = Toy(name: "Ball")
    var dogs = [
      Dog(
        name: "Rex", breed: "Setter", dateOfBirth: Timestamp(seconds: -1, nanoseconds: -5),
        favoriteToy: Ref(className: "Toy", key: ObjectKey(rawValue: 0), primaryKey: toy._id.realmValue)),
      Dog(name: "Ada", dateOfBirth: Timestamp(seconds: 1, nanoseconds: 5)),
    ]
    var person = Person(name: "Alice", birthdate: Date(timeIntervalSince1970: 0.5), dogs: [])
    try Realm.write(at: url) { tx in
      try tx.create("Toy", toy)
      let keys = try dogs.map { try tx.create("Dog", $0).key }
      person.dogs = zip(dogs, keys).reversed().map {
        Ref(className: "Dog", key: $1, primaryKey: $0._id.realmValue)
      }
      try tx.create("Person", person)
    }
    func read<T: Decodable>(_ className: String, _ id: some RealmConvertible, _ type: T.Type) throws -> T? {
      try Realm.open(at: url).objects(className).object(primaryKey: id.realmValue)?.decode(type)
    }
    #expect(try read("Toy", toy._id, Toy.self) == toy)
    #expect(try read("Person", person._id, Person.self) == person)
    let rex = try #require(try read("Dog", dogs[0]._id, Dog.self))
    #expect(rex.favoriteToy?.primaryKey == toy._id.realmValue && rex.dateOfBirth == dogs[0].dateOfBirth)
    #expect(try read("Dog", dogs[1]._id, Dog.self) == dogs[1])
    // Nil becomes null in an object that exists.
    dogs[0].breed = nil
    person.birthdate = nil
    try Realm.write(at: url) { tx in
      try tx.upsert("Dog", dogs[0])
      try tx.upsert("Person", person)
    }
    #expect(try read("Dog", dogs[0]._id, Dog.self)?.breed == nil && read("Person", person._id, Person.self) == person)
    guard case .realm? = Optional(Realm.probe(at: url)) else {
      Issue.record("\(Realm.probe(at: url))")
      return
    }
  }

  @Test("an empty array is a list, and data only of bytes") func emptyArrays() throws {
    struct Lists: Codable, Equatable {
      var _id = 4711
      var listString: [String] = []
      var embeddedList: [[String: String]] = []
      var mixedCol: [String] = []
      var dataCol: [UInt8] = []
    }
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: try folder.write("a.realm", Fixture.bytes("engine/all-types.realm")))
    try Realm.write(at: url) { try $0.create("AllTypes", Lists()) }
    let object = try #require(try Realm.open(at: url).objects("AllTypes").object(primaryKey: 4711))
    #expect(object["mixedCol"] == .list([]) && object["dataCol"] == .data([]))
    #expect(object["listString"] == .list([]) && object["embeddedList"] == .list([]))
  }

  @Test("a value can be encoded in parts") func parts() throws {
    struct Parts: Encodable {
      enum CodingKeys: String, CodingKey { case _id, mixedCol, listInt }
      enum Part: String, CodingKey { case a, b }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(4711, forKey: ._id)
        for part in [Part.a, .b] {
          var nested = container.nestedContainer(keyedBy: Part.self, forKey: .mixedCol)
          try nested.encode(1, forKey: part)
          var list = container.nestedUnkeyedContainer(forKey: .listInt)
          try list.encode(2)
        }
      }
    }
    let folder = try TemporaryFolder()
    let url = URL(fileURLWithPath: try folder.write("a.realm", Fixture.bytes("engine/all-types.realm")))
    try Realm.write(at: url) { try $0.create("AllTypes", Parts()) }
    let object = try #require(try Realm.open(at: url).objects("AllTypes").object(primaryKey: 4711))
    #expect(object["mixedCol"] == .dictionary(["a": 1, "b": 1]) && object["listInt"] == .list([2, 2]))
  }

  @Test("what no realm stores is an error, and nothing is written") func refusals() throws {
    struct Wide: Encodable { var number = UInt64.max }
    struct Long: Encodable { var number = Decimal(string: "12345678901234567890123456789012345678") ?? 0 }
    let folder = try TemporaryFolder()
    let url = try Self.copy(folder)
    let before = try Data(contentsOf: url)
    #expect(throws: EncodingError.self) { try Realm.write(at: url) { try $0.create("Toy", Wide()) } }
    #expect(throws: EncodingError.self) { try Realm.write(at: url) { try $0.create("Toy", Long()) } }
    #expect(throws: EncodingError.self) { try Realm.write(at: url) { try $0.create("Toy", 3) } }
    let nowhere = Ref<Toy>(className: "Toy", key: ObjectKey(rawValue: 0), primaryKey: UUID().realmValue)
    let dog = Dog(name: "Rex", dateOfBirth: Timestamp(seconds: 0, nanoseconds: 0), favoriteToy: nowhere)
    #expect(throws: EncodingError.self) { try Realm.write(at: url) { try $0.create("Dog", dog) } }
    #expect(throws: RealmError.self) { try Realm.write(at: url) { try $0.create("Cat", Toy(name: "Ball")) } }
    #expect(try Data(contentsOf: url) == before)
  }
}
