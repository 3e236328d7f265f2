import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// The examples of the SDKs' page on changing an object model, and the values the engine made of them.
@Suite struct DocumentedPlanTests {
  private static let combined = """
    plan: 1
    steps:
      - to: 2
        do:
          - add_property: { class: Person, name: fullName, type: string, value: { template: "{firstName} {lastName}" } }
          - remove_property: { class: Person, name: firstName }
          - remove_property: { class: Person, name: lastName }
      - to: 3
        do:
          - convert: { class: Person, name: age, to: string }
    """
  private static let combinedJSON = """
    {"plan":1,"steps":[
     {"to":2,"do":[
      {"add_property":{"class":"Person","name":"fullName","type":"string","value":{"template":"{firstName} {lastName}"}}},
      {"remove_property":{"class":"Person","name":"firstName"}},
      {"remove_property":{"class":"Person","name":"lastName"}}]},
     {"to":3,"do":[{"convert":{"class":"Person","name":"age","to":"string"}}]}]}
    """
  private static let lossy = PlanCase.Settings(allowsDataLoss: true)

  @Test func anOptionalPropertyIsAdded() throws {
    let realm = try Sample.people()
    try realm.run(#"add_property: { class: Person, name: email, type: "string?" }"#)
    #expect(try realm.values("Person", "email") == ["null", "null", "null"])
    #expect(try realm.snapshot().schema.version == 2)
  }

  @Test func aRequiredPropertyIsAdded() throws {
    let realm = try Sample.people()
    let outcome = try realm.run(#"add_property: { class: Person, name: email, type: string, default: "" }"#)
    #expect(try realm.values("Person", "email") == [#""""#, #""""#, #""""#])
    #expect(try outcome.operation(0).defaulted == 3)
    #expect(outcome.report?.warnings.isEmpty == true)
  }

  @Test func aPropertyIsRemoved() throws {
    let realm = try Sample.people()
    try realm.run("remove_property: { class: Person, name: age }", settings: Self.lossy)
    #expect(try realm.property("Person", "age") == nil)
  }

  @Test func aPropertyIsRenamed() throws {
    let realm = try Sample.people()
    try realm.run("rename_property: { class: Person, from: age, to: yearsSinceBirth }")
    #expect(try realm.values("Person", "yearsSinceBirth") == ["42", "43", "44"])
  }

  @Test(arguments: [combined, combinedJSON])
  func propertiesAreCombinedAndATypeIsChanged(_ plan: String) throws {
    let realm = try Sample.people()
    try realm.runPlan(plan, settings: Self.lossy)
    #expect(
      try realm.objects("Person") == [
        #"{"fullName":"John Doe","age":"42"}"#, #"{"fullName":"Jane Doe","age":"43"}"#,
        #"{"fullName":"John Smith","age":"44"}"#,
      ])
    #expect(try realm.snapshot().schema.version == 3)
    // There is nothing left to do.
    let outcome = try realm.runPlan(plan)
    #expect(!outcome.launch.changesFile && outcome.report == nil)
  }

  @Test func fromTheMiddleOnlyTheRestIsDone() throws {
    let realm = try PlanCase(
      #"[{"name":"Person","properties":{"fullName":"string","age":"int"}}]"#,
      #"{"Person":[{"fullName":"John Doe","age":42}]}"#, version: 2)
    let outcome = try realm.runPlan(Self.combined)
    #expect(outcome.report?.steps.map(\.to) == [3])
    #expect(try realm.objects("Person") == [#"{"fullName":"John Doe","age":"42"}"#])
  }

  @Test func aClassBecomesEmbedded() throws {
    let realm = try PlanCase(
      """
      [{"name":"Address","properties":{"street":"string"}},
       {"name":"Person","properties":{"name":"string","address":"Address"}}]
      """,
      """
      {"Address":[{"_key":0,"street":"A"},{"_key":1,"street":"B"},{"_key":2,"street":"nobody's"}],
       "Person":[{"name":"x","address":{"_key":0}},{"name":"y","address":{"_key":1}},{"name":"z","address":{"_key":1}}]}
      """)
    let text = try realm.failure("embed_class: { class: Address }")
    #expect(
      text == """
        5:27: embed_class: Cannot convert 'Address' to embedded: at least one object has no incoming links and would be \
        deleted. (1 of 3 objects has no incoming link, 1 has several); 'on_orphan: delete' deletes the objects without a parent
        """)
    let outcome = try realm.run("embed_class: { class: Address, on_orphan: delete, on_shared: duplicate }")
    #expect(
      try realm.objects("Person") == [
        #"{"name":"x","address":{"street":"A"}}"#, #"{"name":"y","address":{"street":"B"}}"#,
        #"{"name":"z","address":{"street":"B"}}"#,
      ])
    #expect(outcome.launch.migration?.deleted == ["Address": 1])
    #expect(outcome.launch.migration?.duplicated == ["Address": 2])
    #expect(outcome.launch.migration?.created == [:])
  }

