import ArgumentParser
import RealmText

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
    return OptionNames(of: command).firstRepeated(in: arguments).map { RepeatedOption(name: $0, command: command) }
  }

  static func == (left: RepeatedOption, right: RepeatedOption) -> Bool {
    left.name == right.name && left.command == right.command
  }
}

/// The options of a command by name, from the description that help and manual are made from.
private struct OptionNames {
  private struct Option {
    let number: Int
    let mayRepeat: Bool
  }

  /// Options that take a value, by name with its dashes; all others are flags.
  private var options: [String: Option] = [:]

  init(of command: any ParsableCommand.Type) {
    let description = try? JSONValue.parse(command._dumpHelp())
    for (number, argument) in (description?["command"]?["arguments"]?.array ?? []).enumerated()
    where argument["kind"]?.string == "option" {
      let option = Option(number: number, mayRepeat: argument["isRepeating"]?.bool ?? false)
      for name in argument["names"]?.array ?? [] {
        guard let text = name["name"]?.string else { continue }
        options[(name["kind"]?.string == "long" ? "--" : "-") + text] = option
      }
    }
  }

  /// The option given a second time that may be given once; its first name as typed.
  func firstRepeated(in arguments: [String]) -> String? {
    var seen: [Int: String] = [:]
    var isValue = false
    for argument in arguments {
      if isValue {
        isValue = false
        continue
      }
      if argument == "--" { return nil }
      for word in words(of: argument) {
        guard let option = options[word.name] else { continue }
        isValue = word.takesNext
        if option.mayRepeat { continue }
        if let first = seen[option.number] { return first }
        seen[option.number] = word.name
      }
    }
    return nil
  }

  /// The names in one argument: one of `--name` and `--name=value`, several of `-qo`, none of what is no option.
  private func words(of argument: String) -> [(name: String, takesNext: Bool)] {
    guard argument.hasPrefix("-"), argument != "-" else { return [] }
    let name = String(argument.prefix { $0 != "=" })
    let hasValue = name.count < argument.count
    if name.hasPrefix("--") { return [(name, !hasValue)] }
    let letters = Array(name.dropFirst())
    return letters.indices.map { ("-" + String(letters[$0]), !hasValue && $0 == letters.count - 1) }
  }
}
