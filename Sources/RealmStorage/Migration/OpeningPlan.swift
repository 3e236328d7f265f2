/// What opening a realm needs to know about a file.
package enum RealmFacts: Hashable, Sendable {
  /// There is none.
  case missing
  /// An empty file.
  case empty
  case realm(format: UInt8, history: HistoryKind, schema: Schema, historyProblem: HistoryProblem? = nil)

  package init(_ snapshot: Snapshot) {
    self = .realm(
      format: snapshot.header.format, history: snapshot.historyKind, schema: snapshot.schema,
      historyProblem: snapshot.historyProblem)
  }
}

/// One thing that opening does to a file.
public enum OpeningEvent: Hashable, Sendable {
  /// The seed is copied to the realm's path, byte for byte.
  case copySeed
  /// An empty realm is created.
  case create
  /// The file is copied before it is upgraded.
  case backUp(format: UInt8)
  /// The file is rebuilt in format 24.
  case upgradeFormat(from: UInt8)
  /// The configuration is asked whether to compact, and it is done.
  case compactIfWanted
  /// The file is removed with all its data, and an empty realm is created.
  case deleteAndCreate
  /// A realm that had no schema version gets tables and version.
  case createSchema(version: UInt64, SchemaDifference)
  /// Classes and indexes that need no higher version.
  case change(version: UInt64, SchemaDifference)
  /// Tables and properties become those of a higher version. `callsFunction`: the configuration's function moves values.
  case migrate(from: UInt64, to: UInt64, SchemaDifference, callsFunction: Bool)
  /// Objects are changed at the schema version that the realm has.
  case editObjects
}

/// What opening a realm with a configuration does, in order, determined before anything is done.
///
/// The order is the SDKs' own: seed, file, format, history, upgrade, compaction, schema. What they would find only
/// after changing the file, such as an invalid schema after an upgrade, is found here before that.
public struct OpeningPlan: Hashable, Sendable {
  /// The steps of opening, in order.
  public private(set) var events: [OpeningEvent] = []
  private let keepsBackup: Bool

  /// Whether a file is created or changed, not counting a compaction that may turn out not to be wanted.
  package var changesFile: Bool { events.contains { $0 != .compactIfWanted } }

  /// Whether the caller's own code changes the realm.
  package var callsFunction: Bool {
    events.contains { event in
      switch event {
      case .migrate(_, _, _, callsFunction: true), .editObjects: true
      default: false
      }
    }
  }

  /// - Parameters:
  ///   - file: what is at the path.
  ///   - seed: what is at the seed's path.
  ///   - keepsBackup: whether an existing file is copied before its format changes.
  /// - Throws: `ConfigurationError`, `OpeningError`.
  package init(
    _ configuration: RealmConfiguration, file: RealmFacts, seed: RealmFacts = .missing, keepsBackup: Bool = true
  ) throws {
    try configuration.validate()
    self.keepsBackup = keepsBackup && file != .missing && !configuration.isInMemory
    var content = file
    if file == .missing, configuration.seedPath != nil {
      guard seed != .missing else { throw OpeningError.missingSeed }
      events.append(.copySeed)
      content = seed
    }
    if configuration.isReadOnly {
      try checkReadOnly(content, configuration)
    } else {
      try planChanges(of: content, configuration)
    }
  }

  // MARK: - Read-only

  private func checkReadOnly(_ content: RealmFacts, _ configuration: RealmConfiguration) throws {
    switch content {
    case .missing: throw OpeningError.missingFile
    case .empty: throw OpeningError.emptyFile
    case .realm(let format, _, let stored, _):
      guard Self.isCurrent(format) else { throw OpeningError.readOnlyNeedsUpgrade(format: format) }
      guard let target = try Self.validTarget(of: configuration) else { return }
      let version = stored.version ?? RealmConfiguration.notVersioned
      let requested = configuration.requestedVersion ?? version
      guard requested == version else {
        throw OpeningError.versionDiffers(requested: requested, stored: version)
      }
      try Self.refuse(in: .readOnly, SchemaDifference(from: stored, to: target))
    }
  }

  // MARK: - Changes

  private mutating func planChanges(of content: RealmFacts, _ configuration: RealmConfiguration) throws {
    switch content {
    case .missing:
      guard configuration.createsMissingFile || configuration.isInMemory else { throw OpeningError.missingFile }
      events.append(.create)
      try planSchema(over: Schema(), configuration)
    case .empty:
      events.append(.create)
      try planSchema(over: Schema(), configuration)
    case .realm(let format, let history, let stored, let problem):
      guard try planFormat(format, history, problem, configuration) else {
        return try planNewRealm(configuration)
      }
      if configuration.shouldCompactOnLaunch != nil { events.append(.compactIfWanted) }
      try planSchema(over: stored, configuration)
    }
  }

