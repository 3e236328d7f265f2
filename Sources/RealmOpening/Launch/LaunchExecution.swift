import RealmStorage
import RealmSystem

/// Does what a launch has planned.
struct LaunchExecution {
  let configuration: RealmConfiguration
  let options: LaunchOptions

  init(_ configuration: RealmConfiguration, _ options: LaunchOptions) {
    (self.configuration, self.options) = (configuration, options)
  }

  private var path: String { configuration.path }

  // MARK: - Where

  /// Whether there is anything to do.
  func hasWork(_ situation: LaunchState) -> Bool { !situation.plan.events.isEmpty || options.compacts }

  /// Whether the file is created or changed, not counting a compaction that may turn out not to be wanted.
  func changesFile(_ situation: LaunchState) -> Bool { situation.plan.changesFile || options.compacts }

  /// Changes the realm, which nobody else has.
  func change(_ situation: LaunchState) throws -> LaunchOutcome {
    var outcome = LaunchOutcome()
    let wantsCompaction = try wantsCompaction(situation, &outcome)
    let compacts = wantsCompaction || options.compacts
    if situation.plan.makesNewFile || compacts || rewritesFile(situation) {
      try writeNewFile(
        at: path, replacing: situation.replacement, situation, &outcome, compacts: wantsCompaction,
        inPlace: situation.plan.makesNewFile || compacts ? .always : .ifChanged)
      if compacts { outcome.compaction = compaction(situation, outcome) }
    } else {
      try changeInPlace(situation, &outcome)
    }
    return outcome
  }

  /// Whether the realm is changed by way of a copy, so that a script that fails leaves every byte as it was. In memory
  /// nothing is left anyway.
  private func rewritesFile(_ situation: LaunchState) -> Bool {
    situation.spills && !options.dryRun && !configuration.isInMemory
  }

  /// Writes the result to another file; the realm is only read.
  func writeElsewhere(_ situation: LaunchState) throws -> LaunchOutcome {
    guard let destination = options.destination else { return situation.unchanged }
    var outcome = LaunchOutcome()
    let replacement: OutputReplacement = destination.isReplaced ? .any : .never
    if !destination.isStandardOutput {
      try SafeOutput.check(
        at: destination.path, replacing: replacement,
        inputs: [path] + options.inputs + [configuration.seedPath].compactMap { $0 })
    }
    if destination.isStandardOutput || SafeOutput.isStream(destination.path) {
      return try writeToStream(destination, situation)
    }
    func write() throws {
      try writeNewFile(at: destination.path, replacing: replacement, situation, &outcome)
    }
    if options.dryRun {
      try FileBackend.$calls.withValue(MemoryFiles(.dryRun)) { try write() }
    } else {
      try write()
    }
    if outcome.migration == nil { outcome.migration = situation.unchanged.migration }
    return outcome
  }

  /// Makes the file in memory, because its schema is changed after it is made, and writes it to standard output or a pipe
  /// when it is complete.
  private func writeToStream(
    _ destination: LaunchOptions.Destination, _ situation: LaunchState
  ) throws -> LaunchOutcome {
    var outcome = LaunchOutcome()
    // A name in memory only.
    let name = "standard output"
    let system = FileBackend.calls
    try FileBackend.$calls.withValue(MemoryFiles(.scratch)) {
      try writeNewFile(at: name, replacing: .any, situation, &outcome)
      guard !options.dryRun else { return }
      let output = try FileBackend.$calls.withValue(system) {
        try destination.isStandardOutput ? .standardOutput() : SafeOutput(at: destination.path, replacing: .never)
      }
      try SequentialInput(name).forEachBlock { try output.write($0) }
    }
    if outcome.migration == nil { outcome.migration = situation.unchanged.migration }
    return outcome
  }

