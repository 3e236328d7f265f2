import Foundation
import RealmInspection
import RealmStorage
import TestSupport
import Testing

private enum DamagedDogs {
  /// `dogs.realm` with one byte changed, so that it can be copied whole and the checker finds an error in a class.
  static func bytes() throws -> [UInt8]? { try found.get() }

  /// Searched for only once: each byte needs a check of the whole realm.
  private static let found = Result { try first() }

  private static let step = 64

  private static func first() throws -> [UInt8]? {
    let sound = try Fixture.bytes("engine/dogs.realm")
    // Far apart first: what is next to a place that does not serve does not serve either.
    for start in 24..<24 + step {
      for place in stride(from: start, to: sound.count, by: step) {
        var bytes = sound
        bytes[place] ^= 1
        if isDamagedInAClass(bytes) { return bytes }
      }
    }
    return nil
  }

  private static func isDamagedInAClass(_ bytes: [UInt8]) -> Bool {
    guard let folder = try? TemporaryFolder(), let path = try? folder.write("a.realm", bytes),
      let opened = try? ByteStore.open(.path(path), key: nil),
      let snapshot = try? Snapshot(of: opened.store), snapshot.damagedTables.isEmpty
    else { return false }
    // In the values of objects: the tables are as they should be, so that they can be changed.
    var errors: [Finding] = []
    _ = try? Checker(opened.store).run { if $0.severity == .error { errors.append($0) } }
    let isInClass = !errors.isEmpty && errors.allSatisfy { $0.place.object != nil && $0.place.column != nil }
    let nodes = SnapshotNodes(of: snapshot, keepsHistory: true)
    let writer = StreamingWriter(key: nil, threadLimit: 0)
    return isInClass && (try? writer.measure(nodes, RealmIdentity(of: snapshot))) != nil
  }
}

/// Commands that write, over a realm in which the checker finds something, and over one whose values are removed.
@Suite struct UnsoundSourceTests {
  private static let schema = Array(ModelText.dogs.utf8)

  struct Command: Sendable, CustomTestStringConvertible {
    let words: [String]
    /// What it makes next to the realm.
    let creates: Set<String>
    var testDescription: String { words.joined(separator: " ") }
  }

  static let commands: [Command] = [
    Command(words: ["write-copy", "app.realm", "b.realm"], creates: ["b.realm"]),
    Command(words: ["compact", "app.realm"], creates: ["app.realm", "app.realm.lock"]),
    Command(words: ["compact", "app.realm", "-o", "b.realm"], creates: ["b.realm"]),
    Command(words: ["bundle", "app.realm", "--seed", "b.realm"], creates: ["b.realm"]),
    Command(
      words: ["migrate", "app.realm", "--schema", "model.json", "--to-version", "9", "-o", "b.realm"],
      creates: ["b.realm"]),
    Command(
      words: ["migrate", "app.realm", "--schema", "model.json", "--to-version", "9", "--no-backup", "--allow-damage"],
      creates: ["app.realm", "app.realm.lock"]),
    Command(
      words: [
        "migrate", "app.realm", "--schema", "model.json", "--to-version", "9", "--no-backup", "--allow-damage",
        "--compact",
      ],
      creates: ["app.realm", "app.realm.lock"]),
    Command(
      words: ["open", "app.realm", "--schema", "model.json", "--schema-version", "9", "--no-backup", "--allow-damage"],
      creates: ["app.realm", "app.realm.lock"]),
  ]

