import RealmStorage

/// Model classes for Realm Kotlin 1.16 and later.
struct KotlinModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect)
    plan.note(in: &text)
    text.line("// Realm models for Realm Kotlin\(plan.versionPhrase).")
    for line in ModelPlan.missingParts { text.line("// \(line)") }
    text.line("// Put the package of the app in place of your.package.name.here.")
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
    for member in model.members { write(member, to: &text) }
    text.line("}")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    for limit in member.limits { text.line("    // \(member.name.stored.shown): \(limit)") }
    let prefix = member.isExpressible ? "    " : "    // "
    for annotation in annotations(of: member) { text.line(prefix + annotation) }
    text.line(prefix + declaration(of: member))
  }

  private func persistedName(of name: Identifier) -> String {
    "@PersistedName(\(StringEscapes.fourDigitsAndDollar.literal(name.stored)))"
  }

  private func baseClass(of kind: TableKind) -> String {
    switch kind {
    case .topLevel: "RealmObject"
    case .embedded: "EmbeddedRealmObject"
    case .asymmetric: "AsymmetricRealmObject"
    }
  }

  private func annotations(of member: ModelMember) -> [String] {
    var annotations: [String] = []
    if member.isPrimaryKey { annotations.append("@PrimaryKey") }
    switch member.index {
    case .none: break
    case .general: annotations.append("@Index")
    case .fullText: annotations.append("@FullText")
    }
    if member.name.isMapped, !member.property.isComputed { annotations.append(persistedName(of: member.name)) }
    return annotations
  }

  private func declaration(of member: ModelMember) -> String {
    let name = member.name.code
    let element = elementType(of: member)
    if member.property.isComputed {
      return "val \(name): RealmResults<\(element)> by backlinks(\(element)::\(member.origin?.code ?? "link"))"
    }
    let value = member.property.isOptional ? element + "?" : element
    switch member.property.collection {
    case nil:
      return "var \(name): \(value) = \(member.property.isOptional ? "null" : defaultValue(of: member.property.type))"
    case .list: return "var \(name): RealmList<\(value)> = realmListOf()"
    case .set: return "var \(name): RealmSet<\(value)> = realmSetOf()"
    case .dictionary: return "var \(name): RealmDictionary<\(value)> = realmDictionaryOf()"
    }
  }

  private func elementType(of member: ModelMember) -> String {
    switch member.property.type {
    case .int: "Long"
    case .bool: "Boolean"
    case .string: "String"
    case .data: "ByteArray"
    case .date: "RealmInstant"
    case .float: "Float"
    case .double: "Double"
    case .decimal128: "Decimal128"
    case .objectID: "ObjectId"
    case .uuid: "RealmUUID"
    case .mixed: "RealmAny"
    case .object, .linkingObjects: member.target?.code ?? "RealmObject"
    }
  }

  private func defaultValue(of type: PropertyType) -> String {
    switch type {
    case .int: "0L"
    case .bool: "false"
    case .string: "\"\""
    case .data: "byteArrayOf()"
    case .date: "RealmInstant.from(0L, 0)"
    case .float: "0.0f"
    case .double: "0.0"
    case .decimal128: "Decimal128(\"0\")"
    case .objectID: "ObjectId()"
    case .uuid: "RealmUUID.random()"
    case .mixed, .object, .linkingObjects: "null"
    }
  }
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

  /// `PersistedName` for `@PersistedName("x")`.
  private func annotationName(_ annotation: String) -> String { String(annotation.dropFirst().prefix { $0 != "(" }) }

  private func typeImports(of property: Property) -> [String] {
    if property.isComputed { return ["io.realm.kotlin.ext.backlinks", "io.realm.kotlin.query.RealmResults"] }
    switch property.collection {
    case nil: return elementImports(of: property.type)
    case .list:
      return elementImports(of: property.type) + ["io.realm.kotlin.ext.realmListOf", "io.realm.kotlin.types.RealmList"]
    case .set:
      return elementImports(of: property.type) + ["io.realm.kotlin.ext.realmSetOf", "io.realm.kotlin.types.RealmSet"]
    case .dictionary:
      return elementImports(of: property.type) + [
        "io.realm.kotlin.ext.realmDictionaryOf", "io.realm.kotlin.types.RealmDictionary",
      ]
    }
  }

  private func elementImports(of type: PropertyType) -> [String] {
    switch type {
    case .date: ["io.realm.kotlin.types.RealmInstant"]
    case .decimal128: ["org.mongodb.kbson.Decimal128"]
    case .objectID: ["org.mongodb.kbson.ObjectId"]
    case .uuid: ["io.realm.kotlin.types.RealmUUID"]
    case .mixed: ["io.realm.kotlin.types.RealmAny"]
    case .int, .bool, .string, .data, .float, .double, .object, .linkingObjects: []
    }
  }
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

  /// Words that stand between backticks where they are names.
  private static let keywords: Set<String> = [
    "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
    "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var", "when",
    "while",
  ]

  /// What a class already has: `get Class` is Java's `getClass`.
  private static let takenMembers: Set<String> = ["Companion", "get Class", "io_realm_kotlin_objectReference"]

  /// Types that the generated code uses.
  private static let typeNames: Set<String> = [
    "AsymmetricRealmObject", "Boolean", "ByteArray", "Decimal128", "Double", "EmbeddedRealmObject", "Float",
    "FullText", "Index", "Long", "ObjectId", "PersistedName", "PrimaryKey", "RealmAny", "RealmDictionary",
    "RealmInstant", "RealmList", "RealmObject", "RealmResults", "RealmSet", "RealmUUID", "String",
    "_",
  ]
}
