import Foundation
import RealmStorage
import TestSupport
import Testing

/// Messages that users know, and answers that were missing.
@Suite struct CatalogTests {
  private func folder(_ fixture: String = "engine/person-v1.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes(fixture))
    try folder.write(
      "less.json", Array(#"{"schemaVersion":1,"classes":[{"name":"Person","properties":{"age":"int"}}]}"#.utf8))
    return folder
  }

  // MARK: Permissions

  @Test(.enabled(if: getuid() == 0, "only root can run as another user")) func permissions() throws {
    let folder = try folder()
    folder.tool.user = 65534
    try #require(chmod(folder.path("."), 0o755) == 0 && chmod(folder.path("app.realm"), 0o600) == 0)
    let read = try folder.run(["open", "app.realm"])
    #expect(read.status == 2)
    #expect(read.errors.contains("(Permission denied. Please use a path where your app has read permissions)"))
    try #require(chmod(folder.path("app.realm"), 0o644) == 0)
    let migrate = ["migrate", "app.realm", "--schema", "less.json", "--to-version", "2", "--allow-data-loss"]
    let locked = try folder.run(migrate + ["--no-backup"])
    #expect(locked.errors.contains("(Failed to open file at path 'app.realm.lock': Permission denied)"))
    try #require(chmod(folder.path("."), 0o777) == 0)
    let write = try folder.run(migrate + ["--no-backup"], creates: ["app.realm.lock"])
    #expect(write.status == 2)
    #expect(write.errors.contains("(Permission denied. Please use a path where your app has read-write permissions)"))
  }

  // MARK: Backups

  static let backups = [
    "app.v23.backup.realm", "app.pre-migrate-20240102T030405Z.realm", "app.pre-compact-20240102T030405Z-2.realm",
    "app.deleted-20240102T030405Z.realm",
  ]

  @Test("a backup is read with a word, and never changed", arguments: backups) func backup(name: String) throws {
    let folder = try folder()
    try folder.write(name, try Fixture.bytes("engine/dogs.realm"))
    let warning = "\(name): is a backup of a realm, not the realm itself"
    for command in [["open", name], ["check", name], ["export", name], ["compact", name, "-o", "-"]] {
      let outcome = try folder.run(command)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains(warning + "; the realm is app.realm\n"), "\(outcome.errors)")
      #expect(try folder.run(command + ["--strict"]).status == 1)
    }
    for command in [
      ["compact", name], ["migrate", name, "--schema", "less.json", "--to-version", "9"],
      ["open", name, "--schema", "less.json", "--schema-version", "9"],
    ] {
      let outcome = try folder.run(command)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains(warning + ", so it is not changed; use app.realm"), "\(outcome.errors)")
    }
  }

  @Test("an encrypted backup is read with its key") func encryptedBackup() throws {
    let folder = try InputFolder()
    try folder.write("app.v23.backup.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    #expect(try folder.run(["open", "app.v23.backup.realm", "--key-file", "key"]).status == 0)
    #expect(try folder.run(["open", "app.v23.backup.realm"]).status == 4)
  }

  // MARK: Read-only

  @Test("read-only, what the schema lacks is not called removed") func readOnly() throws {
    let folder = try folder()
    let open = ["open", "app.realm", "--read-only", "--schema", "less.json"]
    for options in [[], ["--dry-run"], ["--json"]] {
      let outcome = try folder.run(open + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(!(outcome.outputText + outcome.errors).contains("has been removed"))
      #expect(!outcome.outputText.contains("schemaDiff"))
    }
    #expect(try folder.run(open + ["--dry-run"]).outputText == "app.realm: nothing to do\n")
  }

  // MARK: Versions in use

  /// A lock file of Linux with versions 7, 8 and 9, of which 7 and 9 are read (Docs/Format/5-coordination.md §2).
  private func lockFile(layout: UInt8 = 14) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1728)
    bytes.replaceSubrange(0..<8, with: [1, 40, 48, 0, 24, 2, layout, 0])
    (bytes[432], bytes[436], bytes[440]) = (32, 2, 2)
    for (index, version) in [7, 8, 9].enumerated() {
      bytes[448 + index * 40] = UInt8(version)
      bytes[448 + index * 40 + 24] = version == 8 ? 0 : 1
    }
    return bytes
  }

