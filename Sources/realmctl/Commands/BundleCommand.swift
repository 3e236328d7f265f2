import ArgumentParser
import RealmExchange
import RealmStorage
import RealmTools

/// `realmctl bundle [FILE] --seed OUT`: a seed file for an app.
struct BundleCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)

  static let configuration = CommandConfiguration(
    commandName: "bundle", _superCommandName: "realmctl",
    abstract: "Create a seed file for an app, from a realm or from JSON.",
    discussion: """
      A seed is a compacted copy in file format 24 that an app opens read-only or
      copies on its first launch. It is verified before it takes its name. The report
      is a manifest: size, file format, schema version, SHA-256, and the classes with
      their number of objects. The same input always gives the same bytes.

      The source is FILE, or else default.realm in the current folder. With --schema
      and --data the seed is built from JSON in any form that 'export' writes: json,
      ndjson, typed, typed-ndjson. Several --data files may link to each other.
      realmctl-schema(5) describes schema files and the JSON forms of values.

      With --strict, a property without a value is an error. With --upsert, all
      objects are kept in memory until the last one is read.

      Examples:
        realmctl bundle --seed seed.realm
        realmctl bundle app.realm --seed seed.realm --only City,Country
        realmctl bundle app.realm --seed seed.realm --where 'City:size > 9000'
        realmctl bundle --schema model.json --data cities.ndjson --seed seed.realm
        realmctl bundle app.realm --seed - --json 2> manifest.json > seed.realm

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @Argument(
    help: ArgumentHelp(
      "Realm to read, or default.realm; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var file: String?

  @Option(
    help: ArgumentHelp("Seed to write; - is standard output.", valueName: "path"),
    completion: .file(extensions: ["realm"]))
  var seed: String

  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Building from data") var data: DataSourceOptions
  @OptionGroup(title: "Part of the realm") var part: CopyFilterOptions

  @Option(help: ArgumentHelp("Schema version to store, if not that of the source.", valueName: "number"))
  var schemaVersion: UInt64?

  @Option(
    help: ArgumentHelp(
      "Warn of classes of this schema that the seed lacks.", valueName: "path"),
    completion: .file())
  var expectSchema: String?

  @Option(
    help: ArgumentHelp(
      "Required number of objects, as in 'City > 0'; repeatable.", valueName: "count"),
    completion: ClassNameCompletion.one)
  var expect: [ExpectedCount] = []

  @OptionGroup(title: "Encryption key of the source") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the seed") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var source: SeedSource
    var schemaVersion: UInt64?
    var expectedSchema: String?
    var expectedCounts: [ExpectedCount] = []
    var outputKey: OutputKey
    var writing: RealmWriting
  }

  func request() throws -> Request {
    guard schemaVersion != .max else {
      throw ValidationError(ConfigurationError.reservedSchemaVersion.description)
    }
    let source = try source()
    return Request(
      source: source, schemaVersion: schemaVersion, expectedSchema: expectSchema,
      expectedCounts: expect,
      outputKey: try outputKey.outputKey(besides: source.input.key, inputs: source.paths),
      writing: try writing.writing(to: seed, from: file))
  }

  private func source() throws -> SeedSource {
    let part = try part.filter()
    guard let data = try data.source(isStrict: messages.strict) else {
      var input = try RealmInput(file ?? Self.defaultFile, key)
      input.snapshot = snapshot.choice
      return .realm(input, part)
    }
    guard snapshot.choice == .live else { throw ValidationError("--snapshot cannot be used with --data.") }
    guard file == nil else { throw ValidationError("Use either FILE, or --schema and --data.") }
    guard part == CopyFilter() else {
      throw ValidationError(
        "--only, --exclude, --where, --with-links, --no-internal and --allow-data-loss cannot be used with --data.")
    }
    let keySource = try key.source(besides: [data.schema] + data.data)
    return .data(data, key: keySource)
  }

  /// The name that an SDK gives to the default realm.
  static let defaultFile = "default.realm"

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let input = request.source.input
    let key = try input.key?.read(for: input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let files = request.source.paths + [request.expectedSchema]
    let run = CopyRun(
      request.writing, of: input, key: outputKey, from: request.outputKey, besides: files, on: console)
    try run.checkOutput()
    let expected = try request.expectedSchema.map {
      try SchemaSource(key: input.key, read: key).schema(at: $0, console)
    }
    let seed: UnpublishedRealm
    switch request.source {
    case .realm(_, let part):
      seed = try run.copy(with: key) { realm in
        try part.requireKnownNames(in: realm)
        realm.warnIfSynced("the seed is local and cannot be opened for sync", on: console)
        var options = run.options(part, of: realm)
        options.schemaVersion = request.schemaVersion
        return options
      }.copy
    case .data(let source, _): seed = try build(source, request, run, key, console)
    }
    let facts = try Diagnostic.ofLaunch(request.writing.name) { try seed.manifest(key: outputKey) }
    let manifest = SeedManifest(seed, facts, request, isEncrypted: outputKey != nil)
    try ExpectedCount.require(request.expectedCounts, of: manifest.classes, in: request.writing.name)
    try run.publish(seed)
    manifest.warn(ofClassesMissingFrom: expected, request.expectedSchema ?? "", on: console)
    try console.tell(manifest.text(), json: manifest.json(), besidesData: request.writing.isStandardOutput)
    return .done
  }

  private func build(
    _ source: DataSource, _ request: Request, _ run: CopyRun, _ key: EncryptionKey?, _ console: Console
  ) throws -> UnpublishedRealm {
    let input = request.source.input
    let schema = try SchemaSource(key: input.key, read: key).localSchema(at: source.schema, console)
    if let name = source.className, schema.classNamed(RealmString(name)) == nil {
      throw Diagnostic(.notFound, .noSuchTable, path: source.schema, "no class '\(name)'")
    }
    let version = request.schemaVersion ?? schema.version ?? 0
    var seed = DataSeed(schema: schema, dataAt: source.data, options: source.options(schemaVersion: version))
    (seed.key, seed.verifies, seed.progress) = (run.key, request.writing.verifies, run.progress)
    seed.threadLimit = Processors.threadCount(forBytes: .max) - 1
    var writing = run.writing
    writing.inputs = request.source.paths
    let realm = try run.diagnosing {
      do { return try writing.build(seed) } catch {
        throw Diagnostic(data: error, path: source.data.count == 1 ? input.name : "--data") ?? error
      }
    }
    for number in realm.emptySources {
      console.warn(
        Diagnostic(
          .done, .invalidInput, path: RealmInput(path: source.data[number]).name,
          "the file is empty and adds no objects", advice: "check the path"))
    }
    return realm
  }
}
