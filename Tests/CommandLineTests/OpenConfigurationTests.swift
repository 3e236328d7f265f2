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
    "options that exclude each other are named, with the SDKs' words word for word",
    arguments: [
      (
        ["--schema", "s.json", "--read-only", "--delete-if-migration-needed"],
        "--read-only and --delete-if-migration-needed cannot be used together "
          + "(Cannot set `readOnly` when `deleteRealmIfMigrationNeeded` is set.)\n"
      ),
      (
        ["--read-only", "--compact-if", "free > 1"],
        "--read-only and --compact-if cannot be used together "
          + "(Cannot set `readOnly` when `shouldCompactOnLaunch` is set.)\n"
      ),
      (
        ["--in-memory", "--seed-file", "s.realm"],
        "--in-memory and --seed-file cannot be used together\n"
      ),
      (["--read-only", "--upgrade"], "--read-only and --upgrade cannot be used together"),
      (["--schema-version", "2"], "--schema-version needs --schema\n"),
      (["--delete-if-migration-needed"], "--delete-if-migration-needed needs --schema\n"),
      (
        ["--schema", "s.json", "--schema-version", "18446744073709551615"],
        "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)"
      ),
      (["--compact-if", "total >"], "--compact-if is not a valid condition: "),
      (["--dry-run"], "--dry-run needs --upgrade or a configuration option such as --schema\n"),
      (["--backup", "b.realm"], "--backup needs --upgrade or a configuration option such as --schema\n"),
      (["--seed-file", ""], "--seed-file takes a path, not ''"),
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

  @Test("with a schema, only its classes are told, as an app sees no others", arguments: ["3", "4"])
  func seenClasses(version: String) throws {
    let folder = try Self.folder("dogs")
    let schema = try folder.run(["schema", "dump", "app.realm", "--only", "Toy", "--format", "json"])
    try folder.write("toy.json", schema.output)
    let outcome = try folder.run(
      ["open", "app.realm", "--schema", "toy.json", "--schema-version", version, "--in-memory"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.outputText.hasSuffix("classes: 1\n\nCLASS  OBJECTS  PRIMARY KEY\nToy          2  _id\n"))
    let all = try folder.run(
      ["open", "app.realm", "--schema", "toy.json", "--schema-version", version, "--in-memory", "--internal"])
    #expect(all.outputText.contains("metadata"))
  }

  // MARK: Read-only

  /// Realm Core 14.14.0 (`Group::read_only_version_check`) opens it, and has nothing to compare with a version.
  @Test("a file that nothing was written to can be opened read-only", arguments: [24, 20] as [UInt8])
  func emptyReadOnly(otherFormat: UInt8) throws {
    let folder = try Self.folder("no-tables")
    #expect(try folder.run(["open", "app.realm", "--read-only"]).status == 0)
    // With a root, there is no format 0.
    var bytes = try Fixture.bytes("engine/dogs.realm")
    (bytes[20], bytes[21]) = bytes[23] & 1 == 0 ? (0, otherFormat) : (otherFormat, 0)
    try folder.write("wrong.realm", bytes)
    for options in [[], ["--read-only"], ["--schema", "app.realm"]] {
      #expect(try folder.run(["open", "wrong.realm"] + options).status == 5)
    }
  }

  @Test("what is missing in memory is not looked for in a seed, which cannot be used there")
  func missingInMemory() throws {
    let folder = try Self.folder()
    let options = ["--in-memory", "--read-only", "--schema", "app.realm"]
    let none = try folder.run(["open"] + options)
    #expect(none.status == 64)
    #expect(none.errors.hasPrefix("realmctl: --in-memory with --read-only needs FILE"))
    let missing = try folder.run(["open", "none.realm"] + options)
    #expect(missing.status == 3)
    #expect(missing.errors == "realmctl: none.realm: no such file or directory; check the path\n")
  }

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
    #expect(memory.outputText.hasPrefix("in memory: schema version 3 -> 4\npath: app.realm\n"))
    #expect(memory.errors == "app.realm (in memory): schema version 3 -> 4\n")
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
    #expect(version.errors.contains("Provided schema version 2 does not equal last set version 1"))
    let changes = try folder.run(same + ["more.json", "--schema-version", "1"])
    #expect(changes.status == 7)
    #expect(
      changes.errors.contains(
        "The following changes cannot be made in read-only schema mode: - Property 'Person.email' has been added; omit "
          + "--read-only and use --schema-version 2 or higher\n"))
    let create = try folder.run(["open", "none/new.realm", "--create", "--schema", "same.json"])
    #expect(create.errors.hasPrefix("realmctl: none/new.realm: the folder 'none' does not exist ("), "\(create.errors)")
    #expect(create.errors.hasSuffix("); create it first\n"))
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
    let dryRun = try folder.run(["open", "app.realm", "--seed-file", "seed.realm", "--dry-run"])
    #expect(dryRun.status == 0)
    #expect(dryRun.outputText == "app.realm: would be copied from seed.realm\n")
    let outcome = try folder.run(["open", "app.realm", "--seed-file", "seed.realm"], creates: created)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "app.realm: copied from seed.realm\n")
    #expect(outcome.outputText.hasPrefix("changed: copied from seed.realm\npath: app.realm\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == seed)
    // A file that is there is opened as it is.
    try folder.write("seed.realm", try Fixture.bytes("engine/dogs.realm"))
    #expect(try folder.run(["open", "app.realm", "--seed-file", "seed.realm"]).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == seed)
  }

  @Test("without a seed there is no file, and nothing is made") func missingSeed() throws {
    let folder = try InputFolder()
    let outcome = try folder.run(["open", "app.realm", "--seed-file", "seed.realm"])
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("seed.realm: no such file or directory"))
    #expect(try folder.run(["open", "app.realm", "--upgrade"]).status == 3)
  }

  @Test("a seed of an older format is upgraded on the way, or nothing is made") func oldSeed() throws {
    let (folder, bytes) = try UpgradeTests.old("seed.realm")
    let open = ["open", "app.realm", "--seed-file", "seed.realm"]
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
    #expect(refused.errors.contains("Database upgrade required but prohibited)"))
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
    #expect(outcome.errors.contains("Synchronized Realms cannot be opened in non-sync mode, and vice versa)"))
    #expect(try folder.run(["open", "app.realm", "--read-only"]).status == 0)
  }

  // MARK: Compaction

  @Test("a condition that holds compacts, one that does not leaves the file as it is") func compaction() throws {
    let folder = try Self.folder("fragmented")
    let not = try folder.run(["open", "app.realm", "--compact-if", "total > 100MB"])
    #expect(not.status == 0)
    #expect(not.errors.hasPrefix("app.realm: not compacted: total "))
    let dryRun = try folder.run(["open", "app.realm", "--compact-if", "free > used", "--dry-run"])
    #expect(dryRun.outputText.contains("would be compacted: 524288 bytes (512.0 KiB) -> 47448 bytes (46.3 KiB)"))
    let outcome = try folder.run(
      ["open", "app.realm", "--compact-if", "free > used"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "app.realm: compacted: 524288 bytes (512.0 KiB) -> 47448 bytes (46.3 KiB)\n")
    #expect(try LeftRealm(folder.path("app.realm")).snapshot.freeSpace().byteCount == 0)
  }

  /// Sizes by Realm Core 14.14.0, which copies the seed, opens the copy and asks then.
  @Test("the copy of a seed is compacted, or is the seed byte for byte") func seedCompaction() throws {
    let folder = try InputFolder()
    let seed = try Fixture.bytes("engine/fragmented.realm")
    try folder.write("seed.realm", seed)
    let open = ["open", "app.realm", "--seed-file", "seed.realm", "--compact-if"]
    let created: Set<String> = ["app.realm", "app.realm.lock"]
    let dryRun = try folder.run(open + ["usedBytes < totalBytes / 2", "--dry-run"])
    #expect(dryRun.outputText.contains("would be compacted: 524288 bytes (512.0 KiB) -> 47448 bytes"))
    let outcome = try folder.run(open + ["used < total / 2"], creates: created)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("compacted: 524288 bytes (512.0 KiB) -> 47448 bytes (46.3 KiB)\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")).count == 47448)
    #expect(try folder.run(["check", "app.realm"]).status == 0)
    for name in created { try FileManager.default.removeItem(atPath: folder.path(name)) }
    let not = try folder.run(open + ["used > total / 2"], creates: created)
    #expect(not.errors.contains("not compacted: total 524288 bytes (512.0 KiB), used 50472 bytes"))
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == seed)
  }

  // MARK: In memory

  @Test("in memory everything happens, and nothing is left of it") func inMemory() throws {
    let folder = try Self.folder("fragmented")
    let outcome = try folder.run(["open", "app.realm", "--in-memory", "--compact-if", "free > used"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("size: 47448 bytes"))
    #expect(try folder.names() == ["app.realm"])
    let (old, bytes) = try UpgradeTests.old()
    let piped = try old.run(["open", "-", "--in-memory", "--upgrade"], input: bytes)
    #expect(piped.status == 0)
    #expect(piped.outputText.contains("file format: 24\n"))
    #expect(try old.run(["open", "-", "--upgrade"], input: bytes).status == 64)
  }

  @Test("in memory and without FILE the realm has the classes of the schema and nothing else") func nowhere() throws {
    let folder = try Self.folder(name: "default.realm")
    try folder.write("m.json", Array(#"[{"name":"Person","properties":{"age":"int"}}]"#.utf8))
    let open = ["open", "--in-memory", "--schema", "m.json"]
    let outcome = try folder.run(open)
    #expect(outcome.status == 0)
    #expect(
      outcome.outputText.hasPrefix("in memory: created, schema version none -> 0\npath: (in memory)\n"),
      "\(outcome.outputText)")
    #expect(outcome.outputText.hasSuffix("CLASS   OBJECTS\nPerson        0\n"))
    let json = try folder.run(open + ["--json", "--schema-version", "5"])
    #expect(json.outputText.contains(#""input": "(in memory)""#))
    #expect(json.outputText.contains(#""schemaVersion": 5"#))
    #expect(json.outputText.contains(#""inMemory": true"#))
    #expect(json.outputText.contains(#""fileChanged": false"#))
    for (options, text) in [
      (
        ["--seed-file", "default.realm"],
        "--in-memory and --seed-file cannot be used together"
      ),
      (
        ["--key-env", "KEY"],
        "--in-memory without FILE cannot be used with a key (Encryption is not supported for in-memory realms)"
      ),
    ] {
      let refused = try folder.run(open + options)
      #expect(refused.status == 64)
      #expect(refused.errors.hasPrefix("realmctl: " + text), "\(refused.errors)")
    }
    #expect(try folder.run(["open", "--in-memory"]).errors.hasPrefix("realmctl: --in-memory needs FILE or --schema\n"))
  }

  // MARK: Without FILE

  @Test("without FILE it is default.realm, and the command says so") func defaultFile() throws {
    let folder = try Self.folder(name: "default.realm")
    let remark = "realmctl: no FILE given; using default.realm\n"
    for words in [["open"], ["open", "--read-only"], ["compact", "--dry-run"]] {
      let outcome = try folder.run(words)
      #expect(outcome.status == 0)
      #expect(outcome.errors == remark)
      #expect(outcome.outputText.contains("default.realm"))
      #expect(try folder.run(words + ["--quiet"]).errors.isEmpty)
    }
    let empty = try InputFolder()
    for command in ["open", "compact"] {
      let outcome = try empty.run([command])
      #expect(outcome.status == 3)
      #expect(outcome.errors == remark + "realmctl: default.realm: no such file or directory; name a realm\n")
    }
    #expect(try folder.run(["bundle", "--seed", "seed.realm", "--dry-run"]).errors == remark)
  }

  @Test("an app creates its realm in a file that is empty, which nobody else has open") func emptyFile() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("a.realm", [])
    _ = try folder.write("model.json", Array(#"[{"name":"A","properties":{"n":"int"}}]"#.utf8))
    var tool = Tool()
    tool.folder = folder.path
    let outcome = try tool.run(["open", "a.realm", "--schema", "model.json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.outputText.contains("classes: 1"))
  }

  // MARK: Creating

  private static let model = #"[{"name":"Person","properties":{"firstName":"string","lastName":"string","age":"int"}}]"#

  @Test("a missing file is made with --create only, at version 0 unless one is given") func creating() throws {
    let folder = try InputFolder()
    try folder.write("m.json", Array(Self.model.utf8))
    let open = ["open", "new.realm", "--schema", "m.json"]
    let refused = try folder.run(open)
    #expect(refused.status == 3)
    #expect(
      refused.errors == "realmctl: new.realm: no such file or directory; check the path, or use --create to create it\n"
    )
    #expect(try folder.run(open + ["--create", "--dry-run"]).outputText.hasPrefix("new.realm: would be created\n"))
    let made: Set = ["new.realm", "new.realm.lock"]
    let outcome = try folder.run(open + ["--create"], creates: made)
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasPrefix("changed: created, schema version none -> 0\npath: new.realm\n"))
    let snapshot = try LeftRealm(folder.path("new.realm")).snapshot
    #expect(snapshot.schema.version == 0)
    #expect(snapshot.schema.classes.map(\.displayName) == ["Person"])
    // What is there is opened as it is.
    #expect(try folder.run(open + ["--create"]).outputText.hasPrefix("path: new.realm\n"))
    let other = try folder.run(
      ["open", "b.realm", "--schema", "m.json", "--schema-version", "9", "--create"],
      creates: ["b.realm", "b.realm.lock"])
    #expect(other.outputText.contains("schema version: 9\n"))
    let missing = try folder.run(["open", "no/b.realm", "--schema", "m.json", "--create"])
    #expect(missing.status == 2)
    #expect(missing.errors.contains("Failed to open file at path 'no/b.realm.lock': parent directory does not exist"))
    for (options, text) in [
      (["--create"], "--create needs --schema\n"),
      (["--create", "--read-only", "--schema", "m.json"], "--read-only and --create cannot be used together\n"),
    ] {
      #expect(try folder.run(["open", "c.realm"] + options).errors.hasPrefix("realmctl: " + text))
    }
  }

  @Test("the version is the schema's own, or 0, and a lower one than stored is refused in the SDKs' words")
  func versions() throws {
    let folder = try Self.folder()
    try folder.write("m.json", Array(Self.model.utf8))
    try folder.write("own.json", Array(#"{"schemaVersion":1,"classes":\#(Self.model)}"#.utf8))
    try folder.write("next.json", Array(#"{"schemaVersion":3,"classes":\#(Self.model)}"#.utf8))
    let refused = try folder.run(["open", "app.realm", "--schema", "m.json"])
    #expect(refused.status == 7)
    #expect(
      refused.errors
        == "realmctl: app.realm: Provided schema version 0 is less than last set version 1; use --schema-version with "
        + "the version of the app\n")
    let readOnly = try folder.run(["open", "app.realm", "--schema", "m.json", "--read-only"])
    #expect(readOnly.status == 7)
    #expect(readOnly.errors.contains("Provided schema version 0 does not equal last set version 1;"))
    #expect(try folder.run(["open", "app.realm", "--schema", "own.json"]).outputText.hasPrefix("path: "))
    #expect(try folder.run(["open", "app.realm", "--schema", "app.realm"]).outputText.hasPrefix("path: "))
    #expect(
      try folder.run(["open", "app.realm", "--schema", "next.json", "--dry-run"]).outputText
        == "app.realm: would be migrated: schema version 1 -> 3\n")
    let given = ["open", "app.realm", "--schema", "next.json", "--schema-version", "0"]
    #expect(try folder.run(given).errors.contains("Provided schema version 0 is less than last set version 1;"))
  }

  // MARK: Deletion

  @Test("with a plan the deletion wins, after --yes") func deletionAndPlan() throws {
    let folder = try Self.folder()
    try folder.write("m.json", Array(Self.model.utf8))
    let plan = "plan: 1\nsteps:\n  - to: 2\n    do:\n      - remove_class: { name: Person, lossy: ok }\n"
    try folder.write("p.yml", Array(plan.utf8))
    let open = ["open", "app.realm", "--plan", "p.yml", "--schema", "m.json", "--delete-if-migration-needed"]
    let dryRun = try folder.run(open + ["--dry-run"])
    #expect(dryRun.status == 0, "\(dryRun.errors)")
    #expect(
      dryRun.outputText.hasPrefix("app.realm: would be deleted with all its data and replaced by an empty realm\n"))
    let refused = try folder.run(open)
    #expect(refused.status == 64)
    #expect(refused.errors.contains("all data of the realm would be deleted; use --yes to confirm"))
    let outcome = try folder.run(open + ["--yes", "--no-backup"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let snapshot = try LeftRealm(folder.path("app.realm")).snapshot
    #expect(snapshot.schema.version == 2)
    #expect(outcome.outputText.hasSuffix("Person        0\n"))
    // Nothing is left for the plan, and nothing is deleted.
    #expect(try folder.run(open + ["--schema-version", "2"]).status == 0)
  }

  // MARK: Files that are not writable

  /// A tool that is not run by an administrator, to whom nothing is forbidden.
  private static func makeOrdinary(_ folder: InputFolder) throws {
    guard getuid() == 0 else { return }
    folder.tool.user = 65534
  }

  @Test("a realm that is not writable needs --read-only, as in an app") func notWritable() throws {
    let folder = try Self.folder()
    try folder.write("m.json", Array(#"{"schemaVersion":1,"classes":\#(Self.model)}"#.utf8))
    let paths = ["app.realm", ".", "m.json"].map { folder.path($0) }
    try #require(chmod(paths[0], 0o444) == 0 && chmod(paths[1], 0o777) == 0 && chmod(paths[2], 0o644) == 0)
    try Self.makeOrdinary(folder)
    let open = ["open", "app.realm", "--schema", "m.json"]
    let advice = "use --read-only, as an app has to, or change a copy with --in-memory\n"
    for words in [open, open + ["--dry-run"], ["open", "app.realm", "--upgrade"]] {
      let outcome = try folder.run(words)
      #expect(outcome.status == 2)
      #expect(
        outcome.errors
          == "realmctl: app.realm: this user cannot write the file (Failed to open Realm file at path 'app.realm': Permission denied. "
          + "Please use a path where your app has read-write permissions); " + advice)
    }
    try #require(chmod(paths[0], 0o666) == 0 && chmod(paths[1], 0o555) == 0)
    let outcome = try folder.run(open)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "realmctl: app.realm.lock: this user cannot write to the folder (Failed to open file at path "
        + "'app.realm.lock': Permission denied); " + advice)
    #expect(try folder.run(["open", "new.realm", "--schema", "m.json", "--create"]).status == 2)
    try #require(chmod(paths[1], 0o755) == 0)
    try folder.write("app.realm.lock", [])
    try #require(chmod(folder.path("app.realm.lock"), 0o666) == 0 && chmod(paths[1], 0o555) == 0)
    let management = try folder.run(open)
    #expect(management.status == 2)
    #expect(
      management.errors
        == "realmctl: app.realm.management: this user cannot write to the folder (Failed to create directory at "
        + "'app.realm.management': Permission denied); " + advice)
    for words in [open + ["--read-only"], open + ["--in-memory"], ["open", "app.realm"]] {
      #expect(try folder.run(words).status == 0)
    }
    // The folder has to be removed.
    try #require(chmod(paths[1], 0o755) == 0)
  }

  @Test("what would lose data names options of this command") func lostData() throws {
    let folder = try Self.folder()
    try folder.write("m.json", Array(#"[{"name":"Person","properties":{"age":"string"}}]"#.utf8))
    let outcome = try folder.run(["open", "app.realm", "--schema", "m.json", "--schema-version", "2"])
    #expect(outcome.status == 7)
    #expect(outcome.errors.hasSuffix("; use --allow-data-loss to accept that, or --plan to keep the values\n"))
  }

  // MARK: What is wrong with a seed

  @Test(
    "an error about the seed names the seed",
    arguments: [
      ("synced", 2, "file belongs to Device Sync (Realm file at path 'seed.realm' has history type 'SyncClient'"),
      ("folder", 2, "is a directory"), ("text", 2, "not a Realm file"),
      ("encrypted", 4, "give its key with --key-file"),
      ("cut", 2, "Invalid logical file size"), ("missing", 3, "no such file or directory; check the path of the seed"),
      (
        "old", 5,
        "the seed has format 23, which an app has to upgrade (Database upgrade required but prohibited); use "
      ),
      ("older", 5, "Database has an unsupported version (1) and cannot be upgraded"),
      ("version", 7, "Provided schema version 0 is less than last set version 1;"),
      ("schema", 7, "Migration is required due to the following errors:"),
    ])
  func wrongSeed(kind: String, status: Int32, text: String) throws {
    let folder = try InputFolder()
    let realm = try Fixture.bytes("engine/person-v1.realm")
    func old(_ format: UInt8) throws -> [UInt8] {
      let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
      tree.format = format
      return tree.written(.normal)
    }
    var options: [String] = []
    switch kind {
    case "synced": try folder.write("seed.realm", try Fixture.bytes("engine/synced.realm"))
    case "folder":
      try FileManager.default.createDirectory(atPath: folder.path("seed.realm"), withIntermediateDirectories: false)
    case "text": try folder.write("seed.realm", Array("hello".utf8))
    case "encrypted": try folder.write("seed.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    case "cut": try folder.write("seed.realm", Array(realm.prefix(realm.count / 2)))
    case "missing": break
    case "old": try folder.write("seed.realm", try old(23))
    case "older": try folder.write("seed.realm", try old(1))
    default:
      try folder.write("seed.realm", realm)
      try folder.write("m.json", Array(#"[{"name":"Person","properties":{"age":"string"}}]"#.utf8))
      options = ["--schema", "m.json", "--schema-version", kind == "version" ? "0" : "1"]
    }
    let outcome = try folder.run(["open", "app.realm", "--seed-file", "seed.realm"] + options)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("realmctl: seed.realm: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(!outcome.errors.contains("app.realm"))
  }

  @Test("a key that the seed is not encrypted with is an error of the seed") func keyOfSeed() throws {
    let folder = try Self.folder(name: "seed.realm")
    try folder.write("app.key", [UInt8](repeating: 7, count: 64))
    let outcome = try folder.run(["open", "app.realm", "--seed-file", "seed.realm", "--key-file", "app.key"])
    #expect(outcome.status == 4)
    #expect(outcome.errors.hasPrefix("realmctl: seed.realm: the file is not encrypted"), "\(outcome.errors)")
  }
}
