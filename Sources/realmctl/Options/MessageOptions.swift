import ArgumentParser

/// How a command reports, according to its options.
protocol MessageStyleOptions {
  var style: MessageStyle { get }

  /// - Throws: `UsageError` for options that cannot be used together.
  func validateCombination() throws
}

/// When output has color: the only choice for a command that prints nothing, such as `browse`.
struct ColorOptions: ParsableArguments, MessageStyleOptions {
  @Option(
    help: ArgumentHelp("When to use color; auto also honors NO_COLOR.", valueName: "when"))
  var color = ColorChoice.auto

  var style: MessageStyle { MessageStyle(color: color) }

  func validateCombination() throws {}
}

/// How much is reported, and how. Every command that prints has these options.
struct MessageOptions: ParsableArguments, MessageStyleOptions {
  @Flag(help: "Print results, errors and warnings as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only results and errors, no warnings or reports.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more details.")
  var verbose = false

  @Flag(help: "Show progress even if the output is a pipe.")
  var progress = false

  @OptionGroup var colors: ColorOptions

  @Flag(help: "Treat warnings as findings (exit status 1).")
  var strict = false

  func validateCombination() throws {
    if quiet, verbose { throw UsageError("--quiet and --verbose cannot be used together") }
    if progress, quiet || json { throw UsageError("--progress cannot be used with --quiet or --json") }
  }

  var style: MessageStyle {
    MessageStyle(
      isJSON: json, volume: quiet ? .quiet : verbose ? .verbose : .normal, color: colors.color, isStrict: strict,
      showsProgressInPipelines: progress)
  }
}

/// When output has color.
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
  /// Whether the progress line is shown although another program, which may write to the terminal as well, gets the output.
  var showsProgressInPipelines = false

  /// Whether a progress line on the terminal can be seen and does not disturb. In a pipeline, the program that reads
  /// the output may write to the same terminal, and the line would appear between its results.
  ///
  /// - Parameters:
  ///   - output: what standard output is.
  ///   - takesData: whether data is written there during the work.
  func showsProgress(alongside output: StandardOutput.Kind, takingData takesData: Bool) -> Bool {
    guard !isJSON, volume != .quiet else { return false }
    return switch output {
    case .terminal: !takesData
    case .pipe: showsProgressInPipelines
    case .file: true
    }
  }
}
