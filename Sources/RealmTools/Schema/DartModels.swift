import RealmStorage

/// Model classes for Realm Dart 3 and 20, from which the SDK's generator makes the classes an app uses.
struct DartModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect)
    plan.note(in: &text)
    text.line("// Realm models for Realm Dart\(plan.versionPhrase).")
    for line in ModelPlan.missingParts { text.line("// \(line)") }
    text.line("// Save as models.dart and run `dart run realm_dart generate` (Flutter: realm instead of realm_dart).")
    text.line()
    let usesData = plan.classes.contains { $0.members.contains { $0.isExpressible && $0.property.type == .data } }
    if usesData {
      text.line("import 'dart:typed_data';")
      text.line()
    }
    text.line("import 'package:realm_dart/realm.dart';")
    text.line()
    text.line("part 'models.realm.dart';")
    for model in plan.classes {
      text.line()
      write(model, to: &text)
    }
  }

  private func write(_ model: ModelClass, to text: inout SchemaText) {
    for comment in model.comments { text.line("// \(comment)") }
    text.line("@RealmModel(\(objectType(of: model.table.kind)))")
    if model.name.isMapped { text.line(mapTo(model.name)) }
    text.line("class _\(model.name.code) {")
    for (index, member) in model.members.enumerated() {
      if index > 0 { text.line() }
      write(member, to: &text)
    }
    text.line("}")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    for limit in member.limits { text.line("  // \(member.name.stored.shown): \(limit)") }
    let prefix = member.isExpressible ? "  " : "  // "
    for annotation in annotations(of: member) { text.line(prefix + annotation) }
    text.line("\(prefix)late \(type(of: member)) \(member.name.code);")
  }

  private func mapTo(_ name: Identifier) -> String { "@MapTo(\(StringEscapes.bracesAndDollar.literal(name.stored)))" }

  private func objectType(of kind: TableKind) -> String {
    switch kind {
    case .topLevel: ""
    case .embedded: "ObjectType.embeddedObject"
    case .asymmetric: "ObjectType.asymmetricObject"
    }
  }

  private func annotations(of member: ModelMember) -> [String] {
    if let origin = member.origin { return ["@Backlink(#\(origin.code))"] }
    var annotations: [String] = []
    if member.isPrimaryKey { annotations.append("@PrimaryKey()") }
    switch member.index {
    case .none: break
    case .general: annotations.append("@Indexed()")
    case .fullText: annotations.append("@Indexed(RealmIndexType.fullText)")
    }
    if member.name.isMapped { annotations.append(mapTo(member.name)) }
    return annotations
  }

  private func type(of member: ModelMember) -> String {
    let property = member.property
    let element = elementType(of: member)
    if property.isComputed { return "Iterable<\(element)>" }
    let value = property.isOptional && property.type != .mixed ? element + "?" : element
    switch property.collection {
    case nil: return value
    case .list: return "List<\(value)>"
    case .set: return "Set<\(value)>"
    case .dictionary: return "Map<String, \(value)>"
    }
  }

  private func elementType(of member: ModelMember) -> String {
    switch member.property.type {
    case .int: "int"
    case .bool: "bool"
    case .string: "String"
    case .data: "Uint8List"
    case .date: "DateTime"
    // There is no such type; the declaration is a comment.
    case .float: "float"
    case .double: "double"
    case .decimal128: "Decimal128"
    case .objectID: "ObjectId"
    case .uuid: "Uuid"
    case .mixed: "RealmValue"
    case .object, .linkingObjects: "_" + (member.target?.code ?? "RealmObject")
    }
  }
}

// MARK: - Names

extension DartModels {
  static let dialect = ModelDialect(
    sdk: "Realm Dart",
    classNames: IdentifierRules(
      alphabet: .ascii, fallback: "Model", reserved: keywords.union(builtInWords).union(typeNames),
      shaped: withoutUnderscores),
    propertyNames: { scope in
      let taken = keywords.union(typeNames).union(takenMembers).union(scope.linkedClasses).union([scope.className])
      return IdentifierRules(alphabet: .ascii, fallback: "property", reserved: taken, shaped: withoutUnderscores)
    },
    indexedTypes: [.int, .bool, .string, .mixed, .date, .objectID, .uuid],
    hasFullTextIndex: true, asymmetricKey: "_id", missingTypes: [.float], needsProperties: false,
    unescapedCharacters: ["'", "\\", "$", "\n", "\r"])

  /// A leading underscore makes a name private to its file.
  @Sendable private static func withoutUnderscores(_ name: String) -> String { String(name.drop { $0 == "_" }) }

  /// Words that are no names, or that would be read as something else before a name.
  private static let keywords: Set<String> = [
    "abstract", "assert", "break", "case", "catch", "class", "const", "continue", "covariant", "default", "do",
    "dynamic", "else", "enum", "extends", "external", "factory", "false", "final", "finally", "for", "get", "if", "in",
    "is", "late", "new", "null", "operator", "required", "rethrow", "return", "set", "static", "super", "switch",
    "this", "throw", "true", "try", "var", "void", "while", "with",
  ]

  /// Words that may name a property but no class.
  private static let builtInWords: Set<String> = [
    "as", "await", "deferred", "export", "extension", "implements", "import", "interface", "library", "mixin", "part",
    "type", "typedef", "yield",
  ]

  /// Types that the code and what the SDK generates from it use. A property must not hide one either.
  private static let typeNames: Set<String> = [
    "AsymmetricObject", "Backlink", "DateTime", "Decimal128", "EJsonValue", "EmbeddedObject", "Function", "Indexed",
    "Iterable", "List", "Map", "MapTo", "Object", "ObjectId", "ObjectType", "PrimaryKey", "Realm",
    "RealmCollectionType",
    "RealmEntity", "RealmError", "RealmIndexType", "RealmList", "RealmMap", "RealmModel", "RealmObject",
    "RealmObjectBase", "RealmObjectChanges", "RealmPropertyType", "RealmResults", "RealmSet", "RealmValue",
    "SchemaObject", "SchemaProperty", "Set", "Stream", "String", "Uint8List", "Uuid", "bool", "double", "int", "num",
  ]

  /// Members that every object has, or that the SDK's generator adds.
  private static let takenMembers: Set<String> = [
    "changes", "changesFor", "ejson", "freeze", "fromEJson", "getBacklinks", "hashCode", "isFrozen", "isManaged",
    "isValid", "noSuchMethod", "objectSchema", "raiseInvalidEJson", "realm", "register", "runtimeType", "schema",
    "toEJson", "toString",
  ]
}
