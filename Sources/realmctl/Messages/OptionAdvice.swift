import ArgumentParser
import RealmExchange
import RealmModels
import RealmText

/// What to type for an option that a command does not have.
struct OptionAdvice: Sendable {
  let names: [String]
  /// None for all.
  let commands: [String]
  /// An option that the command must have.
  let needed: String?
  private let advice: String
  /// Whether an option of one letter has to be alone.
  private let isAlone: Bool

  /// - Parameter advice: with `%N` for the name without its dashes, and `%C` for the command.
  private init(_ names: String..., of commands: [String] = [], having needed: String? = nil, advice: String) {
    (self.names, self.commands, self.needed, self.advice, isAlone) = (names, commands, needed, advice, false)
  }

  /// Other names of an option.
  private init(_ names: String..., for option: String) {
    (self.names, commands, needed, advice, isAlone) = (names, [], option, "did you mean '\(option)'?", true)
  }

  /// - Returns: nil if the row is about other options.
  func text(for name: String, typed: String, of command: String, _ grammar: CommandGrammar) -> String? {
    guard names.contains(name), commands.isEmpty || commands.contains(command), needed.map(grammar.has) != false,
      !isAlone || name.hasPrefix("--") || typed.count == 2
    else { return nil }
    return advice.replacing("%N", with: name.drop { $0 == "-" }).replacing("%C", with: command)
  }

  /// Commands that only print, and have no option for a file to print to.
  private static let printing = ["open", "check", "stats", "history", "diff", "hash", "summarize"]

  /// Commands whose query is an argument, and that need no option.
  private static let asking = OperandAdvice.queries.filter { $0 != "update" }

