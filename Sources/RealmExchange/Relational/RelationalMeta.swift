import RealmStorage

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

  package var columns: [String] {
    switch self {
    case .schema: ["schema", "schema_version", "file_format", "dates", "names"]
    case .keys: ["class", "object", "key"]
    case .values: ["class", "property", "owner", "position", "value"]
    }
  }

  /// For readers, who look for the values of one owner.
  package var index: String? {
    guard self == .values else { return nil }
    return "CREATE INDEX \"_realm_values_owner\" ON \"_realm_values\" (\"class\", \"property\", \"owner\", \"position\");"
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
  /// What classes are called in SQLite, and the properties that have another name there, as JSON:
  /// `{"dog":{"table":"dog_2","columns":{"Name":"Name_2"}}}`.
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
      text.write("}}")
    }
    text.write("}")
    return text.utf8
  }
}
