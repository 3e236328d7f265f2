import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// Queries that an index behind links answers find what a look at all objects finds, in the same order.
@Suite struct LinkedIndexTests {
  /// 900 people and 40 cities, with random links of every kind.
  private static func realm(seed: UInt64) throws -> QueryRealm {
    let schema = """
      [{"name":"City","primaryKey":"name","properties":{"name":"string","code":{"type":"string","optional":true,
        "indexed":true},"zone":{"type":"int","indexed":true},"size":"int","mayor":"Person"}},
       {"name":"Person","primaryKey":"id","properties":{"id":"int","nick":{"type":"string","optional":true,
        "indexed":true},"age":"int","bio":{"type":"string","indexed":"full-text"},"city":"City","boss":"Person",
        "friends":"Person[]","seen":"City<>","homes":"City{}"}}]
      """
    var random = SeededGenerator(seed: seed)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    func orNull(_ text: String) -> String { number(5) == 0 ? "null" : text }
    func city() -> String { "\"c\(number(40))\"" }
    let cities = (0..<40).map { place in
      "{\"name\":\"c\(place)\",\"code\":\(orNull("\"code \(number(15))\"")),\"zone\":\(number(8)),\"size\":\(number(9)),"
        + "\"mayor\":\(orNull("\(number(900))"))}"
    }
    let people = (0..<900).map { id in
      let friends = (0..<number(4)).map { _ in "\(number(900))" }.joined(separator: ",")
      let seen = Set((0..<number(3)).map { _ in city() }).sorted().joined(separator: ",")
      let homes = ["a", "b"].filter { _ in number(2) == 0 }.map { "\"\($0)\":\(city())" }.joined(separator: ",")
      return "{\"id\":\(id),\"nick\":\(orNull("\"nick \(number(200))\"")),\"age\":\(number(90)),"
        + "\"bio\":\"word\(number(60)) and word\(number(60))\",\"city\":\(orNull(city())),"
        + "\"boss\":\(orNull("\(number(900))")),\"friends\":[\(friends)],\"seen\":[\(seen)],\"homes\":{\(homes)}}"
    }
    return try QueryRealm(
      schema: schema,
      data: "{\"City\":[\(cities.joined(separator: ","))],\"Person\":[\(people.joined(separator: ","))]}")
  }

  /// What can be asked of one object, with an index and without.
  private static func comparisons(_ path: String, _ property: String, _ random: inout SeededGenerator) -> [String] {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    func value() -> String {
      switch property {
      case "name": "'c\(number(42))'"
      case "code": number(6) == 0 ? "null" : "'code \(number(16))'"
      case "zone": "\(number(9))"
      case "nick": number(6) == 0 ? "null" : "'nick \(number(210))'"
      default: "\(number(910))"
      }
    }
    let place = "\(path).\(property)"
    return [
      "\(place) == \(value())", "\(value()) == \(place)", "ANY \(path).\(property) IN {\(value()), \(value())}",
      "\(place) == \(value()) AND age > 20", "\(place) == \(value()) OR id == \(number(900))",
      "NOT \(place) == \(value())", "\(place) != \(value())", "\(place) ==[c] \(value())",
      "\(place) == \(value()) SORT(age ASC) LIMIT(5)", "\(place) IN ANY {\(value()), \(value()), \(value())}",
    ]
  }

  @Test("links of every kind, and paths of several", arguments: [1, 2] as [UInt64])
  func sameWithout(_ seed: UInt64) throws {
    let realm = try Self.realm(seed: seed)
    let person = try realm.table("Person")
    var random = SeededGenerator(seed: seed)
    let paths: [(path: String, properties: [String])] = [
      ("city", ["name", "code", "zone"]), ("boss", ["id", "nick"]), ("friends", ["id", "nick"]),
      ("seen", ["name", "zone"]), ("homes", ["code"]), ("boss.city", ["name", "code"]), ("friends.boss", ["nick"]),
      ("friends.seen", ["zone"]), ("@links.Person.friends", ["id", "nick"]), ("@links.City.mayor", ["name", "zone"]),
      ("friends[0]", ["nick"]), ("city.mayor", ["id"]), ("boss.@links.Person.boss", ["id"]),
    ]
    var indexed = 0
    for (path, properties) in paths {
      for property in properties {
        for text in Self.comparisons(path, property, &random) {
          guard let query = try? Query(text, of: person, in: realm.snapshot) else { continue }
          if query.explanation.index != nil { indexed += 1 }
          let plain = try expectSame(query, text)
          if query.isPlain {
            #expect(try plain == filtered(person, query), "\(text)")
          }
        }
      }
    }
    #expect(indexed > 80)
  }

  @Test("words, ALL, NONE, and objects by themselves") func others() throws {
    let realm = try Self.realm(seed: 3)
    let person = try realm.table("Person")
    let queries = [
      ("boss.bio TEXT 'word7'", true), ("friends.bio TEXT 'word7 -word9'", true),
      ("boss == obj('Person', 7)", true), ("friends == obj('Person', 7)", true), ("seen == obj('City', 'c3')", true),
      ("boss == null", false), ("boss != obj('Person', 7)", false), ("ALL friends.nick == 'nick 3'", false),
      ("NONE friends.nick == 'nick 3'", false), ("boss.nick == null", false), ("friends.nick == null", false),
      ("boss.id IN {7, null}", false), ("ALL friends.id IN {7, 8, 9, 10, 11, 12}", false),
      ("NONE friends.id IN {7, 8, 9, 10, 11, 12}", false), ("boss.id IN {7, 8}", true), ("boss.age == 30", false),
      ("city.size == 3 AND boss.nick == 'nick 3'", true),
    ]
    for (text, isIndexed) in queries {
      let query = try Query(text, of: person, in: realm.snapshot)
      #expect((query.explanation.index != nil) == isIndexed, "\(text)")
      #expect(try expectSame(query, text) == filtered(person, query), "\(text)")
    }
  }

  @Test("only objects that link to what was found are looked at") func looksAtFew() throws {
    let realm = try Self.realm(seed: 4)
    let counter = Counter()
    let query = try Query("boss.boss.id == 7", of: realm.table("Person"), in: realm.snapshot)
    let found = try query.keys(QueryOptions(visited: { counter.add($0) })).keys
    #expect(counter.count == found.count)
    #expect(query.explanation.index == "primary key of 'id', and what links to it by 'boss.boss'")
  }

  @Test("a place that too much links to is looked for by a walk") func tooMany() throws {
    let people = (0..<600).map { "{\"id\":\($0),\"city\":\"c\($0 % 2)\"}" }.joined(separator: ",")
    let realm = try QueryRealm(
      schema: """
        [{"name":"City","primaryKey":"name","properties":{"name":"string"}},
         {"name":"Person","primaryKey":"id","properties":{"id":"int","city":"City"}}]
        """,
      data: "{\"City\":[{\"name\":\"c0\"},{\"name\":\"c1\"}],\"Person\":[\(people)]}")
    let counter = Counter()
    let query = try Query("city.name == 'c1'", of: realm.table("Person"), in: realm.snapshot)
    #expect(try query.count(QueryOptions(visited: { counter.add($0) })).count == 300)
    #expect(counter.count == 600)
  }

  /// - Returns: what it finds without an index.
  private func expectSame(_ query: Query, _ text: String) throws -> [ObjectKey] {
    var options = QueryOptions()
    options.usesIndexes = false
    let plain = try query.keys(options)
    #expect(try query.keys().keys == plain.keys, "\(text)")
    #expect(try query.count().count == plain.keys.count, "\(text)")
    #expect(plain.damage.isEmpty)
    return plain.keys
  }

  /// Object by object.
  private func filtered(_ table: Table, _ query: Query) throws -> [ObjectKey] {
    let matcher = query.matcher()
    var keys: [ObjectKey] = []
    try table.forEachBatch(in: query.snapshot) { batch in
      for row in 0..<batch.count where try matcher.matches(batch, row) { keys.append(batch.key(at: row)) }
    }
    return keys
  }

  private final class Counter: @unchecked Sendable {
    private(set) var count = 0
    func add(_ number: Int) { count += number }
  }
}
