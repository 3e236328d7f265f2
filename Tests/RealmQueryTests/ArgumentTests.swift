import RealmStorage
import RealmText
import Testing

@testable import RealmQuery

/// Arguments as users give them: literals, otherwise strings, and JSON in typed form.
@Suite struct ArgumentTests {
  private func text(_ argument: QueryArgument) -> String {
    switch argument {
    case .value(.decimal(let decimal)):
      return "decimal " + TextBuffer.string { $0.appendCanonical(decimal) }
    case .value(.typedLink(let table, let key)): return "link \(table.rawValue):\(key.rawValue)"
    case .value(let value): return SyntaxText.text(value)
    case .object(let name, let key): return "obj(\(name), \(SyntaxText.text(key)))"
    case .objectOfClass(let name, let key): return "obj(\(name), key \(key.rawValue))"
    case .objectKey(let key): return "key \(key.rawValue)"
    case .list(let elements): return "{\(elements.map(text).joined(separator: ", "))}"
    }
  }

  static let literals: [(String, String)] = [
    ("25", "25"), ("-0x19", "\"-0x19\""), ("031", "31"), ("1.5", "1.5"), ("1.5f", "1.5f"), ("inf", "inf"),
    ("true", "true"), ("True", "\"True\""), ("null", "null"), ("\"25\"", "\"25\""), ("'a\\n'", "\"a\n\""),
    ("Ann", "\"Ann\""), ("", "\"\""), ("two words", "\"two words\""), ("a == 1", "\"a == 1\""), ("1 + 1", "\"1 + 1\""),
    ("\"open", "\"\"open\""), ("2001-02-03", "981158400s0ns"), ("2001-02-30", "\"2001-02-30\""), ("T1:2", "1s2ns"),
    ("T1:-2", "\"T1:-2\""), ("oid(507f1f77bcf86cd799439011)", "oid 507f1f77bcf86cd7-99439011"),
    ("uuid(3b241101-e2bb-4255-8caf-4136c566a962)", "uuid 3b241101e2bb4255-8caf4136c566a962"),
    ("binary('a')", "data[97]"), ("B64\"YQ==\"", "\"a\""), ("obj('Dog', 'Rex')", "obj(Dog, \"Rex\")"),
    ("obj('Dog', $0)", "\"obj('Dog', $0)\""), ("$0", "\"$0\""), ("$K0", "\"$K0\""), ("O5", "key 5"),
    ("L3:5", "link 3:5"),
    ("{1, 'x', null}", "{1, \"x\", null}"), ("{}", "{}"), ("{$0}", "\"{$0}\""), ("ANY {1}", "\"ANY {1}\""),
    ("9223372036854775808", "decimal 9223372036854775808"),
    ("12345678901234567890123456789012345678", "\"12345678901234567890123456789012345678\""),
    ("SUBQUERY(a, $x, TRUEPREDICATE).@count", "\"SUBQUERY(a, $x, TRUEPREDICATE).@count\""),
  ]

  @Test("a literal, or else a string", arguments: literals) func literal(_ given: String, _ expected: String) {
    #expect(text(QueryArgument(text: given)) == expected)
  }

  static let values: [(String, String)] = [
    ("null", "null"), ("true", "true"), ("25", "25"), ("-9223372036854775808", "-9223372036854775808"),
    ("25.0", "25.0"),
    ("1e3", "1000.0"), ("\"a\\u00e9\"", "\"aé\""), ("[]", "{}"), ("[25, null, \"x\"]", "{25, null, \"x\"}"),
    ("{\"$numberLong\":\"7\"}", "7"), ("{\"$numberInt\":7}", "7"), ("{\"$numberDouble\":\"-Infinity\"}", "-inf"),
    ("{\"$float\":\"0.1\"}", "0.1f"), ("{\"$numberDecimal\":\"100.50\"}", "decimal 100.50"),
    ("{\"$date\":\"1970-01-01T00:00:10.5Z\"}", "10s500000000ns"), ("{\"$date\":-1500}", "-1s-500000000ns"),
    ("{\"$date\":{\"$numberLong\":\"1500\"}}", "1s500000000ns"), ("{\"$date\":\"1970-01-02\"}", "86400s0ns"),
    ("{\"$binary\":\"YWJj\"}", "data[97, 98, 99]"),
    ("{\"$binary\":{\"base64\":\"YWJj\",\"subType\":\"00\"}}", "data[97, 98, 99]"),
    (
      "{\"$binary\":{\"base64\":\"OyQRAeK7QlWMr0E2xWapYg==\",\"subtype\":\"04\"}}",
      "uuid 3b241101e2bb4255-8caf4136c566a962"
    ),
    ("{\"$uuid\":\"3b241101-e2bb-4255-8caf-4136c566a962\"}", "uuid 3b241101e2bb4255-8caf4136c566a962"),
    ("{\"$oid\":\"507f1f77bcf86cd799439011\"}", "oid 507f1f77bcf86cd7-99439011"),
    ("{\"$link\":{\"table\":\"Dog\",\"key\":\"Rex\"}}", "obj(Dog, \"Rex\")"),
    ("{\"$link\":{\"table\":\"Dog\",\"key\":{\"$numberLong\":\"7\"}}}", "obj(Dog, 7)"),
    ("{\"$link\":{\"table\":\"NoPk\",\"objKey\":0}}", "obj(NoPk, key 0)"), ("{\"$set\":[1]}", "{1}"),
  ]

  @Test("values in typed form", arguments: values) func value(_ json: String, _ expected: String) throws {
    #expect(try QueryArgument.arguments(json: "[\(json), 1]").map(text) == [expected, "1"])
  }

  static let mistakes: [(String, String)] = [
    ("{}", "--args takes a JSON array, not an object"), ("5", "--args takes a JSON array, not a number"),
    ("[1, {}]", "Argument 1 is an object that is not a value in typed form"),
    ("[9223372036854775808]", "Argument 0 is a number that is not a value in typed form"),
    ("[[[1]]]", "Argument 0 is an array that is not a value in typed form"),
    ("[{\"$numberLong\":\"x\"}]", "Argument 0 is an object that is not a value in typed form"),
    ("[{\"$oid\":\"12\"}]", "Argument 0 is an object that is not a value in typed form"),
    ("[{\"$uuid\":\"12\",\"x\":1}]", "Argument 0 is an object that is not a value in typed form"),
    (
      "[{\"$binary\":{\"base64\":\"YWJj\",\"subType\":\"04\"}}]",
      "Argument 0 is an object that is not a value in typed form"
    ),
    ("[{\"$link\":{\"table\":\"Dog\"}}]", "Argument 0 is an object that is not a value in typed form"),
  ]

  @Test("what is no argument is named", arguments: mistakes) func mistake(_ json: String, _ message: String) {
    let error = #expect(throws: QueryError.self) { try QueryArgument.arguments(json: json) }
    #expect(error?.message == message)
    #expect(error?.code == .invalidQueryArg)
  }

  @Test("text that is not JSON is named with its place") func malformed() {
    let error = #expect(throws: QueryError.self) { try QueryArgument.arguments(json: "[1") }
    #expect(error?.message == "--args is not valid JSON: unexpected end, expected ',' or ']' (line 1, column 3)")
  }
}
