import RealmExchange
import RealmModels
import RealmStorage
import TestSupport
import Testing

/// What `export` writes for classes and properties that have the names of parts of its forms is read back unchanged.
@Suite struct EnvelopeTests {
  // MARK: Small ones

  struct Case: CustomTestStringConvertible, Sendable {
    let schema: String
    /// In the `typed-ndjson` form, as `export` writes it.
    let text: String
    var testDescription: String { schema }
  }

  private static func lone(_ name: String, _ properties: String, _ key: String? = nil, _ objects: String...) -> Case {
    let lines = objects.enumerated().map { "{\"class\":\"\(name)\",\"objKey\":\($0),\"value\":\($1)}\n" }
    let key = key.map { "\"primaryKey\":\"\($0)\"," } ?? ""
    return Case(
      schema: #"[{"name":"\#(name)",\#(key)"properties":{\#(properties)}}]"#, text: lines.joined())
  }

  static let cases: [Case] = [
    lone("tags", #""tags":"string[]""#),
    lone("tags", #""tags":"string[]""#, nil, #"{"tags":[]}"#, #"{"tags":["a"]}"#),
    lone("tags", #""tags":"mixed""#, nil, #"{"tags":[{"$dictionary":{}}]}"#, #"{"tags":[]}"#),
    lone("A", #""class":"string","value":"mixed""#, "class", #"{"class":"A","value":{"$dictionary":{"class":1}}}"#),
    lone("A", #""class":"string","value":"mixed""#, nil, #"{"class":"A","value":{"$dictionary":{}}}"#),
    lone(
      "A", #""class":"string","objKey":"int","value":"int{}""#, "class",
      #"{"class":"A","objKey":1,"value":{"$dictionary":{}}}"#),
    lone("class", #""class":"int[]""#, nil, #"{"class":[1]}"#, #"{"class":[]}"#),
    lone("_key", #""_key":"int","__key":"int""#, nil, #"{"_key":7,"__key":8}"#),
    lone("A", #""n":"string","_key":"string""#, nil, #"{"n":"x","_key":"y"}"#, #"{"n":"","_key":""}"#),
    lone("A", #""n":"int","_key":"int""#, nil, #"{"n":1,"_key":2}"#, #"{"n":3,"_key":4}"#),
    lone("metadata", #""version":"int""#, nil, #"{"version":5}"#),
    lone("A", "", nil, "{}", "{}"),
    Case(
      schema:
        #"[{"name":"X","properties":{"v":"int"}},{"name":"class_X","properties":{"v":"int","x":"X","m":"mixed"}}]"#,
      text: """
        {"class":"X","objKey":0,"value":{"v":1}}
        {"class":"class_X","objKey":0,"value":{"v":2,"x":{"$link":{"table":"X","objKey":0}},"m":{"$link":{"table":"class_X","objKey":0}}}}

        """),
    // A link to an object whose primary key is null is not null.
    Case(
      schema: """
        [{"name":"X","primaryKey":"id","properties":{"id":"int?"}},
         {"name":"Y","properties":{"x":"X","l":"X[]","s":"X<>","d":"X{}","m":"mixed"}}]
        """,
      text: """
        {"class":"X","objKey":0,"value":{"id":null}}
        {"class":"Y","objKey":0,"value":{"x":{"$link":{"table":"X","key":null}},"l":[{"$link":{"table":"X","key":null}}],\
        "s":{"$set":[{"$link":{"table":"X","key":null}}]},"d":{"$dictionary":{"a":{"$link":{"table":"X","key":null}},"b":null}},\
        "m":{"$link":{"table":"X","key":null}}}}
        {"class":"Y","objKey":1,"value":{"x":null,"l":[],"s":{"$set":[]},"d":{"$dictionary":{}},"m":null}}

        """),
    Case(
      schema: """
        [{"name":"A","properties":{"e":"E","f":"F","es":"E[]","fs":"F[]"}},
         {"name":"E","embedded":true,"properties":{"$embedded":"mixed","$x":"int"}},
         {"name":"F","embedded":true,"properties":{"$x":"int"}}]
        """,
      text: """
        {"class":"A","objKey":0,"value":{"e":{"$embedded":{"table":"E","value":{"$embedded":{"$dictionary":{"table":"E"}},\
        "$x":1}}},"f":{"$x":2},"es":[{"$embedded":{"table":"E","value":{"$embedded":1,"$x":3}}}],\
        "fs":[{"$embedded":{"table":"F","value":{"$x":4}}}]}}

        """),
  ]

  @Test("goes round", arguments: cases) func small(_ test: Case) throws {
    let schema = try SchemaFile(Array(test.schema.utf8)).schema
    let built = try BuiltRealm(schema: schema, data: Array(test.text.utf8))
    #expect(try built.text() == test.text)
    try Self.expectRound(of: built, schema, test.text)
  }

  /// Expects that each form of a realm is read back as the same realm.
  private static func expectRound(of built: BuiltRealm, _ schema: Schema, _ text: String) throws {
    let tops = schema.classes.filter { $0.kind != .embedded }
    let lone = tops.count == 1 ? tops.first : nil
    var texts = [
      try built.realm.export(.typed).output.bytes, try built.realm.export(.json).output.bytes,
      try built.realm.export(.ndjson).output.bytes, try built.realm.export(.json) { $0.isPretty = true }.output.bytes,
    ]
    if let lone {
      texts.append(try built.realm.export(.ndjson, classes: [lone.displayName.description]).output.bytes)
      if !hasLinks(to: lone, in: schema) {
        let name = lone.displayName.description
        texts.append(try built.realm.export(.ndjson, classes: [name]) { $0.showsObjectKeys = false }.output.bytes)
        texts.append(try built.realm.export(.json) { $0.showsObjectKeys = false }.output.bytes)
      }
    }
    if tellsAllInCore(schema) { texts.append(try built.realm.export(.core).output.bytes) }
    texts.append(
      try built.realm.export(.json) {
        $0.tables = ExportOptions.allTables(of: built.snapshot, format: .json, includesInternal: true)
      }.output.bytes)
    for (number, data) in texts.enumerated() {
      let again = try BuiltRealm(schema: schema, data: data, chunkSize: number.isMultiple(of: 2) ? .max : 5)
      #expect(try again.text() == text, "\(String(decoding: data, as: UTF8.self))")
    }
  }

  private static func hasLinks(to target: TableSchema, in schema: Schema) -> Bool {
    schema.classes.contains { $0.properties.contains { $0.target == target.name || $0.type == .mixed } }
  }

  /// The engine writes both tables of a class `metadata` under one name, embedded objects without their class, and a link
  /// to an object whose primary key is null as null.
  private static func tellsAllInCore(_ schema: Schema) -> Bool {
    schema.classNamed("metadata") == nil
      && !schema.classes.contains {
        $0.property(named: "$embedded") != nil || $0.property(named: "_key")?.target != nil
          || ($0.primaryKey?.isOptional ?? false)
      }
  }

  // MARK: Random ones

  @Test func `random schemas with such names go round`() throws {
    var generator = SeededGenerator(seed: 24)
    for _ in 0..<100 {
      let realm = TrickyRealm(&generator)
      let schema = try SchemaFile(Array(realm.schemaFile.utf8)).schema
      let built = try BuiltRealm(schema: schema, data: Array(realm.text.utf8))
      #expect(try built.text() == realm.text, "\(realm.schemaFile)")
      try Self.expectRound(of: built, schema, realm.text)
    }
  }

  // MARK: Written by hand

  @Test func `objects that look like no line are objects of the only class`() throws {
    let schema = #"[{"name":"A","properties":{"class":"string?","value":"mixed","A":"string[]"}}]"#
    let data = """
      {"class":"x","value":1} {} {"A":["y"]} {"class":null,"value":{"a":1}} {"class":"A","value":{"A":["z"]}}
      [{"class":"x"},{}]
      """
    let built = try BuiltRealm(schema: schema, data: data)
    let expected = [
      #"{"_key":0,"class":"x","value":1,"A":[]}"#, #"{"_key":1,"class":null,"value":null,"A":[]}"#,
      #"{"_key":2,"class":null,"value":null,"A":["y"]}"#, #"{"_key":3,"class":null,"value":{"a":1},"A":[]}"#,
      #"{"_key":4,"class":null,"value":null,"A":["z"]}"#, #"{"_key":5,"class":"x","value":null,"A":[]}"#,
      #"{"_key":6,"class":null,"value":null,"A":[]}"#,
    ]
    #expect(try built.realm.export(.ndjson, classes: ["A"]).output.text == expected.joined(separator: "\n") + "\n")
    #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: #"{"class":"B","value":{"a":1}}"#) }
  }

  @Test func `an empty object that is not all there is needs a class`() throws {
    let schema = #"[{"name":"A","properties":{}},{"name":"B","properties":{}}]"#
    #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: "{} {\"A\":[]}") }
    #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: "{\"A\":[]} {}") }
    #expect(try BuiltRealm(schema: schema, data: "{}").text() == "")
  }
}
