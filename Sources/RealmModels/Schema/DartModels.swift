import RealmStorage
import RealmText

/// Model classes for Realm Dart 3 and 20, from which the SDK's generator makes the classes an app uses.
struct DartModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
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
    let type = model.table.kind.choice(
      "", embedded: "ObjectType.embeddedObject", asymmetric: "ObjectType.asymmetricObject")
    text.line("@RealmModel(\(type))")
    if model.name.isMapped { text.line(mapTo(model.name)) }
    text.line("class _\(model.name.code) {")
    for (index, member) in model.members.enumerated() {
      if index > 0 { text.line() }
      write(member, to: &text)
    }
    text.line("}")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    let type = Self.types.type(of: member.property, target: member.target.map { "_" + $0.code })
    member.write(annotations(of: member) + ["late \(type) \(member.name.code);"], "  ", to: &text)
  }

  private func mapTo(_ name: Identifier) -> String { "@MapTo(\(StringEscapes.bracesAndDollar.literal(name.stored)))" }

  private func annotations(of member: ModelMember) -> [String] {
    if let origin = member.origin { return ["@Backlink(#\(origin.code))"] }
    var annotations: [String] = []
    if member.isPrimaryKey { annotations.append("@PrimaryKey()") }
    annotations += member.index.choice(
      [], general: ["@Indexed()"], fullText: ["@Indexed(RealmIndexType.fullText)"])
    if member.name.isMapped { annotations.append(mapTo(member.name)) }
    return annotations
  }

  private static let types = TypeWords(
    names: TypeNames(
      // There is no float; the declaration is a comment.
      int: "int", bool: "bool", string: "String", data: "Uint8List", date: "DateTime", float: "float",
      double: "double", decimal128: "Decimal128", objectID: "ObjectId", uuid: "Uuid", mixed: "RealmValue",
      object: "_RealmObject"),
    list: "List<", set: "Set<", dictionary: "Map<String, ", inverse: "Iterable<")
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

  /// Words that are not names, or that would be read as something else before a name.
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
