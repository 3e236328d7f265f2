import Foundation
import TestSupport
import Testing

/// DuckDB and pandas read what `export` writes, where Python has them.
@Suite struct DataToolTests {
  /// The path of an interpreter of Python that has a module; nil if there is none.
  private static func python(with module: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { "\($0)/python3" }.first { path in
      FileManager.default.isExecutableFile(atPath: path) && (try? Tool(path).run("-c", "import \(module)").status) == 0
    }
  }

  private static let duckDB = python(with: "duckdb")
  private static let pandas = python(with: "pandas")

  private static let fixtures = ["engine/dogs.realm", "engine/all-types.realm", "engine/corners.realm"]

  /// A folder with the exported database and the tables of it as CSV.
  private func export(_ fixture: String) throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    #expect(try folder.run(["export", "a.realm", "-o", "a.sqlite"], creates: ["a.sqlite"]).status == 0)
    let tables = ["export", "a.realm", "--format", "csv", "--explode", "-o", "tables"]
    #expect(try folder.run(tables, creates: ["tables"]).status == 0)
    return folder
  }

  @Test(.enabled(if: duckDB != nil, "DuckDB is not installed"), arguments: fixtures)
  func duckDBCountsTheSameRows(fixture: String) throws {
    let folder = try export(fixture)
    let script = """
      import duckdb, os, sqlite3, sys
      database, folder = sqlite3.connect(sys.argv[1]), sys.argv[2]
      count = 0
      for (name,) in database.execute("select name from sqlite_master where type = 'table' and name not like '\\\\_realm%' escape '\\\\'"):
        quoted = '"' + name.replace('"', '""') + '"'
        rows = database.execute("select count(*) from " + quoted).fetchone()[0]
        columns = [column[1] for column in database.execute("pragma table_info(" + quoted + ")")]
        path = os.path.join(folder, name.replace('/', '%2F').replace('"', '%22') + ".csv")
        table = duckdb.execute("from read_csv(?, header=true, all_varchar=true, delim=',', quote='\\"', escape='\\"')", [path])
        assert [column[0] for column in table.description] == columns, name
        assert len(table.fetchall()) == rows, name
        count += 1
      print(count > 2)
      """
    let outcome = try Tool(try #require(Self.duckDB)).run("-c", script, folder.path("a.sqlite"), folder.path("tables"))
    #expect(outcome.outputText == "True\n", "\(outcome.errors)")
  }

  @Test(.enabled(if: pandas != nil, "pandas is not installed"), arguments: fixtures)
  func pandasReadsEveryTable(fixture: String) throws {
    let folder = try export(fixture)
    let script = """
      import pandas, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      count = 0
      for (name,) in database.execute("select name from sqlite_master where type = 'table'").fetchall():
        quoted = '"' + name.replace('"', '""') + '"'
        rows = database.execute("select count(*) from " + quoted).fetchone()[0]
        assert len(pandas.read_sql("select * from " + quoted, database)) == rows, name
        count += 1
      print(count > 2)
      """
    let outcome = try Tool(try #require(Self.pandas)).run("-c", script, folder.path("a.sqlite"))
    #expect(outcome.outputText == "True\n", "\(outcome.errors)")
  }
}
