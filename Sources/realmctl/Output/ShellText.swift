import RealmStorage
import RealmSystem

/// Commands that people can paste into a shell.
enum ShellText {
  /// Words, with those quoted that a shell would split or expand.
  static func command(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    if PrintableText.escaping(word) != word { return escaped(word) }
    // In one of the shells, a word that begins with an equals sign is the path of a command.
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { plain.contains($0) } && !word.hasPrefix("=")
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// A path as a command takes it, also one that begins like an option.
  static func path(_ path: String) -> String { path.hasPrefix("-") ? "./" + path : path }

  /// The form for bytes that cannot be shown, which current shells understand: `$'caf\xE9'`.
  private static func escaped(_ word: String) -> String {
    let characters = SystemText.bytes(of: word).map { byte in
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
      case 0x20...0x7e: String(Unicode.Scalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return "$'" + characters.joined() + "'"
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+,:@%=".utf8)
}
