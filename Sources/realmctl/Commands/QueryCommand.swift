import ArgumentParser
import RealmExchange
import RealmQuery
import RealmStorage

/// `realmctl query FILE CLASS ['RQL']`: finds objects.
struct QueryCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .findings: "with --exists: no object matches; with --strict: a warning",
    .failed: "failed, or part of a damaged realm cannot be read",
    .schema: "the schema file is not valid, or does not fit the realm",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "query", _superCommandName: "realmctl",
    abstract: "Find the objects of a class that match a query.",
    usage: "realmctl query [<options>] <file> <class> [<rql>]",
    discussion: .flowing(
      """
      Finds the objects of a class that match a query in RQL, the query language of
      the Realm SDKs; without a query, all objects. On a terminal, they are shown as a
      table that fits the window (--verbose shows whole values); in a file or a pipe,
      as one JSON object per line. --format takes table and the formats of 'export',
      except sqlite; the file extension of -o selects JSON, NDJSON, CSV or TSV. Objects
      come in the order of their object keys, unless the query sorts them.

      The most common operators ('realmctl help rql' explains all of them):
        == != < <= > >=, IN, BETWEEN   compare; [c] after an operator ignores case
        BEGINSWITH, CONTAINS, LIKE     compare text; LIKE has the wildcards * and ?
        AND, OR, NOT                   combine conditions
        ANY dogs.name, dogs.@count     elements of a collection, and their number
        city.name, @links.Person.dogs  a linked object, and objects that link here
        SORT(name ASC) LIMIT(10)       order and limit the result

      --columns shows key paths instead of properties. --group-by counts objects by
      the values of one or more key paths. --backlinks lists what links to each
      object. --sum, --min, --max and --avg compute over each group; without
      --group-by, over all objects. $0 in a query is the first value of --arg, which
      is written as in a query, such as oid(507f1f77bcf86cd799439011); a string needs
      no quotes.

      --schema takes the app's schema file: queries and key paths may then use the
      names of its inverse relationships (linkingObjects), such as owners for
      @links.Person.dogs.

      Examples:
        realmctl query app.realm Person
        realmctl query app.realm Person 'age > 30 SORT(name ASC)'
        realmctl query app.realm Person 'SORT(age DESC) LIMIT(10)'
        realmctl query app.realm Person 'name == $0' --arg Ann
        realmctl query app.realm Person 'ANY dogs.breed == "Beagle"' --count
        realmctl query app.realm Person --columns name,city.name,dogs.@count
        realmctl query app.realm Person 'age > 30' --pretty --links inline
        realmctl query app.realm Person --group-by city.name,active --avg age
        realmctl query app.realm Person 'age > 30' --sum balance
        realmctl query app.realm Dog '_id == 5' --backlinks
        realmctl query app.realm Dog 'owners.@count > 1' --schema app.json

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String

  @Argument(
    help: ArgumentHelp("Class to query.", valueName: "class"), completion: ClassNameCompletion.one)
  var className: String

  @Argument(
    help: ArgumentHelp("Query; without one, all objects.", valueName: "rql"),
    completion: QueryCompletion.query)
  var rql: String?

  @Option(
    help: ArgumentHelp(
      "Properties or key paths, such as name,city.name.", valueName: "paths"), completion: QueryCompletion.paths)
  var columns: String?

  @Option(
    help: ArgumentHelp("Maximum number of objects or groups to show; by default all.", valueName: "number"))
  var limit: Int?

  @Flag(help: "Print how many objects match.")
  var count = false

  @Flag(help: "Print nothing; exit with status 1 if no object matches.")
  var exists = false

  @Flag(help: "Print object keys, one per line.")
  var keys = false

  @Option(
    help: ArgumentHelp("Count objects by key paths, such as city.name,active.", valueName: "paths"),
    completion: QueryCompletion.paths)
  var groupBy: String?

  @Option(
    help: ArgumentHelp("Sum of a key path, in each group; repeatable.", valueName: "path"),
    completion: QueryCompletion.path)
  var sum: [String] = []

  @Option(
    help: ArgumentHelp("Smallest value of a key path, in each group; repeatable.", valueName: "path"),
    completion: QueryCompletion.path)
  var min: [String] = []

  @Option(
    help: ArgumentHelp("Largest value of a key path, in each group; repeatable.", valueName: "path"),
    completion: QueryCompletion.path)
  var max: [String] = []

  @Option(
    help: ArgumentHelp("Average of a key path, in each group; repeatable.", valueName: "path"),
    completion: QueryCompletion.path)
  var avg: [String] = []

  @Flag(help: "Show the links to each object, by class and property.")
  var backlinks = false

  @Flag(help: "Print how the query runs.")
  var explain = false

  @Option(help: ArgumentHelp("Output format; by default from -o, else table or ndjson.", valueName: "format"))
  var format: QueryFormat?

  @OptionGroup var form: ObjectFormOptions
  @OptionGroup var arguments: QueryArgumentOptions

  @Flag(help: "Query an internal table instead of a class.")
  var `internal` = false

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var models: InverseOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup var work: WorkLimitOption
  @OptionGroup(title: "Common options") var messages: MessageOptions

  /// What to print of the objects that match.
  enum Answer: Equatable {
    case objects
    case count
    case exists
    case keys
    case explanation
    case columns([String])
    /// Without a path to group by, all objects are one group.
    case groups(by: [String], [Aggregate])
    case backlinks
  }

  /// What `--sum` and the like compute of each group.
  struct Aggregate: Equatable {
    var function: QueryGroups.Function
    var path: String

    /// The name of the column.
    var name: String { "\(function.rawValue)(\(path))" }
  }

  struct Request: Equatable {
    var input: RealmInput
    var className: String
    var isInternalTable: Bool
    /// Nil for all objects.
    var query: QueryInput
    var matchesEverything: Bool
    var inverses = InverseSource()
    var answer: Answer
    var limit: Int?
    /// Nil to decide by the kind of output.
    var format: QueryFormat?
    /// Options for the text of whole objects; nil if none was given.
    var form: ExportForm?
    var destination: OutputDestination
    var workLimit: ByteLimit?
  }

  func request() throws -> Request {
    try NumberRange.require(limit, "--limit")
    let (option, answer) = try answer()
    if format != nil, [.count, .exists, .keys, .explanation].contains(answer) {
      throw UsageError("--format cannot be used with --count, --exists, --keys or --explain")
    }
    if case .text(let format) = format, format.isCore, let option {
      throw UsageError(
        "\(option) and --format \(format.rawValue) cannot be used together", advice: "the format is for whole objects")
    }
    try requireUseOfLimit(answer, option)
    let destination = try output.destination()
    let format = format ?? named(by: destination, for: answer)
    let form = try objectForm(for: option, format)
    if rql == nil, let option = arguments.given {
      throw UsageError("\(option) needs a query")
    }
    return Request(
      input: try RealmInput(file, key, snapshot.choice), className: className, isInternalTable: `internal`,
      query: try arguments.query(rql ?? "TRUEPREDICATE"), matchesEverything: rql == nil,
      inverses: models.source, answer: answer, limit: limit,
      format: format ?? form.map { .text($0.format) }, form: form, destination: destination,
      workLimit: work.workLimit)
  }

  /// One number is the answer for all objects that match; of what a limit leaves, it would be a wrong one.
  private func requireUseOfLimit(_ answer: Answer, _ option: String?) throws {
    switch answer {
    case .count, .groups(by: [], _): break
    default: return
    }
    guard let limit, let option else { return }
    throw UsageError(
      "--limit and \(option) cannot be used together", advice: "LIMIT(\(limit)) in the query limits the objects")
  }

  /// An option that changes JSON selects JSON on a terminal as well.
  ///
  /// - Parameter other: the option for another answer than the objects.
  private func objectForm(for other: String?, _ format: QueryFormat?) throws -> ExportForm? {
    guard let option = form.given else { return nil }
    let isOfRows = form.csvSafe && option == "--csv-safe" && format != nil
    if let other, !isOfRows {
      throw UsageError("\(other) and \(option) cannot be used together", advice: "\(option) is for whole objects")
    }
    switch format {
    case nil:
      if form.csvSafe { throw UsageError("--csv-safe needs --format csv or tsv") }
      return try form.form(of: form.pretty ? .json : .ndjson)
    case .text(let format): return try form.form(of: format)
    case .table: throw UsageError("\(option) cannot be used with --format table")
    }
  }

  /// The format of the file extension of the output, if the format can be chosen.
  private func named(by destination: OutputDestination, for answer: Answer) -> QueryFormat? {
    switch answer {
    case .count, .exists, .keys, .explanation: nil
    default: FormatEnding(of: destination).flatMap { $0.format == .sqlite ? nil : .text($0.format) }
    }
  }

  /// The answer, and the option that asks for it; none for whole objects.
  private func answer() throws -> (option: String?, answer: Answer) {
    var answers: [(option: String, answer: Answer)] = []
    if count { answers.append(("--count", .count)) }
    if exists { answers.append(("--exists", .exists)) }
    if keys { answers.append(("--keys", .keys)) }
    if explain { answers.append(("--explain", .explanation)) }
    if backlinks { answers.append(("--backlinks", .backlinks)) }
    if let columns { answers.append(("--columns", .columns(try KeyPathList.paths(columns, of: "--columns")))) }
    let aggregates =
      sum.map { Aggregate(function: .sum, path: $0) } + min.map { Aggregate(function: .min, path: $0) }
      + max.map { Aggregate(function: .max, path: $0) } + avg.map { Aggregate(function: .average, path: $0) }
    if let groupBy {
      answers.append(("--group-by", .groups(by: try KeyPathList.paths(groupBy, of: "--group-by"), aggregates)))
    } else if let first = aggregates.first {
      answers.append(("--\(first.function.rawValue)", .groups(by: [], aggregates)))
    }
    if answers.count > 1 {
      throw UsageError("\(answers[0].option) and \(answers[1].option) cannot be used together")
    }
    return answers.first ?? (nil, .objects)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    if case .text(let format) = request.format {
      console.warn(of: format, in: request.destination)
    } else if request.format == nil, ![.count, .exists, .keys, .explanation].contains(request.answer) {
      console.warn(ofAssumed: .ndjson, in: request.destination)
    }
    let sink = try OutputSink(request.destination, isFolder: false, of: [request.input])
    sink.isTabular = request.format?.isTabular == true
    let outcome = try request.input.read(console, canStartAgain: sink.rewind) { realm in
      realm.warnIfHeld(on: console)
      ByteLimit.apply(request.workLimit, to: realm)
      return try QueryRun(request, realm, sink, console).run()
    }
    try sink.finish()
    try console.info(
      OutputReport(sink, at: request.destination, of: request.input, damagedParts: outcome.missing.count))
    outcome.missing.report(on: console, path: request.input.name)
    guard outcome.missing.isEmpty else { return .failed }
    return request.answer == .exists && outcome.count == 0 ? .findings : .done
  }
}

/// The format of a result.
enum QueryFormat: Equatable, Sendable, ExpressibleByArgument, CaseIterable {
  /// Aligned columns, to be read.
  case table
  case text(ExportFormat)

  /// CSV or TSV.
  var isTabular: Bool { if case .text(let format) = self { format.isTabular } else { false } }

  static var allCases: [QueryFormat] { [.table] + ExportFormat.ofTexts.map(QueryFormat.text) }

  init?(argument: String) {
    guard argument != "table" else {
      self = .table
      return
    }
    guard let format = ExportFormat(rawValue: argument), format != .sqlite else { return nil }
    self = .text(format)
  }

  static var allValueStrings: [String] { ["table"] + ExportFormat.ofTexts.map(\.rawValue) }
  static var allValueDescriptions: [String: String] {
    var descriptions = ["table": "Aligned columns"]
    for format in ExportFormat.ofTexts { descriptions[format.rawValue] = format.summary }
    // A query is about one class, so the output is one file, and the class need not be named.
    descriptions[ExportFormat.csv.rawValue] = "Comma-separated values, with a header"
    descriptions[ExportFormat.tsv.rawValue] = "The same, with tabs"
    return descriptions
  }
}
