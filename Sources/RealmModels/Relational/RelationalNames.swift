import RealmStorage

/// Assigns the names of tables and indexes, which must differ from each other, and of columns, so that SQLite sees no
/// duplicates.
///
/// Classes come first, so that a class keeps its name whatever the collections of others are called.
struct RelationalNames {
  private var heads: ArraySlice<Identifier>
  private var parts: ArraySlice<Identifier>

  /// The names of a class and of its columns.
  struct Head {
    let schema: TableSchema
    let name: Identifier
    let propertyNames: [Identifier]
    /// By property: the column with the type of a Mixed value.
    let typeNames: [Identifier]
    /// The column of object keys.
    let objectKeyName: Identifier

    /// A nullable key cannot be the key of the row, because other rows must be able to refer to it.
    var key: RelationalClass.Key {
      guard let index = schema.primaryKeyIndex, let key = schema.primaryKey, key.isRowKey else { return .objectKey }
      return .property(index)
    }

    var keyName: Identifier {
      if case .property(let index) = key { propertyNames[index] } else { objectKeyName }
    }
  }

  /// The names of a property's collection table, and of its index.
  struct Part {
    let table: Identifier
    let index: Identifier
    /// Of owners, if the table needs one.
    let ownerIndex: Identifier
  }

  private static let namesPerProperty = 3

  init(_ tables: [TableSchema]) {
    var names = tables.map(\.displayName)
    let classCount = names.count
    for table in tables {
      for property in table.properties {
        let className = table.displayName.utf8
        names.append(RealmString(utf8: className + ".".utf8 + property.name.utf8))
        names.append(RealmString(utf8: "index_".utf8 + className + "_".utf8 + property.name.utf8))
        names.append(RealmString(utf8: "index_".utf8 + className + "_".utf8 + property.name.utf8 + "_owner".utf8))
      }
    }
    let identifiers = Self.tableRules.identifiers(for: names)
    (heads, parts) = (identifiers.prefix(classCount), identifiers.dropFirst(classCount))
  }

  mutating func nextHead(of schema: TableSchema) -> Head {
    let own = schema.properties.map(\.name)
    let types = own.map { RealmString(utf8: $0.utf8 + "_type".utf8) }
    let names = Self.columnRules.identifiers(
      for: own + ["_key"]
        + schema.properties.indices.compactMap {
          schema.properties[$0].hasTypeColumn ? types[$0] : nil
        })
    let key = names[own.count]
    var typeNames = names.dropFirst(own.count + 1)
    return Head(
      schema: schema, name: heads.popFirst() ?? key, propertyNames: Array(names.prefix(own.count)),
      typeNames: schema.properties.map { $0.hasTypeColumn ? typeNames.popFirst() ?? key : key }, objectKeyName: key)
  }

  mutating func nextParts(of schema: TableSchema) -> [Part] {
    schema.properties.map { property in
      let own = Array(parts.prefix(Self.namesPerProperty))
      parts = parts.dropFirst(own.count)
      return Part(table: own[0], index: own[1], ownerIndex: own[2])
    }
  }

  private static let tableRules = IdentifierRules(
    alphabet: .anyText, fallback: "table", reserved: [],
    // Names that begin with sqlite_ are SQLite's own, those with _realm_ ours.
    shaped: { name in
      ["sqlite_", "_realm_"].contains(where: SQLText.lowercased(name).hasPrefix) ? "_" + name : name
    }, claims: { [SQLText.lowercased($0)] })

  private static let columnRules = IdentifierRules(
    alphabet: .anyText, fallback: "column", reserved: [], claims: { [SQLText.lowercased($0)] })
}

extension Property {
  /// Whether another column has the type of each value.
  fileprivate var hasTypeColumn: Bool { type == .mixed && collection == nil }

  /// Whether it can name rows: as a primary key that is never null, of a type that has one text per value.
  fileprivate var isRowKey: Bool { !isOptional && collection == nil && type.canBePrimaryKey }
}
