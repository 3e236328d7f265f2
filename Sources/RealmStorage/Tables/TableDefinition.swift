/// A table to be built: what is known about it before its objects.
package struct TableDefinition: Sendable {
  package var key: TableKey
  package var schema: TableSchema
  /// The number from which the engine makes the next object key. It may be lower than needed except in an embedded
  /// table, where a key in use makes creation fail (Docs/Format/3-tables-and-objects.md §4.5).
  package var sequenceNumber: UInt64

  package init(key: TableKey, schema: TableSchema, sequenceNumber: UInt64 = 0) {
    self.key = key
    self.schema = schema
    self.sequenceNumber = sequenceNumber
  }
}

/// The columns of a table that is built, with keys of their own: properties have the leaf indexes 0, 1, 2 … in the
/// order of the schema, incoming links those after them (Docs/Format/3-tables-and-objects.md §3.4, §12).
package struct TableLayout {
  let definition: TableDefinition
  let columns: [Column]
  private(set) var backlinks: [Backlink] = []

  /// A hidden column of incoming links, with the links.
  struct Backlink {
    let column: BacklinkColumn
    let links: LinkLog
  }

  /// - Parameter tables: all tables of the realm, by name.
  /// - Throws: `BuildError`, also for what the format cannot store.
  init(
    _ definition: TableDefinition, among tables: [RealmString: TableDefinition], format: TargetFormat = .newest
  ) throws {
    let schema = definition.schema
    guard schema.name.utf8.count <= Self.longestName else { throw BuildError.nameTooLong(schema.name) }
    guard schema.properties.count <= Self.mostColumns else {
      throw BuildError.tooManyProperties(table: schema.displayName, limit: Self.mostColumns)
    }
    guard format.holds(schema.kind) else { throw BuildError.kindNotSupported(table: schema.displayName) }
    self.definition = definition
    var names: Set<RealmString> = []
    columns = try schema.properties.enumerated().map { index, property in
      guard names.insert(property.name).inserted else { throw BuildError.nameInUse(property.name) }
      return try Self.column(property, at: index, of: definition, among: tables, format)
    }
  }

  static let mostColumns = TableSchema.mostProperties
  /// Bytes of a name.
  package static let longestName = TableSchema.longestName

  /// Adds the column of the links that come from one column of a table.
  mutating func addBacklink(from originTable: TableKey, _ originColumn: ColumnKey, _ links: LinkLog) -> ColumnKey {
    let column = BacklinkColumn(
      key: ColumnKey(
        leafIndex: columns.count + backlinks.count, type: .backlink, attributes: [], tag: definition.key.rawValue),
      originTable: originTable, originColumn: originColumn)
    backlinks.append(Backlink(column: column, links: links))
    return column.key
  }

  private static func column(
    _ property: Property, at leafIndex: Int, of table: TableDefinition, among tables: [RealmString: TableDefinition],
    _ format: TargetFormat
  ) throws -> Column {
    guard property.name.utf8.count <= longestName else { throw BuildError.nameTooLong(property.name) }
    var target = TableKey.null
    if property.type == .object {
      guard let name = property.target, let found = tables[name] else {
        throw BuildError.unknownTarget(table: table.schema.displayName, property: property.name)
      }
      target = found.key
    }
    let isPrimaryKey = table.schema.primaryKeyIndex == leafIndex
    guard format.holds(property.type), property.collection.map(format.holds) ?? true else {
      throw BuildError.typeNotSupported(table: table.schema.displayName, property: property.name)
    }
    guard property.allows(isPrimaryKey ? .general : property.index), format.holdsIndex(property.index, on: property),
      let code = property.type.code
    else {
      throw BuildError.indexNotSupported(table: table.schema.displayName, property: property.name)
    }
    let index: IndexKind =
      isPrimaryKey ? format.indexOfPrimaryKey(property.type) == .none ? .none : .general : property.index
    let isListOfLinks = code == .link && property.collection == .list
    return Column(
      key: ColumnKey(
        leafIndex: leafIndex, type: isListOfLinks && format.tellsListsOfLinks ? .linkList : code,
        attributes: property.keyAttributes, tag: table.key.rawValue),
      name: property.name, element: ElementType(code, isNullable: property.isStoredNullable, target: target),
      collection: property.collection, enumeration: nil, index: index)
  }
}

extension ColumnKey {
  /// - Parameter tag: the table's key, in a table that never lost a column (Docs/Format/3-tables-and-objects.md §3.4).
  package init(leafIndex: Int, type: TypeCode, attributes: ColumnAttributes, tag: UInt32) {
    let low = Int64(leafIndex & 0xffff) | Int64(type.rawValue) << 16
    self.init(rawValue: low | Int64(attributes.rawValue & 0xff) << 22 | Int64(tag) << 30)
  }
}

extension PropertyType {
  /// The type of the column; nil for a computed property, which has none.
  var code: TypeCode? {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .data: .binary
    case .date: .timestamp
    case .float: .float
    case .double: .double
    case .decimal128: .decimal
    case .objectID: .objectID
    case .uuid: .uuid
    case .mixed: .mixed
    case .object: .link
    case .linkingObjects: nil
    }
  }
}

extension Property {
  /// Nullability as the engine stores it, whatever the schema says: fixed for links and Mixed
  /// (Docs/Format/3-tables-and-objects.md §3.3).
  var isStoredNullable: Bool {
    switch type {
    case .mixed: true
    case .object: collection == nil || collection == .dictionary
    default: isOptional
    }
  }

  /// The attributes that are part of the column's key.
  var keyAttributes: ColumnAttributes {
    var attributes: ColumnAttributes = isStoredNullable ? .nullable : []
    switch collection {
    case .list: attributes.insert(.list)
    case .set: attributes.insert(.set)
    case .dictionary: attributes.insert(.dictionary)
    case nil: break
    }
    return attributes
  }

  /// Whether a property can have such an index (Docs/Format/3-tables-and-objects.md §6.1).
  package func allows(_ index: IndexKind) -> Bool {
    switch index {
    case .none: true
    case .general: canBeIndexed
    case .fullText: type == .string && collection == nil
    }
  }
}