  /// - Returns: false if the file is to be removed because its format is not the current one.
  private mutating func planFormat(
    _ format: UInt8, _ history: HistoryKind, _ problem: HistoryProblem?, _ configuration: RealmConfiguration
  ) throws -> Bool {
    // The SDKs delete a file that they would have to upgrade, even if they could.
    let deletes = configuration.deletesRealmIfMigrationNeeded && !configuration.allowsFormatUpgrade
    guard Self.isCurrent(format) || Snapshot.readableFormats.contains(format) else {
      guard deletes else { throw OpeningError.unsupportedFormat(format) }
      return false
    }
    if history.isSynchronized { throw OpeningError.synchronized(history) }
    if let problem { throw OpeningError.unknownHistory(problem) }
    guard !Self.isCurrent(format) else { return true }
    if deletes { return false }
    guard configuration.allowsFormatUpgrade else { throw OpeningError.upgradeProhibited(format: format) }
    if keepsBackup { events.append(.backUp(format: format)) }
    events.append(.upgradeFormat(from: format))
    return true
  }

  /// A file of format 0 has no content yet.
  private static func isCurrent(_ format: UInt8) -> Bool { format == Header.newestFormat || format == 0 }

  private mutating func planNewRealm(_ configuration: RealmConfiguration) throws {
    events.append(.deleteAndCreate)
    try planSchema(over: Schema(), configuration)
  }

  private mutating func planSchema(over stored: Schema, _ configuration: RealmConfiguration) throws {
    let target = try Self.validTarget(of: configuration)
    if configuration.script?.editsObjects == true {
      if let target { try planTarget(target, over: stored, configuration) }
      return events.append(.editObjects)
    }
    if configuration.deletesRealmIfMigrationNeeded {
      // The SDKs do not call the migration function then, whatever it would have done.
      if let target, let script = configuration.script, stored.version != nil,
        let arrival = try? script.arrival(stored.version)
      {
        return try planNewRealm(configuration, version: configuration.requestedVersion ?? arrival, target)
      }
    } else if let script = configuration.script, let arrival = try script.arrival(stored.version) {
      return try planScript(over: stored, arrival, target, configuration)
    }
    if let target { try planTarget(target, over: stored, configuration) }
  }

  private mutating func planTarget(
    _ target: Schema, over stored: Schema, _ configuration: RealmConfiguration
  ) throws {
    let difference = SchemaDifference(from: stored, to: target)
    guard let version = stored.version else {
      events.append(.createSchema(version: configuration.requestedVersion ?? 0, difference))
      return
    }
    let requested = configuration.requestedVersion ?? version
    if configuration.deletesRealmIfMigrationNeeded, requested != version || difference.needsMigration {
      return try planNewRealm(configuration, version: requested, target)
    }
    guard requested >= version else { throw OpeningError.versionDecreased(to: requested, from: version) }
    guard requested == version else {
      events.append(
        .migrate(from: version, to: requested, difference, callsFunction: configuration.migration != nil))
      return
    }
    try Self.refuse(in: .sameVersion, difference)
    if difference.hasWork { events.append(.change(version: version, difference)) }
  }

  /// What the target's comparison will find is not known before the script has run.
  private mutating func planScript(
    over stored: Schema, _ arrival: UInt64, _ target: Schema?, _ configuration: RealmConfiguration
  ) throws {
    let requested = configuration.requestedVersion ?? arrival
    guard requested >= arrival else { throw OpeningError.versionDecreased(to: requested, from: arrival) }
    events.append(
      .migrate(
        from: stored.version ?? 0, to: requested,
        target.map { SchemaDifference(from: stored, to: $0) } ?? SchemaDifference(from: Schema(), to: Schema()),
        callsFunction: true))
  }

  private mutating func planNewRealm(_ configuration: RealmConfiguration, version: UInt64, _ target: Schema) throws {
    // What would have been upgraded and compacted is removed.
    events.removeAll { $0 != .copySeed }
    events.append(.deleteAndCreate)
    events.append(.createSchema(version: version, SchemaDifference(from: Schema(), to: target)))
  }

  // MARK: - Schemas

  private static func validTarget(of configuration: RealmConfiguration) throws -> Schema? {
    guard let target = try configuration.targetSchema() else { return nil }
    let validation = SchemaValidation(of: target, for: .local, aliases: configuration.targetAliases)
    guard validation.isValid else { throw OpeningError.invalidSchema(validation.violations) }
    return target
  }

  private static func refuse(in mode: SchemaDifference.OpenMode, _ difference: SchemaDifference) throws {
    guard difference.refused(in: mode).isEmpty else { throw OpeningError.refusedChanges(mode, difference) }
  }
}

extension RealmConfiguration {
  /// Aliases are for the whole schema only: a part of it has tables in other places, and was valid as a whole.
  fileprivate var targetAliases: [[RealmString?]] { classes == .all ? aliases : [] }
}

extension SchemaDifference {
  /// Whether anything is to be done; classes that only the file has are left alone.
  public var hasWork: Bool {
    !renames.isEmpty
      || changes.contains { change in
        if case .removeClass = change { return false }
        return true
      }
  }
}
