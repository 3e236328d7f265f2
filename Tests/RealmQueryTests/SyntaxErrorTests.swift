import TestSupport
import Testing

@testable import RealmQuery

/// Mistakes in the text: messages, places, pictures, and strings meant to break the parser.
@Suite struct SyntaxErrorTests {
  @Test("every query of the reference's table is read, or refused in its words") func table() throws {
    let rows = try ReferenceQuery.all()
    #expect(rows.count > 350)
    for row in rows {
      for (dialect, answer) in [(Dialect.standard, row.answer), (.reference, row.referenceAnswer)] {
        do {
          _ = try RQL.parse(row.text, dialect: dialect)
          if case .error(let text) = answer, text.hasPrefix("SyntaxError: Invalid predicate"), !Self.isLate(text) {
            Issue.record("\(row.text) is accepted, not: \(text)")
          }
        } catch {
          #expect(answer == .error("\(error.code.rawValue): \(error.referenceMessage)"), "\(row.text)")
        }
      }
    }
  }

  /// Whether the mistake is found when the constant is used, not by the parser.
  private static func isLate(_ text: String) -> Bool {
    text.hasSuffix(": invalid date") || text.hasSuffix(": number out of range")
  }

  @Test(
    "what to write instead is said",
    arguments: [
      ("a GEOWITHIN geoBox([-9, 0], [1, 1])", "write -9.0"), ("a GEOWITHIN geoBox([1, 0, 5], [1, 1])", "write 5.0"),
      ("any == 7", "if 'any' is a property, write it in backquotes: `any`"),
    ])
  func advice(_ text: String, _ advice: String) {
    let error = #expect(throws: QueryError.self) { try RQL.parse(text) }
    #expect(error?.advice == advice)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    var detail: String
    /// The part that is marked.
    var part: String

    init(_ text: String, _ detail: String, _ part: String) {
      (self.text, self.detail, self.part) = (text, detail, part)
    }
    var testDescription: String { text }
  }

