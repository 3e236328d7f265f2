extension LegacyRealm {
  /// A realm with everything that a format can store: strings and data in each kind of leaf, null, dates, old mixed
  /// values, links both ways, subtables, enumerated strings, trees of several leaves, primary keys, a schema version.
  ///
  /// - Parameter format: 2 to 9.
  package static func everything(format: UInt8) -> LegacyRealm {
    LegacyRealm(
      [
        .primaryKeys([("Item", "id")]), .metadata(version: 7), items(format), parents(),
        LegacyTable("internal", [LegacyColumn("n", .int, LegacyNodes.ints([1]))]),
        LegacyTable("class_Empty", [LegacyColumn("s", .string, LegacyNodes.short([]))]), LegacyTable("class_None", []),
      ], format: format)
  }

  /// Rows of class `Item`.
  private static let count = 12

  private static func items(_ format: UInt8) -> LegacyTable {
    let hasNull = format > 2
    let rows = 0..<count
    func leaves<Value>(_ values: [Value], _ leaf: ([Value]) -> EditableNode) -> EditableNode {
      LegacyNodes.tree(
        stride(from: 0, to: count, by: 5).map { leaf(Array(values[$0..<min($0 + 5, count)])) }, elementsPerChild: 5,
        total: Int64(count))
    }
    let numbers = rows.map { Int64($0 * $0 * $0 * 1000) }
    let texts: [String?] = rows.map { hasNull && $0 % 4 == 3 ? nil : String(repeating: "ab ", count: $0 * $0) }
    let data: [[UInt8]?] = rows.map { hasNull && $0 % 5 == 4 ? nil : [UInt8](repeating: 7, count: $0 * 3) }
    let optional: [Int64?] = rows.map { hasNull && $0 % 3 == 0 ? nil : Int64($0) - 5 }
    var columns = [
      LegacyColumn(
        "id", .string, leaves(rows.map { "key \($0)" }, LegacyNodes.short), index: LegacyNodes.lists([[]])),
      LegacyColumn("number", .int, leaves(numbers) { LegacyNodes.ints($0) }),
      LegacyColumn("flag", .bool, LegacyNodes.ints(rows.map { Int64($0 % 2) })),
      LegacyColumn("float", .float, LegacyNodes.floats(rows.map { (Float($0) / 3).bitPattern })),
      LegacyColumn("double", .double, LegacyNodes.doubles(rows.map { (Double($0) / -7).bitPattern })),
      LegacyColumn(
        "text", .string,
        leaves(texts) { part in
          part.contains { ($0?.utf8.count ?? 0) > 63 }
            ? LegacyNodes.big(part) : LegacyNodes.medium(part, isNullable: hasNull)
        }, isNullable: hasNull),
      LegacyColumn("data", .binary, LegacyNodes.data(data, hasFlags: hasNull), isNullable: hasNull),
      LegacyColumn("bigData", .binary, LegacyNodes.bigData(data.map { $0 ?? [] })),
      LegacyColumn.enumerated(
        "colour", LegacyNodes.short(["blue", "red", "green"]), rows.map { Int64($0 % 3) }),
      LegacyColumn.table(
        "list", [LegacyColumn("!ARRAY_VALUE", .string, LegacyNodes.short([]))],
        rows.map { $0 % 2 == 0 ? nil : [LegacyNodes.short((0..<$0).map { "e\($0)" })] }),
      LegacyColumn.table(
        "pairs",
        [LegacyColumn("key", .string, LegacyNodes.short([])), LegacyColumn("value", .int, LegacyNodes.ints([]))],
        rows.map { $0 == 3 ? [LegacyNodes.short(["a", "b"]), LegacyNodes.ints([1, 2])] : nil }),
      mixed(format),
    ]
    if hasNull {
      columns.append(
        LegacyColumn(
          "optional", .int, leaves(optional) { LegacyNodes.nullableInts($0, marker: 127) }, isNullable: true))
      columns.append(
        LegacyColumn(
          "optionalFlag", .bool,
          LegacyNodes.nullableInts(rows.map { $0 % 3 == 2 ? nil : Int64($0 % 3) }, marker: 2), isNullable: true))
    }
    columns.append(
      format < 5
        ? LegacyColumn("date", .seconds, LegacyNodes.ints(rows.map { Int64($0) * 86_400 }))
        : LegacyColumn(
          "date", .timestamp,
          LegacyNodes.dates(rows.map { $0 == 1 ? nil : (Int64($0) * 86_400, Int64($0)) }, marker: -1),
          isNullable: true))
    columns.append(.backlinks(from: 3, column: 1, rows.map { $0 == 2 ? [0] : $0 == 5 ? [1] : [] }))
    columns.append(.backlinks(from: 3, column: 2, rows.map { $0 == 2 ? [0, 0, 1] : $0 == 4 ? [0] : [] }))
    return LegacyTable("class_Item", columns)
  }

  private static func mixed(_ format: UInt8) -> LegacyColumn {
    let kinds: [(type: Int64, data: EditableNode.Element)] = [
      (0, .tagged(7)), (12, .tagged(-8)), (1, .tagged(1)), (9, .tagged(0x3f80_0000)), (10, .tagged(0x3ff0_0000)),
      (11, .tagged(0x3ff0_0000)), (2, .tagged(0)), (4, .tagged(1)), format < 5 ? (7, .tagged(9)) : (8, .tagged(0)),
      (0, .raw(0)), (5, .child(.refs([.raw(0), .raw(0)]))), (0, .tagged(1)),
    ]
    return LegacyColumn(
      "any", .mixed,
      LegacyNodes.mixed(
        kinds, blobs: LegacyNodes.data([Array("text".utf8) + [0], [1, 2, 3]]),
        dates: format < 5 ? nil : LegacyNodes.dates([(100, 5)], marker: 127)))
  }

  private static func parents() -> LegacyTable {
    LegacyTable(
      "class_Parent",
      [
        LegacyColumn("name", .string, LegacyNodes.medium(["one", "two"], isNullable: false)),
        .link("item", to: 2, LegacyNodes.ints([3, 6])), .linkList("items", to: 2, [[2, 4, 2], [2]]),
      ])
  }
}
