import ArgumentParser
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// What a seed is built from, other than a realm as it is.
struct DataSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Schema of the seed: a schema file or a realm.", valueName: "path"), completion: .file())
  var schema: String?

  @Option(
    help: ArgumentHelp("Objects, as for 'import'; - is standard input; repeatable.", valueName: "path"),
    completion: .file())
  var data: [String] = []

  @Flag(help: "Keep object keys of JSON data, in ascending order.")
  var keepKeys = false

  @Flag(help: "Create missing classes, with types inferred from the data.")
  var createClasses = false

  @Option(
    help: ArgumentHelp("Key file for a realm in --data; forms as for --key-file.", valueName: "path"),
    completion: .file())
  var dataKeyFile: String?
}

/// JSON to build a realm from at once, and how it is read.
struct DataSource: Equatable, Sendable {
  /// As typed.
  var schema: String
  /// As typed; `-` is standard input. None for a seed without objects.
  var data: [String]
  var options = DataOptions()
}

/// What a seed is made from.
enum SeedSource: Equatable {
  case realm(RealmInput, CopyFilter)
  /// The key belongs to the realm with the schema.
  case data(DataSource, key: KeySource?)
  /// Objects that are imported in memory, into a realm or an empty one.
  case imported(LaunchRequest, ImportRun.Request, CopyFilter)

  /// The input: the realm, or the first of the data.
  var input: RealmInput {
    switch self {
    case .realm(let input, _): input
    case .data(let source, let key): RealmInput(path: source.data.first ?? source.schema, key: key)
    case .imported(let launch, let work, _):
      launch.input.path.isEmpty
        ? RealmInput(path: work.sources.first?.path ?? "", key: launch.input.key) : launch.input
    }
  }

  /// Everything that is read, as typed.
  var paths: [String] {
    switch self {
    case .realm(let input, _): [input.path]
    case .data(let source, _): [source.schema] + source.data
    case .imported(let launch, let work, _):
      [launch.input.path.isEmpty ? nil : launch.input.path, work.schema].compactMap { $0 } + work.sources.map(\.path)
    }
  }
}