  static let mistakes: [Mistake] = [
    Mistake("", "syntax error, unexpected end of file", ""),
    Mistake("  \n", "syntax error, unexpected end of file", ""),
    Mistake("active", "syntax error, unexpected end of file", ""),
    Mistake("a == 1 b", "syntax error, unexpected identifier, expecting end of file", "b"),
    Mistake("(a == 1 b == 2)", "syntax error, unexpected identifier, expecting && or || or ')'", "b"),
    Mistake("(a == 1) == 2", "syntax error, unexpected ==, expecting end of file", "=="),
    Mistake("a == 1)", "syntax error, unexpected ')', expecting end of file", ")"),
    Mistake("(a) AND b == 1", "syntax error, unexpected AND", "AND"),
    Mistake("((a) OR b == 1)", "syntax error, unexpected OR", "OR"),
    Mistake("(a + b)", "syntax error, unexpected end of file", ""),
    Mistake("(a) BEGINSWITH 'x'", "syntax error, unexpected beginswith", "BEGINSWITH"),
    Mistake("a + 1 BETWEEN {1, 2}", "syntax error, unexpected between", "BETWEEN"),
    Mistake("a CONTAINS (b)", "syntax error, unexpected '('", "("),
    Mistake("a CONTAINS b + 1", "syntax error, unexpected '+', expecting end of file", "+"),
    Mistake("a TEXT[c] 'x'", "syntax error, unexpected [c]", "[c]"),
    Mistake("a BETWEEN 1", "syntax error, unexpected number, expecting any or all or none or '{'", "1"),
    Mistake("a BETWEEN ANY b", "syntax error, unexpected identifier, expecting '{'", "b"),
    Mistake("a.@max GEOWITHIN $0", "syntax error, unexpected geowithin", "GEOWITHIN"),
    Mistake(
      "a GEOWITHIN 5", "syntax error, unexpected number, expecting geobox or geopolygon or geocircle or argument", "5"
    ),
    Mistake(
      "a GEOWITHIN geoBox([-1, 0], [1, 1])",
      "syntax error, unexpected number, expecting natural number or float or argument",
      "-1"),
    Mistake("a GEOWITHIN geoBox([1, 0, 5], [1, 1])", "syntax error, unexpected number, expecting float", "5"),
    Mistake("a GEOWITHIN geoBox([1, 0 5], [1, 1])", "syntax error, unexpected number, expecting ',' or ']'", "5"),
    Mistake("a GEOWITHIN geoPolygon({[1, 0]} )x", "syntax error, unexpected identifier, expecting end of file", "x"),
    Mistake("a GEOWITHIN geoPolygon({[1, 0]} x", "syntax error, unexpected identifier, expecting ')' or ','", "x"),
    Mistake("a GEOWITHIN geoPolygon({[1, 0] x", "syntax error, unexpected identifier, expecting ',' or '}'", "x"),
    Mistake("NOT a", "syntax error, unexpected end of file", ""),
    Mistake("a == NOT b", "syntax error, unexpected NOT", "NOT"),
    Mistake("a == (NOT b == 1)", "syntax error, unexpected NOT", "NOT"),
    Mistake("1 < a < 3", "syntax error, unexpected <, expecting end of file", "<"),
    Mistake("a.5 == 1", "syntax error, unexpected float", ".5"),
    Mistake("a. == 1", "syntax error, unexpected ==", "=="),
    Mistake("a[ == 1", "syntax error, unexpected ==", "=="),
    Mistake("a[-1] == 1", "syntax error, unexpected number", "-1"),
    Mistake("a[1 == 1", "syntax error, unexpected ==, expecting ']'", "=="),
    Mistake("a[SIZE == 1", "syntax error, unexpected ==, expecting ']'", "=="),
    Mistake("a.any == 1", "syntax error, unexpected any", "any"),
    Mistake("a.$K0 == 1", "syntax error, unexpected keypath", "$K0"),
    Mistake("ANY a.@max == 1", "syntax error, unexpected @max", "@max"),
    Mistake("ANY 1 == a", "syntax error, unexpected number", "1"),
    Mistake("a.@max.@count == 1", "syntax error, unexpected @size", "@count"),
    Mistake("a.@avg[0] == 1", "syntax error, unexpected '['", "["),
    Mistake("@links[0].a == 1", "An ID must follow @links", "[0]"),
    Mistake("@links.A[0] == 1", "An ID must follow @links", "[0]"),
    Mistake("SUBQUERY dogs", "syntax error, unexpected identifier, expecting '('", "dogs"),
    Mistake("SUBQUERY(dogs.@count, $d, a == 1).@count == 1", "syntax error, unexpected @size", "@count"),
    Mistake("SUBQUERY(dogs, 1, a == 1).@count == 1", "syntax error, unexpected number", "1"),
    Mistake("SUBQUERY(dogs $d, a == 1).@count == 1", "syntax error, unexpected identifier, expecting ','", "$d"),
    Mistake(
      "SUBQUERY(dogs, $d, a == 1 SORT(a ASC)).@count == 1", "syntax error, unexpected sort, expecting && or || or ')'",
      "SORT"),
    Mistake("SUBQUERY(dogs, $d, a == 1).@max == 1", "syntax error, unexpected @max, expecting @size", "@max"),
    Mistake("TRUEPREDICATE SORT a", "syntax error, unexpected identifier, expecting '('", "a"),
    Mistake("TRUEPREDICATE SORT(a.@count ASC)", "syntax error, unexpected @size", "@count"),
    Mistake("TRUEPREDICATE SORT(a ASC b)", "syntax error, unexpected identifier, expecting ')' or ','", "b"),
    Mistake(
      "TRUEPREDICATE SORT(a[0] ASC)", "syntax error, unexpected [0], expecting ASC or DESC or '.'", "[0]"),
    Mistake("TRUEPREDICATE SORT(a ASC", "syntax error, unexpected end of file, expecting ')' or ','", ""),
    Mistake("TRUEPREDICATE DISTINCT(a[*])", "syntax error, unexpected [*], expecting ')' or ','", "[*]"),
    Mistake("TRUEPREDICATE DISTINCT(1)", "syntax error, unexpected number", "1"),
    Mistake("TRUEPREDICATE LIMIT(1.5)", "syntax error, unexpected float, expecting natural number", "1.5"),
    Mistake("TRUEPREDICATE LIMIT(99999999999999999999)", "number out of range", "99999999999999999999"),
    Mistake("a[99999999999999999999] == 1", "number out of range", "99999999999999999999"),
    Mistake("a == 1 & b == 1", "invalid character: '&'", "&"),
    Mistake("a == 1 # b", "invalid character: '#'", "#"),
    Mistake("a == 1 OR \u{7f}", "invalid character: '\u{7f}'", "\u{7f}"),
    Mistake("a == \"x\\qy\"", "invalid character: '\"'", "\\q"),
    Mistake("a == \"xy", "invalid character: '\"'", "\""),
  ]

