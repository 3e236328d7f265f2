import ArgumentParser
import RealmExchange
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmTools

/// `realmctl open FILE…`: show what a file is and what it contains, after opening it like an app if a configuration is
/// given.
struct OpenCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileClassOrSnapshot,
    .findings: "not confirmed at the prompt; with --strict: a warning",
    .schema: "an app with this configuration could not open it",
    .inUse: "an app has the file open, or it changed meanwhile",
    .usage: RunStatus.usageOrNoYes,
  ]

  static let configuration = CommandConfiguration(
    commandName: "open", _superCommandName: "realmctl",
    abstract: "Show what a realm file contains.",
    usage: "realmctl open [<options>] [<file> ...]",
    discussion: .flowing(
      """
      Shows what a realm file is and what it contains: size, file format, encryption,
      history, snapshot and schema version, used and free space, the processes that
      have it open, and the number of objects in each class. A large file takes no
      longer than a small one. Without FILE, default.realm in the current folder is
      opened. With several files, --json prints one object per line, and the exit
      status is the highest.

      With --upgrade or an option under "Configuration", the realm is first opened as
      an app with that configuration would open it: the seed is copied, the file
      format upgraded, the file compacted and the schema migrated, as needed. Anything
      that would stop the app stops the command before the file changes. Data is lost
      only with --allow-data-loss, and a backup is made before a change that cannot be
      undone.
      If the file or its folder is not writable, add --read-only. realmctl-schema(5)
      describes schema files, realmctl-compact(1) the conditions of --compact-if.

      With --in-memory and without FILE, the realm starts empty, with the classes of
      --schema.

      If a migration would be needed, --delete-if-migration-needed deletes all
      data instead. It asks first, unless --yes is given, and keeps the old file as a
      backup, unless --no-backup is given. As in the SDKs, it also deletes a file of an
      older format, even if its schema fits; with --upgrade, such a file is upgraded.

      Examples:
        realmctl open app.realm
        realmctl open secret.realm --key-file app.key
        realmctl open app.realm --json | jq '.classes[].name'
        realmctl open *.realm --json | jq -c '[.input, .fileFormat]'
        realmctl open app.realm --schema model.json --schema-version 2 --upgrade
        realmctl open new.realm --seed-file seed.realm
        realmctl open new.realm --schema model.json --create
        realmctl open app.realm --compact-if 'total > 100MiB && used < total / 2'

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-OPERATION-TIME.realm            backup, unless --no-backup is given
        app.deleted-TIME.realm                  backup before all data is deleted

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Realm files, or default.realm; - is standard input.", valueName: "file"), completion: .realm)
  var files: [String] = []
  @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
  @OptionGroup(title: "Classes") var classes: ClassOptions
  @OptionGroup(title: "Data loss") var migration: MigrationOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions

  @Flag(help: "Run every check and report, but write nothing.")
  var dryRun = false

  @Flag(help: "Do not ask for confirmation before deleting data.")
  var yes = false

  @Flag(inversion: .prefixedNo, help: "Verify free space and the result (default), or skip this.")
  var verify: Bool?

  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var includesInternalTables: Bool
    var classes: ClassSelection
    /// Nil to only read it.
    var launch: LaunchRequest?
    /// Whether no FILE was given.
    var usesDefault = false
  }

  func request() throws -> Request {
    let selection = try classes.selection()
    let isNowhere = files.isEmpty && configuration.inMemory
    let inputs = isNowhere ? [try inputInMemory()] : try RealmInput.all(DefaultRealm.files(files), key, snapshot.choice)
    return Request(
      inputs: inputs, includesInternalTables: internalTables.includesInternalTables, classes: selection,
      launch: try launch(inputs, selection), usesDefault: files.isEmpty && !isNowhere)
  }

  /// The realm that an app gets for an identifier in memory.
  private func inputInMemory() throws -> RealmInput {
    guard configuration.seedFile == nil else { throw UsageError(ConfigurationError.inMemoryWithSeed.inOptions) }
    guard configuration.schema != nil else { throw UsageError("--in-memory needs FILE or --schema") }
    guard !configuration.readOnly else { throw UsageError("--in-memory with --read-only needs FILE") }
    guard try key.source() == nil else {
      throw UsageError(ConfigurationError.inMemoryWithKey.inOptions)
    }
    return .inMemory
  }

  /// Those given that have no meaning unless the realm is opened for changes.
  private var optionsOfChange: [String] {
    [
      ("--dry-run", dryRun), ("--yes", yes), ("--no-verify", verify == false),
      ("--allow-data-loss", migration.allowDataLoss), ("--on-orphan", migration.onOrphan != nil),
      ("--on-shared", migration.onShared != .fail),
    ].filter(\.1).map(\.0)
  }

  private func launch(_ inputs: [RealmInput], _ selection: ClassSelection) throws -> LaunchRequest? {
    let access = try inPlace.access()
    guard configuration.isGiven || access.allowsUpgrade else {
      let given = access.options(withUpgrade: false) + optionsOfChange
      guard given.isEmpty else {
        throw UsageError(
          "\(given.listed) need\(given.count == 1 ? "s" : "") --upgrade or a configuration option such as --schema")
      }
      return nil
    }
    guard let input = inputs.first, inputs.count == 1 else {
      throw UsageError("configuration options open one realm at a time")
    }
    guard input.snapshot == .live else {
      throw UsageError("--snapshot cannot be used with configuration options, which open the live snapshot")
    }
    var launch = LaunchRequest(input: input)
    try configuration.apply(to: &launch, allowingUpgrade: access.allowsUpgrade)
    launch.classes = selection
    launch.policy = migration.policy()
    if input.isStandardInput, !launch.isInMemory {
      throw UsageError("configuration options on standard input need --in-memory")
    }
    if access.backup.isNamed, configuration.readOnly || configuration.inMemory {
      throw UsageError("--backup cannot be used with --read-only or --in-memory, which leave the file alone")
    }
    (launch.access, launch.backupRule) = (access, .whereNothingGoesBack)
    (launch.dryRun, launch.isConfirmed) = (dryRun, yes)
    (launch.verifies, launch.opensLikeApp) = (verify ?? true, true)
    return launch
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    if request.usesDefault { DefaultRealm.remark(on: console) }
    if let launch = request.launch { return try perform(launch, request, on: console) }
    var isFirst = true
    return try RealmBatch(inputs: request.inputs, console: console).forEach { input, key in
      try report(of: input, request, key, console)
    } show: { report in
      if !isFirst, !console.style.isJSON { try StandardOutput.write("\n") }
      isFirst = false
      return try tell(report, nil, isOnlyOne: request.inputs.count == 1, on: console)
    }
  }

  private func perform(_ launch: LaunchRequest, _ request: Request, on console: Console) throws -> RunStatus {
    let key = try launch.input.key?.read(for: launch.input.name)
    let result = try LaunchRun(request: launch, console: console).run(key: key)
    let changes = LaunchReport(result, launch)
    guard !launch.dryRun else {
      try StandardOutput.write(console.style.isJSON ? changes.json() : changes.text())
      return .done
    }
    let report: OpenReport
    do {
      report =
        try result.outcome.memory.map { try self.report(ofMemory: $0, launch.input, request, result.target) }
        ?? self.report(of: launch.input, request, key, console, result.target)
    } catch {
      // What was done stays done, and a backup stays where it is.
      try console.info(changes.text(), json: changes.json(), alongsideData: true)
      throw error
    }
    return try tell(report, changes, on: console)
  }

  private func report(
    of input: RealmInput, _ request: Request, _ key: EncryptionKey?, _ console: Console, _ target: Schema? = nil
  ) throws -> OpenReport {
    try input.read(console, with: key) { realm in try request.report(of: realm, target) }
  }

  /// A realm that exists only in memory.
  private func report(
    ofMemory bytes: OpenedBytes, _ input: RealmInput, _ request: Request, _ target: Schema?
  ) throws -> OpenReport {
    do {
      return try request.report(of: OpenedRealm(bytes), target)
    } catch let error as StorageError {
      throw Diagnostic(error, path: input.name)
    }
  }

  private func tell(
    _ report: OpenReport, _ changes: LaunchReport?, isOnlyOne: Bool = true, on console: Console
  ) throws -> RunStatus {
    let isColored = StandardOutput.isColored(console.style.color)
    try StandardOutput.write(
      console.style.isJSON
        ? report.json(changes, isIndented: isOnlyOne) : report.text(ANSIStyle(isColored: isColored), changes))
    if let changes, !console.style.isJSON {
      try console.info(changes.text(), json: "", alongsideData: true)
    }
    return console.report(damage: report.damage)
  }
}

extension OpenCommand.Request {
  /// - Parameter target: the schema that the realm was opened with; an app sees no other classes.
  /// - Throws: `Diagnostic` if a class that was named does not exist.
  fileprivate func report(of realm: OpenedRealm, _ target: Schema?) throws -> OpenReport {
    if launch?.schema == nil { try classes.requireKnownNames(in: realm) }
    let unseen = target.map { target in
      let seen = Set(target.classes.map(\.displayName))
      return realm.snapshot.schema.classes.map(\.displayName).filter { !seen.contains($0) }
    }
    var report = OpenReport(
      realm, includesInternalTables: includesInternalTables, classes: unseen.map { .except($0) } ?? classes)
    if report.path.isEmpty { report.path = RealmInput.nameInMemory }
    return report
  }
}
