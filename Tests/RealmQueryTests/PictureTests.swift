import Testing

@testable import RealmQuery

/// The caret below a mistake.
@Suite struct PictureTests {
  private func mistake(_ text: String) throws -> QueryError {
    let error = #expect(throws: QueryError.self) { try RQL.parse(text) }
    return try #require(error)
  }

  private func picture(_ text: String, width: Int = 80) throws -> [String] {
    let error = try mistake(text)
    let lines = try #require(error.picture(in: text, width: width)).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.map(String.init)
  }

  static let rows: [(String, [String])] = [
    ("age == 25 AND", ["age == 25 AND", "             ^"]),
    ("age == 25 AND  \n\n", ["age == 25 AND  ", "             ^"]),
    ("name ==[d] \"b\"", ["name ==[d] \"b\"", "       ^"]),
    ("age == 1 contains 5", ["age == 1 contains 5", "         ^~~~~~~~"]),
    ("", ["", "^"]),
    ("名前 == '犬' x", ["名前 == '犬' x", "             ^"]),
    ("a == 'e\u{301}' 犬犬", ["a == 'e\u{301}' 犬犬", "         ^~~~"]),
    ("a == 😀 == 1 x", ["a == 😀 == 1 x", "        ^~"]),
    ("a\t==\t1\tx", ["a == 1 x", "       ^"]),
    ("a == \u{1b}", ["a == \u{fffd}", "     ^"]),
    ("a == 1\nAND b === 2\nAND c == 1", ["AND b === 2", "        ^"]),
    ("a == 1 AND\n\tb == #", [" b == #", "      ^"]),
  ]

  @Test("pictures", arguments: rows) func pictures(_ text: String, _ lines: [String]) throws {
    #expect(try picture(text) == lines)
  }

  @Test("long lines are cut around the mistake") func cutting() throws {
    let long = String(repeating: "x", count: 200)
    #expect(try picture("a == 1 y" + long, width: 20) == ["a == 1 yxxxxxxxxxx…", "       ^~~~~~~~~~~"])
    #expect(try picture("\(long) == 1 AND", width: 20) == ["…xxxxxxxx == 1 AND", "                  ^"])
    #expect(try picture("\(long) === \(long)", width: 20) == ["…xxxxxxxx === xxxxx…", "            ^"])
    for width in 0..<60 {
      for text in ["\(long) === \(long)", "犬 = '" + String(repeating: "犬", count: 80) + "' 犬 '" + long + "'"] {
        let lines = try picture(text, width: width)
        #expect(lines.count == 2)
        #expect(lines[1].count <= max(width, 8))
      }
    }
  }

  @Test("places count characters") func places() throws {
    let text = "a == 1 AND\n犬 == 'é' x"
    let error = try mistake(text)
    #expect(error.place(in: text) == QueryError.Place(line: 2, column: 10))
    let other = QueryError(.invalidQuery, "no place", at: nil)
    #expect(other.place(in: text) == nil)
    #expect(other.picture(in: text) == nil)
  }

  @Test("a place beyond the text is its end") func beyond() {
    let error = QueryError(.invalidQuery, "x", at: SourceRange(90, 95))
    #expect(error.picture(in: "a == 1") == "a == 1\n      ^")
  }
}
