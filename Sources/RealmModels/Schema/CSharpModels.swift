import RealmStorage
import RealmText

/// Model classes for Realm .NET 12.
struct CSharpModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
    text.line()
    text.line("#nullable enable")
    text.line()
    for name in ["System", "System.Collections.Generic", "System.Linq", "MongoDB.Bson", "Realms"] {
      text.line("using \(name);")
    }
    text.line()
    text.line("namespace MyProject.Models")
    text.line("{")
    for (index, model) in plan.classes.enumerated() {
      if index > 0 { text.line() }
      write(model, to: &text)
    }
    text.line("}")
  }

  private func write(_ model: ModelClass, to text: inout SchemaText) {
    for comment in model.comments { text.line("    // \(comment)") }
    if model.name.isMapped { text.line("    \(mapTo(model.name))") }
    let interface = model.table.kind.choice(
      "IRealmObject", embedded: "IEmbeddedObject", asymmetric: "IAsymmetricObject")
    text.line("    public partial class \(model.name.code) : \(interface)")
    text.line("    {")
    for (index, member) in model.members.enumerated() {
      if index > 0 { text.line() }
      write(member, to: &text)
    }
    text.line("    }")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    let declaration = "public \(member.type(Self.types)) \(member.name.code) \(accessors(of: member))"
    member.write(attributes(of: member) + [declaration], "        ", to: &text)
  }

  private func mapTo(_ name: Identifier) -> String { "[MapTo(\(StringEscapes.fourDigits.literal(name.stored)))]" }

  private func attributes(of member: ModelMember) -> [String] {
    var attributes: [String] = []
    if member.isPrimaryKey { attributes.append("[PrimaryKey]") }
    attributes += member.index.choice([], general: ["[Indexed]"], fullText: ["[Indexed(IndexType.FullText)]"])
    if let target = member.target, let origin = member.origin {
      attributes.append("[Backlink(nameof(\(target.code).\(origin.code)))]")
    } else if member.name.isMapped {
      attributes.append(mapTo(member.name))
    }
    return attributes
  }

  private static let types = TypeWords(
    names: TypeNames(
      int: "long", bool: "bool", string: "string", data: "byte[]", date: "DateTimeOffset", float: "float",
      double: "double", decimal128: "Decimal128", objectID: "ObjectId", uuid: "Guid", mixed: "RealmValue",
      object: "IRealmObject"),
    list: "IList<", set: "ISet<", dictionary: "IDictionary<string, ", inverse: "IQueryable<")

  private func accessors(of member: ModelMember) -> String {
    let property = member.property
    if property.collection != nil || property.isComputed { return "{ get; } = null!;" }
    guard !property.isOptional else { return "{ get; set; }" }
    switch property.type {
    case .string: return "{ get; set; } = \"\";"
    case .data: return "{ get; set; } = new byte[0];"
    default: return "{ get; set; }"
    }
  }
}

// MARK: - Names

extension CSharpModels {
  static let dialect = ModelDialect(
    sdk: "Realm .NET",
    classNames: IdentifierRules(
      fallback: "Model", reserved: typeNames, written: { keywords.contains($0) ? "@" + $0 : $0 }),
    propertyNames: { scope in
      let taken = takenMembers.union(scope.kind == .embedded ? [scope.className, "Parent"] : [scope.className])
      return IdentifierRules(fallback: "Property", reserved: taken, shaped: capitalized)
    },
    indexedTypes: [.int, .bool, .string, .objectID, .uuid, .date, .mixed],
    hasFullTextIndex: true, unescapedCharacters: ["\"", "\\", "\n", "\r"])

  /// `_id` becomes `Id`, `firstName` becomes `FirstName`.
  @Sendable private static func capitalized(_ name: String) -> String {
    let bare = name.drop { $0 == "_" }
    return bare.prefix(1).uppercased() + bare.dropFirst()
  }

  /// Keywords, which need `@` in front to be names. Properties begin with a capital, so only classes can have such
  /// names.
  private static let keywords: Set<String> = [
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue",
    "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit", "extern", "false", "finally",
    "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock",
    "long", "namespace", "new", "null", "object", "operator", "out", "override", "params", "private", "protected",
    "public", "readonly", "record", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static",
    "string", "struct", "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe",
    "ushort", "using", "virtual", "void", "volatile", "while",
  ]

  /// Types and namespaces that the generated code uses, and words that are not the name of a class.
  private static let typeNames: Set<String> = [
    "Backlink", "BacklinkAttribute", "DateTimeOffset", "Decimal128", "Guid", "IAsymmetricObject", "IDictionary",
    "IEmbeddedObject", "IList", "IQueryable", "IRealmObject", "ISet", "IndexType", "Indexed", "IndexedAttribute",
    "MapTo", "MapToAttribute", "Models", "MongoDB", "MyProject", "ObjectId", "PrimaryKey", "PrimaryKeyAttribute",
    "Realm", "RealmValue", "Realms", "System", "_", "async", "await", "dynamic", "file", "nameof", "nint", "notnull",
    "nuint", "partial", "required", "scoped", "unmanaged", "var", "where", "yield",
  ]

  /// Members that every object has, or that the SDK's code generator adds to the class.
  private static let takenMembers: Set<String> = [
    "Accessor", "BacklinksCount", "DynamicApi", "Equals", "Finalize", "GetHashCode", "GetType", "GetTypeInfo",
    "IsFrozen", "IsManaged", "IsValid", "MemberwiseClone", "ObjectSchema", "OnManaged", "OnPropertyChanged",
    "PropertyChanged", "RaisePropertyChanged", "Realm", "RealmSchema", "ReferenceEquals", "SubscribeForNotifications",
    "ToString", "UnsubscribeFromNotifications", "_accessor", "_propertyChanged",
  ]
}
