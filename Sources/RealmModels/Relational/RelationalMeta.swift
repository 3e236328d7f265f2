import RealmStorage
import RealmText

/// The tables of a SQLite file that are not classes: what SQL cannot say.
package enum RelationalMeta: CaseIterable, Sendable {
  case schema, keys, values

  package var name: String {
    switch self {
    case .schema: "_realm_schema"
    case .keys: "_realm_keys"
    case .values: "_realm_values"
    }
  }

  package static let names = Set(allCases.map(\.name))

  package var columns: [String] {
    switch self {
    case .schema: ["schema", "schema_version", "file_format", "dates", "names"]
    case .keys: ["class", "object", "key"]
    case .values: ["class", "property", "owner", "position", "value"]
    }
  }

  /// For readers that look for the values of one owner.
  package var index: String? {
    guard self == .values else { return nil }
    return
      "CREATE INDEX \"_realm_values_owner\" ON \"_realm_values\" (\"class\", \"property\", \"owner\", \"position\");"
  }

  package var creation: String {
    let body =
      switch self {
      case .schema:
        """
          "schema" TEXT NOT NULL,
          "schema_version" INTEGER,
          "file_format" INTEGER,
          "dates" TEXT NOT NULL,
          "names" TEXT NOT NULL
        )
        """
      case .keys:
        """
          "class" TEXT NOT NULL,
          "object" NOT NULL,
          "key" INTEGER NOT NULL,
          PRIMARY KEY ("class", "object")
        ) WITHOUT ROWID
        """
      case .values:
        """
          "class" TEXT NOT NULL,
          "property" TEXT NOT NULL,
          "owner" NOT NULL,
          "position",
          "value" TEXT NOT NULL
        )
        """
      }
    return "CREATE TABLE \"\(name)\" (\n\(body);"
  }
}

extension RelationalSchema {
  /// The SQLite names of classes, and of properties whose name differs there, as JSON:
  /// `{"dog":{"table":"dog_2","columns":{"Name":"Name_2"}}}`. The member `links` names targets that a schema file
  /// cannot distinguish from types.
  package var names: [UInt8] {
    var text = SchemaText()
    text.write("{")
    var isFirst = true
    for table in classes where table.schema.isClass {
      let mapped = zip(table.schema.properties, table.propertyNames).filter(\.1.isMapped)
      if !isFirst { text.write(",") }
      isFirst = false
      text.writeJSON(table.schema.displayName)
      text.write(":{\"table\":")
      text.writeJSON(RealmString(table.table.name.name))
      text.write(",\"columns\":{")
      for (index, (property, name)) in mapped.enumerated() {
        if index > 0 { text.write(",") }
        text.writeJSON(property.name)
        text.write(":")
        text.writeJSON(RealmString(name.name))
      }
      text.write("}")
      writeLinks(of: table.schema, to: &text)
      text.write("}")
    }
    text.write("}")
    return text.utf8
  }

  private func writeLinks(of table: TableSchema, to text: inout SchemaText) {
    let links = table.properties.filter { property in
      property.type == .object && property.targetClass.map { !JavaScriptSchema.canLinkTo($0) } ?? false
    }
    guard !links.isEmpty else { return }
    text.write(",\"links\":{")
    for (index, property) in links.enumerated() {
      if index > 0 { text.write(",") }
      text.writeJSON(property.name)
      text.write(":")
      text.writeJSON(property.targetClass ?? "")
    }
    text.write("}")
  }
}

/// The content of `_realm_schema`.
package struct RelationalSchemaRow {
  /// The schema of the whole realm.
  package let whole: Schema
  /// The classes that are in the file.
  package let names: Set<RealmString>

  /// Nil for texts that no export writes.
  package init?(schema: RealmString, names: RealmString) {
    var options = JSONReader.Options()
    options.restoresBytes = true
    guard let value = try? JSONValue.parse(schema.utf8, options: options),
      let entries = (try? JSONValue.parse(names.utf8, options: options))?.object?.entries
    else { return nil }
    let links = Dictionary(
      entries.compactMap { entry in entry.value.object?["links"]?.object.map { (entry.key, $0) } }
    ) { first, _ in first }
    var reader = SchemaFileReader()
    reader.readFile(Self.replacing(links, in: value))
    guard reader.violations.isEmpty else { return nil }
    var whole = reader.result.0
    for index in whole.tables.indices {
      guard let targets = links[whole.tables[index].displayName] else { continue }
      for property in whole.tables[index].properties.indices {
        guard case .string(let target) = targets[whole.tables[index].properties[property].name] else { continue }
        whole.tables[index].properties[property].target = TableSchema.tableName(ofClass: target)
      }
    }
    self.whole = whole
    self.names = Set(entries.map(\.key))
  }

  /// A class whose name is not that of a type.
  private static let placeholder = JSONValue.string("LinkTarget")

  /// Replaces classes that have the name of a type by another class.
  private static func replacing(_ links: [RealmString: JSONObject], in value: JSONValue) -> JSONValue {
    guard !links.isEmpty, let file = value.object, let classes = file["classes"]?.array else { return value }
    let changed = classes.map { table -> JSONValue in
      guard let object = table.object, case .string(let name) = object["name"], let targets = links[name] else {
        return table
      }
      return .object(
        object.replacing("properties") { properties in
          properties.object.map {
            .object(
              $0.mapped { key, value in
                targets[key] == nil
                  ? value : value.object.map { .object($0.replacing("objectType") { _ in placeholder }) } ?? value
              })
          } ?? properties
        })
    }
    return .object(file.replacing("classes") { _ in .array(changed) })
  }
}

extension JSONObject {
  fileprivate func mapped(_ change: (RealmString, JSONValue) -> JSONValue) -> JSONObject {
    var object = JSONObject()
    for entry in entries { object.append(entry.key, change(entry.key, entry.value)) }
    return object
  }

  fileprivate func replacing(_ key: RealmString, _ change: (JSONValue) -> JSONValue) -> JSONObject {
    mapped { $0 == key ? change($1) : $1 }
  }
}
