import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// Queries have limits, and what is not limited takes no more time than necessary.
@Suite struct QueryBoundTests {
  // MARK: - Length

  private static func path(_ hops: Int, end: String = "name") -> String {
    String(repeating: "boss.", count: hops) + end
  }

  @Test("a key path of 64 hops is followed, a longer one is refused in its own words") func hops() throws {
    let realm = try QueryRealm()
    let person = try realm.table("Person")
    let longest = Self.path(64)
    #expect(try Query("\(longest) == null", of: person, in: realm.snapshot).count().count == 6)
    let sorted = try Query("TRUEPREDICATE SORT(\(longest) ASC)", of: person, in: realm.snapshot)
    #expect(try sorted.keys().keys.count == 6)
    _ = try QueryColumns([longest], of: person, in: realm.snapshot)
    for hops in [65, 4000, 100_000] {
      let path = Self.path(hops)
      let message = "A key path may have at most 64 hops; this one has \(hops)"
      let texts = [
        "\(path) == null", "ANY \(path) == 'x'", "TRUEPREDICATE SORT(\(path) ASC)", "DISTINCT(\(path))",
        "\(path).@count == 1", "SUBQUERY(\(Self.path(hops, end: "dogs")), $x, $x.age > 1).@count > 0",
      ]
      for text in texts where text.utf8.count <= RQL.lengthLimit {
        #expect(Self.message { try Query(text, of: person, in: realm.snapshot) } == message)
      }
      #expect(Self.message { try QueryColumns([path], of: person, in: realm.snapshot) } == message)
      #expect(
        Self.message {
          try Query("$K0 == null", arguments: [.value(.string(RealmString(path)))], of: person, in: realm.snapshot)
        } == message)
    }
    let nested = "misc" + String(repeating: "[0]", count: 4000) + " == 1"
    #expect(Self.message { try Query(nested, of: person, in: realm.snapshot) }?.contains("64 hops") == true)
    let keys = "attrs" + String(repeating: "['k']", count: 4000) + " == 1"
    #expect(Self.message { try Query(keys, of: person, in: realm.snapshot) }?.contains("64 hops") == true)
  }

  private static func message(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch let error as QueryError { return error.message } catch {}
    return nil
  }

  /// Queries of any length, by their number of parts.
  private static let long: [(name: String, make: @Sendable (Int) -> String)] = [
    ("or", { count in (0..<count).map { "age == \($0)" }.joined(separator: " OR ") }),
    ("and", { count in (0..<count).map { "age != \($0 + 100)" }.joined(separator: " AND ") }),
    ("links", { count in (0..<count).map { "boss.name == 'n\($0)'" }.joined(separator: " OR ") }),
    ("lists", { count in (0..<count).map { "dogs.age == \($0 + 50)" }.joined(separator: " OR ") }),
    (
      "two lists",
      { count in (0..<count).map { "@links.Person.boss.dogs.age == \($0 + 50)" }.joined(separator: " OR ") }
    ),
    ("properties", { count in (0..<count).map { "age > height + \($0)" }.joined(separator: " OR ") }),
    ("in", { count in "age IN {" + (0..<count).map(String.init).joined(separator: ",") + "}" }),
    ("text", { count in "name == '" + String(repeating: "0123456789", count: count) + "'" }),
    ("like", { count in "name LIKE '" + String(repeating: "a*b?", count: count) + "'" }),
    ("sort", { count in "TRUEPREDICATE" + String(repeating: " SORT(name ASC)", count: count) }),
    ("sort keys", { count in "SORT(" + Array(repeating: "boss.name ASC", count: count).joined(separator: ", ") + ")" }),
    (
      "subqueries",
      { count in (0..<count).map { "SUBQUERY(dogs, $x, $x.age == \($0)).@count > 3" }.joined(separator: " OR ") }
    ),
  ]

  @Test("a query of 100 KiB answers, and one of more than 1 MiB is refused", arguments: long.map(\.name))
  func length(_ name: String) throws {
    let realm = try QueryRealm()
    let person = try realm.table("Person")
    let make = try #require(Self.long.first { $0.name == name }).make
    var count = 16
    while make(count).utf8.count < 100_000 { count *= 2 }
    let text = make(count)
    let query = try Query(text, of: person, in: realm.snapshot)
    #expect(try query.count().count <= 6)
    while make(count).utf8.count <= RQL.lengthLimit { count *= 2 }
    let message = Self.message { try Query(make(count), of: person, in: realm.snapshot) }
    #expect(message?.hasSuffix("more than 1048576; give long lists as arguments ($0)") == true)
  }

  @Test("what is nested too deep, or wrong, is said in a few words however long the query is")
  func longMistakes() throws {
    let realm = try QueryRealm()
    let person = try realm.table("Person")
    let long = String(repeating: "x", count: 90_000)
    for text in [
      String(repeating: "(", count: 90_000), String(repeating: "NOT ", count: 20_000) + "age == 1",
      "age == 1" + String(repeating: " + 1", count: 20_000), "age == \(long)", "name == '\(long)", "age == '\(long)'",
      "\(long) == 1", "boss.\(long) == 1", "obj('\(long)', 1) == boss", "SORT(\(long) ASC)",
      "@links.\(long).boss.@count == 1", "name IN '\(long)'", "name + '\(long)' == 1", "misc.@type == '\(long)'",
      "age \(String(repeating: "\u{1}", count: 90_000))", "{" + String(repeating: "1,", count: 40_000) + "1} == 5",
      String(repeating: "{", count: 50_000), "SUBQUERY(dogs, \(long), TRUEPREDICATE).@count == 1",
    ] {
      do {
        _ = try Query(text, of: person, in: realm.snapshot)
        Issue.record("\(text.prefix(40)) is a query")
      } catch let error as QueryError {
        #expect(error.description.unicodeScalars.count <= 800)
        #expect(error.detail.unicodeScalars.count <= 600)
        #expect((error.picture(in: text) ?? "").unicodeScalars.count <= 400)
      }
    }
  }

  // MARK: - Ways

  /// People who are all friends of each other.
  private static func crowd(_ count: Int) throws -> QueryRealm {
    let people = (0..<count).map { person in
      let friends = (0..<count).filter { $0 != person }.map(String.init).joined(separator: ",")
      return #"{"id":\#(person),"age":\#(person),"friends":[\#(friends)],"boss":\#(person == 0 ? "null" : "0")}"#
    }
    return try QueryRealm(
      schema: """
        [{"name":"P","primaryKey":"id","properties":{"id":"int","age":"int","friends":"P[]","boss":"P"}}]
        """, data: #"{"P":[\#(people.joined(separator: ","))]}"#)
  }

  @Test("ways that multiply with each link are not walked one by one", arguments: Dialect.both)
  func manyWays(_ dialect: Dialect) throws {
    let realm = try Self.crowd(12)
    let table = try realm.table("P")
    let path = String(repeating: "friends.", count: 30)
    let counted = String(repeating: "friends.", count: 10)
    for (text, count) in [
      ("\(path)age == 5", 12), ("ANY \(path)age > 11", 0), ("ALL \(path)age < 12", 12), ("ALL \(path)age < 11", 0),
      ("NONE \(path)age == 12", 12), ("NONE \(path)age == 3", 0), ("\(path)boss.age == 0", 12),
      ("ANY \(path)boss == obj('P', 0)", 12), ("\(path)age == age", 12), ("\(counted)@sum.age > 0", 12),
      ("\(counted)@max.age == 11", 12), ("\(counted)@min.age == 0", 12), ("\(counted)@avg.age < 11", 12),
      ("SUBQUERY(\(counted.dropLast()), $x, $x.age == 3).@count > 1000000", 12), ("\(counted)@links.@count > 1000", 12),
      ("ANY \(path)age == boss.age", 11), ("\(path)friends.@count == 11", 12),
      ("@links.P.friends.\(path)age == 4", 12),
    ] {
      for options in [QueryOptions(), QueryOptions(threadCount: 2)] {
        #expect(
          try Query(text, of: table, in: realm.snapshot, dialect: dialect).count(options).count == count, "\(text)")
      }
    }
  }

  @Test("a result that has each way is refused where there are too many") func tooManyWays() throws {
    let realm = try Self.crowd(12)
    let table = try realm.table("P")
    let path = String(repeating: "friends.", count: 30)
    let words = "links one object to others in more than 1048576 ways"
    let ordered = try Query("\(path)age == {1, 2}", of: table, in: realm.snapshot)
    #expect(Self.message { try ordered.count(QueryOptions(threadCount: 2)) }?.hasSuffix(words) == true)
    #expect(Self.message { try ordered.keys() }?.hasSuffix(words) == true)
    let object = try #require(try table.object(ObjectKey(rawValue: 0)))
    #expect(Self.message { try ordered.matcher().matches(object.batch, object.row) }?.hasSuffix(words) == true)
    for text in [
      "\(path)@sum.age > 0", "\(path)@avg.age < 11", "SUBQUERY(\(path.dropLast()), $x, $x.age == 3).@count > 1",
    ] {
      let counted = try Query(text, of: table, in: realm.snapshot)
      #expect(Self.message { try counted.count() }?.hasSuffix("in more than 1099511627776 ways") == true, "\(text)")
    }
    let columns = try QueryColumns(["\(path)age"], of: table, in: realm.snapshot)
    #expect(
      Self.message { try columns.reader().values(of: object.batch, row: object.row) }?.hasSuffix(words) == true)
    let all = try Query("TRUEPREDICATE", of: table, in: realm.snapshot)
    // Each value counts once; sums include every path.
    let groups = try QueryGroups(of: all, by: ["\(path)age"], [], QueryOptions())
    #expect(groups.groups.map(\.count) == Array(repeating: 12, count: 12))
    #expect(
      Self.message { try QueryGroups(of: all, by: [], [(.sum, "\(path)age")], QueryOptions()) }?.hasSuffix(words)
        == true)
  }

  @Test("answers over two and three lists are those of walking every way", arguments: 1...6)
  func sameAnswers(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 9
    let friends = (0..<count).map { _ in
      (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: 0..<count, using: &generator) }
    }
    let bosses = (0..<count).map { _ in
      Bool.random(using: &generator) ? Int.random(in: 0..<count, using: &generator) : nil
    }
    let ages = (0..<count).map { _ in Int.random(in: 0...5, using: &generator) }
    let people = (0..<count).map { person in
      let list = friends[person].map(String.init).joined(separator: ",")
      let boss = bosses[person].map(String.init) ?? "null"
      return #"{"id":\#(person),"age":\#(ages[person]),"friends":[\#(list)],"boss":\#(boss)}"#
    }
    let realm = try QueryRealm(
      schema: #"[{"name":"P","primaryKey":"id","properties":{"id":"int","age":"int","friends":"P[]","boss":"P"}}]"#,
      data: #"{"P":[\#(people.joined(separator: ","))]}"#)
    let table = try realm.table("P")
    /// The ages at all ends of a path of properties.
    func ends(_ path: ArraySlice<Substring>, from person: Int) -> [Int] {
      guard let name = path.first else { return [ages[person]] }
      let next = name == "friends" ? friends[person] : bosses[person].map { [$0] } ?? []
      return next.flatMap { ends(path.dropFirst(), from: $0) }
    }
    for path in ["friends.friends", "friends.boss.friends", "boss.friends.friends", "friends.friends.friends.boss"] {
      let names = path.split(separator: ".")
      let all = (0..<count).map { ends(names[...], from: $0) }
      for wanted in 0...5 {
        let cases: [(String, ([Int]) -> Bool)] = [
          ("\(path).age == \(wanted)", { $0.contains(wanted) }),
          ("ALL \(path).age >= \(wanted)", { $0.allSatisfy { $0 >= wanted } }),
          ("NONE \(path).age == \(wanted)", { !$0.contains(wanted) }),
          ("ANY \(path).age IN {\(wanted), 7}", { $0.contains(wanted) }),
          ("ALL \(path).age IN {\(wanted), \(wanted + 1)}", { $0.allSatisfy { $0 == wanted || $0 == wanted + 1 } }),
          ("\(path).@sum.age == \(wanted * 5)", { $0.reduce(0, +) == wanted * 5 }),
          ("SUBQUERY(\(path), $x, $x.age > 2).@count == \(wanted)", { $0.count { $0 > 2 } == wanted }),
        ]
        for (text, holds) in cases where !path.hasSuffix("boss") || !text.contains("SUBQUERY") {
          let found = try Query(text, of: table, in: realm.snapshot).keys().keys.map(\.rawValue)
          #expect(found == (0..<count).filter { holds(all[$0]) }.map(Int64.init), "\(text)")
        }
      }
    }
  }
}

extension Dialect {
  static let both: [Dialect] = [.standard, .reference]
}
