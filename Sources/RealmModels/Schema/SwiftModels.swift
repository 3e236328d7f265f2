import RealmStorage
import RealmText

/// Model classes for Realm Swift 10.54.
struct SwiftModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
    text.line()
    text.line("import Foundation")
    text.line("import RealmSwift")
    for model in plan.classes {
      text.line()
      write(model, to: &text)
    }
  }

  private func write(_ model: ModelClass, to text: inout SchemaText) {
    for comment in model.comments { text.line("// \(comment)") }
    let base = model.table.kind.choice("Object", embedded: "EmbeddedObject", asymmetric: "AsymmetricObject")
    text.line("class \(model.name.code): \(base) {")
    for member in model.members { write(member, to: &text) }
    if model.name.isMapped { writeClassName(of: model, to: &text) }
    writePropertyMapping(of: model, to: &text)
    text.line("}")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    let declaration = "@Persisted\(arguments(of: member)) var \(member.name.code): \(member.type(Self.types))"
    member.write([declaration], "    ", to: &text)
  }

  private func writeClassName(of model: ModelClass, to text: inout SchemaText) {
    text.line()
    text.line("    override class func _realmObjectName() -> String? {")
    text.line("        return \(StringEscapes.braces.literal(model.name.stored))")
    text.line("    }")
  }

  private func writePropertyMapping(of model: ModelClass, to text: inout SchemaText) {
    let mapped = model.members.filter { $0.isExpressible && !$0.property.isComputed && $0.name.isMapped }
    guard !mapped.isEmpty else { return }
    text.line()
    text.line("    override class func propertiesMapping() -> [String: String] {")
    text.line("        return [")
    for member in mapped {
      let name = StringEscapes.braces.literal(RealmString(member.name.name))
      text.line("            \(name): \(StringEscapes.braces.literal(member.name.stored)),")
    }
    text.line("        ]")
    text.line("    }")
  }

  private func arguments(of member: ModelMember) -> String {
    if member.isPrimaryKey { return "(primaryKey: true)" }
    if let origin = member.origin {
      return "(originProperty: \(StringEscapes.braces.literal(RealmString(origin.name))))"
    }
    return member.index == .general ? "(indexed: true)" : ""
  }

  private static let types = TypeWords(
    names: TypeNames(
      int: "Int", bool: "Bool", string: "String", data: "Data", date: "Date", float: "Float", double: "Double",
      decimal128: "Decimal128", objectID: "ObjectId", uuid: "UUID", mixed: "AnyRealmValue", object: "Object"),
    list: "List<", set: "MutableSet<", dictionary: "Map<String, ", inverse: "LinkingObjects<")
}

extension SwiftModels {
  static let dialect = ModelDialect(
    sdk: "Realm Swift",
    classNames: IdentifierRules(fallback: "Model", reserved: SwiftNames.keywords.union(typeNames)),
    propertyNames: { _ in
      IdentifierRules(
        fallback: "property", reserved: inheritedNames,
        // `@Persisted var id` stores its value in `_id`, which must not be another property.
        claims: { [$0, "_" + $0] },
        written: { SwiftNames.keywords.contains($0) ? "`\($0)`" : $0 })
    },
    indexedTypes: [.int, .bool, .string, .objectID, .date, .uuid])

  /// Types that the generated code uses, and names that no class can have.
  private static let typeNames: Set<String> = [
    "AnyRealmValue", "AsymmetricObject", "Bool", "Data", "Date", "Decimal128", "Double", "EmbeddedObject", "Float",
    "Foundation", "Int", "LinkingObjects", "List", "Map", "MutableSet", "Object", "ObjectId", "Persisted", "Protocol",
    "RealmSwift", "Self", "String", "Type", "UUID", "init", "self",
  ]

  /// Members of `Object` and of the classes above it, and names that no property can have.
  private static let inheritedNames: Set<String> = [
    "Protocol", "Self", "Type", "accessibilityElements", "classForCoder", "className", "customMirror",
    "debugDescription", "description", "hash", "hashValue", "init", "isFrozen", "isInvalidated",
    "objectSchema", "observationInfo", "realm", "self", "superclass",
  ]
}

/// Words that Swift reserves.
enum SwiftNames {
  /// Words that need backticks to be names.
  static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]
}
