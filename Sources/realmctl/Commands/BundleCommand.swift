import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl bundle [FILE] --seed OUT`: a seed file for an app.
struct BundleCommand: RealmctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Make a seed file for an app from a realm, or from a schema and JSON data.",
    discussion: """
      A seed is a compacted copy of file format 24, which an app opens read-only, or
      copies on its first launch. It is read again and compared before it appears.
      A manifest tells what it is: size, file format, schema version, classes with
      their objects, SHA-256. The same input gives the same bytes.

      FILE is default.realm in the current folder unless named. With --schema and
      --data the seed is built from data: --schema is a schema file as 'schema dump
      --format json' prints it, or a realm; --data is JSON as 'export' writes it
      (json, ndjson, typed, typed-ndjson; told apart by content), - for standard
      input. Several --data are read one after another and may link to each other.
      With --strict a property without a value is an error. With --upsert all
      objects are kept in memory until the last has been read.

      Examples:
        realmctl bundle --seed seed.realm
        realmctl bundle app.realm --seed seed.realm --only City,Country
        realmctl bundle --schema model.json --data cities.ndjson --seed seed.realm
        realmctl bundle app.realm --seed - --json 2> manifest.json > seed.realm
      """)

  @Argument(
    help: ArgumentHelp(
      "The realm; - reads it from standard input. default.realm unless named.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var file: String?

  @Option(
    help: ArgumentHelp("The seed to write; - writes it to standard output.", valueName: "path"),
    completion: .file(extensions: ["realm"]))
  var seed: String

  @OptionGroup(title: "Building from data") var data: DataSourceOptions
  @OptionGroup(title: "Part of the realm") var part: CopyFilterOptions

  @Option(help: ArgumentHelp("The schema version to store; the source's own unless given.", valueName: "number"))
  var schemaVersion: UInt64?

  @Option(
    help: ArgumentHelp(
      "A schema file or realm whose classes the seed should have; warn of each that it has not.", valueName: "path"),
    completion: .file())
  var expectSchema: String?

  @Option(
    help: ArgumentHelp(
      "Write the seed only if a class has so many objects, e.g. 'City = 100' or 'City > 0'. May be repeated.",
      valueName: "count"))
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
      let realm = RealmArgument(file: file ?? Self.defaultFile)
      return .realm(try realm.input(key: key), part)
    }
    guard file == nil else { throw ValidationError("A seed is made from FILE, or from --schema and --data.") }
    guard part == CopyPart() else {
      throw ValidationError("--only, --exclude, --no-internal and --allow-data-loss are for realms, not for data.")
    }
    let keySource = try key.source(besides: [data.schema] + data.data)
    return .data(data, key: keySource)
  }

  /// The name that an SDK gives to the default realm.
  static let defaultFile = "default.realm"

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let input = request.source.input
    let key = try input.key?.read(for: input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name)
    let files = request.source.paths + [request.outputKey.path, request.expectedSchema]
    let run = CopyRun(request.writing, of: input, isDecrypting: outputKey == nil, besides: files, on: console)
    try run.checkOutput()
    let expected = try request.expectedSchema.map {
      try SchemaSource(key: input.key, read: key).schema(at: $0, console)
    }
    let work = SeedWork(request: request, run: run, key: key, outputKey: outputKey, console: console)
    let seed = try work.make()
    let manifest = try work.manifest(of: seed)
    try ExpectedCount.require(request.expectedCounts, of: manifest.classes, in: request.writing.name)
    try run.publish(seed.output)
    manifest.warn(ofClassesMissingFrom: expected, request.expectedSchema ?? "", on: console)
    try console.tell(manifest.text(), json: manifest.json(), besidesData: request.writing.isStandardOutput)
    return .done
  }
}
