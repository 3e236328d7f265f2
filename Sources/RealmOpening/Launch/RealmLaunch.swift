import Libc
import RealmStorage

/// Opens a realm as an app's launch would: does to the file what its configuration says, and nothing else.
///
/// Everything that can stop it is checked before anything is done, and a change is made completely or not at all. A
/// file that is written as a whole (from a seed, in another format, rebuilt) appears when its schema is right.
///
/// ```swift
/// var configuration = RealmConfiguration(path: "app.realm")
/// configuration.schema = model
/// configuration.schemaVersion = 2
/// let outcome = try RealmLaunch(configuration, LaunchOptions()).run()
/// ```
public struct RealmLaunch {
  /// How the realm is opened.
  public let configuration: RealmConfiguration
  /// What else is done.
  public let options: LaunchOptions

  /// The file, if it was opened before.
  private let known: LaunchedFile?

  /// A launch that has not happened yet.
  public init(_ configuration: RealmConfiguration, _ options: LaunchOptions) {
    self.init(configuration, options, of: nil)
  }

  /// - Parameter known: the file as it was opened before; nil to open it now.
  package init(_ configuration: RealmConfiguration, _ options: LaunchOptions, of known: LaunchedFile?) {
    (self.configuration, self.options, self.known) = (configuration, options, known)
  }

  /// What would be done, and whether data would be lost for good. Nothing is written.
  ///
  /// - Throws: `RealmError` because of a `ConfigurationError`, `OpeningError`, `MigrationError` or `StorageError`.
  public func preview() throws(RealmError) -> (plan: OpeningPlan, losesData: Bool) {
    let situation = try RealmError.wrapping(configuration.path) { try LaunchState(configuration, options) }
    return (situation.plan, situation.losesData)
  }

  /// Does what the configuration says.
  ///
  /// - Throws: `RealmError` because of a `ConfigurationError`, `OpeningError`, `MigrationError` or `StorageError`, of
  ///   an `AccessError` if a process has the realm open, or of what writing a file throws.
  public func run() throws(RealmError) -> LaunchOutcome {
    try RealmError.wrapping(configuration.path) { try launch() }
  }

  private func launch() throws -> LaunchOutcome {
    if configuration.isInMemory { return try LaunchExecution.runInMemory(configuration, options) }
    try configuration.validate()
    let isThere = SafeOutput.isNameTaken(configuration.path)
    if isThere { try requireWritable(isThere: true) }
    let situation = try LaunchState(configuration, options, of: known)
    if !isThere { try requireWritable(isThere: false) }
    let work = LaunchExecution(configuration, options)
    if options.destination != nil { return try work.writeElsewhere(situation) }
    guard work.hasWork(situation) else { return situation.unchanged }
    guard work.changesFile(situation) else { return try work.compactOnly(situation) }
    return try work.changeExclusively(situation, removingLeftovers: options.compacts, where: work.changesFile)
  }
}

extension RealmLaunch {
  /// The lock file comes first, as in the engine. The work itself reports everything else that is wrong with the files.
  private func requireWritable(isThere: Bool) throws {
    guard options.requiresWritableFile, !configuration.isReadOnly, options.destination == nil else { return }
    do {
      try ExclusiveAccess.requireWritableLockFiles(ofRealm: configuration.path)
      if isThere { try RealmFile.requireWritable(configuration.path) }
    } catch let error as AccessError {
      if case .systemCall(_, _, let number) = error, Self.isRefusal(number) { throw error }
    } catch let error as OutputError {
      if case .systemCall(_, _, let number) = error, Self.isRefusal(number) { throw error }
    }
  }

  /// Whether an error number says that a file may not be written to.
  private static func isRefusal(_ number: Int32) -> Bool { [EACCES, EPERM, EROFS].contains(number) }
}

/// What a launch finds out before it does anything, and what follows from that.
struct LaunchState {
  let file: LaunchedFile
  let seed: LaunchedFile?
  let plan: OpeningPlan
  /// Of a migration that needs no function.
  let preview: MigrationPreview?
  let target: Schema?

  /// - Parameter known: the file as it was opened before, which counts if nothing has happened to it.
  init(_ configuration: RealmConfiguration, _ options: LaunchOptions, of known: LaunchedFile? = nil) throws {
    try configuration.validate()
    let file =
      if let known, known.isCurrent {
        known
      } else {
        try LaunchedFile(at: configuration.path, key: configuration.encryptionKey)
      }
    let seed = try Self.seed(configuration, file)
    let target = try configuration.targetSchema()
    let path = seed == nil ? nil : configuration.seedPath
    (plan, preview) = try LaunchError.naming(path) {
      let plan = try OpeningPlan(
        configuration, file: file.facts, seed: seed?.facts ?? .missing,
        keepsBackup: options.access.backup != .none && options.destination == nil)
      return (plan, try Self.preview(of: plan, over: seed ?? file, to: target, configuration))
    }
    (self.file, self.seed, self.target) = (file, seed, target)
    hasScript = configuration.script != nil
    runsScript = hasScript && plan.callsFunction
    spills =
      runsScript && configuration.script?.spills((seed ?? file).content?.snapshot.schema.version) == true
  }

  /// Whether it is still so.
  var isCurrent: Bool { seed == nil && file.isCurrent }

  /// What the realm will start from.
  var source: LaunchedFile { seed ?? file }

  private static func seed(_ configuration: RealmConfiguration, _ file: LaunchedFile) throws -> LaunchedFile? {
    guard file.facts == .missing, let path = configuration.seedPath else { return nil }
    return try LaunchError.naming(path) { try LaunchedFile(at: path, key: configuration.encryptionKey) }
  }

  private static func preview(
    of plan: OpeningPlan, over file: LaunchedFile, to target: Schema?, _ configuration: RealmConfiguration
  ) throws -> MigrationPreview? {
    guard let snapshot = file.content?.snapshot, let target else { return nil }
    let isWanted = plan.events.contains { event in
      switch event {
      case .migrate(_, _, _, callsFunction: false), .createSchema: true
      default: false
      }
    }
    if isWanted, !plan.events.contains(.deleteAndCreate) {
      let preview = try MigrationPreview(of: snapshot, to: target)
      try preview.check(configuration.policy)
      return preview
    }
    return nil
  }

  /// Whether data is lost for good.
  var losesData: Bool {
    preview?.losesData == true || plan.events.contains(.deleteAndCreate) || runsScript
  }

  /// Whether there are steps to run, at some version.
  private let hasScript: Bool
  /// Whether these steps write before they are done.
  let spills: Bool
  /// Whether steps are run that only a backup can undo.
  private let runsScript: Bool

  /// The outcome if there is nothing to do.
  var unchanged: LaunchOutcome {
    var outcome = LaunchOutcome()
    if let stored = source.content?.snapshot.schema, let version = stored.version, target != nil || hasScript {
      outcome.migration = MigrationOutcome(
        from: version, to: version, difference: SchemaDifference(from: stored, to: target ?? stored))
    }
    return outcome
  }
}
