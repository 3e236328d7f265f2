import Foundation
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// Files that real applications and SDK test suites wrote, formats 10 to 24 (older ones: `LegacyCorpusTests`): the content
/// that the reference engine reports for them after upgrading a copy. They are not part of the project; without the
/// corpus the tests are skipped.
@Suite(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.comment))) struct RealFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let path: String
    var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
    var testDescription: String { name }

    func engineOutput() throws -> [UInt8]? {
      let json = path.dropLast("realm".count) + "json"
      if FileManager.default.fileExists(atPath: String(json)) { return try Fixture.bytes(ofFile: String(json)) }
      return try Fixture.decompressed(json + ".gz")
    }
  }

  static let all = Fixture.all(in: "real").map { Case(path: $0) }
  static let cases = all.filter { test in ["v10", "v11", "v2"].contains { test.name.hasPrefix($0) } }
  static let older = all.filter { test in test.name.hasPrefix("v0") && !test.name.hasPrefix("v00") }

  /// Made with the engine alone: no table is a class, and the engine's JSON tool prints nothing.
  static let withoutClasses: Set<String> = [
    "v10-realm-core-client_schema_version_010", "v23-realm-core-test_upgrade_database_1000_23",
    "v23-realm-core-test_upgrade_database_4_23",
  ]

  @Test("no file of the corpus has dropped out, and each is one of a kind that is tested") func complete() throws {
    let counts = Dictionary(grouping: Self.all) { Corpus.kind(of: $0.name) }.mapValues(\.count)
    for (kind, count) in Corpus.realFiles { #expect(counts[kind, default: 0] >= count, "\(kind)") }
    let tested = Set((Self.cases + Self.older).map(\.path))
    let others = Self.all.filter { !tested.contains($0.path) }.map { Corpus.kind(of: $0.name) }
    // Encrypted ones and those of format 0 have tests of their own.
    #expect(Set(others).isSubset(of: ["encrypted", "v00"]))
    for test in Self.cases { #expect(try (test.engineOutput() == nil) == Self.withoutClasses.contains(test.name)) }
  }

  @Test("has the content the engine reports", arguments: cases)
  func sameContent(_ test: Case) throws {
    let before = try FileState(test.path)
    let (output, report) = try TestRealm(test.path).export(.coreXJSONPlus, threads: 2)
    #expect(report.isEmpty)
    if let expected = try test.engineOutput() {
      // Sets and dictionaries of older formats are written in the order after an upgrade, so even the text is the same.
      #expect(output.bytes == expected)
    } else {
      let realm = try TestRealm(test.path)
      let (typed, _) = try realm.export(.typed) {
        $0.tables = ExportOptions.allTables(of: realm.snapshot, format: .typed, includesInternal: true)
      }
      let objects = try #require(JSONSerialization.jsonObject(with: Data(typed.bytes)) as? [Any])
      let expected = try realm.snapshot.tables.filter { $0.schema.kind != .embedded }.map { try $0.objectCount() }
      #expect(objects.count == expected.reduce(0, +))
      #expect(!expected.isEmpty)
    }
    #expect(try FileState(test.path) == before)
  }

  @Test("formats before 10 come in every form", arguments: older)
  func olderFormats(_ test: Case) throws {
    let format = try #require(UInt8(test.name.dropFirst(1).prefix(2)))
    let before = try FileState(test.path)
    let realm = try TestRealm(test.path)
    #expect(realm.snapshot.header.format == format)
    for form in [ExportFormat.json, .ndjson, .typed, .typedNDJSON, .core, .coreXJSON, .coreXJSONPlus] {
      let (output, report) = try realm.export(form, threads: 2) {
        $0.tables = ExportOptions.allTables(of: realm.snapshot, format: form, includesInternal: true)
      }
      #expect(report.isEmpty)
      // The engine's own forms write bytes as they are.
      if form == .json || form == .typed {
        _ = try JSONSerialization.jsonObject(with: Data(output.bytes), options: .fragmentsAllowed)
      }
    }
    #expect(try FileState(test.path) == before)
  }
}
