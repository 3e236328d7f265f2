import ArgumentParser
import RealmExchange
import RealmHelp
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// What the words of a command line mean to a command, from the description that help and manual are made from.
///
/// The argument parser gives no information about a line that it refuses or that is incomplete, or about how often an
/// option was given.
struct CommandGrammar {
  private struct Option {
    let number: Int
    let mayRepeat: Bool
    /// What its values name; nil for text.
    let named: Named?
  }

  /// What a word names that the system knows as bytes, which need not be text.
  private enum Named { case variable, input, output }

  /// Options that take a value, by name with its dashes; all others are flags.
  private var options: [String: Option] = [:]
  /// All long names with their dashes, in the order of the help.
  private(set) var longNames: [String] = []
  /// All names of one letter with their dashes.
  private(set) var shortNames: Set<String> = []
  /// Whether the command's first argument may be given several times.
  private(set) var takesSeveralFiles = false
  /// The arguments without a name, one after another; the last counts for all that follow.
  private var operands: [(name: String, named: Named?)] = []

  init(of command: any ParsableCommand.Type) {
    let arguments = (try? CommandDescription(help: command._dumpHelp()))?.arguments ?? []
    for (number, argument) in arguments.enumerated() {
      longNames += argument.names.filter { $0.hasPrefix("--") }
      shortNames.formUnion(argument.names.filter { !$0.hasPrefix("--") })
      guard argument.kind == .option else { continue }
      let isVariable = argument.names.contains { $0.hasSuffix("-env") }
      let file: Named = Self.outputs.isDisjoint(with: argument.names) ? .input : .output
      let option = Option(
        number: number, mayRepeat: argument.isRepeating, named: isVariable ? .variable : argument.isFile ? file : nil)
      for name in argument.names { options[name] = option }
    }
    let positional = arguments.filter { $0.kind == .positional }
    operands = positional.map { argument in
      (argument.valueName, argument.isFile ? argument.valueName == "dest" ? .output : .input : nil)
    }
    takesSeveralFiles = positional.first?.isRepeating ?? false
  }

  /// Options and arguments for what is written, where `-` is standard output.
  private static let outputs: Set = ["--output", "--seed", "--rejects", "--backup", "--report", "--strings"]

  /// Whether it has an option with this name that takes a value.
  func takes(_ name: String) -> Bool { options[name] != nil }

  /// Whether it is an option or a flag.
  func has(_ name: String) -> Bool { longNames.contains(name) || shortNames.contains(name) }

  /// The meaning of a word, or of two.
  enum Part: Equatable {
    /// An option that takes a value, by the name that was typed; nil if the line ends after it.
    case option(String, value: String?)
    case operand(String)
  }

  /// The parts of a command line, flags left out.
  func parts(of arguments: [String]) -> [Part] {
    var parts: [Part] = []
    var pending: String?
    for (index, argument) in arguments.enumerated() {
      if let name = pending {
        pending = nil
        parts.append(.option(name, value: argument))
        continue
      }
      if argument == "--" { return parts + arguments[(index + 1)...].map { .operand($0) } }
      guard argument.hasPrefix("-"), argument != "-" else {
        parts.append(.operand(argument))
        continue
      }
      let equals = argument.firstIndex(of: "=")
      let names = names(in: argument)
      for (position, name) in names.enumerated() where options[name] != nil {
        if equals == nil, position == names.count - 1 {
          pending = name
        } else {
          parts.append(.option(name, value: equals.map { String(argument[argument.index(after: $0)...]) }))
        }
      }
    }
    return parts + (pending.map { [.option($0, value: nil)] } ?? [])
  }

  /// The arguments without a name.
  func operands(of arguments: [String]) -> [String] {
    parts(of: arguments).compactMap { part in if case .operand(let text) = part { text } else { nil } }
  }

  /// The repeated option that may be given only once; its first name as typed.
  func firstRepeated(in arguments: [String]) -> String? {
    var seen: [Int: String] = [:]
    for case .option(let name, _) in parts(of: arguments) {
      guard let option = options[name], !option.mayRepeat else { continue }
      if let first = seen[option.number] { return first }
      seen[option.number] = name
    }
    return nil
  }

