import Foundation
import TestSupport
import Testing

/// `_key` in queries: the object key that outputs print.
@Suite struct ObjectKeyTests {
  private func place() throws -> (folder: TemporaryFolder, tool: Tool) {
    let folder = try TemporaryFolder()
    var tool = Tool()
    tool.folder = folder.path
    let model = #"""
      [{"name":"Item","properties":{"n":"int","next":"Item","many":"Item[]","d":"Item{}"}},
       {"name":"Odd","properties":{"_key":"int"}}]
      """#
    let data = #"""
      {"Item":[{"_key":0,"n":10,"next":{"_key":2}},{"_key":1,"n":11,"d":{"k":{"_key":1}}},{"_key":2,"n":12,"many":[{"_key":0},{"_key":1}]}],
       "Odd":[{"__key":0,"_key":7},{"__key":1,"_key":8}]}
      """#
    _ = try folder.write("model.json", Array(model.utf8))
    _ = try folder.write("data.json", Array(data.utf8))
    let outcome = try tool.run(["import", "a.realm", "data.json", "--create", "--schema", "model.json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return (folder, tool)
  }

  /// Oracle: the keys that the data gives, which `query --keys` prints.
  @Test func everyComparisonFindsTheObjectsWithTheKeysThatArePrinted() throws {
    let (folder, tool) = try place()
    defer { withExtendedLifetime(folder) {} }
    for (name, query, keys) in [
      ("Item", "_key == 2", [2]), ("Item", "2 == _key", [2]), ("Item", "_key != 2", [0, 1]),
      ("Item", "_key < 2", [0, 1]),
      ("Item", "_key IN {0, 2, 9}", [0, 2]), ("Item", "_key BETWEEN {1, 2}", [1, 2]), ("Item", "_key == 9", []),
      ("Item", "_key == -1", []), ("Item", "NOT _key == 1", [0, 2]), ("Item", "_key == 1 OR n == 12", [1, 2]),
      ("Item", "next._key == 2", [0]), ("Item", "ANY many._key == 1", [2]), ("Item", "_key == 1.5", []),
      ("Item", "_key IN {}", []), ("Item", "next._key == null", [1, 2]), ("Item", "_key == 1.0", [1]),
      ("Item", "d._key == 1", [1]), ("Item", "d._key != 1", []), ("Item", "d['k']._key == 1", [1]),
      ("Odd", "_key == 7", [0]), ("Odd", "__key == 1", [1]),
    ] {
      let outcome = try tool.run(["query", "a.realm", name, query, "--keys"])
      let found = outcome.outputText.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      #expect(found == keys, "\(query): \(outcome.errors)")
    }
    // Objects are looked up, not scanned.
    #expect(try tool.run(["query", "a.realm", "Item", "_key == 2", "--explain"]).outputText.contains("the object"))
    // No engine has it.
    #expect(try tool.run(["query", "a.realm", "Item", "_key == 2", "--rql-compat"]).status == 8)
  }

  @Test func editsChangeTheObjectsWithAKey() throws {
    let (folder, tool) = try place()
    for words in [
      ["update", "a.realm", "Item", "_key == 1", "--set", "n=21"], ["delete", "a.realm", "Item", "_key IN {0}"],
    ] {
      let outcome = try tool.run(words + ["--yes", "--no-backup"])
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    let left = try tool.run(["query", "a.realm", "Item", "--columns", "n", "--format", "csv"])
    #expect(left.outputText == "n\n21\n12\n")
    let exported = try tool.run(["export", "a.realm", "--where", "Item:_key == 2", "--only", "Item"])
    #expect(exported.outputText.contains("12") && !exported.outputText.contains("21"), "\(exported.errors)")
    _ = try LeftRealm(folder.path("a.realm"))
  }
}
