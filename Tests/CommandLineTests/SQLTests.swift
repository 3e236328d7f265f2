import Foundation
import RealmStorage
import TestSupport
import Testing

/// `sql`, as its users see it. SQLSessionTests tests what statements find.
@Suite struct SQLTests {
  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    return folder
  }

  private static let sorting = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
    SELECT count(*) FROM (SELECT i FROM n ORDER BY randomblob(200))
    """

  @Test("an encrypted realm is not sorted in temporary files unless that is allowed") func memory() throws {
    let folder = try folder("engine/all-types-encrypted.realm")
    try folder.write("key", Fixture.engineKey)
    let words = ["sql", "a.realm", Self.sorting, "--key-file", "key"]
    let refused = try folder.run(words)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("the statement needs more than 128 MiB of memory; use --temp-files to"))
    let allowed = try folder.run(words + ["--temp-files"])
    #expect(allowed.status == 0)
    #expect(allowed.outputText == "{\"count(*)\":1000000}\n")
  }

  @Test(
    "rows come in the form that is asked for",
    arguments: [
      ("csv", "name,n\nBall,1\n"), ("tsv", "name\tn\nBall\t1\n"), ("ndjson", "{\"name\":\"Ball\",\"n\":1}\n"),
      ("json", "[\n{\"name\":\"Ball\",\"n\":1}\n]\n"), ("table", "name  n\nBall  1\n(1 row)\n"),
    ])
  func formats(format: String, text: String) throws {
    let outcome = try folder().run(
      ["sql", "a.realm", "SELECT name, 1 AS n FROM Toy WHERE name = 'Ball'", "--format", format])
    #expect(outcome.status == 0)
    #expect(outcome.outputText == text)
  }

  @Test("an object of JSON has no name twice") func joined() throws {
    let outcome = try folder().run(
      ["sql", "a.realm", "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a", "SELECT 1 AS a, 2 AS a", "--format", "ndjson"])
    #expect(outcome.outputText == "{\"a\":1,\"a_3\":2,\"a_2\":3,\"a_4\":4}\n{\"a\":1,\"a_2\":2}\n")
  }

  @Test("the extension of the output selects the form of rows") func ending() throws {
    let folder = try folder()
    for (name, text) in [("o.csv", "name\nBall\n"), ("o.json", "[\n{\"name\":\"Ball\"}\n]\n")] {
      let outcome = try folder.run(
        ["sql", "a.realm", "SELECT name FROM Toy WHERE name = 'Ball'", "-o", name], creates: [name])
      #expect(outcome.status == 0)
      #expect(String(decoding: try Fixture.bytes(ofFile: folder.path(name)), as: UTF8.self) == text)
    }
  }

  @Test("an object with too many elements is no mistake in the statement") func tooLarge() throws {
    let folder = try InputFolder()
    let image = RealmImage()
    var list = Property(name: "l", type: .data)
    list.collection = .list
    let schema = TableSchema(name: "class_A", properties: [list])
    let group = try GroupBuilder([TableDefinition(key: TableKey(rawValue: 0), schema: schema)], output: image)
    try folder.write("a.realm", image.finish(try group.finish()))
    let transaction = try WriteTransaction(RealmFile(folder.path("a.realm"), key: nil))
    let table = try transaction.table("class_A")
    let element = Value.data([UInt8](repeating: 7, count: 15 << 20))
    try table.set("l", of: table.create(), to: .list(Array(repeating: element, count: 5)))
    try transaction.commit()
    let outcome = try folder.run(["sql", "a.realm", "SELECT count(_value) FROM \"A.l\"", "--json"])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the elements of one object take more than 64 MiB; export the realm"))
    #expect(!outcome.errors.contains("SQLFailure") && !outcome.errors.contains("SyntaxError"))
  }

  @Test("a mistake is marked in its statement") func mistake() throws {
    let outcome = try folder().run(["sql", "a.realm", "SELECT 1", "SELECT nme FROM Dog"])
    #expect(outcome.status == 8)
    #expect(
      outcome.errors.contains(
        "a.realm: no such column: nme; did you mean 'name'?\n  SELECT nme FROM Dog\n         ^~~\n"))
  }

  @Test(
    "a table that is not there may be meant otherwise",
    arguments: [
      ("SELECT * FROM Dgo", "no such table: Dgo; did you mean 'Dog'?"),
      ("SELECT * FROM Person.dogs", "no such table: Person.dogs; put the name in double quotes: \"Person.dogs\""),
      ("SELECT * FROM nothing_like_it", "no such table: nothing_like_it; '.tables' lists the tables\n"),
      ("SELECT nothing_like_it FROM Dog", "no such column: nothing_like_it; '.schema' lists the columns\n"),
      ("tables", "near \"tables\": syntax error; for the tables, write .tables\n"),
      ("describe Dog", "near \"describe\": syntax error; for the columns, write .schema TABLE\n"),
      (".table", "unknown command '.table'; did you mean '.tables'?\n"),
    ])
  func unknownTable(_ statement: String, _ text: String) throws {
    let outcome = try folder().run(["sql", "a.realm", statement])
    #expect(outcome.status == 8)
    #expect(outcome.errors.contains("a.realm: " + text), "\(outcome.errors)")
  }

  @Test(
    "a class that cannot be read is not called missing",
    arguments: ["SELECT * FROM Person", "select * from person", "SELECT * FROM main.Person", ".schema Person"])
  func damagedTable(_ statement: String) throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try InputFolder()
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["sql", "a.realm", statement])
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix("realmctl: a.realm: class 'Person' cannot be read: "), "\(outcome.errors)")
  }

  @Test(
    "what would change something is refused", arguments: ["DELETE FROM Dog", "PRAGMA user_version", "ATTACH 'x' AS y"])
  func refused(_ statement: String) throws {
    let outcome = try folder().run(["sql", "a.realm", statement])
    #expect(outcome.status == 8)
  }

  @Test("a table that is not there, and a command that is none") func commands() throws {
    let folder = try folder()
    let missing = try folder.run(["sql", "a.realm", ".schema Dgo"])
    #expect(missing.status == 3)
    #expect(missing.errors.contains("no table 'Dgo'; did you mean 'Dog'?"))
    let unknown = try folder.run(["sql", "a.realm", ".dump"])
    #expect(unknown.status == 8)
    #expect(unknown.errors.contains("unknown command '.dump'; the commands are: .tables, .schema [TABLE]"))
  }
}
