import Testing

@testable import RealmStorage

/// Trees, nested values and clusters, byte for byte as Docs/Format/2-nodes-and-values.md and 3-tables-and-objects.md
/// show them.
@Suite struct TreeBytesTests {
  private func node(_ text: String) -> String { Hex.normalized("41 41 41 41 " + text) }

  @Test func `2500 integers make two full leaves, a third and a compact inner node`() throws {
    let image = NodeImage(from: 0x1f90)
    let tree = BPlusTreeBuilder(ElementType(.int), NodeEncoder(image))
    for number in 0..<2500 { try tree.append(.int(Int64(number % 10))) }
    #expect(try tree.finish() == Ref(0x2498))
    #expect(image.nodes.map(\.ref) == [Ref(0x1f90), Ref(0x2190), Ref(0x2390), Ref(0x2498)])
    #expect(
      image.hexNodes[0] == node("03 00 03 e8" + String(repeating: " 10 32 54 76 98", count: 100) + " 00 00 00 00"))
    #expect(image.hexNodes[3] == node("c5 00 00 05 d1 07 90 1f 90 21 90 23 89 13 00 00 00 00 00 00"))
  }

  @Test func `1001500 elements make three levels`() throws {
    let image = NodeImage()
    let tree = BPlusTreeBuilder(ElementType(.int), NodeEncoder(image))
    for _ in 0..<1_001_500 { try tree.append(.int(0)) }
    #expect(tree.count == 1_001_500)
    let ref = try tree.finish()
    let store = image.store()
    let root = try Node(ref, in: store)
    #expect(root.count == 4)
    #expect(try root.tagged(0) == 1_000_000)
    #expect(try root.tagged(3) == 1_001_500)
    let children = try (1...2).map { try Node(root.childRef($0), in: store) }
    #expect(children.map(\.count) == [1002, 4])
    #expect(try children.map { try $0.tagged(0) } == [1000, 1000])
    #expect(try children.map { try $0.tagged($0.count - 1) } == [1_000_000, 1500])
  }

  @Test func `an unresolved link among many puts a flag on the root only`() throws {
    let image = NodeImage()
    let table = TableKey(rawValue: 1)
    let tree = BPlusTreeBuilder(ElementType(.link, target: table), NodeEncoder(image))
    for number in 0..<1500 { try tree.append(.link(table, ObjectKey(rawValue: number == 200 ? -4 : 0))) }
    let ref = try tree.finish()
    let store = image.store()
    let root = try Node(ref, in: store)
    #expect(root.flags & 0xe0 == 0xe0)
    #expect(try BPlusTree(root: ref, element: ElementType(.link, target: table)).count(in: store) == 1500)
  }

  @Test func `a tree without elements has no node, as half of a dictionary an empty leaf`() throws {
    let image = NodeImage()
    let tree = BPlusTreeBuilder(.string, NodeEncoder(image))
    #expect(try tree.finish() == .null)
    #expect(image.nodes.isEmpty)
    #expect(try tree.finishRoot() == Ref(24))
    #expect(image.hexNodes == [node("08 00 00 00")])
  }

  @Test func `values of a Mixed property with nested collections`() throws {
    // The example of §3.3, with identity numbers of our own and the nodes in our order.
    let image = NodeImage()
    let owner = OwnedBytes()
    let column = ColumnBuilder(.testing(.mixed, isNullable: true), NodeEncoder(image))
    column.begin((0..<6).map { ObjectKey(rawValue: $0) })
    try column.append(.int(42))
    try column.append(owner.text("hello"))
    try column.append(.double(2.5))
    try column.append(.typedLink(TableKey(rawValue: 0), ObjectKey(rawValue: 1)))
    try column.append(.null)
    try column.begin(.list)
    try column.append(.int(7))
    try column.begin(.dictionary)
    try column.append(key: owner.blob([0x61]))
    try column.append(.int(-5))
    try column.end()
    try column.end()
    try column.finishLeaf(of: 0)
    let dictionary = [
      "0a 00 00 01 61 00 00 00 00 00 00 00", "05 00 00 01 01 fb 00 00 00 00 00 00",
      "44 00 00 06 28 00 00 00 00 00 00 00", "44 00 00 02 18 38 00 00 00 00 00 00",
    ]
    let list = [
      "05 00 00 02 01 07 96 00 00 00 00 00", "44 00 00 01 48 00 00 00 00 00 00 00",
      "02 00 00 02 08 00 00 00 00 00 00 00", "44 00 00 06 58 00 00 00 68 78 00 00",
    ]
    let leaf = [
      "05 00 00 06 01 2a 63 00 2b 00 51 00 00 00 94 00 00 00 00 00", "07 00 00 01 00 00 00 00 00 00 04 40",
      "01 00 00 02 02 00 00 00 00 00 00 00", "0c 00 00 01 68 65 6c 6c 6f 00 00 02",
      "45 00 00 01 88 00 00 00 00 00 00 00", "03 00 00 06 00 00 60 00 00 00 00 00",
      "45 00 00 06 98 00 b0 00 c0 00 d0 00 e0 00 f0 00 00 00 00 00",
    ]
    #expect(image.hexNodes == (dictionary + list + leaf).map(node))
    #expect(column.leaves == [Ref(0x100)])
  }

  @Test func `other composite elements of Mixed leaves`() throws {
    let image = NodeImage()
    let owner = OwnedBytes()
    let encoder = MixedLeafEncoder(NodeEncoder(image))
    let values: [ValueView] = [
      .bool(true), .int(1 << 40), .double(0), .float(1.5), .date(Timestamp(seconds: 1, nanoseconds: 2)),
      .decimal(Decimal128(coefficient: 1, exponent: 0, isNegative: false)), owner.text("x"),
      .objectID(ObjectID(head: 1, tail: 2)), .uuid(RealmUUID(head: 3, tail: 4)), owner.data([5]),
    ]
    for value in values { try encoder.append(value) }
    let ref = try encoder.finish()
    let store = image.store()
    let top = try Node(ref, in: store)
    let composite = try Node(top.childRef(0), in: store)
    let expected: [Int64] = [0x102, 0x21, 0x12b, 0x22a, 0x49, 0x14c, 0x63, 0x170, 0x272, 0x365]
    #expect((0..<composite.count).map { composite.uncheckedInt($0) } == expected)
    #expect(try Node(top.childRef(2), in: store).count == 4)
    #expect(try top.childRef(4).isNull)
    #expect(try top.childRef(5).isNull)
  }

  @Test func `in a tree of several leaves all have identity numbers or none`() throws {
    for hasCollection in [false, true] {
      let image = NodeImage()
      let tree = BPlusTreeBuilder(.mixed, NodeEncoder(image))
      for _ in 0..<1000 { try tree.append(.int(1)) }
      if hasCollection { try tree.append(.list, root: .null) } else { try tree.append(.int(1)) }
      let ref = try tree.finish()
      let store = image.store()
      let root = try Node(ref, in: store)
      for child in 1...2 {
        let leaf = try Node(root.childRef(child), in: store)
        #expect(leaf.count == 6)
        #expect(try Node(leaf.childRef(5), in: store).count == (child == 1 ? 1000 : 1))
      }
    }
  }

  @Test func `a compact inner node of clusters`() throws {
    let image = NodeImage()
    var tree = ClusterTreeBuilder(NodeEncoder(image))
    for first in [0, 256, 512] {
      try tree.append(keys: (first..<min(first + 256, 700)).map(UInt64.init), leaves: [])
    }
    _ = try tree.finish()
    #expect(
      image.hexNodes == [
        node("45 00 00 01 01 02 00 00 00 00 00 00"), node("45 00 00 01 01 02 00 00 00 00 00 00"),
        node("45 00 00 01 79 01 00 00 00 00 00 00"),
        node("c5 00 00 06 00 00 03 00 79 05 18 00 28 00 38 00 00 00 00 00"),
      ])
  }

  @Test func `an explicit inner node of clusters, and explicit clusters`() throws {
    let image = NodeImage()
    var tree = ClusterTreeBuilder(NodeEncoder(image))
    try tree.append(keys: [0, 1, 2, 4, 5, 6, 7, 8], leaves: [Ref(0x18)])
    try tree.append(keys: [0x10000, 0x10001], leaves: [Ref(0x18)])
    _ = try tree.finish()
    #expect(
      image.hexNodes == [
        node("04 00 00 08 00 01 02 04 05 06 07 08"), node("44 00 00 02 18 18 00 00 00 00 00 00"),
        node("44 00 00 02 05 18 00 00 00 00 00 00"), node("06 00 00 02 00 00 00 00 00 00 01 00"),
        node("c4 00 00 05 48 03 15 28 38 00 00 00"),
      ])
  }

  @Test func `incoming links are absent, one in place, or a tree`() throws {
    let image = NodeImage(from: 0xb8)
    let log = LinkLog()
    for origin in 0..<4 { try log.append(from: ObjectKey(rawValue: Int64(origin)), to: ObjectKey(rawValue: 0)) }
    try log.append(from: ObjectKey(rawValue: 4), to: ObjectKey(rawValue: 1))
    var incoming = try log.takeIncoming(of: "T")
    _ = try incoming.writeLeaf([0, 1, 2], NodeEncoder(image))
    try incoming.requireEnd()
    #expect(
      image.hexNodes == [node("02 00 00 04 e4 00 00 00 00 00 00 00"), node("45 00 00 03 b8 00 09 00 00 00 00 00")])
    #expect(log.spillableByteCount == 0)
  }
}

extension Column {
  /// A column of single values for tests.
  static func testing(_ type: TypeCode, isNullable: Bool = false, index: IndexKind = .none) -> Column {
    Column(
      key: ColumnKey(leafIndex: 0, type: type, attributes: [], tag: 0), name: "p",
      element: ElementType(type, isNullable: isNullable), collection: nil, enumeration: nil, index: index)
  }
}
