import RealmExchange
import RealmStorage
import RealmSystem

/// The facts about a seed file that an app's build needs, and the hash that identifies it.
package struct BundleManifest: Sendable, Equatable {
  /// Bytes of the file on disk, encrypted or not.
  package let byteCount: UInt64
  /// SHA-256 of those bytes.
  package let fileDigest: Digest256
  package let isEncrypted: Bool
  package let format: UInt8
  /// Nil if no app has set one.
  package let schemaVersion: UInt64?
  /// By name, embedded ones included.
  package let classes: [ClassCount]

  /// Reads a file and its content.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - key: of an encrypted file.
  /// - Throws: `StorageError`.
  package init(ofFileAt path: String, key: EncryptionKey? = nil) throws {
    let realm = try OpenedRealm(fileAt: path, key: key)
    if let damaged = realm.snapshot.damagedTables.first { throw damaged.error }
    self.init(
      of: try StreamDigest(ofFileAt: path), isEncrypted: realm.bytes.isEncrypted, format: realm.snapshot.header.format,
      schemaVersion: realm.snapshot.schema.version, classes: try realm.classCounts())
  }

  /// What is known about a file that was written to a stream and cannot be read again.
  package init(
    of digest: StreamDigest, isEncrypted: Bool, format: UInt8, schemaVersion: UInt64?, classes: [ClassCount]
  ) {
    (byteCount, fileDigest) = (digest.byteCount, digest.finish())
    (self.isEncrypted, self.format) = (isEncrypted, format)
    (self.schemaVersion, self.classes) = (schemaVersion, classes)
  }
}
