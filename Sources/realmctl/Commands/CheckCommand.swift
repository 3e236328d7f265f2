import ArgumentParser
import RealmInspection
import RealmPresentation
import RealmStorage
import RealmSystem

/// `realmctl check FILE…`: check every invariant of a file.
struct CheckCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrSnapshot,
    .done: "no damage found",
    .findings: "damage found; with --strict, also if there are only warnings",
    .failed: "the file cannot be read, or is not a realm",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "check", _superCommandName: "realmctl",
    abstract: "Check a realm for damage.",
    usage: "realmctl check [<options>] <file> ...",
    discussion: .flowing(
      """
      Checks every node, value, tree, table, link, index entry and free block of a
      realm, and its history, and prints what is damaged. The file is not changed. If
      there are errors, 'recover' saves what can be read.

      Each finding is one line: error or warning, an ID, what is wrong, and where.
      Findings that follow from another one are only counted; --verbose shows them,
      and also notes: harmless things that Realm's own engines leave behind.
      'realmctl help damage' explains each ID and says what to do.

      With several files, --json prints one object per line, and the exit status is
      the highest.

      Examples:
        realmctl check app.realm
        realmctl check app.realm --strict --quiet && echo no damage
        realmctl check *.realm
        realmctl check app.realm --json | jq -c '.findings[]'

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realms, completion: .realm) var files: [String]
  @Option(help: ArgumentHelp("Maximum number of findings to show of each kind.", valueName: "number"))
  var limit = 100
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var limit: Int
  }

  func request() throws -> Request {
    try NumberRange.require(limit, "--limit", of: "check")
    return Request(inputs: try RealmInput.all(files, key, snapshot.choice), limit: limit)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    return try RealmBatch(inputs: request.inputs, console: console).forEach { input, key in
      try input.readBytes(console, with: key) { bytes in
        var report = CheckReport(input: input)
        input.warnIfHeld(on: console)
        let progress = console.makeProgress()
        defer { console.endProgress() }
        var options = Checker.Options(
          mostFindingsPerKind: request.limit, reportsFollowing: console.style.volume == .verbose,
          progress: { progress?.show(share: $0) })
        options.threadCount = Processors.threadCount(forBytes: bytes.physicalSize)
        report.summary = try Checker(bytes.store, choosing: input.snapshot, options: options).run {
          report.findings.append($0)
        }
        if report.summary.errors > 0 {
          let snapshot = try? Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted, choosing: input.snapshot)
          report.isSynced = snapshot?.historyKind.isSynchronized ?? false
          report.hasUnknownHistory = snapshot?.historyProblem != nil
          report.isUnreadable = snapshot == nil && Header.legacyFormats.contains(report.summary.format)
        }
        return report
      }
    } show: { report in
      let pen = ANSIStyle(isColored: StandardOutput.isColored(console.style.color))
      let text = report.text(pen, volume: console.style.volume)
      // The summary line names the file; the findings above it do not.
      let showsNotes = console.style.volume == .verbose
      let needsHeader = !isOnlyOne && report.findings.contains { $0.severity != .note || showsNotes }
      let header = needsHeader ? PrintableText.escaping("==> \(report.input.name) <==") + "\n" : ""
      try StandardOutput.write(console.style.isJSON ? report.json(isIndented: isOnlyOne) : header + text)
      let isClean = report.summary.errors == 0 && (!console.style.isStrict || report.summary.warnings == 0)
      return isClean ? .done : .findings
    }
  }
}
