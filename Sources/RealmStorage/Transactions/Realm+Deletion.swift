import RealmSystem

extension Realm {
  /// Deletes a realm with the files next to it that engines make, such as its lock file and management folder. Backups stay,
  /// and so does something else of such a name. What links lead to is not deleted.
  ///
  /// - Parameters:
  ///   - path: of a realm of any format, plain or encrypted, damaged or not.
  ///   - waitingMilliseconds: how long to wait for a realm that an app has open.
  /// - Returns: the paths of what was deleted, in order; empty if there was no realm.
  /// - Throws: an error of kind `inUse` if a process has the realm open, this one included; `notARealm` if the file is
  ///   something else; `system` if the system does not allow it: some of the files may be deleted then, the realm last.
  @discardableResult
  public static func delete(at path: String, waitingMilliseconds: UInt64 = 0) throws(RealmError) -> [String] {
    try RealmError.wrapping(path) {
      guard SafeOutput.isNameTaken(path) else { return [] }
      let removal = try RealmRemoval(of: path, read: identity(ofRealm: path), includesBackups: false)
      try removal.remove(waitingMilliseconds: waitingMilliseconds)
      return removal.removed
    }
  }

  /// The identity of a file that is a realm, or may be one: it is encrypted, damaged or of a format from the future.
  private static func identity(ofRealm path: String) throws -> FileIdentity {
    let status: FileStatus
    do throws(SystemCallError) { status = try FileBackend.calls.status(ofPath: path) } catch {
      throw StorageError.file(error.problem)
    }
    if case .special(let kind) = status.kind { throw StorageError.file(.notARegularFile(kind: kind)) }
    do { _ = try Snapshot(of: ByteStore.open(.path(path), key: nil).store) } catch let error as StorageError {
      switch error {
      case .notARealm(.tooSmall), .notARealm(.oddSize(_, hasMnemonic: false)), .notARealm(.wrongMnemonic), .file:
        throw error
      case .notARealm: break
      case .key, .unsupportedFormat, .corrupted, .limitReached: break
      }
    }
    return status.identity
  }
}
