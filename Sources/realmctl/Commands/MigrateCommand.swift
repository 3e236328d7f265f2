import ArgumentParser
import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmTools

/// `realmctl migrate FILE`: change the schema of a realm.
struct MigrateCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrClass,
    .done: "migrated, or nothing to do",
    .findings: RunStatus.onlyIfStrict,
    .format: "file format not supported, or --upgrade is needed",
    .schema: "the plan or schema fails, or data would be lost; nothing was changed",
    .inUse: RunStatus.heldByApp,
    .query: "the query of --where is wrong",
  ]

  static let configuration = CommandConfiguration(
    commandName: "migrate", _superCommandName: "realmctl",
    abstract: "Change the schema of a realm, by a plan or to a target schema.",
    usage: """
      realmctl migrate [<options>] <file> ...
      realmctl migrate [<options>] --restore-backups <report>
      """,
    discussion: .flowing(
      """
      Changes the schema of a realm in place: by a migration plan (--plan), to the
      schema of the app's new model (--schema), or both, the plan first. --to-version
      alone only raises the schema version. Try it with --dry-run, which does
      everything in memory and prints the same report.

      A plan renames, converts, computes and more, version by version, starting at the
      version that the file has; see realmctl-plan(5). --rename, --convert, --set and
      --delete-class are one-line plans; --where selects the objects that --set
      changes.

      --schema (see realmctl-schema(5)) makes the changes that an app without a
      migration function would make: add classes, add or remove properties and
      indexes, make properties optional, move primary keys, embed classes. It removes
      no classes and converts no values: a property that becomes required or gets
      another type loses its values. When a class becomes embedded, --on-orphan and
      --on-shared say what happens to objects without a parent, and to those with
      several.

      The change is one transaction, all or nothing. A backup is kept next to the
      file, and the report shows how to restore it. If data would be lost, the command
      stops (status 7) unless --allow-data-loss is given or the plan says 'lossy: ok'.
      Removed values stay in the free space of the file until it is compacted, which
      --compact does in the same step. A file that an app has open is left alone
      (status 6).

      Only adding classes, and adding or removing indexes, needs no higher version. A plan
      whose last version the realm already has does not run; that is an error (status
      7) if its last step would still change the schema.

      Several files are migrated one after another; backups among them
      (such as app.pre-migrate-TIME.realm) are skipped.
      An error in one does not stop the others, and the exit status is the highest.
      --json prints one report for all of them, from which --restore-backups restores
      every file.

      Examples:
        realmctl migrate app.realm --plan plan.yml --to-version 3 --dry-run
        realmctl migrate app.realm --plan plan.yml --to-version 3
        realmctl migrate app.realm --rename Person.age=years --to-version 2
        realmctl migrate app.realm --convert Person.age=string --to-version 2
        realmctl migrate a.realm --set P.x=0 --where 'P:x == null' --to-version 2
        realmctl migrate app.realm --schema model.json --to-version 2 --compact
        realmctl migrate app.realm --schema new.realm --to-version 5 -o b.realm
        realmctl migrate *.realm --plan plan.yml --json > done.json
        realmctl migrate --restore-backups done.json

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-migrate-TIME.realm              backup, unless --no-backup is given
        app.pre-restore-TIME.realm              file that --restore-backups replaced

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .changedRealms, completion: .realm) var files: [String] = []

  @OptionGroup var changes: PlanOptionGroup

  @Option(
    help: ArgumentHelp("Target schema: a schema file or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String?

  @Option(help: ArgumentHelp("Target schema version; without --schema, the plan's last.", valueName: "number"))
  var toVersion: UInt64?

  @Option(help: ArgumentHelp("Objects of each class to show before and after.", valueName: "number"))
  var show = 0

  @Flag(help: "Also compact, so that no removed values stay in the file.")
  var compact = false

  @Option(
    help: ArgumentHelp(
      "Report format; by default text, or json with --json.",
      discussion: "With --json, errors and warnings are JSON as well.", valueName: "format"))
  var reportFormat: ReportForm?

  @Option(
    help: ArgumentHelp(
      "Restore backups named by a JSON report; - is standard input.",
      discussion: "With --force, also in place of files that have changed since.", valueName: "report"),
    completion: .file(extensions: ["json"]))
  var restoreBackups: String?

  @OptionGroup(title: "Data loss") var migration: MigrationOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    /// One for each file; all else is the same.
    var launches: [LaunchRequest]
    var form: ReportForm?
    /// Backups to restore, and nothing else.
    var restore: RestoreRun.Request?
  }

  func request() throws -> Request {
    if messages.json, reportFormat == .text {
      throw UsageError("--json and --report-format text cannot be used together")
    }
    if let restoreBackups { return Request(launches: [], form: reportFormat, restore: try restore(restoreBackups)) }
    guard !files.isEmpty else { throw UsageError("missing argument '<file> ...'") }
    let inputs = try RealmInput.all(files, key, changing: "migrated")
    let launches = try inputs.map { try launch($0) }
    try inPlace.backup.requireSeveral(inputs, output: target.output)
    return Request(launches: launches, form: reportFormat)
  }

  /// Only options about changing files can be used there.
  private func restore(_ report: String) throws -> RestoreRun.Request {
    if let file = files.first {
      throw UsageError("--restore-backups takes the files from the report", advice: "omit '\(file)'")
    }
    guard schema == nil, toVersion == nil, !changes.isGiven, !compact, target.output == nil else {
      throw UsageError(
        "--restore-backups cannot be used with other changes")
    }
    return RestoreRun.Request(
      report: report, access: try inPlace.access(), dryRun: target.writing.dryRun, isForced: target.writing.force)
  }

  private func launch(_ input: RealmInput) throws -> LaunchRequest {
    var launch = LaunchRequest(input: input)
    try toVersion.requireSchemaVersion()
    launch.plan = try changes.request(version: toVersion)
    let misplaced = schema == nil && launch.plan == nil ? OperandAdvice.forChange(in: files) : nil
    guard misplaced == nil, schema != nil || toVersion != nil || launch.plan != nil else {
      throw UsageError(
        "missing change",
        advice: misplaced ?? "use --plan, --schema, --rename, --convert, --set or --delete-class")
    }
    try NumberRange.require(show, "--show")
    guard show == 0 || launch.plan != nil else {
      throw UsageError("--show needs --plan, --rename, --convert, --set or --delete-class")
    }
    if launch.plan == nil, schema == nil, let toVersion { launch.plan = .raisingVersion(to: toVersion) }
    launch.plan?.sampleCount = show
    launch.plan?.refusesIdle = target.output == nil && schema == nil
    if let schema {
      guard let toVersion else { throw UsageError("--schema needs --to-version") }
      launch.schema = TargetSchemaArgument(path: schema, version: toVersion)
      launch.plan?.isFollowedBySchema = true
      launch.usesDefaults = true
    }
    launch.policy = migration.policy()
    launch.access = try inPlace.access()
    launch.allowsUpgrade = launch.access.allowsUpgrade
    try target.apply(to: &launch, key: outputKey)
    launch.compacts = compact
    if compact, target.output != nil {
      throw UsageError("--compact cannot be used with -o, which always compacts")
    }
    do throws(ConfigurationError) { try launch.validate() } catch {
      throw UsageError(error.inOptions)
    }
    return launch
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    if let restore = request.restore { return try RestoreRun(request: restore, console: console).run() }
    guard let first = request.launches.first else { return .done }
    let realms = RealmBatch(inputs: request.launches.map(\.input), changing: true, console: console)
    try realms.requireBoth()
    var batch = MigrationBatch(realms, dryRun: first.dryRun)
    let isOnlyOne = request.launches.count == 1
    let plan = try first.plan.map { try PlanSource(request: $0, console: console).plan() }
    // What is wrong with it is said once, and not for each realm.
    let target = try (isOnlyOne ? nil : first.schema).flatMap {
      try SchemaSource.target(ofFile: $0.path, usesDefaults: first.usesDefaults, console)
    }
    func run(_ input: RealmInput, _ key: EncryptionKey?) throws -> MigrationReport? {
      var launch = first
      launch.input = input
      let result = try LaunchRun(request: launch, console: console).run(key: key, plan: plan, target: target) {
        report in
        // A dry run reports everything it found, even if it ends with an error.
        guard launch.dryRun else { return }
        batch.stopped = MigrationReport(stopped: report, launch)
        try batch.stopped.map { try tell($0, request, console, isOnlyOne) }
      }
      var report = MigrationReport(result, launch)
      if request.form == .json || console.style.isJSON { try report?.addDigest() }
      return report
    }
    guard !isOnlyOne else {
      let report = try run(first.input, first.input.key?.read(for: first.input.name))
      try report.map { try tell($0, request, console, isOnlyOne) }
      return .done
    }
    let status = try realms.forEach { input, key in
      try run(input, key)
    } failed: { input, failure in
      batch.add(failure, of: input)
    } show: { report in
      guard let report else { return .done }
      batch.add(report)
      try tell(report, request, console, isOnlyOne)
      return .done
    }
    try console.info(batch.text(), json: batch.json(), alongsideData: false, isJSON: request.form == .json)
    return status
  }

  /// The JSON for several files is one document, written at the end.
  private func tell(
    _ report: MigrationReport, _ request: Request, _ console: Console, _ isOnlyOne: Bool
  ) throws {
    let isJSON = request.form == .json || console.style.isJSON
    guard isOnlyOne || !isJSON else { return }
    let hasData = request.launches.first?.hasDataOnStandardOutput == true
    try console.info(report.text(), json: report.json(), alongsideData: hasData, isJSON: isJSON)
  }
}

/// The form of a report.
enum ReportForm: String, CaseIterable, ExpressibleByArgument, Sendable {
  case text, json
}

extension MigrationReport {
  /// Nil if no schema was given.
  init?(_ result: LaunchRun.Result, _ request: LaunchRequest) {
    guard let migration = result.outcome.migration else { return nil }
    self.init(path: request.input.path, outcome: migration)
    dryRun = request.dryRun
    backup = result.outcome.backup
    (output, outputSize) = (request.destination?.path, result.outcome.copy?.written.fileSize)
    writes = result.outcome.changesFile
    seconds = result.seconds
    plan = result.plan
    leavesRemovedValues = result.outcome.leavesRemovedValues
    if case .done(let before, let after) = result.outcome.compaction { sizes = (before, after) }
    source = result.outcome.source
    upgradedFrom = result.outcome.upgradedFrom
  }

  /// A hash that later shows whether the file is still as it was left here, so that a backup can be restored.
  mutating func addDigest() throws {
    guard backup != nil, !dryRun, output == nil else { return }
    digest = try StreamDigest.text(ofFileAt: path)
  }
}

extension MigrationReport {
  /// How far a plan got before it was stopped.
  init(stopped report: PlanReport, _ request: LaunchRequest) {
    let unchanged = SchemaDifference(from: Schema(), to: Schema())
    self.init(
      path: request.input.path, outcome: MigrationOutcome(from: report.from, to: report.to, difference: unchanged))
    (dryRun, isStopped) = (request.dryRun, true)
    plan = report
  }
}
