import RealmStorage
import TestSupport
import Testing

/// Deleting a realm with its side files.
@Suite struct RealmDeletionTests {
  @Test(arguments: ["dogs", "all-types-encrypted"])
  func `a realm goes with the files of engines, and nothing else does`(_ fixture: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/\(fixture).realm"))
    let key = fixture == "dogs" ? nil : try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    try Realm.write(at: path, key: key) { tx in
      try tx.objects(tx.schema.classes[0].displayName.description).delete()
    }
    for name in ["app.realm.log", "app.realm.txt", "app.realm2"] { try folder.write(name, [1]) }
    let deleted = try Realm.delete(at: path)
    #expect(deleted.contains(path) && deleted.contains(path + ".lock"))
    #expect(try folder.names() == ["app.realm.txt", "app.realm2"])
    #expect(try Realm.delete(at: path) == [])
  }

  @Test func `a realm in use, and what is not a realm, stay`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    do {
      let file = try RealmFile.open(at: path)
      let error = #expect(throws: RealmError.self) { try Realm.delete(at: path) }
      #expect(error?.kind == .inUse)
      try file.write { _ = try $0.objects("Dog").delete() }
    }
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).faults == [])
    let other = try folder.write("notes.txt", Array("not a realm at all, but long enough to have a header".utf8))
    #expect(throws: RealmError.self) { try Realm.delete(at: other) }
    #expect(throws: RealmError.self) { try Realm.delete(at: folder.path("")) }
    #expect(try folder.names().contains("notes.txt"))
    // A damaged one can be deleted.
    try folder.write("app.realm", Fixture.bytes("engine/dogs.realm").prefix(1000) + [])
    #expect(try Realm.delete(at: path).contains(path))
  }
}
