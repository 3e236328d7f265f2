import RealmStorage
import RealmSystem
import RealmText

/// Text that is safe to show: names in a file are not trusted, and a terminal interprets control characters.
enum PrintableText {
  /// The text with control characters, line ends and characters that change the direction of writing as `\n`, `\t` or
  /// `\u{1b}`, bytes of a file's name that are not text as `\xE9`; everything else as it is.
  ///
  /// - Parameter kept: characters that stay, whatever they do.
  static func escaping(_ text: String, except kept: Set<Unicode.Scalar> = []) -> String {
    guard text.unicodeScalars.contains(where: { isUnsafe($0) && !kept.contains($0) }) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where kept.contains(scalar): escaped.unicodeScalars.append(scalar)
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case _ where SystemText.byte(of: scalar) != nil: escaped += hexadecimal(scalar)
      case _ where isUnsafe(scalar): escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text with `\xE9` for bytes of a file's name that are not text: for JSON, which escapes the rest itself.
  static func showingBytes(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { SystemText.byte(of: $0) != nil }) else { return text }
    return text.unicodeScalars.map { SystemText.byte(of: $0) == nil ? String($0) : hexadecimal($0) }.joined()
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    "\\x" + String(SystemText.byte(of: scalar) ?? 0, radix: 16, uppercase: true)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    SystemText.byte(of: scalar) != nil || scalar.isObeyed
  }
}
