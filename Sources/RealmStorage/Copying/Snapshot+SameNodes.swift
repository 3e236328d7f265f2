extension Snapshot {
  /// Whether another file holds the same nodes at the same places: the same state, also where one file has been written
  /// to by a transaction that came to nothing.
  ///
  /// Memory grows with the number of refs that are still to be followed.
  ///
  /// - Throws: `StorageError` where a node cannot be read, or comes more often than once.
  package func hasSameNodes(as other: Snapshot) throws -> Bool {
    guard header.topRef == other.header.topRef, header.format == other.header.format, version == other.version else {
      return false
    }
    guard !header.topRef.isNull else { return true }
    var refs = [header.topRef]
    // In a sound file no two nodes overlap.
    var budget = byteCount
    while let ref = refs.popLast() {
      let (node, twin) = (try Node(ref, in: store), try Node(ref, in: other.store))
      guard node.byteSize <= budget else { throw StorageError.corrupted(ref, .valueOutOfRange("ref")) }
      budget -= node.byteSize
      guard node.flags == twin.flags, node.count == twin.count, node.bytes.elementsEqual(twin.bytes) else {
        return false
      }
      if node.hasRefs { node.forEachRef { refs.append($0) } }
    }
    return true
  }
}
