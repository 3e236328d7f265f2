import Foundation
import RealmStorage
import TestSupport
import Testing

/// `redact new`, `redact check` and `write-copy --redact`.
@Suite struct RedactTests {
  private let folder: TemporaryFolder
  private var tool = Tool()

  init() throws {
    folder = try TemporaryFolder()
    tool.folder = folder.path
    try folder.write("dogs.realm", Fixture.bytes("engine/dogs.realm"))
    try folder.write("redact.key", Array(repeating: 7, count: 32))
  }

  private func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }

  private static let rules = """
    classes:
      Dog: { _id: hash, name: { fake: name }, breed: mask, dateOfBirth: { shift: 30d }, favoriteToy: keep }
      Person: { _id: hash, name: { fake: name }, birthdate: { range: 1d }, dogs: keep }
      Toy: { _id: hash, name: keep }
    """

  @Test func aDraftIsCheckedAndUsed() throws {
    let draft = try tool.run("redact", "new", "dogs.realm")
    #expect(draft.status == 0 && draft.errors == "")
    try write("rules.yml", draft.outputText)
    let check = try tool.run("redact", "check", "rules.yml", "dogs.realm")
    #expect(check.status == 0)
    #expect(check.outputText == "rules.yml: rules valid; each of the 11 properties of dogs.realm has a rule\n")
    let copy = try tool.run("write-copy", "dogs.realm", "public.realm", "--redact", "rules.yml")
    #expect(copy.status == 0 && copy.errors == "")
    #expect(
      copy.outputText.contains("\nredacted: 29 values by 9 rules; searched for 20 removed strings and found none\n"))
    let realm = try LeftRealm(folder.path("public.realm"))
    let text = String(decoding: realm.bytes, as: UTF8.self)
    for name in ["Fido", "Laika", "Collie"] { #expect(!text.contains(name)) }
    #expect(try Fixture.bytes(ofFile: folder.path("dogs.realm")) == Fixture.bytes("engine/dogs.realm"))
  }

  @Test func theKeyDecides() throws {
    try write("rules.yml", Self.rules)
    for (name, options) in [
      ("a", ["--redact-key-file", "redact.key"]), ("b", ["--redact-key-file", "redact.key"]), ("c", []),
    ] {
      let outcome = try tool.run(["write-copy", "dogs.realm", "\(name).realm", "--redact", "rules.yml"] + options)
      #expect(outcome.status == 0)
      _ = try LeftRealm(folder.path("\(name).realm"))
    }
    let a = try Fixture.bytes(ofFile: folder.path("a.realm"))
    #expect(try Fixture.bytes(ofFile: folder.path("b.realm")) == a)
    #expect(try Fixture.bytes(ofFile: folder.path("c.realm")) != a)
    let streamed = try tool.run(
      "write-copy", "dogs.realm", "-", "--redact", "rules.yml", "--redact-key-file", "redact.key")
    #expect(streamed.status == 0 && streamed.output == a)
    _ = try LeftRealm(output: streamed.output)
    try folder.write("key", Fixture.engineKey)
    let secret = try tool.run(
      "write-copy", "dogs.realm", "s.realm", "--redact", "rules.yml", "--out-key-file", "key")
    #expect(secret.status == 0)
    _ = try LeftRealm(folder.path("s.realm"), key: Fixture.engineKey)
    let again = try tool.run(
      "write-copy", "s.realm", "t.realm", "--redact", "rules.yml", "--key-file", "key", "--out-key-same", "--where",
      "Dog:TRUEPREDICATE LIMIT(2)", "--allow-data-loss")
    #expect(again.status == 0, "\(again.errors)")
    _ = try LeftRealm(folder.path("t.realm"), key: Fixture.engineKey)
  }

  @Test func aDryRunShowsWhatBecomesOfObjects() throws {
    try write("rules.yml", Self.rules)
    let before = try folder.names()
    let outcome = try tool.run(
      "write-copy", "dogs.realm", "public.realm", "--redact", "rules.yml", "--redact-key-file", "redact.key",
      "--dry-run")
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("\n  Dog.breed: mask: "))
    #expect(outcome.outputText.contains("\n  name: \"Bob\" -> \""))
    #expect(try folder.names() == before)
    let json = try tool.run(
      "write-copy", "dogs.realm", "public.realm", "--redact", "rules.yml", "--dry-run", "--json")
    let members = try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]
    let redaction = try #require(members?["redaction"] as? [String: Any])
    #expect((redaction["redactedSamples"] as? [Any])?.count == 5)
    #expect((redaction["redactionRules"] as? [Any])?.count == 8)
  }

  /// The keys of an index are the beginnings of values.
  @Test func whatIsWrongWithTheSourceIsSaidWithoutValues() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let keys = try #require(try tree.table("class_Toy").index("name").child(0))
    let number = "\(keys.values[0])"
    keys.values[0] -= 1
    try folder.write("damaged.realm", tree.written(.normal))
    try write("rules.yml", Self.rules)
    #expect(try tool.run("check", "damaged.realm").outputText.contains(number))
    for options in [[], ["--json"], ["--dry-run"]] {
      let outcome = try tool.run(
        ["write-copy", "damaged.realm", "public.realm", "--redact", "rules.yml", "--force"] + options)
      #expect(outcome.status == 0)
      let text = outcome.outputText + outcome.errors
      #expect(text.contains("(Toy.name"), "\(text)")
      #expect(!text.contains(number) && !text.contains("\(keys.values[0])"), "\(text)")
    }
    _ = try LeftRealm(folder.path("public.realm"))
  }

  @Test func propertiesWithoutRuleAreListed() throws {
    try write(
      "rules.yml", "classes:\n  Dog: { _id: hash, name: mask }\n  Toy: { _id: keep, name: mask, color: keep }\n")
    let check = try tool.run("redact", "check", "rules.yml", "dogs.realm", "--json")
    #expect(check.status == 7)
    let members = try JSONSerialization.jsonObject(with: Data(check.output)) as? [String: Any]
    let unnamed = [
      "Dog.breed", "Dog.dateOfBirth", "Dog.favoriteToy", "Person._id", "Person.name", "Person.birthdate", "Person.dogs",
    ]
    #expect((members?["unnamed"] as? [String])?.sorted() == unnamed.sorted())
    #expect(members?["mistakes"] as? Int == 1)
    #expect(check.errors.contains("'Toy' has no property 'color'"))
    let copy = try tool.run("write-copy", "dogs.realm", "public.realm", "--redact", "rules.yml")
    #expect(copy.status == 7)
    for name in unnamed { #expect(copy.errors.contains("no rule for '\(name)'")) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("public.realm")))
  }

  @Test(arguments: [
    (["--redact-key-file", "redact.key"], 64, "--redact-key-file needs --redact"),
    (["--redact", "rules.yml", "--no-verify"], 64, "--no-verify cannot be used with --redact"),
    (["--redact", "rules.yml", "--file-format", "10", "--as", "Dog._id=string"], 64, "cannot be used together"),
    (["--redact", "none.yml"], 3, "none.yml"),
    (["--redact", "rules.yml", "--redact-key-file", "short"], 4, "too short for a redaction key"),
    (["--redact", "text"], 7, "a rules file must be a mapping"),
    (["--redact", "-", "--redact-key-file", "-"], 64, "tandard input can be used only once"),
  ])
  func whatCannotBeIsSaid(_ options: [String], _ status: Int32, _ message: String) throws {
    try write("rules.yml", Self.rules)
    try write("text", "words")
    try write("short", "secret")
    let outcome = try tool.run(["write-copy", "dogs.realm", "public.realm"] + options)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("public.realm")))
  }

  @Test func whatOnlyTheDefaultKeepsFailsWhereWarningsDo() throws {
    try write("rules.yml", "{ default: keep, classes: { Dog: { name: mask, breed: keep } } }")
    let check = try tool.run("redact", "check", "rules.yml", "dogs.realm", "--json")
    #expect(check.status == 0 && !check.errors.isEmpty)
    let members = try JSONSerialization.jsonObject(with: Data(check.output)) as? [String: Any]
    let kept = try #require(members?["keptStrings"] as? [[String: Any]])
    #expect(
      kept.map { "\($0["class"] ?? "").\($0["property"] ?? "") \($0["named"] ?? "")" } == [
        "Dog.breed 1", "Person.name 0", "Toy.name 0",
      ])
    #expect(try tool.run("redact", "check", "rules.yml", "dogs.realm", "--strict").status == 1)
    let refused = try tool.run("write-copy", "dogs.realm", "public.realm", "--redact", "rules.yml", "--strict")
    #expect(refused.status == 1 && refused.errors.contains("'Person.name'"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("public.realm")))
    let copy = try tool.run("write-copy", "dogs.realm", "public.realm", "--redact", "rules.yml")
    #expect(copy.status == 0 && !copy.errors.isEmpty)
    _ = try LeftRealm(folder.path("public.realm"))
    try write(
      "rules.yml",
      "{ default: keep, classes: { Dog: { name: mask, breed: keep }, Person: { name: keep }, Toy: { name: keep } } }")
    #expect(try tool.run("redact", "check", "rules.yml", "dogs.realm", "--strict").status == 0)
  }

  @Test(arguments: Fixture.all(in: "engine")) func aDraftFitsEachFixture(_ path: String) throws {
    try folder.write("a.realm", Fixture.bytes(ofFile: path))
    try folder.write("key", Fixture.engineKey)
    let isEncrypted = path.contains("encrypted")
    let key = isEncrypted ? ["--key-file", "key"] : []
    let draft = try tool.run(["redact", "new", "a.realm"] + key)
    #expect(draft.status == 0, "\(draft.errors)")
    try folder.write("rules.yml", draft.output)
    // A text that is kept says why.
    for line in draft.outputText.split(separator: "\n") where line.contains(": keep") {
      #expect(line.contains("  # "), "\(line)")
    }
    #expect(try tool.run(["redact", "check", "rules.yml", "a.realm"] + key).status == 0)
    let copy = try tool.run(
      ["write-copy", "a.realm", "b.realm", "--redact", "rules.yml"] + key + (isEncrypted ? ["--out-key-same"] : []))
    #expect(copy.status == 0, "\(copy.errors)")
    _ = try LeftRealm(folder.path("b.realm"), key: isEncrypted ? Fixture.engineKey : nil)
  }
}
