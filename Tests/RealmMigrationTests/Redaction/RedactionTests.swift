import RealmExchange
import RealmMigration
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What rules make of values.
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
    let decimal = try copy("decimal128", ["\"123.45\""], "{ range: 10 }").value("v")
    #expect(decimal.decimal128Value?.classified == .finite(isNegative: false, coefficient: 12000, exponent: -2))
    let masked = try #require(try copy("int", ["-4711"], "mask").value("v").intValue)
    #expect((-9999 ... -1000).contains(masked))
    #expect(try copy("int?", ["null"], "hash").value("v") == .null)
    #expect(try copy("int?", ["5"], "null").value("v") == .null)
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

  @Test func numbersOfObjectsTellNothingOfPrimaryKeys() throws {
    // Keys of format 20 are made of primary keys, and stay when a file is upgraded.
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
    #expect(error?.unnamed == ["A.new"])
    _ = try RedactedRealm(of: source, "default: null\nclasses: { A: { x: keep } }")
  }

  @Test(arguments: [
    ("classes: { B: {} }", "1:12: no class 'B'"),
    ("classes: { A: { y: keep } }", "1:17: class 'A' has no property 'y'"),
    ("classes: { A: { x: { fake: name } } }", "1:17: 'fake: name' cannot be used for 'A.x': its type is int"),
    ("classes: { A: { x: { constant: text } } }", "1:17: the constant is not a value of type int, which 'A.x' has"),
    ("classes: { A: { b: hash } }", "1:17: 'hash' cannot be used for 'A.b': its type is bool"),
  ])
  func whatDoesNotFitIsNamed(_ rules: String, _ message: String) throws {
    let realm = try PlanCase(#"[{"name":"A","properties":{"x":"int","b":"bool"}}]"#)
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
    ("classes: &a {}", "1:10: anchors are not used in rules files"),
  ])
  func mistakesHaveAPlace(_ rules: String, _ message: String) {
    let error = #expect(throws: PlanError.self) { try RedactionRules.parse(Array(rules.utf8), path: "rules.yml") }
    #expect(error.map { "\($0)" } == message)
  }
}
