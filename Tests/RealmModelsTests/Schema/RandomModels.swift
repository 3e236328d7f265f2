import RealmStorage
import TestSupport

/// Random schemas that apps can have, with names that are difficult for languages.
enum RandomModels {
  private static let names: [RealmString] = [
    "a", "name", "class", "_id", "Größe", "my dogs", "a\"b", "cost $", "1st", "List", "String", "object", "x{y}",
    "tab\tname",
    "é", "value", "late", "in", "nameof", "\u{1F600}", "properties", "//c", "/*c", "#if", "'q'",
  ]
  private static let scalars: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed,
  ]
  private static let keys: [PropertyType] = [.int, .string, .objectID, .uuid]

  static func schema(_ generator: inout SeededGenerator, hasFloats: Bool) -> Schema {
    while true {
      let schema = attempt(&generator, hasFloats: hasFloats)
      if SchemaValidation(of: schema, for: .local).violations.isEmpty { return schema }
    }
  }

  private static func attempt(_ generator: inout SeededGenerator, hasFloats: Bool) -> Schema {
    // Many schemas have plain names only: those that some generator cannot write would leave little.
    let pool = Bool.random(using: &generator) ? names : ["a", "name", "class", "_id", "value", "List", "in", "B2"]
    let classes = Array(pool.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator)))
    let tables = classes.map { name in
      let kind: TableKind = Int.random(in: 0..<4, using: &generator) == 0 ? .embedded : .topLevel
      var table = TableSchema(name: TableSchema.tableName(ofClass: name), kind: kind)
      let count = Int.random(in: 1...7, using: &generator)
      for property in pool.shuffled(using: &generator).prefix(count) {
        table.properties.append(self.property(property, classes, hasFloats, &generator))
      }
      let key = table.properties.firstIndex { keys.contains($0.type) && $0.collection == nil }
      if kind == .topLevel, let key, Bool.random(using: &generator) {
        table.primaryKeyIndex = key
        table.properties[key].index = .general
      }
      return table
    }
    return withInverse(Schema(tables: tables), &generator)
  }

  private static func property(
    _ name: RealmString, _ classes: [RealmString], _ hasFloats: Bool, _ generator: inout SeededGenerator
  ) -> Property {
    let collection = ([nil, nil] + CollectionKind.allCases).randomElement(using: &generator) ?? nil
    if Int.random(in: 0..<4, using: &generator) == 0, let target = classes.randomElement(using: &generator) {
      return Property(
        name: name, type: .object, collection: collection, isOptional: collection == nil || collection == .dictionary,
        target: TableSchema.tableName(ofClass: target))
    }
    let types = scalars.filter { $0 != .float || hasFloats }
    let type = types.randomElement(using: &generator) ?? .int
    var property = Property(
      name: name, type: type, collection: collection, isOptional: type == .mixed || Bool.random(using: &generator))
    let isIndexed = collection == nil && [.int, .bool, .string, .objectID, .date, .uuid].contains(type)
    if isIndexed, Int.random(in: 0..<3, using: &generator) == 0 { property.index = .general }
    return property
  }

  /// Sometimes with the inverse of one of the links.
  private static func withInverse(_ schema: Schema, _ generator: inout SeededGenerator) -> Schema {
    var schema = schema
    for table in schema.tables where Int.random(in: 0..<2, using: &generator) == 0 {
      guard let link = table.properties.first(where: { $0.type == .object }),
        let target = schema.tables.firstIndex(where: { $0.name == link.target }),
        schema.tables[target].property(named: "Links") == nil
      else { continue }
      schema.tables[target].properties.append(
        Property(name: "Links", type: .linkingObjects, target: table.name, originProperty: link.name))
    }
    return schema
  }
}
