import ArgumentParser
import RealmText

/// The options of a command by name, from the description that help and manual are made from.
struct OptionNames {
  private struct Option {
    let number: Int
    let mayRepeat: Bool
  }

  /// Options that take a value, by name with its dashes; all others are flags.
  private var options: [String: Option] = [:]
  /// All long names with their dashes, in the order of the help.
  private var longNames: [String] = []

  init(of command: any ParsableCommand.Type) {
    let description = try? JSONValue.parse(command._dumpHelp())
    for (number, argument) in (description?["command"]?["arguments"]?.array ?? []).enumerated() {
      longNames += (argument["names"]?.array ?? []).filter { $0["kind"]?.string == "long" }
        .compactMap { $0["name"]?.string.map { "--" + $0 } }
      guard argument["kind"]?.string == "option" else { continue }
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

  /// The names in one argument: one of `--name` and `--name=value`, several of `-qo`, none of what is not an option.
  private func words(of argument: String) -> [(name: String, takesNext: Bool)] {
    guard argument.hasPrefix("-"), argument != "-" else { return [] }
    let name = String(argument.prefix { $0 != "=" })
    let hasValue = name.count < argument.count
    if name.hasPrefix("--") { return [(name, !hasValue)] }
    let letters = Array(name.dropFirst())
    return letters.indices.map { ("-" + String(letters[$0]), !hasValue && $0 == letters.count - 1) }
  }

  // MARK: - Unknown options

  /// The words for the first option that its command does not have, with a near one, and the command.
  ///
  /// The parser would tell of a missing argument first, and suggests options that have little in common with what was typed.
  static func unknownOption(in arguments: [String]) -> (problem: String, command: any ParsableCommand.Type)? {
    var command: any ParsableCommand.Type = Realmctl.self
    var rest = arguments[...]
    while let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == rest.first }) {
      command = next
      rest.removeFirst()
    }
    let names = OptionNames(of: command).longNames
    for argument in rest.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      guard !names.contains(name) else { continue }
      let unknown = "unknown option '\(PrintableText.escaping(name))'"
      return (nearest(to: name, among: names).map { unknown + "; did you mean '\($0)'?" } ?? unknown, command)
    }
    return nil
  }

  /// The option that begins so, else one that differs in a few letters.
  private static func nearest(to name: String, among names: [String]) -> String? {
    let letters = name.dropFirst(2)
    if letters.count > 1, let longer = names.first(where: { $0.hasPrefix(name) }) { return longer }
    return Similarity.nearest(to: String(letters), among: names.map { String($0.dropFirst(2)) }).map { "--" + $0 }
  }
}
