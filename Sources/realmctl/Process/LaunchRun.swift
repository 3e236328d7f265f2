import Libc
import RealmMigration
import RealmOpening
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// Opens, migrates or upgrades a realm for a command: reads key and schema, asks if necessary, and reports errors.
struct LaunchRun {
  let request: LaunchRequest
  let console: Console

  /// The result, and how long it took.
  struct Result {
    var outcome: LaunchOutcome
    var seconds: Double
    /// What the plan did; nil without one, or if it had nothing to do.
    var plan: PlanReport?
    /// The schema that the realm was opened with; nil if it was its own.
    var target: Schema?
  }

  /// - Parameters:
  ///   - plan: read already.
  ///   - script: what to do, if not a plan.
  ///   - file: the realm, if it was opened before.
  ///   - given: the schema, if no path names it.
  ///   - files: the other inputs, which no output may replace.
  ///   - stopped: called with the progress of the plan if something stopped it.
  /// - Throws: `Diagnostic`; what the script throws.
  func run(
    key: EncryptionKey?, plan: MigrationPlan? = nil, script: MigrationScript? = nil, of file: LaunchedFile? = nil,
    target given: SchemaSource.Target? = nil,
    alongside files: [String] = [],
    stopped: (PlanReport) throws -> Void = { _ in }
  ) throws -> Result {
    let isChanged = request.destination == nil && !request.isReadOnly && !request.isInMemory
    if isChanged { try request.input.requireChangeable() }
    if request.changesFileInPlace { TruncatedFileHandler.installHandler(console.style, changing: request.input) }
    if let key { console.verbose(key, for: request.input.name) }
    if request.destination?.isStandardOutput == true, StandardOutput.isTerminal, !request.dryRun {
      throw Diagnostic.terminalOutput
    }
    let clock = ContinuousClock()
    let start = clock.now
    var options = options(makeProgress(), try destination(key: key))
    options.inputs += files
    defer { console.endProgress() }
    let target = try given ?? targetSchema(key: key)
    let planRun = try makePlanRun(plan, to: target?.schema, key)
    var cause: (any Error)?
    var configuration = request.configuration(key: key, target: target)
    configuration.script = script ?? planRun?.script
    func launch() throws -> LaunchOutcome {
      let launch = RealmLaunch(configuration, options, of: file)
      if request.deletesIfMigrationNeeded, !request.dryRun, !request.isInMemory {
        try confirmDeletion(by: launch)
      }
      do { return try launch.run() } catch {
        if let report = planRun?.report { try stopped(report) }
        cause = error.cause
        throw error.cause
      }
    }
    var outcome: LaunchOutcome
    do {
      let files = DiagnosedFiles(
        source: request.input.name, output: request.destination?.path ?? request.input.name,
        schema: request.schema?.path, seed: request.seed,
        takesSeed: request.opensLikeApp && !request.isInMemory, canCreate: request.canCreate,
        versionOption: request.opensLikeApp ? "--schema-version" : "--to-version",
        requestedVersion: configuration.schemaVersion, changes: request.changes)
      outcome = try Diagnostic.ofLaunch(files) {
        try Diagnostic.ofPlan(request.input.name, plan: request.plan?.path, launch)
      }
    } catch let diagnostic as Diagnostic {
      throw request.inWordsOfApps(diagnostic.advising(on: key), cause)
    }
    console.endProgress()
    if let planRun, planRun.report == nil, !outcome.changesFile { try requireNoWork(planRun, key) }
    console.warn(
      of: outcome.source,
      path: outcome.events.contains(.copySeed) ? request.seed ?? request.input.name : request.input.name)
    if let fault = outcome.spaceFault { console.warn(Diagnostic(spared: fault, path: request.input.name)) }
    if request.changesFileInPlace, !outcome.changesFile, outcome.backup == nil {
      outcome.backup = try backUpUnchanged(before: .migrate, key: key)
    }
    if case .notWanted(let space) = outcome.compaction {
      _ = request.compaction?.holds(
        for: space, of: "--compact-if", path: request.input.name, on: console)
    }
    let isFile = outcome.changesFile && outcome.memory == nil && !request.dryRun
    console.warn(
      isDurable: outcome.isDurable, otherNameCount: isFile ? outcome.otherNameCount : 0,
      path: request.destination?.name ?? request.input.name, after: "the old file may reappear",
      isReplaced: outcome.replacesFile)
    let duration = (clock.now - start).components
    for warning in planRun?.report?.warnings ?? [] {
      console.warn(Diagnostic(warning, plan: request.plan?.path, path: request.input.name))
    }
    return Result(
      outcome: outcome, seconds: Double(duration.seconds) + Double(duration.attoseconds) / 1e18,
      plan: planRun?.report, target: try configuration.targetSchema())
  }

