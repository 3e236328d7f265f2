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
    else { return commandsFirst(help) }
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

  /// The help of what has commands, with these before the examples and the statuses.
  private static func commandsFirst(_ help: String) -> String {
    guard let examples = help.firstRange(of: "\n" + examplesTitle + "\n"), let usage = help.firstRange(of: "\nUSAGE: "),
      let end = help.firstRange(of: "\n  See '")
    else { return help }
    let parts = [
      help[..<examples.lowerBound], help[usage.lowerBound..<end.lowerBound],
      help[examples.lowerBound..<usage.lowerBound],
      help[end.lowerBound...],
    ]
    return parts.joined()
  }

  static let examplesTitle = "Examples:"

  // MARK: Narrow terminals

  /// The width that the texts are written for.
  static let usualWidth = 80

  /// Help for a terminal with fewer columns than usual: the parser breaks lines without their indent, so that tables
  /// and examples fall apart.
  ///
  /// - Parameters:
  ///   - help: as the parser writes it for `width`.
  ///   - wide: the same for a terminal without an end.
  static func narrowed(_ help: String, wide: String, to width: Int) -> String {
    func parts(_ text: String) -> (head: [String], rest: [String])? {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard let usage = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }),
        let end = lines[usage...].dropFirst().firstIndex(where: isTitle)
      else { return nil }
      return (Array(lines[..<end]), Array(lines[end...]))
    }
    guard let head = parts(wide)?.head, let rest = parts(help)?.rest else { return help }
    return (head.flatMap { broken($0, at: width) } + rest).joined(separator: "\n")
  }

  /// A line in several: of a table, each but the first begins below its last column; of an example, each but the last ends
  /// with a backslash.
  static func broken(_ line: String, at width: Int) -> [String] {
    guard line.count > width else { return [line] }
    let isExample = line.hasPrefix("  realmctl ") && !line.contains("[<options>]") || line.contains(" | realmctl ")
    let isUsage = line.contains("realmctl ") && line.contains("[<options>]")
    let words =
      isExample || isUsage ? shellWords(of: line) : line.split(separator: " ", omittingEmptySubsequences: false)[...]
    let column = hangingIndent(of: line, isExample)
    // A narrow last column would be a word per line.
    let indent = String(repeating: " ", count: column + mostOfColumn < width ? column : 4)
    let end = isExample ? " \\" : ""
    var lines: [String] = []
    var current = ""
    for (number, word) in words.enumerated() {
      let longer = number == 0 ? String(word) : current + " " + word
      let room = number == words.count - 1 ? width : width - end.count
      if longer.count > room, current.contains(where: { $0 != " " }), current.count > indent.count {
        lines.append(current + end)
        current = indent + word
      } else {
        current = longer
      }
    }
    return lines + [current]
  }

  private static let mostOfColumn = 15

  private static func hangingIndent(of line: String, _ isExample: Bool) -> Int {
    if line.contains("[<options>]") { return 9 }
    let indent = line.prefix { $0 == " " }.count
    guard !isExample else { return indent + 2 }
    guard indent > 0 || line.hasPrefix("Help:"), let column = line.dropFirst(indent).firstRange(of: "  ") else {
      return indent
    }
    return line.count - line[column.lowerBound...].drop { $0 == " " }.count
  }

  /// The words of a line, with an option and its value together, and those in brackets or quotes: a backslash in quotes
  /// would be part of the text.
  private static func shellWords(of line: String) -> ArraySlice<Substring> {
    var words: [Substring] = []
    var start = line.startIndex
    var (isQuoted, depth) = (false, 0)
    for index in line.indices {
      switch line[index] {
      case "'": isQuoted.toggle()
      case "[": depth += 1
      case "]": depth -= 1
      default: break
      }
      guard line[index] == " ", !isQuoted, depth == 0 else { continue }
      words.append(line[start..<index])
      start = line.index(after: index)
    }
    words.append(line[start...])
    var joined: [Substring] = []
    for word in words {
      if let last = joined.last, last.hasPrefix("-"), !last.contains(" "), !word.hasPrefix("-"), word != "|" {
        joined[joined.count - 1] = last + " " + word
      } else {
        joined.append(word)
      }
    }
    return joined[...]
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
