import Foundation
import TestSupport
import Testing

/// Default values of schema files: for existing objects, in plans, and for data without a value.
@Suite struct SchemaDefaultTests {
  private static let fields: [(name: String, declaration: String, json: String)] = [
    ("country", #""type":"string","default":"DE","indexed":true"#, #""DE""#),
    ("born", #""type":"date","default":"2000-01-02""#, #""2000-01-02T00:00:00Z""#),
    ("tags", #""type":"list","objectType":"string","default":["a","ü\""]"#, #"["a","ü\""]"#),
    ("mixed", #""type":"mixed","default":{"x":[1,2.5,null,"z"]}"#, #"{"x":[1,2.5,null,"z"]}"#),
    ("opt", #""type":"int","optional":true,"default":7"#, "7"),
    ("dictionary", #""type":"dictionary","objectType":"double","default":{"k":1,"a b":2}"#, #"{"a b":2.0,"k":1.0}"#),
    ("set", #""type":"set","objectType":"int","default":[3,1]"#, "[1,3]"),
    ("dec", #""type":"decimal128","default":"1.50""#, #""1.50""#),
    (
      "id", #""type":"uuid","default":"01234567-89ab-cdef-0123-456789abcdef""#,
      #""01234567-89ab-cdef-0123-456789abcdef""#
    ),
    ("raw", #""type":"data","default":"AAEC""#, #""AAEC""#), ("flag", #""type":"bool","default":true"#, "true"),
    ("none", #""type":"string","optional":true,"default":null"#, "null"), ("plain", #""type":"float""#, "0.0"),
  ]

  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/person-v1.realm"))
    let fields = Self.fields.map { #""\#($0.name)":{\#($0.declaration)}"# }.joined(separator: ",")
    let known = #""firstName":"string","lastName":"string","age":"int""#
    try folder.write("m.json", Array(#"[{"name":"Person","properties":{\#(known),\#(fields)}}]"#.utf8))
    return folder
  }

  private static let expected = fields.map { #""\#($0.name)":\#($0.json)"# }.joined(separator: ",") + "}"

  private func lines(_ folder: InputFolder, _ path: String) throws -> [String] {
    let outcome = try folder.run(["export", path, "--only", "Person", "--format", "ndjson"])
    #expect(outcome.status == 0)
    return outcome.outputText.split(separator: "\n").map(String.init)
  }

  @Test func existingObjectsGetThem() throws {
    let folder = try folder()
    let outcome = try folder.run(
      ["migrate", "a.realm", "--schema", "m.json", "--to-version", "2", "-o", "b.realm"], creates: ["b.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!outcome.errors.contains("warning"))
    #expect(
      outcome.outputText.contains("'Person.country' has been added. 6 objects get the default of the schema file."))
    #expect(outcome.outputText.contains("'Person.none' has been added. 6 objects get null."))
    #expect(outcome.outputText.contains("'Person.plain' has been added. 6 objects get the type's default."))
    let lines = try lines(folder, "b.realm")
    #expect(lines.count == 6)
    for line in lines { #expect(line.hasSuffix(Self.expected), "\(line)") }
    _ = try LeftRealm(folder.path("b.realm"))
    let found = try folder.run(["query", "b.realm", "Person", "country == 'DE'", "--count"])
    #expect(found.outputText == "6\n")
  }

  @Test func aNewPlanHasThem() throws {
    let folder = try folder()
    let plan = try folder.run(["plan", "new", "a.realm", "--schema", "m.json", "--to-version", "2"])
    #expect(plan.status == 0)
    #expect(plan.errors.isEmpty)
    try folder.write("p.yml", Array(plan.outputText.replacing("{ choose: a value }", with: "0").utf8))
    let outcome = try folder.run(["migrate", "a.realm", "--plan", "p.yml", "-o", "b.realm"], creates: ["b.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for line in try lines(folder, "b.realm") { #expect(line.hasSuffix(Self.expected), "\(line)") }
    _ = try LeftRealm(folder.path("b.realm"))
  }

  @Test func dataWithoutValuesGetsThem() throws {
    let folder = try folder()
    let given = #""country":"FR","tags":[],"opt":null"#
    try folder.write(
      "d.json", Array(#"{"Person":[{"firstName":"A"},{"firstName":"B",\#(given)},{"firstName":"C"}]}"#.utf8))
    let build = ["bundle", "--schema", "m.json", "--data", "d.json", "--seed", "s.realm"]
    let outcome = try folder.run(build, creates: ["s.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.isEmpty)
    let lines = try lines(folder, "s.realm")
    #expect(lines.count == 3)
    for line in [lines[0], lines[2]] { #expect(line.hasSuffix(Self.expected), "\(line)") }
    let other = Self.expected.replacing(#""country":"DE""#, with: #""country":"FR""#)
      .replacing(#""tags":["a","ü\""]"#, with: #""tags":[]"#).replacing(#""opt":7"#, with: #""opt":null"#)
    #expect(lines[1].hasSuffix(other), "\(lines[1])")
    _ = try LeftRealm(folder.path("s.realm"))
    // A default is a value: only what has none is missing.
    try folder.write("d.json", Array(#"{"Person":[{"firstName":"A","lastName":"B","age":1,"plain":1}]}"#.utf8))
    #expect(try folder.run(build + ["--force", "--strict"], creates: ["s.realm"]).status == 0)
  }

  @Test func otherCommandsIgnoreThem() throws {
    let folder = try folder()
    let opened = try folder.run(
      ["open", "a.realm", "--in-memory", "--schema", "m.json", "--schema-version", "2"])
    #expect(opened.status == 0)
    #expect(
      opened.errors.contains(
        "warning: m.json: realm files do not store default values, so they are ignored (Person.country, "))
    #expect(try folder.run(["schema", "diff", "a.realm", "m.json"]).errors.contains("are ignored"))
  }

  @Test(arguments: [
    (#""type":"int","default":"x""#, "'p.default' on 'P' to be a value of type 'int'"),
    (#""type":"int","default":1.5"#, "type 'int'"), (#""type":"int","default":99999999999999999999"#, "type 'int'"),
    (#""type":"string","default":5"#, "type 'string'"), (#""type":"date","default":"yesterday""#, "type 'date'"),
    (#""type":"list","objectType":"int","default":5"#, "type 'array<int>'"),
    (#""type":"list","objectType":"int","default":[null]"#, "type 'array<int>'"),
    (#""type":"set","objectType":"int","default":[1,1]"#, "type 'set<int>'"),
    (#""type":"dictionary","objectType":"int","default":{"$x":1}"#, "type 'dictionary<string, int>'"),
    (#""type":"dictionary","objectType":"int","default":{"a.b":1}"#, "type 'dictionary<string, int>'"),
    (#""type":"float","default":"1e999""#, "type 'float'"), (#""type":"uuid","default":"0""#, "type 'uuid'"),
  ])
  func aWrongDefaultIsAnErrorOfTheSchemaFile(declaration: String, text: String) throws {
    let folder = try folder()
    try folder.write("m.json", Array(#"[{"name":"P","properties":{"p":{\#(declaration)}}}]"#.utf8))
    for words in [
      ["migrate", "a.realm", "--to-version", "2", "--dry-run", "--schema", "m.json"],
      ["plan", "new", "a.realm", "--to-version", "2", "--schema", "m.json"], ["schema", "dump", "m.json"],
    ] {
      let outcome = try folder.run(words)
      #expect(outcome.status == 7)
      #expect(outcome.errors.hasPrefix("realmctl: m.json: not a valid schema ([0].properties.p.default: "))
      #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }
  }

  @Test func objectsAndLinksHaveNone() throws {
    let folder = try folder()
    let model = #"[{"name":"P","properties":{"n":"int","p":{"type":"object","objectType":"P","default":{"n":1}}}}]"#
    try folder.write("m.json", Array(model.utf8))
    let outcome = try folder.run(["plan", "new", "a.realm", "--to-version", "2", "--schema", "m.json"])
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "realmctl: warning: m.json: default values are ignored if they are objects, links or not literals (P.p)\n")
  }
}
