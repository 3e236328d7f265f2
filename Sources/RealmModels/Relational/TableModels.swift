import RealmStorage

/// The tables of the relational form as a generator of code for another database sees them: with names of types and
/// members, and what each column is.
struct TableModels: Sendable {
  let models: [TableModel]
  let relational: RelationalSchema

  /// - Parameters:
  ///   - types: rules for the names of types.
  ///   - members: rules for the names of columns.
  init(_ relational: RelationalSchema, types: IdentifierRules, members: IdentifierRules) {
    self.relational = relational
    let tables = relational.classes.indices.flatMap { position in
      [(position, Int?.none)]
        + relational.classes[position].collections.enumerated().compactMap { index, table in
          table.map { _ in (position, index) }
        }
    }
    // Classes first, so that a class keeps its name whatever collections are called.
    let order = tables.filter { $0.1 == nil } + tables.filter { $0.1 != nil }
    let names = order.map { position, property -> RealmString in
      let table = relational.classes[position]
      guard let property else { return table.schema.displayName }
      let name = table.schema.properties[property].name.description
      return RealmString(table.schema.displayName.description + name.prefix(1).uppercased() + name.dropFirst())
    }
    let identifiers = types.identifiers(for: names)
    models = zip(order, identifiers).map { place, name in
      TableModel(relational.classes[place.0], position: place.0, property: place.1, name: name, members)
    }
  }

  /// The model of a class.
  func model(ofClass position: Int) -> TableModel? {
    models.first { $0.position == position && $0.property == nil }
  }
}

/// A table with the names that code has for it and its columns.
struct TableModel: Sendable {
  let position: Int
  /// The property whose elements the rows are; nil for a class.
  let property: Int?
  let name: Identifier
  let table: RelationalTable
  let owner: RelationalClass
  let columns: [ColumnModel]

  init(
    _ owner: RelationalClass, position: Int, property: Int?, name: Identifier, _ members: IdentifierRules
  ) {
    (self.owner, self.position, self.property, self.name) = (owner, position, property, name)
    table = property.flatMap { owner.collections[$0] } ?? owner.table
    let roles = property.map { Self.roles(of: owner.schema.properties[$0]) } ?? Self.roles(of: owner)
    let identifiers = members.identifiers(for: table.columns.map { RealmString($0.name) })
    columns = zip(zip(table.columns, roles), identifiers).map {
      ColumnModel(column: $0.0, role: $0.1, name: $1)
    }
  }

  private static func roles(of owner: RelationalClass) -> [ColumnModel.Role] {
    (owner.key == .objectKey ? [.objectKey] : [])
      + owner.schema.properties.filter(\.hasColumn).flatMap { property -> [ColumnModel.Role] in
        property.type == .mixed ? [.value(property), .valueType] : [.value(property)]
      }
  }

  private static func roles(of property: Property) -> [ColumnModel.Role] {
    let place: [ColumnModel.Role] =
      switch property.collection {
      case .list: [.position]
      case .dictionary: [.entryKey]
      case .set, nil: []
      }
    return [.owner] + place + [.value(property)] + (property.type == .mixed ? [.valueType] : [])
  }

  /// The table's key, by its columns; empty for a table without one.
  var keyColumns: [ColumnModel] {
    table.compoundKey.isEmpty
      ? columns.filter(\.column.isPrimaryKey) : columns.filter { table.compoundKey.contains($0.column.name) }
  }

  /// What its rows are, for a comment.
  var comment: String {
    guard let property else { return "\(owner.schema.displayName.shown)" }
    return "\(owner.schema.displayName.shown).\(owner.schema.properties[property].name.shown)"
  }
}

/// A column with its name in code.
struct ColumnModel: Sendable {
  enum Role: Sendable {
    case objectKey
    /// The key of the object that an element belongs to.
    case owner
    /// The place in a list.
    case position
    /// The key in a dictionary.
    case entryKey
    case value(Property)
    /// The type of a Mixed value.
    case valueType
  }

  let column: RelationalColumn
  let role: Role
  let name: Identifier

  /// The type of its values in a realm.
  func type(ownerKey: PropertyType) -> PropertyType {
    switch role {
    case .objectKey, .position: .int
    case .owner: ownerKey
    case .entryKey, .valueType: .string
    case .value(let property): property.type
    }
  }

  /// Whether there can be null.
  var isOptional: Bool { !column.isRequired && !column.isPrimaryKey }
}

extension RelationalClass {
  /// The type of the key that identifies its rows.
  var keyType: PropertyType {
    guard case .property(let index) = key else { return .int }
    return schema.properties[index].type
  }
}
