/// Removes a realm with the files next to it, as the SDKs' `deleteFiles` does.
package struct RealmRemoval {
  /// A file or folder that belongs to a realm.
  package struct Part: Hashable, Sendable {
    package let path: String
    /// Nil for the realm itself.
    package let kind: SideFile?
  }

  private let path: String
  private let calls: any OutputCalls
  /// The realm first.
  package let parts: [Part]

  /// Finds what belongs to a realm. A symbolic link is removed itself, and its target stays.
  ///
  /// - Parameter includesBackups: whether backups next to it are included.
  /// - Throws: `OutputError` if the folder cannot be read.
  package init(of path: String, includesBackups: Bool) throws(OutputError) {
    (self.path, calls) = (path, FileBackend.calls)
    parts = [Part(path: path, kind: nil)] + (try Self.sideFiles(of: path, includesBackups, calls))
  }

  private static func sideFiles(
    of path: String, _ includesBackups: Bool, _ calls: any OutputCalls
  ) throws(OutputError) -> [Part] {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(decoding: path.utf8[...$0], as: UTF8.self) } ?? ""
    do throws(SystemCallError) {
      let list = try calls.opened(folder.isEmpty ? "." : folder, .folder)
      defer { calls.close(list) }
      return try calls.names(in: list).sorted().compactMap { name in
        guard let side = SideFileName(path: folder + name), side.realm == path,
          side.kind != .backup || includesBackups
        else { return nil }
        return Part(path: folder + name, kind: side.kind)
      }
    } catch {
      throw OutputError.systemCall(path: folder.isEmpty ? "." : folder, name: error.name, errorNumber: error.number)
    }
  }

  /// Removes everything while nobody has the realm open. The realm goes first: what is left after a power cut belongs to
  /// no realm.
  ///
  /// - Throws: `AccessError` if a process has it open; `OutputError` if something cannot be removed.
  package func remove(waitingMilliseconds: UInt64) throws {
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds)
    defer { access.release() }
    try UnfinishedOutputs.publishing {
      for part in parts {
        do throws(SystemCallError) {
          try remove(part)
        } catch {
          throw OutputError.systemCall(path: part.path, name: error.name, errorNumber: error.number)
        }
      }
    }
  }

  /// Finds out whether nobody has the realm open.
  ///
  /// - Throws: `AccessError` if a process has; `OutputError`.
  package func requireUnused(waitingMilliseconds: UInt64) throws {
    try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds).release()
  }

  private func remove(_ part: Part) throws(SystemCallError) {
    guard part.kind == .management else { return try unlink(part.path) }
    let folder = try calls.opened(part.path, .folder)
    defer { calls.close(folder) }
    // What engines put there: files and pipes, no folders.
    for name in try calls.names(in: folder) { try calls.unlink(name, in: folder) }
    try calls.removeFolder(part.path)
  }

  private func unlink(_ path: String) throws(SystemCallError) {
    do throws(SystemCallError) { try calls.unlink(path) } catch {
      // Another process was faster.
      guard error.problem == .missing else { throw error }
    }
  }
}
