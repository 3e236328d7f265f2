import RealmStorage
import RealmText

/// Model classes for Realm Java 10.19. Java wants a file for each: a line before each class names it.
struct JavaModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
    text.line("// Put each class into the file named above it.")
    text.line("// Replace your.package.name.here with your package.")
    for model in plan.classes {
      text.line()
      write(model, to: &text)
    }
  }

  private func write(_ model: ModelClass, to text: inout SchemaText) {
    guard model.isExpressible else {
      for line in model.comments { text.line(comment(line)) }
      return
    }
    text.line("// ==== \(model.name.code).java ====")
    text.line("package your.package.name.here;")
    text.line()
    for name in imports(of: model) { text.line("import \(name);") }
    text.line()
    for line in model.comments { text.line(comment(line)) }
    if let annotation = classAnnotation(of: model) { text.line(annotation) }
    text.line("public class \(model.name.code) extends RealmObject {")
    for member in model.members { writeField(of: member, to: &text) }
    for member in model.members where member.isExpressible { writeAccessors(of: member, to: &text) }
    text.line("}")
  }

  /// Java reads `\u` as an escape in comments too.
  private func comment(_ line: String) -> String {
    "// " + line.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
  }

  private func classAnnotation(of model: ModelClass) -> String? {
    var arguments: [String] = []
    if model.name.isMapped { arguments.append("name = \(StringEscapes.fourDigits.literal(model.name.stored))") }
    if model.table.kind == .embedded { arguments.append("embedded = true") }
    return arguments.isEmpty ? nil : "@RealmClass(\(arguments.joined(separator: ", ")))"
  }

  private func writeField(of member: ModelMember, to text: inout SchemaText) {
    let type = type(of: member)
    let field = member.property.isComputed ? "final \(type) \(member.name.code) = null" : "\(type) \(member.name.code)"
    member.write(annotations(of: member) + ["private \(field);"], "    ", to: &text, comment: comment)
  }

  private func writeAccessors(of member: ModelMember, to text: inout SchemaText) {
    let name = member.name.code
    let suffix = Self.accessorSuffix(name)
    let type = type(of: member)
    text.line()
    let verb = type == "boolean" ? "is" : "get"
    text.line("    public \(type) \(verb)\(suffix)() { return \(name); }")
    guard !member.property.isComputed else { return }
    text.line()
    text.line("    public void set\(suffix)(\(type) \(name)) { this.\(name) = \(name); }")
  }

  private func annotations(of member: ModelMember) -> [String] {
    if let origin = member.origin {
      return ["@LinkingObjects(\(StringEscapes.fourDigits.literal(RealmString(origin.name))))"]
    }
    var annotations: [String] = []
    if member.isPrimaryKey { annotations.append("@PrimaryKey") }
    if member.index == .general { annotations.append("@Index") }
    if isMarkedRequired(member.property) { annotations.append("@Required") }
    if member.name.isMapped {
      annotations.append("@RealmField(\(StringEscapes.fourDigits.literal(member.name.stored)))")
    }
    return annotations
  }

  /// What would be optional without `@Required`: elements of collections, and values of types that can be null.
  private func isMarkedRequired(_ property: Property) -> Bool {
    guard !property.isOptional else { return false }
    switch property.type {
    case .int, .bool, .float, .double: return property.collection != nil
    case .string, .data, .date, .decimal128, .objectID, .uuid: return true
    case .mixed, .object, .linkingObjects: return false
    }
  }

  private func type(of member: ModelMember) -> String {
    let property = member.property
    let element = Self.types.element(of: property, target: member.target?.code)
    if property.isComputed { return "RealmResults<\(element)>" }
    if let collection = property.collection { return "\(Self.collectionName(collection))<\(element)>" }
    return property.isOptional ? element : Self.primitiveTypes[property.type] ?? element
  }

  private static func collectionName(_ collection: CollectionKind) -> String {
    collection.choice("RealmList", "RealmSet", "RealmDictionary")
  }

  private static let types = TypeWords(
    names: TypeNames(
      int: "Long", bool: "Boolean", string: "String", data: "byte[]", date: "Date", float: "Float", double: "Double",
      decimal128: "Decimal128", objectID: "ObjectId", uuid: "UUID", mixed: "RealmAny", object: "RealmObject"),
    list: "RealmList<", set: "RealmSet<", dictionary: "RealmDictionary<", inverse: "RealmResults<")

  private static let primitiveTypes: [PropertyType: String] = [
    .int: "long", .bool: "boolean", .float: "float", .double: "double",
  ]
}

// MARK: - Imports

extension JavaModels {
  private func imports(of model: ModelClass) -> [String] {
    var names: Set<String> = ["io.realm.RealmObject"]
    if classAnnotation(of: model) != nil { names.insert("io.realm.annotations.RealmClass") }
    for member in model.members where member.isExpressible {
      names.formUnion(annotations(of: member).map { "io.realm.annotations." + annotationName($0) })
      if let name = Self.importedTypes[member.property.type] { names.insert(name) }
      if member.property.isComputed {
        names.insert("io.realm.RealmResults")
      } else if let collection = member.property.collection {
        names.insert("io.realm." + Self.collectionName(collection))
      }
    }
    return names.sorted()
  }

  private static let importedTypes: [PropertyType: String] = [
    .date: "java.util.Date", .decimal128: "org.bson.types.Decimal128", .objectID: "org.bson.types.ObjectId",
    .uuid: "java.util.UUID", .mixed: "io.realm.RealmAny",
  ]
}

// MARK: - Names

extension JavaModels {
  static let dialect = ModelDialect(
    sdk: "Realm Java",
    classNames: IdentifierRules(fallback: "Model", reserved: keywords.union(typeNames)),
    propertyNames: { _ in
      IdentifierRules(
        fallback: "field", reserved: keywords.union(takenAccessors),
        claims: { [$0, "accessor " + accessorSuffix($0)] })
    },
    indexedTypes: [.string, .date, .int, .bool, .objectID, .uuid, .mixed],
    hasAsymmetricClasses: false, unescapedCharacters: ["\"", "\\", "\n", "\r"])

  /// The part of a name after `get`, `is` and `set`.
  private static func accessorSuffix(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  private static let keywords: Set<String> = [
    "_", "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
    "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if",
    "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "private",
    "protected", "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw",
    "throws", "transient", "true", "try", "void", "volatile", "while",
  ]

  /// Types that the generated code uses, and words that are not the name of a class.
  private static let typeNames: Set<String> = [
    "Boolean", "Date", "Decimal128", "Double", "Float", "Index", "LinkingObjects", "Long", "Object", "ObjectId",
    "PrimaryKey", "RealmAny", "RealmClass", "RealmDictionary", "RealmField", "RealmList", "RealmObject", "RealmResults",
    "RealmSet", "Required", "String", "UUID", "permits", "record", "sealed", "var", "yield",
  ]

  /// Accessors that `Object` and `RealmObject` already have.
  private static let takenAccessors: Set<String> = [
    "accessor Class", "accessor Frozen", "accessor Loaded", "accessor Managed", "accessor Realm", "accessor Valid",
  ]
}
