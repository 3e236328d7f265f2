import ArgumentParser
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmTools

/// `realmctl stats FILE…`: show what takes up the space in realms.
struct StatsCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrSnapshot,
    .findings: RunStatus.onlyIfStrict,
    .failed: "failed, or part of a realm is damaged",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "stats", _superCommandName: "realmctl",
    abstract: "Show what takes up the space in a realm file.",
    usage: "realmctl stats [<options>] <file> ...",
    discussion: .flowing(
      """
      Shows what the bytes of a file are used for, the largest parts first, and what
      would make it smaller. Every byte counts exactly once, so the rows add up to the
      size of the file; bytes that nothing accounts for get a row of their own. --by
      selects the rows:

        part      one row for each use of a property: strings, values, index ...
        class     one row for each class
        property  one row for each property

      With --by property, AVERAGE is the number of bytes per object, and LARGEST the
      size of the largest value, with the key of its object.

      'older snapshots' is space freed by recent commits, but kept while something
      may still read an older snapshot.

      Damaged parts are named; the bytes behind them are 'not accounted for'. With
      several files, --json prints one object per line, and the exit status is the
      highest.

      Examples:
        realmctl stats app.realm
        realmctl stats app.realm --by property --top 5
        realmctl stats *.realm --by class
        realmctl stats app.realm --json | jq '[.parts[].bytes] | add'

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realms, completion: .realm) var files: [String]

  @Option(
    help: ArgumentHelp("How to group the rows.", valueName: "group"))
  var by = RealmStats.Grouping.part

  @Option(help: ArgumentHelp("Rows to show; a last row totals the rest.", valueName: "number"))
  var top = 20

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var grouping: RealmStats.Grouping
    var rowCount: Int
  }

  func request() throws -> Request {
    try NumberRange.require(top, "--top", of: "stats")
    return Request(inputs: try RealmInput.all(files, key, snapshot.choice), grouping: by, rowCount: top)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    let pen = ANSIStyle(isColored: StandardOutput.isColored(console.style.color))
    var isFirst = true
    return try RealmBatch(inputs: request.inputs, console: console).forEach { input, key in
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
      return console.report(damage: report.damage)
    }
  }
}

extension RealmStats.Grouping: ExpressibleByArgument {}
