import RealmQuery
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Groups of objects, and what is computed over them.
@Suite struct QueryGroupTests {
  private static func realm(_ properties: String, _ objects: [String]) throws -> QueryRealm {
    try QueryRealm(
      schema: #"[{"name":"A","properties":{\#(properties)}}]"#, data: #"{"A":[\#(objects.joined(separator: ","))]}"#)
  }

  private static func groups(
    _ realm: QueryRealm, by paths: [String], _ aggregates: [(QueryGroups.Function, String)] = [],
    _ text: String = "TRUEPREDICATE", _ dialect: Dialect = .standard, className: String = "A"
  ) throws -> [QueryGroups.Group] {
    let query = try Query(text, of: realm.table(className), in: realm.snapshot, dialect: dialect)
    let found = try QueryGroups(
      of: query, by: paths, aggregates.map { (function: $0.0, path: $0.1) }, QueryOptions(threadCount: 2),
      dialect: dialect)
    #expect(found.damage.isEmpty)
    return found.groups
  }

  private static func decimal(_ text: String) -> Value {
    .decimal(Decimal128(text: text) ?? Decimal128(low: 1, high: 0))
  }

  // MARK: - Sums

  @Test("a sum of Mixed values has numbers of all types, whichever comes first") func sumsOfMixed() throws {
    let values = ["7", "1.5", #"{"$numberDecimal":"0.25"}"#, #""text""#, "null", "true", "-3"]
    for shift in values.indices {
      let order = values[shift...] + values[..<shift]
      let realm = try Self.realm(#""m":"mixed""#, order.map { #"{"m":\#($0)}"# })
      let group = try #require(try Self.groups(realm, by: [], [(.sum, "m"), (.average, "m"), (.min, "m")]).first)
      #expect(group.results[0] == Self.decimal("5.75"), "\(order)")
      #expect(group.results[1] == Self.decimal("1.4375"))
      #expect(group.results[2] == .bool(true))
    }
  }

  @Test("a collection in a Mixed value is one value, and neither the least nor the greatest") func mixedCollections()
    throws
  {
    let realm = try Self.realm(
      #""m":"mixed","l":"mixed[]""#, [#"{"m":[3,[1]],"l":[1,[2],{"a":9}]}"#, #"{"m":2,"l":[]}"#])
    let groups = try Self.groups(realm, by: ["m"], [(.max, "m"), (.max, "l"), (.min, "l")])
    #expect(groups.map(\.count) == [1, 1])
    #expect(groups.map(\.values) == [[2], [.list([3, .list([1])])]])
    #expect(groups.map(\.results) == [[2, .null, .null], [.null, 1, 1]])
  }

  @Test("an entry of a dictionary that is null differs from every object") func nullEntries() throws {
    let realm = try QueryRealm(
      schema: #"[{"name":"A","primaryKey":"id","properties":{"id":"int","d":"A{}"}}]"#,
      data: #"{"A":[{"id":1,"d":{"a":null}},{"id":2,"d":{"a":1,"b":null}},{"id":3,"d":{"a":1}},{"id":4,"d":{}}]}"#)
    func count(_ text: String) throws -> Int {
      try Query(text, of: realm.table("A"), in: realm.snapshot).count().count
    }
    #expect(try count("d != obj('A', 1)") == 2 && count("d == obj('A', 1)") == 2)
    #expect(try count("d != obj('A', 1) AND id == 1") == 1 && count("ANY d != obj('A', 4) AND id == 4") == 0)
  }

  @Test("a sum of ints beyond their range is a decimal, and the reference's wraps") func sumsOfInts() throws {
    let most = "9223372036854775807"
    let realm = try Self.realm(#""i":"int","l":"int[]""#, ["{\"i\":\(most),\"l\":[\(most),1]}", "{\"i\":1,\"l\":[]}"])
    #expect(try Self.groups(realm, by: [], [(.sum, "i")])[0].results == [Self.decimal("9223372036854775808")])
    #expect(try Self.groups(realm, by: [], [(.sum, "i")], "i == 1")[0].results == [1])
    #expect(try Self.groups(realm, by: [], [(.sum, "i")], "TRUEPREDICATE", .reference)[0].results == [.int(.min)])
    let table = try realm.table("A")
    #expect(try Query("l.@sum > 0", of: table, in: realm.snapshot).count().count == 1)
    #expect(try Query("l.@sum > 9223372036854775807", of: table, in: realm.snapshot).count().count == 1)
    #expect(try Query("l.@sum < 0", of: table, in: realm.snapshot, dialect: .reference).count().count == 1)
  }

  @Test("averages of ints and sums of Mixed doubles keep all digits") func exactAverages() throws {
    let (most, least) = ("9223372036854775807", "-9223372036854775808")
    let realm = try Self.realm(
      #""l":"int[]","m":"mixed[]""#,
      ["{\"l\":[\(least),\(most),-5],\"m\":[9007199254740992.0,-9007199254740990]}", "{\"l\":[],\"m\":[]}"])
    let group = try Self.groups(realm, by: [], [(.average, "l"), (.sum, "m"), (.average, "m")])[0]
    #expect(group.results == [.double(-2), Self.decimal("2"), Self.decimal("1")])
    let table = try realm.table("A")
    #expect(try Query("l.@avg == -2", of: table, in: realm.snapshot).count().count == 1)
    #expect(try Query("m.@sum == 2", of: table, in: realm.snapshot).count().count == 1)
  }

  @Test("without a group there is one for all objects, also for none") func withoutGroups() throws {
    let realm = try QueryRealm()
    let aggregates: [(QueryGroups.Function, String)] = [
      (.sum, "age"), (.average, "age"), (.min, "name"), (.max, "born"), (.sum, "height"), (.sum, "balance"),
      (.sum, "misc"),
    ]
    let none = try Self.groups(realm, by: [], aggregates, "FALSEPREDICATE", className: "Person")
    #expect(none.count == 1)
    #expect(none[0].values.isEmpty && none[0].count == 0)
    #expect(none[0].results == [0, .null, .null, .null, .double(0), Self.decimal("0"), Self.decimal("0")])
    let all = try Self.groups(realm, by: [], aggregates, "_id < 3", className: "Person")
    #expect(all[0].count == 2)
    #expect(all[0].results[0] == 59 && all[0].results[2] == "Ann")
  }

  @Test(
    "what a type has none of is a mistake",
    arguments: [
      (.sum, "name"), (.average, "name"), (.sum, "active"), (.sum, "born"), (.average, "uid"), (.sum, "photo"),
      (.sum, "boss"), (.min, "boss"), (.max, "dogs"), (.sum, "dogs.name"), (.sum, "tags"), (.min, "misc.@type"),
      (.average, "home"), (.max, "@links.Person.boss"), (.sum, "oid"),
    ] as [(QueryGroups.Function, String)])
  func withoutFunction(_ function: QueryGroups.Function, _ path: String) throws {
    let realm = try QueryRealm()
    for paths in [[], ["active"]] {
      for dialect in Dialect.both {
        let error = #expect(throws: QueryError.self) {
          try Self.groups(realm, by: paths, [(function, path)], "TRUEPREDICATE", dialect, className: "Person")
        }
        #expect(
          error?.message.hasPrefix("--\(function.rawValue) needs ") == true)
      }
    }
  }

  // MARK: - Keys

  @Test("equal numbers are one group under the first one met, all NaNs are one") func numbers() throws {
    let decimals = try Self.realm(
      #""d":"decimal128""#,
      ["1.00", "NaN", "1.0", "-0", "1", "-NaN", "0.000", "1E+1", "10", "10.000", "Infinity", "1E-6176", "10E-6177"].map
      {
        #"{"d":"\#($0)"}"#
      })
    let groups = try Self.groups(decimals, by: ["d"])
    #expect(
      groups.map(\.values) == [
        [Self.decimal("NaN")], [Self.decimal("-0")], [Self.decimal("1E-6176")], [Self.decimal("1.00")],
        [Self.decimal("1E+1")],
        [Self.decimal("Infinity")],
      ])
    #expect(groups.map(\.count) == [2, 2, 2, 3, 3, 1])
    let mixed = try Self.realm(
      #""m":"mixed""#,
      [
        "1.0", "1", #"{"$numberDecimal":"1.000"}"#, #"{"$float":"1"}"#, #"{"$numberDouble":"NaN"}"#,
        #"{"$numberDecimal":"NaN"}"#, #"{"$float":"NaN"}"#, "0.1", #"{"$numberDecimal":"0.10"}"#, #""1""#, "true",
        "null",
        #"{"$numberDecimal":"9223372036854775807"}"#, "9223372036854775807",
        #"{"$numberDecimal":"0.1000000000000000055"}"#,
      ].map { #"{"m":\#($0)}"# })
    let found = try Self.groups(mixed, by: ["m"])
    #expect(found.map(\.count) == [1, 1, 3, 2, 1, 4, 2, 1])
    // As they were stored, the double as a double.
    #expect(found[5].values == [.double(1)])
    #expect(found[6].values == [Self.decimal("9223372036854775807")])
  }

  @Test("groups come in the same order, whatever the order of the objects") func order() throws {
    let values = (0..<40).map { #"{"m":\#($0 % 2 == 0 ? "\($0 / 4)" : "\"t\($0 / 4)\"")}"# }
    let expected = try Self.groups(try Self.realm(#""m":"mixed""#, values), by: ["m"])
    var generator = SeededGenerator(seed: 16)
    for _ in 0..<5 {
      let groups = try Self.groups(try Self.realm(#""m":"mixed""#, values.shuffled(using: &generator)), by: ["m"])
      #expect(groups.map(\.values) == expected.map(\.values))
      #expect(groups.map(\.count) == expected.map(\.count))
    }
  }

  @Test("objects are counted by several values, and by each value of a list once") func severalKeys() throws {
    let realm = try Self.realm(
      #""a":"int","b":"string?","t":"string[]","n":"double[]""#,
      [
        #"{"a":1,"b":"x","t":["u","v","u"],"n":["NaN","NaN",1]}"#, #"{"a":1,"b":"x","t":["u"],"n":[]}"#,
        #"{"a":2,"b":null,"t":[],"n":[1,1.0]}"#, #"{"a":1,"b":"y","t":["v"],"n":[]}"#,
      ])
    let two = try Self.groups(realm, by: ["a", "b"], [(.sum, "a")])
    #expect(two.map(\.values) == [[1, "x"], [1, "y"], [2, .null]])
    #expect(two.map(\.count) == [2, 1, 1])
    #expect(two.map(\.results) == [[2], [1], [2]])
    let lists = try Self.groups(realm, by: ["t", "a"])
    #expect(lists.map(\.values) == [["u", 1], ["v", 1]])
    #expect(lists.map(\.count) == [2, 2])
    #expect(try Self.groups(realm, by: ["n"]).map(\.count) == [1, 2])
    let wide = try Self.realm(
      #""t":"int[]""#, [#"{"t":[\#((0..<300).map(String.init).joined(separator: ","))]}"#])
    #expect(try Self.groups(wide, by: ["t"]).count == 300)
    #expect(throws: QueryError.self) { try Self.groups(wide, by: ["t", "t"]) }
  }

  // MARK: - NaN

  @Test("nothing is equal to the constant NaN, in whatever way it is asked", arguments: ["d", "f", "m", "c"])
  func nan(_ property: String) throws {
    let realm = try Self.realm(
      #""d":"double","f":"float","m":"mixed","c":"decimal128","l":"double[]""#,
      [
        #"{"d":"NaN","f":"NaN","m":{"$numberDouble":"NaN"},"c":"NaN","l":["NaN"]}"#,
        #"{"d":1,"f":1,"m":1,"c":"1","l":[1]}"#,
      ])
    let table = try realm.table("A")
    func count(_ text: String) throws -> Int { try Query(text, of: table, in: realm.snapshot).count().count }
    for text in [
      "\(property) == nan", "\(property) IN {nan}", "\(property) == ANY {nan}", "\(property) == ALL {nan, nan}",
      "\(property) <= nan", "\(property) >= nan", "\(property) < nan", "\(property) > nan", "nan == \(property)",
      "\(property) BETWEEN {nan, nan}", "ANY l == nan", "ANY l IN {nan}", "l == {nan}",
    ] {
      #expect(try count(text) == 0, "\(text)")
    }
    for text in [
      "\(property) != nan", "\(property) != ANY {nan}", "\(property) == NONE {nan}", "NONE l == nan", "l != {nan}",
    ] {
      #expect(try count(text) == 2, "\(text)")
    }
    #expect(try count("\(property) IN {nan, 1}") == 1)
    // Two properties are compared as the reference compares them.
    #expect(try count("\(property) == \(property)") == 2)
  }
}
