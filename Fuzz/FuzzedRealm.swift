import Foundation
import RealmExchange
import RealmInspection
import RealmStorage
import RealmSystem

/// A file in memory that is written to, and what must hold for it.
struct FuzzedRealm {
  /// No file with this name is created: all calls go to memory.
  let path: String
  let key: EncryptionKey?
  private let files = MemoryFiles(.scratch)

  init(_ bytes: [UInt8], key: EncryptionKey?) throws {
    (path, self.key) = (NSTemporaryDirectory() + "realm-fuzz.realm", key)
    try files.add(path, bytes)
  }

  /// Puts a lock file next to it, as after an app has opened the realm: a run that creates and removes one has to wait.
  func addLockFile() throws { try files.add(path + ".lock", []) }

  /// Puts another file next to it.
  func add(_ path: String, _ bytes: [UInt8]) throws { try files.add(path, bytes) }

  /// The key of every encrypted input: the 64 bytes 00 01 02 … 3f.
  static func key() throws -> EncryptionKey {
    try Array<UInt8>(0..<64).withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  }

  /// The encrypted file with these bytes as plaintext.
  static func encrypted(_ plaintext: [UInt8]) throws -> [UInt8] {
    let pages = plaintext + [UInt8](repeating: 0, count: (4096 - plaintext.count % 4096) % 4096)
    let writer = try EncryptedBlockWriter(key: key())
    var bytes: [UInt8] = []
    try pages.withUnsafeBytes { pages in
      let size = EncryptedBlockWriter.plaintextSize
      for block in 0..<(pages.count + size - 1) / size {
        let part = UnsafeRawBufferPointer(rebasing: pages[block * size..<min((block + 1) * size, pages.count)])
        bytes.append(contentsOf: try writer.encrypt(part, block: UInt64(block)).0)
      }
    }
    return bytes
  }

  /// Runs `body` with all files in memory.
  func use<Result>(_ body: () throws -> Result) rethrows -> Result {
    try FileBackend.$calls.withValue(files) { try body() }
  }

  // MARK: Looking

  func open(_ path: String? = nil) throws -> (store: ByteStore, snapshot: Snapshot) {
    let opened = try ByteStore.open(.path(path ?? self.path), key: key)
    return (opened.store, try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted))
  }

  /// All bytes, encrypted as they are.
  func bytes() throws -> [UInt8] {
    let input = try SequentialInput(path)
    var bytes: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { block.deallocate() }
    while case let count = try input.read(into: block), count > 0 { bytes.append(contentsOf: block[..<count]) }
    return bytes
  }

  /// What the checker finds; nil if it cannot even begin, or a table cannot be read.
  func condition(_ path: String? = nil) -> Condition? {
    guard let (store, snapshot) = try? open(path), snapshot.damagedTables.isEmpty else { return nil }
    var errors: [Finding] = []
    // Whether primary keys are equal is for the caller to check, not for the transaction.
    guard
      let summary = try? Checker(store).run({ finding in
        if finding.severity == .error, finding.kind != .primaryKeyDuplicate { errors.append(finding) }
      })
    else { return nil }
    return Condition(errors: errors, objectCount: summary.objects)
  }

  struct Condition {
    let errors: [Finding]
    let objectCount: Int

    var isSound: Bool { errors.isEmpty }
    var firstError: String { errors.first.map { "\($0.kind.rawValue): \($0.message)" } ?? "none" }

    /// Whether the list of free space can be trusted: what it calls free may be overwritten.
    var knowsItsFreeSpace: Bool {
      !errors.contains { error in
        let kind = error.kind.rawValue
        return kind.hasPrefix("free-list.") || kind.hasPrefix("node.") || kind.hasPrefix("top.")
      }
    }
  }

  /// Digests of the classes by name; nil if not all of the content can be read.
  func classDigests() -> [RealmString: ContentHash.ClassDigest]? {
    contentHash().map { Dictionary($0.classes.map { ($0.name, $0) }) { first, _ in first } }
  }

  /// The content; nil if not all of it can be read.
  func contentHash() -> ContentHash? {
    guard let (_, snapshot) = try? open() else { return nil }
    return try? ContentHasher(snapshot).run()
  }
}

/// Something happened that must not happen.
struct Violation: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
