import RealmStorage
import RealmText

/// The engine's document: one line per table, in the order of the file, names not escaped.
struct CoreDocument: ExportDocument {
  let showsObjectKeys = true

  func open(_ text: TextBuffer) { text.append("{\n") }

  func open(_ table: Table, isFirst: Bool, _ text: TextBuffer) {
    text.append(isFirst ? "\"" : ",\"")
    text.append(table.schema.displayName)
    text.append("\":[")
  }

  func separateObject(isFirst: Bool, isFirstOfAll: Bool, _ text: TextBuffer) {
    if !isFirst { text.append(byte: UInt8(ascii: ",")) }
  }

  func closeObject(_ text: TextBuffer) {}
  func close(_ table: Table, _ text: TextBuffer) { text.append("]\n") }
  func close(_ text: TextBuffer) { text.append("}\n") }
}

/// `json`: one object with a member per class, one line per object.
struct JSONDocument: ExportDocument {
  let showsObjectKeys: Bool
  private let schema: Schema

  init(_ options: ExportOptions, in schema: Schema) {
    (showsObjectKeys, self.schema) = (options.showsObjectKeys, schema)
  }

  func open(_ text: TextBuffer) { text.append("{") }

  func open(_ table: Table, isFirst: Bool, _ text: TextBuffer) {
    if !isFirst { text.append(",\n") }
    text.appendJSON(table.schema.documentName(in: schema), style: .standard)
    text.append(":[")
  }

  func separateObject(isFirst: Bool, isFirstOfAll: Bool, _ text: TextBuffer) {
    text.append(isFirst ? "\n" : ",\n")
  }

  func closeObject(_ text: TextBuffer) {}
  func close(_ table: Table, _ text: TextBuffer) { text.append("]") }
  func close(_ text: TextBuffer) { text.append("}\n") }
}

/// `ndjson`: a line per object. The object has no wrapper if one class was requested by name and nothing else can be
/// mistaken for it; otherwise it is wrapped with the name of its class.
struct LineDocument: ExportDocument {
  let showsObjectKeys: Bool
  private let isBare: Bool
  private let schema: Schema

  init(_ options: ExportOptions, in schema: Schema) {
    (showsObjectKeys, self.schema) = (options.showsObjectKeys, schema)
    isBare = options.isSingleClass && BareLines(schema, options).areAllowed
  }

  func open(_ text: TextBuffer) {}
  func open(_ table: Table, isFirst: Bool, _ text: TextBuffer) {}

  func separateObject(isFirst: Bool, isFirstOfAll: Bool, _ text: TextBuffer) {}

  func appendHead(ofObjectsIn table: Table, to text: TextBuffer) {
    guard !isBare else { return }
    text.append("{\"class\":")
    text.appendJSON(table.schema.documentName(in: schema), style: .standard)
    text.append(",\"value\":")
  }

  func closeObject(_ text: TextBuffer) { text.append(isBare ? "\n" : "}\n") }
  func close(_ table: Table, _ text: TextBuffer) {}
  func close(_ text: TextBuffer) {}
}

/// `typed` and `typed-ndjson`: a line per object with its class and object key, with or without an array around.
struct TypedDocument: ExportDocument {
  let inArray: Bool
  let schema: Schema
  let showsObjectKeys = false

  func open(_ text: TextBuffer) { if inArray { text.append("[") } }
  func open(_ table: Table, isFirst: Bool, _ text: TextBuffer) {}

  func separateObject(isFirst: Bool, isFirstOfAll: Bool, _ text: TextBuffer) {
    if inArray { text.append(isFirstOfAll ? "\n" : ",\n") }
  }

  func appendHead(ofObjectsIn table: Table, to text: TextBuffer) {
    text.append("{\"class\":")
    text.appendJSON(table.schema.documentName(in: schema), style: .lossless)
    text.append(",\"objKey\":")
  }

  func openObject(_ key: ObjectKey, _ text: TextBuffer) {
    text.append(integer: key.rawValue)
    text.append(",\"value\":")
  }

  func closeObject(_ text: TextBuffer) { text.append(inArray ? "}" : "}\n") }
  func close(_ table: Table, _ text: TextBuffer) {}
  func close(_ text: TextBuffer) { if inArray { text.append("\n]\n") } }
}
