/// A regular expression that searches text in linear time.
///
/// It understands characters, `.`, `[...]` with ranges, `\d` `\w` `\s` and `\D` `\W` `\S`, `*` `+` `?` `{2}` `{2,}`
/// `{2,5}` (followed by `?`, the shortest match), `|`, `( )`, `(?: )`, `^` and `$` for the beginning and the end of the
/// text, `\b` and `\B`, `\t` `\n` `\r` `\f` `\v` `\0`, `\x41`, `\u00e9`, `\u{1F600}`, and a backslash before any sign,
/// which makes it literal. `(?i)` at the beginning ignores case, `(?m)` lets `^` and `$` match at the beginning and the
/// end of each line, `(?s)` lets `.` match line ends as well. Back references and lookaround are refused: they cannot
/// be matched in linear time.
///
/// Characters are those of Unicode. A byte that is not UTF-8 is a character of its own, which only `.` and sets that
/// exclude characters, such as `[^a]`, match. NUL is an ordinary character.
///
/// The engine is our own. Swift's `Regex` needs a runtime library, and backtracks: on `(x+x+)+y` the time doubles with
/// each `x` (0.16 s for 14 of them). The C library's `regexec` takes four times as long for a text twice as long (2.4 s
/// for 40,000 characters), stops at NUL, has no `\d`, and goes by the locale; its `regcomp` takes more than 3 GiB for
/// `((a{1,255}){1,255}){1,255}`.
///
/// ```swift
/// let matcher = try RegularExpression("colou?r").matcher()
/// let range = matcher.firstMatch(in: bytes)
/// ```
package struct RegularExpression: Sendable {
  /// As it was written.
  package let pattern: String
  package let ignoresCase: Bool
  let program: PatternProgram

  /// Bytes that a pattern may have.
  package static let lengthLimit = 10_000

  /// Reads a pattern.
  ///
  /// - Parameter ignoresCase: letters match in either case.
  /// - Throws: what is wrong, and where.
  package init(_ pattern: String, ignoresCase: Bool = false) throws(PatternError) {
    self.pattern = pattern
    guard pattern.utf8.count <= Self.lengthLimit else {
      throw PatternError("the pattern has more than \(Self.lengthLimit) bytes", at: 0..<pattern.utf8.count)
    }
    var parser = PatternParser(pattern, ignoresCase: ignoresCase)
    let tree = try parser.parse()
    self.ignoresCase = parser.ignoresCase
    program = try PatternProgram(tree, sets: parser.sets, patternLength: pattern.utf8.count)
  }

  /// For one thread.
  package func matcher() -> RegularExpressionMatcher { RegularExpressionMatcher(program) }
}

extension RegularExpression: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.pattern == right.pattern && left.ignoresCase == right.ignoresCase
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(ignoresCase)
  }
}

extension String {
  /// Whether the whole text matches a pattern, which is one.
  package func matches(_ pattern: String) -> Bool {
    guard let expression = try? RegularExpression("^(?:\(pattern))$") else { return false }
    return Array(utf8).withUnsafeBytes(expression.matcher().matches)
  }
}

/// What is wrong with a regular expression, or with the pattern of a date.
public struct PatternError: Error, Hashable, Sendable, CustomStringConvertible {
  /// In a few words.
  public let description: String
  /// The part that is wrong, in bytes of the pattern; empty, at its end, if something is missing.
  public let range: Range<Int>

  init(_ description: String, at range: Range<Int>) { (self.description, self.range) = (description, range) }
}
