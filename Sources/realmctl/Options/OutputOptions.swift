import ArgumentParser

/// Where data goes.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write to a file instead of standard output. It appears when it is complete; on an error or Ctrl-C nothing is "
        + "left behind.",
      valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace the output if it exists.")
  var force = false

  func destination() throws -> OutputDestination {
    guard let output, output != "-" else {
      if force { throw ValidationError("--force means something with -o only.") }
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

/// Tables that are no classes.
struct InternalTableOptions: ParsableArguments {
  @Flag(
    name: .customLong("internal"),
    help: "Include the tables that are no classes, such as the one with the schema version.")
  var includesInternalTables = false
}
