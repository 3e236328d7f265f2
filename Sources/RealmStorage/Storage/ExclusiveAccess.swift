/// Why a realm could not be had for oneself.
public enum AccessError: Error, Hashable, Sendable {
  /// Somebody has it open. `path` is the realm.
  case inUse(path: String, holders: LockHolders)
  /// The lock file cannot be made, opened or locked; `path` is the lock file.
  case systemCall(path: String, name: String, errorNumber: Int32)
}

/// Exclusive use of a realm, for as long as this object lives (Docs/Format/5-coordination.md §10.2).
///
/// Whoever has a realm open, except read-only, holds a shared lock on the file beside it, so the exclusive lock can be
/// had exactly when nobody has. A stale lock file is no obstacle: its content means nothing without a lock. It is
/// emptied at once, because apps that come while the lock is held wait for it, and must not find the content of a session
/// that is over when they get it.
///
/// A lock file that did not exist is left behind, empty. Removing it is not safe: an app may be waiting for its lock; it
/// would get it, for a file that has no name any more, while the next app makes a new one, and both would take
/// themselves for the first.
public final class ExclusiveAccess: @unchecked Sendable {
  private let calls: any OutputCalls
  private let names: [String]
  private var descriptors: [Int32] = []

  /// How often a realm in use is asked for again.
  private static let pauseMilliseconds: UInt32 = 50

  /// Takes the lock.
  ///
  /// A realm whose path is a symbolic link is locked under each of its names, because apps name the lock file after
  /// the path they were given.
  ///
  /// - Parameters:
  ///   - path: of the realm.
  ///   - waitingMilliseconds: how long to wait for a realm that is in use.
  /// - Throws: `AccessError`; `OutputError` where the path cannot be followed.
  public convenience init(toRealm path: String, waitingMilliseconds: UInt64 = 0) throws {
    try self.init(toRealm: path, waitingMilliseconds: waitingMilliseconds, calls: FileBackend.calls)
  }

  init(toRealm path: String, waitingMilliseconds: UInt64 = 0, calls: any OutputCalls) throws {
    self.calls = calls
    names = try OutputPath(path, calls: calls).links
    let start = calls.milliseconds()
    while true {
      if try takeLocks(of: names) { return }
      guard calls.milliseconds() &- start < waitingMilliseconds else {
        throw AccessError.inUse(path: path, holders: Self.holders(of: names))
      }
      calls.pause(milliseconds: Self.pauseMilliseconds)
    }
  }

  deinit { release() }

  /// Who has a realm open, without anything being locked or made: under any of its names, as `init` locks them.
  ///
  /// - Throws: `OutputError` where the path cannot be followed.
  public static func holders(ofRealm path: String) throws -> LockHolders {
    holders(of: try OutputPath(path, calls: FileBackend.calls).links)
  }

  /// Removes what a compaction by an engine left when it was killed. Nobody can be writing it while the lock is held.
  public func removeCompactionLeftovers() {
    for name in names { try? calls.unlink(name + ".tmp_compaction_space") }
  }

  /// Lets others in. Done by `deinit` as well.
  public func release() {
    for descriptor in descriptors {
      // A child process that was started meanwhile has the descriptor too, until it runs its program.
      calls.unlock(descriptor)
      calls.close(descriptor)
    }
    descriptors = []
  }

  private func takeLocks(of names: [String]) throws(AccessError) -> Bool {
    for name in names {
      guard try takeLock(name + ".lock") else {
        release()
        return false
      }
    }
    return true
  }

  private func takeLock(_ path: String) throws(AccessError) -> Bool {
    do throws(SystemCallError) {
      while true {
        let descriptor = try calls.opened(path, .openOrCreate(mode: 0o644))
        descriptors.append(descriptor)
        do throws(SystemCallError) {
          try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
        } catch {
          guard error.wouldBlock else { throw error }
          return false
        }
        if try isNamed(path, descriptor) {
          if try calls.status(of: descriptor).size == 0 { giveToOwner(descriptor) }
          try calls.uninterrupted { () throws(SystemCallError) in try calls.truncate(descriptor, to: 0) }
          return true
        }
        // Somebody removed the file between opening and locking: what is locked is not what others will lock.
        calls.close(descriptors.removeLast())
      }
    } catch {
      release()
      throw .systemCall(path: path, name: error.name, errorNumber: error.number)
    }
  }

  private func isNamed(_ path: String, _ descriptor: Int32) throws(SystemCallError) -> Bool {
    do throws(SystemCallError) {
      return try calls.status(ofPath: path).identity == calls.status(of: descriptor).identity
    } catch {
      guard error.problem == .missing else { throw error }
      return false
    }
  }

  /// Gives a lock file that no app has used yet to the realm's owner: an app that runs as that user could not open one
  /// that belongs to the administrator.
  private func giveToOwner(_ descriptor: Int32) {
    guard let realm = names.last, let realm = try? calls.opened(realm, .reading) else { return }
    defer { calls.close(realm) }
    guard let owner = try? calls.access(of: realm), let own = try? calls.access(of: descriptor),
      (owner.owner, owner.group) != (own.owner, own.group)
    else { return }
    try? calls.setOwner(of: descriptor, owner: owner.owner, group: owner.group)
  }

  private static func holders(of names: [String]) -> LockHolders {
    for name in names {
      guard case .processes(let holders) = LockHolders.of(realm: name) else { return .unknown }
      if !holders.isEmpty { return .processes(holders) }
    }
    return .processes([])
  }
}
