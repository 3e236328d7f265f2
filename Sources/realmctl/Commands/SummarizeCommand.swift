import ArgumentParser
import RealmExchange
import RealmQuery
import RealmStorage

/// `realmctl summarize FILE [CLASS] ['RQL']`: summarize the properties of objects.
struct SummarizeCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .failed: "failed, or part of a damaged realm cannot be read",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
    .findings: RunStatus.onlyIfStrict,
    .schema: "the schema file is not valid, or does not fit the realm",
  ]

  static let configuration = CommandConfiguration(
    commandName: "summarize", _superCommandName: "realmctl",
    abstract: "Summarize the values of each property of a class.",
    discussion: .flowing(
      """
      Shows what the values of each property look like: how many there are, how many
      are null or distinct, the smallest and the largest, the average, and the most
      frequent values with their counts. Without a class, all classes are summarized;
      with a query, only the objects that match.

      Lists, sets and dictionaries are summarized by their elements, whose number is
      also shown. Links are counted by target, embedded objects by content. Equal
      numbers count as one value, whatever their types and digits.

      --columns takes key paths instead of properties: city.name, dogs.@count. --bins
      shows how numbers and dates are distributed.

      All figures are exact up to a million distinct values of a property. Beyond
      that, the number of distinct values is an estimate, within about 1 percent, and
      so may be the counts of values; estimates are marked with ~.

      Examples:
        realmctl summarize app.realm
        realmctl summarize app.realm Person
        realmctl summarize app.realm Person 'age > 30' --top 10
        realmctl summarize app.realm Person --columns city.name,dogs.@count
        realmctl summarize app.realm Person --columns age --bins 20
        realmctl summarize app.realm Person --json | jq .summaries

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String

  @Argument(
    help: ArgumentHelp("Class to summarize; without one, all classes.", valueName: "class"),
    completion: ClassNameCompletion.one)
  var className: String?

  @Argument(
    help: ArgumentHelp("Query; without one, all objects.", valueName: "rql"),
    completion: QueryCompletion.query)
  var rql: String?

  @Option(
    help: ArgumentHelp("Properties or key paths, such as name,city.name.", valueName: "paths"),
    completion: QueryCompletion.paths)
  var columns: String?

  @Option(help: ArgumentHelp("Most frequent values to show.", valueName: "number"))
  var top = 5

  @Option(
    help: ArgumentHelp("Show distributions in about this many ranges.", valueName: "number"))
  var bins: Int?

  @OptionGroup var arguments: QueryArgumentOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var models: InverseOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup var work: WorkLimitOption
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    /// Nil for all classes.
    var className: String?
    /// Nil for all objects.
    var query: QueryInput?
    var dialect: Dialect
    var inverses = InverseSource()
    /// Nil for all properties.
    var columns: [String]?
    var top: Int
    /// Nil for as many as JSON shows.
    var bins: Int?
    var workLimit: ByteLimit?
  }

  func request() throws -> Request {
    try NumberRange.require(top, "--top")
    try NumberRange.require(bins, "--bins")
    if rql == nil, let option = arguments.given { throw UsageError("\(option) needs a query") }
    if columns != nil, className == nil { throw UsageError("--columns needs a class") }
    return Request(
      input: try RealmInput(file, key, snapshot.choice), className: className,
      query: try rql.map { try arguments.query($0) }, dialect: arguments.rqlCompat ? .reference : .standard,
      inverses: models.source, columns: try columns.map { try KeyPathList.paths($0, of: "--columns") }, top: top,
      bins: bins, workLimit: work.workLimit)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let report = try request.input.read(console) { realm in
      realm.warnIfHeld(on: console)
      ByteLimit.apply(request.workLimit, to: realm)
      return try SummaryRun(request, realm, console).run()
    }
    try StandardOutput.write(report.output)
    report.missing.report(on: console, path: request.input.name)
    return report.missing.isEmpty ? .done : .failed
  }
}
