import ArgumentParser
import RealmStorage
import RealmTools

/// `realmctl open FILE…`: tells what a file is and what is in it, after opening it as an app's launch would where a
/// configuration is given.
struct OpenCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)

  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Tell what a realm is and what is in it; or open it as an app's launch would.",
    discussion: """
      Prints path, size, file format, form, encryption, history, versions, used and
      free space, the processes that have it open, and the classes with the number
      of their objects. Only a few pages of the file are read, however large it is.
      Several files are told one after another, and the status is the highest of
      theirs; --json then prints one object per line.

      With an option of a configuration, the realm is opened first as an app with
      that configuration would open it: seed, upgrade, compaction, schema check,
      migration, in this order, and nothing else. What would stop an app stops it
      before anything is changed. Data is lost only with --allow-data-loss; where an
      upgrade or a loss cannot be undone, a backup is kept beside the file.

      Examples:
        realmctl open app.realm
        realmctl open secret.realm --key-file app.key
        realmctl open app.realm --json | jq '.classes[].name'
        realmctl open *.realm --json | jq -c '[.input, .fileFormat]'
        realmctl open app.realm --schema model.json --schema-version 2 --upgrade
        realmctl open new.realm --seed seed.realm
        realmctl open app.realm --compact-if 'total > 100MB && used < total / 2'

      Exit status:
      \(RunStatus.table(of: statuses))
      """)

  @OptionGroup var realms: RealmArguments
  @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
  @OptionGroup(title: "Classes") var classes: ClassOptions
  @OptionGroup(title: "What may be lost") var migration: MigrationOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Changing the file") var inPlace: InPlaceOptions

  @Flag(help: "Check everything and report what would be done, but write nothing.")
  var dryRun = false

  @Flag(help: "Ask no question before a realm is deleted.")
  var yes = false

  @Flag(inversion: .prefixedNo, help: "Prove that free space is free before a change, and compare what was rewritten.")
  var verify = true

  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var inputs: [RealmInput]
    var includesInternalTables: Bool
    var classes: ClassSelection
    /// Nil for looking only.
    var launch: LaunchRequest?
  }

  func request() throws -> Request {
    let inputs = try realms.inputs(key: key)
    let selection = try classes.selection()
    return Request(
      inputs: inputs, includesInternalTables: internalTables.includesInternalTables, classes: selection,
      launch: try launch(inputs, selection))
  }

  private func launch(_ inputs: [RealmInput], _ selection: ClassSelection) throws -> LaunchRequest? {
    let access = try inPlace.access()
    guard configuration.isGiven || access.allowsUpgrade else {
      guard access == InPlaceAccess(), !dryRun, !yes, verify, !migration.isGiven else {
        throw ValidationError(
          "--wait, --backup, --no-backup, --dry-run, --yes, --no-verify, --allow-data-loss, --on-orphan and --on-shared "
            + "mean something with an option of the configuration only.")
      }
      return nil
    }
    guard let input = inputs.first, inputs.count == 1 else {
      throw ValidationError("An option of the configuration opens one realm, not several.")
    }
    var launch = LaunchRequest(input: input)
    launch.configuration = try configuration.request(allowingUpgrade: access.allowsUpgrade)
    launch.configuration.classes = selection
    launch.configuration.policy = migration.policy()
    if input.isStandardInput, !launch.configuration.isInMemory {
      throw ValidationError("Standard input can be opened with a configuration only with --in-memory.")
    }
    if access.backup.isNamed, configuration.readOnly || configuration.inMemory {
      throw ValidationError("--read-only and --in-memory leave the file alone, so there is no --backup.")
    }
    (launch.access, launch.backupRule) = (access, .whereNothingGoesBack)
    (launch.isDryRun, launch.isConfirmed) = (dryRun, yes)
    launch.verifies = verify
    return launch
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    if let launch = request.launch { return try perform(launch, request, on: console) }
    var isFirst = true
    return try SeveralRealms(inputs: request.inputs, console: console).forEach { input, key in
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
    guard !launch.isDryRun else {
      try StandardOutput.write(console.style.isJSON ? changes.json() : changes.text())
      return .done
    }
    let report: OpenReport
    do {
      report =
        try result.outcome.memory.map { try self.report(ofMemory: $0, launch.input, request) }
        ?? self.report(of: launch.input, request, key, console)
    } catch {
      // What was done is done, and a backup is where it is.
      try console.tell(changes.text(), json: changes.json(), besidesData: true)
      throw error
    }
    return try tell(report, changes, on: console)
  }

  private func report(
    of input: RealmInput, _ request: Request, _ key: EncryptionKey?, _ console: Console
  ) throws -> OpenReport {
    try input.read(console, with: key) { realm in try request.report(of: realm) }
  }

  /// A realm that is nowhere but in memory.
  private func report(ofMemory bytes: OpenedBytes, _ input: RealmInput, _ request: Request) throws -> OpenReport {
    do {
      return try request.report(of: OpenedRealm(bytes))
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
        ? report.json(changes, isIndented: isOnlyOne) : report.text(Pen(isColored: isColored)))
    if let changes, !console.style.isJSON {
      try console.tell(changes.text(), json: "", besidesData: true)
    }
    for diagnostic in report.damage { console.report(diagnostic) }
    return report.damage.isEmpty ? .done : .failed
  }
}

extension OpenCommand.Request {
  /// - Throws: `Diagnostic` where a class that was asked for is not there.
  fileprivate func report(of realm: OpenedRealm) throws -> OpenReport {
    if launch?.configuration.schema == nil { try classes.requireKnownNames(in: realm) }
    return OpenReport(realm, includesInternalTables: includesInternalTables, classes: classes)
  }
}
