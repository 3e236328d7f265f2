import Foundation
import RealmStorage
import TestSupport
import Testing

/// Files of format 9 whose upgrade to format 10 was interrupted: engines continue it, so nothing is lost.
@Suite("an upgrade to format 10 that was interrupted") struct InterruptedUpgradeTests {
  struct State: Sendable, CustomTestStringConvertible {
    let stage: UpgradeStage
    var renumbered: Set<Int> = []
    var hasMisplacedKeys = false
    var behind: Set<Int> = []

    var bytes: [UInt8] {
      var upgrade = InterruptedUpgrade(.linked, after: stage)
      (upgrade.renumbered, upgrade.hasMisplacedKeys, upgrade.behind) = (renumbered, hasMisplacedKeys, behind)
      return upgrade.bytes()
    }

    var testDescription: String {
      "\(stage), new keys of \(renumbered.sorted()), \(hasMisplacedKeys ? "misplaced" : "right"), behind \(behind.sorted())"
    }
  }

  /// Numbers of the classes of `LegacyRealm.linked`.
  private static let (tasks, people) = (3, 4)

  static let states: [State] =
    UpgradeStage.allCases.map { State(stage: $0) }
    + [UpgradeStage.objects, .links].flatMap { stage in
      [[tasks], [tasks, people]].flatMap { renumbered in
        [false, true].map { State(stage: stage, renumbered: Set(renumbered), hasMisplacedKeys: $0) }
      }
    }
    // Engines up to 6.0.15 committed a table at a time.
    + [[tasks], [people]].map { State(stage: .described, behind: Set($0)) }

  private func lines(_ folder: InputFolder, _ words: [String], _ name: String) throws -> [String] {
    let outcome = try folder.run(words.map { $0 == "FILE" ? name : $0 })
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(words): \(outcome.errors)")
    // Objects with new keys come in another order.
    return outcome.outputText.split(separator: "\n").map(String.init).sorted()
  }

  @Test("is read, checked, searched and finished as if it had not begun", arguments: states)
  func reading(_ state: State) throws {
    let folder = try InputFolder()
    try folder.write("old.realm", LegacyRealm.linked.bytes())
    try folder.write("app.realm", state.bytes)
    // What tells keys of objects would tell new ones.
    let questions = [
      ["export", "FILE", "--format", "ndjson", "--no-keys"], ["schema", "dump", "FILE"],
      ["query", "FILE", "Task", "@links.@count == 2", "--no-keys"],
      ["query", "FILE", "Person", "@links.Task.owner.id == 'cook'", "--no-keys"],
    ]
    for words in questions { #expect(try lines(folder, words, "app.realm") == lines(folder, words, "old.realm")) }
    let check = try folder.run(["check", "app.realm", "--json"])
    let facts = try #require(try JSONSerialization.jsonObject(with: Data(check.output)) as? [String: Any])
    #expect(check.status == 0)
    #expect(facts["errors"] as? Int == 0 && facts["warnings"] as? Int == 1)
    #expect(facts["objects"] as? Int == 8 && facts["links"] as? Int == 10)
    for words in [["upgrade", "-o", "new.realm"], ["write-copy", "new.realm"], ["recover", "-o", "new.realm"]] {
      let arguments = [words[0], "app.realm"] + words.dropFirst() + (words[0] == "recover" ? [] : ["--force"])
      let outcome = try folder.run(arguments, creates: ["new.realm"])
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      _ = try LeftRealm(folder.path("new.realm"))
      for words in questions { #expect(try lines(folder, words, "new.realm") == lines(folder, words, "old.realm")) }
      try FileManager.default.removeItem(atPath: folder.path("new.realm"))
    }
  }
}
