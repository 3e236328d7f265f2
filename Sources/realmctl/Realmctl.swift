import ArgumentParser

/// The root command.
struct Realmctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "realmctl",
    abstract: "Inspect, query, edit, check, export, import and migrate Realm database files.",
    discussion: .flowing(
      """
      Reads the files of every Realm SDK since 2014 (file formats 2 to 11 and 20 to
      24), plain or encrypted, even while an app has them open. Reading never changes
      a file and creates nothing next to it. Commands that write change all or nothing,
      and verify the result. A synced realm can be read, compacted and copied, but not
      changed; its copy is a local realm, which can be changed.

      On a terminal, 'update', 'delete', 'rm' and 'open --delete-if-migration-needed'
      ask before they change anything, unless --yes is given. Without a terminal, the
      last two need --yes; 'update' and 'delete' go ahead, with a backup.

      'realmctl help TOPIC' explains a topic:
        rql        the query language
        plan       migration plans
        cookbook   recipes for migration plans
        schema     schema files and the JSON forms of values
        redaction  rules for redacted copies
        json       the JSON that commands print with --json
        sqlite     realms as SQLite tables
        formats    file formats, and which SDK opens which
        keys       how to make a key file
        damage     what the findings of 'check' mean
        problems   error messages, and what to do

      The first six are also manual pages, such as realmctl-rql(7).

      Examples:
        realmctl open app.realm
        realmctl schema dump app.realm --format swift
        realmctl schema diff old.realm new.realm
        realmctl browse app.realm
        realmctl summarize app.realm Person
        realmctl export app.realm --only Person --format ndjson
        realmctl export secret.realm --key-file app.key -o secret.json
        realmctl import app.realm Person.csv
        realmctl check app.realm
        realmctl stats app.realm
        realmctl diff old.realm new.realm
        realmctl hash app.realm backup.realm
        realmctl history app.realm
        realmctl recover damaged.realm -o saved.realm
        realmctl compact app.realm
        realmctl migrate app.realm --schema model.json --to-version 2
        realmctl write-copy app.realm secret.realm --out-key-file app.key
        realmctl write-copy app.realm public.realm --redact rules.yml
        realmctl bundle app.realm --seed seed.realm
        realmctl open - < app.realm

      Exit status:
      \(RunStatus.table(of: RunStatus.allCases))
      """),
    // The titles of the sections in the help and on the page.
    groupedSubcommands: [
      CommandGroup(
        name: "Inspection",
        subcommands: [
          OpenCommand.self, BrowseCommand.self, QueryCommand.self, SummarizeCommand.self, SQLCommand.self,
          SchemaCommand.self, StatsCommand.self, HistoryCommand.self,
        ]),
      CommandGroup(name: "Comparison", subcommands: [DiffCommand.self, HashCommand.self]),
      CommandGroup(
        name: "Data",
        subcommands: [
          ExportCommand.self, ImportCommand.self, InsertCommand.self, UpdateCommand.self, DeleteCommand.self,
        ]),
      CommandGroup(
        name: "Files",
        subcommands: [
          CompactCommand.self, MigrateCommand.self, PlanCommand.self, UpgradeCommand.self, DowngradeCommand.self,
          WriteCopyCommand.self, RedactCommand.self, BundleCommand.self, RmCommand.self,
        ]),
      CommandGroup(name: "Damage", subcommands: [CheckCommand.self, RecoverCommand.self]),
    ])

  @Flag(name: [.customShort("V"), .customLong("version")], help: "Show the version; with --json as JSON.")
  var showsVersion = false

  func validate() throws {
    if showsVersion { throw CleanExit.message(Program.build.text) }
  }

  /// The command for the arguments.
  ///
  /// - Throws: `UsageError`; what the parser throws for help, a version or a script.
  static func parse(all arguments: [String]) throws -> any ParsableCommand {
    if let chapter = Chapters.text(for: arguments) { throw CleanExit.message(chapter) }
    if arguments.count == 2, arguments.contains("--json"), arguments.contains(where: ["-V", "--version"].contains) {
      throw CleanExit.message(Program.build.json)
    }
    let (type, rest) = command(named: arguments)
    do {
      // The parser answers those with the help of the root command, as if nothing were wrong.
      if let unknown = UnknownCommand.error(in: arguments) ?? .early(in: arguments) { throw unknown }
      // The parser would print the version and do nothing.
      if arguments.first?.hasPrefix("-") == false, arguments.contains(where: { ["-V", "--version"].contains($0) }),
        let unknown = UsageError.unknownOption(in: arguments)
      {
        throw unknown
      }
      let command = try parseAlone(arguments) ?? parseAsRoot(arguments)
      try (command as? any RealmctlCommand)?.checkOptions()
      if let refused = UsageError.late(in: arguments, of: Swift.type(of: command)) { throw refused }
      return command
    } catch let error as UsageError {
      throw error.explained(by: arguments, for: type)
    } catch  where exitCode(for: error) != .success {
      throw refusal(of: arguments, type, Array(rest), error).explained(by: arguments, for: type)
    }
  }

  /// Why the parser refuses arguments. Its errors are not public, so that the words are looked at again.
  private static func refusal(
    of arguments: [String], _ type: any ParsableCommand.Type, _ rest: [String], _ error: any Error
  ) -> UsageError {
    if let unknown = UsageError.unknownOption(in: arguments) { return unknown }
    let grammar = CommandGrammar(of: type)
    if let mistake = grammar.firstMistake(in: rest, of: type.configuration.commandName ?? "") { return mistake }
    if let (mistake, others) = grammar.surplus(in: rest) {
      do {
        try (type.parseAsRoot(others) as? any RealmctlCommand)?.checkOptions()
        return mistake
      } catch let first as UsageError { return first } catch { return mistake }
    }
    // In its own words, as a last resort.
    return UsageError(message(for: error))
  }

  /// A command parsed without the commands above it: the parser reflects on all options of each, several times.
  ///
  /// - Returns: nil for anything that is not a command to run; parsing from the root gives the message for that.
  private static func parseAlone(_ arguments: [String]) -> (any RealmctlCommand)? {
    let (command, rest) = command(named: arguments)
    guard let command = command as? any RealmctlCommand.Type else { return nil }
    return try? command.parseAsRoot(Array(rest)) as? any RealmctlCommand
  }

  /// The command that words begin with, and the words after its name.
  static func command(named words: [String]) -> (command: any ParsableCommand.Type, rest: ArraySlice<String>) {
    var command: any ParsableCommand.Type = Self.self
    var rest = words[...]
    while let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == rest.first }) {
      command = next
      rest.removeFirst()
    }
    return (command, rest)
  }

  /// Follows Semantic Versioning; `CHANGELOG.md` says what is in it.
  static let version = "0.9.0"
}

/// `realmctl plan`: migration plans.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Draft and check migration plans.",
    discussion: "'realmctl help plan' describes plan files; 'realmctl migrate' runs them.",
    subcommands: [PlanNewCommand.self, PlanCheckCommand.self])
}

/// `realmctl redact`: rules for copies to give away.
struct RedactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redact",
    abstract: "Draft and check rules for redacted copies.",
    discussion: "'realmctl help redaction' describes rules; 'realmctl write-copy --redact' applies them.",
    subcommands: [RedactNewCommand.self, RedactCheckCommand.self])
}

/// `realmctl schema`: print, compare or infer schemas.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print, compare or infer schemas.",
    discussion: "'realmctl help schema' describes schema files.",
    subcommands: [SchemaDumpCommand.self, SchemaDiffCommand.self, SchemaInferCommand.self])
}
