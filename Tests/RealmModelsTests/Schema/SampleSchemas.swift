import Foundation
import RealmStorage

/// Hand-made schemas for tests.
enum SampleSchemas {
  static let all: [(name: String, schema: Schema)] = [
    ("everything", everything), ("odd-names", oddNames), ("damaged", damaged), ("inverse", inverse),
    ("empty", Schema()),
  ]

  /// Every type in every shape, an embedded and an asymmetric class, both kinds of index.
  static let everything = Schema(tables: [metadata, everyShape, inner, outer, event, indexed], version: 3)

  /// Names that are difficult for at least one target language.
  static let oddNames = Schema(tables: oddClasses, version: 0)

  /// What only a damaged file, or one that no SDK wrote, contains.
  static let damaged = Schema(
    tables: [
      TableSchema(
        name: "class_Lost",
        properties: [
          Property(name: "gone", type: .object, isOptional: true, target: "class_Gone"),
          Property(name: "nowhere", type: .object, collection: .list),
          Property(name: "internal", type: .object, isOptional: true, target: "metadata"),
          Property(name: "twice", type: .int), Property(name: "twice", type: .string),
        ], primaryKeyIndex: 99),
      TableSchema(name: "class_Lost", properties: [Property(name: "other", type: .bool)]),
      TableSchema(name: "class_", properties: [Property(name: "", type: .int)]),
      TableSchema(name: "class_Empty"),
      TableSchema(
        name: "class_Loop", kind: .embedded,
        properties: [Property(name: "loop", type: .object, isOptional: true, target: "class_Loop")]),
      TableSchema(
        name: "class_Holder",
        properties: [Property(name: "loops", type: .object, collection: .list, target: "class_Loop")]),
    ], version: UInt64.max)

  /// What only the code of an app contains: the inverse of a link.
  static let inverse = Schema(tables: [
    TableSchema(
      name: "class_Dog",
      properties: [
        Property(name: "name", type: .string),
        Property(name: "owners", type: .linkingObjects, target: "class_Person", originProperty: "my dogs"),
      ]),
    TableSchema(
      name: "class_Person",
      properties: [Property(name: "my dogs", type: .object, collection: .list, target: "class_Dog")]),
  ])

  static let metadata = TableSchema(name: "metadata", properties: [Property(name: "version", type: .int)])
}

// MARK: - Every shape

extension SampleSchemas {
  private static let storedTypes = PropertyType.allCases.filter { $0 != .linkingObjects }

  private static let everyShape = TableSchema(
    name: "class_EveryShape",
    properties: [Property(name: "_id", type: .objectID, index: .general)] + storedTypes.flatMap(shapes),
    primaryKeyIndex: 0)

  /// A property of the type in each shape that the engine stores.
  private static func shapes(of type: PropertyType) -> [Property] {
    var shapes: [Property] = []
    for collection in [nil] + CollectionKind.allCases {
      for isOptional in [false, true] where canBe(type, collection, isOptional: isOptional) {
        shapes.append(
          Property(
            name: RealmString("\(type)\(collection.map { "\($0)".capitalized } ?? "")\(isOptional ? "Optional" : "")"),
            type: type, collection: collection, isOptional: isOptional,
            target: type == .object ? "class_Outer" : nil))
      }
    }
    return shapes
  }

  private static func canBe(_ type: PropertyType, _ collection: CollectionKind?, isOptional: Bool) -> Bool {
    switch type {
    case .mixed: isOptional
    case .object: isOptional == (collection == nil || collection == .dictionary)
    default: true
    }
  }

  private static let inner = TableSchema(
    name: "class_Inner", kind: .embedded,
    properties: [
      Property(name: "note", type: .string, isOptional: true),
      Property(name: "target", type: .object, isOptional: true, target: "class_EveryShape"),
    ])

