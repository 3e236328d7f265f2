import RealmMigration
import RealmStorage
import TestSupport
import Testing

/// Forms of plans that the documentation names, and values at the limits.
@Suite struct DocumentedFormTests {
  private static let schema = """
    [{"name":"Home","embedded":true,"properties":{"street":"string","tags":"string[]"}},
     {"name":"P","primaryKey":"id","properties":{"id":"int","name":"string","tags":"string[]","any":"mixed","anys":"mixed[]",
      "home":"Home","homes":"Home[]","homeMap":"Home{}","map":"mixed{}","set":"int<>","friends":"P[]"}}]
    """
  private static let data = """
    {"P":[{"id":1,"name":"Ann","tags":["a"],"any":null,"anys":[],"home":{"street":"z","tags":["t"]},
      "homes":[{"street":"x","tags":[]},{"street":"w","tags":["u","v"]}],"homeMap":{"k":{"street":"y","tags":[]},"n":null},
      "map":{"a":1},"set":[1,2],"friends":[1]}]}
    """

  @Test(arguments: [
    ("any: [ { expr: 'id + 1' }, x ]", "any", #"[2,"x"]"#),
    ("tags: [ { expr: upper(name) }, { template: '{id}!' }, x ]", "tags", #"["ANN","1!","x"]"#),
    ("set: [ { expr: 'id + 1' }, 2, 9 ]", "set", #"{"$set":[2,9]}"#),
    (
      "friends: [ { pk: [P, 1] }, 1 ]", "friends", #"[{"$link":{"table":"P","key":1}},{"$link":{"table":"P","key":1}}]"#
    ),
    ("any: { objects: [P, 'id == 1'] }", "any", #"[{"$link":{"table":"P","key":1}}]"#),
    ("any: { a: [ { pk: [P, 1] } ] }", "any", #"{"$dictionary":{"a":[{"$link":{"table":"P","key":1}}]}}"#),
    ("anys: { objects: [P, 'id == 1'] }", "anys", #"[{"$link":{"table":"P","key":1}}]"#),
    ("map: { x: { pk: [P, 1] } }", "map", #"{"$dictionary":{"x":{"$link":{"table":"P","key":1}}}}"#),
    (
      "homes: [ { street: { expr: name }, tags: [ { expr: name } ] } ]", "homes",
      #"[{"$embedded":{"table":"Home","value":{"street":"Ann","tags":["Ann"]}}}]"#
    ),
    (
      "homeMap: { a: { street: s, tags: [] }, b: null }", "homeMap",
      #"{"$dictionary":{"a":{"$embedded":{"table":"Home","value":{"street":"s","tags":[]}}},"b":null}}"#
    ),
  ])
  func valuesOfEveryForm(_ values: String, _ property: String, _ expected: String) throws {
    let realm = try PlanCase(Self.schema, Self.data)
    try realm.run("set: { class: P, values: { \(values) } }")
    #expect(try realm.values("P", property) == [expected])
  }

  /// A program that returns what it got changes nothing.
  @Test(arguments: [Self.data, #"{"P":[{"id":1,"name":"Ann"}]}"#])
  func programsMayGiveBackWhatTheyWereSent(_ data: String) throws {
    let realm = try PlanCase(Self.schema, data)
    let before = try realm.objects("P")
    var settings = PlanCase.Settings()
    settings.options.allowsCommands = true
    let script = #"""
      sed -n -e 's/^{"type":"object","key":\([0-9]*\),"old":.*,"new":\(.*\)}$/{"key":\1,"set":\2}/p'
      """#
    try realm.run("transform: { class: P, command: [sh, -c, \(Self.quoted(script))] }", settings: settings)
    #expect(try realm.objects("P") == before)
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

  @Test func programsAppendEmbeddedObjects() throws {
    let realm = try PlanCase(Self.schema, Self.data)
    var settings = PlanCase.Settings()
    settings.options.allowsCommands = true
    let answer =
      #"{"key":0,"append":{"homes":[{"street":"n","tags":[]},{"$embedded":{"table":"Home","value":{"street":"o"}}}],"set":{"$set":[2,3]}}}"#
    try realm.run(
      "transform: { class: P, command: [sh, -c, 'cat >/dev/null; printf \"%s\\n\" \"$1\"' , x, \(Self.quoted(answer))] }",
      settings: settings)
    let homes = try realm.values("P", "homes")[0]
    #expect(
      homes.contains(
        #"{"street":"w","tags":["u","v"]}}},{"$embedded":{"table":"Home","value":{"street":"n","tags":[]}}}"#))
    #expect(homes.hasSuffix(#"{"street":"o","tags":[]}}}]"#))
    #expect(try realm.values("P", "set") == [#"{"$set":[1,2,3]}"#])
  }

  /// Bytes that are not UTF-8 are sent as lone surrogates, and are restored unchanged.
  @Test func programsKeepBytes() throws {
    let realm = try PlanCase(Self.schema, Self.data)
    var settings = PlanCase.Settings()
    settings.options.allowsCommands = true
    let answer = #"{"key":0,"set":{"name":"a\udcffb","map":{"\udcfe":"\udc80"},"any":"\udcc0"}}"#
    try realm.run(
      "transform: { class: P, command: [sh, -c, 'cat >/dev/null; printf \"%s\\n\" \"$1\"' , x, \(Self.quoted(answer))] }",
      settings: settings)
    #expect(try realm.values("P", "name") == [#""a\udcffb""#])
    #expect(try realm.values("P", "map") == [#"{"$dictionary":{"\udcfe":"\udc80"}}"#])
    #expect(try realm.values("P", "any") == [#""\udcc0""#])
  }

  @Test func embeddedCollectionsTakeNothingElse() throws {
    let realm = try PlanCase(Self.schema, Self.data)
    for (value, place) in [
      ("homes: [ { expr: home } ]", "homes"), ("homes: [ { street: a, tags: [] }, 5 ]", "homes[1]"),
      ("homes: [ { $embedded: { table: P, value: {} } } ]", "homes[0]"),
    ] {
      #expect(try realm.failure("set: { class: P, values: { \(value) } }").contains("'\(place)' takes"))
    }
  }

  /// Plans read the forms with a type as data files do.
  @Test(arguments: [
    (
      "uuid", #"{ $binary: { base64: "OyQRAeK7QlWMr0E2xWapYg==", subType: "04" } }"#,
      #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#
    ),
    (
      "mixed", #"{ $binary: { base64: "OyQRAeK7QlWMr0E2xWapYg==", subType: "04" } }"#,
      #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#
    ),
    ("float", #"{ $numberDouble: "0.1" }"#, "0.1"), ("date", "'2023-11-14'", #"{"$date":"2023-11-14T00:00:00Z"}"#),
    ("double", "{ $numberDouble: NaN(0x7ff8000000000001) }", #"{"$numberDouble":"NaN(0x7ff8000000000001)"}"#),
    ("objectId", "{ $oid: 650000000000000000000001 }", #"{"$oid":"650000000000000000000001"}"#),
    ("data", "{ $binary: AP8Q }", #"{"$binary":{"base64":"AP8Q","subType":"00"}}"#),
  ])
  func formsWithTheirType(_ type: String, _ value: String, _ expected: String) throws {
    let realm = try PlanCase(#"[{"name":"C","properties":{"v":"\#(type)"}}]"#, #"{"C":[{}]}"#)
    try realm.run("set: { class: C, values: { v: \(value) } }")
    #expect(try realm.values("C", "v") == [expected])
  }

  // MARK: Policies

  private static let collections = """
    {"C":[{"k":0,"list":["1",null,"x"],"set":["2",null],"one":null},{"k":1,"list":["3"],"set":["4"],"one":"5"}]}
    """
  private static let collectionSchema =
    #"[{"name":"C","properties":{"k":"int","list":"string?[]","set":"string?<>","one":"string?"}}]"#

  @Test(arguments: [
    ("list, to: 'int?[]', on_error: null", "list", ["[1,null,null]", "[3]"]),
    ("list, to: 'int?[]', on_error: 'null', on_null: default, default: 7", "list", ["[1,7,null]", "[3]"]),
    ("list, to: 'int[]', on_error: default, on_null: default, default: 7", "list", ["[1,7,7]", "[3]"]),
    ("list, to: 'int[]', on_error: default, default: [8, 9]", "list", ["[8,9]", "[3]"]),
    ("list, to: 'int?[]', on_error: delete", "list", ["[3]"]),
    ("list, to: 'int[]', on_error: default, on_null: delete, default: 1", "list", ["[3]"]),
    ("set, to: 'int<>', on_null: default, default: 2", "set", [#"{"$set":[2]}"#, #"{"$set":[4]}"#]),
    ("set, to: 'int[]', on_null: delete", "set", ["[4]"]),
    ("one, to: 'int[]'", "one", ["[]", "[5]"]),
    ("one, to: 'int[]', on_null: default, default: 6", "one", ["[6]", "[5]"]),
    ("one, to: 'int[]', on_null: default, default: [6, 7]", "one", ["[6,7]", "[5]"]),
    ("one, to: 'int[]', on_null: delete", "one", ["[5]"]),
  ])
  func elementsFollowThePolicies(_ conversion: String, _ property: String, _ expected: [String]) throws {
    let realm = try PlanCase(Self.collectionSchema, Self.collections)
    try realm.run("convert: { class: C, name: \(conversion) }")
    #expect(try realm.values("C", property) == expected)
  }

  @Test(arguments: [
    ("list, to: 'int?[]', on_error: 'null', on_null: fail", "object 0: an element is null"),
    ("one, to: 'int[]', on_null: fail", "object 0: the value is null"),
    ("set, to: 'int[]'", "object 0: an element is null, but elements of the new type are required; give 'default'"),
    ("list, to: 'int?[]'", "object 0: 'x' is not an int (a whole number of 64 bits)"),
  ])
  func elementsThatStopThePlan(_ conversion: String, _ message: String) throws {
    let realm = try PlanCase(Self.collectionSchema, Self.collections)
    #expect(try realm.failure("convert: { class: C, name: \(conversion) }").contains(message))
  }

  // MARK: Values

  /// What is dropped is not in the set in the file.
  @Test(arguments: [
    ("decimal128[]", "decimal128<>", #"[{"$numberDecimal":"1"},{"$numberDecimal":"1.00"},{"$numberDecimal":"2"}]"#, 1),
    ("mixed[]", "mixed<>", #"[1,1.0,{"$numberDecimal":"1.00"},true,"1",{"$float":"1"}]"#, 3),
    ("double[]", "double<>", #"[0.0,{"$numberDouble":"-0.0"},1.5]"#, 1),
    ("string[]", "string<>", #"["a","b","a"]"#, 1),
  ])
  func droppedElementsAreThoseTheSetDoesNotHave(_ from: String, _ to: String, _ values: String, _ dropped: Int) throws {
    let realm = try PlanCase(
      #"[{"name":"C","properties":{"v":"\#(from)"}}]"#, #"{"C":[{"v":\#(values)}]}"#)
    let outcome = try realm.run(
      "convert: { class: C, name: v, to: '\(to)' }",
      "add_property: { class: C, name: n, type: int, value: { expr: count(new.v) } }")
    #expect(try outcome.operation(0).dropped == dropped)
    let all = values.count { $0 == "," } + 1
    #expect(try realm.values("C", "n") == ["\(all - dropped)"])
  }

  @Test(arguments: [
    ("max(double('nan'), 5)", "5"), ("max(5, double('nan'))", "5"), ("min(double('nan'), 5)", "5"),
    ("if(decimal('4.01E+2082') < double('inf'), 1, 0)", "1"),
    ("if(decimal('-4.01E+2082') > double('-inf'), 1, 0)", "1"),
    ("if(9007199254740993 == 9007199254740992.0, 1, 0)", "0"), ("if(9007199254740993 > 9007199254740992.0, 1, 0)", "1"),
    ("if(9007199254740992 == 9007199254740992.0, 1, 0)", "1"), ("if(decimal('1.00') == 1, 1, 0)", "1"),
    ("if(9223372036854775807 < 9223372036854775808.0, 1, 0)", "1"), ("if(double('nan') < 1, 1, 0)", "0"),
    ("if(decimal('1E-6176') > 0, 1, 0)", "1"),
  ])
  func formulasCompareAsQueriesDo(_ formula: String, _ expected: String) throws {
    let realm = try Sample.people()
    try realm.run("set: { class: Person, values: { age: { expr: \"int(\(formula))\" } } }")
    #expect(try Set(realm.values("Person", "age")) == [expected])
  }

  @Test func integersBeyondTheRangeAreNotMadeDoubles() throws {
    let realm = try PlanCase(Self.schema, Self.data)
    for value in ["9223372036854775808", "-9223372036854775809"] {
      #expect(
        try realm.failure("set: { class: P, values: { any: \(value) } }").contains(
          "is out of range for a mixed value"))
    }
    try realm.run("set: { class: P, values: { any: 9223372036854775808.0 } }")
    #expect(
      try realm.values("P", "any") == ["9.223372036854775807e+18"]
        || realm.values("P", "any") == ["9.223372036854776e+18"])
  }

  @Test(arguments: ["floor", "ceil", "round", "truncate"])
  func datesAtTheLimitsDoNotWrap(_ rounding: String) throws {
    for (number, whole, beyond) in [
      ("-9223372036854775808.5", "-9223372036854775808", ["floor", "round"]),
      ("9223372036854775807.5", "9223372036854775807", ["ceil", "round"]),
    ] {
      let realm = try PlanCase(
        #"[{"name":"D","properties":{"d":"decimal128"}}]"#, #"{"D":[{"d":{"$numberDecimal":"\#(number)"}}]}"#)
      let operations = [
        "convert: { class: D, name: d, to: date }", "convert: { class: D, name: d, to: int, rounding: \(rounding) }",
      ]
      if beyond.contains(rounding) {
        #expect(try realm.failure(operations[0], operations[1]).contains("is beyond the range of int"))
      } else {
        try realm.run(operations[0], operations[1])
        #expect(try realm.values("D", "d") == [#"{"$numberLong":"\#(whole)"}"#])
      }
    }
  }

  // MARK: Plans

  @Test func primaryKeysKeepTheirIndex() throws {
    let realm = try PlanCase(Self.schema, Self.data)
    #expect(
      try realm.failure("remove_index: { class: P, name: id }").contains(
        "'P.id' is the primary key, which always has an index"))
  }

  @Test func theShorthandStandsBesideAnIndex() throws {
    let realm = try Sample.people()
    try realm.run(
      "add_property: { class: Person, name: a, type: { type: 'string?', index: general } }",
      "add_class: { name: N, properties: { b: { type: 'string?', index: full-text }, c: { type: 'string[]', index: general } } }"
    )
    #expect(try realm.property("Person", "a")?.isOptional == true)
    #expect(try realm.property("Person", "a")?.index == .general)
    #expect(try realm.property("N", "b")?.index == .fullText)
    #expect(try realm.property("N", "c")?.index == .general)
  }

  @Test func commandsHaveNoNUL() {
    for text in [
      #"{"plan":1,"steps":[{"to":2,"do":[{"transform":{"class":"P","command":["true\u0000 x"]}}]}]}"#,
      "plan: 1\nsteps:\n- to: 2\n  do:\n  - transform: { class: P, command: [\"true\\0 x\"] }\n",
    ] {
      #expect(throws: PlanError.self) { try MigrationPlan.parse(Array(text.utf8), path: "-") }
    }
  }

  @Test(arguments: ["plan.yml", "plan.json", "-"])
  func aByteOrderMarkIsPassedOver(_ path: String) throws {
    let plan = #"{"plan": 1, "steps": [{"to": 2, "do": []}]}"#
    #expect(try MigrationPlan.parse([0xef, 0xbb, 0xbf] + Array(plan.utf8), path: path).lastVersion == 2)
    let mistake = #expect(throws: PlanError.self) {
      try MigrationPlan.parse([0xef, 0xbb, 0xbf] + Array("{ }".utf8), path: path)
    }
    #expect(mistake?.mistakes.first?.location == PlanLocation(line: 1, column: 1))
  }

  /// Each of these would need many times the available memory.
  @Test(arguments: ["replace", "concat", "join", "+", "split", "template"])
  func valuesOfFormulasHaveABound(_ function: String) throws {
    let realm = try PlanCase(
      #"[{"name":"T","properties":{"s":"string"}}]"#,
      #"{"T":[{"s":"\#(String(repeating: "a,", count: 600_000))"}]}"#)
    func repeated(_ count: Int, by separator: String) -> String {
      Array(repeating: "s", count: count).joined(separator: separator)
    }
    let formula =
      switch function {
      case "replace": "replace(s, 'a', s)"
      case "join": "join(split(s, ','), s)"
      case "concat": "concat(\(repeated(60, by: ", ")))"
      case "split": "split(concat(\(repeated(6, by: ", "))), ',')"
      default: repeated(60, by: " + ")
      }
    let value =
      function == "template"
      ? "{ template: '\(String(repeating: "{s}", count: 60))' }" : "{ expr: \"\(formula)\" }"
    #expect(
      try realm.failure("set: { class: T, values: { s: \(value) } }").contains(
        "a value of a formula would be larger than 64 MiB"))
  }

  /// A class with this many properties takes only as long as its parts: going through all of them for each would take
  /// minutes.
  @Test func classesOfManyProperties() throws {
    let realm = try Sample.people()
    let properties = (0..<10_000).map { "p\($0): int" }.joined(separator: ", ")
    try realm.run("add_class: { name: Wide, properties: { \(properties) } }")
    #expect(try realm.snapshot().schema.classNamed("Wide")?.properties.count == 10_000)
  }

  /// Places are found without reading the line again for each: this would take minutes.
  @Test func onePlanInOneLine() throws {
    let objects = (0..<100_000).map { #"{"id":\#($0),"näme":"é"}"# }.joined(separator: ",")
    let text = #"{"plan":1,"steps":[{"to":2,"do":[{"create_objects":{"class":"P","values":[\#(objects)]}}]}],"x":1}"#
    let mistake = #expect(throws: PlanError.self) { try MigrationPlan.parse(Array(text.utf8), path: "p.json") }
    #expect(mistake?.mistakes.map(\.location) == [PlanLocation(line: 1, column: text.unicodeScalars.count - 5)])
  }
}
