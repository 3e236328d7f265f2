import ArgumentParser
import Foundation
import RealmInspection
import RealmStorage
import TestSupport
import Testing

@testable import realmctl

/// Guides and chapters say what the program does.
@Suite struct GuideTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Tool.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("the chapters of 'help' are those of the documents") func chapters() throws {
    var generator = Tool()
    generator.executable = Tool.builtProducts.appendingPathComponent("manual-pages").path
    let folder = try TemporaryFolder()
    let outcome = try generator.run("--topics", Tool.projectFolder.appendingPathComponent("Docs").path, folder.path)
    try #require(outcome.status == 0)
    let written = try folder.names()
    #expect(written == Chapters.names.map { $0 + ".txt" }.sorted())
    for name in written {
      let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
      #expect(text == (try Self.text("topics/" + name)), "run: make man")
    }
  }

  @Test("the document of a command begins with the words of its help") func beginnings() throws {
    var count = 0
    for command in ManualTests.leaves {
      guard command.words.count == 1, let text = try? Self.text("Docs/Commands/\(command.words[0]).md") else {
        continue
      }
      count += 1
      let beginning = text.split(separator: "\n\n")[1].replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }
      let abstract = command.type.configuration.abstract.dropLast()
      #expect(beginning.hasPrefix(abstract), "\(command.testDescription)")
    }
    #expect(count > 20)
  }

  @Test(arguments: Chapters.names) func aTopicIsPrinted(_ name: String) throws {
    let outcome = try Tool().run("help", name)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let chapter = try #require(Chapters.text(for: ["help", name]))
    #expect(outcome.outputText == chapter + "\n")
    for line in chapter.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    #expect(!chapter.contains("](") && !chapter.contains("Fixtures/"))
    if ["plan", "schema"].contains(name) {
      #expect(chapter.hasSuffix("\n\nThis is the topic '\(name)'; 'realmctl \(name) --help' describes the commands."))
    }
    #expect(Realmctl.helpMessage().contains("  \(name) "))
    #expect(Chapters.text(for: ["help", name.uppercased()]) == chapter)
  }

  @Test("every finding is explained, with its severity") func findings() throws {
    let guide = try Self.text("Docs/Guides/Damage.md")
    for kind in FindingKind.allCases {
      let line = guide.split(separator: "\n").first { $0.hasPrefix("| `\(kind.rawValue)` |") }
      let meaning = try #require(line, "\(kind.rawValue)")
      #expect(meaning.contains(" (note) |") == (kind.severity == .note), "\(kind.rawValue)")
      #expect(meaning.contains(" (warning) |") == (kind.severity == .warning), "\(kind.rawValue)")
    }
  }

  @Test("the documented statuses are those of the program, and its manual page lists all") func statuses() throws {
    let list = try Self.text("Docs/Commands/README.md").split(separator: "\n")
    let rows = list.filter { $0.wholeMatch(of: /\| \d+ \| .* \|/) != nil }
    let all = RunStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
    #expect(rows.count >= 4)
    for row in rows { #expect(all.contains(String(row)), "\(row)") }
    let page = try Self.text("man/realmctl.1")
    for status in RunStatus.allCases { #expect(page.contains("\n\\fB\(status.rawValue)\\fR\n"), "\(status)") }
  }

  @Test("every document with commands and what they print is run by ReadmeTests") func consoleBlocks() throws {
    let folder = Tool.projectFolder.appendingPathComponent("Docs")
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".md") {
      guard try Self.text("Docs/" + name).contains("```console\n") else { continue }
      #expect(ReadmeTests.documents.contains("Docs/" + name), "\(name)")
    }
  }

  @Test("the plan that 'Docs/Plan.md' begins with fits the sample realm") func plan() throws {
    let text = try Self.text("Docs/Plan.md")
    let block = try #require(text.firstRange(of: "```yaml\n"))
    let end = try #require(text[block.upperBound...].firstRange(of: "```"))
    let folder = try TemporaryFolder()
    try folder.write("plan.yml", Array(text[block.upperBound..<end.lowerBound].utf8))
    let realm = Fixture.folder.appendingPathComponent("engine/person-v1.realm").path
    let outcome = try Tool().run("migrate", realm, "--plan", folder.path("plan.yml"), "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.outputText.contains("schema version 1 -> 2"))
  }

  @Test("the index names every document") func index() throws {
    let index = try Self.text("Docs/README.md")
    let folder = Tool.projectFolder.appendingPathComponent("Docs")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".md") && $0 != "README.md" && !$0.hasPrefix("Commands/") && !$0.hasPrefix("Format/")
    }
    #expect(names.count > 15)
    for name in names { #expect(index.contains("](\(name))"), "\(name)") }
  }

  /// The headings of a document as links name them.
  private static func anchors(of document: String) -> Set<String> {
    var isCode = false
    var anchors: Set<String> = []
    for line in document.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.hasPrefix("#") else { continue }
      let title = line.drop { $0 == "#" }.dropFirst().replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.lowercased()
      let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      anchors.insert(kept.replacing(" ", with: "-"))
    }
    return anchors
  }

  @Test("every link of a document names a file, and a heading in it") func links() throws {
    let root = Tool.projectFolder
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Docs").path)
      .filter { $0.hasSuffix(".md") }.map { "Docs/" + $0 }
    var count = 0
    for name in names + ReadmeTests.roots + ["Fixtures/README.md", "Benchmarks/README.md"] {
      let text = try Self.text(name)
      let folder = root.appendingPathComponent(name).deletingLastPathComponent()
      for link in text.matches(of: /\]\(([^)\s]+)\)/) where !link.1.hasPrefix("http") {
        let parts = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let target = parts[0].isEmpty ? root.appendingPathComponent(name) : folder.appendingPathComponent(parts[0])
        #expect(FileManager.default.fileExists(atPath: target.path), "\(name): \(link.1)")
        count += 1
        guard parts.count > 1, target.pathExtension == "md" else { continue }
        let anchors = Self.anchors(of: try String(contentsOf: target, encoding: .utf8))
        #expect(anchors.contains(parts[1]), "\(name): \(link.1)")
      }
    }
    #expect(count > 150)
  }

  /// The forms of a key that the guide lists, each for the key of the fixtures.
  static let keyForms: [(form: String, reading: String)] = {
    let bytes = Fixture.engineKey
    func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    let digits = bytes.map(hex).joined()
    let quads = stride(from: 0, to: 64, by: 4).map { bytes[$0..<$0 + 4].map(hex).joined() }.joined(separator: " ")
    let base64 = Data(bytes).base64EncodedString()
    return [
      (digits, "128 hex digits"), ("0x" + digits, "128 hex digits"),
      (bytes.map(hex).joined(separator: ":"), "128 hex digits"),
      (bytes.map(hex).joined(separator: "-"), "128 hex digits"), ("<\(quads)>", "128 hex digits"), (base64, "Base64"),
      (base64.replacing("=", with: ""), "Base64"), ("\u{feff}\"\(base64)\"\r\n", "Base64"),
      ("\(bytes)", "64 numbers"), (bytes.map { "\(Int8(bitPattern: $0))" }.joined(separator: ", "), "64 numbers"),
      ("{" + bytes.map { "0x" + hex($0) }.joined(separator: ", ") + "}", "64 numbers"),
      ("(" + bytes.map(String.init).joined(separator: ",") + ")", "64 numbers"),
    ]
  }()

  @Test("every form of a key is read, and -v says which it was", arguments: keyForms.indices)
  func keys(_ index: Int) throws {
    let (text, reading) = Self.keyForms[index]
    let folder = try TemporaryFolder()
    try folder.write("app.key", Array(text.utf8))
    let realm = Fixture.folder.appendingPathComponent("engine/all-types-encrypted.realm").path
    let outcome = try Tool().run("open", realm, "--key-file", folder.path("app.key"), "--verbose")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("the key was read as \(reading)\n"), "\(outcome.errors)")
  }

  @Test("half a key is called half a key") func halfAKey() throws {
    let folder = try TemporaryFolder()
    let half = Self.keyForms[0].form.prefix(64)
    let realm = Fixture.folder.appendingPathComponent("engine/all-types-encrypted.realm").path
    for (text, words) in [
      (String(half), "64 hex digits were taken as 64 bytes, and a key in hex has 128 digits"),
      (String(half) + "\n", "this is half a key"),
    ] {
      try folder.write("half.key", Array(text.utf8))
      let outcome = try Tool().run("open", realm, "--key-file", folder.path("half.key"))
      #expect(outcome.status == 4 && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
