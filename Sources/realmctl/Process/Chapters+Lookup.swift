extension Chapters {
  /// The chapter that `help TOPIC` asks for, with a pointer to the commands of that name; nil for anything else.
  static func text(for arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "help" else { return nil }
    let name = arguments[1]
    guard let text = all.first(where: { $0.name == name })?.text else { return nil }
    guard Realmctl.configuration.subcommands.contains(where: { $0.configuration.commandName == name }) else {
      return text
    }
    return text + "\n\nThe commands: realmctl \(name) --help"
  }
}