  /// A value of an option, or an argument without a name.
  private struct Word {
    /// Of the option, or what the help calls the argument.
    let name: String
    let isOperand: Bool
    let text: String
    let named: Named?
  }

  private func words(in arguments: [String]) -> [Word] {
    var count = 0
    return parts(of: arguments).compactMap { part in
      switch part {
      case .option(let name, let text?):
        return options[name].map { Word(name: name, isOperand: false, text: text, named: $0.named) }
      case .option(_, nil): return nil
      case .operand(let text):
        defer { count += 1 }
        guard !operands.isEmpty else { return nil }
        let operand = operands[min(count, operands.count - 1)]
        return Word(name: operand.name, isOperand: true, text: text, named: operand.named)
      }
    }
  }

  /// The first argument that has to be text, without the names of the commands, and is not.
  func firstWithoutText(in arguments: [String]) -> (option: String?, text: String)? {
    words(in: arguments).first { $0.named == nil && SystemText.hasBytes($0.text) }
      .map { ($0.isOperand ? nil : $0.name, $0.text) }
  }

  /// The first option that begins with the dash that word processors and phones make of two.
  fileprivate func firstLongDash(in arguments: some Sequence<String>) -> String? {
    operands(of: Array(arguments.prefix { $0 != "--" })).first { argument in
      guard argument.hasPrefix("—") || argument.hasPrefix("–") else { return false }
      return has("--" + argument.drop { "—–-".contains($0) }.prefix { $0 != "=" })
    }
  }

  /// What is wrong with the first name of a file or variable that is empty.
  ///
  /// - Returns: nil also for the path of a realm, for which the SDKs have a text of their own.
  func firstEmptyName(in arguments: [String]) -> String? {
    words(in: arguments).first { word in
      word.text.isEmpty && word.named != nil && !(word.isOperand && ["file", "realm", "a", "b"].contains(word.name))
    }.map { word in
      "\(word.isOperand ? "<\(word.name)>" : word.name) takes a \(word.named == .variable ? "name" : "path"), not ''"
    }
  }

  /// Whether standard input, which can be read only once, is to be several files.
  func usesStandardInputTwice(in arguments: [String]) -> Bool {
    words(in: arguments).count { $0.named == .input && StreamName.isInput($0.text) } > 1
  }

  /// The names in one argument: one of `--name` and `--name=value`, several of `-qo`.
  func names(in argument: String) -> [String] {
    let name = String(argument.prefix { $0 != "=" })
    return name.hasPrefix("--") ? [name] : name.dropFirst().map { "-" + String($0) }
  }
}

/// An argument that the parser has accepted and this program does not.
struct RefusedArgument: Error {
  /// What is wrong, in lower case.
  let problem: String
  let command: any ParsableCommand.Type

  /// Looks for one.
  ///
  /// - Parameters:
  ///   - arguments: all of them, the names of the commands included.
  ///   - command: the one they are for.
  static func first(in arguments: [String], of command: any ParsableCommand.Type) -> RefusedArgument? {
    let problem =
      repeated(in: arguments, of: command) ?? notText(in: arguments, of: command)
    return problem.map { RefusedArgument(problem: $0, command: command) }
  }

  /// An option that may be given only once and was repeated. The argument parser silently takes the last.
  ///
  /// Options whose values add up, such as `--data`, say so in their definition; a repeated flag means the same.
  private static func repeated(in arguments: [String], of command: any ParsableCommand.Type) -> String? {
    let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
    // Making and reading the description takes a millisecond, and a single option cannot be given twice.
    guard typed.count > 1 else { return nil }
    return CommandGrammar(of: command).firstRepeated(in: arguments).map { "\($0) can be given only once" }
  }

