import ArgumentParser

/// Where the encryption key comes from. A key is never an argument's value: arguments are visible to every process.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Key file: raw, hex, Base64 or JSON; - is standard input.", valueName: "path"),
    completion: .file())
  var keyFile: String?

  @Option(
    help: ArgumentHelp("Environment variable with the key.", valueName: "name"))
  var keyEnv: String?

  @Flag(help: "Ask for the key on the terminal.")
  var keyPrompt = false

  /// - Parameter inputs: the files of the command, as typed; standard input can be only one thing.
  func source(besides inputs: [String]) throws -> KeySource? {
    let sources = [
      keyFile.map { $0 == "-" ? KeySource.standardInput : .file($0) },
      keyEnv.map { KeySource.environment($0) },
      keyPrompt ? .prompt : nil,
    ].compactMap { $0 }
    guard sources.count <= 1 else {
      throw ValidationError("Use only one of --key-file, --key-env and --key-prompt.")
    }
    if sources.first == .standardInput, inputs.contains("-") {
      throw ValidationError("Standard input cannot be both the realm and its key.")
    }
    return sources.first
  }
}
