import ArgumentParser
import RealmExchange
import RealmOpening
import RealmPresentation
import RealmQuery
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// `realmctl export FILE`: prints the objects.
struct ExportCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileClassOrSnapshot,
    .findings: RunStatus.onlyIfStrict,
    .failed: "failed, or part of a damaged realm is left out",
    .schema: "the schema file is not valid, or does not fit the realm",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: "realmctl",
    abstract: "Export objects as JSON, CSV or a SQLite database.",
    usage: "realmctl export [<options>] <file>",
    discussion: .flowing(
      """
      Prints the objects of all classes, or of those that --only names, as JSON; -o
      writes them to a file. The file extension selects the format (JSON, NDJSON, CSV,
      TSV or a SQLite database) unless --format is given. --where takes a query (see
      realmctl-rql(7)) for the one class that --only names, or names the class itself:
      'Person:age > 9'.

      Embedded objects are printed inside their parents, links as the primary key of
      their target, or as its object key if it has none. Memory use is small whatever
      the size of the file. Damaged parts are left out, named on standard error and
      counted; the exit status is then 2.

      With --format csv or tsv, -o names a folder for one file per class; with one
      class, it can also name a file that ends in .csv or .tsv. A spreadsheet may run
      text in CSV as a formula: --csv-safe puts an apostrophe before text that begins
      with =, +, -, @, a tab or a line end. That text then differs from the realm's.

      A SQLite database has a table for each class and for each collection; it is read
      back and compared with the realm, unless --no-verify is given.

      Examples:
        realmctl export app.realm | jq '.Person[0]'
        realmctl export app.realm --only Person --format ndjson
        realmctl export app.realm --only Person --where 'age > 30 SORT(name ASC)'
        realmctl export app.realm --format typed -o app.json
        realmctl export app.realm --format csv -o tables
        realmctl export app.realm -o app.sqlite

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String

  @OptionGroup(title: "Format") var form: ExportFormOptions
  @OptionGroup var classes: ClassOptions

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only objects that match: 'age > 9' or 'Person:age > 9'.", valueName: "query"))
  var condition: String?

  @OptionGroup var arguments: QueryArgumentOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var models: InverseOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup var work: WorkLimitOption
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var form: ExportForm
    var classes: ClassSelection
    /// Which objects of the only class; nil for all.
    var condition: QueryInput?
    var inverses = InverseSource()
    var includesInternalTables: Bool
    var destination: OutputDestination
    var workLimit: ByteLimit?
  }

  func request() throws -> Request {
    let destination = try output.destination()
    return Request(
      input: try RealmInput(file, key, snapshot.choice), form: try form.form(for: destination),
      classes: try selection(),
      condition: try queryText(), inverses: models.source,
      includesInternalTables: internalTables.includesInternalTables,
      destination: destination, workLimit: work.workLimit)
  }

  /// The classes that are named, or the one in front of the condition.
  private func selection() throws -> ClassSelection {
    let selection = try classes.selection()
    guard selection.only == nil, selection.excluded.isEmpty,
      let named = condition.flatMap(ClassCondition.init(prefixed:))
    else { return selection }
    return .only([named.className])
  }

  private func queryText() throws -> QueryInput? {
    guard let condition else {
      if let option = arguments.given { throw UsageError("\(option) needs --where") }
      if models.isGiven { throw UsageError("--schema needs --where") }
      return nil
    }
    let selection = try selection()
    let named = ClassCondition(prefixed: condition)
    guard selection.isOneClass, let name = selection.only?.first else {
      throw UsageError(
        named == nil
          ? "--where takes Class:QUERY, such as 'Person:age > 30', not '\(condition)'" : "--where needs one class",
        advice: named == nil ? "with --only Person, the query is enough" : "name no other with --only")
    }
    guard let named else { return try arguments.query(condition) }
    guard named.className == name else { throw ClassCondition.notSelected(named.className) }
    return try arguments.query(named.query)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    if request.form.isAssumed, !request.writesFolder {
      console.warn(ofAssumed: request.form.format, in: request.destination)
    } else {
      console.warn(of: request.form.format, in: request.destination, isFolder: request.writesFolder)
    }
    let sink = try OutputSink(request.destination, isFolder: request.writesFolder, of: [request.input])
    sink.progress = console.makeProgress(alongside: request.destination)
    sink.isTabular = request.form.format.isTabular
    let database = DatabaseRun(request: request, sink: sink, console: console)
    var changedValues = ChangedValues()
    let missing = try request.input.read(console, canStartAgain: sink.rewind) { realm in
      ByteLimit.apply(request.workLimit, to: realm)
      try request.classes.requireKnownNames(in: realm)
      realm.warnIfHeld(on: console)
      var options = request.options(for: realm)
      let found = try request.findObjects(in: realm, for: &options, on: console)
      let plan = try request.relationalPlan(of: realm.snapshot, options)
      // Reading may start again.
      changedValues = ChangedValues()
      if options.format.isTabular, plan == nil { options.changedValues = changedValues }
      let isDatabase = request.form.format == .sqlite
      let texts = isDatabase ? [] : plan.map(options.texts) ?? options.texts
      guard texts.count <= 1 || request.writesFolder else { throw request.needsFolder(for: texts) }
      // A table whose objects cannot be counted counts as empty.
      let tables = isDatabase ? plan?.tables ?? [] : texts.flatMap(\.options.tables)
      sink.progress?.total = tables.reduce(0) { $0 + (found?.keys.count ?? (try? $1.objectCount()) ?? 0) }
      var missing = MissingParts(
        tables: realm.damagedTables(in: request.classes, includesInternal: request.showsInternalTables))
      missing.countsReplacedBytes = options.changedValues == nil
      if let found { missing.reports.append(found.damage) }
      if isDatabase, let plan { missing.reports.append(try database.write(plan, of: realm, options)) }
      for text in texts {
        try sink.beginFile(named: text.fileName)
        missing.reports.append(try Exporter(realm.snapshot, options: text.options, sink: sink).run())
      }
      return missing
    }
    if request.form.dryRun { sink.progress?.clear() } else { try sink.finish() }
    try console.info(
      OutputReport(
        sink, at: request.destination, of: request.input, damagedParts: missing.count, database: database.report))
    for entry in changedValues.entries { console.warn(Diagnostic(entry, path: request.input.name)) }
    missing.report(on: console, path: request.input.name)
    return missing.isEmpty ? .done : .failed
  }
}

extension ExportCommand.Request {
  /// Whether the output is a folder with a file per table.
  fileprivate var writesFolder: Bool {
    guard form.format.isTabular, case .path = destination else { return false }
    // A name that ends in .csv or .tsv is that of a file, also where it is not the format that is written.
    return FormatEnding(of: destination)?.format.isTabular != true
  }

  /// Whether tables that are not classes are part of the output.
  fileprivate var showsInternalTables: Bool {
    classes.only != nil || includesInternalTables || form.format.isCore
  }

  fileprivate func options(for realm: OpenedRealm) -> ExportOptions {
    var options = ExportOptions(format: form.format, tables: tables(of: realm.snapshot))
    options.isSingleClass = classes.isOneClass
    form.apply(to: &options)
    options.threadCount = Processors.threadCount(forBytes: realm.bytes.physicalSize)
    return options
  }

  /// Limits `options` to the objects that match.
  ///
  /// - Returns: nil if all objects are wanted.
  /// - Throws: `Diagnostic`, exit 8 for what is not a query.
  fileprivate func findObjects(
    in realm: OpenedRealm, for options: inout ExportOptions, on console: Console
  ) throws -> QueryResult? {
    guard let condition, let name = classes.only?.first else { return nil }
    let query = try condition.bind(
      to: realm.table(ofClass: name), in: realm.snapshot, of: input, inverses: inverses.names(in: realm.snapshot.schema)
    )
    let result = try query.keys(QueryOptions(threadCount: options.threadCount))
    (options.tables, options.keys) = ([query.table], result.keys)
    console.warn(ofUnusedValues: condition, path: input.name)
    console.warn(of: query, foundNothing: result.keys.isEmpty, path: input.name)
    return result
  }

  /// A class that is named is shown, even if an export of the whole realm would show its objects only inside their
  /// parents.
  private func tables(of snapshot: Snapshot) -> [Table] {
    guard classes.only != nil else {
      return ExportOptions.allTables(of: snapshot, format: form.format, includesInternal: includesInternalTables)
        .filter { classes.contains($0.schema.displayName) }
    }
    // A name means the class with that name, or an internal table if no such class exists.
    let tables = snapshot.tables.filter {
      let schema = $0.schema
      return classes.contains(schema.displayName)
        && (schema.isClass || includesInternalTables || snapshot.schema.classNamed(schema.displayName) == nil)
    }
    return form.format.isCore ? tables : tables.sorted { $0.schema.displayName < $1.schema.displayName }
  }

  /// - Returns: nil if objects are written as they are.
  /// - Throws: `Diagnostic` for a class that SQLite cannot take.
  fileprivate func relationalPlan(of snapshot: Snapshot, _ options: ExportOptions) throws -> RelationalPlan? {
    guard form.isRelational else { return nil }
    do throws(DatabaseError) {
      return try RelationalPlan(
        snapshot, options: options, dates: form.dates, isWhole: classes == .all && condition == nil)
    } catch {
      throw Diagnostic(error, path: input.name)
    }
  }

  fileprivate func needsFolder(for texts: [ExportText]) -> Diagnostic {
    Diagnostic(
      .usage, .invalidInput, path: input.name,
      "\(form.format.title) needs a file for each \(form.isRelational ? "table" : "class"), and there are \(texts.count)",
      advice: "name a folder with -o" + (form.isRelational ? "" : ", or one class with --only"))
  }
}

extension Diagnostic {
  /// Values that CSV cannot keep.
  init(_ entry: ChangedValues.Entry, path: String) {
    self.init(
      .done, .notSupported, path: path,
      "\(entry.count.counted("value")) of '\(entry.className).\(entry.property)' in CSV would be imported as "
        + "\(entry.count == 1 ? "another value" : "other values")",
      detail:
        "\(entry.count == 1 ? "in" : "the first in") object \(entry.first.rawValue) of class '\(entry.className)'",
      advice: "use --explode or --format typed to keep \(entry.count == 1 ? "it" : "them")")
  }
}
