import RealmStorage

/// Names of members of our own JSON that are not properties, chosen so that no property can be mistaken for them.
/// `export` and the readers of its text derive them from the schema.
extension TableSchema {
  /// The name of the table in a document or line: that of the class, or for an internal table one that no class has.
  func documentName(in schema: Schema) -> RealmString {
    var name = displayName
    guard !isClass else { return name }
    while schema.classNamed(name) != nil { name = RealmString("\(name)\(Self.internalMark)") }
    return name
  }

  /// Whether a name that no class has is that of the table with the schema version.
  static func isSchemaVersionTable(documentName: RealmString) -> Bool {
    var name = documentName.description[...]
    while name.hasSuffix(internalMark) { name = name.dropLast(internalMark.count) }
    return name == "metadata"
  }

  private static let internalMark = " (internal)"

  /// Whether an embedded object without its class around it could look as if it had it: `{"$embedded":…}`.
  var hasPropertyLikeWrapper: Bool { property(named: "$embedded") != nil }
}

/// Whether the lines of `ndjson` can be bare objects, without the name of their class.
///
/// A bare object must look neither like an object wrapped with its class, `{"class":"A","value":{…}}`, nor like a
/// document, `{"A":[…]}`. Readers decide by the first member.
struct BareLines {
  private let schema: Schema
  private let options: ExportOptions

  init(_ schema: Schema, _ options: ExportOptions) { (self.schema, self.options) = (schema, options) }

  /// Whether the only table of the export may have bare objects.
  var areAllowed: Bool {
    guard options.tables.count == 1, let table = options.tables.first?.schema else { return false }
    if options.showsObjectKeys, table.primaryKeyIndex == nil { return true }
    guard let first = table.properties.first(where: isWritten) else { return false }
    if first.name == "class", table.property(named: "value") != nil { return false }
    guard isArray(first) else { return true }
    return first.name != "metadata" && !schema.tables.contains { $0.name == first.name || $0.displayName == first.name }
  }

  private func isWritten(_ property: Property) -> Bool {
    guard options.links == .none, property.type == .object else { return true }
    return property.target.flatMap(schema.tableNamed)?.kind == .embedded
  }

  private func isArray(_ property: Property) -> Bool {
    property.collection == .list || property.collection == .set || property.type == .mixed
  }
}
