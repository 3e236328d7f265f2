import ArgumentParser

/// `realmctl upgrade FILE`: convert a realm to the current file format.
struct UpgradeCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFile,
    .done: "upgraded, or already in format 24",
    .findings: RunStatus.onlyIfStrict,
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.heldByApp,
  ]

  static let configuration = CommandConfiguration(
    commandName: "upgrade", _superCommandName: "realmctl",
    abstract: "Convert a realm to file format 24.",
    usage: "realmctl upgrade [<options>] <file> ...",
    discussion: .flowing(
      """
      Converts a realm of any older file format, 2 to 23, to format 24. Apps with a
      current SDK do so when they open a file, but only from format 10 or later. The
      realm is rebuilt from its objects, compared with the source, and swapped in
      atomically. Object keys are kept. A backup is kept next to the file, and the
      report shows how to restore it. A file that an app has open is left alone (status
      6), and so is a synced realm (status 2), of which 'write-copy' makes a local copy.
      A file in format 24 is not changed.

      Several files are upgraded one after another; backups among them
      (such as app.v23.backup.realm) are skipped.
      An error in one does not stop the others, and the exit status is the highest.
      --json prints one object per line.

      Examples:
        realmctl upgrade old.realm --dry-run
        realmctl upgrade old.realm
        realmctl upgrade old.realm --backup /backups/old.realm
        realmctl upgrade old.realm -o new.realm

      Files:
        old.realm.lock                          lock file, shared with apps
        old.pre-upgrade-TIME.realm              backup, unless --no-backup is given

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .changedRealms, completion: .realm) var files: [String]
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: BackupOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  func request() throws -> FormatChange {
    let inputs = try RealmInput.all(files, key, changing: "upgraded")
    try inPlace.requireSeveral(inputs, output: target.output)
    return try FormatChange(.upgrade, of: inputs, access: inPlace.access(), target, key: outputKey)
  }

  func perform(_ request: FormatChange, on console: Console) throws -> RunStatus { try request.perform(on: console) }
}
