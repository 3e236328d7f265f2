import RealmInspection
import RealmStorage

/// How the bytes of a realm are used.
public struct SpaceUse: Hashable, Sendable {
  /// All bytes that nodes and free space account for.
  public var total: UInt64
  /// What a compaction could give back, including space kept for other live versions.
  public var free: UInt64
  /// Bytes in use.
  public var used: UInt64 { total - min(free, total) }

  /// Bytes of a file, and how many of them are free.
  public init(total: UInt64, free: UInt64) {
    (self.total, self.free) = (total, free)
  }

  /// What an app is asked with when it opens the realm.
  ///
  /// - Throws: `StorageError.corrupted` if the free list or the history is damaged.
  package init(of snapshot: Snapshot) throws {
    let space = try snapshot.spaceWhenOpened()
    self.init(total: space.total, free: space.free)
  }
}
