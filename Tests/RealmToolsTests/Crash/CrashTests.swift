import Foundation
import RealmExchange
import RealmInspection
import RealmStorage
import TestSupport
import Testing

/// Runs that are killed before each call that would change something on the disk, in turn: each existing file is
/// unchanged or completely replaced, and the next run does the work and leaves only its result.
@Suite struct CrashTests {
  struct Scenario: Sendable, CustomStringConvertible {
    let operation: String
    /// Files by name and the fixtures they are.
    let files: [String: String]
    var description: String { operation }

    init(_ operation: String, _ files: [String: String]) { (self.operation, self.files) = (operation, files) }

    func makeFolder() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      for (name, fixture) in files { try folder.write(name, try bytes(fixture)) }
      return folder
    }

    private func bytes(_ fixture: String) throws -> [UInt8] {
      guard !fixture.contains("/") else { return try Fixture.bytes(fixture) }
      let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
      switch fixture {
      case "streaming": return tree.written(.streaming)
      case "encrypted": return try Self.encrypted(tree.written(.normal))
      default:
        // Nodes mean the same in format 23.
        tree.format = 23
        return tree.written(.normal)
      }
    }

    private static func encrypted(_ bytes: [UInt8]) throws -> [UInt8] {
      let folder = try TemporaryFolder()
      try folder.write("app.realm", bytes)
      #expect(try ChildProcess("CrashProbe", ["encrypt", "0", folder.path]).wait() == ChildProcess.Ending(status: 0))
      return try Fixture.bytes(ofFile: folder.path("out.realm"))
    }

