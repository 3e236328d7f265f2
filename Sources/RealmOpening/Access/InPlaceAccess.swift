import RealmStorage
import RealmSystem

/// How a realm is changed in place: how long to wait for it, whether its format may change, and what backup is kept.
public struct InPlaceAccess: Hashable, Sendable {
  /// How long to wait for a realm that is in use.
  public var waitingMilliseconds: UInt64
  /// Whether compacting may change the format of the file. A launch asks its configuration.
  package var allowsUpgrade = false
  /// Whether the realm is copied before it is changed, and where to.
  public var backup: BackupChoice
  /// Whether a realm in which the checker finds damage is left alone: a change of it can destroy what is still there, and
  /// no backup would have it.
  package var refusesDamage = false

  /// Does not wait, and keeps a backup next to the realm.
  public init(waitingMilliseconds: UInt64 = 0, backup: BackupChoice = .besideTheFile) {
    (self.waitingMilliseconds, self.backup) = (waitingMilliseconds, backup)
  }

  /// Takes a realm for this process alone.
  ///
  /// - Throws: `AccessError` if a process has it open; `OutputError` if its path cannot be followed.
  private func take(_ path: String) throws -> ExclusiveAccess {
    try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
  }

  /// What `take` would find, without making anything.
  ///
  /// - Throws: as `take`.
  private func requireFree(_ path: String) throws {
    let holders = try ExclusiveAccess.holders(ofRealm: path)
    guard case .processes(let processes) = holders, !processes.isEmpty else { return }
    throw AccessError.inUse(path: path, holders: holders)
  }

  /// Takes a realm for this process alone, looks at it again, because another process may have been faster, and changes
  /// it.
  ///
  /// - Parameters:
  ///   - dryRun: whether nothing is made, not even a lock file; a realm that a process has open is refused all the
  ///     same.
  ///   - removesLeftovers: whether to remove the files that the engine left when it was killed while compacting.
  ///   - hasChanged: whether the realm is another one now: then its lock files stay.
  /// - Throws: `AccessError` if a process has the realm open; what `look` and `change` throw.
  package func change<Found, Outcome>(
    _ path: String, dryRun: Bool, removesLeftovers: Bool, look: () throws -> Found,
    change: (Found) throws -> Outcome, hasChanged: (Outcome) -> Bool
  ) throws -> Outcome {
    guard !dryRun else {
      try requireFree(path)
      return try change(look())
    }
    let lock = try take(path)
    defer { lock.release() }
    if removesLeftovers { lock.removeCompactionLeftovers() }
    let outcome = try change(look())
    if hasChanged(outcome) { lock.keepLockFiles() }
    return outcome
  }

  /// A backup of a realm that is not changed, if one was asked for by name.
  ///
  /// - Returns: nil if none was.
  /// - Throws: as `take`; `BackupError`, `StorageError`.
  package func backUpUnchanged(
    _ path: String, key: EncryptionKey?, before operation: LaunchOperation
  ) throws -> RealmBackup? {
    guard backup.isNamed else { return nil }
    let access = try take(path)
    defer { access.release() }
    guard let prepared = try backup.prepare(of: path, key: key, before: operation) else { return nil }
    try prepared.publish()
    return prepared.backup
  }
}

/// What a backup is made before.
package enum LaunchOperation: String, Hashable, Sendable {
  case migrate, upgrade, downgrade, delete, compact, restore, edit
}

/// Whether there is a backup, and where.
public enum BackupChoice: Hashable, Sendable {
  /// Next to the realm, with operation and time in its name; made only if `BackupRule` asks for one.
  case besideTheFile
  /// At this path, or in this folder with operation and time in its name, whatever is done. A name that is taken gets a number.
  case path(String)
  /// No backup.
  case none

  /// Whether its place was named: then it is always made.
  package var isNamed: Bool {
    if case .path = self { true } else { false }
  }

  /// Copies a realm before something is done to it, or keeps one that is to be deleted: the backup appears when it is
  /// published.
  ///
  /// - Parameter key: of the realm.
  /// - Returns: nil if none is wanted.
  /// - Throws: `BackupError`; `StorageError` if the realm cannot be read.
  package func prepare(of realm: String, key: EncryptionKey?, before operation: LaunchOperation) throws
    -> PreparedBackup?
  {
    guard let backup = backup(of: realm, before: operation) else { return nil }
    let (named, output) = try BackupError.reporting { try backup.prepare(of: realm, key: key) }
    return PreparedBackup(backup: named, output: output)
  }

  /// Checks whether `prepare` could make a backup.
  ///
  /// - Parameter byteCount: of the realm.
  /// - Throws: `BackupError`.
  func check(of realm: String, before operation: LaunchOperation, byteCount: UInt64) throws {
    guard let backup = backup(of: realm, before: operation) else { return }
    do throws(OutputError) {
      try SafeOutput.check(at: backup.path, replacing: .never, inputs: [realm], expectedByteCount: byteCount)
    } catch {
      // Another name is found when it is needed.
      switch error {
      case .exists, .isInput: return
      default: throw BackupError.output(error)
      }
    }
  }

  private func backup(of realm: String, before operation: LaunchOperation) -> RealmBackup? {
    switch self {
    case .none: nil
    case .path(let path) where !SafeOutput.isFolder(path): RealmBackup(at: path)
    case .path(let folder): named(realm, operation, in: folder)
    case .besideTheFile: named(realm, operation, in: nil)
    }
  }

  private func named(_ realm: String, _ operation: LaunchOperation, in folder: String?) -> RealmBackup {
    let time = SystemClock.secondsSince1970
    return operation == .delete
      ? RealmBackup(ofDeleted: realm, at: time, in: folder)
      : RealmBackup(of: realm, before: operation.rawValue, at: time, in: folder)
  }
}

/// A complete backup without a name; if it is released, nothing is left.
package struct PreparedBackup {
  package let backup: RealmBackup
  /// Nil if a file of that name already has the same content.
  fileprivate let output: SafeOutput?

  /// - Throws: `BackupError`; there is no backup then.
  package func publish() throws {
    guard try BackupError.reporting({ try output?.publish() }) == false else { return }
    withdraw()
    throw BackupError.notDurable(path: backup.path)
  }

  private func withdraw() { if output != nil { backup.remove() } }

  /// Publishes a backup, then runs `body`, so that the old content is always in some file, and no signal comes between the
  /// two. Removes the backup again if `body` fails and has certainly changed nothing.
  package static func publish<Result>(_ backup: PreparedBackup?, before body: () throws -> Result) throws -> Result {
    try UnfinishedOutputs.publishing {
      try backup?.publish()
      do {
        return try body()
      } catch {
        // The realm may have changed: then only the backup has the old content.
        if !(error is UnsettledCommit) { backup?.withdraw() }
        throw error
      }
    }
  }
}

/// Why a backup could not be made or restored, so that nothing is done.
package enum BackupError: Error, Hashable, Sendable {
  /// What was written differs from what was read.
  case different(path: String)
  /// It cannot be written.
  case output(OutputError)
  /// Its folder could not be synced: a power cut might take it.
  case notDurable(path: String)
  /// The realm is not what was left when its backup was made: what came later would be lost, or it is another realm.
  case realmHasChanged
  /// The realm that a backup would replace does not exist.
  case realmMissing

  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as OutputError { throw BackupError.output(error) }
  }
}
