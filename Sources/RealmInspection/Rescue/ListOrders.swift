import RealmStorage

/// Finds lists of links that nothing refers to any longer by the objects they link to.
///
/// The other ends of links show what a list links to, but not in which order, which only the list itself has. A list
/// with exactly these links is the list, or an older version of it, unless another list has the same links in another
/// order.
struct ListOrders {
  /// By the hash of the links; null if several lists have the same.
  private var lists: [Int: Ref] = [:]
  private let bytes: RescueBytes

  private static let mostLists = 1 << 20
  private static let mostElements = 256

  /// - Parameter space: what is known to belong to something else.
  init(_ bytes: RescueBytes, _ space: RescueSpace) {
    self.bytes = bytes
    let size = UInt64(bytes.byteCount)
    var offset = UInt64(RawHeader.size)
    while offset + UInt64(Node.headerSize) <= size, lists.count < Self.mostLists {
      if offset & UInt64(PageCache.pageSize - 1) == 0 { bytes.letGoOfPages() }
      defer { offset += 8 }
      guard let word = try? bytes.store.bytes(at: offset, length: Node.headerSize).loadUnaligned(as: UInt64.self),
        NodeHeader.isSignature(UInt32(truncatingIfNeeded: UInt64(littleEndian: word)).littleEndian)
      else { continue }
      let header = NodeHeader(UInt64(littleEndian: word))
      guard header.flags & 0xf8 == 0, (2...Self.mostElements).contains(header.count), !space.isTaken(offset),
        let list = list(at: Ref(offset))
      else { continue }
      let hash = list.sorted().hashValue
      guard let known = lists[hash] else {
        lists[hash] = Ref(offset)
        continue
      }
      if !known.isNull, self.list(at: known) != list { lists[hash] = .null }
    }
  }

  private func list(at ref: Ref) -> [Int64]? {
    guard let node = bytes.wholeNode(ref) else { return nil }
    let list = (0..<node.count).map { node.uncheckedInt($0) }
    return list.contains { $0 < 0 } ? nil : list
  }

  /// The list with some links, which are ascending; nil if there is none, or there are several orders.
  func list(of links: [Int64]) -> [Int64]? {
    guard let ref = lists[links.hashValue], !ref.isNull, let list = list(at: ref), list.sorted() == links else {
      return nil
    }
    return list
  }
}
