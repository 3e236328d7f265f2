import ArgumentParser

/// `realmctl schema`: what a realm can hold.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Show the schema of a realm, or what differs between two.",
    subcommands: [SchemaDumpCommand.self, SchemaDiffCommand.self])
}
