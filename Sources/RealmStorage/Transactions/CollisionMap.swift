/// The map of key collisions (Docs/Format/3-tables-and-objects.md §4.6).
///
/// Only engines of formats below 22 and synchronized files add to it: keys of new objects are numbers in a row, so that
/// none of them collides. An entry goes with its object.
extension TableEditor {
  /// - Returns: the map without entries of objects that are gone; null where none is left.
  func writeCollisionMap(_ stored: Ref) throws -> Ref {
    guard hasRemovedObjects, !stored.isNull else { return stored }
    let map = try Node(stored, in: store)
    let lists = try (0..<Self.collisionLists).map { try integers(map.childRef($0)) }
    // Lists of different lengths are damaged, and no business of a transaction.
    guard let keys = lists.last, lists.allSatisfy({ $0.count == keys.count }) else { return stored }
    let kept = try keys.indices.filter { try exists(ObjectKey(rawValue: keys[$0])) }
    guard kept.count < keys.count else { return stored }
    try output.releaseTree(stored)
    guard !kept.isEmpty else { return .null }
    return try nodes.refs(lists.map { list in try nodes.integers(kept.map { list[$0] }) })
  }

  /// Low words, high words, keys.
  private static let collisionLists = 3

  private func integers(_ ref: Ref) throws -> [Int64] {
    let node = try Node(ref, in: store)
    return try (0..<node.count).map { try node.int($0) }
  }

  /// Keys of placeholders are in the map as those of objects.
  private func exists(_ key: ObjectKey) throws -> Bool {
    if try objects.find(key) != nil { return true }
    return try tombstones.find(ObjectKey(rawValue: -2 &- key.rawValue)) != nil
  }
}
