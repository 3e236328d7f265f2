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
  /// A key from a file: 64 bytes, or one of the text forms that `init(file:)` takes.
  ///
  /// - Throws: as `init(file:)`; of the kind `notFound` if it is not the URL of a file.
  public static func file(_ url: URL) throws(RealmError) -> EncryptionKey { try EncryptionKey(file: url.pathOfFile()) }

  /// A key of exactly 64 bytes, as apps keep it in a keychain. They are copied; the data itself stays in memory until it is
  /// released.
  ///
  /// - Throws: of the kind `key` for another length.
  public static func data(_ data: Data) throws(RealmError) -> EncryptionKey {
    try data.withUnsafeBytes { bytes in Result { () throws(RealmError) in try EncryptionKey(rawBytes: bytes) } }.get()
  }
}

extension Realm {
  /// As `probe(at:key:)` of a path. A URL that is not of a file is `unreadable`.
  public static func probe(at url: URL, key: EncryptionKey? = nil) -> RealmProbe {
    do throws(RealmError) { return probe(at: try url.pathOfFile(), key: key) } catch { return .unreadable(error) }
  }

  /// As `write(at:key:waitingMilliseconds:_:)` of a path.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file; what `changes` throws.
  @discardableResult
  public static func write<Result>(
    at url: URL, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0,
    _ changes: (borrowing RealmTransaction) throws -> Result
  ) throws -> Result {
    try write(at: url.pathOfFile(), key: key, waitingMilliseconds: waitingMilliseconds, changes)
  }

  /// As `write(at:key:waitingMilliseconds:_:)` of a path, on a thread of its own.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file; what `changes` throws.
  @discardableResult
  public static func write<Result: Sendable>(
    at url: URL, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0,
    _ changes: @escaping @Sendable (borrowing RealmTransaction) throws -> Result
  ) async throws -> Result {
    try await write(at: url.pathOfFile(), key: key, waitingMilliseconds: waitingMilliseconds, changes)
  }

  /// As `delete(at:waitingMilliseconds:)` of a path.
  ///
  /// - Throws: `RealmError`, of the kind `notFound` if it is not the URL of a file.
  @discardableResult
  public static func delete(at url: URL, waitingMilliseconds: UInt64 = 0) throws(RealmError) -> [String] {
    try delete(at: url.pathOfFile(), waitingMilliseconds: waitingMilliseconds)
  }
}
