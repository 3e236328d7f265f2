import TestSupport
import Testing

@testable import RealmStorage

/// Whole small tables and collections as Docs/Format/2-nodes-and-values.md §5, §6 and 3-tables-and-objects.md §1, §2
/// show them.
@Suite struct TableBytesTests {
  private func node(_ text: String) -> String { Hex.normalized("41 41 41 41 " + text) }

  @Test func `a dictionary has its keys and its values in two trees`() throws {
    let image = NodeImage()
    let owner = OwnedBytes()
    let dictionary = CollectionBuilder(.dictionary, of: ElementType(.int), NodeEncoder(image))
    for (key, value) in [("alpha", 1), ("beta", 2), ("gamma", 300)] as [(String, Int64)] {
      try dictionary.append(key: owner.blob(Array(key.utf8)))
      try dictionary.append(.int(value))
    }
    #expect(try dictionary.finish() == Ref(0x60))
    #expect(
      image.hexNodes == [
        node("0c 00 00 03 61 6c 70 68 61 00 00 02 62 65 74 61 00 00 00 03 67 61 6d 6d 61 00 00 02"),
        node("06 00 00 03 01 01 00 00 01 02 00 00 01 2c 01 00 00 00 00 00"),
        node("44 00 00 06 38 00 00 00 00 00 00 00"), node("44 00 00 02 18 50 00 00 00 00 00 00"),
      ])
  }

  @Test func `a set of mixed values`() throws {
    let image = NodeImage()
    let owner = OwnedBytes()
    let set = CollectionBuilder(.set, of: .mixed, NodeEncoder(image))
    let values: [ValueView] = [.null, .bool(true), .double(2.5), .int(3), owner.text("s"), owner.data([0x7a])]
    for value in ValueOrder.sortedSet(values + [.double(3)], of: .mixed) { try set.append(value) }
    _ = try set.finish()
    #expect(
      image.hexNodes.prefix(3) == [
        node("05 00 00 06 00 00 02 01 2b 00 01 03 63 00 65 01 00 00 00 00"),
        node("07 00 00 01 00 00 00 00 00 00 04 40"), node("0a 00 00 02 73 00 7a 00 00 00 00 00"),
      ])
  }

  @Test func `an empty collection has no node`() throws {
    let image = NodeImage()
    for kind in CollectionKind.allCases {
      #expect(try CollectionBuilder(kind, of: ElementType(.int), NodeEncoder(image)).finish() == .null)
    }
    #expect(image.nodes.isEmpty)
  }

  @Test func `a key without a value is a mistake`() throws {
    let owner = OwnedBytes()
    let dictionary = CollectionBuilder(.dictionary, of: .mixed, NodeEncoder(NodeImage()))
    try dictionary.append(key: owner.blob([1]))
    #expect(throws: BuildError.wrongValueCount(expected: 1, found: 0)) { try dictionary.finish() }
  }

  @Test func `data beyond the size of a blob lies in pieces`() throws {
    let image = NodeImage()
    let owner = OwnedBytes()
    let encoder = StringLeafEncoder(NodeEncoder(image), .data)
    let bytes = (0..<0xff_fff0 + 100).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try encoder.append(owner.data(bytes))
    let ref = try encoder.finish()
    #expect(image.nodes.map { Array($0.bytes[4..<8]) }.prefix(2) == [[0x11, 0xff, 0xff, 0xf0], [0x11, 0, 0, 100]])
    let store = image.store()
    let leaf = try Leaf(ref, of: ElementType(.binary), inCollection: true, in: store)
    guard case .data(let found) = try leaf.value(at: 0, in: store) else { throw BuildError.wrongType }
    #expect(try found.copied() == bytes)
    // And once more from its pieces.
    let again = NodeImage()
    let second = StringLeafEncoder(NodeEncoder(again), .data)
    try second.append(found)
    _ = try second.finish()
    #expect(again.bytes == image.bytes)
  }

  /// Docs/Format/2-nodes-and-values.md §6: the leaf for three objects without values, the last node of it.
  static let defaults: [(type: PropertyType, collection: CollectionKind?, required: String, optional: String)] = [
    (.int, nil, "00 00 00 03", "00 00 00 04"), (.bool, nil, "00 00 00 03", "02 00 00 03 3f 00 00 00 00 00 00 00"),
    (.float, nil, "0b 00 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", ""),
    (.string, nil, "09 00 00 03 00 00 00 00 00 00 00 00", "08 00 00 03"),
    (.decimal128, nil, "28 00 00 03", "08 00 00 03"),
    (.mixed, nil, "", "44 00 00 06 18 00 00 00 00 00 00 00"), (.object, nil, "", "00 00 00 03"),
    (.int, .list, "40 00 00 03", "40 00 00 03"), (.string, .dictionary, "40 00 00 03", "40 00 00 03"),
  ]

  @Test func `leaves of default values`() throws {
    for row in Self.defaults {
      for (isOptional, expected) in [(false, row.required), (true, row.optional)] where !expected.isEmpty {
        let image = NodeImage()
        let property = Property(
          name: "p", type: row.type, collection: row.collection, isOptional: isOptional, target: "class_A")
        let definition = TableDefinition(
          key: TableKey(rawValue: 0), schema: TableSchema(name: "class_A", properties: [property]))
        let layout = try TableLayout(definition, among: ["class_A": definition])
        let builder = ColumnBuilder(layout.columns[0], NodeEncoder(image))
        _ = try builder.writeDefaults(3)
        #expect(image.hexNodes.last == node(expected), "\(row.type) \(isOptional)")
      }
    }
  }

  @Test func `names of tables, with a free slot among them`() throws {
    let image = NodeImage()
    _ = try NodeEncoder(image).names([nil, "class_D", "class_C"])
    _ = try NodeEncoder(image).names([])
    _ = try NodeEncoder(image).names([RealmString(String(repeating: "n", count: 63))])
    #expect(
      image.hexNodes == [
        node("0c 00 00 03 00 00 00 00 00 00 00 08 63 6c 61 73 73 5f 44 00 63 6c 61 73 73 5f 43 00"),
        node("08 00 00 00"), node("0f 00 00 01" + String(repeating: " 6e", count: 63) + " 00"),
      ])
    #expect(throws: BuildError.self) {
      try NodeEncoder(image).names([RealmString(String(repeating: "n", count: 64))])
    }
  }

  @Test func `the table of the schema version`() throws {
    // The worked example of 3-tables-and-objects.md §2, in our order of nodes.
    let image = NodeImage()
    let definition = TableDefinition(
      key: TableKey(rawValue: 0),
      schema: TableSchema(name: "metadata", properties: [Property(name: "version", type: .int)]))
    let group = try GroupBuilder([definition], output: image)
    try group.tables[0].append(count: 1, keyAt: { _ in ObjectKey(rawValue: 0) }) { _, _, column in
      try column.append(.int(0))
      return true
    }
    let roots = try group.finish()
    let expected = [
      "00 00 00 01", "44 00 00 02 03 18 00 00 00 00 00 00",  // leaf and cluster
      "00 00 00 01", "0c 00 00 01 76 65 72 73 69 6f 6e 00", "00 00 00 01", "00 00 00 01",  // description
      "44 00 00 06 30 38 48 00 00 50 00 00", "40 00 00 01",
      "06 00 00 01 ff ff ff 7f 00 00 00 00", "07 00 00 01 ff ff ff ff ff ff ff 7f",  // opposites: none
      "45 00 00 0e 58 00 00 00 20 00 01 00 68 00 01 00 01 00 70 00 80 00 03 00 00 00 00 00 01 00 00 00 00 00 00 00",
      "0d 00 00 01 6d 65 74 61 64 61 74 61 00 00 00 00 00 00 00 07", "45 00 00 01 90 00 00 00 00 00 00 00",
    ]
    #expect(image.hexNodes == expected.map(node))
    #expect(roots.tableNames == Ref(0xb8) && roots.tables == Ref(0xd0))
  }

  // MARK: Refusals

  @Test func `names, links and indexes that no realm can have are refused`() throws {
    func build(_ schemas: [TableSchema]) throws {
      let definitions = schemas.enumerated().map { TableDefinition(key: TableKey(rawValue: UInt32($0)), schema: $1) }
      _ = try GroupBuilder(definitions, output: NodeImage())
    }
    let long = RealmString(String(repeating: "x", count: 64))
    let int = Property(name: "p", type: .int)
    #expect(throws: BuildError.nameTooLong(long)) { try build([TableSchema(name: long)]) }
    let wide = TableSchema(
      name: "class_W", properties: (0...1 << 16).map { Property(name: RealmString("c\($0)"), type: .int) })
    #expect(throws: BuildError.tooManyProperties(table: "W", limit: 1 << 16)) { try build([wide]) }
    #expect(throws: BuildError.nameInUse("class_A")) {
      try build([TableSchema(name: "class_A"), TableSchema(name: "class_A")])
    }
    #expect(throws: BuildError.nameInUse("p")) { try build([TableSchema(name: "class_A", properties: [int, int])]) }
    #expect(throws: BuildError.nameTooLong(long)) {
      try build([TableSchema(name: "class_A", properties: [Property(name: long, type: .int)])])
    }
    #expect(throws: BuildError.unknownTarget(table: "A", property: "l")) {
      try build([TableSchema(name: "class_A", properties: [Property(name: "l", type: .object, target: "class_B")])])
    }
    let notIndexed: [(PropertyType, CollectionKind?, IndexKind)] = [
      (.double, nil, .general), (.decimal128, nil, .general), (.data, nil, .general), (.int, nil, .fullText),
      (.int, .list, .general), (.string, .set, .general), (.string, .list, .fullText),
    ]
    for (type, collection, index) in notIndexed {
      let property = Property(name: "p", type: type, collection: collection, index: index)
      #expect(throws: BuildError.indexNotSupported(table: "A", property: "p")) {
        try build([TableSchema(name: "class_A", properties: [property])])
      }
    }
  }

  @Test func `objects come in the order of their keys, each with all of its values`() throws {
    let definition = TableDefinition(
      key: TableKey(rawValue: 0),
      schema: TableSchema(name: "class_A", properties: [Property(name: "p", type: .int)]))
    func build(_ keys: [Int64], values: Int) throws {
      let group = try GroupBuilder([definition], output: NodeImage())
      try group.tables[0].append(count: keys.count, keyAt: { ObjectKey(rawValue: keys[$0]) }) { _, _, column in
        for _ in 0..<values { try column.append(.int(1)) }
        return true
      }
      _ = try group.finish()
    }
    try build([0, 5, 9], values: 3)
    #expect(throws: BuildError.keysNotAscending(table: "A", key: 5)) { try build([0, 5, 5], values: 3) }
    #expect(throws: BuildError.keysNotAscending(table: "A", key: -1)) { try build([-1], values: 1) }
    #expect(throws: BuildError.wrongValueCount(expected: 3, found: 2)) { try build([0, 5, 9], values: 2) }
    #expect(throws: BuildError.wrongValueCount(expected: 3, found: 4)) { try build([0, 5, 9], values: 4) }
  }

  @Test func `a link to an object that is not there is found at the end`() throws {
    let definition = TableDefinition(
      key: TableKey(rawValue: 3),
      schema: TableSchema(
        name: "class_A", properties: [Property(name: "l", type: .object, isOptional: true, target: "class_A")]))
    let group = try GroupBuilder([definition], output: NodeImage())
    try group.tables[0].append(count: 1, keyAt: { _ in ObjectKey(rawValue: 0) }) { _, _, column in
      try column.append(.link(TableKey(rawValue: 3), ObjectKey(rawValue: 7)))
      return true
    }
    #expect(throws: BuildError.danglingLink(table: "A", key: 7)) { try group.finish() }
  }
}
