import Foundation
import TestSupport
import Testing

/// A schema file and data written from the manual alone are accepted; a slip in them gets a message that helps to fix
/// it.
@Suite struct SchemaMistakeTests {
  /// The example of the manual, the document that belongs to it, and the one object of that as a line of NDJSON.
  private static let example: (schema: String, document: String, data: String) = {
    let page = Tool.projectFolder.appendingPathComponent("Docs/SchemaFile.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    let blocks = text.components(separatedBy: "```json\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    let document = blocks.dropFirst().first ?? ""
    let line = document.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    return (blocks.first ?? "", document, String(line.dropFirst("{\"Person\":[".count).dropLast("]}".count)))
  }()

  /// What the manual does with these files.
  private static let command: [String] = {
    let page = Tool.projectFolder.appendingPathComponent("Docs/SchemaFile.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    let block = text.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "\n").first ?? ""
    return block.split(separator: " ").dropFirst().map(String.init)
  }()

  private func build(schema: String, data: String) throws -> (folder: InputFolder, outcome: Tool.Outcome) {
    let folder = try InputFolder()
    try folder.write("people.json", Array(schema.utf8))
    try folder.write("people.ndjson", Array(data.utf8))
    let command = ["bundle", "--schema", "people.json", "--class", "Person", "--data", "people.ndjson"]
    let outcome = try folder.run(command + ["--seed", "people.realm"], creates: ["people.realm"])
    return (folder, outcome)
  }

  @Test("the example of the manual, with a list, an embedded class and a primary key, is taken") func manual() throws {
    let folder = try InputFolder()
    try folder.write("people.json", Array(Self.example.schema.utf8))
    try folder.write("data.json", Array(Self.example.document.utf8))
    let outcome = try folder.run(Self.command, creates: ["my.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    _ = try LeftRealm(folder.path("my.realm"))
    let classes = try folder.run(["open", "my.realm"]).outputText.split(separator: "\n").suffix(3)
    #expect(
      classes.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == ["Address 1", "Dog 1", "Person 1"])
  }

  /// The rows of the manual's table of values: a type, and what is accepted for it.
  private static let forms: [(type: String, value: String)] = {
    let page = Tool.projectFolder.appendingPathComponent("Docs/SchemaFile.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    let rows = text.components(separatedBy: "| Type | Values |").last?.split(separator: "\n") ?? []
    return rows.filter { $0.hasPrefix("| `") }.flatMap { row in
      let cells = row.split(separator: "|")
      let types = cells[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      let values = cells[1].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return types.flatMap { type in values.map { (type, $0) } }
    }
  }()

  @Test("every form of a value that the manual lists is taken") func forms() throws {
    #expect(Self.forms.count >= 25)
    for (type, value) in Self.forms where type != "mixed" {
      for (declared, data) in [(type, value), (type + "[]", "[\(value)]"), ("mixed", value)] {
        let schema = #"[{"name":"Person","properties":{"p":"\#(declared)"}}]"#
        let (_, outcome) = try build(schema: schema, data: #"{"p":\#(data)}"#)
        #expect(outcome.status == 0, "\(declared) \(data): \(outcome.errors)")
      }
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let written: String
    let instead: String
    /// What the message says after the name of the file.
    let message: String

    init(_ name: String, _ written: String, _ instead: String, _ message: String) {
      (testDescription, self.written, self.instead, self.message) = (name, written, instead, message)
    }
  }

  static let schemaMistakes = [
    Mistake(
      "a type of another language", #""date?""#, #""datetime?""#,
      "property 'Person.born': unknown type 'datetime'; did you mean 'date'? realmctl-schema(5) lists the types"),
    Mistake(
      "the name that most others use for strings", #""city": "string?""#, #""city": "text""#,
      "property 'Address.city': unknown type 'text'; did you mean 'string'? realmctl-schema(5) lists the types"),
    Mistake(
      "an unknown type in an object", #""type": "string""#, #""type": "text""#,
      "objectType: 'text', property: 'The text property' }); did you mean 'string'? realmctl-schema(5) lists the types"),
    Mistake(
      "a type in capitals", #""weight": "double?""#, #""weight": "Double?""#,
      "property 'Dog.weight': unknown type 'Double'; did you mean 'double'? "),
    Mistake(
      "a list as a language writes it", #""string[]""#, #""List<string>""#,
      "property 'Person.emails': unknown type 'List<string>'; did you mean 'string[]'? "),
    Mistake(
      "a class with a slip", #""Dog[]""#, #""Dgo[]""#,
      "not a valid schema (property 'Person.dogs': unknown type 'Dgo'; Property 'Person.dogs' declared as origin "),
    Mistake(
      "a class that is missing", #""Dog[]""#, #""Animal[]""#,
      "); add a class 'Animal', or see realmctl-schema(5) for the types"),
    Mistake(
      "a field with a slip", #""primaryKey""#, #""primarykey""#,
      "'primarykey'); did you mean 'primaryKey'? See realmctl-schema(5)"),
    Mistake("a field of a property with a slip", #""indexed""#, #""indexd""#, "'indexd'); did you mean 'indexed'? "),
    Mistake(
      "a comma after the last class", "\"city\": \"string?\" }\n  }", "\"city\": \"string?\" }\n  },",
      "people.json:28:1: not valid JSON: unexpected ',' before ']'; fix the file; see realmctl-schema(5)"),
    Mistake(
      "a comma after the last property", #""dogs" }"#, #""dogs" },"#,
      "people.json:21:5: not valid JSON: unexpected ',' before '}'; "),
    Mistake(
      "a class without a name", #"    "name": "Dog","#, "",
      "[1].name: Invalid schema for unnamed object: Expected 'name' on object schema to be a string, got undefined"),
    Mistake(
      "a property twice", #""weight""#, #""name""#,
      "people.json:18:7: not valid JSON: the key 'name' appears twice in one object"),
    Mistake(
      "a class twice", #""name": "Dog""#, #""name": "Person""#,
      "not a valid schema (Type 'Person' appears more than once in the schema; "),
    Mistake(
      "a primary key that is no property", #""primaryKey": "id""#, #""primaryKey": "key""#,
      "[0].primaryKey: Invalid schema for object 'Person': 'key' is set as the primary key field but was not found in"),
    Mistake(
      "a primary key of the wrong type", #""id": "int""#, #""id": "double""#,
      "Property 'Person.id' of type 'double' cannot be made the primary key"),
    Mistake(
      "a set of embedded objects", #""Address""#, #""Address<>""#,
      "Set property 'Person.home' cannot contain embedded object type 'Address'."),
    Mistake(
      "single quotes", #""string[]""#, "'string[]'",
      #"people.json:9:17: not valid JSON: unexpected "'", expected a value; fix the file"#),
    Mistake(
      "a comment", #""weight""#, #"// kg"#, "people.json:18:7: not valid JSON: unexpected '/', expected a key"),
    Mistake("a missing bracket", "]\n", "", "people.json:28:1: not valid JSON: unexpected end, expected ',' or ']'"),
    Mistake(
      "a list that may be null", #""string[]""#, #""string[]?""#,
      "[0].properties.emails: Invalid type declaration for property 'emails' on 'Person': Collections cannot be optional."
    ),
    Mistake(
      "an inverse of no property", #""property": "dogs""#, #""property": "dog""#,
      "Property 'Person.dog' declared as origin of linking objects property 'Dog.owners' does not exist"),
  ]

  @Test("a slip in a schema file", arguments: schemaMistakes) func schema(_ mistake: Mistake) throws {
    let (first, second) = (mistake.written, mistake.instead)
    let place = try #require(
      mistake.message.contains("missing bracket") || second.isEmpty && first == "]\n"
        ? Self.example.schema.range(of: first, options: .backwards) : Self.example.schema.range(of: first))
    let schema = Self.example.schema.replacingCharacters(in: place, with: second)
    let (_, outcome) = try build(schema: schema, data: Self.example.data)
    #expect(outcome.status == 7)
    #expect(outcome.errors.hasPrefix("realmctl: people.json:"))
    #expect(outcome.errors.contains(mistake.message), "\(outcome.errors)")
    #expect(outcome.errors.contains("realmctl-schema(5)"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  static let dataMistakes = [
    Mistake(
      "a number in quotes", #""id":1"#, #""id":"1""#,
      "Type mismatch for property 'Person.id'. Expected int (a whole number of 64 bits), found the string "
        + "\"1\"; use --coerce to accept strings"),
    Mistake(
      "a fraction", #""id":1"#, #""id":1.5"#,
      "Expected int (a whole number of 64 bits), found 1.5; realmctl-schema(5) lists the accepted forms"
    ),
    Mistake(
      "a date as people write it", #""1990-05-17T00:00:00Z""#, #""17.05.1990""#,
      "Type mismatch for property 'Person.born'. Expected date? (such as \"2024-01-31T12:00:00Z\"), found the string "
        + "\"17.05.1990\" (object 1); "),
    Mistake(
      "one value for a list", #"["ann@example.org"]"#, #""ann@example.org""#,
      "Expected string[] (an array), found the string \"ann@example.org\" (object 1); "),
    Mistake(
      "a number among strings", #"["ann@example.org"]"#, #"["ann@example.org",5]"#,
      "Type mismatch for property 'Person.emails'. Expected string (text in double quotes), found 5 (object 1); "),
    Mistake(
      "text for an embedded object", #"{"street":"Elm Street 1"}"#, #""Elm Street 1""#,
      "Type mismatch for property 'Person.home'. Expected Address (an object), found the string \"Elm Street 1\" (object 1); "
    ),
    Mistake(
      "a name for a link", #"{"name":"Rex"}"#, #""Rex""#,
      #"Expected Dog (an object, or {"_key":0} for the object with that key), found the string "Rex" (object 1); "#),
    Mistake(
      "a property with a slip", #""emails""#, #""email""#,
      "'Person' has no property 'email' (object 1); "),
    Mistake(
      "null where there must be a value", #""Ann""#, "null",
      "Invalid null value for non-nullable property 'Person.name' (object 1); give a value, or allow "
        + "null in the schema, as 'int?' or 'int?[]' does"),
    Mistake("a comma at the end", #"}]}"#, #"}],}"#, "not valid JSON: unexpected ',' before '}'; fix the file"),
  ]

  @Test("a slip in data", arguments: dataMistakes) func data(_ mistake: Mistake) throws {
    let place = try #require(Self.example.data.range(of: mistake.written))
    let data = Self.example.data.replacingCharacters(in: place, with: mistake.instead)
    let (_, outcome) = try build(schema: Self.example.schema, data: data)
    #expect(outcome.status == 7)
    #expect(outcome.errors.hasPrefix("realmctl: people.ndjson:1:"))
    #expect(outcome.errors.contains(mistake.message), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test(
    "a primary key of several values is refused by every command before anything is written",
    arguments: [
      ("string[]", "array"), ("string?[]", "array"), ("int[]", "array"), ("string<>", "set"), ("uuid{}", "dictionary"),
    ])
  func collectionsAsKeys(type: String, shown: String) throws {
    let folder = try OpenConfigurationTests.folder()
    try folder.write("d.ndjson", Array(#"{"id":["a"]}"#.utf8))
    try folder.write("m.json", Array(#"[{"name":"P","primaryKey":"id","properties":{"id":"\#(type)"}}]"#.utf8))
    for command in [
      ["bundle", "--schema", "m.json", "--class", "P", "--data", "d.ndjson", "--seed", "s.realm", "--no-verify"],
      ["open", "app.realm", "--schema", "m.json", "--schema-version", "2", "--no-verify"],
      ["open", "new.realm", "--schema", "m.json", "--create"], ["open", "--in-memory", "--schema", "m.json"],
      ["migrate", "app.realm", "--schema", "m.json", "--to-version", "2"],
      ["plan", "new", "app.realm", "--schema", "m.json", "--to-version", "2"],
      ["schema", "diff", "app.realm", "m.json"], ["schema", "diff", "m.json", "app.realm"],
    ] {
      // Nothing is created: `run` compares the folder.
      let outcome = try folder.run(command)
      #expect(outcome.status == 7, "\(command)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("realmctl: m.json: "), "\(outcome.errors)")
      #expect(
        outcome.errors.contains("Property 'P.id' of type '\(shown)' cannot be made the primary key"), "\(command)")
    }
  }

  @Test("schema diff takes the schema of a synced realm") func asymmetric() throws {
    let folder = try OpenConfigurationTests.folder()
    try folder.write(
      "m.json", Array(#"[{"name":"P","asymmetric":true,"properties":{"_id":"int"},"primaryKey":"_id"}]"#.utf8))
    #expect(try folder.run(["schema", "diff", "m.json", "m.json"]).status == 0)
    #expect(try folder.run(["plan", "new", "app.realm", "--schema", "m.json", "--to-version", "2"]).status == 7)
  }
}
