import ArgumentParser
import RealmExchange
import RealmStorage
import RealmTools

/// A schema and data to build a realm from.
struct DataSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Schema of the seed: a schema file or a realm.", valueName: "path"), completion: .file())
  var schema: String?

  @Option(
    help: ArgumentHelp(
      "JSON as 'export' writes it; - is standard input; repeatable.", valueName: "path"),
    completion: .file())
  var data: [String] = []

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Class of objects that do not name their class.", valueName: "class"),
    completion: ClassNameCompletion.one)
  var className: String?

  @Flag(help: "Keep the object keys of the data; they must ascend.")
  var keepKeys = false

  @Flag(help: "Ignore members that the schema does not have.")
  var ignoreUnknown = false

  @Flag(help: "Accept strings for numbers and booleans.")
  var coerce = false

  @Flag(help: "Update an object whose primary key occurs again.")
  var upsert = false

  @Option(
    help: ArgumentHelp(
      "Duplicate primary keys: fail, keep-first or keep-last.", valueName: "what")
  )
  var onDuplicate = DuplicateChoice.fail

  /// - Parameter isStrict: whether a property without a value is an error.
  /// - Returns: nil where nothing is built.
  func source(isStrict: Bool) throws -> DataSource? {
    if schema == nil || data.isEmpty {
      guard data.isEmpty else { throw ValidationError("--data needs --schema.") }
      guard className == nil, !keepKeys, !ignoreUnknown, !coerce, !upsert else {
        throw ValidationError(
          "--class, --keep-keys, --ignore-unknown, --coerce and --upsert need --data.")
      }
      guard onDuplicate == .fail else { throw ValidationError("--on-duplicate needs --data") }
    }
    guard let schema else { return nil }
    if upsert, onDuplicate != .fail { throw ValidationError("--upsert and --on-duplicate cannot be used together") }
    for path in [schema] + data { try RealmInput.requirePath(path) }
    let fromStandardInput = data.count { $0 == "-" }
    if schema == "-", fromStandardInput > 0 {
      throw ValidationError("Standard input cannot be both the schema and the data.")
    }
    if fromStandardInput > 1 { throw ValidationError("Standard input can be used only once.") }
    return DataSource(
      schema: schema, data: data, className: className, keepsObjectKeys: keepKeys, ignoresUnknown: ignoreUnknown,
      coerces: coerce, upserts: upsert, onDuplicate: onDuplicate, isStrict: isStrict)
  }
}

/// Where a realm is built from, and how the data is read.
struct DataSource: Equatable, Sendable {
  /// As typed.
  var schema: String
  /// As typed; `-` is standard input. None for a seed without objects.
  var data: [String]
  var className: String?
  var keepsObjectKeys = false
  var ignoresUnknown = false
  var coerces = false
  var upserts = false
  var onDuplicate = DuplicateChoice.fail
  var isStrict = false

  func options(schemaVersion: UInt64?) -> DataOptions {
    var options = DataOptions()
    options.className = className.map { RealmString($0) }
    options.keepsObjectKeys = keepsObjectKeys
    options.isStrict = isStrict
    options.ignoresUnknownProperties = ignoresUnknown
    options.coerces = coerces
    options.upserts = upserts
    options.onDuplicate = onDuplicate
    options.schemaVersion = schemaVersion
    return options
  }
}

/// What a seed is made from.
enum SeedSource: Equatable, Sendable {
  case realm(RealmInput, CopyFilter)
  /// The key belongs to the realm that gives the schema.
  case data(DataSource, key: KeySource?)

  /// What is read: the realm, or the first of the data.
  var input: RealmInput {
    switch self {
    case .realm(let input, _): input
    case .data(let source, let key): RealmInput(path: source.data.first ?? source.schema, key: key)
    }
  }

  /// Everything that is read, as typed.
  var paths: [String] {
    switch self {
    case .realm(let input, _): [input.path]
    case .data(let source, _): [source.schema] + source.data
    }
  }
}

extension DuplicateChoice: ExpressibleByArgument {}
