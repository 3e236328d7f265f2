import Testing

@testable import RealmStorage

/// The byte dumps of Docs/Format/2-nodes-and-values.md: each leaf shown there comes out as the engine writes it.
@Suite struct LeafBytesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let type: ElementType
    var inCollection = false
    /// Offset of the first node.
    var start = 24
    let values: @Sendable (OwnedBytes) -> [ValueView]
    /// The nodes in order, headers without `41 41 41 41`.
    let nodes: [String]
  }

  private static func ints(_ numbers: Int64?...) -> @Sendable (OwnedBytes) -> [ValueView] {
    { _ in numbers.map { $0.map(ValueView.int) ?? .null } }
  }

  private static func texts(_ texts: String?...) -> @Sendable (OwnedBytes) -> [ValueView] {
    { owner in texts.map { $0.map(owner.text) ?? .null } }
  }

  private static func datas(_ datas: [UInt8]?...) -> @Sendable (OwnedBytes) -> [ValueView] {
    { owner in datas.map { $0.map(owner.data) ?? .null } }
  }

  private static func decimals(_ decimals: Decimal128?...) -> @Sendable (OwnedBytes) -> [ValueView] {
    { _ in decimals.map { $0.map(ValueView.decimal) ?? .null } }
  }

  private static func decimal(_ coefficient: Unsigned128, _ exponent: Int, negative: Bool = false) -> Decimal128 {
    Decimal128(coefficient: coefficient, exponent: exponent, isNegative: negative)
  }

  private static func links(_ keys: Int64?...) -> @Sendable (OwnedBytes) -> [ValueView] {
    { _ in keys.map { $0.map { .link(TableKey(rawValue: 7), ObjectKey(rawValue: $0)) } ?? .null } }
  }

  private static let int = ElementType(.int)
  private static let optionalInt = ElementType(.int, isNullable: true)
  private static let string = ElementType(.string, isNullable: true)
  private static let binary = ElementType(.binary, isNullable: true)
  private static let date = ElementType(.timestamp, isNullable: true)
  private static let decimal = ElementType(.decimal, isNullable: true)
  private static let link = ElementType(.link, isNullable: true, target: TableKey(rawValue: 7))

  private static func numberedID(_ row: Int) -> ValueView {
    guard row != 1, row != 8 else { return .null }
    return .objectID(ObjectID(head: UInt64(0xa0 + row) << 56, tail: UInt32(row)))
  }

  private static func blob(_ header: String, _ byte: UInt8, _ count: Int, padding: Int) -> String {
    header + " " + Hex.text([UInt8](repeating: byte, count: count) + [UInt8](repeating: 0, count: padding))
  }

  private static let integers1: [Row] = [
    Row(
      testDescription: "width 4", type: int, values: ints(1, 15, 0, 7, 3),
      nodes: ["03 00 00 05 f1 70 03 00 00 00 00 00"]),
    Row(testDescription: "width 2", type: int, values: ints(1, 3, 0), nodes: ["02 00 00 03 0d 00 00 00 00 00 00 00"]),
    Row(testDescription: "width 1", type: int, values: ints(1, 0, 1), nodes: ["01 00 00 03 05 00 00 00 00 00 00 00"]),
    Row(testDescription: "width 8", type: int, values: ints(1, -1), nodes: ["04 00 00 02 01 ff 00 00 00 00 00 00"]),
    Row(testDescription: "width 16", type: int, values: ints(128), nodes: ["05 00 00 01 80 00 00 00 00 00 00 00"]),
    Row(testDescription: "width 32", type: int, values: ints(-32769), nodes: ["06 00 00 01 ff 7f ff ff 00 00 00 00"]),
  ]

  private static let integers2: [Row] = [
    Row(
      testDescription: "16 needs width 8", type: int, values: ints(16), nodes: ["04 00 00 01 10 00 00 00 00 00 00 00"]),
    Row(
      testDescription: "width 64", type: int, values: ints(1 << 31),
      nodes: ["07 00 00 01 00 00 00 80 00 00 00 00"]),
    Row(testDescription: "width 0", type: int, values: ints(0, 0, 0), nodes: ["00 00 00 03"]),
    Row(
      testDescription: "null marker of width 8", type: optionalInt, values: ints(5, 0, 100, nil, -3),
      nodes: ["04 00 00 06 7f 05 00 64 7f fd 00 00"]),
    Row(testDescription: "only nulls", type: optionalInt, values: ints(nil, nil), nodes: ["00 00 00 03"]),
    Row(
      testDescription: "0 is not null", type: optionalInt, values: ints(0),
      nodes: ["01 00 00 02 01 00 00 00 00 00 00 00"]),
  ]

  private static let integers3: [Row] = [
    Row(
      testDescription: "15 is not null", type: optionalInt, values: ints(15),
      nodes: ["04 00 00 02 7f 0f 00 00 00 00 00 00"]),
    Row(
      testDescription: "list of optional integers", type: optionalInt, inCollection: true, values: ints(nil, 4),
      nodes: ["03 00 00 03 ff 04 00 00 00 00 00 00"]),
    Row(testDescription: "empty optional leaf", type: optionalInt, values: ints(), nodes: ["00 00 00 01"]),
    Row(
      testDescription: "booleans", type: ElementType(.bool, isNullable: true),
      values: { _ in [.bool(true), .null, .bool(false)] }, nodes: ["02 00 00 03 0d 00 00 00 00 00 00 00"]),
    Row(
      testDescription: "floats", type: ElementType(.float), values: { _ in [.float(1.5), .null, .float(.nan)] },
      nodes: ["0b 00 00 03 00 00 c0 3f aa 00 c0 7f 00 00 c0 7f 00 00 00 00"]),
    Row(
      testDescription: "doubles", type: ElementType(.double), values: { _ in [.double(-2.25), .null, .double(.nan)] },
      nodes: [
        """
        0c 00 00 03 00 00 00 00 00 00 02 c0 aa 00 00 00 00 00 f8 7f 00 00 00 00 00 00 f8 7f
        """
      ]),
  ]

  private static let integers4: [Row] = [
    Row(testDescription: "empty floats", type: ElementType(.float), values: { _ in [] }, nodes: ["0b 00 00 00"]),
    Row(testDescription: "empty doubles", type: ElementType(.double), values: { _ in [] }, nodes: ["0c 00 00 00"]),
  ]

  static let integers = integers1 + integers2 + integers3 + integers4

  private static let others1: [Row] = [
    Row(
      testDescription: "dates", type: date, start: 0xda0,
      values: { _ in
        [
          .date(Timestamp(seconds: 1, nanoseconds: 500_000_000)), .null,
          .date(Timestamp(seconds: -1, nanoseconds: -250)), .date(Timestamp(seconds: 1_700_000_000, nanoseconds: 0)),
        ]
      },
      nodes: [
        """
        06 00 00 05 ff ff ff 7f 01 00 00 00 ff ff ff 7f ff ff ff ff 00 f1 53 65 00 00 00 00
        """,
        "06 00 00 04 00 65 cd 1d 00 00 00 00 06 ff ff ff 00 00 00 00",
        "45 00 00 02 a0 0d c0 0d 00 00 00 00",
      ]),
    Row(
      testDescription: "epochs", type: date,
      values: { _ in Array(repeating: .date(Timestamp(seconds: 0, nanoseconds: 0)), count: 2) },
      nodes: ["01 00 00 03 01 00 00 00 00 00 00 00", "00 00 00 02", "44 00 00 02 18 28 00 00 00 00 00 00"]),
    Row(
      testDescription: "empty dates", type: date, values: { _ in [] },
      nodes: ["00 00 00 01", "00 00 00 00", "44 00 00 02 18 20 00 00 00 00 00 00"]),
    Row(
      testDescription: "object ids with nulls, filled with zeros", type: ElementType(.objectID),
      values: { _ in (0..<9).map(numberedID) },
      nodes: [
        """
        09 00 00 6e 02 a0 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 a2 00 00
        00 00 00 00 00 00 00 00 02 a3 00 00 00 00 00 00 00 00 00 00 03 a4 00 00 00 00 00 00 00 00 00 00
        04 a5 00 00 00 00 00 00 00 00 00 00 05 a6 00 00 00 00 00 00 00 00 00 00 06 a7 00 00 00 00 00 00
        00 00 00 00 07 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        """
      ]),
    Row(
      testDescription: "a UUID and null", type: ElementType(.uuid),
      values: { _ in [.uuid(RealmUUID(head: 0x0011_2233_4455_6677, tail: 0x8899_aabb_ccdd_eeff)), .null] },
      nodes: [
        """
        09 00 00 21 02 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00
        """
      ]),
    Row(testDescription: "empty ids", type: ElementType(.objectID), values: { _ in [] }, nodes: ["08 00 00 00"]),
  ]

  private static let others2: [Row] = [
    Row(testDescription: "decimals all null", type: decimal, values: decimals(nil, nil), nodes: ["08 00 00 02"]),
    Row(
      testDescription: "decimals all zero", type: decimal,
      values: decimals(decimal(0, 0), decimal(0, 0), decimal(0, 0)), nodes: ["28 00 00 03"]),
    Row(
      testDescription: "decimals of 4 bytes", type: decimal,
      values: decimals(decimal(1, 0), nil, decimal(125, -1, negative: true), decimal(0, 0)),
      nodes: ["0b 00 00 04 01 00 80 32 aa 00 00 7c 7d 00 00 b2 00 00 80 32"]),
    Row(
      testDescription: "decimals of 8 bytes", type: decimal,
      values: decimals(decimal(1, 0), nil, decimal(1_234_567_890_125, -1)),
      nodes: [
        """
        0c 00 00 03 01 00 00 00 00 00 c0 31 aa 00 00 00 00 00 00 7c cd 04 fb 71 1f 01 a0 31
        """
      ]),
    Row(
      testDescription: "decimals of 16 bytes", type: decimal,
      values: decimals(
        decimal(1, 0), nil, Decimal128(low: 0xb14e_9f81_2f36_6c39, high: 0x303e_0000_0000_0006),
        Decimal128(low: 0, high: 0x7c00_0000_0000_0000), Decimal128(low: 0, high: 0x7800_0000_0000_0000)),
      nodes: [
        """
        0d 00 00 05 01 00 00 00 00 00 00 00 00 00 00 00 00 00 40 30 aa 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 7c 39 6c 36 2f 81 9f 4e b1 06 00 00 00 00 00 3e 30 00 00 00 00 00 00 00 00 00 00 00 00
        00 00 00 7c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 78
        """
      ]),
    Row(
      testDescription: "a negative zero keeps its sign", type: decimal, values: decimals(decimal(0, 0, negative: true)),
      nodes: ["0b 00 00 01 00 00 80 b2 00 00 00 00"]),
  ]

  private static let others3: [Row] = [
    Row(testDescription: "empty decimals", type: decimal, values: decimals(), nodes: ["08 00 00 00"]),
    Row(
      testDescription: "link column", type: link, values: links(0, nil, 1),
      nodes: ["02 00 00 03 21 00 00 00 00 00 00 00"]),
    Row(
      testDescription: "unresolved link", type: link, values: links(-4), nodes: ["04 00 00 01 fd 00 00 00 00 00 00 00"]),
    Row(
      testDescription: "list of links", type: link, inCollection: true, values: links(1, 0, 0),
      nodes: ["01 00 00 03 01 00 00 00 00 00 00 00"]),
    Row(
      testDescription: "list with an unresolved link", type: link, inCollection: true, values: links(0, -4),
      nodes: ["24 00 00 02 00 fc 00 00 00 00 00 00"]),
  ]

  static let others = others1 + others2 + others3

  private static let strings1: [Row] = [
    Row(
      testDescription: "short texts", type: string, values: texts("xxx", "", "ab", nil),
      nodes: ["0b 00 00 04 78 78 78 00 00 00 00 03 61 62 00 01 00 00 00 04"]),
    Row(
      testDescription: "empty texts", type: string, values: texts("", ""),
      nodes: ["09 00 00 02 00 00 00 00 00 00 00 00"]),
    Row(testDescription: "texts all null", type: string, values: texts(nil, nil, nil), nodes: ["08 00 00 03"]),
    Row(testDescription: "no texts", type: string, values: texts(), nodes: ["08 00 00 00"]),
    Row(
      testDescription: "list of texts", type: string, inCollection: true, values: texts("a", nil),
      nodes: ["0a 00 00 02 61 00 00 02 00 00 00 00"]),
    Row(
      testDescription: "set of texts", type: string, inCollection: true, values: texts(nil, "", "B", "a", "b", "é"),
      nodes: [
        """
        0b 00 00 06 00 00 00 04 00 00 00 03 42 00 00 02 61 00 00 02 62 00 00 02 c3 a9 00 01
        """
      ]),
  ]

  private static let strings2: [Row] = [
    Row(
      testDescription: "15 bytes are short", type: string, values: texts("0123456789abcde"),
      nodes: ["0d 00 00 01 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 00"]),
    Row(
      testDescription: "medium texts", type: string, start: 0x7b8, values: texts("short", "0123456789abcdef", "", nil),
      nodes: [
        "04 00 00 04 06 17 18 19 00 00 00 00",
        """
        11 00 00 19 73 68 6f 72 74 00 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 00 00 00 00 00 00
        00 00 00 00
        """,
        "01 00 00 04 08 00 00 00 00 00 00 00", "45 00 00 03 b8 07 c8 07 f0 07 00 00",
      ]),
    Row(
      testDescription: "big texts", type: string, start: 0x8c8,
      values: texts("hi", String(repeating: "z", count: 64), nil, ""),
      nodes: [
        "11 00 00 03 68 69 00 00 00 00 00 00",
        blob("11 00 00 41", 0x7a, 64, padding: 8),
        "11 00 00 01 00 00 00 00 00 00 00 00", "65 00 00 04 c8 08 d8 08 00 00 28 09",
      ]),
    Row(
      testDescription: "small data", type: binary, start: 0xb78, values: datas([1, 2, 3], [], nil),
      nodes: [
        "02 00 00 03 3f 00 00 00 00 00 00 00", "11 00 00 03 01 02 03 00 00 00 00 00",
        "01 00 00 03 04 00 00 00 00 00 00 00", "45 00 00 03 78 0b 88 0b 98 0b 00 00",
      ]),
    Row(
      testDescription: "big data", type: binary, start: 0xc70,
      values: datas([1, 2, 3], [], nil, Array(repeating: 0xee, count: 65)),
      nodes: [
        "11 00 00 03 01 02 03 00 00 00 00 00", "11 00 00 00",
        blob("11 00 00 41", 0xee, 65, padding: 7),
        "65 00 00 04 70 0c 80 0c 00 00 88 0c",
      ]),
    Row(
      testDescription: "64 bytes of data are small", type: binary, values: datas(Array(repeating: 1, count: 64)),
      nodes: [
        "04 00 00 01 40 00 00 00 00 00 00 00", blob("11 00 00 40", 1, 64, padding: 0), "00 00 00 01",
        "44 00 00 03 18 28 70 00 00 00 00 00",
      ]),
  ]

  static let strings = strings1 + strings2

  @Test("is written byte for byte", arguments: integers + others + strings)
  func bytes(_ row: Row) throws {
    let image = NodeImage(from: row.start)
    let owner = OwnedBytes()
    let encoder = row.type.leafEncoder(inCollection: row.inCollection, NodeEncoder(image))
    let values = row.values(owner)
    for value in values { try encoder.append(value) }
    #expect(encoder.count == values.count)
    let ref = try encoder.finish()
    #expect(image.nodes.map { Hex.text($0.bytes) } == row.nodes.map { Hex.normalized("41 41 41 41 " + $0) })
    #expect(ref == image.nodes.last?.ref)
    #expect(encoder.count == 0)
  }

  @Test func `a 64-bit leaf of optional integers marks null with a number that does not occur`() throws {
    let image = NodeImage()
    let encoder = ElementType(.int, isNullable: true).leafEncoder(inCollection: false, NodeEncoder(image))
    for value in [1 << 40, Int64.max, Int64.max - 1] { try encoder.append(.int(value)) }
    try encoder.append(.null)
    _ = try encoder.finish()
    #expect(
      image.hex == [
        """
        0018: 41 41 41 41 07 00 00 05 fd ff ff ff ff ff ff 7f 00 00 00 00 00 01 00 00 \
        ff ff ff ff ff ff ff 7f fe ff ff ff ff ff ff 7f fd ff ff ff ff ff ff 7f
        """
      ])
  }

  @Test func `values of another type, and null where none can be, are refused`() throws {
    let nodes = NodeEncoder(NodeImage())
    let types: [TypeCode] = [.int, .bool, .float, .double, .string, .binary, .timestamp, .decimal, .objectID, .uuid]
    for code in types {
      let encoder = ElementType(code).leafEncoder(inCollection: false, nodes)
      #expect(throws: BuildError.wrongType) { try encoder.append(.typedLink(.null, ObjectKey(rawValue: 0))) }
    }
    #expect(throws: BuildError.nullForRequired) { try IntLeafEncoder(nodes, .ints).append(.null) }
    let links = LinkLeafEncoder(nodes, target: TableKey(rawValue: 7), inCollection: true)
    #expect(throws: BuildError.nullForRequired) { try links.append(.null) }
    #expect(throws: BuildError.wrongType) { try links.append(.link(TableKey(rawValue: 8), ObjectKey(rawValue: 0))) }
  }
}
