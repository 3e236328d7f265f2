import Foundation
import TestSupport
import Testing

/// Names and values of a file never reach the terminal unescaped.
@Suite struct WorstAlphabetTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("s.json", Array(WorstAlphabet.schemaFile.utf8))
    try folder.write("less.json", Array(WorstAlphabet.smallerSchemaFile.utf8))
    try folder.write("d.ndjson", Array(WorstAlphabet.data.utf8))
    let words = ["bundle", "--schema", "s.json", "--data", "d.ndjson", "--schema-version", "1", "--seed", "a.realm"]
    let outcome = try folder.run(words, creates: ["a.realm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    expectClean(outcome, words)
    try expectChecked(folder, "a.realm")
    return folder
  }

  private func expectChecked(_ folder: InputFolder, _ name: String) throws {
    #expect(try folder.run(["check", name, "--strict"]).status == 0)
  }

  private func expectClean(
    _ outcome: Tool.Outcome, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = WorstAlphabet.findings(in: outcome.output) + WorstAlphabet.findings(in: Array(outcome.errors.utf8))
    #expect(found.isEmpty, "\(words.map { $0.prefix(20) })", sourceLocation: sourceLocation)
  }

  @Test func `the test finds what it looks for`() throws {
    #expect(WorstAlphabet.text.unicodeScalars.filter(WorstAlphabet.obeyed.contains).count == WorstAlphabet.obeyed.count)
    for scalar in WorstAlphabet.obeyed where scalar != "\n" {
      #expect(WorstAlphabet.findings(in: Array("x\(scalar)y".utf8)).count == 1)
    }
    #expect(WorstAlphabet.findings(in: Array("C0\n\\u{b} x".utf8)).count == 1)
  }

  static let commands: [[String]] =
    [
      ["open", "a.realm"], ["check", "a.realm"], ["stats", "a.realm"], ["summarize", "a.realm"],
      ["history", "a.realm"], ["hash", "a.realm"],
      ["diff", "a.realm", "less.realm"], ["diff", "a.realm", "less.realm", "--stat"], ["schema", "dump", "a.realm"],
      ["schema", "diff", "a.realm", "less.json"], ["compact", "a.realm", "--dry-run"],
      ["migrate", "a.realm", "--schema", "less.json", "--to-version", "2", "--dry-run"],
      [
        "migrate", "a.realm", "--schema", "less.json", "--to-version", "2", "--dry-run", "--allow-data-loss", "--show",
        "2",
      ],
      ["downgrade", "a.realm", "--file-format", "10", "--dry-run", "--allow-data-loss"],
      ["downgrade", "a.realm", "--file-format", "10", "--dry-run"],
      ["plan", "new", "a.realm", "--schema", "less.json", "--to-version", "2"],
      ["query", "a.realm", WorstAlphabet.classNames[0], WorstAlphabet.text],
      ["query", "a.realm", WorstAlphabet.text], ["export", "a.realm", "--only", WorstAlphabet.text],
      ["export", "a.realm", "--format", WorstAlphabet.parts[0]], [WorstAlphabet.parts[0]],
      ["open", "--" + WorstAlphabet.parts[0]], ["open", WorstAlphabet.parts[0]],
    ]
    + WorstAlphabet.classNames.flatMap { name in
      [[], ["--keys"], ["--explain"], ["--backlinks"], ["--format", "table"], ["--format", "typed"]].map {
        ["query", "a.realm", name] + $0
      }
    }

  @Test func `no command hands on what a terminal obeys`() throws {
    let folder = try folder()
    let change = [
      "migrate", "a.realm", "--schema", "less.json", "--to-version", "2", "--allow-data-loss", "-o", "less.realm",
    ]
    expectClean(try folder.run(change, creates: ["less.realm", "a.realm.lock"]), change)
    try expectChecked(folder, "less.realm")
    for words in Self.commands {
      for words in [words, words + ["--json"]] {
        expectClean(try folder.run(words, creates: ["a.realm.lock", "less.realm.lock"]), words)
      }
    }
    for format in ["json", "ndjson", "typed", "typed-ndjson"] {
      expectClean(try folder.run(["export", "a.realm", "--format", format]), [format])
    }
    for words in [["recover", "a.realm", "-o", "r.realm"], ["write-copy", "a.realm", "c.realm"]] {
      let name = words[words.count - 1]
      for words in [words, words + ["--json", "--force"]] { expectClean(try folder.run(words, creates: [name]), words) }
      try expectChecked(folder, name)
    }
  }

  @Test func `mistakes in data show names and values cut and escaped`() throws {
    let folder = try folder()
    let long = WorstAlphabet.text + String(repeating: "x ", count: 200_000)
    let name = WorstAlphabet.json(WorstAlphabet.classNames[0])
    let key = WorstAlphabet.json("id" + WorstAlphabet.parts[0])
    for data in [
      "{\"class\":\(WorstAlphabet.json(long)),\"value\":{}}",
      "{\"class\":\(name),\"value\":{\(WorstAlphabet.json(long)):1}}",
      "{\"class\":\(name),\"value\":{\(key):\(WorstAlphabet.json(long)),\"y\":1}}",
      "{\"class\":\(name),\"value\":{\(key):\(WorstAlphabet.json(long))}}\n{\"class\":\(name),\"value\":{\(key):\(WorstAlphabet.json(long))}}",
      "{\(WorstAlphabet.json(long)):[]}",
    ] {
      try folder.write("bad.ndjson", Array(data.utf8))
      let words = ["bundle", "--schema", "s.json", "--data", "bad.ndjson", "--seed", "x.realm"]
      for words in [words, words + ["--json"]] {
        let outcome = try folder.run(words)
        #expect([2, 7].contains(outcome.status))
        expectClean(outcome, words)
        #expect(outcome.errors.utf8.count < 4000 && !outcome.errors.contains(String(repeating: "x ", count: 100)))
      }
    }
  }

  static let long = String(repeating: "x", count: 60_000)

  @Test(arguments: [
    ["query", "a.realm", "Dog", long], ["query", "a.realm", "Dog", "name == \"" + long], ["query", "a.realm", long],
    ["query", "a.realm", "Dog", "name == $0 &&", "--arg", long],
    ["query", "a.realm", "Dog", "dateOfBirth == '\(long)'"],
    ["query", "a.realm", "Dog", "--columns", long], ["export", "a.realm", "--only", long], [long],
    ["open", "--" + long], ["open", long], ["open", "a.realm", "--key-env", long],
    ["export", "a.realm", "--format", long], ["migrate", "a.realm", "--to-version", long],
    ["migrate", "a.realm", "--to-version", "9", "--set", long, "--dry-run"],
    ["migrate", "a.realm", "--to-version", "9", "--rename", long, "--dry-run"],
    ["migrate", "a.realm", "--to-version", "9", "--delete-class", long, "--dry-run"],
  ]) func `a message shows at most 200 characters of an input`(words: [String]) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    for words in [words, words + ["--json"]] {
      let outcome = try folder.run(words, creates: ["a.realm.lock"])
      #expect(outcome.status != 0 && outcome.status < 128)
      #expect(outcome.errors.utf8.count < 3000)
      #expect(!outcome.errors.contains(String(repeating: "x", count: 201)))
    }
  }
}
