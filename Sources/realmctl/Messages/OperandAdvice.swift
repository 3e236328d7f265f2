import ArgumentParser
import RealmStorage
import RealmText

/// What to type where the arguments of a command are too few, too many, or in the places of others.
enum OperandAdvice {
  /// A command line with a mistake.
  struct Line {
    let command: any ParsableCommand.Type
    let mistake: UsageError.Mistake
    /// The arguments without a name.
    let operands: [String]
    /// The words after the names of the commands.
    fileprivate let words: [String]
    /// Whether there is a file with this name.
    fileprivate let exists: (String) -> Bool

    init(
      _ arguments: [String], _ mistake: UsageError.Mistake, exists: @escaping (String) -> Bool = SafeOutput.isNameTaken
    ) {
      let (command, rest) = Realmctl.command(named: arguments)
      (self.command, self.mistake, words, self.exists) = (command, mistake, Array(rest), exists)
      operands = CommandGrammar(of: command).operands(of: words)
    }

    var name: String { command.configuration.commandName ?? "" }
  }

  /// What to say about such a line.
  struct Advice {
    /// What is wrong, in other words than those of the mistake.
    var problem: String?
    let text: String
  }

  /// Lines that are alike, and the advice on them.
  struct Row: Sendable {
    private let commands: [String]
    private let isMeant: @Sendable (UsageError.Mistake) -> Bool
    private let find: @Sendable (Line) -> Advice?

    fileprivate init(
      _ mistakes: UsageError.Mistake..., of commands: [String], _ find: @escaping @Sendable (Line) -> String?
    ) {
      self.init(mistakes, of: commands) { line in find(line).map { Advice(text: $0) } }
    }

    fileprivate init(
      _ mistakes: [UsageError.Mistake], of commands: [String], finding find: @escaping @Sendable (Line) -> Advice?
    ) {
      (self.commands, isMeant, self.find) = (commands, mistakes.contains, find)
    }

    /// A query that begins with a minus.
    fileprivate init(minusOf commands: [String], _ text: String) {
      self.commands = commands
      isMeant = { if case .minus(let word) = $0 { word.dropFirst().first?.isNumber == true } else { false } }
      find = { _ in Advice(text: text) }
    }

    /// - Returns: nil for other lines.
    func advice(_ line: Line) -> Advice? {
      isMeant(line.mistake) && commands.contains(line.name) ? find(line) : nil
    }
  }

  /// Commands whose argument after the class is a query; others take it with `--where`.
  static let queries = ["query", "summarize", "update", "delete"]

  /// The first row that knows a line is followed.
  static let table: [Row] = [
    Row([.missingChange], of: ["update"]) { line in
      assignment(line.operands).map { Advice(problem: "'\($0.typed)' is not a query", text: $0.advice) }
    },
    Row([.missingChange, .missingQuery, .missingValues], of: ["update", "insert", "delete"]) { line in
      statement(line).map { Advice(problem: "no class '\(line.operands[1])'", text: $0) }
    },
    Row(.missing("<class>"), of: queries + ["insert"]) { line in
      guard line.operands.count == 1 else { return nil }
      return "'\(ShellText.command(["open", ShellText.path(line.operands[0])]))' lists the classes"
    },
    Row(.missing("-o"), of: ["recover"]) { second($0, as: "-o") },
    Row(.missing("--seed"), of: ["bundle"]) { second($0, as: "--seed") },
    Row(.missing("--schema"), of: ["new"]) { second($0, as: "--schema") },
    Row(.missing("--file-format"), of: ["downgrade"]) { second($0, as: "--file-format") },
    Row(minusOf: queries, "put -- before a query that begins with -, and options before that"),
    Row(.surplus, of: queries) { line in
      line.operands.prefix(2).count(where: line.exists) == 2 ? "'\(line.name)' takes one realm, then a class" : nil
    },
    Row(.surplus, of: queries) { line in
      forStatement(line.operands.dropFirst().joined(separator: " "), in: line.operands[0])
    },
    Row(.surplus, of: ["update"]) { line in
      line.operands.last.flatMap { $0.wholeMatch(of: /[^=<>! ]+=[^=].*/) }
        .map { "write --set \(ShellText.command([String($0.output)]))" }
    },
    Row(.surplus, of: queries) { comparison($0.operands.dropFirst(2)) },
    Row(.surplus, of: queries) { _ in "put the whole query in quotes, as one argument" },
    Row(.surplus, of: ["export"]) { line in
      line.operands[1] == "-" ? "without -o, the output goes to standard output" : nil
    },
    Row(.surplus, of: ["export"]) { line in
      guard FormatEnding(of: .path(line.operands[1], replacing: false)) != nil else { return nil }
      return "name the output with " + ShellText.command(["-o", ShellText.path(line.operands[1])])
    },
    Row(.surplus, of: ["export", "write-copy"]) { classes($0.words) },
    Row(.surplus, of: ["export"]) { _ in "name classes with --only, and give a query with --where" },
    Row(.surplus, of: ["write-copy"]) { _ in "name classes with --only, and give a query with --where 'Class:QUERY'" },
    Row(.surplus, of: ["bundle"]) { _ in "give data with --data" },
    Row(.surplus, of: ["rm"]) { _ in "'rm' deletes one realm at a time" },
    Row(.surplus, of: ["new"]) { "to write it to a file, use -o \(ShellText.path($0.operands[1]))" },
    Row(.surplus, of: ["diff"]) { line in
      line.command == SchemaDiffCommand.self ? "'schema diff' compares two schemas" : "'diff' compares two realms"
    },
    Row(.surplus, of: ["downgrade"]) { $0.operands.last.flatMap { UInt8($0) }.map { "write --file-format \($0)" } },
    Row(.surplus, of: ["recover", "downgrade"]) { "'\($0.name)' takes one realm at a time" },
  ]

