import TestSupport
import Testing

@testable import RealmStorage

/// Tables of random values, built and read back.
@Suite struct BuildRoundTripTests {
  private static let types: [PropertyType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed,
  ]

  /// Every type, required and optional, single and in collections, and all shapes of links.
  private static func properties() -> [Property] {
    var properties: [Property] = []
    func add(_ type: PropertyType, _ collection: CollectionKind?, optional: Bool, target: RealmString? = nil) {
      let name = RealmString("p\(properties.count)")
      let index: IndexKind =
        switch (type, collection) {
        case (.int, nil), (.date, nil), (.uuid, nil), (.mixed, nil): .general
        case (.string, nil): optional ? .fullText : .general
        default: .none
        }
      properties.append(
        Property(name: name, type: type, collection: collection, isOptional: optional, target: target, index: index))
    }
    let collections: [CollectionKind?] = [nil, .list, .set, .dictionary]
    for type in types {
      for collection in collections {
        for optional in type == .mixed ? [true] : [false, true] { add(type, collection, optional: optional) }
      }
    }
    for collection in collections { add(.object, collection, optional: collection == nil, target: "class_B") }
    add(.object, nil, optional: true, target: "class_A")
    return properties
  }

  private struct Content {
    var keys: [ObjectKey]
    var rows: [[ValueTree]]
  }

  @Test("come back as they were", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    let owner = OwnedBytes()
    var random = ValueGenerator(seed: seed, owner: owner)
    let counts = [[0, 3], [1, 255], [256, 1], [257, 300], [40, 2000], [270, 0]][Int(seed - 1)]
    let keys = counts.map { count in randomKeys(count, &random) }
    let definitions = [
      TableDefinition(key: TableKey(rawValue: 2), schema: TableSchema(name: "class_A", properties: Self.properties())),
      TableDefinition(
        key: TableKey(rawValue: 0x10004),
        schema: TableSchema(
          name: "class_B", properties: [Property(name: "id", type: .int)], primaryKeyIndex: 0), sequenceNumber: 77),
    ]
    random.targets = zip(definitions, keys).map { ($0.key, $1) }

    let image = RealmImage()
    let group = try GroupBuilder(definitions, freeSlotTags: [1: 5], output: image)
    var contents: [Content] = []
    for (table, keys) in zip(group.tables, keys) {
      let rows = try keys.indices.map { row in
        try table.columns.map { column in
          table.schema.primaryKeyIndex == nil ? try random.value(column.column) : .single(.int(Int64(row) * 7))
        }
      }
      contents.append(Content(keys: keys, rows: rows))
      try append(contents[contents.count - 1], to: table, owner, &random)
    }
    let bytes = image.finish(try group.finish())
    let snapshot = try Snapshot(of: .memory(bytes))
    #expect(snapshot.tables.map(\.key) == definitions.map(\.key))
    #expect(snapshot.tables.map(\.schema) == definitions.map { stored($0.schema) })
    for (table, content) in zip(snapshot.tables, contents) { try expect(content, in: table, of: snapshot) }
    try expectSound(bytes)
  }

  /// What the engine fixes whatever a schema says.
  private func stored(_ schema: TableSchema) -> TableSchema {
    var schema = schema
    for index in schema.properties.indices {
      schema.properties[index].isOptional = schema.properties[index].isStoredNullable
      if schema.primaryKeyIndex == index { schema.properties[index].index = .general }
    }
    return schema
  }

  /// Keys with and without gaps.
  private func randomKeys(_ count: Int, _ random: inout ValueGenerator) -> [ObjectKey] {
    var key: Int64 = -1
    let spread = random.below(3)
    return (0..<count).map { _ in
      key += spread == 0 ? 1 : spread == 1 ? Int64(1 + random.below(4)) : Int64(1 + random.below(1 << 40))
      return ObjectKey(rawValue: key)
    }
  }

  /// Appends objects in pieces of random size.
  private func append(
    _ content: Content, to table: TableBuilder, _ owner: OwnedBytes, _ random: inout ValueGenerator
  ) throws {
    var first = 0
    while first < content.keys.count {
      let end = min(first + 1 + random.below(300), content.keys.count)
      try table.append(count: end - first, keyAt: { content.keys[first + $0] }) { property, rows, column in
        for row in rows { try content.rows[first + row][property].copy(into: column, owner) }
        return true
      }
      first = end
    }
  }

  private func expect(_ content: Content, in table: Table, of snapshot: Snapshot) throws {
    #expect(try table.objectCount() == content.keys.count)
    let walk = snapshot.collectionWalk()
    var row = 0
    var batches = table.batches()
    while case .batch(let batch) = batches.next() {
      let columns = try table.schema.properties.indices.map { try batch.values(ofProperty: $0) }
      for local in 0..<batch.count {
        #expect(batch.key(at: local) == content.keys[row])
        for (property, values) in columns.enumerated() {
          let found = try ValueTree(values.value(at: local), walk).text
          let expected = try content.rows[row][property].text
          #expect(found == expected, "\(table.schema.name) \(row) \(property)")
        }
        row += 1
      }
    }
    #expect(row == content.keys.count)
  }

  @Test func `values that come later take the place of those left out`() throws {
    let owner = OwnedBytes()
    let definition = TableDefinition(
      key: TableKey(rawValue: 0),
      schema: TableSchema(
        name: "class_A", properties: [Property(name: "i", type: .int), Property(name: "s", type: .string)]))
    let images = try [false, true].map { isLate in
      let image = NodeImage()
      let group = try GroupBuilder([definition], output: image)
      func text(_ row: Int) -> ValueView { owner.text("\(row)") }
      for first in [0, 256] {
        let count = first == 0 ? 256 : 10
        try group.tables[0].append(count: count, keyAt: { ObjectKey(rawValue: Int64(first + $0)) }) {
          property, rows, column in
          if property == 1, isLate { return false }
          for row in rows { try column.append(property == 0 ? .int(Int64(first + row)) : text(first + row)) }
          return true
        }
      }
      try group.finishObjects()
      if isLate {
        for cluster in [1, 0] {
          try group.tables[0].fill(cluster: cluster, property: 1) { count, column in
            for row in 0..<count { try column.append(text(cluster * 256 + row)) }
          }
        }
      }
      let roots = try group.finish()
      let realm = RealmImage()
      for node in image.nodes { _ = try node.bytes.withUnsafeBytes { try realm.append($0) } }
      return try Snapshot(of: .memory(realm.finish(roots)))
    }
    let texts = try images.map { snapshot in
      var texts: [String] = []
      var batches = snapshot.tables[0].batches()
      while case .batch(let batch) = batches.next() {
        for row in 0..<batch.count {
          texts.append(try ValueTree(batch.values(ofProperty: 1).value(at: row), snapshot.collectionWalk()).text)
        }
      }
      return texts
    }
    #expect(texts[0].count == 266)
    #expect(texts[0] == texts[1])
  }
}