  /// Habits of other programs, and names from other commands. The first row that knows an option is followed.
  static let table: [OptionAdvice] =
    [
      OptionAdvice(
        "--where", "--query", "--filter", "--predicate", "--rql", of: asking,
        advice: "the query is an argument: realmctl %C FILE CLASS 'QUERY'"),
      OptionAdvice(
        "--where", "--query", "--filter", "--predicate", "--rql", of: ["update"],
        advice: "the query is an argument: realmctl update FILE CLASS 'QUERY' --set …"),
      OptionAdvice(
        "--table", of: ["query"], advice: "write --format table; the class is an argument: realmctl query FILE CLASS"),
      OptionAdvice("--class", "--table", of: asking, advice: "the class is an argument: realmctl %C FILE CLASS"),
      OptionAdvice(
        "--class", "--table", of: ["update"], advice: "the class is an argument: realmctl update FILE CLASS --set …"),
      OptionAdvice(
        "--sort", "--order-by", "--order", "--sort-by", "--desc", "--asc", of: ["query"],
        advice: "sort in the query, such as 'SORT(name ASC)'"),
      // The nearest name is --decrypt, which is the opposite.
      OptionAdvice(
        "--encrypt", having: "--out-key-file", advice: "to encrypt the output, give its key with --out-key-file"),
      OptionAdvice("--columns", of: ["export"], advice: "'query --columns' chooses properties"),
      OptionAdvice(
        "--delete", of: ["migrate"], advice: "--delete-class deletes a class, 'remove_property' in a plan a property"),
      OptionAdvice("--add", of: ["migrate"], advice: "--schema adds properties, and so does 'add_property' in a plan"),
      OptionAdvice(
        "--add-property", "--remove-property", "--delete-property", of: ["migrate"],
        advice: "--schema adds and removes properties, and so does a plan"),
      OptionAdvice("--rename-property", "--rename-class", of: ["migrate"], advice: "did you mean '--rename'?"),
      OptionAdvice("--set", of: ["insert"], advice: "write property=VALUE without --set"),
      OptionAdvice("--data", of: ["insert"], advice: "did you mean '--object'?"),
      OptionAdvice("--null", of: ["update"], advice: "for null, write --set property=null"),
      OptionAdvice(
        "--pk", "--id", of: ["query", "update", "delete"], advice: "name the object in the query, such as '_id == 4'"),
      OptionAdvice("--compact-if", of: ["compact"], advice: "did you mean '--if'?"),
      OptionAdvice(
        "--password", "--passphrase", "--key", "--encryption-key", having: "--key-file",
        advice: "a key comes from a file, a variable or a prompt: --key-file, --key-env or --key-prompt"),
      OptionAdvice("--upsert", "--replace", "--skip", of: ["import"], advice: "write --mode %N"),
      OptionAdvice("--update", "--overwrite", of: ["import"], advice: "write --mode upsert to update existing objects"),
      OptionAdvice("--on-conflict", "--conflict", of: ["import"], advice: "did you mean '--mode'?"),
      OptionAdvice("--only", of: ["import"], advice: "--tables chooses tables of a SQLite database"),
      OptionAdvice("--format", of: ["import"], advice: "did you mean '--from'?"),
      OptionAdvice("--only", "--class", of: ["hash"], advice: "--per-class prints a hash for each class"),
      OptionAdvice("--class", "--per-class", of: ["stats"], advice: "write --by class"),
      OptionAdvice(
        "--file-format", of: ["upgrade"], advice: "'upgrade' writes format 24; 'downgrade' writes older formats"),
      OptionAdvice("--force", "--recursive", "-f", "-r", of: ["rm"], advice: "--yes deletes without asking"),
      OptionAdvice(
        "--output", "--out", "-o", of: ["write-copy"],
        advice: "the output is an argument: realmctl write-copy FILE DEST"),
      OptionAdvice("--out", "--output", of: ["bundle"], advice: "did you mean '--seed'?"),
      OptionAdvice("--query", "--filter", of: ["export"], advice: "did you mean '--where'?"),
      OptionAdvice("--summary", "--brief", of: ["diff"], having: "--stat", advice: "did you mean '--stat'?"),
      OptionAdvice("--read-only", of: ["browse"], advice: "'browse' changes nothing without --edit"),
      OptionAdvice("--to", "--format", of: ["downgrade"], advice: "did you mean '--file-format'?"),
      OptionAdvice("--file", "-f", of: ["sql"], advice: "to run a file: realmctl sql FILE < FILE.sql"),
    ]
    + SchemaFormat.allCases.filter { $0 != .json }.map {
      OptionAdvice("--" + $0.rawValue, of: ["dump"], advice: "write --format %N")
    } + [
      OptionAdvice("--output", "-o", of: printing, advice: "redirect standard output instead: > FILE"),
      OptionAdvice(
        "--sort", "--order-by", of: ["export"], advice: "put SORT(property ASC) into the query of --where"),
      OptionAdvice(
        "--out-key-file", "--encrypt", of: ["export"],
        advice: "an export is never encrypted; 'write-copy' has that option"),
      OptionAdvice("--limit", of: ["export"], advice: "put LIMIT(n) into the query of --where"),
      OptionAdvice("--csv", "--tsv", "--ndjson", "--sqlite", having: "--format", advice: "write --format %N"),
      OptionAdvice("--format", having: "--json", advice: "for JSON, write --json"),
      OptionAdvice("--schema-version", for: "--to-version"),
      OptionAdvice("--to-version", for: "--schema-version"),
      OptionAdvice("--offset", "--skip", of: ["query"], advice: "'sql' has LIMIT … OFFSET"),
      OptionAdvice(
        "--encoding", of: ["import", "bundle", "infer"],
        advice: "text is UTF-8; convert it, for example with iconv -f WINDOWS-1252 -t UTF-8"),
      OptionAdvice("--out-key-prompt", having: "--out-key-file", advice: "use --out-key-file or --out-key-env"),
      OptionAdvice("--no-color", "--nocolor", advice: "write --color never"),
      OptionAdvice("--to-version", of: ["downgrade"], advice: "did you mean '--file-format'?"),
      OptionAdvice("--to-version", of: ["upgrade"], advice: "'upgrade' always writes format 24"),
      OptionAdvice("--top", of: ["query"], advice: "did you mean '--limit'?"),
      OptionAdvice(
        "--fix", "--repair", of: ["check"],
        advice: "'check' changes nothing; 'recover' saves a damaged realm, and 'compact --rebuild' makes new indexes"),
      OptionAdvice("-?", advice: "did you mean '--help'?"),
      OptionAdvice("--class", "--classes", "--table", for: "--only"),
      OptionAdvice("--lang", "--language", "--type", "--to", "-f", for: "--format"),
      OptionAdvice("--select", "--fields", "--props", "--properties", "--property", for: "--columns"),
      OptionAdvice("-n", for: "--dry-run"),
      OptionAdvice("--max", "--first", "--take", "--head", "-n", for: "--limit"),
      OptionAdvice("--version", for: "--to-version"), OptionAdvice("--out", for: "--output"),
      OptionAdvice("--bind", "--param", for: "--arg"), OptionAdvice("--params", for: "--args"),
      OptionAdvice("--sep", "--separator", for: "--delimiter"),
      OptionAdvice("-y", for: "--yes"), OptionAdvice("-f", for: "--force"), OptionAdvice("-k", for: "--key-file"),
      OptionAdvice("-j", for: "--json"), OptionAdvice("-c", for: "--count"), OptionAdvice("-w", for: "--where"),
      OptionAdvice("-s", for: "--schema"), OptionAdvice("-o", for: "--seed"),
    ]
}

