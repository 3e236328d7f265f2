import ArgumentParser

/// How much is said, and how. Every command has these.
struct MessageOptions: ParsableArguments {
  @Flag(help: "Print facts as JSON; errors and warnings become JSON objects on standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Leave out warnings and what was done; errors are always shown.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Say more: what was done, and how it went.")
  var verbose = false

  @Option(
    help: ArgumentHelp("When to use colour; auto: on a terminal, unless NO_COLOR is set.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Count warnings as findings: status 1 instead of 0.")
  var strict = false

  func validateCombination() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
  }

  var style: MessageStyle {
    MessageStyle(
      isJSON: json, volume: quiet ? .quiet : verbose ? .verbose : .normal, color: color, isStrict: strict)
  }
}

/// When output has colour.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// On a terminal, unless NO_COLOR is set.
  case auto
  case always
  case never
}

/// How a run talks to its user.
struct MessageStyle: Equatable, Sendable {
  enum Volume: Sendable { case quiet, normal, verbose }

  var isJSON = false
  var volume = Volume.normal
  var color = ColorChoice.auto
  /// Whether warnings count as findings.
  var isStrict = false
}
