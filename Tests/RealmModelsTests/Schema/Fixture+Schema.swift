import RealmStorage
import TestSupport

extension Fixture {
  /// The schema of a realm; one whose name says so is opened with the fixtures' key.
  static func schema(ofRealm path: String) throws -> Schema {
    let key = try path.contains("encrypted") ? engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
    let opened = try ByteStore.open(.path(path), key: key)
    return try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted).schema
  }
}
