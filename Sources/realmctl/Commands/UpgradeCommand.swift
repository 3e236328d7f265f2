import ArgumentParser
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

  @OptionGroup var realm: ChangedRealmArgument
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: BackupOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup var messages: MessageOptions

  func request() throws -> LaunchRequest {
    var launch = LaunchRequest(input: try realm.input(key: key, verb: "upgraded"))
    launch.access = try inPlace.access()
    launch.configuration.allowsUpgrade = true
    try target.apply(to: &launch, key: outputKey)
    return launch
  }

  func perform(_ request: LaunchRequest, on console: Console) throws -> RunStatus {
    let key = try request.input.key?.read(for: request.input.name)
    let facts = try request.input.read(console, with: key) { UpgradeReport(of: $0, request) }
    var report = facts
    let run = LaunchRun(request: request, console: console)
    // Whatever else it is, a realm of the current format is left alone.
    if facts.isOlder || request.destination != nil {
      report.add(try run.run(key: key).outcome)
    } else if request.changesFileInPlace {
      report.backup = try run.backUpUnchanged(before: .upgrade, key: key)
    }
    try console.tell(report.text(), json: report.json(), besidesData: false)
    return .done
  }
}
