import RealmStorage

/// Makes the tables of classes whose names are settled.
struct RelationalBuilder {
  let heads: [RelationalNames.Head]
  let positions: [RealmString: Int]
  let schema: Schema
  let dates: RelationalSchema.DateForm
  let parts: Set<RealmString>

  func makeClass(_ head: RelationalNames.Head, _ names: inout RelationalNames) -> RelationalClass {
    let parts = names.nextParts(of: head.schema)
    var values = head.schema.properties.map { value(of: $0) }
    if let index = head.schema.primaryKeyIndex, values.indices.contains(index) { values[index].isRowKey = true }
    let collections = head.schema.properties.indices.map { index in
      makeCollection(index, of: head, values[index], parts[index])
    }
    return RelationalClass(
      schema: head.schema, table: makeTable(head, values, parts), key: head.key, propertyNames: head.propertyNames,
      keyName: head.keyName, collections: collections, values: values)
  }

  // MARK: Classes

  private func makeTable(
    _ head: RelationalNames.Head, _ values: [RelationalValue], _ parts: [RelationalNames.Part]
  ) -> RelationalTable {
    var columns: [RelationalColumn] = []
    var indexes: [RelationalIndex] = []
    if head.key == .objectKey {
      columns.append(RelationalColumn(name: head.objectKeyName.name, affinity: .integer, isPrimaryKey: true))
    }
    for (index, value) in values.enumerated() where value.property.hasColumn {
      var own = self.columns(of: value, named: head.propertyNames[index].name, head.typeNames[index].name)
      let isPrimaryKey = head.schema.primaryKeyIndex == index
      if head.key == .property(index) { own[0].isPrimaryKey = true }
      // Values that SQLite cannot distinguish must not be refused.
      if isPrimaryKey, head.key == .objectKey, value.property.type.canBePrimaryKey { own[0].isUnique = true }
      if !isPrimaryKey, value.property.type == .object || value.property.index == .general {
        indexes.append(RelationalIndex(name: parts[index].index, column: own[0].name))
      }
      columns += own
    }
    return RelationalTable(name: head.name, columns: columns, compoundKey: [], indexes: indexes)
  }

  // MARK: Collections

  private func makeCollection(
    _ index: Int, of head: RelationalNames.Head, _ value: RelationalValue, _ part: RelationalNames.Part
  ) -> RelationalTable? {
    guard let collection = value.property.collection, !value.property.isComputed else { return nil }
    let owner = RelationalColumn(
      name: "_owner", affinity: affinity(ofKeyOf: head), isRequired: true,
      reference: .init(table: head.name, column: head.keyName, action: "CASCADE"))
    let place: RelationalColumn? =
      switch collection {
      case .list: RelationalColumn(name: "_position", affinity: .integer, isRequired: true)
      case .set: nil
      case .dictionary: RelationalColumn(name: "_key", affinity: .text, isRequired: true)
      }
    var columns = [owner] + [place].compactMap { $0 } + self.columns(of: value, named: "_value", "_value_type")
    // An element is deleted together with its target; the key of a dictionary entry stays.
    if let reference = columns[columns.count - 1].reference, value.property.type == .object, collection != .dictionary {
      columns[columns.count - 1].reference = .init(
        table: reference.table, column: reference.column, action: "CASCADE")
    }
    var indexes: [RelationalIndex] = []
    if place == nil { indexes.append(RelationalIndex(name: part.ownerIndex, column: "_owner")) }
    if value.property.type == .object || value.property.index == .general {
      indexes.append(RelationalIndex(name: part.index, column: "_value"))
    }
    return RelationalTable(
      name: part.table, columns: columns, compoundKey: place.map { ["_owner", $0.name] } ?? [], indexes: indexes)
  }

  private func affinity(ofKeyOf head: RelationalNames.Head) -> RelationalColumn.Affinity {
    guard case .property(let index) = head.key else { return .integer }
    return head.schema.properties[index].type == .int ? .integer : .text
  }

  // MARK: Values

  private func value(of property: Property) -> RelationalValue {
    guard property.type == .object else {
      return RelationalValue(
        property: property, isRequired: !property.isOptional && property.type != .mixed,
        digits: property.type == .date && dates == .iso ? DateDigits() : nil)
    }
    // Lists and sets cannot contain null; the key of an object that is not exported may be null.
    let target = target(of: property)
    let isRequired = [.list, .set].contains(property.collection) && target.position != nil
    return RelationalValue(property: property, isRequired: isRequired, target: target)
  }

  private func target(of property: Property) -> RelationalTarget {
    guard let position = positions[property.target ?? ""] else {
      let key = schema.tableNamed(property.target ?? "")?.primaryKey.flatMap { key in
        key.type.canBePrimaryKey && key.collection == nil ? RelationalTarget.Key.primaryKey(key.type) : nil
      }
      return RelationalTarget(key: key ?? .objectKey, position: nil)
    }
    guard case .property(let index) = heads[position].key else {
      return RelationalTarget(key: .objectKey, position: position)
    }
    return RelationalTarget(key: .primaryKey(heads[position].schema.properties[index].type), position: position)
  }

  /// The column of a value; for Mixed, also that of its type.
  private func columns(of value: RelationalValue, named name: String, _ typeName: String) -> [RelationalColumn] {
    var column = RelationalColumn(
      name: name, affinity: affinity(of: value), isRequired: value.isRequired, isBool: value.property.type == .bool)
    switch value.property.type {
    case .mixed: return [column, RelationalColumn(name: typeName, affinity: .text)]
    case .decimal128: column.order = .decimal
    case .date where dates == .iso: column.order = .date
    case .object:
      if let position = value.target?.position, !parts.contains(heads[position].schema.name) {
        column.reference = .init(table: heads[position].name, column: heads[position].keyName, action: "SET NULL")
      }
    default: break
    }
    return [column]
  }

  private func affinity(of value: RelationalValue) -> RelationalColumn.Affinity {
    switch value.property.type {
    case .int, .bool: .integer
    case .float, .double: .real
    case .data: .blob
    case .date: dates == .iso ? .text : .integer
    case .string, .decimal128, .objectID, .uuid: .text
    case .mixed: .any
    case .object, .linkingObjects:
      if case .primaryKey(let type) = value.target?.key, type != .int { .text } else { .integer }
    }
  }
}

extension Property {
  /// Whether its values are stored in the table of the class.
  package var hasColumn: Bool { collection == nil && !isComputed }
}
