import ArgumentParser
import Foundation
import RealmText
import TestSupport
import Testing

@testable import realmctl

/// The manual pages and completions that are checked in are those of the commands as they are.
@Suite struct ManualTests {
  private func checkedIn(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: Tool.projectFolder.appendingPathComponent(path)), as: UTF8.self)
  }

  @Test func theManualPagesAreCurrent() throws {
    let folder = try TemporaryFolder()
    try folder.write("help.json", try Tool().run("--experimental-dump-help").output)
    let version = try Tool().run("--version").outputText.components(separatedBy: "\n")[0]
    var generator = Tool()
    generator.executable = Tool.builtProducts.appendingPathComponent("manual-pages").path
    let documents = Tool.projectFolder.appendingPathComponent("Docs").path
    let outcome = try generator.run(folder.path("help.json"), version, documents, folder.path)
    try #require(outcome.status == 0)
    let pages = try folder.names().filter { $0 != "help.json" }
    let present = try FileManager.default.contentsOfDirectory(
      atPath: Tool.projectFolder.appendingPathComponent("man").path
    )
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

  /// A command with the words that call it.
  struct Command: Sendable, CustomTestStringConvertible {
    let words: [String]
    let type: any ParsableCommand.Type
    var testDescription: String { words.joined(separator: " ") }

    static func all(
      _ type: any ParsableCommand.Type = Realmctl.self, _ words: [String] = []
    ) -> [Command] {
      [Command(words: words, type: type)]
        + type.configuration.subcommands.flatMap { all($0, words + [$0.configuration.commandName ?? ""]) }
    }

    var isLeaf: Bool { type.configuration.subcommands.isEmpty }
  }

  static let commands = Command.all()
  static let leaves = commands.filter(\.isLeaf)

  @Test func thereAreCommands() {
    #expect(Self.leaves.count >= 11)
    #expect(Self.commands.count > Self.leaves.count)
  }

  @Test(arguments: leaves) func everyCommandHasHelpThatNamesItsOptionsAndAPage(_ command: Command) throws {
    let help = try Tool().run(["help"] + command.words)
    #expect(help.status == 0)
    #expect(help.outputText == (try Tool().run(command.words + ["--help"]).outputText))
    let page = try checkedIn("man/realmctl-\(command.words.joined(separator: "-")).1")
    for option in try RepeatedOptionTests.options(of: command.type) {
      for name in option.names {
        #expect(help.outputText.contains(name + " <") || help.outputText.contains(name + ", "), "\(name)")
        #expect(page.contains(name.replacing("-", with: "\\-")), "\(name)")
      }
    }
    // Options without effect are not offered.
    #expect(help.outputText.contains("--json") == (command.words != ["browse"]))
    #expect(help.outputText.contains("\nExamples:\n") || help.outputText.contains("Examples:"))
  }

  @Test("the page of the program has the groups of commands that its help has") func groups() throws {
    let page = try checkedIn("man/realmctl.1").replacing("\\-", with: "-")
    let section = page.components(separatedBy: ".SH \"COMMANDS\"\n").last?.components(separatedBy: ".SH ").first ?? ""
    var shown: [String] = []
    for line in section.split(separator: "\n") {
      if let title = line.wholeMatch(of: /\.SS "(.*)"/) { shown.append(String(title.1)) }
      if let name = line.wholeMatch(of: /\\fBrealmctl-([a-z-]+)\\fR\(1\)/) { shown.append(String(name.1)) }
    }
    let groups = Realmctl.configuration.groupedSubcommands
    #expect(groups.count == 5)
    // They are separate pages, each where the list of commands has it.
    let moved = ["diff": "schema-diff", "import": "schema-infer"]
    var expected: [String] = []
    for group in groups {
      expected.append(group.name)
      let leaves = group.subcommands.flatMap { Command.all($0, [$0.configuration.commandName ?? ""]) }.filter(\.isLeaf)
      for name in leaves.map({ $0.words.joined(separator: "-") }) where !moved.values.contains(name) {
        expected.append(name)
        if let next = moved[name] { expected.append(next) }
      }
    }
    #expect(shown == expected)
  }

  @Test("a page says of --no-verify what it does, once") func inversions() throws {
    for name in ["compact", "migrate", "upgrade", "downgrade", "write-copy", "bundle", "open"] {
      let page = try checkedIn("man/realmctl-\(name).1").replacing("\\-", with: "-")
      #expect(page.contains("\\fB--verify\\fR, \\fB--no-verify\\fR\n"))
      #expect(!page.contains("\n\\fB--no-verify\\fR\n"))
      #expect(page.contains("(default), or skip this."))
    }
  }

  /// The forms of a call that a page shows.
  private func synopsis(_ name: String) throws -> [String] {
    let page = try checkedIn("man/realmctl-\(name).1").replacing("\\-", with: "-").replacing("\\ ", with: " ")
      .replacing(/\\f[BIR]/, with: "")
    let section = page.components(separatedBy: ".SH \"SYNOPSIS\"\n").last?.components(separatedBy: ".SH ").first ?? ""
    return section.split(separator: "\n").filter { !$0.hasPrefix(".") }.map(String.init)
  }

  @Test("a page shows what may be left out, and what may not") func synopses() throws {
    for (name, forms) in [
      ("open", ["realmctl open [FILE ...] ["]), ("browse", ["realmctl browse FILE [CLASS|FILE ...] ["]),
      ("bundle", ["realmctl bundle [FILE] --seed PATH ["]), ("write-copy", ["realmctl write-copy FILE DEST ["]),
      ("recover", ["realmctl recover FILE -o PATH ["]), ("query", ["realmctl query FILE CLASS [RQL] ["]),
      ("compact", ["realmctl compact [FILE ...] [--if EXPR] ["]),
      ("migrate", ["realmctl migrate FILE ... [--plan PATH] [", "realmctl migrate --restore-backups REPORT ["]),
      (
        "update",
        ["realmctl update FILE CLASS RQL [--set VALUE] [", "realmctl update FILE CLASS --all [--set VALUE] ["]
      ),
      ("delete", ["realmctl delete FILE CLASS RQL [", "realmctl delete FILE CLASS --all [--dry-run] ["]),
      ("insert", ["realmctl insert FILE CLASS VALUE ... [", "realmctl insert FILE CLASS --object JSON ["]),
      ("diff", ["realmctl diff A B [", "realmctl diff A --against SNAPSHOT ["]),
    ] {
      let shown = try synopsis(name)
      #expect(shown.count == forms.count, "\(shown)")
      for (form, beginning) in zip(shown, forms) { #expect(form.hasPrefix(beginning), "\(form)") }
      #expect(shown.allSatisfy { $0.hasSuffix(" [options]") }, "\(shown)")
    }
  }

  @Test("every option of an example is in the synopsis, but for those of most commands", arguments: leaves)
  func synopsisHasTheOptionsOfExamples(_ command: Command) throws {
    let shown = try synopsis(command.words.joined(separator: "-")).joined(separator: " ")
    let general: Set = ["--json", "--quiet", "--verbose", "--strict"]
    for example in try examples(of: command) where example.starts(with: command.words) {
      for option in example where option.hasPrefix("-") && option != "-" && !general.contains(option) {
        #expect(shown.contains(option), "\(option)")
      }
    }
  }

  @Test("a page ends with its JSON, with every key, and other pages", arguments: leaves)
  func sections(_ command: Command) throws {
    let name = command.words.joined(separator: "-")
    let page = try checkedIn("man/realmctl-\(name).1")
    let titles = page.matches(of: /\.SH "([A-Z ]+)"/).map { String($0.1) }
    #expect(titles.prefix(4) == ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"])
    guard let schema = JSONSchema.all[ToolContract.schemaName(command.words, writesFile: name == "export") ?? ""] else {
      return
    }
    #expect(titles.suffix(3) == ["EXIT STATUS", "JSON OUTPUT", "SEE ALSO"])
    let json = page.components(separatedBy: ".SH \"JSON OUTPUT\"").last ?? ""
    for form in schema.root["oneOf"]?.array ?? [schema.root] {
      for entry in form["properties"]?.object?.entries ?? [] {
        #expect(json.contains("\\fB\(entry.key)\\fR"), "\(entry.key)")
      }
    }
    // A key without a meaning is a line of its own, followed by the next one.
    #expect(!json.contains(/\\fR\n(\n|\.TP|\.PD)/))
  }

  private static let pages =
    (try? FileManager.default.contentsOfDirectory(atPath: Tool.projectFolder.appendingPathComponent("man").path))?
    .sorted() ?? []

  @Test("no line that a page keeps as it is is wider than 80 columns", arguments: pages)
  func linesFit(_ name: String) throws {
    var indent = 7
    var isKept = false
    for line in try checkedIn("man/" + name).split(separator: "\n") {
      if line.hasPrefix(".RS ") { indent += Int(line.dropFirst(4)) ?? 0 }
      if line == ".RE" || line.hasPrefix(".SH ") { indent = 7 }
      if line == ".nf" || line == ".fi" { isKept = line == ".nf" }
      guard isKept, !line.hasPrefix(".") else { continue }
      let shown = line.replacing("\\&", with: "").replacing(/\\(.)/) { $0.1 }
      #expect(indent + shown.count <= 80, "\(line)")
    }
    #expect(!isKept)
  }

  @Test(
    "no page is wider than a terminal of 80 columns",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")), arguments: pages)
  func pagesFit(_ name: String) throws {
    let page = Tool.projectFolder.appendingPathComponent("man/" + name).path
    let shown = try Tool("/usr/bin/groff", environment: ["PATH": "/usr/bin:/bin"])
      .run("-K", "utf8", "-T", "utf8", "-P", "-cbou", "-rLL=80n", "-man", page)
    try #require(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
    let lines = shown.outputText.split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test("examples of a page are indented like its text", arguments: leaves) func examples(_ command: Command) throws {
    let page = try checkedIn("man/realmctl-\(command.words.joined(separator: "-")).1")
    #expect(page.contains(".SH \"EXAMPLES\"\n.PP\n.nf\n"))
  }

  @Test(arguments: commands) func noLineOfHelpIsWiderThanAnOrdinaryTerminal(_ command: Command) throws {
    let help = try Tool().run(command.words + ["--help"])
    #expect(help.status == 0)
    let lines = help.outputText.split(separator: "\n")
    #expect(lines.count > 3)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  /// The `realmctl` lines of the examples, taken apart as a shell does, up to a pipe or a redirection.
  private func examples(of command: Command) throws -> [[String]] {
    command.type.configuration.discussion.split(separator: "\n").filter {
      $0.hasPrefix("  realmctl ") || $0.contains("| realmctl ")
    }
    .map { line in
      var words: [String] = []
      var word: String?
      var isQuoted = false
      for character in line[(line.range(of: "realmctl ")?.upperBound ?? line.startIndex)...] + " " {
        switch character {
        case "'":
          isQuoted.toggle()
          word = word ?? ""
        case " " where !isQuoted:
          if let word { words.append(word) }
          word = nil
        default: word = (word ?? "") + String(character)
        }
      }
      return Array(words.prefix { !["|", ">", "<", "&&", "2>"].contains($0) })
    }
  }

  @Test(arguments: commands) func everyExampleIsACommandThatMeansSomething(_ command: Command) throws {
    let examples = try examples(of: command)
    #expect(!examples.isEmpty || !command.isLeaf)
    for example in examples {
      #expect(throws: Never.self, "\(example)") { try Realmctl.parse(all: example) }
    }
    for line in command.type.configuration.discussion.split(separator: "\n") where line.hasPrefix("  realmctl ") {
      // As wide as the text of a page.
      #expect(line.count - 2 <= 73, "\(line)")
    }
  }

  /// The other arguments that a command needs, apart from FILE.
  private static let needed: [String: [String]] = [
    "write-copy": ["b.realm"], "diff": ["b.realm"], "bundle": ["--seed", "s.realm"], "recover": ["-o", "b.realm"],
    "migrate": ["--schema", "model.json", "--to-version", "2"], "query": ["Dog"], "sql": ["SELECT 1"],
    "plan new": ["--schema", "model.json", "--to-version", "2"], "downgrade": ["--file-format", "23"],
    "insert": ["Dog", "a=1"], "update": ["Dog", "--all", "--set", "a=1"], "delete": ["Dog", "--all"],
    "import": ["Toy.csv"], "schema infer": ["--from", "csv"], "redact check": ["a.realm"],
  ]

  @Test(arguments: leaves.filter { $0.words != ["schema", "diff"] })
  func helpOffersStandardInputWhereItIsTaken(_ command: Command) throws {
    let name = command.words.joined(separator: " ")
    let help = try Tool().run(command.words + ["--help"]).outputText
    let file = try #require(help.split(separator: "\n").drop { !$0.hasPrefix("ARGUMENTS:") }.dropFirst().first)
    let rest = try #require(help.range(of: file)).upperBound
    let text = file + help[rest...].prefix(200).prefix { $0 != "<" }.split(separator: "\n\n")[0]
    let arguments = command.words + ["-"] + Self.needed[name, default: []]
    let isTaken = (try? Realmctl.parse(all: arguments)) != nil
    if name == "compact" {
      #expect(text.contains("with -o, - is standard input"))
      #expect(!isTaken)
      #expect(throws: Never.self) { try Realmctl.parse(all: arguments + ["-o", "b.realm"]) }
    } else {
      #expect(isTaken == text.contains("standard input"), "\(text)")
      #expect(
        isTaken == !["migrate", "upgrade", "downgrade", "import", "schema infer", "insert", "update", "delete", "rm"]
          .contains(name))
    }
  }
}
