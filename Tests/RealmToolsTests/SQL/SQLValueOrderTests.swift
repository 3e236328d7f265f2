import RealmQuery
import RealmStorage
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmModels

/// Decimals and dates in SQL. Comparisons are those of RQL on the same realm, sums and averages those of Python's `decimal`.
@Suite struct SQLValueOrderTests {
  private static let prices = [
    "10", "9.5", "100", "-1", "2E+3", "9.50", "0E-2", "-0", "1E-7", "Infinity", "-Infinity", "NaN",
    "1234567890123456789012345678901234", "0.1", "0.2",
  ]
  private static let dates = [
    "2001-01-01T00:00:01Z", "2001-01-01T00:00:01.5Z", "2001-01-01T00:00:01.000001Z", "1969-12-31T23:59:59.25Z",
    "+10000-01-01T00:00:00Z", "-0001-12-31T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
    "2001-01-02T00:00:00Z", "2000-12-31T00:00:00Z", "1970-01-01T00:00:00Z", "2024-02-29T12:00:00.123Z",
    "2024-02-29T12:00:00Z", "2024-03-01T00:00:00Z", "1600-01-01T00:00:00Z",
  ]

  private static func makeRealm(in folder: TemporaryFolder, prices: [String] = prices) throws -> Snapshot {
    let lines = zip(prices, dates).enumerated().map { index, row in
      #"{"class":"T","value":{"id":\#(index),"p":"\#(row.0)","t":"\#(row.1)","ps":["\#(row.0)"],"ts":["\#(row.1)"]}}"#
        + "\n"
    }
    let schema = """
      [{"name":"T","primaryKey":"id","properties":{"id":"int","p":"decimal128","t":"date","ps":"decimal128[]",
        "ts":"date[]"}}]
      """
    let text = try folder.write("a.ndjson", Array(lines.joined().utf8))
    let seed = DataSeed(schema: try SchemaFile(Array(schema.utf8)).schema, dataAt: [text])
    let output = try seed.makeOutput(at: folder.path("a.realm"), replacing: .never)
    _ = try seed.write(to: output)
    try output.publish()
    return try OpenedRealm(ByteStore.open(.path(folder.path("a.realm")), key: nil)).snapshot
  }

  private static func session(_ snapshot: Snapshot) throws -> SQLSession {
    let plan = try RelationalPlan(
      snapshot, options: ExportOptions(format: .sqlite, tables: snapshot.tables.filter(\.schema.isClass)), dates: .iso,
      isWhole: true)
    return try SQLSession(snapshot, plan, keepsOffDisk: false)
  }

  private static func rows(_ sql: String, _ session: SQLSession) throws -> [[Value]] {
    var rows: [[Value]] = []
    try session.run(sql, columns: { _ in }, row: { rows.append($0) })
    return rows
  }

  /// Oracle: the same join without an index that SQLite makes for it.
  @Test("joins of parts find equal decimals of any length") func joinedParts() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(Self.makeRealm(in: folder, prices: ["10.0", "20.0", "10.00", "20.00"]))
    let parts = ["id < 2", "id >= 2"].map { "(SELECT p, count(*) c FROM T WHERE \($0) GROUP BY p)" }
    let counts = try ["x.p = y.p", "x.p >= y.p AND x.p <= y.p"].map {
      try Self.rows("SELECT count(*) FROM \(parts[0]) x JOIN \(parts[1]) y ON \($0)", session)
    }
    #expect(counts == [[[.int(2)]], [[.int(2)]]])
  }

  @Test("comparisons find what RQL finds") func comparisons() throws {
    let folder = try TemporaryFolder()
    let snapshot = try Self.makeRealm(in: folder)
    let session = try Self.session(snapshot)
    let table = try #require(snapshot.tables.first { $0.schema.displayName == "T" })
    let numbers = Self.prices.filter { $0.allSatisfy { "0123456789.-".contains($0) } && $0.utf8.count < 15 }
    for operation in ["<", "<=", "==", ">=", ">", "!="] {
      for number in numbers + ["9", "1999", "-1.5"] {
        let query = try Query("p \(operation) \(number)", of: table, in: snapshot)
        let expected = try query.keys().keys.map { try #require(try Self.id(of: $0, in: table)) }.sorted()
        // NaN, which is less than no number in RQL, comes first in SQL, where all values have an order.
        let isNumber = operation.hasPrefix("<") ? " AND p <> 'NaN'" : ""
        for text in [number, "'\(number)'"] {
          let found = try Self.rows("SELECT id FROM T WHERE p \(operation) \(text)\(isNumber) ORDER BY id", session)
          #expect(found == expected.map { [.int($0)] }, "p \(operation) \(text)")
        }
      }
    }
    let order = try Query("TRUEPREDICATE SORT(p ASC, id ASC)", of: table, in: snapshot).keys().keys
    #expect(
      try Self.rows("SELECT id FROM T ORDER BY p, id", session)
        == order.map { [.int(try #require(try Self.id(of: $0, in: table)))] })
    let times = try Query("TRUEPREDICATE SORT(t ASC)", of: table, in: snapshot).keys().keys
    let ids = try times.map { [Value.int(try #require(try Self.id(of: $0, in: table)))] }
    #expect(try Self.rows("SELECT id FROM T ORDER BY t", session) == ids)
    #expect(try Self.rows("SELECT _owner FROM \"T.ts\" ORDER BY _value", session) == ids)
    #expect(try Self.rows("SELECT id FROM T WHERE t = '2001-01-02'", session) == [[.int(8)]])
    #expect(try Self.rows("SELECT id FROM T WHERE t < '0000'", session) == [[.int(5)]])
    #expect(
      try Self.rows("SELECT id FROM T WHERE t >= '9999-12-31T23:59:59Z' ORDER BY t", session) == [[.int(7)], [.int(4)]])
  }

  private static func id(of key: ObjectKey, in table: Table) throws -> Int64? {
    guard let (batch, row) = try table.object(key), case .int(let id) = try batch.values(ofProperty: 0).value(at: row)
    else { return nil }
    return id
  }

  @Test(
    "sums are exact, and numbers where they can be",
    arguments: [
      ("sum(p) FROM T WHERE id IN (13, 14)", .double(0.3)), ("max(p) FROM T WHERE id < 4", "100"),
      ("avg(p) FROM T WHERE id IN (0, 1, 2)", .double(119.5 / 3)), ("total(p) FROM T WHERE id = 99", .double(0)),
      ("sum(p) FROM T WHERE id = 99", .null),
      ("sum(p) FROM T WHERE id IN (0, 12)", "1234567890123456789012345678901244"),
      ("sum(p) FROM T WHERE id IN (9, 10)", .null), ("count(*) FROM (SELECT DISTINCT p FROM T)", .int(13)),
      ("sum(id) FROM T", .int(105)), ("avg(id) FROM T", .double(7)),
      (
        "group_concat(s, ' ') FROM (SELECT sum(p) OVER (ORDER BY id ROWS 1 PRECEDING) AS s FROM T WHERE id < 4)",
        "10.0 19.5 109.5 99.0"
      ),
      ("count(*) FROM T AS a JOIN T AS b ON a.p = b.p", .int(19)),
    ] as [(String, Value)])
  func sums(_ statement: String, _ expected: Value) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(Self.makeRealm(in: folder))
    #expect(try Self.rows("SELECT " + statement, session) == [[expected]])
  }
}
