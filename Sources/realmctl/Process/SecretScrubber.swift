import RealmStorage
import RealmSystem

/// Arguments that look like encryption keys: typed where the name of a file or variable belongs. No message repeats
/// them, because messages end up in logs.
enum SecretScrubber {
  private static let words = Locked<[String]>([])

  /// Remembers those arguments, and values after an equals sign, that look like a key, and the parts of paths that do.
  static func remember(in arguments: [String]) {
    let values = arguments.compactMap { argument in
      argument.utf8.firstIndex(of: UInt8(ascii: "=")).map { String(argument[argument.utf8.index(after: $0)...]) }
    }
    let found = (arguments + values).flatMap { word in
      // A file of such a name is no secret.
      SafeOutput.isNameTaken(word) ? [] : ([word] + parts(ofPath: word)).filter(isKey)
    }
    words.withLock { $0 = found.sorted { $0.utf8.count > $1.utf8.count } }
  }

  /// The names in a path, without extensions too, and what follows each slash: a key in Base64 may have slashes in it.
  private static func parts(ofPath path: String) -> [String] {
    let slash = UInt8(ascii: "/")
    let names = path.utf8.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }
    let stems = names.map { String(decoding: $0.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self) }
    let rests = path.utf8.indices.filter { path.utf8[$0] == slash }.suffix(longestKey).map {
      String(decoding: path.utf8[$0...].dropFirst(), as: UTF8.self)
    }
    return (names + stems + rests).filter { $0.utf8.count <= longestKey }
  }

  /// Bytes of the longest form on one line, a JSON array of numbers, with spaces.
  private static let longestKey = 512

  /// The text with `<redacted>` for each of them.
  static func redacted(from text: String) -> String {
    words.withLock { $0.reduce(text) { $0.replacing($1, with: "<redacted>") } }
  }

  static func contain(_ word: String) -> Bool { words.withLock { $0.contains { word.contains($0) } } }

  /// Whether a word has one of the text forms of a key.
  private static func isKey(_ word: String) -> Bool {
    // Base64 without padding is the shortest form.
    guard word.utf8.count >= 86 else { return false }
    return (try? Array(word.utf8).withUnsafeBytes { try EncryptionKey.parse(text: $0) }) != nil
  }
}
