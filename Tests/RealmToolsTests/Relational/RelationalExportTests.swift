import Foundation
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmModels
@testable import RealmStorage

/// What is written to a SQLite file is read back from it.
@Suite struct RelationalExportTests {
  @Test("a SQLite file has the content hash of its realm", arguments: Fixture.contents)
  func equalByHash(_ path: String) throws {
    let test = try RelationalCase(path)
    let (output, plan, report) = try test.export(threads: 2)
    #expect(report.damage.isEmpty)
    try RelationalProof(test.snapshot, plan: plan, threadCount: 1).check(output, isComplete: true)
    for includesKeys in [true, false] {
      var realm = ContentHasher(test.snapshot)
      var file = RelationalHasher(try RelationalFile(output))
      (realm.includesObjectKeys, file.includesObjectKeys) = (includesKeys, includesKeys)
      #expect(try realm.run() == file.run())
    }
    #expect(try test.difference(output) == [])
  }

  @Test("every form of dates keeps every date", arguments: RelationalSchema.DateForm.allCases)
  func dates(_ form: RelationalSchema.DateForm) throws {
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let (output, plan, _) = try test.export(dates: form)
    try RelationalProof(test.snapshot, plan: plan, threadCount: 1).check(output, isComplete: true)
  }

  @Test("all dates of a column have the same number of digits, and files whose dates have fewer are read as before")
  func digits() throws {
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let (output, plan, _) = try test.export()
    let database = try SQLiteDatabase(output, .writing)
    var count = 0
    for table in plan.relational.tables {
      for column in table.columns where column.order == .date {
        let (name, own) = (SQLText.quoted(table.sqlName), SQLText.quoted(column.name))
        // Years of other lengths have a sign.
        let lengths = "SELECT count(DISTINCT length(\(own))) FROM \(name) WHERE \(own) GLOB '[0-9]*'"
        #expect(try database.number(lengths) <= 1, "\(table.sqlName).\(column.name)")
        try database.execute(
          "UPDATE \(name) SET \(own) = rtrim(rtrim(rtrim(\(own), 'Z'), '0'), '.') || 'Z' WHERE \(own) LIKE '%.%'")
        count += 1
      }
    }
    #expect(count > 0)
    #expect(try test.difference(output) == [])
    try RelationalProof(test.snapshot, plan: plan, threadCount: 1).check(output, isComplete: true)
  }

  @Test("tables that are created apart from each other are those that are created together")
  func createdApart() throws {
    let folder = try TemporaryFolder()
    let tables = (0..<50).map { number in
      [
        "CREATE TABLE \"t\(number)\" (a TEXT PRIMARY KEY NOT NULL, b REFERENCES \"t\((number * 7) % 50)\" (a)) WITHOUT ROWID",
        "CREATE INDEX \"i\(number)\" ON \"t\(number)\" (b)",
      ]
    }
    let path = try folder.write("a.db", [])
    let database = try SQLiteDatabase(path, .writing)
    try database.execute("BEGIN")
    try database.createApart(tables, each: 7)
    try database.execute("INSERT INTO t49 VALUES ('x', NULL); COMMIT")
    try RelationalFile.check(path)
    let statement = try SQLiteDatabase(path, .reading).prepare("SELECT sql FROM sqlite_schema ORDER BY rowid")
    var found: [String] = []
    while try statement.step() { if let text = statement.text(0)?.description { found.append(text) } }
    #expect(found == tables.flatMap { $0 })
  }

  @Test("the same realm gives the same bytes, on any number of threads")
  func deterministic() throws {
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let first = try test.export("a.sqlite").path
    let second = try test.export("b.sqlite", threads: 3).path
    #expect(try Fixture.bytes(ofFile: first) == Fixture.bytes(ofFile: second))
    #expect(try Fixture.bytes(ofFile: first).count == Int(test.export("c.sqlite").report.byteCount))
  }

  @Test("the user version is that of the schema")
  func userVersion() throws {
    let test = try RelationalCase(Fixture.path("engine/dogs.realm"))
    let database = try SQLiteDatabase(test.export().path, .reading)
    #expect(try database.number("PRAGMA user_version") == 3)
  }

