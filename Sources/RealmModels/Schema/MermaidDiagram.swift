import RealmStorage
import RealmText

/// A class diagram for Mermaid: the classes with their properties, an arrow for each link.
///
/// Embedded classes are connected to their parents by a diamond.
struct MermaidDiagram: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    let names = Self.names.identifiers(for: outline.classes.map(\.displayName))
    text.line("classDiagram")
    for (table, name) in zip(outline.classes, names) { write(table, named: name, to: &text) }
    for (table, name) in zip(outline.classes, names) {
      for property in table.properties where property.type == .object {
        guard let position = outline.position(ofTable: property.target) else {
          let reason = "links to \(property.targetClass?.shown ?? "nowhere"), which is not a class of this schema"
          text.note(SchemaNote(className: table.displayName, propertyName: property.name, reason: reason))
          continue
        }
        let arrow = outline.classes[position].kind == .embedded ? "--*" : "<--"
        text.line("\(names[position].code) \(arrow) \(name.code) : \(Self.encoded(property.name))")
      }
    }
  }

  private func write(_ table: TableSchema, named name: Identifier, to text: inout SchemaText) {
    let label = name.isMapped ? "[\"\(Self.encoded(table.displayName))\"]" : ""
    let lines =
      table.kind.choice([], embedded: ["<<embedded>>"], asymmetric: ["<<asymmetric>>"])
      + table.properties.map(member)
    guard !lines.isEmpty else { return text.line("class \(name.code)\(label)") }
    text.line("class \(name.code)\(label) {")
    for line in lines { text.line("  \(line)") }
    text.line("}")
  }

  private func member(_ property: Property) -> String {
    let isLink = property.type == .object || property.isComputed
    let base = isLink ? Self.encoded(property.targetClass ?? "") : property.type.schemaName
    let element = property.isOptional && property.type != .mixed && !isLink ? base + "?" : base
    let name = Self.encoded(property.name)
    if property.isComputed { return "+linkingObjects~\(element)~ \(name)" }
    return property.collection.map { "+\($0.schemaName)~\(element)~ \(name)" } ?? "+\(element) \(name)"
  }

  /// The text with everything that has a meaning in a diagram as `#code;`, which Mermaid turns back when it draws.
  private static func encoded(_ name: RealmString) -> String {
    // Text between underscores would be drawn bold.
    let isBetweenUnderscores = name.hasPrefix("_") && name.utf8.last == UInt8(ascii: "_")
    return name.description.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": return String(scalar)
      case "_" where !isBetweenUnderscores: return "_"
      default:
        if scalar.isInvisible { return "\u{FFFD}" }
        return scalar.value > 0x7f ? String(scalar) : "#\(scalar.value);"
      }
    }.joined()
  }

  /// The keywords of the diagram's grammar, and names that its drawing code would confuse with members of every
  /// JavaScript object.
  private static let names = IdentifierRules(
    alphabet: .ascii, fallback: "Class",
    reserved: [
      "__proto__", "_blank", "_parent", "_self", "_top", "accDescr", "accTitle", "call", "callback", "class",
      "classDef",
      "classDiagram", "click", "constructor", "cssClass", "default", "direction", "end", "graph", "hasOwnProperty",
      "href", "link", "namespace", "note", "o", "prototype", "style", "subgraph", "title", "toString", "valueOf",
    ])
}
