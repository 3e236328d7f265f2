/// An escape in a text between quotes: JSON's, and `\'` and `\0`.
package struct TextEscape {
  /// Bytes of it: with both halves of a surrogate pair 12.
  let length: Int
  /// The character; nil for half of a surrogate pair.
  let character: [UInt8]?

  /// Nil if the slice, whose first byte is a backslash, does not begin with an escape.
  init?(_ bytes: ArraySlice<UInt8>) {
    let letter = bytes.dropFirst().first ?? 0
    guard letter == UInt8(ascii: "u") else {
      guard "\"'\\/bfnrt0".utf8.contains(letter) else { return nil }
      (length, character) = (2, [Self.meaning(of: letter)])
      return
    }
    guard let first = Self.unit(bytes) else { return nil }
    if (0xd800..<0xdc00).contains(first), let second = Self.unit(bytes.dropFirst(6)), (0xdc00..<0xe000).contains(second)
    {
      (length, character) = (12, Self.utf8(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00)))
    } else {
      (length, character) = (6, Self.utf8(first))
    }
  }

  /// The text between the quotes that another text begins with, escapes resolved, and what follows them.
  ///
  /// - Returns: nil if it does not begin with a text in quotes, or a backslash in that begins no escape.
  package static func quoted(in text: Substring) -> (text: String, rest: Substring)? {
    let bytes = ArraySlice(text.utf8)
    guard let quote = bytes.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    var content: [UInt8] = []
    var rest = bytes.dropFirst()
    while let byte = rest.first {
      if byte == quote {
        return (String(decoding: content, as: UTF8.self), Substring(text.utf8.suffix(rest.count - 1)))
      }
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        rest.removeFirst()
        continue
      }
      guard let escape = TextEscape(rest), let character = escape.character else { return nil }
      content += character
      rest = rest.dropFirst(escape.length)
    }
    return nil
  }

  /// The character that a letter after a backslash means; itself unless that is a control character.
  static func meaning(of letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "0"): 0x00
    default: letter
    }
  }

  private static func utf8(_ scalar: UInt32) -> [UInt8]? {
    Unicode.Scalar(scalar).flatMap(UTF8.encode).map { Array($0) }
  }

  /// The number of `\uXXXX`.
  private static func unit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    let digits = bytes.dropFirst(2).prefix(4)
    guard bytes.starts(with: "\\u".utf8), digits.count == 4, digits.allSatisfy(Lexer.isHexDigit) else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
