import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

/// What `rm` removes. Oracle: Realm Core 14.14.0 makes a pipe `.note` (`create_fifo` refuses any other file), and in
/// `.management` only `access_control.*.mx`, `access_control.*.cv` and `lock.fifo` (db.cpp, interprocess_condvar.cpp).
@Suite struct RealmRemovalTests {
  private static let engineNames = [
    "access_control.control.mx", "access_control.new_commit.cv", "access_control.write.mx", "lock.fifo",
  ]

  /// A realm with everything that an engine puts next to it.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/dogs.realm"))
    for name in ["app.realm.lock", "app.realm.log", "other.realm"] { try folder.write(name, []) }
    try #require(mkfifo(folder.path("app.realm.note"), 0o600) == 0)
    try folder.makeFolder("app.realm.management")
    for name in Self.engineNames { try folder.write("app.realm.management/" + name, []) }
    return folder
  }

  private func removal(_ folder: TemporaryFolder) throws -> RealmRemoval {
    let path = folder.path("app.realm")
    let identity = try FileBackend.calls.status(ofPath: path).identity
    return try RealmRemoval(of: path, read: identity, includesBackups: false)
  }

  private func all(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("all that engines make goes, each path is told, the realm after everything but the lock") func whole() throws {
    let folder = try folder()
    let before = Set(try all(folder))
    let removal = try removal(folder)
    #expect(try Set(all(folder)) == before)
    try removal.remove(waitingMilliseconds: 0)
    #expect(try all(folder) == ["other.realm"])
    #expect(removal.removed == removal.paths && removal.strangers == [])
    #expect(removal.paths.suffix(2) == [folder.path("app.realm"), folder.path("app.realm.lock")])
    #expect(
      Set(removal.paths.map { String($0.dropFirst(folder.path.count + 1)) }) == before.subtracting(["other.realm"]))
  }

  @Test(
    "a link goes, and what it points to stays", arguments: ["app.realm.management", "app.realm.note", "app.realm.log"])
  func links(_ name: String) throws {
    let (folder, documents) = (try folder(), try TemporaryFolder())
    try documents.write("thesis", [1])
    try documents.write("lock.fifo", [1])
    try FileManager.default.removeItem(atPath: folder.path(name))
    try #require(symlink(documents.path, folder.path(name)) == 0)
    try removal(folder).remove(waitingMilliseconds: 0)
    #expect(try all(folder) == ["other.realm"])
    #expect(try documents.names() == ["lock.fifo", "thesis"])
  }

  @Test("what no engine makes stays, whatever its name") func strangers() throws {
    let folder = try folder()
    for name in ["app.realm.note", "app.realm.log"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    try folder.write("app.realm.note", [1])
    try folder.makeFolder("app.realm.log")
    try folder.write("app.realm.management/notes.txt", [1])
    try folder.makeFolder("app.realm.management/access_control.x.mx")
    let removal = try removal(folder)
    try removal.remove(waitingMilliseconds: 0)
    #expect(
      try all(folder) == [
        "app.realm.log", "app.realm.management", "app.realm.management/access_control.x.mx",
        "app.realm.management/notes.txt", "app.realm.note", "other.realm",
      ])
    #expect(
      removal.strangers == [
        .init(path: folder.path("app.realm.log"), problem: .notAFile),
        .init(path: folder.path("app.realm.management"), problem: .holdsOthers(2)),
        .init(path: folder.path("app.realm.note"), problem: .notAPipe),
      ])
  }

  @Test("names that only look the same are those of other realms") func names() throws {
    let folder = try TemporaryFolder()
    let (composed, decomposed) = ("caf\u{e9}.realm", "cafe\u{301}.realm")
    for name in [composed, decomposed] {
      try folder.write(name, try Fixture.bytes("engine/dogs.realm"))
      try #require(mkfifo(folder.path(name + ".note"), 0o600) == 0)
    }
    let path = folder.path(composed)
    let identity = try FileBackend.calls.status(ofPath: path).identity
    // On Apple, both may be one file.
    guard try FileBackend.calls.status(ofPath: folder.path(decomposed)).identity != identity else { return }
    try RealmRemoval(of: path, read: identity, includesBackups: true).remove(waitingMilliseconds: 0)
    #expect(
      try Set(all(folder).map { Array($0.utf8) }) == Set([decomposed, decomposed + ".note"].map { Array($0.utf8) }))
  }

  @Test("after a swap nothing is removed", arguments: ["management", "note", "realm", "folder", "inside"])
  func swaps(_ what: String) throws {
    let (parent, victim) = (try folder(), try folder())
    let removal = try removal(parent)
    let swapped = parent.path(what == "realm" ? "app.realm" : "app.realm." + what)
    switch what {
    case "folder":
      let moved = try TemporaryFolder()
      try #require(rename(parent.path, moved.path("kept")) == 0)
      try #require(symlink(victim.path, parent.path) == 0)
      let before = try all(victim)
      #expect(throws: OutputError.self) { try removal.remove(waitingMilliseconds: 0) }
      #expect(try all(victim) == before && removal.removed == [])
      return
    case "inside":
      // Not looked at when it was asked for, so it stays, and with it its folder.
      try parent.write("app.realm.management/thesis", [1])
      #expect(throws: OutputError.self) { try removal.remove(waitingMilliseconds: 0) }
      #expect(try all(parent).contains("app.realm.management/thesis") && all(parent).contains("app.realm"))
      return
    default:
      try #require(rename(swapped, parent.path("moved")) == 0)
      try #require(symlink(victim.path(what == "realm" ? "app.realm" : "app.realm." + what), swapped) == 0)
    }
    let (before, others) = (try all(parent), try all(victim))
    #expect(throws: OutputError.changedMeanwhile(path: swapped)) { try removal.remove(waitingMilliseconds: 0) }
    #expect(try all(parent) == before && all(victim) == others && removal.removed == [])
  }

  @Test("whatever fails, what is gone is told, and the realm stays as long as anything of it does")
  func faults() throws {
    var call = 0
    var calls: FailingCalls
    repeat {
      call += 1
      let folder = try folder()
      let before = try Set(all(folder))
      calls = FailingCalls(.inputOutputError, atCall: call)
      var removed: [String] = []
      FileBackend.$calls.withValue(calls) {
        guard let removal = try? removal(folder) else { return }
        try? removal.remove(waitingMilliseconds: 0)
        removed = removal.removed.map { String($0.dropFirst(folder.path.count + 1)) }
      }
      let after = try Set(all(folder))
      #expect(before.subtracting(after) == Set(removed), "call \(call)")
      #expect(after.contains("app.realm") || after.isSubset(of: ["app.realm.lock", "other.realm"]), "call \(call)")
      #expect(calls.openDescriptors == 0)
    } while calls.hasFailed
    #expect(call > 10)
  }
}
