import RealmStorage

/// Model classes for Realm .NET 12.
struct CSharpModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect)
    plan.note(in: &text)
    text.line("// Realm models for Realm .NET\(plan.versionPhrase).")
    for line in ModelPlan.missingParts { text.line("// \(line)") }
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
    text.line("    public partial class \(model.name.code) : \(interface(of: model.table.kind))")
    text.line("    {")
    for (index, member) in model.members.enumerated() {
      if index > 0 { text.line() }
      write(member, to: &text)
    }
    text.line("    }")
  }

  private func write(_ member: ModelMember, to text: inout SchemaText) {
    for limit in member.limits { text.line("        // \(member.name.stored.shown): \(limit)") }
    let prefix = member.isExpressible ? "        " : "        // "
    for attribute in attributes(of: member) { text.line(prefix + attribute) }
    text.line("\(prefix)public \(type(of: member)) \(member.name.code) \(accessors(of: member))")
  }

  private func mapTo(_ name: Identifier) -> String { "[MapTo(\(StringEscapes.fourDigits.literal(name.stored)))]" }

  private func interface(of kind: TableKind) -> String {
    switch kind {
    case .topLevel: "IRealmObject"
    case .embedded: "IEmbeddedObject"
    case .asymmetric: "IAsymmetricObject"
    }
  }

  private func attributes(of member: ModelMember) -> [String] {
    var attributes: [String] = []
    if member.isPrimaryKey { attributes.append("[PrimaryKey]") }
    switch member.index {
    case .none: break
    case .general: attributes.append("[Indexed]")
    case .fullText: attributes.append("[Indexed(IndexType.FullText)]")
    }
    if let target = member.target, let origin = member.origin {
      attributes.append("[Backlink(nameof(\(target.code).\(origin.code)))]")
    } else if member.name.isMapped {
      attributes.append(mapTo(member.name))
    }
    return attributes
  }

  private func type(of member: ModelMember) -> String {
    let property = member.property
    let element = elementType(of: member)
    if property.isComputed { return "IQueryable<\(element)>" }
    let value = property.isOptional && property.type != .mixed ? element + "?" : element
    switch property.collection {
    case nil: return value
    case .list: return "IList<\(value)>"
    case .set: return "ISet<\(value)>"
    case .dictionary: return "IDictionary<string, \(value)>"
    }
  }

  private func elementType(of member: ModelMember) -> String {
    switch member.property.type {
    case .int: "long"
    case .bool: "bool"
    case .string: "string"
    case .data: "byte[]"
    case .date: "DateTimeOffset"
    case .float: "float"
    case .double: "double"
    case .decimal128: "Decimal128"
    case .objectID: "ObjectId"
    case .uuid: "Guid"
    case .mixed: "RealmValue"
    case .object, .linkingObjects: member.target?.code ?? "IRealmObject"
    }
  }

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

  /// Words that stand after `@` where they are names. Properties begin with a capital, so only classes can be among them.
  private static let keywords: Set<String> = [
    "abstract", "as", "base", "bool", "break", "byte", "case", "catch", "char", "checked", "class", "const", "continue",
    "decimal", "default", "delegate", "do", "double", "else", "enum", "event", "explicit", "extern", "false", "finally",
    "fixed", "float", "for", "foreach", "goto", "if", "implicit", "in", "int", "interface", "internal", "is", "lock",
    "long", "namespace", "new", "null", "object", "operator", "out", "override", "params", "private", "protected",
    "public", "readonly", "record", "ref", "return", "sbyte", "sealed", "short", "sizeof", "stackalloc", "static",
    "string", "struct", "switch", "this", "throw", "true", "try", "typeof", "uint", "ulong", "unchecked", "unsafe",
    "ushort", "using", "virtual", "void", "volatile", "while",
  ]

  /// Types and namespaces that the generated code uses, and words that are no name of a class.
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
