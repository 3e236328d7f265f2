import Foundation
import TestSupport
import Testing

@testable import RealmStorage

@Suite struct CompactTests {
  // MARK: What comes out

  private static let sources: [String] = Fixture.all(in: "engine").filter { !$0.contains("encrypted") }

  @Test(
    "a compacted realm has the same content, is sound, and nothing but a lock file is beside it", arguments: sources)
  func inPlace(_ source: String) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes(ofFile: source))
    let before = try folder.run(["export", "app.realm", "--format", "typed", "--internal"]).output
    let facts = try folder.facts(of: "app.realm")
    let outcome = try folder.run(["compact", "app.realm"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    #expect(try folder.run(["export", "app.realm", "--format", "typed", "--internal"]).output == before)
    #expect(try folder.run(["check", "app.realm"]).status == 0)
    let after = try folder.facts(of: "app.realm")
    for fact in ["history", "snapshotVersion", "schemaVersion"] {
      #expect(after[fact] as? NSObject == facts[fact] as? NSObject)
    }
    #expect(after["freeBytes"] as? Int == 0)
    #expect(try folder.names() == ["app.realm", "app.realm.lock"])
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm.lock")).isEmpty)
  }

  @Test func `the nodes are those of the engine's own compaction`() throws {
    let folder = try InputFolder()
    try folder.write("all.realm", try Fixture.bytes("engine/all-types.realm"))
    #expect(try folder.run(["compact", "all.realm", "-o", "copy.realm"], creates: ["copy.realm"]).status == 0)
    let copy = try Fixture.bytes(ofFile: folder.path("copy.realm"))
    try expectSameTables(copy, "engine/all-types-copy.realm")
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    let outcome = try folder.run(["compact", "app.realm"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.outputText == "app.realm: 524288 bytes (512.0 KiB) -> 47448 bytes (46.3 KiB), 90.9% saved\n")
    let compacted = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let expected = try Fixture.bytes("engine/fragmented-compacted.realm")
    #expect(compacted.count <= expected.count)
    try expectSameTables(compacted, "engine/fragmented-compacted.realm")
  }

  /// The engine's own copy has the history as well, behind the tables.
  private func expectSameTables(_ compacted: [UInt8], _ fixture: String) throws {
    let folder = try InputFolder()
    try folder.write("copy.realm", compacted)
    let top = try #require(Snapshot(of: ByteStore.open(.path(folder.path("copy.realm")), key: nil).store).top)
    // The history is a leaf without references, after its one empty value.
    let end = Int(top.history.rawValue) - NodeHeader.size
    let expected = try MaskedRealm(Fixture.bytes(fixture)).bytes
    #expect(MaskedRealm(compacted).bytes.prefix(end) == expected.prefix(end))
  }

  @Test func `parts of a history that a damaged file says it does not have are left out, as the dry run says`() throws {
    let folder = try InputFolder()
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.root.elements[7] = .tagged(0)
    try folder.write("app.realm", tree.written())
    let dryRun = try folder.run(["compact", "app.realm", "--dry-run"])
    #expect(dryRun.status == 0, "\(dryRun.errors)")
    let outcome = try folder.run(["compact", "app.realm"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0 && outcome.errors == dryRun.errors, "\(outcome.errors)")
    #expect(try folder.run(["check", "app.realm"]).status == 0)
  }

  @Test func `an encrypted realm stays encrypted with its key`() throws {
    let folder = try InputFolder()
    try folder.write("key", Fixture.engineKey)
    try folder.write("app.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    let content = ["export", "app.realm", "--key-file", "key"]
    let before = try folder.run(content).output
    let key = ["--key-file", "key"]
    #expect(
      try folder.run(["compact", "app.realm"] + key, creates: ["app.realm", "app.realm.lock"]).status == 0)
    #expect(try folder.run(content).output == before)
    #expect(try folder.run(["check", "app.realm"] + key).status == 0)
    #expect(try folder.run(["open", "app.realm"]).status == 4)
    // The same bytes as in another file, and again.
    let elsewhere = ["compact", "app.realm", "-o", "copy.realm"] + key
    #expect(try folder.run(elsewhere).status == 64)
    #expect(try folder.run(elsewhere + ["--out-key-same"], creates: ["copy.realm"]).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("copy.realm")) == Fixture.bytes(ofFile: folder.path("app.realm")))
    #expect(try folder.run(["compact", "app.realm"], creates: []).status == 4)
  }

  @Test func `standard input and standard output`() throws {
    let folder = try InputFolder()
    let bytes = try Fixture.bytes("engine/fragmented.realm")
    let outcome = try folder.run(["compact", "-", "-o", "-"], input: bytes)
    #expect(outcome.status == 0)
    try expectSameTables(outcome.output, "engine/fragmented-compacted.realm")
    #expect(outcome.errors.hasSuffix(" to standard output\n"))
    #expect(try folder.run(["compact", "-"], input: bytes).status == 64)
  }

  // MARK: Conditions

  @Test func `a condition that does not hold is nothing to do`() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    let outcome = try folder.run(["compact", "app.realm", "--if", "total > 100MB && used < total / 2"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasPrefix("app.realm: not compacted: total 524288 bytes (512.0 KiB), used 50472 bytes"))
    let copied = try folder.run(["compact", "app.realm", "--if", "free > total", "-o", "copy.realm"])
    #expect(copied.status == 0 && copied.outputText.hasSuffix(", so nothing was written\n"), "\(copied.outputText)")
    let done = try folder.run(
      ["compact", "app.realm", "--if", "free > used", "--json"], creates: ["app.realm", "app.realm.lock"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(done.output)) as? [String: Any])
    #expect(report["needed"] as? Bool == true)
    #expect(report["sourceSize"] as? Int == 524_288)
    #expect(report["size"] as? Int == 47448)
    #expect(report["verified"] as? Bool == true)
    let wrong = try folder.run(["compact", "app.realm", "--if", "total > 1 TB"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("--if is not a valid condition: unknown unit 'TB' (character 11)"))
  }

  @Test func `a dry run tells what a run would do and leaves nothing`() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    let outcome = try folder.run(["compact", "app.realm", "--dry-run"])
    #expect(outcome.status == 0)
    #expect(
      outcome.outputText == """
        app.realm: total 524288 bytes (512.0 KiB), used 50472 bytes (49.3 KiB), free 473816 bytes (462.7 KiB, 90.3%)
        app.realm: would be compacted: 524288 bytes (512.0 KiB) -> 47448 bytes (46.3 KiB), 90.9% saved

        """)
    try folder.write("old.realm", try Self.olderRealm())
    #expect(try folder.run(["compact", "old.realm", "--dry-run"]).status == 5)
    #expect(try folder.run(["compact", "old.realm", "--dry-run", "--upgrade"]).status == 0)
    #expect(try folder.run(["compact", "app.realm", "--dry-run", "-o", "app.realm"]).status == 64)
    #expect(try folder.run(["compact", "app.realm", "--dry-run", "-o", "old.realm"]).status == 2)
  }

  // MARK: In use

  @Test func `a realm that an app has open is left alone`() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    try folder.write("app.realm.lock", LockFileImage.linux)
    let lock = open(folder.path("app.realm.lock"), O_RDWR)
    try #require(lock >= 0)
    try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
    for options in [[], ["--wait", "0.1"], ["--dry-run"]] {
      let outcome = try folder.run(["compact", "app.realm"] + options)
      #expect(outcome.status == 6)
      let still = options.isEmpty || options == ["--dry-run"] ? "" : "still "
      #expect(outcome.errors.hasPrefix("realmctl: app.realm: the file is \(still)in use by another process"))
    }
    // With another output there is nothing to wait for, only a warning.
    let copy = try folder.run(["compact", "app.realm", "-o", "copy.realm"], creates: ["copy.realm"])
    #expect(copy.status == 0)
    #expect(copy.errors.contains("warning: app.realm: the file is open in another process"))
    // The lock is released, and the content of the file means nothing.
    close(lock)
    #expect(
      try folder.run(["compact", "app.realm", "--wait", "60"], creates: ["app.realm", "app.realm.lock"]).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("app.realm.lock")).isEmpty)
  }

  // MARK: What stays

  @Test func `a symbolic link, permissions and other names stay`() throws {
    let folder = try InputFolder()
    try folder.write("data.realm", try Fixture.bytes("engine/fragmented.realm"))
    try #require(chmod(folder.path("data.realm"), 0o640) == 0)
    try #require(symlink("data.realm", folder.path("app.realm")) == 0)
    try #require(link(folder.path("data.realm"), folder.path("other.realm")) == 0)
    try folder.write("app.realm.tmp_compaction_space", [1, 2, 3])
    let made: Set = ["data.realm", "app.realm.lock", "data.realm.lock", "app.realm.tmp_compaction_space"]
    let outcome = try folder.run(["compact", "app.realm"], creates: made)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("the replaced file has other names (hard links), which keep the old content"))
    var status = stat()
    #expect(stat(folder.path("data.realm"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(status.st_size == 47448)
    #expect(
      try folder.names() == ["app.realm", "app.realm.lock", "data.realm", "data.realm.lock", "other.realm"])
  }

  @Test func `a file that is protected from writing stays as it is`() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    try #require(chmod(folder.path("app.realm"), 0o444) == 0 && chmod(folder.path("."), 0o777) == 0)
    // Permissions mean nothing to an administrator.
    if getuid() == 0 { folder.tool.user = 65534 }
    let outcome = try folder.run(["compact", "app.realm"], creates: ["app.realm.lock"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("Permission denied"))
    #expect(try folder.run(["compact", "app.realm", "--dry-run"]).status == 2)
  }

  // MARK: Older formats

  /// A realm of format 23, which has the same nodes for what is in it.
  private static func olderRealm() throws -> [UInt8] {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.format = 23
    return tree.written(.normal)
  }

  @Test func `an older format is brought to 24 with a backup, where that is allowed`() throws {
    let folder = try InputFolder()
    let bytes = try Self.olderRealm()
    try folder.write("app.realm", bytes)
    let content = try folder.run(["export", "app.realm", "--format", "typed"]).output
    let refused = try folder.run(["compact", "app.realm"])
    #expect(refused.status == 5)
    #expect(refused.errors.contains("Database upgrade required but prohibited)"))
    let outcome = try folder.run(
      ["compact", "app.realm", "--upgrade", "--backup", "old file.realm"],
      creates: ["app.realm", "app.realm.lock", "old file.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.outputText.contains("to restore it:\n  cp -p 'old file.realm' app.realm\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("old file.realm")) == bytes)
    #expect(try folder.facts(of: "app.realm")["fileFormat"] as? Int == 24)
    #expect(try folder.run(["export", "app.realm", "--format", "typed"]).output == content)
    #expect(try folder.run(["check", "app.realm"]).status == 0)
    // A backup next to the file has the time in its name.
    try folder.write("app.realm", bytes)
    #expect(try folder.tool.run(["compact", "app.realm", "--upgrade"]).status == 0)
    let backups = try folder.names().filter { $0.hasPrefix("app.pre-compact-2") && $0.hasSuffix("Z.realm") }
    #expect(backups.count == 1)
    #expect(try backups.map { try Fixture.bytes(ofFile: folder.path($0)) } == [bytes])
    // A backup that cannot be made stops it.
    try folder.write("app.realm", bytes)
    let stopped = try folder.run(
      ["compact", "app.realm", "--upgrade", "--backup", "missing/x.realm"], creates: ["app.realm.lock"])
    #expect(stopped.status == 2)
    #expect(stopped.errors.contains("the backup could not be made, so nothing was changed"))
  }

  @Test(
    "a backup that is asked for by name is made, whatever there is to do",
    arguments: [
      ["compact", "app.realm"], ["compact", "app.realm", "--if", "total > 1GB"],
      ["open", "app.realm", "--compact-if", "total > 1GB"], ["open", "app.realm", "--compact-if", "total > 0"],
    ])
  func namedBackup(words: [String]) throws {
    let folder = try InputFolder()
    let bytes = try Fixture.bytes("engine/dogs.realm")
    try folder.write("app.realm", bytes)
    for name in ["b.realm", "b-2.realm"] {
      try folder.write("app.realm", bytes)
      if name != "b.realm" { try folder.write("b.realm", [1]) }
      let outcome = try folder.tool.run(words + ["--backup", "b.realm"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect((outcome.outputText + outcome.errors).contains("backup: \(name); to restore it:"))
      #expect(try Fixture.bytes(ofFile: folder.path(name)) == bytes)
      #expect(try folder.run(["check", "app.realm"]).status == 0)
    }
  }

  @Test(
    "options that contradict each other are wrong usage",
    arguments: [
      ["--force"], ["-o", "b.realm", "--wait", "3"], ["--wait", "-1"], ["--backup", "x", "--no-backup"],
      ["-o", "b.realm", "--upgrade"], ["--if", ""], ["-o", "a.realm"],
    ])
  func usage(_ options: [String]) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    #expect(try folder.run(["compact", "a.realm"] + options).status == 64)
  }

  @Test func `what is no realm gets no lock file`() throws {
    let folder = try InputFolder()
    try folder.write("text.realm", Array("no realm, but long enough to be looked at".utf8))
    #expect(try folder.run(["compact", "missing.realm"]).status == 3)
    #expect(try folder.run(["compact", "text.realm"]).status == 2)
    var damaged = try Fixture.bytes("engine/dogs.realm")
    damaged.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    try folder.write("damaged.realm", damaged)
    #expect(try folder.run(["compact", "damaged.realm"], creates: ["damaged.realm.lock"]).status == 2)
  }

  /// A group that claims to have no objects: they are still in the file, and would not be in a compacted one.
  @Test func `what may still be found is not removed in place`() throws {
    let folder = try InputFolder()
    var damaged = try Fixture.bytes("engine/dogs.realm")
    let snapshot = try ByteStore.open(.path(Fixture.path("engine/dogs.realm")), key: nil)
    let dogs = try #require(Snapshot(of: snapshot.store).tables.first { $0.schema.displayName == "Dog" })
    let group = Int(try #require(dogs.clusters).root.rawValue)
    damaged[group + 4] = damaged[group + 4] & ~7 | 1
    try folder.write("damaged.realm", damaged)
    let outcome = try folder.run(["compact", "damaged.realm"], creates: ["damaged.realm.lock"])
    #expect(outcome.status == 2 && outcome.errors.contains("'recover'"))
    let saved = try folder.run(["recover", "damaged.realm", "-o", "saved.realm"], creates: ["saved.realm"])
    #expect(saved.status == 1)
    #expect(try folder.run(["query", "saved.realm", "Dog", "--count"]).outputText == "5\n")
  }
}

extension InputFolder {
  /// What `open --json` says.
  func facts(of name: String) throws -> [String: Any] {
    let outcome = try run(["open", name, "--json"])
    return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path(".")).sorted() }
}
