import Foundation
import TestSupport
import Testing

/// `export --format sqlite`, and `hash` and `diff` of what it writes.
@Suite struct DatabaseTests {
  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    return folder
  }

  @Test func aDatabaseIsWrittenAndProved() throws {
    let folder = try folder()
    let outcome = try folder.run(["export", "a.realm", "-o", "a.sqlite"], creates: ["a.sqlite"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(
      outcome.outputText.split(separator: "\n").dropFirst() == [
        "  Dog: 5 rows", "  Person: 3 rows", "  Person.dogs: 5 rows", "  Toy: 2 rows", "  _realm_schema: 1 row",
        "  _realm_keys: 10 rows", "verified against the source",
      ])
    let hashes = try folder.run(["hash", "a.realm", "a.sqlite"]).outputText.split(separator: "\n").map { $0.prefix(64) }
    #expect(hashes.count == 2 && hashes[0] == hashes[1])
    let same = try folder.run(["diff", "a.realm", "a.sqlite"])
    #expect(same.status == 0 && same.output.isEmpty)
    #expect(try folder.run(["diff", "a.sqlite", "a.realm"]).status == 0)
    for words in [["diff", "a.sqlite", "a.realm"], ["hash", "a.sqlite"]] {
      let outcome = try folder.run(words + ["--snapshot", "previous"])
      #expect(outcome.status == 64)
      #expect(outcome.errors == "realmctl: a.sqlite: a SQLite database has no older snapshots; omit --snapshot\n")
    }
  }

  @Test(arguments: [
    ["--only", "Person"], ["--exclude", "Toy"], ["--only", "Person", "--where", "name == 'Bob'"],
    ["--only", "Dog", "--where", "SORT(name DESC)"], ["--internal"], ["--dates", "unix"], ["--dates", "unix-ms"],
  ])
  func partsAreProvedToo(options: [String]) throws {
    let folder = try folder()
    let outcome = try folder.run(["export", "a.realm", "-o", "a.db"] + options, creates: ["a.db"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.outputText.hasSuffix("verified against the source\n"))
  }

  @Test(arguments: [["--only", "Embedded"], ["--only", "AllTypes", "--where", "_id > 500 SORT(_id DESC)"]])
  func embeddedObjectsComeWithTheirOwners(options: [String]) throws {
    let folder = try folder("engine/all-types.realm")
    let outcome = try folder.run(["export", "a.realm", "-o", "a.db"] + options, creates: ["a.db"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.outputText.hasSuffix("verified against the source\n"))
  }

  @Test func whatComesFromAnEncryptedRealmIsItsOwnersAlone() throws {
    let folder = try folder("engine/all-types-encrypted.realm")
    try folder.write("key", Fixture.engineKey)
    let arguments = ["export", "a.realm", "--key-file", "key", "-o", "a.sqlite"]
    #expect(try folder.run(arguments, creates: ["a.sqlite"]).status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a.sqlite"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try folder.run(["diff", "a.realm", "a.sqlite", "--key-file", "key"]).status == 0)
  }

  @Test func theFormForRoomIsNotTakenForTheOther() throws {
    let folder = try folder()
    let arguments = ["export", "a.realm", "-o", "a.db", "--for", "room", "--with-schema"]
    #expect(try folder.run(arguments, creates: ["a.db"]).status == 0)
    for words in [["hash", "a.db"], ["diff", "a.realm", "a.db"]] {
      let outcome = try folder.run(words)
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.contains("the database was exported for Room, and that form cannot be read back"),
        "\(outcome.errors)")
    }
  }

  @Test func aDryRunKeepsNothing() throws {
    let outcome = try folder().run(["export", "a.realm", "-o", "a.sqlite", "--dry-run", "--json"])
    #expect(outcome.status == 0)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(object["dryRun"] as? Bool == true && object["equalToRealm"] as? Bool == true)
    #expect((object["sqlTables"] as? [[String: Any]])?.count == 7)
  }

  @Test(arguments: [
    (["--format", "sqlite"], "a SQLite database needs a file; name one with -o"),
    (["--dates", "unix"], "--dates needs --format sqlite, or --explode"),
    (["--no-verify"], "--no-verify needs --format sqlite, or -o NAME.sqlite"),
    (["--dry-run"], "--dry-run needs --format sqlite, or -o NAME.sqlite"),
    (["--format", "csv", "--explode", "--no-keys"], "--no-keys and --explode cannot be used together"),
    (["-o", "a.sqlite", "--pretty"], "--pretty needs --format json"),
  ])
  func optionsThatMeanNothingAreRefused(options: [String], message: String) throws {
    let outcome = try folder().run(["export", "a.realm"] + options)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func anEndingThatContradictsIsAWarning() throws {
    let outcome = try folder().run(
      ["export", "a.realm", "--format", "json", "-o", "a.sqlite"], creates: ["a.sqlite"])
    #expect(outcome.errors.contains("the format is json, but the name ends with '.sqlite'"))
    let other = try folder().run(["export", "a.realm", "--format", "sqlite", "-o", "a.csv"], creates: ["a.csv"])
    #expect(other.status == 0)
    #expect(other.errors.contains("the format is sqlite, but the name ends with '.csv'"))
  }

  @Test func damagedPartsAreLeftOutAndCounted() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    for index in 1996..<2000 { bytes[index] = 0xff }
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["export", "a.realm", "-o", "a.sqlite"], creates: ["a.sqlite"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("'breed' of 5 objects of class 'Dog'"), "\(outcome.errors)")
    #expect(outcome.outputText.hasSuffix("not verified\n"))
    #expect(outcome.outputText.contains("  Dog: 5 rows\n"))
  }

  @Test func otherDatabasesAreToldAsSuch() throws {
    let folder = try folder()
    try folder.write("b.sqlite", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 100))
    for arguments in [["hash", "b.sqlite"], ["diff", "a.realm", "b.sqlite"]] {
      let outcome = try folder.run(arguments)
      #expect(outcome.status == 2, "\(outcome.errors)")
      #expect(outcome.errors.contains("b.sqlite: "))
    }
  }
}
