import RealmStorage
import TestSupport
import Testing

@testable import RealmPresentation

/// Tables printed on a terminal.
@Suite struct ValueTableTests {
  private static func lines(_ name: String, _ className: RealmString, width: Int?) throws -> (
    lines: [String], hidden: Int
  ) {
    try leavingUntouched(Fixture.path("engine/\(name).realm")) { path in
      let snapshot = try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
      let schema = try #require(snapshot.table(displayName: className))
      let table = ValueTable(snapshot, schema.schema.properties.map { TextTable.Column($0) }, width: width) { "\($0)" }
      try schema.forEachBatch(in: snapshot) { batch in
        for row in 0..<batch.count {
          table.append(
            try schema.schema.properties.indices.map { .success(try batch.values(ofProperty: $0).value(at: row)) })
        }
      }
      #expect(table.takeLines(isComplete: false).isEmpty)
      return (table.takeLines(isComplete: true), table.hiddenColumnCount)
    }
  }

  @Test func `columns are as wide as their values, and numbers stand at the right`() throws {
    let (lines, hidden) = try Self.lines("person-v1", "Person", width: 80)
    #expect(
      lines == [
        "firstName  lastName   age", "Gordon     Cole        58", "Dale       Cooper      35",
        "Laura      Palmer      17", "Audrey     Horne       18", "Margaret   Lanterman   51",
        "Zoë        Ångström     0",
      ])
    #expect(hidden == 0)
  }

  @Test(arguments: [200, 80, 60, 40, 20, 8, 1])
  func `no line is wider than the window`(_ width: Int) throws {
    for (name, className) in [("dogs", "Person"), ("dogs", "Dog"), ("nested-mixed", "Doc"), ("all-types", "AllTypes")] {
      let (lines, hidden) = try Self.lines(name, RealmString(className), width: width)
      #expect(lines.count > 1)
      for line in lines { #expect(CellText(line, .plain, .unicode, limit: .max).width <= width) }
      #expect(hidden == 0 || width < 100 || className == "AllTypes")
    }
  }

  @Test func `ids lose their beginning, which is that of all`() throws {
    let (lines, _) = try Self.lines("dogs", "Dog", width: 60)
    let ids = lines.dropFirst().compactMap { $0.split(separator: " ").first }
    #expect(Set(ids).count == ids.count && ids.count > 2)
    #expect(ids.allSatisfy { $0.hasPrefix("…0") })
  }

  @Test(arguments: [
    ["7d444840-9dc0-11d1-b245-5ffdce74fad2", "7d444841-9dc0-11d1-b245-5ffdce74fad2"],
    ["650000000000000000000001", "650000000000000000000002"],
    ["650a00000000000000000001", "650a00000000000000000002", "650b00000000000000000001"],
  ])
  func `ids that differ look different`(_ ids: [String]) throws {
    try leavingUntouched(Fixture.path("engine/dogs.realm")) { path in
      let snapshot = try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
      let columns = [TextTable.Column("_id", leastWidth: 6, isID: true), TextTable.Column("text", leastWidth: 6)]
      let table = ValueTable(snapshot, columns, width: 40) { "\($0)" }
      for id in ids { table.append(texts: [id, String(repeating: "x", count: 39)]) }
      let lines = table.takeLines(isComplete: true).dropFirst()
      #expect(lines.allSatisfy { $0.contains("…") } && Set(lines).count == ids.count, "\(lines)")
    }
  }

  @Test func `without a window values stand whole`() throws {
    let (lines, _) = try Self.lines("dogs", "Person", width: nil)
    #expect(lines.contains { $0.contains("→ Rex") && $0.contains("→ Fido") })
    #expect(!lines.contains { $0.contains("…") })
  }
}
