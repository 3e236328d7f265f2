import RealmText
import TestSupport
import Testing

/// Regular expressions find the same as Python's, and take time proportional to the text.
@Suite struct RegularExpressionTests {
  private static func find(_ pattern: String, _ text: [UInt8], ignoresCase: Bool = false) throws -> Range<Int>? {
    let matcher = try RegularExpression(pattern, ignoresCase: ignoresCase).matcher()
    return text.withUnsafeBytes { bytes in
      let range = matcher.firstMatch(in: bytes)
      #expect(matcher.matches(bytes) == (range != nil), "\(pattern)")
      return range
    }
  }

  /// The ranges were printed by Python 3.11's `re`, for strings in UTF-8.
  @Test(arguments: [
    ("a|ab", "xabab", 1..<2), ("ab|a", "xabab", 1..<3), ("a*?b", "caaab", 1..<5), ("a+?", "caaab", 1..<2),
    ("(a|b)*c", "xabbac", 1..<6), ("[^a-c]+", "abcdéfa", 3..<7), (#"\bfoo\b"#, "afoo foo", 5..<8),
    (#"\w+"#, "-- né 7", 3..<6), (#"\d{2,3}"#, "1 2345", 2..<5), (#"^$"#, "", 0..<0), (#"(?m)^b$"#, "a\nb\nc", 2..<3),
    (#"."#, "\nx", 1..<2), (#"(?s)a.b"#, "a\nb", 0..<3), (#"(?i)ÉTÉ"#, "un été", 3..<8), (#"[\d\-_]+"#, "a-1_b", 1..<4),
    (#"x{0}y"#, "xy", 1..<2), (#"a{,2}b"#, "aaab", 1..<4), (#"[]a]+"#, "x]a", 1..<3), (#"\x41\u00e9"#, "Aé", 0..<3),
    (#"{a}"#, "x{a}", 1..<4), (#"(?:)*x"#, "x", 0..<1), (#"\Bb"#, "b ab", 3..<4), (#"[^\W\d]+"#, "1aé2", 1..<4),
    (#"中+?文"#, "x中中文", 1..<10),
  ]) func findsWhatPythonFinds(pattern: String, text: String, range: Range<Int>) throws {
    #expect(try Self.find(pattern, Array(text.utf8)) == range)
  }

  @Test(arguments: [
    ("b", "ac"), ("^b", "ab"), (#"\bb"#, "ab"), ("a.c", "a\nc"), (#"\d"#, "x"), ("[^é]", "éé"), ("a$", "ab"),
  ])
  func findsNothingElse(pattern: String, text: String) throws {
    #expect(try Self.find(pattern, Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("(a", 0..<1, "no matching ')'"), ("a)", 1..<2, "no matching '('"), ("[a", 0..<1, "no matching ']'"),
    ("*a", 0..<1, "nothing to repeat"),
    ("a**", 2..<3, "repeated"), (#"(a)\1"#, 3..<5, "back references"), ("é(?=a)", 2..<5, "lookaround"),
    ("a{3,2}", 1..<6, "greater"), ("a{2000}", 1..<7, "more than"), ("[z-a]", 1..<4, "comes after"),
    (#"a\"#, 1..<2, "follows"),
    (#"\y"#, 0..<2, "unknown escape"), (#"\xg1"#, 0..<2, "not a character"), ("(?x)a", 2..<3, "unknown flag"),
    ("a++", 2..<3, "possessive"), ("((a{1,255}){1,255}){1,255}", 2..<10, "too much to be searched"),
  ]) func mistakesHaveAPlace(pattern: String, range: Range<Int>, words: String) throws {
    let error = #expect(throws: PatternError.self) { try RegularExpression(pattern) }
    #expect(error?.range == range)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func bytesThatAreNoTextAreCharactersOfTheirOwn() throws {
    let text: [UInt8] = [0x61, 0xff, 0x00, 0xc3, 0x62]
    #expect(try Self.find("a.", text) == 0..<2)
    #expect(try Self.find(#"\0"#, text) == 2..<3)
    #expect(try Self.find("[^a]b", text) == 3..<5)
    #expect(try Self.find(#"\W$"#, [0xff]) == nil)
    #expect(try Self.find("^.{5}$", text) == 0..<5)
  }

  @Test func manyStatesTakeBoundedMemoryAndTime() throws {
    var generator = SeededGenerator(seed: 5)
    let text = (0..<20_000).map { _ in UInt8.random(in: 0x61...0x62, using: &generator) }
    // Two to the power of twelve states, and patterns that make others backtrack for years.
    #expect(try Self.find("(a|b)*a(a|b){12}c", text) == nil)
    #expect(try Self.find("(x+x+)+y", Array(repeating: 0x78, count: 5_000)) == nil)
    #expect(try Self.find("(a?){40}a{40}c", Array(repeating: 0x61, count: 2_000)) == nil)
  }

  @Test func anyPatternGivesAnErrorOrAnAnswer() throws {
    var generator = SeededGenerator(seed: 9)
    let parts = [
      "a", "b", "(", ")", "[", "]", "{", "}", "|", "*", "+", "?", "\\", "^", "$", ".", "-", "1", ",", "é", "\\w", "(?",
    ]
    for _ in 0..<3000 {
      let pattern = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }.joined()
      do { _ = try Self.find(pattern, Array("ab-é1".utf8)) } catch let error as PatternError {
        #expect(error.range.upperBound <= pattern.utf8.count)
      }
    }
  }
}
