import RealmStorage

/// Splits model code into tokens, one at a time, so that no file needs more memory than its bytes.
///
/// A copy of the scanner looks ahead.
struct ModelScanner {
  let language: ModelLanguage
  private let bytes: [UInt8]
  private let file: Int
  private var offset = 0
  private var line = 1
  /// How far the characters of the line have been counted, and how many there are up to there.
  private var counted = (offset: 0, characters: 0)
  private var isFirstOnLine = true
  /// Whether the last token ends a value, so that `/` divides.
  private var endsValue = false
  /// Interpolations that the scanner is in.
  private var depth = 0

  /// - Throws: `ModelFault` for bytes that are not UTF-8.
  init(_ bytes: [UInt8], _ language: ModelLanguage, file: Int = 0) throws(ModelFault) {
    (self.bytes, self.language, self.file) = (bytes, language, file)
    guard String(utf8: bytes) != nil else {
      throw ModelFault(place: ModelPlace(file: file, line: 1, column: 1), reason: "the file is not UTF-8")
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
    counted.offset = offset
    if byte == UInt8(ascii: "#"), byte(1) == UInt8(ascii: "!") { skipLine() }
  }

  /// The next token; `.end` again and again at the end.
  mutating func next() throws(ModelFault) -> ModelToken {
    let end = offset
    try skipSpace()
    let isAdjacent = offset == end && offset > 0
    let (place, first) = (currentPlace(), isFirstOnLine)
    isFirstOnLine = false
    let kind = try scan(isFirst: first)
    switch kind {
    case .word, .string, .number, .character: endsValue = true
    case .sign(UInt8(ascii: "<")): endsValue = byte == UInt8(ascii: "/")  // `</View>`
    case .sign(let sign): endsValue = [UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(sign)
    case .directive, .end: endsValue = false
    }
    return ModelToken(kind: kind, place: place, isFirstOnLine: first, isAdjacent: isAdjacent)
  }

  private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func byte(_ ahead: Int) -> UInt8? { offset + ahead < bytes.count ? bytes[offset + ahead] : nil }

  /// The place of the next byte. It counts characters as editors do, so that bytes that continue one do not count.
  private mutating func currentPlace() -> ModelPlace {
    counted.characters += bytes[counted.offset..<offset].count { $0 & 0xc0 != 0x80 }
    counted.offset = offset
    return ModelPlace(file: file, line: line, column: counted.characters + 1)
  }

  private func fault(_ reason: String, at place: ModelPlace) -> ModelFault { ModelFault(place: place, reason: reason) }

  private mutating func advance() {
    if bytes[offset] == UInt8(ascii: "\n") {
      line += 1
      counted = (offset + 1, 0)
      isFirstOnLine = true
    }
    offset += 1
  }

  private mutating func advance(_ count: Int) { for _ in 0..<count where offset < bytes.count { advance() } }

  private mutating func skipLine() { while let byte, byte != UInt8(ascii: "\n") { offset += 1 } }

  private func starts(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      offset + text.count <= bytes.count && bytes[offset..<offset + text.count].elementsEqual(text)
    }
  }

  private mutating func skipSpace() throws(ModelFault) {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), 0x09...0x0d: advance()
      case UInt8(ascii: "/") where starts("//"): skipLine()
      case UInt8(ascii: "/") where starts("/*"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(ModelFault) {
    let (start, first) = (currentPlace(), isFirstOnLine)
    var level = 0
    repeat {
      if byte == nil { throw fault("unterminated comment", at: start) }
      if starts("*/") {
        level -= 1
        advance(2)
      } else if starts("/*"), level == 0 || language.nestsComments {
        level += 1
        advance(2)
      } else {
        advance()
      }
    } while level > 0
    isFirstOnLine = isFirstOnLine || first
  }
}

// MARK: - Tokens

extension ModelScanner {
  private mutating func scan(isFirst: Bool) throws(ModelFault) -> ModelToken.Kind {
    guard let byte else { return .end }
    if isFirst, byte == UInt8(ascii: "#"), language.hasDirectives, let next = self.byte(1), Self.isLetter(next) {
      return directive()
    }
    if let string = try string() { return string }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
    case UInt8(ascii: "`") where language != .javaScript && language != .objectiveC: return try quotedWord()
    case UInt8(ascii: "@") where language == .csharp && self.byte(1).map(Self.isLetter) == true:
      offset += 1
      return .word(letters(), isQuoted: true)
    case UInt8(ascii: "/") where language.hasRegularExpressions && !endsValue:
      try skipRegularExpression()
      return .string(nil)
    case _ where Self.isLetter(byte): return .word(letters(), isQuoted: false)
    default:
      advance()
      return .sign(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func letters() -> String {
    let start = offset
    while let byte, Self.isLetter(byte) || Self.isDigit(byte) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func quotedWord() throws(ModelFault) -> ModelToken.Kind {
    let start = currentPlace()
    offset += 1
    let first = offset
    while let byte, byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") { offset += 1 }
    guard byte == UInt8(ascii: "`") else { throw fault("unterminated name in backticks", at: start) }
    let name = String(decoding: bytes[first..<offset], as: UTF8.self)
    offset += 1
    return .word(name, isQuoted: true)
  }

  /// Digits and what belongs to a number: `0x1F`, `1_000L`, `1.5f`, `1e-3`.
  private mutating func number() -> ModelToken.Kind {
    let start = offset
    while let byte {
      let isPoint = byte == UInt8(ascii: ".") && self.byte(1).map(Self.isDigit) == true
      let isSigned =
        (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")) && offset > start
        && bytes[offset - 1] | 0x20 == UInt8(ascii: "e") && !bytes[start..<offset].starts(with: [0x30, 0x78])
      guard Self.isLetter(byte) || Self.isDigit(byte) || isPoint || isSigned else { break }
      offset += 1
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func directive() -> ModelToken.Kind {
    offset += 1
    let start = offset
    skipLine()
    // A macro goes on after a backslash.
    while language == .objectiveC, byte != nil, isContinued() {
      advance()
      skipLine()
    }
    var text = bytes[start..<offset]
    while let last = text.last, last <= 0x20 { text.removeLast() }
    return .directive(String(decoding: text, as: UTF8.self))
  }

  private func isContinued() -> Bool {
    let end = offset > 0 && bytes[offset - 1] == UInt8(ascii: "\r") ? offset - 1 : offset
    return end > 0 && bytes[end - 1] == UInt8(ascii: "\\")
  }

  private mutating func skipRegularExpression() throws(ModelFault) {
    let start = currentPlace()
    var isInClass = false
    offset += 1
    while let byte, byte != UInt8(ascii: "\n") {
      switch byte {
      case UInt8(ascii: "\\") where self.byte(1) != nil && self.byte(1) != UInt8(ascii: "\n"): offset += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/") where !isInClass:
        offset += 1
        _ = letters()
        return
      default: break
      }
      offset += 1
    }
    throw fault("unterminated regular expression", at: start)
  }
}

// MARK: - Strings

extension ModelScanner {
  /// How a string is written.
  private struct Quotes {
    var mark: UInt8
    /// Marks that begin and end it.
    var count = 1
    /// `#` around it, in Swift.
    var hashes = 0
    /// Without escapes.
    var isRaw = false
    /// Raw, with `""` for `"`: C#'s `@"…"`.
    var doublesMarks = false
    /// What begins an expression in it.
    var interpolation = Interpolation.none
    var isMultiline: Bool { count > 1 || doublesMarks || mark == UInt8(ascii: "`") }

    enum Interpolation { case none, backslash, dollar, braces }
  }

  /// The string that begins here; nil if none does.
  private mutating func string() throws(ModelFault) -> ModelToken.Kind? {
    var (quotes, ahead) = (Quotes(mark: UInt8(ascii: "\"")), 0)
    switch language {
    case .swift:
      while byte(ahead) == UInt8(ascii: "#") { ahead += 1 }
      (quotes.hashes, quotes.interpolation) = (ahead, .backslash)
    case .kotlin: quotes.interpolation = .dollar
    case .dart:
      quotes.interpolation = .dollar
      if byte == UInt8(ascii: "r") { (ahead, quotes.isRaw, quotes.interpolation) = (1, true, .none) }
    case .csharp:
      while let mark = byte(ahead), mark == UInt8(ascii: "@") || mark == UInt8(ascii: "$") {
        if mark == UInt8(ascii: "@") { (quotes.isRaw, quotes.doublesMarks) = (true, true) }
        if mark == UInt8(ascii: "$") { quotes.interpolation = .braces }
        ahead += 1
      }
    case .objectiveC: if byte == UInt8(ascii: "@") { ahead = 1 }
    case .java, .javaScript: break
    }
    guard let mark = byte(ahead) else { return nil }
    switch mark {
    case UInt8(ascii: "\""): break
    case UInt8(ascii: "'") where language.hasSingleQuotes && (ahead == 0 || language == .dart): quotes.mark = mark
    case UInt8(ascii: "`") where language == .javaScript: (quotes.mark, quotes.interpolation) = (mark, .dollar)
    default: return nil
    }
    let start = currentPlace()
    offset += ahead
    quotes.count = openingMarks(quotes)
    if quotes.count >= 3, language == .csharp || language == .kotlin {
      (quotes.isRaw, quotes.doublesMarks) = (true, false)
    }
    offset += quotes.count
    let text = try content(quotes, from: start)
    return quotes.mark == UInt8(ascii: "'") && language.hasCharacters ? .character : .string(text)
  }

  /// Three quotation marks, or more in C#, if the language has such strings; otherwise one.
  private func openingMarks(_ quotes: Quotes) -> Int {
    guard quotes.mark != UInt8(ascii: "`"), language != .javaScript, language != .objectiveC, !quotes.doublesMarks
    else { return 1 }
    guard quotes.mark == UInt8(ascii: "\"") || language == .dart else { return 1 }
    var count = 0
    while byte(count) == quotes.mark { count += 1 }
    return count < 3 ? 1 : language == .csharp ? count : 3
  }

  private func isEnd(_ quotes: Quotes) -> Bool {
    for index in 0..<quotes.count where byte(index) != quotes.mark { return false }
    for index in 0..<quotes.hashes where byte(quotes.count + index) != UInt8(ascii: "#") { return false }
    return true
  }

  private mutating func content(_ quotes: Quotes, from start: ModelPlace) throws(ModelFault) -> RealmString? {
    var text: [UInt8]? = []
    while let byte {
      if isEnd(quotes) {
        if quotes.doublesMarks, self.byte(1) == quotes.mark {
          text?.append(byte)
          offset += 2
          continue
        }
        offset += quotes.count + quotes.hashes
        // Each language removes the indentation of multi-line strings in its own way; no name is written like that.
        return quotes.count > 1 ? nil : text.map { RealmString(utf8: $0) }
      }
      if byte == UInt8(ascii: "\n"), !quotes.isMultiline { break }
      if try skipInterpolation(quotes) {
        text = nil
      } else if byte == UInt8(ascii: "\\"), !quotes.isRaw {
        try appendEscape(quotes, to: &text)
      } else {
        text?.append(byte)
        advance()
      }
    }
    throw fault("unterminated string", at: start)
  }

  /// Skips an expression inside a string; returns false if none begins here.
  private mutating func skipInterpolation(_ quotes: Quotes) throws(ModelFault) -> Bool {
    switch quotes.interpolation {
    case .none: return false
    case .backslash:
      guard byte == UInt8(ascii: "\\") else { return false }
      for index in 0..<quotes.hashes where byte(1 + index) != UInt8(ascii: "#") { return false }
      guard byte(1 + quotes.hashes) == UInt8(ascii: "(") else { return false }
      offset += 2 + quotes.hashes
    case .dollar:
      guard byte == UInt8(ascii: "$") else { return false }
      if quotes.mark != UInt8(ascii: "`"), let next = byte(1), Self.isLetter(next), next != UInt8(ascii: "$") {
        offset += 1
        return true
      }
      guard byte(1) == UInt8(ascii: "{") else { return false }
      offset += 2
    case .braces:
      guard byte == UInt8(ascii: "{") else { return false }
      if byte(1) == UInt8(ascii: "{") {
        offset += 2
        return true
      }
      offset += 1
    }
    try skipExpression(endingWith: quotes.interpolation == .backslash ? UInt8(ascii: ")") : UInt8(ascii: "}"))
    return true
  }

  /// The limit for strings inside expressions inside strings.
  private static let mostLevels = 32

  private mutating func skipExpression(endingWith end: UInt8) throws(ModelFault) {
    let start = currentPlace()
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.mostLevels else {
      throw fault("strings nested more than \(Self.mostLevels) levels deep", at: start)
    }
    let opening = end == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "{")
    var level = 1
    while level > 0 {
      let token = try next()
      switch token.kind {
      case .sign(opening): level += 1
      case .sign(end): level -= 1
      case .end: throw fault("unterminated string", at: start)
      default: break
      }
    }
  }

  private mutating func appendEscape(_ quotes: Quotes, to text: inout [UInt8]?) throws(ModelFault) {
    for index in 0..<quotes.hashes where byte(1 + index) != UInt8(ascii: "#") {
      text?.append(bytes[offset])
      return offset += 1
    }
    offset += 1 + quotes.hashes
    guard let escaped = byte else { return }
    switch escaped {
    case UInt8(ascii: "n"): text?.append(0x0a)
    case UInt8(ascii: "r"): text?.append(0x0d)
    case UInt8(ascii: "t"): text?.append(0x09)
    case UInt8(ascii: "b"): text?.append(0x08)
    case UInt8(ascii: "f"): text?.append(0x0c)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "$"),
      UInt8(ascii: "/"):
      text?.append(escaped)
    case UInt8(ascii: "0")...UInt8(ascii: "7") where language == .objectiveC:
      var (value, digits) = (0, 0)
      while digits < 3, let byte, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) {
        (value, digits) = (value * 8 + Int(byte & 7), digits + 1)
        offset += 1
      }
      text?.append(UInt8(truncatingIfNeeded: value))
      return
    case UInt8(ascii: "0") where byte(1).map(Self.isDigit) != true: text?.append(0)
    case UInt8(ascii: "u"), UInt8(ascii: "x"), UInt8(ascii: "U"):
      guard let scalar = escapedScalar() else {
        text = nil
        break
      }
      return text?.append(contentsOf: Array(String(scalar).utf8)) ?? ()
    default: text = nil
    }
    advance()
  }

  /// The character of `u1F600`, `u{1F600}` or `xE9`, or of two halves of UTF-16; nil, without reading anything, if
  /// there is none.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    let start = offset
    if let unit = escapedUnit() {
      if let scalar = Unicode.Scalar(unit) { return scalar }
      if byte == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
        offset += 1
        if let low = escapedUnit(), (0xdc00...0xdfff).contains(low), (0xd800...0xdbff).contains(unit) {
          return Unicode.Scalar((unit - 0xd800) << 10 + (low - 0xdc00) + 0x10000)
        }
      }
    }
    offset = start
    return nil
  }

  private mutating func escapedUnit() -> UInt32? {
    let width = byte == UInt8(ascii: "x") ? 2 : byte == UInt8(ascii: "U") ? 8 : 4
    offset += 1
    let isBraced = byte == UInt8(ascii: "{")
    if isBraced { offset += 1 }
    let start = offset
    while let byte, offset - start < (isBraced ? 8 : width), Character(Unicode.Scalar(byte)).isHexDigit, byte < 0x80 {
      offset += 1
    }
    let digits = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isBraced {
      guard byte == UInt8(ascii: "}") else { return nil }
      offset += 1
    } else if digits.count != width {
      return nil
    }
    return UInt32(digits, radix: 16)
  }
}
