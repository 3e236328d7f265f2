import RealmHelp

/// The forms in which a command is called, with the options that its examples show; `[options]` stands for all others.
struct Synopsis {
  /// In the language of manual pages.
  let forms: [String]

  init(_ command: CommandDescription) {
    let arguments = command.arguments.filter(\.shouldDisplay)
    let positionals = arguments.filter { $0.kind == .positional }
    let uses = Self.examples(of: command).map { Use($0, of: arguments) }
    let named = uses.flatMap(\.options)
    let required = arguments.filter { $0.kind == .option && !$0.isOptional }.map { argument in
      named.first { argument.names.contains($0.name) } ?? Option(argument)
    }
    let least = positionals.filter { !$0.isOptional }.count
    // An option that is only used without an optional argument takes its place, as --all takes that of a query, unless
    // the argument can simply be left out.
    let short = uses.filter { $0.values == least && least < positionals.count }
    let long = uses.filter { $0.values > least }
    let canBeLeftOut = long.isEmpty || short.contains { $0.options.allSatisfy(required.contains) }
    let replacing = canBeLeftOut ? [] : short.flatMap(\.options).filter { !long.flatMap(\.options).contains($0) }
    let shortForm = short.filter { $0.options.contains(where: replacing.contains) }
    self.forms = (shortForm.isEmpty ? [uses] : [long, shortForm]).enumerated().map { number, uses in
      let isShort = number > 0
      let shown = isShort ? positionals.filter { !$0.isOptional } : positionals
      let options = uses.flatMap(\.options).reduce(into: [Option]()) { if !$0.contains($1) { $0.append($1) } }
        .filter { !required.contains($0) }
      return
        ([Roff.bold(command.fullName)] + shown.map { Self.text($0, isOptional: $0.isOptional && shortForm.isEmpty) }
        + required.map { Self.text($0, isOptional: false) }
        + options.map { Self.text($0, isOptional: !isShort || !replacing.contains($0) || $0.isAlwaysOptional) }
        + ["[" + Roff.italic("options") + "]"])
        .joined(separator: " ")
    }
  }

  /// An option as an example writes it, and the name of its value.
  private struct Option: Equatable {
    let name: String
    let value: String?

    init(_ argument: ArgumentDescription, name: String? = nil) {
      self.name = name ?? argument.names.max { $0.count < $1.count } ?? ""
      value = argument.kind == .option ? argument.valueName.uppercased() : nil
    }

    /// Every command that writes has it, and none needs it.
    var isAlwaysOptional: Bool { name == "--dry-run" }
  }

  /// What an example gives a command.
  private struct Use {
    /// How many arguments that are not options.
    var values = 0
    var options: [Option] = []

    init(_ words: [String], of arguments: [ArgumentDescription]) {
      var words = words[...]
      while let word = words.popFirst() {
        guard word.hasPrefix("-"), word != "-" else {
          values += 1
          continue
        }
        guard let argument = arguments.first(where: { $0.names.contains(word) }) else { continue }
        if argument.kind == .option { words = words.dropFirst() }
        if !argument.names.contains(where: common.contains) { options.append(Option(argument, name: word)) }
      }
    }

    /// What most commands have, and none is about.
    private let common: Set = ["--json", "--quiet", "--verbose", "--progress", "--color", "--strict", "--help"]
  }

  /// The words after the name of the command, as a shell splits them.
  private static func examples(of command: CommandDescription) -> [[String]] {
    let blocks = Discussion(command.discussion).sections.first { $0.title == Discussion.examples }?.blocks ?? []
    return blocks.flatMap { block -> [String] in
      if case .lines(let lines) = block { lines } else { [] }
    }
    .compactMap { line in
      guard let start = line.firstRange(of: command.fullName + " ") else { return nil }
      return words(of: line[start.upperBound...])
    }
  }

  /// Up to a pipe or a redirection.
  private static func words(of line: some StringProtocol) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line + " " {
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

  /// `FILE`, `[FILE]`, `FILE ...`
  private static func text(_ argument: ArgumentDescription, isOptional: Bool) -> String {
    let value = Roff.italic(argument.valueName.uppercased())
    let repeated = argument.isRepeating ? value + "\\ ..." : value
    return isOptional ? "[" + repeated + "]" : repeated
  }

  /// `--seed PATH`, `[--dry-run]`, on one line.
  private static func text(_ option: Option, isOptional: Bool) -> String {
    let text = ([Roff.bold(option.name)] + [option.value.map(Roff.italic)].compactMap(\.self)).joined(separator: "\\ ")
    return isOptional ? "[" + text + "]" : text
  }
}
