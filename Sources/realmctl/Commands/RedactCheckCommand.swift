import ArgumentParser
import RealmExchange
import RealmMigration
import RealmRedaction
import RealmStorage
import RealmText

/// `realmctl redact check RULES FILE`: find properties without a rule, and rules that do not fit.
struct RedactCheckCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .findings: RunStatus.onlyIfStrict,
    .notFound: RunStatus.noFileOrSnapshot,
    .done: "every property has a rule, and every rule fits",
    .schema: "rules are missing, or wrong",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: "realmctl redact",
    abstract: "Check redaction rules against a realm.",
    usage: "realmctl redact check [<options>] <rules> <file>",
    discussion: .flowing(
      """
      Reports the mistakes in redaction rules with their lines and columns: first
      unknown keys and invalid conditions; if there are none, unknown classes and
      properties, and rules that do not fit a type. Properties without a rule are also
      listed, so that a build fails when the model gets a new property; with a
      'default' in the rules, they are not. FILE is only read; any realm with the
      schema of the app will do.

      Each property whose strings stay as they are is listed with its number of
      different values and the length of the longest. If only 'default: keep' keeps
      them, there is a warning, so that --strict fails.

      realmctl-redaction(5) describes rules.

      Examples:
        realmctl redact check rules.yml app.realm
        realmctl redact check rules.yml app.realm --json | jq '.unnamed[]'

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Rules to check; - is standard input.", valueName: "rules"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var rules: String

  @Argument(help: .realm, completion: .realm) var file: String
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var rules: String
    var input: RealmInput
  }

  func request() throws -> Request {
    var input = try RealmInput(file, key, snapshot.choice)
    input.key = try key.source()
    return Request(rules: rules, input: input)
  }

  private static func covered(_ count: Int) -> String {
    count == 1 ? "the only property" : "each of the \(count) properties"
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let source = RedactionSource(request: RedactionRequest(rules: request.rules, isOperand: true), console: console)
    let rules = try source.rules()
    let (count, kept, error) = try request.input.read(console) { realm -> (Int, [KeptStrings], RuleMistakes?) in
      try realm.requireReadable(.all)
      realm.warnIfHeld(on: console)
      let count = realm.snapshot.schema.classes.reduce(0) { $0 + $1.properties.count }
      do {
        return (count, try Redaction(rules, source.key(), of: realm.snapshot).keptStrings(), nil)
      } catch RedactionError.rules(let mistakes) {
        return (count, [], mistakes)
      }
    }
    for diagnostic in error?.diagnostics(rules: request.rules, realm: request.input.name) ?? [] {
      console.report(diagnostic)
    }
    if let diagnostic = kept.diagnostic(rules: request.rules) { console.warn(diagnostic) }
    let wrong = (error?.mistakes.count ?? 0, error?.unnamed.count ?? 0)
    let text =
      error == nil
      ? (["\(request.rules): rules valid; \(Self.covered(count)) of \(request.input.name) has a rule"]
        + kept.lines.map { PrintableText.escaping($0) }).map { $0 + "\n" }.joined() : ""
    let json = JSONText.document { json in
      json.path("input", request.input.path)
      json.path("rulesFile", request.rules)
      json.member("propertyCount", count)
      json.member("mistakes", wrong.0)
      json.texts("unnamed", error?.unnamed ?? [])
      kept.add(to: json)
    }
    try console.info(text, json: json, alongsideData: false)
    return error == nil ? .done : .schema
  }
}
