import Foundation
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// What the forms look like on a small file, against text that was read and approved (`Expected/`).
@Suite struct FormTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let expected: String
    let format: ExportFormat
    var classes: [String]?
    var adjust: @Sendable (inout ExportOptions) -> Void = { _ in }
    var testDescription: String { expected }
  }

  static let cases = [
    Case(expected: "dogs.json", format: .json),
    Case(expected: "dogs.ndjson", format: .ndjson),
    Case(expected: "dogs.typed.json", format: .typed),
    Case(expected: "dogs.typed.ndjson", format: .typedNDJSON),
    Case(expected: "dogs-one-class.ndjson", format: .ndjson, classes: ["Person"]),
    Case(expected: "dogs-pretty.json", format: .json, classes: ["Person", "Toy"]) { $0.isPretty = true },
    Case(expected: "dogs-inline.json", format: .json, classes: ["Person"]) { $0.links = .inline(depth: 2) },
    Case(expected: "dogs-no-links.json", format: .json) { $0.links = .none },
    Case(expected: "dogs-person.csv", format: .csv, classes: ["Person"]),
    Case(expected: "dogs-person.tsv", format: .tsv, classes: ["Person"]),
  ]

  /// The lossless form has an escape for each byte that is not UTF-8.
  @Test func replacedBytesAreCounted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("dogs.realm", Fixture.bytes("engine/dogs.realm"))
    var random = SeededGenerator(seed: 19)
    let texts = (0..<5).map { number in
      (0..<number * 20).map { _ in UInt8.random(in: 1...255, using: &random) } + [0xe2, 0x82] + Array("é".utf8)
    }
    let transaction = try WriteTransaction(RealmFile(path, key: nil))
    let dogs = try transaction.table("class_Dog")
    var keys: [ObjectKey] = []
    try dogs.forEachKey { keys.append($0) }
    for (key, text) in zip(keys, texts) { try dogs.set("name", of: key, to: .string(RealmString(utf8: text))) }
    try transaction.commit()
    let realm = try TestRealm(path)
    let (typed, kept) = try realm.export(.typedNDJSON)
    #expect(kept.replacedBytes == 0)
    let count = typed.text.matches(of: /\\udc[89a-f][0-9a-f]/).count
    #expect(count > 5)
    for format in [ExportFormat.json, .ndjson] {
      for threads in [1, 3] {
        let (output, report) = try realm.export(format, threads: threads)
        #expect(report.replacedBytes == count && report.isEmpty)
        #expect(output.text.contains("\u{fffd}"))
      }
    }
    #expect(try realm.export(.csv, classes: ["Dog"]).report.replacedBytes == 0)
  }

  @Test("equals the approved text", arguments: cases)
  func equalsApproved(_ test: Case) throws {
    let path = Fixture.path("engine/dogs.realm")
    let before = try FileState(path)
    let (output, report) = try TestRealm(path).export(test.format, classes: test.classes, test.adjust)
    #expect(report.isEmpty)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Expected/" + test.expected)
    #expect(output.text == (try String(contentsOf: file, encoding: .utf8)))
    #expect(try FileState(path) == before)
  }

  @Test("integers beyond what a double holds are quoted on request")
  func bigIntegers() throws {
    let realm = try TestRealm(Fixture.path("engine/all-types.realm"))
    let plain = try realm.export(.json).output.text
    let quoted = try realm.export(.json) { $0.quotesBigIntegers = true }.output.text
    #expect(plain.contains(":-9223372036854775808"))
    #expect(!quoted.contains(":-9223372036854775808"))
    #expect(quoted.contains(":\"-9223372036854775808\""))
  }
}
