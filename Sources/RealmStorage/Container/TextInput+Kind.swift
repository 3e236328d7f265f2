extension TextInput {
  /// The kind of a file, judging by its first bytes.
  package enum Kind: Hashable, Sendable {
    /// `T-DB` where a plain realm has it.
    case plainRealm
    /// The first byte that is not white space opens a JSON array or object.
    case json
    /// A SQLite database.
    case sqlite
    /// An encrypted realm, or something else.
    case other
  }

  /// The apparent kind of the file at `path`; `-` is standard input.
  ///
  /// - Throws: `StorageError.file`.
  package static func kind(of path: String) throws -> Kind {
    let head = try head(of: path)
    if head.dropFirst(16).starts(with: RawHeader.mnemonic) { return .plainRealm }
    if head.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
    let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = head.starts(with: byteOrderMark) ? head.dropFirst(byteOrderMark.count) : head[...]
    let first = text.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .other
  }

  /// Whether the beginning of a file is text: UTF-8 without control characters.
  ///
  /// - Throws: `StorageError.file`.
  package static func isText(_ path: String) throws -> Bool {
    let head = try head(of: path)
    // The last character may be cut off.
    let text = String(decoding: head.dropLast(head.count < 512 ? 0 : 3), as: UTF8.self)
    return !head.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0xfffd || [0x09, 0x0a, 0x0d].contains($0.value)
      }
  }

  /// Whether a file has no bytes.
  ///
  /// - Throws: `StorageError.file`.
  package static func isEmpty(_ path: String) throws -> Bool { try InputFile(path: path).size == 0 }

  private static func head(of path: String) throws -> [UInt8] {
    try streamDescriptor(of: path).map { try StandardInput.sharedHead($0) } ?? head(of: InputFile(path: path))
  }

  private static func head(of file: InputFile) throws -> [UInt8] {
    var head = [UInt8](repeating: 0, count: 512)
    do {
      let count = try head.withUnsafeMutableBytes { try file.readRequired(into: $0, at: 0) }
      return Array(head[..<count])
    } catch let error as SystemCallError {
      throw StorageError.file(error.problem)
    }
  }
}