    /// Runs the operation in a process of its own.
    func run(in folder: TemporaryFolder, killedAtCall call: Int = 0) throws -> ChildProcess.Ending {
      try ChildProcess("CrashProbe", [operation, "\(call)", folder.path]).wait()
    }
  }

  private static let scenarios = [
    Scenario(
      "compact", ["app.realm": "engine/fragmented.realm", "app.realm.tmp_compaction_space": "engine/dogs.realm"]),
    Scenario("compact-encrypted", ["app.realm": "engine/all-types-encrypted.realm"]),
    Scenario("write-copy", ["app.realm": "engine/dogs.realm", "out.realm": "engine/person-v1.realm"]),
    Scenario("encrypt", ["app.realm": "engine/dogs.realm"]),
    Scenario("bundle", ["app.realm": "engine/dogs.realm", "out.realm": "engine/person-v1.realm"]),
    Scenario("backup", ["app.realm": "engine/dogs.realm"]),
    Scenario("export", ["app.realm": "engine/dogs.realm", "out.json": "engine/person-v1.json"]),
    Scenario("export-tables", ["app.realm": "engine/dogs.realm"]),
    Scenario("export-into-folder", ["app.realm": "engine/dogs.realm", "Dog.csv": "engine/person-v1.json"]),
  ]

  /// More calls than any of the runs makes: if a run is killed at each of these, it never ends.
  private static let mostCalls = 1000

  @Test(arguments: scenarios)
  func aKilledRunLeavesTheOldOrTheNewAndTheNextOneCleansUp(_ scenario: Scenario) throws {
    let expected = try expectedFiles(of: scenario)
    var killed = 0
    while killed < Self.mostCalls {
      let folder = try scenario.makeFolder()
      let before = try FolderContent(folder).files
      let ending = try scenario.run(in: folder, killedAtCall: killed + 1)
      guard ending.signal == SIGKILL else {
        #expect(ending == ChildProcess.Ending(status: 0))
        #expect(try FolderContent(folder).withoutLocks == expected)
        break
      }
      killed += 1
      for (name, bytes) in try FolderContent(folder).withoutLocks where !name.contains(".realmctl-") {
        #expect(bytes == before[name] || bytes == expected[name], "\(name) after \(killed) calls")
      }
      #expect(try scenario.run(in: folder) == ChildProcess.Ending(status: 0))
      #expect(try FolderContent(folder).withoutLocks == expected, "after \(killed) calls")
    }
    #expect((4..<Self.mostCalls).contains(killed))
  }

  private static let changes = [
    Scenario("migrate", ["app.realm": "engine/person-v1.realm"]),
    Scenario("migrate", ["app.realm": "streaming"]),
    Scenario("migrate-encrypted", ["app.realm": "encrypted"]),
    Scenario("migrate-elsewhere", ["app.realm": "engine/person-v1.realm", "out.realm": "engine/dogs.realm"]),
    Scenario("edit", ["app.realm": "engine/person-v1.realm"]),
    Scenario("edit", ["app.realm": "streaming"]),
    Scenario("edit-appending", ["app.realm": "engine/person-v1.realm"]),
    Scenario("edit-encrypted", ["app.realm": "encrypted"]),
    Scenario("edit-compact", ["app.realm": "engine/person-v1.realm"]),
    Scenario("insert", ["app.realm": "engine/person-v1.realm"]),
    Scenario("delete-objects", ["app.realm": "engine/person-v1.realm"]),
    Scenario("delete-objects-encrypted", ["app.realm": "encrypted"]),
    Scenario("browse", ["app.realm": "engine/person-v1.realm"]),
    Scenario("browse-encrypted", ["app.realm": "encrypted"]),
    Scenario("delete", ["app.realm": "engine/person-v1.realm"]),
    Scenario("seed", ["app.realm": "engine/person-v1.realm"]),
    Scenario("migrate", ["app.realm": "older"]),
    Scenario("upgrade", ["app.realm": "older"]),
    Scenario("downgrade", ["app.realm": "engine/person-v1.realm"]),
    Scenario("downgrade-encrypted", ["app.realm": "encrypted"]),
    Scenario("downgrade-mapped", ["app.realm": "engine/dogs.realm"]),
  ]

  /// Writing in place leaves other bytes than before outside the nodes: only the content of the realm counts.
  @Test(arguments: changes)
  func aKilledChangeLeavesTheOldOrTheNewRealmWithABackup(_ scenario: Scenario) throws {
    let whole = try scenario.makeFolder()
    let before = try realms(in: whole)
    #expect(try scenario.run(in: whole) == ChildProcess.Ending(status: 0))
    let expected = try realms(in: whole)
    #expect(expected != before)
    let name = scenario.operation == "seed" ? "new.realm" : "app.realm"
    let keepsBackup = expected["kept.realm"] != nil
    if keepsBackup { #expect(expected["kept.realm"] == before["app.realm"]) }
    var killed = 0
    while killed < Self.mostCalls {
      let folder = try scenario.makeFolder()
      let ending = try scenario.run(in: folder, killedAtCall: killed + 1)
      guard ending.signal == SIGKILL else {
        #expect(ending == ChildProcess.Ending(status: 0))
        break
      }
      killed += 1
      let after = try realms(in: folder)
      for (name, content) in after where !name.contains(".realmctl-") {
        #expect(content == before[name] || content == expected[name], "\(name) after \(killed) calls")
      }
      if keepsBackup, after[name] == expected[name] { #expect(after["kept.realm"] == expected["kept.realm"]) }
      #expect(try scenario.run(in: folder) == ChildProcess.Ending(status: 0), "after \(killed) calls")
      #expect(try realms(in: folder) == expected, "after \(killed) calls")
    }
    #expect((8..<Self.mostCalls).contains(killed))
  }

  /// The content of the realms in a folder, all of which are sound. Nothing is expected of files that do not have their
  /// name yet.
  private func realms(in folder: TemporaryFolder) throws -> [String: RealmContent?] {
    var contents: [String: RealmContent?] = [:]
    for (name, bytes) in try FolderContent(folder).withoutLocks {
      contents[name] = name.contains(".realmctl-") ? .some(nil) : try RealmContent(folder.path(name), bytes)
    }
    return contents
  }

  private struct RealmContent: Equatable {
    let format: UInt8
    let schemaVersion: UInt64?
    let hash: ContentHash

    init(_ path: String, _ bytes: [UInt8]) throws {
      let isEncrypted = !bytes.dropFirst(16).starts(with: Array("T-DB".utf8))
      let key = try isEncrypted ? Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
      let opened = try ByteStore.open(.path(path), key: key)
      let snapshot = try Snapshot(of: opened.store, wasDecrypted: isEncrypted)
      var findings: [String] = []
      _ = try Checker(opened.store).run { if $0.severity != .note { findings.append($0.message) } }
      #expect(findings == [])
      (format, schemaVersion) = (snapshot.header.format, snapshot.schema.version)
      hash = try ContentHasher(snapshot).run()
    }
  }

  /// What a run leaves that is not killed; its realms are sound.
  private func expectedFiles(of scenario: Scenario) throws -> [String: [UInt8]] {
    let folder = try scenario.makeFolder()
    #expect(try scenario.run(in: folder) == ChildProcess.Ending(status: 0))
    let files = try FolderContent(folder).withoutLocks
    for name in files.keys where name.hasSuffix(".realm") {
      let isEncrypted = !(files[name] ?? []).dropFirst(16).starts(with: Array("T-DB".utf8))
      let key = try isEncrypted ? Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
      let opened = try ByteStore.open(.path(folder.path(name)), key: key)
      var findings: [String] = []
      _ = try Checker(opened.store).run { if $0.severity != .note { findings.append($0.message) } }
      #expect(findings == [])
    }
    return files
  }
}
