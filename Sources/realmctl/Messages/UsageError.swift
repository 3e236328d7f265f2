import ArgumentParser
import RealmStorage
import RealmText

/// Wrong arguments, with the message for the user.
struct UsageError {
  /// What is wrong, in lower case.
  let problem: String
  /// What to type instead, if that is known.
  let advice: String?
  /// How to write it correctly; may have several lines.
  let usage: String

  /// - Parameters:
  ///   - parserError: what the argument parser threw.
  ///   - arguments: what was typed.
  init(parserError: any Error, arguments: [String]) {
    if let unknown = UnknownCommand.first(in: arguments) {
      (problem, advice, usage) = (unknown.problem, unknown.advice, unknown.usage)
      listedNames = unknown.listedNames
      return
    }
    listedNames = []
    if let refused = parserError as? RefusedArgument {
      (problem, advice, usage) = (refused.problem, nil, Self.usage(of: refused.command))
      return
    }
    if let unknown = UnknownOption.first(in: arguments) {
      (problem, advice, usage) = (unknown.problem, unknown.advice, Self.usage(of: unknown.command))
      return
    }
    let original = Realmctl.message(for: parserError)
    let whole = Realmctl.fullMessage(for: parserError)
    // The whole is the message in its first lines, then hints and the usage.
    let introduction = "Error: " + original + "\n"
    var usage = whole.hasPrefix(introduction) ? String(whole.dropFirst(introduction.count)) : ""
    usage = usage.replacing("[--version] <subcommand>", with: "[--version] <command>")
    let help = usage.split(separator: "\n").first { $0.hasPrefix("Help:") }
    let command = usage.firstMatch(of: /Usage: realmctl ([a-z]+)/).map { String($0.1) } ?? ""
    if original == UpdateCommand.nothingToChange, let assignment = QueryAdvice.forAssignment(arguments) {
      problem = Self.onOneLine(arguments, in: "'\(assignment.typed)' is not a query")
      advice = assignment.advice
    } else if Self.isOnMissingPart(original), let statement = QueryAdvice.forStatement(arguments) {
      problem = Self.onOneLine(arguments, in: "no class '\(statement.typed)'")
      advice = statement.advice
    } else if let refused = RefusedValue(original, help: help.map(String.init) ?? "", command: command) {
      problem = Self.onOneLine(arguments, in: refused.problem)
      advice = refused.advice ?? OperandAdvice.forMissing(original, arguments)
      if refused.needsNoHelp, let help, let range = usage.firstRange(of: help + "\n") { usage.removeSubrange(range) }
    } else {
      let negative = Self.negativeNumber(in: arguments, original, command)
      let message = negative ?? Self.onOneLine(arguments, in: original)
      if negative != nil, let help, let range = usage.firstRange(of: help + "\n") { usage.removeSubrange(range) }
      let (wrong, remedy) = Self.parts(of: message)
      problem = Self.isKnownText(message) ? wrong : Self.inLowerCase(wrong)
      let other =
        message.hasPrefix("Unexpected argument ") || message.contains(" unexpected arguments: ")
        ? QueryAdvice.forArguments(arguments)
        : Self.adviceOnMinus(arguments, message)
      advice = remedy.map { Self.withoutStop($0) } ?? other
    }
    self.usage = usage
  }

  /// Lists of names that take more room than a line of advice has.
  private let listedNames: [String]

  /// A message of this program in its two parts: what is wrong; what to do. Text that was typed is in quotes.
  private static func parts(of message: String) -> (problem: String, advice: String?) {
    var isQuoted = false
    for (index, character) in zip(message.indices, message) {
      if character == "'" { isQuoted.toggle() }
      guard character == ";", !isQuoted, message[index...].hasPrefix("; ") else { continue }
      return (String(message[..<index]), String(message[message.index(index, offsetBy: 2)...]))
    }
    return (message, nil)
  }

  /// What is wrong, and what to do.
  var message: String { problem + (advice.map { "; " + $0 } ?? "") }