  @Test("mistakes are named and marked", arguments: mistakes) func mistake(_ row: Mistake) {
    let error = #expect(throws: QueryError.self) { try RQL.parse(row.text) }
    #expect(error?.message == "Invalid predicate: '\(row.text)': \(row.detail)")
    guard let range = error?.range else {
      Issue.record("no place")
      return
    }
    #expect(String(decoding: Array(row.text.utf8)[range.start..<range.end], as: UTF8.self) == row.part)
  }

  @Test(
    "what only the standard dialect has is refused by the other",
    arguments: [
      ("`a` == 1", "invalid character: '`'"),
      ("TRUEPREDICATE LIMIT($0)", "syntax error, unexpected argument, expecting natural number"),
      ("a == 2001-02-03", "syntax error, unexpected number, expecting end of file"),
      ("a == 2001-02-03T04:05:06Z", "syntax error, unexpected identifier, expecting end of file"),
    ]) func dialects(_ text: String, _ detail: String) throws
  {
    _ = try RQL.parse(text)
    let error = #expect(throws: QueryError.self) { try RQL.parse(text, dialect: .reference) }
    #expect(error?.message == "Invalid predicate: '\(text)': \(detail)")
  }

  // MARK: Depth

  static let deep: [(String, String, String)] = [
    ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("(NOT (", "a == 1", "))"), ("", "a", " + 1"),
    ("(", "a", " + 1)"), ("1 - (", "a", ")"), ("SUBQUERY(a, $x, ", "a == 1", ").@count == 0"),
    ("(", "a == 1", ""), ("(a == 1 OR b == 1 AND ", "a == 1", ")"), ("a == 1 OR (", "a == 1", ")"),
  ]

  @Test("nesting is limited", arguments: deep) func depth(_ before: String, _ middle: String, _ after: String) throws {
    func text(_ count: Int) -> String {
      let text = String(repeating: before, count: count) + middle + String(repeating: after, count: count)
      return text.contains("=") ? text : text + " == 1"
    }
    for count in [30_000, 5_000] {
      let error = #expect(throws: QueryError.self) { try RQL.parse(text(count)) }
      #expect(error?.message.hasSuffix(": nested more than 200 levels deep") == true)
      #expect(error?.range != nil)
    }
    // A tree that is deep but still allowed can also be freed.
    if after != "" || before != "(" { _ = try RQL.parse(text(60)) }
  }

  @Test("long queries are not deep ones") func length() throws {
    let count = 20_000
    let text = Array(repeating: "a == 1", count: count).joined(separator: " AND ")
    guard case .and(let terms, _) = try RQL.parse(text).predicate else {
      Issue.record("another tree")
      return
    }
    #expect(terms.count == count)
    let list = "a IN {" + Array(repeating: "1", count: count).joined(separator: ", ") + "}"
    _ = try RQL.parse(list)
    let path = Array(repeating: "a", count: RQL.hopLimit + 1).joined(separator: ".") + " == 1"
    _ = try RQL.parse(path)
  }

  @Test("no text crashes the parser") func mutations() throws {
    var mutator = QueryMutator(seed: 13, queries: try ReferenceQuery.all().map(\.text))
    var accepted = 0
    for _ in 0..<20_000 {
      let text = mutator.next()
      for dialect in [Dialect.standard, .reference] {
        do {
          _ = try RQL.parse(text, dialect: dialect)
          accepted += 1
        } catch {
          let range = try #require(error.range)
          let isInside = range.start >= 0 && range.start <= range.end && range.end <= text.utf8.count
          #expect(isInside, "\(text)")
          #expect(error.picture(in: text, width: 40)?.contains("\n") == true)
          #expect(error.place(in: text) != nil)
        }
      }
    }
    #expect(accepted > 2_000 && accepted < 20_000)
  }
}

extension QueryError {
  /// The message as the reference has it, with a name out of its grammar for numbers and without quotes around characters.
  var referenceMessage: String {
    message.replacing("natural number", with: "natural0").replacing("ASC or DESC", with: "ascending or descending")
      .replacing(/invalid character: ["'](.)["']/) { "invalid character: \($0.1)" }
  }
}
