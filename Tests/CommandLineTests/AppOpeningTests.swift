import Foundation
import RealmStorage
import TestSupport
import Testing

/// `open` where an app would stop: files that may not be written, seeds that are none, files that are missing.
@Suite struct AppOpeningTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("model.json", try folder.run(["schema", "dump", "a.realm", "--format", "json"]).output)
    return folder
  }

  // MARK: Permissions

  @Test func aFileThatMayNotBeWrittenIsOpenedReadOnlyOnly() throws {
    let folder = try folder()
    try #require(chmod(folder.path("a.realm"), 0o444) == 0 && chmod(folder.path("."), 0o777) == 0)
    // Permissions mean nothing to an administrator.
    if getuid() == 0 { folder.tool.user = 65534 }
    let options = ["open", "a.realm", "--schema", "model.json"]
    let refused = try folder.run(options)
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "realmctl: a.realm: permission denied (Permission denied. Please use a path where your app has read-write "
        + "permissions.); use --read-only, or --in-memory to try changes\n")
    for option in ["--read-only", "--in-memory"] { #expect(try folder.run(options + [option]).status == 0) }
    // Looking is no opening.
    #expect(try folder.run(["open", "a.realm"]).status == 0)
  }

  @Test func aFolderThatMayNotBeWrittenHasNoPlaceForTheLockFile() throws {
    let folder = try folder()
    try #require(chmod(folder.path("a.realm"), 0o666) == 0 && chmod(folder.path("."), 0o555) == 0)
    defer { chmod(folder.path("."), 0o755) }
    if getuid() == 0 { folder.tool.user = 65534 }
    let refused = try folder.run(["open", "a.realm", "--schema", "model.json"])
    #expect(refused.status == 2)
    #expect(refused.errors.contains("(Failed to open file at path 'a.realm.lock': Permission denied); use --read-only"))
  }

  // MARK: Seeds

  @Test func whatIsWrongWithASeedIsSaidOfTheSeed() throws {
    let folder = try folder()
    try folder.write("synced.realm", try Fixture.bytes("engine/synced.realm"))
    try folder.write("text.realm", Array("no realm, but long enough to be one".utf8))
    try folder.write("encrypted.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("cut.realm", Array(try Fixture.bytes("engine/dogs.realm").prefix(1504)))
    let old = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    old.format = 23
    try folder.write("old.realm", old.written(.normal))
    try #require(mkdir(folder.path("folder.realm"), 0o755) == 0)
    for (seed, status) in [
      ("synced", 2), ("text", 2), ("encrypted", 4), ("cut", 2), ("old", 5), ("folder", 2), ("none", 3),
    ] {
      let outcome = try folder.run(["open", "new.realm", "--seed", "\(seed).realm"])
      #expect(outcome.status == Int32(status), "\(outcome.errors)")
      #expect(outcome.errors.hasPrefix("realmctl: \(seed).realm: "), "\(outcome.errors)")
      #expect(!outcome.errors.contains("new.realm"), "\(outcome.errors)")
    }
    #expect(try !folder.names().contains("new.realm"))
  }

  // MARK: Missing files

  @Test func aMissingFileIsMadeWhereThatIsAskedFor() throws {
    let folder = try folder()
    let missing = try folder.run(["open", "new.realm", "--schema", "model.json"])
    #expect(missing.status == 3)
    #expect(missing.errors.hasSuffix("; check the path, name a seed with --seed, or use --create\n"))
    let made = try folder.run(
      ["open", "new.realm", "--schema", "model.json", "--create"], creates: ["new.realm", "new.realm.lock"])
    #expect(made.status == 0, "\(made.errors)")
    // Unless another is given, as in the SDKs.
    #expect(made.outputText.contains("\nschema version: 0\n"))
    #expect(try LeftRealm(folder.path("new.realm")).classNames == ["Dog", "Person", "Toy"])
    for options in [["--create"], ["--schema", "model.json", "--create", "--read-only"]] {
      #expect(try folder.run(["open", "other.realm"] + options).status == 64)
    }
  }

  @Test func withoutAFileTheDefaultRealmIsMeant() throws {
    let folder = try folder()
    #expect(try folder.run(["open"]).errors.hasPrefix("realmctl: default.realm: no such file or directory"))
    try folder.write("default.realm", try Fixture.bytes("engine/fragmented.realm"))
    #expect(try folder.run(["open"]).outputText.hasPrefix("path: default.realm\n"))
    let compacted = try folder.run(["compact"], creates: ["default.realm", "default.realm.lock"])
    #expect(compacted.status == 0)
    #expect(compacted.outputText.hasPrefix("default.realm: "))
    _ = try LeftRealm(folder.path("default.realm"))
  }

  // MARK: In memory

  @Test func aRealmInMemoryIsSaidToBeThere() throws {
    let folder = try folder()
    let empty = try folder.run(["open", "--in-memory", "--schema", "model.json"])
    #expect(empty.status == 0)
    #expect(empty.outputText.hasPrefix("path: in memory\n"))
    #expect(empty.errors.hasPrefix("in memory: created\nin memory: schema version none -> 0\n"))
    let plan =
      "plan: 1\nsteps:\n- to: 9\n  do:\n  - remove_property: { class: Dog, name: breed, lossy: ok }\n"
    try folder.write("plan.yml", Array(plan.utf8))
    let copy = try folder.run(["open", "a.realm", "--in-memory", "--plan", "plan.yml"])
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(copy.outputText.hasPrefix("path: a.realm (in memory)\n"))
    #expect(copy.errors.hasPrefix("a.realm (in memory): schema version 3 -> 9\n"))
    #expect(!copy.errors.contains("free space") && !copy.errors.contains("compact"))
    let seeded = try folder.run(["open", "b.realm", "--in-memory", "--seed", "a.realm"])
    #expect(seeded.status == 64)
    #expect(seeded.errors.contains("Cannot set `seedFilePath` when `inMemoryIdentifier` is set."))
  }

  // MARK: Deletion

  @Test func deletionComesBeforeThePlanAndIsNotAskedForInADryRun() throws {
    let folder = try folder()
    try folder.write(
      "plan.yml",
      Array("plan: 1\nsteps:\n- to: 9\n  do:\n  - assert: { class: Dog, where: 'TRUEPREDICATE', count: 99 }\n".utf8))
    let options = [
      "open", "a.realm", "--schema", "model.json", "--plan", "plan.yml", "--delete-if-migration-needed", "--no-backup",
    ]
    let dry = try folder.run(options + ["--dry-run"])
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(dry.outputText.hasPrefix("a.realm: would be deleted with all its data and replaced by an empty realm\n"))
    #expect(try folder.run(options).status == 64)
    let done = try folder.run(options + ["--yes"], creates: ["a.realm", "a.realm.lock"])
    #expect(done.status == 0, "\(done.errors)")
    let left = try LeftRealm(folder.path("a.realm"))
    #expect(left.snapshot.schema.version == 9)
    #expect(try left.snapshot.table(displayName: "Dog")?.objectCount() == 0)
    // There is nothing to delete for.
    let again = try folder.run(options + ["--yes"])
    #expect(again.status == 0)
    #expect(!again.errors.contains("deleted"))
  }
}
