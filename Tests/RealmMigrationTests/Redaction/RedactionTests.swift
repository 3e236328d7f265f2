import Foundation
import RealmMigration
import RealmOpening
import RealmQuery
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmRedaction

/// The results of rules for values.
@Suite struct RedactionTests {
  /// A class A of one property `v`, with some values.
  private func copy(_ type: String, _ values: [String], _ rule: String) throws -> RedactedRealm {
    let data = "{\"A\":[" + values.map { "{\"v\":\($0)}" }.joined(separator: ",") + "]}"
    let realm = try PlanCase("[{\"name\":\"A\",\"properties\":{\"v\":\"\(type)\"}}]", data)
    return try RedactedRealm(of: realm.opened(), "classes: { A: { v: \(rule) } }")
  }

  private func text(_ type: String, _ value: String, _ rule: String) throws -> String {
    try #require(try copy(type, [value], rule).value("v").stringValue)
  }

  @Test func textsKeepTheirForm() throws {
    let masked = try text("string", "\"Ab1-éЖ字😀\"", "mask")
    #expect(masked.unicodeScalars.map(\.utf8.count) == [1, 1, 1, 1, 2, 2, 3, 4].map { $0 })
    #expect(masked.contains("-") && masked.first?.isUppercase == true && masked != "Ab1-éЖ字😀")
    let letters = masked.unicodeScalars.filter { $0.utf8.count == 2 }
    #expect(letters.map(\.properties.isUppercase) == [false, true])
    #expect(try text("string", "\"x@y.org\"", "hash").hasSuffix("@example.com"))
    #expect(try text("string", "\"x@y.org\"", "{ fake: email }").contains("@example."))
    let phone = try text("string", "\"+49 (30) 12-3456\"", "{ fake: phone }")
    #expect(phone.map { $0.isNumber ? "0" : String($0) }.joined() == "+00 (00) 00-0000" && phone != "+49 (30) 12-3456")
    let id = try text("string", "\"01234567-89ab-4def-8123-456789abcdef\"", "hash")
    #expect(id.count == 36 && id.dropFirst(14).first == "4")
    #expect(
      try text("string", "\"Жанна Орлова\"", "{ fake: name }").unicodeScalars.allSatisfy {
        $0 == " " || $0.value > 0x3ff
      })
    #expect(try text("string", "\"Paris\"", "{ fake: city }") != "Paris")
    #expect(try text("string", "\"éüx\"", "{ truncate: 2 }") == "éü")
    #expect(try text("string", "\"anything\"", "{ constant: x }") == "x")
    #expect(try text("string", "\"anything\"", "null") == "")
  }

  @Test func numbersStayNear() throws {
    let noisy = try #require(try copy("int", ["1000"], "{ noise: 10% }").value("v").intValue)
    #expect((900...1100).contains(noisy))
    #expect(try copy("int", ["-7"], "{ range: 5 }").value("v").intValue == -10)
    #expect(
      try copy("int", ["-9223372036854775808"], "{ range: 1000 }").value("v").intValue == -9_223_372_036_854_775_000)
    #expect(try copy("double", ["123.5"], "{ range: 0.25 }").value("v").doubleValue == 123.5)
    #expect(try copy("double", ["-1e308"], "{ range: 1.5e308 }").value("v").doubleValue == -1.5e308)
    #expect(try copy("double", ["-1.6e308"], "{ range: 1.5e308 }").value("v").doubleValue == -1.5e308)
    #expect(try copy("double", ["1e300"], "{ range: 1e-300 }").value("v").doubleValue == 1e300)
    #expect(try copy("double", ["1.7976931348623157e308"], "{ range: 3 }").value("v").doubleValue?.isFinite == true)
    for type in ["float", "double"] {
      for rule in ["{ noise: 1e300 }", "{ range: 1e300 }"] {
        let value = try copy(type, ["-2.5"], rule).value("v")
        let number = value.doubleValue ?? Double(value.floatValue ?? .nan)
        #expect(number.isFinite && number != -2.5, "\(type) \(rule)")
      }
    }
    let decimal = try copy("decimal128", ["\"123.45\""], "{ range: 10 }").value("v")
    #expect(decimal.decimal128Value?.classified == .finite(isNegative: false, coefficient: 12000, exponent: -2))
    let masked = try #require(try copy("int", ["-4711"], "mask").value("v").intValue)
    #expect((-9999 ... -1000).contains(masked))
    #expect(try copy("int?", ["null"], "hash").value("v") == .null)
    #expect(try copy("int?", ["5"], "null").value("v") == .null)
  }

  private func decimal(_ text: String) throws -> Decimal128 { try #require(Decimal128(text: text)) }

  private func approximate(_ value: Value) throws -> Double {
    guard case .finite(let isNegative, let coefficient, let exponent)? = value.decimal128Value?.classified else {
      return .nan
    }
    return try #require(Double("\(isNegative ? "-" : "")\(coefficient)e\(exponent)"))
  }

  @Test(arguments: [("5", 5), ("1", 1), ("10%", 1)])
  func noiseChangesEveryInt(_ noise: String, _ most: Int64) throws {
    let numbers = Array(-10...10) + [Int64.min, Int64.min + 1, Int64.max - 1, Int64.max]
    let noisy = try copy("int", numbers.map(String.init), "{ noise: \(noise) }")
    for (index, number) in numbers.enumerated() {
      let other = try #require(try noisy.value("v", object: index).intValue)
      let far = (Int128(other) - Int128(number)).magnitude
      let limit = noise == "10%" ? max(1, number.magnitude / 10) : most.magnitude
      #expect(far > 0 && far <= limit, "\(number): \(other)")
    }
  }

  @Test func noiseChangesDecimalsOfEverySize() throws {
    let texts = ["3.7", "-3.7", "1E+3", "1E+2", "1E+40", "1E-20", "12.34", "0.01", "7E-300", "9E+300"]
    let noisy = try copy("decimal128", texts.map { "\"\($0)\"" }, "{ noise: 10% }")
    for (index, text) in texts.enumerated() {
      let number = try #require(Double(text))
      let other = try approximate(noisy.value("v", object: index))
      #expect(other != number && abs(other - number) <= abs(number) * 0.1 * (1 + 1e-14), "\(text): \(other)")
    }
    // At the ends of the range.
    let ends = try copy("decimal128", ["\"9.99E+6144\"", "\"1E-6176\"", "\"NaN\""], "{ noise: 10% }")
    guard case .finite(false, let coefficient, 6111)? = try ends.value("v").decimal128Value?.classified else {
      Issue.record("another size")
      return
    }
    #expect(abs(Double(coefficient) - 9.99e33) <= 0.999e33 && Double(coefficient) != 9.99e33)
    #expect(try ends.value("v", object: 1).decimal128Value == decimal("1E-6176"))
    #expect(try ends.value("v", object: 2).decimal128Value?.classified == .nan)
    // An amount that is far larger, or far smaller, than the number.
    let others = ["1E-6176", "1E+3", "-0.25", "0", "1E+6000"]
    let fixed = try copy("decimal128", others.map { "\"\($0)\"" }, "{ noise: 5 }")
    for (index, number) in [0.0, 1000, -0.25, 0].enumerated() {
      let other = try approximate(fixed.value("v", object: index))
      #expect(other != number && abs(other - number) <= 5, "\(number): \(other)")
    }
    #expect(try fixed.value("v", object: 4).decimal128Value == decimal("1E+6000"))
  }

  @Test(arguments: [
    ("1E+3", "7", "994"), ("1E-6176", "7", "0"), ("-1E-6176", "7", "-7"), ("3.7", "0.25", "3.50"),
    ("-3.7", "1", "-4.0"),
    ("6999", "7000", "0"), ("-1", "7000", "-7E+3"), ("1E+40", "7", "999999999999999999999999999999994E+7"),
    ("1.40", "0.7", "1.40"), ("-9999999999999999999999999999999999", "7", "-9999999999999999999999999999999996"),
    ("5E+6000", "5", "5E+6000"), ("NaN", "7", "NaN"), ("0.00", "7", "0.00"), ("1", "1e300", "0"),
  ])
  func decimalsAreRoundedDown(_ number: String, _ step: String, _ multiple: String) throws {
    let rounded = try copy("decimal128", ["\"\(number)\""], "{ range: \(step) }").value("v")
    #expect(try rounded.decimal128Value == decimal(multiple))
  }

  @Test func maskChangesEveryNumber() throws {
    let ints = Array(-9...99).map(String.init) + ["9223372036854775807", "-9223372036854775808"]
    let decimals = (1...99).map { "\"0.\($0)\"" }
    // One byte each.
    let data = (0..<256).map { "\"\(Data([UInt8($0)]).base64EncodedString())\"" }
    for (type, values) in [("int", ints), ("decimal128", decimals), ("data", data)] {
      let masked = try copy(type, values, "mask")
      let kept = try copy(type, values, "keep")
      for (index, value) in values.enumerated() {
        #expect(try masked.value("v", object: index) != kept.value("v", object: index), "\(value)")
      }
    }
  }

  @Test func datesOfAnObjectMoveTogether() throws {
    let realm = try PlanCase(
      """
      [{"name":"A","properties":{"x":"date","y":"date","e":"E?","l":"E[]"}},
       {"name":"E","embedded":true,"properties":{"at":"date","deeper":"F?"}},
       {"name":"F","embedded":true,"properties":{"at":"date"}}]
      """,
      """
      {"A":[{"x":"2020-01-01T00:00:00Z","y":"2020-01-11T00:00:00Z",
       "e":{"at":"2020-01-21T00:00:00Z","deeper":{"at":"2020-01-31T00:00:00Z"}},"l":[{"at":"2020-02-10T00:00:00Z","deeper":null}]},
       {"x":"2020-01-01T00:00:00Z","y":"2020-01-01T00:00:00Z","e":null,"l":[]}]}
      """)
    let shift = "{ shift: 1y }"
    let copy = try RedactedRealm(
      of: realm.opened(),
      "classes: { A: { x: \(shift), y: \(shift), e: keep, l: keep }, E: { at: \(shift), deeper: keep }, F: { at: \(shift) } }"
    )
    func seconds(_ property: String, _ name: String, _ object: Int = 0) throws -> Int64 {
      try #require(try copy.value(property, of: name, object: object).dateValue).seconds
    }
    let start = try seconds("x", "A")
    let day: Int64 = 86_400
    #expect(start != 1_577_836_800)
    #expect(try seconds("y", "A") == start + 10 * day)
    #expect(try [seconds("at", "E"), seconds("at", "E", 1)].sorted() == [start + 20 * day, start + 40 * day])
    #expect(try seconds("at", "F") == start + 30 * day)
    #expect(try seconds("x", "A", 1) != start)
  }

  /// Values that belong together by primary keys, across files, keep their order in time.
  @Test(arguments: ["int", "string", "objectId"])
  func anObjectMovesAsFarInEveryFile(_ type: String) throws {
    let schema =
      #"[{"name":"A","primaryKey":"id","properties":{"id":"\#(type)","x":"date","e":"E"}},"#
      + #"{"name":"E","embedded":true,"properties":{"at":"date"}}]"#
    let keys =
      ["int": ["1", "2", "3"], "string": [#""a""#, #""b""#, #""c""#]][type]
      ?? ["1", "2", "3"].map { #""64000000000000000000000\#($0)""# }
    func moves(_ order: [Int]) throws -> [Int: Int64] {
      let objects = order.map {
        #"{"id":\#(keys[$0]),"x":"2020-01-01T00:00:00Z","e":{"at":"2020-01-01T00:00:00Z"}}"#
      }
      let realm = try PlanCase(schema, #"{"A":[\#(objects.joined(separator: ","))]}"#)
      let shift = "{ shift: 1y }"
      let copy = try RedactedRealm(
        of: realm.opened(), "classes: { A: { id: keep, x: \(shift), e: keep }, E: { at: \(shift) } }")
      var moves: [Int: Int64] = [:]
      for (place, object) in order.enumerated() {
        moves[object] = try #require(try copy.value("x", object: place).dateValue).seconds
      }
      let embedded = try order.indices.map { try #require(try copy.value("at", of: "E", object: $0).dateValue).seconds }
      #expect(embedded.sorted() == moves.values.sorted())
      return moves
    }
    let (all, some) = (try moves([0, 1, 2]), try moves([2, 0]))
    #expect(Set(all.values).count == 3)
    #expect(some[2] == all[2] && some[0] == all[0])
  }

  @Test func oneKeyGivesOneCopyAndAnotherKeyAnother() throws {
    let realm = try PlanCase(copying: Fixture.path("engine/dogs.realm")).opened()
    let rules = try RedactionDraft(realm).yaml()
    let (one, same) = (try RedactedRealm(of: realm, rules), try RedactedRealm(of: realm, rules))
    let other = try RedactedRealm(of: realm, rules, key: Array("another key of many bytes".utf8))
    #expect(one.bytes == same.bytes)
    #expect(try one.value("name", of: "Person") != other.value("name", of: "Person"))
    #expect(try one.value("_id", of: "Person") != realm.value("_id", of: "Person"))
  }

  @Test func equalValuesStayEqualInOtherClasses() throws {
    let realm = try PlanCase(
      """
      [{"name":"A","primaryKey":"id","properties":{"id":"string","to":"B?"}},{"name":"B","properties":{"a":"string","n":"int"}}]
      """,
      #"{"A":[{"id":"anna@here.org","to":null},{"id":"second","to":null}],"B":[{"a":"second","n":5},{"a":"anna@here.org","n":6}]}"#
    )
    let copy = try RedactedRealm(
      of: realm.opened(), "classes: { A: { id: hash, to: keep }, B: { a: hash, n: keep } }")
    let ids = [try copy.value("id", of: "A"), try copy.value("id", of: "A", object: 1)]
    #expect(try copy.value("a", of: "B") == ids[1] && copy.value("a", of: "B", object: 1) == ids[0])
  }

  @Test func conditionsAndClasses() throws {
    let realm = try PlanCase(
      """
      [{"name":"A","properties":{"n":"int","t":"string","to":"B?"}},{"name":"B","properties":{"secret":"string"}}]
      """,
      #"{"A":[{"n":1,"t":"first text","to":null},{"n":2,"t":"second text","to":null}],"B":[{"secret":"very secret"}]}"#)
    let source = try realm.opened()
    let copy = try RedactedRealm(
      of: source, "classes: { A: { n: keep, t: { rule: mask, where: 'n == 2' }, to: keep }, B: drop }")
    #expect(try copy.value("t").stringValue == "first text")
    #expect(try copy.value("t", object: 1).stringValue != "second text")
    #expect(try copy.snapshot.table(displayName: "B")?.objectCount() == 0)
    #expect(copy.snapshot.schema.classes == source.schema.classes)
    let renamed = try RedactedRealm(of: source, "rename: true\ndefault: keep\nclasses: {}")
    #expect(renamed.snapshot.schema.classes.map(\.displayName) == ["Class1", "Class2"])
    #expect(renamed.snapshot.schema.classes.first?.properties.map(\.name) == ["property1", "property2", "property3"])
    #expect(try renamed.value("property2", of: "Class1").stringValue == "first text")
  }

  @Test func keysOfDictionariesAndNestedValuesAreRedacted() throws {
    let realm = try PlanCase(
      #"[{"name":"A","properties":{"d":"int{}","m":"mixed","s":"string<>","k":"double{}"}}]"#,
      #"""
      {"A":[{"d":{"anna":1,"bela":2},"m":{"$dictionary":{"carla":["dario",{"$dictionary":{"edda":"enzo"}}]}},"s":["fenna","hedda"],
       "k":{"height":1.5}}]}
      """#)
    let copy = try RedactedRealm(
      of: realm.opened(), "classes: { A: { d: { noise: 5 }, m: hash, s: { fake: name }, k: { noise: 1, keys: keep } } }"
    )
    let file = String(decoding: copy.bytes, as: UTF8.self)
    for name in ["anna", "bela", "carla", "dario", "edda", "enzo", "fenna", "hedda"] { #expect(!file.contains(name)) }
    #expect(try copy.value("d").entries?.count == 2)
    #expect(try copy.value("k").entries?.keys.first == "height")
    #expect(try copy.value("m").entries?.values.first?.elements?.count == 2)
  }

  @Test func keysOfDictionariesOfLinksAreRedacted() throws {
    let source = try PlanCase(
      #"""
      [{"name":"A","properties":{"e":"E{}","l":"A{}"}},{"name":"E","embedded":true,"properties":{"s":"string"}}]
      """#, #"{"A":[{"e":{"annabel":{"s":"home"}},"l":{"berthold":null}}]}"#
    ).opened()
    for rules in ["default: null\nclasses: {}", "classes: { A: { e: hash, l: hash }, E: { s: mask } }"] {
      let copy = try RedactedRealm(of: source, rules)
      let file = String(decoding: copy.bytes, as: UTF8.self)
      for name in ["annabel", "berthold", "home"] { #expect(!file.contains(name)) }
      #expect(try copy.value("e").entries?.count == 1 && copy.value("l").entries?.count == 1)
      #expect(try copy.snapshot.table(displayName: "E")?.objectCount() == 1)
    }
    #expect(try RedactionDraft(source).yaml().contains("    e: hash  # the keys; links stay\n"))
  }

  @Test func internalTablesStayOut() throws {
    let source = try PlanCase(copying: Fixture.path("engine/corners.realm")).opened()
    #expect(source.tables.contains { $0.schema.name == "internal_table" })
    let copy = try RedactedRealm(of: source, "default: keep\nclasses: {}")
    #expect(copy.snapshot.tables.allSatisfy { $0.schema.isClass || $0.schema.name == "metadata" })
    #expect(copy.snapshot.schema.classes.map(\.name) == source.schema.classes.map(\.name))
  }

  @Test func equalIdentitiesAreEqualAsKeysToo() throws {
    let ids = [
      "ABCDEF01-89AB-4DEF-8123-456789ABCDEF", "aBCDEF01-89AB-4DEF-8123-456789ABCDEF",
      "abcdef01-89ab-4def-8123-456789abcdef",
    ]
    let objects = ids.map { "{\"id\":\"\($0)\",\"d\":{\"\($0)\":1}}" }.joined(separator: ",")
    let source = try PlanCase(
      #"[{"name":"A","primaryKey":"id","properties":{"id":"string","d":"int{}"}}]"#, "{\"A\":[\(objects)]}"
    ).opened()
    let copy = try RedactedRealm(of: source, "classes: { A: { id: hash, d: { noise: 1 } } }")
    var found: Set<String> = []
    for index in ids.indices {
      let id = try #require(try copy.value("id", object: index).stringValue)
      #expect(try copy.value("d", object: index).entries?.keys.map(\.description) == [id])
      #expect(id.count == 36 && id.dropFirst(14).first == "4")
      found.insert(id)
    }
    #expect(found.count == ids.count)
  }

  @Test func hashesTellNothingOfNumbers() throws {
    for (type, values) in [("double", ["0", "-0.0", "123456.75"]), ("float", ["0", "-0.0", "-3.5"])] {
      let copy = try self.copy(type, values, "hash")
      func number(_ index: Int) throws -> Double? {
        let value = try copy.value("v", object: index)
        return value.doubleValue ?? value.floatValue.map(Double.init)
      }
      #expect(try number(0) == number(1) && number(0) != 0 && number(0) != number(2))
      for index in values.indices { #expect((0..<1).contains(try #require(try number(index)))) }
    }
    let decimals = try copy("decimal128", ["\"1.0\"", "\"1.00\"", "\"0\""], "hash")
    #expect(try decimals.value("v") == decimals.value("v", object: 1))
    #expect(try decimals.value("v", object: 2) != decimals.value("v"))
  }

  @Test func smallNumbersAreChanged() throws {
    let copy = try self.copy("int", (0..<40).map(String.init), "{ noise: 1% }")
    let changed = try (0..<40).filter { try copy.value("v", object: $0).intValue != Int64($0) }
    #expect(changed.count > 5)
    for index in 0..<40 { #expect(abs(try #require(try copy.value("v", object: index).intValue) - Int64(index)) <= 1) }
  }

  @Test func partsOfSecondsMoveToo() throws {
    let realm = try PlanCase(
      #"[{"name":"A","properties":{"x":"date","y":"date"}}]"#,
      #"{"A":[{"x":"2020-01-01T00:00:00.123456789Z","y":"1969-12-31T23:59:59.023456789Z"}]}"#)
    let copy = try RedactedRealm(of: realm.opened(), "classes: { A: { x: { shift: 1y }, y: { shift: 1y } } }")
    let (x, y) = (try #require(try copy.value("x").dateValue), try #require(try copy.value("y").dateValue))
    #expect(x.nanoseconds != 123_456_789)
    let moved = Int128(x.seconds - y.seconds) * 1_000_000_000 + Int128(x.nanoseconds - y.nanoseconds)
    #expect(moved == 1_577_836_801 * 1_000_000_000 + 100_000_000)
  }

  /// As if the targets had been deleted; a null that was there stays.
  @Test(arguments: ["keep", "hash"]) func linksToObjectsThatAreLeftOutLeaveSets(_ rule: String) throws {
    let source = try PlanCase(
      #"[{"name":"A","properties":{"s":"mixed<>"}},{"name":"B","primaryKey":"id","properties":{"id":"int"}}]"#,
      #"""
      {"A":[{"s":[{"$link":{"table":"B","key":1}},5,{"$link":{"table":"B","key":2}}]},
            {"s":[null,{"$link":{"table":"B","key":1}}]}],"B":[{"id":1},{"id":2}]}
      """#
    ).opened()
    let copy = try RedactedRealm(of: source, "classes: { A: { s: \(rule) }, B: drop }")
    #expect(try copy.value("s", object: 1) == .set([.null]))
    guard case .set(let values) = try copy.value("s") else {
      Issue.record("no set")
      return
    }
    #expect(values.count == 1 && values.first != .null)
  }

  @Test func threadsChangeNothing() throws {
    let objects = (0..<2500).map { index in
      """
      {"id":"person \(index)","v":\(index % 7),"t":"text \(index)","l":["a\(index)","bb",null],"s":[\(index),1],
       "m":[\(index),{"k":"v\(index)"}],"d":"2024-01-31","to":"person \(index / 2)","e":{"x":"in \(index)"},"u":null}
      """
    }
    let source = try PlanCase(
      """
      [{"name":"A","primaryKey":"id","properties":{"id":"string","v":"int","t":{"type":"string","indexed":true},
        "l":"string?[]","s":"int<>","m":"mixed","d":"date","to":"A","e":"E","u":"uuid?"}},
       {"name":"E","embedded":true,"properties":{"x":"string"}}]
      """, "{\"A\":[\(objects.joined(separator: ","))]}"
    ).opened()
    let rules = """
      classes:
        A: { id: hash, v: { noise: 3 }, t: { rule: mask, where: 'v > 2' }, l: { fake: name }, s: hash, m: hash,
             d: { shift: 30d }, to: keep, e: keep, u: hash }
        E: { x: { fake: text } }
      """
    let alone = try RedactedRealm(of: source, rules)
    for threadLimit in [1, 3] {
      let copy = try RedactedRealm(of: source, rules, threadLimit: threadLimit)
      #expect(copy.bytes == alone.bytes)
      #expect(copy.report.redaction == alone.report.redaction)
    }
    var filter = CopyFilter()
    (filter.conditions, filter.followsLinks) = ([ClassCondition(className: "A", query: "v == 5")], true)
    let part = try RedactedRealm(of: source, rules, filter: filter)
    #expect(try RedactedRealm(of: source, rules, filter: filter, threadLimit: 2).bytes == part.bytes)
  }

  /// An invented value that is equal to the old one would keep it.
  @Test func noMadeUpTextIsTheOneThatItReplaces() throws {
    let key = try #require(RedactionKey(RedactedRealm.key))
    let arena = ByteArena()
    for kind in FakeKind.allCases {
      let fake = FakeText(kind, key)
      for word in FakeWords.everything {
        #expect(try word.withUnsafeBytes { try fake.text(instead: $0, in: arena).copied() } != word)
      }
    }
    let copy = try self.copy("string", (0..<100).map { "\"x\($0 % 10)\"" }, "mask")
    for index in 0..<100 { #expect(try copy.value("v", object: index).stringValue != "x\(index % 10)") }
  }

  @Test func whatIsKeptElsewhereIsCounted() throws {
    let source = try PlanCase(
      #"[{"name":"A","properties":{"name":"string","note":"string"}}]"#,
      #"{"A":[{"name":"Wilhelmina","note":"asked Wilhelmina, gave note"},{"name":"note","note":"-"}]}"#
    ).opened()
    let account = try RedactedRealm(of: source, "classes: { A: { name: mask, note: keep } }").report.redaction
    #expect(account?.remainderCount == 2)
    #expect(
      account?.remainders == [
        .init(className: nil, property: nil, action: .keep, count: 1),
        .init(className: "A", property: "note", action: .keep, count: 2),
      ])
  }

  @Test func whatAConditionKeepsIsNamedSo() throws {
    let source = try PlanCase(
      #"[{"name":"A","properties":{"id":"int","name":"string"}}]"#,
      #"{"A":[{"id":1,"name":"Wilhelmina"},{"id":2,"name":"Wilhelmina"}]}"#
    ).opened()
    let rules = "classes: { A: { id: keep, name: { fake: name, where: 'id < 2' } } }"
    let account = try #require(try RedactedRealm(of: source, rules).report.redaction)
    #expect(account.remainders.map(\.rule) == ["fake: name, others kept"])
  }

  @Test func allBytesOfAKeyCount() throws {
    let source = try PlanCase(copying: Fixture.path("engine/dogs.realm")).opened()
    let rules = try RedactionDraft(source).yaml()
    let key = Array("sixteen bytes or more".utf8)
    #expect(
      try RedactedRealm(of: source, rules, key: key).bytes != RedactedRealm(of: source, rules, key: key + [0]).bytes)
  }

  @Test func intsThatLookPersonalAreHashed() throws {
    let draft = try RedactionDraft(
      PlanCase(#"[{"name":"A","properties":{"mobile":"int","zipCode":"int?","count":"int"}}]"#).opened()
    ).yaml()
    #expect(
      draft.contains("    mobile: hash") && draft.contains("    zipCode: hash") && draft.contains("    count: keep"))
  }

  /// What is kept is decided by the values of all objects, which Swift's sets count here.
  @Test func aDraftKeepsCategoriesOnly() throws {
    let rare = (0..<3000).map { number -> [String: String] in
      let isLate = number >= 1500
      return [
        // Nothing at first, then a text for each object; or one for all.
        "diagnosis": isLate ? "case \(number)" : "", "code": isLate ? "c\(number)" : "", "first": isLate ? "b" : "",
        "kind": isLate ? "word\(number)" : "a\(number % 2)",
        // Few values, in a property that people write into.
        "message": "m\(number % 3)", "body": "b\(number % 3)", "comment": "c\(number % 3)",
        "shippingAddress": "a\(number % 3)", "patientNote": "n\(number % 3)", "diagnosisText": "d\(number % 3)",
        "state": "s\(number % 3)", "stage": isLate ? "late" : "early", "single": "one",
      ]
    }
    let names = rare[0].keys.sorted()
    let properties = names.map { "\"\($0)\":\"string\"" }.joined(separator: ",")
    let objects = rare.map { object in
      "{" + object.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
    }
    let realm = try PlanCase(
      "[{\"name\":\"A\",\"properties\":{\(properties)}}]", "{\"A\":[\(objects.joined(separator: ","))]}")
    let draft = try RedactionDraft(realm.opened()).yaml()
    let kept = draft.split(separator: "\n").filter { $0.contains(": keep") }
      .map { $0.prefix { $0 != ":" }.drop { $0 == " " } }
    #expect(kept.map(String.init).sorted() == ["stage", "state"])
    for name in kept { #expect(Set(rare.map { $0[String(name)] }).count > 1) }
  }

  /// The expected numbers are those of Swift's sets over the data.
  @Test func whatStaysIsCounted() throws {
    var random = SeededGenerator(seed: 15)
    let words = (0..<40).map { String(repeating: "ü", count: $0 % 7) + "\($0)" }
    let objects = (0..<300).map { number in
      (
        number: number, single: words[Int.random(in: 0..<40, using: &random)],
        several: (0..<number % 4).map { _ in words[Int.random(in: 0..<20, using: &random)] },
        key: words[Int.random(in: 0..<10, using: &random)]
      )
    }
    let data = objects.map { object in
      let list = object.several.map { "\"\($0)\"" }.joined(separator: ",")
      return """
        {"n":\(object.number),"s":"\(object.single)","l":[\(list)],"d":{"\(object.key)":\(object.number)},
         "m":\(object.number % 2 == 0 ? "\"\(object.single)\"" : "7"),"i":1,"t":"\(object.single)","o":2}
        """
    }
    let source = try PlanCase(
      """
      [{"name":"A","properties":
        {"n":"int","s":"string","l":"string[]","d":"int{}","m":"mixed","i":"mixed","t":"string","o":"int"}}]
      """, "{\"A\":[\(data.joined(separator: ","))]}"
    ).opened()
    func expected(_ property: RealmString, _ texts: [String], isNamed: Bool = false) -> KeptStrings {
      KeptStrings(
        className: "A", property: property, isNamed: isNamed, distinctCount: Set(texts.map { Array($0.utf8) }).count,
        isEstimate: false, longest: texts.map(\.utf8.count).max() ?? 0)
    }
    let rules = "{ default: keep, classes: { A: { s: keep, t: { rule: mask, where: 'n >= 100' } } } }"
    let copy = try RedactedRealm(of: source, rules)
    #expect(
      copy.report.redaction?.keptStrings == [
        expected("s", objects.map(\.single), isNamed: true), expected("l", objects.flatMap(\.several)),
        expected("d", objects.map(\.key)), expected("m", objects.filter { $0.number % 2 == 0 }.map(\.single)),
        expected("t", objects.filter { $0.number < 100 }.map(\.single), isNamed: true),
      ])
    let all = "{ default: null, classes: { A: { d: { rule: hash, keys: keep } } } }"
    #expect(
      try RedactedRealm(of: source, all).report.redaction?.keptStrings == [
        expected("d", objects.map(\.key), isNamed: true)
      ])
  }

  @Test func manyDifferentTextsAreCountedAbout() {
    var texts = DistinctTexts()
    for number in 0..<150_000 { Array("text \(number % 120_000)".utf8).withUnsafeBytes { texts.add($0) } }
    #expect(texts.count.isEstimate && abs(texts.count.value - 120_000) < 3600)
  }

  @Test func numbersOfObjectsTellNothingOfPrimaryKeys() throws {
    // Object keys of format 20 are derived from primary keys, and stay when a file is upgraded.
    let realm = try PlanCase(
      #"[{"name":"A","primaryKey":"id","properties":{"id":"int","next":"A?"}}]"#,
      #"{"A":[{"id":4711,"next":815},{"id":815,"next":4711}]}"#)
    var options = CopyOptions(identity: .fresh)
    options.format = .format20
    let folder = try TemporaryFolder()
    let copy = try RealmCopy(of: realm.opened(), options)
    let output = try copy.makeOutput(at: folder.path("old.realm"), replacing: .never)
    _ = try copy.write(to: output)
    try output.publish()
    let old = try ByteStore.open(.path(folder.path("old.realm")), key: nil)
    let source = try Snapshot(of: old.store)
    let redacted = try RedactedRealm(of: source, "classes: { A: { id: hash, next: keep } }")
    let table = try #require(redacted.snapshot.table(displayName: "A"))
    var keys: [Int64] = []
    try table.forEachBatch(in: redacted.snapshot) { batch in
      keys += (0..<batch.count).map { batch.key(at: $0).rawValue }
    }
    #expect(keys == [0, 1])
    #expect(try redacted.value("next", object: 0) != redacted.value("next", object: 1))
    let older = try RedactedRealm(of: source, "classes: { A: { id: hash, next: keep } }", format: .format20)
    #expect(try older.snapshot.table(displayName: "A")?.objectCount() == 2)
  }

  @Test func aPropertyWithoutRuleStopsTheRun() throws {
    let realm = try PlanCase(#"[{"name":"A","properties":{"x":"int","new":"string"}}]"#)
    let source = try realm.opened()
    let error = #expect(throws: RedactionError.self) {
      _ = try RedactedRealm(of: source, "classes: { A: { x: keep } }")
    }
    guard case .rules(let mistakes) = error else { throw try #require(error) }
    #expect(mistakes.unnamed == ["A.new"])
    _ = try RedactedRealm(of: source, "default: null\nclasses: { A: { x: keep } }")
  }

  @Test(arguments: [
    ("classes: { B: {} }", "1:12: no class 'B'"),
    ("classes: { A: { y: keep } }", "1:17: 'A' has no property 'y'"),
    ("classes: { A: { x: { fake: name } } }", "1:17: 'fake: name' cannot be used for 'A.x': its type is int"),
    ("classes: { A: { x: { constant: text } } }", "1:17: the constant must have the type of 'A.x', which is int"),
    ("classes: { A: { b: hash } }", "1:17: 'hash' cannot be used for 'A.b': its type is bool"),
    (
      "classes: { A: { x: { noise: 0.3 } } }",
      "1:17: 'noise: 0.3' cannot be used for 'A.x': its type is int, which has no fractions"
    ),
    (
      "classes: { A: { x: { range: 2.5 } } }",
      "1:17: 'range: 2.5' cannot be used for 'A.x': its type is int, which has no fractions"
    ),
    (
      "classes: { A: { id: { rule: hash, where: 'x > 1' } } }",
      "1:17: 'where' cannot be used for the primary key 'A.id'"
    ),
    ("classes: { A: { l: hash } }", "1:17: 'hash' cannot be used for 'A.l': a link can only be kept or set to null"),
    (
      "classes: { A: { d: mask } }",
      "1:17: 'mask' cannot be used for 'A.d': a dictionary of links can only be kept, hashed (its keys) or set to null"
    ),
  ])
  func whatDoesNotFitIsNamed(_ rules: String, _ message: String) throws {
    let realm = try PlanCase(
      #"[{"name":"A","primaryKey":"id","properties":{"id":"int","x":"int","b":"bool","l":"A?","d":"A{}"}}]"#)
    let source = try realm.opened()
    let error = #expect(throws: RedactionError.self) { _ = try RedactedRealm(of: source, "default: keep\n" + rules) }
    #expect("\(try #require(error))".hasPrefix(message.replacing("1:", with: "2:")))
  }

  @Test(arguments: [
    ("", "1:1: the rules file is empty"),
    ("default: drop\nclasses: {}", "1:10: 'default' must be keep or null, not 'drop'"),
    (
      "classes: { A: { x: keap } }",
      "1:20: a rule must be keep, null, mask or hash, or a mapping, not 'keap'; did you mean 'keep'?"
    ),
    ("classes: { A: { x: { shift: 30 } } }", "1:29: 'shift' must be a time such as '30d' (y, w, d, h, m or s), not 30"),
    (
      "classes: { A: { x: { fake: nam } } }",
      "1:28: 'fake' must be name, email, phone, city or text, not 'nam'; did you mean 'name'?"
    ),
    ("classes: { A: { x: {} } }", "1:20: a rule needs one of rule, constant, fake, truncate, noise, shift or range"),
    ("default: keep\nclasses:", "2:9: 'classes' must be a mapping of classes to rules, not null"),
    (
      "default: keep\nclasses:\n  A: null",
      "3:6: the rules of class 'A' must be 'drop' or a mapping of properties to rules, not null"
    ),
    (
      "default: keep\nclasses:\n  A:\n",
      "3:5: the rules of class 'A' must be 'drop' or a mapping of properties to rules, not null"
    ),
    ("classes: &a {}", "1:10: anchors are not supported in rules files"),
    ("classes: *a", "1:10: aliases are not supported in rules files"),
    ("classes:\n  A: { <<: {} }", "2:8: merge keys are not supported in rules files"),
    ("classes: {}\n---\nclasses: {}", "2:1: a rules file is one document; a second begins here"),
  ])
  func mistakesHaveAPlace(_ rules: String, _ message: String) {
    let error = #expect(throws: PlanError.self) { try RedactionRules.parse(Array(rules.utf8), path: "rules.yml") }
    #expect(error.map { "\($0)" } == message)
  }
}