  /// Looks for mistakes that commands would report one by one, each in its own words: the name of a file or variable that is
  /// `''`, as an unset variable of a shell makes it, and standard input for several files. They come before what the parser
  /// finds.
  static func early(in arguments: [String]) -> RefusedArgument? {
    let mayBeEmpty = arguments.contains { $0.isEmpty || $0.hasSuffix("=") }
    let inputs = arguments.count { StreamName.isInput($0.split(separator: "=").last.map(String.init) ?? "") }
    let mayBeDash = arguments.contains { $0.hasPrefix("—") || $0.hasPrefix("–") }
    guard mayBeEmpty || mayBeDash || inputs > 1, !arguments.contains(where: { ["-h", "--help"].contains($0) }) else {
      return nil
    }
    let (command, rest) = Realmctl.command(named: arguments)
    let grammar = CommandGrammar(of: command)
    let problem =
      grammar.firstLongDash(in: rest).map {
        "'\($0)' begins with a long dash; write --\($0.drop { "—–-".contains($0) })"
      }
      ?? grammar.firstEmptyName(in: Array(rest))
      ?? (grammar.usesStandardInputTwice(in: Array(rest)) ? "standard input can be used only once" : nil)
    return problem.map { RefusedArgument(problem: $0, command: command) }
  }

  /// An argument that is not UTF-8, where a name, a query or a value has to be. Only names of files and of environment
  /// variables may be any bytes; in a name of a class, such bytes would become other characters.
  private static func notText(in arguments: [String], of command: any ParsableCommand.Type) -> String? {
    // Hardly any line has such bytes, and making the description takes a millisecond.
    guard arguments.contains(where: SystemText.hasBytes) else { return nil }
    let rest = Array(Realmctl.command(named: arguments).rest)
    return CommandGrammar(of: command).firstWithoutText(in: rest).map { found in
      found.option.map { "\($0) takes text in UTF-8, not '\(found.text)'" } ?? "'\(found.text)' is not text in UTF-8"
    }
  }
}

/// What to type instead, if a query is given in the way of another command: some take it as an argument, others with
/// `--where`.
enum QueryAdvice {
  /// The commands whose argument after the class is a query, each with what else it needs.
  private static let withArgument = ["query": "", "summarize": "", "update": " --set …", "delete": ""]

  static func forOption(_ name: String, of command: any ParsableCommand.Type) -> String? {
    guard let command = command.configuration.commandName, let rest = withArgument[command] else { return nil }
    switch name {
    case "--where", "--query", "--filter", "--predicate", "--rql":
      return "the query is an argument: realmctl \(command) FILE CLASS 'QUERY'\(rest)"
    case "--table" where command == "query":
      return "write --format table; the class is an argument: realmctl query FILE CLASS"
    case "--class", "--table": return "the class is an argument: realmctl \(command) FILE CLASS\(rest)"
    case "--sort", "--order-by", "--order", "--sort-by", "--desc", "--asc":
      return command == "query" ? "sort in the query, such as 'SORT(name ASC)'" : nil
    default: return nil
    }
  }

  /// - Parameter text: taken for an option by the parser.
  /// - Returns: nil if it is not likely to be a query that begins with a negative number.
  static func forMinus(_ text: String, of command: any ParsableCommand.Type) -> String? {
    guard let name = command.configuration.commandName, withArgument[name] != nil,
      text.dropFirst().first?.isNumber == true
    else { return nil }
    return "put -- before a query that begins with -, and options before that"
  }

  /// - Parameter pieces: what follows the class: at least two words.
  /// - Returns: nil if they are likely to be the words of a query.
  private static func forPieces(_ pieces: [String], of command: String) -> String? {
    if command == "update", let last = pieces.last,
      last.wholeMatch(of: /[^=<>! ]+=[^=].*/) != nil
    {
      return "write --set \(ShellText.command([last]))"
    }
    let words = pieces.map { $0.wholeMatch(of: /[\w.-]+/) != nil }
    let operators = ["contains", "like", "beginswith", "endswith", "in", "between", "and", "or", "not", "is"]
    guard pieces.count == 2, words == [true, true], !pieces.contains(where: { operators.contains($0.lowercased()) })
    else { return nil }
    let value = Double(pieces[1]) == nil ? "\"\(pieces[1])\"" : pieces[1]
    return "write the query as one argument: " + ShellText.command(["\(pieces[0]) == \(value)"])
  }

