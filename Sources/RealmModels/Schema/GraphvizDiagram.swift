import RealmStorage
import RealmText

/// A graph for Graphviz: a table for each class, and an edge from each link to its target class.
struct GraphvizDiagram: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    text.line("digraph realm {")
    text.line("  rankdir=LR;")
    text.line("  node [shape=plain fontname=\"Helvetica\"];")
    text.line("  edge [fontname=\"Helvetica\" fontsize=10];")
    for (index, table) in outline.classes.enumerated() { write(table, at: index, to: &text) }
    for (index, table) in outline.classes.enumerated() {
      for (row, property) in table.properties.enumerated() where property.type == .object {
        guard let target = outline.position(ofTable: property.target) else {
          let reason = "links to \(property.targetClass?.shown ?? "nowhere"), which is not a class of this schema"
          text.note(SchemaNote(className: table.displayName, propertyName: property.name, reason: reason))
          continue
        }
        let style = outline.classes[target].kind == .embedded ? " dir=both arrowtail=diamond" : ""
        text.line("  c\(index):p\(row):e -> c\(target):name [arrowhead=\(arrowhead(of: property))\(style)];")
      }
    }
    text.line("}")
  }

  /// A crow's foot for a to-many link.
  private func arrowhead(of property: Property) -> String { property.collection == nil ? "normal" : "crow" }

  private func write(_ table: TableSchema, at index: Int, to text: inout SchemaText) {
    text.line("  c\(index) [label=<<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"4\">")
    text.line(
      "    <TR><TD PORT=\"name\" BGCOLOR=\"lightgrey\"><B>\(Self.escaped(table.displayName))</B>\(kindText(of: table))</TD></TR>"
    )
    for (row, property) in table.properties.enumerated() {
      let name = Self.escaped(property.name)
      let title = row == table.primaryKeyIndex ? "<U>\(name)</U>" : name
      text.line("    <TR><TD PORT=\"p\(row)\" ALIGN=\"LEFT\">\(title): \(typeText(of: property))</TD></TR>")
    }
    text.line("  </TABLE>>];")
  }

  private func kindText(of table: TableSchema) -> String {
    table.kind.choice("", embedded: " <I>embedded</I>", asymmetric: " <I>asymmetric</I>")
  }

  private func typeText(of property: Property) -> String {
    let isLink = property.type == .object || property.isComputed
    let base = isLink ? Self.escaped(property.targetClass ?? "") : property.type.schemaName
    if property.isComputed { return "linkingObjects&lt;\(base)&gt;" }
    let value = property.isOptional && property.type != .mixed ? base + "?" : base
    return property.collection.map { "\($0.schemaName)&lt;\(value)&gt;" } ?? value
  }

  /// The name inside an HTML-like label. Characters that XML does not have appear as U+FFFD; an empty name as a space,
  /// because Graphviz takes no empty element.
  private static func escaped(_ name: RealmString) -> String {
    guard !name.isEmpty else { return " " }
    return name.description.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "[", "]": "&#\(scalar.value);"
      default: scalar.isInvisible || scalar.value == 0xfffe || scalar.value == 0xffff ? "\u{FFFD}" : String(scalar)
      }
    }.joined()
  }
}
