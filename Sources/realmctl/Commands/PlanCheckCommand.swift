import ArgumentParser
import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// `realmctl plan check PLAN [FILE]`: finds mistakes in a plan.
struct PlanCheckCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFile,
    .done: "the plan is valid",
    .findings: RunStatus.onlyIfStrict,
    .schema: "the plan has mistakes, or cannot run on FILE",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: "realmctl plan",
    abstract: "Check a migration plan without running it.",
    usage: "realmctl plan check [<options>] <plan> [<file>]",
    discussion: .flowing(
      """
      Reports the mistakes in a plan with their lines and columns, without running it.
      With FILE, a plan whose syntax is correct also runs on an empty realm with the
      schema of FILE, which checks names and types; the objects of FILE are not read.
      If FILE already has the plan's last version, only the syntax is checked.
      A removal without
      'lossy: ok' is a warning. 'migrate --dry-run' runs the plan with all objects,
      without writing.

      Examples:
        realmctl plan check plan.yml
        realmctl plan check plan.yml app.realm --json | jq .stepsToRun

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Plan to check; - is standard input.", valueName: "plan"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var plan: String

  @Argument(
    help: ArgumentHelp("Realm that the plan is for; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var file: String?

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var plan: String
    var input: RealmInput?
  }

  func request() throws -> Request {
    let file = try file.map(RealmInput.path(typed:))
    let source = try key.source()
    if source != nil, file == nil {
      throw UsageError("a key needs a realm", advice: "name the one that the plan is for")
    }
    return Request(plan: plan, input: file.map { RealmInput(path: $0, key: source) })
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    // A realm without a version is checked as 'migrate --init' would change it.
    var planRequest = PlanRequest(source: .file(request.plan), isOperand: true)
    planRequest.initializes = true
    let source = PlanSource(request: planRequest, console: console)
    let plan = try source.plan()
    var dryRun: DryRun?
    if let input = request.input {
      let schemas = SchemaSource(key: input.key)
      let schema = try schemas.schema(at: input.path, console)
      let (count, warnings) = try Diagnostic.ofLaunch(input.name) {
        do { return try source.run(plan, schemas: schemas, progress: nil).dryRun(on: schema) } catch let error
          as PlanError
        {
          if let refusal = error.mistakes[0].refusal { throw Diagnostic(refusal, path: input.name) }
          throw console.reportAllButLast(of: error, of: plan, request, name: input.name)
        }
      }
      for warning in warnings { console.warn(Diagnostic(warning, plan: request.plan, path: input.name)) }
      try schemas.requireKeyUse(at: input.path)
      dryRun = (input, schema.version, count)
    }
    for doubt in plan.doubts { Diagnostic(doubt, plan: request.plan).map(console.warn) }
    try console.info(
      Self.text(request.plan, plan, dryRun), json: Self.json(request.plan, plan, dryRun), alongsideData: false)
    return .done
  }

  /// What the plan would do to a realm, and the version that the realm has.
  private typealias DryRun = (input: RealmInput, version: UInt64?, stepCount: Int)

  private static func text(_ path: String, _ plan: MigrationPlan, _ dryRun: DryRun?) -> String {
    var text = "\(path): plan valid; \(plan.steps.count.counted("step")), to version \(plan.lastVersion)"
    if let (input, version, count) = dryRun {
      text += "; \(count == 0 ? "nothing" : count.counted("step")) to run on \(input.name) "
      text += version.map { "(version \($0))" } ?? "(no schema version: 'migrate' needs --init)"
      if count == 0 { text += ", so names and types were not checked" }
    }
    return text + "\n"
  }

  /// `Docs/JSONOutput.md` describes the keys.
  private static func json(_ path: String, _ plan: MigrationPlan, _ dryRun: DryRun?) -> String {
    JSONText.document { json in
      if let dryRun { json.path("input", dryRun.input.path) }
      json.path("plan", path)
      if let dryRun {
        if dryRun.version == nil { json.null("fromVersion") } else { json.member("fromVersion", dryRun.version) }
      }
      json.member("toVersion", plan.lastVersion)
      json.member("planSteps", plan.steps.count)
      if let dryRun { json.member("stepsToRun", dryRun.stepCount) }
    }
  }
}

extension Console {
  /// Reports what keeps a plan from running, and warns of what may.
  ///
  /// - Returns: the last of them.
  fileprivate func reportAllButLast(
    of error: PlanError, of plan: MigrationPlan, _ request: PlanCheckCommand.Request, name: String
  ) -> Diagnostic {
    // What keeps an operation from running is more than a doubt about it.
    for doubt in plan.doubts where !error.mistakes.contains(where: { $0.isAbout(doubt, in: plan) }) {
      Diagnostic(doubt, plan: request.plan).map(warn)
    }
    let failures = error.mistakes.prefix(Self.mostMistakes).map {
      Diagnostic($0, path: name, plan: request.plan, isCheck: true)
    }
    for failure in failures.dropLast() { report(failure) }
    return failures.last ?? Diagnostic(.schema, .invalidInput, path: request.plan, "cannot run")
  }
}
