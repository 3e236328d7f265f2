import Foundation
import TestSupport
import Testing

/// Several files in one run: backups among them, one report, and back again.
@Suite struct BatchTests {
  private static let rename = ["--rename", "Dog=Pet", "--to-version", "99"]

  private func folder(_ names: [String] = ["a.realm", "b.realm"]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in names { try folder.write(name, try Fixture.bytes("engine/dogs.realm")) }
    return folder
  }

  private func run(_ words: [String], in folder: TemporaryFolder, input: [UInt8] = []) throws -> Tool.Outcome {
    var tool = Tool()
    (tool.folder, tool.input) = (folder.path, input)
    return try tool.run(words)
  }

  private func realms(_ folder: TemporaryFolder) throws -> [String] {
    try folder.names().filter { $0.hasSuffix(".realm") }
  }

  private func json(_ output: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
  }

  // MARK: Backups

  @Test(
    "backups that a pattern names as well are read, and skipped by what changes files",
    arguments: [
      ["check"], ["open"], ["hash"], ["stats"], ["history"], ["schema", "dump"], ["compact"], ["upgrade"],
      ["migrate", "--rename", "Person=Human", "--to-version", "100"],
    ])
  func skipped(words: [String]) throws {
    let folder = try folder()
    #expect(try run(["migrate", "a.realm", "b.realm"] + Self.rename, in: folder).status == 0)
    let all = try realms(folder)
    let backups = all.filter { $0.contains(".pre-") }
    #expect(backups.count == 2)
    let before = try backups.map { try Fixture.bytes(ofFile: folder.path($0)) }
    let outcome = try run(words + all, in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let isChange = ["compact", "upgrade", "migrate"].contains(words[0])
    #expect(outcome.errors.contains("realmctl: 2 backups skipped\n") == isChange)
    for name in backups { #expect(outcome.outputText.contains(name) != isChange, "\(name)") }
    #expect(try backups.map { try Fixture.bytes(ofFile: folder.path($0)) } == before)
    let quiet = try run(words + all + ["--quiet"], in: folder)
    #expect(!quiet.errors.contains("skipped"))
    for name in try realms(folder) { _ = try LeftRealm(folder.path(name)) }
  }

  @Test("backups alone are read as what they are") func backupsAlone() throws {
    let folder = try folder(["a.pre-migrate-20240102T030405Z.realm", "b.pre-migrate-20240102T030405Z.realm"])
    let outcome = try run(["hash"] + realms(folder), in: folder)
    #expect(outcome.status == 0)
    #expect(outcome.outputText.split(separator: "\n").count == 2)
    #expect(!outcome.errors.contains("skipped"))
  }

  @Test(
    "backups of several files go to a folder",
    arguments: [["migrate"] + rename, ["compact"], ["upgrade"]])
  func backupFolder(words: [String]) throws {
    let folder = try folder()
    try folder.makeFolder("kept")
    let original = try Fixture.bytes("engine/dogs.realm")
    let outcome = try run(words + ["a.realm", "b.realm", "--backup", "kept"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try realms(folder) == ["a.realm", "b.realm"])
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("kept")).sorted()
    #expect(kept.count == 2)
    #expect(zip(kept, ["a.pre-", "b.pre-"]).allSatisfy { $0.hasPrefix($1) })
    for name in kept { #expect(try LeftRealm(folder.path("kept/" + name)).bytes == original) }
    let file = try run(words + ["a.realm", "b.realm", "--backup", "none"], in: folder)
    #expect(file.status == 64)
    #expect(file.errors.contains("--backup must be an existing folder if there are several files"))
  }

  // MARK: One report

  @Test("JSON is one report with what became of each file, failures included") func report() throws {
    let folder = try folder(["a.realm", "c.realm", "c.pre-migrate-20240102T030405Z.realm"])
    try folder.write("b.realm", try Fixture.bytes("engine/person-v1.realm"))
    let files = ["a.realm", "b.realm", "none.realm", "c.realm", "c.pre-migrate-20240102T030405Z.realm"]
    let outcome = try run(["migrate"] + files + Self.rename + ["--json"], in: folder)
    #expect(outcome.status == 3)
    let report = try json(outcome.output)
    #expect(report["migratedRealms"] as? Int == 2)
    #expect(report["failedRealms"] as? Int == 2)
    #expect(report["unchangedRealms"] as? Int == 0)
    #expect(report["skippedBackups"] as? [String] == ["c.pre-migrate-20240102T030405Z.realm"])
    let reports = try #require(report["reports"] as? [[String: Any]])
    #expect(reports.map { $0["input"] as? String } == ["a.realm", "b.realm", "none.realm", "c.realm"])
    let exits = reports.map { ($0["error"] as? [String: Any])?["exit"] as? Int }
    #expect(exits == [nil, 3, 3, nil])
    #expect(reports.map { $0["backup"] is String } == [true, false, false, true])
    for name in try realms(folder) { _ = try LeftRealm(folder.path(name)) }
  }

  @Test("a report puts every file back, byte for byte, and keeps what was there") func restore() throws {
    let folder = try folder(["a.realm", "b.realm", "c.realm"])
    let original = try Fixture.bytes("engine/dogs.realm")
    let done = try run(["migrate", "a.realm", "b.realm", "c.realm", "--json"] + Self.rename, in: folder)
    #expect(done.status == 0)
    try folder.write("done.json", done.output)
    let changed = try Fixture.bytes(ofFile: folder.path("a.realm"))
    #expect(changed != original)
    // Nothing is done in a dry run.
    let dryRun = try run(["migrate", "--restore-backups", "done.json", "--dry-run"], in: folder)
    #expect(dryRun.status == 0)
    #expect(dryRun.outputText.hasSuffix("3 realms: 3 would be restored\n"))
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == changed)
    // One has been put back by hand, one lost its backup.
    try folder.write("b.realm", original)
    let lost = try #require(try realms(folder).first { $0.hasPrefix("c.pre-") })
    try FileManager.default.removeItem(atPath: folder.path(lost))
    let outcome = try run(["migrate", "--restore-backups", "done.json"], in: folder)
    #expect(outcome.status == 3)
    #expect(
      outcome.errors
        == "realmctl: \(lost): no such file or directory; run the command in the folder in which 'migrate' ran\n")
    #expect(outcome.outputText.hasSuffix("3 realms: 1 restored, 1 with nothing to do, 1 failed\n"))
    #expect(try LeftRealm(folder.path("a.realm")).bytes == original)
    #expect(try LeftRealm(folder.path("b.realm")).bytes == original)
    #expect(try Fixture.bytes(ofFile: folder.path("c.realm")) == changed)
    let kept = try realms(folder).filter { $0.contains(".pre-restore-") }
    #expect(kept.count == 1)
    for name in kept { #expect(try LeftRealm(folder.path(name)).bytes == changed) }
  }

  @Test("a realm that was upgraded gets its old format back") func restoreOfOldFormat() throws {
    let folder = try folder(["a.realm"])
    #expect(try run(["downgrade", "a.realm", "--file-format", "22"], in: folder).status == 0)
    let original = try Fixture.bytes(ofFile: folder.path("a.realm"))
    let done = try run(["migrate", "a.realm", "--upgrade", "--json"] + Self.rename, in: folder)
    #expect(done.status == 0)
    try folder.write("done.json", done.output)
    #expect(try run(["migrate", "--restore-backups", "done.json"], in: folder).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == original)
    // Nothing was left for the backup to replace.
    try FileManager.default.removeItem(atPath: folder.path("a.realm"))
    let missing = try run(["migrate", "--restore-backups", "done.json"], in: folder)
    #expect(missing.status == 3)
    #expect(
      missing.errors == "realmctl: a.realm: no such file or directory, so nothing was changed; "
        + "use --force to restore the backup anyway\n")
    #expect(try run(["migrate", "--restore-backups", "done.json", "--force"], in: folder).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == original)
  }

  @Test("a backup that is no realm any more is not put back") func restoreOfGarbage() throws {
    let folder = try folder(["a.realm", "b.realm"])
    let done = try run(["migrate", "a.realm", "b.realm", "--json"] + Self.rename, in: folder)
    try folder.write("done.json", done.output)
    let changed = try Fixture.bytes(ofFile: folder.path("a.realm"))
    let backups = try realms(folder).filter { $0.contains(".pre-migrate-") }.sorted()
    try #require(backups.count == 2)
    try folder.write(backups[0], Array("no realm".utf8))
    try folder.write(backups[1], [UInt8](repeating: 1, count: 8192))
    for option in [["--dry-run"], []] {
      let outcome = try run(["migrate", "--restore-backups", "done.json"] + option, in: folder)
      #expect(outcome.status == 2)
      #expect(outcome.outputText.hasSuffix("2 realms: 0 \(option.isEmpty ? "" : "would be ")restored, 2 failed\n"))
      for backup in backups { #expect(outcome.errors.contains("realmctl: \(backup): not a Realm file")) }
      #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == changed)
      #expect(try realms(folder).allSatisfy { !$0.contains(".pre-restore-") })
    }
  }

  @Test("what is not what the migration left is not replaced, unless it is forced") func restoreStale() throws {
    let folder = try folder(["a.realm"])
    try folder.write("b.realm", try Fixture.bytes("engine/person-v1.realm"))
    let first = try run(["migrate", "a.realm", "--json"] + Self.rename, in: folder)
    #expect(first.status == 0)
    try folder.write("first.json", first.output)
    // Later work, and a report that names another realm.
    let later = ["migrate", "a.realm", "--rename", "Pet=Animal", "--to-version", "100", "--no-backup"]
    #expect(try run(later, in: folder).status == 0)
    try folder.write("other.json", Array(first.outputText.replacing("\"a.realm\"", with: "\"b.realm\"").utf8))
    let without = first.outputText.replacing(/"sha256": "[0-9a-f]+",/, with: "")
    #expect(without != first.outputText)
    try folder.write("without.json", Array(without.utf8))
    let before = try (Fixture.bytes(ofFile: folder.path("a.realm")), Fixture.bytes(ofFile: folder.path("b.realm")))
    for report in ["first.json", "other.json", "without.json"] {
      for words in [[], ["--dry-run"]] {
        let outcome = try run(["migrate", "--restore-backups", report] + words, in: folder)
        #expect(outcome.status == 7)
        #expect(
          outcome.errors.contains("the file differs from the one that the migration wrote, so nothing was changed"))
      }
    }
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == before.0)
    #expect(try Fixture.bytes(ofFile: folder.path("b.realm")) == before.1)
    #expect(try run(["migrate", "--restore-backups", "first.json", "--force"], in: folder).status == 0)
    #expect(try LeftRealm(folder.path("a.realm")).bytes == Fixture.bytes("engine/dogs.realm"))
  }

