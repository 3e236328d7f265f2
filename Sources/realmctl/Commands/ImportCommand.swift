import ArgumentParser
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// `realmctl import REALM SOURCE…`: import objects from other files into a realm.
struct ImportCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: "no such file, or an option names an unknown class or property",
    .done: "imported, or nothing to do",
    .findings: "objects with mistakes were left out; with --strict: a warning",
    .schema: "data or schema is wrong; nothing was imported",
    .format: "file format not supported, or --upgrade is needed",
    .inUse: RunStatus.heldByApp,
  ]

  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: "realmctl",
    abstract: "Import objects from JSON, CSV, SQLite or a realm.",
    discussion: .flowing(
      """
      Imports objects into a realm, from JSON in any form that 'export' writes, CSV or
      TSV with a header, a SQLite database, or another realm. The file extension
      selects the format. For CSV, the class is the name of the file, or --class.

      Values are converted to the types in the realm. A link is given as the primary
      key of its target, as the object key if the class has none, or with --link as
      the value of another property; sources can be in any order.

      Existing objects are found by primary key, or with --match by another property.
      --mode says what to do with them:

        insert   an existing object is an error (the default)
        upsert   set the properties that the source has
        replace  also reset all others to their defaults
        skip     leave them as they are
        delete   delete them

      The import is one transaction, all or nothing, with a backup next to the file.
      Each wrong value is reported with its line and column: the first 20 on standard
      error, and all of them in the file that --rejects names. If there are more
      mistakes than --max-errors allows (by default none), nothing is imported.

      Schema and schema version stay as they are, unless --create-classes creates
      missing classes or --add-properties adds missing properties, with types that fit
      all values. --create makes a new realm, with the classes of --schema or those
      that --create-classes infers; 'schema infer' prints these as a schema file.

      Examples:
        realmctl import app.realm Person.csv
        realmctl import a.realm Person.csv Dog.csv --link Dog.owner=Person.email
        realmctl import app.realm people.ndjson --class Person --mode upsert
        realmctl import app.realm list.csv --class Todo --delimiter ';' --dry-run
        realmctl import app.realm other.realm --mode skip
        realmctl import new.realm data.json --create --schema model.json
        realmctl import new.realm shop.db --create --create-classes --dry-run

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-edit-TIME.realm                 backup, unless --no-backup is given

      Exit status:
      \(statusTable)
      """))

  @Argument(help: ArgumentHelp("Realm to change.", valueName: "realm"), completion: .realm)
  var file: String

  @Argument(
    help: ArgumentHelp("Files or folders; with --from, - is standard input.", valueName: "source"), completion: .file())
  var sources: [String]

  @OptionGroup(title: "Reading the data") var source: ImportSourceOptions

  @Option(
    help: ArgumentHelp("Key file for a realm to import; forms as for --key-file.", valueName: "path"),
    completion: .file())
  var sourceKeyFile: String?

  @OptionGroup(title: "Objects and links") var rules: ImportRuleOptions

  @Flag(help: "Create a missing realm; needs --schema or --create-classes.")
  var create = false

  @Option(
    help: ArgumentHelp("Schema of a new realm: a schema file or a realm.", valueName: "path"), completion: .file())
  var schema: String?

  @Flag(help: "Create missing classes, with types inferred from the data.")
  var createClasses = false

  @Flag(help: "Add missing properties; needs --to-version.")
  var addProperties = false

  @Option(help: ArgumentHelp("New schema version, for --add-properties.", valueName: "number"))
  var toVersion: UInt64?

  @OptionGroup(title: "New classes") var inference: InferenceOptions

  @Flag(help: "Also compact, so that no removed values stay in the file.")
  var compact = false

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var launch: LaunchRequest
    var work: ImportRun.Request
  }

  func request() throws -> Request {
    let sources = try source.arguments(sources, key: sourceKeyFile.map(KeySource.file), "--source-key-file")
    guard file != "-" else { throw UsageError("standard input cannot be changed", advice: "write it to a file first") }
    var launch = LaunchRequest(input: try RealmInput(file, key))
    launch.access = try inPlace.access()
    launch.allowsUpgrade = launch.access.allowsUpgrade
    if create, target.output == nil { try outputKey.requireNone(creates: true) }
    try target.apply(to: &launch, key: outputKey)
    launch.compacts = compact
    if compact, target.output != nil {
      throw UsageError("--compact cannot be used with -o, which always compacts")
    }
    if create, schema == nil, !createClasses { throw UsageError("--create needs --schema or --create-classes") }
    if schema != nil, !create { throw UsageError("--schema needs --create") }
    let additions: KeyValuePairs = [
      "--create-classes": createClasses, "--add-properties": addProperties, "--create-missing": rules.createMissing,
    ]
    if rules.mode == .delete, let option = additions.given {
      throw UsageError("\(option) cannot be used with --mode delete, which adds nothing")
    }
    try toVersion.requireSchemaVersion()
    if addProperties, toVersion == nil { throw UsageError("--add-properties needs --to-version") }
    if toVersion != nil, !addProperties, !createClasses, !create {
      throw UsageError("--to-version needs --add-properties or --create-classes")
    }
    if let option = inference.given, !createClasses, !addProperties {
      throw UsageError("\(option) needs --create-classes or --add-properties")
    }
    launch.creates = create
    let options = try rules.options(className: source.className, isStrict: messages.strict)
    var work = ImportRun.Request(sources: sources, options: options, rejects: rules.rejects)
    (work.schema, work.version) = (schema, toVersion)
    (work.createsClasses, work.addsProperties) = (createClasses, addProperties)
    work.choices = try inference.choices(links: options.lookups)
    return Request(launch: launch, work: work)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.launch.input.key?.read(for: request.launch.input.name)
    let run = ImportRun(request: request.work, launch: request.launch, console: console)
    let report = try run.run(key: key)
    try console.info(
      report.text(), json: report.json(), alongsideData: request.launch.hasDataOnStandardOutput)
    return report.hasProblems ? .findings : .done
  }
}