  /// Takes the realm for this process alone and changes it, or tries to, in files in memory.
  ///
  /// - Parameters:
  ///   - before: what was found without a lock.
  ///   - isWanted: whether what is found then still needs the change: another process may have been faster.
  func changeExclusively(
    _ before: LaunchState, removingLeftovers: Bool, where isWanted: (LaunchState) -> Bool
  ) throws -> LaunchOutcome {
    try options.access.change(path, dryRun: options.dryRun, removesLeftovers: removingLeftovers) {
      try before.isCurrent ? before : LaunchState(configuration, options)
    } change: { now in
      guard isWanted(now) else { return now.unchanged }
      do {
        guard options.dryRun else { return try change(now) }
        try requireWritable(now)
        return try FileBackend.$calls.withValue(MemoryFiles(.dryRun)) { try change(now) }
      } catch {
        // Missing bytes look like damage.
        try now.file.content?.requireWhole()
        throw error
      }
    } hasChanged: {
      $0.changesFile
    }
  }

  /// Finds problems now that would otherwise stop the change after all its work.
  private func requireWritable(_ situation: LaunchState) throws {
    if situation.plan.makesNewFile || options.compacts || situation.spills {
      try SafeOutput.check(at: path, replacing: situation.replacement)
    } else if situation.plan.changesFile {
      try RealmFile.requireWritable(path)
    }
    if needsBackup(situation), let bytes = situation.file.content?.bytes {
      try options.access.backup.check(of: path, before: operation(situation), byteCount: bytes.physicalSize)
    }
  }

  // MARK: - In place

  private func changeInPlace(_ situation: LaunchState, _ outcome: inout LaunchOutcome) throws {
    let file = try openInPlace(situation, &outcome)
    if !configuration.isInMemory { outcome.otherNameCount = file.otherNameCount }
    // Copied before anything is written, and named once nothing can stop the change.
    let backup = try prepareBackup(situation)
    do {
      guard let commit = try updateSchema(in: file, situation, &outcome) else { return }
      try PreparedBackup.publish(backup) { try commit.finish() }
    } catch let error as UnsettledCommit {
      throw LaunchError.unsettled(cause: error.cause, backup: backup?.backup, isDone: error.isDone)
    }
    outcome.backup = backup?.backup
    outcome.events = events(of: situation)
    outcome.leavesRemovedValues = outcome.migration?.removesValues ?? false
  }

  private func openInPlace(_ situation: LaunchState, _ outcome: inout LaunchOutcome) throws -> RealmFile {
    let waiting = options.access.waitingMilliseconds
    let isSmall =
      options.verifiesChangesOnly && !options.requiresSoundSource && situation.plan.changesObjectsOnly
    let size = situation.file.content?.bytes.physicalSize
    if !isSmall || refusesDamage && size.map(RealmFile.isReadQuickly) == true {
      if !configuration.isInMemory { try RealmFile.requireWritable(path) }
      outcome.source = try checkSource(situation.file)
    }
    if isSmall {
      let file = try RealmFile(
        changingLittleIn: path, key: configuration.encryptionKey, waitingMilliseconds: waiting)
      if let fault = file.spaceFault, refusesDamage { throw WriteRefusal.spaceInUse(fault) }
      outcome.spaceFault = file.spaceFault
      return file
    }
    return try RealmFile(
      exclusive: path, key: configuration.encryptionKey, waitingMilliseconds: waiting,
      provesFreeSpace: options.verifies, progress: options.progress)
  }

  /// Whether the realm itself is changed without a backup, which a damaged one must not be.
  private var refusesDamage: Bool {
    options.access.refusesDamage && options.destination == nil && !configuration.isInMemory
  }

  /// - Parameter isKept: the file stays as it is.
  /// - Throws: `CopyRefusal.unsoundSource` or `.damagedWithoutBackup` if only an undamaged realm may be changed.
  private func checkSource(_ file: LaunchedFile, isKept: Bool = false) throws -> SourceCheck? {
    let refusesDamage = refusesDamage && !isKept
    guard options.verifies || refusesDamage, let snapshot = file.content?.snapshot else { return nil }
    let found = try SourceCheck(of: snapshot)
    if options.requiresSoundSource, !found.isSound { throw CopyRefusal.unsoundSource(found) }
    if refusesDamage, found.errorCount > 0 { throw CopyRefusal.damagedWithoutBackup(found) }
    return found
  }

