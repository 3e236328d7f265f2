import ArgumentParser

/// An option that may be given once and was given more often. The argument parser takes the last one without a word.
struct RepeatedOption: Error, Equatable {
  /// As it was typed first, `--seed`.
  let name: String
  let command: any ParsableCommand.Type

  /// Looks for one among arguments that the parser has accepted.
  ///
  /// Options that add up, such as `--data`, say so in their definition; a flag given twice says the same twice.
  ///
  /// - Parameters:
  ///   - arguments: all of them, the names of the commands included.
  ///   - command: the one they are for.
  static func first(in arguments: [String], of command: any ParsableCommand.Type) -> RepeatedOption? {
    let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
    // Making and reading the description takes a millisecond, and a single option cannot be given twice.
    guard typed.count > 1 else { return nil }
    return CommandGrammar(of: command).firstRepeated(in: arguments).map { RepeatedOption(name: $0, command: command) }
  }

  static func == (left: RepeatedOption, right: RepeatedOption) -> Bool {
    left.name == right.name && left.command == right.command
  }
}
