import ArgumentParser
import RealmStorage
import RealmSystem
import RealmTerminal

/// The start and the end of a run: parse, run, report what went wrong, exit with the status.
package enum Program {
  /// What the running program was built from.
  @TaskLocal static var build = BuildFacts()

  package static func main(_ build: BuildFacts) {
    ProcessStart.restoreEnvironment()
    ProcessStart.openStandardStreams()
    Signals.install()
    ProcessStart.withEnoughStack {
      let status = $build.withValue(build) { run() }
      Signals.exit(status.rawValue)
    }
  }

  private static func run() -> RunStatus {
    guard let arguments = ProcessStart.arguments else {
      let problem = Diagnostic(.failed, .fileOperationFailed, "the arguments of this process cannot be read")
      return endOfRun(problem, Console(MessageStyle(isJSON: false)))
    }
    return run(arguments)
  }

  static func run(_ arguments: [String]) -> RunStatus {
    SecretScrubber.remember(in: arguments)
    let command: any ParsableCommand
    do {
      command = try Realmctl.parse(all: arguments)
    } catch {
      return endOfParsing(error, arguments)
    }
    guard let command = command as? any RealmctlCommand else { return showHelp(of: command, arguments) }
    let console = Console(command.messages.style)
    TruncatedFileHandler.installHandler(console.style)
    do {
      let status = try UnfinishedOutputs.$record.withValue(UnfinishedOutputs.Record()) {
        try SpillSettings.$current.withValue(spillSettings()) { try command.perform(on: console) }
      }
      return console.status(after: status)
    } catch {
      let status = endOfRun((error as? Diagnostic)?.advising(on: arguments) ?? error, console)
      // What begins with a file is about what it is, and no usage would help.
      if let diagnostic = error as? Diagnostic, diagnostic.status == .usage, diagnostic.path == nil {
        console.show(usage: UsageError.usage(of: type(of: command)))
      }
      return status
    }
  }

  /// What the environment says about memory and temporary files.
  private static func spillSettings() throws -> SpillSettings {
    var settings = SpillSettings(memory: 256 << 20)
    if let folder = Environment.nonEmptyValue("TMPDIR") { settings.folder = folder }
    guard let text = Environment.nonEmptyValue("REALMCTL_MEMORY") else { return settings }
    guard let limit = ByteLimit(argument: text) else {
      throw Diagnostic(
        .usage, .invalidArgument, "REALMCTL_MEMORY takes a size, such as 512MiB, not '\(text)'")
    }
    settings.memory = limit.byteCount
    return settings
  }

  // MARK: - Ends

  /// A command that only groups others, and the built-in `help`, answer with a help text.
  private static func showHelp(of command: any ParsableCommand, _ arguments: [String]) -> RunStatus {
    var command = command
    do {
      try command.run()
      return .done
    } catch {
      return endOfParsing(error, arguments)
    }
  }

  private static func endOfParsing(_ error: any Error, _ arguments: [String]) -> RunStatus {
    let isJSON = arguments.prefix { $0 != "--" }.contains("--json")
    let console = Console(MessageStyle(isJSON: isJSON))
    if Realmctl.exitCode(for: error) == .success {
      do {
        try StandardOutput.write(help(for: error, arguments) + "\n")
        return .done
      } catch {
        return endOfRun(error, console)
      }
    }
    console.report(usage: (error as? UsageError) ?? UsageError(Realmctl.message(for: error)))
    return .usage
  }

  private static func help(for error: any Error, _ arguments: [String]) -> String {
    // As the parser determines it.
    let width = Environment.value("COLUMNS").flatMap { Int($0) } ?? StandardOutput.width ?? HelpText.usualWidth
    if ShortHelp.isAsked(by: arguments) {
      return ShortHelp(for: arguments, width: min(width, HelpText.usualWidth)).text
    }
    let help = Realmctl.fullMessage(for: error)
    guard width < HelpText.usualWidth else { return HelpText.ordered(help) }
    let wide = Realmctl.fullMessage(for: error, columns: 10_000)
    return HelpText.ordered(HelpText.narrowed(help, wide: wide, to: width))
  }

  private static func endOfRun(_ error: any Error, _ console: Console) -> RunStatus {
    switch error {
    case is ClosedPipe:
      return .done
    case let diagnostic as Diagnostic:
      console.report(diagnostic)
      return diagnostic.status
    default:
      let diagnostic = Diagnostic(.failed, .fileOperationFailed, "unexpected error: \(error)")
      console.report(diagnostic)
      return diagnostic.status
    }
  }
}
