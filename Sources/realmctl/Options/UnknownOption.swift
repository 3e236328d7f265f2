import ArgumentParser
import RealmText

/// An option that its command does not have.
enum UnknownOption {
  /// The words for the first option that its command does not have, with a near one, and the command.
  ///
  /// The parser would tell of a missing argument first, and suggests options that have little in common with what was typed.
  static func first(in arguments: [String]) -> (problem: String, command: any ParsableCommand.Type)? {
    let (command, rest) = Realmctl.command(named: arguments)
    let names = CommandGrammar(of: command).longNames
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
