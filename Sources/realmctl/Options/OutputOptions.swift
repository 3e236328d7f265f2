import ArgumentParser

/// The option for where data goes.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write to a file instead of standard output.", valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace an existing output.")
  var force = false

  func destination() throws -> OutputDestination {
    guard let output, output != "-" else {
      if force { throw ValidationError("--force needs -o.") }
      return .standardOutput
    }
    return .path(output, replacing: force)
  }
}

/// Where data goes.
enum OutputDestination: Equatable, Sendable {
  case standardOutput
  case path(String, replacing: Bool)
}

/// Tables that are not classes.
struct InternalTableOptions: ParsableArguments {
  @Flag(
    name: .customLong("internal"),
    help: "Include internal tables.")
  var includesInternalTables = false
}
