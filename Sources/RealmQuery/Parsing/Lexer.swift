/// Splits a query into tokens, from left to right, with the longest possible one at each place.
struct Lexer {
  let bytes: [UInt8]
  let dialect: Dialect
  private(set) var position = 0
  /// Where the last token ends: the end of the text is shown there, not after blanks and empty lines.
  private var lastEnd = 0

  init(_ text: String, _ dialect: Dialect) {
    bytes = Array(text.utf8)
    self.dialect = dialect
  }

  /// No token begins at this byte. The part that is wrong may come after it.
  struct InvalidCharacter: Error {
    var byte: UInt8
    var range: SourceRange
  }

  /// The next token; at the end of the text, `.end` as often as it is asked for.
  mutating func next() throws(InvalidCharacter) -> Token {
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    let start = position
    guard start < bytes.count else { return Token(kind: .end, range: SourceRange(lastEnd, lastEnd)) }
    let (kind, length) = try token(at: start)
    position = start + length
    lastEnd = position
    return Token(kind: kind, range: SourceRange(start, position))
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a }

  /// The byte at a place, 0 after the end: no token contains a zero byte except a string, which looks for its end.
  func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private func token(at start: Int) throws(InvalidCharacter) -> (TokenKind, Int) {
    let first = bytes[start]
    let second = byte(start + 1)
    switch first {
    case UInt8(ascii: "("): return (.leftParenthesis, 1)
    case UInt8(ascii: ")"): return (.rightParenthesis, 1)
    case UInt8(ascii: "]"): return (.rightBracket, 1)
    case UInt8(ascii: "{"): return (.leftBrace, 1)
    case UInt8(ascii: "}"): return (.rightBrace, 1)
    case UInt8(ascii: ","): return (.comma, 1)
    case UInt8(ascii: "*"): return (.star, 1)
    case UInt8(ascii: "/"): return (.slash, 1)
    case UInt8(ascii: "["): return matches("[c]", at: start) ? (.ignoreCase, 3) : (.leftBracket, 1)
    case UInt8(ascii: "="):
      switch second {
      case UInt8(ascii: "="): return (.equal, 2)
      case UInt8(ascii: "<"): return (.lessOrEqual, 2)
      case UInt8(ascii: ">"): return (.greaterOrEqual, 2)
      default: return (.equal, 1)
      }
    case UInt8(ascii: "!"): return second == UInt8(ascii: "=") ? (.notEqual, 2) : (.not, 1)
    case UInt8(ascii: "<"):
      switch second {
      case UInt8(ascii: "="): return (.lessOrEqual, 2)
      case UInt8(ascii: ">"): return (.notEqual, 2)
      default: return (.less, 1)
      }
    case UInt8(ascii: ">"): return second == UInt8(ascii: "=") ? (.greaterOrEqual, 2) : (.greater, 1)
    case UInt8(ascii: "&") where second == first: return (.and, 2)
    case UInt8(ascii: "|") where second == first: return (.or, 2)
    case UInt8(ascii: "@"):
      if let match = Self.atWords.first(where: { matches($0.word, at: start) }) {
        return (match.kind, match.word.utf8.count)
      }
      throw InvalidCharacter(byte: first, range: SourceRange(start, start + 1))
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return (.string, try stringLength(at: start))
    case UInt8(ascii: "`") where dialect == .standard: return (.identifier, try quotedNameLength(at: start))
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      return numberOrSign(at: start)
    case _ where Self.canBeginName(first): return nameOrWord(at: start)
    default: throw InvalidCharacter(byte: first, range: SourceRange(start, start + 1))
    }
  }

  private static let atWords: [(word: String, kind: TokenKind)] = [
    ("@size", .size), ("@count", .size), ("@max", .maximum), ("@min", .minimum), ("@sum", .sum), ("@avg", .average),
    ("@links", .links), ("@type", .type), ("@keys", .keysOrValues), ("@values", .keysOrValues),
  ]

  private func matches(_ word: String, at start: Int) -> Bool { bytes[start...].starts(with: word.utf8) }

  // MARK: Strings and names

