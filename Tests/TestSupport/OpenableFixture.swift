import Foundation
import RealmStorage

/// A realm that the library opens: those of the project, and those of the corpus if there is one.
package struct OpenableFixture: Sendable, CustomStringConvertible {
  package let path: String
  package let key: [UInt8]?

  package var name: String { URL(fileURLWithPath: path).lastPathComponent }
  package var description: String { name }

  package func encryptionKey() throws -> EncryptionKey? {
    try key.map { try $0.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } }
  }

  package func opened() throws -> Snapshot {
    let bytes = try ByteStore.open(.path(path), key: encryptionKey())
    return try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
  }

  /// All of them. Files that cannot be opened are left out: other tests check the messages about them.
  package static let all: [OpenableFixture] = (Fixture.all(in: "engine") + Fixture.all(in: "real")).compactMap { path in
    let keys: [[UInt8]?] = [nil, Fixture.engineKey, Fixture.PublishedKey.k1, Fixture.PublishedKey.k2]
    return keys.map { OpenableFixture(path: path, key: $0) }.first { (try? $0.opened()) != nil }
  }

  /// A realm of the project, by its name without folder and extension.
  package static func named(_ name: String) -> OpenableFixture {
    OpenableFixture(
      path: Fixture.path("engine/\(name).realm"), key: name.contains("encrypted") ? Fixture.engineKey : nil)
  }
}
