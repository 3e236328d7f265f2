import Foundation
import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// Every example of `Docs/Cookbook.md` does what the page says.
@Suite struct CookbookTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var title: String
    var blocks: [String: String] = [:]
    var testDescription: String { title }
  }

  static let examples: [Example] = {
    let page = Fixture.folder.deletingLastPathComponent().appendingPathComponent("Docs/Cookbook.md")
    var examples: [Example] = []
    var block: (name: String, lines: [Substring])?
    for line in ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if let (name, lines) = block {
        guard line == "```" else {
          block = (name, lines + [line])
          continue
        }
        if !examples.isEmpty { examples[examples.count - 1].blocks[name] = lines.joined(separator: "\n") + "\n" }
        block = nil
      } else if line.hasPrefix("## ") {
        examples.append(Example(title: String(line.dropFirst(3))))
      } else if line.hasPrefix("```") {
        block = (line.split(separator: " ").last.map(String.init) ?? "", [])
      }
    }
    return examples
  }()

  @Test func thereAreExamples() {
    #expect(Self.examples.count >= 17)
  }

  @Test(arguments: examples)
  func theExampleTellsTheTruth(_ example: Example) throws {
    func block(_ name: String) throws -> String { try #require(example.blocks[name], "no block '\(name)'") }
    let realm = try PlanCase(block("schema"), block("before"))
    try realm.runPlan(block("plan"))
    let after = try #require(JSONValue.parse(block("after")).object)
    let snapshot = try realm.snapshot()
    let classes = snapshot.schema.classes.filter { $0.kind != .embedded }.map(\.displayName)
    #expect(Set(classes) == Set(after.keys))
    for (name, expected) in after.entries.map({ ($0.key, $0.value.array ?? []) }) {
      let lines = try realm.objects(name, .readable)
      let found = try lines.map { try JSONValue.parse($0) }
      #expect(found.map(Self.sorted) == expected.map(Self.sorted), "\(name): \(lines)")
    }
  }

  /// Properties by name: their order is not what the examples are about.
  private static func sorted(_ value: JSONValue) -> [RealmString: JSONValue] {
    Dictionary((value.object?.entries ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }
}
