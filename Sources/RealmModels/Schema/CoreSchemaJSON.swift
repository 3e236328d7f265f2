import RealmStorage
import RealmText

/// The output of the reference engine's `realm2json --schema`, byte for byte: every table, internal ones included, in
/// the order of the file, one line for each.
///
/// As there, quotation marks and backslashes in names are copied unchanged, which makes the text invalid JSON. Only
/// characters that a terminal would obey, and bytes that are not UTF-8, are escaped.
struct CoreSchemaJSON: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    text.line("[")
    for (index, table) in schema.tables.enumerated() {
      write(table, to: &text)
      text.line(index + 1 < schema.tables.count ? "," : "")
    }
    text.line("]")
  }

  private func write(_ table: TableSchema, to text: inout SchemaText) {
    noteNames(of: table, in: &text)
    text.write("{")
    write(key: "name", name: table.name, to: &text)
    if let key = table.primaryKey {
      text.write(",")
      write(key: "primaryKey", name: key.name, to: &text)
    }
    text.write(",\"tableType\":\"\(table.kind.rawValue)\",\"properties\":[")
    for (index, property) in table.properties.filter({ !$0.isComputed }).enumerated() {
      if index > 0 { text.write(",") }
      write(property, to: &text)
    }
    text.write("]}")
  }

  private func write(_ property: Property, to text: inout SchemaText) {
    text.write("{")
    write(key: "name", name: property.name, to: &text)
    text.write(",\"type\":\"\(property.type.coreName ?? "")\"")
    if property.type == .object {
      text.write(",")
      write(key: "objectType", name: property.target ?? "", to: &text)
    }
    if let collection = property.collection {
      text.write(collection.choice(",\"isArray\":true", ",\"isSet\":true", ",\"isMap\":true,\"keyType\":\"string\""))
    }
    if property.isOptional { text.write(",\"isOptional\":true") }
    text.write(
      property.index.choice("", general: ",\"isIndexed\":true", fullText: ",\"isFulltextIndexed\":true"))
    text.write("}")
  }

  private func write(key: String, name: RealmString, to text: inout SchemaText) {
    text.write("\"\(key)\":\"")
    var rest = name.utf8[...]
    while !rest.isEmpty {
      let plain = rest.prefix { !Self.isCopied($0) }
      let inner = SchemaText.json(RealmString(utf8: Array(plain)))
      text.write(inner.dropFirst().dropLast())
      rest = rest.dropFirst(plain.count)
      text.write(rest.prefix { Self.isCopied($0) })
      rest = rest.drop { Self.isCopied($0) }
    }
    text.write("\"")
  }

  private static func isCopied(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

  private func noteNames(of table: TableSchema, in text: inout SchemaText) {
    let reason = "the name makes the text invalid JSON"
    if table.name.utf8.contains(where: Self.isCopied) {
      text.note(SchemaNote(className: table.displayName, reason: reason))
    }
    for property in table.properties where property.name.utf8.contains(where: Self.isCopied) {
      text.note(SchemaNote(className: table.displayName, propertyName: property.name, reason: reason))
    }
  }
}
