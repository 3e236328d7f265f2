import RealmStorage
import RealmText

/// Model classes for Realm Kotlin 1.16 and later.
struct KotlinModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
    text.line("// Replace your.package.name.here with your package.")
    text.line("package your.package.name.here")
    let imports = imports(of: plan)
    if !imports.isEmpty { text.line() }
    for name in imports { text.line("import \(name)") }
    for model in plan.classes {
      text.line()
      write(model, to: &text)
    }
  }

  private func write(_ model: ModelClass, to text: inout SchemaText) {
    for comment in model.comments { text.line("// \(comment)") }
    if model.name.isMapped { text.line(persistedName(of: model.name)) }
    text.line("class \(model.name.code) : \(baseClass(of: model.table.kind)) {")
    for member in model.members {
      member.write(annotations(of: member) + [declaration(of: member)], "    ", to: &text)
    }
    text.line("}")
  }

  private func persistedName(of name: Identifier) -> String {
    "@PersistedName(\(StringEscapes.fourDigitsAndDollar.literal(name.stored)))"
  }

  private func baseClass(of kind: TableKind) -> String {
    kind.choice("RealmObject", embedded: "EmbeddedRealmObject", asymmetric: "AsymmetricRealmObject")
  }

  private func annotations(of member: ModelMember) -> [String] {
    var annotations: [String] = []
    if member.isPrimaryKey { annotations.append("@PrimaryKey") }
    annotations += member.index.choice([], general: ["@Index"], fullText: ["@FullText"])
    if member.name.isMapped, !member.property.isComputed { annotations.append(persistedName(of: member.name)) }
    return annotations
  }

  private func declaration(of member: ModelMember) -> String {
    let name = member.name.code
    let element = Self.types.element(of: member.property, target: member.target?.code)
    if member.property.isComputed {
      return "val \(name): RealmResults<\(element)> by backlinks(\(element)::\(member.origin?.code ?? "link"))"
    }
    let isOptional = member.property.isOptional
    let value = isOptional ? element + "?" : element
    if let collection = member.property.collection?.choice("List", "Set", "Dictionary") {
      return "var \(name): Realm\(collection)<\(value)> = realm\(collection)Of()"
    }
    return "var \(name): \(value) = \(isOptional ? "null" : Self.defaults[member.property.type])"
  }

  private static let types = TypeWords(
    names: TypeNames(
      int: "Long", bool: "Boolean", string: "String", data: "ByteArray", date: "RealmInstant", float: "Float",
      double: "Double", decimal128: "Decimal128", objectID: "ObjectId", uuid: "RealmUUID", mixed: "RealmAny",
      object: "RealmObject"),
    list: "RealmList<", set: "RealmSet<", dictionary: "RealmDictionary<", inverse: "RealmResults<")

  private static let defaults = TypeNames(
    int: "0L", bool: "false", string: "\"\"", data: "byteArrayOf()", date: "RealmInstant.from(0L, 0)", float: "0.0f",
    double: "0.0", decimal128: "Decimal128(\"0\")", objectID: "ObjectId()", uuid: "RealmUUID.random()", mixed: "null",
    object: "null")
}

// MARK: - Imports

extension KotlinModels {
  private func imports(of plan: ModelPlan) -> [String] {
    var names: Set<String> = []
    for model in plan.classes {
      names.insert("io.realm.kotlin.types." + baseClass(of: model.table.kind))
      if model.name.isMapped { names.insert("io.realm.kotlin.types.annotations.PersistedName") }
      for member in model.members where member.isExpressible {
        names.formUnion(typeImports(of: member.property))
        names.formUnion(annotations(of: member).map { "io.realm.kotlin.types.annotations." + annotationName($0) })
      }
    }
    return names.sorted()
  }

  private func typeImports(of property: Property) -> [String] {
    if property.isComputed { return ["io.realm.kotlin.ext.backlinks", "io.realm.kotlin.query.RealmResults"] }
    let element = Self.importedTypes[property.type].map { [$0] } ?? []
    guard let collection = property.collection?.choice("List", "Set", "Dictionary") else { return element }
    return element + ["io.realm.kotlin.ext.realm\(collection)Of", "io.realm.kotlin.types.Realm\(collection)"]
  }

  private static let importedTypes: [PropertyType: String] = [
    .date: "io.realm.kotlin.types.RealmInstant", .decimal128: "org.mongodb.kbson.Decimal128",
    .objectID: "org.mongodb.kbson.ObjectId", .uuid: "io.realm.kotlin.types.RealmUUID",
    .mixed: "io.realm.kotlin.types.RealmAny",
  ]
}

// MARK: - Names

extension KotlinModels {
  static let dialect = ModelDialect(
    sdk: "Realm Kotlin",
    classNames: IdentifierRules(fallback: "Model", reserved: typeNames, written: quotedKeyword),
    propertyNames: { scope in
      IdentifierRules(
        fallback: "property", reserved: typeNames.union(takenMembers).union(scope.linkedClasses), claims: claims,
        written: quotedKeyword)
    },
    indexedTypes: [.bool, .int, .string, .date, .objectID, .uuid, .mixed],
    hasFullTextIndex: true, needsProperties: false)

  @Sendable private static func quotedKeyword(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A property's own name and the accessors that it has in Java: `name` and `Name` both give `getName`.
  @Sendable private static func claims(_ name: String) -> [String] {
    let isStatement = name.hasPrefix("is") && name.dropFirst(2).first.map { !$0.isLowercase } ?? false
    let rest = isStatement ? String(name.dropFirst(2)) : name.prefix(1).uppercased() + name.dropFirst()
    return [name, "set " + rest] + (isStatement ? [] : ["get " + rest])
  }

  /// Words that need backticks to be names.
  static let keywords: Set<String> = [
    "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
    "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var", "when",
    "while",
  ]

  /// Members that every class already has: `get Class` is Java's `getClass`.
  static let takenMembers: Set<String> = ["Companion", "get Class", "io_realm_kotlin_objectReference"]

  /// Types that the generated code uses.
  private static let typeNames: Set<String> = [
    "AsymmetricRealmObject", "Boolean", "ByteArray", "Decimal128", "Double", "EmbeddedRealmObject", "Float",
    "FullText", "Index", "Long", "ObjectId", "PersistedName", "PrimaryKey", "RealmAny", "RealmDictionary",
    "RealmInstant", "RealmList", "RealmObject", "RealmResults", "RealmSet", "RealmUUID", "String",
    "_",
  ]
}
