import ArgumentParser
import RealmHelp

/// What `-h` prints, on one screen: what the command is, its usage, its own options in one line each, or all commands, and two
/// examples. `--help` tells everything.
struct ShortHelp {
  private let command: any ParsableCommand.Type
  /// `realmctl schema dump`
  private let name: String
  private let width: Int

  /// - Parameters:
  ///   - arguments: of the process.
  ///   - width: of the terminal.
  init(for arguments: [String], width: Int) {
    let (command, rest) = Realmctl.command(named: arguments)
    (self.command, self.width) = (command, width)
    name = ([Realmctl.configuration.commandName ?? ""] + arguments.dropLast(rest.count)).joined(separator: " ")
  }

  /// Whether `-h` asks for it.
  static func isAsked(by arguments: [String]) -> Bool {
    let options = arguments.prefix { $0 != "--" }
    return options.contains("-h") && !options.contains("--help")
  }

  var text: String {
    let configuration = command.configuration
    let usage = "USAGE: " + UsageError.usageLines(of: command)
    var tables = groups(configuration)
    let description = try? CommandDescription(help: command._dumpHelp())
    let arguments = (description?.arguments ?? []).filter(\.shouldDisplay)
    let titles = arguments.compactMap(\.sectionTitle).reduce(into: [String]()) { titles, title in
      if !titles.contains(title) { titles.append(title) }
    }
    let own = arguments.filter { $0.sectionTitle == nil && (titles.isEmpty || !$0.isHelp) }
    let (operands, options) = (own.filter { $0.kind == .positional }, own.filter { $0.kind != .positional })
    tables.insert(contentsOf: [("ARGUMENTS:", rows(operands)), ("OPTIONS:", rows(options))], at: 0)
    let column = 2 + (tables.flatMap(\.rows).map(\.label.count).filter { $0 < Self.widestLabel }.max() ?? 0)
    let examples = configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0 != HelpText.examplesTitle }.prefix { !$0.isEmpty }.prefix(3)
    let rest = titles.isEmpty ? "everything" : "the rest: " + titles.map { $0.lowercased() }.joined(separator: ", ")
    let blocks: [[String]] =
      [[configuration.abstract], [usage]]
      + tables.filter { !$0.rows.isEmpty }.map { [$0.title] + $0.rows.flatMap { lines($0, at: column) } }
      + [
        examples.flatMap { HelpText.broken(String($0), at: width) },
        HelpText.broken("  See '\(name) --help' for \(rest).", at: width),
      ]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private typealias Row = (label: String, meaning: String)

  /// Longer ones do not move the column.
  private static let widestLabel = 25

  private func groups(_ configuration: CommandConfiguration) -> [(title: String, rows: [Row])] {
    func rows(_ commands: [any ParsableCommand.Type]) -> [Row] {
      commands.map { ("  \($0.configuration.commandName ?? "")", $0.configuration.abstract) }
    }
    return [("COMMANDS:", rows(configuration.ungroupedSubcommands))]
      + configuration.groupedSubcommands.map { ($0.name.uppercased() + ":", rows($0.subcommands)) }
  }

  /// A flag and its inversion share a row.
  private func rows(_ arguments: [ArgumentDescription]) -> [Row] {
    arguments.indices.compactMap { index in
      let argument = arguments[index]
      if index > 0, argument.isInversion(of: arguments[index - 1]) { return nil }
      let inversion = arguments.dropFirst(index + 1).first { $0.isInversion(of: argument) }
      let names = argument.names.filter { !$0.hasPrefix("--") } + argument.names.filter { $0.hasPrefix("--") }
      let label = (names.joined(separator: ", ") + (inversion.map { "/" + $0.names.joined() } ?? ""))
      let value = argument.kind == .flag ? "" : "<\(argument.valueName)>"
      // Where the values are told one by one, so is which of them it is.
      let isTold = argument.values.contains { $0.meaning != nil }
      let standard = isTold ? nil : argument.defaultValue.map { " (default: \($0))" }
      return (
        "  " + [label, value].filter { !$0.isEmpty }.joined(separator: " "), argument.abstract + (standard ?? "")
      )
    }
  }

  /// Without its last clauses where the line would be too long.
  private func lines(_ row: Row, at column: Int) -> [String] {
    let start = row.label + String(repeating: " ", count: max(column - row.label.count, 2))
    var meaning = row.meaning
    while start.count + meaning.count > width,
      let end = [" (", "; ", ". "].lazy.compactMap({ meaning.ranges(of: $0).last?.lowerBound }).first
    {
      meaning = meaning[..<end] + (meaning[..<end].hasSuffix(".") ? "" : ".")
    }
    return HelpText.broken(start + meaning, at: width)
  }
}
