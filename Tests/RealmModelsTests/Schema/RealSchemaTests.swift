import Foundation
import RealmModels
import RealmStorage
import TestSupport
import Testing

/// Schemas of files that the reference engine wrote.
@Suite("Schema text of real files") struct RealSchemaTests {
  /// The fixtures for which the engine's own schema output is kept.
  static let engineFiles = Fixture.all(in: "engine").filter {
    FileManager.default.fileExists(atPath: schemaPath(of: $0))
  }

  static func schemaPath(of path: String) -> String { String(path.dropLast("realm".count)) + "schema.json" }

  @Test("core-json is what the engine prints, byte for byte", arguments: engineFiles)
  func coreJSON(path: String) throws {
    let before = try FileState(path)
    let schema = try Fixture.schema(ofRealm: path)
    #expect(try SchemaFormat.coreJSON.text(of: schema).utf8 == Fixture.bytes(ofFile: Self.schemaPath(of: path)))
    #expect(try FileState(path) == before)
  }

  @Test("Every form of a real file is as recorded", arguments: SchemaFormat.allCases, ["all-types", "corners", "dogs"])
  func forms(format: SchemaFormat, name: String) throws {
    let path = Fixture.path("engine/\(name).realm")
    let before = try FileState(path)
    let schema = try Fixture.schema(ofRealm: path)
    #expect(
      try RecordedText("engine-\(name).\(format.rawValue).txt", in: "Expected", of: #filePath).problem(
        with: format.text(of: schema).utf8)
        == nil)
    #expect(try FileState(path) == before)
  }
}
