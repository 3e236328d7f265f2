import RealmStorage

/// The facts of a seed file: what an app's build wants to know of it, and what tells that it is the same file.
public struct BundleManifest: Sendable, Equatable {
  /// A class and how many objects it has.
  public struct ClassCount: Sendable, Equatable {
    public let name: RealmString
    public let objectCount: Int

    public init(name: RealmString, objectCount: Int) {
      self.name = name
      self.objectCount = objectCount
    }
  }

  /// Bytes of the file as it lies there, encrypted or not.
  public let byteCount: UInt64
  /// SHA-256 of those bytes.
  public let fileDigest: Digest256
  public let isEncrypted: Bool
  public let format: UInt8
  /// Nil where an app never set one.
  public let schemaVersion: UInt64?
  /// By name, embedded ones included.
  public let classes: [ClassCount]

  /// Reads a file and what it holds.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - key: of an encrypted file.
  /// - Throws: `StorageError`.
  public init(ofFileAt path: String, key: EncryptionKey? = nil) throws {
    let opened = try ByteStore.open(.path(path), key: key)
    let snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    isEncrypted = opened.isEncrypted
    format = snapshot.header.format
    schemaVersion = snapshot.schema.version
    classes = try snapshot.tables.filter(\.schema.isClass)
      .map { ClassCount(name: $0.schema.displayName, objectCount: try $0.objectCount()) }
      .sorted { $0.name < $1.name }
    (fileDigest, byteCount) = try Self.digest(ofFileAt: path)
  }

  /// What is known of a file that went into a stream, and cannot be read again.
  public init(
    of digest: StreamDigest, isEncrypted: Bool, format: UInt8, schemaVersion: UInt64?, classes: [ClassCount]
  ) {
    (byteCount, fileDigest) = (digest.byteCount, digest.finish())
    (self.isEncrypted, self.format) = (isEncrypted, format)
    (self.schemaVersion, self.classes) = (schemaVersion, classes)
  }

  private static func digest(ofFileAt path: String) throws -> (Digest256, UInt64) {
    let input = try SequentialInput(path)
    var hash = SHA256()
    var byteCount: UInt64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try input.read(into: buffer), count > 0 {
      hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      byteCount += UInt64(count)
    }
    return (hash.finish(), byteCount)
  }
}

/// Bytes that pass by, counted and made a digest of.
public final class StreamDigest {
  private var hash = SHA256()
  public private(set) var byteCount: UInt64 = 0

  public init() {}

  public func add(_ bytes: UnsafeRawBufferPointer) {
    hash.add(bytes)
    byteCount += UInt64(bytes.count)
  }

  func finish() -> Digest256 { hash.finish() }
}