  /// - Returns: nil if arguments beyond those of the command are not likely to be a class or a query.
  static func forArguments(_ arguments: [String]) -> String? {
    let (command, rest) = Realmctl.command(named: arguments)
    guard let name = command.configuration.commandName else { return nil }
    if withArgument[name] != nil {
      let operands = CommandGrammar(of: command).operands(of: Array(rest))
      if operands.count > 1, SafeOutput.isNameTaken(operands[0]), SafeOutput.isNameTaken(operands[1]) {
        return "'\(name)' takes one realm, then a class"
      }
      if operands.dropFirst().first?.lowercased() == "select" {
        return forStatement(operands.dropFirst().joined(separator: " "), in: operands[0])
      }
      return forPieces(Array(operands.dropFirst(2)), of: name) ?? "put the whole query in quotes, as one argument"
    }
    switch name {
    case "export":
      let operands = CommandGrammar(of: command).operands(of: Array(rest))
      if operands.dropFirst().first == "-" { return "without -o, the output goes to standard output" }
      return operands.dropFirst().first.flatMap(OperandAdvice.forOutput) ?? forClasses(rest)
        ?? "name classes with --only, and give a query with --where"
    case "bundle": return "give data with --data"
    case "rm": return "'rm' deletes one realm at a time"
    case "new":
      let operands = CommandGrammar(of: command).operands(of: Array(rest))
      return operands.dropFirst().first.map { "to write it to a file, use -o \(ShellText.path($0))" }
    case "diff":
      return command == SchemaDiffCommand.self ? "'schema diff' compares two schemas" : "'diff' compares two realms"
    case "recover": return "'recover' takes one realm at a time"
    case "downgrade":
      let operands = CommandGrammar(of: command).operands(of: Array(rest))
      return operands.last.flatMap { UInt8($0) }.map { "write --file-format \($0)" }
        ?? "'downgrade' takes one realm at a time"
    case "write-copy":
      return forClasses(rest) ?? "name classes with --only, and give a query with --where 'Class:QUERY'"
    default: return nil
    }
  }
}

extension QueryAdvice {
  /// For `--only Dog Person`; nil for other arguments.
  private static func forClasses(_ rest: ArraySlice<String>) -> String? {
    guard let option = rest.lastIndex(where: { ["--only", "--exclude"].contains($0) }) else { return nil }
    let names = rest[(option + 1)...].prefix { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "_,".contains($0) }
    }
    return names.count > 1 ? "write \(rest[option]) \(names.joined(separator: ","))" : nil
  }

  /// How to run a statement of SQL that was given as a query; nil for other text.
  static func forStatement(_ text: String, in path: String) -> String? {
    guard text.lowercased().hasPrefix("select ") else { return nil }
    return "for SQL: " + ShellText.command(["realmctl", "sql", ShellText.path(path), text])
  }

  /// What to type for `delete FILE 'DELETE FROM Dog'`, where something is missing because a statement of SQL is in the place
  /// of the class.
  ///
  /// - Returns: the statement, and advice; nil if it is not one.
  static func forStatement(_ arguments: [String]) -> (typed: String, advice: String)? {
    let (command, rest) = Realmctl.command(named: arguments)
    let operands = CommandGrammar(of: command).operands(of: Array(rest))
    guard let name = command.configuration.commandName, operands.count == 2 else { return nil }
    let words = operands[1].lowercased().split(separator: " ")
    // `delete FILE 'age > 3'`
    let isCondition = words.count > 2 && ["update", "delete"].contains(name) && !operands[1].hasPrefix("select ")
    if isCondition, name != words[0] { return (operands[1], "the class comes before the query") }
    guard words.count > 1, name == words[0] || words[0] == "select" else { return nil }
    let form: String
    switch name {
    case "update": form = "CLASS 'QUERY' --set property=VALUE"
    case "insert": form = "CLASS property=VALUE"
    case "delete": form = "CLASS 'QUERY'"
    default: return nil
    }
    return (operands[1], "write realmctl \(name) FILE \(form)")
  }

  /// What to type for `update FILE CLASS SET name = Rex` and `update FILE CLASS name=Rex`, where no option says what to
  /// change.
  ///
  /// - Returns: what was typed for the change, and advice; nil if it is not an assignment.
  static func forAssignment(_ arguments: [String]) -> (typed: String, advice: String)? {
    let (command, rest) = Realmctl.command(named: arguments)
    guard command == UpdateCommand.self else { return nil }
    var words = Array(CommandGrammar(of: command).operands(of: Array(rest)).dropFirst(2))
    // After the query, as for 'insert'.
    if words.count == 2, words[0].lowercased() != "set" { words.removeFirst() }
    let isStatement = words.first?.lowercased().split(separator: " ").first == "set"
    let typed = words.joined(separator: " ")
    if isStatement, typed.lowercased().contains(" where ") {
      return (typed, "write the condition as the query, and each value as --set property=VALUE")
    }
    let change = isStatement ? typed.drop { $0 != " " }.drop { $0 == " " } : typed[...]
    guard let equals = change.firstIndex(of: "="), change[equals...].dropFirst().first != "=" else { return nil }
    let names = change[..<equals].split(separator: " ")
    guard names.count == 1, names[0].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }) else {
      return nil
    }
    let value = change[change.index(after: equals)...].drop { $0 == " " }
    let option = ShellText.command(["--set", "\(names[0])=\(value)"])
    return (typed, "to change values, write \(option), with a query or --all")
  }
}

