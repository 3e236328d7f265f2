import RealmStorage
import TestSupport
import Testing

@testable import RealmExchange

/// Databases that are not an export of a realm.
@Suite struct ForeignDatabaseTests {
  private static func database(_ folder: TemporaryFolder, _ sql: String) throws -> ForeignDatabase {
    let path = try folder.write("a.db", [])
    let database = try SQLiteDatabase(path, .writing)
    try database.execute(sql)
    return try ForeignDatabase(path)
  }

  private static func classes(of schema: Schema) -> ImportedClasses {
    let numbers = Dictionary(uniqueKeysWithValues: schema.tables.enumerated().map { ($1.name, $0) })
    let kinds = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0.kind) })
    let classes = schema.tables.enumerated().map {
      DataClass(number: $0, schema: $1, numbers: numbers, kinds: kinds, defaults: [:])
    }
    return ImportedClasses(classes: classes, ignoresUnknown: false, className: nil)
  }

  @Test("rows of a list whose owner is not there are told") func orphans() throws {
    let folder = try TemporaryFolder()
    let database = try Self.database(
      folder,
      """
      CREATE TABLE list (id INTEGER PRIMARY KEY);
      CREATE TABLE song (id INTEGER PRIMARY KEY);
      CREATE TABLE entry (list_id INTEGER REFERENCES list, song_id INTEGER REFERENCES song, position INTEGER);
      INSERT INTO list VALUES (1); INSERT INTO song VALUES (5);
      INSERT INTO entry VALUES (1, 5, 0), (2, 5, 0), (NULL, 5, 1), (1, 5, 1);
      """)
    #expect(database.schema.classNamed("list")?.properties.map(\.name) == ["id", "songs"])
    let source = ForeignSource(database)
    var reasons: [String] = []
    try source.open(Self.classes(of: database.schema)) { reasons.append($0.reason) }
    var text: [UInt8] = []
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = try source.read(buffer)
        guard count > 0 else { break }
        text += buffer[..<count]
      }
    }
    #expect(String(decoding: text, as: UTF8.self).contains(#""songs":[5,5]"#))
    #expect(reasons == ["table 'entry': list '2' of a row does not exist", "table 'entry': a row has no list_id"])
  }

  /// What a source gives, and what it reports.
  private static func read(_ database: ForeignDatabase) throws -> (text: String, reasons: [String]) {
    let source = ForeignSource(database)
    var reasons: [String] = []
    try source.open(classes(of: database.schema)) { reasons.append($0.reason) }
    var text: [UInt8] = []
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      while true {
        let count = try source.read(buffer)
        guard count > 0 else { break }
        text += buffer[..<count]
      }
    }
    return (String(decoding: text, as: UTF8.self), reasons)
  }

  @Test("a foreign key to a unique column is a link, and one that cannot be a link is told") func uniqueKeys() throws {
    let folder = try TemporaryFolder()
    let database = try Self.database(
      folder,
      """
      CREATE TABLE country (id INTEGER PRIMARY KEY, code TEXT UNIQUE COLLATE NOCASE);
      CREATE TABLE pair (a INT, b INT, PRIMARY KEY (a, b));
      CREATE TABLE city (id INTEGER PRIMARY KEY, country_code TEXT REFERENCES country (code), a INT, b INT,
        FOREIGN KEY (a, b) REFERENCES pair (a, b));
      INSERT INTO country VALUES (7, 'DE'); INSERT INTO city VALUES (1, 'de', 1, 2), (2, 'FR', NULL, NULL), (3, NULL, 1, 1);
      """)
    let city = try #require(database.schema.classNamed("city"))
    #expect(city.property(named: "country_code")?.target == "class_country")
    #expect(database.unlinkedKeys == [.init(columns: "city.a, b", target: "pair.a, b")])
    let (text, reasons) = try Self.read(database)
    #expect(text.contains(#""id":1,"country_code":7,"#) && text.contains(#""id":3,"country_code":null,"#))
    #expect(reasons == ["table 'city': country with code 'FR' of a row does not exist"])
  }

  @Test("generated columns are computed within bounds") func computedBounds() throws {
    let folder = try TemporaryFolder()
    let error = try #require(throws: DatabaseError.self) {
      try Self.database(
        folder,
        "CREATE TABLE t (a INT, b AS (hex(zeroblob(a)))); INSERT INTO t VALUES (1), (9000000)")
    }
    guard case .sqlite(let problem) = error else { throw error }
    #expect(problem.isTooMuchWork)
  }

  @Test("generated columns are columns") func generatedColumns() throws {
    let folder = try TemporaryFolder()
    let database = try Self.database(
      folder,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, x INT, y INT GENERATED ALWAYS AS (x * 2) STORED, z AS (x || 'a'));
      INSERT INTO t (id, x) VALUES (1, 5);
      """)
    let properties = try #require(database.schema.classNamed("t")).properties
    #expect(properties.map(\.name) == ["id", "x", "y", "z"] && properties.map(\.type) == [.int, .int, .int, .string])
  }

  @Test("whole numbers that a double does not hold stay whole") func largeNumbers() throws {
    let folder = try TemporaryFolder()
    let database = try Self.database(
      folder,
      """
      CREATE TABLE t (a NUMERIC, b NUMERIC, c NUMERIC, d REAL);
      INSERT INTO t VALUES (9007199254740993, 9007199254740993, 1, 1), (1, 0.5, 2, 2);
      """)
    #expect(database.schema.classNamed("t")?.properties.map(\.type) == [.int, .mixed, .double, .double])
  }
}
