import RealmSystem

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

  /// What has to be unpacked first, such as "a zip archive", judging by the first bytes of a file; nil for all else.
  ///
  /// - Throws: `StorageError.file`.
  package static func archive(at path: String) throws -> String? {
    let head = try head(of: path)
    let beginnings: [(name: String, bytes: [UInt8])] = [
      ("a gzip file", [0x1f, 0x8b, 8]), ("a zip archive", Array("PK\u{3}\u{4}".utf8)),
      ("a bzip2 file", Array("BZh".utf8)),
      ("an xz file", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), ("a zstd file", [0x28, 0xb5, 0x2f, 0xfd]),
      ("a 7z archive", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
    ]
    if head.dropFirst(257).starts(with: "ustar".utf8) { return "a tar archive" }
    return beginnings.first { head.starts(with: $0.bytes) }?.name
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

  /// Whether a file begins with as many zeros as a header has bytes: an encrypted one begins with random bytes.
  ///
  /// - Throws: `StorageError.file`.
  package static func beginsWithZeros(_ path: String) throws -> Bool {
    let head = try head(of: path).prefix(RawHeader.size)
    return head.count == RawHeader.size && head.allSatisfy { $0 == 0 }
  }

  /// Whether a file could be an encrypted realm, which has no mark of its own.
  ///
  /// - Throws: `StorageError.file`.
  package static func mayBeEncrypted(_ path: String) throws -> Bool {
    guard try kind(of: path) == .other, try !beginsWithZeros(path), try !isText(path) else { return false }
    return try streamDescriptor(of: path) != nil || InputFile(path: path).size >= EncryptionLayout.minimumFileSize
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
