import RealmModels
import RealmStorage
import TestSupport
import Testing

@Suite("Model code as a schema") struct ModelCodeTests {
  static let languages: [(SchemaFormat, ModelLanguage)] = [
    (.swift, .swift), (.kotlin, .kotlin), (.java, .java), (.csharp, .csharp), (.dart, .dart),
    (.javaScript, .javaScript), (.typeScript, .javaScript), (.objectiveC, .objectiveC),
  ]

  /// The schema as text with all of it, whatever the order of its classes, without its version.
  private static func text(_ schema: Schema) -> String {
    SchemaFormat.json.text(of: Schema(tables: schema.tables)).string
  }

  private static func read(_ code: String, _ language: ModelLanguage) throws -> String {
    text(try SchemaFile(models: Array(code.utf8), in: language).schema)
  }

  /// What is wrong with the code; empty for code that is understood.
  private static func faults(in code: String, _ language: ModelLanguage) -> [String] {
    do throws(SchemaFileError) { _ = try SchemaFile(models: Array(code.utf8), in: language) } catch {
      guard case .code(let faults, language) = error else { return ["\(error)"] }
      return faults.map(\.description)
    }
    return []
  }

  @Test("What the models of a random schema say is read back as that schema", arguments: languages.indices)
  func randomSchemas(index: Int) throws {
    let (format, language) = Self.languages[index]
    var generator = SeededGenerator(seed: UInt64(28 + index))
    var equal = 0
    for _ in 0..<150 {
      let schema = RandomModels.schema(&generator, hasFloats: language != .dart)
      let code = format.text(of: schema)
      guard code.notes.isEmpty else { continue }
      let read = try Self.read(code.string, language)
      #expect(read == Self.text(schema), "\(code.string)")
      equal += 1
    }
    #expect(equal >= 40)
  }

  @Test("What the models of every fixture say is read back as its schema", arguments: languages.indices)
  func fixtures(index: Int) throws {
    let (format, language) = Self.languages[index]
    var equal = 0
    for path in Fixture.contents {
      guard let schema = try? Fixture.schema(ofRealm: path), !schema.classes.isEmpty else { continue }
      let code = format.text(of: schema)
      guard code.notes.isEmpty else { continue }
      #expect(try Self.read(code.string, language) == Self.text(schema), "\(path)")
      equal += 1
    }
    #expect(equal > 5)
  }

