import ArgumentParser
import RealmStorage

/// `realmctl schema diff A B`: show what would have to be migrated.
struct SchemaDiffCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrSnapshot,
    .done: "the schemas are the same",
    .findings: "they differ; with --strict: a warning",
    .schema: "a schema file is not valid",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: "realmctl schema",
    abstract: "Compare two schemas.",
    usage: """
      realmctl schema diff [<options>] <a> <b>
      realmctl schema diff [<options>] <a> --against <snapshot>
      """,
    discussion: .flowing(
      """
      Compares two schemas, and says what an app needs to go from one to the other.
      Each side is a realm or a schema file (see realmctl-schema(5)). The first word of
      each line says what the change requires if an app opens A with the schema of B:

        auto         no new schema version
        bump         a higher schema version; all stored values stay
        lossy        a higher schema version; values are lost
        conditional  a higher schema version; fails if objects do not fit

      With --against, a realm is compared with an older snapshot of itself; otherwise,
      --snapshot reads an older snapshot of A.

      Examples:
        realmctl schema diff old.realm new.realm
        realmctl schema diff app.realm model.json --json
        realmctl schema diff app.realm --against previous

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Realm or schema file to start from; - is standard input.", valueName: "a"),
    completion: .file(extensions: ["realm", "json"]))
  var first: String
  @Argument(
    help: ArgumentHelp("Newer realm or schema file; omit with --against.", valueName: "b"),
    completion: .file(extensions: ["realm", "json"]))
  var second: String?
  @Option(
    help: ArgumentHelp("Older snapshot to compare with: previous, or a byte offset.", valueName: "snapshot"))
  var against: SnapshotArgument?
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the newer realm, if different") var newKey: NewKeyOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var old: String
    var new: String
    var key: KeySource?
    /// The snapshot of the first side.
    var against = SnapshotChoice.live
    /// Key of the newer realm, if it has another.
    var newKey: KeySource?
  }

  func request() throws -> Request {
    if against != nil, let second { throw UsageError("--against takes one realm", advice: "omit '\(second)'") }
    guard second != nil || against != nil else {
      throw UsageError("missing second schema", advice: "name one, or use --against")
    }
    let paths = try [first, second].compactMap { try $0.map(RealmInput.path(typed:)) }
    guard against == nil || snapshot.snapshot == nil else {
      throw UsageError("--against and --snapshot cannot be used together")
    }
    let key = try key.source()
    return Request(
      old: paths[0], new: paths[paths.count - 1], key: key, against: against?.choice ?? snapshot.choice,
      newKey: try newKey.source(comparedTo: key, inputCount: paths.count))
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let source = SchemaSource(key: request.key)
    let old = try source.schema(at: request.old, choosing: request.against, console)
    let newSource = request.newKey.map { SchemaSource(key: $0) } ?? source
    let report = SchemaDiffReport(
      from: old, to: try newSource.schema(at: request.new, console), inputs: [request.old, request.new])
    try source.requireKeyUse(at: request.old)
    if request.newKey != nil { try newSource.requireKeyUse(at: request.new) }
    try StandardOutput.write(console.style.isJSON ? report.json() : report.text())
    return report.difference.isEmpty ? .done : .findings
  }
}
