/// What happened to a file after it was opened.
package enum FileChange: Hashable, Sendable {
  /// It has a new state. Anything read before may be overwritten from now on.
  case committed
  /// It is shorter than it was: another file is being copied over it, or it was cut off.
  case shortened
  /// Something was written to it, but its head is the same: parts read before and after may not fit together.
  case written
  /// The path is now that of another file; the one that was opened is unchanged.
  case replaced
  /// The path no longer exists; the file that was opened is unchanged.
  case removed
  /// The head of the file can no longer be read.
  case unreadable(StorageError)
}

extension OpenedBytes {
  /// What happened to the file since its head was `head`; nil if nothing did. Standard input never changes.
  ///
  /// Costs a few system calls. The answer may differ each time: a file that is copied over is first shorter and then
  /// has another head, and one that was moved away may come back.
  ///
  /// - Parameter head: the result of `currentState` from before the snapshot was made.
  package func change(since head: [UInt8]) -> FileChange? {
    guard case .path(let path) = source else { return nil }
    guard let named = try? FileBackend.calls.status(ofPath: path) else { return .removed }
    guard named.identity == identity else { return .replaced }
    guard named.size >= physicalSize else { return .shortened }
    do {
      guard try currentState() == head else { return .committed }
    } catch let error as StorageError {
      return .unreadable(error)
    } catch {
      return .unreadable(.corrupted(.null, .beyondEndOfFile))
    }
    return named.modified == modified ? nil : .written
  }
}
