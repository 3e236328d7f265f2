import RealmInspection
import RealmStorage
import TestSupport
import Testing

@testable import RealmStorage

/// Realms of formats 2–9 written by hand, a feature at a time (Docs/Format/4-file-versions.md §2).
@Suite struct LegacyReadingTests {
  /// A class with one property, read back.
  private func values(_ column: LegacyColumn, format: UInt8 = 9) throws -> [Value] {
    let realm = try LegacyContent(LegacyRealm([LegacyTable("class_A", [column])], format: format).bytes())
    return try realm.rows("class_A").map { $0[0] }
  }

  // MARK: Numbers

  @Test(
    "integers of every width",
    arguments: [
      [0, 0, 0], [1, 0, 1], [3, 0, 2], [15, 0, 8], [-128, 127, 5], [-32768, 32767], [-2_147_483_648, 7],
      [.min, .max, 0],
    ] as [[Int64]])
  func integers(_ numbers: [Int64]) throws {
    #expect(try values(LegacyColumn("n", .int, LegacyNodes.ints(numbers))) == numbers.map(Value.int))
  }

  @Test func `the first element of a leaf stands for null`() throws {
    let column = LegacyColumn("n", .int, LegacyNodes.nullableInts([7, nil, -87], marker: 127), isNullable: true)
    #expect(try values(column) == [.int(7), .null, .int(-87)])
    let nulls = LegacyColumn("n", .int, LegacyNodes.ints([0, 0, 0]), isNullable: true)
    #expect(try values(nulls) == [.null, .null])
    #expect(try values(LegacyColumn("n", .int, LegacyNodes.ints([]), isNullable: true)) == [])
    let flags = LegacyColumn("b", .bool, LegacyNodes.nullableInts([1, nil, 0], marker: 2), isNullable: true)
    #expect(try values(flags) == [.bool(true), .null, .bool(false)])
    #expect(try values(LegacyColumn("b", .bool, LegacyNodes.ints([1, 0]))) == [.bool(true), .bool(false)])
  }

  @Test func `the pattern of null is a number where null is not allowed`() throws {
    let floats = LegacyNodes.floats([0x3f80_0000, 0x7fc0_00aa])
    #expect(try values(LegacyColumn("f", .float, floats, isNullable: true)) == [.float(1), .null])
    guard case .float(let number) = try values(LegacyColumn("f", .float, floats))[1] else {
      Issue.record("no number")
      return
    }
    #expect(number.bitPattern == 0x7fc0_00aa)
    let doubles = LegacyNodes.doubles([0x3ff0_0000_0000_0000, 0x7ff8_0000_0000_00aa])
    #expect(try values(LegacyColumn("d", .double, doubles, isNullable: true)) == [.double(1), .null])
    guard case .double(let number) = try values(LegacyColumn("d", .double, doubles))[1] else {
      Issue.record("no number")
      return
    }
    #expect(number.bitPattern == 0x7ff8_0000_0000_00aa)
  }

  // MARK: Dates

  @Test func `dates are seconds and nanoseconds, before format 5 seconds alone`() throws {
    let dates = LegacyNodes.dates([(1_462_500_087, 955_000_000), nil, (-10, -5)], marker: 127)
    let expected: [Value] = [
      .date(Timestamp(seconds: 1_462_500_087, nanoseconds: 955_000_000)), .null,
      .date(Timestamp(seconds: -10, nanoseconds: -5)),
    ]
    #expect(try values(LegacyColumn("t", .timestamp, dates, isNullable: true)) == expected)
    let old = LegacyColumn("t", .seconds, LegacyNodes.ints([5, -7]))
    #expect(try values(old, format: 3) == [5, -7].map { .date(Timestamp(seconds: $0, nanoseconds: 0)) })
    let nullable = LegacyColumn("t", .seconds, LegacyNodes.nullableInts([5, nil], marker: 127), isNullable: true)
    #expect(try values(nullable, format: 3) == [.date(Timestamp(seconds: 5, nanoseconds: 0)), .null])
  }

