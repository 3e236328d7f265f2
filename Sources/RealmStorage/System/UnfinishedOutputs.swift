import CSystem

/// The temporary files of this process that are not complete yet, for a handler of signals to remove.
///
/// ```swift
/// signal(SIGINT, UnfinishedOutputs.signalHandler)
/// ```
package enum UnfinishedOutputs {
  /// One temporary file or folder.
  struct Entry: @unchecked Sendable {
    /// Nil when memory was short; a signal then leaves the file behind, and the next run cleans it away.
    fileprivate let entry: UnsafeMutableRawPointer?
  }

  /// Registers a path before anything is made there: a signal may come right after.
  static func add(_ path: String, isFolder: Bool = false) -> Entry {
    Entry(entry: path.withSystemPath { csystem_unfinished_add($0.pointer, isFolder) })
  }

  /// The file is complete or gone.
  static func forget(_ entry: Entry) { csystem_unfinished_forget(entry.entry) }

  /// Runs `body` while no signal ends the process. For the few calls that change names, or make a commit the live state,
  /// so that a run is either interrupted before them or done.
  package static func publishing<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    csystem_publishing_begin()
    defer { csystem_publishing_end() }
    return try body()
  }

  /// Makes a temporary file and registers it, in one step for a signal: what was there before must not be taken for this
  /// process's own. A signal that comes meanwhile ends the process afterwards.
  static func creating<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    csystem_publishing_begin()
    defer { csystem_creating_end() }
    return try body()
  }

  /// Removes what is unfinished, the newest first, so that a folder is empty by its turn. Safe in a signal handler.
  package static func removeAll() { csystem_unfinished_remove_all() }

  /// What `signalHandler` writes to standard error at the end, such as what takes a progress line away.
  package static func setLastWords(_ text: StaticString?) {
    guard let text else { return csystem_set_last_words(nil) }
    text.withUTF8Buffer { bytes in
      // Static strings end with a zero byte and stay where they are.
      bytes.withMemoryRebound(to: CChar.self) { csystem_set_last_words($0.baseAddress) }
    }
  }

  /// Removes what is unfinished, the newest first, and ends the process with status 128 + the signal's number. Without
  /// effect while an output gets its name: the run is as good as done then, and says so itself.
  package static let signalHandler: @convention(c) (Int32) -> Void = { csystem_end_on_signal($0) }
}
