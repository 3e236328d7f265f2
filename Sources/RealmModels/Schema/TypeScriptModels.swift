import RealmStorage
import RealmText

/// Types and schema objects for realm-js 12 and 20.
struct TypeScriptModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
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
      text.line("\(prefix)\(key)\(isOmittable ? "?" : ""): \(member.type(Self.types));")
    }
    text.line("};")
  }

  private static let types = TypeWords(
    names: TypeNames(
      int: "number", bool: "boolean", string: "string", data: "ArrayBuffer", date: "Date", float: "number",
      double: "number", decimal128: "Realm.BSON.Decimal128", objectID: "Realm.BSON.ObjectId", uuid: "Realm.BSON.UUID",
      mixed: "Realm.Mixed", object: "unknown"),
    list: "Realm.List<", set: "Realm.Set<", dictionary: "Realm.Dictionary<", inverse: "Realm.Results<",
    optional: " | null")
}

extension TypeScriptModels {
  static let dialect = ModelDialect(
    sdk: "realm-js",
    classNames: IdentifierRules(alphabet: .ascii, fallback: "Model", reserved: typeNames),
    propertyNames: JavaScriptModels.dialect.propertyNames, indexedTypes: JavaScriptModels.dialect.indexedTypes,
    indexesLists: true, hasFullTextIndex: true, needsProperties: false, keepsStoredNames: true,
    lostNames: JavaScriptModels.dialect.lostNames, canLinkTo: JavaScriptSchema.canLinkTo)

  /// Types that the generated code uses, and words that are not the name of a type.
  private static let typeNames: Set<String> = [
    "ArrayBuffer", "Date", "Realm", "any", "bigint", "boolean", "break", "case", "catch", "class", "const", "continue",
    "debugger", "default", "delete", "do", "else", "enum", "export", "extends", "false", "finally", "for", "function",
    "if", "implements", "import", "in", "instanceof", "interface", "let", "never", "new", "null", "number", "object",
    "package", "private", "protected", "public", "return", "static", "string", "super", "switch", "symbol", "this",
    "throw", "true", "try", "typeof", "undefined", "unknown", "var", "void", "while", "with", "yield", "await",
  ]
}
