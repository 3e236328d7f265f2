import ArgumentParser

/// `realmctl schema`: what a realm can hold.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the schema of a realm, or compare two schemas.",
    subcommands: [SchemaDumpCommand.self, SchemaDiffCommand.self])
}
