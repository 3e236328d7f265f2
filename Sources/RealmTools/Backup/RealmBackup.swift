import RealmStorage
import RealmText

/// A byte-for-byte copy of a realm, made before something is done to it.
public struct RealmBackup: Hashable, Sendable {
  public let path: String

  /// - Parameter path: where it goes; nothing may be there.
  public init(at path: String) { self.path = path }

  /// A backup beside the realm: `app.pre-migrate-20240102T030405Z.realm`. No name that SDKs restore or remove
  /// (`*.v<digits>.backup.realm`) comes out.
  ///
  /// - Parameters:
  ///   - operation: what is done, in a word.
  ///   - time: seconds since 1970.
  public init(of realm: String, before operation: String, at time: Int64) {
    let ending = ".realm"
    let stem = realm.hasSuffix(ending) ? String(realm.dropLast(ending.count)) : realm
    path = "\(stem).pre-\(operation)-\(Self.text(ofTime: time)).realm"
  }

  /// What is kept of a realm that is deleted: `app.deleted-20240102T030405Z.realm`.
  ///
  /// - Parameter time: seconds since 1970.
  public init(ofDeleted realm: String, at time: Int64) {
    let ending = ".realm"
    let stem = realm.hasSuffix(ending) ? String(realm.dropLast(ending.count)) : realm
    path = "\(stem).deleted-\(Self.text(ofTime: time)).realm"
  }

  /// Takes the backup away again, where nothing was done after all.
  public func remove() { try? FileBackend.calls.unlink(path) }

  /// `20240102T030405Z`
  private static func text(ofTime secondsSince1970: Int64) -> String {
    TextBuffer.string { $0.appendISODate(Timestamp(seconds: secondsSince1970, nanoseconds: 0)) }
      .filter { $0 != "-" && $0 != ":" }
  }

  /// Copies the file, with owner, permissions and extended attributes, and compares the copy with it. A file of that
  /// name that holds the same already, as a run that was killed may have left it, is as good; it need not be the same
  /// where no node is.
  ///
  /// - Parameter key: of the realm.
  /// - Throws: `StorageError.file` where the realm cannot be read, `OutputError`, `BackupError`.
  public func make(of realm: String, key: EncryptionKey? = nil) throws { try prepare(of: realm, key: key)?.publish() }

  /// As `make`, but the backup has no name until the result is published: for work that may yet fail or be interrupted,
  /// and then leaves none.
  ///
  /// - Returns: nil where there is such a file already.
  public func prepare(of realm: String, key: EncryptionKey? = nil) throws -> SafeOutput? {
    let size = try Self.forEachBlock(of: realm) { _ in }
    let output: SafeOutput
    do throws(OutputError) {
      output = try SafeOutput(
        at: path, replacing: .never, inputs: [realm], resembling: realm, expectedByteCount: size)
    } catch {
      guard case .exists = error, try Self.isEqual(path, realm) || Self.holdsSameNodes(path, realm, key) else {
        throw error
      }
      return nil
    }
    try Self.forEachBlock(of: realm) { try output.write($0) }
    try output.close()
    guard let temporary = output.temporaryPath, try Self.isEqual(temporary, realm) else {
      throw BackupError.different(path: path)
    }
    return output
  }

  // MARK: Bytes

  private static let blockSize = 1 << 20

  /// - Returns: bytes of the file.
  @discardableResult
  private static func forEachBlock(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> UInt64 {
    let input = try SequentialInput(path)
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
    defer { block.deallocate() }
    var total: UInt64 = 0
    while true {
      let count = try input.read(into: block)
      guard count > 0 else { return total }
      total += UInt64(count)
      try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
  }

  private static func isEqual(_ path: String, _ other: String) throws -> Bool {
    try digest(of: path) == digest(of: other)
  }

  private static func holdsSameNodes(_ path: String, _ other: String, _ key: EncryptionKey?) -> Bool {
    func snapshot(_ path: String) throws -> Snapshot {
      let opened = try ByteStore.open(.path(path), key: key)
      return try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    }
    // What is no realm that can be read is not the same.
    return (try? snapshot(path).hasSameNodes(as: snapshot(other))) ?? false
  }

  private static func digest(of path: String) throws -> Digest256 {
    var digest = SHA256()
    try forEachBlock(of: path) { digest.add($0) }
    return digest.finish()
  }
}

/// Why there is no backup.
public enum BackupError: Error, Hashable, Sendable {
  /// What was written is not what was read.
  case different(path: String)
}