  var text: String {
    // The arguments may be anything, and the message may have several lines.
    var lines = ShownText.bounded(listedNames.isEmpty ? message : problem)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { PrintableText.escaping(String($0)) }
    lines += listedNames
    if !usage.isEmpty {
      lines += usage.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
        line.hasPrefix("Help:") ? HelpText.broken(String(line), at: HelpText.usualWidth) : [String(line)]
      }
    }
    return lines.joined(separator: "\n")
  }

  var diagnostic: Diagnostic { Diagnostic(.usage, .invalidInput, problem, advice: advice) }

  /// Whether a message says that a command has nothing to do: no query, no values.
  private static func isOnMissingPart(_ message: String) -> Bool {
    message == UpdateCommand.nothingToChange || message.hasPrefix("Missing query; ")
      || message.hasPrefix("Missing values; ")
  }

  private static func adviceOnMinus(_ arguments: [String], _ message: String) -> String? {
    guard message.hasPrefix("Unknown option '-") else { return nil }
    let (command, rest) = Realmctl.command(named: arguments)
    let typed = rest.prefix { $0 != "--" }.first { $0.hasPrefix("-") && message.contains("'\($0)") }
    return typed.flatMap { QueryAdvice.forMinus($0, of: command) }
  }

  /// The message with the line ends of what was typed as escapes: they would look like lines of this program.
  private static func onOneLine(_ arguments: [String], in message: String) -> String {
    var message = message
    for argument in arguments where argument.contains(where: \.isNewline) {
      // The argument, or the value in it: `--format=…`.
      let value = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
      for typed in [argument, value ?? argument] where typed.contains(where: \.isNewline) {
        message = message.replacing(typed, with: PrintableText.escaping(typed))
      }
    }
    return message
  }

  /// The message for `--limit -1`: the parser takes the number for an option, and says that a value is missing.
  private static func negativeNumber(in arguments: [String], _ message: String, _ command: String) -> String? {
    guard message.hasPrefix("Missing value for '") else { return nil }
    let pairs = zip(arguments, arguments.dropFirst()).first { option, value in
      message.contains("'\(option) <") && value.hasPrefix("-") && value.count > 1
        && value.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
    }
    let kind = String(message.drop { $0 != "<" }.prefix { $0 != "'" })
    return pairs.map { option, value in
      RefusedValue.expected(kind, of: option, in: command).map { "\(option) takes \($0), not '\(value)'" }
        ?? "missing value for \(option); if it begins with -, write \(option)=\(value)"
    }
  }

  /// Whether users know a text from the SDKs; those stay word for word.
  private static func isKnownText(_ message: String) -> Bool {
    let known: [ConfigurationError] = [
      .emptyPath, .reservedSchemaVersion, .readOnlyWithDeletion, .readOnlyWithCompaction, .readOnlyWithMigration,
      .inMemoryWithSeed, .inMemoryWithKey, .versionWithoutSchema, .migrationWithoutSchema, .deletionWithoutSchema,
      .classSubset([]),
    ]
    return known.contains { message.hasPrefix($0.description) }
  }

  /// A sentence of the parser in the form of this program's messages: without a capital at the beginning or a full stop
  /// at the end.
  private static func inLowerCase(_ message: String) -> String {
    withoutStop(message.prefix(1).lowercased() + message.dropFirst())
  }

  private static func withoutStop(_ text: String) -> String {
    text.hasSuffix(".") && !text.hasSuffix("..") ? String(text.dropLast()) : text
  }

  /// The usage lines as the parser writes them below its own messages.
  static func usage(of command: any ParsableCommand.Type) -> String {
    let line = Realmctl.usageString(for: command).replacing("<subcommand>", with: "<command>")
    let name = line.split(separator: " ").prefix { !$0.hasPrefix("<") && !$0.hasPrefix("[") }.joined(separator: " ")
    return "Usage: \(line.replacing("\n", with: "\n       "))\n  See '\(name) --help' for more information."
  }
}
