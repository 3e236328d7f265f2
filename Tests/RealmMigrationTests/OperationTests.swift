import RealmExchange
import RealmMigration
import RealmModels
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What each operation does, and the cases that are easy to get wrong.
@Suite struct OperationTests {
  // MARK: Classes

  @Test func classesAreAddedWithLinksAmongEachOther() throws {
    let realm = try Sample.people()
    try realm.run(
      "add_property: { class: Person, name: home, type: Home }",
      "add_class: { name: Home, primary_key: id, properties: { id: objectId, next: Home, owners: \"Person[]\", "
        + "note: { type: \"string\", optional: true, index: full-text } } }",
      "add_class: { name: Home, primary_key: id, properties: { id: objectId, next: Home, owners: \"Person[]\", "
        + "note: { type: \"string\", optional: true, indexed: full-text } }, if_exists: skip }")
    let schema = try realm.snapshot().schema
    #expect(schema.classNamed("Home")?.primaryKey?.name == "id")
    #expect(try realm.property("Home", "note")?.index == .fullText)
    #expect(try realm.values("Person", "home") == ["null", "null", "null"])
  }

  @Test(arguments: [
    ("add_class: { name: Person, properties: {} }", "5:24: add_class: class 'Person' already exists"),
    (
      "add_class: { name: Person, properties: { age: string }, if_exists: skip }",
      "5:24: add_class: class 'Person' already exists with another schema: Property 'Person.firstName' has been removed."
    ),
    (
      "add_class: { name: Dog, properties: { owner: Persn } }",
      "5:50: add_class: 'Persn' is neither a type nor a class; did you mean 'Person'?"
    ),
    ("remove_class: { name: Persn }", "5:27: remove_class: no class 'Persn'; did you mean 'Person'?"),
    ("rename_class: { from: Person, to: Person }", ""),
    (
      "remove_property: { class: Person, name: agee }",
      "5:45: remove_property: 'Person' has no property 'agee'; did you mean 'age'?"
    ),
    (
      "rename_property: { class: Persn, from: age, to: years }",
      "5:31: rename_property: Cannot rename properties for type 'Persn' because it does not exist; did you mean 'Person'?"
    ),
    (
      "rename_property: { class: Person, from: agee, to: years }",
      "5:45: rename_property: Cannot rename property 'Person.agee' because it does not exist; did you mean 'age'?"
    ),
    (
      "rename_property: { class: Person, from: age, to: lastName }",
      "5:54: rename_property: Cannot rename property 'Person.age' to 'lastName' because class 'Person' has a property of that name"
    ),
    (
      "add_index: { class: Person, name: age, kind: full-text }",
      "5:50: add_index: Index not supported for this property: age; only a single string can have a full-text index"
    ),
    (
      "set_primary_key: { class: Person, name: firstName }",
      "5:45: set_primary_key: Primary key property 'Person.firstName' has duplicate values after migration; 'on_duplicate: keep_first' or 'keep_last' deletes the others"
    ),
    ("unembed_class: { class: Person }", "5:29: unembed_class: class 'Person' is not embedded"),
    (
      "delete_objects: { class: Person, where: 'age > 42', expect: { max: 1 } }",
      "5:45: delete_objects: 2 objects match, expected at most 1"
    ),
    ("delete_objects: { class: Person, where: 'agee > 42' }", ""),
    (
      "assert: { class: Person, where: 'age > 42', count: 3, message: all are old }",
      "5:37: assert: all are old: 2 objects of class 'Person', expected 3"
    ),
    (
      "set: { class: Person, values: { age: { expr: \"int(firstName)\" } } }",
      "5:5: set: 3 of 3 objects: object 0: 'John' is not an int (a whole number of 64 bits); object 1: 'Jane' is not an int (a whole number of 64 bits); object 2: 'John' is not an int (a whole number of 64 bits)"
    ),
    ("set: { class: Person, values: { age: { expr: \"firstName\" } } }", ""),
    (
      "set: { class: Person, values: { age: { expr: \"agee + 1\" } } }",
      "5:50: set: 'Person' has no property 'agee'; did you mean 'age'?"
    ),
    (
      "set: { class: Person, values: { firstName: 5 } }",
      "5:48: set: 'firstName' takes a string, not 5; put it in quotes"
    ),
    ("set: { class: Person, values: { age: null } }", "5:42: set: 'age' cannot be null (its type is int, not int?)"),
    (
      "create_objects: { class: Person, values: [ { nmae: x } ] }",
      "5:50: create_objects: 'Person' has no property 'nmae'; the properties are: firstName, lastName, age"
    ),
    ("set: { class: Person, values: { age: { ref: nobody } } }", "5:49: set: no object was created with 'ref: nobody'"),
    ("transform: { class: Person, command: [cat] }", "5:25: transform: external commands need --allow-exec"),
    (
      "make_optional: { class: Person, name: aeg }",
      "5:43: make_optional: 'Person' has no property 'aeg'; did you mean 'age'?"
    ),
  ])
  func mistakesAreToldWithTheirPlace(_ operation: String, _ text: String) throws {
    let realm = try Sample.people()
    guard !text.isEmpty else { return }
    #expect(try realm.failure(operation).replacing(".; ", with: "; ") == text)
  }

