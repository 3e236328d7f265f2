import Foundation
import TestSupport
import Testing

/// Every command in the README and the documents prints what they show.
@Suite struct ReadmeTests {
  /// A block of commands with what they print, and its line.
  struct Block: Sendable, CustomTestStringConvertible {
    let document: String
    let line: Int
    let text: String

    var testDescription: String { "\(document):\(line)" }
  }

  /// Those outside of the folder of documents.
  static let roots = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "skills/realmctl/SKILL.md"]

  static let documents: [String] = {
    let folder = Tool.projectFolder.appendingPathComponent("Docs/Commands").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let guides = ["RQL.md", "SchemaFile.md", "SDK.md", "SQLite.md", "Leaving.md", "Data.md", "Redaction.md"]
    let more = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/../Guides")) ?? []
    return ["README.md", "skills/realmctl/SKILL.md"] + guides.map { "Docs/" + $0 }
      + names.sorted().map { "Docs/Commands/" + $0 } + more.sorted().map { "Docs/Guides/" + $0 }
  }()

  static let blocks: [Block] = documents.flatMap { document in
    let text = try? String(contentsOf: Tool.projectFolder.appendingPathComponent(document), encoding: .utf8)
    var blocks: [Block] = []
    var current: [Substring]?
    for (index, line) in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line == "```console" {
        current = []
      } else if line == "```", let lines = current {
        blocks.append(Block(document: document, line: index - lines.count + 1, text: lines.map { $0 + "\n" }.joined()))
        current = nil
      } else {
        current?.append(line)
      }
    }
    return blocks
  }

  @Test func thereAreBlocks() {
    #expect(Self.blocks.count >= 15)
    #expect(Self.documents.count == 40)
  }

  @Test(arguments: blocks)
  func theDocumentTellsTheTruth(_ block: Block) throws {
    let folder = try TemporaryFolder()
    #expect(try Self.output(of: block, in: Self.shell(in: folder)) == block.text)
  }

  /// The commands of a block with what they print now.
  static func output(of block: Block, in shell: Tool) throws -> String {
    var printed = ""
    for command in commands(in: block) {
      // A line that begins with `> ` goes on with the one before.
      printed += "$ " + command.replacing("\n", with: "\n> ") + "\n"
      printed += try shell.run("-c", "exec 2>&1\n" + command).outputText
    }
    return printed
  }

  /// A shell in a folder that has what the commands of documents name: the fixtures, and the command itself.
  static func shell(in folder: TemporaryFolder) throws -> Tool {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Fixtures"), withDestinationPath: Fixture.folder.path)
    try FileManager.default.createSymbolicLink(atPath: folder.path("realmctl"), withDestinationPath: Tool.binary)
    var shell = Tool()
    shell.executable = "/bin/sh"
    shell.folder = folder.path
    shell.environment = ["PATH": folder.path + ":/usr/bin:/bin"]
    return shell
  }

  private static func commands(in block: Block) -> [String] {
    var commands: [String] = []
    for line in block.text.split(separator: "\n") {
      if line.hasPrefix("$ ") {
        commands.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("> "), let last = commands.popLast() {
        commands.append(last + "\n" + line.dropFirst(2))
      }
    }
    return commands
  }
}
