import Foundation
import RealmInspection
import RealmStorage
import TestSupport
import Testing

/// A realm that a command left behind: undamaged according to the checker, whatever its content.
struct LeftRealm {
  let bytes: [UInt8]
  let snapshot: Snapshot

  init(_ path: String, key: [UInt8]? = nil) throws {
    try self.init(Fixture.bytes(ofFile: path), key: key, path: path)
  }

  /// What went to standard output.
  init(output: [UInt8], key: [UInt8]? = nil) throws {
    let folder = try TemporaryFolder()
    try self.init(output, key: key, path: try folder.write("a.realm", output))
  }

  private init(_ bytes: [UInt8], key: [UInt8]?, path: String) throws {
    self.bytes = bytes
    let key = try key.map { try $0.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } }
    let opened = try ByteStore.open(.path(path), key: key)
    var findings: [String] = []
    _ = try Checker(opened.store).run { if $0.severity != .note { findings.append($0.message) } }
    #expect(findings == [])
    #expect(opened.isEncrypted == (key != nil))
    snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  }

  var classNames: [String] { snapshot.schema.classes.map(\.displayName.description).sorted() }
}
