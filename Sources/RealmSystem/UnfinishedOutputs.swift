import CSystem

/// The incomplete temporary files of this process, which a signal handler removes.
///
/// ```swift
/// signal(SIGINT, UnfinishedOutputs.signalHandler)
/// ```
package enum UnfinishedOutputs {
  /// One temporary file or folder.
  package struct Entry: @unchecked Sendable {
    /// Nil when memory was short; a signal then leaves the file behind, and the next run cleans it away.
    fileprivate let entry: UnsafeMutableRawPointer?
  }

  /// Registers what was made at a path, inside `creating`.
  package static func add(_ path: String, isFolder: Bool = false) -> Entry {
    Entry(entry: path.withSystemPath { csystem_unfinished_add($0.pointer, isFolder) })
  }

  /// The file is complete or gone.
  package static func forget(_ entry: Entry) { csystem_unfinished_forget(entry.entry) }

  /// Runs `body` without interruption by signals: for the few calls that change names or make a commit the live state,
  /// so that a run is either interrupted before them or complete.
  package static func publishing<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    csystem_publishing_begin()
    defer { csystem_publishing_end() }
    let result = try body()
    if !(FileBackend.calls is MemoryFiles) { record?.note() }
    return result
  }

  /// Whether something was published while this is `record`.
  package final class Record: Sendable {
    private let isNoted = AtomicFlag()

    package init() {}

    package var hasPublished: Bool { isNoted.isSet }

    fileprivate func note() { isNoted.set() }
  }

  /// Where what is published is noted.
  @TaskLocal package static var record: Record?

  /// Creates a temporary file and registers it without a signal in between: if it were registered first, another
  /// process's file might be removed. A signal that comes meanwhile ends the process afterwards.
  package static func creating<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    csystem_publishing_begin()
    defer { csystem_creating_end() }
    return try body()
  }

  /// Removes what is unfinished, the newest first, so that a folder is empty by its turn. Safe in a signal handler.
  package static func removeAll() { csystem_unfinished_remove_all() }

  /// What `signalHandler` writes to standard error at the end, such as the sequence that clears a progress line.
  package static func setLastWords(_ text: StaticString?) {
    guard let text else { return csystem_set_last_words(nil) }
    text.withUTF8Buffer { bytes in
      // Static strings end with a zero byte and stay where they are.
      bytes.withMemoryRebound(to: CChar.self) { csystem_set_last_words($0.baseAddress) }
    }
  }

  /// Removes what is unfinished, the newest first, and ends the process with status 128 + the signal's number. Does
  /// nothing while an output gets its name: the run then ends by itself, and reports its result.
  package static let signalHandler: @convention(c) (Int32) -> Void = { csystem_end_on_signal($0) }
}