extension Diagnostic {
  /// The same, with advice on the whole command line: a class before the file, a query that is empty or a column.
  func advising(on arguments: [String]) -> Diagnostic {
    switch code {
    case .fileNotFound: advisingOnClass(arguments).advisingOnOrder(arguments)
    case .syntaxError: advisingOnQuery(arguments)
    default: self
    }
  }

  private func advisingOnQuery(_ arguments: [String]) -> Diagnostic {
    let (command, rest) = Realmctl.command(named: arguments)
    let name = command.configuration.commandName ?? ""
    var diagnostic = self
    if problem == Self.emptyQuery {
      switch name {
      case "query", "summarize": diagnostic.advice = "for all objects, omit it"
      case "export", "write-copy", "bundle": diagnostic.advice = "for all objects, omit --where"
      case "update", "delete": diagnostic.advice = "for all objects, use --all"
      default: break
      }
      return diagnostic
    }
    // `--columns name breed`
    guard name == "query", let index = rest.lastIndex(of: "--columns"), index + 2 < rest.endIndex else { return self }
    let words = rest[(index + 1)...].prefix { !$0.hasPrefix("-") }
    let columns = words.filter { $0.allSatisfy { $0.isLetter || $0.isNumber || "_.,".contains($0) } }
    guard words.count > 1, columns.count == words.count, let query = words.dropFirst().first,
      ["Invalid predicate: '\(query)'", "'\(query)' is a property"].contains(where: problem.hasPrefix)
    else { return self }
    diagnostic.advice = "if it is a column, write --columns \(words.joined(separator: ","))"
    return diagnostic
  }

  private func advisingOnOrder(_ arguments: [String]) -> Diagnostic {
    guard let path else { return self }
    let (command, rest) = Realmctl.command(named: arguments)
    let operands = CommandGrammar(of: command).operands(of: Array(rest))
    guard let name = command.configuration.commandName, operands.first == path else { return self }
    var diagnostic = self
    if operands.count == 1, name == "summarize", path.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
      diagnostic.advice = "if it is a class, the file comes before it: realmctl summarize FILE \(path)"
    }
    if operands.count == 1, name == "sql", path.split(separator: " ").count > 1 {
      let line = ShellText.command(["realmctl", "sql"]) + " FILE " + ShellText.command([path])
      diagnostic.advice = "the file comes before the statement: " + line
    }
    guard operands.count > 1, SafeOutput.isNameTaken(operands[1]) else { return diagnostic }
    let line = ShellText.command(["realmctl", name, ShellText.path(operands[1]), path])
    switch name {
    case "query", "summarize", "insert", "update", "delete", "browse":
      diagnostic.advice = "the file comes before the class: " + line
    case "sql": diagnostic.advice = "the file comes before the statement: " + line
    default: break
    }
    return diagnostic
  }

  /// For a class or a query among files: `schema dump FILE Dog`, `browse FILE Dog Person`.
  private func advisingOnClass(_ arguments: [String]) -> Diagnostic {
    guard let path, !path.contains(where: { $0 == "." || $0 == "/" }) else { return self }
    let (command, rest) = Realmctl.command(named: arguments)
    let operands = CommandGrammar(of: command).operands(of: Array(rest))
    guard let number = operands.firstIndex(of: path), number > 0 else { return self }
    var diagnostic = self
    let isName = path.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    switch command.configuration.commandName {
    case "dump" where isName, "open" where isName:
      diagnostic.advice = "if it is a class, write --only \(operands[number...].joined(separator: ","))"
    case "browse":
      let isQuery = operands.count > number + 1 && operands[number + 1].contains(" ")
      diagnostic.advice =
        isQuery
        ? "if it is a class, 'f' filters its objects in the browser; 'query' takes a query"
        : "if it is a class, name one file and one class"
    default: break
    }
    return diagnostic
  }
}

