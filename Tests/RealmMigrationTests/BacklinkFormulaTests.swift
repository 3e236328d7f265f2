import RealmExchange
import RealmMigration
import RealmModels
import RealmStorage
import TestSupport
import Testing

/// Formulas that use the objects that link to an object.
@Suite struct BacklinkFormulaTests {
  private static let schema = """
    [{"name":"Dog","properties":{"name":"string","toy":"Toy"}},{"name":"Toy","properties":{"label":"string"}},
     {"name":"Person","properties":{"name":"string","dogs":"Dog[]","any":"mixed","best":"Dog"}}]
    """

  @Test(arguments: [
    ("count(@links.Ghost.dogs)", "no class 'Ghost'"),
    ("count(@links.Persn.dogs)", "no class 'Persn'; did you mean 'Person'?"),
    ("count(@links.Person.dog)", "'Person' has no property 'dog'; did you mean 'dogs'?"),
    ("count(@links.Dog.toy)", "'Dog.toy' does not link to class 'Dog'"),
    ("count(@links.Person.name)", "'Person.name' does not link to class 'Dog'"),
    ("name.@links.Person.dogs", "'name' is not a link, so nothing links there"),
    ("@links.Person", "unexpected end, expected '.' and a property"), ("@links", "expected '@links.Class.property'"),
    ("@links.Person.dogs.color", "'Person' has no property 'color'"), ("@", "expected '@links.Class.property'"),
    ("@links.Person.dogs.name[0]", "'name' is not a collection"), ("@count", "expected '@links.Class.property'"),
  ])
  func wrongNamesAreNamed(formula: String, text: String) throws {
    let realm = try PlanCase(Self.schema, #"{"Dog":[{"name":"Rex"}]}"#)
    let failure = try realm.failure(#"add_property: {class: Dog, name: x, type: int, value: {expr: "\#(formula)"}}"#)
    #expect(failure.contains(text), "\(failure)")
  }

  @Test func mixedValuesSetsAndDictionariesLinkToo() throws {
    let realm = try PlanCase(
      #"[{"name":"A","properties":{"n":"int"}},{"name":"B","properties":{"m":"mixed","s":"A<>","d":"A{}"}}]"#,
      """
      {"A":[{"_key":0,"n":1},{"_key":1,"n":2}],"B":[{"m":{"$link":{"table":"A","key":0}},"s":[{"_key":1}],"d":{"x":{"_key":0},
      "y":{"_key":0}}},{"m":null,"s":[{"_key":1}],"d":{}}]}
      """)
    try realm.run(
      #"set: {class: A, values: {n: {expr: "count(@links.B.m) * 100 + count(@links.B.s) * 10 + count(@links.B.d)"}}}"#)
    #expect(try realm.ints("A", "n") == [102, 20])
  }

  /// `old` sees the state at the beginning of the step, regardless of what has happened to the links since.
  @Test func oldLinksAreThoseOfTheBeginningOfTheStep() throws {
    let realm = try PlanCase(
      Self.schema, #"{"Dog":[{"_key":0,"name":"Rex"}],"Person":[{"name":"Ann","dogs":[{"_key":0}]},{"name":"Bo"}]}"#)
    try realm.run(
      #"set: {class: Person, values: {dogs: {objects: [Dog, "TRUEPREDICATE"]}}}"#,
      #"add_property: {class: Dog, name: before, type: int, value: {expr: "count(old.@links.Person.dogs)"}}"#,
      #"add_property: {class: Dog, name: now, type: int, value: {expr: "count(new.@links.Person.dogs)"}}"#,
      #"add_property: {class: Dog, name: either, type: int, value: {expr: "count(@links.Person.dogs)"}}"#,
      #"remove_class: {name: Person, lossy: ok}"#,
      #"add_property: {class: Dog, name: gone, type: int, value: {expr: "count(@links.Person.dogs)"}}"#)
    #expect(try realm.ints("Dog", "before") == [1])
    #expect(try realm.ints("Dog", "now") == [2])
    #expect(try realm.ints("Dog", "either") == [1])
    #expect(try realm.ints("Dog", "gone") == [1])
  }

  @Test func theNamesOfASchemaFileWork() throws {
    let realm = try PlanCase(
      Self.schema, #"{"Dog":[{"_key":0,"name":"Rex"}],"Person":[{"name":"Ann","dogs":[{"_key":0},{"_key":0}]}]}"#)
    let model = Self.schema.replacing(
      #""toy":"Toy""#,
      with: #""toy":"Toy","n":"int","owners":{"type":"linkingObjects","objectType":"Person","property":"dogs"}"#)
    var settings = PlanCase.Settings()
    settings.target = try SchemaFile(Array(model.utf8)).schema
    settings.version = 3
    settings.options.target = settings.target
    try realm.run(
      #"set: {class: Dog, values: {n: {expr: "count(owners)"}, name: {template: "{owners[0].name}'s {name}"}}}"#,
      settings: settings)
    #expect(try realm.ints("Dog", "n") == [2])
    #expect(try realm.stored("Dog", "name") == [.string("Ann's Rex")])
  }

  /// A plain model of the same links gives the same counts and first names.
  @Test(arguments: 0..<12) func asAModelCounts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let dogCount = Int.random(in: 1...300, using: &random)
    let people = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0..<dogCount, using: &random) }
    }
    let dogs = (0..<dogCount).map { #"{"_key":\#($0),"name":"d"}"# }.joined(separator: ",")
    let rows = people.enumerated().map { index, links in
      #"{"name":"p\#(index)","dogs":["# + links.map { #"{"_key":\#($0)}"# }.joined(separator: ",") + "]}"
    }
    let realm = try PlanCase(Self.schema, #"{"Dog":[\#(dogs)],"Person":[\#(rows.joined(separator: ","))]}"#)
    try realm.run(
      #"add_property: {class: Dog, name: n, type: int, value: {expr: "count(@links.Person.dogs)"}}"#,
      #"set: {class: Dog, values: {name: {template: "{@links.Person.dogs[0].name|none}"}}}"#)
    let counts = (0..<dogCount).map { dog in people.reduce(0) { $0 + $1.count { $0 == dog } } }
    let first = (0..<dogCount).map { dog in people.firstIndex { $0.contains(dog) }.map { "p\($0)" } ?? "none" }
    #expect(try realm.ints("Dog", "n") == counts.map(Int64.init))
    #expect(try realm.stored("Dog", "name") == first.map { .string(RealmString($0)) })
  }
}

extension PlanCase {
  fileprivate func stored(_ className: RealmString, _ property: RealmString) throws -> [Value] {
    let realm = try Realm.open(at: path, key: nil)
    return try realm.objects("\(className)").all().map { $0["\(property)"] ?? .null }
  }

  fileprivate func ints(_ className: RealmString, _ property: RealmString) throws -> [Int64] {
    try stored(className, property).compactMap { if case .int(let number) = $0 { number } else { nil } }
  }
}
