import RealmStorage

/// What can be written at a place of an unfinished query.
package struct Completions: Hashable, Sendable {
  /// The word that candidates replace: the typed part, and what follows in the text.
  package var range: SourceRange
  /// Those that begin with what has been typed, in upper or lower case; the most likely ones first.
  package var candidates: [Completion]
  /// A property whose values are candidates as well; nil if none is compared.
  package var values: ValueSource?

  package struct ValueSource: Hashable, Sendable {
    /// Without `class_`.
    package let className: RealmString
    package let property: RealmString
    /// What has been typed of a value, without quotes, in lower case.
    package let typed: String
  }
}

/// A word that can be written at a place of a query.
package struct Completion: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case property, className, keyword, comparison, function, constant, variable
  }

  /// As it is written into the query: names that need them have backquotes.
  package var text: String
  package var kind: Kind
  /// What a property is like; nil for words of other kinds.
  package var property: Property?
}

extension RQL {
  /// The candidates at a place of a query: properties that can be reached there, operators that fit the previous
  /// property, keywords, classes after `@links`.
  ///
  /// - Parameters:
  ///   - offset: of the cursor, in bytes of the text's UTF-8.
  ///   - className: the class that the query is for, without `class_`.
  package static func completions(
    in text: String, at offset: Int, schema: Schema, className: RealmString
  ) -> Completions {
    let bytes = Array(text.utf8)
    let offset = min(max(offset, 0), bytes.count)
    let word = CompletionWord(bytes, offset)
    var reader = CompletionReader(schema, className)
    let isInString = !reader.read(String(decoding: bytes[..<word.range.start], as: UTF8.self))
    let typed = word.typed(bytes, offset)
    let candidates = isInString || word.isNumber ? [] : reader.candidates().filter { word.matches($0, typed) }
    let owner = isInString || word.isNumber ? nil : reader.comparedProperty
    let values = owner.map { Completions.ValueSource(className: $0.className, property: $0.property, typed: typed) }
    return Completions(range: word.range, candidates: candidates, values: values)
  }
}

/// The word around a place.
struct CompletionWord {
  let range: SourceRange
  /// Whether it is the beginning of a number, not of a name.
  let isNumber: Bool

  init(_ bytes: [UInt8], _ offset: Int) {
    var start = offset
    while start > 0, Self.isPart(bytes[start - 1]) { start -= 1 }
    isNumber = start < offset && (Lexer.isDigit(bytes[start]) || bytes[start] == UInt8(ascii: "-"))
    var end = offset
    if start < offset { while end < bytes.count, Self.isPart(bytes[end]) { end += 1 } }
    if start > 0, bytes[start - 1] == UInt8(ascii: "`") { start -= 1 }
    range = SourceRange(start, end)
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    Lexer.isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte >= 0x80 || "_$@-".utf8.contains(byte)
  }

  /// The text between the word's beginning and the place, without a backquote.
  func typed(_ bytes: [UInt8], _ offset: Int) -> String {
    let typed = bytes[range.start..<offset]
    return String(decoding: typed.first == UInt8(ascii: "`") ? typed.dropFirst() : typed, as: UTF8.self).lowercased()
  }

  func matches(_ candidate: Completion, _ typed: String) -> Bool {
    let text = candidate.text.hasPrefix("`") ? String(candidate.text.dropFirst()) : candidate.text
    return text.lowercased().hasPrefix(typed)
  }
}
