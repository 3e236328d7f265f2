import Foundation
import TestSupport
import Testing

@Suite struct ExportTests {
  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    return folder
  }

  // MARK: - Content

  @Test(arguments: [
    ("dogs.json", "core"), ("dogs.xjson.json", "core-xjson"), ("dogs.xjson-plus.json", "core-xjson+"),
    ("nested-mixed.xjson-plus.json", "core-xjson+"), ("synced.xjson.json", "core-xjson"),
  ])
  func theCoreFormsAreTheEnginesOutput(expected: String, format: String) throws {
    let name = expected.prefix { $0 != "." }
    let outcome = try folder("engine/\(name).realm").run(["export", "a.realm", "--format", format])
    #expect(outcome.status == 0)
    #expect(outcome.output == (try Fixture.bytes("engine/" + expected)))
  }

  @Test func anEncryptedFileGivesWhatThePlainOneGives() throws {
    let folder = try folder("engine/all-types.realm")
    try folder.write("b.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    let plain = try folder.run(["export", "a.realm", "--format", "typed"])
    let encrypted = try folder.run(["export", "b.realm", "--format", "typed", "--key-file", "key"])
    #expect(plain.status == 0)
    #expect(encrypted.output == plain.output)
  }

  @Test func oneClassIsWrittenBare() throws {
    let outcome = try folder().run(["export", "a.realm", "--only", "Toy", "--format", "ndjson"])
    #expect(
      outcome.outputText == """
        {"_id":"01234567-89ab-cdef-0123-456789abcdef","name":"Ball"}
        {"_id":"11111111-2222-3333-4444-555555555555","name":"Rubber duck"}

        """)
  }

  @Test(arguments: [
    (["--only", "Toy,Dog"], ["Dog", "Toy"]),
    (["--exclude", "Toy"], ["Dog", "Person"]),
    (["--internal"], ["Dog", "Person", "Toy", "metadata"]),
    (["--only", "metadata"], ["metadata"]),
  ])
  func onlyTheClassesThatWereAskedForAreWritten(options: [String], names: [String]) throws {
    let outcome = try folder().run(["export", "a.realm"] + options)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(object.keys.sorted() == names)
  }

  @Test(arguments: [
    ("Dgo", "no class 'Dgo'; did you mean 'Dog'?"),
    ("Elephant", "no class 'Elephant'; the classes are: Dog, Person, Toy"),
  ])
  func aClassThatIsNotThereIsNotFound(name: String, text: String) throws {
    for option in ["--only", "--exclude"] {
      let outcome = try folder().run(["export", "a.realm", option, name])
      #expect(outcome.status == 3)
      #expect(outcome.errors == "realmctl: a.realm: \(text)\n")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func theOutputIsTheSameInEveryLocaleAndZone() throws {
    let folder = try folder("engine/all-types.realm")
    let plain = try folder.run(["export", "a.realm"])
    folder.tool.environment = ["LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"]
    #expect(try folder.run(["export", "a.realm"]).output == plain.output)
  }

  // MARK: - Files

  @Test func anOutputFileHasWhatStandardOutputWouldHave() throws {
    let folder = try folder()
    let expected = try folder.run(["export", "a.realm"]).output
    let outcome = try folder.run(["export", "a.realm", "-o", "b.json"], creates: ["b.json"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText == "wrote b.json: 1356 bytes (1.3 KiB)\n")
    #expect(outcome.errors.isEmpty)
    #expect(try Fixture.bytes(ofFile: folder.path("b.json")) == expected)
  }

  @Test func whatWasWrittenCanBeLeftOutOrToldAsJSON() throws {
    let folder = try folder()
    let quiet = try folder.run(["export", "a.realm", "-q", "-o", "b.json"], creates: ["b.json"])
    #expect(quiet.output.isEmpty)
    let arguments = ["export", "a.realm", "--json", "--format", "csv", "--only", "Toy", "-o", "t"]
    let json = try folder.run(arguments, creates: ["t"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(report["version"] as? Int == 2)
    #expect(report["unreadableParts"] as? Int == 0)
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(files.map { $0["path"] as? String } == ["t/Toy.csv"])
    #expect(files.map { $0["size"] as? Int } == [100])
  }

  @Test func aVerboseRunTellsWhatWasOpened() throws {
    let outcome = try folder().run(["export", "a.realm", "--verbose"])
    #expect(
      outcome.errors == "realmctl: a.realm: file format 24, normal form, snapshot version 3, 4 tables\n")
  }

  @Test func anOutputThatExistsIsReplacedOnlyWithForce() throws {
    let folder = try folder()
    try folder.write("b.json", Array("old".utf8))
    let refused = try folder.run(["export", "a.realm", "-o", "b.json"])
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "realmctl: b.json: the output already exists; use --force to replace it\n")
    let forced = try folder.run(["export", "a.realm", "-o", "b.json", "--force"], creates: ["b.json"])
    #expect(forced.status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("b.json")) != Array("old".utf8))
  }

  @Test func anErrorLeavesAnOldOutputAlone() throws {
    let folder = try folder()
    try folder.write("b.json", Array("old".utf8))
    let outcome = try folder.run(["export", "a.realm", "--only", "Nobody", "-o", "b.json", "--force"])
    #expect(outcome.status == 3)
  }

  @Test func theInputIsNeverTheOutput() throws {
    let folder = try folder()
    // The name of a realm would be refused before.
    try folder.write("a.data", Fixture.bytes(ofFile: folder.path("a.realm")))
    try #require(symlink("a.data", folder.path("link.json")) == 0)
    for output in ["a.data", "./a.data", "link.json"] {
      let outcome = try folder.run(["export", "a.data", "-o", output, "--force", "--format", "json"])
      #expect(outcome.status == 64)
      #expect(outcome.errors == "realmctl: \(output): the output is one of the inputs; choose another path\n")
    }
  }

  @Test func aMissingFolderIsNotCreated() throws {
    let outcome = try folder().run(["export", "a.realm", "-o", "nowhere/b.json"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "realmctl: nowhere/b.json: the folder of the output does not exist; create it first\n")
  }

  @Test func aDeviceIsWrittenToAndStaysOne() throws {
    let outcome = try folder().run(["export", "a.realm", "-o", "/dev/null"])
    #expect(outcome.status == 0)
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func aFullDiskIsNamed() throws {
    let outcome = try folder().run(["export", "a.realm", "-o", "/dev/full"])
    #expect(outcome.status == 2)
    #expect(outcome.errors == "realmctl: /dev/full: no space left (write: No space left on device); free some space\n")
  }

  // MARK: - Tables

  @Test func tablesGoToAFolder() throws {
    let folder = try folder()
    let outcome = try folder.run(["export", "a.realm", "--format", "csv", "-o", "tables"], creates: ["tables"])
    #expect(outcome.status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("tables")).sorted() == [
        "Dog.csv", "Person.csv", "Toy.csv",
      ])
    let toys = try Fixture.bytes(ofFile: folder.path("tables/Toy.csv"))
    #expect(try folder.run(["export", "a.realm", "--format", "csv", "--only", "Toy"]).output == toys)
  }

  @Test func explodedCollectionsGetFilesOfTheirOwn() throws {
    let folder = try folder()
    let arguments = ["export", "a.realm", "--format", "tsv", "--explode", "-o", "tables", "--only", "Person"]
    #expect(try folder.run(arguments, creates: ["tables"]).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("tables")).sorted() == [
        "Person.dogs.tsv", "Person.tsv", "_realm_keys.tsv", "_realm_schema.tsv", "_realm_values.tsv",
      ])
  }

  @Test func severalTablesNeedAFolder() throws {
    let outcome = try folder().run(["export", "a.realm", "--format", "csv"])
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "realmctl: a.realm: CSV needs a file for each class, and there are 3; name a folder with -o, or one class with "
        + "--only\n")
  }

  @Test func aTableThatExistsStopsAllOfThem() throws {
    let folder = try folder()
    try FileManager.default.createDirectory(atPath: folder.path("tables"), withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: folder.path("tables/Person.csv")))
    let outcome = try folder.run(["export", "a.realm", "--format", "csv", "-o", "tables"], creates: ["tables"])
    #expect(outcome.status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tables")) == ["Person.csv"])
  }

  // MARK: - Damage

  @Test func whatIsDamagedIsNamedAndTheRestIsWritten() throws {
    // The node with the breeds of all dogs claims more elements than the file has bytes.
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(1996..<2000, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["export", "a.realm"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors == """
        realmctl: a.realm: 'breed' of 5 objects of class 'Dog', starting with object 0, cannot be read: a node has an \
        impossible width scheme (node 0x7c8)
        realmctl: a.realm: 1 damaged part is missing from the output; the rest is complete; 'recover' looks for the missing parts in the whole file

        """)
    let sound = try Tool().run("export", Fixture.path("engine/dogs.realm")).outputText
    let expected = sound.replacing(#/"breed":(null|"[A-Za-z]+"),/#, with: "")
    #expect(outcome.outputText == expected)
  }

  @Test func aDamagedInternalTableMattersOnlyWhereItIsShown() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(100..<104, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let sound = try Tool().run("export", Fixture.path("engine/dogs.realm"))
    let outcome = try folder.run(["export", "a.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.output == sound.output)
    let line = "realmctl: a.realm: internal table 'metadata' cannot be read: "
    for options in [["--internal"], ["--format", "core"], ["--only", "metadata"]] {
      let outcome = try folder.run(["export", "a.realm"] + options)
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasPrefix(line))
    }
    #expect(try folder.run(["open", "a.realm"]).status == 2)
  }

  @Test func aDamagedClassIsNamedAndTheOthersAreWritten() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["export", "a.realm"])
    #expect(outcome.status == 2)
    #expect(
      outcome.errors == """
        realmctl: a.realm: class 'Person' cannot be read: a node has an impossible width scheme (node 0x320)
        realmctl: a.realm: 1 damaged part is missing from the output; the rest is complete; 'recover' looks for the missing parts in the whole file

        """)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(object.keys.sorted() == ["Dog", "Toy"])
    #expect(try folder.run(["export", "a.realm", "--only", "Dog"]).status == 0)
    #expect(try folder.run(["export", "a.realm", "--only", "Person"]).status == 2)
  }

  @Test func damageInOneOfTwoClassesOfTheSameNameIsNamedByItsOwnProperty() throws {
    let folder = try InputFolder()
    let model =
      #"[{"name":"Aaa","properties":{"x":"int"}},{"name":"Bbb","properties":{"a":"int","b":"int","c":"date[]"}}]"#
    try folder.write("model.json", Array(model.utf8))
    try folder.write(
      "data.json",
      Array(#"{"Aaa":[{"x":1}],"Bbb":[{"a":1,"b":2,"c":["2024-01-02T03:04:05.123456789Z"]}]}"#.utf8))
    let build = ["bundle", "--schema", "model.json", "--data", "data.json", "--seed", "sound.realm"]
    try #require(try folder.tool.run(build).status == 0)
    var bytes = try Fixture.bytes(ofFile: folder.path("sound.realm"))
    // The second class gets the name of the first, and its date more nanoseconds than a second has.
    bytes = Self.replacing(Array("class_Bbb".utf8), with: Array("class_Aaa".utf8), in: bytes)
    bytes = Self.replacing([0x15, 0xcd, 0x5b, 0x07], with: [0xff, 0xff, 0xff, 0x7f], in: bytes)
    try folder.write("a.realm", bytes)
    for form in ["core", "json", "typed"] {
      let outcome = try folder.run(["export", "a.realm", "--format", form])
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.contains("'c' of object 0 of class 'Aaa' cannot be read"), "\(outcome.errors)")
    }
  }

  /// Bytes with the first place of a pattern changed.
  private static func replacing(_ pattern: [UInt8], with new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: pattern) }) else { return bytes }
    return Array(bytes[..<start]) + new + bytes[(start + pattern.count)...]
  }
}
