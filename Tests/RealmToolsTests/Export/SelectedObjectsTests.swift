import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// Exports of some objects, in a given order.
@Suite struct SelectedObjectsTests {
  private static func lines(
    _ realm: TestRealm, _ table: Table, _ format: ExportFormat, _ keys: [ObjectKey]?, threads: Int
  ) throws -> [Substring] {
    let (output, report) = try realm.export(
      format, classes: [table.schema.displayName.description], threads: threads
    ) { $0.keys = keys }
    #expect(report.isEmpty)
    return output.text.split(separator: "\n")
  }

  @Test(
    "their lines are those of an export of everything",
    arguments: ["dogs", "corners", "deep-tree", "indexes", "strings", "all-types-encrypted"])
  func linesAreThoseOfAll(_ fixture: String) throws {
    try leavingUntouched(Fixture.path("engine/\(fixture).realm")) { path in
      let realm = try TestRealm(path)
      var random = SeededGenerator(seed: 5)
      var lineCount = 0
      for table in realm.snapshot.tables where table.schema.isClass && table.schema.kind == .topLevel {
        var keys: [ObjectKey] = []
        try table.forEachBatch(in: realm.snapshot) { batch in keys += (0..<batch.count).map { batch.key(at: $0) } }
        let all = try Self.lines(realm, table, .typedNDJSON, nil, threads: 2)
        #expect(all.count == keys.count)
        let few = keys.indices.filter { _ in random.next() % 20 == 0 }
        let most = keys.indices.filter { _ in random.next() % 20 != 0 }
        for chosen in [Array(keys.indices), keys.indices.reversed(), few, most, few.shuffled(using: &random), []] {
          let lines = try Self.lines(realm, table, .typedNDJSON, chosen.map { keys[$0] }, threads: 2)
          #expect(lines == chosen.map { all[$0] })
          lineCount += lines.count
        }
      }
      #expect(lineCount > 0)
    }
  }

  @Test("documents and tables are whole around them", arguments: [ExportFormat.json, .typed, .core, .csv, .tsv])
  func documents(_ format: ExportFormat) throws {
    let realm = try TestRealm(Fixture.path("engine/dogs.realm"))
    let table = try #require(realm.snapshot.table(displayName: "Person"))
    var keys: [ObjectKey] = []
    try table.forEachBatch(in: realm.snapshot) { batch in keys += (0..<batch.count).map { batch.key(at: $0) } }
    let all = try realm.export(format, classes: ["Person"]).output.text
    let same = try realm.export(format, classes: ["Person"]) { $0.keys = keys }.output.text
    #expect(same == all)
    let none = try realm.export(format, classes: ["Person"]) { $0.keys = [] }.output.text
    #expect(none.utf8.count < all.utf8.count && !none.isEmpty)
  }

  @Test("objects that cannot be found are damage, and the others follow")
  func missingObjects() throws {
    let realm = try TestRealm(Fixture.path("engine/dogs.realm"))
    let keys = [ObjectKey(rawValue: 0), ObjectKey(rawValue: 1 << 40), ObjectKey(rawValue: 1)]
    let (output, report) = try realm.export(.ndjson, classes: ["Dog"]) { $0.keys = keys }
    #expect(output.text.split(separator: "\n").count == 2)
    #expect(report.count == 1)
  }
}
