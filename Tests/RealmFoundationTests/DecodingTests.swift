import Foundation
import RealmFoundation
import RealmStorage
import TestSupport
import Testing

// Inside the package, RealmStorage has a type of this name as well.
private typealias Ref = RealmFoundation.Ref

@Suite struct DecodingTests {
  /// A type for each property of the class that has all types.
  private struct AllTypes: Decodable {
    var _id: Int
    var intCol: Int, optInt: Int?, listInt: [Int], listOptInt: [Int?]
    var setInt: Set<Int>, setOptInt: Set<Int?>, dictInt: [String: Int], dictOptInt: [String: Int?]
    var boolCol: Bool, optBool: Bool?, listBool: [Bool], listOptBool: [Bool?]
    var setBool: Set<Bool>, setOptBool: Set<Bool?>, dictBool: [String: Bool], dictOptBool: [String: Bool?]
    var stringCol: String, optString: String?, listString: [String], listOptString: [String?]
    var setString: Set<String>, setOptString: Set<String?>, dictString: [String: String],
      dictOptString: [String: String?]
    var dataCol: Data, optData: Data?, listData: [Data], listOptData: [Data?]
    var setData: Set<Data>, setOptData: Set<Data?>, dictData: [String: Data], dictOptData: [String: Data?]
    var dateCol: Timestamp, optDate: Timestamp?, listDate: [Timestamp], listOptDate: [Timestamp?]
    var setDate: Set<Timestamp>, setOptDate: Set<Timestamp?>, dictDate: [String: Timestamp],
      dictOptDate: [String: Timestamp?]
    var floatCol: Float, optFloat: Float?, listFloat: [Float], listOptFloat: [Float?]
    var setFloat: [Float], setOptFloat: [Float?], dictFloat: [String: Float], dictOptFloat: [String: Float?]
    var doubleCol: Double, optDouble: Double?, listDouble: [Double], listOptDouble: [Double?]
    var setDouble: [Double], setOptDouble: [Double?], dictDouble: [String: Double],
      dictOptDouble: [String: Double?]
    var objectIdCol: ObjectID, optObjectId: ObjectID?, listObjectId: [ObjectID], listOptObjectId: [ObjectID?]
    var setObjectId: Set<ObjectID>, setOptObjectId: Set<ObjectID?>, dictObjectId: [String: ObjectID],
      dictOptObjectId: [String: ObjectID?]
    var decimal128Col: Decimal128, optDecimal128: Decimal128?, listDecimal128: [Decimal128],
      listOptDecimal128: [Decimal128?]
    var setDecimal128: Set<Decimal128>, setOptDecimal128: Set<Decimal128?>, dictDecimal128: [String: Decimal128],
      dictOptDecimal128: [String: Decimal128?]
    var uuidCol: UUID, optUuid: UUID?, listUuid: [UUID], listOptUuid: [UUID?]
    var setUuid: Set<UUID>, setOptUuid: Set<UUID?>, dictUuid: [String: UUID], dictOptUuid: [String: UUID?]
    var mixedCol: Value, listMixed: [Value], setMixed: Set<Value>, dictMixed: [String: Value]
    var link: Ref<AllTypes>?, linkList: [Ref<AllTypes>]
    var linkSet: Set<Ref<AllTypes>>, linkDict: [String: Ref<AllTypes>?]
    var embedded: Embedded?, embeddedList: [Embedded], embeddedDict: [String: Embedded?]
  }

  private struct Embedded: Decodable, Equatable {
    var name: String
    var value: Int?
    var child: Inner?
    var target: Ref<AllTypes>?
  }

  private struct Inner: Decodable, Equatable {
    var note: String?
    var numbers: [Int]
  }

  private static func allTypes() throws -> RealmObjects {
    try Realm.open(at: URL(fileURLWithPath: Fixture.path("engine/all-types.realm"))).objects("AllTypes")
  }

  private struct Unordered: Decodable { var listInt: Set<Int> }

  private func error(_ body: () throws -> Void) -> DecodingError? {
    do { try body() } catch { return error as? DecodingError }
    return nil
  }

  private func kind(_ error: DecodingError?) -> String {
    switch error {
    case .typeMismatch: "type"
    case .valueNotFound: "null"
    case .keyNotFound: "key"
    case .dataCorrupted: "data"
    default: "\(String(describing: error))"
    }
  }