  /// A backup of a realm that is not changed, if one was asked for by name.
  ///
  /// - Throws: `Diagnostic`.
  func backUpUnchanged(before operation: LaunchOperation, key: EncryptionKey?) throws -> RealmBackup? {
    try Diagnostic.ofLaunch(request.input.name) {
      try request.access.backUpUnchanged(request.input.path, key: key, before: operation)
    }
  }

  private func makePlanRun(_ plan: MigrationPlan?, to target: Schema?, _ key: EncryptionKey?) throws -> PlanRun? {
    guard let request = request.plan else { return nil }
    let source = PlanSource(request: request, console: console)
    return source.run(
      try plan ?? source.plan(), to: target, schemas: SchemaSource(key: self.request.input.key, read: key),
      progress: console.makeProgress())
  }

  private func requireNoWork(_ run: PlanRun, _ key: EncryptionKey?) throws {
    guard let plan = request.plan, plan.refusesIdle else { return }
    let source = SchemaSource(key: request.input.key, read: key)
    let schema = try source.schema(at: request.input.path, console)
    try Diagnostic.ofPlan(request.input.name, plan: plan.path) { try run.requireNoWork(on: schema) }
  }

  private func targetSchema(key: EncryptionKey?) throws -> SchemaSource.Target? {
    let source = SchemaSource(
      key: request.input.key, read: key, usesDefaults: request.usesDefaults)
    let target = try request.schema.map { try source.optionTarget(at: $0.path, console) }
    if let target { try requireKnownClasses(in: target.schema) }
    return target
  }

  /// Finds classes named on the command line that the schema does not have.
  private func requireKnownClasses(in schema: Schema) throws {
    let names = request.classes.names
    guard let unknown = names.first(where: { schema.classNamed($0) == nil }) else { return }
    let known = schema.classes.map(\.displayName.description)
    throw Diagnostic(noClass: unknown.description, among: known, path: request.schema?.path)
  }

  private func destination(key: EncryptionKey?) throws -> LaunchOptions.Destination? {
    guard let file = request.destination else { return nil }
    return .init(
      path: file.path, isReplaced: file.replacing,
      key: try request.outputKey.read(source: key, for: file.name, console),
      isPrivate: request.outputKey.isPrivate(source: request.input.key))
  }

  private func options(_ progress: WorkProgress?, _ destination: LaunchOptions.Destination?) -> LaunchOptions {
    var options = LaunchOptions()
    options.destination = destination
    options.compacts = request.compacts
    options.requiresSoundSource = console.style.isStrict
    options.inputs = [
      request.schema?.path, request.plan?.path, request.input.key?.path,
      request.outputKey.path,
    ].compactMap { $0 }
    options.dryRun = request.dryRun
    (options.access, options.backupRule) = (request.access, request.backupRule)
    options.threadLimit = Processors.threadCount(forBytes: .max) - 1
    (options.verifies, options.verifiesChangesOnly) = (request.verifies, request.verifiesChangesOnly)
    options.requiresWritableFile = request.opensLikeApp
    options.progress = progress
    return options
  }

  private func makeProgress() -> WorkProgress? {
    guard !request.dryRun else { return nil }
    let destination: OutputDestination =
      request.destination?.isStandardOutput == true
      ? .standardOutput : .path(request.destination?.path ?? request.input.path, replacing: true)
    return console.makeWorkProgress(alongside: destination)
  }

  // MARK: Questions

  private func confirmDeletion(by launch: RealmLaunch) throws {
    guard try launch.preview().plan.events.contains(.deleteAndCreate), !request.isConfirmed else { return }
    try console.confirmDeletion(
      of: request.input.name, "delete all data and create an empty realm?",
      "all data of the realm would be deleted")
  }
}

