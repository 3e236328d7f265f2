import Testing

@testable import RealmQuery

/// Each form of a literal and its limits (§2.4 of the language's description).
@Suite struct LiteralTests {
  private func text(_ literal: String, _ dialect: Dialect) throws -> String {
    let query = try RQL.parse("p == \(literal)", dialect: dialect)
    guard case .comparison(let comparison) = query.predicate else { return "no comparison" }
    return SyntaxText.text(comparison.right)
  }

  /// How both dialects read a literal.
  static let common: [SyntaxRow] = [
    SyntaxRow("25", "25"), SyntaxRow("-1", "-1"), SyntaxRow("+25", "25"), SyntaxRow("0x19", "25"),
    SyntaxRow("0XfF", "255"),
    SyntaxRow("0", "0"), SyntaxRow("-0", "0"),
    SyntaxRow("9223372036854775807", "9223372036854775807"), SyntaxRow("-9223372036854775808", "-9223372036854775808"),
    SyntaxRow("0x7fffffffffffffff", "9223372036854775807"),
    SyntaxRow("1.5", "1.5"), SyntaxRow(".5", "0.5"), SyntaxRow("5.", "5.0"), SyntaxRow("1e3", "1000.0"),
    SyntaxRow("2.5E-1", "0.25"), SyntaxRow("-1.5e+2", "-150.0"), SyntaxRow("+.5e1", "5.0"), SyntaxRow("09.5", "9.5"),
    SyntaxRow("1.7f", "1.7f"), SyntaxRow("1f", "1.0f"), SyntaxRow("1e3f", "1000.0f"), SyntaxRow("5.f", "5.0f"),
    SyntaxRow("0.1", "0.1"),
    SyntaxRow("inf", "inf"), SyntaxRow("+Infinity", "inf"), SyntaxRow("-INF", "-inf"), SyntaxRow("-infinity", "-inf"),
    SyntaxRow("nan", "nan"), SyntaxRow("-NaN", "nan"),
    SyntaxRow("true", "true"), SyntaxRow("TRUE", "true"), SyntaxRow("false", "false"), SyntaxRow("FALSE", "false"),
    SyntaxRow("null", "null"), SyntaxRow("NIL", "null"),
    SyntaxRow("\"\"", "\"\""), SyntaxRow("'a\"b'", "\"a\"b\""), SyntaxRow("\"a'b\"", "\"a'b\""),
    SyntaxRow("\"犬 é\"", "\"犬 é\""), SyntaxRow("'two\nlines'", "\"two\nlines\""),
    SyntaxRow("B64\"YSJiXGM=\"", "\"a\"b\\c\""), SyntaxRow("B64\"\"", "\"\""),
    SyntaxRow("B64\"a\"", "<Invalid base64 value>"),
    SyntaxRow("2001-02-03@04:05:06", "981173106s0ns"), SyntaxRow("2001-02-03T04:05:06", "981173106s0ns"),
    SyntaxRow("2001-2-3@4:5:6:789", "981173106s789ns"), SyntaxRow("1970-01-01@00:00:00:0", "0s0ns"),
    SyntaxRow("2024-02-29@00:00:00", "1709164800s0ns"), SyntaxRow("1900-01-01@00:00:00", "-2208988800s0ns"),
    SyntaxRow("T981173106:500000000", "981173106s500000000ns"), SyntaxRow("T-5:-1", "-5s-1ns"),
    SyntaxRow("T+5:+1", "5s1ns"),
    SyntaxRow("T0:-1", "0s-1ns"), SyntaxRow("T5:-1", "<Invalid timestamp format>"),
    SyntaxRow("T-5:1", "<Invalid timestamp format>"), SyntaxRow("T5:1000000000", "<Invalid timestamp format>"),
    SyntaxRow("oid(507F1f77bcf86cd799439011)", "oid 507f1f77bcf86cd7-99439011"),
    SyntaxRow("uuid(3b241101-e2bb-4255-8caf-4136c566a962)", "uuid 3b241101e2bb4255-8caf4136c566a962"),
    SyntaxRow("binary(\"abc\")", "data[97, 98, 99]"), SyntaxRow("bin('')", "data[]"),
    SyntaxRow("BINARY(B64\"YWJj\")", "data[97, 98, 99]"), SyntaxRow("bin(B64\"=\")", "<Invalid base64 value>"),
    SyntaxRow("O0", "key 0"), SyntaxRow("L1:2", "key 1:2"),
    SyntaxRow("$0", "$0"), SyntaxRow("$007", "$7"), SyntaxRow("$99999999999999999999", "$9223372036854775807"),
    SyntaxRow("{1, \"x\", null, $0, obj('C', 1)}", "{1, \"x\", null, $0, obj(C, 1)}"), SyntaxRow("{ }", "{}"),
    // These are names.
    SyntaxRow("True", ".True"), SyntaxRow("O5a", ".O5a"), SyntaxRow("Tx", ".Tx"), SyntaxRow("infinit", ".infinit"),
    SyntaxRow("UUID", ".UUID"), SyntaxRow("$", ".$"), SyntaxRow("B64", ".B64"),
  ]

