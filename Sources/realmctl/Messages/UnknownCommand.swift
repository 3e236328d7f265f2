import ArgumentParser
import RealmText

/// A word in the place of a command, or of a topic of `help`, that is neither.
enum UnknownCommand {
  /// - Returns: nil if the arguments begin with a command, or ask for help on one.
  static func error(in arguments: [String]) -> UsageError? {
    let isHelp = arguments.first == "help"
    var children: [any ParsableCommand.Type] = Realmctl.configuration.subcommands
    var path = "realmctl"
    for argument in isHelp ? arguments.dropFirst() : arguments[...] {
      guard !argument.hasPrefix("-") else { return nil }
      if argument == "help", path == "realmctl" { return nil }
      guard !children.isEmpty else {
        // The operands of a command; help has none.
        guard isHelp else { return nil }
        return surplus(argument, after: path)
      }
      guard let next = children.first(where: { $0.configuration.commandName == argument }) else {
        if isHelp, path == "realmctl", Chapters.text(named: argument) != nil, arguments.count > 2 {
          return surplus(arguments[2], after: "realmctl " + argument)
        }
        let topics = isHelp && path == "realmctl" ? Chapters.names : []
        let names = children.map { $0.configuration.commandName ?? "" }
        return error(argument, after: path, commands: names, topics: topics)
      }
      children = next.configuration.subcommands
      path += " " + argument
    }
    return nil
  }

  private static func error(
    _ name: String, after path: String, commands: [String], topics: [String]
  ) -> UsageError {
    let isTopic = Chapters.text(named: name) != nil
    let isFile = name.contains { $0 == "." || $0 == "/" }
    // 'plan check' and 'redact check' take another file first.
    let onFiles = name.hasSuffix(".realm") ? Self.commandsOnRealms : Self.commandsOnFiles
    if isFile, topics.isEmpty, let command = onFiles.first(where: commands.contains) {
      return UsageError(
        "missing command before '\(PrintableText.escaping(name))'",
        advice: "did you mean '\(path) \(command) \(PrintableText.escaping(name))'?",
        usage: "  See '\(path) --help' for all commands.")
    }
    let problem = "unknown command\(topics.isEmpty ? "" : " or topic") '\(PrintableText.escaping(name))'"
    let usage = "  See '\(path) --help' for all commands\(topics.isEmpty ? "" : " and topics")."
    let word = name.lowercased()
    let isFirst = path == "realmctl"
    let advice: String? =
      if isFirst, isTopic {
        "for the topic: realmctl help \(word)"
      } else if isFirst, word == "version" {
        "did you mean 'realmctl --version'?"
      } else if !topics.isEmpty, let topic = otherTopics[word] {
        "did you mean '\(topic)'?"
      } else if isFirst, let known = otherNames[word] {
        "did you mean \(known)?"
      } else if name.count > 1, let longer = (commands + topics).first(where: { $0.hasPrefix(word) }) {
        "did you mean '\(longer)'?"
      } else {
        Similarity.question(about: name, among: commands + topics)
      }
    if let advice { return UsageError(problem, advice: advice, usage: usage) }
    var lists = ["the commands\(isFirst ? "" : " of '\(path)'") are: " + commands.joined(separator: ", ")]
    if !topics.isEmpty { lists.append("the topics are: " + topics.joined(separator: ", ")) }
    let lines = lists.flatMap { wrapped($0.prefix(1).uppercased() + $0.dropFirst()) }
    return UsageError(
      problem, advice: lists.joined(separator: "; "), listing: commands.count > mostInLine ? lines : [], usage: usage)
  }

  /// What a file in the place of a command is most likely meant for.
  private static let commandsOnFiles = ["open", "dump", "check"]
  private static let commandsOnRealms = ["open", "dump", "new"]

  /// What other programs call what these commands do.
  static let otherNames = [
    "man": "'help'", "info": "'open'",
    "inspect": "'open'", "explore": "'browse'", "get": "'query'", "csv": "'export' or 'import'",
    "restore": "'migrate --restore-backups'", "show": "'open'", "view": "'browse'",
    "list": "'open'", "ls": "'open'", "tables": "'schema dump'", "dump": "'schema dump' or 'export'",
    "describe": "'schema dump'", "find": "'query'", "select": "'query' or 'sql'", "count": "'query --count'",
    "validate": "'check'", "verify": "'check'", "fsck": "'check'", "repair": "'recover'", "fix": "'recover'",
    "vacuum": "'compact'", "shrink": "'compact'", "copy": "'write-copy'", "cp": "'write-copy'",
    "backup": "'write-copy'", "encrypt": "'write-copy --out-key-file'", "decrypt": "'write-copy --decrypt'",
    "convert": "'export' or 'upgrade'", "edit": "'browse --edit'", "remove": "'rm' (a file) or 'delete' (objects)",
    "drop": "'rm' (a file) or 'delete' (objects)", "add": "'insert'", "create": "'open --create' or 'insert'",
    "set": "'update'", "cat": "'export'", "classes": "'open'", "size": "'stats'", "anonymize": "'redact new'",
    "rename": "'migrate --rename'", "seed": "'bundle'", "infer": "'schema infer'",
    "completion": "'realmctl --generate-completion-script SHELL'",
    "completions": "'realmctl --generate-completion-script SHELL'", "merge": "'import'",
    "upsert": "'import --mode upsert'", "load": "'import'",
    "save": "'write-copy'", "compare": "'diff'", "log": "'history'", "grep": "'query'", "search": "'query'",
    "where": "'query'", "head": "'query'", "print": "'export'", "generate": "'schema dump'",
    "codegen": "'schema dump'", "init": "'open --create'", "new": "'open --create'", "replace": "'update'",
    "truncate": "'delete'", "clear": "'delete'", "checksum": "'hash'", "sha256": "'hash'", "transform": "'migrate'",
    "stat": "'stats'", "du": "'stats'", "mask": "'redact new'", "scrub": "'redact new'", "exec": "'sql'",
    "shell": "'sql' or 'browse'", "ui": "'browse'",
  ]

  /// What others call the topics of `help`.
  static let otherTopics = [
    "encryption": "keys", "key": "keys", "errors": "problems", "error": "problems", "messages": "problems",
    "exit": "problems", "status": "problems", "queries": "rql", "predicate": "rql",
    "migration": "plan", "migrations": "plan", "plans": "plan", "recipes": "cookbook", "recovery": "damage",
    "corruption": "damage", "format": "formats", "versions": "formats", "masking": "redaction",
  ]

  /// More commands have lines of their own.
  private static let mostInLine = 5

  /// A list in lines of 76 columns, all but the first indented.
  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > 76 {
        lines.append(line)
        line = "  " + word
      } else {
        line += line.isEmpty ? String(word) : " " + word
      }
    }
    return lines + [line]
  }

  /// Help was asked for on a command or a topic, and on something else.
  private static func surplus(_ argument: String, after path: String) -> UsageError {
    let command = path.split(separator: " ").dropFirst().joined(separator: " ")
    return UsageError(
      "'help' takes one command or topic", advice: "omit '\(PrintableText.escaping(argument))'",
      usage: "  See 'realmctl help \(command)'.")
  }
}
