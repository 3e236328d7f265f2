import Foundation
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Copies, seeds and exports of the objects that match a query.
@Suite struct WhereTests {
  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    try folder.write("key", Fixture.engineKey)
    return folder
  }

  private func counts(_ realm: LeftRealm) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in realm.snapshot.tables where table.schema.isClass {
      counts[table.schema.displayName.description] = try table.objectCount()
    }
    return counts
  }

  // MARK: - Copies

  @Test func aCopyHoldsWhatMatchesAndWhatThatLinksTo() throws {
    let folder = try folder()
    let bob = ["--where", #"Person:name == "Bob""#]
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm", "--with-links"] + bob, creates: ["b.realm"])
    #expect(outcome.status == 0)
    #expect(outcome.outputText.hasSuffix("; rebuilt; verified against the source\nleft out: 5 objects\n"))
    #expect(try counts(LeftRealm(folder.path("b.realm"))) == ["Person": 1, "Dog": 2, "Toy": 2])
    let alone = try folder.run(["write-copy", "a.realm", "c.realm"] + bob, creates: ["c.realm"])
    #expect(alone.outputText.hasSuffix("\nleft out: 2 objects\n"))
    #expect(try counts(LeftRealm(folder.path("c.realm"))) == ["Person": 1, "Dog": 5, "Toy": 2])
    let whole = try folder.run(
      ["write-copy", "a.realm", "d.realm", "--only", "Dog", "--with-links"] + bob, creates: ["d.realm"])
    #expect(whole.status == 0)
    #expect(try counts(LeftRealm(folder.path("d.realm"))) == ["Person": 1, "Dog": 5, "Toy": 2])
  }

  @Test func linksToObjectsLeftOutStopACopyUnlessAllowed() throws {
    let folder = try folder()
    let rex = ["--where", #"Dog:name == "Rex""#]
    for options in [[], ["--dry-run"]] {
      let refused = try folder.run(["write-copy", "a.realm", "b.realm"] + rex + options)
      #expect(refused.status == 7)
      #expect(
        refused.errors
          == "realmctl: a.realm: links to objects that are left out would be lost ('Person.dogs' to 'Dog': 3 links); "
          + "include them with --with-links, or use --allow-data-loss\n")
    }
    let words = ["write-copy", "a.realm", "b.realm", "--allow-data-loss", "--json"] + rex
    let dry = try JSONValue.parse(folder.run(words + ["--dry-run"]).outputText)
    let outcome = try folder.run(words, creates: ["b.realm"])
    #expect(outcome.status == 0)
    let report = try JSONValue.parse(outcome.outputText)
    #expect(report["lostLinks"]?.integer == 3)
    #expect(report["leftOutObjects"]?.integer == 4)
    #expect(report["losses"]?.array?.map { $0["leftOut"]?.bool } == [false])
    for key in ["size", "lostLinks", "losses", "leftOutObjects", "method"] { #expect(dry[key] == report[key]) }
    #expect(try counts(LeftRealm(folder.path("b.realm"))) == ["Person": 3, "Dog": 1, "Toy": 2])
    let people = try folder.run(["export", "b.realm", "--only", "Person", "--format", "ndjson"]).outputText
    #expect(people.split(separator: "\n").map { $0.contains(#""dogs":[]"#) } == [false, true, true])
  }

  @Test func keysAndStreamsMakeNoDifference() throws {
    let folder = try folder()
    let options = ["--where", "Dog:breed != nil", "--allow-data-loss", "-q"]
    let plain = try folder.run(["write-copy", "a.realm", "-"] + options)
    #expect(plain.status == 0)
    let expected = try counts(LeftRealm(output: plain.output))
    #expect(expected["Dog"] == 2)
    let piped = try folder.run(["write-copy", "-", "-"] + options, input: try Fixture.bytes("engine/dogs.realm"))
    #expect(piped.output == plain.output)
    let seed = try folder.run(["bundle", "a.realm", "--seed", "-"] + options)
    #expect(seed.output == plain.output)
    let secret = try folder.run(
      ["write-copy", "a.realm", "s.realm", "--out-key-file", "key"] + options, creates: ["s.realm"])
    #expect(secret.status == 0)
    #expect(try counts(LeftRealm(folder.path("s.realm"), key: Fixture.engineKey)) == expected)
    // What is encrypted already is read in pages.
    let whole = try folder.run(["write-copy", "a.realm", "t.realm", "--out-key-file", "key"], creates: ["t.realm"])
    #expect(whole.status == 0)
    let opened = try folder.run(["write-copy", "t.realm", "-", "--key-file", "key", "--decrypt"] + options)
    #expect(opened.output == plain.output)
    let again = try folder.run(["write-copy", "t.realm", "-", "--key-file", "key", "--out-key-same"] + options)
    #expect(try again.output == Fixture.bytes(ofFile: folder.path("s.realm")))
  }

  @Test func aSeedIsHeldToItsCounts() throws {
    let folder = try folder()
    let words = ["bundle", "a.realm", "--seed", "b.realm", "--where", #"Toy:name == "Ball""#, "--with-links"]
    #expect(try folder.run(words + ["--expect", "Toy > 1"]).status == 1)
    let outcome = try folder.run(words + ["--expect", "Toy = 1", "--json"], creates: ["b.realm"])
    #expect(outcome.status == 0)
    let report = try JSONValue.parse(outcome.outputText)
    #expect(report["classes"]?.array?.map { $0["objects"]?.integer } == [0, 0, 1])
    #expect(report["leftOutObjects"]?.integer == 9)
  }

  @Test func embeddedObjectsAreNotFilteredThemselves() throws {
    let folder = try folder()
    let model =
      #"[{"name":"P","properties":{"n":"int","e":"E?"}},{"name":"E","embedded":true,"properties":{"s":"string"}}]"#
    try folder.write("model.json", Array(model.utf8))
    try folder.write("data.json", Array(#"{"P":[{"n":1,"e":{"s":"a"}},{"n":2,"e":{"s":"b"}}]}"#.utf8))
    let build = ["bundle", "--schema", "model.json", "--data", "data.json", "--seed", "p.realm"]
    try #require(try folder.run(build, creates: ["p.realm"]).status == 0)
    let refused = try folder.run(["write-copy", "p.realm", "b.realm", "--where", "E:s == 'a'"])
    #expect(refused.status == 64)
    #expect(
      refused.errors
        == "realmctl: p.realm: --where cannot be used with the embedded class 'E'; filter the class that its objects "
        + "belong to\n")
    let outcome = try folder.run(["write-copy", "p.realm", "b.realm", "--where", "P:n == 2"], creates: ["b.realm"])
    #expect(
      outcome.outputText.hasSuffix(
        "\nleft out: 1 object\nleft out: 1 embedded object of objects that are left out\n"))
    #expect(try counts(LeftRealm(folder.path("b.realm"))) == ["P": 1, "E": 1])
  }

  // MARK: - Mistakes

  @Test(arguments: [
    ["write-copy", "a.realm", "b.realm", "--where", "Dog:nme == 1"],
    ["bundle", "a.realm", "--seed", "b.realm", "--where", "Dog:nme == 1"],
    ["export", "a.realm", "-o", "b.json", "--only", "Dog", "--where", "nme == 1"],
  ])
  func aWrongQueryIsShownWithItsPlace(words: [String]) throws {
    let outcome = try folder().run(words)
    #expect(outcome.status == 8)
    #expect(
      outcome.errors == "realmctl: a.realm: 'Dog' has no property 'nme'; did you mean 'name'?\n  nme == 1\n  ^~~\n")
    #expect(outcome.output.isEmpty)
  }

  @Test func aClassThatIsNotThereIsNotFound() throws {
    for words in [["write-copy", "a.realm", "b.realm"], ["bundle", "a.realm", "--seed", "b.realm"]] {
      let outcome = try folder().run(words + ["--where", "Dgo:name == 1"])
      #expect(outcome.status == 3)
      #expect(outcome.errors == "realmctl: a.realm: no class 'Dgo'; did you mean 'Dog'?\n")
      #expect(try folder().run(words + ["--where", "metadata:TRUEPREDICATE"]).status == 3)
    }
  }

  @Test func whatADamagedRealmCannotAnswerIsMissingOrNoCopy() throws {
    // The node with the breeds of all dogs claims more elements than the file has bytes.
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(1996..<2000, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try folder()
    try folder.write("d.realm", bytes)
    let copy = try folder.run(["write-copy", "d.realm", "b.realm", "--where", "Dog:breed == 'Collie'"])
    #expect(copy.status == 2)
    #expect(copy.errors.hasPrefix("realmctl: d.realm: the file is damaged: "))
    let words = ["export", "d.realm", "--only", "Dog", "--format", "ndjson", "--where"]
    let unknown = try folder.run(words + ["breed == 'Collie'"])
    #expect(unknown.status == 2)
    #expect(unknown.output.isEmpty)
    let named = try folder.run(words + ["name == 'Rex'"])
    #expect(named.status == 2)
    #expect(named.outputText.split(separator: "\n").count == 1)
    #expect(named.errors.contains("'breed'"))
  }

  // MARK: - Exports

  /// A property that a query can name, and what it is compared with.
  private static func predicates(_ lines: [Substring], _ names: [String]) throws -> [(property: String, text: String)] {
    var found: [(String, String)] = []
    for name in names where name.wholeMatch(of: /[A-Za-z]+[0-9]?/) != nil {
      let value = try lines.lazy.compactMap { try JSONValue.parse(String($0))["value"]?[name] }.first
      switch value {
      case .number(let number) where number.integer != nil: found.append((name, number.text))
      case .string(let text) where text.description.wholeMatch(of: /[A-Za-z0-9 ]+/) != nil:
        found.append((name, "\"\(text)\""))
      case .bool(let value): found.append((name, "\(value)"))
      default: continue
      }
    }
    return found
  }

  @Test(
    "what matches is what a filter of the whole export leaves",
    arguments: OpenableFixture.all.filter { $0.path.hasPrefix(Fixture.folder.path) })
  func filteredExports(_ fixture: OpenableFixture) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(ofFile: fixture.path))
    if let key = fixture.key { try folder.write("key", key) }
    let base = ["export", "a.realm", "--format", "typed-ndjson"] + (fixture.key == nil ? [] : ["--key-file", "key"])
    for schema in try fixture.opened().schema.classes where schema.kind == .topLevel {
      let words = base + ["--only", schema.displayName.description]
      let whole = try folder.run(words)
      let lines = whole.outputText.split(separator: "\n")
      #expect(try folder.run(words + ["--where", "TRUEPREDICATE"]).output == whole.output)
      let names = schema.properties
        .filter { [.int, .string, .bool].contains($0.type) && $0.collection == nil }.map(\.name.description)
      for (name, text) in try Self.predicates(lines, names).prefix(4) {
        let value = try JSONValue.parse(text)
        let expected = try lines.filter { try JSONValue.parse(String($0))["value"]?[name] == value }
        let outcome = try folder.run(words + ["--where", "`\(name)` == $0", "--args", "[\(text)]"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.outputText.split(separator: "\n") == expected, "\(schema.displayName).\(name)")
        #expect(!expected.isEmpty)
      }
    }
  }

  @Test(
    "every form has the objects that match, in the order of the query",
    arguments: ["json", "ndjson", "typed", "typed-ndjson", "core", "core-xjson", "core-xjson+", "csv", "tsv"])
  func forms(_ format: String) throws {
    let folder = try folder()
    let words = ["export", "a.realm", "--format", format, "--only", "Person"]
    let whole = try folder.run(words)
    #expect(try folder.run(words + ["--where", "TRUEPREDICATE"]).output == whole.output)
    let sorted = try folder.run(words + ["--where", "name != $0 SORT(name DESC)", "--arg", "Alice"]).outputText
    let (carol, bob) = (try #require(sorted.range(of: "Carol")), try #require(sorted.range(of: "Bob")))
    #expect(carol.lowerBound < bob.lowerBound && !sorted.contains("Alice"))
  }

  @Test func explodedCollectionsAreThoseOfTheObjectsThatMatch() throws {
    let folder = try folder()
    let words = ["export", "a.realm", "--format", "csv", "--explode", "--only", "Person", "-o"]
    #expect(try folder.run(words + ["all"], creates: ["all"]).status == 0)
    let outcome = try folder.run(words + ["bob", "--where", "name == 'Bob'", "--json"], creates: ["bob"])
    #expect(outcome.status == 0)
    for (name, count) in [("Person.csv", 1), ("Person.dogs.csv", 2)] {
      func lines(_ path: String) throws -> [Substring] {
        String(decoding: try Fixture.bytes(ofFile: folder.path(path)), as: UTF8.self).split(separator: "\n")
      }
      let all = try lines("all/" + name)
      let expected = [all[0]] + all.dropFirst().filter { $0.hasPrefix("640000000000000000000001,") }
      #expect(expected.count == count + 1)
      #expect(try lines("bob/" + name) == expected)
    }
  }

  @Test func whatAQueryMayNotMeanIsSaid() throws {
    let folder = try folder()
    let query = "Person:dogs == obj('Dog', oid(650000000000000000000009))"
    let outcome = try folder.run(["write-copy", "a.realm", "b.realm", "--where", query], creates: ["b.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("class 'Dog' has no object with the primary key"))
  }

  /// Oracle: `delete`, whose effect on links is the engine's (Docs/Format/3-tables-and-objects.md §5.5).
  @Test("links that a copy loses leave lists, sets and mixed values as if their targets were deleted")
  func mixedLinks() throws {
    let folder = try InputFolder()
    let types = #""m":"mixed","l":"mixed[]","s":"mixed<>","d":"mixed{}","k":"T[]","e":"T{}","id":"int""#
    let target = #"{"name":"T","primaryKey":"n","properties":{"n":"int"}}"#
    let model = #"[{"name":"A","primaryKey":"id","properties":{\#(types)}},\#(target)]"#
    func link(_ key: Int) -> String { #"{"$link":{"table":"T","key":\#(key)}}"# }
    let mixed = "[\(link(1)),[\(link(2)),1],{\"x\":\(link(1))},\(link(2))]"
    let values = #""m":\#(mixed),"l":[\#(link(1)),null,\#(link(2)),"a"]"#
    let others = #""s":[\#(link(1)),\#(link(2)),1],"d":{"x":\#(link(1)),"y":\#(link(2))},"k":[1,2,1],"e":{"x":1,"y":2}"#
    try folder.write("model.json", Array(model.utf8))
    let objects = #"{"id":1,\#(values),\#(others)},{"id":2,"m":\#(link(1)),"s":[null,\#(link(1))]}"#
    try folder.write("data.json", Array(#"{"T":[{"n":1},{"n":2}],"A":[\#(objects)]}"#.utf8))
    let made = Set(["a.realm", "b.realm", "c.realm"].flatMap { [$0, $0 + ".lock"] })
    func run(_ words: [String]) throws {
      let outcome = try folder.run(words, creates: made)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)\(outcome.outputText)")
    }
    try run(["import", "a.realm", "data.json", "--create", "--schema", "model.json"])
    try run(["write-copy", "a.realm", "b.realm", "--where", "T:n == 2", "--allow-data-loss"])
    try run(["write-copy", "a.realm", "c.realm"])
    try run(["delete", "c.realm", "T", "n == 1", "--yes", "--no-backup"])
    try run(["diff", "b.realm", "c.realm"])
    _ = try LeftRealm(folder.path("b.realm"))
  }
}
