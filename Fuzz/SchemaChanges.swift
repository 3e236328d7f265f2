import RealmStorage

/// Schemas that differ little from another one.
struct SchemaChanges {
  private var values: SeededValues

  init(seed: UInt64) { values = SeededValues(seed: seed) }

  mutating func changed(_ schema: Schema) -> Schema {
    var schema = Schema(tables: schema.classes, version: schema.version)
    for _ in 0..<values.roll(4) + 1 {
      guard !schema.tables.isEmpty else { break }
      change(&schema, values.roll(schema.tables.count))
    }
    return schema
  }

  private mutating func change(_ schema: inout Schema, _ index: Int) {
    let target = schema.tables[values.roll(schema.tables.count)].name
    var table = schema.tables[index]
    defer { schema.tables[index] = table }
    let property = values.roll(table.properties.count)
    switch values.roll(9) {
    case 0:
      var added = Property(
        name: RealmString("added\(values.roll(1000))"), type: values.pick(SeededValues.types) ?? .int)
      added.collection = values.pick([nil, nil, CollectionKind.list, .set, .dictionary]) ?? nil
      added.isOptional = added.type == .mixed || added.type == .object && added.collection != .list
      if added.type == .object { added.target = target }
      table.properties.append(added)
    case 1:
      guard !table.properties.isEmpty else { return }
      let primaryKey = table.primaryKey
      table.properties.remove(at: property)
      table.primaryKeyIndex = primaryKey.flatMap { key in table.properties.firstIndex { $0.name == key.name } }
    case 2:
      guard !table.properties.isEmpty else { return }
      table.properties[property].isOptional.toggle()
    case 3:
      guard !table.properties.isEmpty else { return }
      table.properties[property].type = values.pick(SeededValues.types.dropLast()) ?? .int
      table.properties[property].target = nil
    case 4:
      guard !table.properties.isEmpty else { return }
      table.properties[property].index = table.properties[property].index == .none ? .general : .none
    case 5: table.primaryKeyIndex = table.properties.isEmpty || values.roll(2) == 0 ? nil : property
    case 6: table.kind = table.kind == .embedded ? .topLevel : .embedded
    case 7: table.name = RealmString("class_New\(values.roll(100))")
    default:
      guard !table.properties.isEmpty else { return }
      table.properties[property].collection = values.pick([nil, CollectionKind.list, .set, .dictionary]) ?? nil
    }
  }
}
