import Foundation
import RealmStorage
import TestSupport
import Testing

@Suite struct BundleTests {
  private func folder(_ fixture: String = "engine/dogs.realm", as name: String = "a.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write(name, try Fixture.bytes(fixture))
    try folder.write("key", Fixture.engineKey)
    return folder
  }

  private func json(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  /// The digest as another program computes it.
  private func digest(_ path: String) throws -> String {
    let text = String(decoding: try Process.output(of: ["sha256sum", path]), as: UTF8.self)
    return String(text.prefix(64))
  }

  @Test("a list of any number of backlinks is sound in old formats", arguments: [(16_000, "10"), (66_000, "22")])
  func manyBacklinks(count: Int, format: String) throws {
    let folder = try InputFolder()
    let model = #"[{"name":"A","primaryKey":"id","properties":{"id":"int","to":"A[]"}}]"#
    try folder.write("model.json", Array(model.utf8))
    let links = Array(repeating: "1", count: count).joined(separator: ",")
    try folder.write("A.json", Array(#"{"A":[{"id":1,"to":[\#(links)]}]}"#.utf8))
    let words = [
      "bundle", "--schema", "model.json", "--data", "A.json", "--seed", "out.realm", "--file-format", format,
    ]
    let outcome = try folder.run(words, creates: ["out.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    _ = try LeftRealm(folder.path("out.realm"))
  }

  @Test func `whole numbers up to the greatest are primary keys, in any order`() throws {
    let folder = try InputFolder()
    try folder.write("model.json", Array(#"[{"name":"A","primaryKey":"id","properties":{"id":"int","to":"A?"}}]"#.utf8))
    let greatest = Int64.max
    for (number, ids) in [[greatest, 1], [1, greatest], [greatest - 1, greatest, 3]].enumerated() {
      let objects = ids.map { #"{"id":\#($0),"to":\#(greatest)}"# }.joined(separator: "\n")
      try folder.write("A\(number).ndjson", Array(objects.utf8))
      let words = ["bundle", "--schema", "model.json", "--data", "A\(number).ndjson", "--seed", "\(number).realm"]
      let outcome = try folder.run(words, creates: ["\(number).realm"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let realm = try LeftRealm(folder.path("\(number).realm"))
      #expect(try realm.snapshot.table(displayName: "A")?.objectCount() == ids.count)
    }
  }

  @Test func `objects that a dictionary loses go in the same order each time`() throws {
    let folder = try InputFolder()
    let model = """
      [{"name":"T","primaryKey":"id","properties":{"id":"int"}},
      {"name":"E","embedded":true,"properties":{"t":"T"}},
      {"name":"A","primaryKey":"id","properties":{"id":"int","de":"E{}"}}]
      """
    let entries = "abcdef".map { #""\#($0)":{"t":1}"# }.joined(separator: ",")
    try folder.write("model.json", Array(model.utf8))
    try folder.write("data.json", Array(#"{"T":[{"id":1}],"A":[{"id":1,"de":{\#(entries)}}]}"#.utf8))
    try folder.write("change.json", Array(#"{"A":[{"id":1,"de":{}}]}"#.utf8))
    let made = ["bundle", "--schema", "model.json", "--data", "data.json", "--seed", "a.realm"]
    #expect(try folder.run(made, creates: ["a.realm"]).status == 0)
    var digests: Set<String> = []
    // Each process has its own order of what is not sorted.
    for name in ["b", "c", "d", "e"] {
      let words = ["bundle", "a.realm", "--data", "change.json", "--mode", "upsert", "--seed", "\(name).realm"]
      let outcome = try folder.run(words, creates: ["\(name).realm"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      digests.insert(try digest(folder.path("\(name).realm")))
    }
    #expect(digests.count == 1)
  }

  // MARK: - Realms

  @Test func theDefaultRealmOfTheFolderIsBundledUnlessAnotherIsNamed() throws {
    let folder = try folder(as: "default.realm")
    let outcome = try folder.run(["bundle", "--seed", "out.realm"], creates: ["out.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "realmctl: no FILE given; using default.realm\n")
    let hash = try digest(folder.path("out.realm"))
    #expect(
      outcome.outputText == """
        path: out.realm
        size: 2416 bytes (2.4 KiB)
        file format: 24
        oldest SDKs: Swift 10.49.0, JS 12.7.0, .NET 12.0.0, Kotlin 1.15.0, Dart 2.0.0
        encrypted: no
        schema version: 3
        sha256: \(hash)
        verified: yes
        classes: 3

        CLASS   OBJECTS
        Dog           5
        Person        3
        Toy           2

        """)
    #expect(try LeftRealm(folder.path("out.realm")).classNames == ["Dog", "Person", "Toy"])
    let named = try folder.run(["bundle", "default.realm", "--seed", "b.realm", "-q"], creates: ["b.realm"])
    #expect(named.output.isEmpty)
    #expect(try digest(folder.path("b.realm")) == hash)
    let none = try InputFolder().run(["bundle", "--seed", "out.realm"])
    #expect(none.status == 3)
    #expect(
      none.errors
        == "realmctl: no FILE given; using default.realm\nrealmctl: default.realm: no such file or directory; name a realm\n"
    )
  }

  @Test func theManifestIsAlsoJSON() throws {
    let folder = try folder("engine/all-types-encrypted.realm")
    let options = ["bundle", "a.realm", "--seed", "s.realm", "--json", "--key-file", "key", "--out-key-same"]
    let manifest = try json(try folder.run(options, creates: ["s.realm"]).output)
    #expect(manifest["version"] as? Int == 2)
    #expect(manifest["output"] as? String == "s.realm")
    #expect(manifest["size"] as? Int == (try Fixture.bytes(ofFile: folder.path("s.realm")).count))
    #expect(manifest["fileFormat"] as? Int == 24)
    #expect(manifest["encrypted"] as? Bool == true)
    #expect(manifest["schemaVersion"] as? Int == 12)
    #expect(manifest["sha256"] as? String == (try digest(folder.path("s.realm"))))
    #expect(manifest["verified"] as? Bool == true)
    let classes = try #require(manifest["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String } == ["AllTypes", "Embedded", "Inner"])
    #expect(classes.map { $0["objects"] as? Int } == [12, 41, 23])
  }

  @Test func aSeedOnStandardOutputHasItsManifestOnStandardError() throws {
    let folder = try folder()
    let file = try folder.run(["bundle", "a.realm", "--seed", "s.realm", "--json"], creates: ["s.realm"])
    let stream = try folder.run(["bundle", "a.realm", "--seed", "-", "--json"])
    #expect(stream.status == 0)
    #expect(try stream.output == Fixture.bytes(ofFile: folder.path("s.realm")))
    let (one, other) = (try json(file.output), try json(Array(stream.errors.utf8)))
    #expect(one["sha256"] as? String == other["sha256"] as? String)
    #expect(other["output"] as? String == "-")
    #expect(other["size"] as? Int == 2416)
    #expect(other["verified"] as? Bool == false)
    #expect((other["classes"] as? [[String: Any]])?.count == 3)
    #expect(try folder.run(["bundle", "-", "--seed", "-", "-q"], input: file.output).status == 2)
    let piped = try folder.run(["bundle", "-", "--seed", "-", "-q"], input: try Fixture.bytes("engine/dogs.realm"))
    #expect(piped.output == stream.output)
  }

  @Test(arguments: OpenableFixture.all)
  func anyFileOfFormats10To24BecomesASeed(_ fixture: OpenableFixture) throws {
    let folder = try InputFolder()
    try folder.write("default.realm", try Fixture.bytes(ofFile: fixture.path))
    try folder.write("key", fixture.key ?? [])
    let key = fixture.key == nil ? [] : ["--key-file", "key", "--decrypt"]
    let outcome = try folder.run(["bundle", "--seed", "out.realm", "--json"] + key, creates: ["out.realm"])
    #expect(outcome.status == 0)
    let source = try fixture.opened()
    // An engine's mistakes in its nodes are also in the copy; a rebuild has none.
    let isRebuilt = source.header.format != 24
    let seed = isRebuilt ? try LeftRealm(folder.path("out.realm")) : nil
    #expect(try json(outcome.output)["fileFormat"] as? Int == (source.header.topRef.isNull ? 0 : 24))
    #expect(seed == nil || seed?.snapshot.header.form == .streaming)
    #expect(try json(outcome.output)["sha256"] as? String == digest(folder.path("out.realm")))
    let typed = ["--format", "typed-ndjson"]
    let content = try folder.run(["export", "default.realm"] + typed + key.prefix(2))
    #expect(try folder.run(["export", "out.realm"] + typed).output == content.output)
  }

  @Test func aSchemaVersionCanBeSet() throws {
    for fixture in ["engine/dogs.realm", "engine/empty-schema.realm", "engine/no-tables.realm"] {
      let folder = try folder(fixture)
      let outcome = try folder.run(
        ["bundle", "a.realm", "--seed", "s.realm", "--schema-version", "7"], creates: ["s.realm"])
      #expect(outcome.status == 0)
      #expect(outcome.outputText.contains("\nschema version: 7\n"))
      #expect(try LeftRealm(folder.path("s.realm")).snapshot.schema.version == 7)
      let content = try folder.run(["export", "a.realm", "--format", "typed"]).output
      #expect(try folder.run(["export", "s.realm", "--format", "typed"]).output == content)
    }
    let unset = try folder().run(["bundle", "a.realm", "--seed", "s.realm", "--schema-version", "\(UInt64.max)"])
    #expect(unset.status == 64)
    #expect(unset.errors.contains("annot set schema version to 18446744073709551615 (RLMNotVersioned)"))
  }

  @Test func aSeedCanBeAPart() throws {
    let folder = try folder()
    let outcome = try folder.run(
      ["bundle", "a.realm", "--seed", "s.realm", "--only", "Person", "--allow-data-loss"], creates: ["s.realm"])
    #expect(outcome.status == 0)
    #expect(
      outcome.outputText.contains("\nleft out: property 'Person.dogs' links to a class that is left out (5 links)\n"))
    #expect(outcome.outputText.hasSuffix("\nCLASS   OBJECTS\nPerson        3\n"))
    #expect(try folder.run(["bundle", "a.realm", "--seed", "t.realm", "--only", "Person"]).status == 7)
    #expect(try LeftRealm(folder.path("s.realm")).classNames == ["Person"])
  }

  @Test func aSyncedSourceIsWarnedOf() throws {
    let folder = try folder("engine/synced.realm")
    let outcome = try folder.run(["bundle", "a.realm", "--seed", "s.realm", "--no-internal"], creates: ["s.realm"])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "realmctl: warning: a.realm: the realm is synced; the seed is local and cannot be opened for sync\n")
  }

  /// The schema of `a.realm`, with some of its text replaced.
  private func writeModel(_ name: String, in folder: InputFolder, _ replacements: [String: String] = [:]) throws {
    var text = try folder.run(["schema", "dump", "a.realm", "--format", "json"]).outputText
    for (old, new) in replacements {
      try #require(text.contains(old), "\(old)")
      text = text.replacing(old, with: new)
    }
    try folder.write(name, Array(text.utf8))
  }

  @Test func aSeedIsOpenedAsTheAppWouldOpenIt() throws {
    let folder = try folder()
    try writeModel("model.json", in: folder)
    let outcome = try folder.run(
      ["bundle", "a.realm", "--seed", "s.realm", "--expect-schema", "model.json", "--strict"], creates: ["s.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    for (old, new, reason) in Self.refusedModels {
      try writeModel("other.json", in: folder, [old: new])
      for options in [[], ["--dry-run"]] {
        let refused = try folder.run(
          ["bundle", "a.realm", "--seed", "t.realm", "--expect-schema", "other.json"] + options)
        #expect(refused.status == 1)
        #expect(
          refused.errors
            == "realmctl: t.realm: an app with the model other.json could not open the seed, so it was not written "
            + "(\(reason.dropLast())); "
            + (reason.hasPrefix("Provided schema version")
              ? "write the seed with --schema-version \(Self.version(new).last ?? "")\n"
              : "'schema diff' compares two schemas\n"))
        // The app would say the same.
        let opened = try folder.run(["open", "s.realm", "--read-only", "--schema", "other.json"] + Self.version(new))
        #expect(opened.status == 7)
        #expect(opened.errors.contains(reason.hasSuffix(".") ? String(reason.dropLast()) : reason))
      }
    }
    #expect(try folder.run(["bundle", "a.realm", "--seed", "u.realm", "--expect-schema", "none"]).status == 3)
  }

  private static func version(_ text: String) -> [String] {
    text == #""schemaVersion":4"# ? ["--schema-version", "4"] : []
  }

  private static let refusedModels = [
    (
      #""type":"string","optional":true"#, #""type":"string","optional":false"#,
      "The following changes cannot be made in read-only schema mode: - Property 'Dog.breed' has been made required."
    ),
    (
      #""type":"date""#, #""type":"int""#,
      "The following changes cannot be made in read-only schema mode: "
        + "- Property 'Dog.dateOfBirth' has been changed from 'date' to 'int'. "
        + "- Property 'Person.birthdate' has been changed from 'date' to 'int'."
    ),
    (#""schemaVersion":3"#, #""schemaVersion":4"#, "Provided schema version 4 does not equal last set version 3."),
  ]

  @Test func whatTheAppToleratesIsWarnedOf() throws {
    let folder = try folder()
    let model =
      #"[{"name":"Dog","primaryKey":"_id","properties":{"_id":"objectId","name":{"type":"string","indexed":true}}},"#
      + #"{"name":"Cat","properties":{}},{"name":"Person","primaryKey":"_id","properties":{"_id":"objectId"}}]"#
    try folder.write("schema.json", Array(model.utf8))
    let options = ["--expect-schema", "schema.json"]
    let outcome = try folder.run(["bundle", "a.realm", "--seed", "s.realm"] + options, creates: ["s.realm"])
    #expect(outcome.status == 0)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.contains("realmctl: warning: s.realm: class 'Cat' of schema.json is not in the seed"))
    #expect(lines.contains("realmctl: warning: s.realm: class 'Toy' is not in schema.json"))
    #expect(lines.contains("realmctl: warning: s.realm: property 'Dog.breed' is not in schema.json"))
    #expect(
      lines.contains("realmctl: warning: s.realm: property 'Dog.name' is indexed in schema.json, not in the seed"))
    let strict = ["bundle", "a.realm", "--seed", "t.realm", "--strict"] + options
    #expect(try folder.run(strict, creates: ["t.realm"]).status == 1)
  }

  @Test(arguments: [
    (#"Dog:name BEGINSWITH "R"=1"#, 1), (#"Dog:name BEGINSWITH "R" >= 1"#, 1), ("Dog:TRUEPREDICATE==5", 5),
    ("Dog=5", 5),
  ])
  func objectsThatAQueryFindsAreCounted(_ expectation: String, _ count: Int) throws {
    let folder = try folder()
    let options = ["bundle", "a.realm", "--expect", expectation, "--seed"]
    let file = try folder.run(options + ["s.realm", "-q"], creates: ["s.realm"])
    #expect(file.status == 0, "\(file.errors)")
    let stream = try folder.run(options + ["-", "-q"])
    #expect(stream.status == 0)
    #expect(stream.output == (try LeftRealm(folder.path("s.realm")).bytes))
    #expect(try folder.run(options + ["t.realm", "--dry-run"]).status == 0)
    let wrong = ["bundle", "a.realm", "--expect", String(expectation.dropLast()) + "9", "--seed"]
    for target in [["t.realm"], ["-"], ["t.realm", "--dry-run"]] {
      let refused = try folder.run(wrong + target)
      #expect(refused.status == 1)
      #expect(refused.output.isEmpty)
      #expect(
        refused.errors.contains("found \(count), so the seed was not written; fix the data, or change --expect\n"))
    }
  }

  @Test func aQueryOfAnExpectationHasToBeOne() throws {
    let folder = try folder()
    for (text, status) in [
      ("Dog:name ==", 64), ("Dog:name = =1", 8), ("Dog:none == 1 = 1", 8), ("Cat:name == 'a' = 1", 3), (":name=1", 64),
      ("Dog:name = 'a' > 99999999999999999999", 64),
    ] {
      #expect(
        try folder.run(["bundle", "a.realm", "--seed", "s.realm", "--expect", text]).status == Int32(status), "\(text)")
    }
  }

  @Test func aSeedCanHaveAnOlderFileFormat() throws {
    let folder = try folder()
    let outcome = try folder.run(
      ["bundle", "a.realm", "--seed", "s.realm", "--file-format", "22", "--json"], creates: ["s.realm"])
    #expect(outcome.status == 0)
    let manifest = try json(outcome.output)
    #expect(manifest["fileFormat"] as? Int == 22)
    let sdks = try #require(manifest["oldestSDKs"] as? [[String: String]])
    #expect(sdks.first == ["sdk": "Swift", "release": "10.8.0"])
    #expect(sdks.contains(["sdk": "Java", "release": "10.6.0"]))
    #expect(try LeftRealm(folder.path("s.realm")).snapshot.header.format == 22)
    let content = try folder.run(["hash", "a.realm", "s.realm"]).outputText.split(separator: "\n").map { $0.prefix(64) }
    #expect(Set(content).count == 1)
  }

  @Test func aSeedFromDataCanHaveAnOlderFileFormat() throws {
    let folder = try folder("engine/dogs.realm")
    try writeModel("model.json", in: folder)
    try folder.write("data.json", try folder.run(["export", "a.realm", "--format", "typed"]).output)
    let build = ["bundle", "--schema", "model.json", "--data", "data.json", "--seed"]
    let refused = try folder.run(build + ["s.realm", "--file-format", "11"])
    #expect(refused.status == 7)
    #expect(refused.errors.contains("property 'Dog._id', the primary key, has type objectId (5 values)"))
    let lossy = try folder.run(build + ["s.realm", "--file-format", "11", "--allow-data-loss"], creates: ["s.realm"])
    #expect(lossy.status == 0)
    #expect(
      lossy.outputText.contains("\nleft out: property 'Dog._id', the primary key, has type objectId (5 values)\n"))
    let mapped = try folder.run(
      build + ["t.realm", "--file-format", "11"] + ["Dog", "Person", "Toy"].flatMap { ["--as", "\($0)._id=string"] },
      creates: ["t.realm"])
    #expect(mapped.status == 0, "\(mapped.errors)")
    for name in ["s.realm", "t.realm"] {
      #expect(try LeftRealm(folder.path(name)).snapshot.header.format == 11)
    }
    #expect(try folder.run(build + ["u.realm", "--as", "Dog._id=string"]).status == 64)
  }

  @Test func aSchemaAloneMakesASeedWithoutObjects() throws {
    let folder = try folder()
    try writeModel("model.json", in: folder)
    let outcome = try folder.run(
      ["bundle", "--schema", "model.json", "--seed", "s.realm", "--expect-schema", "model.json", "--expect", "Dog=0"],
      creates: ["s.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasSuffix("\nCLASS   OBJECTS\nDog           0\nPerson        0\nToy           0\n"))
    let left = try LeftRealm(folder.path("s.realm"))
    #expect(left.snapshot.schema.version == 3)
    #expect(try folder.run(["bundle", "--schema", "model.json", "--mode", "upsert", "--seed", "t.realm"]).status == 64)
  }

  @Test func aSeedIsReplacedOnlyWithForceAndADryRunWritesNothing() throws {
    let folder = try folder()
    try folder.write("s.realm", Array("old".utf8))
    #expect(try folder.run(["bundle", "a.realm", "--seed", "s.realm"]).status == 2)
    let dry = try folder.run(["bundle", "a.realm", "--seed", "t.realm", "--dry-run", "--json"])
    #expect(dry.status == 0)
    let manifest = try json(dry.output)
    #expect(manifest["dryRun"] as? Bool == true)
    #expect(manifest["sha256"] is NSNull)
    #expect(manifest["size"] as? Int == 2416)
    #expect(try folder.run(["bundle", "a.realm", "--seed", "s.realm", "--force"], creates: ["s.realm"]).status == 0)
    #expect(try LeftRealm(folder.path("s.realm")).bytes.count == 2416)
    #expect(try folder.run(["bundle", "a.realm", "--seed", "./a.realm", "--force"]).status == 64)
  }

  // MARK: - Data

  private static let schema = """
    {"schemaVersion":4,"classes":[
      {"name":"City","primaryKey":"name","properties":{"name":"string","size":"int?","country":"Country?","near":"City[]"}},
      {"name":"Country","primaryKey":"code","properties":{"code":"string","capital":"City?"}}]}
    """
  private static let forms = [
    "json": """
    {"City":[{"name":"Bern","size":134000,"country":"CH","near":["Basel"]},{"name":"Basel","country":"CH"}],
     "Country":[{"code":"CH","capital":"Bern"}]}
    """,
    "ndjson": """
    {"class":"City","value":{"name":"Bern","size":134000,"country":"CH","near":["Basel"]}}
    {"class":"City","value":{"name":"Basel","country":"CH"}}
    {"class":"Country","value":{"code":"CH","capital":"Bern"}}
    """,
    "typed": """
    [{"class":"City","objKey":0,"value":{"name":"Bern","size":134000,
      "country":{"$link":{"table":"Country","key":"CH"}},"near":[{"$link":{"table":"City","key":"Basel"}}]}},
    {"class":"City","objKey":1,"value":{"name":"Basel","country":{"$link":{"table":"Country","key":"CH"}}}},
    {"class":"Country","objKey":0,"value":{"code":"CH","capital":{"$link":{"table":"City","key":"Bern"}}}}]
    """,
  ]

  private func dataFolder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("schema.json", Array(Self.schema.utf8))
    for (name, text) in Self.forms { try folder.write(name, Array(text.utf8)) }
    try folder.write("key", Fixture.engineKey)
    return folder
  }

  @Test func everyFormOfDataGivesTheSameBytes() throws {
    let folder = try dataFolder()
    var seeds: Set<[UInt8]> = []
    for form in Self.forms.keys.sorted() {
      let options = ["bundle", "--schema", "schema.json", "--data", form, "--seed"]
      let outcome = try folder.run(options + [form + ".realm"], creates: [form + ".realm"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.outputText.contains("\nschema version: 4\n"))
      #expect(outcome.outputText.contains("\nverified: yes\nclasses: 2\n\nCLASS    OBJECTS\nCity           2\nCountry"))
      let seed = try LeftRealm(folder.path(form + ".realm"))
      seeds.insert(seed.bytes)
      let stream = try folder.run(options + ["-", "-q"])
      seeds.insert(stream.output)
      let input = try folder.run(
        ["bundle", "--schema", "schema.json", "--data", "-", "--seed", "-", "-q"],
        input: Fixture.bytes(ofFile: folder.path(form)))
      seeds.insert(input.output)
    }
    #expect(seeds.count == 1)
    let exported = try folder.run(["export", "json.realm", "--format", "ndjson", "--only", "City"]).outputText
    #expect(
      exported == """
        {"name":"Bern","size":134000,"country":"CH","near":["Basel"]}
        {"name":"Basel","size":null,"country":"CH","near":[]}

        """)
  }

  @Test func aSeedFromDataCanBeEncryptedAndItsSchemaComeFromARealm() throws {
    let folder = try dataFolder()
    let plain = ["bundle", "--schema", "schema.json", "--data", "json", "--seed", "p.realm"]
    #expect(try folder.run(plain, creates: ["p.realm"]).status == 0)
    let encrypted = ["bundle", "--schema", "p.realm", "--data", "json", "--seed", "e.realm", "--out-key-file", "key"]
    #expect(try folder.run(encrypted, creates: ["e.realm"]).status == 0)
    let seed = try LeftRealm(folder.path("e.realm"), key: Fixture.engineKey)
    #expect(seed.snapshot.schema.version == 4)
    let decrypted = ["write-copy", "e.realm", "d.realm", "--key-file", "key", "--decrypt"]
    #expect(try folder.run(decrypted, creates: ["d.realm"]).status == 0)
    let hashes = try ["p.realm", "d.realm"].map { try folder.run(["export", $0, "--format", "typed"]).output }
    #expect(hashes[0] == hashes[1])
    let keyed = [
      "bundle", "--schema", "e.realm", "--key-file", "key", "--data", "json", "--seed", "s.realm", "--out-key-same",
    ]
    #expect(try folder.run(keyed, creates: ["s.realm"]).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("s.realm")) == seed.bytes)
  }

  @Test(arguments: [
    (#"{"class":"City","value":{"name":"A","rain":1}}"#, 7, "'City' has no property 'rain' (object A); "),
    (
      #"{"class":"City","value":{"name":"A","size":"x"}}"#, 7,
      "Type mismatch for property 'City.size'. Expected int? (a whole number of 64 bits), found the string \"x\" (object A)"
    ),
    (#"{"class":"City","value":{"name":null}}"#, 7, "Invalid null value for non-nullable property 'City.name'; "),
    (
      #"{"class":"City","value":{"name":"A","country":"X"}}"#, 7,
      "links to objects that do not exist: object X of class 'Country' (in 'City.country' of object A)"
    ),
    (
      #"{"class":"Lake","value":{}}"#, 7,
      "no class 'Lake'; use --create-classes to create it, or fix the sources\n"
    ),
    (#"{"class":"City","value":{"name":"A"}"#, 7, "not valid JSON: unexpected end, expected "),
    (#"{"name":"A"}"#, 7, "the objects do not name their class, and the schema has several classes; "),
    (
      #"{"class":"City","value":{"name":"A"}}{"class":"City","value":{"name":"A"}}"#, 7,
      "Attempting to create an object of type 'City' with an existing primary key value 'A'"
    ),
  ])
  func dataThatDoesNotFitIsNamed(data: String, status: Int32, text: String) throws {
    let folder = try dataFolder()
    try folder.write("data", Array(data.utf8))
    for options in [[], ["--dry-run"]] {
      let outcome = try folder.run(
        ["bundle", "--schema", "schema.json", "--data", "data", "--seed", "s.realm"] + options)
      #expect(outcome.status == status)
      // Links are looked at when everything is read, so they have no place.
      #expect(
        outcome.errors.replacing(/^realmctl: data:(1:[0-9]+:)?/, with: "").hasPrefix(" " + text), "\(outcome.errors)")
    }
  }

  // MARK: - Several files, and what is not silent

  @Test func severalFilesAreReadAsOneInTheirOrder() throws {
    let folder = try dataFolder()
    let first = #"{"class":"City","value":{"name":"A","country":"X","near":["B"]}}"#
    let second = #"[{"class":"Country","value":{"code":"X"}},{"class":"City","value":{"name":"B"}}]"#
    try folder.write("1.json", Array(first.utf8))
    try folder.write("2.json", Array(second.utf8))
    let build = ["bundle", "--schema", "schema.json", "--seed", "s.realm", "--force"]
    let outcome = try folder.run(build + ["--data", "1.json", "--data", "2.json"], creates: ["s.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let both = try LeftRealm(folder.path("s.realm")).bytes
    let piped = try folder.run(
      build + ["--data", "-", "--data=2.json"], input: Array(first.utf8), creates: ["s.realm"])
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try LeftRealm(folder.path("s.realm")).bytes == both)
    // What is wrong is named with its file and its line there.
    try folder.write("2.json", Array("\n{\"class\":\"Lake\"}".utf8))
    let wrong = try folder.run(build + ["--data", "1.json", "--data", "2.json"])
    #expect(
      wrong.errors.hasPrefix("realmctl: 2.json:2:")
        && wrong.errors.hasSuffix(
          ": no class 'Lake'; use --create-classes to create it, or fix the sources\n"),
      "\(wrong.errors)")
    let missing = try folder.run(build + ["--data", "1.json", "--data", "3.json"])
    #expect(missing.status == 3)
    #expect(missing.errors.hasPrefix("realmctl: 3.json: no such file"))
    let unresolved = try folder.run(build + ["--data", "1.json", "--data", "1.json"])
    #expect(unresolved.status == 7)
    #expect(try folder.run(build + ["--data", "-", "--data", "-"]).status == 64)
  }

  @Test func anEmptyFileIsWarnedOf() throws {
    let folder = try dataFolder()
    try folder.write("empty", Array(" \n".utf8))
    try folder.write("none", Array("[]".utf8))
    let build = ["bundle", "--schema", "schema.json", "--seed", "s.realm", "--force", "--data"]
    let empty = try folder.run(build + ["empty", "--data", "none"], creates: ["s.realm"])
    #expect(empty.status == 0)
    #expect(
      empty.errors
        == "realmctl: warning: empty: the file contains no objects, so none were added; check the path\n")
    _ = try LeftRealm(folder.path("s.realm"))
    #expect(try folder.run(build + ["empty", "--strict"], creates: ["s.realm"]).status == 1)
    #expect(try folder.run(build + ["none", "--strict"], creates: ["s.realm"]).errors.isEmpty)
  }

  @Test func dataOfOtherClassesIsNotCalledEmpty() throws {
    let folder = try dataFolder()
    try folder.write("dogs.realm", Fixture.bytes("engine/dogs.realm"))
    try folder.write("other.json", Array(#"[{"name":"Unlike","properties":{"x":"int"}}]"#.utf8))
    let outcome = try folder.run(
      ["bundle", "--schema", "other.json", "--data", "dogs.realm", "--from", "realm", "--ignore-unknown"]
        + ["--seed", "s.realm"], creates: ["s.realm"])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.contains("dogs.realm: none of its classes is in the schema, so no objects were added"),
      "\(outcome.errors)")
    _ = try LeftRealm(folder.path("s.realm"))
  }

  @Test func anObjectThatComesAgainChangesWhatWasThere() throws {
    let folder = try InputFolder()
    try folder.write(
      "schema.json",
      Array(
        (#"[{"name":"P","primaryKey":"id","properties":"#
          + #"{"id":"int","a":"int","b":"string?","e":"E","es":"E[]","to":"P"}},{"name":"E","embedded":true,"properties":{"x":"int","in":"F"}},"#
          + #"{"name":"F","embedded":true,"properties":{"x":"int"}}]"#)
          .utf8))
    var data = (0..<600).map { #"{"id":\#($0),"a":\#($0),"b":"x","e":{"x":1,"in":{"x":2}},"es":[{"x":3},{"x":4}]}"# }
    data.append(#"{"id":0,"a":7,"e":{"x":9},"es":[],"to":{"id":1,"b":"y"}}"#)
    data.append(#"{"id":599,"to":700}"#)
    data.append(#"{"id":700}"#)
    try folder.write("data", Array(data.joined(separator: "\n").utf8))
    let build = ["bundle", "--schema", "schema.json", "--data", "data", "--seed", "s.realm"]
    let refused = try folder.run(build)
    #expect(refused.errors.contains("with an existing primary key value '1'"))
    let outcome = try folder.run(build + ["--mode", "upsert"], creates: ["s.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let realm = try LeftRealm(folder.path("s.realm"))
    #expect(try realm.snapshot.table(displayName: "P")?.objectCount() == 601)
    #expect(try realm.snapshot.table(displayName: "E")?.objectCount() == 600 * 3 - 3 + 1)
    #expect(try realm.snapshot.table(displayName: "F")?.objectCount() == 599)
    let lines = try folder.run(["export", "s.realm", "--only", "P", "--format", "ndjson"]).outputText
      .split(separator: "\n")
    #expect(lines[0] == #"{"id":0,"a":7,"b":"x","e":{"x":9,"in":null},"es":[],"to":1}"#)
    #expect(lines[1].hasPrefix(#"{"id":1,"a":1,"b":"y","#))
    #expect(lines[599].hasSuffix(#""to":700}"#))
  }

  @Test(arguments: [
    (["City = 2", "Country>=1"], 0, ""), (["City == 2"], 0, ""),
    (["City != 3", "City < 3", "City<=2", "City > 1"], 0, ""),
    (["City = 2", "City > 2"], 1, "expected City > 2, found 2, so the seed was not written"),
    (
      ["City > 3", "City > 2"], 1,
      "expected City > 3, found 2; expected City > 2, found 2, so the seed was not written; fix the data"
    ),
    (["Citty = 2"], 3, "no class 'Citty'; did you mean 'City'?"), (["City"], 64, "--expect"),
    (["City = x"], 64, "--expect"),
    (["City: size > 1 = 2"], 1, "expected City: size > 1 = 2, "),
  ])
  func aSeedIsWrittenOnlyIfItIsAsExpected(expected: [String], status: Int32, text: String) throws {
    let folder = try dataFolder()
    let outcome = try folder.run(
      ["bundle", "--schema", "schema.json", "--data", "json", "--seed", "s.realm"]
        + expected.flatMap { ["--expect", $0] }, creates: status == 0 ? ["s.realm"] : [])
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(text.isEmpty || outcome.errors.contains(text))
    #expect(try folder.names().contains("s.realm") == (status == 0))
    if status == 0 { _ = try LeftRealm(folder.path("s.realm")) }
  }

  @Test(arguments: [
    (["--class", "City"], #"{"name":"A"}"#),
    (["--ignore-unknown"], #"{"class":"City","value":{"name":"A","rain":1}}"#),
    (["--coerce"], #"{"class":"City","value":{"name":"A","size":"7"}}"#),
    (["--keep-keys"], #"{"class":"City","objKey":5,"value":{"name":"A"}}"#),
  ])
  func optionsSayHowDataIsRead(options: [String], data: String) throws {
    let folder = try dataFolder()
    try folder.write("data", Array(data.utf8))
    let arguments = ["bundle", "--schema", "schema.json", "--data", "data", "--seed", "s.realm"] + options
    let outcome = try folder.run(arguments, creates: ["s.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let city = try #require(LeftRealm(folder.path("s.realm")).snapshot.table(displayName: "City"))
    #expect(try city.objectCount() == 1)
    let strict = try folder.run(arguments.map { $0 == "s.realm" ? "t.realm" : $0 } + ["--strict"])
    #expect(strict.status == 7)
    #expect(strict.errors.contains("Missing value for property 'City."))
  }

  @Test(arguments: [
    ["a.realm", "--schema", "s", "--data", "d"], ["--data", "d"], ["--class", "A"],
    ["--schema", "s", "--data", "d", "--only", "A"], ["--schema", "s", "--data", "d", "--no-internal"],
    ["--schema", "-", "--data", "-"], ["--schema", "s", "--data", "-", "--out-key-file", "-"],
    ["--schema", "s", "--data", "d", "--key-file", "key"], ["--out-key-same"], ["--keep-keys"],
  ])
  func combinationsThatMeanNothingAreRefused(options: [String]) throws {
    let outcome = try dataFolder().run(["bundle", "--seed", "out.realm"] + options)
    #expect(outcome.status == 64, "\(outcome.errors)")
  }

  @Test func mistakesInDataNameTheSeedAndWhatHelps() throws {
    let folder = try self.folder()
    try folder.write("toys.json", Array(#"{"class":"Toy","value":{"nme":1}}"#.utf8))
    for (seed, name) in [("-", "standard output"), ("s.realm", "s.realm")] {
      let outcome = try folder.run(["bundle", "a.realm", "--data", "toys.json", "--seed", seed])
      #expect(outcome.status == 7)
      #expect(
        outcome.errors.hasSuffix(
          "realmctl: \(name): the seed was not written: 1 mistake; use --ignore-unknown to leave it out, or fix the "
            + "sources\n"), "\(outcome.errors)")
    }
  }

  @Test func aSeedMustBeNamed() throws {
    let outcome = try folder().run(["bundle", "a.realm"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--seed"))
  }

  @Test func aSchemaThatIsNoneIsNamed() throws {
    let folder = try dataFolder()
    try folder.write("bad.json", Array(#"[{"name":"A","properties":{"x":"B?"}}]"#.utf8))
    let outcome = try folder.run(["bundle", "--schema", "bad.json", "--data", "json", "--seed", "s.realm"])
    #expect(outcome.status == 7)
    #expect(
      outcome.errors
        == "realmctl: bad.json: property 'A.x': unknown type 'B'; add a class 'B', or see realmctl-schema(5) for the types\n"
    )
    let missing = try folder.run(["bundle", "--schema", "none", "--data", "json", "--seed", "s.realm"])
    #expect(missing.status == 3)
    let noData = try folder.run(["bundle", "--schema", "schema.json", "--data", "none", "--seed", "s.realm"])
    #expect(noData.status == 3)
    let noClass = try folder.run(
      ["bundle", "--schema", "schema.json", "--data", "json", "--seed", "s.realm", "--class", "Lake"])
    #expect(noClass.status == 3)
  }

  // MARK: - Files of another kind

  /// Each message names the file that is wrong, and what it is.
  @Test(arguments: [
    ("d.json", "s.json", 7, "d.json", "if these are objects, 'import' and 'bundle --data' read them"),
    ("s.json", "s.json", 7, "s.json", "it is a schema file: give it to --schema, and the objects to --data"),
    ("s.json", "p.yml", 7, "p.yml", "use --from csv, tsv, json, sqlite or realm"),
    ("s.json", "folder", 2, "folder", "name a JSON file"),
    ("s.json", "none", 3, "none", "no such file or directory"), ("none", "d.json", 3, "none", "no such file"),
    ("p.yml", "d.json", 2, "p.yml", "is neither a schema file nor a realm"),
    ("rows.json", "d.json", 7, "rows.json", "if these are objects, 'import' and 'bundle --data' read them"),
    ("s.json", "wrong.json", 7, "wrong.json", "use --coerce to accept strings"),
    ("broken.json", "d.json", 7, "broken.json", "not valid JSON"),
    ("s.json", "broken.json", 7, "broken.json", "not valid JSON"),
    ("folder", "d.json", 2, "folder", "is a directory"),
  ])
  func theFileThatIsWrongIsNamed(schema: String, data: String, status: Int32, named: String, text: String) throws {
    let folder = try folder("engine/person-v1.realm")
    try folder.write("s.json", try folder.run(["schema", "dump", "a.realm", "--format", "json"]).output)
    try folder.write("d.json", try folder.run(["export", "a.realm", "--format", "json"]).output)
    for (name, text) in [
      ("p.yml", "plan: 1\n"), ("rows.json", #"[{"firstName":"A"}]"#), ("wrong.json", #"{"Person":[{"age":"x"}]}"#),
      ("broken.json", "["),
    ] { try folder.write(name, Array(text.utf8)) }
    try #require(mkdir(folder.path("folder"), 0o755) == 0)
    let outcome = try folder.run(["bundle", "--schema", schema, "--data", data, "--seed", "o.realm"])
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("realmctl: \(named):"), "\(outcome.errors)")
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
  }
}
