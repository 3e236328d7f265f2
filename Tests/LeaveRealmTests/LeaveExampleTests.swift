import CSQLite
import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import LeaveRealm

/// The example, as a process that is killed before each of its statements.
@Suite struct LeaveExampleTests {
  /// Formats 9 to 24, lists, embedded objects, dictionaries, Mixed values, links in a circle, an encrypted realm.
  private static let fixtures: [(name: String, isEncrypted: Bool)] = [
    ("real/v09-realm-java-default1.realm", false), ("real/v11-realm-java-default0.realm", false),
    ("real/v22-realm-js-dict.realm", false), ("engine/dogs.realm", false), ("engine/nested-mixed.realm", false),
    ("engine/address-once.realm", false), ("engine/all-types-encrypted.realm", true),
  ].filter { Fixture.exists($0.name) }

  /// From there on, only in one realm every statement is tried.
  private static let mostSingleSteps = 10

  private struct Place {
    let folder: TemporaryFolder
    let realm: String
    let database: String
    var options: [String] = []

    init(_ bytes: [UInt8], isEncrypted: Bool = false) throws {
      folder = try TemporaryFolder()
      realm = try folder.write("app.realm", bytes)
      database = folder.path("app.sqlite")
      if isEncrypted { options = [try folder.write("key", Fixture.engineKey)] }
    }

    /// - Parameter death: the number of the statement before which the process kills itself.
    func run(_ more: [String] = [], dyingAt death: Int? = nil) throws -> (output: String, isKilled: Bool) {
      let child = try ChildProcess(
        "leave-realm-example", [realm, database] + options + (death.map { ["--die-at", "\($0)"] } ?? []) + more)
      let ending = child.wait()
      #expect(ending.errors == "")
      return (ending.output, ending.signal == SIGKILL)
    }

    /// All tables with all values, and the names in the folder.
    func content() throws -> [String] {
      var connection: OpaquePointer?
      #expect(sqlite3_open(database, &connection) == SQLITE_OK)
      defer { sqlite3_close(connection) }
      func rows(_ sql: String) -> [[String]] {
        var statement: OpaquePointer?
        #expect(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
          rows.append(
            (0..<sqlite3_column_count(statement)).map { index in
              let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, index), count: Int(sqlite3_column_bytes(statement, index)))
              return "\(sqlite3_column_type(statement, index)) \(Array(bytes))"
            })
        }
        return rows
      }
      var lines: [String] = []
      var names: [String] = []
      var statement: OpaquePointer?
      sqlite3_prepare_v2(
        connection, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1", -1, &statement, nil)
      while sqlite3_step(statement) == SQLITE_ROW { names.append(String(cString: sqlite3_column_text(statement, 0))) }
      sqlite3_finalize(statement)
      for name in names {
        let quoted = name.replacingOccurrences(of: "\"", with: "\"\"")
        lines += rows("SELECT * FROM \"\(quoted)\"").map { "\(name): \($0)" }.sorted()
      }
      return try lines + folder.names()
    }
  }

  @Test("killed before any statement and run again, the database is the same", arguments: fixtures.indices)
  func repetition(index: Int) throws {
    let (name, isEncrypted) = Self.fixtures[index]
    guard Fixture.exists(name) else { return }
    let bytes = try Fixture.bytes(ofFile: Fixture.path(name))
    let whole = try Place(bytes, isEncrypted: isEncrypted)
    let output = try whole.run().output
    #expect(output.hasPrefix("complete\n"), "\(output)")
    let content = try whole.content()
    #expect(content.contains("app.realm.left"))
    // A later launch changes nothing.
    #expect(try whole.run().output == "copied before\n")
    #expect(try whole.content() == content)
    var death = 1
    while true {
      let place = try Place(bytes, isEncrypted: isEncrypted)
      let isKilled = try place.run(dyingAt: death).isKilled
      if isKilled { #expect(try place.run().output.hasPrefix("complete\n")) }
      #expect(try place.content() == content, "\(name), killed before statement \(death)")
      guard isKilled else { break }
      death += name == "engine/dogs.realm" || death < Self.mostSingleSteps ? 1 : death / 2
    }
    #expect(death > 5)
  }

  @Test("of a damaged realm, what can be read is copied, and the realm stays") func damage() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    var places = Array(bytes.indices.dropLast(4)).filter { bytes[$0..<$0 + 4] == [0x41, 0x41, 0x41, 0x41] }
    #expect(!places.isEmpty)
    // One node after another loses its head, until a copy is incomplete.
    var results: Set<String> = []
    while let place = places.popLast() {
      let before = bytes[place..<place + 8]
      bytes.replaceSubrange(place..<place + 8, with: repeatElement(0xff, count: 8))
      let damaged = try Place(bytes)
      let first = try damaged.run().output
      results.insert(String(first.prefix { $0 != "\n" && $0 != ":" }))
      if first.hasPrefix("error") {
        #expect(try damaged.folder.names().contains("app.realm"))
        let saved = try damaged.run(["--skip-damage"]).output
        results.insert("then " + saved.prefix { $0 != "\n" && $0 != ":" })
        if !saved.hasPrefix("complete") { #expect(try damaged.folder.names().contains("app.realm")) }
      }
      bytes.replaceSubrange(place..<place + 8, with: before)
    }
    #expect(results.isSuperset(of: ["error", "then incomplete"]), "\(results)")
  }

  @Test("a database that exists, with other tables and rows in it, does not count as done") func existingTarget() throws
  {
    let place = try Place(Fixture.bytes("engine/dogs.realm"))
    var connection: OpaquePointer?
    sqlite3_open(place.database, &connection)
    sqlite3_exec(connection, "CREATE TABLE dog (name); INSERT INTO dog VALUES ('new')", nil, nil, nil)
    sqlite3_close(connection)
    #expect(try place.run().output.hasPrefix("complete\n"))
    #expect(try place.content().filter { $0.hasPrefix("realm.Dog:") }.count == 5)
    #expect(try place.content().filter { $0.hasPrefix("dog:") }.count == 1)
  }

  @Test("what the old app has written since is not mixed with what was copied") func writtenSince() throws {
    let place = try Place(Fixture.bytes("engine/dogs.realm"))
    #expect(try place.run(dyingAt: 25).isKilled)
    try place.folder.write("app.realm", Fixture.bytes("engine/address-once.realm"))
    #expect(try place.run().output.hasPrefix("complete\n"))
    let other = try Place(Fixture.bytes("engine/address-once.realm"))
    _ = try other.run()
    #expect(try place.content() == other.content())
  }

  @Test("a fresh installation has nothing to copy, and nothing is made") func fresh() throws {
    let folder = try TemporaryFolder()
    let child = try ChildProcess("leave-realm-example", [folder.path("app.realm"), folder.path("app.sqlite")])
    #expect(child.wait().output == "nothing to copy\n")
    #expect(try folder.names() == ["app.sqlite"])
  }
}
