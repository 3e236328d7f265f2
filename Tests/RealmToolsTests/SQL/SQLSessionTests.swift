import Foundation
import RealmModels
import RealmStorage
import TestSupport
import Testing

@testable import RealmExchange

/// SQL on realm files. Rows are compared with those of exports, and conditions with SQLite itself.
@Suite struct SQLSessionTests {
  /// Realms that a table of each kind comes from, small enough for every table and every column.
  static let realms: [OpenableFixture] = OpenableFixture.all.filter { fixture in
    (try? Fixture.bytes(ofFile: fixture.path).count).map { $0 < 300_000 } ?? false
  }

  private static func session(_ fixture: OpenableFixture) throws -> SQLSession {
    let snapshot = try fixture.opened()
    let plan = try RelationalPlan(
      snapshot, options: ExportOptions(format: .sqlite, tables: snapshot.tables.filter(\.schema.isClass)), dates: .iso,
      isWhole: true)
    return try SQLSession(snapshot, plan, keepsOffDisk: fixture.key != nil)
  }

  private static func rows(_ sql: String, _ session: SQLSession) throws -> [[Value]] {
    var rows: [[Value]] = []
    try session.run(sql, columns: { _ in }, row: { rows.append($0) })
    return rows
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  @Test("tables have the rows that an export writes", arguments: realms)
  func rows(_ fixture: OpenableFixture) throws {
    let session = try Self.session(fixture)
    let folder = try TemporaryFolder()
    let path = try folder.write("out.sqlite", [])
    let options = ExportOptions(format: .sqlite, tables: session.snapshot.tables.filter(\.schema.isClass))
    _ = try RelationalExport(session.snapshot, options: options, plan: session.plan).write(
      to: path, keepsOffDisk: false)
    let database = try SQLiteDatabase(path, .reading)
    for name in session.tableNames {
      let sql = "SELECT * FROM \(Self.quoted(name))"
      let statement = try database.prepare(sql)
      var width = 0
      // How many more rows the export has than the session, by the values of the row.
      var excess: [[Value]: Int] = [:]
      _ = try session.run(sql, columns: { width = $0.count }, row: { excess[$0, default: 0] -= 1 })
      while try statement.step() { excess[(0..<width).map { Self.value(statement.cell($0)) }, default: 0] += 1 }
      #expect(excess.allSatisfy { $0.value == 0 }, "\(fixture.name) \(name)")
    }
    // Damage in a fixture is reported by both.
    _ = session.takeReport()
  }

  private static func value(_ cell: RelationalRecords.Cell) -> Value {
    switch cell {
    case .null: .null
    case .integer(let number): .int(number)
    case .real(let number): .double(number)
    case .text(let bytes): .string(RealmString(bytes))
    case .blob(let bytes): .data(Array(bytes))
    }
  }

  /// The realms of the repository have every type of column and index.
  @Test(
    "indexes, keys and links find what a look at all rows finds",
    arguments: realms.filter { $0.path.hasPrefix(Fixture.folder.path) })
  func conditions(_ fixture: OpenableFixture) throws {
    let session = try Self.session(fixture)
    // Tables and columns of the same type behave in the same way; some realms have dozens of them.
    for table in Self.spread(session.plan.relational.tables, 24) {
      let name = Self.quoted(table.sqlName)
      guard try Self.rows("SELECT 1 FROM \(name) LIMIT 1 OFFSET 5000", session).isEmpty else { continue }
      for column in Self.spread(table.columns, 8) {
        let own = Self.quoted(column.name)
        let values = try Self.rows("SELECT DISTINCT quote(\(own)) FROM \(name) LIMIT 3", session).compactMap {
          if case .string(let text) = $0[0] { text.description } else { nil }
        }
        for value in values + ["7", "'7'", "NULL"] {
          for operation in ["=", ">="] {
            // A sign in front keeps SQLite from asking for an index.
            let count = "SELECT count(*), total(length(\(own))) FROM \(name) WHERE"
            let found = try Self.rows("\(count) \(own) \(operation) \(value)", session)
            let expected = try Self.rows("\(count) +\(own) \(operation) \(value)", session)
            guard found != expected else { continue }
            // Without its name a column compares with no type; strings and numbers keep theirs either way.
            let sameType =
              "SELECT count(*) FROM \(name) WHERE CAST(\(value) AS TEXT) IS NOT NULL AND typeof(\(own)) = typeof(\(value))"
            #expect(
              try Self.rows(sameType, session)[0][0] == .int(0), "\(fixture.name) \(name).\(own) \(operation) \(value)")
          }
        }
      }
    }
  }