  @Test("the object keys of an import are searched for, not looked through")
  func importOfKeys() throws {
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let file = try RelationalFile(test.export().path)
    let tables = file.relational.classes.filter { $0.key != .objectKey }
    #expect(!tables.isEmpty)
    for table in tables {
      let plan = try file.database.prepare("EXPLAIN QUERY PLAN " + RelationalSource.selection(from: table).statement)
      var steps: [String] = []
      while try plan.step() { steps.append(plan.text(3)?.description ?? "") }
      #expect(steps.contains { $0.contains("object=?") }, "\(steps)")
    }
  }

  /// Changes of a file of `all-types.realm`, and what `diff` names.
  static let changes: [(sql: String, found: [String])] = [
    ("UPDATE AllTypes SET intCol = 7 WHERE _id = 48", ["AllTypes 48: intCol"]),
    ("UPDATE AllTypes SET boolCol = 0 WHERE _id = 48", ["AllTypes 48: boolCol"]),
    ("UPDATE AllTypes SET optString = NULL WHERE _id = 48", ["AllTypes 48: optString"]),
    ("UPDATE AllTypes SET stringCol = stringCol || ' ' WHERE _id = 48", ["AllTypes 48: stringCol"]),
    ("UPDATE AllTypes SET dataCol = X'00' WHERE _id = 48", ["AllTypes 48: dataCol"]),
    ("UPDATE AllTypes SET dateCol = '1970-01-01T00:00:01Z' WHERE _id = 48", ["AllTypes 48: dateCol"]),
    ("UPDATE AllTypes SET doubleCol = 1e-300 WHERE _id = 233", ["AllTypes 233: doubleCol"]),
    ("UPDATE AllTypes SET floatCol = 158.2500000001 WHERE _id = 48", ["AllTypes 48: floatCol"]),
    ("UPDATE AllTypes SET decimal128Col = '0.0' WHERE _id = -100", ["AllTypes -100: decimal128Col"]),
    (
      "UPDATE AllTypes SET uuidCol = '00000000-0000-0000-0000-000000000001' WHERE _id = -100",
      ["AllTypes -100: uuidCol"]
    ),
    ("UPDATE AllTypes SET mixedCol_type = 'string' WHERE _id = 48", ["AllTypes 48: mixedCol"]),
    ("UPDATE AllTypes SET mixedCol_type = 'set' WHERE _id = 48", ["AllTypes 48: mixedCol"]),
    ("UPDATE AllTypes SET mixedCol_type = NULL WHERE _id = 48", ["AllTypes 48: mixedCol"]),
    ("UPDATE AllTypes SET link = 48 WHERE _id = 48", ["AllTypes 48: link"]),
    ("UPDATE AllTypes SET link = 4711 WHERE _id = 48", ["AllTypes 48: link"]),
    // A number that means NaN or -0 does not hide a change of its column.
    (
      #"UPDATE "AllTypes.listFloat" SET _value = 3 WHERE _owner = 48 AND _position = 2"#, ["AllTypes 48: listFloat"]
    ),
    ("UPDATE AllTypes SET optFloat = 1.5 WHERE _id = -63", ["AllTypes -63: optFloat"]),
    ("DELETE FROM _realm_values WHERE property = 'optFloat' AND owner = -63", ["AllTypes -63: optFloat"]),
    (#"DELETE FROM "AllTypes.listInt" WHERE _owner = 48 AND _position = 3"#, ["AllTypes 48: listInt"]),
    (
      #"UPDATE "AllTypes.listInt" SET _position = 9 WHERE _owner = 48 AND _position = 3"#, ["AllTypes 48: listInt"]
    ),
    (
      #"""
      UPDATE "AllTypes.listInt" SET _position = 9 WHERE _owner = 48 AND _position = 1;
      UPDATE "AllTypes.listInt" SET _position = 1 WHERE _owner = 48 AND _position = 2;
      UPDATE "AllTypes.listInt" SET _position = 2 WHERE _owner = 48 AND _position = 9
      """#, ["AllTypes 48: listInt"]
    ),
    (#"INSERT INTO "AllTypes.setInt" VALUES (48, 123456789)"#, ["AllTypes 48: setInt"]),
    (#"INSERT INTO "AllTypes.dictInt" VALUES (48, 'new', 1)"#, ["AllTypes 48: dictInt"]),
    ("UPDATE Inner SET note = 'other' WHERE _key = 0", []),
    ("DELETE FROM AllTypes WHERE _id = 48", ["- AllTypes 48"]),
    ("UPDATE AllTypes SET _id = 49 WHERE _id = 48", ["- AllTypes 48", "+ AllTypes 49"]),
  ]

  @Test("what somebody changes in a file is named", arguments: changes.indices)
  func changesAreNamed(_ index: Int) throws {
    let change = Self.changes[index]
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let (output, plan, _) = try test.export()
    try RelationalCase.change(output, change.sql)
    let found = try test.difference(output)
    if !change.found.isEmpty { #expect(change.found.allSatisfy(found.contains), "\(found)") }
    #expect(!found.isEmpty)
    #expect(throws: (any Error).self) {
      try RelationalProof(test.snapshot, plan: plan, threadCount: 1).check(output, isComplete: true)
    }
  }

  @Test("files of other forms are told as such")
  func otherFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.sqlite")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    try RelationalCase.change(path, "CREATE TABLE t (a)")
    #expect(throws: DatabaseError.self) { try RelationalFile(path) }
    try RelationalCase.change(
      path,
      "CREATE TABLE _realm_schema (\"schema\", dates, names, schema_version);"
        + "INSERT INTO _realm_schema VALUES ('{', 'iso', '{}', 1)")
    #expect(throws: DatabaseError.self) { try RelationalFile(path) }
    #expect(FileManager.default.createFile(atPath: path + "-wal", contents: Data([1])))
    #expect(throws: DatabaseError.unfinished(path + "-wal")) { try RelationalFile(path) }
  }

  @Test("a log beside the file that a link leads to is seen") func logBehindALink() throws {
    let test = try RelationalCase(Fixture.path("engine/dogs.realm"))
    let output = try test.export().path
    let folder = try TemporaryFolder()
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: output)
    _ = try RelationalFile(link)
    for ending in ["-wal", "-journal"] {
      #expect(FileManager.default.createFile(atPath: output + ending, contents: Data([1])))
      #expect(throws: DatabaseError.unfinished(output + ending)) { try RelationalFile(link) }
      try FileManager.default.removeItem(atPath: output + ending)
    }
  }

  @Test(
    "what is computed when it is read is no export",
    arguments: [
      "DROP TABLE Toy; CREATE VIEW Toy AS SELECT 1",
      "CREATE TRIGGER t AFTER DELETE ON Toy BEGIN SELECT 1; END",
      "CREATE VIRTUAL TABLE t USING fts5(a)",
      "ALTER TABLE Toy ADD COLUMN more GENERATED ALWAYS AS (zeroblob(100))",
    ])
  func computed(_ sql: String) throws {
    let test = try RelationalCase(Fixture.path("engine/dogs.realm"))
    let output = try test.export().path
    try RelationalCase.change(output, sql)
    let problem = try #require(throws: DatabaseError.self) { try RelationalFile(output) }
    guard case .otherForm = problem else { return #expect(Bool(false), "\(problem)") }
  }

  @Test("an element without an owner is told") func orphans() throws {
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let output = try test.export().path
    try RelationalFile(output).requireOwners()
    try RelationalCase.change(output, #"INSERT INTO "AllTypes.listInt" VALUES (4711, 0, 1)"#)
    #expect(throws: DatabaseError.unsound("a row of table 'AllTypes.listInt' belongs to no object")) {
      try RelationalFile(output).requireOwners()
    }
  }

  @Test("embedded objects that contain themselves end with an error")
  func circles() throws {
    let test = try RelationalCase(Fixture.path("engine/all-types.realm"))
    let output = try test.export().path
    try RelationalCase.change(
      output,
      "UPDATE _realm_schema SET schema = replace(schema, '\"objectType\":\"Inner\"', '\"objectType\":\"Embedded\"');"
        + "UPDATE Embedded SET child = _key")
    #expect(throws: DatabaseError.endless) { try RelationalHasher(try RelationalFile(output)).run() }
  }
}
