import ArgumentParser
import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmTools

/// `realmctl plan new FILE`: draft a plan.
struct PlanNewCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .findings: RunStatus.onlyIfStrict,
    .notFound: RunStatus.noFileOrSnapshot,
    .schema: "a schema file is not valid, or the version is not higher",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "new", _superCommandName: "realmctl plan",
    abstract: "Draft a migration plan to a target schema.",
    usage: "realmctl plan new [<options>] <file> --schema <path>\n  --to-version <number>",
    discussion: .flowing(
      """
      Prints a migration plan, in YAML, that takes a realm to a target schema. It is a
      draft: read it before 'migrate' runs it. If a property has another type in the
      target schema, the plan converts its values if the types allow it; 'migrate'
      stops at a value that does not fit, unless 'on_error' says what to do. A property
      that was removed and one of the same type that was added may be a rename; the
      plan suggests it in a comment.

      realmctl-plan(5) describes plans, realmctl-schema(5) schema files. With --json,
      the plan is a string in an object.

      Examples:
        realmctl plan new a.realm --schema model.json --to-version 3 -o plan.yml
        realmctl plan check plan.yml app.realm

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String

  @Option(
    help: ArgumentHelp("Target schema: a schema file or a realm.", valueName: "path"),
    completion: .file(extensions: ["json", "realm"]))
  var schema: String

  @Option(help: ArgumentHelp("Target schema version.", valueName: "number"))
  var toVersion: UInt64

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var schema: String
    var version: UInt64
    var destination: OutputDestination
  }

  func request() throws -> Request {
    try Optional(toVersion).requireSchemaVersion()
    return Request(
      input: try RealmInput(file, key, snapshot.choice), schema: schema, version: toVersion,
      destination: try output.destination(ofYAML: "plans"))
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let source = SchemaSource(key: request.input.key, usesDefaults: true)
    let stored = try source.schema(at: request.input.path, choosing: request.input.snapshot, console)
    if let version = stored.version, request.version <= version {
      throw Diagnostic(
        .schema, .invalidSchemaVersion, path: request.input.name,
        "already at schema version \(version)",
        advice: "use --to-version \(version &+ 1) or higher")
    }
    let target = try source.localTarget(at: request.schema, console)
    try source.requireKeyUse(at: request.input.path)
    let text = PlanSkeleton(
      from: stored, to: target.schema, version: request.version, defaults: target.defaults
    ).yaml()
    try OutputSink.write(
      text.utf8, json: Self.json(text, request, from: stored.version).utf8, to: request.destination,
      of: [request.input, RealmInput(path: request.schema)], on: console)
    return .done
  }

  /// `Docs/JSONOutput.md` describes the keys.
  private static func json(_ plan: String, _ request: Request, from version: UInt64?) -> String {
    JSONText.document { json in
      json.path("input", request.input.path)
      json.orNull("fromVersion", version)
      json.member("toVersion", request.version)
      json.member("planText", plan)
    }
  }
}