/// An option that its command does not have.
struct UnknownOption {
  /// What is wrong, in lower case.
  let problem: String
  /// A near option, or another way to do what was meant.
  let advice: String?
  let command: any ParsableCommand.Type

  /// The first one.
  ///
  /// The parser would report a missing argument first, and suggests options that have little in common with what was
  /// typed.
  static func first(in arguments: [String]) -> UnknownOption? {
    let (command, rest) = Realmctl.command(named: arguments)
    if let early = beforeCommand(arguments) { return early }
    let grammar = CommandGrammar(of: command)
    let names = grammar.longNames
    let typed = Array(rest.prefix { $0 != "--" })
    for (index, argument) in typed.enumerated() where argument.hasPrefix("-") {
      let name = String(argument.prefix { $0 != "=" })
      guard argument.hasPrefix("--") else {
        // The parser says that the value of the option before is missing.
        guard index == 0 || !grammar.takes(typed[index - 1]),
          argument.dropFirst().first.map({ $0.isLetter || $0 == "?" }) == true,
          let letter = grammar.names(in: argument).first(where: { !grammar.shortNames.contains($0) })
        else { continue }
        return UnknownOption(
          problem: words(for: name), advice: advice(on: letter, of: name, command, names), command: command)
      }
      guard !names.contains(name) else { continue }
      let advice =
        QueryAdvice.forOption(name, of: command) ?? task(name, of: command, grammar)
        ?? meant(by: name, of: grammar).map { "did you mean '\($0)'?" }
      return UnknownOption(problem: words(for: name), advice: advice, command: command)
    }
    return nil
  }

  /// What to write for an option with one dash.
  ///
  /// - Parameters:
  ///   - letter: the first that is not an option of the command.
  ///   - name: all of it.
  private static func advice(
    on letter: String, of name: String, _ command: any ParsableCommand.Type, _ names: [String]
  ) -> String? {
    // `-verbose`, as some programs take long names.
    if name.count > 2, (names + ["--help"]).contains("-" + name) { return "did you mean '-\(name)'?" }
    if letter == "-?" { return "did you mean '--help'?" }
    if command == RmCommand.self, ["-f", "-r"].contains(letter) { return "--yes deletes without asking" }
    if command == SQLCommand.self, letter == "-f" { return "to run a file: realmctl sql FILE < FILE.sql" }
    if command == WriteCopyCommand.self, letter == "-o" { return outputIsOperand }
    if letter == "-o", printing.contains(command.configuration.commandName ?? "") {
      return "redirect standard output instead: > FILE"
    }
    guard name.count == 2 else { return nil }
    return letters[letter]?.first { names.contains($0) }.map { "did you mean '\($0)'?" }
  }

  private static let outputIsOperand = "the output is an argument: realmctl write-copy FILE DEST"

  /// Commands that only print, and have no option for a file to print to.
  private static let printing = ["open", "check", "stats", "history", "diff", "hash", "summarize"]

  /// What other programs mean by options of one letter.
  private static let letters = [
    "-n": ["--dry-run", "--limit"], "-y": ["--yes"], "-f": ["--format", "--force"], "-k": ["--key-file"],
    "-j": ["--json"], "-c": ["--count"], "-w": ["--where"], "-s": ["--schema"], "-o": ["--seed"],
  ]

