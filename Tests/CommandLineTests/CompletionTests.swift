import Foundation
import TestSupport
import Testing

@testable import realmctl

/// What shells offer after `realmctl`, tested in the shells themselves.
@Suite struct CompletionTests {
  /// Names of classes that a shell must not take for anything but names.
  private static let oddNames = ["$(touch pwned)", "`touch pwned`", "a b", "a:b", "back\\slash", "it's", "é"]

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("dogs.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("person.realm", try Fixture.bytes("engine/person-v1.realm"))
    try folder.write("default.realm", try Fixture.bytes("engine/person-v1.realm"))
    try folder.write("my dogs.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("damaged.realm", try CheckTests.damaged())
    try folder.write("text.realm", Array("not a realm, but long enough to be one".utf8))
    try folder.write("model.json", Array(#"[{"name":"Model","properties":{"x":"int"}}]"#.utf8))
    try folder.write("key", Fixture.engineKey)
    let classes = oddNames.map { #"{"name":"\#($0.replacing("\\", with: #"\\"#))","properties":{"x":"int"}}"# }
    try folder.write("odd.json", Array("[\(classes.joined(separator: ","))]".utf8))
    try folder.write("none.json", Array("[]".utf8))
    var tool = Tool()
    tool.folder = folder.path
    let built = try tool.run("bundle", "--schema", "odd.json", "--data", "none.json", "--seed", "odd.realm")
    try #require(built.status == 0, "\(built.errors)")
    try #require(mkfifo(folder.path("pipe.realm"), 0o600) == 0)
    return folder
  }

  private static let dogs = ["Dog", "Person", "Toy"]

  /// Lines, and what is offered at their ends.
  private static let lines: [(String, [String])] = [
    ("realmctl export dogs.realm --only ", dogs), ("realmctl export dogs.realm --only P", ["Person"]),
    ("realmctl export dogs.realm --only Person,", ["Person,Dog", "Person,Toy"]),
    ("realmctl open dogs.realm --exclude ", dogs), ("realmctl open dogs.realm person.realm --only ", dogs),
    ("realmctl schema dump --only ", []), ("realmctl schema dump dogs.realm --exclude To", ["Toy"]),
    ("realmctl write-copy dogs.realm new.realm --only ", dogs), ("realmctl browse dogs.realm ", dogs),
    (#"realmctl browse my\ dogs.realm "#, dogs), ("realmctl browse 'my dogs.realm' ", dogs),
    ("realmctl bundle --seed new.realm --only ", ["Person"]),
    ("realmctl bundle --schema model.json --data none.json --class ", ["Model"]),
    ("realmctl bundle dogs.realm --expect ", dogs), ("realmctl browse odd.realm ", oddNames.sorted()),
    // Properties, in key paths and in queries.
    ("realmctl query dogs.realm ", dogs), ("realmctl query dogs.realm Dog --columns na", ["name"]),
    (
      "realmctl query dogs.realm Dog --columns name,favoriteToy.",
      ["_id", "name"].map { "name,favoriteToy.\($0)" }
        + ["@count", "@links"].map { "name,favoriteToy.\($0)" }
    ),
    ("realmctl query dogs.realm Dog --group-by br", ["breed"]),
    ("realmctl query dogs.realm Nobody --columns na", []), ("realmctl query secret.realm AllTypes --columns int", []),
    // It never asks or waits.
    ("realmctl export secret.realm --only ", []), ("realmctl export secret.realm --key-prompt --only ", []),
    ("realmctl export secret.realm --key-file key --only ", ["AllTypes", "Embedded", "Inner"]),
    ("realmctl export secret.realm --key-file pipe.realm --only ", []), ("realmctl export pipe.realm --only ", []),
    ("realmctl export - --only ", []), ("realmctl export none.realm --only ", []),
    ("realmctl export text.realm --only ", []), ("realmctl export damaged.realm --only ", []),
    // Commands, formats and files.
    ("realmctl schema d", ["diff", "dump"]), ("realmctl ex", ["export"]),
    ("realmctl export dogs.realm --format ts", ["tsv"]),
    ("realmctl schema dump dogs.realm --format s", ["sql", "swift", "swiftdata"]),
    ("realmctl export dogs.realm --links ", ["inline", "keys", "none"]), ("realmctl open do", ["dogs.realm"]),
    ("realmctl export dogs.realm --nu", []), ("realmctl check dogs.realm --li", ["--limit"]),
    ("realmctl schema diff dogs.realm mo", ["model.json"]),
  ]

  @Test(.enabled(if: ShellSession.Shell.bash.path != nil, "bash is not installed")) func bashOffersWhatFits() throws {
    try offersWhatFits(.bash)
  }

  @Test(.enabled(if: ShellSession.Shell.zsh.path != nil, "zsh is not installed")) func zshOffersWhatFits() throws {
    try offersWhatFits(.zsh)
  }

  @Test(.enabled(if: ShellSession.Shell.fish.path != nil, "fish is not installed")) func fishOffersWhatFits() throws {
    try offersWhatFits(.fish)
  }

  private func offersWhatFits(_ shell: ShellSession.Shell) throws {
    let folder = try Self.folder()
    let session = try ShellSession(shell, in: folder)
    for (line, expected) in Self.lines {
      let offered = try session.candidates(for: line)
      #expect(offered.sorted() == expected.sorted(), "\(shell): \(line) offers \(offered)")
    }
    #expect(try !folder.names().contains("pwned"))
  }

  // MARK: - Without a shell

  /// The answer that a script asks for, one candidate a line.
  private func answer(_ words: [String], shell: String, in folder: TemporaryFolder) throws -> [String] {
    var tool = Tool()
    tool.folder = folder.path
    tool.environment = ["SAP_SHELL": shell, "SAP_SHELL_VERSION": "5"]
    let outcome = try tool.run(
      ["---completion", "export", "--", "--only", String(words.count), "0", "realmctl"] + words + [""])
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    return outcome.outputText.split(separator: "\n").map(String.init).filter { $0 != " " }
  }

  @Test func theAnswersAreSafeForTheirShells() throws {
    let folder = try Self.folder()
    let words = ["export", "odd.realm", "--only"]
    #expect(
      try answer(words, shell: "bash", in: folder)
        == Self.oddNames.sorted().map { "'" + $0.replacing("'", with: #"'\''"#) + "'" })
    #expect(
      try answer(words, shell: "zsh", in: folder)
        == Self.oddNames.sorted().map { $0.replacing("\\", with: #"\\"#).replacing(":", with: #"\:"#) })
    #expect(try answer(words, shell: "fish", in: folder) == Self.oddNames.sorted())
  }

  @Test(
    arguments: [
      (["export", "dogs.realm", "--only"], dogs), (["export", "--format", "csv", "dogs.realm", "--only"], dogs),
      (["export", "--format=csv", #""dogs.realm""#, "--only"], dogs), (["export", "--", "dogs.realm", "--only"], dogs),
      (["export", "secret.realm", "--key-file", "=", "key", "--only"], ["AllTypes", "Embedded", "Inner"]),
      (["export", "secret.realm", "--key-file=key", "--only"], ["AllTypes", "Embedded", "Inner"]),
      (["export", "secret.realm", "--key-env", "NONE", "--only"], []), (["export", "$HOME/dogs.realm", "--only"], []),
      (["export", "pipe.realm", "--only"], []), (["export", "/dev/stdin", "--only"], []),
      (["export", ".", "--only"], []),
      (["export", "/dev/zero", "--only"], []), (["export", "--only"], []), (["export", "", "--only"], []),
      (["export", "text.realm", "--key-file", "dogs.realm", "--only"], []),
    ] as [([String], [String])])
  func theRealmIsFoundOnTheLine(words: [String], names: [String]) throws {
    #expect(try answer(words, shell: "bash", in: try Self.folder()) == names.map { "'\($0)'" })
  }

  @Test(
    arguments: [
      (["--match"], "", ["Dog._id", "Dog.name"]), (["--primary-key"], "", ["Cat.id", "Cat.owner"]),
      (["--link"], "", ["Cat.owner=", "Dog.favoriteToy="]),
      (["--link"], "Dog.favoriteToy=", ["Dog.favoriteToy=Toy._id"]),
      (["--link"], "Cat.owner=P", ["Cat.owner=Person._id", "Cat.owner=Person.name"]), (["--type"], "", ["Cat.owner="]),
      (["--type"], "Cat.owner=i", ["Cat.owner=int"]), (["--map"], "x=D", ["x=Dog"]),
    ] as [([String], String, [String])])
  func importsAreToldOfClassesAndColumns(option: [String], typed: String, some: [String]) throws {
    let folder = try Self.folder()
    try folder.write("Cat.csv", Array("id,owner\n1,2\n".utf8))
    let words = ["import", "dogs.realm", "Cat.csv"] + option
    var tool = Tool()
    tool.folder = folder.path
    tool.environment = ["SAP_SHELL": "fish", "SAP_SHELL_VERSION": "5"]
    let outcome = try tool.run(
      ["---completion", "import", "--"] + option + [String(words.count), "\(typed.utf8.count)", "realmctl"] + words + [
        typed
      ])
    let offered = outcome.outputText.split(separator: "\n").map(String.init).filter { $0 != " " }
    #expect(some.allSatisfy(offered.contains), "\(offered)")
    #expect(typed.isEmpty || offered.allSatisfy { $0.hasPrefix(typed) }, "\(offered)")
  }

  @Test(arguments: [
    ("plain", "plain"), (#"a\ b"#, "a b"), (#"'a b'"#, "a b"), (#""a b""#, "a b"), (#"a' 'b"#, "a b"),
    (#"'a"b'"#, #"a"b"#),
    (#""a\"b""#, #"a"b"#), (#""a\nb""#, #"a\nb"#), (#"'a\b'"#, #"a\b"#), ("~", "/home/me"), ("~/x", "/home/me/x"),
    ("'~/x'", "~/x"), ("a~", "a~"), ("'open", "open"), (#"open\"#, "open"), ("$HOME", "$HOME"), ("", ""),
  ])
  func aTypedWordHasAMeaning(word: String, meaning: String) {
    #expect(TypedWord.meaning(of: word, home: "/home/me") == meaning)
  }
}
