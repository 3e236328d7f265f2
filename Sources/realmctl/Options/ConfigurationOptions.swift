import ArgumentParser
import RealmOpening
import RealmQuery
import RealmStorage
import RealmTools

/// How a realm is opened: the options of the SDKs' configuration.
struct ConfigurationOptions: ParsableArguments {
  @Flag(help: "Open read-only, as an app would; needs file format 24.")
  var readOnly = false

  @Flag(help: "Open a copy in memory; no file is written.")
  var inMemory = false

  @Option(
    help: ArgumentHelp("Schema to open with: a schema file or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String?

  @Option(
    help: ArgumentHelp("Schema version; by default that of the schema, or 0.", valueName: "number"))
  var schemaVersion: UInt64?

  @Flag(help: "Create FILE if it does not exist; needs --schema.")
  var create = false

  @Flag(help: "Instead of migrating, delete all data and start empty.")
  var deleteIfMigrationNeeded = false

  @Option(
    help: ArgumentHelp("Compact if EXPR is true, such as 'free > 100MiB'.", valueName: "expr"))
  var compactIf: String?

  @Option(
    help: ArgumentHelp("Realm to copy if FILE does not exist.", valueName: "path"),
    completion: .realm)
  var seedFile: String?

  @Option(
    help: ArgumentHelp("Migration plan in YAML or JSON; see realmctl-plan(5).", valueName: "path"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var plan: String?

  @Flag(help: "Let the plan run external commands (transform).")
  var allowExec = false

  /// Whether anything is requested beyond reading.
  var isGiven: Bool {
    readOnly || inMemory || schema != nil || plan != nil || allowExec || schemaVersion != nil || deleteIfMigrationNeeded
      || compactIf != nil
      || seedFile != nil || create
  }

  /// - Throws: `UsageError` for options that cannot be used together.
  func apply(to launch: inout LaunchRequest, allowingUpgrade: Bool) throws {
    if seedFile.map(StreamName.isInput) == true { throw UsageError("--seed-file needs the path of a file") }
    if schemaVersion != nil, schema == nil { throw UsageError("--schema-version needs --schema") }
    if deleteIfMigrationNeeded, schema == nil { throw UsageError("--delete-if-migration-needed needs --schema") }
    if create, schema == nil { throw UsageError("--create needs --schema") }
    if create, readOnly { throw UsageError("--read-only and --create cannot be used together") }
    if readOnly, allowingUpgrade { throw UsageError("--read-only and --upgrade cannot be used together") }
    launch.compaction = try compactIf.map { try CompactionCondition($0, of: "--compact-if") }
    launch.schema = schema.map {
      TargetSchemaArgument(path: $0, version: schemaVersion, hasOwnVersion: plan == nil)
    }
    if allowExec, plan == nil { throw UsageError("--allow-exec needs --plan") }
    if plan != nil, readOnly { throw UsageError("--read-only and --plan cannot be used together") }
    launch.plan = plan.map {
      PlanRequest(
        source: .file($0), version: schemaVersion, allowsCommands: allowExec, isFollowedBySchema: schema != nil)
    }
    (launch.isReadOnly, launch.isInMemory) = (readOnly, inMemory)
    launch.seed = try seedFile.map(RealmInput.path(typed:))
    launch.creates = create
    (launch.deletesIfMigrationNeeded, launch.allowsUpgrade) = (deleteIfMigrationNeeded, allowingUpgrade)
    do throws(ConfigurationError) { try launch.validate() } catch { throw UsageError(error.inOptions) }
  }
}

extension ConfigurationError {
  /// The options that cannot be used together, with the text of the SDKs.
  var inOptions: String {
    switch self {
    case .readOnlyWithDeletion: "--read-only and --delete-if-migration-needed cannot be used together (\(self))"
    case .readOnlyWithCompaction: "--read-only and --compact-if cannot be used together (\(self))"
    case .inMemoryWithSeed: "--in-memory and --seed-file cannot be used together"
    case .inMemoryWithKey: "--in-memory without FILE cannot be used with a key (\(self))"
    default: description
    }
  }
}

extension CompactionCondition {
  /// - Parameter option: that gives the condition.
  /// - Throws: `UsageError`.
  init(_ text: String, of option: String) throws {
    do throws(ExpressionError) { try self.init(text) } catch {
      throw UsageError(
        "\(option) is not a valid condition: \(error.message) (character \(error.character(in: text)))",
        advice: error.advice)
    }
  }
}
