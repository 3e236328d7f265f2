import Foundation
import RealmStorage
import TestSupport
import Testing

/// Schemas in realm-js's shorthand.
enum ModelText {
  static let person = #"[{"name":"Person","properties":{"firstName":"string","lastName":"string","age":"int"}}]"#
  static let dogs = dogs()

  static func person(_ more: String) -> String {
    #"[{"name":"Person","properties":{"firstName":"string","lastName":"string",\#(more)}}]"#
  }

  /// The model of `dogs.realm`, with parts that differ.
  static func dogs(
    breed: String = "string?", toy: String = "Toy", dogs: String = "Dog[]", toyID: String = #""uuid""#,
    toyKey: String = #","primaryKey":"_id""#, toyName: String = #"{"type":"string","indexed":true}"#
  ) -> String {
    #"""
    [{"name":"Dog","primaryKey":"_id","properties":{"_id":"objectId","name":"string","breed":"\#(breed)",
      "dateOfBirth":"date","favoriteToy":"\#(toy)"}},
     {"name":"Person","primaryKey":"_id","properties":{"_id":"objectId","name":"string","birthdate":"date?",
      "dogs":"\#(dogs)"}},
     {"name":"Toy"\#(toyKey),"properties":{"_id":\#(toyID),"name":\#(toyName)}}]
    """#
  }

  static let embeddedAddress = #"""
    [{"name":"Address","embedded":true,"properties":{"street":"string","city":"string?"}},
     {"name":"Person","properties":{"name":"string","address":"Address"}}]
    """#
}

@Suite("realmctl migrate") struct MigrateTests {
  /// A migration without a function, and what the reference engine made of it.
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    var fixture = "person-v1"
    let model: String
    var version = 2
    var options: [String] = []
    /// Lines of `export --format ndjson` that must be there; empty if the migration stops.
    var lines: [String] = []
    /// What the report, or the message of a migration that stops, says.
    let words: [String]
    var testDescription: String { id }
  }

  static let lossy = ["--allow-data-loss"]
  private static let removedValuesStay =
    "stay in the file's free space until it is compacted: realmctl compact app.realm"

  static let cases: [Case] = [
    Case(
      id: "an optional property", model: ModelText.person(#""age":"int","email":"string?""#),
      lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":58,"email":null}}"#],
      words: ["schema version 1 -> 2", "Property 'Person.email' has been added. 6 objects get null."]),
    Case(
      id: "required properties get the type's default",
      model: ModelText.person(
        #"""
        "age":"int","i":"int","b":"bool","f":"float","d":"double","n":"decimal128","s":"string","x":"data","t":"date",
        "o":"objectId","u":"uuid","m":"mixed","p":"Person","l":"int[]","k":"string<>","y":"date{}"
        """#),
      lines: [
        #"{"class":"Person","value":{"_key":5,"firstName":"Zoë","lastName":"Ångström","age":0,"i":0,"b":false,"f":0.0,"#
          + #""d":0.0,"n":"0","s":"","x":"","t":"1970-01-01T00:00:00Z","o":"000000000000000000000000","#
          + #""u":"00000000-0000-0000-0000-000000000000","m":null,"p":null,"l":[],"k":[],"y":{}}}"#
      ], words: ["Property 'Person.s' has been added. 6 objects get the type's default."]),
    Case(
      id: "a property removed", model: ModelText.person.replacing(#","age":"int""#, with: ""), options: lossy,
      lines: [#"{"class":"Person","value":{"_key":1,"firstName":"Dale","lastName":"Cooper"}}"#],
      words: [
        "Property 'Person.age' has been removed.",
        "lost: 'Person.age': 5 of 6 objects have a value other than the default",
      ]),
    Case(
      id: "another type", model: ModelText.person(#""age":"string""#), options: lossy,
      lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":""}}"#],
      words: ["Property 'Person.age' has been changed from 'int' to 'string'. 6 objects get the type's default."]),
    Case(
      id: "single becomes list", model: ModelText.person(#""age":"int[]""#), options: lossy,
      lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":[]}}"#],
      words: ["has been changed from 'int' to 'array<int>'."]),
    Case(
      id: "made optional", model: ModelText.person(#""age":"int?""#),
      lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":58}}"#],
      words: ["Property 'Person.age' has been made optional."]),
    Case(
      id: "made required: values that are not null go too", fixture: "dogs", model: ModelText.dogs(breed: "string"),
      version: 4, options: lossy,
      lines: [
        #"{"class":"Dog","value":{"_id":"650000000000000000000001","name":"Fido","dateOfBirth":"#
          + #""2017-10-22T02:40:00.123456789Z","favoriteToy":"01234567-89ab-cdef-0123-456789abcdef","breed":""}}"#
      ],
      words: [
        "Property 'Dog.breed' has been made required.",
        "lost: 'Dog.breed': 2 of 5 objects have a value other than the default",
      ]),
    Case(
      id: "another link target", fixture: "dogs", model: ModelText.dogs(toy: "Dog"), version: 4, options: lossy,
      lines: [
        #"{"class":"Dog","value":{"_id":"650000000000000000000000","name":"Rex","breed":null,"dateOfBirth":"#
          + #""2017-07-14T02:40:00.123456789Z","favoriteToy":null}}"#
      ], words: ["Property 'Dog.favoriteToy' has been changed from '<Toy>' to '<Dog>'."]),
    Case(
      id: "list becomes set", fixture: "dogs", model: ModelText.dogs(dogs: "Dog<>"), version: 4, options: lossy,
      lines: [
        #"{"class":"Person","value":{"_id":"640000000000000000000000","name":"Alice","birthdate":null,"dogs":[]}}"#
      ], words: ["Property 'Person.dogs' has been changed from 'array<Dog>' to 'set<Dog>'."]),
    Case(
      id: "primary key moved", fixture: "dogs", model: ModelText.dogs(toyKey: #","primaryKey":"name""#), version: 4,
      lines: [#"{"class":"Toy","value":{"_id":"01234567-89ab-cdef-0123-456789abcdef","name":"Ball"}}"#],
      words: ["Primary Key for class 'Toy' has changed from '_id' to 'name'."]),
    Case(
      id: "primary key removed", fixture: "dogs", model: ModelText.dogs(toyKey: ""), version: 4,
      lines: [#"{"class":"Toy","value":{"_key":0,"_id":"01234567-89ab-cdef-0123-456789abcdef","name":"Ball"}}"#],
      words: ["Primary Key for class 'Toy' has been removed."]),
    Case(
      id: "primary key made optional", fixture: "dogs", model: ModelText.dogs(toyID: #""uuid?""#), version: 4,
      lines: [#"{"class":"Toy","value":{"name":"Ball","_id":"01234567-89ab-cdef-0123-456789abcdef"}}"#],
      words: ["Property 'Toy._id' has been made optional."]),
    Case(
      id: "primary key of another type, two objects", fixture: "dogs", model: ModelText.dogs(toyID: #""objectId""#),
      version: 4, options: lossy,
      words: ["Primary key property 'Toy._id' has duplicate values after migration."]),
    Case(
      id: "a new primary key, six objects",
      model:
        #"[{"name":"Person","primaryKey":"id","properties":{"id":"int","firstName":"string","lastName":"string","age":"int"}}]"#,
      words: ["Primary key property 'Person.id' has duplicate values after migration."]),
    Case(
      id: "a class that goes stays", fixture: "dogs",
      model:
        #"[{"name":"Toy","primaryKey":"_id","properties":{"_id":"uuid","name":{"type":"string","indexed":true}}}]"#,
      version: 4,
      lines: [
        #"{"class":"Person","value":{"_id":"640000000000000000000002","name":"Carol","birthdate":"1944-08-25T17:46:40Z","dogs":[]}}"#
      ],
      words: ["schema version 3 -> 4"]),
    Case(
      id: "a higher version alone", model: ModelText.person, version: 9,
      lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":58}}"#],
      words: ["schema version 1 -> 9"]),
    Case(
      id: "a class at the stored version",
      model: ModelText.person.dropLast()
        + #",{"name":"Team","primaryKey":"name","properties":{"name":"string","lead":"Person"}}]"#,
      version: 1, lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":58}}"#],
      words: ["app.realm: schema version 1\n", "Class 'Team' has been added."]),
    Case(
      id: "an index at the stored version",
      model:
        #"[{"name":"Person","properties":{"firstName":"string","lastName":{"type":"string","indexed":"full-text"},"age":{"type":"int","indexed":true}}}]"#,
      version: 1, lines: [#"{"class":"Person","value":{"_key":0,"firstName":"Gordon","lastName":"Cole","age":58}}"#],
      words: ["Property 'Person.lastName' has been made indexed.", "Property 'Person.age' has been made indexed."]),
    Case(
      id: "what needs a higher version", model: ModelText.person(#""age":"int","email":"string?""#), version: 1,
      words: ["Migration is required due to the following errors: - Property 'Person.email' has been added."]),
    Case(
      id: "a lower version", model: ModelText.person, version: 0,
      words: ["Provided schema version 0 is less than last set version 1."]),
    Case(
      id: "loss that is not allowed", model: ModelText.person(#""age":"string""#),
      words: [
        "the migration would lose data, so nothing was changed ('Person.age' would become string and lose its values: 5 of 6 objects have a value other than the default)"
      ]),
    Case(
      id: "embedded, each linked once", fixture: "address-once", model: ModelText.embeddedAddress,
      lines: [#"{"class":"Person","value":{"_key":0,"name":"P0","address":{"street":"0 Main St","city":null}}}"#],
      words: ["Class 'Address' has been changed from TopLevel to Embedded."]),
    Case(
      id: "embedded, one without a parent", fixture: "address-never", model: ModelText.embeddedAddress,
      words: [
        "Cannot convert 'Address' to embedded: at least one object has no incoming links and would be deleted.",
        "1 of 5 objects has no incoming link",
        "At least one object does not have a backlink (data would get lost).", "--on-orphan delete",
      ]),
    Case(
      id: "embedded, one with two parents", fixture: "address-twice", model: ModelText.embeddedAddress, options: lossy,
      words: [
        "Cannot convert 'Address' to embedded: at least one object has more than one incoming link.",
        "1 of 4 objects has several incoming links", "At least one object does have multiple backlinks.",
        "--on-shared duplicate",
      ]),
    Case(
      id: "embedded, orphans deleted", fixture: "address-never", model: ModelText.embeddedAddress,
      options: ["--on-orphan", "delete"],
      lines: [#"{"class":"Person","value":{"_key":3,"name":"P3","address":{"street":"3 Main St","city":null}}}"#],
      words: ["deleted: 1 object of class 'Address'"]),
    Case(
      id: "embedded, orphans kept in spite of all", fixture: "address-never", model: ModelText.embeddedAddress,
      options: ["--on-orphan", "fail", "--allow-data-loss"], words: ["has no incoming links and would be deleted."]),
    Case(
      id: "embedded, shared ones copied", fixture: "address-twice", model: ModelText.embeddedAddress,
      options: ["--on-shared", "duplicate"],
      lines: [
        #"{"class":"Person","value":{"_key":3,"name":"P3","address":{"street":"3 Main St","city":null}}}"#,
        #"{"class":"Person","value":{"_key":4,"name":"Q","address":{"street":"3 Main St","city":null}}}"#,
      ], words: ["Embedded.\n  duplicated: 2 copies in place of shared objects of class 'Address'\n"]),
    Case(
      id: "embedded, and nobody links there",
      model: ModelText.person.replacing(#""name":"Person","#, with: #""name":"Person","embedded":true,"#),
      options: lossy, words: ["deleted: 6 objects of class 'Person'"]),
    Case(
      id: "a schema that is none",
      model: #"[{"name":"Person","properties":{"firstName":"string","friend":"Nobody"}}]"#,
      words: [
        "Schema validation failed due to the following errors: - Property 'Person.friend' of type 'object' has unknown object type 'Nobody'"
      ]),
  ]

  @Test("does what the reference engine does, or stops where it does", arguments: cases)
  func automatic(_ migration: Case) throws {
    let folder = try OpenConfigurationTests.folder(migration.fixture)
    let bytes = try Fixture.bytes(ofFile: folder.path("app.realm"))
    try folder.write("model.json", Array(migration.model.utf8))
    let command =
      ["migrate", "app.realm", "--schema", "model.json", "--to-version", String(migration.version)] + migration.options
    let dryRun = try folder.run(command + ["--dry-run"])
    let outcome = try folder.tool.run(command)
    #expect(dryRun.status == outcome.status)
    let said = outcome.outputText + outcome.errors
    // Advice replaces the full stop.
    for words in migration.words {
      #expect(said.contains(words.hasSuffix(".") ? String(words.dropLast()) : words), "\(said)")
    }
    guard outcome.status == 0 else {
      #expect(outcome.status == 7)
      #expect(migration.lines.isEmpty)
      #expect(dryRun.errors == outcome.errors)
      #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == bytes)
      #expect(try folder.names().filter { $0 != "app.realm.lock" } == ["app.realm", "model.json"])
      return
    }
    // The dry run reports the same, except for the backup.
    let told = outcome.outputText.components(separatedBy: "backup: ")[0]
    let rehearsed = dryRun.outputText.replacing("would be migrated: ", with: "")
      .replacing("would stay in the file's free space; --compact removes them", with: Self.removedValuesStay)
    #expect(rehearsed == told)
    let realm = try LeftRealm(folder.path("app.realm"))
    #expect(realm.snapshot.schema.version == UInt64(migration.version))
    let export = try folder.run(["export", "app.realm", "--format", "ndjson"]).outputText.split(separator: "\n")
    for line in migration.lines { #expect(export.contains(Substring(line))) }
    // An app finds nothing left to do.
    let again = try folder.run(command)
    #expect(again.status == 0)
    #expect(
      again.outputText
        == "app.realm: nothing to do: schema version \(migration.version), no schema changes\n")
    try checkBackup(in: folder, bytes, outcome)
  }

  private func checkBackup(in folder: InputFolder, _ bytes: [UInt8], _ outcome: Tool.Outcome) throws {
    let backup = try #require(try UpgradeTests.backup(in: folder, of: "migrate"))
    #expect(try Fixture.bytes(ofFile: folder.path(backup)) == bytes)
    #expect(outcome.outputText.hasSuffix("backup: \(backup); to restore it:\n  cp -p \(backup) app.realm\n"))
  }

  // MARK: Where the result goes

  static func folderToMigrate(_ fixture: String = "person-v1") throws -> (folder: InputFolder, command: [String]) {
    let folder = try OpenConfigurationTests.folder(fixture)
    try folder.write("model.json", Array(ModelText.person(#""age":"int","email":"string""#).utf8))
    return (folder, ["migrate", "app.realm", "--schema", "model.json", "--to-version", "2"])
  }

  /// The SDKs' words for the same rename in a migration function.
  @Test("a rename to a name that the schema does not have is not to be undone by another") func undoneRename() throws {
    let (folder, _) = try Self.folderToMigrate()
    try folder.write("same.json", try folder.run(["schema", "dump", "app.realm", "--format", "json"]).output)
    let words = ["migrate", "app.realm", "--rename", "Person.age=years", "--schema", "same.json", "--to-version", "2"]
    let outcome = try folder.run(words, creates: ["app.realm.lock"])
    #expect(outcome.status == 7)
    #expect(
      outcome.errors
        == "realmctl: app.realm: Cannot rename property 'Person.age' to 'years' because the source property still "
        + "exists.\n")
  }

  @Test("-o leaves the realm alone") func elsewhere() throws {
    let (folder, command) = try Self.folderToMigrate()
    #expect(
      try folder.run(command + ["-o", "new.realm", "--dry-run"]).outputText.contains("\nnew.realm: would be written: "))
    let outcome = try folder.run(command + ["-o", "new.realm"], creates: ["new.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasPrefix("new.realm: schema version 1 -> 2\n"))
    #expect(outcome.outputText.contains("wrote new.realm: "))
    #expect(try folder.names() == ["app.realm", "model.json", "new.realm"])
    #expect(try LeftRealm(folder.path("new.realm")).snapshot.schema.version == 2)
    #expect(try folder.run(command + ["-o", "new.realm"]).status == 2)
    #expect(try folder.run(command + ["-o", "new.realm", "--force"], creates: ["new.realm"]).status == 0)
  }

  @Test("an encrypted realm stays encrypted with its key") func encrypted() throws {
    let folder = try InputFolder()
    try folder.write("key", Fixture.engineKey)
    try folder.write("app.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    let key = ["--key-file", "key"]
    let schema = try folder.run(["schema", "dump", "app.realm", "--format", "json"] + key).output
    try folder.write("model.json", schema)
    let content = ["export", "app.realm", "--format", "typed"] + key
    let before = try folder.run(content).output
    let command = ["migrate", "app.realm", "--schema", "model.json", "--to-version", "99", "--no-backup"]
    #expect(try folder.run(command).status == 4)
    #expect(try folder.run(command + key + ["--dry-run"]).status == 0)
    #expect(try folder.run(command + key, creates: ["app.realm", "app.realm.lock"]).status == 0)
    let realm = try LeftRealm(folder.path("app.realm"), key: Fixture.engineKey)
    #expect(realm.snapshot.schema.version == 99)
    #expect(try folder.run(content).output == before)
  }

  @Test("an older format is refused, or upgraded and migrated in one") func olderFormat() throws {
    let (folder, bytes) = try UpgradeTests.old()
    let schema = try folder.run(["schema", "dump", "app.realm", "--format", "json"]).output
    try folder.write("model.json", schema)
    let command = ["migrate", "app.realm", "--schema", "model.json", "--to-version", "77"]
    #expect(try folder.run(command).status == 5)
    let elsewhere = try folder.run(command + ["-o", "new.realm"], creates: ["new.realm"])
    #expect(elsewhere.status == 0)
    #expect(try LeftRealm(folder.path("new.realm")).snapshot.schema.version == 77)
    #expect(try folder.run(command + ["--upgrade", "--dry-run"]).status == 0)
    let outcome = try folder.tool.run(command + ["--upgrade"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("  file format "))
    let realm = try LeftRealm(folder.path("app.realm"))
    #expect(realm.snapshot.schema.version == 77)
    #expect(realm.snapshot.header.format == 24)
    try checkBackup(in: folder, bytes, outcome)
  }

  @Test("an upgrade whose migration stops leaves the old file as it was") func allOrNothing() throws {
    let (folder, _) = try UpgradeTests.old()
    try folder.write("model.json", Array(#"[{"name":"Other","properties":{"a":"Nobody"}}]"#.utf8))
    let outcome = try folder.run(
      ["migrate", "app.realm", "--schema", "model.json", "--to-version", "77", "--upgrade"],
      creates: ["app.realm.lock"])
    #expect(outcome.status == 7)
    #expect(try UpgradeTests.backup(in: folder, of: "migrate") == nil)
  }

  // MARK: Report

  @Test("the report as JSON has every count", arguments: [["--json"], ["--report-format", "json"]])
  func json(options: [String]) throws {
    let folder = try OpenConfigurationTests.folder()
    try folder.write("model.json", Array(ModelText.person(#""years":"int","email":"string?""#).utf8))
    let outcome = try folder.run(
      ["migrate", "app.realm", "--schema", "model.json", "--to-version", "3", "--allow-data-loss", "--dry-run"]
        + options)
    #expect(outcome.status == 0)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["version"] as? Int == 2)
    #expect(report["input"] as? String == "app.realm")
    #expect(report["fromVersion"] as? Int == 1)
    #expect(report["toVersion"] as? Int == 3)
    #expect(report["dryRun"] as? Bool == true)
    let lost = try #require(report["lost"] as? [[String: Any]])
    #expect(lost.map { $0["property"] as? String } == ["age"])
    #expect(lost.first?["nonNullValues"] as? Int == 5)
    let steps = try #require(report["steps"] as? [[String: Any]])
    let operations = try #require(steps.first?["ops"] as? [[String: Any]])
    #expect(operations.map { $0["op"] as? String } == ["add_property", "add_property", "remove_property"])
    #expect(operations.map { $0["defaulted"] as? Int } == [6, 0, 0])
    #expect(operations.map { $0["null"] as? Int } == [0, 6, 0])
    #expect(
      report["schemaDiff"] as? [String] == [
        "Property 'Person.age' has been removed.", "Property 'Person.years' has been added.",
        "Property 'Person.email' has been added.",
      ])
    #expect(report["seconds"] is Double)
  }

  /// As in Realm Core 14.14.0, asked to open the file at a version with the schema that it has.
  @Test("the version alone rises, stays, or is told to be too low", arguments: ["person-v1", "no-tables"])
  func versionAlone(_ fixture: String) throws {
    let (folder, _) = try Self.folderToMigrate(fixture)
    let before = try folder.run(["export", "app.realm", "--format", "typed"]).output
    let raise = ["migrate", "app.realm", "--no-backup", "--to-version"]
    #expect(try folder.run(raise + ["4", "--dry-run"]).status == 0)
    let outcome = try folder.run(raise + ["4"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0 && outcome.outputText.contains(" -> 4\n"), "\(outcome.errors)")
    #expect(try LeftRealm(folder.path("app.realm")).snapshot.schema.version == 4)
    #expect(try folder.run(["export", "app.realm", "--format", "typed"]).output == before)
    let again = try folder.run(raise + ["4"])
    #expect(again.status == 0 && again.outputText.contains("nothing to do"))
    let lower = try folder.run(raise + ["3"])
    #expect(lower.status == 7)
    #expect(lower.errors.contains("Provided schema version 3 is less than last set version 4"))
  }

  // MARK: What stops it

  @Test(
    "usage and missing things",
    arguments: [
      (["migrate", "app.realm"], 64), (["migrate", "app.realm", "--to-version", "2", "--show", "1"], 64),
      (["migrate", "app.realm", "--schema", "model.json"], 64),
      (["migrate", "app.realm", "--schema", "model.json", "--to-version", "18446744073709551615"], 64),
      (["migrate", "-", "--schema", "model.json", "--to-version", "2"], 64),
      (["migrate", "app.realm", "--schema", "model.json", "--to-version", "2", "--force"], 64),
      (["migrate", "app.realm", "--schema", "model.json", "--to-version", "2", "-o", "b.realm", "--wait", "1"], 64),
      (
        ["migrate", "app.realm", "--schema", "model.json", "--to-version", "2", "--json", "--report-format", "text"], 64
      ),
      (["migrate", "app.realm", "--schema", "missing.json", "--to-version", "2"], 3),
      (["migrate", "missing.realm", "--schema", "model.json", "--to-version", "2"], 3),
      (["migrate", "model.json", "--schema", "model.json", "--to-version", "2"], 2),
      (["migrate", "app.realm", "--schema", "model.json", "--to-version", "2", "--key-file", "model.json"], 4),
    ] as [([String], Int32)])
  func refusals(arguments: [String], status: Int32) throws {
    let (folder, _) = try Self.folderToMigrate()
    #expect(try folder.run(arguments).status == status)
  }

  @Test(
    "a slip in a schema is told with its file, its place and what may be meant",
    arguments: [
      (#"[{"name":"P","properties":{"a":"strng"}}]"#, 7, "unknown object type 'strng'; did you mean 'string'?"),
      (#"[{"name":"P","propertys":{}}]"#, 7, "'propertys', and 1 more); did you mean 'properties'?"),
      (#"[{"name":"P","properties":{"a":{"type":"int","indexd":true}}}]"#, 7, "did you mean 'indexed'?"),
      (#"{"schemaversion":1,"classes":[]}"#, 7, "'schemaversion'); did you mean 'schemaVersion'?"),
      (
        "[\n{\"name\":\"P\"\n\"properties\":{}}]", 7,
        "model.json:3:1: not valid JSON: unexpected '\"', expected ',' or '}'; fix the file"
      ),
      (#"[{"name":"P","properties":{"a":5}}]"#, 7, "[0].properties.a: Invalid type declaration"),
      ("", 2, "is neither a schema file nor a realm"), ("name: P", 7, "model.json:1:1: not valid JSON: "),
    ] as [(String, Int32, String)])
  func slips(model: String, status: Int32, words: String) throws {
    let folder = try OpenConfigurationTests.folder()
    try folder.write("model.json", Array(model.utf8))
    let outcome = try folder.run(["migrate", "app.realm", "--schema", "model.json", "--to-version", "2"])
    #expect(outcome.status == status)
    #expect(outcome.errors.hasPrefix("realmctl: model.json:"))
    #expect(outcome.errors.contains(words))
  }

  @Test("a backup that cannot be made stops a dry run as well, and the advice is one for backups") func noBackup()
    throws
  {
    let (folder, command) = try Self.folderToMigrate()
    let outcome = try folder.run(command + ["--backup", "no/kept.realm"], creates: ["app.realm.lock"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the backup could not be made, so nothing was changed: "))
    #expect(outcome.errors.contains("create it first, or name another with --backup"))
    let dryRun = try folder.run(command + ["--backup", "no/kept.realm", "--dry-run"])
    #expect(dryRun.errors == outcome.errors)
    #expect(dryRun.status == 2)
  }

  @Test("a migration that stops in the middle leaves every byte of a copy as it was") func everyByte() throws {
    let folder = try InputFolder()
    try folder.write("app.realm", NodeTree(Fixture.bytes("engine/dogs.realm")).written(.streaming))
    let model = #"[{"name":"Toy","primaryKey":"number","properties":{"number":"int"}}]"#
    try folder.write("model.json", Array(model.utf8))
    let outcome = try folder.run(
      ["migrate", "app.realm", "--schema", "model.json", "--to-version", "99", "--allow-data-loss"],
      creates: ["app.realm.lock"])
    #expect(outcome.status == 7)
    #expect(outcome.errors.contains("has duplicate values after migration"))
  }

  @Test("a migration that is refused leaves bytes behind the realm's end as they were") func bytesBehindTheEnd() throws
  {
    let folder = try InputFolder()
    try folder.write("app.realm", Fixture.bytes("engine/dogs.realm") + [UInt8](repeating: 0, count: 8192))
    let model = #"[{"name":"Toy","primaryKey":"number","properties":{"number":"int"}}]"#
    try folder.write("model.json", Array(model.utf8))
    for option in ["--allow-data-loss", "--no-backup"] {
      let outcome = try folder.run(
        ["migrate", "app.realm", "--schema", "model.json", "--to-version", "99", option], creates: ["app.realm.lock"])
      #expect(outcome.status == 7)
    }
  }

  @Test(
    "values that are overwritten stay in free space, and the report says so",
    arguments: [[], ["--dry-run"], ["--compact"], ["-o", "b.realm"]] as [[String]])
  func overwrittenValues(_ options: [String]) throws {
    let folder = try OpenConfigurationTests.folder()
    let before = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let isElsewhere = options.contains("-o")
    let dryRun = options.contains("--dry-run")
    let set = ["migrate", "app.realm", "--set", "Person.lastName=X", "--to-version", "2", "--json"]
    let outcome = try folder.tool.run(set + options + (isElsewhere || dryRun ? [] : ["--no-backup"]))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let overwritten = try #require(report["overwritten"] as? [[String: Any]])
    #expect(overwritten.map { $0["property"] as? String } == ["lastName"])
    #expect(overwritten.map { $0["objects"] as? Int } == [6])
    let stays = options.isEmpty
    #expect(report["removedValuesRemain"] as? Bool == (stays || dryRun))
    if isElsewhere || dryRun { #expect(try Fixture.bytes(ofFile: folder.path("app.realm")) == before) }
    guard !dryRun else { return }
    let path = isElsewhere ? "b.realm" : "app.realm"
    // The name is nowhere else in the file.
    _ = try LeftRealm(folder.path(path))
    let bytes = try Fixture.bytes(ofFile: folder.path(path))
    #expect((bytes.firstRange(of: Array("Cole".utf8)) != nil) == stays)
  }

  @Test("a realm whose tables are not what they are taken for is left alone, and the message tells which")
  func unsound()
    throws
  {
    let (folder, command) = try Self.folderToMigrate("no-tables")
    do {
      let transaction = try WriteTransaction(RealmFile(exclusive: folder.path("app.realm"), key: nil))
      _ = try transaction.addTable("metadata")
      try transaction.commit()
    }
    let bytes = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let outcome = try folder.tool.run(command)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors == """
        realmctl: app.realm: the realm has damage that makes changes unsafe, so nothing was changed (table 'metadata'); \
        run 'check' for details, or use a backup

        """)
    #expect(try LeftRealm(folder.path("app.realm")).bytes.count == bytes.count)
  }

  @Test("a realm that somebody has open is left alone") func inUse() throws {
    let (folder, command) = try Self.folderToMigrate()
    let holder = try SharedLock(folder.path("app.realm.lock"))
    let outcome = try folder.run(command)
    #expect(outcome.status == 6)
    #expect(outcome.errors.contains("file is in use by another process"))
    #expect(try folder.run(command + ["--dry-run"]).status == 6)
    #expect(try folder.run(["open", "app.realm", "--schema", "model.json", "--schema-version", "2"]).status == 6)
    // Reading, and writing to another file, disturbs nobody.
    #expect(try folder.run(command + ["-o", "new.realm"], creates: ["new.realm"]).status == 0)
    holder.release()
  }

  // MARK: open

  @Test("open with a schema does the same, and keeps a backup") func openMigrates() throws {
    let (folder, _) = try Self.folderToMigrate()
    let open = ["open", "app.realm", "--schema", "model.json", "--schema-version"]
    #expect(try folder.run(open + ["1"]).status == 7)
    let outcome = try folder.run(open + ["2", "--no-backup"], creates: ["app.realm", "app.realm.lock"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("Property 'Person.email' has been added. 6 objects get the type's default."))
    #expect(outcome.outputText.contains("schema version: 2\n"))
    #expect(try folder.names() == ["app.realm", "app.realm.lock", "model.json"])
    _ = try LeftRealm(folder.path("app.realm"))
    // Up to date: nothing is written.
    #expect(try folder.run(open + ["2"]).status == 0)
    try folder.write("model.json", Array(ModelText.person.utf8))
    #expect(try folder.run(open + ["3"]).status == 7)
    let lossy = try folder.tool.run(open + ["3", "--allow-data-loss"])
    #expect(lossy.status == 0)
    #expect(try UpgradeTests.backup(in: folder, of: "migrate") != nil)
  }

  @Test("in memory the migration is seen, and the file stays as it is") func inMemory() throws {
    let (folder, _) = try Self.folderToMigrate()
    let outcome = try folder.run(
      ["open", "app.realm", "--in-memory", "--schema", "model.json", "--schema-version", "2", "--json"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["schemaVersion"] as? Int == 2)
    let launch = try #require(report["launch"] as? [String: Any])
    #expect(launch["events"] as? [String] == ["migrate"])
    #expect(try folder.names() == ["app.realm", "model.json"])
  }

  @Test("a seed is migrated before it appears, or does not appear") func seeds() throws {
    let (folder, _) = try Self.folderToMigrate()
    let open = ["open", "new.realm", "--seed-file", "app.realm", "--schema", "model.json", "--schema-version"]
    #expect(try folder.run(open + ["1"]).status == 7)
    #expect(try !folder.names().contains("new.realm"))
    let created: Set<String> = ["new.realm", "new.realm.lock"]
    #expect(try folder.run(open + ["2"], creates: created).status == 0)
    #expect(try LeftRealm(folder.path("new.realm")).snapshot.schema.version == 2)
  }

  @Test("a realm that would need a migration is deleted only when somebody says yes, and kept beside") func deletion()
    throws
  {
    let (folder, _) = try Self.folderToMigrate()
    let bytes = try Fixture.bytes(ofFile: folder.path("app.realm"))
    let open = [
      "open", "app.realm", "--schema", "model.json", "--schema-version", "1", "--delete-if-migration-needed",
    ]
    let asked = try folder.run(open)
    #expect(asked.status == 64)
    #expect(asked.errors.contains("all data of the realm would be deleted; use --yes to confirm"))
    #expect(try folder.run(open + ["--yes", "--dry-run"]).outputText.contains("would be deleted with all its data"))
    let outcome = try folder.tool.run(open + ["--yes"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("schema version: 1\n"))
    #expect(outcome.outputText.hasSuffix("Person        0\n"))
    let kept = try #require(try folder.names().first { $0.hasPrefix("app.deleted-") })
    #expect(try Fixture.bytes(ofFile: folder.path(kept)) == bytes)
    _ = try LeftRealm(folder.path("app.realm"))
    // Nothing to migrate, nothing to delete.
    let again = try folder.run(open)
    #expect(again.status == 0)
  }
}

/// The lock of an app that has a realm open.
final class SharedLock {
  private var descriptor: Int32

  init(_ path: String) throws {
    descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0, flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { throw Tool.Failure(call: "flock") }
  }

  func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  deinit { release() }
}
