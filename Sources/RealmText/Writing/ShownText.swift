extension Unicode.Scalar {
  /// Whether a terminal or an editor could interpret the character instead of showing it: C0, DEL and C1; line and
  /// paragraph separators; marks, embeddings, overrides and isolates of the direction of writing.
  package var isObeyed: Bool {
    switch value {
    case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

/// How much of an input a message shows: enough to find it, never a whole file.
package enum ShownText {
  /// Characters of one piece of an input.
  package static let longestPart = 200
  /// Characters of a message as a whole, which may list several.
  static let longestMessage = 20_000
  private static let ellipsis = "…"

  /// The beginning of a text, with a mark if the rest is left out.
  package static func beginning(of text: String) -> String {
    // Most texts are short, and a character is a byte at least.
    guard text.utf8.count > longestPart else { return text }
    let end = text.index(text.startIndex, offsetBy: longestPart, limitedBy: text.endIndex) ?? text.endIndex
    return end == text.endIndex ? text : text[..<end] + ellipsis
  }

  /// A message with words and quoted parts shortened to `longestPart`, and a message that is still too long shortened
  /// in the middle.
  package static func bounded(_ message: String) -> String {
    guard message.utf8.count > longestPart else { return message }
    let parts = quotedParts(of: message).map { part in
      part.split(separator: " ", omittingEmptySubsequences: false).map { beginning(of: String($0)) }.joined(
        separator: " ")
    }
    let text = parts.joined()
    guard text.count > longestMessage else { return text }
    return text.prefix(longestMessage * 3 / 4) + " \(ellipsis) " + text.suffix(longestMessage / 4)
  }

  /// The parts of the message, with those in quotes shortened.
  private static func quotedParts(of message: String) -> [String] {
    var parts: [String] = []
    var rest = message[...]
    while let (opening, closing) = quotes(in: rest) {
      parts.append(String(rest[...opening]))
      parts.append(beginning(of: String(rest[rest.index(after: opening)..<closing])))
      parts.append(String(rest[closing]))
      rest = rest[rest.index(after: closing)...]
    }
    return parts + [String(rest)]
  }

  /// The first pair of quotes around something; apostrophes are between letters.
  private static func quotes(in text: Substring) -> (opening: Substring.Index, closing: Substring.Index)? {
    var opening: Substring.Index?
    var before: Character = " "
    for index in text.indices {
      let character = text[index]
      if character == "'" || character == "\"" {
        let after = text.index(after: index)
        let endsWord = after == text.endIndex || !(text[after].isLetter || text[after].isNumber)
        if let opening, text[opening] == character, endsWord { return (opening, index) }
        if opening == nil, !(before.isLetter || before.isNumber) { opening = index }
      }
      before = character
    }
    return nil
  }
}
