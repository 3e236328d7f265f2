import RealmModels
import RealmStorage
import RealmText
import TestSupport
import Testing

@Suite("Schema files") struct SchemaFileTests {
  /// The violations that a file is refused with; empty for one that is read.
  static func violations(_ text: String) -> [String] {
    do throws(SchemaFileError) {
      _ = try SchemaFile(Array(text.utf8))
      return []
    } catch .invalid(let violations) {
      return violations.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  /// The property, as the only one of a class.
  static func property(_ declaration: String, primaryKey: String = "") throws -> Property {
    let file = try SchemaFile(Array(#"[{"name":"A","properties":{"p":\#(declaration)}\#(primaryKey)}]"#.utf8))
    return try #require(file.schema.tables.first?.properties.first)
  }

  // MARK: - What is read

  @Test(
    "What schema dump writes is read as the same schema",
    arguments: [SampleSchemas.everything, SampleSchemas.inverse, Schema(), SampleSchemas.oddNames])
  func roundTrip(_ schema: Schema) throws {
    var schema = schema
    // realm-js takes the class name in such a link for a type.
    let unreadable = SchemaFormat.json.text(of: schema).notes.filter { $0.reason.hasPrefix("links to") }
    #expect(unreadable.count == (schema == SampleSchemas.oddNames ? 1 : 0))
    for index in schema.tables.indices {
      let className = schema.tables[index].displayName
      schema.tables[index].properties.removeAll { property in
        unreadable.contains { $0.className == className && $0.propertyName == property.name }
      }
    }
    try expectRoundTrip(of: schema)
  }

  @Test("The schema of a real file survives a schema file", arguments: Fixture.all(in: "engine"))
  func realRoundTrip(path: String) throws {
    let before = try FileState(path)
    try expectRoundTrip(of: Fixture.schema(ofRealm: path))
    #expect(try FileState(path) == before)
  }

  private func expectRoundTrip(of schema: Schema) throws {
    var expected = schema
    expected.tables = schema.classes.sorted { $0.name < $1.name }
    let file = try SchemaFile(SchemaFormat.json.text(of: schema).utf8)
    #expect(file.schema == expected)
    #expect(file.aliases.allSatisfy { $0.allSatisfy { $0 == nil } })
    #expect(SchemaDifference(from: schema, to: file.schema).isEmpty)
  }

  @Test(
    "Types in shorthand",
    arguments: [
      ("int", Property(name: "p", type: .int)),
      ("int?", Property(name: "p", type: .int, isOptional: true)),
      ("decimal128[]", Property(name: "p", type: .decimal128, collection: .list)),
      ("uuid?<>", Property(name: "p", type: .uuid, collection: .set, isOptional: true)),
      ("data{}", Property(name: "p", type: .data, collection: .dictionary)),
      ("mixed", Property(name: "p", type: .mixed, isOptional: true)),
      ("mixed[]", Property(name: "p", type: .mixed, collection: .list, isOptional: true)),
      ("mixed?{}", Property(name: "p", type: .mixed, collection: .dictionary, isOptional: true)),
      ("Dog", Property(name: "p", type: .object, isOptional: true, target: "class_Dog")),
      ("Dog?", Property(name: "p", type: .object, isOptional: true, target: "class_Dog")),
      ("Dog[]", Property(name: "p", type: .object, collection: .list, target: "class_Dog")),
      ("Dog<>", Property(name: "p", type: .object, collection: .set, target: "class_Dog")),
      ("Dog?{}", Property(name: "p", type: .object, collection: .dictionary, isOptional: true, target: "class_Dog")),
      ("counter", Property(name: "p", type: .int)), ("counter?", Property(name: "p", type: .int, isOptional: true)),
      ("Int", Property(name: "p", type: .object, isOptional: true, target: "class_Int")),
    ])
  func shorthand(_ text: String, _ expected: Property) throws {
    #expect(try Self.property("\"\(text)\"") == expected)
  }

  @Test(
    "Types as objects",
    arguments: [
      (#"{"type":"date"}"#, Property(name: "p", type: .date)),
      (#"{"type":"float","optional":true}"#, Property(name: "p", type: .float, isOptional: true)),
      (#"{"type":"mixed"}"#, Property(name: "p", type: .mixed, isOptional: true)),
      (
        #"{"type":"list","objectType":"string","optional":true,"indexed":true}"#,
        Property(name: "p", type: .string, collection: .list, isOptional: true, index: .general)
      ),
      (
        #"{"type":"set","objectType":"mixed"}"#, Property(name: "p", type: .mixed, collection: .set, isOptional: true)
      ),
      (
        #"{"type":"dictionary","objectType":"Dog"}"#,
        Property(name: "p", type: .object, collection: .dictionary, isOptional: true, target: "class_Dog")
      ),
      (
        #"{"type":"list","objectType":"Dog","optional":false}"#,
        Property(name: "p", type: .object, collection: .list, target: "class_Dog")
      ),
      (
        #"{"type":"object","objectType":"Dog","optional":true}"#,
        Property(name: "p", type: .object, isOptional: true, target: "class_Dog")
      ),
      (
        #"{"type":"linkingObjects","objectType":"Dog","property":"owner"}"#,
        Property(name: "p", type: .linkingObjects, target: "class_Dog", originProperty: "owner")
      ),
      (#"{"type":"string","indexed":"full-text"}"#, Property(name: "p", type: .string, index: .fullText)),
      (#"{"type":"int","presentation":"counter","default":3}"#, Property(name: "p", type: .int)),
      (#"{"type":"int","mapTo":"stored"}"#, Property(name: "stored", type: .int)),
      (#"{"name":"p","type":"int","mapTo":""}"#, Property(name: "p", type: .int)),
    ])
  func declaration(_ text: String, _ expected: Property) throws {
    #expect(try Self.property(text) == expected)
  }

  @Test(
    "A primary key is indexed however it is declared",
    arguments: [#""int""#, #"{"type":"int"}"#, #"{"type":"int","indexed":true}"#])
  func primaryKey(declaration: String) throws {
    #expect(try Self.property(declaration, primaryKey: #","primaryKey":"p""#).index == .general)
  }

  @Test("The version is read from the object variant, and absent from the bare array")
  func version() throws {
    #expect(try SchemaFile(Array(#"{"schemaVersion":7,"classes":[]}"#.utf8)).schema.version == 7)
    #expect(
      try SchemaFile(Array(#"{"schemaVersion":18446744073709551614,"classes":[]}"#.utf8)).schema.version == .max - 1)
    #expect(try SchemaFile(Array(#"{"classes":[]}"#.utf8)).schema.version == nil)
    // What `schema dump --json` prints is a schema file with two more members.
    #expect(
      try SchemaFile(Array(#"{"version":2,"input":"a.realm","schemaVersion":7,"classes":[]}"#.utf8)).schema.version == 7
    )
    #expect(try SchemaFile(Array("\u{FEFF} [ ]".utf8)).schema == Schema())
  }

  @Test("Names of an app give way to stored names, in keys and inverses too")
  func storedNames() throws {
    let file = try SchemaFile(
      Array(
        """
        [{"name":"Person","primaryKey":"id","properties":{
           "id":{"type":"int","mapTo":"_id"},
           "dogs":{"type":"list","objectType":"Dog","mapTo":"dog_list"}}},
         {"name":"Dog","embedded":true,"asymmetric":false,"properties":{
           "owners":{"type":"linkingObjects","objectType":"Person","property":"dogs"}}}]
        """.utf8))
    let person = try #require(file.schema.classNamed("Person"))
    let dog = try #require(file.schema.classNamed("Dog"))
    #expect(person.properties.map(\.name) == ["_id", "dog_list"])
    #expect(person.primaryKey?.name == "_id")
    #expect(dog.kind == .embedded)
    #expect(dog.properties.first?.originProperty == "dog_list")
    #expect(file.aliases == [["id", "dogs"], [nil]])
    #expect(file.validation(for: .local).isValid)
  }

  @Test("A key may go by its stored name, as in the schema that an open realm gives out")
  func storedKey() throws {
    let text = #"[{"name":"A","primaryKey":"_id","properties":{"id":{"type":"int","mapTo":"_id"}}}]"#
    #expect(try SchemaFile(Array(text.utf8)).schema.tables.first?.primaryKeyIndex == 0)
  }

  @Test("An alias that is another property's name is found by the validation")
  func aliases() throws {
    let file = try SchemaFile(
      Array(#"[{"name":"A","properties":{"a":{"type":"int","mapTo":"x"},"b":{"type":"int","mapTo":"a"}}}]"#.utf8))
    #expect(
      file.validation(for: .local).violations.map(\.description) == [
        "Property 'A.x' has an alias 'a' that conflicts with a property of the same name."
      ])
  }

  // MARK: - What is refused

  static let typeFaults: [(declaration: String, text: String)] = [
    (#""""#, "The type must be specified."),
    (#""[]""#, "The element type must be specified (Example: 'int[]')"),
    (#""int[][]""#, "Nested collections are not supported."),
    (#""?""#, "The type must be specified. (Examples: 'int?' and 'int?[]')"),
    (#""?{}""#, "The type must be specified. (Examples: 'int?' and 'int?[]')"),
    (
      #""int[]?""#,
      "Collections cannot be optional. To allow elements of the collection to be optional, use '?' after the element type. (Examples: 'int?[]', 'int?{}', and 'int?<>')"
    ),
    (
      #""list""#,
      "Cannot use the collection name list. (Examples: 'int[]' (list), 'int{}' (dictionary), and 'int<>' (set))"
    ),
    (
      #""object""#,
      "To define a relationship, use either 'MyObjectType' or { type: 'object', objectType: 'MyObjectType' }"
    ),
    (
      #""linkingObjects""#,
      "To define an inverse relationship, use { type: 'linkingObjects', objectType: 'MyObjectType', property: 'myObjectTypesProperty' }"
    ),
    (#""counter[]""#, "Counters cannot be used in collections."),
    (
      #""Dog?[]""#,
      "User-defined types in lists and sets are always non-optional and cannot be made optional. Remove '?' or change the type."
    ),
    (#"{"type":""}"#, "'type' must be specified."),
    (
      #"{"type":"int?[]"}"#,
      "Cannot use shorthand '[]' and '?' in 'type' or 'objectType' when defining property objects."
    ),
    (
      #"{"type":"list","objectType":"counter"}"#,
      "Cannot use shorthand 'counter' in 'type' or 'objectType' when defining property objects. To use presentation types such as 'counter', use the field 'presentation'."
    ),
    (#"{"type":"int","objectType":"Dog"}"#, "'objectType' cannot be defined when 'type' is 'int'."),
    (
      #"{"type":"set"}"#, "A set must contain only primitive or user-defined types specified through 'objectType'."
    ),
    (#"{"type":"object","objectType":"int"}"#, "A user-defined type must be specified through 'objectType'."),
    (
      #"{"type":"linkingObjects","objectType":"Dog"}"#,
      "The linking object's property name must be specified through 'property'."
    ),
    (
      #"{"type":"Dog"}"#,
      "If you meant to define a relationship, use { type: 'object', objectType: 'Dog' } or { type: 'linkingObjects', objectType: 'Dog', property: 'The Dog property' }"
    ),
    (#"{"type":"int","property":"x"}"#, "'property' can only be specified if 'type' is 'linkingObjects'."),
    (#"{"type":"string","presentation":"counter"}"#, "Counters can only be used when 'type' is 'int'."),
    (#"{"type":"mixed","optional":false}"#, "'mixed' types are always optional and cannot be made non-optional."),
    (
      #"{"type":"object","objectType":"Dog","optional":false}"#,
      "User-defined types as standalone objects and in dictionaries are always optional and cannot be made non-optional."
    ),
    (
      #"{"type":"set","objectType":"Dog","optional":true}"#,
      "User-defined types in lists and sets are always non-optional and cannot be made optional."
    ),
    (#"{"type":"int","name":"q"}"#, "The key of a property must match its name property"),
    (#"{"type":"int","indexed":1}"#, "Expected 'p.indexed' on 'A' to be a boolean or 'full-text'."),
    (#"{"type":7}"#, "Expected 'p.type' on 'A' to be a string, got a number"),
    (#"{}"#, "Expected 'p.type' on 'A' to be a string, got undefined"),
    (#"{"type":"int","optional":null}"#, "Expected 'p.optional' on 'A' to be a boolean, got null"),
    (#"{"type":"int","mapTo":1.5}"#, "Expected 'p.mapTo' on 'A' to be a string, got a decimal number"),
    (
      #"{"type":"int","unique":true,"x":1}"#,
      "Unexpected field(s) found on the schema for property 'p' on 'A': 'unique', 'x'."
    ),
    ("[]", "Expected 'p' on 'A' to be an object, got an array"),
  ]

  @Test("A wrong type is refused in realm-js's words", arguments: typeFaults.indices)
  func typeFault(_ row: Int) throws {
    let (declaration, text) = Self.typeFaults[row]
    let found = Self.violations(#"[{"name":"A","properties":{"p":\#(declaration)}}]"#)
    try #require(found.count == 1, "\(found)")
    #expect(found[0].hasPrefix("[0].properties.p"))
    #expect(found[0].hasSuffix(": Invalid type declaration for property 'p' on 'A': " + text))
  }

  @Test(
    "A primary key that cannot be one is refused in realm-js's words",
    arguments: [
      (#"{"type":"int","indexed":false}"#, "Primary keys must always be indexed."),
      (#"{"type":"string","indexed":"full-text"}"#, "Primary keys cannot be full-text indexed."),
      (#"{"type":"int","presentation":"counter"}"#, "Counters cannot be primary keys."),
    ])
  func keyFault(_ declaration: String, _ text: String) {
    #expect(
      Self.violations(#"{"classes":[{"name":"A","primaryKey":"p","properties":{"p":\#(declaration)}}]}"#) == [
        "classes[0].properties.p: Invalid type declaration for property 'p' on 'A': " + text
      ])
  }

  @Test(
    "A wrong class or file is refused, with the place",
    arguments: [
      ("7", "top level: Expected realm schema to be an array, or an object with 'classes', got a number"),
      (#"{"schemaVersion":1}"#, "classes: Expected 'classes' to be an array, got undefined"),
      (#"{"classes":{}}"#, "classes: Expected 'classes' to be an array, got an object"),
      (
        #"{"a":1}"#,
        "top level: Expected realm schema to be an array, or an object with 'classes', got an object with 'a'"
      ),
      (#"{"classes":[],"input":"a"}"#, "top level: Unexpected field(s) found next to 'classes': 'input'."),
      (#"{"classes":[],"version":1}"#, "top level: Unexpected field(s) found next to 'classes': 'version'."),
      ("[[]]", "[0]: Invalid schema for unnamed object: Expected 'object schema' to be an object, got an array"),
      (
        #"[{"properties":{}}]"#,
        "[0].name: Invalid schema for unnamed object: Expected 'name' on object schema to be a string, got undefined"
      ),
      (#"[{"name":"","properties":{}}]"#, "[0].name: Invalid schema for unnamed object: 'name' must be specified."),
      (
        #"[{"name":"A"}]"#,
        "[0].properties: Invalid schema for object 'A': Expected 'properties' on 'A' to be an object, got undefined"
      ),
      (
        #"[{"name":"A","properties":[]}]"#,
        "[0].properties: Invalid schema for object 'A': Expected 'properties' on 'A' to be an object, got an array"
      ),
      (
        #"[{"name":"A","properties":{},"primaryKey":"id"}]"#,
        "[0].primaryKey: Invalid schema for object 'A': 'id' is set as the primary key field but was not found in 'properties'."
      ),
      (
        #"[{"name":"A","properties":{},"primaryKey":1}]"#,
        "[0].primaryKey: Invalid schema for object 'A': Expected 'primaryKey' on 'A' to be a string, got a number"
      ),
      (
        #"[{"name":"A","properties":{},"embedded":"yes"}]"#,
        "[0].embedded: Invalid schema for object 'A': Expected 'embedded' on 'A' to be a boolean, got a string"
      ),
      (
        #"[{"name":"A","properties":{},"embedded":true,"asymmetric":true}]"#,
        "[0]: Invalid schema for object 'A': 'A' cannot be both embedded and asymmetric"
      ),
      (
        #"[{"name":"A","properties":{},"ctor":1}]"#,
        "[0]: Invalid schema for object 'A': Unexpected field(s) found on the schema for object 'A': 'ctor'."
      ),
    ])
  func classFault(_ text: String, _ violation: String) {
    #expect(Self.violations(text) == [violation])
  }

  @Test(
    "A version that no realm can have is refused", arguments: ["-1", "1.0", "1e2", "\"1\"", "18446744073709551615"])
  func versionFault(_ version: String) {
    #expect(
      Self.violations(#"{"schemaVersion":\#(version),"classes":[]}"#) == [
        "schemaVersion: Expected 'schemaVersion' to be a whole number from 0 to 18446744073709551614"
      ])
  }

  @Test("Everything that is wrong is told, and odd keys are told apart from the path")
  func allFaults() {
    #expect(
      Self.violations(
        #"[{"name":"A","properties":{"a.b":"","c":"int","d":"list"}},{"name":"B","properties":{"":"?"}}]"#
      )
      .map { $0.prefix { $0 != ":" } } == [#"[0].properties."a.b""#, "[0].properties.d", #"[1].properties."""#])
  }

  @Test("A text that is no JSON is refused with line and column")
  func malformed() throws {
    let text = "[{\"name\":\"A\",\n  \"properties\":{\"p\":\"int\",}}]"
    do throws(SchemaFileError) {
      _ = try SchemaFile(Array(text.utf8))
      Issue.record("read")
    } catch .malformed(.malformed(let fault, let location)) {
      #expect(fault == .unexpectedByte(UInt8(ascii: "}"), expected: .key))
      #expect((location.line, location.column) == (2, 27))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("A property twice is refused")
  func duplicateKey() {
    #expect(Self.violations(#"[{"name":"A","properties":{"p":"int","p":"int"}}]"#).count == 1)
  }

  @Test("Any damage to a schema file gives a schema or an error")
  func damage() {
    let intact = SchemaFormat.json.text(of: SampleSchemas.inverse).utf8
    for length in intact.indices.dropLast() {
      #expect(throws: SchemaFileError.self) { try SchemaFile(Array(intact.prefix(length))) }
    }
    for index in intact.indices {
      for byte: UInt8 in [0, 0x22, 0x30, 0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0xff] {
        var bytes = intact
        bytes[index] = byte
        guard let file = try? SchemaFile(bytes) else { continue }
        for format in SchemaFormat.allCases { #expect(!format.text(of: file.schema).utf8.isEmpty) }
        _ = file.validation(for: .local).message
      }
    }
  }
}