  @Test("literals of both dialects", arguments: common) func both(_ row: SyntaxRow) throws {
    #expect(try text(row.text, .standard) == row.expected)
    #expect(try text(row.text, .reference) == row.expected)
  }

  /// What the standard dialect reads, then what the reference dialect reads.
  static let different: [(text: String, standard: String, reference: String)] = [
    (#""a\"b\\c""#, #""a"b\c""#, #""a\"b\\c""#),
    (#"'\b\f\n\r\t\/\'\0'"#, "\"\u{8}\u{c}\n\r\t/'\0\"", #""\b\f\n\r\t\/\'\0""#),
    (#""\u00e9\uD83D\uDE00\u0041""#, "\"é😀A\"", #""\u00e9\uD83D\uDE00\u0041""#),
    (#"binary("\n")"#, "data[10]", "data[92, 110]"),
    ("031", "31", "25"), ("-031", "-31", "-25"), ("09", "9", "0"), ("018", "18", "1"), ("00", "0", "0"),
    ("O010", "key 10", "key 8"), ("L010:011", "key 10:11", "key 8:9"), ("T010:0", "10s0ns", "8s0ns"),
    ("9223372036854775808", "<number out of range>", "9223372036854775807"),
    ("-9223372036854775809", "<number out of range>", "-9223372036854775808"),
    ("0x10000000000000000", "<number out of range>", "9223372036854775807"),
    ("99999999999999999999999999999999999999999999999", "<number out of range>", "9223372036854775807"),
    ("1e999", "<number out of range>", "inf"), ("-1e999", "<number out of range>", "-inf"),
    ("1e39f", "<number out of range>", "inff"),
    ("L4294967296:1", "<number out of range>", "key 0:1"),
    ("O99999999999999999999", "<number out of range>", "key 9223372036854775807"),
    ("obj('C', 9223372036854775808)", "obj(C, <number out of range>)", "obj(C, 9223372036854775807)"),
    ("2023-13-45@99:99:99", "<invalid date>", "1708231239s0ns"),
    ("2023-02-29@00:00:00", "<invalid date>", "1677628800s0ns"),
    ("2023-01-01@24:00:00", "<invalid date>", "1672617600s0ns"),
    ("2023-01-01@00:60:00", "<invalid date>", "1672534800s0ns"),
    ("2023-00-01@00:00:00", "<invalid date>", "1669852800s0ns"),
    ("2023-01-01@00:00:60", "<invalid date>", "1672531260s0ns"),
    ("2001-02-03T04:05:06:1000000000", "<invalid date>", "<Invalid timestamp format>"),
    ("1899-12-31@23:59:59", "-2208988801s0ns", "<Conversion of dates before 1900 is not supported.>"),
    ("0044-03-15@12:00:00", "-60772248000s0ns", "<Conversion of dates before 1900 is not supported.>"),
    ("1969-12-31@23:59:59:500000000", "0s-500000000ns", "-1s-500000000ns"),
    ("1969-12-31@23:59:58:500000000", "-1s-500000000ns", "-2s-500000000ns"),
  ]

  @Test("literals that the reference reads otherwise", arguments: different)
  func other(_ text: String, _ standard: String, _ reference: String) throws {
    func withoutQuery(_ found: String) -> String {
      found.replacing("Invalid predicate: 'p == \(text)': ", with: "")
    }
    #expect(withoutQuery(try self.text(text, .standard)) == standard)
    #expect(try self.text(text, .reference) == reference)
  }

  /// What only the standard dialect reads.
  static let dates: [SyntaxRow] = [
    SyntaxRow("2001-02-03", "981158400s0ns"), SyntaxRow("1583-10-15", "-12187756800s0ns"),
    SyntaxRow("2001-02-03T04:05", "981173100s0ns"), SyntaxRow("2001-02-03T04:05:06Z", "981173106s0ns"),
    SyntaxRow("2001-02-03T04:05:06.5Z", "981173106s500000000ns"),
    SyntaxRow("2001-02-03@04:05:06.000000001", "981173106s1ns"),
    SyntaxRow("2001-02-03T04:05:06.1234567890", "981173106s123456789ns"),
    SyntaxRow("2001-02-03T04:05:06+02:00", "981165906s0ns"), SyntaxRow("2001-02-03T04:05:06-0530", "981192906s0ns"),
    SyntaxRow("2001-02-03T04:05:06.5+02", "981165906s500000000ns"),
    SyntaxRow("-0001-12-31T23:59:59.5Z", "-62167219200s-500000000ns"), SyntaxRow("+10000-01-01", "253402300800s0ns"),
    SyntaxRow("1969-12-31T23:59:59.25Z", "0s-750000000ns"),
    SyntaxRow("2001-02-30", "<invalid date>"), SyntaxRow("2001-02-03T04:05:06.1234567891", "<invalid date>"),
    SyntaxRow("2001-02-03T04:05:06+24:00", "<invalid date>"), SyntaxRow("2001-02-03T04:05:06+1", "<invalid date>"),
    SyntaxRow("2001-02-03T04:05:06+02:0", "<invalid date>"),

    SyntaxRow("99999999999999999999-01-01", "<invalid date>"), SyntaxRow("999999999999-01-01", "<invalid date>"),
  ]

  @Test("ISO 8601", arguments: dates) func iso(_ row: SyntaxRow) throws {
    let found = try text(row.text, .standard).replacing("Invalid predicate: 'p == \(row.text)': ", with: "")
    #expect(found == row.expected)
    #expect(throws: QueryError.self) { try text(row.text, .reference) }
  }

  @Test("constants keep their digits, and names behind them are no part of them") func digits() throws {
    let query = try RQL.parse("balance == 123456789012345678901234567890.10")
    guard case .comparison(let comparison) = query.predicate, case .constant(let constant) = comparison.right else {
      Issue.record("another tree")
      return
    }
    #expect(constant.text == "123456789012345678901234567890.10")
    #expect(constant.range == SourceRange(11, 44))
  }

  static let invalid: [(String, String)] = [
    ("\"\\q\"", "invalid character: '\"'"), ("\"abc", "invalid character: '\"'"), ("'a\\", "invalid character: \"'\""),
    ("\"\\u12g4\"", "invalid character: '\"'"), ("\"\\uD800\"", "half a surrogate pair: \\uD800"),
    ("\"\\uDC00\\uD800\"", "half a surrogate pair: \\uDC00"), ("\"\\uD800\\u0041\"", "half a surrogate pair: \\uD800"),
    ("``", "invalid character: '`'"), ("`a", "invalid character: '`'"),
    ("+0x19", "syntax error, unexpected identifier, expecting end of file"),
    ("oid(12)", "syntax error, unexpected '(', expecting end of file"),
    ("OID(507f1f77bcf86cd799439011)", "syntax error, unexpected '(', expecting end of file"),
    ("1.5.5", "syntax error, unexpected float, expecting end of file"),
    ("1e", "syntax error, unexpected identifier, expecting end of file"),
    ("-p", "syntax error, unexpected '-'"), ("-", "syntax error, unexpected '-'"),
    ("binary(1)", "syntax error, unexpected number, expecting string or base64"),
    ("obj(Person, 1)", "syntax error, unexpected identifier, expecting string"),
    ("obj('P', 1.5)", "syntax error, unexpected float"), ("obj('P', null)", "syntax error, unexpected null"),
    ("{1 2}", "syntax error, unexpected number, expecting ',' or '}'"),
    ("{a}", "syntax error, unexpected identifier, expecting ',' or '}'"),
    ("{1,}", "syntax error, unexpected '}'"), ("{bin}", "syntax error, unexpected '}', expecting '('"),
  ]

  @Test("what is no literal", arguments: invalid) func mistakes(_ literal: String, _ detail: String) {
    let error = #expect(throws: QueryError.self) { try text(literal, .standard) }
    #expect(error?.message == "Invalid predicate: 'p == \(literal)': \(detail)")
    #expect(error?.code == .syntaxError)
  }
}
