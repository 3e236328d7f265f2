import RealmStorage

/// What was typed as a filter, taken apart: `text`, `property: text`, or text in quotes, which stands for itself.
///
/// What looks like a question that these filters cannot answer is refused, because looking for its letters would find
/// nothing and say so of the objects.
struct FilterText {
  let pattern: TextPattern
  /// Indexes of the properties to look into.
  let properties: [Int]
  /// Why nothing may have been found, where the text can be read in another way.
  let doubt: String?

  /// - Throws: `PredicateError`.
  init(_ text: String, for schema: TableSchema) throws {
    let all = Array(schema.properties.indices)
    if text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      self.init(try Self.pattern(String(text.dropFirst().dropLast())), all, doubt: nil)
      return
    }
    let word = text.prefix { !" :=<>!".contains($0) }
    let rest = text[word.endIndex...].drop { $0 == " " }
    let index = schema.properties.firstIndex { $0.name == RealmString(word) }
    if rest.first == ":" {
      let wanted = String(rest.dropFirst().drop { $0 == " " })
      if let index {
        self.init(try Self.pattern(wanted), [index], doubt: nil)
        return
      }
      // A blank behind the colon tells a column from an address or a time of day.
      if Self.isName(word), rest.dropFirst().first.map({ $0 == " " }) ?? true {
        let advice = "quote the text to search for it literally"
        throw PredicateError("\(schema.displayName) has no property '\(word)'; \(advice)")
      }
    }
    let isComparison = Self.isComparison(rest)
    if index != nil, isComparison {
      throw PredicateError("filters search, they do not compare; try \(word): text, or quote the text")
    }
    let doubt = isComparison && Self.isName(word) ? "filters search, they do not compare" : nil
    self.init(try Self.pattern(text), all, doubt: doubt)
  }

  private init(_ pattern: TextPattern, _ properties: [Int], doubt: String?) {
    (self.pattern, self.properties, self.doubt) = (pattern, properties, doubt)
  }

  private static func pattern(_ text: String) throws -> TextPattern {
    guard let pattern = TextPattern(text) else { throw PredicateError("nothing to filter by") }
    return pattern
  }

  /// Whether it could name a property.
  private static func isName(_ word: Substring) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" || first == "@" else { return false }
    return word.allSatisfy { $0.isLetter || $0.isNumber || "_@.".contains($0) }
  }

  /// Whether it begins as a comparison of query languages does, with something behind it.
  private static func isComparison(_ text: Substring) -> Bool {
    if let sign = text.first, "=<>!".contains(sign) {
      let rest = text.drop { "=<>!".contains($0) }
      return !(rest.allSatisfy { $0 == " " }) && text.prefix(text.count - rest.count) != "!"
    }
    let words = text.split(separator: " ", maxSplits: 1)
    return words.count == 2 && operators.contains(words[0].lowercased())
  }

  private static let operators: Set<String> = [
    "contains", "beginswith", "endswith", "like", "in", "between", "text", "contains[c]", "beginswith[c]",
    "endswith[c]", "like[c]",
  ]
}