  @Test("Code that was cut off or changed anywhere gives a schema or names the place", arguments: languages.indices)
  func damagedCode(index: Int) {
    let (format, language) = Self.languages[index]
    var generator = SeededGenerator(seed: UInt64(2_800 + index))
    let sample = Array(HandWrittenModels.code(language).utf8) + format.text(of: SampleSchemas.inverse).utf8
    let marks = Array("{}[]()<>\"'`\\/*#@$:;,.=?!\n\0\u{e9}".utf8)
    for _ in 0..<400 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let position = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeSubrange(position...)
        case 1: bytes.insert(marks.randomElement(using: &generator) ?? 0, at: position)
        case 2: bytes.remove(at: position)
        default: bytes[position] = marks.randomElement(using: &generator) ?? 0
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      do throws(SchemaFileError) { _ = try SchemaFile(models: bytes, in: language) } catch {
        guard case .code(let faults, _) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(faults.first.map { $0.place.line >= 1 && $0.place.column >= 1 } == true)
      }
    }
  }

  @Test("Brackets, types, comments and strings in each other end in an answer", arguments: languages.indices)
  func nesting(index: Int) {
    let (_, language) = Self.languages[index]
    for piece in [
      "{", "(", "[", "<", "List<", "/*", "\"\\(", "\"${", "`${", "$\"{", "class A : Object {", "@A(", "a: {",
    ] {
      let code = String(repeating: piece, count: 20_000)
      #expect(!Self.faults(in: code, language).isEmpty, "\(piece)")
      #expect(!Self.faults(in: "class A: Object { @Persisted var a: " + code, language).isEmpty, "\(piece)")
    }
  }

  @Test(
    "Code that people write by hand", arguments: ModelLanguage.allCases)
  func handWritten(language: ModelLanguage) throws {
    let schema = try SchemaFile(models: Array(HandWrittenModels.code(language).utf8), in: language).schema
    #expect(SchemaFormat.text.text(of: schema).string == HandWrittenModels.schema(language))
  }

  @Test(
    "What is not understood is named with its place",
    arguments: [
      (
        ModelLanguage.swift, "class A: Object {\n  @Persisted var a: Color\n}",
        "line 2, column 21: unknown type 'Color'"
      ),
      (
        .swift, "class A: Object {\n  @Persisted var b: B\n}\nclass B: Object { @Persisted var c: Int }",
        "line 2, column 18: a link can be null, so 'B' must be marked as a type that can be"
      ),
      (
        .swift, "class A: Other { @Persisted var a: Int }",
        "line 1, column 7: 'A' has persisted properties, but its class 'Other' is not a model class of this file"
      ),
      (
        .swift, "class A: Object {\n#if DEBUG\n @Persisted var a: Int\n#endif\n}",
        "line 2, column 1: conditions inside a model class"
      ),
      (.swift, "struct A { }", "line 1, column 1: the file, read as Swift, has no model class"),
      (
        .swift,
        "class A: Object {\n @Persisted var a: Int\n @Persisted(originProperty: \"x\") var b: LinkingObjects<A>\n}",
        "line 3, column 38: 'A' has no property 'x'"
      ),
      (.kotlin, "class A : RealmObject {\n  var a = f()\n}", "line 2, column 11: unknown type 'f'"),
      (
        .java, "class A extends RealmObject { int a, b[]; }",
        "line 1, column 39: 'b' has a type that a realm does not store"
      ),
      (
        .csharp, "partial class A : IRealmObject { public string N { get; set; } }",
        "line 1, column 48: whether 'N' can be null depends on the project's settings: write '#nullable enable' or "
          + "'#nullable disable' at the top of the file"
      ),
      (.dart, "@RealmModel() class A { late int a; }", "line 1, column 21: the name of a model begins with '_' or '$'"),
      (
        .javaScript, "const a = {\n name: 'A', properties: {\n  b: 'text?[]?' } };",
        "line 3, column 6: Invalid type declaration for property 'b' on 'A': Collections cannot be optional. To allow "
          + "elements of the collection to be optional, use '?' after the element type. (Examples: 'int?[]', 'int?{}', "
          + "and 'int?<>')"
      ),
      (
        .javaScript, "const a = { name: 'A', properties: { b: kind } };",
        "line 1, column 41: 'kind' is not supported in a schema; only strings, numbers, objects and the like are"
      ),
      (
        .javaScript, "class A extends Realm.Object<A> { _id!: string; }",
        "line 1, column 9: a class that extends 'Realm.Object' has no 'schema' with 'name' and 'properties'"
      ),
    ])
  func mistakes(language: ModelLanguage, code: String, fault: String) {
    #expect(Self.faults(in: code, language).first == fault)
  }

  @Test("Without nullable references, C# has null for all texts but those that are required")
  func withoutNullableReferences() throws {
    for (head, base) in [
      ("#nullable disable\n", "IRealmObject"), ("", "RealmObject"), ("#nullable enable\n", "RealmObject"),
    ] {
      let code = """
        \(head)public partial class Dog : \(base)
        {
          public string Name { get; set; }
          [Required] public string Breed { get; set; }
          public Dog Mother { get; set; }
          public IList<string> Tags { get; }
          [Required] public IList<string> Toys { get; }
          public IList<Dog> Pups { get; }
          public int Age { get; set; }
        }
        """
      let schema = try SchemaFile(models: Array(code.utf8), in: .csharp).schema
      let properties = schema.tables.first?.properties ?? []
      let types = properties.map { $0.typeText + ($0.isOptional ? "?" : "") }
      #expect(types == ["string?", "string", "<Dog>?", "array<string>?", "array<string>", "array<Dog>", "int"])
    }
  }

  @Test("Everything that is wrong with types is named, in its order")
  func allFaults() {
    let code = "class B: Object { @Persisted var a: X; @Persisted var b: Y }\nclass A: Object { @Persisted var c: Z }"
    #expect(
      Self.faults(in: code, .swift) == [
        "line 1, column 37: unknown type 'X'", "line 1, column 58: unknown type 'Y'",
        "line 2, column 37: unknown type 'Z'",
      ])
  }
}
