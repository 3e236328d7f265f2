import RealmStorage

/// How a language escapes characters that a string literal must not contain.
package enum StringEscapes: Sendable {
  /// `\u{1B}`: Swift.
  case braces
  /// `\u{1B}`, and `\$`: Dart.
  case bracesAndDollar
  /// `\u001B`, two of them for characters beyond U+FFFF: Java, C#, JavaScript.
  case fourDigits
  /// `\u001B`, and `\$`: Kotlin.
  case fourDigitsAndDollar
  /// `\u001B`, `\U0001F600` for characters beyond U+FFFF: YAML.
  case fourOrEightDigits
  /// `\033`, one for each byte of UTF-8: Objective-C, where `\u` takes no control characters.
  case octal

  /// The name as a string literal between double quotes. Bytes that are not UTF-8 appear as U+FFFD.
  ///
  /// Control and format characters are escaped: some end a line, and some make code look other than it is.
  package func literal(_ name: RealmString) -> String {
    var literal = "\""
    for scalar in name.description.unicodeScalars { literal += text(of: scalar) }
    return literal + "\""
  }

  /// Text for a comment of one line: unchanged except for invisible characters, which could end the line.
  package static func comment(_ text: String) -> String {
    var comment = ""
    for scalar in text.unicodeScalars { comment += scalar.isInvisible ? braces.escape(scalar) : String(scalar) }
    return comment
  }

  private func text(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "$" where self == .bracesAndDollar || self == .fourDigitsAndDollar: "\\$"
    default: scalar.isInvisible ? escape(scalar) : String(scalar)
    }
  }

  private func escape(_ scalar: Unicode.Scalar) -> String {
    switch self {
    case .braces, .bracesAndDollar: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    case .fourDigits, .fourDigitsAndDollar:
      UTF16.encode(scalar).map { units in units.map { "\\u" + Self.digits($0, 4) }.joined() } ?? ""
    case .octal:
      UTF8.encode(scalar).map { bytes in
        bytes.map { "\\" + String(repeating: "0", count: $0 < 8 ? 2 : $0 < 64 ? 1 : 0) + String($0, radix: 8) }.joined()
      } ?? ""
    case .fourOrEightDigits:
      scalar.value <= 0xffff ? "\\u" + Self.digits(scalar.value, 4) : "\\U" + Self.digits(scalar.value, 8)
    }
  }

  private static func digits(_ number: some BinaryInteger, _ width: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(width - digits.count, 0)) + digits
  }
}

extension Unicode.Scalar {
  /// Whether the character is invisible or changes the text around it: control and format characters, separators of
  /// lines and paragraphs, fillers, and code points that are not characters.
  var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
    }
  }
}

extension RealmString {
  /// The name for people: unchanged if it reads like a name, otherwise in double quotes with `\n`, `\"`, `\u{1B}`, and
  /// `\xFF` for each byte that is not UTF-8. It stays on its line, and no two names look the same.
  var shown: String {
    let text = description
    if isValidText, !text.isEmpty, text.unicodeScalars.allSatisfy(\.isPartOfPlainName) { return text }
    guard isValidText else { return "\"" + shownBytes + "\"" }
    return StringEscapes.braces.literal(self)
  }

  private var shownBytes: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7f: return String(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
      }
    }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var isPartOfPlainName: Bool {
    if isInvisible { return false }
    return switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .nonspacingMark, .spacingMark, .connectorPunctuation, .currencySymbol:
      true
    default: self == "-"
    }
  }
}
