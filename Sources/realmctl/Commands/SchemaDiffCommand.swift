import ArgumentParser
import RealmStorage

/// `realmctl schema diff A B`: tells what would have to be migrated.
struct SchemaDiffCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell what would have to be migrated from one schema to another, in the SDKs' words.",
    discussion: """
      A and B are realms, or schema files as 'schema dump --format json' writes them.
      The status is 1 where the schemas differ. In front of each line stands what
      the change costs an app that opens A with the schema of B:

        auto         done at any schema version, or nothing has to be done
        bump         needs a higher schema version; no stored value is lost
        lossy        needs a higher schema version, and values are lost
        conditional  needs a higher schema version and objects that fit

      Examples:
        realmctl schema diff old.realm new.realm
        realmctl schema diff app.realm model.json --json

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @Argument(
    help: ArgumentHelp("The realm or schema file to start from.", valueName: "a"),
    completion: .file(extensions: ["realm", "json"]))
  var first: String
  @Argument(
    help: ArgumentHelp("The realm or schema file to arrive at.", valueName: "b"),
    completion: .file(extensions: ["realm", "json"]))
  var second: String
  @OptionGroup(title: "Encryption key, for the realms that are encrypted") var key: KeyOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var old: String
    var new: String
    var key: KeySource?
  }

  func request() throws -> Request {
    for path in [first, second] { try RealmArgument.requirePath(path) }
    if first == "-", second == "-" { throw ValidationError("Standard input can be only one of the two.") }
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
