import ArgumentParser
import RealmExchange
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmTools

/// `realmctl history FILE`: the snapshots that are still in a file.
struct HistoryCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .failed: "failed, or the live snapshot is damaged",
    .notFound: RunStatus.noFile,
    .findings: RunStatus.onlyIfStrict,
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "history", _superCommandName: "realmctl",
    abstract: "List the snapshots in a realm file, and what changed between them.",
    usage: "realmctl history [<options>] <file> ...",
    discussion: .flowing(
      """
      Lists the snapshots that a file still contains, newest first, and what changed
      between them. These are the live snapshot; the previous one, which remains until
      the next commit overwrites it; and those that other processes still read,
      according to the lock file. Objects are compared as 'diff' does. The
      kind and length of the change history are also shown.

      Other commands read one of these snapshots with --snapshot: previous, or the
      byte offset under ROOT. With several files, --json prints one object per line,
      and the exit status is the highest.

      Examples:
        realmctl history app.realm
        realmctl export app.realm --snapshot previous
        realmctl diff app.realm --against previous
        realmctl history app.realm --json | jq '.snapshots[].snapshotVersion'

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realms, completion: .realm) var files: [String]

  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
  }

  func request() throws -> Request { Request(inputs: try RealmInput.all(files, key)) }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let isOnlyOne = request.inputs.count == 1
    let pen = ANSIStyle(isColored: StandardOutput.isColored(console.style.color))
    var isFirst = true
    return try RealmBatch(inputs: request.inputs, console: console).forEach { input, key in
      try input.read(console, with: key) { realm in
        realm.warnIfHeld(on: console)
        let entries = input.isStandardInput ? [] : VersionsInUse.entries(of: input.path, heldBy: realm.holders)
        return HistoryReport(input: input.path, name: input.name, history: try RealmHistory(realm, inUse: entries))
      }
    } show: { report in
      if !isFirst, !console.style.isJSON { try StandardOutput.write("\n") }
      isFirst = false
      try StandardOutput.write(console.style.isJSON ? report.json(isIndented: isOnlyOne) : report.text(pen))
      return console.report(damage: report.damage)
    }
  }
}
