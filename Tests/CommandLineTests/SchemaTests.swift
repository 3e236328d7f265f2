import Foundation
import TestSupport
import Testing

@Suite struct SchemaDumpTests {
  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    return folder
  }

  static let formats = [
    "text", "json", "core-json", "app-services", "js", "ts", "swift", "objc", "kotlin", "java", "csharp", "dart",
    "mermaid",
    "dot", "sql",
  ]

  @Test(arguments: formats)
  func everyFormatSaysSomethingOfEveryClass(format: String) throws {
    let outcome = try folder().run(["schema", "dump", "a.realm", "--format", format])
    #expect(outcome.status == 0)
    for name in ["Dog", "Person", "Toy", "favoriteToy"] { #expect(outcome.outputText.contains(name)) }
  }

  @Test(arguments: ["dogs", "synced", "nested-mixed", "no-tables"])
  func theCoreFormIsTheEnginesOutput(name: String) throws {
    let outcome = try folder("engine/\(name).realm").run(["schema", "dump", "a.realm", "--format", "core-json"])
    #expect(outcome.status == 0)
    #expect(outcome.output == (try Fixture.bytes("engine/\(name).schema.json")))
  }

  @Test func theListingIsTheDefault() throws {
    let folder = try folder()
    let listing = try folder.run(["schema", "dump", "a.realm"])
    #expect(listing.outputText.hasPrefix("schema version 3: 3 classes, 11 properties, 2 links\n"))
    #expect(try folder.run(["schema", "dump", "a.realm", "--format", "text"]).output == listing.output)
    let json = try folder.run(["schema", "dump", "a.realm", "--json"])
    let file = try folder.run(["schema", "dump", "a.realm", "--format", "json"])
    #expect(json.outputText == #"{"version":2,"input":"a.realm","# + file.outputText.dropFirst())
    #expect(file.outputText.hasPrefix(#"{"schemaVersion":3,"classes":["#))
    let written = try folder.run(["schema", "dump", "a.realm", "--json", "-o", "s.json"], creates: ["s.json"])
    #expect(written.status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path("s.json")) == file.output)
  }

  @Test(arguments: [("M.swift", "swift"), ("M.KT", "kotlin"), ("m.json", "json"), ("m.txt", "text")])
  func theExtensionOfTheOutputSelectsTheFormat(_ name: String, _ format: String) throws {
    let folder = try folder()
    let expected = try folder.run(["schema", "dump", "a.realm", "--format", format])
    #expect(try folder.run(["schema", "dump", "a.realm", "-o", name], creates: [name]).status == 0)
    #expect(try Fixture.bytes(ofFile: folder.path(name)) == expected.output)
  }

  @Test func onlyTheClassesThatWereAskedForAreShown() throws {
    let outcome = try folder().run(["schema", "dump", "a.realm", "--json", "--only", "Toy"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let classes = try #require(object["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String } == ["Toy"])
    #expect(object["schemaVersion"] as? Int == 3)
  }

  @Test(arguments: [
    // AllTypes contains Embedded, which contains Inner.
    (["--only", "AllTypes"], ["AllTypes", "Embedded", "Inner"]),
    (["--only", "Embedded"], ["Embedded", "Inner"]),
    (["--only", "Inner"], ["Inner"]),
    (["--exclude", "AllTypes,Inner"], ["Embedded", "Inner"]),
  ])
  func embeddedClassesComeAlongWithTheirParents(options: [String], names: [String]) throws {
    let outcome = try folder("engine/all-types.realm").run(["schema", "dump", "a.realm", "--json"] + options)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let classes = try #require(object["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String ?? "" } == names)
  }

  @Test func whatAFormCannotExpressIsAWarning() throws {
    let folder = try folder()
    let arguments = ["schema", "dump", "a.realm", "--format", "swift", "--only", "Dog"]
    let outcome = try folder.run(arguments)
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "realmctl: warning: a.realm: Dog.favoriteToy: links to Toy, which is not among these classes\n")
    #expect(try folder.run(arguments + ["--strict"]).status == 1)
    #expect(try folder.run(arguments + ["--quiet"]).errors.isEmpty)
  }

  // MARK: - Schema files and inverses

  /// Every form of a schema file is that of the realm it was made from, but for internal tables, which `core-json` has.
  @Test(arguments: formats.filter { $0 != "core-json" })
  func aSchemaFileIsAsGoodAsARealm(format: String) throws {
    let folder = try folder("engine/all-types.realm")
    try folder.write("m.json", try folder.run(["schema", "dump", "a.realm", "--format", "json"]).output)
    let options = ["--format", format]
    let realm = try folder.run(["schema", "dump", "a.realm"] + options)
    let file = try folder.run(["schema", "dump", "m.json"] + options)
    #expect(file.status == 0)
    #expect(file.output == realm.output)
    #expect(file.errors == realm.errors.replacing("a.realm", with: "m.json"))
    let piped = try folder.run(["schema", "dump", "-"] + options, input: Fixture.bytes(ofFile: folder.path("m.json")))
    #expect(piped.output == realm.output)
  }

  @Test func aSchemaFileIsReadWithItsInversesAndJudged() throws {
    let folder = try folder()
    try folder.write(
      "m.json",
      Array(
        (#"[{"name":"Dog","properties":{"name":"string","owners":{"type":"linkingObjects","objectType":"Person","#
          + #""property":"dogs"}}},{"name":"Person","properties":{"dogs":"Dog[]"}}]"#).utf8))
    let swift = try folder.run(["schema", "dump", "m.json", "--format", "swift"])
    #expect(swift.outputText.contains(#"@Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>"#))
    #expect(swift.outputText.contains("// Default values are missing: a realm does not store them.\n"))
    let dog = try folder.run(["schema", "dump", "m.json", "--format", "swift", "--only", "Dog"])
    #expect(!dog.outputText.contains("Person>"), "\(dog.outputText)")
    #expect(try folder.run(["schema", "dump", "m.json", "--only", "Dgo"]).errors.contains("did you mean 'Dog'?"))
    #expect(try folder.run(["schema", "dump", "m.json", "--only", "Dgo"]).status == 3)
    let several = try folder.run(["schema", "dump", "a.realm", "m.json", "--json"])
    #expect(several.outputText.split(separator: "\n").count == 2)
    let older = try folder.run(["schema", "dump", "m.json", "--snapshot", "previous"])
    #expect(older.status == 64)
    #expect(
      older.errors
        == "realmctl: m.json: a schema file has no older snapshots; name a realm instead\n")
    for (text, status, message) in [
      (#"[{"name":"A","primaryKey":"x","properties":{"x":"double"}}]"#, 7, "cannot be made the primary key"),
      (#"[{"name":"A","properties":{"x":"B"}}]"#, 7, "unknown type 'B'"),
      (#"{"A":[{"x":1}]}"#, 7, "m.json: "), ("[", 7, "not valid JSON"), ("not JSON", 7, "m.json:1:1: not valid JSON: "),
    ] as [(String, Int32, String)] {
      try folder.write("m.json", Array(text.utf8))
      let outcome = try folder.run(["schema", "dump", "m.json", "--format", "kotlin"])
      #expect(outcome.errors.contains(message), "\(text): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.status == status, "\(text): \(outcome.errors)")
    }
  }

  @Test func eachLinkGetsAnInverse() throws {
    let folder = try folder()
    let listing = try folder.run(["schema", "dump", "a.realm", "--inverses"])
    #expect(listing.outputText.contains("  linkedByPersonDogs: Person.dogs inverse\n"))
    #expect(listing.outputText.contains("  linkedByDogFavoriteToy: Dog.favoriteToy inverse\n"))
    for (format, line) in [
      ("swift", #"@Persisted(originProperty: "dogs") var linkedByPersonDogs: LinkingObjects<Person>"#),
      ("objc", "@property (readonly) RLMLinkingObjects<Person *> *linkedByPersonDogs;"),
      ("kotlin", "val linkedByPersonDogs: RealmResults<Person> by backlinks(Person::dogs)"),
      ("java", #"@LinkingObjects("dogs")"#), ("csharp", "[Backlink(nameof(Person.Dogs))]"),
      ("dart", "@Backlink(#dogs)"), ("js", #"objectType: "Person""#), ("ts", #"objectType: "Person""#),
    ] {
      let text = try folder.run(["schema", "dump", "a.realm", "--inverses", "--format", format]).outputText
      #expect(text.contains(line), "\(format): \(text)")
    }
    // What is printed is a schema that the realm has, and gets no more inverses.
    let json = try folder.run(["schema", "dump", "a.realm", "--inverses", "--format", "json"])
    try folder.write("m.json", json.output)
    #expect(try folder.run(["schema", "diff", "a.realm", "m.json"]).status == 0)
    #expect(try folder.run(["schema", "dump", "m.json", "--inverses", "--format", "json"]).output == json.output)
    let only = try folder.run(["schema", "dump", "a.realm", "--inverses", "--only", "Dog,Toy"])
    #expect(!only.outputText.contains("linkedByPersonDogs"))
    #expect(only.outputText.contains("linkedByDogFavoriteToy"))
  }

  @Test func aServiceAndADatabaseAreNamedInRelationships() throws {
    let arguments = [
      "schema", "dump", "a.realm", "--format", "app-services", "--service", "atlas", "--database", "pets",
    ]
    let outcome = try folder().run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("#/relationship/atlas/pets/Dog"))
  }

  @Test func aSchemaGoesToAFile() throws {
    let folder = try folder()
    let expected = try folder.run(["schema", "dump", "a.realm", "--format", "sql"]).output
    let outcome = try folder.run(
      ["schema", "dump", "a.realm", "--format", "sql", "-o", "schema.sql"], creates: ["schema.sql"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasPrefix("wrote schema.sql: "))
    #expect(try Fixture.bytes(ofFile: folder.path("schema.sql")) == expected)
  }

  @Test func aDamagedClassIsNamedAndTheOthersAreShown() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["schema", "dump", "a.realm"])
    #expect(outcome.status == 2)
    #expect(outcome.outputText.contains("class Dog\n"))
    #expect(
      outcome.errors
        == "realmctl: a.realm: class 'Person' cannot be read: a node has an impossible width scheme (node 0x320); use a "
        + "backup, or save the rest with 'recover'\n"
    )
    #expect(try folder.run(["schema", "dump", "a.realm", "--only", "Toy"]).status == 0)
  }
}

@Suite struct SchemaDiffTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/person-v1.realm"))
    return folder
  }

  @Test func differencesAreToldInTheWordsOfTheSDKs() throws {
    let outcome = try folder().run(["schema", "diff", "a.realm", "b.realm"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.outputText == """
        auto         Class 'Dog' has been removed.
        auto         Class 'Toy' has been removed.
        lossy        Property 'Person._id' has been removed.
        lossy        Property 'Person.name' has been removed.
        lossy        Property 'Person.birthdate' has been removed.
        lossy        Property 'Person.dogs' has been removed.
        bump         Property 'Person.firstName' has been added.
        bump         Property 'Person.lastName' has been added.
        bump         Property 'Person.age' has been added.
        conditional  Primary Key for class 'Person' has been removed.

        """)
  }

  @Test func equalSchemasSayNothing() throws {
    let outcome = try folder().run(["schema", "diff", "a.realm", "a.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
  }

  @Test func differencesAsJSONHaveTheirKeys() throws {
    let outcome = try folder().run(["schema", "diff", "--json", "b.realm", "a.realm"])
    #expect(outcome.status == 1)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["version"] as? Int == 2)
    #expect(report["fromVersion"] as? Int == 1)
    #expect(report["toVersion"] as? Int == 3)
    #expect(report["equal"] as? Bool == false)
    #expect(report["needsBump"] as? Bool == true)
    let changes = try #require(report["changes"] as? [[String: Any]])
    let added = try #require(changes.first { $0["property"] as? String == "dogs" })
    #expect(added["change"] as? String == "AddProperty")
    #expect(added["class"] as? String == "Person")
    #expect(added["to"] as? String == "array<Dog>")
    #expect(added["needsBump"] as? Bool == true)
    #expect(added["lossy"] as? Bool == false)
    #expect(added["text"] as? String == "Property 'Person.dogs' has been added.")
  }

  @Test func aSchemaFileIsAsGoodAsARealm() throws {
    let folder = try folder()
    let schema = try folder.run(["schema", "dump", "b.realm", "--json"]).output
    try folder.write("b.json", schema)
    let expected = try folder.run(["schema", "diff", "a.realm", "b.realm"]).output
    #expect(try folder.run(["schema", "diff", "a.realm", "b.json"]).output == expected)
    #expect(try folder.run(["schema", "diff", "b.realm", "b.json"]).status == 0)
  }

  @Test func standardInputCanBeARealmOrASchemaFile() throws {
    let folder = try folder()
    let schema = try folder.run(["schema", "dump", "a.realm", "--json"]).output
    #expect(try folder.run(["schema", "diff", "-", "a.realm"], input: schema).status == 0)
    let realm = try Fixture.bytes("engine/dogs.realm")
    #expect(try folder.run(["schema", "diff", "a.realm", "-"], input: realm).status == 0)
    let twice = try folder.run(["schema", "diff", "-", "-"])
    #expect(twice.status == 64)
    #expect(twice.errors.hasPrefix("realmctl: standard input can be used only once\n"))
  }

  @Test func aKeyIsUsedForTheFilesThatAreEncrypted() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/all-types.realm"))
    try folder.write("c.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    let key = Fixture.engineKey
    #expect(try folder.run(["schema", "diff", "a.realm", "b.realm", "--key-file", "-"], input: key).status == 0)
    #expect(try folder.run(["schema", "diff", "a.realm", "c.realm", "--key-file", "-"], input: key).status == 0)
    #expect(try folder.run(["schema", "diff", "b.realm", "a.realm"]).status == 4)
  }

  @Test(arguments: [
    (
      #"{"classes":["#,
      ":1:13: not valid JSON: unexpected end, expected a value or ']'; fix the file; see realmctl-schema(5)"
    ),
    (
      #"[{"name":"A","properties":{"a":"int[][]"}}]"#,
      ": not a valid schema ([0].properties.a: Invalid type declaration for property 'a' on 'A': Nested collections "
        + "are not supported); fix the schema; see realmctl-schema(5)"
    ),
  ])
  func aWrongSchemaFileIsAnError(content: String, text: String) throws {
    let folder = try folder()
    try folder.write("c.json", Array(content.utf8))
    let outcome = try folder.run(["schema", "diff", "a.realm", "c.json"])
    #expect(outcome.status == 7)
    #expect(outcome.errors == "realmctl: c.json\(text)\n")
  }

  @Test func aDamagedClassLeavesNoAnswer() throws {
    let folder = try folder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    try folder.write("c.realm", bytes)
    let outcome = try folder.run(["schema", "diff", "c.realm", "b.realm"])
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("realmctl: c.realm: class 'Person' cannot be read: "))
  }
}
