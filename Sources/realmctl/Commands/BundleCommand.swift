import ArgumentParser
import RealmExchange
import RealmMigration
import RealmOpening
import RealmStorage
import RealmSystem
import RealmTools

/// `realmctl bundle [FILE] --seed OUT`: a seed file for an app.
struct BundleCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .findings: "an unmet expectation, or objects left out; with --strict: a warning",
    .format: RunStatus.unknownFormat,
    .inUse: "an app has the seed open, or the source changed",
    .schema: "data or schema is wrong or incomplete, or data would be lost",
  ]

  static let configuration = CommandConfiguration(
    commandName: "bundle", _superCommandName: "realmctl",
    abstract: "Create a seed file for an app, from a realm, data or both.",
    discussion: .flowing(
      """
      Creates a seed for an app: a compacted copy that the app opens read-only, or
      copies on its first launch. The source is FILE, or --schema and --data, or
      else default.realm in the current folder. The seed is verified before it takes
      its name, but not on standard output. The same input always gives the same bytes.
      The report is a manifest: size, SHA-256, file format, the oldest SDKs that open
      it, schema version, and the classes with their number of objects.

      --data adds objects from JSON, CSV, SQLite or a realm, with the options of
      'import'; several files may link to each other. FILE itself is not changed. With
      --schema or --create-classes instead of FILE, the seed has only the data, and
      with --schema alone no objects. realmctl-schema(5) describes schema files and
      the JSON forms of values.

      --expect-schema takes the app's model, a schema file or a realm, and opens the
      seed as the app would, read-only; if that fails, nothing is written (status 1).
      Differences that the app would tolerate are warnings: the seed is written, and
      with --strict the status is 1. If the model has a schema version, the seed must
      have the same. With --strict, properties without a value are an error (status 7).

      --file-format writes a seed for an older SDK. What the format cannot store stops
      the command (status 7) unless --as gives it another type or --allow-data-loss is
      given (see realmctl-downgrade(1)).

      Memory use is small for a new seed from JSON; with FILE or most options of
      'import', the whole seed is made in memory.

      Examples:
        realmctl bundle --seed seed.realm
        realmctl bundle app.realm --seed seed.realm --only City,Country
        realmctl bundle app.realm --seed seed.realm --where 'City:size > 9000'
        realmctl bundle --schema model.json --data City.csv --seed seed.realm
        realmctl bundle v1.realm --data City.csv --mode upsert --seed v2.realm
        realmctl bundle app.realm --seed seed.realm --expect-schema model.json
        realmctl bundle app.realm --seed s.realm --expect 'Todo:done = false > 0'
        realmctl bundle app.realm --seed old.realm --file-format 23
        realmctl bundle app.realm --seed - --json 2> manifest.json > seed.realm

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp(
      "Realm to read, or default.realm; - is standard input.", valueName: "file"),
    completion: .realm)
  var file: String?

  @Option(
    help: ArgumentHelp("Seed to write; - is standard output.", valueName: "path"),
    completion: .realm)
  var seed: String

  @OptionGroup(title: "Building from data") var data: DataSourceOptions
  @OptionGroup(title: "Reading the data") var dataForm: ImportSourceOptions
  @OptionGroup(title: "Objects and links") var rules: ImportRuleOptions
  @OptionGroup(title: "New classes") var inference: InferenceOptions
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

  @OptionGroup var mapping: TypeChangeOptions

  @OptionGroup(title: "Encryption key of the source") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the seed") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Writing") var writing: WritingOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var source: SeedSource
    var schemaVersion: UInt64?
    var expectedSchema: String?
    var expectedCounts: [ExpectedCount] = []
    var format = TargetFormat.newest
    var mappings: [TypeChange] = []
    var allowsDataLoss = false
    var outputKey: OutputKey
    var writing: OutputTarget
  }

  func request() throws -> Request {
    try schemaVersion.requireSchemaVersion()
    let source = try source()
    let mappings = try mapping.mappings()
    guard mappings.isEmpty || fileFormat != .newest else {
      throw UsageError("--as needs --file-format with an older file format")
    }
    return Request(
      source: source, schemaVersion: schemaVersion, expectedSchema: expectSchema,
      expectedCounts: expect, format: fileFormat, mappings: mappings, allowsDataLoss: part.allowDataLoss,
      outputKey: try outputKey.outputKey(alongside: source.input.key),
      writing: try writing.writing(to: seed, from: file))
  }

  private func source() throws -> SeedSource {
    let part = try part.filter()
    let isFromData = !data.data.isEmpty || data.schema != nil
    guard isFromData || data.createClasses else {
      try requireNoDataOptions()
      var input = try RealmInput(file ?? Self.defaultFile, key)
      input.snapshot = snapshot.choice
      return .realm(input, part)
    }
    guard snapshot.choice == .live else { throw UsageError("--snapshot cannot be used with --data or --schema") }
    guard file == nil || data.schema == nil else { throw UsageError("--schema and FILE cannot be used together") }
    if data.data.isEmpty {
      try requireNoDataOptions()
    } else if file == nil, data.schema == nil, !data.createClasses {
      throw UsageError("--data needs FILE, --schema or --create-classes")
    }
    if let option = inference.given, !data.createClasses {
      throw UsageError("\(option) needs --create-classes")
    }
    let sources = try dataForm.arguments(
      data.data, key: data.dataKeyFile.map(KeySource.file), "--data-key-file", usual: .json)
    let isBuiltAtOnce =
      file == nil && !data.createClasses && rules.given == nil && sources.allSatisfy { $0.format == .json }
    return try isBuiltAtOnce ? built(part) : imported(sources, part)
  }

  private func requireNoDataOptions() throws {
    let others: KeyValuePairs = [
      "--ignore-unknown": rules.ignoreUnknown, "--keep-keys": data.keepKeys, "--create-classes": data.createClasses,
      "--data-key-file": data.dataKeyFile != nil,
    ]
    if let option = dataForm.given ?? rules.given ?? others.given ?? inference.given {
      throw UsageError("\(option) needs --data")
    }
  }

  /// A first seed from JSON.
  private func built(_ part: CopyFilter) throws -> SeedSource {
    var part = part
    // A file format can also lose some of the data.
    if fileFormat != .newest { part.allowsDataLoss = false }
    guard part == CopyFilter() else {
      throw UsageError(
        "--only, --exclude, --where, --with-links, --no-internal and --allow-data-loss cannot be used with --schema")
    }
    var source = DataSource(schema: data.schema ?? "", data: data.data)
    source.options = try rules.options(className: dataForm.className, isStrict: messages.strict).data
    (source.options.keepsObjectKeys, source.options.coerces) = (data.keepKeys, dataForm.coerce)
    return .data(source, key: try key.source())
  }

  private func imported(_ sources: [SourceArgument], _ part: CopyFilter) throws -> SeedSource {
    guard !data.keepKeys else {
      throw UsageError("--keep-keys needs a new seed from JSON: use --schema, without --mode")
    }
    var launch = LaunchRequest(
      input: try file.map { try RealmInput($0, key) }
        ?? RealmInput(path: "", key: try key.source()))
    (launch.isInMemory, launch.creates, launch.allowsUpgrade) = (true, file == nil, true)
    let options = try rules.options(className: dataForm.className, isStrict: messages.strict)
    var work = ImportRun.Request(sources: sources, options: options, rejects: rules.rejects)
    (work.schema, work.createsClasses) = (data.schema, data.createClasses)
    work.choices = try inference.choices(links: options.lookups)
    work.seed = seed.outputName
    return .imported(launch, work, part)
  }

  /// The name that SDKs give to the default realm.
  static let defaultFile = "default.realm"

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let input = request.source.input
    if case .realm = request.source, file == nil { DefaultRealm.remark(on: console) }
    let key = try input.key?.read(for: input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let files = request.source.paths + [request.expectedSchema]
    var output = request.writing
    // Output that was already written cannot be taken back.
    output.isReadBack =
      request.expectedCounts.contains { $0.query != nil }
      || output.isStandardOutput && !(request.expectedCounts.isEmpty && request.expectedSchema == nil)
    let run = CopyPresenter(output, of: input, key: outputKey, from: request.outputKey, alongside: files, on: console)
    try run.checkOutput()
    try ExpectedCount.requireQueries(request.expectedCounts)
    let expected = try request.expectedSchema.map {
      try SchemaSource(key: input.key, read: key).target(at: $0, console)
    }
    let seed: UnpublishedRealm
    var imported: ImportReport?
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
    case .imported(let launch, let work, let part):
      // A realm in memory has no key of its own, but its source has.
      let result = try ImportRun(request: work, launch: launch, console: console).perform(key: key)
      imported = result.report
      guard let memory = result.launch.outcome.memory else { return .findings }
      let realm = try OpenedRealm(memory)
      try part.requireKnownNames(in: realm)
      var options = run.options(part, of: realm)
      options.schemaVersion = request.schemaVersion
      request.apply(to: &options)
      seed = try run.diagnosing { try run.writing.copy(realm, options) {} }
      run.warn(of: seed.report)
    }
    let facts = try Diagnostic.ofLaunch(request.writing.name) { try seed.manifest(key: outputKey) }
    let manifest = SeedManifest(seed, facts, request, isEncrypted: outputKey != nil, imported: imported)
    try Diagnostic.ofLaunch(request.writing.name) {
      try ExpectedCount.require(request.expectedCounts, of: manifest.classes, in: request.writing.name) {
        try seed.content(key: outputKey)
      }
    }
    let dryRun = try expected.map { try AppCompatibility(of: seed, $0, at: request.expectedSchema ?? "", manifest) }
    try run.publish(seed)
    dryRun?.warn(on: console)
    try console.info(manifest.text(), json: manifest.json(), alongsideData: request.writing.isStandardOutput)
    return imported.map { $0.problemCount > 0 } == true ? .findings : .done
  }

  private func build(
    _ source: DataSource, _ request: Request, _ run: CopyPresenter, _ key: EncryptionKey?, _ console: Console
  ) throws -> UnpublishedRealm {
    let input = request.source.input
    let target = try SchemaSource(key: input.key, read: key, usesDefaults: !source.data.isEmpty).localTarget(
      at: source.schema, isOption: false, console)
    let schema = target.schema
    if let name = source.options.className, schema.classNamed(name) == nil {
      throw Diagnostic(
        noClass: name.description, among: schema.classes.map(\.displayName.description), path: source.schema)
    }
    let version = request.schemaVersion ?? schema.version ?? 0
    var dataOptions = source.options
    dataOptions.schemaVersion = version
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
        if let fault = error as? BuildError, fault.isAboutSchema {
          throw Diagnostic(
            .schema, .schemaValidationFailed, path: source.schema, "\(fault)", advice: "change the schema")
        }
        let path = source.data.count == 1 ? input.name : "--data"
        throw Diagnostic(data: error, path: path, paths: source.data) ?? error
      }
    }
    for number in realm.emptySources {
      console.warn(
        Diagnostic(
          emptySource: source.data[number], ignoresUnknown: source.options.ignoresUnknownProperties))
    }
    console.warn(ofRounded: realm.roundedCounts, in: input.name)
    return realm
  }
}

extension BundleCommand.Request {
  /// The options for the file format.
  fileprivate func apply(to options: inout CopyOptions) {
    options.format = format
    options.mapping = TypeChangeRun.mapping(mappings)
  }
}
