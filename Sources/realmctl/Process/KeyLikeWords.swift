import RealmStorage
import Synchronization

/// Arguments that look like encryption keys: typed where the name of a file or variable belongs. No message repeats
/// them, because messages end up in logs.
enum KeyLikeWords {
  private static let words = Mutex<[String]>([])

  /// Remembers those arguments, and values after an equals sign, that look like a key.
  static func remember(in arguments: [String]) {
    let values = arguments.compactMap { argument in
      argument.utf8.firstIndex(of: UInt8(ascii: "=")).map { String(argument[argument.utf8.index(after: $0)...]) }
    }
    words.withLock { $0 = (arguments + values).filter(isKey) }
  }

  /// The text with `<redacted>` for each of them.
  static func redacted(from text: String) -> String {
    words.withLock { $0.reduce(text) { $0.replacing($1, with: "<redacted>") } }
  }

  static func contain(_ word: String) -> Bool { words.withLock { $0.contains(word) } }

  /// Whether a word has one of the text forms of a key, and is not the name of an existing file.
  private static func isKey(_ word: String) -> Bool {
    // Base64 without padding is the shortest form.
    guard word.utf8.count >= 86 else { return false }
    let isText = (try? Array(word.utf8).withUnsafeBytes { try EncryptionKey.parse(text: $0) }) != nil
    return isText && !SafeOutput.isNameTaken(word)
  }
}
