import ArgumentParser

/// Rules by which the values of a copy are redacted.
struct RedactionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Redact values by these rules; see realmctl-redaction(5).", valueName: "rules"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var redact: String?

  @Option(
    help: ArgumentHelp("Redaction key: any file of 16 bytes or more.", valueName: "path"),
    completion: .file())
  var redactKeyFile: String?

  /// - Parameter inputs: what else may be read from standard input: paths as typed.
  /// - Throws: `UsageError`.
  func request() throws -> RedactionRequest? {
    guard let redact else {
      if redactKeyFile != nil { throw UsageError("--redact-key-file needs --redact") }
      return nil
    }
    return RedactionRequest(rules: redact, keyFile: redactKeyFile)
  }
}