extension UsageError {
  /// The first option that its command does not have.
  ///
  /// The parser would report a missing argument first, and suggests options that have little in common with what was
  /// typed.
  static func unknownOption(in arguments: [String]) -> UsageError? {
    if let early = beforeCommand(arguments) { return early }
    let (command, rest) = Realmctl.command(named: arguments)
    let grammar = CommandGrammar(of: command)
    let typed = Array(rest.prefix { $0 != "--" })
    for (index, argument) in typed.enumerated() where argument.hasPrefix("-") {
      let isLong = argument.hasPrefix("--")
      // Of those of one letter, the parser says that the value of the option before is missing.
      guard isLong || (index == 0 || !grammar.takes(typed[index - 1])),
        isLong || argument.dropFirst().first.map({ $0.isLetter || $0 == "?" }) == true,
        let name = grammar.names(in: argument).first(where: { !grammar.has($0) })
      else { continue }
      let word = String(argument.prefix { $0 != "=" })
      return UsageError(
        unknownOption: word,
        advice: advice(on: name, of: word, command.configuration.commandName ?? "", grammar))
    }
    return nil
  }

  private init(unknownOption name: String, advice: String?) {
    self.init("unknown option '\(PrintableText.escaping(name))'", advice: advice)
  }

  /// - Parameters:
  ///   - name: of the option, one of several in `word` if that has one dash.
  private static func advice(
    on name: String, of word: String, _ command: String, _ grammar: CommandGrammar
  ) -> String? {
    // `-verbose`, as some programs take long names.
    if !word.hasPrefix("--"), word.count > 2, (grammar.longNames + ["--help"]).contains("-" + word) {
      return "did you mean '-\(word)'?"
    }
    if let found = OptionAdvice.table.lazy.compactMap({ $0.text(for: name, typed: word, of: command, grammar) }).first {
      return found
    }
    guard word.hasPrefix("--") else { return nil }
    let letters = name.dropFirst(2)
    let longer = letters.count > 1 ? grammar.longNames.first { $0.hasPrefix(name) } : nil
    let near = Similarity.nearest(to: String(letters), among: grammar.longNames.map { String($0.dropFirst(2)) })
    return (longer ?? near.map { "--" + $0 }).map { "did you mean '\($0)'?" }
  }

  /// An option in front of the command it is for: `realmctl -v open FILE`.
  private static func beforeCommand(_ arguments: [String]) -> UsageError? {
    guard let first = arguments.first, first.hasPrefix("-"), !["--", "-V", "--version"].contains(first)
    else { return nil }
    let name = String(first.prefix { $0 != "=" })
    if name == "--generate-completion-script" {
      let shell = first.contains("=") ? String(first.dropFirst(name.count + 1)) : arguments.dropFirst().first ?? ""
      guard !["bash", "zsh", "fish"].contains(shell) else { return nil }
      return UsageError("\(name) takes bash, zsh or fish, not '\(PrintableText.escaping(shell))'")
    }
    let commands = Realmctl.configuration.subcommands
    func type(_ word: String) -> (any ParsableCommand.Type)? {
      commands.first { $0.configuration.commandName == word }
    }
    if let command = arguments.first(where: { type($0) != nil }), let type = type(command) {
      return UsageError(
        unknownOption: name,
        advice: CommandGrammar(of: type).has(name)
          ? "options follow the command: realmctl \(command) \(first)"
          : "the command comes first; '\(command)' has no such option")
    }
    guard let meant = ["-v": "--version", "-?": "--help"][name] else {
      guard CommandGrammar(of: OpenCommand.self).longNames.contains(name), name != "--help" else { return nil }
      return UsageError(unknownOption: name, advice: "options follow a command, as in 'realmctl open \(name)'")
    }
    return UsageError(unknownOption: name, advice: "did you mean '\(meant)'?")
  }
}
