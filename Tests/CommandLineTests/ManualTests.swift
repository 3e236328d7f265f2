import Foundation
import TestSupport
import Testing

/// The manual pages and completions that are checked in are those of the commands as they are.
@Suite struct ManualTests {
  private func checkedIn(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: Tool.projectFolder.appendingPathComponent(path)), as: UTF8.self)
  }

  @Test func theManualPagesAreCurrent() throws {
    let folder = try TemporaryFolder()
    try folder.write("help.json", try Tool().run("--experimental-dump-help").output)
    let version = try Tool().run("--version").outputText.trimmingCharacters(in: .newlines)
    var generator = Tool()
    generator.executable = Tool.builtProducts.appendingPathComponent("manual-pages").path
    let outcome = try generator.run(folder.path("help.json"), version, folder.path)
    try #require(outcome.status == 0)
    let pages = try folder.names().filter { $0.hasSuffix(".1") }
    let present = try FileManager.default.contentsOfDirectory(
      atPath: Tool.projectFolder.appendingPathComponent("man").path
    ).filter { $0.hasSuffix(".1") }
    #expect(pages == present.sorted(), "run: make man")
    for page in pages {
      let text = String(decoding: try Fixture.bytes(ofFile: folder.path(page)), as: UTF8.self)
      #expect(text == (try checkedIn("man/" + page)), "run: make man")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func theCompletionsAreCurrent(shell: String) throws {
    let script = try Tool().run("--generate-completion-script", shell)
    #expect(script.status == 0)
    #expect(script.outputText == (try checkedIn("completions/realmctl." + shell)), "run: make man")
  }

  @Test func everyCommandHasHelpThatNamesItsOptions() throws {
    for command in [["open"], ["export"], ["schema", "dump"], ["schema", "diff"]] {
      let help = try Tool().run(["help"] + command)
      #expect(help.status == 0)
      #expect(help.outputText == (try Tool().run(command + ["--help"]).outputText))
      for option in ["--key-file <path>", "--json", "--color <when>", "Examples:"] {
        #expect(help.outputText.contains(option))
      }
    }
  }

  @Test func noLineOfHelpIsWiderThanAnOrdinaryTerminal() throws {
    for command in [[], ["open"], ["export"], ["schema"], ["schema", "dump"], ["schema", "diff"]] {
      let help = try Tool().run(command + ["--help"]).outputText
      let lines = help.split(separator: "\n").filter { !$0.hasPrefix("USAGE:") }
      #expect(lines.allSatisfy { $0.count <= 80 })
    }
  }
}
