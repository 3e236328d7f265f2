import RealmExchange
import RealmStorage

/// Rewrites a realm without its free space, or in another file format: in place, with all that it says of itself, or to
/// another file.
package struct RealmCompaction {
  package let writing: RealmWriting
  /// Of the realm.
  package let key: EncryptionKey?
  /// The result; its key is that of what is written.
  package var options = CopyOptions(identity: .kept)
  /// Compacts only where this holds.
  package var condition: CompactionCondition?
  /// For a compaction in place.
  package var access = InPlaceAccess()
  /// Whether only the file format matters: a realm that has it already is left alone.
  package var changesFormatOnly = false

  package init(_ writing: RealmWriting, key: EncryptionKey?) {
    (self.writing, self.key) = (writing, key)
    options.verifies = writing.verifies
  }

  /// What a compaction was about, and what came of it.
  package struct Outcome: Sendable {
    /// Of the realm; `-` for standard input.
    package let source: String
    let identity: FileIdentity?
    package let sourceFormat: UInt8
    package let space: SpaceUse
    /// Bytes on disk.
    package let before: UInt64
    /// Whether the condition holds, if there is one.
    package fileprivate(set) var isNeeded = true
    /// Nil where nothing was to be done.
    package fileprivate(set) var copy: CopyReport?
    package fileprivate(set) var backup: RealmBackup?
    /// Nil where nothing was written.
    package fileprivate(set) var published: PublishedFile?

    /// Of what is written.
    package let format: TargetFormat
    /// Whether it needs another file format; a file of format 0 has no content yet.
    package var changesFormat: Bool { sourceFormat != format.number && sourceFormat != 0 }
  }

  /// - Parameters:
  ///   - reader: reads the realm.
  ///   - willWrite: told of the realm before it is written.
  ///   - willPublish: told of the copy before it gets its name.
  /// - Throws: `OpeningError.upgradeProhibited`; `AccessError` where somebody has the realm open; `BackupError`; what a
  ///   copy throws.
  package func run(
    _ reader: some RealmReader, willWrite: (OpenedRealm) throws -> Void = { _ in },
    willPublish: (CopyReport?) -> Void = { _ in }
  ) throws -> Outcome {
    func write(_ backup: PreparedBackup? = nil) throws -> Outcome {
      try self.write(reader, willWrite, willPublish, backup)
    }
    // Nothing is made beside a file that is none of ours, or that needs no compaction.
    var before = try reader.read(facts)
    guard before.isNeeded else {
      if writing.isInPlace, !writing.dryRun {
        before.backup = try access.backUpUnchanged(writing.path, key: key, before: operation)
      }
      return before
    }
    try writing.check(source: before.identity)
    guard writing.isInPlace else { return try write() }
    guard !before.changesFormat || changesFormatOnly || access.allowsUpgrade else {
      throw OpeningError.upgradeProhibited(format: before.sourceFormat)
    }
    guard !writing.dryRun else {
      try access.requireFree(writing.path)
      return try write()
    }
    let lock = try access.take(writing.path)
    defer { lock.release() }
    lock.removeCompactionLeftovers()
    // The file may have changed until the lock was had.
    var now = try reader.read(facts)
    let hasBackup = access.backup.isNamed || now.isNeeded && now.changesFormat
    let backup = hasBackup ? try access.backup.prepare(of: writing.path, key: key, before: operation) : nil
    guard now.isNeeded else {
      try backup?.publish()
      now.backup = backup?.backup
      return now
    }
    now = try write(backup)
    lock.keepLockFiles()
    return now
  }

  private var operation: LaunchOperation { changesFormatOnly ? .downgrade : .compact }

  private func facts(of realm: OpenedRealm) throws -> Outcome {
    // Only a condition needs to know what is free: a list that is damaged is what compacting puts right.
    let space: SpaceUse
    do { space = try SpaceUse(of: realm.snapshot) } catch {
      guard condition == nil else { throw error }
      space = SpaceUse(total: realm.snapshot.logicalSize, free: 0)
    }
    var outcome = Outcome(
      source: realm.bytes.path, identity: realm.bytes.identity, sourceFormat: realm.snapshot.header.format,
      space: space, before: realm.bytes.physicalSize, format: options.format)
    if changesFormatOnly { outcome.isNeeded = outcome.changesFormat || !writing.isInPlace }
    // What is unknown is not met.
    if let condition { outcome.isNeeded = (try? condition.holds(for: space)) ?? false }
    return outcome
  }

  private func write(
    _ reader: some RealmReader, _ willWrite: (OpenedRealm) throws -> Void,
    _ willPublish: (CopyReport?) -> Void, _ backup: PreparedBackup?
  ) throws -> Outcome {
    var isStreaming = false
    var (realm, outcome) = try reader.read(canStartAgain: { !isStreaming }) { realm in
      try willWrite(realm)
      var options = options
      options.threadLimit = Processors.threadCount(forBytes: realm.bytes.physicalSize) - 1
      let written = try writing.copy(realm, options) { isStreaming = true }
      return (written, try facts(of: realm))
    }
    (outcome.copy, outcome.backup) = (realm.report, backup?.backup)
    willPublish(realm.report)
    outcome.published = try realm.publish(backup)
    return outcome
  }
}
