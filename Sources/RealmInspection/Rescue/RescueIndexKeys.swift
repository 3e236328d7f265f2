import RealmStorage

/// The objects that a search index lists: each object of a table is in an index of single values once, so that what a
/// whole index lists is what there was.
enum RescueIndexKeys {
  private static let mostKeys = 1 << 22

  /// The keys of the objects of the live snapshot; nil if no index of it is whole.
  static func keys(of table: RescuedTable, in bytes: RescueBytes) -> Set<Int64>? {
    guard table.confidence == .current else { return nil }
    for column in table.columns where column.collection == nil && column.index != .fullText {
      guard let root = table.top?.indexRoot(at: column.leafIndex), let keys = keys(below: root, in: bytes) else {
        continue
      }
      return keys
    }
    return nil
  }

  private static func keys(below root: Ref, in bytes: RescueBytes) -> Set<Int64>? {
    var pending = [(ref: root, depth: 0)]
    var visited: Set<Ref> = []
    var keys: Set<Int64> = []
    while let (ref, depth) = pending.popLast() {
      bytes.letGoOfPages()
      guard depth < IndexNode.mostLevels, keys.count < mostKeys, visited.insert(ref).inserted,
        bytes.wholeNode(ref) != nil, let node = try? IndexNode(ref, in: bytes.store), bytes.isWhole(node.keys)
      else { return nil }
      for index in 0..<node.count {
        let element = node.element(at: index)
        if element.isTagged, !node.isInner {
          guard keys.insert(Int64(bitPattern: element.tagged)).inserted else { return nil }
          continue
        }
        guard let child = element.child, let below = bytes.wholeNode(child) else { return nil }
        if node.isInner || below.context {
          pending.append((child, depth + 1))
        } else {
          guard add(child, to: &keys, bytes) else { return nil }
        }
      }
    }
    return keys
  }

  /// - Returns: whether all keys of a list could be read, and none was there before.
  private static func add(_ list: Ref, to keys: inout Set<Int64>, _ bytes: RescueBytes) -> Bool {
    let tree = BPlusTree(root: list, element: .objectKey)
    guard bytes.other == nil || bytes.wholeNode(list)?.isInner == false,
      let count = try? tree.count(in: bytes.store), count <= mostKeys
    else { return false }
    var isNew = true
    do {
      try tree.forEachKey(in: bytes.store, budget: .bytes(of: bytes.store)) {
        if !keys.insert($0).inserted { isNew = false }
      }
    } catch { return false }
    return isNew
  }
}
