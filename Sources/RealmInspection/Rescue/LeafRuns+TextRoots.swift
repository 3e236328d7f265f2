import RealmStorage

/// Recovers roots of leaves of long texts if the texts themselves are not lost.
///
/// A copy of a realm has the texts of a leaf one after another, in the order of the objects, between the leaf of the
/// column before and their own root, which only says where each begins (Docs/Format/2-nodes-and-values.md §2.9). If all
/// groups show the order of a copy and the snapshot uses everything in between, the texts from the first to the first
/// lost byte are those of the first objects. In a column with nulls some objects have no text, so this works only if
/// there are as many texts as objects.
extension LeafRuns {
  /// What was found out about a lost root.
  struct TextRoot {
    /// Eight bytes each, by place.
    let words: [(UInt64, UInt64)]
    let texts: [Ref]
  }

  /// The roots of a table that can be determined. Only words in lost pages count.
  func textRoots(of table: RescuedTable) -> [TextRoot] {
    guard isOrdered, table.lostProperties.isEmpty, table.unresolved.isEmpty else { return [] }
    let columns = table.columns.filter {
      $0.collection == nil && $0.element.code == .string && $0.enumeration == nil
    }
    guard !columns.isEmpty else { return [] }
    var roots: [TextRoot] = []
    // In a copy the groups follow each other.
    var before: Ref?
    for place in table.places.sorted(by: { $0.ref < $1.ref }) where place.run == nil {
      bytes.letGoOfPages()
      for column in columns { if let root = root(of: column, place, before, table) { roots.append(root) } }
      before = place.ref
    }
    return roots
  }

  private func root(
    of column: Column, _ place: ClusterPlace, _ before: Ref?, _ table: RescuedTable
  ) -> TextRoot? {
    guard let cluster = place.cluster(in: bytes), cluster.count > 0, let root = cluster.leafRef(column.leafIndex),
      !isWhole(root, cluster.count), Self.isOrdered(place, table, bytes) == true,
      let first = first(before: root, cluster, before),
      !free.contains(where: { $0.overlaps(first..<root.rawValue) })
    else { return nil }
    let texts = texts(from: first, to: root, atMost: cluster.count)
    guard let last = texts.last, !column.element.isNullable || texts.count == cluster.count else { return nil }
    // The last text, which lies before the root, determines how much room the root has for each.
    let (width, least) = (Self.width(root), Self.width(last))
    guard texts.count == cluster.count || width == least else { return nil }
    return words(of: root, texts, count: cluster.count, width: least)
  }

  /// Whether the relevant part of a root can be read.
  private func isWhole(_ root: Ref, _ count: Int) -> Bool {
    !bytes.lost.overlaps(root.rawValue, length: Node.headerSize + count * MemoryLayout<UInt64>.size)
      || bytes.wholeNode(root) != nil
  }

  /// Where the texts of a leaf begin: after the leaf before it, or after the group before that.
  private func first(before root: Ref, _ cluster: RescueCluster, _ before: Ref?) -> UInt64? {
    let leaves = (0..<cluster.leafCount).compactMap { cluster.leafRef($0) }.filter { $0 < root }
    guard let last = (leaves + [cluster.keysRef, before].compactMap { $0 }).filter({ $0 < root }).max(),
      let node = bytes.wholeNode(last)
    else { return nil }
    return last.rawValue + UInt64(node.byteSize)
  }

  /// The texts one after another, up to the first that is lost.
  private func texts(from start: UInt64, to root: Ref, atMost count: Int) -> [Ref] {
    var texts: [Ref] = []
    var offset = start
    while offset < root.rawValue, texts.count < count, let node = bytes.wholeNode(Ref(offset)),
      NodeHeader.isSignature(node.signature), let text = try? node.requiringBlob().bytes,
      text.firstIndex(of: 0) == text.endIndex - 1, offset + UInt64(node.byteSize) <= root.rawValue
    {
      texts.append(Ref(offset))
      offset += UInt64(node.byteSize)
    }
    // Any remaining node is something else, as is a node that ends before one that is there.
    if texts.count == count { return offset == root.rawValue ? texts : [] }
    return offset < root.rawValue && isLost(Ref(offset)) ? texts : []
  }

  private func isLost(_ ref: Ref) -> Bool {
    if bytes.lost.overlaps(ref.rawValue, length: Node.headerSize) { return true }
    return (try? Node(ref, in: bytes.store)).map { !bytes.isWhole($0) } ?? false
  }

  /// The element width of a node with a reference to a place.
  private static func width(_ ref: Ref) -> UInt64 {
    ref.rawValue < 1 << 15 ? 16 : ref.rawValue < 1 << 31 ? 32 : 64
  }

  private func words(of root: Ref, _ texts: [Ref], count: Int, width: UInt64) -> TextRoot? {
    let code: UInt8 = width == 16 ? 5 : width == 32 ? 6 : 7
    let head = NodeHeader([.refs, .context], .bits, widthCode: code, count: count)
    var words = [(root.rawValue, head.word)]
    let each = Int(64 / width)
    for first in stride(from: 0, to: texts.count, by: each) {
      let group = texts[first..<min(first + each, texts.count)]
      guard group.count == each || texts.count == count else { break }
      let word = group.reversed().reduce(UInt64(0)) { $0 << (width & 63) | $1.rawValue }
      words.append((root.rawValue + UInt64(Node.headerSize + first / each * 8), word))
    }
    return agrees(words) ? TextRoot(words: words, texts: texts) : nil
  }

  /// Whether the remaining part of a root agrees.
  private func agrees(_ words: [(UInt64, UInt64)]) -> Bool {
    words.allSatisfy { place, word in
      bytes.lost.overlaps(place, length: 8)
        || (try? bytes.store.bytes(at: place, length: 8))?.loadUnaligned(as: UInt64.self).littleEndian == word
    }
  }
}
