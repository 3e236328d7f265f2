import Foundation
import RealmStorage
import TestSupport
import Testing

@Suite struct WriteCopyTests {
  private static let otherKey = (1...64).map { UInt8($0) }

  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    try folder.write("key", Fixture.engineKey)
    try folder.write("other", Self.otherKey)
    return folder
  }

  private func json(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  // MARK: - Copies

  @Test func aCopyIsSmallerAndHoldsTheSame() throws {
    let folder = try folder()
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm"], creates: ["b.realm"])
    #expect(outcome.status == 0)
    #expect(
      outcome.outputText
        == "wrote b.realm: 2416 bytes (2.4 KiB), 59% of a.realm; verified against the source\n")
    #expect(outcome.errors.isEmpty)
    let copy = try LeftRealm(folder.path("b.realm"))
    #expect(copy.bytes.count == 2416)
    #expect(copy.snapshot.version == 1)
    let content = try folder.run(["export", "a.realm", "--format", "typed"]).output
    #expect(try folder.run(["export", "b.realm", "--format", "typed"]).output == content)
  }

  @Test func whatWasWrittenCanBeLeftOutOrToldAsJSON() throws {
    let folder = try folder()
    #expect(try folder.run(["write-copy", "a.realm", "q.realm", "-q"], creates: ["q.realm"]).output.isEmpty)
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm", "--json"], creates: ["b.realm"])
    let report = try json(outcome.output)
    #expect(report["version"] as? Int == 2)
    #expect(report["output"] as? String == "b.realm")
    #expect(report["dryRun"] as? Bool == false)
    #expect(report["size"] as? Int == 2416)
    #expect(report["fileFormat"] as? Int == 24)
    #expect(report["encrypted"] as? Bool == false)
    #expect(report["input"] as? String == "a.realm")
    #expect(report["sourceSize"] as? Int == 4096)
    #expect(report["sourceFormat"] as? Int == 24)
    #expect(report["method"] as? String == "nodes")
    #expect(report["verified"] as? Bool == true)
    #expect(report["lostLinks"] as? Int == 0)
  }

  @Test func aCopyCanGoUncompared() throws {
    let folder = try folder()
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm", "--no-verify"], creates: ["b.realm"])
    #expect(
      outcome.outputText == "wrote b.realm: 2416 bytes (2.4 KiB), 59% of a.realm\n")
    let compared = try folder.run(["write-copy", "a.realm", "c.realm", "--verify"], creates: ["c.realm"])
    #expect(compared.status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("b.realm")) == Fixture.bytes(ofFile: folder.path("c.realm")))
  }

  @Test func aSyncedRealmBecomesALocalOneAndThatIsSaid() throws {
    let folder = try folder("engine/synced.realm")
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm"], creates: ["b.realm"])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "realmctl: warning: a.realm: the realm is synced; the copy is local, without the sync history\n")
    #expect(try LeftRealm(folder.path("b.realm")).snapshot.historyKind == .inRealm)
    let strict = try folder.run(["write-copy", "a.realm", "c.realm", "--strict"], creates: ["c.realm"])
    #expect(strict.status == 1)
    let internalTables = try folder.run(
      ["write-copy", "a.realm", "d.realm", "--no-internal", "-q"], creates: ["d.realm"])
    #expect(internalTables.status == 0)
    let tables = try LeftRealm(folder.path("d.realm")).snapshot.schema.tables.filter { !$0.isClass }
    #expect(tables.map(\.name) == ["metadata"])
  }

  // MARK: - Keys

  @Test(arguments: [
    (["--out-key-file", "other"], true), (["--out-key-env", "KEY"], true), ([], false),
  ])
  func aPlainRealmIsEncryptedWithTheKeyThatIsGiven(options: [String], isEncrypted: Bool) throws {
    let folder = try folder()
    folder.tool.environment["KEY"] = Self.otherKey.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm"] + options, creates: ["b.realm"])
    #expect(outcome.status == 0)
    let copy = try LeftRealm(folder.path("b.realm"), key: isEncrypted ? Self.otherKey : nil)
    #expect(copy.classNames == ["Dog", "Person", "Toy"])
    #expect(copy.bytes.count == (isEncrypted ? 8192 : 2416))
  }

  @Test func anEncryptedRealmKeepsItsKeyGetsAnotherOrNoneAsTold() throws {
    let folder = try folder("engine/all-types-encrypted.realm")
    func copy(_ name: String, _ options: [String], key: [UInt8]?) throws -> LeftRealm {
      let outcome = try folder.run(["write-copy", "a.realm", name, "--key-file", "key"] + options, creates: [name])
      #expect(outcome.status == 0)
      return try LeftRealm(folder.path(name), key: key)
    }
    let plain = try copy("p.realm", ["--decrypt"], key: nil)
    let same = try copy("s.realm", ["--out-key-same"], key: Fixture.engineKey)
    let again = try copy("t.realm", ["--out-key-file", "key"], key: Fixture.engineKey)
    let other = try copy("o.realm", ["--out-key-file", "other"], key: Self.otherKey)
    #expect(same.bytes == again.bytes)
    #expect(same.bytes != other.bytes)
    #expect(same.bytes.count == other.bytes.count)
    let back = try folder.run(["write-copy", "p.realm", "q.realm", "--out-key-file", "key"], creates: ["q.realm"])
    #expect(back.status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("q.realm")) == same.bytes)
    #expect(plain.classNames == same.classNames)
  }

  @Test func aPlainRealmMayBeAskedToBePlain() throws {
    let folder = try folder()
    #expect(try folder.run(["write-copy", "a.realm", "b.realm", "--decrypt"], creates: ["b.realm"]).status == 0)
    #expect(try LeftRealm(folder.path("b.realm")).bytes.count == 2416)
  }

  @Test func anEncryptedRealmNeverTurnsPlainUntold() throws {
    let folder = try folder("engine/all-types-encrypted.realm")
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm", "--key-file", "key"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.hasPrefix("realmctl: missing key of the output; use --out-key-same"))
  }

  @Test(arguments: [
    (["--out-key-same"], 64, "--out-key-same needs the key of the source"),
    (
      ["--out-key-file", "key", "--decrypt"], 64,
      "--out-key-file, --out-key-env, --out-key-same and --decrypt cannot be used together"
    ),
    (["--key-file", "-", "--out-key-file", "-"], 64, "standard input can be used only once"),
    (["--key-file", "key", "--decrypt"], 4, "a.realm: the file is not encrypted"),
    (["--out-key-file", "missing"], 4, "missing: no such file or directory"),
    (["--out-key-file", "a.realm"], 4, "a.realm: Encryption key must be 64 bytes (got 4096); use"),
    (["--out-key-env", "NOT_SET"], 4, "the environment variable NOT_SET is not set"),
  ])
  func keysThatDoNotWorkAreNamed(options: [String], status: Int32, text: String) throws {
    let outcome = try folder().run(["write-copy", "a.realm", "b.realm"] + options)
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("realmctl: " + text), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func aWrongKeyAndAMissingOneAreStatus4() throws {
    let folder = try folder("engine/all-types-encrypted.realm")
    for options in [["--key-file", "other", "--decrypt"], []] {
      let outcome = try folder.run(["write-copy", "a.realm", "b.realm"] + options)
      #expect(outcome.status == 4)
    }
  }

  // MARK: - Parts

  @Test func aPartKeepsWhatItNeedsAndNothingElse() throws {
    let folder = try folder()
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm", "--only", "Toy,Dog"], creates: ["b.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasSuffix("; rebuilt; verified against the source\n"))
    #expect(try LeftRealm(folder.path("b.realm")).classNames == ["Dog", "Toy"])
    let excluding = try folder.run(["write-copy", "a.realm", "c.realm", "--exclude", "Person"], creates: ["c.realm"])
    #expect(excluding.status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("b.realm")) == Fixture.bytes(ofFile: folder.path("c.realm")))
  }

  @Test func linksThatWouldBeLostStopACopyUnlessAllowed() throws {
    let folder = try folder()
    let loss = "property 'Person.dogs' links to a class that is left out (5 links)"
    let refusal = "'Person.dogs' to 'Dog': 5 links"
    for options in [[], ["--dry-run"]] {
      let refused = try folder.run(["write-copy", "a.realm", "b.realm", "--only", "Person"] + options)
      #expect(refused.status == 7)
      #expect(
        refused.errors
          == "realmctl: a.realm: links to classes that are left out would be lost (\(refusal)); add these classes, or "
          + "use --allow-data-loss\n")
    }
    let options = ["--only", "Person", "--allow-data-loss"]
    let allowed = try folder.run(["write-copy", "a.realm", "b.realm"] + options, creates: ["b.realm"])
    #expect(allowed.status == 0)
    #expect(allowed.outputText.hasSuffix("\nleft out: \(loss)\n"))
    #expect(try LeftRealm(folder.path("b.realm")).classNames == ["Person"])
    let report = try json(
      try folder.run(["write-copy", "a.realm", "c.realm", "--json"] + options, creates: ["c.realm"]).output)
    #expect(report["lostLinks"] as? Int == 5)
    let losses = try #require(report["losses"] as? [[String: Any]])
    #expect(losses.map { $0["property"] as? String } == ["dogs"])
    #expect(losses.map { $0["links"] as? Int } == [5])
    #expect(losses.map { $0["leftOut"] as? Bool } == [true])
  }

  @Test func aClassThatIsNotThereIsNotFound() throws {
    for option in ["--only", "--exclude"] {
      let outcome = try folder().run(["write-copy", "a.realm", "b.realm", option, "Dgo"])
      #expect(outcome.status == 3)
      #expect(outcome.errors == "realmctl: a.realm: no class 'Dgo'; did you mean 'Dog'?\n")
      let table = try folder().run(["write-copy", "a.realm", "b.realm", option, "metadata"])
      #expect(table.status == 3)
    }
    #expect(try folder().run(["write-copy", "a.realm", "b.realm", "--only", "A", "--exclude", "B"]).status == 64)
  }

  // MARK: - The output

  @Test func aCopyThatExistsIsReplacedOnlyWithForce() throws {
    let folder = try folder()
    try folder.write("b.realm", Array("old".utf8))
    for options in [[], ["--dry-run"]] {
      let refused = try folder.run(["write-copy", "a.realm", "b.realm"] + options)
      #expect(refused.status == 2)
      #expect(
        refused.errors
          == "realmctl: b.realm: the output already exists; use --force to replace it\n")
    }
    #expect(try folder.run(["write-copy", "a.realm", "b.realm", "--force"], creates: ["b.realm"]).status == 0)
    #expect(try LeftRealm(folder.path("b.realm")).bytes.count == 2416)
  }

  @Test func aFailureLeavesAnOldCopyAlone() throws {
    let folder = try folder()
    try folder.write("b.realm", Array("old".utf8))
    #expect(try folder.run(["write-copy", "a.realm", "b.realm", "--force", "--only", "Person"]).status == 7)
    #expect(try folder.run(["write-copy", "missing.realm", "b.realm", "--force"]).status == 3)
  }

  @Test func theSourceIsNeverTheCopy() throws {
    let folder = try folder()
    try #require(symlink("a.realm", folder.path("link.realm")) == 0)
    for output in ["a.realm", "./a.realm", "link.realm"] {
      let outcome = try folder.run(["write-copy", "a.realm", output, "--force"])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("the output is one of the inputs"))
    }
  }

  @Test func aDryRunWritesNothingAndKnowsTheSize() throws {
    let folder = try folder("engine/all-types.realm")
    let dry = try folder.run(["write-copy", "a.realm", "b.realm", "--dry-run", "--json", "--out-key-file", "key"])
    #expect(dry.status == 0)
    let report = try json(dry.output)
    #expect(report["dryRun"] as? Bool == true)
    #expect(report["verified"] as? Bool == false)
    let options = ["write-copy", "a.realm", "b.realm", "--json", "--out-key-file", "key"]
    let real = try json(try folder.run(options, creates: ["b.realm"]).output)
    #expect(report["size"] as? Int == real["size"] as? Int)
    #expect(real["size"] as? Int == (try Fixture.bytes(ofFile: folder.path("b.realm")).count))
    #expect(try folder.run(["write-copy", "a.realm", "nowhere/b.realm", "--dry-run"]).status == 2)
  }

  @Test func aMissingFolderADeviceAndAFullDiskAreNamed() throws {
    let missing = try folder().run(["write-copy", "a.realm", "nowhere/b.realm"])
    #expect(missing.status == 2)
    #expect(missing.errors.hasPrefix("realmctl: nowhere/b.realm: the folder of the output does not exist; "))
    let full = try folder().run(["write-copy", "a.realm", "/dev/full"])
    #expect(full.status == 2)
    #expect(full.errors == "realmctl: /dev/full: no space left (write: No space left on device); free some space\n")
    let null = try folder().run(["write-copy", "a.realm", "/dev/null"])
    #expect(null.status == 0)
    #expect(!null.outputText.contains("verified"))
  }

  @Test func standardInputAndOutputCarryRealms() throws {
    let folder = try folder("engine/all-types.realm")
    let written = try folder.run(["write-copy", "a.realm", "b.realm"], creates: ["b.realm"])
    #expect(written.status == 0)
    let file = try Fixture.bytes(ofFile: folder.path("b.realm"))
    let streamed = try folder.run(["write-copy", "a.realm", "-"])
    #expect(streamed.status == 0)
    #expect(streamed.output == file)
    #expect(streamed.errors.hasPrefix("wrote \(file.count) bytes (570.0 KiB) to standard output, "))
    let both = try folder.run(["write-copy", "-", "-", "-q"], input: try Fixture.bytes("engine/all-types.realm"))
    #expect(both.output == file)
    #expect(both.errors.isEmpty)
    let encrypted = try folder.run(["write-copy", "a.realm", "-", "-q", "--out-key-file", "key"])
    #expect(try LeftRealm(output: encrypted.output, key: Fixture.engineKey).classNames.contains("AllTypes"))
    #expect(try folder.run(["write-copy", "a.realm", "-", "--force"]).status == 64)
    #expect(try folder.run(["write-copy", "-", "-", "--key-file", "-", "--decrypt"]).status == 64)
    let rebuilt = try folder.run(["write-copy", "a.realm", "-", "-q", "--only", "Inner"])
    #expect(try LeftRealm(output: rebuilt.output).classNames == ["Inner"])
  }

  @Test func theSameInputGivesTheSameBytes() throws {
    let folder = try folder("engine/deep-tree.realm")
    for options in [[], ["--out-key-file", "key"], ["--only", "Item"], ["--only", "Item", "--out-key-file", "key"]] {
      let first = try folder.run(["write-copy", "a.realm", "-", "-q"] + options)
      let second = try folder.run(
        ["write-copy", "a.realm", "b.realm", "-q", "--force"] + options, creates: ["b.realm"])
      #expect(first.status == 0 && second.status == 0)
      #expect(try first.output == Fixture.bytes(ofFile: folder.path("b.realm")))
    }
  }

  // MARK: - Damage

  @Test func aDamagedRealmIsNotCopied() throws {
    let folder = try folder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    try folder.write("d.realm", bytes)
    bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(1996..<2000, with: [0xff, 0xff, 0xff, 0xff])
    try folder.write("e.realm", bytes)
    for name in ["d.realm", "e.realm"] {
      let outcome = try folder.run(["write-copy", name, "b.realm"])
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix("realmctl: \(name): the file is damaged: "))
      #expect(try folder.run(["write-copy", name, "-"]).status == 2)
    }
  }
}
