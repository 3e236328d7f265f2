import ArgumentParser
import RealmStorage

/// `realmctl schema diff A B`: tells what would have to be migrated.
struct SchemaDiffCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two schemas, in the SDKs' words.",
    usage: "realmctl schema diff [<options>] <a> <b>",
    discussion: """
      Each side is a realm or a schema file, see realmctl-schema(5). The exit status
      is 1 if the schemas differ. The first word of each line says what the change
      takes when an app opens A with the schema of B:

        auto         any schema version will do
        bump         a higher schema version; all stored values stay
        lossy        a higher schema version; values are lost
        conditional  a higher schema version; fails if the objects do not fit

      Examples:
        realmctl schema diff old.realm new.realm
        realmctl schema diff app.realm model.json --json

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @Argument(
    help: ArgumentHelp("Realm or schema file to start from; - is standard input.", valueName: "a"),
    completion: .file(extensions: ["realm", "json"]))
  var first: String
  @Argument(
    help: ArgumentHelp("Realm or schema file to compare with it.", valueName: "b"),
    completion: .file(extensions: ["realm", "json"]))
  var second: String
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var old: String
    var new: String
    var key: KeySource?
  }

  func request() throws -> Request {
    for path in [first, second] { try RealmArgument.requirePath(path) }
    if first == "-", second == "-" { throw ValidationError("Standard input can be used only once.") }
    return Request(old: first, new: second, key: try key.source(besides: [first, second]))
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let source = SchemaSource(key: request.key)
    let old = try source.schema(at: request.old, console)
    let report = SchemaDiffReport(
      from: old, to: try source.schema(at: request.new, console), inputs: [request.old, request.new])
    try StandardOutput.write(console.style.isJSON ? report.json() : report.text())
    return report.difference.isEmpty ? .done : .findings
  }
}