  private static func words(for name: String) -> String { "unknown option '\(PrintableText.escaping(name))'" }

  /// An option in front of the command it is for: `realmctl -v open FILE`.
  private static func beforeCommand(_ arguments: [String]) -> UnknownOption? {
    guard let first = arguments.first, first.hasPrefix("-"), !["--", "-V", "--version"].contains(first)
    else { return nil }
    let name = String(first.prefix { $0 != "=" })
    if name == "--generate-completion-script" {
      let shell = first.contains("=") ? String(first.dropFirst(name.count + 1)) : arguments.dropFirst().first ?? ""
      guard !["bash", "zsh", "fish"].contains(shell) else { return nil }
      return UnknownOption(
        problem: "\(name) takes bash, zsh or fish, not '\(PrintableText.escaping(shell))'", advice: nil,
        command: Realmctl.self)
    }
    let commands = Realmctl.configuration.subcommands.compactMap { $0.configuration.commandName }
    if let command = arguments.first(where: commands.contains) {
      let type = Realmctl.configuration.subcommands.first { $0.configuration.commandName == command }
      let isItsOption = type.map { CommandGrammar(of: $0).has(name) } ?? false
      return UnknownOption(
        problem: words(for: name),
        advice: isItsOption
          ? "options follow the command: realmctl \(command) \(first)"
          : "the command comes first; '\(command)' has no such option", command: Realmctl.self)
    }
    guard let meant = ["-v": "--version", "-?": "--help"][name] else {
      guard CommandGrammar(of: OpenCommand.self).longNames.contains(name), name != "--help" else { return nil }
      return UnknownOption(
        problem: words(for: name), advice: "options follow a command, as in 'realmctl open \(name)'",
        command: Realmctl.self)
    }
    return UnknownOption(problem: words(for: name), advice: "did you mean '\(meant)'?", command: Realmctl.self)
  }

  /// What other programs, or other commands of this one, call some options.
  private static let otherNames = [
    "--class": "--only", "--classes": "--only", "--table": "--only", "--lang": "--format",
    "--language": "--format", "--type": "--format",
    "--to": "--format", "--select": "--columns", "--fields": "--columns", "--props": "--columns",
    "--properties": "--columns", "--property": "--columns", "--max": "--limit", "--first": "--limit",
    "--take": "--limit", "--head": "--limit", "--version": "--to-version", "--out": "--output", "--bind": "--arg",
    "--param": "--arg", "--sep": "--delimiter", "--separator": "--delimiter", "--params": "--args",
  ]

