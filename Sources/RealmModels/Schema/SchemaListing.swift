import RealmStorage
import RealmText

/// The default listing, for people at a terminal.
///
/// ```
/// schema version 3: 2 classes, 5 properties, 1 relation
///
/// class Person
///   _id: Int            primary key
///   nick: String?
///   dogs: List<Dog>
/// ```
struct SchemaListing: SchemaForm {
  /// Whether tables that are not classes follow the classes.
  let includesInternal: Bool
  /// How many classes the schema lacks, because they cannot be read.
  let unreadableClassCount: Int
  let isVersionUnreadable: Bool

  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    text.line(summary(of: outline))
    for table in outline.classes { write(table, incoming: outline.links(to: table), to: &text) }
    guard includesInternal else { return }
    for table in schema.tables where !table.isClass { write(table, incoming: [], to: &text) }
  }

  private func summary(of outline: SchemaOutline) -> String {
    let version =
      outline.version.map { "schema version \($0)" }
      ?? (isVersionUnreadable ? "unknown schema version" : "no schema version")
    let propertyCount = outline.classes.reduce(0) { $0 + $1.properties.count }
    let unreadable = unreadableClassCount > 0 ? ", \(unreadableClassCount) of which cannot be read" : ""
    let counts = [
      Self.count(outline.classes.count + unreadableClassCount, "class", "classes") + unreadable,
      Self.count(propertyCount, "property", "properties"),
      Self.count(outline.relationCount, "link", "links"),
    ]
    return "\(version): \(counts.joined(separator: ", "))"
  }

  private static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  private func write(_ table: TableSchema, incoming: [SchemaOutline.IncomingLink], to text: inout SchemaText) {
    text.line()
    text.line("\(kindText(of: table)) \(table.displayName.shown)")
    let declarations = table.properties.map { "\($0.name.shown): \(typeText(of: $0))" }
    let width = min(declarations.map(\.count).max() ?? 0, Self.widestColumn)
    for (index, declaration) in declarations.enumerated() {
      let attribute = attributeText(of: table.properties[index], isPrimaryKey: index == table.primaryKeyIndex)
      let padding = String(repeating: " ", count: max(width - declaration.count, 0))
      text.line(attribute.isEmpty ? "  \(declaration)" : "  \(declaration)\(padding)  \(attribute)")
    }
    for link in incoming { text.line("  // <- \(link.className.shown).\(link.property.name.shown)") }
  }

  /// A longer declaration does not push the attributes of the others out of sight.
  private static let widestColumn = 40

  private func kindText(of table: TableSchema) -> String {
    guard table.isClass else { return "internal table" }
    return table.kind.choice("class", embedded: "embedded class", asymmetric: "asymmetric class")
  }

  private func typeText(of property: Property) -> String {
    let target = property.targetClass?.shown
    guard !property.isComputed else {
      return "\(Self.types.element(of: property, target: target)).\(property.originProperty?.shown ?? "") inverse"
    }
    return Self.types.type(of: property, target: target)
  }

  private static let types = TypeWords(
    names: TypeNames(
      int: "Int", bool: "Bool", string: "String", data: "Data", date: "Date", float: "Float", double: "Double",
      decimal128: "Decimal128", objectID: "ObjectId", uuid: "UUID", mixed: "Mixed", object: "?"),
    list: "List<", set: "Set<", dictionary: "Map<String, ", inverse: "")

  private func attributeText(of property: Property, isPrimaryKey: Bool) -> String {
    isPrimaryKey ? "primary key" : property.index.choice("", general: "indexed", fullText: "full-text index")
  }
}