  @Test func `the two trees of dates need not have the same leaves`() throws {
    let seconds = LegacyNodes.tree(
      [
        LegacyNodes.nullableInts([1, 2, 3], marker: 127), LegacyNodes.nullableInts([nil, 5], marker: 127),
      ], elementsPerChild: 3, total: 5)
    let nanoseconds = LegacyNodes.tree(
      [LegacyNodes.ints([10]), LegacyNodes.ints([20, 30, 0, 50])], counts: [1, 4])
    let column = LegacyColumn("t", .timestamp, .refs([.child(seconds), .child(nanoseconds)]), isNullable: true)
    let expected = try values(column)
    #expect(
      expected
        == [(1, 10), (2, 20), (3, 30), nil, (5, 50)].map { (date: (Int64, Int32)?) in
          date.map { .date(Timestamp(seconds: $0.0, nanoseconds: $0.1)) } ?? .null
        })
  }

  // MARK: Strings and data

  private static let texts = ["", "x", "fifteen bytes!!", String(repeating: "m", count: 63)]

  @Test func `short, medium and big texts, with and without null`() throws {
    let short: [String?] = ["", "x", nil, "fifteen bytes!!"]
    #expect(try values(LegacyColumn("s", .string, LegacyNodes.short(short), isNullable: true)) == strings(short))
    // Old engines left the mark of null in required columns; it is an empty string.
    #expect(
      try values(LegacyColumn("s", .string, LegacyNodes.short(short))) == strings(short.map { $0 ?? "" }))
    let medium: [String?] = Self.texts + [nil]
    let leaf = LegacyNodes.medium(medium, isNullable: true)
    #expect(try values(LegacyColumn("s", .string, leaf, isNullable: true)) == strings(medium))
    let plain = LegacyNodes.medium(Self.texts, isNullable: false)
    #expect(try values(LegacyColumn("s", .string, plain)) == strings(Self.texts))
    let big: [String?] = medium + [String(repeating: "long ", count: 1000)]
    #expect(try values(LegacyColumn("s", .string, LegacyNodes.big(big), isNullable: true)) == strings(big))
    #expect(try values(LegacyColumn("s", .string, LegacyNodes.big(big))) == strings(big.map { $0 ?? "" }))
  }

  @Test func `a leaf of width 0 is null or empty`() throws {
    let leaf = LegacyNodes.short([nil, nil])
    #expect(try values(LegacyColumn("s", .string, leaf, isNullable: true)) == [.null, .null])
    #expect(try values(LegacyColumn("s", .string, leaf)) == strings(["", ""]))
  }

  @Test func `data in two or three parts, or a blob each`() throws {
    let data: [[UInt8]?] = [[1, 2, 3], nil, []]
    #expect(try values(LegacyColumn("d", .binary, LegacyNodes.data(data), isNullable: true)) == bytes(data))
    #expect(try values(LegacyColumn("d", .binary, LegacyNodes.bigData(data), isNullable: true)) == bytes(data))
    let required: [[UInt8]?] = [[1], [], [2, 3]]
    let old = LegacyColumn("d", .binary, LegacyNodes.data(required, hasFlags: false))
    #expect(try values(old, format: 2) == bytes(required))
  }

  @Test func `enumerated texts, also of more values than a leaf holds`() throws {
    let keys = LegacyNodes.short(["blue", "red"])
    #expect(try values(.enumerated("e", keys, [1, 0, 1])) == strings(["red", "blue", "red"]))
    let many = LegacyNodes.tree(
      [LegacyNodes.short(["a", "b"]), LegacyNodes.medium(["c", nil], isNullable: true)], elementsPerChild: 2, total: 4)
    let column = LegacyColumn.enumerated("e", many, [3, 2, 0], isNullable: true)
    #expect(try values(column) == strings([nil, "c", "a"]))
    #expect(throws: StorageError.self) { try values(.enumerated("e", keys, [2])) }
  }

  private func strings(_ texts: [String?]) -> [Value] { texts.map { $0.map { .string(RealmString($0)) } ?? .null } }
  private func bytes(_ data: [[UInt8]?]) -> [Value] { data.map { $0.map(Value.data) ?? .null } }

  // MARK: Trees

  @Test func `columns whose leaves end at different rows`() throws {
    let numbers = LegacyNodes.tree(
      [LegacyNodes.ints([0, 1, 2]), LegacyNodes.ints([3, 4, 5]), LegacyNodes.ints([6])], elementsPerChild: 3, total: 7)
    let texts = LegacyNodes.tree(
      [LegacyNodes.short(["0"]), LegacyNodes.big(["1", "2", "3", "4"]), LegacyNodes.short(["5", "6"])],
      counts: [1, 4, 2])
    let realm = try LegacyContent(
      LegacyRealm([
        LegacyTable("class_A", [LegacyColumn("n", .int, numbers), LegacyColumn("s", .string, texts)])
      ]).bytes())
    let rows = try realm.rows("class_A")
    #expect(rows == (0..<7).map { [.int($0), .string(RealmString("\($0)"))] })
    #expect(realm.findings == [])
  }

  @Test func `more rows than a batch holds come in order, each under the number of its row`() throws {
    let leaves = (0..<3).map { leaf in LegacyNodes.ints((0..<1000).map { Int64(leaf * 1000 + $0) }) }
    let realm = try LegacyContent(
      LegacyRealm([
        LegacyTable(
          "class_A", [LegacyColumn("n", .int, LegacyNodes.tree(leaves, elementsPerChild: 1000, total: 3000))])
      ]).bytes())
    let table = try #require(realm.snapshot.table(displayName: "A"))
    #expect(try table.objectCount() == 3000)
    #expect(try realm.rows("class_A").map { $0[0] } == (0..<3000).map(Value.int))
    let found = try #require(try table.object(ObjectKey(rawValue: 2047)))
    #expect(try found.batch.values(ofProperty: 0).value(at: found.row).int == 2047)
    #expect(try table.object(ObjectKey(rawValue: 3000)) == nil && table.object(ObjectKey(rawValue: -1)) == nil)
    let positions = ObjectPositions(of: table)
    #expect(positions.count == 3000 && positions.position(of: ObjectKey(rawValue: 999)) == 999)
    guard case .object(let batch, let row) = positions.entry(at: 1500) else {
      Issue.record("no object")
      return
    }
    #expect(batch.key(at: row).rawValue == 1500)
  }

  // MARK: Links

  @Test func `links, lists of links, and what leads to an object`() throws {
    let dogs = LegacyTable(
      "class_Dog",
      [
        LegacyColumn("name", .string, LegacyNodes.short(["Rex", "Fido", "Ada"])),
        .backlinks(from: 2, column: 1, [[1], [], []]), .backlinks(from: 2, column: 2, [[], [0, 0, 1], [0]]),
      ])
    let owners = LegacyTable(
      "class_Owner",
      [
        LegacyColumn("n", .int, LegacyNodes.ints([1, 2, 3])), .link("dog", to: 1, LegacyNodes.ints([0, 1, 0])),
        .linkList("dogs", to: 1, [[1, 2, 1], [1], []]),
      ])
    let realm = try LegacyContent(LegacyRealm([.metadata(version: 3), dogs, owners]).bytes())
    let dog = TableKey(rawValue: 1)
    func link(_ row: Int64) -> Value { .link(dog, ObjectKey(rawValue: row)) }
    #expect(
      try realm.rows("class_Owner") == [
        [.int(1), .null, .list([link(1), link(2), link(1)])], [.int(2), link(0), .list([link(1)])],
        [.int(3), .null, .list([])],
      ])
    #expect(realm.snapshot.schema.version == 3)
    #expect(realm.findings == [])
    let table = try #require(realm.snapshot.table(displayName: "Dog"))
    let fido = try #require(try table.object(ObjectKey(rawValue: 1)))
    let groups = try realm.snapshot.backlinks(to: fido.batch, row: fido.row).map { try $0.get() }
    #expect(groups.map(\.count) == [0, 3] && groups.map(\.propertyIndex) == [1, 2])
    #expect(try groups[1].originKeys(at: 0..<3, in: realm.snapshot).map { try $0.get().rawValue } == [0, 0, 1])
  }

  // MARK: Subtables and mixed values

  @Test func `a subtable of one column is a list, one of several a list for each`() throws {
    let list = LegacyColumn.table(
      "list", [LegacyColumn("!ARRAY_VALUE", .string, LegacyNodes.short([]), isNullable: true)],
      [[LegacyNodes.short(["only", nil])], nil])
    #expect(try values(list) == [.list([.string("only"), .null]), .list([])])
    let flags = LegacyColumn.table(
      "list", [LegacyColumn("!ARRAY_VALUE", .bool, LegacyNodes.ints([]), isNullable: true)],
      [[LegacyNodes.nullableInts([1, nil], marker: 2)], [LegacyNodes.ints([])]])
    #expect(try values(flags) == [.list([.bool(true), .null]), .list([])])
    let dates = LegacyColumn.table(
      "list", [LegacyColumn("!ARRAY_VALUE", .timestamp, LegacyNodes.ints([]))],
      [[LegacyNodes.dates([(7, 8), (9, 0)], marker: 127)]])
    #expect(
      try values(dates) == [
        .list([.date(Timestamp(seconds: 7, nanoseconds: 8)), .date(Timestamp(seconds: 9, nanoseconds: 0))])
      ])

    let none = LegacyColumn.table("none", [], [nil, []])
    #expect(try values(none) == [.list([]), .list([])])

    let pairs = LegacyColumn.table(
      "pairs",
      [
        LegacyColumn("a", .int, LegacyNodes.ints([])), LegacyColumn("", .binary, LegacyNodes.ints([])),
        .linkList("l", to: 0, []),
      ], [[LegacyNodes.ints([1, 2]), LegacyNodes.data([[3], [4]]), LegacyNodes.lists([[], []])]])
    let realm = try LegacyContent(LegacyRealm([LegacyTable("class_A", [pairs])]).bytes())
    let schema = try #require(realm.snapshot.schema.classNamed("A"))
    #expect(schema.properties.map(\.name) == ["pairs_a", "pairs_"])
    #expect(try realm.rows("class_A") == [[.list([.int(1), .int(2)]), .list([.data([3]), .data([4])])]])
    #expect(
      realm.snapshot.legacyNotes == [
        LegacyNote(table: "class_A", column: "pairs", kind: .lists(["pairs_a", "pairs_"])),
        LegacyNote(table: "class_A", column: "pairs", kind: .leftOut(["l"])),
      ])
    #expect(realm.findings == [.legacyTable])
  }

  @Test func `old mixed values of every type`() throws {
    let negative = Int64(bitPattern: UInt64(bitPattern: -5) & ~(1 << 63))
    func tagged(_ bits: UInt64) -> EditableNode.Element { .raw(Int64(bitPattern: bits << 1 | 1)) }
    let column = LegacyColumn(
      "m", .mixed,
      LegacyNodes.mixed(
        [
          (0, .raw(0)), (0, .tagged(7)), (12, .raw(negative << 1 | 1)), (1, .tagged(1)),
          (9, tagged(UInt64((1.5 as Float).bitPattern))), (10, tagged((2.5 as Double).bitPattern)),
          (11, tagged((-2.5 as Double).bitPattern & ~(1 << 63))), (2, .tagged(0)), (4, .tagged(1)), (7, .tagged(100)),
          (8, .tagged(0)), (5, .child(.refs([.raw(0), .raw(0)]))),
        ], blobs: LegacyNodes.data([Array("str".utf8) + [0], Array("data".utf8)]),
        dates: LegacyNodes.dates([(100, 3)], marker: 127)))
    let realm = try LegacyContent(LegacyRealm([LegacyTable("class_A", [column])], format: 5).bytes())
    #expect(
      try realm.rows("class_A").map { $0[0] } == [
        .int(0), .int(7), .int(-5), .bool(true), .float(1.5), .double(2.5), .double(-2.5), .string("str"),
        .data(Array("data".utf8)), .date(Timestamp(seconds: 100, nanoseconds: 0)),
        .date(Timestamp(seconds: 100, nanoseconds: 3)), .null,
      ])
    #expect(realm.findings == [.legacyTable])
  }

  // MARK: Schema

  @Test func `primary keys come from their own table, in all its forms`() throws {
    func realm(_ keys: LegacyTable) throws -> TableSchema? {
      let columns = [
        LegacyColumn("id", .string, LegacyNodes.short(["a"]), index: LegacyNodes.lists([[]])),
        LegacyColumn("n", .int, LegacyNodes.ints([1])),
      ]
      let realm = try LegacyContent(LegacyRealm([keys, LegacyTable("class_A", columns)]).bytes())
      #expect(realm.snapshot.tables.map(\.schema.name) == ["class_A"])
      #expect(try realm.rows("class_A") == [[.string("a"), .int(1)]])
      return realm.snapshot.schema.classNamed("A")
    }
    #expect(try realm(.primaryKeys([("A", "id"), ("B", "id"), ("A", "gone")]))?.primaryKey?.name == "id")
    #expect(try realm(.primaryKeys([("class_A", "n")]))?.primaryKey?.name == "n")
    let positions = LegacyTable(
      "pk",
      [
        LegacyColumn("pk_table", .string, LegacyNodes.short(["A"])),
        LegacyColumn("pk_property", .int, LegacyNodes.ints([1])),
      ])
    #expect(try realm(positions)?.primaryKey == Property(name: "n", type: .int, index: .general))
  }

  @Test func `a table of another shape may be called pk`() throws {
    let realm = try LegacyContent(
      LegacyRealm([LegacyTable("pk", [LegacyColumn("n", .int, LegacyNodes.ints([4]))])]).bytes())
    #expect(try realm.rows("pk") == [[.int(4)]])
  }

  @Test func `object ids of sync are no property, and names without or of another are made up`() throws {
    let columns = [
      LegacyColumn("!OID", .int, LegacyNodes.ints([512]), index: LegacyNodes.lists([[]])),
      LegacyColumn("", .int, LegacyNodes.ints([1])), LegacyColumn("n", .int, LegacyNodes.ints([2])),
      LegacyColumn("n", .int, LegacyNodes.ints([3])),
    ]
    let realm = try LegacyContent(LegacyRealm([LegacyTable("class_A", columns)]).bytes())
    let schema = try #require(realm.snapshot.schema.classNamed("A"))
    #expect(schema.properties.map(\.name) == ["col_1", "n", "n_3"])
    #expect(try realm.rows("class_A") == [[.int(1), .int(2), .int(3)]])
  }

  @Test("all that a format can hold, together", arguments: UInt8(2)...9)
  func everything(_ format: UInt8) throws {
    let realm = try LegacyContent(LegacyRealm.everything(format: format).bytes())
    #expect(realm.findings == [.legacyTable, .legacyTable])
    #expect(realm.snapshot.schema.version == 7)
    #expect(realm.snapshot.tables.map(\.schema.name).count == 6)
    #expect(realm.snapshot.schema.classNamed("Item")?.primaryKey?.name == "id")
    let items = try realm.rows("class_Item")
    #expect(items.count == 12 && items[11][0] == .string("key 11"))
    #expect(items[2][5] == .string("ab ab ab ab ") && items[3][5] == (format > 2 ? .null : items[3][5]))
    // Node by node the same again.
    let image = RealmImage()
    let (roots, report) = try SnapshotRebuild(realm.snapshot).run(into: image)
    #expect(report.objectCount == 16)
    let rebuilt = try Snapshot(of: ByteStore(copying: image.finish(roots)))
    #expect(rebuilt.schema == realm.snapshot.schema)
    for table in realm.snapshot.tables {
      let copy = try #require(rebuilt.table(table.key))
      #expect(try LegacyContent.rows(copy, rebuilt) == LegacyContent.rows(table, realm.snapshot))
    }
    var findings: [Finding] = []
    _ = try rebuilt.check { findings.append($0) }
    #expect(findings == [])
  }

  @Test("every format, in both forms of a file", arguments: UInt8(2)...9)
  func formats(_ format: UInt8) throws {
    let table = LegacyTable("class_A", [LegacyColumn("n", .int, LegacyNodes.ints([1, 2]))])
    for form in [NodeTree.Form.streaming, .normal] {
      let realm = try LegacyContent(LegacyRealm([table], format: format).bytes(form))
      #expect(try realm.rows("class_A") == [[.int(1)], [.int(2)]])
      #expect(realm.findings == [])
      #expect(realm.snapshot.header.format == format)
    }
  }
}

