import ArgumentParser
import RealmExchange
import RealmMigration
import RealmStorage
import RealmTools

/// `realmctl bundle [FILE] --seed OUT`: a seed file for an app.
struct BundleCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)

  static let configuration = CommandConfiguration(
    commandName: "bundle", _superCommandName: "realmctl",
    abstract: "Create a seed file for an app, from a realm or from JSON.",
    discussion: """
      A seed is a compacted copy that an app opens read-only or copies on its first
      launch. It is verified before it takes its name. The report is a manifest: size,
      file format, the oldest SDKs that open it as it is, schema version, SHA-256, and
      the classes with their number of objects. The same input always gives the same
      bytes.

      The source is FILE, or else default.realm in the current folder. With --schema
      and --data the seed is built from JSON in any form that 'export' writes: json,
      ndjson, typed, typed-ndjson. Several --data files may link to each other; with
      --schema alone the seed has no objects. realmctl-schema(5) describes schema
      files and the JSON forms of values.

      --expect-schema names the model of the app, a schema file or a realm. The seed
      is opened as the app would open it read-only; if that fails, nothing is written
      (status 1). What the app would tolerate is a warning. A version in the model
      must be that of the seed.

      --file-format writes a seed for an older SDK. What the format cannot hold stops
      the command (status 7) unless --as gives it another type, or --allow-data-loss
      is given; realmctl-downgrade(1) describes both.

      With --strict, a property without a value is an error. With --upsert, all
      objects are kept in memory until the last one is read.

      Examples:
        realmctl bundle --seed seed.realm
        realmctl bundle app.realm --seed seed.realm --only City,Country
        realmctl bundle app.realm --seed seed.realm --where 'City:size > 9000'
        realmctl bundle --schema model.json --data cities.ndjson --seed seed.realm
        realmctl bundle app.realm --seed seed.realm --expect-schema model.json
        realmctl bundle app.realm --seed seed.realm --expect 'Todo:done = false > 0'
        realmctl bundle app.realm --seed old.realm --file-format 23
        realmctl bundle app.realm --seed - --json 2> manifest.json > seed.realm

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @Argument(
    help: ArgumentHelp(
      "Realm to read, or default.realm; - is standard input.", valueName: "file"),
    completion: .realm)
  var file: String?

  @Option(
    help: ArgumentHelp("Seed to write; - is standard output.", valueName: "path"),
    completion: .realm)
  var seed: String

  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Building from data") var data: DataSourceOptions
  @OptionGroup(title: "Part of the realm") var part: CopyFilterOptions

  @Option(help: ArgumentHelp("Schema version to store, if not that of the source.", valueName: "number"))
  var schemaVersion: UInt64?

  @Option(
    help: ArgumentHelp(
      "Model of the app: a schema file or a realm.", valueName: "path"),
    completion: .file())
  var expectSchema: String?

  @Option(
    help: ArgumentHelp(
      "Required count: 'City > 0', 'City:size > 9 = 5'; repeatable.", valueName: "count"),
    completion: ClassNameCompletion.one)
  var expect: [ExpectedCount] = []

  @Option(
    help: ArgumentHelp("File format to write: 10, 11, 20, 22, 23 or 24.", valueName: "number"),
    completion: .list(TargetFormat.allCases.map { "\($0.number)" }))
  var fileFormat = TargetFormat.newest

  @OptionGroup var mapping: MappingOptions

  @OptionGroup(title: "Encryption key of the source") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the seed") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var source: SeedSource
    var schemaVersion: UInt64?
    var expectedSchema: String?
    var expectedCounts: [ExpectedCount] = []
    var format = TargetFormat.newest
    var mappings: [TypeMapping] = []
    var allowsDataLoss = false
    var outputKey: OutputKey
    var writing: RealmWriting
  }

  func request() throws -> Request {
    guard schemaVersion != .max else {
      throw ValidationError(ConfigurationError.reservedSchemaVersion.description)
    }
    let source = try source()
    let mappings = try mapping.mappings()
    guard mappings.isEmpty || fileFormat != .newest else {
      throw ValidationError("--as needs --file-format with an older file format.")
    }
    return Request(
      source: source, schemaVersion: schemaVersion, expectedSchema: expectSchema,
      expectedCounts: expect, format: fileFormat, mappings: mappings, allowsDataLoss: part.allowDataLoss,
      outputKey: try outputKey.outputKey(alongside: source.input.key, inputs: source.paths),
      writing: try writing.writing(to: seed, from: file))
  }

  private func source() throws -> SeedSource {
    var part = try part.filter()
    guard let data = try data.source(isStrict: messages.strict) else {
      var input = try RealmInput(file ?? Self.defaultFile, key)
      input.snapshot = snapshot.choice
      return .realm(input, part)
    }
    guard snapshot.choice == .live else { throw ValidationError("--snapshot cannot be used with --schema.") }
    guard file == nil else { throw ValidationError("Use either FILE, or --schema and --data.") }
    // A file format can lose something of data, too.
    if fileFormat != .newest { part.allowsDataLoss = false }
    guard part == CopyFilter() else {
      throw ValidationError(
        "--only, --exclude, --where, --with-links, --no-internal and --allow-data-loss cannot be used with --schema.")
    }
    let keySource = try key.source(alongside: [data.schema] + data.data)
    return .data(data, key: keySource)
  }

  /// The name that an SDK gives to the default realm.
  static let defaultFile = "default.realm"

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let input = request.source.input
    let key = try input.key?.read(for: input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let files = request.source.paths + [request.expectedSchema]
    var output = request.writing
    // What has gone out cannot be taken back.
    output.isReadBack =
      request.expectedCounts.contains { $0.query != nil }
      || output.isStandardOutput && !(request.expectedCounts.isEmpty && request.expectedSchema == nil)
    let run = CopyRun(output, of: input, key: outputKey, from: request.outputKey, alongside: files, on: console)
    try run.checkOutput()
    try ExpectedCount.requireQueries(request.expectedCounts, in: request.writing.name)
    let expected = try request.expectedSchema.map {
      try SchemaSource(key: input.key, read: key).target(at: $0, console)
    }
    let seed: UnpublishedRealm
    switch request.source {
    case .realm(_, let part):
      seed = try run.copy(with: key) { realm in
        try part.requireKnownNames(in: realm)
        realm.warnIfSynced("the seed is local and cannot be opened for sync", on: console)
        var options = run.options(part, of: realm)
        options.schemaVersion = request.schemaVersion
        request.apply(to: &options)
        return options
      }.copy
    case .data(let source, _): seed = try build(source, request, run, key, console)
    }
    let facts = try Diagnostic.ofLaunch(request.writing.name) { try seed.manifest(key: outputKey) }
    let manifest = SeedManifest(seed, facts, request, isEncrypted: outputKey != nil)
    try Diagnostic.ofLaunch(request.writing.name) {
      try ExpectedCount.require(request.expectedCounts, of: manifest.classes, in: request.writing.name) {
        try seed.content(key: outputKey)
      }
    }
    let dryRun = try expected.map { try AppOpening(of: seed, $0, at: request.expectedSchema ?? "", manifest) }
    try run.publish(seed)
    dryRun?.warn(on: console)
    try console.tell(manifest.text(), json: manifest.json(), alongsideData: request.writing.isStandardOutput)
    return .done
  }

  private func build(
    _ source: DataSource, _ request: Request, _ run: CopyRun, _ key: EncryptionKey?, _ console: Console
  ) throws -> UnpublishedRealm {
    let input = request.source.input
    let target = try SchemaSource(key: input.key, read: key, usesDefaults: !source.data.isEmpty).localTarget(
      at: source.schema, console)
    let schema = target.schema
    if let name = source.className, schema.classNamed(RealmString(name)) == nil {
      throw Diagnostic(.notFound, .noSuchTable, path: source.schema, "no class '\(name)'")
    }
    let version = request.schemaVersion ?? schema.version ?? 0
    var dataOptions = source.options(schemaVersion: version)
    dataOptions.defaults = target.defaultValues
    var seed = DataSeed(schema: schema, dataAt: source.data, options: dataOptions)
    (seed.key, seed.verifies, seed.progress) = (run.key, request.writing.verifies, run.progress)
    seed.threadLimit = Processors.threadCount(forBytes: .max) - 1
    var writing = run.writing
    writing.inputs = request.source.paths
    var options = CopyOptions(identity: .fresh)
    (options.verifies, options.threadLimit) = (request.writing.verifies, seed.threadLimit)
    options.filter.allowsDataLoss = request.allowsDataLoss
    run.apply(to: &options)
    request.apply(to: &options)
    let realm = try run.diagnosing {
      do {
        return try request.format == .newest ? writing.build(seed) : writing.build(seed, as: options)
      } catch {
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

extension BundleCommand.Request {
  /// What the file format asks for.
  fileprivate func apply(to options: inout CopyOptions) {
    options.format = format
    options.mapping = MappingRun.mapping(mappings)
  }
}
