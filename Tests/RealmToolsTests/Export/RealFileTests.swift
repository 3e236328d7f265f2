import Foundation
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Files that real applications and SDK test suites wrote, formats 10 to 24: the content that the reference engine
/// reports for them after upgrading a copy. They are no part of the project; without the corpus there is nothing to
/// compare.
@Suite struct RealFileTests {
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

  static let cases: [Case] = Fixture.all(in: "real")
    .map { Case(path: $0) }
    .filter { test in ["v10", "v11", "v2"].contains { test.name.hasPrefix($0) } }

  @Test("has the content the engine reports", arguments: cases)
  func sameContent(_ test: Case) throws {
    let before = try FileState(test.path)
    let (output, report) = try TestRealm(test.path).export(.coreXJSONPlus, threads: 2)
    #expect(report.isEmpty)
    if let expected = try test.engineOutput() {
      // Sets and dictionaries of older formats come in the order an upgrade gives them, so not even the text differs.
      #expect(output.bytes == expected)
    } else {
      // Made with the engine alone: no table is a class.
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

  @Test("formats before 10 are recognised and named", arguments: Fixture.all(in: "real"))
  func olderFormats(_ path: String) throws {
    let name = URL(fileURLWithPath: path).lastPathComponent
    guard name.hasPrefix("v0"), let format = UInt8(name.dropFirst(1).prefix(2)), format > 0 else { return }
    let before = try FileState(path)
    #expect(throws: StorageError.unsupportedFormat(format)) { try TestRealm(path) }
    #expect(try FileState(path) == before)
  }
}
