import ArgumentParser

/// `realmctl downgrade FILE --file-format N`: convert a realm to a file format that older apps open.
struct DowngradeCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrClass,
    .findings: RunStatus.onlyIfStrict,
    .schema: "the format cannot store everything; nothing was written",
    .inUse: RunStatus.heldByApp,
    .format: RunStatus.unknownFormat,
  ]

  static let configuration = CommandConfiguration(
    commandName: "downgrade", _superCommandName: "realmctl",
    abstract: "Convert a realm to an older file format.",
    usage: "realmctl downgrade [<options>] <file> --file-format <number>",
    discussion: .flowing(
      """
      Converts a realm back to an older file format, for an app that can no longer
      open it because a newer app or tool has converted it. The realm is rebuilt from
      its objects, compared with the source, and swapped in atomically. A backup is
      kept next to the file, and the report shows how to restore it. A file that an
      app has open is left alone (status 6), and so is a synced realm (status 2), of
      which 'write-copy --file-format' makes a local copy.

      The first release of each SDK that writes a format:
        23  Java 10.14, Swift 10.35, JS 11.3, .NET 10.20, Kotlin 1.6, Dart 0.9
        22  Java 10.6, Swift 10.8, JS 10.5, .NET 10.2, Kotlin 0.6, Dart 0.2
        20  Java 10.0, Swift 10.0, JS 10.0, .NET 10.0.1, Kotlin 0.1
        11  Java 7.0.4, Swift 5.4, JS 6.1.1, .NET 5.0.1
        10  Java 7.0, Swift 5.0, JS 6.0

      What the format cannot store is listed with its number of values, and nothing is
      written (status 7). With --allow-data-loss, exactly that is left out. In formats
      10, 11 and 20, objects with a primary key may get other object keys, because
      these formats compute them.

      A file in a format older than --file-format is converted as well, to that format.

      --as keeps values by changing the type of a property or class. Give it twice
      for a set of UUIDs (list and string):
        Class.property=string  UUIDs, object ids, decimals, mixed as text
        Class.property=double  decimals that a double stores exactly
        Class.property=list    a set as a list
        Class.property=pairs   a dictionary as a list of objects (key, value)
        Class=plain            an embedded class as an ordinary one

      Examples:
        realmctl downgrade app.realm --file-format 23 --dry-run
        realmctl downgrade app.realm --file-format 23
        realmctl downgrade app.realm --file-format 20 --allow-data-loss
        realmctl downgrade app.realm --file-format 20 --as Dog.id=string
        realmctl downgrade app.realm --file-format 23 -o old.realm

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-downgrade-TIME.realm            backup, unless --no-backup is given

      Exit status:
      \(statusTable)
      """))

  @Argument(help: ArgumentHelp("Realm to change.", valueName: "file"), completion: .realm) var file: String
  @OptionGroup var format: DowngradeOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: BackupOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  func request() throws -> FormatChange {
    let input = try RealmInput.all([file], key, changing: "downgraded")[0]
    var change = try FormatChange(.downgrade, of: [input], access: inPlace.access(), target, key: outputKey)
    change.format = try format.target()
    (change.mappings, change.allowsDataLoss) = (try format.mapping.mappings(), format.allowDataLoss)
    return change
  }

  func perform(_ request: FormatChange, on console: Console) throws -> RunStatus { try request.perform(on: console) }
}
