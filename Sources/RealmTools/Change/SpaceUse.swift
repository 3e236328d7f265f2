import RealmStorage

/// How the bytes of a realm are used.
public struct SpaceUse: Hashable, Sendable {
  /// All bytes that nodes and free space account for.
  public var total: UInt64
  /// What a compaction could give back; space held for other live versions included.
  public var free: UInt64
  /// Bytes in use.
  public var used: UInt64 { total - min(free, total) }

  /// Bytes of a file, and those of them that hold nothing.
  public init(total: UInt64, free: UInt64) {
    (self.total, self.free) = (total, free)
  }

  /// - Throws: `StorageError.corrupted` where the free list is damaged.
  package init(of snapshot: Snapshot) throws {
    self.init(total: snapshot.logicalSize, free: try snapshot.freeSpace().byteCount)
  }
}
