import Libc
import RealmSystem

/// Removes a realm with the files next to it, as the SDKs' `deleteFiles` does, but of what is there only what engines and
/// this program make: something else of such a name stays.
///
/// The folder of the realm and its management folder are opened once, and everything is named in them, so that it does
/// not matter what becomes of the paths meanwhile. Links are removed themselves, never followed.
package final class RealmRemoval {
  /// A file, link or folder that belongs to a realm.
  private struct Part {
    let path: String
    let name: String
    /// The open folder that it is in.
    let folder: Int32
    let status: FileStatus
  }

  /// What has the name of a part, or is in the management folder, and is not an engine's.
  package struct Stranger: Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
      case notAPipe, notAFile, notAFolder
      /// A folder with this many things that no engine puts there.
      case holdsOthers(Int)
    }

    package let path: String
    package let problem: Problem
  }

  private let path: String
  private let calls: any OutputCalls
  /// Of the realm's folder, empty for the current one.
  private let folderPath: String
  private var descriptors: [Int32] = []
  private var parts: [Part] = []
  /// What stays.
  package private(set) var strangers: [Stranger] = []
  /// Paths that were removed, in order.
  package private(set) var removed: [String] = []

  /// What is to be removed, in order: the realm goes after everything that belongs to it, and then the lock file, which
  /// keeps apps away from the realm as long as it is there.
  package var paths: [String] { parts.map(\.path) }

  /// Finds what belongs to a realm, and checks whether it can be removed.
  ///
  /// - Parameters:
  ///   - identity: of the file that was read as the realm.
  ///   - includesBackups: whether backups next to it are included.
  /// - Throws: `OutputError` if the folders cannot be read or changed, or if another file has the realm's name by now.
  package init(of path: String, read identity: FileIdentity?, includesBackups: Bool) throws(OutputError) {
    (self.path, calls) = (path, FileBackend.calls)
    let (folderPath, name) = SystemText.split(path)
    self.folderPath = folderPath
    let folder = try open(folderPath.isEmpty ? "." : folderPath)
    let realm = try part(name, in: folder, folderPath)
    guard let realm, realm.status.kind == .symbolicLink || realm.status.identity == identity else {
      throw .changedMeanwhile(path: path)
    }
    var lockFile: [Part] = []
    for name in try names(in: folder, folderPath) {
      // By bytes: as texts, names that differ are equal if they look the same.
      guard let side = SideFileName(path: folderPath + name), side.realm.utf8.elementsEqual(path.utf8),
        side.kind != .backup || includesBackups, let part = try part(name, in: folder, folderPath)
      else { continue }
      if let problem = Self.problem(of: part.status.kind, as: side.kind) {
        strangers.append(Stranger(path: part.path, problem: problem))
      } else if side.kind == .lock {
        lockFile = [part]
      } else if side.kind == .management, part.status.kind == .directory {
        try addManagement(part)
      } else {
        parts.append(part)
      }
    }
    parts += [realm] + lockFile
    try requireRemovable(parts.filter { $0.folder == folder }, in: folder, folderPath)
  }

  deinit { descriptors.forEach(calls.close) }

  /// Finds out whether nobody has the realm open.
  ///
  /// - Throws: `AccessError` if a process has; `OutputError`.
  package func requireUnused(waitingMilliseconds: UInt64) throws {
    try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds).release()
  }

  /// Removes everything while nobody has the realm open. `removed` tells what is gone if that fails.
  ///
  /// - Throws: `AccessError` if a process has it open; `OutputError` if something is no longer what was found, or cannot
  ///   be removed.
  package func remove(waitingMilliseconds: UInt64) throws {
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    defer { access.release() }
    try requireUnchanged()
    try UnfinishedOutputs.publishing { () throws(OutputError) in
      for part in parts {
        do throws(SystemCallError) {
          if part.status.kind == .directory {
            try calls.removeFolder(part.name, in: part.folder)
          } else {
            try calls.unlink(part.name, in: part.folder)
          }
          removed.append(part.path)
        } catch {
          // Another process was faster.
          guard error.problem == .missing else { throw OutputError(part.path, error) }
        }
      }
    }
  }

  // MARK: Looking

  /// What an engine puts under such a name is of one kind (Docs/Format/1-container.md §8): a named pipe for
  /// notifications, which it refuses to replace, a management folder, otherwise files. Links to it are removed as well.
  private static func problem(of kind: FileStatus.Kind, as side: SideFile) -> Stranger.Problem? {
    if kind == .symbolicLink { return nil }
    switch side {
    case .note: return kind == .special(.pipe) ? nil : .notAPipe
    case .management: return kind == .directory ? nil : .notAFolder
    case .lock, .log, .compactionLeftover, .backup: return kind == .regular ? nil : .notAFile
    }
  }

  /// The mutexes, condition variables and lock of an engine (Docs/Format/5-coordination.md §1).
  private static func isEngineName(_ name: String) -> Bool {
    name == "lock.fifo" || name.hasPrefix("access_control.") && (name.hasSuffix(".mx") || name.hasSuffix(".cv"))
  }

  private func addManagement(_ management: Part) throws(OutputError) {
    let (folder, isSame): (Int32, Bool)
    do throws(SystemCallError) {
      folder = try calls.opened(management.name, in: management.folder, .folder)
      descriptors.append(folder)
      isSame = try calls.status(of: folder).identity == management.status.identity
    } catch { throw OutputError(management.path, error) }
    guard isSame else { throw .changedMeanwhile(path: management.path) }
    let path = management.path + "/"
    var (own, others): ([Part], Int) = ([], 0)
    for name in try names(in: folder, path) {
      guard let part = try part(name, in: folder, path) else { continue }
      if Self.isEngineName(name), part.status.kind != .directory { own.append(part) } else { others += 1 }
    }
    if !own.isEmpty { try requireRemovable(own, in: folder, path) }
    parts += own
    if others == 0 {
      parts.append(management)
    } else {
      strangers.append(Stranger(path: management.path, problem: .holdsOthers(others)))
    }
  }

  private func open(_ path: String) throws(OutputError) -> Int32 {
    do throws(SystemCallError) {
      let descriptor = try calls.opened(path, .folder)
      descriptors.append(descriptor)
      return descriptor
    } catch { throw OutputError(path, error) }
  }

  private func names(in folder: Int32, _ path: String) throws(OutputError) -> [String] {
    do throws(SystemCallError) { return try calls.names(in: folder).sorted() } catch { throw OutputError(path, error) }
  }

  /// - Returns: nil if nothing has that name.
  private func part(_ name: String, in folder: Int32, _ folderPath: String) throws(OutputError) -> Part? {
    do throws(SystemCallError) {
      let status = try calls.status(ofName: name, in: folder)
      return Part(path: folderPath + name, name: name, folder: folder, status: status)
    } catch {
      guard error.problem == .missing else { throw OutputError(folderPath + name, error) }
      return nil
    }
  }

  /// Whether this user may remove names from a folder: in one like `/tmp`, only their owners and its own may.
  private func requireRemovable(_ parts: [Part], in folder: Int32, _ path: String) throws(OutputError) {
    do throws(SystemCallError) {
      try calls.requireWritable(folder)
      let status = try calls.status(of: folder)
      guard status.mode & 0o1000 != 0, ![0, status.owner].contains(calls.userID) else { return }
      guard parts.allSatisfy({ $0.status.owner == calls.userID }) else {
        throw SystemCallError(name: "access", number: EPERM)
      }
    } catch { throw OutputError(path.isEmpty ? "." : path, error) }
  }

  /// Looks again under the lock, which was taken by the path.
  ///
  /// - Throws: `changedMeanwhile`.
  private func requireUnchanged() throws(OutputError) {
    let isSameFolder: Bool
    do throws(SystemCallError) {
      let named = try calls.status(ofPath: folderPath.isEmpty ? "." : folderPath).identity
      isSameFolder =
        try descriptors.first.map { (held) throws(SystemCallError) in
          try calls.status(of: held).identity == named
        } ?? false
    } catch { throw OutputError(path, error) }
    guard isSameFolder else { throw .changedMeanwhile(path: path) }
    for old in parts {
      let new = try part(old.name, in: old.folder, "")
      // What belongs to the realm may be gone already.
      if new == nil, old.path != path { continue }
      guard new?.status.identity == old.status.identity, new?.status.kind == old.status.kind else {
        throw .changedMeanwhile(path: old.path)
      }
    }
  }
}
