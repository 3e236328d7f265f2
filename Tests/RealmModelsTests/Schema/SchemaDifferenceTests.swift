import RealmStorage
import Testing

@Suite("Difference of two schemas") struct SchemaDifferenceTests {
  /// One class before and after, what the SDKs say about it, and what it costs.
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    var old: TableSchema? = person()
    var new: TableSchema? = person()
    let lines: [String]
    let kinds: [String]
    let effects: [SchemaChange.Effect]
    var testDescription: String { id }
  }

  static func person(
    kind: TableKind = .topLevel, key: Int? = nil, _ properties: [Property] = [Property(name: "age", type: .int)]
  ) -> TableSchema {
    TableSchema(name: "class_Person", kind: kind, properties: properties, primaryKeyIndex: key)
  }

  static func age(
    _ type: PropertyType = .int, _ collection: CollectionKind? = nil, isOptional: Bool = false,
    target: RealmString? = nil, index: IndexKind = .none
  ) -> TableSchema {
    person([
      Property(
        name: "age", type: type, collection: collection, isOptional: isOptional, target: target, index: index)
    ])
  }

  static let keyed = Property(name: "id", type: .int, index: .general)
  static let other = Property(name: "code", type: .string)

  static let rows: [Row] = [
    Row(id: "nothing", lines: [], kinds: [], effects: []),
    Row(
      id: "new class", old: nil, lines: ["Class 'Person' has been added."],
      kinds: ["AddTable", "AddInitialProperties"],
      effects: [.automatic, .automatic]),
    Row(
      id: "class gone", new: nil, lines: ["Class 'Person' has been removed."], kinds: ["RemoveTable"],
      effects: [.automatic]),
    Row(
      id: "new property", new: person([Property(name: "age", type: .int), other]),
      lines: ["Property 'Person.code' has been added."], kinds: ["AddProperty"], effects: [.bump]),
    Row(
      id: "property gone", new: person([]), lines: ["Property 'Person.age' has been removed."],
      kinds: ["RemoveProperty"], effects: [.lossy]),
    Row(
      id: "property becomes an inverse",
      new: person([Property(name: "age", type: .linkingObjects, target: "class_Person", originProperty: "x")]),
      lines: ["Property 'Person.age' has been removed."], kinds: ["RemoveProperty"], effects: [.lossy]),
    Row(
      id: "new inverse",
      new: person([
        Property(name: "age", type: .int),
        Property(name: "back", type: .linkingObjects, target: "class_Person", originProperty: "x"),
      ]), lines: [], kinds: [], effects: []),
    Row(
      id: "other type", new: age(.string),
      lines: ["Property 'Person.age' has been changed from 'int' to 'string'."], kinds: ["ChangePropertyType"],
      effects: [.lossy]),
    Row(
      id: "other type hides other nullability and index", new: age(.objectID, isOptional: true, index: .general),
      lines: ["Property 'Person.age' has been changed from 'int' to 'object id'."], kinds: ["ChangePropertyType"],
      effects: [.lossy]),
    Row(
      id: "becomes a list", new: age(.int, .list, isOptional: true),
      lines: ["Property 'Person.age' has been changed from 'int' to 'array<int>'."], kinds: ["ChangePropertyType"],
      effects: [.lossy]),
    Row(
      id: "list becomes a set", old: age(.decimal128, .list), new: age(.decimal128, .set),
      lines: ["Property 'Person.age' has been changed from 'array<decimal>' to 'set<decimal>'."],
      kinds: ["ChangePropertyType"], effects: [.lossy]),
    Row(
      id: "becomes a dictionary of links", new: age(.object, .dictionary, isOptional: true, target: "class_Dog"),
      lines: ["Property 'Person.age' has been changed from 'int' to 'dictionary<string, Dog>'."],
      kinds: ["ChangePropertyType"], effects: [.lossy]),
    Row(
      id: "other target", old: age(.object, isOptional: true, target: "class_Dog"),
      new: age(.object, isOptional: true, target: "class_Cat"),
      lines: ["Property 'Person.age' has been changed from '<Dog>' to '<Cat>'."], kinds: ["ChangePropertyType"],
      effects: [.lossy]),
    Row(
      id: "becomes optional", new: age(isOptional: true), lines: ["Property 'Person.age' has been made optional."],
      kinds: ["MakePropertyNullable"], effects: [.bump]),
    Row(
      id: "becomes required", old: age(isOptional: true), lines: ["Property 'Person.age' has been made required."],
      kinds: ["MakePropertyRequired"], effects: [.lossy]),
    Row(
      id: "elements become required", old: age(.string, .list, isOptional: true), new: age(.string, .list),
      lines: ["Property 'Person.age' has been made required."], kinds: ["MakePropertyRequired"], effects: [.lossy]),
    Row(
      id: "index comes", new: age(index: .general), lines: ["Property 'Person.age' has been made indexed."],
      kinds: ["AddIndex"], effects: [.automatic]),
    Row(
      id: "index goes", old: age(index: .general), lines: ["Property 'Person.age' has been made unindexed."],
      kinds: ["RemoveIndex"], effects: [.automatic]),
    Row(
      id: "index becomes full-text", old: age(.string, index: .general), new: age(.string, index: .fullText),
      lines: ["Property 'Person.age' has been made unindexed.", "Property 'Person.age' has been made indexed."],
      kinds: ["RemoveIndex", "AddIndex"], effects: [.automatic, .automatic]),
    Row(
      id: "full-text index becomes general", old: age(.string, index: .fullText), new: age(.string, index: .general),
      lines: ["Property 'Person.age' has been made indexed.", "Property 'Person.age' has been made unindexed."],
      kinds: ["AddIndex", "RemoveIndex"], effects: [.automatic, .automatic]),
    Row(
      id: "primary key comes", old: person([keyed]), new: person(key: 0, [keyed]),
      lines: ["Primary Key for class 'Person' has been added."], kinds: ["ChangePrimaryKey"], effects: [.conditional]),
    Row(
      id: "primary key goes", old: person(key: 0, [keyed]), new: person([keyed]),
      lines: ["Primary Key for class 'Person' has been removed."], kinds: ["ChangePrimaryKey"],
      effects: [.conditional]),
    Row(
      id: "primary key moves", old: person(key: 0, [keyed, other]), new: person(key: 1, [keyed, other]),
      lines: [
        "Property 'Person.code' has been made indexed.",
        "Primary Key for class 'Person' has changed from 'id' to 'code'.",
      ], kinds: ["AddIndex", "ChangePrimaryKey"], effects: [.automatic, .conditional]),
    Row(
      id: "becomes embedded", new: person(kind: .embedded),
      lines: ["Class 'Person' has been changed from TopLevel to Embedded."], kinds: ["ChangeTableType"],
      effects: [.conditional]),
    Row(
      id: "no longer asymmetric", old: person(kind: .asymmetric),
      lines: ["Class 'Person' has been changed from TopLevelAsymmetric to TopLevel."], kinds: ["ChangeTableType"],
      effects: [.conditional]),
    Row(
      id: "another order of properties", old: person(key: 0, [keyed, other]), new: person(key: 1, [other, keyed]),
      lines: [], kinds: [], effects: []),
  ]

  @Test("Each kind of change has the SDKs' words and its cost", arguments: rows)
  func change(_ row: Row) {
    let difference = SchemaDifference(
      from: Schema(tables: [row.old].compactMap(\.self)), to: Schema(tables: [row.new].compactMap(\.self)))
    #expect(difference.changes.compactMap(\.text) == row.lines)
    #expect(difference.changes.map(\.kindName) == row.kinds)
    #expect(difference.changes.map(\.effect) == row.effects)
    #expect(difference.needsMigration == row.effects.contains { $0 != .automatic })
    #expect(difference.changes.allSatisfy { $0.className == "Person" })
  }

  @Test("Changes come in the order of the SDKs' lists")
  func order() {
    let stored = Schema(tables: [
      TableSchema(name: "class_Zebra", kind: .embedded, properties: [Property(name: "b", type: .int)]),
      TableSchema(name: "metadata", properties: [Property(name: "version", type: .int)]),
      TableSchema(name: "class_Gone"),
      TableSchema(
        name: "class_Ant",
        properties: [
          Property(name: "z", type: .int), Property(name: "a", type: .int), Property(name: "k", type: .int),
        ],
        primaryKeyIndex: 2),
    ])
    let target = Schema(tables: [
      TableSchema(name: "class_ant", properties: [Property(name: "p", type: .int)]),
      TableSchema(
        name: "class_Ant", kind: .embedded,
        properties: [
          Property(name: "y", type: .int), Property(name: "a", type: .bool), Property(name: "b", type: .int),
          Property(name: "k", type: .int, index: .general),
        ]),
      TableSchema(name: "class_Zebra", properties: [Property(name: "b", type: .int, isOptional: true)]),
      TableSchema(name: "class_New"),
    ])
    #expect(
      SchemaDifference(from: stored, to: target).changes.map { "\($0.kindName) \($0.text ?? "\($0.className)")" } == [
        "RemoveTable Class 'Gone' has been removed.",
        "AddTable Class 'New' has been added.",
        "AddTable Class 'ant' has been added.",
        "RemoveProperty Property 'Ant.z' has been removed.",
        "ChangePropertyType Property 'Ant.a' has been changed from 'int' to 'bool'.",
        "AddProperty Property 'Ant.y' has been added.",
        "AddProperty Property 'Ant.b' has been added.",
        "ChangePrimaryKey Primary Key for class 'Ant' has been removed.",
        "AddInitialProperties New",
        "MakePropertyNullable Property 'Zebra.b' has been made optional.",
        "AddInitialProperties ant",
        "ChangeTableType Class 'Ant' has been changed from TopLevel to Embedded.",
        "ChangeTableType Class 'Zebra' has been changed from Embedded to TopLevel.",
      ])
  }

  @Test("Each way of opening refuses what the SDKs refuse, in their words")
  func refusals() {
    let stored = Schema(tables: [
      Self.person([Property(name: "age", type: .int), Property(name: "old", type: .int)]),
      TableSchema(name: "class_Gone"),
    ])
    let target = Schema(tables: [
      Self.person([Property(name: "age", type: .int, index: .general), Property(name: "new", type: .int)]),
      TableSchema(name: "class_Fresh"),
    ])
    let difference = SchemaDifference(from: stored, to: target)
    let removed = "\n- Property 'Person.old' has been removed."
    let added = "\n- Property 'Person.new' has been added."
    #expect(
      difference.refusalMessage(in: .sameVersion)
        == "Migration is required due to the following errors:" + removed + added)
    #expect(
      difference.refusalMessage(in: .readOnly)
        == "The following changes cannot be made in read-only schema mode:" + added)
    #expect(difference.refusalMessage(in: .additive) == nil)
    #expect(
      difference.refusalMessage(in: .changedByOthers)
        == "Unsupported schema changes were made by another client or process:"
        + "\n- Class 'Gone' has been removed." + removed
        + "\nIf your app is running in development mode, you can delete the realm and restart the app to update your schema."
    )
    #expect(
      difference.refusalMessage(in: .manual)
        == "Migration is required due to the following errors:\n- Class 'Fresh' has been added."
        + "\n- Property 'Person.age' has been made indexed." + removed + added)
  }

  @Test(
    "A schema does not differ from itself",
    arguments: SampleSchemas.all.map(\.schema).filter { $0 != SampleSchemas.damaged })
  func same(_ schema: Schema) {
    #expect(SchemaDifference(from: schema, to: schema).isEmpty)
  }
}
