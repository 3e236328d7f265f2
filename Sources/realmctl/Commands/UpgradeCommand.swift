import ArgumentParser
import RealmExchange
import RealmStorage
import RealmTools

/// `realmctl upgrade FILE`: brings a realm to the current file format.
struct UpgradeCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)

  static let configuration = CommandConfiguration(
    commandName: "upgrade", _superCommandName: "realmctl",
    abstract: "Convert a realm to file format 24.",
    discussion: """
      The realm is rebuilt from its objects, compared with the old file, and swapped
      in atomically. Object keys are kept. A backup is kept next to the file, and the
      report shows how to restore it. A file that an app has open is left alone
      (status 6); a file in format 24 is not touched.

      Examples:
        realmctl upgrade old.realm --dry-run
        realmctl upgrade old.realm
        realmctl upgrade old.realm --backup /backups/old.realm
        realmctl upgrade old.realm -o new.realm

      Files:
        old.realm.lock                          lock file, shared with apps
        old.pre-upgrade-TIME.realm              backup, unless --no-backup is given

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realms: ChangedRealmArguments
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: BackupOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    /// One for each file; all else is the same.
    var launches: [LaunchRequest]
  }

  func request() throws -> Request {
    let inputs = try realms.inputs(key: key, verb: "upgraded")
    try inPlace.requireSeveral(inputs, output: target.output)
    return Request(
      launches: try inputs.map { input in
        var launch = LaunchRequest(input: input)
        launch.access = try inPlace.access()
        launch.configuration.allowsUpgrade = true
        try target.apply(to: &launch, key: outputKey)
        return launch
      })
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    guard let first = request.launches.first else { return .done }
    let isOnlyOne = request.launches.count == 1
    return try SeveralRealms(inputs: request.launches.map(\.input), console: console).forEach { input, key in
      var launch = first
      launch.input = input
      return try report(of: launch, key, console)
    } show: { report in
      try console.tell(
        report.text(), json: report.json(isIndented: isOnlyOne), alongsideData: first.hasDataOnStandardOutput)
      return .done
    }
  }

  private func report(of request: LaunchRequest, _ key: EncryptionKey?, _ console: Console) throws -> UpgradeReport {
    let facts = try request.input.read(console, with: key) { UpgradeReport(of: $0, request) }
    var report = facts
    let run = LaunchRun(request: request, console: console)
    // Whatever else it is, a realm of the current format is left alone.
    if facts.isOlder || request.destination != nil {
      report.add(try run.run(key: key).outcome)
    } else if request.changesFileInPlace {
      report.backup = try run.backUpUnchanged(before: .upgrade, key: key)
    }
    return report
  }
}