/// A request to open, migrate or upgrade a realm.
struct LaunchRequest: Equatable {
  var input: RealmInput
  var isReadOnly = false
  var isInMemory = false
  /// Whether added properties get the default values of the schema file, which no SDK does.
  var usesDefaults = false
  var schema: TargetSchemaArgument?
  var plan: PlanRequest?
  var deletesIfMigrationNeeded = false
  var compaction: CompactionCondition?
  var seed: String?
  /// Whether a missing file is created.
  var creates = false
  var classes = ClassSelection.all
  var allowsUpgrade = false
  var policy = MigrationPolicy()
  var access = InPlaceAccess()
  var backupRule = BackupRule.always
  /// Where the result goes, if not to the realm itself.
  var destination: OutputTarget?
  /// How it is encrypted there; the realm itself keeps its key.
  var outputKey = OutputKey.same
  /// Whether the realm is compacted when it is changed.
  var compacts = false
  var dryRun = false
  var verifies = true
  /// Whether only what is written is verified, if objects of a file are changed in place.
  var verifiesChangesOnly = false
  /// Whether the command opens the realm as an app does: with a seed, and for writing unless it is read-only.
  var opensLikeApp = false
  /// Whether no question is to be asked.
  var isConfirmed = false

  /// Finds options that cannot be used together.
  func validate() throws(ConfigurationError) {
    var configuration = RealmConfiguration(path: "realm")
    if schema != nil { configuration.schema = Schema() }
    apply(to: &configuration)
    try configuration.validate()
  }

  /// - Parameter target: the schema, if one was requested.
  fileprivate func configuration(key: EncryptionKey?, target: SchemaSource.Target?) -> RealmConfiguration {
    var configuration = RealmConfiguration(path: input.path)
    configuration.encryptionKey = key
    configuration.schema = target?.schema
    configuration.aliases = target?.aliases ?? []
    configuration.defaults = usesDefaults ? target?.defaultValues ?? [:] : [:]
    configuration.classes = target == nil ? .all : classes
    apply(to: &configuration)
    if schema.map({ $0.hasOwnVersion && $0.version == nil }) ?? (target != nil) {
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
        // A division by zero counts as no; `LaunchRun` warns about it afterwards.
        compaction.holds(for: SpaceUse(total: total, free: total - min(used, total))) ?? false
      }
    }
  }

  /// Whether standard output has the result, so that reports go elsewhere.
  var hasDataOnStandardOutput: Bool { destination?.isStandardOutput == true && !dryRun }

  /// Whether a missing file could be created, but was not requested.
  fileprivate var canCreate: Bool {
    opensLikeApp && schema != nil && seed == nil && !isReadOnly
  }

  /// Where the changes come from.
  fileprivate var changes: ChangeSource {
    if plan?.path != nil { return .plan(isAlone: schema == nil) }
    return opensLikeApp ? .app : plan == nil ? .options : .operations
  }

  /// The error as an app shows it, with advice on what the app has to do.
  ///
  /// - Parameter cause: what the diagnostic was made from.
  fileprivate func inWordsOfApps(_ diagnostic: Diagnostic, _ cause: (any Error)?) -> Diagnostic {
    var diagnostic = diagnostic
    guard opensLikeApp else { return diagnostic }
    switch diagnostic.code {
    case .invalidSchemaVersion
    where schema?.version == nil && schema?.hasOwnVersion == true:
      diagnostic.advice = "use --schema-version with the version of the app"
    case .filePermissionDenied where !isReadOnly:
      guard let path = diagnostic.path, let detail = diagnostic.detail else { break }
      var number: Int32?
      if case .systemCall(input.path, "open", let errorNumber)? = cause as? OutputError,
        errorNumber != EACCES || SafeOutput.isNameTaken(path)
      {
        number = errorNumber
      }
      guard number != nil || path.hasPrefix(input.path + ".") else { break }
      if number != nil { diagnostic.detail = "Failed to open Realm file at path '\(path)': \(detail)" }
      guard SafeOutput.isNameTaken(input.path) else { break }
      // The advice is for a file that can be read.
      do { _ = try SequentialInput(input.path) } catch let error as StorageError {
        return Diagnostic(error, path: input.name)
      } catch {}
      let advice = "use --read-only, as an app has to, or change a copy with --in-memory"
      // Permissions do not explain "operation not permitted", so its own advice comes first.
      diagnostic.advice = [number == EPERM ? diagnostic.advice : nil, advice].compactMap { $0 }.joined(separator: "; ")
    default: break
    }
    return diagnostic
  }

  /// Whether the realm itself is what may be changed.
  var changesFileInPlace: Bool {
    destination == nil && !dryRun && !isInMemory && !isReadOnly
  }
}

/// A target schema.
struct TargetSchemaArgument: Equatable, Sendable {
  /// A schema file, or a realm that has the schema.
  var path: String
  /// Nil for the stored one.
  var version: UInt64?
  /// Whether it is the schema's own version instead, or else 0, as with an app that sets none.
  var hasOwnVersion = false
}