  @Test("says what is not sound and where, and writes nothing with --strict", arguments: commands)
  func tells(_ command: Command) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try #require(try DamagedDogs.bytes()))
    try folder.write("model.json", Self.schema)
    let strict = try folder.run(command.words + ["--strict"], creates: ["app.realm.lock"])
    #expect(strict.status == 1)
    #expect(strict.errors.contains("app.realm: the realm is damaged, so nothing was written: "))
    #expect(strict.output.isEmpty)
    let content = try folder.run(["export", "app.realm", "--format", "typed"]).output
    let outcome = try folder.run(command.words, creates: command.creates)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("realmctl: warning: app.realm: damaged: "))
    #expect(outcome.errors.contains("(Dog."))
    #expect(!outcome.outputText.contains("verified: yes"))
    let result = command.creates.contains("b.realm") ? "b.realm" : "app.realm"
    #expect(try folder.run(["export", result, "--format", "typed"]).output == content)
    #expect(try folder.run(["check", result]).status == 1)
  }

  static let unsaved: [[String]] = [
    ["update", "app.realm", "Toy", "--all", "--set", "name=x"],
    ["delete", "app.realm", "Toy", "--all"],
    ["insert", "app.realm", "Toy", "_id=51111111-2222-3333-4444-555555555555", "name=x"],
    ["migrate", "app.realm", "--schema", "model.json", "--to-version", "9"],
    ["migrate", "app.realm", "--schema", "model.json", "--to-version", "9", "--compact"],
    ["open", "app.realm", "--schema", "model.json", "--schema-version", "9"],
    ["import", "app.realm", "toys.ndjson", "--class", "Toy"],
    ["compact", "app.realm"],
  ]

  @Test("without a backup a damaged realm is changed only if that is allowed", arguments: unsaved)
  func refuses(_ command: [String]) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try #require(try DamagedDogs.bytes()))
    try folder.write("model.json", Self.schema)
    try folder.write("toys.ndjson", Array(#"{"_id":"51111111-2222-3333-4444-555555555556","name":"y"}"#.utf8))
    for options in [["--no-backup"], ["--no-backup", "--no-verify"], ["--no-backup", "--dry-run"]] {
      if command[0] == "open", options.count > 1 { continue }
      let refused = try folder.run(command + options, creates: ["app.realm.lock"])
      #expect(refused.status == 2, "\(options): \(refused.errors)")
      #expect(refused.errors.contains("app.realm: the realm is damaged, so nothing was written: "))
    }
    #expect(try folder.run(command + ["--allow-damage"]).status == 64)
    let allowed = try folder.run(
      command + ["--no-backup", "--allow-damage"], creates: ["app.realm", "app.realm.lock"])
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try folder.run(["check", "app.realm"]).status == 1)
  }

  @Test("the JSON of a copy counts what was found, and verified means sound")
  func json() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try #require(try DamagedDogs.bytes()))
    try folder.write("sound.realm", try Fixture.bytes("engine/dogs.realm"))
    func report(_ words: String...) throws -> [String: Any] {
      let outcome = try folder.run(words + ["--json"], creates: ["b.realm"])
      return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    }
    let damaged = try report("write-copy", "app.realm", "b.realm")
    #expect(damaged["verified"] as? Bool == false)
    #expect(try #require(damaged["sourceErrors"] as? Int) > 0)
    let sound = try report("bundle", "sound.realm", "--seed", "b.realm", "--force")
    #expect(sound["verified"] as? Bool == true)
    #expect(sound["sourceErrors"] as? Int == 0)
    #expect(sound["sourceWarnings"] as? Int == 0)
    let unchecked = try report("write-copy", "app.realm", "b.realm", "--force", "--no-verify")
    #expect(unchecked["sourceErrors"] is NSNull)
    #expect(unchecked["verified"] as? Bool == false)
  }

  // MARK: - Rebuilt

  @Test("--rebuild keeps version and content, and says that the history starts again")
  func rebuild() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/indexes.realm"))
    let content = try folder.run(["export", "app.realm", "--format", "typed"]).output
    let version = try folder.facts(of: "app.realm")["snapshotVersion"] as? Int
    let copy = try folder.run(["write-copy", "app.realm", "b.realm", "--rebuild"], creates: ["b.realm"])
    #expect(copy.status == 0)
    #expect(copy.outputText.contains("; rebuilt; verified against the source"))
    _ = try LeftRealm(folder.path("b.realm"))
    let outcome = try folder.run(["compact", "app.realm", "--rebuild"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasSuffix("\n  rebuilt, with new indexes and backlinks and an empty history\n"))
    _ = try LeftRealm(folder.path("app.realm"))
    #expect(try folder.facts(of: "app.realm")["snapshotVersion"] as? Int == version)
    for name in ["app.realm", "b.realm"] {
      #expect(try folder.run(["export", name, "--format", "typed"]).output == content)
    }
  }

  @Test("a synced realm is not rebuilt in place, because its history would go") func rebuildOfSynced() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/synced.realm"))
    let outcome = try folder.run(["compact", "app.realm", "--rebuild"], creates: ["app.realm.lock"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the file belongs to Device Sync"))
    let copy = try folder.run(["write-copy", "app.realm", "b.realm", "--rebuild"], creates: ["b.realm"])
    #expect(copy.status == 0)
    _ = try LeftRealm(folder.path("b.realm"))
  }

  // MARK: - Removed values

  private static let removesNames = Array(#"[{"name":"Person","properties":{"lastName":"string","age":"int"}}]"#.utf8)

  private func holdsRemovedValue(_ bytes: [UInt8]) -> Bool {
    let value = Array("Gordon".utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: value) }
  }

  private func folderToMigrate() throws -> (folder: InputFolder, command: [String]) {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/person-v1.realm"))
    try folder.write("model.json", Self.removesNames)
    return (
      folder, ["migrate", "app.realm", "--schema", "model.json", "--to-version", "2", "--allow-data-loss"]
    )
  }

  @Test("removed values are not in the bytes that -o writes") func removedElsewhere() throws {
    let (folder, command) = try folderToMigrate()
    #expect(holdsRemovedValue(try Fixture.bytes(ofFile: folder.path("app.realm"))))
    let outcome = try folder.run(command + ["-o", "b.realm"], creates: ["b.realm"])
    #expect(outcome.status == 0)
    #expect(!outcome.outputText.contains("free space"))
    let left = try LeftRealm(folder.path("b.realm"))
    #expect(!holdsRemovedValue(left.bytes))
    #expect(try left.snapshot.freeSpace().byteCount == 0)
    #expect(try folder.names() == ["app.realm", "b.realm", "model.json"])
  }

  @Test("in place the report says that removed values stay in free space") func removedInPlace() throws {
    let (folder, command) = try folderToMigrate()
    #expect(
      try folder.run(command + ["--dry-run"]).outputText
        .contains("\n  removed values would stay in the file's free space; --compact removes them\n"))
    let outcome = try folder.run(command + ["--no-backup"], creates: ["app.realm", "app.realm.lock"])
    #expect(
      outcome.outputText.contains(
        "\n  removed values stay in the file's free space until it is compacted: realmctl compact app.realm\n"))
    #expect(holdsRemovedValue(try LeftRealm(folder.path("app.realm")).bytes))
    let compacted = try folder.run(["compact", "app.realm"], creates: ["app.realm", "app.realm.lock"])
    #expect(compacted.status == 0)
    #expect(!holdsRemovedValue(try LeftRealm(folder.path("app.realm")).bytes))
  }

  @Test("--compact removes them in the same step, and keeps a backup") func removedAndCompacted() throws {
    let (folder, command) = try folderToMigrate()
    let before = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let dryRun = try folder.run(command + ["--compact", "--dry-run"])
    #expect(dryRun.outputText.contains("\n  would be compacted: 4096 bytes (4.0 KiB) -> "))
    let outcome = try folder.run(
      command + ["--compact", "--backup", "old.realm", "--json"],
      creates: ["app.realm", "app.realm.lock", "old.realm"])
    #expect(outcome.status == 0)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["compacted"] as? Bool == true)
    #expect(report["removedValuesRemain"] as? Bool == false)
    let left = try LeftRealm(folder.path("app.realm"))
    #expect(!holdsRemovedValue(left.bytes))
    #expect(left.snapshot.schema.version == 2)
    #expect(try Fixture.bytes(ofFile: folder.path("old.realm")) == before)
    // The realm is compacted even if there is nothing to migrate.
    let again = try folder.run(
      command + ["--compact", "--no-backup"], creates: ["app.realm", "app.realm.lock"])
    #expect(again.status == 0)
    #expect(again.outputText.contains("  compacted: "))
    _ = try LeftRealm(folder.path("app.realm"))
  }

  @Test("a migration that stops leaves nothing behind, compacted or not") func stopped() throws {
    let (folder, _) = try folderToMigrate()
    let command = ["migrate", "app.realm", "--schema", "model.json", "--to-version", "2"]
    #expect(try folder.run(command + ["--compact"], creates: ["app.realm.lock"]).status == 7)
    #expect(try folder.run(command + ["-o", "b.realm"]).status == 7)
    #expect(try folder.run(command + ["-o", "b.realm", "--compact"]).status == 64)
  }

  // MARK: - Keys of what is written

  static let outputs: [[String]] = [
    ["compact", "app.realm"], ["upgrade", "app.realm"],
    ["migrate", "app.realm", "--schema", "model.json", "--to-version", "99"],
  ]

  @Test("the key of what -o writes is said, and an encrypted realm never turns plain untold", arguments: outputs)
  func keys(_ command: [String]) throws {
    let folder = try InputFolder()
    let otherKey = (1...64).map { UInt8($0) }
    try folder.write("key", Fixture.engineKey)
    try folder.write("other", otherKey)
    try folder.write("app.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    let key = ["--key-file", "key"]
    try folder.write(
      "model.json", try folder.run(["schema", "dump", "app.realm", "--format", "json"] + key).output)
    let untold = try folder.run(command + key + ["-o", "b.realm"])
    #expect(untold.status == 64)
    #expect(untold.errors.contains("or write it unencrypted with --decrypt"))
    #expect(try folder.run(command + key + ["--decrypt"]).status == 64)
    #expect(try folder.run(command + key + ["--out-key-same"]).status == 64)
    let content = try folder.run(["export", "app.realm", "--format", "typed"] + key).output
    for (options, expected, readWith) in [
      (["--out-key-same"], Fixture.engineKey, key), (["--out-key-file", "other"], otherKey, ["--key-file", "other"]),
      (["--decrypt"], nil, []),
    ] {
      let outcome = try folder.run(command + key + ["-o", "b.realm", "--force"] + options, creates: ["b.realm"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      _ = try LeftRealm(folder.path("b.realm"), key: expected)
      #expect(try folder.run(["export", "b.realm", "--format", "typed"] + readWith).output == content)
    }
  }

  @Test("a plain realm gets the key that is given", arguments: outputs)
  func encrypting(_ command: [String]) throws {
    let folder = try InputFolder()
    try folder.write("key", Fixture.engineKey)
    try folder.write("app.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("model.json", Self.schema)
    let outcome = try folder.run(command + ["-o", "b.realm", "--out-key-file", "key"], creates: ["b.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    _ = try LeftRealm(folder.path("b.realm"), key: Fixture.engineKey)
    #expect(try folder.run(command + ["-o", "c.realm", "--out-key-same"]).status == 64)
  }
}
