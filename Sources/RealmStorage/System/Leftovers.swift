/// What killed runs left beside an output.
enum Leftovers {
  /// Removes temporary files and folders that nobody is writing any more.
  ///
  /// A run that writes holds an exclusive lock on its temporary file or folder, which ends with the process however it ends, so
  /// a file that can be locked is a leftover. Where the file system has no locks, the number of the process decides.
  /// What cannot be removed stays: a leftover is no reason not to write. So does what belongs to another user, whatever its
  /// name.
  ///
  /// The folder is held while that goes on: whoever puts another in its place meanwhile loses nothing in it.
  static func remove(beside path: OutputPath, calls: any OutputCalls) {
    guard let folder = try? calls.opened(path.folder, .folder) else { return }
    defer { calls.close(folder) }
    for name in (try? calls.names(in: folder)) ?? [] {
      guard let process = path.process(ofTemporary: name) else { continue }
      remove(name, in: folder, of: process, calls)
    }
  }

  /// Whether a folder has names as temporary files have them, or cannot be looked through.
  static func areExpected(in path: String, calls: any OutputCalls) -> Bool {
    guard let folder = try? calls.opened(path, .folder) else { return true }
    defer { calls.close(folder) }
    return (try? calls.names(in: folder))?.contains(where: OutputPath.isTemporary) ?? true
  }

  private static func remove(_ name: String, in folder: Int32, of process: Int32, _ calls: any OutputCalls) {
    let opened = (try? calls.opened(name, in: folder, .existing)) ?? (try? calls.opened(name, in: folder, .folder))
    guard let descriptor = opened else { return }
    defer { calls.close(descriptor) }
    guard isOwn(descriptor, calls) else { return }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
    } catch {
      guard !error.wouldBlock, !calls.isRunning(process: process) else { return }
    }
    // Between opening and locking, the writer may have given the file its name, and the temporary name may be another
    // file's by now.
    guard isNamed(name, in: folder, descriptor, calls) else { return }
    if (try? calls.status(of: descriptor))?.kind == .directory {
      empty(descriptor, calls)
      try? calls.removeFolder(name, in: folder)
    } else {
      try? calls.unlink(name, in: folder)
    }
  }

  /// Removes a folder of files that this process has made and holds. Folders in it, which no run makes, keep it.
  ///
  /// - Parameter descriptor: of the folder.
  static func removeFolder(_ path: String, _ descriptor: Int32, _ calls: any OutputCalls) {
    empty(descriptor, calls)
    let (parent, name) = OutputPath.split(path)
    guard let folder = try? calls.opened(parent.isEmpty ? "." : parent, .folder) else { return }
    defer { calls.close(folder) }
    guard isNamed(name, in: folder, descriptor, calls) else { return }
    try? calls.removeFolder(name, in: folder)
  }

  private static func empty(_ folder: Int32, _ calls: any OutputCalls) {
    for name in (try? calls.names(in: folder)) ?? [] { try? calls.unlink(name, in: folder) }
  }

  private static func isOwn(_ descriptor: Int32, _ calls: any OutputCalls) -> Bool {
    (try? calls.access(of: descriptor))?.owner == calls.userID
  }

  private static func isNamed(_ name: String, in folder: Int32, _ descriptor: Int32, _ calls: any OutputCalls) -> Bool {
    guard let identity = (try? calls.status(of: descriptor))?.identity else { return false }
    return (try? calls.kind(ofName: name, in: folder)) == .file(identity)
  }
}
