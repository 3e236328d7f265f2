import ArgumentParser
import RealmExchange
import RealmModels
import RealmStorage

/// `realmctl schema dump FILE…`: prints the schema of a realm or of a schema file.
struct SchemaDumpCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileClassOrSnapshot,
    .findings: RunStatus.onlyIfStrict,
    .schema: "a schema file is not valid, or the format cannot express it",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "dump", _superCommandName: "realmctl schema",
    abstract: "Print the schema as text, JSON, model classes, SQL or a diagram.",
    usage: "realmctl schema dump [<options>] <file> ...",
    discussion: .flowing(
      """
      Prints the classes of a realm with their properties: as text, as a schema file
      (JSON), as model classes in one of eight languages, as SQL, or as a diagram.
      FILE may also be a schema file (see realmctl-schema(5)), so models can be made
      without a realm.

      In the text format, types have the SDKs' names, such as List<Dog> and ObjectId;
      schema files and options such as --convert use Dog[] and objectId.

      Models are written for the current release of each SDK. What a language cannot
      express becomes a comment and a warning. Realms do not store inverse
      relationships or default values. --inverses adds an inverse for each link, with
      a name such as linkedByPersonDogs; rename it to what your app calls it.

      With several files, --json prints one object per line, and the exit status is
      the highest.

      Examples:
        realmctl schema dump app.realm
        realmctl schema dump app.realm --format json > model.json
        realmctl schema dump app.realm -o Models.swift
        realmctl schema dump model.json --format kotlin --inverses
        realmctl schema dump app.realm --format sql | sqlite3 app.sqlite

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Realms or schema files; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["realm", "json"]))
  var files: [String]

  @Option(help: ArgumentHelp("Output format; by default from the extension of -o, or text.", valueName: "format"))
  var format: SchemaFormat?

  @Flag(help: "Add an inverse relationship for each link to a class.")
  var inverses = false

  @Option(help: ArgumentHelp("Data source (app-services); by default mongodb-atlas.", valueName: "name"))
  var service: String?

  @Option(help: ArgumentHelp("Database (app-services); by default database.", valueName: "name"))
  var database: String?

  @OptionGroup var classes: ClassOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var format: SchemaFormat
    var options: SchemaTextOptions
    var classes: ClassSelection
    var addsInverses = false
    var destination: OutputDestination
  }

  func request() throws -> Request {
    let destination = try output.destination()
    let format = format ?? SchemaFormat(extensionOf: destination) ?? (messages.json ? .json : .text)
    if inverses, [.coreJSON, .appServices, .sql].contains(format) {
      throw UsageError("--inverses cannot be used with --format \(format.rawValue)")
    }
    let request = Request(
      inputs: try RealmInput.all(files, key, snapshot.choice),
      format: format, options: try options(format),
      classes: try classes.selection(), addsInverses: inverses, destination: destination)
    guard request.inputs.count > 1 else { return request }
    if request.destination != .standardOutput { throw UsageError("-o cannot be used with several files") }
    if format != .text, !isAnswer(request) {
      throw UsageError(
        "the format \(format.rawValue) takes one file",
        advice: messages.json ? "omit --format" : "use text or --json for several")
    }
    return request
  }

  /// Whether the report with the schema is printed, and not the schema alone.
  private func isAnswer(_ request: Request) -> Bool {
    messages.json && format == nil && request.destination == .standardOutput
  }

  private func options(_ format: SchemaFormat) throws -> SchemaTextOptions {
    var options = SchemaTextOptions(includesInternal: internalTables.includesInternalTables)
    let given: KeyValuePairs = ["--service": service != nil, "--database": database != nil]
    if format != .appServices, let option = given.given {
      throw UsageError("\(option) needs --format app-services")
    }
    if let service { options.service = service }
    if let database { options.database = database }
    return options
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    console.warn(of: request.format, isGiven: format != nil, in: request.destination)
    let sink = try OutputSink(request.destination, isFolder: false, of: request.inputs)
    var isFirst = true
    return try RealmBatch(inputs: request.inputs, console: console).forEach { input, key in
      if let schema = try SchemaSource.schema(ofFile: input, console) { return try request.report(of: schema, input) }
      do {
        return try input.read(console, with: key) { realm in try request.report(of: realm, input, on: console) }
      } catch let error as Diagnostic where error.isOfOtherFile && input.mayBeSchemaFile {
        throw try SchemaSource.neither(input, error)
      }
    } show: { report in
      let isAnswer = isAnswer(request)
      if !isFirst, !isAnswer { try StandardOutput.write("\n") }
      isFirst = false
      let bytes = isAnswer ? report.json(isIndented: isOnlyOne) : report.bytes(isOnlyOne: isOnlyOne)
      try bytes.withUnsafeBytes(sink.write)
      try sink.finish()
      try console.info(OutputReport(sink, at: request.destination, of: report.input))
      for note in report.text.notes {
        console.warn(Diagnostic(.done, .notSupported, path: report.input.name, note.description))
      }
      return console.report(damage: report.damaged)
    }
  }
}

extension SchemaDumpCommand.Request {
  /// - Throws: `Diagnostic` if a class that was named does not exist, or the format cannot express the schema.
  fileprivate func report(
    of realm: OpenedRealm, _ input: RealmInput, on console: Console
  ) throws -> SchemaDumpReport {
    try classes.requireKnownNames(in: realm)
    realm.warnIfHeld(on: console)
    return try report(
      of: realm.snapshot.schema, input, damaged: realm.damagedTables(in: classes),
      unreadableClassCount: realm.damagedTables(in: classes, includesInternal: false).count,
      isVersionUnreadable: realm.snapshot.isSchemaVersionUnreadable)
  }

  /// - Throws: `Diagnostic` if a class that was named does not exist, or the format cannot express the schema.
  fileprivate func report(of schema: Schema, _ input: RealmInput) throws -> SchemaDumpReport {
    try classes.requireKnownNames(in: schema, at: input.name)
    return try report(of: schema, input, damaged: [])
  }

  private func report(
    of schema: Schema, _ input: RealmInput, damaged: [Diagnostic], unreadableClassCount: Int = 0,
    isVersionUnreadable: Bool = false
  ) throws -> SchemaDumpReport {
    let narrowed = narrowed(addsInverses ? schema.addingInverses() : schema)
    var options = options
    (options.unreadableClassCount, options.isVersionUnreadable) = (unreadableClassCount, isVersionUnreadable)
    if classes != .all { options.whole = schema }
    let text = format.text(of: narrowed, options: options)
    let errors = text.notes.filter(\.isError)
    if let error = errors.first {
      throw Diagnostic(
        .schema, .notSupported, path: input.name,
        "the format \(format.rawValue) cannot express this schema",
        detail: error.description + (errors.count > 1 ? ", and \(errors.count - 1) more" : ""),
        advice: "leave the class out with --exclude, or choose another format")
    }
    return SchemaDumpReport(input: input, text: text, damaged: damaged)
  }

  /// The classes asked for and the embedded ones that these need, with inverses of links between them only.
  private func narrowed(_ schema: Schema) -> Schema {
    var schema = schema
    guard classes != .all else { return schema }
    let kept = schema.addingEmbedded(to: Set(schema.tables.filter { classes.contains($0.displayName) }.map(\.name)))
    schema.tables.removeAll { !kept.contains($0.name) }
    for index in schema.tables.indices {
      schema.tables[index].removeProperties { $0.isComputed && !kept.contains($0.target ?? "") }
    }
    return schema
  }
}

extension SchemaFormat: ExpressibleByArgument {
  public var defaultValueDescription: String { summary }
}

extension SchemaFormat {
  /// Whether it is written as JSON.
  var isJSON: Bool { [.json, .coreJSON, .appServices].contains(self) }

  /// The format that the extension of the output selects; nil for none.
  init?(extensionOf destination: OutputDestination) {
    guard case .path(let path, _) = destination, let name = path.split(separator: "/").last,
      let dot = name.lastIndex(of: ".")
    else { return nil }
    switch name[dot...].lowercased() {
    case ".json": self = .json
    case ".js": self = .javaScript
    case ".ts": self = .typeScript
    case ".swift": self = .swift
    case ".h", ".m": self = .objectiveC
    case ".kt": self = .kotlin
    case ".java": self = .java
    case ".cs": self = .csharp
    case ".dart": self = .dart
    case ".mmd": self = .mermaid
    case ".dot", ".gv": self = .dot
    case ".sql": self = .sql
    default: return nil
    }
  }
}
