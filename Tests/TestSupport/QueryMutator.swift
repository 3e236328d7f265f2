/// Turns queries into strings that are nearly queries.
package struct QueryMutator {
  private var random: SeededGenerator
  private let queries: [[UInt8]]
  private let pieces: [[UInt8]]

  /// - Parameters:
  ///   - queries: at least one; strings in another language work as well.
  ///   - pieces: words with a meaning in the language; nil for queries.
  package init(seed: UInt64, queries: [String], pieces: [String]? = nil) {
    random = SeededGenerator(seed: seed)
    self.queries = queries.map { Array($0.utf8) }
    self.pieces = pieces.map { $0.map { Array($0.utf8) } } ?? Self.pieces
  }

  /// Parts of queries with a meaning for a lexer.
  private static let pieces: [[UInt8]] =
    [
      "AND", "OR", "NOT", "!", "(", ")", "((", "))", "{", "}", "[", "]", ",", ".", "..", "==", "=", "!=", "<>", "<",
      "<=",
      "=<", ">", ">=", "=>", "+", "-", "*", "/", "[c]", "[C]", "[*]", "[FIRST]", "[LAST]", "[SIZE]", "[0]", "[-1]",
      "ANY",
      "SOME", "ALL", "NONE", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "TEXT", "GEOWITHIN",
      "geoBox", "geoCircle", "geoPolygon", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "SORT", "DISTINCT", "LIMIT",
      "ASC", "DESC", "@count", "@size", "@min", "@max", "@sum", "@avg", "@links", "@type", "@keys", "@values", "@",
      "$0",
      "$1", "$K0", "$", "$x", "\"", "'", "\\", "\\u00e9", "\\ ", "`", "name", "age", "boss", "dogs", "é", "犬", "0",
      "09",
      "0x1F", "0x", "1e5", "1.5", ".5", "5.", "1.5f", "-1", "+1", "99999999999999999999", "inf", "-inf", "nan", "null",
      "true", "false", "oid(507f1f77bcf86cd799439011)", "uuid(3b241101-e2bb-4255-8caf-4136c566a962)",
      "2001-02-03@04:05:06", "2001-02-03T04:05:06:7", "2001-02-03", "T1:2", "T1:-2", "O5", "L1:2", "B64\"YWJj\"",
      "B64\"", "binary(\"a\")", "binary", "obj(\"Dog\", 1)", "obj", "first", "last", "size", " ", "\t", "\n", "\0", "#",
      "&", "&&", "|", "||", "~", "\u{7f}",
    ].map { Array($0.utf8) }

  /// The next text; always valid UTF-8.
  ///
  /// - Parameter mutations: the maximum number of changes.
  package mutating func next(mutations: Int = 4) -> String {
    var text = pick(queries)
    for _ in 0..<Int.random(in: 1...mutations, using: &random) { mutate(&text) }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  private mutating func place(_ text: [UInt8]) -> Int { Int.random(in: 0...text.count, using: &random) }

  private mutating func part(_ text: [UInt8]) -> Range<Int> {
    let start = place(text)
    let length = Int.random(in: 0...8, using: &random)
    return start..<min(start + length, text.count)
  }

  private mutating func mutate(_ text: inout [UInt8]) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: text.removeSubrange(part(text))
    case 1: text.insert(contentsOf: pick(pieces), at: place(text))
    case 2: text.insert(contentsOf: [0x20] + pick(pieces) + [0x20], at: place(text))
    case 3: text.replaceSubrange(part(text), with: pick(pieces))
    case 4: text.insert(contentsOf: text[part(text)], at: place(text))
    case 5:
      let other = pick(queries)
      text.replaceSubrange(part(text), with: other[part(other)])
    case 6: text.insert(UInt8.random(in: 0x20...0x7e, using: &random), at: place(text))
    default:
      // Removes a word, or moves it.
      var words = text.split(separator: 0x20, omittingEmptySubsequences: false).map { Array($0) }
      let word = words.remove(at: Int.random(in: 0..<words.count, using: &random))
      if Bool.random(using: &random) { words.insert(word, at: Int.random(in: 0...words.count, using: &random)) }
      text = Array(words.joined(separator: [0x20]))
    }
  }
}