/// A realm in memory, its bytes guarded against change.
struct LegacyContent {
  let snapshot: Snapshot
  let findings: [FindingKind]

  init(_ bytes: [UInt8]) throws {
    let store = ByteStore(copying: bytes)
    snapshot = try Snapshot(of: store)
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    var findings: [FindingKind] = []
    _ = try Checker(store).run { findings.append($0.kind) }
    self.findings = findings
    // Every table as an owned value, so that all of it is read.
    for table in snapshot.tables { _ = try Self.rows(table, snapshot) }
    #expect(try store.copy(at: 0, length: store.count) == bytes)
  }

  func rows(_ name: String) throws -> [[Value]] {
    let table = try #require(snapshot.tables.first { $0.schema.name == RealmString(name) })
    return try Self.rows(table, snapshot)
  }

  /// All objects by batches, and the same by decoding them at once.
  static func rows(_ table: Table, _ snapshot: Snapshot) throws -> [[Value]] {
    let walk = snapshot.collectionWalk(passes: 2)
    var rows: [[Value]] = []
    var batches = table.batches()
    while let step = batches.next() {
      guard case .batch(let batch) = step else {
        if case .damaged(let error) = step { throw error }
        continue
      }
      var columns: [[Value]] = []
      for property in table.schema.properties.indices {
        let values = try batch.values(ofProperty: property)
        let column = try (0..<batch.count).map { try Value(values.value(at: $0), walk) }
        var views = [ValueView](repeating: .null, count: batch.count)
        var damage: StorageError?
        views.withUnsafeMutableBufferPointer { values.decode(into: $0) { damage = $1 } }
        #expect(damage == nil)
        #expect(try views.map { try Value($0, walk) }.description == column.description)
        columns.append(column)
      }
      for row in 0..<batch.count {
        #expect(batch.key(at: row).rawValue >= 0)
        rows.append(columns.map { $0[row] })
      }
    }
    #expect(try rows.count == table.objectCount())
    return rows
  }
}

extension ValueView {
  fileprivate var int: Int64? { if case .int(let number) = self { number } else { nil } }
}
