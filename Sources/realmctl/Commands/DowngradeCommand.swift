import ArgumentParser
import RealmMigration
import RealmStorage
import RealmTools

/// `realmctl downgrade FILE --format N`: brings a realm to a file format that older apps open.
struct DowngradeCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "downgrade", _superCommandName: "realmctl",
    abstract: "Convert a realm to an older file format.",
    discussion: """
      Apps open a realm of their own file format or an older one, and convert it for
      good. This command goes back: the realm is rebuilt from its objects in the
      older format, compared with the old file, and swapped in atomically. A backup is
      kept next to the file, and the report shows how to restore it. A file that an
      app has open is left alone (status 6).

      Which format an SDK writes:
        23  Java 10.14 to 10.19, Swift 10.35, JS 11.3, .NET 10.20, Kotlin 1.6
        22  Java 10.6, Swift 10.8, JS 10.5, .NET 10.2, Kotlin 0.6
        20  Java 10.0, Swift 10.0, JS 10.0, .NET 10.0
        11  Java 7.0.4, Swift 5.4, JS 6.1.1
        10  Java 7.0, Swift 5.0, JS 6.0

      What a format cannot hold is listed with its number of values, and nothing is
      written (status 7), unless --allow-data-loss is given: then exactly that is left
      out. In formats 10, 11 and 20, objects with a primary key get other object keys,
      because these formats compute them.

      --as keeps values by changing the type of a property or class. Give it twice
      for a set of UUIDs (list and string):
        Class.property=string  UUIDs, object ids, decimals and mixed values as text
        Class.property=double  decimals, if a double holds each of them exactly
        Class.property=list    a set as a list
        Class.property=pairs   a dictionary as a list of links to new objects
                               with the properties key and value
        Class=plain            an embedded class as an ordinary one

      Examples:
        realmctl downgrade app.realm --format 23 --dry-run
        realmctl downgrade app.realm --format 23
        realmctl downgrade app.realm --format 20 --allow-data-loss
        realmctl downgrade app.realm --format 20 --as Dog.id=string
        realmctl downgrade app.realm --format 23 -o old.realm

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-downgrade-TIME.realm            backup, unless --no-backup is given

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realm: ChangedRealmArgument
  @OptionGroup var format: DowngradeOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: BackupOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var format: TargetFormat
    var mappings: [TypeMapping]
    var allowsDataLoss: Bool
    var writing: RealmWriting
    var access: InPlaceAccess
    /// The key of what is written; in place, that of the realm.
    var outputKey: OutputKey
  }

  func request() throws -> Request {
    var launch = LaunchRequest(input: try realm.input(key: key, verb: "downgraded"))
    launch.access = try inPlace.access()
    try target.apply(to: &launch, key: outputKey)
    let writing = launch.destination ?? target.writing.writing(inPlace: launch.input.path)
    return Request(
      input: launch.input, format: format.format, mappings: try format.mapping.mappings(),
      allowsDataLoss: format.allowDataLoss, writing: writing,
      access: launch.access, outputKey: launch.outputKey)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let key = try request.input.key?.read(for: request.input.name)
    let outputKey = try request.outputKey.read(source: key, for: request.writing.name, console)
    let run = CopyRun(
      request.writing, of: request.input, key: outputKey, from: request.outputKey, on: console)
    if request.writing.isInPlace { try request.input.requireChangeable() }
    var downgrade = RealmCompaction(run.writing, key: key)
    (downgrade.access, downgrade.changesFormatOnly) = (request.access, true)
    downgrade.options.format = request.format
    downgrade.options.mapping = MappingRun.mapping(request.mappings)
    downgrade.options.filter.allowsDataLoss = request.allowsDataLoss
    run.apply(to: &downgrade.options)
    let reader = CommandReader(input: request.input, key: key, console: console)
    try run.requireNoTerminal()
    let outcome = try run.diagnosing {
      try downgrade.run(reader) { realm in
        if !request.writing.isInPlace { realm.warnIfHeld(on: console) }
      } willPublish: {
        run.warn(of: $0)
      }
    }
    outcome.published.map(run.warn)
    let report = DowngradeReport(outcome: outcome, writing: request.writing)
    try console.tell(
      report.text(), json: report.json(), alongsideData: request.writing.isStandardOutput && !request.writing.dryRun)
    return .done
  }
}
