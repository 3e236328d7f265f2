import Foundation
import RealmStorage
import TestSupport
import Testing

/// What is at a path is told without touching it.
@Suite struct RealmProbeTests {
  private static let key = try? Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }

  private static func kind(_ path: String, _ key: EncryptionKey? = nil) -> String {
    switch Realm.probe(at: path, key: key) {
    case .absent: "absent"
    case .empty: "empty"
    case .protected: "protected"
    case .needsKey: "needs key"
    case .wrongKey: "wrong key"
    case .inUse: "in use"
    case .damaged(let damage): damage.readable == nil ? "lost" : "damaged"
    case .notARealm: "not a realm"
    case .unsupportedFormat(let format): "format \(format)"
    case .unreadable: "unreadable"
    case .realm: "realm"
    }
  }

  @Test func `a realm is told with its facts`() throws {
    try leavingUntouched(Fixture.path("engine/dogs.realm")) { path in
      guard case .realm(let facts) = Realm.probe(at: path) else {
        Issue.record("\(Self.kind(path))")
        return
      }
      #expect(facts.fileFormat == 24 && facts.schemaVersion == 3 && !facts.isEncrypted && !facts.isSynced)
      let size = try Fixture.bytes("engine/dogs.realm").count
      #expect(facts.byteCount == UInt64(size))
      #expect(facts.classes.map(\.name) == ["Dog", "Person", "Toy"])
      #expect(facts.classes.first?.objectCount == 5)
    }
    try leavingUntouched(Fixture.path("engine/all-types-encrypted.realm")) { path in
      #expect(Self.kind(path, Self.key) == "realm")
      #expect(Self.kind(path) == "needs key")
      var bytes = Fixture.engineKey
      bytes[7] ^= 1
      let other = try bytes.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
      #expect(Self.kind(path, other) == "wrong key")
    }
  }

  @Test func `what is not a realm, or cannot be read, is not taken for nothing`() throws {
    let folder = try TemporaryFolder()
    let whole = try Fixture.bytes("engine/dogs.realm")
    var newer = whole
    newer[20] = 99
    newer[21] = 99
    try folder.write("empty", [])
    try folder.write("text", Array("text, and some more of it\n".utf8))
    try folder.write("newer.realm", newer)
    try folder.write("cut.realm", Array(whole.prefix(whole.count / 2)))
    try folder.write("other.realm", whole)
    try folder.write("other.realm.lock", [UInt8](repeating: 0, count: 100))
    try folder.write("-", whole)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "none.realm")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted()
    #expect(Self.kind(folder.path("none/none.realm")) == "absent")
    #expect(Self.kind(folder.path("text/none.realm")) == "unreadable")
    #expect(Self.kind(folder.path("other.realm/")) == "unreadable")
    #expect(Self.kind(folder.path("link")) == "unreadable")
    #expect(Self.kind(folder.path("empty")) == "empty")
    #expect(Self.kind(folder.path("text")) == "not a realm")
    #expect(Self.kind(folder.path(".")) == "not a realm")
    #expect(Self.kind("/dev/null") == "not a realm")
    #expect(Self.kind(folder.path("other.realm.lock")) == "not a realm")
    #expect(Self.kind(folder.path("newer.realm")) == "format 99")
    #expect(Self.kind(folder.path("cut.realm")) == "lost")
    #expect(Self.kind(folder.path("other.realm"), Self.key) == "wrong key")
    #expect(Self.kind(folder.path("-")) == "realm")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted() == before)
    #expect(try Fixture.bytes(ofFile: folder.path("other.realm")) == whole)
  }

  @Test func `the classes that are left are named`() throws {
    let folder = try TemporaryFolder()
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    try tree.table("class_Dog").spec.elements[0] = .raw(1)
    try folder.write("damaged.realm", tree.written(.normal))
    guard case .damaged(let damage) = Realm.probe(at: folder.path("damaged.realm")) else {
      Issue.record("\(Self.kind(folder.path("damaged.realm")))")
      return
    }
    #expect(damage.error.kind == .damaged)
    #expect(damage.readable?.classes.map(\.name) == ["Person", "Toy"])
  }

  @Test func `a realm that others have open is in use`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let app = try ChildProcess("StorageProbe", ["hold", path])
    #expect(app.read(until: "held\n") == "held\n")
    guard case .inUse(let facts) = Realm.probe(at: path) else {
      Issue.record("\(Self.kind(path))")
      return
    }
    #expect(facts.classes.count == 3)
    guard case .processes(let users) = facts.users else { return }
    #expect(users.map(\.processID) == [app.processID])
  }

  @Test(.enabled(if: getuid() == 0)) func `a protected file is not absent`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path("."))
    // As another user, since the administrator may read everything.
    let other = try ChildProcess("StorageProbe", ["probe-as-other", path])
    #expect(other.read(until: "\n") == "protected, system\n")
  }
}