  private func path(_ error: DecodingError?) -> [String] {
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        context
      default: nil
      }
    return context?.codingPath.map(\.stringValue) ?? []
  }

  @Test("values of every type are those of the file") func everyType() throws {
    let objects = try Self.allTypes()
    var unread = ["?"]
    let decoded = try objects.decode(AllTypes.self, unread: &unread)
    #expect(unread == [])
    #expect(try decoded.count == objects.count() && !decoded.isEmpty)
    var (compared, index) = (0, 0)
    try objects.forEach { object in
      for child in Mirror(reflecting: decoded[index]).children {
        guard let name = child.label, let value = child.value as? any RealmConvertible else { continue }
        var stored = try #require(object[name])
        // A set of a realm can contain 0 and -0, which are one element of a set of Swift.
        if case .set(let elements) = stored, case .list = value.realmValue { stored = .list(elements) }
        #expect(value.realmValue.isSame(as: stored), "\(name) of \(object.key)")
        compared += 1
      }
      index += 1
    }
    #expect(compared == decoded.count * 85)
  }

  @Test("links keep their order and lead to their objects") func links() throws {
    let objects = try Self.allTypes()
    let decoded = try objects.decode(AllTypes.self)
    var (index, linked) = (0, 0)
    try objects.forEach { object in
      let target = try object.link("link")
      #expect(decoded[index].link?.key == target?.key && decoded[index].link?.primaryKey == target?["_id"])
      let keys = object["linkList"]?.elements?.map { value -> ObjectKey? in
        if case .link(_, let key) = value { key } else { nil }
      }
      #expect(decoded[index].linkList.map(\.key) == keys)
      for link in decoded[index].linkList {
        #expect(try link.object(in: objects.realm)?.key == link.key)
        linked += 1
      }
      index += 1
    }
    #expect(linked > 0)
    let link = try #require(decoded.lazy.compactMap(\.link).first)
    #expect(try link.resolve(in: objects.realm)?._id == link.primaryKey?.intValue.map { Int($0) })
    let again = try JSONDecoder().decode(Ref<AllTypes>.self, from: JSONEncoder().encode(link))
    #expect(again == link)
  }

  @Test("embedded objects are nested") func embedded() throws {
    let objects = try Self.allTypes()
    let decoded = try objects.decode(AllTypes.self)
    func expect(_ embedded: Embedded?, _ value: Value?) throws {
      let object = try value.flatMap { try objects.realm.object(linkedBy: $0) }
      #expect((embedded == nil) == (object == nil))
      guard let embedded, let object else { return }
      #expect(.string(RealmString(embedded.name)) == object["name"] && embedded.value.realmValue == object["value"])
      let child = try object.link("child")
      #expect(
        embedded.child?.note.realmValue == child?["note"] && embedded.child?.numbers.realmValue == child?["numbers"])
      #expect(try embedded.target?.key == object.link("target")?.key)
    }
    var (index, count) = (0, 0)
    try objects.forEach { object in
      try expect(decoded[index].embedded, object["embedded"])
      let elements = try #require(object["embeddedList"]?.elements)
      #expect(elements.count == decoded[index].embeddedList.count)
      for (embedded, value) in zip(decoded[index].embeddedList, elements) { try expect(embedded, value) }
      let entries = try #require(object["embeddedDict"]?.entries)
      #expect(entries.count == decoded[index].embeddedDict.count)
      for (key, value) in entries { try expect(decoded[index].embeddedDict["\(key)"] ?? nil, value) }
      count += elements.count + entries.count
      index += 1
    }
    #expect(count > 0)
  }

  @Test("names that the type lacks are reported, and those that the class lacks need an optional") func names() throws {
    struct Some: Decodable {
      var _id: Int
      var missing: Int?
      var embeddedList: [Name]
    }
    struct Name: Decodable { var name: String }
    struct Missing: Decodable { var missing: Int }
    let objects = try Self.allTypes()
    var unread: [String] = []
    #expect(try objects.decode(Some.self, unread: &unread).allSatisfy { $0.missing == nil })
    #expect(unread.contains("stringCol") && unread.contains("Embedded.value") && !unread.contains("_id"))
    #expect(!unread.contains("Embedded.name") && !unread.contains("Inner.note"))
    let missing = error { _ = try objects.decode(Missing.self) }
    #expect(kind(missing) == "key")
    #expect(path(missing).last == "missing" && path(missing).first?.hasPrefix("AllTypes ") == true)
  }

  @Test("what does not fit is an error with its place") func mismatches() throws {
    struct Wide: Decodable { var _id: String }
    struct Required: Decodable { var optInt: Int }
    struct Narrow: Decodable { var intCol: Int8 }
    struct Followed: Decodable { var linkList: [Wide] }
    struct Elements: Decodable { var listOptInt: [Int] }
    struct Objects: Decodable { var _id: Inner }
    let objects = try Self.allTypes()
    #expect(kind(error { _ = try objects.decode(Wide.self) }) == "type")
    #expect(kind(error { _ = try objects.decode(Required.self) }) == "null")
    #expect(kind(error { _ = try objects.decode(Narrow.self) }) == "data")
    #expect(kind(error { _ = try objects.decode(Unordered.self) }) == "type")
    #expect(kind(error { _ = try objects.decode(Objects.self) }) == "type")
    guard case .typeMismatch(_, let link)? = error({ _ = try objects.decode(Followed.self) }) else {
      Issue.record("a link was followed")
      return
    }
    #expect(link.debugDescription.contains("a Ref takes"))
    let element = error { _ = try objects.decode(Elements.self) }
    #expect(path(element).dropFirst().first == "listOptInt" && path(element).last?.hasPrefix("Index ") == true)
  }

  @Test("a type that decodes a set or dictionary alone loses no element") func single() throws {
    struct Single<Content: Decodable>: Decodable {
      init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Content.self) }
    }
    struct Lost: Decodable { var listInt: Single<Set<Int>> }
    struct Kept: Decodable { var listInt: Single<[Int]>, setInt: Single<Set<Int>> }
    let objects = try Self.allTypes()
    let direct = error { _ = try objects.decode(Unordered.self) }
    let lost = error { _ = try objects.decode(Lost.self) }
    #expect(kind(lost) == kind(direct) && path(lost) == path(direct))
    _ = try objects.decode(Kept.self)
  }

  @Test("names that differ only in their bytes are two properties", arguments: [2, 20]) func twins(count: Int) throws {
    struct Twins: Decodable {
      enum CodingKeys: String, CodingKey { case one = "\u{e9}", two = "e\u{301}" }
      var one: Int
      var two: Int
    }
    struct Two: Decodable {
      enum CodingKeys: String, CodingKey { case two = "e\u{301}" }
      var two: Int
    }
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    let names = ["\u{e9}", "e\u{301}"] + (2..<count).map { "p\($0)" }
    let properties = names.map { Property(name: RealmString($0), type: .int) }
    try RealmFile.open(at: path).edit {
      try $0.addTables([
        TableSchema(
          name: "class_Twins",
          properties: properties
            + ["\u{e9}l", "e\u{301}l"].map {
              Property(name: $0, type: .object, isOptional: true, target: "class_Twins")
            })
      ])
    }
    try Realm.write(at: path) { tx in
      let twins = try tx.create("Twins")
      for (index, name) in names.enumerated() { try twins.set(name, to: index + 1) }
      try twins.set("e\u{301}l", to: twins)
    }
    let objects = try Realm.open(at: path).objects("Twins")
    let twins = try #require(try objects.decode(Twins.self).first)
    #expect(twins.one == 1 && twins.two == 2)
    #expect(try objects.decode(Two.self).map(\.two) == [2])
    try objects.forEach(columns: names + ["e\u{301}l.e\u{301}", "\u{e9}l.\u{e9}"]) { object in
      #expect(object["\u{e9}"] == 1 && object["e\u{301}"] == 2)
      #expect(object["e\u{301}l.e\u{301}"] == 2 && object["\u{e9}l.\u{e9}"] == .null)
    }
  }

  @Test("one object and chosen ones are decoded, and classes inherit") func other() throws {
    class Base: Decodable { var _id: Int }
    final class Derived: Base {
      var intCol: Int
      private enum CodingKeys: String, CodingKey { case intCol }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        intCol = try container.decode(Int.self, forKey: .intCol)
        try super.init(from: container.superDecoder())
      }
    }
    let objects = try Self.allTypes()
    var ids: [Int] = []
    try objects.forEach(as: Derived.self) { ids.append($0._id) }
    var index = 0
    try objects.forEach { object in
      let derived = try object.decode(Derived.self)
      #expect(derived._id == ids[index])
      index += 1
    }
    #expect(index > 1)
  }

  @Test("an error of the file is not one of the type") func damage() throws {
    struct Dog: Decodable { var name: String? }
    let folder = try TemporaryFolder()
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    // More than a second of nanoseconds.
    try #require(tree.table("class_Dog").leaf("dateOfBirth").child(1)).values[2] = 4_000_000_000
    try folder.write("damaged.realm", tree.written(.normal))
    let dogs = try Realm.open(at: folder.path("damaged.realm")).objects("Dog")
    do {
      _ = try dogs.decode(Dog.self)
      Issue.record("nothing was thrown")
    } catch {
      #expect((error as? RealmError)?.kind == .damaged)
    }
  }
}