  @Test("a realm that is in use is not put back") func restoreInUse() throws {
    let folder = try folder(["a.realm"])
    let done = try run(["migrate", "a.realm", "--json"] + Self.rename, in: folder)
    let changed = try Fixture.bytes(ofFile: folder.path("a.realm"))
    let descriptor = open(folder.path("a.realm.lock"), O_RDWR | O_CREAT, 0o644)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
    let outcome = try run(["migrate", "--restore-backups", "-", "--json"], in: folder, input: done.output)
    #expect(outcome.status == 6)
    let restores = try #require(try json(outcome.output)["restores"] as? [[String: Any]])
    #expect((restores.first?["error"] as? [String: Any])?["exit"] as? Int == 6)
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == changed)
  }

  @Test(
    "what is no report with backups is told",
    arguments: [("{", 2, "not valid JSON"), ("{}", 2, "the report names no backups"), ("[]", 2, "names no backups")])
  func noReport(text: String, status: Int32, problem: String) throws {
    let outcome = try run(["migrate", "--restore-backups", "-"], in: folder([]), input: Array(text.utf8))
    #expect(outcome.status == status)
    #expect(outcome.errors.contains(problem))
    let both = try run(["migrate", "a.realm", "--restore-backups", "-"] + Self.rename, in: folder())
    #expect(both.status == 64)
  }

  // MARK: Several files

  @Test(
    "commands that take several files do to each what they do to one",
    arguments: [["upgrade"], ["compact"], ["history"], ["hash"], ["stats"]])
  func several(words: [String]) throws {
    let (together, alone) = (try folder(), try folder())
    let outcome = try run(words + ["a.realm", "none.realm", "b.realm", "--json"], in: together)
    #expect(outcome.status == 3)
    let lines = outcome.outputText.split(separator: "\n")
    #expect(try lines.map { try json(Array($0.utf8))["input"] as? String } == ["a.realm", "b.realm"])
    for name in ["a.realm", "b.realm"] {
      let one = try run(words + [name, "--json"], in: alone)
      #expect(one.status == 0)
      #expect(try LeftRealm(together.path(name)).bytes == Fixture.bytes(ofFile: alone.path(name)))
    }
    if words != ["history"], words != ["hash"], words != ["stats"] {
      let output = try run(words + ["a.realm", "b.realm", "-o", "c.realm"], in: together)
      #expect(output.status == 64)
      #expect(try realms(together) == ["a.realm", "b.realm"])
    }
  }

  // MARK: Snapshots and standard output

  @Test("diff and schema diff compare an older snapshot of the first with the second") func snapshots() throws {
    let folder = try folder()
    let change = ["migrate", "b.realm", "--no-backup"] + Self.rename
    #expect(try run(change, in: folder).status == 0)
    for words in [["diff"], ["schema", "diff"]] {
      #expect(try run(words + ["b.realm", "a.realm"], in: folder).status == 1)
      let older = try run(words + ["b.realm", "a.realm", "--snapshot", "previous"], in: folder)
      #expect(older.status == 0, "\(words) \(older.outputText)\(older.errors)")
      let both = try run(words + ["b.realm", "--snapshot", "previous", "--against", "previous"], in: folder)
      #expect(both.status == 64)
    }
  }

  @Test(
    "-o - writes the realm to standard output and talks elsewhere",
    arguments: [["migrate"] + rename, ["upgrade"], ["downgrade", "--file-format", "23"]])
  func standardOutput(words: [String]) throws {
    let folder = try folder()
    let before = try Fixture.bytes(ofFile: folder.path("a.realm"))
    let outcome = try run(words + ["a.realm", "-o", "-"], in: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains(words == ["upgrade"] ? "a.realm: already" : "standard output: "))
    let file = try run(words + ["a.realm", "-o", "file.realm"], in: folder)
    #expect(file.status == 0)
    let left = try LeftRealm(output: outcome.output)
    #expect(left.bytes == (try Fixture.bytes(ofFile: folder.path("file.realm"))))
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == before)
    #expect(try folder.names() == ["a.realm", "b.realm", "file.realm"])
    let dryRun = try run(words + ["a.realm", "-o", "-", "--dry-run"], in: folder)
    #expect(dryRun.status == 0)
    #expect(
      dryRun.outputText.contains(words == ["upgrade"] ? "a.realm: already in file format 24" : "standard output: would")
    )
  }
}
