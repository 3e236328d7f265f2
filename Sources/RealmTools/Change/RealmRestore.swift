import RealmExchange
import RealmStorage

/// Restores a realm from its backup.
package struct RealmRestore {
  package let realm: String
  package let backup: String
  /// How long to wait for the realm, and whether what is there now is kept.
  package let access: InPlaceAccess
  /// SHA-256 of the realm as it was left after its backup was made; nil replaces whatever is there.
  package let left: String?

  package init(_ backup: String, to realm: String, access: InPlaceAccess, left: String?) {
    (self.backup, self.realm, self.access, self.left) = (backup, realm, access, left)
  }

  /// The result.
  package struct Outcome: Sendable {
    /// False if the realm already equals the backup, byte for byte.
    package var isNeeded: Bool
    /// The backup of what was there before; nil if there was nothing, or it was not to be kept.
    package var kept: RealmBackup?
  }

  /// - Parameter dryRun: whether nothing is written.
  /// - Throws: `StorageError` if the backup cannot be read, `AccessError`, `BackupError`, `OutputError`.
  package func run(dryRun: Bool = false) throws -> Outcome {
    // Nothing is locked or created for a missing backup.
    _ = try SequentialInput(backup)
    try requireRealm()
    return try access.change(realm, dryRun: dryRun, removesLeftovers: false, look: isRestored) { isRestored in
      guard !isRestored else { return Outcome(isNeeded: false, kept: nil) }
      try requireLeft()
      return Outcome(isNeeded: true, kept: dryRun ? nil : try restore())
    } hasChanged: {
      $0.isNeeded
    }
  }

  /// - Returns: the backup of what was there.
  private func restore() throws -> RealmBackup? {
    let target = SafeOutput.destination(of: realm)
    let input = try SequentialInput(backup)
    let output = try SafeOutput(
      at: target, replacing: try replacement(), inputs: [backup], resembling: backup,
      expectedByteCount: input.byteCount ?? 0)
    try input.forEachBlock { try output.write($0) }
    try output.close()
    guard let temporary = output.temporaryPath, try Self.isEqual(temporary, backup) else {
      throw BackupError.different(path: backup)
    }
    let kept = try isThere ? access.backup.prepare(of: realm, key: nil, before: .restore) : nil
    _ = try PreparedBackup.publish(kept) { try output.publish() }
    return kept?.backup
  }

  /// Only a realm may replace a realm. An encrypted one can be recognized with its key only: it must consist of whole
  /// pages, and must not replace a plain realm.
  private func requireRealm() throws {
    guard let problem = try Self.problem(ofPlainRealm: backup) else { return }
    let count = try SequentialInput(backup).byteCount ?? 0
    let isPlain = try isThere && Self.problem(ofPlainRealm: realm) == nil
    if count == 0 || count % Self.pageSize != 0 || isPlain { throw problem }
  }

  /// Of encrypted realms.
  private static let pageSize: UInt64 = 4096

  /// Why a file is not a plain realm; nil if it is one, even if damaged.
  private static func problem(ofPlainRealm path: String) throws -> StorageError? {
    do { try RealmError.uncovering { _ = try Realm.open(at: path) } } catch let error as StorageError {
      switch error {
      case .notARealm: return error
      case .key: return .notARealm(.wrongMnemonic(wasDecrypted: false))
      default: break
      }
    }
    return nil
  }

  private var isThere: Bool { SafeOutput.isNameTaken(SafeOutput.destination(of: realm)) }

  /// The file that is there now, not one that replaces it.
  private func replacement() throws -> OutputReplacement {
    guard isThere else { return .never }
    return .only(try SequentialInput.identity(of: realm))
  }

  private func requireLeft() throws {
    guard let left else { return }
    guard isThere else { throw BackupError.realmMissing }
    guard try StreamDigest.text(ofFileAt: realm) == left else { throw BackupError.realmHasChanged }
  }

  private func isRestored() throws -> Bool { try isThere && Self.isEqual(realm, backup) }

  private static func isEqual(_ path: String, _ other: String) throws -> Bool {
    try StreamDigest(ofFileAt: path).finish() == StreamDigest(ofFileAt: other).finish()
  }
}
