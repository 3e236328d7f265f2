import RealmExchange
import RealmOpening
import RealmStorage
import RealmSystem

/// Rewrites a realm without its free space, or in another file format: in place, where it keeps its version and
/// history, or to another file.
package struct RealmRewrite {
  /// Why a realm is rewritten.
  package enum Purpose: Sendable {
    /// To get rid of free space.
    case compact
    /// To get another file format: a realm that has it already is left alone.
    case upgrade, downgrade

    var operation: LaunchOperation {
      switch self {
      case .compact: .compact
      case .upgrade: .upgrade
      case .downgrade: .downgrade
      }
    }
  }

  package let writing: OutputTarget
  /// Of the realm.
  package let key: EncryptionKey?
  /// The result; its key is that of what is written.
  package var options = CopyOptions(identity: .kept)
  /// Compacts only if this is true.
  package var condition: CompactionCondition?
  /// For a realm that is rewritten in place.
  package var access = InPlaceAccess()
  private let purpose: Purpose

  package init(_ purpose: Purpose, _ writing: OutputTarget, key: EncryptionKey?) {
    (self.purpose, self.writing, self.key) = (purpose, writing, key)
    options.verifies = writing.verifies
  }

  /// What was to be rewritten, and the result.
  package struct Outcome: Sendable {
    /// Of the realm; `-` for standard input.
    package let source: String
    let identity: FileIdentity?
    package let sourceFormat: UInt8
    /// Of the realm.
    package let historyKind: HistoryKind
    /// What an app that opened the realm would be asked with.
    package let space: SpaceUse
    /// Bytes on disk.
    package let before: UInt64
    /// Whether the condition is true, if there is one.
    package fileprivate(set) var isNeeded = true
    /// Nil if there was nothing to do.
    package fileprivate(set) var copy: CopyReport?
    package fileprivate(set) var backup: RealmBackup?
    /// Nil if nothing was written.
    package fileprivate(set) var published: PublishedFile?

    /// Of what is written.
    package let format: TargetFormat
    /// Whether what is written has the history of the realm; nil if there was nothing to do.
    package var keepsHistory: Bool? { copy.map { $0.method == .nodes && historyKind.isSynchronized } }
    /// Whether it needs another file format; a file of format 0 has no content yet.
    package var changesFormat: Bool { sourceFormat != format.number && sourceFormat != 0 }
  }

  /// - Parameters:
  ///   - reader: reads the realm.
  ///   - willWrite: called before the realm is written.
  ///   - willPublish: called with the copy before it gets its name.
  /// - Throws: `OpeningError.upgradeProhibited`; `AccessError` if a process has the realm open; `BackupError`; what a
  ///   copy throws.
  package func run(
    _ reader: some RealmReader, willWrite: (OpenedRealm) throws -> Void = { _ in },
    willPublish: (CopyReport?) -> Void = { _ in }
  ) throws -> Outcome {
    // Nothing is created next to a file that is not a realm or needs no change.
    let before = try reader.read(look)
    var outcome = before.outcome
    guard outcome.isNeeded else {
      if writing.isInPlace, !writing.dryRun {
        outcome.backup = try access.backUpUnchanged(writing.path, key: key, before: purpose.operation)
      }
      return outcome
    }
    try writing.check(source: outcome.identity)
    guard writing.isInPlace else { return try publish(copy(reader, willWrite, replacing: false), willPublish, nil) }
    guard !outcome.changesFormat || purpose != .compact || access.allowsUpgrade else {
      throw OpeningError.upgradeProhibited(format: outcome.sourceFormat)
    }
    return try access.change(writing.path, dryRun: writing.dryRun, removesLeftovers: true) {
      try before.isCurrent ? before : reader.read(look)
    } change: { now in
      var outcome = now.outcome
      let hasBackup = access.backup.isNamed || outcome.isNeeded && outcome.changesFormat
      let backup =
        hasBackup && !writing.dryRun
        ? try access.backup.prepare(of: writing.path, key: key, before: purpose.operation) : nil
      guard outcome.isNeeded else {
        try backup?.publish()
        outcome.backup = backup?.backup
        return outcome
      }
      let copy = Result { try self.copy(now.realm, willWrite, replacing: backup == nil) {} }
      if try now.realm.bytes.isUnchanged(since: now.head) {
        return try publish((copy.get(), outcome), willPublish, backup)
      }
      // Programs that know nothing of locks can change it: then what was read may be a mixture, and is read again. A backup
      // would be of what was there before, and another format needs other checks.
      let again = try self.copy(reader, willWrite, replacing: backup == nil)
      guard backup == nil, again.1.sourceFormat == outcome.sourceFormat else {
        throw OutputError.changedMeanwhile(path: writing.path)
      }
      return try publish(again, willPublish, nil)
    } hasChanged: {
      $0.isNeeded
    }
  }

  /// A realm and what was found out about it.
  private struct Found {
    let realm: OpenedRealm
    let head: [UInt8]
    let outcome: Outcome

    /// Whether nothing has happened to it since.
    var isCurrent: Bool { realm.bytes.change(since: head) == nil }
  }

  private func look(at realm: OpenedRealm) throws -> Found {
    try Found(realm: realm, head: realm.bytes.currentState(), outcome: facts(of: realm))
  }

  private func facts(of realm: OpenedRealm) throws -> Outcome {
    // Only a condition needs the free space: compacting itself repairs a damaged list.
    let space: SpaceUse
    do { space = try SpaceUse(of: realm.snapshot) } catch {
      guard condition == nil else { throw error }
      space = SpaceUse(total: realm.snapshot.logicalSize, free: 0)
    }
    var outcome = Outcome(
      source: realm.bytes.path, identity: realm.bytes.identity, sourceFormat: realm.snapshot.header.format,
      historyKind: realm.snapshot.historyKind, space: space, before: realm.bytes.physicalSize, format: options.format)
    if purpose != .compact { outcome.isNeeded = outcome.changesFormat || !writing.isInPlace }
    // An unknown condition is not met.
    if let condition { outcome.isNeeded = condition.holds(for: space) ?? false }
    // Advice to allow the upgrade would not help.
    let upgrades = purpose == .upgrade || purpose == .compact && writing.isInPlace && outcome.changesFormat
    if upgrades, outcome.isNeeded, realm.snapshot.historyKind.isSynchronized {
      throw OpeningError.synchronized(realm.snapshot.historyKind)
    }
    return outcome
  }

  private func copy(
    _ reader: some RealmReader, _ willWrite: (OpenedRealm) throws -> Void, replacing replaces: Bool
  ) throws -> (UnpublishedRealm, Outcome) {
    var isStreaming = false
    return try reader.read(canStartAgain: { !isStreaming }) { realm in
      (try copy(realm, willWrite, replacing: replaces) { isStreaming = true }, try facts(of: realm))
    }
  }

  private func copy(
    _ realm: OpenedRealm, _ willWrite: (OpenedRealm) throws -> Void, replacing replaces: Bool,
    streaming begin: () -> Void
  ) throws -> UnpublishedRealm {
    try willWrite(realm)
    var options = options
    options.replacesSource = replaces
    options.refusesDamage = writing.isInPlace && access.refusesDamage
    options.threadLimit = Processors.threadCount(forBytes: realm.bytes.physicalSize) - 1
    return try writing.copy(realm, options, streaming: begin)
  }

  private func publish(
    _ written: (realm: UnpublishedRealm, outcome: Outcome), _ willPublish: (CopyReport?) -> Void,
    _ backup: PreparedBackup?
  ) throws -> Outcome {
    let realm = written.realm
    var outcome = written.outcome
    (outcome.copy, outcome.backup) = (realm.report, backup?.backup)
    willPublish(realm.report)
    outcome.published = try realm.publish(backup)
    return outcome
  }
}
