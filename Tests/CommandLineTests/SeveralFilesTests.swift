import Foundation
import TestSupport
import Testing

/// `check`, `open` and `schema dump` of several files: each on its own, the worst status at the end.
@Suite struct SeveralFilesTests {
  private func folder() throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/person-v1.realm"))
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    try folder.write("text", Array("not a realm, but long enough to be one".utf8))
    try folder.write("damaged.realm", try CheckTests.damaged())
    return folder
  }

  @Test(
    arguments: [
      (["a.realm", "b.realm"], 0), (["a.realm", "damaged.realm", "b.realm"], 1), (["damaged.realm", "text"], 2),
      (["none.realm", "damaged.realm", "text", "a.realm"], 3), (["secret.realm", "none.realm"], 4),
      (["a.realm", "a.realm"], 0),
    ] as [([String], Int32)])
  func theStatusIsTheHighestAndEveryFileIsChecked(files: [String], status: Int32) throws {
    let folder = try folder()
    let outcome = try folder.run(["check"] + files)
    #expect(outcome.status == status)
    let alone = try files.map { try folder.run(["check", $0]) }
    #expect(alone.map(\.status).max() == status)
    #expect(outcome.errors == alone.map(\.errors).joined())
    let texts = zip(files, alone).map { file, one in
      one.outputText.split(separator: "\n").count > 1 ? "==> \(file) <==\n\(one.outputText)" : one.outputText
    }
    #expect(outcome.outputText == texts.joined())
    for command in [["open"], ["schema", "dump"]] {
      let outcome = try folder.run(command + files)
      let alone = try files.map { try folder.run(command + [$0]) }
      #expect(outcome.status == alone.map(\.status).max())
      #expect(outcome.errors == alone.map(\.errors).joined())
    }
  }

  @Test(arguments: [["check"], ["open"], ["schema", "dump"]]) func jSONIsOneObjectPerLine(command: [String]) throws {
    let folder = try folder()
    let outcome = try folder.run(command + ["a.realm", "none.realm", "b.realm", "--json"])
    #expect(outcome.status == 3)
    let lines = outcome.outputText.split(separator: "\n")
    let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    #expect(objects.map { $0?["input"] as? String } == ["a.realm", "b.realm"])
    #expect(objects.allSatisfy { $0?["version"] as? Int == 2 })
    #expect(outcome.errors.contains(#""path":"none.realm""#))
    // One file keeps its form.
    let single = try folder.run(command + ["a.realm", "--json"])
    let same = try JSONSerialization.jsonObject(with: Data(single.output)) as? NSDictionary
    #expect(same == objects[0].map { $0 as NSDictionary })
    #expect(single.outputText.split(separator: "\n").count > 1)
  }

  @Test func openTellsEachWithALineBetween() throws {
    let folder = try folder()
    let outcome = try folder.run(["open", "a.realm", "b.realm"])
    let alone = try ["a.realm", "b.realm"].map { try folder.run(["open", $0]).outputText }
    #expect(outcome.outputText == alone.joined(separator: "\n"))
  }

  @Test func schemaDumpHasASectionForEach() throws {
    let folder = try folder()
    let outcome = try folder.run(["schema", "dump", "a.realm", "none.realm", "b.realm", "--only", "Person"])
    let alone = try ["a.realm", "b.realm"].map { name in
      "==> \(name) <==\n" + (try folder.run(["schema", "dump", name, "--only", "Person"]).outputText)
    }
    #expect(outcome.status == 3)
    #expect(outcome.outputText == alone.joined(separator: "\n"))
    let missing = try folder.run(["schema", "dump", "a.realm", "b.realm", "--only", "Dog"])
    #expect(missing.status == 3)
    #expect(missing.outputText.hasPrefix("==> a.realm <==\n"))
    #expect(missing.errors.hasPrefix("realmctl: b.realm: no class 'Dog'"))
  }

  @Test func oneKeyIsReadOnceForAll() throws {
    let folder = try folder()
    try folder.write("again.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    let outcome = try folder.run(
      ["open", "secret.realm", "again.realm", "--key-file", "-"], input: Fixture.engineKey)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: [
    (["open", "-", "-"], "standard input can be used only once"),
    (["check", "-", "a.realm", "-"], "standard input can be used only once"),
    (["diff", "-", "/dev/stdin"], "standard input can be used only once"),
    (["schema", "diff", "/dev/fd/0", "/dev/stdin"], "standard input can be used only once"),
    (["plan", "check", "-", "-"], "standard input can be used only once"),
    (["migrate", "a.realm", "--plan", "-", "--schema", "-"], "standard input can be used only once"),
    (["open", "a.realm", "--schema", "-", "--key-file", "-"], "standard input can be used only once"),
    (["insert", "a.realm", "name=x"], "no class 'name=x'; the class comes before the values"),
    (["check", "-", "/dev/stdin"], "standard input can be used only once"),
    (["open", "a.realm", "/dev/fd/0", "--key-file", "-"], "standard input can be used only once"),
    (["recover", "a.realm", "-o", "-", "--report", "/dev/stdout"], "--report and --strings need the path of a file"),
    (["check", "a.realm", ""], "Realm path must not be empty"),
    (["open", "a.realm", "b.realm", "--upgrade"], "configuration options open one realm at a time"),
    (["schema", "dump", "a.realm", "b.realm", "-o", "s.txt"], "-o cannot be used with several files"),
    (["schema", "dump", "a.realm", "b.realm", "--format", "swift"], "the format swift takes one file"),
    (["schema", "dump", "a.realm", "b.realm", "--format", "json"], "the format json takes one file"),
    (["open", "a.realm", "-", "--key-file", "-"], "standard input can be used only once"),
  ])
  func whatMeansNothingIsRefused(arguments: [String], text: String) throws {
    let outcome = try folder().run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("realmctl: " + text), "\(outcome.errors)")
  }

  @Test func standardInputIsOneOfThem() throws {
    let folder = try folder()
    let outcome = try folder.run(["check", "a.realm", "-"], input: try Fixture.bytes("engine/dogs.realm"))
    #expect(outcome.status == 0)
    #expect(outcome.outputText.contains("a.realm: no damage found"))
    #expect(outcome.outputText.contains("standard input: no damage found"))
  }
}
