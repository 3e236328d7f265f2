extension Snapshot {
  /// Whether another file holds the same nodes at the same places: the same state, also where one file has been written
  /// to by a transaction that came to nothing.
  ///
  /// - Throws: `StorageError` where a node cannot be read, or comes more often than once.
  package func hasSameNodes(as other: Snapshot) throws -> Bool {
    guard header.topRef == other.header.topRef, header.format == other.header.format, version == other.version else {
      return false
    }
    guard !header.topRef.isNull else { return true }
    // In a sound file no two nodes overlap.
    var budget = byteCount
    func evictPages() throws {
      try releasePages()
      try other.releasePages()
    }
    return try NodePath.accepts(header.topRef, in: store, evictPages: evictPages) { ref in
      let (node, twin) = (try Node(ref, in: store), try Node(ref, in: other.store))
      guard node.byteSize <= budget else { throw StorageError.corrupted(ref, .valueOutOfRange("ref")) }
      budget -= node.byteSize
      return node.flags == twin.flags && node.count == twin.count && node.bytes.elementsEqual(twin.bytes) ? node : nil
    }
  }
}
