import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl migrate FILE`: brings a realm to another schema.
struct MigrateCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Change the schema of a realm.",
    discussion: """
      Makes the changes that an app without a migration function would make: add
      classes, properties and indexes, make properties optional, move primary keys,
      embed classes. Values are never converted: a property with a new type starts
      empty. If data would be lost, the command stops (status 7) unless
      --allow-data-loss is given.

      The change is one transaction, all or nothing. A backup is kept next to the
      file, and the report shows how to restore it. A file that an app has open is
      left alone (status 6). At the stored version only new classes and indexes are
      possible; all other changes need a higher one.

      First, the nodes in use are compared with the list of free space. If that list
      is wrong, writing would destroy data, so nothing is changed; 'compact' fixes
      the list. --no-verify skips the comparison.

      Removed values stay in the free space of the file until it is compacted.
      --compact does that too; -o always writes a compacted file.

      When a class becomes embedded, each of its objects must have one parent.
      --on-orphan and --on-shared say what happens to the others; with
      --allow-data-loss, orphans are deleted unless --on-orphan fail is given.

      realmctl-schema(5) describes schema files.

      Examples:
        realmctl migrate app.realm --schema model.json --to-version 2 --dry-run
        realmctl migrate app.realm --schema model.json --to-version 2
        realmctl migrate app.realm --schema model.json --to-version 2 --compact
        realmctl migrate app.realm --schema new.realm --to-version 5 -o b.realm
        realmctl migrate old.realm --schema model.json --to-version 2 --upgrade

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-migrate-TIME.realm              backup, unless --no-backup is given

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realm: ChangedRealmArgument

  @Option(
    help: ArgumentHelp("Target schema: a schema file or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String

  @Option(help: ArgumentHelp("Target schema version.", valueName: "number"))
  var toVersion: UInt64

  @Flag(help: "Compact as well, so that removed values are gone.")
  var compact = false

  @Option(help: ArgumentHelp("Form of the report.", valueName: "form"))
  var report: ReportForm?

  @OptionGroup(title: "Data loss") var migration: MigrationOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var launch: LaunchRequest
    var form: ReportForm?
  }

  func request() throws -> Request {
    try RealmArgument.requirePath(schema)
    if messages.json, report == .text { throw ValidationError("--json and --report text cannot be used together.") }
    var launch = LaunchRequest(input: try realm.input(key: key, verb: "migrated"))
    launch.configuration.schema = TargetSchemaArgument(path: schema, version: toVersion)
    launch.configuration.policy = migration.policy()
    launch.access = try inPlace.access()
    launch.configuration.allowsUpgrade = launch.access.allowsUpgrade
    try target.apply(to: &launch, key: outputKey)
    launch.compacts = compact
    if compact, target.output != nil {
      throw ValidationError("--compact cannot be used with -o, which always compacts.")
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
