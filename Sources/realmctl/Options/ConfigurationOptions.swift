import ArgumentParser
import RealmStorage
import RealmTools

/// How a realm is opened: the options of the SDKs' configuration.
struct ConfigurationOptions: ParsableArguments {
  @Flag(help: "Open read-only, as an app would; needs file format 24.")
  var readOnly = false

  @Flag(help: "Open in memory and write no file; FILE is only read.")
  var inMemory = false

  @Option(
    help: ArgumentHelp("Schema to open with: a schema file or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String?

  @Option(
    help: ArgumentHelp("Version of the schema, if not its own; or else 0.", valueName: "number"))
  var schemaVersion: UInt64?

  @Flag(help: "Create FILE if it does not exist; needs --schema.")
  var create = false

  @Flag(help: "Instead of migrating, delete all data and start empty.")
  var deleteIfMigrationNeeded = false

  @Option(
    help: ArgumentHelp("Compact first if EXPR holds, such as 'free > 100MB'.", valueName: "expr"))
  var compactIf: String?

  @Option(
    help: ArgumentHelp("Realm to copy if FILE does not exist.", valueName: "seed"),
    completion: .realm)
  var seed: String?

  @Option(
    help: ArgumentHelp("The migration plan: what an app's migration function does.", valueName: "path"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var plan: String?

  @Flag(help: "Let the plan run external commands (transform).")
  var allowExec = false

  /// Whether anything is asked for apart from looking.
  var isGiven: Bool {
    readOnly || inMemory || schema != nil || plan != nil || allowExec || schemaVersion != nil || deleteIfMigrationNeeded
      || compactIf != nil
      || seed != nil || create
  }

  /// - Throws: `ValidationError` for options that exclude each other.
  func request(allowingUpgrade: Bool) throws -> ConfigurationRequest {
    for path in [schema, seed, plan] { try path.map(RealmInput.requirePath) }
    if schemaVersion != nil, schema == nil { throw ValidationError("--schema-version needs --schema.") }
    if deleteIfMigrationNeeded, schema == nil { throw ValidationError("--delete-if-migration-needed needs --schema.") }
    if create, schema == nil { throw ValidationError("--create needs --schema.") }
    if create, readOnly { throw ValidationError("--read-only and --create cannot be used together.") }
    if readOnly, allowingUpgrade { throw ValidationError("--read-only and --upgrade cannot be used together.") }
    var request = ConfigurationRequest()
    do throws(CompactionConditionError) { request.compaction = try compactIf.map(Self.parse) } catch {
      throw ValidationError("--compact-if \(error)")
    }
    request.schema = schema.map {
      TargetSchemaArgument(path: $0, version: schemaVersion, hasOwnVersion: plan == nil)
    }
    if allowExec, plan == nil { throw ValidationError("--allow-exec needs --plan.") }
    if plan != nil, readOnly { throw ValidationError("--read-only and --plan cannot be used together.") }
    request.plan = plan.map {
      PlanRequest(
        source: .file($0), version: schemaVersion, allowsCommands: allowExec, isFollowedBySchema: schema != nil)
    }
    (request.isReadOnly, request.isInMemory, request.seed) = (readOnly, inMemory, seed)
    request.creates = create
    (request.deletesIfMigrationNeeded, request.allowsUpgrade) = (deleteIfMigrationNeeded, allowingUpgrade)
    do throws(ConfigurationError) { try request.validate() } catch { throw ValidationError(error.description) }
    return request
  }

  private static func parse(_ text: String) throws(CompactionConditionError) -> CompactionCondition {
    try CompactionCondition(text)
  }
}

/// A configuration as asked for, before its schema and key are read.
struct ConfigurationRequest: Equatable, Sendable {
  var isReadOnly = false
  var isInMemory = false
  /// Whether added properties get the default values of the schema file, which no SDK does.
  var usesDefaults = false
  var schema: TargetSchemaArgument?
  var plan: PlanRequest?
  var deletesIfMigrationNeeded = false
  var compaction: CompactionCondition?
  var seed: String?
  /// Whether a missing file is made.
  var creates = false
  var classes = ClassSelection.all
  var allowsUpgrade = false
  var policy = MigrationPolicy()

  /// Finds options that exclude each other.
  func validate() throws(ConfigurationError) {
    var configuration = RealmConfiguration(path: "realm")
    if schema != nil { configuration.schema = Schema() }
    apply(to: &configuration)
    try configuration.validate()
  }

  /// - Parameter target: the schema, where one was asked for.
  func configuration(
    path: String, key: EncryptionKey?, target: SchemaSource.Target?
  ) -> RealmConfiguration {
    var configuration = RealmConfiguration(path: path)
    configuration.encryptionKey = key
    configuration.schema = target?.schema
    configuration.aliases = target?.aliases ?? []
    configuration.defaults = usesDefaults ? target?.defaultValues ?? [:] : [:]
    configuration.classes = target == nil ? .all : classes
    apply(to: &configuration)
    if let schema, schema.hasOwnVersion, schema.version == nil {
      configuration.schemaVersion = target?.schema.version ?? 0
    }
    return configuration
  }

  private func apply(to configuration: inout RealmConfiguration) {
    configuration.isReadOnly = isReadOnly
    configuration.isInMemory = isInMemory
    configuration.schemaVersion = schema?.version
    configuration.deletesRealmIfMigrationNeeded = deletesIfMigrationNeeded
    configuration.seedPath = seed
    configuration.createsMissingFile = creates
    configuration.allowsFormatUpgrade = allowsUpgrade
    configuration.policy = policy
    if let compaction {
      configuration.shouldCompactOnLaunch = { total, used in
        // An answer that is unknown is warned of afterwards.
        (try? compaction.holds(for: SpaceUse(total: total, free: total - min(used, total)))) ?? false
      }
    }
  }
}

/// A schema to arrive at.
struct TargetSchemaArgument: Equatable, Sendable {
  /// A schema file, or a realm that has the schema.
  var path: String
  /// Nil for the stored one.
  var version: UInt64?
  /// Whether it is the schema's own version instead, or else 0, as with an app that sets none.
  var hasOwnVersion = false
}
