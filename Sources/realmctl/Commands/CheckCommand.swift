import ArgumentParser
import RealmStorage

/// `realmctl check FILE`: looks at every invariant of a file.
struct CheckCommand: RealmctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check every invariant of a realm: space, nodes, values, trees, tables, links, indexes, history.",
    discussion: """
      Where something is wrong, classes with findings come first. Then findings come
      one per line: how bad it is, its id, what is wrong and where. What follows
      from another finding is counted there, and shown with --verbose.
      The status is 1 where there is an error; a warning counts with --strict only.
      What engines themselves leave behind is a note: it is counted, and shown
      with --verbose. The file is not changed.

      Examples:
        realmctl check app.realm
        realmctl check app.realm --strict --quiet && echo sound
        realmctl check app.realm --json | jq '.findings[] | select(.severity == "error")'
      """)

  @OptionGroup var realm: RealmArgument
  @Option(help: ArgumentHelp("Findings of one kind that are shown; all are counted.", valueName: "number"))
  var limit = 100
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var limit: Int
  }

  func request() throws -> Request {
    guard limit > 0 else { throw ValidationError("--limit takes a number above 0.") }
    return Request(input: try realm.input(key: key), limit: limit)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let progress = console.makeProgress()
    let report = try request.input.readBytes(console) { bytes in
      var report = CheckReport(path: request.input.name)
      let options = Checker.Options(
        mostFindingsPerKind: request.limit, reportsFollowing: console.style.volume == .verbose,
        progress: { progress?.show(share: $0) })
      report.summary = try Checker(bytes.store, options: options).run { report.findings.append($0) }
      return report
    }
    console.endProgress()
    let pen = Pen(isColored: StandardOutput.isColored(console.style.color))
    try StandardOutput.write(
      console.style.isJSON ? report.json() : report.text(pen, volume: console.style.volume))
    let isClean = report.summary.errors == 0 && (!console.style.isStrict || report.summary.warnings == 0)
    return isClean ? .done : .findings
  }
}
