import Foundation
import RealmExchange
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Realms built from a schema and JSON data.
@Suite struct DataRealmTests {
  // MARK: Values

  /// How a property of a type stores a value: the `typed` form in which it is exported.
  struct Value: CustomTestStringConvertible, Sendable {
    let type: String
    let input: String
    let output: String
    var testDescription: String { "\(type) \(input)" }
  }

  private static func values(_ type: String, _ rows: [(String, String)]) -> [Value] {
    rows.map { Value(type: type, input: $0.0, output: $0.1) }
  }

  static let numbers: [Value] =
    values("int", [("7", "7"), ("-9223372036854775808", #"{"$numberLong":"-9223372036854775808"}"#)])
    + values("int", [(#"{"$numberLong":"7"}"#, "7"), (#"{"$numberInt":"7"}"#, "7"), (#"{"$numberLong": 8}"#, "8")])
    + values("int?", [("null", "null"), ("0", "0")])
    + values("bool", [("true", "true"), ("false", "false")])
    + values("double", [("1", "1.0"), ("0.1", "0.1"), ("-0.0", #"{"$numberDouble":"-0.0"}"#)])
    + values("double", [(#""NaN""#, #"{"$numberDouble":"NaN"}"#), (#""inf""#, #"{"$numberDouble":"Infinity"}"#)])
    + values("double", [("nan", #"{"$numberDouble":"NaN"}"#), ("-inf", #"{"$numberDouble":"-Infinity"}"#)])
    + values("double", [(#"{"$numberDouble": "1.0000000000000001e-01"}"#, "0.1"), (#"{"$numberInt":"2"}"#, "2.0")])
    + values(
      "double", [(#"{"$numberDouble":"NaN(0x7ff8000000000001)"}"#, #"{"$numberDouble":"NaN(0x7ff8000000000001)"}"#)])
    + values("float", [("0.1", "0.1"), (#"{"$float":"0.1"}"#, "0.1"), (#"{"$numberDouble":"1.0000000e-01"}"#, "0.1")])
    + values("float?", [(#""-Infinity""#, #"{"$float":"-Infinity"}"#), ("null", "null")])
    + values("decimal128", [(#""100.50""#, #"{"$numberDecimal":"100.50"}"#), ("1.5", #"{"$numberDecimal":"1.5"}"#)])
    + values("decimal128", [(#"{"$numberDecimal":"-1E-7"}"#, #"{"$numberDecimal":"-1E-7"}"#)])

  static let others: [Value] =
    values("string", [(#""a\u0000\ud83d\ude00\udc80""#, #""a\u0000😀\udc80""#), (#""""#, #""""#)])
    + values("data", [(#""AP8Q""#, #"{"$binary":{"base64":"AP8Q","subType":"00"}}"#)])
    + values("data?", [(#"{"$binary":{"subtype":"00","base64":""}}"#, #"{"$binary":{"base64":"","subType":"00"}}"#)])
    + values("date", [(#""2023-11-14T22:13:20.5Z""#, #"{"$date":"2023-11-14T22:13:20.5Z"}"#)])
    + values("date", [(#""2023-11-14 22:13:20.123456789""#, #"{"$date":"2023-11-14T22:13:20.123456789Z"}"#)])
    + values("date", [(#""2023-11-14""#, #"{"$date":"2023-11-14T00:00:00Z"}"#)])
    + values("date", [(#"{"$date":1500}"#, #"{"$date":"1970-01-01T00:00:01.5Z"}"#)])
    + values("date", [(#"{"$date":{"$numberLong":"-1500"}}"#, #"{"$date":"1969-12-31T23:59:58.5Z"}"#)])
    + values("date?", [(#"{"$date":"2023-11-14T23:13:20+01:00"}"#, #"{"$date":"2023-11-14T22:13:20Z"}"#)])
    + values("objectId", [(#""507F1F77BCF86CD799439011""#, #"{"$oid":"507f1f77bcf86cd799439011"}"#)])
    + values("objectId", [(#"{"$oid":"507f1f77bcf86cd799439011"}"#, #"{"$oid":"507f1f77bcf86cd799439011"}"#)])
    + values("uuid", [(#""3b241101e2bb42558caf4136c566a962""#, #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#)])
    + values(
      "uuid",
      [
        (
          #"{"$binary": {"base64": "OyQRAeK7QlWMr0E2xWapYg==", "subType": "04"}}"#,
          #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#
        )
      ])

  static let mixed: [Value] =
    values(
      "mixed", [("1", "1"), ("1.0", "1.0"), ("1e2", "100.0"), ("true", "true"), ("null", "null"), (#""x""#, #""x""#)])
    + values("mixed", [("[1,[2.0],{}]", #"[1,[2.0],{"$dictionary":{}}]"#)])
    + values("mixed", [(#"{"b":1,"a":[]}"#, #"{"$dictionary":{"a":[],"b":1}}"#)])
    + values("mixed", [(#"{"$dictionary":{"a":{"$float":"1.5"}}}"#, #"{"$dictionary":{"a":{"$float":"1.5"}}}"#)])
    + values("mixed", [(#"{"$numberDecimal":"1"}"#, #"{"$numberDecimal":"1"}"#)])
    + values(
      "mixed",
      [(#"{"$uuid":"3b241101e2bb42558caf4136c566a962"}"#, #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#)])

  static let collections: [Value] =
    values("int[]", [("[]", "[]"), ("[3,1,3]", "[3,1,3]")])
    + values("int?[]", [("[1,null]", "[1,null]")])
    + values("int<>", [("[3,1,3]", #"{"$set":[1,3]}"#), (#"{"$set":[2,1]}"#, #"{"$set":[1,2]}"#)])
    + values("string?<>", [(#"["b",null,"a","é","B"]"#, #"{"$set":[null,"B","a","b","é"]}"#)])
    + values("mixed<>", [(#"["a",1.0,null,1,true]"#, #"{"$set":[null,true,1.0,"a"]}"#)])
    + values("int{}", [(#"{"z":1,"a":2}"#, #"{"$dictionary":{"a":2,"z":1}}"#), ("{}", #"{"$dictionary":{}}"#)])
    + values("string?{}", [(#"{"$dictionary":{"":null,"é":"x"}}"#, #"{"$dictionary":{"":null,"é":"x"}}"#)])

  @Test("is read", arguments: numbers + others + mixed + collections)
  func value(_ row: Value) throws {
    let built = try BuiltRealm(
      schema: #"[{"name":"A","properties":{"v":"\#(row.type)"}}]"#, data: #"{"A":[{"v":\#(row.input)}]}"#)
    #expect(try built.text() == "{\"class\":\"A\",\"objKey\":0,\"value\":{\"v\":\(row.output)}}\n")
  }

  @Test func `a missing property gets the default of its type`() throws {
    let types = [
      "int": "0", "int?": "null", "bool": "false", "float": "0.0", "double": "0.0", "string": "\"\"",
      "data": #"{"$binary":{"base64":"","subType":"00"}}"#, "date": #"{"$date":"1970-01-01T00:00:00Z"}"#,
      "decimal128": #"{"$numberDecimal":"0"}"#, "objectId": #"{"$oid":"000000000000000000000000"}"#,
      "uuid": #"{"$uuid":"00000000-0000-0000-0000-000000000000"}"#, "mixed": "null", "A?": "null", "int[]": "[]",
      "string<>": #"{"$set":[]}"#, "mixed{}": #"{"$dictionary":{}}"#, "string?": "null",
    ]
    for (type, output) in types {
      let built = try BuiltRealm(schema: #"[{"name":"A","properties":{"v":"\#(type)"}}]"#, data: "{\"A\":[{}]}")
      #expect(try built.text() == "{\"class\":\"A\",\"objKey\":0,\"value\":{\"v\":\(output)}}\n")
    }
  }

  // MARK: Faults

  struct Fault: CustomTestStringConvertible, Sendable {
    let schema: String
    let data: String
    let text: String
    var testDescription: String { text }

    init(_ type: String, _ value: String, _ text: String) {
      schema = #"[{"name":"A","properties":{"p":"\#(type)"}},{"name":"E","embedded":true,"properties":{}}]"#
      data = #"{"A":[{"p":\#(value)}]}"#
      self.text = text
    }

    init(schema: String, data: String, text: String) {
      (self.schema, self.data, self.text) = (schema, data, text)
    }
  }

  /// Type, value, what is expected, what is found.
  private static let wrongTypes: [Fault] = [
    ("int", "7.5", "int (a whole number of 64 bits)", "7.5"),
    ("int", #""7""#, "int (a whole number of 64 bits)", #"the string "7""#),
    ("int", "9223372036854775808", "int (a whole number of 64 bits)", "9223372036854775808"),
    ("int", "true", "int (a whole number of 64 bits)", "true"),
    ("int", "[]", "int (a whole number of 64 bits)", "an array"),
    ("int", #"{"$numberDouble":"7"}"#, "int (a whole number of 64 bits)", "an object of another form"),
    ("int", #"{"$numberLong":"7x"}"#, "int (a whole number of 64 bits)", "an object of another form"),
    ("bool", "1", "bool (true or false)", "1"),
    ("bool", #""true""#, "bool (true or false)", #"the string "true""#),
    ("double", #""1.5""#, "double (a number)", #"the string "1.5""#),
    ("double", "false", "double (a number)", "false"),
    ("string", "1", "string (text in double quotes)", "1"),
    ("string", "{}", "string (text in double quotes)", "an object of another form"),
    ("data", #""A""#, "data (a string in Base64)", #"the string "A""#),
    (
      "data", #"{"$uuid":"3b241101e2bb42558caf4136c566a962"}"#, "data (a string in Base64)", "an object of another form"
    ),
    ("date", #""yesterday""#, #"date (such as "2024-01-31T12:00:00Z")"#, #"the string "yesterday""#),
    ("date", "0", #"date (such as "2024-01-31T12:00:00Z")"#, "0"),
    ("decimal128", #""1,5""#, "decimal128 (a number of at most 34 digits, or a string with one)", #"the string "1,5""#),
    (
      "decimal128", "12345678901234567890123456789012345",
      "decimal128 (a number of at most 34 digits, or a string with one)", "12345678901234567890123456789012345"
    ),
    ("objectId", #""50""#, "objectId (24 hex digits)", #"the string "50""#),
    (
      "uuid", #"{"$binary":{"base64":"AA==","subType":"04"}}"#,
      #"uuid (such as "01234567-89ab-cdef-0123-456789abcdef")"#, "an object of another form"
    ),
    ("mixed", #"{"$set":[1]}"#, "mixed (a value of any type, integers of 64 bits)", "an object of another form"),
    ("mixed", #"{"$x":1}"#, "mixed (a value of any type, integers of 64 bits)", "an object of another form"),
    ("mixed", "99999999999999999999", "mixed (a value of any type, integers of 64 bits)", "99999999999999999999"),
    ("int[]", "{}", "int[] (an array)", "an object of another form"),
    ("int?[]", #"["1"]"#, "int? (a whole number of 64 bits)", #"the string "1""#),
    ("int[]", #"["1"]"#, "int (a whole number of 64 bits)", #"the string "1""#),
    ("int<>", "5", "int<> (an array)", "5"),
    ("mixed<>", "[[1]]", "mixed (a single value of any type)", "an array"),
    ("int{}", "[1]", "int{} (an object)", "an array"),
    ("int{}", #"{"a":"b"}"#, "int (a whole number of 64 bits)", #"the string "b""#),
    ("E?", "5", "E (an object)", "5"),
    ("E?", #"{"$link":{"table":"E","objKey":0}}"#, "E (an object)", "an object of another form"),
    (
      "A?", #"{"$link":{"table":"E","objKey":0}}"#, #"A (an object, or {"_key":0} for the object with that key)"#,
      "an object of another form"
    ),
    ("A?", #""key""#, #"A (an object, or {"_key":0} for the object with that key)"#, #"the string "key""#),
  ].map { Fault($0.0, $0.1, "Type mismatch for property 'A.p'. Expected \($0.2), found \($0.3)") }

  private static let pair =
    #"[{"name":"A","primaryKey":"id","properties":{"id":"int?","p":"string"}},{"name":"B","properties":{"b":"A?"}},{"name":"E","embedded":true,"properties":{}}]"#

  private static let nulls: [Fault] = ["int", "string", "int[]", "int<>", "int{}", "A[]"].map {
    Fault($0, $0 == "A[]" ? "[null]" : "null", "Invalid null value for non-nullable property 'A.p'.")
  }

  private static let rules: [Fault] = [
    Fault("int[]", "[null]", "Invalid null value for non-nullable property 'A.p'."),
    Fault("int{}", #"{"$a":1}"#, "property 'A.p': Dictionary::insert: key must not start with '$'"),
    Fault("mixed", #"{"a.b":1}"#, "property 'A.p': Dictionary::insert: key must not contain '.'"),
    Fault("int{}", #"{"a":1,"b":2,"a":3}"#, "property 'A.p' has the key 'a' twice"),
    Fault("int", #"1,"p":2"#, "property 'A.p' appears twice in one object"),
    Fault("int", #"1,"q":2"#, "'A' has no property 'q'"),
    Fault(
      schema: pair, data: #"{"A":[{"id":1},{"id":2},{"id":1}]}"#,
      text: "Attempting to create an object of type 'A' with an existing primary key value '1'"),
    Fault(
      schema: pair, data: #"{"A":[{"id":null},{}]}"#,
      text: "Attempting to create an object of type 'A' with an existing primary key value 'null'"),
    Fault(schema: pair, data: #"{"C":[]}"#, text: "no class 'C'"),
    Fault(schema: pair, data: #"{"A":[],"C":[]}"#, text: "no class 'C'"),
    Fault(schema: pair, data: #"{"class":"C","value":{}}"#, text: "no class 'C'"),
    Fault(
      schema: pair, data: #"{"E":[{}]}"#, text: "objects of the embedded class 'E' exist only inside other objects"),
    Fault(schema: pair, data: #"[5]"#, text: "the objects are in none of the forms that 'export' writes"),
    Fault(schema: pair, data: #"{"A":{}}"#, text: "the objects are in none of the forms that 'export' writes"),
    Fault(
      schema: #"[{"name":"A","primaryKey":"id","properties":{"id":"int"}}]"#, data: #"{"A":[{}]}"#,
      text: "Missing value for property 'A.id'."),
  ]

  @Test("is refused with its text", arguments: wrongTypes + nulls + rules)
  func fault(_ row: Fault) throws {
    let error = #expect(throws: InputError.self) { try BuiltRealm(schema: row.schema, data: row.data) }
    #expect(error?.data?.fault.description == row.text)
    #expect(error?.data?.location.line == 1)
  }

  @Test func `values that the engine would not read back are refused`() throws {
    let long = String(repeating: "A", count: 16_777_200)
    let limits = [("string", 1), ("string[]", 1), ("mixed", 1), ("string?{}", 1)]
    for (type, _) in limits {
      let value = type == "string[]" ? "[\"\(long)\"]" : type == "string?{}" ? "{\"k\":\"\(long)\"}" : "\"\(long)\""
      let error = #expect(throws: InputError.self) {
        try BuiltRealm(
          schema: #"[{"name":"A","properties":{"p":"\#(type)"}}]"#, data: "{\"A\":[{\"p\":\(value)}]}")
      }
      #expect(
        error?.data?.fault.description
          == "property 'A.p': a value of 16777200 bytes, more than the 16777199 that fit")
    }
    // 16 777 200 bytes of data are the maximum.
    let data = String(repeating: "AAAA", count: 16_777_200 / 3)
    let built = try BuiltRealm(
      schema: #"[{"name":"A","properties":{"p":"data"}}]"#, data: "{\"A\":[{\"p\":\"\(data)\"}]}")
    #expect(built.bytes.count > 16_777_200)
  }

  @Test func `faults name line, column and the object`() throws {
    let data = "{\"class\":\"A\",\"value\":{\"id\":1}}\n{\"class\":\"A\",\"value\":{\"id\":2,\n  \"p\":3}}\n"
    let error = #expect(throws: InputError.self) { try BuiltRealm(schema: Self.pair, data: data) }
    #expect(
      error.map { "\($0)" }
        == "Type mismatch for property 'A.p'. Expected string (text in double quotes), found 3 (line 3, column 7, object 2)"
    )
  }

  @Test(arguments: [
    ("double", "1e309", "double"), ("double", "-1e309", "double"), ("float", "1e39", "float"),
    ("double", #"{"$numberDouble":"1e309"}"#, "double"), ("float", #"{"$float":"1e39"}"#, "float"),
    ("mixed", "1e309", "double"), ("mixed", "[[1e309]]", "double"), ("mixed", #"{"k":1e309}"#, "double"),
    ("double[]", "[1, 1e400]", "double"), ("double", #""1e309""#, "double"), ("mixed", #"{"$float":"1e39"}"#, "float"),
  ])
  func `a number beyond the range of its type is an error`(type: String, value: String, named: String) throws {
    let schema = #"[{"name":"A","properties":{"p":"\#(type)"}}]"#
    for coerces in [false, true] {
      var options = DataOptions()
      options.coerces = coerces
      let error = #expect(throws: InputError.self) {
        try BuiltRealm(schema: schema, data: #"{"p":\#(value)}"#, options)
      }
      guard case .numberOutOfRange("A", "p", _, named) = error?.data?.fault else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    arguments: [
      ("TRUE", true), ("True", true), (" true\\n", true), ("1", true), ("FALSE", false), (" 0", false), ("yes", nil),
      ("", nil), ("2", nil), ("true!", nil), ("tru", nil),
    ] as [(String, Bool?)])
  func `texts are read as booleans in any case`(text: String, flag: Bool?) throws {
    var options = DataOptions()
    options.coerces = true
    let schema = #"[{"name":"A","properties":{"p":"bool"}}]"#
    let data = #"{"p":"\#(text)"}"#
    if let flag {
      let realm = try BuiltRealm(schema: schema, data: data, options)
      #expect(try realm.text().contains(#""p":\#(flag)"#))
    } else {
      #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: data, options) }
    }
    #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: data) }
  }

  @Test func `text that is no JSON is an error of the text`() throws {
    for data in ["{", "{\"A\":[{\"id\":1]}", "]", "{\"A\":[]} x"] {
      #expect(throws: JSONError.self) { try BuiltRealm(schema: Self.pair, data: data) }
    }
  }

  // MARK: Options

  @Test func `options allow what is otherwise refused`() throws {
    let schema = #"[{"name":"A","properties":{"i":"int","b":"bool","d":"double","f":"float"}}]"#
    var options = DataOptions()
    options.coerces = true
    options.ignoresUnknownProperties = true
    let built = try BuiltRealm(
      schema: schema, data: #"{"A":[{"i":"7","b":"1","d":"1.5","x":{"y":[1]},"f":"2"}]}"#, options)
    #expect(try built.text() == #"{"class":"A","objKey":0,"value":{"i":7,"b":true,"d":1.5,"f":2.0}}"# + "\n")
    for value in [#""7x""#, #""""#, #"" 7""#] {
      #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: "{\"A\":[{\"i\":\(value)}]}", options) }
    }
    options.isStrict = true
    let error = #expect(throws: InputError.self) {
      try BuiltRealm(schema: schema, data: "{\"A\":[{\"i\":1}]}", options)
    }
    #expect(error?.data?.fault == .missingProperty(className: "A", property: "b", isStrict: true))
  }

  @Test func `the schema version is that of the options, else of the schema, else 0`() throws {
    let schema = #"{"schemaVersion":3,"classes":[{"name":"A","properties":{}}]}"#
    var options = DataOptions()
    #expect(try BuiltRealm(schema: schema, data: "").snapshot.schema.version == 3)
    #expect(try BuiltRealm(schema: "[]", data: "").snapshot.schema.version == 0)
    options.schemaVersion = 9
    #expect(try BuiltRealm(schema: schema, data: "", options).snapshot.schema.version == 9)
  }

  @Test func `object keys are the engine's own, or those given`() throws {
    let schema = #"[{"name":"A","properties":{"v":"int"}},{"name":"B","primaryKey":"v","properties":{"v":"int"}}]"#
    let lines = (0..<600).map { "{\"class\":\"\($0 < 300 ? "A" : "B")\",\"objKey\":\($0 * 3),\"value\":{\"v\":\($0)}}" }
    let data = lines.joined(separator: "\n")
    func keys(_ built: BuiltRealm) -> [[Int64]] {
      built.snapshot.tables.filter(\.schema.isClass).map { table in
        var keys: [Int64] = []
        var batches = table.batches()
        while case .batch(let batch) = batches.next() {
          keys += (0..<batch.count).map { batch.key(at: $0).rawValue }
        }
        return keys
      }
    }
    let fresh = try BuiltRealm(schema: schema, data: data)
    let engineKeys: [[Int64]] = [Array(0..<256) + Array(0x10000..<0x1002c), Array(0..<300)]
    #expect(keys(fresh) == engineKeys)
    var options = DataOptions()
    options.keepsObjectKeys = true
    let kept = try BuiltRealm(schema: schema, data: data, options)
    let given: [[Int64]] = [Array(stride(from: 0, to: 900, by: 3)), Array(stride(from: 900, to: 1800, by: 3))]
    #expect(keys(kept) == given)
    for lines in [[lines[1], lines[0]], [#"{"class":"A","value":{}}"#], [lines[0], lines[0]]] {
      let error = #expect(throws: InputError.self) {
        try BuiltRealm(schema: schema, data: lines.joined(separator: "\n"), options)
      }
      #expect(error?.data?.fault == .objectKeyOutOfOrder(className: "A"))
    }
  }
}
