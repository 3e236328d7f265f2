import RealmStorage

/// One word, literal or sign of model code.
struct ModelToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or a keyword. Quoted names, such as `` `class` ``, are never keywords.
    case word(String, isQuoted: Bool)
    /// A string; nil if its text depends on values, or has an escape that is not understood.
    case string(RealmString?)
    case number(String)
    /// A single character between single quotation marks, in languages where that is not a string.
    case character
    case sign(UInt8)
    /// A directive on its own line, such as `#if DEBUG`, without the `#`.
    case directive(String)
    case end
  }

  let kind: Kind
  let place: ModelPlace
  /// Whether only spaces and comments come before it on its line.
  let isFirstOnLine: Bool
  /// Whether nothing comes between the token before and it.
  let isAdjacent: Bool

  /// Whether it is this keyword.
  func isWord(_ word: String) -> Bool { kind == .word(word, isQuoted: false) }

  /// Whether it is this sign.
  func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign(UInt8(ascii: sign)) }

  /// The name; nil for a token that is not a name.
  var word: String? {
    if case .word(let word, _) = kind { word } else { nil }
  }

  /// The word if it can be a keyword.
  var keyword: String? {
    if case .word(let word, isQuoted: false) = kind { word } else { nil }
  }

  /// The token for an error.
  var text: String {
    switch kind {
    case .word(let word, _): "'\(RealmString(word).shown)'"
    case .string: "a string"
    case .character: "a character"
    case .number(let text): "'\(text)'"
    case .sign(let sign): "'\(Character(Unicode.Scalar(sign)))'"
    case .directive(let text): "'#\(StringEscapes.comment(text))'"
    case .end: "the end of the file"
    }
  }
}

/// A position in model code; lines, and the characters of a line, are counted from 1.
package struct ModelPlace: Hashable, Sendable, Comparable {
  /// The file, counted from 0, where several are read as one.
  package var file = 0
  package let line: Int
  package let column: Int

  package static func < (one: ModelPlace, other: ModelPlace) -> Bool {
    (one.file, one.line, one.column) < (other.file, other.line, other.column)
  }
}

/// Something in model code that could not be understood, and its position.
package struct ModelFault: Error, Hashable, Sendable {
  package let place: ModelPlace
  package let reason: String
  /// The file, where several are read as one.
  package var path: String?

  init(place: ModelPlace, reason: String) { (self.place, self.reason) = (place, reason) }
}

extension ModelFault: CustomStringConvertible {
  /// `line 3, column 9: unknown type 'Color'`
  package var description: String { "line \(place.line), column \(place.column): \(reason)" }
}
