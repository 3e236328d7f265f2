import RealmStorage
import Testing

@Suite("Rules for schemas") struct SchemaValidationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    let tables: [TableSchema]
    var purpose = SchemaValidation.Purpose.local
    var aliases: [[RealmString?]] = []
    var allowsUnreachable = true
    let texts: [String]
    var testDescription: String { id }
  }

  static func table(_ name: String, key: Int? = nil, _ properties: [Property] = []) -> TableSchema {
    table(name, .topLevel, key: key, properties)
  }

  static func table(
    _ name: String, _ kind: TableKind, key: Int? = nil, _ properties: [Property] = []
  ) -> TableSchema {
    TableSchema(name: RealmString("class_" + name), kind: kind, properties: properties, primaryKeyIndex: key)
  }

  static func link(
    _ name: String, to target: String, _ collection: CollectionKind? = nil, isOptional: Bool? = nil
  ) -> Property {
    let isUsual = collection == nil || collection == .dictionary
    return Property(
      name: RealmString(name), type: .object, collection: collection, isOptional: isOptional ?? isUsual,
      target: RealmString("class_" + target))
  }

  static func inverse(of origin: RealmString?, in target: String, isOptional: Bool = false) -> Property {
    Property(
      name: "back", type: .linkingObjects, isOptional: isOptional, target: RealmString("class_" + target),
      originProperty: origin)
  }

  static let number = Property(name: "n", type: .int)

  static let rows: [Row] = [
    Row(
      id: "valid", tables: [table("A", [number]), table("B", [link("a", to: "A"), link("l", to: "A", .list)])],
      texts: []),
    Row(
      id: "class twice", tables: [table("A"), table("A")], texts: ["Type 'A' appears more than once in the schema."]),
    Row(
      id: "property twice", tables: [table("A", [number, number])],
      texts: ["Property 'n' appears more than once in the schema for type 'A'."]),
    Row(
      id: "alias twice", tables: [table("A", [number, Property(name: "m", type: .int)])], aliases: [["x", "x"]],
      texts: ["Alias 'x' appears more than once in the schema for type 'A'."]),
    Row(
      id: "alias is a property", tables: [table("A", [number, Property(name: "m", type: .int)])],
      aliases: [["m", nil]],
      texts: ["Property 'A.n' has an alias 'm' that conflicts with a property of the same name."]),
    Row(
      id: "unknown target", tables: [table("A", [link("b", to: "B", .list)])],
      texts: ["Property 'A.b' of type 'array' has unknown object type 'B'"]),
    Row(
      id: "required link", tables: [table("A", [link("b", to: "A", isOptional: false)])],
      texts: ["Property 'A.b' of type 'object' must be nullable."]),
    Row(
      id: "required dictionary of links", tables: [table("A", [link("b", to: "A", .dictionary, isOptional: false)])],
      texts: ["Property 'A.b' of type 'object' must be nullable."]),
    Row(
      id: "optional list and set of links",
      tables: [table("A", [link("l", to: "A", .list, isOptional: true), link("s", to: "A", .set, isOptional: true)])],
      texts: [
        "Property 'A.l' of type 'array' cannot be nullable.", "Property 'A.s' of type 'set' cannot be nullable.",
      ]),
    Row(
      id: "required mixed", tables: [table("A", [Property(name: "m", type: .mixed, collection: .list)])],
      texts: ["Property 'A.m' of type 'Mixed' must be nullable."]),
    Row(
      id: "key of another type", tables: [table("A", key: 0, [Property(name: "d", type: .double)])],
      texts: ["Property 'A.d' of type 'double' cannot be made the primary key."]),
    Row(
      id: "key of several values",
      tables: [
        table("A", key: 0, [Property(name: "l", type: .string, collection: .list)]),
        table("B", key: 0, [Property(name: "o", type: .string, collection: .list, isOptional: true)]),
        table("C", key: 0, [Property(name: "s", type: .int, collection: .set)]),
        table("D", key: 0, [Property(name: "d", type: .uuid, collection: .dictionary)]),
      ],
      texts: [
        "Property 'A.l' of type 'array' cannot be made the primary key.",
        "Property 'B.o' of type 'array' cannot be made the primary key.",
        "Property 'C.s' of type 'set' cannot be made the primary key.",
        "Property 'D.d' of type 'dictionary' cannot be made the primary key.",
      ]),
    Row(
      id: "key that is no property", tables: [table("A", key: 7, [number])],
      texts: ["Specified primary key 'A.#7' does not exist."]),
    Row(
      id: "index on other types",
      tables: [
        table(
          "A",
          [
            Property(name: "d", type: .decimal128, index: .general),
            Property(name: "l", type: .int, collection: .list, index: .general),
            Property(name: "s", type: .string, collection: .set, index: .general),
            Property(name: "t", type: .string, collection: .list, index: .general),
          ])
      ],
      texts: [
        "Property 'A.d' of type 'decimal' cannot be indexed.", "Property 'A.l' of type 'array' cannot be indexed.",
        "Property 'A.s' of type 'set' cannot be indexed.",
      ]),
    Row(
      id: "target without link",
      tables: [table("A", [Property(name: "n", type: .objectID, collection: .set, target: "class_A")])],
      texts: ["Property 'A.n' of type 'set<object id>' cannot have an object type."]),
    Row(
      id: "origin without inverse", tables: [table("A", [Property(name: "n", type: .uuid, originProperty: "x")])],
      texts: ["Property 'A.n' of type 'uuid' cannot have an origin property name."]),
    Row(
      id: "inverse without origin", tables: [table("A", [inverse(of: nil, in: "A")])],
      texts: [
        "Property 'A.back' of type 'linking objects' must have an origin property name.",
        "Property 'A.' declared as origin of linking objects property 'A.back' does not exist",
      ]),
    Row(
      id: "inverse as a set",
      tables: [
        table(
          "A",
          [
            link("a", to: "A"),
            Property(
              name: "back", type: .linkingObjects, collection: .set, target: "class_A", originProperty: "a"),
          ])
      ], texts: ["Linking Objects property 'A.back' must be an array."]),
    Row(
      id: "optional inverse", tables: [table("A", [link("a", to: "A"), inverse(of: "a", in: "A", isOptional: true)])],
      texts: ["Property 'A.back' of type 'linking objects' cannot be nullable."]),
    Row(
      id: "origins that do not fit",
      tables: [
        table("A", [inverse(of: "gone", in: "B")]), table("B", [number, link("c", to: "C")]),
        table("C", [inverse(of: "n", in: "B")]), table("D", [inverse(of: "c", in: "B")]),
      ],
      texts: [
        "Property 'B.gone' declared as origin of linking objects property 'A.back' does not exist",
        "Property 'B.n' declared as origin of linking objects property 'C.back' is not a link",
        "Property 'B.c' declared as origin of linking objects property 'D.back' links to type 'C'",
      ]),
    Row(
      id: "set of embedded objects", tables: [table("A", [link("e", to: "E", .set)]), table("E", .embedded)],
      texts: [
        "Set property 'A.e' cannot contain embedded object type 'E'."
          + " Set semantics are not applicable to embedded objects."
      ]),
    Row(
      id: "link to an asymmetric class", tables: [table("A", key: 0, [idKey, link("e", to: "E")]), event],
      purpose: .flexibleSync, texts: ["Property 'A.e' of type 'object' cannot be a link to an asymmetric object."]),
    Row(
      id: "asymmetric in a local realm", tables: [event], texts: ["Asymmetric table 'E' not allowed in a local Realm"]),
    Row(
      id: "asymmetric in partition sync", tables: [event], purpose: .partitionSync,
      texts: ["Asymmetric table 'E' not allowed in partition based sync"]),
    Row(id: "asymmetric in flexible sync", tables: [event], purpose: .flexibleSync, texts: []),
    Row(
      id: "embedded with a key", tables: [table("E", .embedded, key: 0, [number])],
      texts: ["Embedded object type 'E' cannot have a primary key."]),
    Row(
      id: "embedded cycles",
      tables: [
        table("A", .embedded, [link("b", to: "B", .list)]),
        table("B", .embedded, [link("c", to: "C"), link("top", to: "T")]),
        table("C", .embedded, [link("d", to: "D"), link("b", to: "B")]), table("D", .embedded),
        table("S", .embedded, [link("self", to: "S")]), table("T", [link("a", to: "A")]),
      ],
      texts: [
        "Cycles containing embedded objects are not currently supported: 'B.c.b'",
        "Cycles containing embedded objects are not currently supported: 'C.b.c'",
        "Cycles containing embedded objects are not currently supported: 'S.self'",
      ]),
    Row(
      id: "cycles are looked for in valid schemas only",
      tables: [table("S", .embedded, [link("self", to: "S"), link("x", to: "X")])],
      texts: ["Property 'S.x' of type 'object' has unknown object type 'X'"]),
    Row(
      id: "unreachable embedded class",
      tables: [
        table("A", .embedded), table("B", .embedded, [link("c", to: "C")]), table("C", .embedded),
        table("T", [link("a", to: "A", .list)]),
      ], allowsUnreachable: false,
      texts: [
        "Embedded object 'B' is unreachable by any link path from top level objects.",
        "Embedded object 'C' is unreachable by any link path from top level objects.",
      ]),
    Row(
      id: "keys of synced classes",
      tables: [table("A", [number]), table("B", key: 0, [number]), table("E", .embedded), table("F", key: 0, [idKey])],
      purpose: .partitionSync,
      texts: [
        "There must be a primary key property named '_id' on a synchronized Realm but none was found for type 'A'",
        "The primary key property on a synchronized Realm must be named '_id' but found 'n' for type 'B'",
      ]),
  ]

  static let idKey = Property(name: "_id", type: .int, index: .general)
  static let event = table("E", .asymmetric, key: 0, [idKey])

  @Test("Each rule has the SDKs' words", arguments: rows)
  func rule(_ row: Row) {
    let validation = SchemaValidation(
      of: Schema(tables: row.tables), for: row.purpose, aliases: row.aliases, allowsUnreachable: row.allowsUnreachable)
    #expect(validation.violations.map(\.description) == row.texts)
    #expect(validation.isValid == row.texts.isEmpty)
    let message = "Schema validation failed due to the following errors:" + row.texts.map { "\n- " + $0 }.joined()
    #expect(validation.message == (row.texts.isEmpty ? nil : message))
  }

  @Test("Internal tables follow no rules")
  func internalTables() {
    let schema = Schema(tables: [
      TableSchema(name: "x", properties: [Property(name: "m", type: .mixed)], primaryKeyIndex: 3)
    ])
    #expect(SchemaValidation(of: schema).isValid)
  }

  /// Embedded classes, each of which holds the next, the last one the first if it `isClosed`.
  private static func ring(of count: Int, isClosed: Bool) -> Schema {
    Schema(
      tables: (0..<count).map { index in
        let isLast = index == count - 1
        return table("E\(index)", .embedded, isLast && !isClosed ? [] : [link("e", to: "E\(isLast ? 0 : index + 1)")])
      })
  }

  @Test("However many embedded classes there are, looking for circles ends, and what is told stays small")
  func manyEmbedded() {
    #expect(SchemaValidation(of: Self.ring(of: 20_000, isClosed: false)).isValid)
    let paths = SchemaValidation(of: Self.ring(of: 3000, isClosed: true)).violations.map { violation in
      if case .embeddedCycle(let path) = violation { path.utf8.count } else { 0 }
    }
    #expect(paths.allSatisfy { $0 > 2 * 3000 })
    #expect((1 << 20..<1 << 20 + 10_000).contains(paths.reduce(0, +)))
  }

  @Test("A schema that an SDK could not have is named at every place and ends no walk early")
  func damaged() {
    let texts = SchemaValidation(of: SampleSchemas.damaged).violations.map(\.description)
    #expect(
      texts == [
        "Type 'Lost' appears more than once in the schema.",
        "Property names of type '' must not be empty.",
        "Property 'twice' appears more than once in the schema for type 'Lost'.",
        "Property 'Lost.gone' of type 'object' has unknown object type 'Gone'",
        "Property 'Lost.nowhere' of type 'array' has unknown object type ''",
        "Property 'Lost.internal' of type 'object' has unknown object type 'metadata'",
        "Specified primary key 'Lost.#99' does not exist.",
      ])
  }
}
