import Foundation
import TestSupport
import Testing

/// `diff` shows what is different and says so with its status.
@Suite struct DiffTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    let model = try folder.run(["schema", "dump", "a.realm", "--format", "json"]).outputText
    let data = try folder.run(["export", "a.realm"]).outputText
    try folder.write("model.json", Array(model.utf8))
    let changed = data.replacing("Rubber duck", with: "Rubber\\u001bduck").replacing("Fido", with: "Fifi")
    try folder.write("data.json", Array(changed.utf8))
    let bundle = try folder.run(
      ["bundle", "--schema", "model.json", "--data", "data.json", "--seed", "b.realm"],
      creates: ["b.realm", "b.realm.json", "b.manifest.json"])
    try #require(bundle.status == 0, "\(bundle.errors)")
    return folder
  }

  private func lines(_ outcome: Tool.Outcome) throws -> [[String: Any]] {
    try outcome.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func changesLookLikeThoseOfGit() throws {
    let outcome = try folder().run(["diff", "a.realm", "b.realm"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.outputText == """
        --- a.realm
        +++ b.realm
        @@ Dog {"$oid":"650000000000000000000001"} @@
        -name: "Fido"
        +name: "Fifi"
        @@ Toy {"$uuid":"11111111-2222-3333-4444-555555555555"} @@
        -name: "Rubber duck"
        +name: "Rubber\\u001bduck"

        """)
    let colored = try folder().run(["diff", "a.realm", "b.realm", "--color", "always"]).outputText
    #expect(colored.contains("\u{1b}[32m+name: \"Fifi\"\u{1b}[0m"))
  }

  @Test func equalRealmsAreSilentWithStatus0() throws {
    let folder = try folder()
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    try folder.write("plain.realm", try Fixture.bytes("engine/all-types.realm"))
    try folder.write("key", Fixture.engineKey)
    for arguments in [
      ["a.realm", "a.realm"], ["plain.realm", "secret.realm", "--key-file", "key"],
      ["secret.realm", "plain.realm", "--key-file", "key", "--stat"], ["a.realm", "b.realm", "--only", "Person"],
      ["a.realm", "b.realm", "--exclude", "Dog,Toy"],
    ] {
      let outcome = try folder.run(["diff"] + arguments)
      #expect(outcome.status == 0 && outcome.outputText.isEmpty && outcome.errors.isEmpty, "\(arguments)")
    }
    let piped = try folder.run(["diff", "-", "a.realm"], input: try Fixture.bytes("engine/dogs.realm"))
    #expect(piped.status == 0 && piped.outputText.isEmpty)
  }

  @Test func theNewerRealmMayHaveAnotherKey() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("old.key", Fixture.engineKey)
    try folder.write("new.key", [UInt8](repeating: 7, count: 64))
    let copy = try folder.run(
      ["write-copy", "a.realm", "b.realm", "--key-file", "old.key", "--out-key-file", "new.key"], creates: ["b.realm"])
    try #require(copy.status == 0, "\(copy.errors)")
    let keys = ["--key-file", "old.key", "--new-key-file", "new.key"]
    for diff in [["diff"], ["schema", "diff"]] {
      let outcome = try folder.run(diff + ["a.realm", "b.realm"] + keys)
      #expect(outcome.status == 0 && outcome.outputText.isEmpty && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(try folder.run(diff + ["b.realm", "a.realm"] + keys).status == 4)
      #expect(try folder.run(diff + ["a.realm", "b.realm", "--key-file", "old.key"]).status == 4)
      #expect(try folder.run(diff + ["a.realm", "--against", "previous"] + keys).status == 64)
      #expect(try folder.run(diff + ["a.realm", "b.realm"] + keys + ["--new-key-env", "K"]).status == 64)
    }
  }

  @Test func aKeyForAPlainRealmIsRefused() throws {
    let folder = try folder()
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("k", Fixture.engineKey)
    try folder.write("l", [UInt8](repeating: 7, count: 64))
    // One key for both may be that of one of them.
    #expect(try folder.run(["diff", "a.realm", "secret.realm", "--key-file", "k"]).status == 1)
    #expect(try folder.run(["diff", "a.realm", "secret.realm", "--new-key-file", "k"]).status == 1)
    for (arguments, file) in [
      (["a.realm", "b.realm", "--key-file", "k"], "a.realm"),
      (["a.realm", "--against", "previous", "--key-file", "k"], "a.realm"),
      (["a.realm", "b.realm", "--new-key-file", "k"], "b.realm"),
      (["secret.realm", "a.realm", "--key-file", "k", "--new-key-file", "l"], "a.realm"),
      (["a.realm", "secret.realm", "--key-file", "l", "--new-key-file", "k"], "a.realm"),
    ] {
      let outcome = try folder.run(["diff"] + arguments)
      #expect(outcome.status == 4 && outcome.outputText.isEmpty)
      #expect(outcome.errors.hasPrefix("realmctl: \(file): the file is not encrypted"), "\(outcome.errors)")
    }
  }

  @Test func numbersAlone() throws {
    let outcome = try folder().run(["diff", "a.realm", "b.realm", "--stat"])
    #expect(outcome.status == 1)
    #expect(
      outcome.outputText == """
        --- a.realm
        +++ b.realm
        CLASS  REMOVED  ADDED  CHANGED  EQUAL
        Dog          0      0        1      4
        Toy          0      0        1      1

        """)
  }

  @Test func jsonIsALinePerChange() throws {
    let folder = try folder()
    let lines = try lines(try folder.run(["diff", "a.realm", "b.realm", "--json"]))
    #expect(lines.map { $0["record"] as? String } == ["schema", "changed", "changed", "end"])
    #expect(lines[0]["version"] as? Int == 2)
    #expect(lines[0]["inputs"] as? [String] == ["a.realm", "b.realm"])
    let value = try #require((lines[1]["valueChanges"] as? [[String: Any]])?.first)
    #expect(value["property"] as? String == "name")
    #expect(value["before"] as? String == "Fido" && value["after"] as? String == "Fifi")
    #expect(lines[3]["equal"] as? Bool == false)
    #expect((lines[3]["classes"] as? [[String: Any]])?.count == 3)
    let counts = try self.lines(try folder.run(["diff", "a.realm", "b.realm", "--json", "--stat"]))
    #expect(counts.map { $0["record"] as? String } == ["schema", "end"])
  }

  @Test func theSchemaComesFirst() throws {
    let folder = try folder()
    try folder.write("person.realm", try Fixture.bytes("engine/person-v1.realm"))
    let outcome = try folder.run(["diff", "a.realm", "person.realm"])
    let schema = try folder.run(["schema", "diff", "a.realm", "person.realm"]).outputText
    #expect(outcome.status == 1)
    let versions = "-schema version: 3\n+schema version: 1\n"
    #expect(
      outcome.outputText.hasPrefix("--- a.realm\n+++ person.realm\n@@ schema @@\n" + schema + versions + "@@ Dog "))
    let only = try folder.run(["diff", "a.realm", "person.realm", "--only", "Toy"]).outputText
    #expect(only.hasPrefix("--- a.realm\n+++ person.realm\n@@ schema @@\nauto  Class 'Toy' has been removed.\n@@ Toy "))
    #expect(try folder.run(["diff", "a.realm", "person.realm", "--only", "Cat"]).status == 3)
  }

  @Test func longValuesAreShownAroundTheDifference() throws {
    let folder = try InputFolder()
    try folder.write("model.json", Array(#"[{"name":"A","properties":{"t":"string"}}]"#.utf8))
    let long = String(repeating: "ä", count: 1000)
    for (name, middle) in [("a", "x"), ("b", "y")] {
      try folder.write("\(name).json", Array("{\"A\":[{\"t\":\"\(long)\(middle)\(long)\"}]}".utf8))
      let bundle = try folder.run(
        ["bundle", "--schema", "model.json", "--data", "\(name).json", "--seed", "\(name).realm"],
        creates: ["\(name).realm", "\(name).realm.json", "\(name).manifest.json"])
      try #require(bundle.status == 0, "\(bundle.errors)")
    }
    let short = try folder.run(["diff", "a.realm", "b.realm"]).outputText
    #expect(short.contains("äxä") && short.contains("äyä") && short.contains("…") && short.contains("(4003 bytes)"))
    #expect(short.utf8.count < 1000 && !short.contains("\u{fffd}"))
    let all = try folder.run(["diff", "a.realm", "b.realm", "--verbose"]).outputText
    #expect(all.contains(long + "x" + long) && !all.contains("…"))
  }

  @Test func aFileIsComparedWithItsOlderSnapshot() throws {
    let folder = try folder()
    let outcome = try folder.run(["diff", "a.realm", "--against", "previous", "--stat"])
    #expect(outcome.status == 1)
    #expect(outcome.outputText.hasPrefix("--- a.realm (version 2)\n+++ a.realm (version 3)\n"))
    let none = try folder.run(["diff", "b.realm", "--against", "previous"])
    #expect(none.status == 3)
    #expect(none.errors.hasPrefix("realmctl: b.realm: the file has no older snapshot; 'history' lists"))
    for offset in ["8", "24", "4088", "4096", "12345", "18446744073709551615"] {
      let outcome = try folder.run(["diff", "a.realm", "--against", offset])
      #expect(outcome.status == 3, "\(offset)")
      #expect(outcome.errors.contains("no snapshot at byte \(offset) of the file"))
    }
  }

  @Test func problemsNameTheirFile() throws {
    let folder = try folder()
    try folder.write("damaged.realm", try CheckTests.damaged())
    for (arguments, status, file) in [
      (["a.realm", "none.realm"], 3, "none.realm"), (["damaged.realm", "a.realm"], 2, "damaged.realm"),
      (["a.realm", "damaged.realm"], 2, "damaged.realm"),
    ] as [([String], Int32, String)] {
      let outcome = try folder.run(["diff"] + arguments)
      #expect(outcome.status == status)
      #expect(outcome.outputText.isEmpty && outcome.errors.hasPrefix("realmctl: \(file): "), "\(outcome.errors)")
    }
    for arguments in [
      ["a.realm"], ["a.realm", "b.realm", "--against", "previous"], ["-", "-"], ["a.realm", "--against", "now"],
    ] {
      #expect(try folder.run(["diff"] + arguments).status == 64)
    }
  }

  @Test("realms that differ only in their schema version differ") func schemaVersions() throws {
    let folder = try InputFolder()
    for version in ["1", "2"] {
      let model = #"{"schemaVersion":\#(version),"classes":[{"name":"A","properties":{"n":"int"}}]}"#
      try folder.write("model.json", Array(model.utf8))
      try folder.write("data.json", Array(#"{"A":[{"n":1}]}"#.utf8))
      let words = ["bundle", "--schema", "model.json", "--data", "data.json", "--seed"]
      #expect(try folder.run(words + [version + ".realm"], creates: [version + ".realm"]).status == 0)
    }
    let outcome = try folder.run(["diff", "1.realm", "2.realm"])
    #expect(outcome.status == 1)
    #expect(outcome.outputText.hasSuffix("@@ schema @@\n-schema version: 1\n+schema version: 2\n"))
    #expect(try folder.run(["diff", "1.realm", "2.realm", "--only", "A"]).status == 0)
    #expect(try folder.run(["diff", "1.realm", "2.realm", "--json"]).outputText.contains(#""equal":false"#))
  }
}