  private static let outer = TableSchema(
    name: "class_Outer",
    properties: [
      Property(name: "one", type: .object, isOptional: true, target: "class_Inner"),
      Property(name: "many", type: .object, collection: .list, target: "class_Inner"),
      Property(name: "named", type: .object, collection: .dictionary, isOptional: true, target: "class_Inner"),
    ])

  private static let event = TableSchema(
    name: "class_Event", kind: .asymmetric,
    properties: [
      Property(name: "_id", type: .uuid, index: .general),
      Property(name: "place", type: .object, isOptional: true, target: "class_Inner"),
    ], primaryKeyIndex: 0)

  private static let indexed = TableSchema(
    name: "class_Indexed",
    properties: [
      Property(name: "code", type: .string, isOptional: true, index: .general),
      Property(name: "number", type: .int, index: .general),
      Property(name: "flag", type: .bool, isOptional: true, index: .general),
      Property(name: "day", type: .date, index: .general),
      Property(name: "reference", type: .objectID, index: .general),
      Property(name: "token", type: .uuid, isOptional: true, index: .general),
      Property(name: "anything", type: .mixed, isOptional: true, index: .general),
      Property(name: "tags", type: .string, collection: .list, index: .general),
      Property(name: "bio", type: .string, index: .fullText),
      Property(name: "story", type: .string, isOptional: true, index: .fullText),
    ], primaryKeyIndex: 0)
}

// MARK: - Odd names

extension SampleSchemas {
  private static func table(_ name: RealmString, kind: TableKind = .topLevel, _ properties: [Property]) -> TableSchema {
    TableSchema(name: RealmString(utf8: Array("class_".utf8) + name.utf8), kind: kind, properties: properties)
  }

  private static func texts(_ names: [RealmString]) -> [Property] { names.map { Property(name: $0, type: .string) } }

  private static let oddClasses = [
    table("weird \"name\"", texts(["prop\"erty", "back\\slash", "$dollar", "a b", "a_b", "a-b", "line\nbreak"])),
    table("Words", texts(["class", "default", "self", "init", "in", "object", "is", "var", "type", "value", "where"])),
    table(
      "Members",
      texts([
        "description", "hash", "realm", "isValid", "isManaged", "objectSchema", "equals", "changes", "schema", "parent",
        "Companion", "toString", "Members",
      ])),
    table("Pairs", texts(["id", "_id", "__id", "name", "Name", "NAME", "isActive", "active", "url", "URL"])),
    table(
      "Types",
      texts(["String", "Date", "List", "int", "Int", "Set", "Map", "ObjectId", "Long"])
        + [Property(name: "list", type: .object, collection: .list, target: "class_List")]),
    table("List", texts(["entry"])), table("Date", texts(["day"])), table("String", texts(["text"])),
    table("Object", texts(["thing"])), table("default", texts(["x"])), table("record", texts(["x"])),
    table("int", texts(["x"])), table("__proto__", texts(["__proto__", "constructor"])),
    table("dog", texts(["bark"])), table("Dog", texts(["bark"])), table("sqlite_sequence", texts(["_key", "_KEY"])),
    table("2nd", texts(["1st", "2", "10"])), table("Größe", texts(["straße", "名前", "e\u{301}te", "été", "🐶"])),
    table("a\u{202E}b", texts(["\u{0}", "\u{1B}[31m", "tab\there", "\u{2028}", "", " ", "_", "__"])),
    table(
      "References",
      [
        Property(name: "weird", type: .object, isOptional: true, target: "class_weird \"name\""),
        Property(name: "number", type: .object, isOptional: true, target: "class_int"),
        Property(name: "hidden", type: .object, collection: .set, target: "class_a\u{202E}b"),
      ]),
    TableSchema(
      name: RealmString(utf8: Array("class_bytes".utf8) + [0xff]),
      properties: [
        Property(name: RealmString(utf8: [0xff]), type: .int), Property(name: RealmString(utf8: [0xfe]), type: .int),
      ]),
  ]
}
