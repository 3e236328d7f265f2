import ArgumentParser
import RealmStorage
import RealmSystem
import RealmText

/// Wrong arguments, with the message for the user.
struct UsageError: Error {
  /// What is wrong, as far as advice depends on more than the words of the message.
  enum Mistake: Hashable {
    /// An argument or an option that the command needs, by its name.
    case missing(String)
    /// Words that no argument takes.
    case surplus
    /// A word that begins with a minus and is no option.
    case minus(String)
    /// 'update' without a change, 'update' and 'delete' without a query, 'insert' without values.
    case missingChange, missingQuery, missingValues
    case other
  }

  /// What is wrong, in lower case or in the SDKs' words.
  private(set) var problem: String
  /// What to type instead, if that is known.
  private(set) var advice: String?
  let mistake: Mistake
  /// What the help says of the option or argument.
  private(set) var help: String?
  /// Lists of names that take more room than a line of advice has.
  private var listedNames: [String] = []
  /// How to write it correctly; may have several lines.
  private(set) var usage = ""

  init(_ problem: String, advice: String? = nil, _ mistake: Mistake = .other, help: String? = nil) {
    (self.problem, self.advice, self.mistake, self.help) = (problem, advice, mistake, help)
  }

  /// - Parameters:
  ///   - names: the advice in lines; none if it is short.
  ///   - usage: where to find what there is.
  init(_ problem: String, advice: String?, listing names: [String] = [], usage: String) {
    self.init(problem, advice: advice)
    (listedNames, self.usage) = (names, usage)
  }

  /// The same, with what the whole line says about it.
  ///
  /// - Parameter command: the one that the line is for.
  func explained(by arguments: [String], for command: any ParsableCommand.Type) -> UsageError {
    var error = self
    let line = OperandAdvice.Line(arguments, mistake)
    if let found = OperandAdvice.table.lazy.compactMap({ $0.advice(line) }).first {
      error.problem = found.problem ?? problem
      error.advice = found.text
    }
    // What was typed may have several lines, which would look like lines of this program.
    if error.problem.contains(where: \.isNewline) { error.problem = PrintableText.escaping(error.problem) }
    if usage.isEmpty { error.usage = Self.usage(of: command) }
    return error
  }

  /// What is wrong, and what to do.
  var message: String { problem + (advice.map { "; " + $0 } ?? "") }

  var text: String {
    // A sentence of the argument parser may have several lines.
    var lines = ShownText.bounded(listedNames.isEmpty ? message : problem)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { PrintableText.escaping(String($0)) }
    lines += listedNames
    if let help { lines += HelpText.broken("Help:  " + help, at: HelpText.usualWidth) }
    return (lines + [usage]).joined(separator: "\n")
  }

  var diagnostic: Diagnostic { Diagnostic(.usage, .invalidInput, problem, advice: advice) }

  /// The usage lines as the parser writes them below its own messages.
  static func usage(of command: any ParsableCommand.Type) -> String {
    let lines = usageLines(of: command)
    let name = lines.split(separator: " ").prefix { !$0.hasPrefix("<") && !$0.hasPrefix("[") }.joined(separator: " ")
    return "Usage: \(lines)\n  See '\(name) --help' for more information."
  }

  /// The same below a word of five letters, a colon and a space.
  static func usageLines(of command: any ParsableCommand.Type) -> String {
    Realmctl.usageString(for: command).replacing("<subcommand>", with: "<command>").replacing("\n", with: "\n       ")
  }
}

extension UsageError {
  /// Looks for mistakes that commands would report one by one, each in its own words: the name of a file or variable that is
  /// `''`, as an unset variable of a shell makes it, and standard input for several files. They come before what the parser
  /// finds.
  static func early(in arguments: [String]) -> UsageError? {
    let mayBeEmpty = arguments.contains { $0.isEmpty || $0.hasSuffix("=") }
    let inputs = arguments.count { StreamName.isInput($0.split(separator: "=").last.map(String.init) ?? "") }
    let mayBeDash = arguments.contains { $0.hasPrefix("—") || $0.hasPrefix("–") }
    guard mayBeEmpty || mayBeDash || inputs > 1, !arguments.contains(where: { ["-h", "--help"].contains($0) }) else {
      return nil
    }
    let (command, rest) = Realmctl.command(named: arguments)
    let grammar = CommandGrammar(of: command)
    if let word = grammar.firstLongDash(in: rest) {
      return UsageError("'\(word)' begins with a long dash; write --\(word.drop { "—–-".contains($0) })")
    }
    if let problem = grammar.firstEmptyName(in: Array(rest)) { return UsageError(problem) }
    return grammar.usesStandardInputTwice(in: Array(rest)) ? UsageError("standard input can be used only once") : nil
  }

  /// What the parser accepts and this program does not.
  ///
  /// - Parameters:
  ///   - arguments: all of them, the names of the commands included.
  ///   - command: the one they are for.
  static func late(in arguments: [String], of command: any ParsableCommand.Type) -> UsageError? {
    // Making and reading the description takes a millisecond. A single option cannot be given twice, and hardly any line
    // has bytes that are not text.
    let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
    guard typed.count > 1 || arguments.contains(where: SystemText.hasBytes) else { return nil }
    let grammar = CommandGrammar(of: command)
    // The parser takes the last. Options whose values add up, such as `--data`, say so in their definition; a repeated flag
    // means the same.
    if let repeated = grammar.firstRepeated(in: arguments) { return UsageError("\(repeated) can be given only once") }
    // Only names of files and of environment variables may be any bytes; in a name of a class, such bytes would become other
    // characters.
    return grammar.firstWithoutText(in: Array(Realmctl.command(named: arguments).rest)).map { found in
      UsageError(
        found.option.map { "\($0) takes text in UTF-8, not '\(found.text)'" } ?? "'\(found.text)' is not text in UTF-8")
    }
  }
}
