import Foundation
import TestSupport
import Testing

/// `hash` distinguishes content, and nothing else.
@Suite struct HashTests {
  /// The first word of each line.
  private func hashes(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test func aLinePerFileAsSha256sumPrintsIt() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/fragmented.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/fragmented-compacted.realm"))
    try folder.write("c.realm", try Fixture.bytes("engine/dogs.realm"))
    let outcome = try folder.run(["hash", "a.realm", "b.realm", "c.realm"])
    #expect(outcome.status == 0)
    let lines = outcome.outputText.split(separator: "\n")
    #expect(lines.map { $0.dropFirst(64) } == ["  a.realm", "  b.realm", "  c.realm"])
    let hashes = hashes(outcome.outputText)
    #expect(hashes[0] == hashes[1] && hashes[0] != hashes[2])
    #expect(hashes.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func encryptionAndStandardInputMakeNoDifference() throws {
    let folder = try InputFolder()
    try folder.write("plain.realm", try Fixture.bytes("engine/all-types.realm"))
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    let plain = try folder.run(["hash", "plain.realm"])
    let secret = try folder.run(["hash", "secret.realm", "--key-file", "key"])
    let piped = try folder.run(["hash", "-"], input: try Fixture.bytes("engine/all-types-copy.realm"))
    #expect(
      Set((plain.outputText + secret.outputText + piped.outputText).split(separator: "\n").map { $0.prefix(64) }).count
        == 1)
    #expect(piped.outputText.hasSuffix("  -\n"))
    #expect(try folder.run(["hash", "secret.realm"]).status == 4)
  }

  @Test func classesComeByName() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    let text = try folder.run(["hash", "a.realm", "--per-class"]).outputText
    #expect(
      text.split(separator: "\n").map { $0.dropFirst(64) }
        == ["  a.realm", "  a.realm: Dog", "  a.realm: Person", "  a.realm: Toy"])
    let json = try folder.run(["hash", "a.realm", "--json"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(report["input"] as? String == "a.realm")
    #expect(report["objectKeys"] as? Bool == true)
    let classes = try #require(report["classes"] as? [[String: Any]])
    #expect([report["hash"] as? String] + classes.map { $0["hash"] as? String } == hashes(text))
    #expect(classes.map { $0["objects"] as? Int } == [5, 3, 2])
  }

  @Test func keysCanBeLeftOut() throws {
    let folder = try InputFolder()
    try folder.write("model.json", Array(#"[{"name":"A","primaryKey":"id","properties":{"id":"int","v":"int"}}]"#.utf8))
    let objects = [#"{"id":1,"v":1}"#, #"{"id":2,"v":2}"#]
    for (name, data) in [("a", objects), ("b", objects.reversed())] {
      try folder.write("\(name).json", Array("{\"A\":[\(data.joined(separator: ","))]}".utf8))
      let bundle = try folder.run(
        ["bundle", "--schema", "model.json", "--data", "\(name).json", "--seed", "\(name).realm"],
        creates: ["\(name).realm", "\(name).realm.json", "\(name).manifest.json"])
      try #require(bundle.status == 0, "\(bundle.errors)")
    }
    let kept = hashes(try folder.run(["hash", "a.realm", "b.realm"]).outputText)
    let leftOut = hashes(try folder.run(["hash", "a.realm", "b.realm", "--no-keys"]).outputText)
    #expect(Set(kept).count == 2)
    #expect(Set(leftOut).count == 1)
    #expect(try folder.run(["hash", "a.realm", "--no-keys", "--json"]).outputText.contains("\"objectKeys\": false"))
  }

  @Test func whatCannotBeReadHasNoHash() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("damaged.realm", try CheckTests.damaged())
    let outcome = try folder.run(["hash", "damaged.realm", "a.realm", "none.realm"])
    #expect(outcome.status == 3)
    #expect(outcome.outputText.hasSuffix("  a.realm\n") && outcome.outputText.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("damaged.realm: ") && outcome.errors.contains("none.realm: "))
    #expect(try folder.run(["hash", "damaged.realm"]).status == 2)
  }
}
