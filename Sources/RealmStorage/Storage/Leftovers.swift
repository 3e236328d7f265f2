/// What killed runs left beside an output.
enum Leftovers {
  /// Removes temporary files and folders that nobody is writing any more.
  ///
  /// A run that writes holds an exclusive lock on its temporary file or folder, which ends with the process however it ends, so
  /// a file that can be locked is a leftover. Where the file system has no locks, the number of the process decides.
  /// What cannot be removed stays: a leftover is no reason not to write.
  static func remove(beside path: OutputPath, calls: any OutputCalls) {
    guard let names = try? calls.names(inFolder: path.folder) else { return }
    for name in names {
      guard let process = path.process(ofTemporary: name) else { continue }
      remove(OutputPath.split(path.target).folder + name, of: process, calls)
    }
  }

  private static func remove(_ file: String, of process: Int32, _ calls: any OutputCalls) {
    guard let descriptor = (try? calls.opened(file, .existing)) ?? (try? calls.opened(file, .folder)) else { return }
    defer { calls.close(descriptor) }
    do throws(SystemCallError) {
      try calls.uninterrupted { () throws(SystemCallError) in try calls.lock(descriptor) }
      // Between opening and locking, the writer may have given the file its name, and the temporary name may be another
      // file's by now.
      guard try calls.kind(ofName: file) == .file(calls.status(of: descriptor).identity) else { return }
    } catch {
      guard !error.wouldBlock, error.problem != .missing, !calls.isRunning(process: process) else { return }
    }
    if (try? calls.status(of: descriptor))?.kind == .directory {
      removeFolder(file, calls)
    } else {
      try? calls.unlink(file)
    }
  }

  /// Removes a folder of files. Folders in it, which no run makes, keep it.
  static func removeFolder(_ path: String, _ calls: any OutputCalls) {
    for name in (try? calls.names(inFolder: path)) ?? [] { try? calls.unlink(path + "/" + name) }
    try? calls.removeFolder(path)
  }
}
