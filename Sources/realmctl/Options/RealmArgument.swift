import ArgumentParser

/// The realm a command reads, and its key.
struct RealmArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The realm file; - reads it from standard input.", valueName: "file"),
    completion: .file(extensions: ["realm"]))
  var file: String

  init() {}

  init(file: String) { self.file = file }

  func input(key: KeyOptions) throws -> RealmInput {
    try Self.requirePath(file)
    return RealmInput(path: file, key: try key.source(besides: [file]))
  }

  /// The text is the SDKs'.
  static func requirePath(_ path: String) throws {
    if path.isEmpty { throw ValidationError("Realm path must not be empty") }
  }
}

/// A realm to read.
struct RealmInput: Equatable, Sendable {
  /// As typed; `-` is standard input.
  var path: String
  var key: KeySource?

  var isStandardInput: Bool { path == "-" }

  /// Everything that is read to show what is in it, `-` for standard input: whoever may not read the key may not read what it
  /// opens.
  var files: [String] { [path] + [key?.path].compactMap { $0 } }

  /// What messages call it.
  var name: String { isStandardInput ? "standard input" : path }
}
