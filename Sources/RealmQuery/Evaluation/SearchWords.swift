import RealmStorage

/// The search text of `TEXT`: words that must occur, beginnings of words, and words that must not (`query-language`
/// §6.6).
struct SearchWords: Sendable {
  private(set) var wanted: Set<[UInt8]> = []
  private(set) var beginnings: Set<[UInt8]> = []
  private(set) var unwanted: Set<[UInt8]> = []

  /// - Parameter range: of the search text in the query.
  /// - Throws: `QueryError` for a text that cannot be searched for.
  init(_ text: RealmString, _ dialect: Dialect, at range: SourceRange) throws(QueryError) {
    let parts = text.utf8.split { $0 == 0x20 || (0x09...0x0d).contains($0) }
    let excluded = parts.filter { $0.first == UInt8(ascii: "-") }
    for part in parts where part.first != UInt8(ascii: "-") {
      let word = try Self.word(Array(part), at: range)
      if part.last == UInt8(ascii: "*") { beginnings.insert(word) } else { wanted.insert(word) }
    }
    for part in excluded {
      if part.last == UInt8(ascii: "*"), dialect == .standard {
        throw QueryError(.invalidArgument, "Exclude by prefix is not implemented", at: range)
      }
      let word = try Self.excludedWord(Array(part.dropFirst()), wanted, at: range)
      unwanted.insert(word)
    }
    if parts.isEmpty { throw QueryError(.invalidArgument, "Missing search token", at: range) }
  }

  private static func excludedWord(
    _ part: [UInt8], _ wanted: Set<[UInt8]>, at range: SourceRange
  ) throws(QueryError) -> [UInt8] {
    let words = self.words(in: part)
    if let first = words.first, wanted.contains(first) {
      throw QueryError(.invalidArgument, "You can't include and exclude the same token", at: range)
    }
    return try word(part, at: range)
  }

  /// The word that a part of the search text consists of; empty without one.
  private static func word(_ part: [UInt8], at range: SourceRange) throws(QueryError) -> [UInt8] {
    let words = self.words(in: part)
    guard words.count <= 1 else {
      throw QueryError(
        .invalidArgument, "Non alphanumeric characters not allowed inside search word", at: range)
    }
    return words.first ?? []
  }

  /// In order; a repeated word is repeated here.
  private static func words(in part: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var start = 0
    // A part is a few bytes, so growing it by its neighbors is a cheap way to find where a word ends.
    var index = 0
    func flush(_ end: Int) {
      if end > start, let word = part[start..<end].withUnsafeBytes({ TextTokens.words(in: $0) }).first {
        words.append(word)
      }
    }
    while index < part.count {
      let length = part[index] < 0xc0 ? 1 : part[index] < 0xe0 ? 2 : part[index] < 0xf0 ? 3 : 4
      let end = min(index + length, part.count)
      let isLetter = !part[index..<end].withUnsafeBytes { TextTokens.words(in: $0) }.isEmpty
      if !isLetter {
        flush(index)
        start = end
      }
      index = end
    }
    flush(part.count)
    return words
  }

  /// Whether a text of these words is found. A star by itself is not a word.
  func matches(_ words: Set<[UInt8]>) -> Bool {
    wanted.allSatisfy(words.contains) && !unwanted.contains(where: words.contains)
      && beginnings.allSatisfy { beginning in
        !beginning.isEmpty && words.contains { $0.starts(with: beginning) }
      }
  }
}
