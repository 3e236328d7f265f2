import ArgumentParser
import RealmExchange
import RealmModels
import RealmStorage
import RealmText

/// `realmctl schema infer SOURCE…`: print a schema file that fits the data in files.
struct SchemaInferCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrClass,
    .findings: RunStatus.onlyIfStrict,
    .schema: "no schema fits the data",
    .format: RunStatus.unknownFormat,
    .inUse: "a source changed while it was read, or an app has the output open",
  ]

  static let configuration = CommandConfiguration(
    commandName: "infer", _superCommandName: "realmctl schema",
    abstract: "Print a schema that fits the data in JSON, CSV, SQLite or realms.",
    discussion: .flowing(
      """
      Prints a schema file that fits data in JSON, CSV, SQLite or realms, for
      'import --create --schema' or 'bundle --schema'. --type, --link and
      --primary-key override what is inferred.

      Each property gets the narrowest type that fits all its values: int, double,
      decimal128, bool, date, uuid, objectId, or else string. In CSV, numbers with
      leading zeros and whole numbers beyond 64 bits stay strings. A missing value
      makes a property optional. A unique column named id, _id or after its class,
      such as personId, becomes the primary key. SQLite tables become classes, and
      foreign keys become links.

      Examples:
        realmctl schema infer Person.csv Dog.csv
        realmctl schema infer Dog.csv Person.csv --link Dog.owner=Person.email
        realmctl schema infer list.csv --class Todo --type Todo.code=string
        realmctl schema infer northwind.db

      Exit status:
      \(statusTable)
      """))

  @Argument(help: ArgumentHelp("Data files or folders.", valueName: "source"), completion: .file())
  var sources: [String]

  @OptionGroup(title: "Reading the data") var source: ImportSourceOptions
  @OptionGroup(title: "New classes") var inference: InferenceOptions

  @Option(
    help: ArgumentHelp("Find targets by a property: Dog.owner=Person.id; repeatable.", valueName: "link"),
    completion: ImportCompletion.link)
  var link: [String] = []

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request {
    var sources: [SourceArgument]
    var choices: [String]
    var options: InferenceOptions
    var links: [PropertyPath: PropertyPath]
    var destination: OutputDestination
  }

  func request() throws -> Request {
    guard !sources.contains("-") else {
      throw UsageError(
        "classes cannot be inferred from standard input, which can be read only once",
        advice: "write it to a file first")
    }
    let links = try ImportRuleOptions.lookups(link, className: source.className)
    _ = try inference.choices(links: links)
    return Request(
      sources: try source.arguments(sources, key: key.source(), "--key-file"),
      choices: inference.type + inference.primaryKey + link,
      options: inference, links: links, destination: try output.destination())
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let inference = SchemaInference(try request.options.choices(links: request.links))
    for source in try SourceArgument.arranged(request.sources) { try source.infer(into: inference) }
    for rows in inference.skippedRows {
      let more = rows.count > 1 ? ", like \((rows.count - 1).counted("row")) below" : ""
      console.warn(
        Diagnostic(
          .done, .invalidInput, path: rows.path, at: SourceMark(line: rows.line, column: 1),
          "\(rows.problem), so it was left out\(more)", advice: "fix the file"))
    }
    inference.warnOfUnlinkedKeys(on: console)
    try inference.requireKnownChoices(links: true)
    let input = RealmInput(path: request.sources[0].path)
    let text = SchemaFormat.json.text(of: inference.schema)
    let report = SchemaDumpReport(input: input, text: text, damaged: [])
    try OutputSink.write(
      text.utf8, json: report.json(isIndented: true), to: request.destination,
      of: request.sources.map { RealmInput(path: $0.path, key: $0.key) }, on: console)
    return .done
  }
}
