import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The temporary files of this process that are not complete yet.
///
/// A program that ends on a signal calls `removeAll()` in its handler, so that nothing half-written stays behind.
public enum UnfinishedOutputs {
  /// One temporary file or folder. Entries live as long as the process: the handler may be reading one.
  struct Entry: @unchecked Sendable {
    fileprivate let node: UnsafeMutablePointer<Node>
  }

  fileprivate struct Node {
    /// Nil when the file is complete or gone.
    var path: UnsafeMutablePointer<CChar>?
    let isFolder: Bool
    let next: UnsafeMutablePointer<Node>?
  }

  /// The newest entry. Written under `lock`; the handler reads it without.
  nonisolated(unsafe) private static var newest: UnsafeMutablePointer<Node>? = nil
  private static let lock = Mutex(())

  static func add(_ path: String, isFolder: Bool = false) -> Entry {
    let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
    lock.withLock { _ in
      node.initialize(to: Node(path: strdup(path), isFolder: isFolder, next: newest))
      newest = node
    }
    return Entry(node: node)
  }

  static func forget(_ entry: Entry) {
    entry.node.pointee.path = nil
  }

  /// Removes them all, the newest first, so that a folder is empty by its turn. Safe in a signal handler.
  public static func removeAll() {
    var next = newest
    while let node = next {
      if let path = node.pointee.path { _ = node.pointee.isFolder ? rmdir(path) : unlink(path) }
      next = node.pointee.next
    }
  }
}
