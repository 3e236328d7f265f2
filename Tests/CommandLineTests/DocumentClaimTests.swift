import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import realmctl

/// What documents name is there: commands, options, files and tests.
@Suite struct DocumentClaimTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Tool.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  private static func names(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: Tool.projectFolder.appendingPathComponent(folder).path)
  }

  private static func documents() throws -> [String] {
    let docs = try names(in: "Docs").filter { $0.hasSuffix(".md") && !$0.hasPrefix("Format") }.sorted()
    return ReadmeTests.roots + ["Fixtures/README.md"] + docs.map { "Docs/" + $0 }
  }

  private static func matches(_ pattern: String, in text: String) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern)
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
      Range(match.range(at: 1), in: text).map { String(text[$0]) }
    }
  }

  @Test func everyOptionIsOne() throws {
    let options = try ManualTests.commands.reduce(into: Set(["--help", "--version"])) { all, command in
      for line in try Self.matches(#"(--[a-z][a-z-]+)"#, in: command.type.helpMessage()) { all.insert(line) }
    }
    // Of the parser, of `swift test`, of Xcode and of what installs packages, and a slip that the style guide answers.
    let others: Set = [
      "--experimental-dump-help", "--generate-completion-script", "--jsn", "--filter",
      "--rm", "--ignore-missing", "--allow-untrusted", "--device", "--domain-type", "--domain-identifier", "--source",
      "--destination",
    ]
    for document in try Self.documents() {
      for option in try Self.matches(#"`?(--[a-z][a-z-]+)"#, in: try Self.text(document)) {
        #expect(options.contains(option) || others.contains(option), "\(document): \(option)")
      }
    }
  }

  @Test func everyCommandIsOne() throws {
    let commands = Set(ManualTests.commands.compactMap(\.words.first)).union(["help"])
    for document in try Self.documents() {
      for name in try Self.matches(#"(?:\$ |`|\| |  )realmctl ([a-z][a-z-]*)"#, in: try Self.text(document)) {
        #expect(commands.contains(name), "\(document): \(name)")
      }
    }
  }

  @Test func everyTestTypeAndFileIsThere() throws {
    let sources = try (Self.names(in: "Sources") + Self.names(in: "Tests")).filter { $0.hasSuffix(".swift") }
    let names = Set(sources.map { String($0.split(separator: "/").last?.dropLast(6) ?? "") })
    let declared = try Set(
      Self.names(in: "Sources").filter { $0.hasSuffix(".swift") }.flatMap { source in
        try Self.matches(
          #"\b(?:struct|class|enum|protocol|actor|typealias|func|case|var|let) ([A-Z][A-Za-z0-9]+)"#,
          in: Self.text("Sources/" + source))
      })
    let targets = try Set(Self.names(in: "Sources") + Self.names(in: "Tests")).filter { !$0.contains("/") }
    for document in ["Docs/Architecture.md", "Docs/Contributing.md", "Docs/Style.md"] {
      for name in try Self.matches(#"`([A-Z][a-z]+[A-Z][A-Za-z]+)`"#, in: try Self.text(document)) {
        #expect(names.contains(name) || declared.contains(name) || targets.contains(name), "\(document): \(name)")
      }
    }
  }

  @Test func everyLinkLeadsToAFile() throws {
    for document in try Self.documents() {
      let folder = Tool.projectFolder.appendingPathComponent(document).deletingLastPathComponent()
      for link in try Self.matches(#"\]\(([^)#:]+)(?:#[^)]*)?\)"#, in: try Self.text(document)) {
        #expect(
          FileManager.default.fileExists(atPath: folder.appendingPathComponent(link).path), "\(document): \(link)")
      }
    }
  }
}
