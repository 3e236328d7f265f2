import Foundation
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmModels
@testable import RealmStorage

/// The tables of `schema dump --format sql`, filled from exploded CSV, are those of `export --format sqlite`.
@Suite struct ExplodedTextTests {
  @Test("CSV and SQLite hold the same rows", arguments: Fixture.contents)
  func sameRows(_ path: String) throws {
    let test = try RelationalCase(path)
    let (output, plan, _) = try test.export()
    let database = try SQLiteDatabase(output, .reading)
    let filled = test.folder.path("filled.sqlite")
    #expect(FileManager.default.createFile(atPath: filled, contents: nil))
    let copy = try SQLiteDatabase(filled, .writing)
    try copy.execute(SchemaFormat.sql.text(of: test.snapshot.schema).string)
    // Null and the empty string are the same in CSV when SQLite's shell reads it.
    try copy.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN")
    var options = test.options
    options.format = .csv
    let names = plan.relational.tables.map(\.sqlName) + RelationalMeta.allCases.map(\.name)
    for (name, text) in zip(names, options.texts(of: plan)) {
      let collector = TextCollector()
      let report = try Exporter(test.snapshot, options: text.options, sink: collector).run()
      #expect(report.isEmpty)
      let rows = CSV(collector.bytes).rows
      let header = try #require(rows.first)
      #expect(header == (try columns(name, database)))
      let marks = header.map { _ in "?" }.joined(separator: ", ")
      let insert = try copy.prepare("INSERT INTO \(SQLText.quoted(name)) VALUES (\(marks))")
      #expect(rows.allSatisfy { $0.count == header.count })
      for row in rows.dropFirst() {
        // Bound bytes have to stay until the statement is reset.
        let bytes = row.flatMap { Array($0.utf8) }
        try bytes.withUnsafeBytes { bytes in
          var start = 0
          for (index, cell) in row.enumerated() {
            let end = start + cell.utf8.count
            try insert.bind(.text(UnsafeRawBufferPointer(rebasing: bytes[start..<end])), at: index)
            start = end
          }
          _ = try insert.step()
          insert.reset()
        }
      }
      let (wanted, found) = (try rowsOf(name, header, database), try rowsOf(name, header, copy))
      #expect(wanted.count == found.count, "\(name)")
      if let (row, other) = zip(wanted, found).first(where: { $0 != $1 }) { Issue.record("\(name): \(row), \(other)") }
    }
  }

  private func columns(_ table: String, _ database: SQLiteDatabase) throws -> [String] {
    let statement = try database.prepare("PRAGMA table_info(\(SQLText.quoted(table)))")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(1)?.description ?? "") }
    return names
  }

  /// All rows, sorted, with the differences that CSV can express: no nulls, data in Base64, numbers by value.
  private func rowsOf(_ table: String, _ columns: [String], _ database: SQLiteDatabase) throws -> [String] {
    let list = columns.map { SQLText.quoted($0) }.joined(separator: ", ")
    let statement = try database.prepare("SELECT \(list) FROM \(SQLText.quoted(table))")
    var rows: [String] = []
    while try statement.step() {
      rows.append(columns.indices.map { Self.text(statement.cell($0)) }.joined(separator: "\u{1f}"))
    }
    return rows.sorted()
  }

  private static func text(_ cell: RelationalRecords.Cell) -> String {
    switch cell {
    case .null: return ""
    case .integer(let number): return "\(number)"
    case .real(let number): return "\(number)"
    case .blob(let bytes): return Data(bytes).base64EncodedString()
    case .text(let bytes):
      let text = String(decoding: bytes, as: UTF8.self)
      // A column of Mixed values has no type, so a number of CSV stays a string there.
      if let number = Int64(text) { return "\(number)" }
      return text.contains(where: \.isNumber) ? Double(text).map { "\($0)" } ?? text : text
    }
  }

  /// RFC 4180, for what the exporter writes.
  private struct CSV {
    private(set) var rows: [[String]] = []

    init(_ bytes: [UInt8]) {
      var row: [String] = []
      var cell: [UInt8] = []
      var isQuoted = false
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\"") where isQuoted && index < bytes.count && bytes[index] == byte:
          cell.append(byte)
          index += 1
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted:
          row.append(String(decoding: cell, as: UTF8.self))
          cell = []
        case UInt8(ascii: "\n") where !isQuoted:
          rows.append(row + [String(decoding: cell, as: UTF8.self)])
          (row, cell) = ([], [])
        default: cell.append(byte)
        }
      }
    }
  }
}