  // MARK: Patterns

  /// The second file of `recover A B`, which needs an option.
  private static func second(_ line: Line, as option: String) -> String? {
    line.operands.count == 2 ? "write " + ShellText.command([option, ShellText.path(line.operands[1])]) : nil
  }

  /// - Parameter pieces: what follows the class: at least two words.
  /// - Returns: nil if they are likely to be the words of a query.
  private static func comparison(_ pieces: ArraySlice<String>) -> String? {
    let operators = ["contains", "like", "beginswith", "endswith", "in", "between", "and", "or", "not", "is"]
    guard pieces.count == 2, let name = pieces.first, let word = pieces.last,
      pieces.allSatisfy({ $0.wholeMatch(of: /[\w.-]+/) != nil && !operators.contains($0.lowercased()) })
    else { return nil }
    let value = Double(word) == nil ? "\"\(word)\"" : word
    return "write the query as one argument: " + ShellText.command(["\(name) == \(value)"])
  }

  /// For `--only Dog Person`; nil for other arguments.
  private static func classes(_ words: [String]) -> String? {
    guard let option = words.lastIndex(where: { ["--only", "--exclude"].contains($0) }) else { return nil }
    let names = words[(option + 1)...].prefix { word in
      word.allSatisfy { $0.isLetter || $0.isNumber || "_,".contains($0) }
    }
    return names.count > 1 ? "write \(words[option]) \(names.joined(separator: ","))" : nil
  }

  /// How to run a statement of SQL that was given as a query; nil for other text.
  static func forStatement(_ text: String, in path: String) -> String? {
    guard text.lowercased().hasPrefix("select ") else { return nil }
    return "for SQL: " + ShellText.command(["realmctl", "sql", ShellText.path(path), text])
  }

  /// For `delete FILE 'DELETE FROM Dog'`, where something is missing because a statement of SQL is in the place of the
  /// class; nil if it is not one.
  private static func statement(_ line: Line) -> String? {
    guard line.operands.count == 2 else { return nil }
    let words = line.operands[1].lowercased().split(separator: " ")
    // `delete FILE 'age > 3'`
    let isCondition = words.count > 2 && line.name != "insert" && !line.operands[1].hasPrefix("select ")
    if isCondition, line.name != words[0] { return "the class comes before the query" }
    guard words.count > 1, line.name == words[0] || words[0] == "select" else { return nil }
    let forms = [
      "update": "CLASS 'QUERY' --set property=VALUE", "insert": "CLASS property=VALUE", "delete": "CLASS 'QUERY'",
    ]
    return forms[line.name].map { "write realmctl \(line.name) FILE \($0)" }
  }

