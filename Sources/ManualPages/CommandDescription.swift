/// What `realmctl --experimental-dump-help` tells of a command: the definitions that help, completions and manual share.
struct CommandDescription: Decodable {
  var commandName: String
  var superCommands: [String]?
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandDescription]?
  var arguments: [ArgumentDescription]?

  /// `realmctl schema dump`
  var fullName: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

  /// The commands that do something, in the order of the help: not those that only group others, and not `help`.
  var leaves: [CommandDescription] {
    let children = (subcommands ?? []).filter { $0.commandName != "help" }
    return children.isEmpty ? [self] : children.flatMap(\.leaves)
  }
}

/// An argument, option or flag.
struct ArgumentDescription: Decodable {
  enum Kind: String, Decodable { case positional, option, flag }

  struct Name: Decodable {
    enum Kind: String, Decodable { case long, short, longWithSingleDash }

    var kind: Kind
    var name: String

    var text: String { (kind == .long ? "--" : "-") + name }
  }

  var kind: Kind
  var shouldDisplay: Bool
  var sectionTitle: String?
  var isOptional: Bool
  var isRepeating: Bool
  var names: [Name]?
  var valueName: String?
  var defaultValue: String?
  var allValues: [String]?
  var allValueDescriptions: [String: String]?
  var abstract: String?
}

extension ArgumentDescription {
  /// Whether this is the flag `--no-x` of a flag `--x`, with the same words.
  func isInversion(of other: ArgumentDescription) -> Bool {
    guard kind == .flag, other.kind == .flag, abstract == other.abstract, let name = names?.last?.name else {
      return false
    }
    return other.names?.last.map { "no-" + $0.name } == name
  }
}

/// The outermost object.
struct ToolDescription: Decodable {
  var command: CommandDescription
}
