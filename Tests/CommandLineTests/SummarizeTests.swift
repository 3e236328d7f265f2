import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import realmctl

/// `summarize` counts what `export` writes, and says what it could not read.
@Suite struct SummarizeTests {
  private func report(_ outcome: Tool.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  private func columns(_ report: [String: Any]) throws -> [String: [String: Any]] {
    let summaries = try #require(report["summaries"] as? [[String: Any]])
    var columns: [String: [String: Any]] = [:]
    for summary in summaries {
      let name = try #require(summary["class"] as? String)
      for column in try #require(summary["columns"] as? [[String: Any]]) {
        columns["\(name).\(try #require(column["columnPath"] as? String))"] = column
      }
    }
    return columns
  }

  /// A value as a text that is the same where values are.
  private static func text(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: [value], options: [.sortedKeys])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  @Test(arguments: ["engine/all-types.realm", "engine/dogs.realm", "engine/todo.realm"])
  func figuresAreThoseOfTheExport(fixture: String) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    let columns = try columns(report(try folder.run(["summarize", "a.realm", "--json", "--top", "1000"])))
    let export = try report(try folder.run(["export", "a.realm", "--no-keys"]))
    var compared = 0
    for case let (name, objects as [[String: Any]]) in export {
      for property in objects.flatMap(\.keys) {
        let column = try #require(columns["\(name).\(property)"])
        let type = try #require(column["columnType"] as? String)
        // Equal numbers may be written in several ways.
        guard !type.hasPrefix("mixed"), !type.hasPrefix("decimal"), !type.hasPrefix("double"), !type.hasPrefix("float")
        else { continue }
        let values = objects.flatMap { object -> [Any] in
          let value = object[property] ?? NSNull()
          if type.hasSuffix("{}") { return (value as? [String: Any]).map { Array($0.values) } ?? [] }
          return type.hasSuffix("[]") || type.hasSuffix("<>") ? value as? [Any] ?? [] : [value]
        }
        let texts = values.filter { !($0 is NSNull) }.map(Self.text)
        #expect(column["nonNull"] as? Int == texts.count, "\(name).\(property)")
        #expect(column["nulls"] as? Int == values.count - texts.count, "\(name).\(property)")
        #expect(column["distinct"] as? Int == Set(texts).count, "\(name).\(property)")
        let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
        for frequency in try #require(column["mostFrequent"] as? [[String: Any]]) {
          let value = try #require(frequency["frequentValue"])
          let expected = value is NSNull ? values.count - texts.count : counts[Self.text(value)]
          #expect(frequency["occurrences"] as? Int == expected, "\(name).\(property)")
        }
        compared += 1
      }
    }
    #expect(compared > 3)
  }

  @Test func queriesMayBeAnOrderAlone() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    for (query, count) in [
      ("SORT(name ASC) LIMIT(2)", 2), ("DISTINCT(breed)", 3), ("LIMIT(0)", 0), ("name == $0", 1),
    ] {
      let words = ["summarize", "a.realm", "Dog", query, "--json"] + (query.contains("$0") ? ["--arg", "Rex"] : [])
      let summaries = try #require(report(try folder.run(words))["summaries"] as? [[String: Any]])
      #expect(summaries.first?["summarizedObjects"] as? Int == count, "\(query)")
    }
  }

  @Test func keyPathsAreColumns() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    let words = ["summarize", "a.realm", "Person", "--columns", "dogs.@count,dogs.name,name", "--json"]
    let columns = try columns(report(try folder.run(words)))
    #expect(columns["Person.dogs.@count"]?["largest"] as? Int == 3)
    #expect(columns["Person.dogs.name"]?["nonNull"] as? Int == 5)
    #expect(columns["Person.dogs.name"]?["distinct"] as? Int == 3)
    #expect(columns["Person.name"]?["columnType"] as? String == "string")
    let mistake = try folder.run(["summarize", "a.realm", "Person", "--columns", "dogs.nam"])
    #expect(mistake.status == 3 && mistake.errors.contains("did you mean 'name'?"))
  }

  @Test func anEncryptedRealmHasTheSameFigures() throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/all-types.realm"))
    try folder.write("b.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    let plain = try folder.run(["summarize", "a.realm", "--bins", "9"])
    let secret = try folder.run(["summarize", "b.realm", "--bins", "9", "--key-file", "key"])
    #expect(plain.status == 0 && plain.outputText == secret.outputText)
    #expect(plain.outputText.contains("BELOW") && plain.outputText.contains("SIZE"))
    let piped = try folder.run(["summarize", "-", "--bins", "9"], input: try Fixture.bytes("engine/all-types.realm"))
    #expect(piped.outputText == plain.outputText)
  }

  @Test func aClassThatCannotBeReadIsCountedAndLinksToItAreTold() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(400..<460, with: repeatElement(0xFF, count: 60))
    try folder.write("b.realm", bytes)
    let opened = try folder.run(["open", "b.realm"])
    #expect(opened.status == 2 && opened.outputText.contains("\nclasses: 3, 1 of which cannot be read\n"))
    #expect(try report(folder.run(["open", "b.realm", "--json"]))["unreadableParts"] as? Int == 1)
    let stats = try folder.run(["stats", "b.realm", "--json"])
    #expect(stats.errors.split(separator: "\n").count == 1, "\(stats.errors)")
    #expect(try report(stats)["unreadableParts"] as? Int == 1)
    let inferred = try folder.run(["schema", "infer", "b.realm"])
    #expect(inferred.status == 2 && inferred.errors.contains("class 'Dog' cannot be read: "), "\(inferred.errors)")
    for (words, problem) in [
      (["Person", "ANY dogs.name == 'Rex'"], "the class that 'Person.dogs' links to cannot be read: "),
      (["Toy", "@links.Dog.favoriteToy.@count > 0"], "class 'Dog' cannot be read: "),
    ] {
      let queried = try folder.run(["query", "b.realm"] + words)
      #expect(queried.status == 2 && queried.errors.hasPrefix("realmctl: b.realm: " + problem), "\(queried.errors)")
    }
    let exported = try folder.run(["export", "b.realm", "--only", "Person"]).errors
    #expect(
      exported.contains("cannot be read: the class it links to cannot be read, and 2 more places\n"), "\(exported)")
    #expect(
      try folder.run(["schema", "dump", "b.realm"]).outputText.hasPrefix(
        "schema version 3: 3 classes, 1 of which cannot be read, "))
    #expect(
      try folder.run(["summarize", "b.realm"]).outputText
        .contains("→ #0 damaged (2), → #1 damaged (2), → #4 damaged (1)\n"))
  }

  @Test func whatCannotBeReadIsCounted() throws {
    let folder = try InputFolder()
    var bytes = try Fixture.bytes("engine/all-types.realm")
    var damaged = 0
    // Wherever a page is lost, the others are summarized, and nothing is silently missing.
    for page in stride(from: 4096, to: bytes.count, by: 131_072) {
      let saved = Array(bytes[page..<page + 4096])
      bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
      try folder.write("b.realm", bytes)
      bytes.replaceSubrange(page..<page + 4096, with: saved)
      let outcome = try folder.run(["summarize", "b.realm", "--json"])
      #expect(outcome.status == 0 || outcome.status == 2)
      guard outcome.status == 2, !outcome.output.isEmpty else { continue }
      damaged += 1
      #expect(try report(outcome)["unreadableParts"] as? Int ?? 0 > 0)
    }
    #expect(damaged > 0)
  }

  @Test(arguments: [["--top", "-1"], ["--bins", "5000"], ["--columns", "name"], ["--arg", "1"]])
  func optionsThatMeanNothingAreRefused(options: [String]) throws {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    #expect(try folder.run(["summarize", "a.realm"] + options).status == 64)
  }
}
