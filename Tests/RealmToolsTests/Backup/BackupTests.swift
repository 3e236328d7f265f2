import Foundation
import RealmOpening
import RealmSystem
import RealmTools
import TestSupport
import Testing

@testable import RealmStorage

@Suite struct BackupTests {
  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func makeBackup(of path: String, at time: Int64) throws -> String {
    let (backup, output) = try RealmBackup(of: path, before: "migrate", at: time).prepare(of: path)
    try output?.publish()
    return backup.path
  }

  @Test("a backup gets the next free name, whatever has its own") func uniqueNames() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", try Fixture.bytes("engine/dogs.realm"))
    for (name, expected) in [("kept.realm", "kept-2.realm"), (".hidden", ".hidden-2"), ("a.b.bak", "a.b-2.bak")] {
      try folder.write(name, Array("other".utf8))
      let (backup, output) = try RealmBackup(at: folder.path(name)).prepare(of: path)
      try output?.publish()
      #expect(backup.path == folder.path(expected))
      #expect(try Fixture.bytes(ofFile: backup.path) == Fixture.bytes(ofFile: path))
      #expect(try Fixture.bytes(ofFile: folder.path(name)) == Array("other".utf8))
    }
  }

  @Test("another name of the realm itself is no backup of it") func hardLink() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", try Fixture.bytes("engine/dogs.realm"))
    try #require(link(path, folder.path("kept.realm")) == 0)
    let (backup, output) = try RealmBackup(at: folder.path("kept.realm")).prepare(of: path)
    try output?.publish()
    #expect(backup.path == folder.path("kept-2.realm"))
    #expect(try Fixture.bytes(ofFile: backup.path) == Fixture.bytes(ofFile: path))
  }

  @Test("the backup of a realm behind a symbolic link is beside the file itself") func symbolicLink() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("data")
    let path = try folder.write("data/app.realm", try Fixture.bytes("engine/dogs.realm"))
    try #require(chmod(path, 0o600) == 0 && symlink("data/app.realm", folder.path("link.realm")) == 0)
    let backup = try makeBackup(of: folder.path("link.realm"), at: 0)
    #expect(backup == folder.path("data/app.pre-migrate-19700101T000000Z.realm"))
    #expect(try Fixture.bytes(ofFile: backup) == Fixture.bytes(ofFile: path))
    #expect(try SystemFileCalls().status(ofPath: backup).mode == 0o600)
  }

  @Test("two backups in one second have two names") func sameSecond() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", try Fixture.bytes("engine/dogs.realm"))
    let first = try makeBackup(of: path, at: 0)
    try folder.write("app.realm", try Fixture.bytes("engine/person-v1.realm"))
    let second = try makeBackup(of: path, at: 0)
    #expect(second == first.replacing(".realm", with: "-2.realm"))
    #expect(try Fixture.bytes(ofFile: first) == Fixture.bytes("engine/dogs.realm"))
    #expect(try Fixture.bytes(ofFile: second) == Fixture.bytes("engine/person-v1.realm"))
  }

  @Test("what a killed run left of a backup goes with the next, though its name holds another time")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", try Fixture.bytes("engine/dogs.realm"))
    let (_, output) = try RealmBackup(of: path, before: "migrate", at: 0).prepare(of: path)
    let temporary = try #require(output?.temporaryPath)
    // As a killed process leaves it: named by its process number, without the lock.
    let leftover = temporary.replacing("realmctl-\(getpid())-", with: "realmctl-999999999-")
    try #require(leftover != temporary)
    try folder.write(".other.realm.realmctl-999999999-0", [1])
    try Data([1]).write(to: URL(fileURLWithPath: leftover))
    try RealmBackup(ofDeleted: path, at: 100).make(of: path)
    // The one that is still being written stays.
    let deleted = "app.deleted-19700101T000140Z.realm"
    let unfinished = try #require(temporary.split(separator: "/").last)
    #expect(try names(folder) == [String(unfinished), ".other.realm.realmctl-999999999-0", deleted, "app.realm"])
    withExtendedLifetime(output) {}
  }
}
