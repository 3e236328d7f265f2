import ArgumentParser
import RealmStorage
import RealmText

/// Wrong arguments, with the message for the user.
struct UsageError {
  /// What is wrong, in lower case.
  let problem: String
  /// How to write it correctly; may have several lines.
  let usage: String

  /// - Parameters:
  ///   - parserError: what the argument parser threw.
  ///   - arguments: what was typed.
  init(parserError: any Error, arguments: [String]) {
    if let unknown = UnknownCommand.first(in: arguments) {
      (problem, usage) = (unknown.problem, unknown.usage)
      return
    }
    if let refused = parserError as? RefusedArgument {
      (problem, usage) = (refused.problem, Self.usage(of: refused.command))
      return
    }
    if let (unknown, command) = UnknownOption.first(in: arguments) {
      problem = unknown
      usage = Self.usage(of: command)
      return
    }
    let message =
      Self.negativeNumber(in: arguments, Realmctl.message(for: parserError))
      ?? Self.onOneLine(arguments, in: Realmctl.message(for: parserError))
    let advice =
      message.hasPrefix("Unexpected argument ") || message.contains(" unexpected arguments: ")
      ? QueryAdvice.forArguments(of: Realmctl.command(named: arguments).command)
      : Self.adviceOnMinus(arguments, message)
    let formats = message.contains("is invalid for '--file-format ") ? Self.formatAdvice : nil
    problem =
      (Self.isKnownText(message) ? message : Self.inLowerCase(message)) + ((advice ?? formats).map { "; " + $0 } ?? "")
    let whole = Realmctl.fullMessage(for: parserError)
    // The whole is the message in its first lines, then hints and the usage.
    let introduction = "Error: " + Realmctl.message(for: parserError) + "\n"
    usage = whole.hasPrefix(introduction) ? String(whole.dropFirst(introduction.count)) : ""
  }

  private static let formatAdvice =
    "use " + TargetFormat.older.map { "\($0.number)" }.dropLast().joined(separator: ", ")
    + (TargetFormat.older.last.map { " or \($0.number)" } ?? "")

  var text: String {
    // The arguments may be anything, and the message may have several lines.
    let shown = ShownText.bounded(problem).split(separator: "\n", omittingEmptySubsequences: false)
      .map { PrintableText.escaping(String($0)) }.joined(separator: "\n")
    return usage.isEmpty ? shown : shown + "\n" + usage
  }

  var diagnostic: Diagnostic { Diagnostic(.usage, .invalidInput, problem) }

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
  private static func negativeNumber(in arguments: [String], _ message: String) -> String? {
    guard message.hasPrefix("Missing value for '") else { return nil }
    let pairs = zip(arguments, arguments.dropFirst()).first { option, value in
      message.contains("'\(option) <") && value.hasPrefix("-") && value.dropFirst().first?.isNumber == true
    }
    return pairs.map { "\($0.0) cannot be negative" }
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
    let text = message.prefix(1).lowercased() + message.dropFirst()
    return text.hasSuffix(".") && !text.hasSuffix("..") ? String(text.dropLast()) : text
  }

  /// The usage lines as the parser writes them below its own messages.
  private static func usage(of command: any ParsableCommand.Type) -> String {
    let line = Realmctl.usageString(for: command)
    let name = line.split(separator: " ").prefix { !$0.hasPrefix("<") && !$0.hasPrefix("[") }.joined(separator: " ")
    return "Usage: \(line)\n  See '\(name) --help' for more information."
  }
}