  /// How to do what an option of that name would do elsewhere.
  private static func task(
    _ name: String, of command: any ParsableCommand.Type, _ grammar: CommandGrammar
  ) -> String? {
    switch (name, command.configuration.commandName) {
    // The nearest name is --decrypt, which is the opposite.
    case ("--encrypt", _) where grammar.takes("--out-key-file"):
      "to encrypt the output, give its key with --out-key-file"
    case ("--columns", "export"): "'query --columns' chooses properties"
    case ("--delete", "migrate"): "--delete-class deletes a class, 'remove_property' in a plan a property"
    case ("--add", "migrate"): "--schema adds properties, and so does 'add_property' in a plan"
    case ("--add-property", "migrate"), ("--remove-property", "migrate"), ("--delete-property", "migrate"):
      "--schema adds and removes properties, and so does a plan"
    case ("--rename-property", "migrate"), ("--rename-class", "migrate"): "did you mean '--rename'?"
    case ("--set", "insert"): "write property=VALUE without --set"
    case ("--data", "insert"): "did you mean '--object'?"
    case ("--null", "update"): "for null, write --set property=null"
    case ("--pk", "query"), ("--pk", "update"), ("--pk", "delete"), ("--id", "query"), ("--id", "update"),
      ("--id", "delete"):
      "name the object in the query, such as '_id == 4'"
    case ("--compact-if", "compact"): "did you mean '--if'?"
    case ("--password", _) where grammar.takes("--key-file"), ("--passphrase", _) where grammar.takes("--key-file"),
      ("--key", _) where grammar.takes("--key-file"), ("--encryption-key", _) where grammar.takes("--key-file"):
      "a key comes from a file, a variable or a prompt: --key-file, --key-env or --key-prompt"
    case ("--upsert", "import"), ("--replace", "import"), ("--skip", "import"): "write --mode \(name.dropFirst(2))"
    case ("--update", "import"), ("--overwrite", "import"): "write --mode upsert to update existing objects"
    case ("--on-conflict", "import"), ("--conflict", "import"): "did you mean '--mode'?"
    case ("--only", "import"): "--tables chooses tables of a SQLite database"
    case ("--format", "import"): "did you mean '--from'?"
    case ("--only", "hash"), ("--class", "hash"): "--per-class prints a hash for each class"
    case ("--class", "stats"), ("--per-class", "stats"): "write --by class"
    case ("--file-format", "upgrade"): "'upgrade' writes format 24; 'downgrade' writes older formats"
    case ("--force", "rm"), ("--recursive", "rm"): "--yes deletes without asking"
    case ("--output", "write-copy"), ("--out", "write-copy"): outputIsOperand
    case ("--out", "bundle"), ("--output", "bundle"): "did you mean '--seed'?"
    case ("--query", "export"), ("--filter", "export"): "did you mean '--where'?"
    case ("--summary", "diff"), ("--brief", "diff"): "did you mean '--stat'?"
    case ("--read-only", "browse"): "'browse' changes nothing without --edit"
    case ("--to", "downgrade"), ("--format", "downgrade"): "did you mean '--file-format'?"
    case ("--file", "sql"): "to run a file: realmctl sql FILE < FILE.sql"
    case (_, "dump") where SchemaFormat(rawValue: String(name.dropFirst(2))) != nil:
      "write --format \(name.dropFirst(2))"
    case ("--output", let name?) where printing.contains(name): "redirect standard output instead: > FILE"
    case ("--sort", "export"), ("--order-by", "export"): "put SORT(property ASC) into the query of --where"
    case ("--out-key-file", "export"), ("--encrypt", "export"):
      "an export is never encrypted; 'write-copy' has that option"
    case ("--limit", "export"): "put LIMIT(n) into the query of --where"
    case ("--csv", _) where grammar.takes("--format"), ("--tsv", _) where grammar.takes("--format"),
      ("--ndjson", _) where grammar.takes("--format"), ("--sqlite", _) where grammar.takes("--format"):
      "write --format \(name.dropFirst(2))"
    case ("--format", _) where grammar.longNames.contains("--json"): "for JSON, write --json"
    case ("--schema-version", _) where grammar.takes("--to-version"): "did you mean '--to-version'?"
    case ("--to-version", _) where grammar.takes("--schema-version"): "did you mean '--schema-version'?"
    case ("--offset", "query"), ("--skip", "query"): "'sql' has LIMIT … OFFSET"
    case ("--encoding", "import"), ("--encoding", "bundle"), ("--encoding", "infer"):
      "text is UTF-8; convert it, for example with iconv -f WINDOWS-1252 -t UTF-8"
    case ("--out-key-prompt", _): "use --out-key-file or --out-key-env"
    case ("--no-color", _), ("--nocolor", _): "write --color never"
    case ("--to-version", "upgrade"), ("--to-version", "downgrade"):
      grammar.takes("--file-format") ? "did you mean '--file-format'?" : "'upgrade' always writes format 24"
    case ("--top", "query"): "did you mean '--limit'?"
    case ("--fix", "check"), ("--repair", "check"):
      "'check' changes nothing; 'recover' saves a damaged realm, and 'compact --rebuild' makes new indexes"
    default: nil
    }
  }

  /// The option of another name, that begins so, or that differs in a few letters.
  private static func meant(by name: String, of grammar: CommandGrammar) -> String? {
    if let option = otherNames[name], grammar.takes(option) { return option }
    let names = grammar.longNames
    let letters = name.dropFirst(2)
    if letters.count > 1, let longer = names.first(where: { $0.hasPrefix(name) }) { return longer }
    return Similarity.nearest(to: String(letters), among: names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
  }
}
