import ArgumentParser
import CTopics

/// What `realmctl help` prints of topics that are not commands.
enum Chapters {
  /// The topics, in the order of the help.
  static var names: [String] { all.map(\.name) }

  private static var all: [(name: String, text: UnsafePointer<CChar>)] {
    (0...).lazy.map(ctopics_at).prefix { $0 != nil }.compactMap { $0?.pointee }.map {
      (String(cString: $0.name), $0.text)
    }
  }

  /// The chapter that `help TOPIC` asks for, with a pointer to the commands of that name; nil for anything else.
  static func text(for arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "help", let text = text(named: arguments[1]) else { return nil }
    let name = arguments[1].lowercased()
    guard Realmctl.configuration.subcommands.contains(where: { $0.configuration.commandName == name }) else {
      return text
    }
    return text + "\n\nThis is the topic '\(name)'; 'realmctl \(name) --help' describes the commands."
  }

  /// The chapter on a topic, whose case does not matter.
  static func text(named name: String) -> String? {
    all.first { $0.name == name.lowercased() }.map { String(cString: $0.text) }
  }
}
