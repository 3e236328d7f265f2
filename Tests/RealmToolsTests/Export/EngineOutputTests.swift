import Foundation
import RealmExchange
import RealmStorage
import RealmText
import TestSupport
import Testing

/// The forms `core`, `core-xjson` and `core-xjson+` repeat what the reference engine prints, byte for byte.
@Suite struct EngineOutputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let realm: String
    /// The fixture whose output it has: copies and encrypted twins have that of their source.
    let source: String
    let format: ExportFormat
    let threads: Int

    var testDescription: String { "\(realm) as \(format.rawValue) on \(threads) threads" }
    var expected: String {
      let endings: [ExportFormat: String] = [
        .core: "json", .coreXJSON: "xjson.json", .coreXJSONPlus: "xjson-plus.json",
      ]
      return "\(source).\(endings[format] ?? "")"
    }
  }

  static let cases: [Case] = {
    let names = Fixture.all(in: "engine").map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
    return names.flatMap { name in
      let source = name.hasPrefix("all-types") ? "all-types" : name.hasPrefix("fragmented") ? "fragmented" : name
      return [ExportFormat.core, .coreXJSON, .coreXJSONPlus]
        // The engine's output of deep-tree is kept in one form only.
        .filter { source != "deep-tree" || $0 == .coreXJSONPlus }
        .flatMap { format in
          [1, 3].map { Case(realm: name, source: source, format: format, threads: $0) }
        }
    }
  }()

  @Test("equals the engine's output byte for byte", arguments: cases)
  func equalsEngine(_ test: Case) throws {
    let path = Fixture.path("engine/\(test.realm).realm")
    let before = try FileState(path)
    let expected = try #require(try Fixture.engineOutput(test.expected))
    let (output, report) = try TestRealm(path).export(test.format, threads: test.threads)
    #expect(report.isEmpty)
    if output.bytes != expected {
      let place = zip(output.bytes, expected).prefix { $0 == $1 }.count
      let got = String(decoding: output.bytes.dropFirst(max(0, place - 40)).prefix(80), as: UTF8.self)
      let wanted = String(decoding: expected.dropFirst(max(0, place - 40)).prefix(80), as: UTF8.self)
      Issue.record("differs at byte \(place): \(got) instead of \(wanted)")
    }
    #expect(try FileState(path) == before)
  }

  @Test("the readable and typed forms are valid JSON", arguments: Fixture.contents)
  func validJSON(_ path: String) throws {
    let realm = try TestRealm(path)
    for format in [ExportFormat.json, .typed] {
      let (output, report) = try realm.export(format, threads: 2)
      #expect(report.isEmpty)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(output.bytes)) }
      let (indented, _) = try realm.export(format) { $0.isPretty = true }
      if output.bytes.count > 8 { #expect(indented.bytes.count > output.bytes.count) }
      #expect(try JSONValue.parse(indented.bytes) == JSONValue.parse(output.bytes))
    }
    for format in [ExportFormat.ndjson, .typedNDJSON] {
      let (output, _) = try realm.export(format, threads: 2)
      // One expectation for all lines: one for each took longer than reading them.
      #expect(throws: Never.self) {
        for line in output.bytes.split(separator: UInt8(ascii: "\n")) {
          _ = try JSONSerialization.jsonObject(with: Data(line))
        }
      }
    }
  }

  @Test("any number of threads gives the same text", arguments: [ExportFormat.json, .ndjson, .typed, .csv])
  func sameTextOnThreads(_ format: ExportFormat) throws {
    let realm = try TestRealm(Fixture.path("engine/deep-tree.realm"))
    let tables = realm.snapshot.schema.classes.map(\.displayName.description)
    let classes = format.isTabular ? [tables[0]] : tables
    let one = try realm.export(format, classes: classes).output.bytes
    #expect(one.count > 1000)
    for threads in 2...4 {
      #expect(try realm.export(format, classes: classes, threads: threads).output.bytes == one)
    }
  }
}
