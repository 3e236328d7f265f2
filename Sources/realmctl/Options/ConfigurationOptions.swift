import ArgumentParser
import RealmStorage
import RealmTools

/// How a realm is opened: the options of the SDKs' configuration.
struct ConfigurationOptions: ParsableArguments {
  @Flag(help: "Open as a read-only configuration does: nothing is locked or changed; the file must be of format 24.")
  var readOnly = false

  @Flag(help: "Do everything to a copy in memory, and leave nothing of it.")
  var inMemory = false

  @Option(
    help: ArgumentHelp(
      "The schema to open with: a file as 'schema dump --format json' writes it, or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String?

  @Option(
    help: ArgumentHelp("The version of that schema; the stored one unless given.", valueName: "number"))
  var schemaVersion: UInt64?

  @Flag(
    help: ArgumentHelp(
      "Where a migration would be needed, replace the realm with an empty one instead. All its data is lost; the old file "
        + "is kept beside it unless --no-backup is given."))
  var deleteIfMigrationNeeded = false

  @Option(
    help: ArgumentHelp(
      "Compact first where this holds of total, used and free, e.g. 'total > 100MB && used < total / 2'.",
      valueName: "expr"))
  var compactIf: String?

  @Option(
    help: ArgumentHelp("Where FILE is missing, begin with a copy of this realm.", valueName: "seed"),
    completion: .file(extensions: ["realm"]))
  var seed: String?

  @Option(
    help: ArgumentHelp("The migration plan: what an app's migration function does.", valueName: "path"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var plan: String?

  @Flag(help: "Let the plan run external commands (transform).")
  var allowExec = false

  /// Whether anything is asked for besides looking.
  var isGiven: Bool {
    readOnly || inMemory || schema != nil || plan != nil || allowExec || schemaVersion != nil || deleteIfMigrationNeeded || compactIf != nil
      || seed != nil
  }

  /// - Throws: `ValidationError` for options that exclude each other.
  func request(allowingUpgrade: Bool) throws -> ConfigurationRequest {
    for path in [schema, seed, plan] { try path.map(RealmArgument.requirePath) }
    if schemaVersion != nil, schema == nil { throw ValidationError("--schema-version needs --schema.") }
    if deleteIfMigrationNeeded, schema == nil { throw ValidationError("--delete-if-migration-needed needs --schema.") }
    if readOnly, allowingUpgrade { throw ValidationError("--read-only and --upgrade exclude each other.") }
    var request = ConfigurationRequest()
    do throws(CompactionConditionError) { request.compaction = try compactIf.map(Self.parse) } catch {
      throw ValidationError("--compact-if \(error)")
    }
    request.schema = schema.map { TargetSchemaArgument(path: $0, version: schemaVersion) }
    if allowExec, plan == nil { throw ValidationError("--allow-exec needs --plan.") }
    if plan != nil, readOnly { throw ValidationError("--read-only and --plan exclude each other.") }
    request.plan = plan.map {
      PlanRequest(
        source: .file($0), version: schemaVersion, allowsCommands: allowExec, isFollowedBySchema: schema != nil)
    }
    (request.isReadOnly, request.isInMemory, request.seed) = (readOnly, inMemory, seed)
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
  var schema: TargetSchemaArgument?
  var plan: PlanRequest?
  var deletesIfMigrationNeeded = false
  var compaction: CompactionCondition?
  var seed: String?
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
    configuration.classes = target == nil ? .all : classes
    apply(to: &configuration)
    return configuration
  }

  private func apply(to configuration: inout RealmConfiguration) {
    configuration.isReadOnly = isReadOnly
    configuration.isInMemory = isInMemory
    configuration.schemaVersion = schema?.version
    configuration.deletesRealmIfMigrationNeeded = deletesIfMigrationNeeded
    configuration.seedPath = seed
    configuration.createsMissingFile = false
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
}