  /// For `update FILE CLASS SET name = Rex` and `update FILE CLASS name=Rex`, where no option says what to change.
  ///
  /// - Returns: what was typed for the change, and advice; nil if it is not an assignment.
  private static func assignment(_ operands: [String]) -> (typed: String, advice: String)? {
    var words = Array(operands.dropFirst(2))
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

  /// For a plan or a schema among the realms of `migrate`.
  static func forChange(in files: [String]) -> String? {
    for file in files.dropFirst() {
      switch file.lowercased().split(separator: ".").last {
      case "yml", "yaml": return "write " + ShellText.command(["--plan", ShellText.path(file)])
      case "json", "swift", "kt", "java", "ts", "js", "cs", "dart":
        return "write " + ShellText.command(["--schema", ShellText.path(file)])
      default: break
      }
    }
    return nil
  }
}

extension Diagnostic {
  /// The same, with advice on the whole command line: a class before the file, a query that is empty or a column.
  func advising(on arguments: [String]) -> Diagnostic {
    guard [.fileNotFound, .syntaxError].contains(code), let advice = advice(on: OperandAdvice.Line(arguments, .other))
    else { return self }
    var diagnostic = self
    diagnostic.advice = advice
    return diagnostic
  }

  private func advice(on line: OperandAdvice.Line) -> String? {
    if case .query(let query) = cause { return Self.advice(onQuery: query, line) }
    guard code == .fileNotFound, let path, let number = line.operands.firstIndex(of: path) else { return nil }
    return number == 0 ? Self.advice(onOrder: path, line) : Self.advice(onClass: path, at: number, line)
  }

  private static func advice(onQuery query: String, _ line: OperandAdvice.Line) -> String? {
    guard query.contains(where: { !$0.isWhitespace }) else {
      return switch line.name {
      case "query", "summarize": "for all objects, omit it"
      case "export", "write-copy", "bundle": "for all objects, omit --where"
      case "update", "delete": "for all objects, use --all"
      default: nil
      }
    }
    // `--columns name breed`
    guard line.name == "query", let index = line.words.lastIndex(of: "--columns"), index + 2 < line.words.endIndex
    else {
      return nil
    }
    let words = line.words[(index + 1)...].prefix { !$0.hasPrefix("-") }
    let columns = words.filter { $0.allSatisfy { $0.isLetter || $0.isNumber || "_.,".contains($0) } }
    guard words.count > 1, columns.count == words.count, query == words.dropFirst().first else { return nil }
    return "if it is a column, write --columns \(words.joined(separator: ","))"
  }

  /// For something else in the place of the first file.
  private static func advice(onOrder path: String, _ line: OperandAdvice.Line) -> String? {
    if line.operands.count > 1, line.exists(line.operands[1]) {
      let words = ShellText.command(["realmctl", line.name, ShellText.path(line.operands[1]), path])
      switch line.name {
      case "query", "summarize", "insert", "update", "delete", "browse":
        return "the file comes before the class: " + words
      case "sql": return "the file comes before the statement: " + words
      default: return nil
      }
    }
    guard line.operands.count == 1 else { return nil }
    switch line.name {
    case "summarize" where path.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }):
      return "if it is a class, the file comes before it: realmctl summarize FILE \(path)"
    case "sql" where path.split(separator: " ").count > 1:
      return "the file comes before the statement: \(ShellText.command(["realmctl", "sql"])) FILE "
        + ShellText.command([path])
    default: return nil
    }
  }

  /// For a class or a query among files: `schema dump FILE Dog`, `browse FILE Dog Person`.
  private static func advice(onClass path: String, at number: Int, _ line: OperandAdvice.Line) -> String? {
    guard !path.contains(where: { $0 == "." || $0 == "/" }) else { return nil }
    switch line.name {
    case "dump", "open":
      guard path.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
      return "if it is a class, write --only \(line.operands[number...].joined(separator: ","))"
    case "browse":
      let isQuery = line.operands.count > number + 1 && line.operands[number + 1].contains(" ")
      return isQuery
        ? "if it is a class, 'f' filters its objects in the browser; 'query' takes a query"
        : "if it is a class, name one file and one class"
    default: return nil
    }
  }
}