  // MARK: The SDKs' example project

  static let exampleProject = """
    plan: 1
    name: example-app
    steps:
      - to: 1
        do:
          - add_property: { class: Person, name: fullName, type: string, value: { template: "{firstName} {lastName}" } }
          - remove_property: { class: Person, name: firstName, lossy: ok }
          - remove_property: { class: Person, name: lastName, lossy: ok }
      - to: 2
        do:
          - add_class: { name: Dog, properties: { name: string } }
          - add_property: { class: Person, name: dogs, type: "Dog[]" }
          - create_objects: { class: Dog, values: [ {name: Marley}, {name: Lassie}, {name: Toto}, {name: Slinkey} ] }
          - set: { class: Person, where: 'fullName == "John Doe"', values: { dogs: { objects: [Dog, 'name IN {"Marley","Lassie"}'] } } }
          - set: { class: Person, where: 'fullName == "Jane Doe"', values: { dogs: { objects: [Dog, 'name == "Toto"'] } } }
      - to: 3
        do:
          - rename_class: { from: Dog, to: Pet }
          - add_property: { class: Pet, name: kind, type: int, default: 1 }
          - rename_property: { class: Person, from: dogs, to: pets }
      - to: 4
        do:
          - add_class: { name: Address, properties: { street: string, city: string } }
          - add_property: { class: Person, name: address, type: Address }
          - create_objects: { class: Address, ref: a, values: [ { street: Broadway, city: New York } ] }
          - set: { class: Person, where: 'fullName == "John Doe"', values: { address: { ref: a } } }
      - to: 5
        do: [ { embed_class: { class: Address } } ]
    """