  /// This many elements or a few more, at equal distances.
  private static func spread<Element>(_ elements: [Element], _ count: Int) -> [Element] {
    stride(from: 0, to: elements.count, by: max(elements.count / count, 1)).map { elements[$0] }
  }

  @Test(
    "nothing but reading is allowed",
    arguments: [
      "DELETE FROM Dog", "UPDATE Dog SET name = 'x'", "INSERT INTO Dog VALUES (1)", "DROP TABLE Dog",
      "CREATE TABLE t (a)", "CREATE TEMP TABLE t AS SELECT 1", "ATTACH '/tmp/x' AS x", "PRAGMA table_info(Dog)",
      "PRAGMA writable_schema = 1", "VACUUM", "VACUUM INTO '/tmp/x'", "BEGIN", "SELECT load_extension('x')",
      "SELECT * FROM pragma_table_info('Dog')", "ANALYZE", "REINDEX", "CREATE VIRTUAL TABLE t USING realm(0)",
      "ALTER TABLE Dog RENAME TO x", "SAVEPOINT a", "DETACH main", "SELECT fts3_tokenizer('simple')",
      "SELECT hex(randomblob(100000000))", "SELECT 1\u{0}",
      "SELECT zeroblob(50000000) AS a, zeroblob(50000000), zeroblob(50000000)",
    ])
  func refused(_ sql: String) throws {
    let session = try Self.session(.named("dogs"))
    #expect(throws: DatabaseError.self) { try Self.rows(sql, session) }
    #expect(try Self.rows("SELECT count(*) FROM Dog", session) == [[.int(5)]])
  }

  @Test("a join goes along links by keys in both directions") func joins() throws {
    let session = try Self.session(.named("dogs"))
    let join = """
      SELECT p.name, d.name FROM Person p JOIN "Person.dogs" x ON x._owner = p._id JOIN Dog d ON d._id = x._value
      ORDER BY 1, x._position
      """
    let expected: [[Value]] = [
      ["Alice", "Rex"], ["Alice", "Fido"], ["Alice", "Rex"], ["Bob", "Fido"], ["Bob", "Laika"],
    ]
    #expect(try Self.rows(join, session) == expected)
    let plan = try Self.rows("EXPLAIN QUERY PLAN " + join, session).compactMap { $0.last?.stringValue?.description }
    #expect(plan.count { $0.hasSuffix("INDEX 0:") } == 1)
    let owners = try Self.rows(
      "SELECT count(*) FROM Toy t JOIN Dog d ON d.favoriteToy = t._id WHERE t.name = 'Ball'", session)
    #expect(owners == [[.int(2)]])
  }

  @Test("JSON of a cell can be taken apart") func json() throws {
    let session = try Self.session(.named("dogs"))
    #expect(try Self.rows("SELECT value FROM json_each('[1,2]')", session) == [[.int(1)], [.int(2)]])
    #expect(try Self.rows("SELECT count(*) FROM json_tree('{\"a\":[1,2]}')", session) == [[.int(4)]])
  }

  @Test("the number of a row is the key where objects go by it") func rowNumbers() throws {
    let session = try Self.session(.named("all-types"))
    let name = try #require(session.plan.relational.classes.first { $0.key == .objectKey }).table.sqlName
    let keys = try Self.rows("SELECT rowid FROM \(Self.quoted(name))", session)
    for key in keys.prefix(5) {
      guard case .int(let number) = key[0] else { continue }
      #expect(try Self.rows("SELECT rowid FROM \(Self.quoted(name)) WHERE rowid = \(number)", session) == [key])
    }
    #expect(!keys.isEmpty)
  }

  @Test("a mistake names its place") func mistakes() throws {
    let session = try Self.session(.named("dogs"))
    let error = try #require(throws: DatabaseError.self) { try Self.rows("SELECT 1; SELECT nme FROM Dog", session) }
    guard case .statement(let failure) = error else { throw error }
    #expect(failure.reason == .unknownColumn("nme"))
    #expect(failure.offset == 17)
  }
}
