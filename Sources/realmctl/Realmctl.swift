import ArgumentParser

/// The root command.
struct Realmctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realmctl",
    abstract: "Look into Realm database files.",
    discussion: """
      Reads what any Realm SDK wrote, of file format 10 to 24, plain or encrypted,
      whether an app is using it or not. A command that reads never changes
      the file, and creates nothing beside it.

      Examples:
        realmctl open app.realm
        realmctl schema dump app.realm --format swift
        realmctl schema diff old.realm new.realm
        realmctl browse app.realm
        realmctl export app.realm --only Person --format ndjson
        realmctl export secret.realm --key-file app.key -o secret.json
        realmctl check app.realm
        realmctl recover broken.realm -o saved.realm
        realmctl compact app.realm
        realmctl migrate app.realm --schema model.json --to-version 2
        realmctl write-copy app.realm secret.realm --out-key-file app.key
        realmctl bundle app.realm --seed seed.realm
        realmctl open - < app.realm

      Exit status:
      \(RunStatus.table)
      """,
    version: "realmctl \(version)",
    subcommands: [
      OpenCommand.self, SchemaCommand.self, BrowseCommand.self, ExportCommand.self, CheckCommand.self,
      CompactCommand.self, MigrateCommand.self, UpgradeCommand.self, WriteCopyCommand.self, BundleCommand.self,
      RecoverCommand.self,
    ])

  /// The command that the arguments mean.
  ///
  /// - Throws: what the parser throws; `RepeatedOption`.
  static func parse(all arguments: [String]) throws -> any ParsableCommand {
    let command = try parseAsRoot(arguments)
    if let repeated = RepeatedOption.first(in: arguments, of: type(of: command)) { throw repeated }
    return command
  }

  /// Follows Semantic Versioning; `CHANGELOG.md` says what is in it.
  static let version = "0.1.0"
}
