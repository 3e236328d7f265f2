import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmModels

/// What Room checks when it opens a database, derived from the entities, agrees with the exported file.
@Suite struct RoomTests {
  /// What `TableInfo` compares.
  private struct TableInfo: Equatable {
    /// Name, affinity, whether null is refused, and position in the primary key.
    var columns: Set<String> = []
    var references: Set<String> = []
    var indexes: Set<String> = []
  }

  private static let realms = SQLSessionTests.realms.filter { $0.key == nil }

  @Test("the entities and the file agree", arguments: realms) func agree(_ fixture: OpenableFixture) throws {
    let snapshot = try fixture.opened()
    let options = ExportOptions(format: .sqlite, tables: snapshot.tables.filter(\.schema.isClass))
    let plan = try RelationalPlan(snapshot, options: options, dates: .unixMilliseconds, isWhole: true)
    // Embedded classes of sync have tables, and no entities.
    guard !plan.tables.isEmpty, plan.tables.allSatisfy(\.schema.isClass) else { return }
    let folder = try TemporaryFolder()
    let path = try folder.write("a.sqlite", [])
    let written = try RelationalExport(snapshot, options: options, plan: plan).write(to: path, keepsOffDisk: false)
    _ = try RoomDatabase.convert(path, plan, keepsMeta: false, keepsOffDisk: false)
    let text = SchemaFormat.room.text(of: plan.whole).string
    let database = try SQLiteDatabase(path, .reading)
    let entities = try Self.entities(in: text)
    let names = try Self.texts("SELECT name FROM sqlite_master WHERE type = 'table'", in: database).map { $0[0] }
    #expect(Set(names) == Set(entities.keys))
    for (name, entity) in entities {
      let info = try Self.info(of: name, in: database)
      #expect(info.columns == entity.columns, "\(name)")
      #expect(info.references == entity.references, "\(name)")
      #expect(info.indexes == entity.indexes, "\(name)")
    }
    for table in written.tables where !RelationalMeta.names.contains(table.name) {
      #expect(try database.number("SELECT count(*) FROM \(SQLText.quoted(table.name))") == Int64(table.rowCount))
    }
    let version = try #require(text.firstMatch(of: /version = ([0-9]+),/)).1
    #expect(try database.number("PRAGMA user_version") == Int64(version))
  }

  // MARK: - The file

  private static func texts(_ sql: String, in database: SQLiteDatabase) throws -> [[String]] {
    let statement = try database.prepare(sql)
    var rows: [[String]] = []
    while try statement.step() { rows.append((0..<6).map { statement.text($0)?.description ?? "" }) }
    return rows
  }

  private static func info(of table: String, in database: SQLiteDatabase) throws -> TableInfo {
    let name = "'" + table.replacing("'", with: "''") + "'"
    var info = TableInfo()
    for row in try texts("SELECT name, type, \"notnull\", pk FROM pragma_table_info(\(name))", in: database) {
      info.columns.insert(row[..<4].joined(separator: "|"))
    }
    for row in try texts(
      "SELECT \"table\", \"from\", \"to\", on_update, on_delete FROM pragma_foreign_key_list(\(name))", in: database)
    {
      info.references.insert(row[..<5].joined(separator: "|"))
    }
    for row in try texts(
      "SELECT l.name, i.name FROM pragma_index_list(\(name)) l JOIN pragma_index_info(l.name) i WHERE l.origin = 'c'",
      in: database)
    {
      info.indexes.insert(row[..<2].joined(separator: "|"))
    }
    return info
  }

  // MARK: - The entities

  private static func entities(in text: String) throws -> [String: TableInfo] {
    var entities: [String: TableInfo] = [:]
    var tableOfClass: [String: String] = [:]
    let parts = text.components(separatedBy: "@Entity(\n").dropFirst()
    for part in parts {
      let table = unescaped(try #require(part.firstMatch(of: /tableName = ("(?:[^"\\]|\\.)*")/)).1)
      let name = try #require(part.firstMatch(of: /\ndata class (\S+)\(\n/)).1
      tableOfClass[String(name)] = table
    }
    for part in parts {
      let table = unescaped(try #require(part.firstMatch(of: /tableName = ("(?:[^"\\]|\\.)*")/)).1)
      let list = try #require(part.firstMatch(of: /primaryKeys = \[(.*)\],\n/)).1
      let key = list.matches(of: /"(?:[^"\\]|\\.)*"/).map { unescaped($0.0) }
      var info = TableInfo()
      let body = part.components(separatedBy: "\n)\n")[0...1].joined(separator: "\n)\n") + "\n"
      for match in body.matches(
        of:
          /@ColumnInfo\(name = ("(?:[^"\\]|\\.)*"), typeAffinity = ColumnInfo\.([A-Z]+)\)\n    val .*: (\S+?)( = null)?,\n/
      ) {
        let name = unescaped(match.1)
        let place = key.firstIndex(of: name).map { $0 + 1 } ?? 0
        #expect(match.3.hasSuffix("?") == (match.4 != nil))
        info.columns.insert("\(name)|\(match.2)|\(match.4 == nil ? 1 : 0)|\(place)")
      }
      for match in body.matches(
        of:
          /entity = (\S+)::class,\n\s+parentColumns = \[("(?:[^"\\]|\\.)*")\],\n\s+childColumns = \[("(?:[^"\\]|\\.)*")\],\n\s+onDelete = ForeignKey\.([A-Z_]+)/
      ) {
        let target = try #require(tableOfClass[String(match.1)])
        let action = match.4.replacing("_", with: " ")
        info.references.insert("\(target)|\(unescaped(match.3))|\(unescaped(match.2))|NO ACTION|\(action)")
      }
      for match in body.matches(of: /Index\(name = ("(?:[^"\\]|\\.)*"), value = \[("(?:[^"\\]|\\.)*")\]\)/) {
        info.indexes.insert("\(unescaped(match.1))|\(unescaped(match.2))")
      }
      entities[table] = info
    }
    return entities
  }

  /// The text of a Kotlin literal.
  private static func unescaped(_ literal: Substring) -> String {
    var text = ""
    var rest = literal.dropFirst().dropLast()
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch next {
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "u":
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) { text.unicodeScalars.append(scalar) }
      default: text.append(next)
      }
    }
    return text
  }
}
