import RealmStorage

/// Model classes for Realm Swift 10.54.
struct SwiftModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect)
    plan.note(in: &text)
    text.line("// Realm models for Realm Swift\(plan.versionPhrase).")
    for line in ModelPlan.missingParts { text.line("// \(line)") }
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
    text.line("class \(model.name.code): \(baseClass(of: model.table.kind)) {")
    for member in model.members { write(member, to: &text) }
    if model.name.isMapped { writeClassName(of: model, to: &text) }
    writePropertyMapping(of: model, to: &text)
    text.line("}")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    for limit in member.limits { text.line("    // \(member.name.stored.shown): \(limit)") }
    let declaration = "@Persisted\(arguments(of: member)) var \(member.name.code): \(type(of: member))"
    text.line(member.isExpressible ? "    \(declaration)" : "    // \(declaration)")
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

  private func baseClass(of kind: TableKind) -> String {
    switch kind {
    case .topLevel: "Object"
    case .embedded: "EmbeddedObject"
    case .asymmetric: "AsymmetricObject"
    }
  }

  private func arguments(of member: ModelMember) -> String {
    if member.isPrimaryKey { return "(primaryKey: true)" }
    if let origin = member.origin {
      return "(originProperty: \(StringEscapes.braces.literal(RealmString(origin.name))))"
    }
    return member.index == .general ? "(indexed: true)" : ""
  }

  private func type(of member: ModelMember) -> String {
    let property = member.property
    let element = elementType(of: member)
    if property.isComputed { return "LinkingObjects<\(element)>" }
    let isOptional = property.isOptional && property.type != .mixed
    let value = isOptional ? element + "?" : element
    switch property.collection {
    case nil: return value
    case .list: return "List<\(value)>"
    case .set: return "MutableSet<\(value)>"
    case .dictionary: return "Map<String, \(value)>"
    }
  }

  private func elementType(of member: ModelMember) -> String {
    switch member.property.type {
    case .int: "Int"
    case .bool: "Bool"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .float: "Float"
    case .double: "Double"
    case .decimal128: "Decimal128"
    case .objectID: "ObjectId"
    case .uuid: "UUID"
    case .mixed: "AnyRealmValue"
    case .object, .linkingObjects: member.target?.code ?? "Object"
    }
  }
}

extension SwiftModels {
  static let dialect = ModelDialect(
    sdk: "Realm Swift",
    classNames: IdentifierRules(fallback: "Model", reserved: keywords.union(typeNames)),
    propertyNames: { _ in
      IdentifierRules(
        fallback: "property", reserved: inheritedNames,
        // `@Persisted var id` stores its value in `_id`, which must not be another property.
        claims: { [$0, "_" + $0] },
        written: { keywords.contains($0) ? "`\($0)`" : $0 })
    },
    indexedTypes: [.int, .bool, .string, .objectID, .date, .uuid])

  /// Words that stand between backticks where they are names.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]

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