  /// A realm like that of the project at a version.
  static func example(_ version: UInt64) throws -> PlanCase {
    let people = [("John", "Doe", 42), ("Jane", "Doe", 43), ("John", "Smith", 44)]
    let names = version < 1 ? #""firstName":"string","lastName":"string""# : #""fullName":"string""#
    let pets = version == 2 ? ("dogs", "Dog") : ("pets", "Pet")
    var schema = #"{"name":"Person","properties":{\#(names),"age":"int""#
    if version >= 2 { schema += #","\#(pets.0)":"\#(pets.1)[]""# }
    if version >= 4 { schema += #","address":"Address""# }
    schema += "}}"
    if version == 2 { schema += #",{"name":"Dog","properties":{"name":"string"}}"# }
    if version > 2 { schema += #",{"name":"Pet","properties":{"name":"string","kind":"int"}}"# }
    if version >= 4 {
      schema += #",{"name":"Address","embedded":\#(version == 5),"properties":{"street":"string","city":"string"}}"#
    }
    let links = version == 2 ? ["1,2", "3", ""] : ["0,1", "2", ""]
    let persons = people.enumerated().map { index, person -> String in
      let name =
        version < 1
        ? #""firstName":"\#(person.0)","lastName":"\#(person.1)""# : #""fullName":"\#(person.0) \#(person.1)""#
      var text = #"{\#(name),"age":\#(person.2)"#
      if version >= 2 {
        let keys = links[index].split(separator: ",").map { #"{"_key":\#($0)}"# }.joined(separator: ",")
        text += #","\#(pets.0)":[\#(keys)]"#
      }
      if version >= 4, index == 0 {
        text += #","address":\#(version == 5 ? #"{"street":"Broadway","city":"New York"}"# : #"{"_key":0}"#)"#
      }
      return text + "}"
    }
    var data = #"{"Person":[\#(persons.joined(separator: ","))]"#
    let order = version == 2 ? ["Slinkey", "Marley", "Lassie", "Toto"] : ["Marley", "Lassie", "Toto", "Slinkey"]
    if version >= 2 {
      let rows = order.enumerated().map { #"{"_key":\#($0),"name":"\#($1)"\#(version > 2 ? #","kind":1"# : "")}"# }
      data += #","\#(pets.1)":[\#(rows.joined(separator: ","))]"#
    }
    if version == 4 { data += #","Address":[{"_key":0,"street":"Broadway","city":"New York"}]"# }
    return try PlanCase("[\(schema)]", data + "}", version: version)
  }

  /// The realms after all steps, with properties sorted by name.
  private static func content(_ realm: PlanCase) throws -> [String] {
    try ["fullName", "age", "pets", "address"].flatMap { try realm.values("Person", $0) }
      + ["name", "kind"].flatMap { try realm.values("Pet", $0) }
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5] as [UInt64])
  func theExampleProjectArrivesFromEveryVersion(_ version: UInt64) throws {
    try Self.expectArrival(Self.example(version), from: version)
  }

  /// The project's own files.
  @Test(.enabled(if: Fixture.exists("real/v20-realm-swift-default-v0.realm")), arguments: [0, 1, 2, 3] as [UInt64])
  func theFilesOfTheExampleProjectArrive(_ version: UInt64) throws {
    let path = Fixture.path("real/v20-realm-swift-default-v\(version).realm")
    try #require(Fixture.exists("real/v20-realm-swift-default-v\(version).realm"))
    try Self.expectArrival(PlanCase(copying: path), from: version)
  }

  private static func expectArrival(_ realm: PlanCase, from version: UInt64) throws {
    let before = try Fixture.bytes(ofFile: realm.path)
    let outcome = try realm.runPlan(exampleProject, settings: PlanCase.Settings(allowsUpgrade: true))
    let target = try example(5)
    #expect(SchemaDifference(from: try realm.snapshot().schema, to: try target.snapshot().schema).isEmpty)
    #expect(try realm.snapshot().schema.version == 5)
    if version == 2 {
      let links = [[1, 2], [3], []].map { keys in
        "[" + keys.map { #"{"$link":{"table":"Pet","objKey":\#($0)}}"# }.joined(separator: ",") + "]"
      }
      #expect(try realm.values("Person", "pets") == links)
    } else {
      #expect(try content(realm) == content(target))
    }
    if version == 5 {
      #expect(!outcome.launch.changesFile)
      #expect(try Fixture.bytes(ofFile: realm.path) == before)
    }
  }

  @Test func stepsStopAtTheVersionThatIsAskedFor() throws {
    let realm = try Self.example(0)
    var settings = PlanCase.Settings()
    settings.options.version = 3
    try realm.runPlan(Self.exampleProject, settings: settings)
    let target = try Self.example(3)
    #expect(SchemaDifference(from: try realm.snapshot().schema, to: try target.snapshot().schema).isEmpty)
    #expect(try realm.values("Person", "pets") == target.values("Person", "pets"))
  }

  @Test func aStepThatFailsUndoesTheStepsBefore() throws {
    let realm = try Self.example(0)
    let plan = Self.exampleProject.replacing("from: Dog, to: Pet", with: "from: Dgo, to: Pet")
    #expect {
      try realm.runPlan(plan)
    } throws: {
      ($0 as? PlanError)?.description == "18:31: rename_class: no class 'Dgo'; did you mean 'Dog'?"
    }
  }
}
