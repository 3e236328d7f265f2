import Foundation
import RealmExchange
import RealmOpening
import RealmPresentation
import RealmTools
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// `stats` adds up, names what is damaged, and fits its terminal.
@Suite struct StatsTests {
  private func report(_ outcome: Tool.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  private func sum(_ report: [String: Any]) throws -> Int {
    try #require(report["parts"] as? [[String: Any]]).reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) }
  }

  @Test func theRowsOfEachTableAreTheFile() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types.realm"))
    for by in ["part", "class", "property"] {
      for top in ["3", "1000"] {
        let outcome = try folder.run(["stats", "a.realm", "--by", by, "--top", top])
        #expect(outcome.status == 0)
        let rows = outcome.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3)
          .prefix { !$0.isEmpty }
        let bytes = rows.compactMap { Int($0.split(separator: " ").first ?? "") }
        #expect(bytes.reduce(0, +) == 1_048_576)
        #expect(rows.count == 4 || top == "1000")
        #expect(!outcome.outputText.contains("█"))
      }
    }
  }

  @Test func jsonHasTheSizeAndFlatParts() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/fragmented.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    let plain = try report(try folder.run(["stats", "a.realm", "--json"]))
    #expect(plain["input"] as? String == "a.realm")
    #expect(plain["size"] as? Int == 524_288)
    #expect(try sum(plain) == 524_288)
    #expect((plain["advice"] as? [[String: Any]])?.first?["action"] as? String == "compact")
    #expect(plain["unreadableParts"] as? Int == 0)
    let names = try #require(plain["parts"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    #expect(names.contains("Log.payload data") && names.contains("free space") && names.count == Set(names).count)
    let secret = try report(try folder.run(["stats", "b.realm", "--key-file", "key", "--json"]))
    #expect(try sum(secret) == 1_069_056 && secret["size"] as? Int == 1_069_056)
    let piped = try folder.run(["stats", "-", "--json"], input: try Fixture.bytes("engine/fragmented.realm"))
    #expect(try sum(try report(piped)) == 524_288)
  }

  @Test func severalFilesComeOneAfterAnother() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/todo.realm"))
    let both = try folder.run(["stats", "a.realm", "none.realm", "b.realm"])
    #expect(both.status == 3)
    let alone = try ["a.realm", "b.realm"].map { try folder.run(["stats", $0]).outputText }
    #expect(both.outputText == alone.joined(separator: "\n"))
    let lines = try folder.run(["stats", "a.realm", "b.realm", "--json"]).outputText.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("{\"version\":2,\"input\":") })
  }

  @Test func damagedPartsAreNamed() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/fragmented-compacted.realm")
    // The first bytes of strings: their node has a scheme that does not exist.
    let text = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("AAAA".utf8)) && bytes[$0 + 4] & 0x78 == 0x10 })
    bytes[text + 4] |= 0x18
    try folder.write("a.realm", bytes)
    let outcome = try folder.run(["stats", "a.realm"])
    #expect(outcome.status == 2)
    #expect(outcome.outputText.contains("not accounted for"))
    #expect(outcome.errors.hasPrefix("realmctl: a.realm: Log."), "\(outcome.errors)")
    let json = try folder.run(["stats", "a.realm", "--json"])
    #expect(json.status == 2)
    #expect(try sum(try report(json)) == bytes.count)
    #expect(try report(json)["unreadableParts"] as? Int ?? 0 > 0)
  }

  @Test func tablesThatCannotBeReadAreCountedOnce() throws {
    let folder = try InputFolder()
    let classes = (100..<230).map { #"{"name":"C\#($0)","properties":{"a":"int"}}"# }.joined(separator: ",")
    try folder.write("model.json", Array("[\(classes)]".utf8))
    #expect(
      try folder.run(["bundle", "--schema", "model.json", "--seed", "s.realm"], creates: ["s.realm"]).status == 0)
    var bytes = try Fixture.bytes(ofFile: folder.path("s.realm"))
    let snapshot = try OpenedRealm(ByteStore.open(.path(folder.path("s.realm")), key: nil)).snapshot
    for table in snapshot.tables {
      bytes.replaceSubrange(
        Int(table.root.rawValue)..<Int(table.root.rawValue) + 8, with: Array(repeating: 0, count: 8))
    }
    try folder.write("b.realm", bytes)
    let stats = try folder.run(["stats", "b.realm", "--json"])
    #expect(stats.status == 2)
    // The classes, and the table with the schema version.
    #expect(try report(stats)["unreadableParts"] as? Int == 131)
    #expect(stats.errors.split(separator: "\n").count == 131)
    #expect(try folder.run(["open", "b.realm"]).outputText.contains("\nschema version: unknown\n"))
    #expect(try folder.run(["schema", "dump", "b.realm"]).outputText.hasPrefix("unknown schema version: 130 classes"))
  }

  @Test func barsFitTheTerminal() throws {
    let bytes = try ByteStore.open(.path(Fixture.path("engine/all-types.realm")), key: nil)
    let realm = try OpenedRealm(bytes)
    let stats = StatsReport(input: "a.realm", name: "a.realm", stats: try RealmStats(realm), damagedTables: [])
    for grouping in RealmStats.Grouping.allCases {
      for width in [40, 60, 80, 132, 300] {
        let text = StatsReportText(report: stats, grouping: grouping, rowCount: 20, width: width)
          .text(ANSIStyle(isColored: false), showsAdvice: false)
        let bars = text.split(separator: "\n").filter { $0.contains("█") }
        #expect(bars.allSatisfy { $0.count <= width }, "\(grouping) \(width)")
        #expect(bars.isEmpty == (width < 60 || (width == 60 && grouping == .property)) || width == 80)
      }
    }
  }
}
