import Foundation
import RealmStorage
import RealmSystem
import TestSupport
import Testing

@testable import LeaveRealm

/// A store with transactions: what is done in one is there as a whole, or not at all.
final class FakeTarget {
  struct State: Equatable {
    var rows: [String: [Int64: [Value]]] = [:]
    var checkpoint: String?
    var insertions = 0
  }
  private(set) var state = State()
  var commits = 0

  func transaction(_ body: (inout State) throws -> Void) throws {
    var next = state
    try body(&next)
    state = next
    commits += 1
  }
}

struct Killed: Error {}

/// Copying with private copies, checkpoints and accounts.
@Suite struct LeaveRealmTests {
  /// A folder with a copy of a fixture named `app.realm`, with the files of an SDK next to it.
  static func folder(_ fixture: String = "engine/dogs.realm") throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    return (folder, try folder.write("app.realm", Fixture.bytes(fixture)))
  }

  static func copy(
    _ path: String, key: EncryptionKey? = nil, to target: FakeTarget, batch: Int = 2, dyingAt death: Int = .max
  ) throws -> LeaveAccount {
    var statements = 0
    func statement() throws {
      statements += 1
      if statements == death { throw Killed() }
    }
    let run = try LeaveRealm(from: path, key: key) { target.state.checkpoint }
    for name in run.realm.schema.classes where name.kind != .embedded {
      try run.copy(name.displayName.description, batch: batch) { objects, checkpoint in
        try statement()
        try target.transaction { state in
          for object in objects {
            try statement()
            state.insertions += 1
            #expect(state.rows[name.displayName.description]?[object.key.rawValue] == nil)
            state.rows[name.displayName.description, default: [:]][object.key.rawValue] = object.values
          }
          try statement()
          state.checkpoint = checkpoint.text
          try statement()
        }
        try statement()
      }
    }
    let account = try run.finish { checkpoint in try target.transaction { $0.checkpoint = checkpoint.text } }
    try statement()
    return account
  }

  @Test("everything is copied, and the source is not touched") func all() throws {
    let (folder, path) = try Self.folder()
    let before = try FolderContent(folder)
    let target = FakeTarget()
    let account = try Self.copy(path, to: target)
    #expect(account.isComplete)
    #expect(account["Dog"]?.writtenCount == 5)
    #expect(account["Dog"]?.description == "Dog: 5 written")
    #expect(target.state.rows["Dog"]?.count == 5)
    #expect(target.state.rows["Person"]?.count == 3)
    #expect(LeaveCheckpoint.isFinished(target.state.checkpoint ?? ""))
    try FileManager.default.removeItem(atPath: path + ".leaving")
    #expect(try FolderContent(folder) == before)
    // A second run has nothing to do.
    let (state, commits) = (target.state, target.commits)
    #expect(try Self.copy(path, to: target).isComplete)
    #expect(target.state == state)
    #expect(target.commits == commits)
  }

  @Test("killed at any statement and run again, the target is the same", arguments: [1, 2, 3, 500])
  func repetition(batch: Int) throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    let whole = FakeTarget()
    _ = try Self.copy(path, to: whole, batch: batch)
    var death = 1
    while true {
      let target = FakeTarget()
      do {
        _ = try Self.copy(path, to: target, batch: batch, dyingAt: death)
        #expect(target.state == whole.state)
        break
      } catch {
        #expect((error as? LeaveError)?.kind == .target || error is Killed)
      }
      _ = try Self.copy(path, to: target, batch: batch)
      #expect(target.state == whole.state)
      // Also if every run is killed a little later.
      let other = FakeTarget()
      for later in 1...death { _ = try? Self.copy(path, to: other, batch: batch, dyingAt: later) }
      _ = try Self.copy(path, to: other, batch: batch)
      #expect(other.state == whole.state)
      death += 1
    }
    #expect(death > 10)
  }

  @Test("every readable fixture is copied completely") func fixtures() throws {
    var formats: Set<UInt8> = []
    var count = 0
    for path in Fixture.all(in: "engine") + Fixture.all(in: "real") {
      let folder = try TemporaryFolder()
      let name = try folder.write("a.realm", Fixture.bytes(ofFile: path))
      let key: EncryptionKey? =
        path.contains("engine") && path.contains("encrypted")
        ? try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
      // What cannot be opened at all says why, and never that there is nothing.
      guard (try? ByteStore.open(.path(name), key: key)).flatMap({ try? Snapshot(of: $0.store) }) != nil else {
        let error = #expect(throws: LeaveError.self) { try LeaveRealm(from: name, key: key) { nil } }
        #expect(error?.kind != .absent)
        continue
      }
      let target = FakeTarget()
      let account = try? Self.copy(name, key: key, to: target, batch: 500)
      guard let account else { continue }
      #expect(account.isComplete, "\(path): \(account)")
      formats.insert(try LeaveRealm(from: name, key: key) { nil }.realm.fileFormat)
      count += 1
    }
    #expect(count >= 18)
    if Fixture.corpus != nil { #expect(formats.isSuperset(of: [2, 5, 9, 10, 11, 20, 22, 23, 24])) }
  }

  // MARK: Outcomes

  private func kind(_ path: String, key: [UInt8]? = nil, after checkpoint: String? = nil) throws -> LeaveError.Kind? {
    let key = try key.map { try $0.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } }
    do throws(LeaveError) {
      _ = try LeaveRealm(from: path, key: key) { checkpoint }
      return nil
    } catch { return error.kind }
  }

  @Test("what cannot be opened is never taken for nothing") func outcomes() throws {
    let folder = try TemporaryFolder()
    #expect(try kind(folder.path("none.realm")) == .absent)
    #expect(try kind(folder.path("no/none.realm")) == .absent)
    #expect(try folder.names() == [])
    symlink("none.realm", folder.path("dangling.realm"))
    symlink("loop.realm", folder.path("loop.realm"))
    #expect(try kind(folder.path("dangling.realm")) == .system)
    #expect(try kind(folder.path("loop.realm")) == .system)
    #expect(try folder.names() == ["dangling.realm", "loop.realm"])
    #expect(try kind(folder.write("empty.realm", [])) == .empty)
    #expect(try kind(folder.write("text.realm", Array("hello, this is not a realm at all".utf8))) == .notARealm)
    let secret = try folder.write("secret.realm", Fixture.bytes("engine/all-types-encrypted.realm"))
    #expect(try kind(secret) == .needsKey)
    #expect(try kind(secret, key: Array(repeating: 7, count: 64)) == .wrongKey)
    #expect(try kind(secret, key: Fixture.engineKey) == nil)
    let dogs = try folder.write("dogs.realm", Fixture.bytes("engine/dogs.realm"))
    #expect(try kind(dogs, key: Fixture.engineKey) == .notEncrypted)
    #expect(try kind(dogs, after: "done") == .checkpoint)
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(24..<bytes.count, with: repeatElement(0xff, count: bytes.count - 24))
    #expect([.damaged, .notARealm].contains(try kind(folder.write("damaged.realm", bytes))))
    #expect(try kind(folder.path) == .system)
    if getuid() != 0 {
      chmod(dogs, 0)
      #expect(try kind(dogs) == .protected)
    }
  }

  @Test("the copy is private, encrypted if the realm is, and leaves nothing behind") func clone() throws {
    let (folder, path) = try Self.folder("engine/all-types-encrypted.realm")
    try folder.makeFolder("tmp")
    let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    let run = try LeaveRealm(from: path, key: key, temporaryFolder: folder.path("tmp")) { nil }
    #expect(run.realm.isEncrypted)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
    // The source may go.
    try FileManager.default.removeItem(atPath: path)
    var count = 0
    try run.copy("AllTypes") { objects, checkpoint in
      count += objects.count
      _ = checkpoint.text
    }
    #expect(count > 0)
  }

  @Test("what a killed run has left of its copy is removed by the next") func leftovers() throws {
    let (folder, path) = try Self.folder()
    let place = folder.path("tmp/leave-realm-\(getuid())")
    try folder.makeFolder("tmp")
    mkdir(place, 0o700)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: place + "/.clone.realmctl-99999999-0"))
    _ = try LeaveRealm(from: path, temporaryFolder: folder.path("tmp")) { nil }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")) == [])
    // A folder that others may enter is not used.
    mkdir(place, 0o777)
    chmod(place, 0o777)
    _ = try LeaveRealm(from: path, temporaryFolder: folder.path("tmp")) { nil }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [])
  }

  @Test("two runs keep each other away") func exclusion() throws {
    let (folder, path) = try Self.folder()
    let first = try LeaveRealm(from: path) { nil }
    #expect(try kind(path) == .running)
    symlink(path, folder.path("other.realm"))
    #expect(try kind(folder.path("other.realm")) == .running)
    withExtendedLifetime(first) {}
  }

  @Test("the checkpoint is asked for under the lock") func checkpointUnderLock() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    _ = try LeaveRealm(from: path) { () throws -> String? in
      #expect(try self.kind(path) == .running)
      return nil
    }
    let error = #expect(throws: LeaveError.self) { try LeaveRealm(from: path) { throw Killed() } }
    #expect(error?.kind == .target)
    #expect(error?.cause is Killed)
    #expect(try kind(path) == nil)
  }

  @Test("a realm that was written to is another one") func changed() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    let target = FakeTarget()
    #expect(throws: LeaveError.self) { try Self.copy(path, to: target, dyingAt: 9) }
    #expect(target.state.checkpoint != nil)
    try FileManager.default.removeItem(atPath: path)
    try Data(Fixture.bytes("engine/todo.realm")).write(to: URL(fileURLWithPath: path))
    #expect(try kind(path, after: target.state.checkpoint) == .changed)
  }

  @Test("a realm with the same header is another one") func changedValue() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    let target = FakeTarget()
    #expect(throws: LeaveError.self) { try Self.copy(path, to: target, dyingAt: 9) }
    var run: LeaveRealm? = try LeaveRealm(from: path) { nil }
    try run?.finish(leavingOut: ["Dog", "Person", "Toy"]) { _ = $0.text }
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let place = try #require(bytes.firstRange(of: Array("Fido".utf8)))
    bytes.replaceSubrange(place, with: Array("Rolf".utf8))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect((#expect(throws: LeaveError.self) { try run?.archive() })?.kind == .changed)
    run = nil
    #expect(try kind(path, after: target.state.checkpoint) == .changed)
  }

  @Test("a checkpoint that is not stored is noticed") func forgotten() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    let error = #expect(throws: LeaveError.self) { try run.copy("Dog") { _, _ in } }
    #expect(error?.kind == .checkpoint)
    let names = #expect(throws: LeaveError.self) { try run.copy("Cat") { _, _ in } }
    #expect(names?.kind == .name)
    #expect(names?.description.contains("Dog") == true)
  }

  @Test("what the client skips is in the account, across runs") func skipped() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    var text: String?
    do {
      let run = try LeaveRealm(from: path) { nil }
      var batches = 0
      try? run.copy("Dog", batch: 2) { _, checkpoint in
        batches += 1
        if batches == 2 { throw Killed() }
        checkpoint.skip(at: 1, because: "duplicate")
        text = checkpoint.text
      }
    }
    let run = try LeaveRealm(from: path) { text }
    try run.copy("Dog", batch: 2) { _, checkpoint in text = checkpoint.text }
    let dogs = run.account["Dog"]
    #expect(dogs?.skippedCount == 1)
    #expect(dogs?.skipped.map(\.reason) == ["duplicate"])
    #expect(dogs?.writtenCount == 4)
    #expect(dogs?.isComplete == true)
    let late = #expect(throws: LeaveError.self) {
      try run.copy("Person") { _, checkpoint in
        _ = checkpoint.text
        checkpoint.skip(at: 0, because: "too late")
      }
    }
    #expect(late?.kind == .checkpoint)
  }

  @Test("a class that was forgotten keeps a run from finishing") func unfinished() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    try run.copy("Dog") { _, checkpoint in _ = checkpoint.text }
    let error = #expect(throws: LeaveError.self) { try run.finish { _ = $0.text } }
    #expect(error?.kind == .unfinished)
    #expect(error?.description.contains("Person") == true)
    #expect((#expect(throws: LeaveError.self) { try run.archive() })?.kind == .unfinished)
    try run.finish(leavingOut: ["Person", "Toy"]) { _ = $0.text }
    #expect(run.isFinished)
  }

  @Test("a class is not copied while another one is") func nested() throws {
    let (folder, path) = try Self.folder()
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    var refusal: LeaveError?
    try run.copy("Dog") { _, checkpoint in
      do throws(LeaveError) { try run.copy("Dog") { _, _ in } } catch { refusal = error }
      _ = checkpoint.text
    }
    #expect(refusal?.kind == .running)
    try run.copy("Person") { _, checkpoint in _ = checkpoint.text }
  }
}
