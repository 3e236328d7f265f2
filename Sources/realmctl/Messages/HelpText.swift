/// The help of a command, as it is printed.
///
/// The argument parser puts options without a title after all titled sections. They are what a command is about, so
/// they come first here, and what most commands have comes last.
enum HelpText {
  private static let own = "OPTIONS:"
  private static let common = "COMMON OPTIONS:"

  /// - Parameter help: as the parser writes it.
  static func ordered(_ help: String) -> String {
    if help.hasPrefix("OVERVIEW: Show subcommand help information.") { return ofHelp }
    var lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let usage = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return help }
    for index in lines.indices[usage...] { lines[index] = withCommand(lines[index]) }
    let help = lines.joined(separator: "\n")
    // Each begins with its title; the first with the usage.
    var sections: [[String]] = [[]]
    for line in lines[usage...] {
      if isTitle(line) { sections.append([]) }
      sections[sections.count - 1].append(line)
    }
    guard let number = sections.firstIndex(where: { $0.first == own }),
      sections.contains(where: { $0.first == common })
    else { return help }
    var options = sections.remove(at: number)
    let end = options.firstIndex { $0.hasPrefix("  -h, --help") } ?? options.endIndex
    let helpOption = Array(options[end...].prefix { !$0.isEmpty })
    options.removeSubrange(end..<(end + helpOption.count))
    if options.contains(where: { $0.hasPrefix("  -") }) {
      let arguments = sections.firstIndex { $0.first == "ARGUMENTS:" } ?? 0
      sections.insert(options, at: arguments + 1)
    }
    if let last = sections.firstIndex(where: { $0.first == common }) {
      sections[last] = sections[last].filter { !$0.isEmpty } + helpOption
    }
    let texts = sections.map { section in section.filter { !$0.isEmpty }.joined(separator: "\n") }
    return lines[..<usage].map { $0 + "\n" }.joined() + texts.joined(separator: "\n\n")
  }

  /// Of `help` itself, which the parser adds, and which explains topics, too.
  private static let ofHelp = """
    OVERVIEW: Show the help of a command, or explain a topic.

    USAGE: realmctl help [<command> | <topic>]

      See 'realmctl --help' for all commands and topics.
    """

  /// A line without the parser's word for a command, which no other text has.
  private static func withCommand(_ line: String) -> String {
    if line == "SUBCOMMANDS:" { return "COMMANDS:" }
    // The name of a group says enough.
    if isTitle(line), line.hasSuffix(" SUBCOMMANDS:") { return line.replacing(" SUBCOMMANDS:", with: ":") }
    if line.hasPrefix("USAGE: ") { return line.replacing("<subcommand>", with: "<command>") }
    // 'realmctl help schema' shows the topic and not the command.
    if let see = line.wholeMatch(of: #/  See 'realmctl help (.* )?<subcommand>' for detailed help\./#) {
      return "  See 'realmctl \(see.1 ?? "")<command> --help' for detailed help."
    }
    return line
  }

  private static func isTitle(_ line: String) -> Bool {
    line.hasSuffix(":") && line.first?.isLetter == true && line.uppercased() == line
  }
}
