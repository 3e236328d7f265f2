import Foundation
import RealmStorage
import TestSupport
import Testing

/// Realms whose values contradict what was made from them, backlinks and indexes. A rebuild makes the latter new, so
/// its result is consistent, and would not show that a value may be damaged.
@Suite struct ContradictionTests {
  /// What was changed, and what the checker calls it.
  enum Change: String, CaseIterable, Sendable {
    case link, listElement, indexedText, legacyLink, legacyList

    static let inNewRealms: [Change] = [.link, .listElement, .indexedText]

    func bytes(format: UInt8) throws -> [UInt8] {
      switch self {
      case .link, .listElement, .indexedText: try newRealm(format)
      case .legacyLink:
        LegacyRealm(
          [Self.target([[0], []]), LegacyTable("class_A", [.link("to", to: 0, LegacyNodes.ints([2]))])], format: 9
        ).bytes()
      case .legacyList:
        LegacyRealm(
          [Self.target([[0], [0]]), LegacyTable("class_A", [.linkList("to", to: 0, [[1, 1]])])], format: 9
        ).bytes()
      }
    }

    private static func target(_ incoming: [[Int64]]) -> LegacyTable {
      LegacyTable(
        "class_T",
        [LegacyColumn("n", .int, LegacyNodes.ints([5, 6])), .backlinks(from: 1, column: 0, incoming)])
    }

    private func newRealm(_ format: UInt8) throws -> [UInt8] {
      let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
      tree.format = format
      switch self {
      case .link:
        let links = try tree.table("class_Dog").leaf("favoriteToy")
        links.values[0] = links.values[3]
      case .listElement:
        let list = try #require(try tree.table("class_Person").leaf("dogs").child(0))
        list.values[2] = list.values[1]
      default:
        let names = try tree.table("class_Toy").leaf("name")
        var fields = names.fields
        fields[0][0] ^= 1
        names.setFields(fields)
      }
      return tree.written(.normal)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    let format: UInt8
    let change: Change
    var testDescription: String { "\(change), format \(format): \(words.joined(separator: " "))" }
  }

  static let cases: [Case] =
    Change.inNewRealms.flatMap { change in
      [
        Case(words: ["write-copy", "app.realm", "b.realm", "--rebuild"], format: 24, change: change),
        Case(words: ["write-copy", "app.realm", "b.realm", "--file-format", "23"], format: 24, change: change),
        Case(words: ["write-copy", "app.realm", "b.realm", "--only", "Dog,Person,Toy"], format: 23, change: change),
        Case(words: ["downgrade", "app.realm", "--file-format", "23", "-o", "b.realm"], format: 24, change: change),
        Case(words: ["compact", "app.realm", "--rebuild", "-o", "b.realm"], format: 24, change: change),
        Case(words: ["upgrade", "app.realm", "-o", "b.realm"], format: 23, change: change),
      ]
    }
    + [Change.legacyLink, .legacyList].flatMap { change in
      [["upgrade", "app.realm", "-o", "b.realm"], ["write-copy", "app.realm", "b.realm"]].map {
        Case(words: $0, format: 9, change: change)
      }
    }

  @Test("are rebuilt with a warning, not as verified, and not at all with --strict", arguments: cases)
  func rebuilt(_ test: Case) throws {
    let folder = try InputFolder()
    try folder.write("app.realm", try test.change.bytes(format: test.format))
    #expect(try folder.run(["check", "app.realm"]).status == 1)
    let strict = try folder.run(test.words + ["--strict"], creates: ["app.realm.lock"])
    #expect(strict.status == 1, "\(strict.errors)")
    #expect(strict.errors.contains("the realm is damaged, so nothing was written: "))
    let outcome = try folder.run(test.words + ["--json"], creates: ["b.realm", "app.realm.lock"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("compare with a backup"))
    let facts = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(facts["verified"] as? Bool == false)
    #expect(try #require(facts["sourceErrors"] as? Int) > 0)
    // What was written agrees with itself.
    _ = try LeftRealm(folder.path("b.realm"))
  }
}
