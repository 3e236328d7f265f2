import RealmMigration
import RealmStorage
import TestSupport
import Testing

/// Formulas and templates, by their results for an object.
@Suite struct FormulaTests {
  private static let schema = """
    [{"name":"Dog","primaryKey":"id","properties":{"id":"int","name":"string?","age":"int"}},
     {"name":"T","properties":{"i":"int","n":"int?","d":"double","m":"decimal128","s":"string","t":"string?","b":"bool",
      "at":"date","list":"int?[]","tags":"string[]","map":"int{}","dog":"Dog","none":"Dog","dogs":"Dog[]","x y":"int"}}]
    """
  private static let data = """
    {"Dog":[{"id":1,"name":"Rex","age":3},{"id":2,"name":null,"age":5}],
     "T":[{"i":7,"n":null,"d":2.5,"m":"1.10","s":"Ann","t":null,"b":true,"at":"2024-03-01T08:30:00.5Z","list":[3,null,1],
      "tags":["b","a"],"map":{"k":4},"dog":1,"none":null,"dogs":[1,2],"x y":9}]}
    """

  @Test(arguments: [
    ("int?", "i + 2 * 3", "13"), ("int?", "(i + 2) * 3", "27"), ("int?", "-i % 4", "-3"), ("int?", "7 / 2", "3"),
    ("double?", "i / 2.0", "3.5"), ("double?", "d * i", "17.5"),
    ("decimal128?", "m + 1", #"{"$numberDecimal":"2.10"}"#),
    ("decimal128?", "m * m / 2", #"{"$numberDecimal":"0.6050"}"#), ("int?", "n + 1", "null"),
    ("bool?", "i > 6 && d <= 2.5 || false", "true"), ("bool?", "!b", "false"), ("bool?", "n == null", "true"),
    ("bool?", "n < 1", "null"), ("bool?", "s != \"Ann\"", "false"), ("bool?", "m == 1.1", "true"),
    ("bool?", "b && i > 6 && !b", "false"), ("bool?", "!b || i > 9 || b", "true"),
    ("bool?", "!b || n > 1 || b", "null"),
    ("int?", "-9223372036854775808 % -1", "0"), ("double?", "d % 2", "0.5"),
    ("string?", #""\u00e9\t\ud83d\ude00""#, #""é\t😀""#),
    ("bool?", "b && n > 1", "null"), ("bool?", "!b && n > 1", "false"), ("string?", "s + \"!\"", #""Ann!""#),
    ("string?", "str(i) + s", #""7Ann""#), ("int?", "int(\"42\")", "42"), ("string?", "concat(s, t, i)", #""Ann7""#),
    ("string?", "upper(s) + lower(s)", #""ANNann""#), ("string?", "trim(\"  x \")", #""x""#),
    ("string?", "substr(s, 1, 5)", #""nn""#), ("string?", "replace(s, \"nn\", \"-\")", #""A-""#),
    ("string[]", "split(\"a,b,,c\", \",\")", #"["a","b","","c"]"#), ("string?", "join(tags, \"+\")", #""b+a""#),
    ("int?", "len(s) + len(tags) + count(list)", "8"), ("int?", "sum(list)", "4"), ("double?", "avg(list)", "2.0"),
    ("int?", "min(list)", "1"), ("int?", "max(i, 9, n)", "null"), ("int?", "max(i, 9)", "9"),
    ("int?", "sum(dogs.age)", "8"),
    ("double?", "round(d)", "3.0"), ("double?", "round(2.675, 2)", "2.68"), ("int?", "round(1250, -2)", "1300"),
    ("double?", "floor(-d) + ceil(d)", "0.0"), ("decimal128?", "round(m, 1)", #"{"$numberDecimal":"1.1"}"#),
    ("int?", "abs(-i)", "7"), ("string?", "if(i > 5, \"big\", \"small\")", #""big""#),
    ("string?", "coalesce(t, dog.name)", #""Rex""#),
    ("bool?", "is_null(none.name)", "true"), ("int?", "key()", "0"),
    ("string?", "format_date(at, \"dd/MM/yyyy HH:mm\")", #""01/03/2024 08:30""#),
    ("date?", "parse_date(\"2024-3-1\", \"yyyy-M-d\")", #"{"$date":"2024-03-01T00:00:00Z"}"#),
    ("date?", "now()", #"{"$date":"2033-05-18T03:33:20Z"}"#),
    ("int?", "list[0]", "3"), ("int?", "list[9]", "null"), ("int?", "map[\"k\"] + map[\"k\"]", "8"),
    ("int?", "map.k", "4"),
    ("int?", "`x y` + 1", "10"), ("int?", "old.i + new.i", "14"), ("string?", "dogs[1].name", "null"),
    ("Dog", "dogs[1]", #"{"$link":{"table":"Dog","key":2}}"#),
    ("mixed", "dog", #"{"$link":{"table":"Dog","key":1}}"#), ("float?", "d", "2.5"), ("int?", "d * 2", "5"),
    ("uuid?", "uuid(\"3b241101-e2bb-4255-8caf-4136c566a962\")", #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#),
    ("string?", "'it''s'", ""), ("int?", "-9223372036854775808", #"{"$numberLong":"-9223372036854775808"}"#),
  ])
  func formulasHaveValues(_ type: String, _ formula: String, _ value: String) throws {
    guard !value.isEmpty else { return }
    let realm = try PlanCase(Self.schema, Self.data)
    var settings = PlanCase.Settings()
    settings.options.now = Timestamp(seconds: 2_000_000_000, nanoseconds: 0)
    let quoted = formula.replacing("'", with: "''")
    try realm.run(
      "add_property: { class: T, name: result, type: \"\(type)\", value: { expr: '\(quoted)' } }", settings: settings)
    #expect(try realm.values("T", "result") == [value])
  }

  @Test(arguments: [
    ("i / 0", "division by zero"), ("9223372036854775807 + i", "9223372036854775807 + 7 is beyond the range of int"),
    ("s + i", "'+' cannot be used with a string and an int; '+' joins two strings: use str()"),
    ("s && b", "'Ann' is neither true nor false"),
    ("s < i", "a string cannot be compared with an int"), ("upper(i)", "'upper' takes text, not an int; use str()"),
    ("int(s)", "'Ann' is not an int (a whole number of 64 bits)"),
    ("d + 0.1", "2.6 is not a whole number, but 'result' has type int"),
    ("parse_date(s, \"yyyy\")", "'Ann' is not a date of the form 'yyyy'"),
    (
      "format_date(at, \"EEE\")",
      "'E' is not a field of a date pattern; the fields are yyyy, MM, dd, HH, mm, ss, SSS and XXX; put other text between apostrophes"
    ),
    ("m % 2", "'%' cannot be used with decimals"), ("i % 0", "division by zero"), ("m / 0", "division by zero"),
    ("sum(i)", "'sum' takes a collection, not an int"),
    ("s", "'Ann' is a string, but 'result' has type int"),
  ])
  func formulasFail(_ formula: String, _ message: String) throws {
    let realm = try PlanCase(Self.schema, Self.data)
    let text = try realm.failure(
      "add_property: { class: T, name: result, type: \"int?\", value: { expr: '\(formula)' } }")
    #expect(text == "5:5: add_property: 1 of 1 object: object 0: \(message)")
  }

  @Test(arguments: [
    ("{s} {i}", #""Ann 7""#), ("{{{s}}}", #""{Ann}""#), ("{t|nobody}/{n|}", #""nobody/""#),
    ("{=i + 1}: {at}", #""8: 2024-03-01T08:30:00.5Z""#),
    ("{t}", "null"), ("{d} {m} {b}", #""2.5 1.10 true""#), ("{dog}", #""1""#), ("{=if(b, \"}\", \"\")}", #""}""#),
    ("plain", #""plain""#),
  ])
  func templatesMakeTexts(_ template: String, _ value: String) throws {
    let realm = try PlanCase(Self.schema, Self.data)
    try realm.run("add_property: { class: T, name: result, type: \"string?\", value: { template: '\(template)' } }")
    #expect(try realm.values("T", "result") == [value])
  }

  @Test func nullInTemplates() throws {
    let realm = try PlanCase(Self.schema, Self.data)
    try realm.run("add_property: { class: T, name: a, type: string, value: { template: '<{t}>', on_null: empty } }")
    #expect(try realm.values("T", "a") == [#""<>""#])
    let other = try PlanCase(Self.schema, Self.data)
    #expect(
      try other.failure("set: { class: T, values: { s: { template: '<{t}>' } }, on_null: fail }")
        == "5:5: set: 1 of 1 object: object 0: 't' is null")
    #expect(
      try other.failure("set: { class: T, values: { s: { template: '<{t}>' } } }")
        == "5:5: set: 1 of 1 object: object 0: null, but 's' is required; give 'default'")
    let outcome = try other.run("set: { class: T, values: { s: { template: '<{t}>' } }, default: none }")
    #expect(try outcome.operation(0).defaulted == 1)
    #expect(try other.values("T", "s") == [#""none""#])
  }
}