  @Test func aClassIsRemovedWithItsLinks() throws {
    let lossy = PlanCase.Settings(allowsDataLoss: true)
    #expect(
      try Sample.kennel().failure("remove_class: { name: Dog }")
        == "5:27: remove_class: Cannot remove Dog that is target of outside links: Person.dog, Person.dogs, "
        + "Person.set, Person.map; 'if_linked: clear' removes these properties")
    // A class that links to itself.
    let realm = try Sample.kennel()
    let outcome = try realm.run("remove_class: { name: Dog, if_linked: clear }", settings: lossy)
    #expect(try realm.objects("Person") == [#"{"name":"Ann","any":null}"#, #"{"name":"Bob","any":5}"#])
    #expect(outcome.launch.migration?.deleted == ["Dog": 3])
    let lost = try #require(outcome.launch.migration?.lost)
    #expect(lost.map(\.property) == ["dog", "dogs", "set", "map", "id", "name", "mother", "any"])
    #expect(lost.map(\.nonDefaultCount) == [1, 2, 1, 1, 3, 2, 2, 1])
  }

  @Test func aRenamedClassKeepsObjectsAndLinks() throws {
    let realm = try Sample.kennel()
    let outcome = try realm.run("rename_class: { from: Dog, to: Pet }")
    #expect(try realm.values("Person", "dog") == [#"{"$link":{"table":"Pet","key":1}}"#, "null"])
    #expect(outcome.launch.migration?.deleted == [:] && outcome.launch.migration?.created == [:])
    #expect(
      try Sample.kennel().failure("rename_class: { from: Dog, to: Person }")
        == "5:36: rename_class: class 'Person' already exists")
  }

  // MARK: Properties

  @Test func namesAreSwappedByWayOfAThird() throws {
    let realm = try Sample.people()
    try realm.run(
      "rename_property: { class: Person, from: firstName, to: x }",
      "rename_property: { class: Person, from: lastName, to: firstName }",
      "rename_property: { class: Person, from: x, to: lastName }")
    #expect(try realm.values("Person", "lastName") == [#""John""#, #""Jane""#, #""John""#])
    #expect(try realm.values("Person", "firstName") == [#""Doe""#, #""Doe""#, #""Smith""#])
  }

  @Test func aPropertyIsRenamedAndConvertedInOneStep() throws {
    let realm = try Sample.people()
    try realm.run(
      "add_index: { class: Person, name: age }",
      "rename_property: { class: Person, from: age, to: years }",
      "convert: { class: Person, name: years, to: \"string?\" }",
      // What `old` means has not changed.
      "add_property: { class: Person, name: next, type: int, value: { expr: \"old.age + 1\" } }",
      "add_property: { class: Person, name: text, type: string, value: { template: \"{years}/{new.years}/{age}\" } }")
    #expect(try realm.values("Person", "years") == [#""42""#, #""43""#, #""44""#])
    #expect(try realm.property("Person", "years")?.index == .general)
    #expect(try realm.values("Person", "next") == ["43", "44", "45"])
    #expect(try realm.values("Person", "text") == [#""42/42/42""#, #""43/43/43""#, #""44/44/44""#])
  }

  @Test func whatWasRemovedOrOverwrittenIsStillOld() throws {
    let realm = try Sample.people()
    try realm.run(
      "remove_property: { class: Person, name: lastName, lossy: ok }",
      "set: { class: Person, values: { age: { expr: \"age * 2\" } } }",
      "set: { class: Person, values: { age: { expr: \"new.age + old.age\" } } }",
      "add_property: { class: Person, name: name, type: string, value: { template: \"{firstName} {lastName}\" } }")
    #expect(try realm.values("Person", "age") == ["126", "129", "132"])
    #expect(try realm.values("Person", "name") == [#""John Doe""#, #""Jane Doe""#, #""John Smith""#])
  }

  @Test func aRenameMayWiden() throws {
    let realm = try Sample.people()
    try realm.run("rename_property: { class: Person, from: age, to: years, optional: true, index: general }")
    #expect(try realm.property("Person", "years")?.isOptional == true)
    #expect(try realm.property("Person", "years")?.index == .general)
    #expect(try realm.values("Person", "years") == ["42", "43", "44"])
    #expect(
      try Sample.kennel().failure("rename_property: { class: Dog, from: name, to: title, optional: false }")
        == "5:52: rename_property: Cannot rename property 'Dog.name' to 'title' because it would change from optional to "
        + "required; use 'make_required' to replace null")
  }

  @Test func aRequiredPropertyWithoutADefaultIsWarnedOf() throws {
    let realm = try Sample.people()
    let outcome = try realm.run("add_property: { class: Person, name: size, type: int }")
    #expect(
      outcome.report?.warnings.map(\.description) == [
        "5:54: existing objects get 0 for 'Person.size'; say so with 'type_default: true', or give 'default' or 'value'"
      ])
    #expect(try realm.values("Person", "size") == ["0", "0", "0"])
  }

  @Test func valuesAreGivenInEveryForm() throws {
    let realm = try Sample.kennel()
    try realm.run(
      "create_objects: { class: Dog, ref: rex2, values: [ { id: 9, name: Rex } ] }",
      "add_property: { class: Person, name: tags, type: \"string[]\", default: [a, b] }",
      "add_property: { class: Person, name: colors, type: \"int{}\", value: { red: 1, blue: { expr: \"1 + 1\" } } }",
      "add_property: { class: Person, name: born, type: date, default: { $date: 0 } }",
      "add_property: { class: Person, name: code, type: uuid, value: { expr: \"new_uuid()\" } }",
      "add_property: { class: Person, name: nick, type: string, value: { template: \"{dog.name|nobody}\" } }",
      "set: { class: Person, where: 'name == \"Bob\"', values: { dog: { pk: [Dog, 2] }, any: { ref: rex2 }, "
        + "dogs: [ { pk: [Dog, 1] }, { ref: rex2 } ], map: { x: { pk: [Dog, 3] } }, set: { objects: [Dog, 'id > 1'] } } }",
      "set: { class: Person, where: 'name == \"Ann\"', values: { any: { literal: { expr: [1, { $oid: "
        + "507f1f77bcf86cd799439011 }] } }, dogs: { copy: set } } }")
    let bob = try #require(try realm.objects("Person").last)
    #expect(
      bob.contains(
        #""dog":{"$link":{"table":"Dog","key":2}},"dogs":[{"$link":{"table":"Dog","key":1}},{"$link":{"table":"Dog","key":9}}]"#
      ))
    #expect(
      bob.contains(
        #""set":{"$set":[{"$link":{"table":"Dog","key":2}},{"$link":{"table":"Dog","key":3}},{"$link":{"table":"Dog","key":9}}]}"#
      ))
    #expect(
      bob.contains(
        #""map":{"$dictionary":{"x":{"$link":{"table":"Dog","key":3}}}},"any":{"$link":{"table":"Dog","key":9}}"#))
    #expect(
      bob.contains(
        #""tags":["a","b"],"colors":{"$dictionary":{"blue":2,"red":1}},"born":{"$date":"1970-01-01T00:00:00Z"}"#))
    #expect(bob.contains(#""nick":"nobody""#))
    let ann = try #require(try realm.objects("Person").first)
    #expect(ann.contains(#""any":{"$dictionary":{"expr":[1,{"$oid":"507f1f77bcf86cd799439011"}]}}"#))
    #expect(ann.contains(#""nick":"Rex""#))
    #expect(ann.contains(#""dogs":[{"$link":{"table":"Dog","key":1}},{"$link":{"table":"Dog","key":2}}]"#))
  }

  @Test func requiredAndOptional() throws {
    let schema = #"[{"name":"T","properties":{"a":"int?","b":"string?[]","c":"int?<>","d":"int?{}"}}]"#
    let data = """
      {"T":[{"a":1,"b":["x",null],"c":[1,null],"d":{"k":null,"l":2}},{"a":null,"b":[],"c":[],"d":{}}]}
      """
    let realm = try PlanCase(schema, data)
    #expect(
      try realm.failure("make_required: { class: T, name: a }")
        == "5:5: make_required: 1 of 2 objects: object 1: the value is null; give 'default', or 'on_null: delete'")
    try realm.run(
      "make_required: { class: T, name: a, default: 7 }", "make_required: { class: T, name: b, default: none }",
      "make_required: { class: T, name: c, on_null: delete }", "make_required: { class: T, name: d, on_null: default }")
    #expect(
      try realm.objects("T") == [
        #"{"a":1,"b":["x","none"],"c":{"$set":[1]},"d":{"$dictionary":{"k":0,"l":2}}}"#,
        #"{"a":7,"b":[],"c":{"$set":[]},"d":{"$dictionary":{}}}"#,
      ])
    #expect(try realm.snapshot().schema.classNamed("T")?.properties.allSatisfy { !$0.isOptional } == true)
    let deleting = try PlanCase(schema, data)
    try deleting.run("make_required: { class: T, name: a, on_null: delete }", "make_optional: { class: T, name: a }")
    #expect(try deleting.values("T", "a") == ["1"])
    #expect(try deleting.property("T", "a")?.isOptional == true)
  }

  // MARK: Primary keys

  @Test func linksSurviveAConvertedPrimaryKey() throws {
    let realm = try Sample.kennel()
    try realm.run("convert: { class: Dog, name: id, to: string }")
    #expect(
      try realm.values("Person", "dogs").first
        == #"[{"$link":{"table":"Dog","key":"1"}},{"$link":{"table":"Dog","key":"2"}},{"$link":{"table":"Dog","key":"1"}}]"#
    )
    #expect(try realm.snapshot().schema.classNamed("Dog")?.primaryKey?.type == .string)
  }

  @Test func keysThatBecomeEqualAreFoundAtTheEndOfTheStep() throws {
    let realm = try Sample.kennel()
    #expect(
      try realm.failure("set: { class: Dog, values: { id: { expr: \"id / 2\" } } }")
        == "3:7: Primary key property 'Dog.id' has duplicate values after migration.")
    try realm.run(
      "set: { class: Dog, values: { id: 5 } }", "set: { class: Dog, values: { id: { expr: \"4 - old.id\" } } }")
    #expect(try realm.values("Dog", "id") == ["3", "2", "1"])
  }

  @Test func duplicatesAreNormalized() throws {
    let schema = """
      [{"name":"City","properties":{"name":"string","size":"int"}},
       {"name":"Person","properties":{"city":"City","cities":"City[]","set":"City<>"}}]
      """
    let data = """
      {"City":[{"_key":0,"name":"Rome","size":1},{"_key":1,"name":"Oslo","size":2},{"_key":2,"name":"Rome","size":3}],
       "Person":[{"city":{"_key":0},"cities":[{"_key":0},{"_key":2}],"set":[{"_key":0},{"_key":2}]},
       {"city":{"_key":2},"cities":[],"set":[]}]}
      """
    let first = try PlanCase(schema, data)
    try first.run("set_primary_key: { class: City, name: name, on_duplicate: keep_first, repoint: true }")
    #expect(try first.values("City", "size") == ["1", "2"])
    #expect(
      try first.objects("Person") == [
        #"{"city":{"$link":{"table":"City","key":"Rome"}},"cities":[{"$link":{"table":"City","key":"Rome"}},{"$link":{"table":"City","key":"Rome"}}],"set":{"$set":[{"$link":{"table":"City","key":"Rome"}}]}}"#,
        #"{"city":{"$link":{"table":"City","key":"Rome"}},"cities":[],"set":{"$set":[]}}"#,
      ])
    let last = try PlanCase(schema, data)
    try last.run("set_primary_key: { class: City, name: name, on_duplicate: keep_last }")
    #expect(try last.values("City", "size") == ["2", "3"])
    #expect(try last.values("Person", "city") == ["null", #"{"$link":{"table":"City","key":"Rome"}}"#])
    try last.runPlan("plan: 1\nsteps:\n- to: 3\n  do:\n  - set_primary_key: { class: City, name: null }\n")
    #expect(try last.snapshot().schema.classNamed("City")?.primaryKey == nil)
  }

  // MARK: Embedded objects

  private static let homes = """
    [{"name":"Address","embedded":true,"properties":{"street":"string","number":"int"}},
     {"name":"Person","properties":{"name":"string","home":"Address","others":"Address[]"}}]
    """
  private static let homesData = """
    {"Person":[{"name":"a","home":{"street":"x","number":1},"others":[{"street":"y","number":2}]},
     {"name":"b","home":null,"others":[]}]}
    """

  @Test func valuesOfEmbeddedObjectsAreConverted() throws {
    let realm = try PlanCase(Self.homes, Self.homesData)
    try realm.run(
      "convert: { class: Address, name: number, to: string }",
      "set: { class: Address, where: 'street == \"y\"', values: { street: { template: \"{street}-street\" } } }",
      "set: { class: Person, where: 'home == null', values: { home: { street: new, number: { template: \"{name}!\" } }, "
        + "others: [ { street: z, number: \"9\" } ] } }")
    #expect(
      try realm.objects("Person") == [
        #"{"name":"a","home":{"street":"x","number":"1"},"others":[{"$embedded":{"table":"Address","value":{"street":"y-street","number":"2"}}}]}"#,
        #"{"name":"b","home":{"street":"new","number":"b!"},"others":[{"$embedded":{"table":"Address","value":{"street":"z","number":"9"}}}]}"#,
      ])
    #expect(
      try PlanCase(Self.homes, Self.homesData).failure("delete_objects: { class: Address, where: 'TRUEPREDICATE' }")
        == "5:30: delete_objects: objects of the embedded class 'Address' are deleted with their parents; set the property to null"
    )
  }

  @Test func embeddedObjectsComeToLiveOnTheirOwn() throws {
    let realm = try PlanCase(Self.homes, Self.homesData)
    try realm.run(
      "unembed_class: { class: Address, primary_key: street }",
      "add_class: { name: X, embedded: true, properties: { a: int } }")
    #expect(try realm.values("Person", "home") == [#"{"$link":{"table":"Address","key":"x"}}"#, "null"])
    try realm.runPlan(
      "plan: 1\nsteps:\n- to: 3\n  do:\n  - embed_class: { class: Address, drop_primary_key: true }\n")
    #expect(try realm.values("Person", "home") == [#"{"street":"x","number":1}"#, "null"])
  }

  @Test func aClassWithAPrimaryKeyIsNotEmbeddedWithoutSayingSo() throws {
    #expect(
      try Sample.kennel().failure("embed_class: { class: Dog }").contains(
        "Cannot change 'Dog' to embedded when using a primary key"))
  }

  // MARK: Splitting and merging

  @Test func aClassIsSplitAndMergedAgain() throws {
    let realm = try PlanCase(
      #"[{"name":"Person","properties":{"name":"string","street":"string","city":"string?"}}]"#,
      #"{"Person":[{"name":"a","street":"x","city":"Rome"},{"name":"b","street":"y","city":null}]}"#)
    try realm.run(
      "add_class: { name: Address, properties: { street: string } }",
      "add_property: { class: Person, name: address, type: Address }",
      "move_property: { from: Person.street, to: Address.street, via: address }",
      "move_property: { from: Person.city, to: Address.town, via: address }")
    #expect(try realm.objects("Address") == [#"{"street":"x","town":"Rome"}"#, #"{"street":"y","town":null}"#])
    #expect(try realm.objects("Person").first == #"{"name":"a","address":{"$link":{"table":"Address","objKey":0}}}"#)
    try realm.runPlan(
      """
      plan: 1
      steps:
      - to: 3
        do:
        - create_objects: { class: Address, values: [ { street: nobody's } ] }
        - move_property: { from: Address.street, to: Person.street, via: address, lossy: ok }
        - move_property: { from: Address.town, to: Person.city, via: address, lossy: ok }
        - remove_property: { class: Person, name: address, lossy: ok }
        - remove_class: { name: Address, lossy: ok }
      """)
    #expect(
      try realm.objects("Person") == [
        #"{"name":"a","street":"x","city":"Rome"}"#, #"{"name":"b","street":"y","city":null}"#,
      ])
  }

  @Test func sharedObjectsAreNotSplitInto() throws {
    let realm = try PlanCase(
      """
      [{"name":"Address","properties":{"city":"string"}},
       {"name":"Person","properties":{"street":"string","address":"Address"}}]
      """,
      """
      {"Address":[{"_key":0,"city":"Rome"}],
       "Person":[{"street":"x","address":{"_key":0}},{"street":"y","address":{"_key":0}}]}
      """)
    #expect(
      try realm.failure("move_property: { from: Person.street, to: Address.street, via: address }")
        == "5:5: move_property: 1 of 2 objects: object 1: has the same 'address' as object 0")
  }

  // MARK: Losses

  @Test func lossesStopThePlanUnlessTheyAreAllowed() throws {
    #expect(
      try Sample.people().failure(
        "remove_property: { class: Person, name: age }", "remove_property: { class: Person, name: lastName, lossy: ok }"
      )
        == "lost: Person.age 3/3")
    let realm = try Sample.people()
    let outcome = try realm.run("remove_property: { class: Person, name: age, lossy: ok }")
    #expect(outcome.launch.migration?.lost.map(\.nonDefaultCount) == [3])
    // A class without objects loses nothing.
    try PlanCase(Sample.peopleSchema).run(
      "remove_property: { class: Person, name: age }", "remove_class: { name: Person }")
  }

  // MARK: Beginnings

  @Test func aPlanBeginsWhereItMay() throws {
    let plan = "plan: 1\nsteps:\n- { to: 2, from: \"0..0\", do: [] }\n- { to: 9, from: [2, 8], do: [] }\n"
    #expect {
      try Sample.people().runPlan(plan)
    } throws: {
      ($0 as? PlanError)?.description == "3:18: the step starts from version 0 to 0, but the realm is at 1"
    }
    let realm = try PlanCase(Sample.peopleSchema, version: 2)
    try realm.runPlan(plan)
    #expect(try realm.snapshot().schema.version == 9)
    #expect {
      try realm.runPlan("plan: 1\nsteps:\n- { to: 3, do: [] }\n")
    } throws: {
      ($0 as? PlanError) == PlanError(.endsBelow(9, last: 3))
    }
    var settings = PlanCase.Settings()
    settings.options.version = 12
    #expect(throws: PlanError(.noStep(12, known: [2, 9]))) { try realm.runPlan(plan, settings: settings) }
  }

  @Test func aPlanIsFollowedByTheTargetSchema() throws {
    let realm = try Sample.people()
    let target = try SchemaFile(
      Array(#"[{"name":"Person","properties":{"name":"string","age":"int?"}}]"#.utf8)
    ).schema
    var settings = PlanCase.Settings(target: target, version: 4)
    settings.options.version = 4
    settings.options.needsStepToVersion = false
    let plan = """
      plan: 1
      steps:
      - to: 2
        do:
        - add_property: { class: Person, name: name, type: string, value: { expr: "firstName" } }
        - remove_property: { class: Person, name: firstName, lossy: ok }
      """
    #expect {
      try realm.runPlan(plan, settings: settings)
    } throws: { error in
      guard case .wouldLoseData(let lost) = error as? MigrationError else { return false }
      return lost.map(\.property) == ["lastName"]
    }
    settings.allowsDataLoss = true
    try realm.runPlan(plan, settings: settings)
    #expect(try realm.objects("Person").first == #"{"name":"John","age":42}"#)
    #expect(try realm.snapshot().schema.version == 4)
    #expect(SchemaDifference(from: try realm.snapshot().schema, to: target).isEmpty)
  }

  @Test func expectationsAreChecked() throws {
    let plan = "plan: 1\nsteps:\n- { to: 2, do: [] }\nexpect:\n  counts: { Person: { max: 2 } }\n"
    #expect {
      try Sample.people().runPlan(plan)
    } throws: {
      ($0 as? PlanError)?.description == "5:13: class 'Person' has 3 objects, expected at most 2"
    }
    var settings = PlanCase.Settings()
    settings.options.loadSchema = { _ in Schema() }
    #expect {
      try Sample.people().runPlan(
        "plan: 1\nsteps:\n- { to: 2, do: [ { add_class: { name: A, properties: { a: int } } } ] }\n"
          + "expect: { schema: s.json }\n", settings: settings)
    } throws: { _ in true }
  }

  @Test func aRehearsalTellsTheSameAndChangesNothing() throws {
    let realm = try Sample.people()
    var settings = PlanCase.Settings(dryRun: true)
    settings.options.sampleCount = 1
    let outcome = try realm.run("rename_property: { class: Person, from: age, to: years }", settings: settings)
    #expect(outcome.launch.changesFile)
    let sample = try #require(outcome.report?.samples.first)
    #expect(sample.before == #"{"firstName":"John","lastName":"Doe","age":42}"#)
    #expect(sample.after == #"{"firstName":"John","lastName":"Doe","years":42}"#)
  }

  @Test func anEncryptedRealmIsMigrated() throws {
    let realm = try PlanCase(Sample.peopleSchema, Sample.threePeople, key: Fixture.engineKey)
    try realm.run(
      "convert: { class: Person, name: age, to: string }",
      "set: { class: Person, where: 'firstName == \"Jane\"', values: { age: { template: \"{age}!\" } } }",
      "add_property: { class: Person, name: full, type: string, value: { template: \"{firstName} {age}\" } }")
    #expect(try realm.values("Person", "full") == [#""John 42""#, #""Jane 43""#, #""John 44""#])
    #expect(try realm.values("Person", "age") == [#""42""#, #""43!""#, #""44""#])
  }

  @Test func anEmptyRealmIsMigrated() throws {
    let realm = try PlanCase(Sample.kennelSchema)
    try realm.run(
      "convert: { class: Dog, name: id, to: string }", "set: { class: Person, values: { name: x } }",
      "embed_class: { class: Person }", "delete_objects: { class: Dog, where: 'name == null' }",
      "assert: { class: Dog, count: 0 }", "make_required: { class: Dog, name: name }")
  }

  @Test func conditionsThatMatchNothingAreNoMistake() throws {
    let realm = try Sample.people()
    let outcome = try realm.run(
      "set: { class: Person, where: 'age > 100', values: { age: 0 } }",
      "delete_objects: { class: Person, where: 'age > 100' }")
    #expect(try outcome.operation(0).objects == 0)
    #expect(try realm.values("Person", "age") == ["42", "43", "44"])
  }

  @Test func namesMayBeWordsOfTheQueryLanguage() throws {
    let realm = try PlanCase(
      #"[{"name":"limit","properties":{"any":"int","sort":"int"}}]"#,
      #"{"limit":[{"any":1,"sort":2},{"any":3,"sort":4}]}"#)
    try realm.run(
      "set: { class: limit, where: '`any` == 3 AND sort == 4', values: { any: { expr: \"any + sort\" } } }",
      "rename_property: { class: limit, from: any, to: distinct }", "rename_class: { from: limit, to: query }")
    #expect(try realm.values("query", "distinct") == ["1", "7"])
  }
}
