import RealmText

/// What the argument parser tells of a command, `--experimental-dump-help`: the definitions that help, completions and
/// manual share. Nothing else knows this form, which may change with the parser.
package struct CommandDescription: Sendable {
  private let json: JSONValue

  private init(_ json: JSONValue) { self.json = json }

  /// - Throws: `JSONError` for text that is not JSON.
  package init(help: String) throws(JSONError) {
    json = try JSONValue.parse(help)["command"] ?? .null
  }

  package var commandName: String { json["commandName"]?.string ?? "" }
  package var abstract: String { json["abstract"]?.string ?? "" }
  package var discussion: String { json["discussion"]?.string ?? "" }
  package var arguments: [ArgumentDescription] { (json["arguments"]?.array ?? []).map(ArgumentDescription.init) }

  /// `realmctl schema dump`
  package var fullName: String {
    ((json["superCommands"]?.array ?? []).compactMap(\.string) + [commandName]).joined(separator: " ")
  }

  /// The commands that do something, in the order of the help: not those that only group others, and not `help`.
  package var leaves: [CommandDescription] {
    let commands = (json["subcommands"]?.array ?? []).map { CommandDescription($0) }
    let children = commands.filter { $0.commandName != "help" }
    return children.isEmpty ? [self] : children.flatMap(\.leaves)
  }
}

/// An argument, option or flag.
package struct ArgumentDescription: Sendable {
  package enum Kind: String { case positional, option, flag }

  private let json: JSONValue

  fileprivate init(_ json: JSONValue) { self.json = json }

  package var kind: Kind { json["kind"]?.string.flatMap(Kind.init) ?? .flag }
  package var shouldDisplay: Bool { json["shouldDisplay"]?.bool ?? true }
  package var sectionTitle: String? { json["sectionTitle"]?.string }
  package var isOptional: Bool { json["isOptional"]?.bool ?? false }
  package var isRepeating: Bool { json["isRepeating"]?.bool ?? false }
  package var valueName: String { json["valueName"]?.string ?? "" }
  package var defaultValue: String? { json["defaultValue"]?.string }
  package var abstract: String { json["abstract"]?.string ?? "" }
  /// More about it than one line says; nil if there is nothing.
  package var discussion: String? { json["discussion"]?.string }
  /// Whether it is the flag that every command has from the parser.
  package var isHelp: Bool { names.contains("--help") }
  /// Whether a shell completes it with the names of files.
  package var isFile: Bool { json["completionKind"]?["file"] != nil }

  /// Whether an option takes any word that follows as its value, also one that begins with a dash.
  package var takesAnyWord: Bool { json["parsingStrategy"]?.string == "unconditional" }
  /// The words that a shell completes it with; none if it finds them in another way.
  package var completions: [String] {
    (json["completionKind"]?["list"]?["values"]?.array ?? []).compactMap(\.string)
  }

  /// With their dashes, in the order of the help.
  package var names: [String] {
    (json["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
    }
  }

  /// The values that it takes, where they are few, and what each means, where that is told.
  package var values: [(name: String, meaning: String?)] {
    (json["allValues"]?.array ?? []).compactMap(\.string).map { ($0, json["allValueDescriptions"]?[$0]?.string) }
  }

  /// Whether this is the flag `--no-x` of a flag `--x`, with the same words.
  package func isInversion(of other: ArgumentDescription) -> Bool {
    guard kind == .flag, other.kind == .flag, abstract == other.abstract, let name = names.last else { return false }
    return other.names.last.map { "--no-" + $0.drop { $0 == "-" } } == name
  }
}