  @Test("open shows the versions in use while somebody has the realm open") func versions() throws {
    let folder = try folder()
    try folder.write("app.realm.lock", lockFile())
    #expect(!(try folder.run(["open", "app.realm"])).outputText.contains("versions in use"))
    #expect(try folder.run(["open", "app.realm", "--json"]).outputText.contains(#""versionsInUse": 0"#))
    let lock = open(folder.path("app.realm.lock"), O_RDONLY)
    defer { close(lock) }
    try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
    #expect(try folder.run(["open", "app.realm"]).outputText.contains("versions in use: 2 (oldest: 7)\n"))
    #expect(try folder.run(["open", "app.realm", "--json"]).outputText.contains(#""versionsInUse": 2"#))
    for bytes in [lockFile(layout: 13), Array(lockFile().prefix(500)), [], [UInt8](repeating: 255, count: 4096)] {
      try folder.write("app.realm.lock", bytes)
      #expect(try folder.run(["open", "app.realm"]).outputText.contains("versions in use: unknown\n"))
      #expect(try folder.run(["open", "app.realm", "--json"]).outputText.contains(#""versionsInUse": null"#))
    }
  }

  // MARK: Schemas

  @Test("App Services cannot link to a class without a primary key") func appServices() throws {
    let folder = try InputFolder()
    try folder.write(
      "model.json",
      Array(#"[{"name":"A","properties":{"b":"B","c":"B[]"}},{"name":"B","properties":{"x":"int"}}]"#.utf8))
    try folder.write("none.ndjson", Array("[]".utf8))
    let built = try folder.run(
      ["bundle", "--schema", "model.json", "--data", "none.ndjson", "--seed", "a.realm"], creates: ["a.realm"])
    #expect(built.status == 0, "\(built.errors)")
    let outcome = try folder.run(["schema", "dump", "a.realm", "--format", "app-services", "-o", "s.json"])
    #expect(outcome.status == 7)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors
        == "realmctl: a.realm: the format app-services cannot express this schema (A.b: links to B, which has no primary "
        + "key, and 1 more); leave the class out with --exclude, or choose another format\n")
    #expect(try folder.run(["schema", "dump", "a.realm", "--format", "app-services", "--only", "B"]).status == 0)
  }

  @Test("an asymmetric class is answered with what to do") func asymmetric() throws {
    let folder = try folder()
    let dump = try folder.run(["schema", "dump", Fixture.path("engine/corners.realm"), "--format", "json"])
    try folder.write("dump.json", dump.output)
    try folder.write("none.json", Array("[]".utf8))
    for command in [
      ["open", "app.realm", "--schema", "dump.json", "--schema-version", "9"],
      ["bundle", "--schema", "dump.json", "--data", "none.json", "--seed", "s.realm"],
    ] {
      let outcome = try folder.run(command)
      #expect(outcome.status == 7)
      #expect(outcome.errors.contains("Asymmetric table 'Event' not allowed in a local Realm"))
      #expect(
        outcome.errors.hasSuffix(
          "; remove the class 'Event' from the schema; only synced realms have asymmetric classes\n"),
        "\(outcome.errors)")
    }
  }

  @Test("a property without a name is refused, and defaults are said to be ignored") func properties() throws {
    let folder = try folder()
    try folder.write("empty.json", Array(#"[{"name":"Person","properties":{"":"int"}}]"#.utf8))
    try folder.write("none.json", Array("[]".utf8))
    for command in [
      ["migrate", "app.realm", "--schema", "empty.json", "--to-version", "2", "--allow-data-loss"],
      ["open", "app.realm", "--schema", "empty.json", "--schema-version", "2", "--allow-data-loss"],
      ["bundle", "--schema", "empty.json", "--data", "none.json", "--seed", "s.realm"],
    ] {
      let outcome = try folder.run(command)
      #expect(outcome.status == 7)
      #expect(outcome.errors.contains("Property names of type 'Person' must not be empty"), "\(outcome.errors)")
    }
    try folder.write(
      "defaults.json",
      Array(
        #"[{"name":"Person","properties":{"age":{"type":"int","default":7},"x":{"type":"string","default":""}}}]"#.utf8)
    )
    let diff = try folder.run(["schema", "diff", "app.realm", "defaults.json"])
    #expect(
      diff.errors
        == "realmctl: warning: defaults.json: realm files do not store default values, so they are ignored "
        + "(Person.age, Person.x)\n")
  }

  // MARK: Conditions

  @Test("a division by zero is an error or a warning") func division() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented-compacted.realm"))
    let constant = try folder.run(["compact", "app.realm", "--if", "total / 0 > 1"])
    #expect(constant.status == 64)
    #expect(
      constant.errors.hasPrefix("realmctl: --if is not a valid condition: division by zero (character 9)\n"))
    let other = try folder.run(["open", "app.realm", "--compact-if", "total / (1 - 1) > 1"])
    #expect(
      other.errors.hasPrefix("realmctl: --compact-if is not a valid condition: division by zero (character 9)\n"))
    for (option, command) in [("--if", "compact"), ("--compact-if", "open")] {
      let outcome = try folder.run([command, "app.realm", option, "total / (used - used) > 1", "--dry-run"])
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains(
          "warning: app.realm: \(option) divides by zero for this file, so it counts as not met"))
    }
  }
}
