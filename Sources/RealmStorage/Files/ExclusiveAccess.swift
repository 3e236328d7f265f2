import RealmSystem

/// Why exclusive use of a realm was refused.
package enum AccessError: Error, Hashable, Sendable {
  /// A process has it open. `path` is the realm.
  case inUse(path: String, holders: LockHolders, waitedMilliseconds: UInt64 = 0)
  /// Something else has the lock file's name, and was left alone; `path` is that name.
  case notALockFile(path: String, LockFileProblem)
  /// The lock file cannot be created, opened or locked; `path` is the lock file.
  case systemCall(path: String, name: String, errorNumber: Int32)
}

/// Exclusive use of a realm, for as long as this object lives (Docs/Format/5-coordination.md §10.2).
///
/// Whoever has a realm open, except read-only, holds a shared lock on the file next to it, so the exclusive lock is
/// free exactly when nobody has it open. A stale lock file does not matter: its content means nothing without a lock.
/// It is emptied at once, because apps that wait for the lock must not find the content of a finished session when they
/// get it.
///
/// A lock file that did not exist is left behind, empty, where the realm was changed (`keepLockFiles`), as by every app
/// that opens a realm. Otherwise it is removed, so that a refused run leaves nothing behind, least of all a file that the
/// realm's owner could not open.
package final class ExclusiveAccess: @unchecked Sendable {
  private let calls: any OutputCalls
  private let names: [String]
  /// The file they all lead to.
  private let realm: String
  private var lockFiles: [LockFile] = []
  private var keepsLockFiles = false

  /// How often to retry while the realm is in use.
  static let pauseMilliseconds: UInt32 = 50

  /// Takes the lock.
  ///
  /// A realm whose path is a symbolic link is locked under each of its names, because apps name the lock file after
  /// the path they were given.
  ///
  /// - Parameters:
  ///   - path: of the realm.
  ///   - waitingMilliseconds: how long to wait for a realm that is in use.
  /// - Throws: `AccessError`; `OutputError` if the path cannot be followed.
  package convenience init(toRealm path: String, waitingMilliseconds: UInt64 = 0) throws {
    try self.init(toRealm: path, waitingMilliseconds: waitingMilliseconds, calls: FileBackend.calls)
  }

  init(toRealm path: String, waitingMilliseconds: UInt64 = 0, calls: any OutputCalls) throws {
    self.calls = calls
    let place = try OutputPath(path, calls: calls)
    (names, realm) = (place.links, place.target)
    let start = calls.milliseconds()
    while true {
      if try takeLocks() { return }
      guard calls.milliseconds() &- start < waitingMilliseconds else {
        throw AccessError.inUse(
          path: path, holders: LockHolders.of(realm: path), waitedMilliseconds: waitingMilliseconds)
      }
      calls.pause(milliseconds: Self.pauseMilliseconds)
    }
  }

  deinit { release() }

  /// Who has a realm open, under any of the names that `init` would lock; nothing is locked or created.
  ///
  /// - Throws: `OutputError` if the path cannot be followed; `AccessError.notALockFile`.
  package static func holders(ofRealm path: String) throws -> LockHolders {
    let place = try OutputPath(path, calls: FileBackend.calls)
    let holders = LockHolders.of(realm: path)
    if case .processes(let processes) = holders, !processes.isEmpty { return holders }
    for name in place.links {
      try LockFile.check(SideFileName.lockFile(of: name), of: place.target, calls: FileBackend.calls)
    }
    return holders
  }

  /// Checks whether this user may use or create the lock file, and the folder next to it, as an app does that opens the
  /// realm for writing. Nothing is locked or created.
  ///
  /// - Throws: `AccessError.systemCall`; `OutputError` if the path cannot be followed.
  package static func requireWritableLockFiles(ofRealm path: String) throws {
    for name in try OutputPath(path, calls: FileBackend.calls).links {
      try LockFile.requireWritable(SideFileName.lockFile(of: name), calls: FileBackend.calls)
      let management = name + ".management"
      guard !SafeOutput.isNameTaken(management) else { continue }
      do throws(SystemCallError) {
        try LockFile.requireWritable(folderOf: management, calls: FileBackend.calls)
      } catch {
        throw AccessError.systemCall(path: management, name: "mkdir", errorNumber: error.number)
      }
    }
  }

  /// The realm has been changed: lock files that were created for that stay when the lock is released.
  package func keepLockFiles() { keepsLockFiles = true }

  /// Removes what a compaction by an engine left when it was killed. Nobody can be writing it while the lock is held.
  package func removeCompactionLeftovers() {
    for name in names { try? calls.unlink(name + ".tmp_compaction_space") }
  }

  /// Releases the lock. `deinit` does so as well.
  package func release() {
    for file in lockFiles { file.release(stays: keepsLockFiles) }
    lockFiles = []
  }

  private func takeLocks() throws -> Bool {
    do {
      for name in names {
        guard let file = try LockFile.take(SideFileName.lockFile(of: name), of: realm, calls: calls) else {
          release()
          return false
        }
        lockFiles.append(file)
      }
      return true
    } catch {
      release()
      throw error
    }
  }
}
