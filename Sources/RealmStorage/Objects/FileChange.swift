/// What became of a file after it was opened.
package enum FileChange: Hashable, Sendable {
  /// There is a new state in it. What was read before may be overwritten from now on.
  case committed
  /// It is shorter than it was: another file is being copied over it, or it was cut off.
  case shortened
  /// Something was written to it, and its head is the same: what was read and what will be read may not fit together.
  case written
  /// The path leads to another file; the one that was opened is still as it was.
  case replaced
  /// The path leads nowhere; the file that was opened is still as it was.
  case removed
  /// The head of the file cannot be read any more.
  case unreadable(StorageError)
}

extension OpenedBytes {
  /// What became of the file since its head was `head`; nil where nothing did. Standard input never changes.
  ///
  /// Costs three calls to the operating system. The answer may be another one each time: a file that is copied over is
  /// first shorter and then has another head, and one that was moved away may come back.
  ///
  /// - Parameter head: what `rereadHeader` gave before the snapshot was made.
  package func change(since head: [UInt8]) -> FileChange? {
    guard case .path(let path) = source else { return nil }
    guard let named = try? FileBackend.calls.status(ofPath: path) else { return .removed }
    guard named.identity == identity else { return .replaced }
    guard named.size >= physicalSize else { return .shortened }
    do {
      guard try rereadHeader() == head else { return .committed }
    } catch let error as StorageError {
      return .unreadable(error)
    } catch {
      return .unreadable(.corrupted(.null, .beyondEndOfFile))
    }
    return named.modified == modified ? nil : .written
  }
}
