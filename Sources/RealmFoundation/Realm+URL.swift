import Foundation
import RealmStorage

extension Realm {
  /// As `open(at:key:)` of a path.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file.
  public static func open(at url: URL, key: EncryptionKey? = nil) throws(RealmError) -> Realm {
    try open(at: url.pathOfFile(), key: key)
  }

  /// As `open(at:key:)` of a path, on a thread of its own.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file.
  public static func open(at url: URL, key: EncryptionKey? = nil) async throws(RealmError) -> Realm {
    try await open(at: url.pathOfFile(), key: key)
  }

  /// As `read(at:key:_:)` of a path: `body` runs again if an app commits meanwhile.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file; what `body` throws.
  public static func read<Result>(
    at url: URL, key: EncryptionKey? = nil, _ body: (Realm) throws -> Result
  ) throws -> Result {
    try read(at: url.pathOfFile(), key: key, body)
  }

  /// As `read(at:key:_:)` of a path, on a thread of its own.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file; what `body` throws.
  public static func read<Result: Sendable>(
    at url: URL, key: EncryptionKey? = nil, _ body: @escaping @Sendable (Realm) throws -> Result
  ) async throws -> Result {
    try await read(at: url.pathOfFile(), key: key, body)
  }
}

extension URL {
  /// The path of a file.
  ///
  /// - Throws: `RealmError` of the kind `notFound` for any other URL.
  func pathOfFile() throws(RealmError) -> String {
    guard isFileURL else { throw RealmError(path: absoluteString, StorageError.file(.missing)) }
    return path
  }
}

extension EncryptionKey {
  /// A key from a file: 64 bytes, or one of the text forms that `read(file:)` takes.
  ///
  /// - Throws: `StorageError.file` about the key's file; `KeyProblem.wrongLength`, `.malformed`.
  public static func file(_ url: URL) throws(StorageError) -> EncryptionKey {
    guard url.isFileURL else { throw StorageError.file(.missing) }
    return try read(file: url.path)
  }

  /// A key of exactly 64 bytes, as apps keep it in a keychain. They are copied; the data itself stays in memory until it is
  /// released.
  ///
  /// - Throws: `KeyProblem.wrongLength`.
  public static func data(_ data: Data) throws(StorageError) -> EncryptionKey {
    try data.withUnsafeBytes { bytes in
      Result { () throws(StorageError) in try EncryptionKey(rawBytes: bytes) }
    }.get()
  }
}
