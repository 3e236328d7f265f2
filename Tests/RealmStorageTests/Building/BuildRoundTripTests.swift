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
    try IncomingLinksCheck(snapshot).expectToMatch()
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
        for row in rows { try content.rows[first + row][property].pour(into: column, owner) }
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

/// Compares the incoming links that a file holds with the links that lead there.
struct IncomingLinksCheck {
  private struct Link: Hashable {
    let origin: TableKey
    let column: ColumnKey
    let key: Int64
    let target: TableKey
    let targetKey: Int64
  }

  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  func expectToMatch() throws {
    let forward = try forwardLinks()
    #expect(try storedLinks() == forward)
  }

  private func forwardLinks() throws -> [Link: Int] {
    var links: [Link: Int] = [:]
    let walk = snapshot.collectionWalk()
    for table in snapshot.tables {
      try forEachObject(of: table) { batch, row in
        for (property, column) in table.columns.enumerated() {
          var values: [ValueView] = []
          try gather(try batch.values(ofProperty: property).value(at: row), walk, into: &values)
          for case .link(let target, let key) in values {
            let link = Link(
              origin: table.key, column: column.key, key: batch.key(at: row).rawValue, target: target,
              targetKey: key.rawValue)
            links[link, default: 0] += 1
          }
        }
      }
    }
    return links
  }

  private func gather(_ value: ValueView, _ walk: CollectionWalk, into values: inout [ValueView]) throws {
    switch value {
    case .link: values.append(value)
    case .typedLink(let table, let key): values.append(.link(table, key))
    case .list(let list), .set(let list):
      try list.forEach(walk, damaged: { throw $0 }) { try gather($0, walk, into: &values) }
    case .dictionary(let dictionary):
      try dictionary.forEach(walk, damaged: { throw $0 }) { try gather($1, walk, into: &values) }
    default: break
    }
  }

  private func storedLinks() throws -> [Link: Int] {
    var links: [Link: Int] = [:]
    let store = snapshot.store
    let budget = snapshot.collectionWalk().budget
    for table in snapshot.tables {
      var clusters = ClusterWalk(table.clusters, in: store, budget: budget)
      while case .cluster(let cluster) = clusters.next() {
        for column in table.backlinks {
          let cells = try Node(cluster.leafRef(column.leafIndex), in: store)
          #expect(cells.count == cluster.count)
          for row in 0..<cluster.count {
            for origin in try origins(cells.refOrTagged(row), in: store) {
              let link = Link(
                origin: column.originTable, column: column.originColumn, key: origin, target: table.key,
                targetKey: cluster.key(at: row).rawValue)
              links[link, default: 0] += 1
            }
          }
        }
      }
    }
    return links
  }

  private func origins(_ cell: RefOrTagged, in store: ByteStore) throws -> [Int64] {
    if cell.isTagged { return [Int64(bitPattern: cell.tagged)] }
    guard !cell.ref.isNull else { return [] }
    var keys: [Int64] = []
    let tree = BPlusTree(root: cell.ref, element: ElementType(.int))
    let walk = CollectionWalk(store: store, format: 24, passes: 1)
    try tree.forEachLeaf(in: store, budget: walk.budget, damaged: { throw $0 }) { leaf in
      for index in 0..<leaf.count { if case .int(let key) = try leaf.value(at: index, in: store) { keys.append(key) } }
    }
    // One link stands in place, none is 0 (Docs/Format/2-nodes-and-values.md §2.12).
    #expect(keys.count > 1)
    return keys
  }

  private func forEachObject(of table: Table, _ body: (ObjectBatch, Int) throws -> Void) throws {
    var batches = table.batches()
    while case .batch(let batch) = batches.next() { for row in 0..<batch.count { try body(batch, row) } }
  }
}
