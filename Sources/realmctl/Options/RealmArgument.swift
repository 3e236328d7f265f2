import ArgumentParser
import RealmStorage

/// The realm a command reads, and its key.
struct RealmArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Realm file; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var file: String

  @OptionGroup var snapshot: SnapshotOptions

  func input(key: KeyOptions) throws -> RealmInput {
    var input = try RealmInput(file, key)
    input.snapshot = snapshot.choice
    return input
  }

  /// The text is the SDKs'.
  static func requirePath(_ path: String) throws {
    if path.isEmpty { throw ValidationError(ConfigurationError.emptyPath.description) }
  }
}

/// The realms a command reads, one after another, and the key of all of them.
struct RealmArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Realm files; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var files: [String]

  @OptionGroup var snapshot: SnapshotOptions

  func inputs(key: KeyOptions) throws -> [RealmInput] {
    try Self.inputs(files, key: key, snapshot: snapshot.choice)
  }

  /// - Throws: `ValidationError`.
  static func inputs(
    _ files: [String], key: KeyOptions, snapshot: SnapshotChoice = .live
  ) throws -> [RealmInput] {
    for path in files { try RealmArgument.requirePath(path) }
    guard files.count(where: { $0 == "-" }) < 2 else { throw ValidationError("Standard input can be used only once.") }
    let source = try key.source(alongside: files)
    return files.map { RealmInput(path: $0, key: source, snapshot: snapshot) }
  }
}

/// The realms that `open` reads, or the default realm, and the key of all of them.
struct RealmOrDefaultArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Realm files, or default.realm; - is standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var files: [String] = []

  @OptionGroup var snapshot: SnapshotOptions

  func inputs(key: KeyOptions) throws -> [RealmInput] {
    try RealmArguments.inputs(DefaultRealm.files(files), key: key, snapshot: snapshot.choice)
  }
}

/// What a command works on that was given no FILE.
enum DefaultRealm {
  static func files(_ files: [String]) -> [String] { files.isEmpty ? [BundleCommand.defaultFile] : files }

  /// Says that it does.
  static func remark(on console: Console) {
    console.remark("no FILE given; using \(BundleCommand.defaultFile)")
  }
}

/// Which snapshot of a realm a command reads.
struct SnapshotOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Older snapshot to read: previous, or a byte offset.",
      valueName: "snapshot"))
  var snapshot: SnapshotArgument?

  var choice: SnapshotChoice { snapshot?.choice ?? .live }
}

/// A snapshot as it is named on the command line.
struct SnapshotArgument: ExpressibleByArgument, Equatable {
  let choice: SnapshotChoice

  init?(argument: String) {
    if argument == "previous" {
      choice = .previous
    } else if let offset = UInt64(argument) {
      choice = .at(topRef: offset)
    } else {
      return nil
    }
  }
}

/// The realms a command changes, one after another, and the key of all of them.
struct ChangedRealmArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The realm files, each on its own.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var files: [String]

  /// - Parameter verb: what is done to them, for the message.
  func inputs(key: KeyOptions, verb: String) throws -> [RealmInput] {
    try Self.inputs(files, key: key, verb: verb)
  }

  /// - Throws: `ValidationError`.
  static func inputs(_ files: [String], key: KeyOptions, verb: String) throws -> [RealmInput] {
    guard !files.contains("-") else {
      throw ValidationError("Standard input cannot be \(verb); write it to a file first.")
    }
    for path in files { try RealmArgument.requirePath(path) }
    let source = try key.source(alongside: files)
    return files.map { RealmInput(path: $0, key: source) }
  }
}

/// The realm a command changes, and its key: a file, never standard input.
struct ChangedRealmArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("Realm file.", valueName: "file"), completion: .file(extensions: ["realm"]))
  var file: String

  /// - Parameter verb: what is done to it, for the message.
  func input(key: KeyOptions, verb: String) throws -> RealmInput {
    let input = try RealmInput(file, key)
    guard !input.isStandardInput else {
      throw ValidationError("Standard input cannot be \(verb); save it to a file first.")
    }
    return input
  }
}

/// A realm to read.
struct RealmInput: Equatable, Sendable {
  /// As typed; `-` is standard input.
  var path: String
  var key: KeySource?
  var snapshot: SnapshotChoice

  init(path: String, key: KeySource? = nil, snapshot: SnapshotChoice = .live) {
    (self.path, self.key, self.snapshot) = (path, key, snapshot)
  }

  /// - Parameter path: as typed.
  /// - Throws: `ValidationError`.
  init(_ path: String, _ key: KeyOptions) throws {
    try RealmArgument.requirePath(path)
    self.init(path: path, key: try key.source(alongside: [path]))
  }

  var isStandardInput: Bool { path == "-" }

  /// Everything that is read to show what is in it, `-` for standard input: whoever may not read the key may not read what it
  /// opens.
  var files: [String] { [path] + [key?.path].compactMap { $0 } }

  /// An empty realm that is in no file.
  static let inMemory = RealmInput(path: "")

  /// What messages call it.
  var name: String { isStandardInput ? "standard input" : path.isEmpty ? Self.nameInMemory : path }

  /// What takes the place of the path that a realm in memory does not have.
  static let nameInMemory = "(in memory)"
}
