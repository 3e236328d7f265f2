import RealmStorage
import RealmText

/// Schema objects for realm-js 12 and 20, one export per class.
struct JavaScriptModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
    for model in plan.classes {
      text.line()
      for comment in model.comments { text.line("// \(comment)") }
      text.line("exports.\(model.name.code) = {")
      JavaScriptSchema(model: model).write(to: &text)
      text.line("};")
    }
  }

  static let dialect = ModelDialect(
    sdk: "realm-js",
    classNames: IdentifierRules(alphabet: .ascii, fallback: "Model", reserved: ["__esModule", "__proto__"]),
    // Properties are keys of an object, which can be any text.
    propertyNames: { _ in IdentifierRules(alphabet: .ascii, fallback: "property", reserved: []) },
    indexedTypes: [.int, .bool, .string, .date, .objectID, .uuid, .mixed],
    indexesLists: true, hasFullTextIndex: true, needsProperties: false, keepsStoredNames: true,
    lostNames: ["__proto__"], canLinkTo: JavaScriptSchema.canLinkTo)
}

/// The inside of a schema object, which JavaScript and TypeScript share.
struct JavaScriptSchema {
  let model: ModelClass

  func write(to text: inout SchemaText) {
    text.line("  name: \(Self.literal(model.table.displayName)),")
    if let key = model.table.primaryKey { text.line("  primaryKey: \(Self.literal(key.name)),") }
    if model.table.kind == .embedded { text.line("  embedded: true,") }
    if model.table.kind == .asymmetric { text.line("  asymmetric: true,") }
    text.line("  properties: {")
    for member in model.members {
      member.write(["\(Self.key(member.property.name)): \(type(of: member)),"], "    ", to: &text)
    }
    text.line("  },")
  }

  /// The names of types in schema objects, which a type takes for those and not for a class.
  private static let typeNames: Set<RealmString> = [
    "bool", "int", "float", "double", "decimal128", "objectId", "string", "data", "date", "mixed", "uuid", "list",
    "dictionary", "set", "object", "linkingObjects", "counter",
  ]

  /// Whether a type can name the class: a name that looks like something else cannot be used.
  @Sendable static func canLinkTo(_ className: RealmString) -> Bool {
    let text = className.description
    return !typeNames.contains(className) && !["?", "[]", "{}", "<>"].contains(where: text.hasSuffix)
  }

  private func type(of member: ModelMember) -> String {
    let property = member.property
    if property.isComputed {
      let origin = property.originProperty ?? ""
      return "{ type: \"linkingObjects\", objectType: \(Self.literal(property.targetClass ?? "")), "
        + "property: \(Self.literal(origin)) }"
    }
    switch member.index {
    case .none: return shorthand(of: property)
    case .general: return "{ \(longhand(of: property)), indexed: true }"
    case .fullText: return "{ \(longhand(of: property)), indexed: \"full-text\" }"
    }
  }

  /// `"int?[]"`
  private func shorthand(of property: Property) -> String {
    var type = property.type == .object ? property.targetClass ?? "" : RealmString(property.type.schemaName)
    if property.isOptional, property.type != .mixed, property.type != .object { type.utf8 += "?".utf8 }
    if let collection = property.collection { type.utf8 += collection.suffix.utf8 }
    return Self.literal(type)
  }

  /// `type: "list", objectType: "int", optional: true`
  private func longhand(of property: Property) -> String {
    let name = Self.literal(RealmString(property.type.schemaName))
    let optional = property.isOptional && property.type != .mixed ? ", optional: true" : ""
    guard let collection = property.collection else { return "type: \(name)\(optional)" }
    return "type: \"\(collection.schemaName)\", objectType: \(name)\(optional)"
  }

  static func literal(_ name: RealmString) -> String { StringEscapes.fourDigits.literal(name) }

  /// A key of an object literal.
  static func key(_ name: RealmString) -> String { isPlainKey(name) ? name.description : literal(name) }

  /// Whether the name can be a key without quotes.
  static func isPlainKey(_ name: RealmString) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
        true
      default: false
      }
    }
  }
}
