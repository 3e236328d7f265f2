import ArgumentParser
import RealmExchange
import RealmModels
import RealmQuery
import RealmStorage

/// `realmctl sql FILE [STATEMENT...]`: run SQL.
struct SQLCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .query)
  static let meanings: [RunStatus: String] = [
    .notFound: "no such file or snapshot, or .schema names no table",
    .findings: RunStatus.onlyIfStrict,
    .failed: "failed, or part of a damaged realm cannot be read",
    .query: "the SQL is wrong, or would write",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "sql", _superCommandName: "realmctl",
    abstract: "Run SQL queries on a realm.",
    usage: "realmctl sql [<options>] <file> [<statement> ...]",
    discussion: .flowing(
      """
      Runs SQL queries on a realm as it is; nothing is copied, and nothing can be
      changed. The tables are those that 'export --format sqlite' would write: one for
      each class, and one named "Class.property" for each list, set and dictionary.
      .tables lists them, .schema [TABLE] shows their columns.

      Statements come from the arguments or from standard input, and are run by
      SQLite. Comparisons with = find objects by primary key, object key, index and
      link without reading the whole class.

      On a terminal, the result is a table that fits the window (--verbose shows whole
      values); in a file or a pipe, it is one JSON object per line, unless --format or
      the file extension of -o selects another format.

      Sorting uses up to 64 MiB of memory, then temporary files in TMPDIR; for an
      encrypted realm, these files need --temp-files.

      Examples:
        realmctl sql app.realm 'SELECT name, age FROM Person WHERE age > 30'
        realmctl sql app.realm 'SELECT city, count(*) FROM Person GROUP BY city'
        realmctl sql app.realm 'SELECT * FROM "Person.dogs"' --format csv
        realmctl sql app.realm .tables
        realmctl sql app.realm '.schema Person'
        realmctl sql app.realm < report.sql

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String

  @Argument(help: ArgumentHelp("SQL to run; without any, standard input.", valueName: "statement"))
  var statements: [String] = []

  @Option(help: ArgumentHelp("Output format; by default from -o, else table or ndjson.", valueName: "format"))
  var format: Format?

  @Option(help: ArgumentHelp("How to write dates.", valueName: "form"))
  var dates = RelationalSchema.DateForm.iso

  @Flag(help: "Include internal tables.")
  var `internal` = false

  @Flag(help: "Allow temporary files for an encrypted realm.")
  var tempFiles = false

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup var work: WorkLimitOption
  @OptionGroup(title: "Common options") var messages: MessageOptions

  /// The format of rows.
  enum Format: String, CaseIterable, ExpressibleByArgument, Sendable {
    case table, json, ndjson, csv, tsv

    var queryFormat: QueryFormat { ExportFormat(rawValue: rawValue).map(QueryFormat.text) ?? .table }
  }

  struct Request: Equatable {
    var input: RealmInput
    /// Nil to read them from standard input.
    var statements: [String]?
    /// Nil to decide by the kind of output.
    var format: QueryFormat?
    var dates: RelationalSchema.DateForm
    var includesInternalTables: Bool
    var allowsTemporaryFiles: Bool
    var workLimit: ByteLimit?
    var destination: OutputDestination
  }

  func request() throws -> Request {
    let input = try RealmInput(file, key, snapshot.choice)
    let readsStatements = statements.isEmpty || statements == ["-"]
    if readsStatements, input.isStandardInput || input.key == .standardInput {
      throw UsageError("standard input can be used only once")
    }
    let destination = try output.destination()
    let format = format ?? FormatEnding(of: destination).flatMap { Format(rawValue: $0.format.rawValue) }
    return Request(
      input: input, statements: readsStatements ? nil : statements, format: format?.queryFormat, dates: dates,
      includesInternalTables: `internal`, allowsTemporaryFiles: tempFiles, workLimit: work.workLimit,
      destination: destination)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let statements = try request.statements ?? [SQLRun.readStatements()]
    if request.format == nil { console.warn(ofAssumed: .ndjson, in: request.destination) }
    let sink = try OutputSink(request.destination, isFolder: false, of: [request.input])
    sink.isTabular = request.format?.isTabular == true
    let missing = try request.input.read(console, canStartAgain: sink.rewind) { realm in
      realm.warnIfHeld(on: console)
      ByteLimit.apply(request.workLimit, to: realm)
      return try SQLRun(request, realm, sink, console).run(statements)
    }
    try sink.finish()
    try console.info(
      OutputReport(sink, at: request.destination, of: request.input, damagedParts: missing.count))
    missing.report(on: console, path: request.input.name)
    return missing.isEmpty ? .done : .failed
  }
}
