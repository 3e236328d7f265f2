import ArgumentParser
import RealmMigration
import RealmStorage
import RealmTools

/// `realmctl migrate FILE`: brings a realm to another schema.
struct MigrateCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a realm to a higher schema version, by a plan or a schema.",
    discussion: """
      By a plan (--plan, see realmctl-plan(5)): renames, converts, computes, splits
      and joins, version by version, whatever version the file has. By a schema
      (--schema): does what an app without a migration function would do that opens
      the realm with it: adds classes, properties and indexes, makes properties
      optional, moves primary keys, embeds classes; a property of another type
      begins empty. By both: the plan, then what is still different.

      What would lose data stops the migration before anything is changed (status
      7), unless --allow-data-loss is given or the plan says 'lossy: ok'. The change
      is one transaction: done as a whole or not at all. A backup is kept beside the
      file, and the report says how to go back. Where the list of free space is
      wrong, so that writing would destroy data, nothing is changed and 'compact'
      makes a new list; --no-verify leaves this check out.

      Removed values stay in the free space of the file until it is compacted;
      --compact does both in one step, and what -o writes is always compacted.

      At the stored version, --schema makes new classes and indexes as well;
      anything else needs a higher one. A file that an app has open is left alone
      (status 6). Several files are migrated one after another, each on its own.

      Examples:
        realmctl migrate app.realm --plan plan.yml --to-version 3 --dry-run
        realmctl migrate app.realm --plan plan.yml --to-version 3
        realmctl migrate app.realm --rename Person.age=years --to-version 2
        realmctl migrate app.realm --convert Person.age=string --to-version 2
        realmctl migrate app.realm --schema model.json --to-version 2 --compact
        realmctl migrate app.realm --schema new.realm --to-version 5 -o b.realm
        realmctl migrate *.realm --plan plan.yml --to-version 3 --upgrade

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realms: ChangedRealmArguments

  @OptionGroup(title: "What to change") var changes: PlanOptionGroup

  @Option(
    help: ArgumentHelp(
      "The schema to arrive at: a file as 'schema dump --format json' writes it, or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String?

  @Option(
    help: ArgumentHelp("The schema version to arrive at; with a plan, its last one unless given.", valueName: "number"))
  var toVersion: UInt64?

  @Option(help: ArgumentHelp("Show so many objects of each class before and after.", valueName: "number"))
  var show = 0

  @Flag(help: "Compact the realm in the same step, so that removed values are gone from the file.")
  var compact = false

  @Option(help: ArgumentHelp("How to report: text or json.", valueName: "form"))
  var report: ReportForm?

  @OptionGroup(title: "What may be lost") var migration: MigrationOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the file that -o names") var outputKey: OutputKeyOptions
  @OptionGroup(title: "In place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    /// One for each file; all else is the same.
    var launches: [LaunchRequest]
    var form: ReportForm?
  }

  func request() throws -> Request {
    try schema.map(RealmArgument.requirePath)
    if messages.json, report == .text { throw ValidationError("--json and --report text exclude each other.") }
    let inputs = try realms.inputs(key: key, verb: "migrated")
    let launches = try inputs.map { try launch($0) }
    if inputs.count > 1 {
      guard target.output == nil else { throw ValidationError("-o takes the result of one realm, not of several.") }
      guard inPlace.backup.backup == nil else {
        throw ValidationError("--backup names the backup of one realm; those of several go beside them.")
      }
    }
    return Request(launches: launches, form: report)
  }

  private func launch(_ input: RealmInput) throws -> LaunchRequest {
    var launch = LaunchRequest(input: input)
    launch.configuration.plan = try changes.request(version: toVersion)
    guard schema != nil || launch.configuration.plan != nil else {
      throw ValidationError("Nothing to do: give --plan, --schema, --rename, --convert, --set or --delete-class.")
    }
    guard 0...1000 ~= show else { throw ValidationError("--show takes a number from 0 to 1000.") }
    guard show == 0 || launch.configuration.plan != nil else { throw ValidationError("--show needs a plan.") }
    launch.configuration.plan?.sampleCount = show
    if let schema {
      guard let toVersion else { throw ValidationError("--schema needs --to-version.") }
      launch.configuration.schema = TargetSchemaArgument(path: schema, version: toVersion)
      launch.configuration.plan?.isFollowedBySchema = true
    }
    launch.configuration.policy = migration.policy()
    launch.access = try inPlace.access()
    launch.configuration.allowsUpgrade = launch.access.allowsUpgrade
    try target.apply(to: &launch, key: outputKey)
    launch.compacts = compact
    if compact, target.output != nil {
      throw ValidationError("--compact is for changing the file in place; what -o writes is always compacted.")
    }
    do throws(ConfigurationError) { try launch.configuration.validate() } catch {
      throw ValidationError(error.description)
    }
    return launch
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    guard let first = request.launches.first else { return .done }
    let plan = try first.configuration.plan.map { try PlanSource(request: $0, console: console).plan() }
    var summary = MigrationSummary()
    let status = try SeveralRealms(inputs: request.launches.map(\.input), console: console).forEach { input, key in
      var launch = first
      launch.input = input
      let result = try LaunchRun(request: launch, console: console).run(key: key, plan: plan) { report in
        // A rehearsal tells all it found, also where it ends in a refusal.
        guard launch.isDryRun else { return }
        try tell(MigrationReport(stopped: report, launch), request, console)
      }
      return (result, launch)
    } show: { result, launch in
      summary.add(result)
      if let report = MigrationReport(result, launch) { try tell(report, request, console) }
      return .done
    }
    if request.launches.count > 1, request.form != .json {
      try console.tell(summary.text(of: request.launches.count, isDryRun: first.isDryRun), json: "", besidesData: false)
    }
    return status
  }

  private func tell(_ report: MigrationReport, _ request: Request, _ console: Console) throws {
    let json = report.json(isIndented: request.launches.count == 1)
    try console.tell(report.text(), json: json, besidesData: false, isJSON: request.form == .json)
  }
}

/// What became of several realms.
private struct MigrationSummary {
  private var migrated = 0
  private var unchanged = 0

  mutating func add(_ result: LaunchRun.Result) {
    if result.outcome.changesFile { migrated += 1 } else { unchanged += 1 }
  }

  /// `3 realms: 1 migrated, 1 with nothing to do, 1 failed`
  func text(of total: Int, isDryRun: Bool) -> String {
    var parts = ["\(migrated) \(isDryRun ? "would be migrated" : "migrated")"]
    if unchanged > 0 { parts.append("\(unchanged) with nothing to do") }
    if migrated + unchanged < total { parts.append("\(total - migrated - unchanged) failed") }
    return "\(total) realms: \(parts.joined(separator: ", "))\n"
  }
}

/// The form of a report.
enum ReportForm: String, CaseIterable, ExpressibleByArgument, Sendable {
  case text, json
}

extension MigrationReport {
  /// Nil where no schema was asked for.
  init?(_ result: LaunchRun.Result, _ request: LaunchRequest) {
    guard let migration = result.outcome.migration else { return nil }
    self.init(path: request.input.path, outcome: migration)
    isDryRun = request.isDryRun
    backup = result.outcome.backup
    output = request.destination?.path
    writes = result.outcome.changesFile
    seconds = result.seconds
    plan = result.plan
    leavesRemovedValues = result.outcome.leavesRemovedValues
    if case .done(let before, let after) = result.outcome.compaction { sizes = (before, after) }
    source = result.outcome.source
    for case .upgradeFormat(let format) in result.outcome.events { upgradedFrom = format }
  }
}

extension MigrationReport {
  /// As far as a plan came that something stopped.
  init(stopped report: PlanReport, _ request: LaunchRequest) {
    let unchanged = SchemaDifference(from: Schema(), to: Schema())
    self.init(path: request.input.path, outcome: MigrationOutcome(from: report.from, to: report.to, difference: unchanged))
    isDryRun = request.isDryRun
    plan = report
  }
}