  /// A string that is not closed, or has a backslash before something else than an escape, begins with an invalid
  /// character, as the reference sees it; the backslash is the part that is shown.
  private func stringLength(at start: Int) throws(InvalidCharacter) -> Int {
    let quote = bytes[start]
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == quote { return index + 1 - start }
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let escape = TextEscape(bytes[index...]) else {
        let end = min(index + 2, bytes.count)
        throw InvalidCharacter(byte: quote, range: SourceRange(index, end))
      }
      index += escape.length
    }
    throw InvalidCharacter(byte: quote, range: SourceRange(start, start + 1))
  }

  /// `` `any name` ``; a backquote inside is written twice.
  private func quotedNameLength(at start: Int) throws(InvalidCharacter) -> Int {
    var index = start + 1
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "`") else {
        index += 1
        continue
      }
      if byte(index + 1) != UInt8(ascii: "`") {
        // An empty name is not a name.
        if index == start + 1 { break }
        return index + 1 - start
      }
      index += 2
    }
    throw InvalidCharacter(byte: bytes[start], range: SourceRange(start, start + 1))
  }

  static func canBeginName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private func nameLength(at start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      let next = bytes[index]
      if next == UInt8(ascii: "\\"), " nrt".utf8.contains(byte(index + 1)) {
        index += 2
      } else if Self.canBeginName(next) || Self.isDigit(next) || next == UInt8(ascii: "-") {
        index += 1
      } else {
        break
      }
    }
    return index - start
  }

  /// Literals that begin with a letter win over names unless the name is longer.
  private func nameOrWord(at start: Int) -> (TokenKind, Int) {
    let length = nameLength(at: start)
    if let (kind, other) = lettered(at: start), other >= length { return (kind, other) }
    let word = bytes[start..<start + length]
    return (Keywords.kind(of: word) ?? .identifier, length)
  }

  private func lettered(at start: Int) -> (TokenKind, Int)? {
    switch bytes[start] {
    case UInt8(ascii: "u") where matches("uuid(", at: start):
      var index = start + 5
      for (group, count) in [8, 4, 4, 4, 12].enumerated() {
        if group > 0 {
          guard byte(index) == UInt8(ascii: "-") else { return nil }
          index += 1
        }
        guard hexDigits(at: index, count: count) else { return nil }
        index += count
      }
      return byte(index) == UInt8(ascii: ")") ? (.uuid, index + 1 - start) : nil
    case UInt8(ascii: "o") where matches("oid(", at: start):
      guard hexDigits(at: start + 4, count: 24), byte(start + 28) == UInt8(ascii: ")") else { return nil }
      return (.objectID, 29)
    case UInt8(ascii: "T"):
      guard let colon = signedDigits(at: start + 1), byte(colon) == UInt8(ascii: ":"),
        let end = signedDigits(at: colon + 1)
      else { return nil }
      return (.date, end - start)
    case UInt8(ascii: "O"): return digits(at: start + 1).map { (.link, $0 - start) }
    case UInt8(ascii: "L"):
      guard let colon = digits(at: start + 1), byte(colon) == UInt8(ascii: ":"), let end = digits(at: colon + 1)
      else { return nil }
      return (.typedLink, end - start)
    case UInt8(ascii: "B") where matches("B64\"", at: start):
      var index = start + 4
      while Self.isBase64Digit(byte(index)) { index += 1 }
      return byte(index) == UInt8(ascii: "\"") ? (.base64, index + 1 - start) : nil
    case UInt8(ascii: "$"):
      if byte(start + 1) == UInt8(ascii: "K") { return digits(at: start + 2).map { (.keyPathArgument, $0 - start) } }
      return digits(at: start + 1).map { (.argument, $0 - start) }
    default: return nil
    }
  }

  // MARK: Digits

  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }

  private static func isBase64Digit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || "/+=".utf8.contains(byte)
  }

  private func hexDigits(at start: Int, count: Int) -> Bool {
    start + count <= bytes.count && bytes[start..<start + count].allSatisfy(Self.isHexDigit)
  }

  /// The place after the digits; nil without digits.
  func digits(at start: Int) -> Int? {
    var index = start
    while Self.isDigit(byte(index)) { index += 1 }
    return index == start ? nil : index
  }

  static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

  func signedDigits(at start: Int) -> Int? { digits(at: Self.isSign(byte(start)) ? start + 1 : start) }
}
