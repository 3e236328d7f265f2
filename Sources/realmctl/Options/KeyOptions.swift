import ArgumentParser

/// Where the encryption key comes from. A key is never an argument's value: arguments are visible to every process.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Key file: raw, hex, Base64 or numbers; - is standard input.", valueName: "path"),
    completion: .file())
  var keyFile: String?

  @Option(
    help: ArgumentHelp("Environment variable with the key.", valueName: "name"))
  var keyEnv: String?

  @Flag(help: "Ask for the key on the terminal.")
  var keyPrompt = false

  /// - Throws: `UsageError`.
  func source() throws -> KeySource? {
    let sources = [
      keyFile.map { $0 == "-" ? KeySource.standardInput : .file($0) },
      keyEnv.map { KeySource.environment($0) },
      keyPrompt ? .prompt : nil,
    ].compactMap { $0 }
    guard sources.count <= 1 else {
      throw UsageError("--key-file, --key-env and --key-prompt cannot be used together")
    }
    return sources.first
  }
}

/// The key of the newer of two realms. Without one both have the same.
struct NewKeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Key file for the newer realm; forms as for --key-file.", valueName: "path"),
    completion: .file())
  var newKeyFile: String?

  @Option(help: ArgumentHelp("Environment variable with the key for the newer realm.", valueName: "name"))
  var newKeyEnv: String?

  /// - Parameters:
  ///   - key: of the older realm.
  ///   - inputCount: 1 for two snapshots of one realm.
  /// - Throws: `UsageError`.
  func source(comparedTo key: KeySource?, inputCount: Int) throws -> KeySource? {
    guard inputCount == 2 || newKeyFile == nil && newKeyEnv == nil else {
      throw UsageError(
        "--new-key-file and --new-key-env need two realms", advice: "the snapshots of a file have one key")
    }
    guard newKeyFile == nil || newKeyEnv == nil else {
      throw UsageError("--new-key-file and --new-key-env cannot be used together")
    }
    let source: KeySource? =
      newKeyFile.map { $0 == "-" ? .standardInput : .file($0) } ?? newKeyEnv.map { .environment($0) }
    // Reading a key removes its variable from the environment, so it cannot be read twice.
    return source == key ? nil : source
  }
}
