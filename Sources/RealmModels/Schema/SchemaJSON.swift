import RealmStorage
import RealmText

/// The schema file form: realm-js's schema objects in full, `{"schemaVersion":3,"classes":[…]}`, classes by name.
///
/// Always valid JSON. Names that are not UTF-8 are kept by lone surrogates. `SchemaFile` reads the same schema again, but
/// for links to classes that are called like a type, and for properties that a damaged file has twice.
struct SchemaJSON: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    text.write("{")
    if let version = schema.version { text.write("\"schemaVersion\":\(version),") }
    text.line("\"classes\":[")
    for (index, table) in outline.classes.enumerated() {
      write(table, to: &text)
      text.line(index + 1 < outline.classes.count ? "," : "")
    }
    text.line("]}")
  }

  private func write(_ table: TableSchema, to text: inout SchemaText) {
    noteNames(of: table, in: &text)
    text.write("{\"name\":")
    text.writeJSON(table.displayName)
    text.write(",\"properties\":{")
    for (index, property) in table.properties.enumerated() {
      text.write(index > 0 ? ",\n  " : "\n  ")
      write(property, isPrimaryKey: index == table.primaryKeyIndex, to: &text)
    }
    text.write("},\n \"embedded\":\(table.kind == .embedded),\"asymmetric\":\(table.kind == .asymmetric)")
    if let key = table.primaryKey {
      text.write(",\"primaryKey\":")
      text.writeJSON(key.name)
    }
    text.write("}")
  }

  private func write(_ property: Property, isPrimaryKey: Bool, to text: inout SchemaText) {
    text.writeJSON(property.name)
    text.write(":{\"name\":")
    text.writeJSON(property.name)
    text.write(",\"indexed\":\(indexed(property, isPrimaryKey)),\"mapTo\":")
    text.writeJSON(property.name)
    text.write(",\"type\":\"\(property.collection?.schemaName ?? property.type.schemaName)\"")
    if property.isComputed {
      text.write(",\"objectType\":")
      text.writeJSON(property.targetClass ?? "")
      text.write(",\"optional\":false,\"property\":")
      text.writeJSON(property.originProperty ?? "")
    } else {
      writeElementType(of: property, to: &text)
      text.write(",\"optional\":\(property.isOptional)")
    }
    text.write("}")
  }

  /// Engines since format 10 look primary keys up without an index; a schema says "indexed" nevertheless.
  private func indexed(_ property: Property, _ isPrimaryKey: Bool) -> String {
    property.index.choice(isPrimaryKey ? "true" : "false", general: "true", fullText: "\"full-text\"")
  }

  private func writeElementType(of property: Property, to text: inout SchemaText) {
    if property.type == .object {
      text.write(",\"objectType\":")
      text.writeJSON(property.targetClass ?? "")
    } else if property.collection != nil {
      text.write(",\"objectType\":\"\(property.type.schemaName)\"")
    }
  }

  /// Notes names that other readers may not take, and names that cannot be read back as what they are.
  private func noteNames(of table: TableSchema, in text: inout SchemaText) {
    if !table.name.isValidText {
      text.note(SchemaNote(className: table.displayName, reason: "the name \(table.displayName.shown) is not UTF-8"))
    }
    var seen: Set<RealmString> = []
    for property in table.properties {
      if !property.name.isValidText {
        let reason = "the name \(property.name.shown) is not UTF-8"
        text.note(SchemaNote(className: table.displayName, propertyName: property.name, reason: reason))
      }
      if let target = property.targetClass, !JavaScriptSchema.canLinkTo(target) {
        let reason = "links to \(target.shown), which is the name of a type in this form"
        text.note(SchemaNote(className: table.displayName, propertyName: property.name, reason: reason))
      }
      if !seen.insert(property.name).inserted {
        text.note(
          SchemaNote(className: table.displayName, propertyName: property.name, reason: "the name appears twice"))
      }
    }
  }
}
