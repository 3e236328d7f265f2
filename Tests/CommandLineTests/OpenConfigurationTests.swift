import Foundation
import RealmStorage
import TestSupport
import Testing

@Suite("realmctl open with a configuration") struct OpenConfigurationTests {
  static func folder(_ fixture: String = "person-v1", name: String = "app.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write(name, try Fixture.bytes("engine/\(fixture).realm"))
    return folder
  }

  // MARK: Options that mean nothing

  @Test(
    "options that exclude each other are a usage error in the SDKs' words, word for word",
    arguments: [
      (
        ["--schema", "s.json", "--read-only", "--delete-if-migration-needed"],
        "Cannot set `readOnly` when `deleteRealmIfMigrationNeeded` is set."
      ),
      (["--read-only", "--compact-if", "free > 1"], "Cannot set `readOnly` when `shouldCompactOnLaunch` is set."),
      (["--in-memory", "--seed", "s.realm"], "Cannot set `seedFilePath` when `inMemoryIdentifier` is set."),
      (["--read-only", "--upgrade"], "--read-only and --upgrade cannot be used together"),
      (["--schema-version", "2"], "--schema-version needs --schema\n"),
      (["--delete-if-migration-needed"], "--delete-if-migration-needed needs --schema\n"),
      (
        ["--schema", "s.json", "--schema-version", "18446744073709551615"],
        "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)"
      ),
      (["--compact-if", "total >"], "--compact-if is not valid at character"),
      (["--dry-run"], "--wait, --backup, --no-backup, --dry-run, --yes, --no-verify, --allow-data-loss"),
      (["--backup", "b.realm"], "--wait, --backup, --no-backup, --dry-run, --yes, --no-verify, --allow-data-loss"),
      (["--seed", ""], "Realm path must not be empty"),
    ])
  func exclusions(options: [String], text: String) throws {
    let folder = try Self.folder()
    let outcome = try folder.run(["open", "app.realm"] + options)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("realmctl: " + text), "\(outcome.errors)")
  }

  // MARK: Looking

  @Test("without an option of the configuration nothing is made beside the file") func looking() throws {
    let folder = try Self.folder()
    #expect(try folder.run(["open", "app.realm"]).errors.isEmpty)
    #expect(try folder.names() == ["app.realm"])
  }

  @Test("--only and --exclude say which classes are told") func classes() throws {
    let folder = try Self.folder("dogs")
    let only = try folder.run(["open", "app.realm", "--only", "Dog,Toy"])
    #expect(only.outputText.hasSuffix("CLASS  OBJECTS  PRIMARY KEY\nDog          5  _id\nToy          2  _id\n"))
    let except = try folder.run(["open", "app.realm", "--exclude", "Dog"])
    #expect(!except.outputText.contains("Dog  "))
    #expect(try folder.run(["open", "app.realm", "--only", "Dogg"]).status == 3)
  }

  // MARK: Read-only

  // MARK: What is changed

  @Test("a change of the schema keeps a backup, and the first line says that the file was changed") func migrating()
    throws
  {
    let folder = try Self.folder()
    let before = try Fixture.bytes(ofFile: folder.path("app.realm"))
    try folder.write("same.json", try folder.run(["schema", "dump", "app.realm", "--format", "json"]).output)
    let words = ["open", "app.realm", "--schema", "same.json", "--schema-version"]
    var tool = Tool()
    tool.folder = folder.path(".")
    let unchanged = try tool.run(words + ["1"])
    #expect(unchanged.status == 0)
    #expect(unchanged.outputText.hasPrefix("path: app.realm\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == before)
    let outcome = try tool.run(words + ["2"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasPrefix("changed: schema version 1 -> 2\npath: app.realm\n"))
    let backup = try #require(try folder.names().first { $0.hasPrefix("app.pre-migrate-") })
    #expect(try Fixture.bytes(ofFile: folder.path(backup)) == before)
    #expect(outcome.errors.contains("backup: \(backup); to restore it:\n"))
    let json = try tool.run(words + ["3", "--no-backup", "--json"])
    #expect(json.outputText.contains(#""fileChanged": true"#))
    #expect(try folder.names().filter { $0.hasPrefix("app.pre-") } == [backup])
    _ = try LeftRealm(folder.path("app.realm"))
    // In memory nothing is changed.
    let memory = try folder.run(words + ["4", "--in-memory"])
    #expect(memory.outputText.hasPrefix("path: app.realm\n"))
  }

  @Test("a realm from standard input is opened in memory with a schema", arguments: ["-", "/dev/stdin"])
  func standardInput(path: String) throws {
    let folder = try Self.folder()
    try folder.write("same.json", try folder.run(["schema", "dump", "app.realm", "--format", "json"]).output)
    let words = ["open", path, "--in-memory", "--schema", "same.json", "--schema-version", "2"]
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(try Fixture.bytes(ofFile: folder.path("app.realm"))))
    try pipe.fileHandleForWriting.close()
    let (output, errors) = (try PipeEnds(), try PipeEnds())
    var tool = Tool()
    tool.folder = folder.path(".")
    let process = try tool.start(
      words, input: pipe.fileHandleForReading.fileDescriptor, output: output.writeEnd, errors: errors.writeEnd)
    output.closeWriting()
    errors.closeWriting()
    let text = String(decoding: try output.readToEnd(), as: UTF8.self)
    let complaint = String(decoding: try errors.readToEnd(), as: UTF8.self)
    #expect(try process.wait() == .status(0), "\(complaint)")
    #expect(text.contains("schema version: 2\n"))
  }

  @Test("an upgrade says that a backup was made only where one was", arguments: [true, false])
  func backupEvent(keeps: Bool) throws {
    let folder = try InputFolder()
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.format = 23
    try folder.write("app.realm", tree.written(.normal))
    for words in [["--dry-run"], []] {
      var tool = Tool()
      tool.folder = folder.path(".")
      let outcome = try tool.run(["open", "app.realm", "--upgrade", "--json"] + (keeps ? [] : ["--no-backup"]) + words)
      #expect(outcome.status == 0)
      #expect(outcome.outputText.contains(#""upgradeFormat""#))
      #expect(outcome.outputText.contains(#""backUp""#) == keeps)
    }
    _ = try LeftRealm(folder.path("app.realm"))
  }

  @Test("read-only locks and makes nothing, and wants format 24 and the stored version") func readOnly() throws {
    let folder = try Self.folder()
    try folder.write("same.json", try folder.run(["schema", "dump", "app.realm", "--format", "json"]).output)
    try folder.write("more.json", Array(#"[{"name":"Person","properties":{"age":"int","email":"string"}}]"#.utf8))
    try folder.write("less.json", Array(#"[{"name":"Person","properties":{"age":"int"}}]"#.utf8))
    let same = ["open", "app.realm", "--read-only", "--schema"]
    #expect(try folder.run(same + ["same.json"]).status == 0)
    #expect(try folder.run(same + ["less.json", "--schema-version", "1"]).status == 0)
    let version = try folder.run(same + ["same.json", "--schema-version", "2"])
    #expect(version.status == 7)
    #expect(version.errors.contains("Provided schema version 2 does not equal last set version 1."))
    let changes = try folder.run(same + ["more.json"])
    #expect(changes.status == 7)
    #expect(
      changes.errors.contains(
        "The following changes cannot be made in read-only schema mode: - Property 'Person.email' has been added."))
    let (old, _) = try UpgradeTests.old()
    let outcome = try old.run(["open", "app.realm", "--read-only"])
    #expect(outcome.status == 5)
    #expect(outcome.errors.contains("Realm file at path 'app.realm' cannot be opened in read-only mode"))
  }

  // MARK: Seeds

  @Test("a missing file begins with the seed, byte for byte") func seed() throws {
    let folder = try Self.folder(name: "seed.realm")
    let seed = try Fixture.bytes(ofFile: folder.path("seed.realm"))
    let created: Set<String> = ["app.realm", "app.realm.lock"]
    let rehearsal = try folder.run(["open", "app.realm", "--seed", "seed.realm", "--dry-run"])
    #expect(rehearsal.status == 0)
    #expect(rehearsal.outputText == "app.realm: would be copied from seed.realm\n")
    let outcome = try folder.run(["open", "app.realm", "--seed", "seed.realm"], creates: created)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "app.realm: copied from seed.realm\n")
    #expect(outcome.outputText.hasPrefix("changed: copied from seed.realm\npath: app.realm\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == seed)
    // A file that is there is opened as it is.
    try folder.write("seed.realm", try Fixture.bytes("engine/dogs.realm"))
    #expect(try folder.run(["open", "app.realm", "--seed", "seed.realm"]).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == seed)
  }

  @Test("without a seed there is no file, and nothing is made") func missingSeed() throws {
    let folder = try InputFolder()
    let outcome = try folder.run(["open", "app.realm", "--seed", "seed.realm"])
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("seed.realm: no such file or directory"))
    #expect(try folder.run(["open", "app.realm", "--upgrade"]).status == 3)
  }

  @Test("a seed of an older format is upgraded on the way, or nothing is made") func oldSeed() throws {
    let (folder, bytes) = try UpgradeTests.old("seed.realm")
    let open = ["open", "app.realm", "--seed", "seed.realm"]
    #expect(try folder.run(open).status == 5)
    #expect(try folder.run(open + ["--upgrade"], creates: ["app.realm", "app.realm.lock"]).status == 0)
    #expect(try LeftRealm(folder.path("app.realm")).snapshot.header.format == 24)
    #expect(try folder.names() == ["app.realm", "app.realm.lock", "seed.realm"])
    #expect(try Fixture.bytes(ofFile: folder.path("seed.realm")) == bytes)
  }

  // MARK: Formats

  @Test("an older format is refused unless --upgrade is given, which keeps a backup") func upgrade() throws {
    let (folder, bytes) = try UpgradeTests.old()
    try folder.write("schema.json", try folder.run(["schema", "dump", "app.realm", "--format", "json"]).output)
    let refused = try folder.run(["open", "app.realm", "--schema", "schema.json"])
    #expect(refused.status == 5)
    #expect(refused.errors.contains("Database upgrade required but prohibited."))
    #expect(try folder.run(["open", "app.realm", "--upgrade", "--dry-run"]).status == 0)
    let outcome = try folder.tool.run(["open", "app.realm", "--upgrade"])
    #expect(outcome.status == 0)
    let backup = try #require(try UpgradeTests.backup(in: folder, of: "upgrade"))
    #expect(try Fixture.bytes(ofFile: folder.path(backup)) == bytes)
    #expect(outcome.errors.hasSuffix("  cp -p \(backup) app.realm\n"))
    #expect(try LeftRealm(folder.path("app.realm")).snapshot.header.format == 24)
  }

  @Test("a synced realm is not opened for changing") func synced() throws {
    let folder = try Self.folder("synced")
    let outcome = try folder.run(["open", "app.realm", "--upgrade"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("file belongs to Device Sync"))
    #expect(outcome.errors.contains("Synchronized Realms cannot be opened in non-sync mode, and vice versa."))
    #expect(try folder.run(["open", "app.realm", "--read-only"]).status == 0)
  }

  // MARK: Compaction

  @Test("a condition that holds compacts, one that does not leaves the file as it is") func compaction() throws {
    let folder = try Self.folder("fragmented")
    let not = try folder.run(["open", "app.realm", "--compact-if", "total > 100MB"])
    #expect(not.status == 0)
    #expect(not.errors.hasPrefix("app.realm: not compacted: total "))
    let rehearsal = try folder.run(["open", "app.realm", "--compact-if", "free > used", "--dry-run"])
    #expect(rehearsal.outputText.contains("would be compacted: 524288 bytes (512.0 KiB) -> 51448 bytes (50.2 KiB)"))
    let outcome = try folder.run(
      ["open", "app.realm", "--compact-if", "free > used"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "app.realm: compacted: 524288 bytes (512.0 KiB) -> 51448 bytes (50.2 KiB)\n")
    #expect(try LeftRealm(folder.path("app.realm")).snapshot.freeSpace().byteCount == 0)
  }

  // MARK: In memory

  @Test("in memory everything happens, and nothing is left of it") func inMemory() throws {
    let folder = try Self.folder("fragmented")
    let outcome = try folder.run(["open", "app.realm", "--in-memory", "--compact-if", "free > used"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("size: 51448 bytes"))
    #expect(try folder.names() == ["app.realm"])
    let (old, bytes) = try UpgradeTests.old()
    let piped = try old.run(["open", "-", "--in-memory", "--upgrade"], input: bytes)
    #expect(piped.status == 0)
    #expect(piped.outputText.contains("file format: 24\n"))
    #expect(try old.run(["open", "-", "--upgrade"], input: bytes).status == 64)
  }
}
