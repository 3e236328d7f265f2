import ArgumentParser
import RealmText

/// A word in the place of a command, or of a topic of `help`, that is neither.
struct UnknownCommand: Error {
  /// What is wrong, in lower case.
  let problem: String
  /// Where to find what there is.
  let usage: String

  /// - Returns: nil if the arguments begin with a command, or ask for help on one.
  static func first(in arguments: [String]) -> UnknownCommand? {
    let isHelp = arguments.first == "help"
    var children: [any ParsableCommand.Type] = Realmctl.configuration.subcommands
    var path = "realmctl"
    for argument in isHelp ? arguments.dropFirst() : arguments[...] {
      guard !argument.hasPrefix("-") else { return nil }
      if argument == "help", path == "realmctl" { return nil }
      guard !children.isEmpty else {
        // The operands of a command; help has none.
        guard isHelp else { return nil }
        return UnknownCommand(surplus: argument, after: path)
      }
      let names = children.map { $0.configuration.commandName ?? "" }
      guard let next = children.first(where: { $0.configuration.commandName == argument }) else {
        if isHelp, path == "realmctl", Chapters.text(named: argument) != nil, arguments.count > 2 {
          return UnknownCommand(surplus: arguments[2], after: "realmctl " + argument)
        }
        let topics = isHelp && path == "realmctl" ? Chapters.names : []
        return UnknownCommand(argument, after: path, commands: names, topics: topics)
      }
      children = next.configuration.subcommands
      path += " " + argument
    }
    return nil
  }

  private init(_ name: String, after path: String, commands: [String], topics: [String]) {
    let isTopic = Chapters.text(named: name) != nil
    let unknown = "unknown command\(topics.isEmpty ? "" : " or topic") '\(PrintableText.escaping(name))'"
    usage = "  See '\(path) --help' for all commands\(topics.isEmpty ? "" : " and topics")."
    if path == "realmctl", name.contains(where: { $0 == "." || $0 == "/" }) {
      problem = unknown + "; to open a file: realmctl open \(PrintableText.escaping(name))"
    } else if path == "realmctl", isTopic {
      problem = unknown + "; for the topic: realmctl help \(name.lowercased())"
    } else if let near = Similarity.nearest(to: name, among: commands + topics) {
      problem = unknown + "; did you mean '\(near)'?"
    } else {
      let owner = path == "realmctl" ? "" : " of '\(path)'"
      problem =
        unknown + "; the commands\(owner) are: " + commands.joined(separator: ", ")
        + (topics.isEmpty ? "" : "; the topics are: " + topics.joined(separator: ", "))
    }
  }

  /// Help was asked for on a command or a topic, and on something else.
  private init(surplus argument: String, after path: String) {
    let command = path.split(separator: " ").dropFirst().joined(separator: " ")
    problem = "help takes one command or topic, not also '\(PrintableText.escaping(argument))'"
    usage = "  See 'realmctl help \(command)'."
  }
}
