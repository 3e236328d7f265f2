import ArgumentParser
import Foundation
import RealmHelp
import RealmPresentation
import TestSupport
import Testing

@testable import RealmBrowser
@testable import realmctl

/// The help of a command begins with what the command is about.
@Suite struct HelpOrderTests {
  private static func titles(of help: String) -> [String] {
    help.split(separator: "\n").map(String.init).drop { !$0.hasPrefix("USAGE: ") }.filter {
      $0.hasSuffix(":") && $0.first?.isLetter == true && $0.uppercased() == $0
    }
  }

  @Test(arguments: ManualTests.leaves) func ownOptionsComeFirstAndCommonOnesLast(_ command: ManualTests.Command) throws
  {
    let help = try Tool().run(command.words + ["--help"]).outputText
    let titles = Self.titles(of: help)
    #expect(titles.last == "COMMON OPTIONS:")
    let options = titles.firstIndex(of: "OPTIONS:")
    #expect(options == nil || options == (titles.first == "ARGUMENTS:" ? 1 : 0))
    #expect(help.hasSuffix("  -h, --help              Show help information.\n"))
    // Nothing is lost or written twice.
    let lines = command.type.helpMessage().split(separator: "\n").filter { $0 != "OPTIONS:" }
    #expect(lines.sorted() == help.split(separator: "\n").filter { $0 != "OPTIONS:" }.sorted())
  }

  @Test("help has one word for commands") func commands() throws {
    for (words, see) in [([], ""), (["schema"], "schema "), (["plan"], "plan "), (["redact"], "redact ")] {
      let help = try Tool().run(words + ["--help"]).outputText
      #expect(!help.lowercased().contains("subcommand"))
      #expect(help.contains("USAGE: realmctl \(words.isEmpty ? "[--version] " : see)<command>\n"))
      #expect(help.hasSuffix("  See 'realmctl \(see)<command> --help' for detailed help.\n"))
    }
    let titles = Self.titles(of: try Tool().run("--help").outputText)
    #expect(titles == ["OPTIONS:", "INSPECTION:", "COMPARISON:", "DATA:", "FILES:", "DAMAGE:"])
  }

  @Test("the commands come before the examples and the statuses, and nothing is lost") func commandsFirst() throws {
    let help = try Tool().run("--help").outputText.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
    let places = try ["INSPECTION:", "DAMAGE:", "Examples:", "Exit status:"].map {
      try #require(help.firstIndex(of: $0))
    }
    #expect(places == places.sorted())
    let parsers = Realmctl.helpMessage().replacing("<subcommand>", with: "<command>").replacing(
      " SUBCOMMANDS:", with: ":"
    )
    .replacing("realmctl help <command>", with: "realmctl <command> --help").components(separatedBy: "\n")
    #expect(help.filter { !$0.isEmpty }.sorted() == parsers.filter { !$0.isEmpty }.sorted())
  }

  @Test("-h shows usage, the command's own options and two examples on one screen", arguments: ManualTests.commands)
  func short(_ command: ManualTests.Command) throws {
    let run = try Tool().run(command.words + ["-h"])
    #expect(run.status == 0 && run.errors == "")
    let lines = run.outputText.trimmingCharacters(in: .newlines).components(separatedBy: "\n")
    #expect(lines.count <= (command.words.isEmpty ? 52 : 44))
    for line in lines { #expect(line.count <= 80, "\(line)") }
    #expect(command.type.configuration.abstract.hasPrefix(lines[0]))
    let name = (["realmctl"] + command.words).joined(separator: " ")
    #expect(lines[2].hasPrefix("USAGE: \(name) "))
    for argument in try CommandDescription(help: command.type._dumpHelp()).arguments
    where argument.sectionTitle == nil && argument.shouldDisplay && !(argument.isHelp && command.isLeaf) {
      let name = argument.names.last ?? "<\(argument.valueName)>"
      #expect(lines.contains { $0.hasPrefix("  ") && $0.contains(name) }, "\(name)")
    }
    for child in command.type.configuration.subcommands {
      #expect(lines.contains { $0.hasPrefix("  \(child.configuration.commandName ?? "") ") })
    }
    let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
    #expect(command.isLeaf ? examples.count == 2 : examples.count <= 2)
    #expect(examples.allSatisfy { command.type.configuration.discussion.contains($0) })
    #expect(lines.joined(separator: " ").contains("  See '\(name) --help' for "))
  }

  @Test("on a narrow terminal, tables and examples keep their shape", arguments: ManualTests.leaves)
  func narrow(_ command: ManualTests.Command) {
    let width = 60
    let (help, wide) = (command.type.helpMessage(columns: width), command.type.helpMessage(columns: 10_000))
    let text = HelpText.narrowed(help, wide: wide, to: width)
    func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace }.filter { $0 != "\\" } }
    #expect(words(text) == words(help))
    for line in text.split(separator: "\n") {
      #expect(line.count <= width || !line.dropFirst(width / 2).contains(" "), "\(line)")
    }
  }

  @Test func longLinesAreBroken() {
    let example = "  realmctl write-copy a.realm me.realm --where 'User:id == 7' --with-links"
    #expect(
      HelpText.broken(example, at: 60) == [
        "  realmctl write-copy a.realm me.realm \\", "    --where 'User:id == 7' --with-links",
      ])
    #expect(HelpText.broken(example, at: 80) == [example])
    #expect(
      HelpText.broken("  4    a key is missing, wrong, or given for a plain file", at: 40) == [
        "  4    a key is missing, wrong, or given", "       for a plain file",
      ])
    #expect(
      HelpText.broken("USAGE: realmctl insert [<options>] <file> <class> [<value> ...]", at: 60) == [
        "USAGE: realmctl insert [<options>] <file> <class>", "         [<value> ...]",
      ])
  }

  @Test func otherTextsStayAsTheyAre() {
    for text in ["", "wrote a.realm", "OVERVIEW: Plans.\n\nUSAGE: realmctl plan\n\nOPTIONS:\n  -h, --help  Show it."] {
      #expect(HelpText.ordered(text) == text)
    }
  }

  @Test("an option says what happens without it, and whether it may be repeated", arguments: ManualTests.leaves)
  func defaults(_ command: ManualTests.Command) throws {
    for argument in try CommandDescription(help: command.type._dumpHelp()).arguments where argument.kind == .option {
      let help = argument.abstract + (argument.discussion ?? "")
      let saysDefault = argument.defaultValue != nil || help.contains("by default") || help.contains("Default: ")
      #expect(argument.values.isEmpty || saysDefault, "\(argument.names)")
      if argument.isRepeating { #expect(help.contains("repeatable"), "\(argument.names)") }
    }
  }

  @Test("the keys in the help of browse are those of the browser") func keysOfBrowse() {
    let lines =
      BrowseCommand.configuration.discussion.components(separatedBy: "Keys:\n").last?
      .components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst() ?? []
    let named = lines.flatMap { line in
      line.drop { $0 == " " }.components(separatedBy: "   ")[0].components(separatedBy: ", ")
    }
    let general = Bindings.table.filter {
      $0.group != .moving && $0.views != .columns && !$0.keys.contains(.control("l"))
    }
    let known = Set(general.flatMap(\.keys).map { $0.name(.unicode) })
    for name in named { #expect(known.contains(name.trimmingCharacters(in: .whitespaces)), "\(name)") }
    for binding in general {
      let names = binding.keys.map { $0.name(.unicode) }
      let isControl = names.allSatisfy { $0.hasPrefix("^") }
      #expect(isControl || names.contains(where: named.contains), "\(names)")
    }
  }
}
