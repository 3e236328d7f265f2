import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl migrate FILE`: brings a realm to another schema.
struct MigrateCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a realm to another schema and a higher schema version.",
    discussion: """
      Does what an app without a migration function would do that opens the realm
      with the schema: adds classes, properties and indexes, makes properties
      optional, moves primary keys, embeds classes. Nothing is ever converted: a
      property of another type begins empty. What would lose data stops the
      migration before anything is changed (status 7), unless --allow-data-loss is
      given. The change is one transaction: done as a whole or not at all. A backup
      is kept beside the file, and the report says how to go back. Where the list of
      free space is wrong, so that writing would destroy data, nothing is changed and
      'compact' makes a new list; --no-verify leaves this check out.

      Removed values stay in the free space of the file until it is compacted;
      --compact does both in one step, and what -o writes is always compacted.

      At the stored version, new classes and indexes are made as well; anything
      else needs a higher one. A file that an app has open is left alone (status 6).

      Examples:
        realmctl migrate app.realm --schema model.json --to-version 2 --dry-run
        realmctl migrate app.realm --schema model.json --to-version 2
        realmctl migrate app.realm --schema model.json --to-version 2 --compact
        realmctl migrate app.realm --schema new.realm --to-version 5 -o b.realm
        realmctl migrate old.realm --schema model.json --to-version 2 --upgrade

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realm: ChangedRealmArgument

  @Option(
    help: ArgumentHelp(
      "The schema to arrive at: a file as 'schema dump --format json' writes it, or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String

  @Option(help: ArgumentHelp("The schema version to arrive at.", valueName: "number"))
  var toVersion: UInt64

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
    var launch: LaunchRequest
    var form: ReportForm?
  }

  func request() throws -> Request {
    try RealmArgument.requirePath(schema)
    if messages.json, report == .text { throw ValidationError("--json and --report text exclude each other.") }
    var launch = LaunchRequest(input: try realm.input(key: key, verb: "migrated"))
    launch.configuration.schema = TargetSchemaArgument(path: schema, version: toVersion)
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
    return Request(launch: launch, form: report)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.launch.input.key?.read(for: request.launch.input.name)
    let result = try LaunchRun(request: request.launch, console: console).run(key: key)
    guard let report = MigrationReport(result, request.launch) else { return .done }
    try console.tell(report.text(), json: report.json(), besidesData: false, isJSON: request.form == .json)
    return .done
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
    leavesRemovedValues = result.outcome.leavesRemovedValues
    if case .done(let before, let after) = result.outcome.compaction { sizes = (before, after) }
    source = result.outcome.source
    for case .upgradeFormat(let format) in result.outcome.events { upgradedFrom = format }
  }
}
