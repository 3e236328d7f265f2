import Foundation
import RealmExchange
import RealmModels
import RealmStorage
import TestSupport
import Testing

/// The forms of data, recognized by their content, and the way from a realm through text to a realm.
@Suite struct DataFormTests {
  private static let schema =
    #"[{"name":"A","properties":{"v":"int","A":"int[]"}},{"name":"B","properties":{"v":"int"}}]"#
  private static let single = #"[{"name":"A","properties":{"v":"int","class":"string?"}}]"#

  static let forms: [String] = [
    #"{"A":[{"v":1},{"v":2}],"B":[{"v":3}]}"#, #"{"A":[{"v":1}],"B":[{"v":3}],"A":[{"v":2}]}"#,
    "\u{FEFF} {\n\"class_A\" : [ {\"v\":1} , {\"v\":2} ], \"B\":[{\"v\":3}]\n}\n",
    #"{"metadata":[{"_key":0,"version":3}],"A":[{"v":1},{"v":2}],"B":[{"v":3}]}"#,
    "{\"class\":\"A\",\"value\":{\"v\":1}}\n{\"class\":\"A\",\"value\":{\"v\":2}}\n{\"class\":\"B\",\"value\":{\"v\":3}}\n",
    #"{"class":"A","value":{"v":1}}{"class":"A","objKey":9,"value":{"v":2}} {"class":"B","value":{"v":3}}"#,
    #"[{"class":"A","objKey":0,"value":{"v":1}},{"class":"A","objKey":1,"value":{"v":2}},{"class":"B","value":{"v":3}}]"#,
  ]

  @Test("is recognized", arguments: forms)
  func form(_ data: String) throws {
    let expected = #"{"A":["# + "\n" + #"{"_key":0,"v":1,"A":[]},"# + "\n" + #"{"_key":1,"v":2,"A":[]}],"#
    for size in [Int.max, 7] {
      let built = try BuiltRealm(
        schema: try SchemaFile(Array(Self.schema.utf8)).schema, data: Array(data.utf8), chunkSize: size)
      #expect(try built.text(.json) == expected + "\n\"B\":[\n{\"_key\":0,\"v\":3}]}\n")
    }
  }

  @Test func `bare objects are of the only class, or of the one that is named`() throws {
    let bare = "{\"v\":1}\n{\"class\":\"x\",\"v\":2}\n{}\n"
    let expected = """
      {"_key":0,"v":1,"class":null}
      {"_key":1,"v":2,"class":"x"}

      """
    let lines = try BuiltRealm(schema: Self.single, data: "{\"v\":1}\n{\"class\":\"x\",\"v\":2}\n")
    #expect(try lines.realm.export(.ndjson, classes: ["A"]).output.text == expected)
    let array = try BuiltRealm(schema: Self.single, data: "[{\"v\":1},{\"class\":\"x\",\"v\":2}]")
    #expect(try array.realm.export(.ndjson, classes: ["A"]).output.text == expected)
    #expect(throws: InputError.self) { try BuiltRealm(schema: Self.schema, data: bare) }
    var options = DataOptions()
    options.className = "B"
    let named = try BuiltRealm(schema: Self.schema, data: "{\"v\":1}\n{\"v\":2}", options)
    #expect(try named.snapshot.table(displayName: "B")?.objectCount() == 2)
  }

  @Test func `no data makes a realm without objects`() throws {
    for data in ["", " \n", "{}", "[]", #"{"A":[]}"#] {
      let built = try BuiltRealm(schema: Self.schema, data: data)
      #expect(try built.text(.json) == "{\"A\":[],\n\"B\":[]}\n")
      #expect(built.snapshot.tables.map(\.schema.name) == ["metadata", "class_A", "class_B"])
    }
  }

  static let realms = (Fixture.contents + Fixture.all(in: "real")).map { RebuildTests.Case(path: $0) }
    .filter { test in
      let name = test.testDescription
      return !name.hasPrefix("v00") && !name.hasPrefix("encrypted")
    }

  @Test("comes back from its typed text", arguments: realms)
  func roundTrip(_ test: RebuildTests.Case) throws {
    let before = try FileState(test.path)
    let source = try TestRealm(test.path)
    let text = try source.export(.typed).output.bytes
    var options = DataOptions()
    options.keepsObjectKeys = true
    let built = try BuiltRealm(schema: source.snapshot.schema, data: text, options)
    #expect(try built.realm.export(.typed).output.bytes == text)
    // Exported text does not contain embedded objects without parents, which the engine leaves behind.
    let hashes = (try ContentHasher(source.snapshot).run(), try ContentHasher(built.snapshot).run())
    #expect(hashes.0.classes.map(\.digest) == hashes.1.classes.map(\.digest))
    let lines = try source.export(.typedNDJSON).output.bytes
    #expect(try BuiltRealm(schema: source.snapshot.schema, data: lines, options).bytes == built.bytes)
    #expect(try FileState(test.path) == before)
  }

  @Test func `readable text comes back where it tells all`() throws {
    for name in ["dogs", "todo", "person-v1", "strings", "address-once"] {
      let source = try TestRealm(Fixture.path("engine/\(name).realm"))
      for format in [ExportFormat.json, .ndjson] {
        let text = try source.export(format).output.bytes
        let built = try BuiltRealm(schema: source.snapshot.schema, data: text)
        #expect(try built.realm.export(format).output.bytes == text)
      }
    }
  }
}
