import Foundation
import RealmMigration
import RealmOpening
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// The conversion table of `Docs/Plan.md`, cell by cell: each value goes through a plan into a file and out again.
@Suite struct ConversionTests {
  struct Cell: Sendable, CustomTestStringConvertible {
    let from: String
    let to: String
    /// As in a data file.
    let input: String
    /// In the typed form; nil for the error that `error` has.
    let output: String?
    var error = ""
    var options = ""

    var testDescription: String { "\(from) \(input) to \(to) \(options)" }
  }

  private static func ok(_ from: String, _ to: String, _ rows: [(String, String)], _ options: String = "") -> [Cell] {
    rows.map { Cell(from: from, to: to, input: $0.0, output: $0.1, options: options) }
  }

  private static func bad(_ from: String, _ to: String, _ rows: [(String, String)], _ options: String = "") -> [Cell] {
    rows.map { Cell(from: from, to: to, input: $0.0, output: nil, error: $0.1, options: options) }
  }

  static let fromInt: [Cell] =
    ok("int", "int", [("-7", "-7")])
    + ok("int", "double", [("7", "7.0"), ("9007199254740992", "9007199254740992.0")])
    + bad(
      "int", "double",
      [("9007199254740993", "9007199254740993 is beyond 2^53 and cannot be stored exactly as a double")])
    + ok("int", "float", [("7", "7.0")])
    + bad("int", "float", [("16777217", "16777217 cannot be stored exactly as a float")])
    + ok(
      "int", "decimal128",
      [("9007199254740993", #"{"$numberDecimal":"9007199254740993"}"#), ("0", #"{"$numberDecimal":"0"}"#)])
    + ok("int", "string", [("-42", #""-42""#)])
    + ok("int", "bool", [("0", "false"), ("1", "true")]) + bad("int", "bool", [("2", "2 is neither 0 nor 1")])
    + ok(
      "int", "date",
      [("1700000000", #"{"$date":"2023-11-14T22:13:20Z"}"#), ("-1", #"{"$date":"1969-12-31T23:59:59Z"}"#)])

  static let fromReal: [Cell] =
    ok("double", "int", [("3.0", "3"), ("-0.0", "0")])
    + bad("double", "int", [("3.5", "3.5 is not a whole number"), ("1e19", "1e+19 is beyond the range of int")])
    + bad("double", "int", [(#""NaN""#, "nan is not a whole number"), (#""inf""#, "inf is not a whole number")])
    + ok("double", "int", [("3.5", "3"), ("-3.5", "-4")], "rounding: floor")
    + ok("double", "int", [("3.5", "4"), ("-3.5", "-3")], "rounding: ceil")
    + ok("double", "int", [("3.5", "4"), ("-3.5", "-4")], "rounding: round")
    + ok("double", "int", [("3.9", "3"), ("-3.9", "-3")], "rounding: truncate")
    + ok("double", "float", [("0.1", "0.1")])
    + bad("double", "float", [("1e300", "1e+300 is beyond the range of float")])
    + ok("float", "double", [("0.5", "0.5")])
    + ok("double", "decimal128", [("0.1", #"{"$numberDecimal":"0.1"}"#), ("2.5", #"{"$numberDecimal":"2.5"}"#)])
    + ok("float", "decimal128", [("0.1", #"{"$numberDecimal":"0.1"}"#)])
    + ok("double", "string", [("0.1", #""0.1""#), (#""inf""#, #""inf""#), (#""NaN""#, #""nan""#)])
    + ok("float", "string", [("0.1", #""0.1""#)])
    + ok("double", "bool", [("1.0", "true")]) + bad("double", "bool", [("0.5", "0.5 is neither 0 nor 1")])
    + ok(
      "double", "date",
      [("1.5", #"{"$date":"1970-01-01T00:00:01.5Z"}"#), ("-0.25", #"{"$date":"1969-12-31T23:59:59.75Z"}"#)])
    + bad("double", "date", [(#""NaN""#, "nan is out of range for a date in seconds")])

  static let fromDecimal: [Cell] =
    ok("decimal128", "int", [(#""3.00""#, "3"), (#""1E+3""#, "1000")])
    + bad(
      "decimal128", "int",
      [
        (#""3.5""#, "3.5 is not an int (a whole number of 64 bits)"),
        (#""1E+20""#, "1E+20 is not an int (a whole number of 64 bits)"),
      ])
    + ok("decimal128", "int", [(#""-3.5""#, "-4")], "rounding: round")
    + ok("decimal128", "double", [(#""0.1""#, "0.1"), (#""Infinity""#, #"{"$numberDouble":"Infinity"}"#)])
    + bad("decimal128", "double", [(#""1E+400""#, "1E+400 is beyond the range of double")])
    + ok("decimal128", "float", [(#""0.1""#, "0.1")])
    + bad("decimal128", "float", [(#""-1E+40""#, "-1E+40 is beyond the range of float")])
    + ok("decimal128", "string", [(#""100.50""#, #""100.50""#)])
    + ok("decimal128", "bool", [(#""1.0""#, "true")]) + bad("decimal128", "bool", [(#""2""#, "2 is neither 0 nor 1")])
    + ok("decimal128", "date", [(#""1.000000001""#, #"{"$date":"1970-01-01T00:00:01.000000001Z"}"#)])
    + bad("decimal128", "date", [(#""1.0000000001""#, "1.0000000001 is out of range for a date in seconds")])

  static let fromString: [Cell] =
    ok("string", "int", [(#""+42""#, "42"), (#""-007""#, "-7")])
    + bad(
      "string", "int",
      [
        (#"" 1""#, "' 1' is not an int (a whole number of 64 bits)"),
        (#""1.0""#, "'1.0' is not an int (a whole number of 64 bits)"),
        (#""""#, "'' is not an int (a whole number of 64 bits)"),
      ])
    + ok(
      "string", "double",
      [(#""1e3""#, "1000.0"), (#""inf""#, #"{"$numberDouble":"Infinity"}"#), (#""nan""#, #"{"$numberDouble":"NaN"}"#)])
    + bad(
      "string", "double",
      [(#""1,5""#, "'1,5' is not a double (a number)"), (#""-1e400""#, "'-1e400' is beyond the range of double")])
    + ok("string", "float", [(#""0.1""#, "0.1"), (#""-inf""#, #"{"$float":"-Infinity"}"#)])
    + bad("string", "float", [(#""1e40""#, "'1e40' is beyond the range of float")])
    + ok("string", "decimal128", [(#""1.50""#, #"{"$numberDecimal":"1.50"}"#)])
    + bad("string", "decimal128", [(#""x""#, "'x' is not a decimal128 (a number of at most 34 digits)")])
    + ok("string", "bool", [(#""TRUE""#, "true"), (#""False""#, "false"), (#""1""#, "true"), (#""0""#, "false")])
    + bad(
      "string", "bool",
      [
        (#""yes""#, "'yes' is not a bool (true or false)"), (#"" 1""#, "' 1' is not a bool (true or false)"),
        (#""true\t""#, "'true\t' is not a bool (true or false)"),
      ])
    + ok(
      "string", "date",
      [
        (#""2023-11-14T23:13:20.5+01:00""#, #"{"$date":"2023-11-14T22:13:20.5Z"}"#),
        (#""2023-11-14""#, #"{"$date":"2023-11-14T00:00:00Z"}"#),
      ])
    + bad(
      "string", "date",
      [
        (#""2023-11-14T22:13:20""#, "'2023-11-14T22:13:20' is not a date (such as 2024-01-31T12:00:00Z)"),
        (#""2023-11-14 22:13:20""#, "'2023-11-14 22:13:20' is not a date (such as 2024-01-31T12:00:00Z)"),
      ])
    + ok("string", "objectId", [(#""507F1F77BCF86CD799439011""#, #"{"$oid":"507f1f77bcf86cd799439011"}"#)])
    + ok(
      "string", "uuid",
      [(#""3b241101-e2bb-4255-8caf-4136c566a962""#, #"{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}"#)])
    + bad(
      "string", "uuid",
      [(#""3b24""#, "'3b24' is not a uuid (such as 01234567-89ab-cdef-0123-456789abcdef)")])
    + ok("string", "data", [(#""é""#, #"{"$binary":{"base64":"w6k=","subType":"00"}}"#)])
    + ok("string", "data", [(#""w6k=""#, #"{"$binary":{"base64":"w6k=","subType":"00"}}"#)], "encoding: base64")
    + bad("string", "data", [(#""?""#, "'?' is not Base64")], "encoding: base64")

  static let others: [Cell] =
    ok("bool", "int", [("true", "1"), ("false", "0")]) + ok("bool", "double", [("true", "1.0")])
    + ok("bool", "float", [("true", "1.0")]) + ok("bool", "decimal128", [("true", #"{"$numberDecimal":"1"}"#)])
    + ok("bool", "string", [("true", #""true""#), ("false", #""false""#)])
    + bad("bool", "date", [("true", "a property of type bool cannot become date")])
    + ok("date", "int", [(#""2023-11-14T22:13:20Z""#, "1700000000")])
    + bad(
      "date", "int",
      [(#""1970-01-01T00:00:00.5Z""#, "1970-01-01T00:00:00.5Z has a fraction of a second, and int has none")])
    + ok("date", "int", [(#""1969-12-31T23:59:58.5Z""#, "-2"), (#""1970-01-01T00:00:01.5Z""#, "1")], "rounding: floor")
    + ok("date", "double", [(#""1970-01-01T00:00:01.5Z""#, "1.5")])
    + ok("date", "float", [(#""1970-01-01T00:00:01.5Z""#, "1.5")])
    + ok("date", "decimal128", [(#""1970-01-01T00:00:01.000000001Z""#, #"{"$numberDecimal":"1.000000001"}"#)])
    + ok("date", "string", [(#""2023-11-14T23:13:20.120+01:00""#, #""2023-11-14T22:13:20.12Z""#)])
    + bad("date", "bool", [(#""2023-11-14T22:13:20Z""#, "a property of type date cannot become bool")])
    + ok("objectId", "string", [(#""507f1f77bcf86cd799439011""#, #""507f1f77bcf86cd799439011""#)])
    + ok("objectId", "date", [(#""507f1f77bcf86cd799439011""#, #"{"$date":"2012-10-17T21:13:27Z"}"#)])
    + bad("objectId", "int", [(#""507f1f77bcf86cd799439011""#, "a property of type objectId cannot become int")])
    + ok("uuid", "string", [(#""3B241101-E2BB-4255-8CAF-4136C566A962""#, #""3b241101-e2bb-4255-8caf-4136c566a962""#)])
    + ok("data", "string", [(#""w6k=""#, #""é""#)])
    + bad("data", "string", [(#""/w==""#, "data of 1 byte is not UTF-8; 'encoding: base64' takes any bytes")])
    + ok("data", "string", [(#""/w==""#, #""/w==""#)], "encoding: base64")
    + ok("data", "string", [(#""w6k=""#, #""é é""#)], "using: \"concat(str(value), ' ', value)\"")
    + bad(
      "data", "string", [(#""/w==""#, "data of 1 byte is not UTF-8; a template shows it in Base64")],
      "using: str(value)")
    + bad("data", "int", [(#""/w==""#, "a property of type data cannot become int")])

  static let collections: [Cell] =
    ok("int", "int[]", [("1", "[1]")]) + ok("int?", "int[]", [("null", "[]")])
    + ok("int", "int<>", [("1", #"{"$set":[1]}"#)])
    + ok("int[]", "int<>", [("[3,1,3]", #"{"$set":[1,3]}"#)]) + ok("int<>", "int[]", [("[3,1]", "[1,3]")])
    + ok("int[]", "int?", [("[5]", "5"), ("[]", "null")])
    + bad("int[]", "int?", [("[5,6]", "2 elements cannot become one; 'pick: first' or 'pick: last' takes one")])
    + ok("int[]", "int?", [("[5,6]", "5")], "pick: first") + ok("int[]", "int?", [("[5,6]", "6")], "pick: last")
    + ok("int[]", "int", [("[]", "9")], "default: 9") + ok("int<>", "int", [("[4]", "4")])
    + ok("int[]", "string[]", [("[1,2]", #"["1","2"]"#)])
    + bad("string[]", "int[]", [(#"["1","x"]"#, "'x' is not an int (a whole number of 64 bits)")])
    + ok("string[]", "int?[]", [(#"["1","x"]"#, "[1,null]")], "on_error: \"null\"")
    + ok("string[]", "int[]", [(#"["1","x"]"#, "[1,0]")], "on_error: default, default: 0")
    + ok("string[]", "int[]", [(#"["1","x"]"#, "[1,5]")], "on_error: default, default: { $numberInt: '5' }")
    + ok("int{}", "string{}", [(#"{"a":1}"#, #"{"$dictionary":{"a":"1"}}"#)])
    + bad("int{}", "int[]", [("{}", "a property of type int{} cannot become int[]")])
    + ok("int?[]", "int[]", [("[1]", "[1]")])
    + bad("int?[]", "int[]", [("[1,null]", "an element is null, but elements of the new type are required")])

  static let mixed: [Cell] =
    ok("int", "mixed", [("5", "5")]) + ok("int[]", "mixed", [("[5]", "5")])
    + ok("mixed", "int", [("5", "5"), (#""7""#, "7")])
    + bad(
      "mixed", "int",
      [
        (#""x""#, "'x' is not an int (a whole number of 64 bits)"),
        ("[1]", "a list of 1 is not an int (a whole number of 64 bits)"),
      ])
    + ok("mixed", "string?", [("null", "null"), ("1.5", #""1.5""#)])

  static let policies: [Cell] =
    ok("string", "int?", [(#""x""#, "null")], "on_error: \"null\"")
    + ok("string", "int", [(#""x""#, "3")], "on_error: default, default: 3")
    + ok("int?", "string", [("null", #""none""#)], "default: none")
    + ok("int?", "string?", [("null", #""none""#)], "default: none, on_null: default")
    + ok("int?", "string?", [("null", "null")])
    + bad("int?", "string", [("null", "null, but the new type is required; give 'default'")])
    + bad(
      "int?", "string?", [("null", "the value is null; 'on_null' is fail; set it to propagate, default or delete")],
      "on_null: fail")
    + ok("int", "string", [("5", #""5 apples""#)], "using: \"str(value) + ' apples'\"")
    + ok(
      "string", "date", [(#""14/11/2023""#, #"{"$date":"2023-11-14T00:00:00Z"}"#)],
      "using: \"parse_date(value, 'dd/MM/yyyy')\"")

  @Test(
    arguments: [fromInt, fromReal, fromDecimal, fromString, others, collections, mixed, policies].flatMap { $0 })
  func everyCellOfTheTable(_ cell: Cell) throws {
    let realm = try PlanCase(
      #"[{"name":"T","properties":{"value":"\#(cell.from)"}}]"#, #"{"T":[{"value":\#(cell.input)}]}"#)
    let options = cell.options.isEmpty ? "" : ", " + cell.options
    let operation = "convert: { class: T, name: value, to: \"\(cell.to)\"\(options) }"
    if let output = cell.output {
      try realm.run(operation)
      #expect(try realm.values("T", "value") == [output])
    } else {
      let text = try realm.failure(operation)
      #expect(text.contains(cell.error), "\(text)")
    }
  }

  @Test func objectsCanBeDeletedWhereTheirValuesCannotBeConverted() throws {
    let realm = try PlanCase(
      #"[{"name":"T","properties":{"value":"string?"}}]"#, #"{"T":[{"value":"1"},{"value":"x"},{"value":null}]}"#)
    let outcome = try realm.run("convert: { class: T, name: value, to: int, on_error: delete, on_null: delete }")
    #expect(try realm.values("T", "value") == ["1"])
    #expect(outcome.launch.migration?.deleted == ["T": 2])
    #expect(try outcome.operation(0).deleted == 2)
    #expect(try outcome.operation(0).failed == 1)
  }

  @Test func twentyValuesAreNamed() throws {
    let rows = (0..<25).map { #"{"value":"x\#($0)"}"# }.joined(separator: ",")
    let realm = try PlanCase(#"[{"name":"T","properties":{"value":"string"}}]"#, #"{"T":[\#(rows)]}"#)
    let text = try realm.failure("convert: { class: T, name: value, to: int }")
    #expect(
      text.hasPrefix(
        "5:5: convert: 25 of 25 objects: object 0: 'x0' is not an int (a whole number of 64 bits); object 1: "))
    #expect(text.hasSuffix("; and 5 more; set 'on_error' to default or delete, or to null with the type 'int?'"))
    #expect(text.components(separatedBy: "object ").count == 21)
  }

  // MARK: Links

  @Test func linksBecomeKeysAndKeysLinks() throws {
    let realm = try Sample.kennel()
    try realm.run(
      "convert: { class: Person, name: dog, to: \"int?\" }", "convert: { class: Person, name: dogs, to: \"string[]\" }")
    #expect(try realm.values("Person", "dog") == ["1", "null"])
    #expect(try realm.values("Person", "dogs") == [#"["1","2","1"]"#, #"["3"]"#])
    try realm.runPlan(
      "plan: 1\nsteps:\n- to: 3\n  do:\n  - convert: { class: Person, name: dog, to: Dog }\n"
        + "  - convert: { class: Person, name: dogs, to: \"Dog[]\" }\n")
    #expect(try realm.values("Person", "dog") == [#"{"$link":{"table":"Dog","key":1}}"#, "null"])
  }

  @Test func linksFollowTheirObjectsToAnotherClass() throws {
    let schema = """
      [{"name":"A","primaryKey":"id","properties":{"id":"int","code":"string"}},
       {"name":"B","primaryKey":"id","properties":{"id":"int","code":"string"}},
       {"name":"T","properties":{"link":"A","links":"A[]"}}]
      """
    let data = """
      {"A":[{"id":1,"code":"x"},{"id":2,"code":"y"}],"B":[{"id":2,"code":"x"},{"id":1,"code":"y"}],
       "T":[{"link":1,"links":[1,2]}]}
      """
    let byKey = try PlanCase(schema, data)
    try byKey.run(
      "convert: { class: T, name: link, to: B }", "convert: { class: T, name: links, to: \"B[]\", match: code }")
    #expect(try byKey.values("T", "link") == [#"{"$link":{"table":"B","key":1}}"#])
    #expect(
      try byKey.values("T", "links") == [#"[{"$link":{"table":"B","key":2}},{"$link":{"table":"B","key":1}}]"#])
    let missing = try PlanCase(schema, data.replacing(#"{"id":2,"code":"x"},"#, with: ""))
    #expect(
      try missing.failure("convert: { class: T, name: links, to: \"B[]\" }")
        == "5:5: convert: 1 of 1 object: object 0: no object of class 'B' matches 2; set 'on_error' to null, default "
        + "or delete")
    // What several objects have, or none, identifies none.
    let alike = try PlanCase(schema, data.replacing(#"{"id":1,"code":"y"}"#, with: #"{"id":1,"code":"x"}"#))
    #expect(
      try alike.failure("convert: { class: T, name: link, to: B, match: code }")
        .contains("object 0: several objects of class 'B' have 'x' as their 'code'"))
  }
}
