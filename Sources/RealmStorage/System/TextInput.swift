/// Text files that are small enough to hold in memory: schemas, plans.
public enum TextInput {
  /// A schema of thousands of classes has a few megabytes.
  static let sizeLimit = 256 << 20

  /// All bytes of a file or of a pipe that the shell has opened, or of standard input for the path `-`.
  ///
  /// - Throws: `StorageError.file`.
  public static func read(_ path: String) throws -> [UInt8] {
    if let descriptor = streamDescriptor(of: path) {
      let input = try StandardInput.shared(
        descriptor, limit: sizeLimit + 1, beyondLimit: .file(.systemCall(name: "read", errorNumber: Self.tooLarge)))
      guard input.bytes.count <= sizeLimit else {
        throw StorageError.file(.systemCall(name: "read", errorNumber: Self.tooLarge))
      }
      return Array(input.bytes)
    }
    let file = try InputFile(path: path)
    guard let size = Int(exactly: file.size), size <= sizeLimit else {
      throw StorageError.file(.systemCall(name: "read", errorNumber: Self.tooLarge))
    }
    do throws(SystemCallError) {
      var failure: SystemCallError?
      let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        do throws(SystemCallError) {
          count = try file.readRequired(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
        } catch { failure = error }
      }
      if let failure { throw failure }
      return bytes
    } catch {
      throw StorageError.file(error.problem)
    }
  }

  /// Where the content of a path that can be read once only comes from; nil for any other.
  private static func streamDescriptor(of path: String) -> Int32? {
    path == "-" ? StandardInput.descriptor : StandardInput.pipe(at: path)
  }

  /// What a file seems to be by its first bytes.
  public enum Kind: Hashable, Sendable {
    /// `T-DB` where a plain realm has it.
    case plainRealm
    /// The first byte that is no white space opens a JSON array or object.
    case json
    /// An encrypted realm, or something else.
    case other
  }

  /// What the file at `path` seems to be; `-` is standard input.
  ///
  /// - Throws: `StorageError.file`.
  public static func kind(of path: String) throws -> Kind {
    let head =
      try streamDescriptor(of: path).map { try StandardInput.sharedHead($0) } ?? head(of: InputFile(path: path))
    if head.dropFirst(16).starts(with: RawHeader.mnemonic) { return .plainRealm }
    let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = head.starts(with: byteOrderMark) ? head.dropFirst(byteOrderMark.count) : head[...]
    let first = text.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .other
  }
}

extension TextInput {
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

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension TextInput {
  fileprivate static var tooLarge: Int32 { EFBIG }
}
