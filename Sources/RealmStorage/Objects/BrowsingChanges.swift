/// What became of a file after it was opened.
public enum FileChange: Hashable, Sendable {
  /// There is a new state in it. What was read before may be overwritten from now on.
  case committed
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
  /// Costs two calls to the operating system.
  ///
  /// - Parameter head: what `rereadHeader` gave before the snapshot was made.
  public func change(since head: [UInt8]) -> FileChange? {
    guard case .path(let path) = source else { return nil }
    do {
      guard try rereadHeader() == head else { return .committed }
    } catch let error as StorageError {
      return .unreadable(error)
    } catch {
      return .unreadable(.corrupted(.null, .beyondEndOfFile))
    }
    guard let status = try? FileBackend.calls.status(ofPath: path) else { return .removed }
    return status.identity == identity ? nil : .replaced
  }
}