  /// Does what an app's launch would do in its one write transaction, except for the last step of the commit.
  ///
  /// - Returns: nil if there is nothing to change.
  private func updateSchema(
    in file: @autoclosure () throws -> RealmFile, _ situation: LaunchState, _ outcome: inout LaunchOutcome
  ) throws -> PreparedCommit? {
    guard situation.plan.changesContent else {
      outcome.migration = situation.unchanged.migration
      return nil
    }
    var update = SchemaUpdate(
      to: situation.target, version: situation.plan.version, policy: configuration.policy,
      function: configuration.migration,
      script: configuration.deletesRealmIfMigrationNeeded ? nil : configuration.script)
    update.defaults = configuration.defaults
    let transaction = try WriteTransaction(file())
    do {
      outcome.migration = try update.apply(to: transaction)
      return try transaction.prepareCommit()
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  private func prepareBackup(_ situation: LaunchState) throws -> PreparedBackup? {
    guard !options.dryRun, needsBackup(situation) else { return nil }
    return try options.access.backup.prepare(
      of: path, key: configuration.encryptionKey, before: operation(situation))
  }

  /// What was done, or would be.
  private func events(of situation: LaunchState) -> [OpeningEvent] {
    let keepsBackup = options.destination == nil && needsBackup(situation) && options.access.backup != .none
    return situation.plan.events.filter { event in
      switch event {
      case .compactIfWanted: false
      case .backUp: keepsBackup
      default: true
      }
    }
  }

  private func operation(_ situation: LaunchState) -> LaunchOperation {
    options.compacts && !situation.plan.changesFile ? .compact : situation.plan.operation
  }

  private func needsBackup(_ situation: LaunchState) -> Bool {
    !configuration.isInMemory && situation.file.facts != .missing && situation.file.facts != .empty
      && (options.access.backup.isNamed || options.backupRule == .always || situation.losesData
        || situation.plan.upgradesFormat || situation.plan.changesContent)
  }

  // MARK: - New files

  /// When a new file takes the place of the realm.
  private enum Replacement { case always, ifChanged }

  /// - Parameters:
  ///   - compacts: whether the configuration wants a compaction.
  ///   - inPlace: nil if the new file is another one.
  private func writeNewFile(
    at path: String, replacing replacement: OutputReplacement, _ situation: LaunchState,
    _ outcome: inout LaunchOutcome, compacts: Bool = false, inPlace: Replacement? = nil
  ) throws {
    var output = try makeContent(at: path, replacing: replacement, situation, &outcome, compacts: compacts)
    if let temporary = output.temporaryPath {
      do {
        let commit = try updateSchema(in: RealmFile(unpublished: temporary, key: outputKey), situation, &outcome)
        if commit == nil, inPlace == .ifChanged {
          outcome.copy = nil
          return
        }
        try commit?.finish()
      } catch let error as UnsettledCommit {
        throw Self.naming(path, error.cause)
      } catch {
        throw Self.naming(path, error)
      }
      if situation.plan.changesContent, options.compacts || options.destination != nil {
        output = try compacted(temporary, at: path, replacing: replacement, &outcome)
      } else {
        outcome.leavesRemovedValues = outcome.migration?.removesValues ?? false
      }
    }
    try output.close()
    (outcome.otherNameCount, outcome.replacesFile) = (output.otherNameCount, true)
    let backup = inPlace == nil ? nil : try prepareBackup(situation)
    outcome.isDurable = try PreparedBackup.publish(backup) { try output.publish() }
    outcome.backup = backup?.backup
    outcome.events = events(of: situation)
  }

  /// The key of what is written as a whole.
  private var outputKey: EncryptionKey? { options.destination.map(\.key) ?? configuration.encryptionKey }

  /// What must not be replaced.
  private func inputs(excluding output: String) -> [String] { output == path ? [] : [path] }

  private var copyOptions: WholeCopyOptions {
    var copyOptions = WholeCopyOptions(identity: .kept)
    copyOptions.key = outputKey
    copyOptions.threadLimit = options.threadLimit
    copyOptions.verifies = options.verifies
    copyOptions.progress = options.progress
    return copyOptions
  }

  /// A change of the schema leaves what it removed in free space, so the new file is written once more, without it.
  private func compacted(
    _ temporary: String, at path: String, replacing replacement: OutputReplacement, _ outcome: inout LaunchOutcome
  ) throws -> SafeOutput {
    let copy = try WholeCopy(of: OpenedRealm(fileAt: temporary, key: outputKey).snapshot, copyOptions)
    let output = try made(copy.makeOutput(at: path, replacing: replacement, inputs: inputs(excluding: path)))
    outcome.copy = try copy.write(to: output)
    return output
  }

  /// An error about a file that does not have its name yet.
  private static func naming(_ path: String, _ error: any Error) -> any Error {
    guard case .systemCall(_, let call, let number) = error as? OutputError else { return error }
    return OutputError.systemCall(path: path, name: call, errorNumber: number)
  }

  private func made(_ output: SafeOutput) throws -> SafeOutput {
    if options.destination?.isPrivate == true { try output.makePrivate() }
    return output
  }

  /// The file as it is before its schema is looked at.
  private func makeContent(
    at path: String, replacing replacement: OutputReplacement, _ situation: LaunchState,
    _ outcome: inout LaunchOutcome, compacts: Bool
  ) throws -> SafeOutput {
    let events = situation.plan.events
    if events.contains(.create) || events.contains(.deleteAndCreate) {
      let output = try SafeOutput(at: path, replacing: replacement)
      _ = try StreamingWriter(key: outputKey, threadLimit: 0, progress: nil)
        .write(EmptyRealm(), .fresh, to: output)
      return output
    }
    if events.contains(.copySeed), !situation.plan.upgradesFormat, !compacts, options.destination == nil,
      let seed = configuration.seedPath
    {
      return try LaunchError.naming(seed) {
        outcome.source = try checkSource(situation.source, isKept: true)
        return try self.copy(seed, to: path, replacing: replacement)
      }
    }
    guard let content = situation.source.content else { throw OpeningError.missingFile }
    var copyOptions = copyOptions
    copyOptions.requiresSoundSource = options.requiresSoundSource
    copyOptions.refusesDamage = refusesDamage && situation.seed == nil
    let copy = try WholeCopy(of: content.snapshot, copyOptions)
    let output = try made(copy.makeOutput(at: path, replacing: replacement, inputs: inputs(excluding: path)))
    let report: WholeCopyReport
    do {
      report = try LaunchError.naming(situation.seed == nil ? nil : configuration.seedPath) {
        try copy.write(to: output)
      }
    } catch CopyRefusal.unsoundSource(let check) {
      // What an app is writing at the time looks like damage.
      try content.requireUnchanged()
      throw CopyRefusal.unsoundSource(check)
    }
    try content.requireUnchanged()
    (outcome.copy, outcome.source) = (report, report.source)
    return output
  }

  /// Byte for byte.
  private func copy(_ seed: String, to path: String, replacing replacement: OutputReplacement) throws -> SafeOutput {
    let input = try SequentialInput(seed)
    let output = try SafeOutput(
      at: path, replacing: replacement, inputs: [seed], expectedByteCount: input.byteCount ?? 0)
    try input.forEachBlock { try output.write($0) }
    return output
  }

  // MARK: - Compaction

  /// For a plan that does nothing else: a realm that a process has open is left as it is, as by an app's launch.
  func compactOnly(_ situation: LaunchState) throws -> LaunchOutcome {
    var outcome = situation.unchanged
    guard try wantsCompaction(situation, &outcome), let space = try situation.space else { return outcome }
    do {
      return try changeExclusively(situation, removingLeftovers: true) { $0.plan.events == situation.plan.events }
    } catch AccessError.inUse {
      outcome.compaction = .inUse(space)
      return outcome
    }
  }

  /// Asks the configuration, unless there is no free space at all.
  private func wantsCompaction(_ situation: LaunchState, _ outcome: inout LaunchOutcome) throws -> Bool {
    guard situation.plan.events.contains(.compactIfWanted), let condition = configuration.shouldCompactOnLaunch,
      let space = try LaunchError.naming(situation.seed == nil ? nil : configuration.seedPath, { try situation.space })
    else { return false }
    guard space.free > 0, condition(space.total, space.used) else {
      outcome.compaction = .notWanted(space)
      return false
    }
    return true
  }

  private func compaction(_ situation: LaunchState, _ outcome: LaunchOutcome) -> LaunchCompaction? {
    guard let before = situation.source.content?.bytes.physicalSize, let after = outcome.copy?.written.fileSize else {
      return nil
    }
    return .done(before: before, after: after)
  }

  // MARK: - In memory

  /// If nothing was changed, the realm is read from the file; otherwise `LaunchOutcome.memory` has it.
  static func runInMemory(_ configuration: RealmConfiguration, _ options: LaunchOptions) throws -> LaunchOutcome {
    let files = MemoryFiles(.scratch)
    let isStream = configuration.path == "-" || RealmSource.path(configuration.path).isPipe
    // Input that can be read only once is read now, and is a file in memory from then on.
    if isStream {
      try files.add(configuration.path, SequentialInput(configuration.path).allBytes())
    }
    return try FileBackend.$calls.withValue(files) {
      let situation = try LaunchState(configuration, options)
      let work = LaunchExecution(configuration, options)
      var outcome = situation.plan.events.isEmpty ? situation.unchanged : try work.change(situation)
      // No other process has an input that was read to its end; its file in memory is the one that was changed.
      if !isStream { try situation.file.content?.requireUnchanged() }
      outcome.memory = try ByteStore.open(.path(configuration.path), key: configuration.encryptionKey)
      return outcome
    }
  }
}

extension LaunchState {
  /// What a new file may replace.
  fileprivate var replacement: OutputReplacement {
    switch file.facts {
    case .missing: .never
    case .empty, .realm: file.identity.map(OutputReplacement.only) ?? .any
    }
  }

  fileprivate var space: SpaceUse? {
    get throws { try source.content.map { try SpaceUse(of: $0.snapshot) } }
  }
}

extension OpeningPlan {
  /// Whether the file is written as a whole.
  fileprivate var makesNewFile: Bool {
    events.contains { event in
      switch event {
      case .copySeed, .create, .upgradeFormat, .deleteAndCreate: true
      case .backUp, .compactIfWanted, .createSchema, .change, .migrate, .editObjects: false
      }
    }
  }

  fileprivate var upgradesFormat: Bool {
    events.contains { event in
      if case .upgradeFormat = event { true } else { false }
    }
  }

  /// The target schema version; nil if the schema stays as it is.
  fileprivate var version: UInt64? {
    for event in events {
      switch event {
      case .createSchema(let version, _), .migrate(_, let version, _, _): return version
      case .change(let version, _): return version
      default: continue
      }
    }
    return nil
  }

  /// Whether schema and version stay as they are.
  fileprivate var changesObjectsOnly: Bool { version == nil && events.contains(.editObjects) }

  /// Whether there is more to do than to rewrite the file.
  fileprivate var changesContent: Bool { version != nil || events.contains(.editObjects) }

  fileprivate var operation: LaunchOperation {
    if events.contains(.deleteAndCreate) { return .delete }
    if events.contains(.editObjects) { return .edit }
    return version == nil ? .upgrade : .migrate
  }
}
