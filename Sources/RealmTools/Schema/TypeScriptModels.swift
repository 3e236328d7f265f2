import RealmStorage

/// Types and schema objects for realm-js 12 and 20.
struct TypeScriptModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect)
    plan.note(in: &text)
    text.line("// Realm models for realm-js\(plan.versionPhrase).")
    for line in ModelPlan.missingParts { text.line("// \(line)") }
    text.line()
    text.line("import Realm from \"realm\";")
    for model in plan.classes {
      text.line()
      writeType(of: model, to: &text)
      text.line()
      text.line("export const \(model.name.code)Schema: Realm.ObjectSchema = {")
      JavaScriptSchema(model: model).write(to: &text)
      text.line("};")
    }
    text.line()
    let names = plan.classes.map { $0.name.code + "Schema" }
    text.line("export const Schema: Realm.ObjectSchema[] = [\(names.joined(separator: ", "))];")
  }

  private func writeType(of model: ModelClass, to text: inout SchemaText) {
    for comment in model.comments { text.line("// \(comment)") }
    text.line("export type \(model.name.code) = {")
    for member in model.members {
      let prefix = member.isExpressible ? "  " : "  // "
      let key = JavaScriptSchema.key(member.property.name)
      let isOmittable = member.property.isOptional && member.property.collection == nil
      text.line("\(prefix)\(key)\(isOmittable ? "?" : ""): \(type(of: member));")
    }
    text.line("};")
  }

  private func type(of member: ModelMember) -> String {
    let property = member.property
    let element = elementType(of: member)
    if property.isComputed { return "Realm.Results<\(element)>" }
    let value = property.isOptional && property.type != .mixed ? "\(element) | null" : element
    switch property.collection {
    case nil: return value
    case .list: return "Realm.List<\(value)>"
    case .set: return "Realm.Set<\(value)>"
    case .dictionary: return "Realm.Dictionary<\(value)>"
    }
  }

  private func elementType(of member: ModelMember) -> String {
    switch member.property.type {
    case .int, .float, .double: "number"
    case .bool: "boolean"
    case .string: "string"
    case .data: "ArrayBuffer"
    case .date: "Date"
    case .decimal128: "Realm.BSON.Decimal128"
    case .objectID: "Realm.BSON.ObjectId"
    case .uuid: "Realm.BSON.UUID"
    case .mixed: "Realm.Mixed"
    case .object, .linkingObjects: member.target?.code ?? "unknown"
    }
  }
}

extension TypeScriptModels {
  static let dialect = ModelDialect(
    sdk: "realm-js",
    classNames: IdentifierRules(alphabet: .ascii, fallback: "Model", reserved: typeNames),
    propertyNames: JavaScriptModels.dialect.propertyNames, indexedTypes: JavaScriptModels.dialect.indexedTypes,
    indexesLists: true, hasFullTextIndex: true, needsProperties: false, keepsStoredNames: true,
    lostNames: JavaScriptModels.dialect.lostNames, canLinkTo: JavaScriptSchema.canLinkTo)

  /// Types that the generated code uses, and words that are no name of a type.
  private static let typeNames: Set<String> = [
    "ArrayBuffer", "Date", "Realm", "any", "bigint", "boolean", "break", "case", "catch", "class", "const", "continue",
    "debugger", "default", "delete", "do", "else", "enum", "export", "extends", "false", "finally", "for", "function",
    "if", "implements", "import", "in", "instanceof", "interface", "let", "never", "new", "null", "number", "object",
    "package", "private", "protected", "public", "return", "static", "string", "super", "switch", "symbol", "this",
    "throw", "true", "try", "typeof", "undefined", "unknown", "var", "void", "while", "with", "yield", "await",
  ]
}
