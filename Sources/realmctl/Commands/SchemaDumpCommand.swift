import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl schema dump FILE`: prints the schema.
struct SchemaDumpCommand: RealmctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print the schema: listing, JSON, model classes, SQL or diagram.",
    discussion: """
      Models are written for the current release of each SDK. What a language cannot
      express becomes a comment and a warning. Inverse relationships and default
      values are not stored in a realm, so they cannot be printed.

      Examples:
        realmctl schema dump app.realm
        realmctl schema dump app.realm --format json > model.json
        realmctl schema dump app.realm --format swift -o Models.swift
        realmctl schema dump app.realm --format sql | sqlite3 app.sqlite
      """)

  @OptionGroup var realm: RealmArgument

  @Option(help: ArgumentHelp("Output format.", valueName: "format"))
  var format = SchemaFormat.text

  @Option(help: ArgumentHelp("Data source of the relationships (app-services).", valueName: "name"))
  var service: String?

  @Option(help: ArgumentHelp("Database of the relationships (app-services).", valueName: "name"))
  var database: String?

  @OptionGroup var classes: ClassOptions
  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var format: SchemaFormat
    var options: SchemaTextOptions
    var classes: ClassSelection
    var destination: OutputDestination
  }

  func request() throws -> Request {
    if messages.json, format != .text, format != .json {
      throw ValidationError("--json and --format \(format.rawValue) cannot be used together.")
    }
    return Request(
      input: try realm.input(key: key), format: messages.json ? .json : format, options: try options(),
      classes: try classes.selection(), destination: try output.destination())
  }

  private func options() throws -> SchemaTextOptions {
    var options = SchemaTextOptions(includesInternal: internalTables.includesInternalTables)
    if format != .appServices, service != nil || database != nil {
      throw ValidationError("--service and --database have no effect with --format \(format.rawValue).")
    }
    if let service { options.service = service }
    if let database { options.database = database }
    return options
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let sink = try OutputSink(request.destination, isFolder: false, input: request.input)
    let result = try request.input.read(console, canStartAgain: sink.rewind) { realm in
      try request.classes.requireKnownNames(in: realm)
      realm.warnIfHeld(on: console)
      let text = request.format.text(of: request.schema(of: realm), options: request.options)
      return (text: text, damaged: realm.damagedTables(in: request.classes))
    }
    let errors = result.text.notes.filter(\.isError)
    if let error = errors.first {
      throw Diagnostic(
        .schema, .notSupported, path: request.input.name,
        "the format \(request.format.rawValue) cannot express this schema",
        detail: error.description + (errors.count > 1 ? ", and \(errors.count - 1) more" : ""),
        advice: "leave the class out with --exclude, or choose another format")
    }
    try result.text.utf8.withUnsafeBytes(sink.write)
    try sink.finish()
    try console.tell(OutputReport(sink))
    for note in result.text.notes {
      console.warn(Diagnostic(.done, .notSupported, path: request.input.name, note.description))
    }
    for table in result.damaged { console.report(table) }
    return result.damaged.isEmpty ? .done : .failed
  }
}

extension SchemaDumpCommand.Request {
  /// The schema, narrowed to the classes asked for and the embedded ones that these need.
  fileprivate func schema(of realm: OpenedRealm) -> Schema {
    var schema = realm.snapshot.schema
    guard classes != .all else { return schema }
    let kept = schema.addingEmbedded(to: Set(schema.tables.filter { classes.contains($0.displayName) }.map(\.name)))
    schema.tables.removeAll { !kept.contains($0.name) }
    return schema
  }
}

extension SchemaFormat: ExpressibleByArgument {
  public var defaultValueDescription: String { summary }
}
