import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl stats FILE…`: where the bytes of realms are.
struct StatsCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)

  static let configuration = CommandConfiguration(
    commandName: "stats", _superCommandName: "realmctl",
    abstract: "Show where the bytes of a realm are: classes, properties, indexes, history, free space.",
    discussion: """
      Every byte of the file counts exactly once, so the rows add up to its size.
      The largest parts come first; the rest is summed up in one row. What nothing
      accounts for is a row of its own. Advice follows if there is something to do.

        part      each use of each property (default): strings, values, index ...
        class     everything of a class in one row
        property  everything of a property in one row, with the size of an average
                  value, and the largest value with the key of its object

      'older snapshots' is space that the last commits gave back: older states
      of the realm consist of it, as long as something reads them.

      Parts that are damaged are named, and the status is 2; the bytes behind them
      are 'not accounted for'. Several files are shown one after another.

      Examples:
        realmctl stats app.realm
        realmctl stats app.realm --by property --top 5
        realmctl stats *.realm --by class
        realmctl stats app.realm --json | jq '[.parts[].bytes] | add == .fileSize'

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @Argument(help: .realms, completion: .realm) var files: [String]
  @OptionGroup var snapshot: SnapshotOptions

  @Option(
    help: ArgumentHelp("Group rows by part, class or property.", valueName: "what"))
  var by = RealmStats.Grouping.part

  @Option(help: ArgumentHelp("Rows to show; the rest are totalled.", valueName: "number"))
  var top = 20

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var grouping: RealmStats.Grouping
    var rowCount: Int
  }

  func request() throws -> Request {
    guard top > 0 else { throw ValidationError("--top takes a number above 0.") }
    return Request(inputs: try RealmInput.all(files, key, snapshot.choice), grouping: by, rowCount: top)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    let pen = Pen(isColored: StandardOutput.isColored(console.style.color))
    var isFirst = true
    return try SeveralRealms(inputs: request.inputs, console: console).forEach { input, key in
      try input.read(console, with: key) { realm in
        realm.warnIfHeld(on: console)
        let progress = console.makeProgress()
        defer { console.endProgress() }
        return StatsReport(
          input: input.path, name: input.name, stats: try RealmStats(realm) { progress?.show(share: $0) },
          damagedTables: realm.damagedTables(in: .all))
      }
    } show: { report in
      if console.style.isJSON {
        try StandardOutput.write(report.json(isIndented: isOnlyOne))
      } else {
        if !isFirst { try StandardOutput.write("\n") }
        isFirst = false
        let text = StatsReportText(
          report: report, grouping: request.grouping, rowCount: request.rowCount,
          width: StandardOutput.width)
        try StandardOutput.write(text.text(pen, showsAdvice: console.style.volume != .quiet))
      }
      for diagnostic in report.damage { console.report(diagnostic) }
      return report.damage.isEmpty ? .done : .failed
    }
  }
}

extension RealmStats.Grouping: ExpressibleByArgument {}
