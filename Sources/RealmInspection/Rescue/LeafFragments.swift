import RealmStorage

/// Puts leaves together that no group refers to any longer.
///
/// A commit writes the leaves of a group that it changes one after another, in the order of the columns, and then the
/// group's own node. In a file that was cut off, the newest of these nodes is lost, but most of its leaves are not.
/// Leaves without a gap between them were written together. Search indexes and the other ends of links show which
/// objects a leaf belongs to. The leaves next to such a leaf are used if, by their kinds and their order, they can only
/// be those of one column each. All others stay lost. Nothing shows how old the values are.
struct LeafFragments {
  private let bytes: RescueBytes
  private let votes: KeyOffsetInference
  private let work: RescueWork
  /// The leaves that follow each other without a gap, in order.
  private let fragments: [[Ref]]

  private static let mostNodes = 1 << 20
  private static let costOfVotes = 64
  /// With fewer, they could agree by chance.
  private static let leastObjects = 6

  /// - Parameter groups: nodes that are groups of objects: the leaves they refer to are known.
  init(
    _ bytes: RescueBytes, _ space: RescueSpace, _ tables: [RescuedTable], groups: Set<Ref>, _ work: RescueWork
  ) {
    (self.bytes, self.work) = (bytes, work)
    votes = KeyOffsetInference(bytes, Dictionary(tables.map { ($0.key, $0) }) { first, _ in first })
    fragments = Self.fragments(bytes, space, groups)
  }

  /// Groups of a table, as far as there are leaves of them.
  func places(of table: RescuedTable) -> [ClusterPlace] {
    guard table.lostProperties.isEmpty, table.unresolved.isEmpty, table.knowsAllLeaves else { return [] }
    var groups: [Group: [Int: Ref]] = [:]
    for fragment in fragments {
      bytes.letGoOfPages()
      for (group, leaves) in found(in: fragment, table) {
        // Nothing shows which of two versions of a leaf is newer; space at the end of the file is assigned last.
        groups[group, default: [:]].merge(leaves) { max($0, $1) }
      }
    }
    return groups.compactMap { group, leaves -> ClusterPlace? in
      guard let ref = leaves.values.min() else { return nil }
      return ClusterPlace(
        ref: ref, offset: group.offset, keys: RescueClusterTree.allKeys, confidence: .earlier,
        run: Self.run(leaves, count: group.count))
    }.sorted { ($0.offset, $0.ref) < ($1.offset, $1.ref) }
  }

  private static func run(_ leaves: [Int: Ref], count: Int) -> LeafRun {
    LeafRun(count: count, keys: .null, leaves: (0...(leaves.keys.max() ?? 0)).map { leaves[$0] ?? .null })
  }

  // MARK: Columns

  private struct Group: Hashable {
    let offset: UInt64
    let count: Int
  }

  /// A leaf that shows by itself which column and which objects it belongs to.
  private struct Anchor {
    let position: Int
    /// Among those of the table.
    let column: Int
    let group: Group
  }

  private func found(in fragment: [Ref], _ table: RescuedTable) -> [(Group, [Int: Ref])] {
    let columns = table.leafIndexes
    let counts = fragment.map { ref in
      guard work.spend(columns.count), let node = bytes.wholeNode(ref), node.count >= Self.leastObjects else {
        return [Int?](repeating: nil, count: columns.count)
      }
      return columns.map { table.count(of: node, $0, in: bytes).flatMap { (1...Cluster.mostObjects) ~= $0 ? $0 : nil } }
    }
    let anchors = fragment.indices.compactMap { anchor(at: $0, fragment, counts[$0], columns, table) }
    return anchors.enumerated().map { number, anchor in
      var leaves = [columns[anchor.column]: fragment[anchor.position]]
      func add(_ positions: Range<Int>, _ among: Range<Int>) {
        let fitting = positions.map { position in among.filter { counts[position][$0] == anchor.group.count } }
        for (position, column) in zip(positions, Self.certain(fitting)) {
          if let column { leaves[columns[column]] = fragment[position] }
        }
      }
      let before = number > 0 ? anchors[number - 1] : nil
      let isInside = before.map { $0.group == anchor.group && $0.column < anchor.column } ?? false
      let first = (before?.position ?? -1) + 1
      let low = isInside ? (before?.column ?? -1) + 1 : 0
      let positions =
        isInside
        ? first..<anchor.position
        : Self.suffix(first..<anchor.position) { position in
          (low..<anchor.column).contains { counts[position][$0] == anchor.group.count }
        }
      add(positions, low..<anchor.column)
      let next = number + 1 < anchors.count ? anchors[number + 1] : nil
      if next.map({ $0.group != anchor.group || $0.column < anchor.column }) ?? true {
        let end = next?.position ?? fragment.count
        let behind = anchor.column + 1..<columns.count
        let last = (anchor.position + 1..<end).first { position in
          !behind.contains { counts[position][$0] == anchor.group.count }
        }
        add(anchor.position + 1..<(last ?? end), behind)
      }
      return (anchor.group, leaves)
    }
  }

  /// The end of a range of which every position passes.
  private static func suffix(_ range: Range<Int>, _ passes: (Int) -> Bool) -> Range<Int> {
    var start = range.upperBound
    while start > range.lowerBound, passes(start - 1) { start -= 1 }
    return start..<range.upperBound
  }

  private func anchor(
    at position: Int, _ fragment: [Ref], _ counts: [Int?], _ columns: [Int], _ table: RescuedTable
  ) -> Anchor? {
    var found: Anchor?
    for (column, leafIndex) in columns.enumerated() {
      guard let count = counts[column], table.tellsKeys(leafIndex), work.spend(Self.costOfVotes),
        let cluster = RescueCluster(
          Self.run([leafIndex: fragment[position]], count: count), offset: 0, in: bytes),
        let offset = votes.offset(of: cluster, in: table, by: [leafIndex]),
        offset <= UInt64(Int64.max) - UInt64(count)
      else { continue }
      // What can be read in two ways proves nothing.
      if found != nil { return nil }
      found = Anchor(position: position, column: column, group: Group(offset: offset, count: count))
    }
    return found
  }

  /// The columns of leaves that are in the order of the columns; nil for a leaf that can belong to several, and for all
  /// leaves if they cannot be in that order.
  ///
  /// - Parameter fitting: the columns that each leaf could belong to, ascending.
  private static func certain(_ fitting: [[Int]]) -> [Int?] {
    let nothing = [Int?](repeating: nil, count: fitting.count)
    var first: [Int] = []
    for leaf in fitting {
      guard let next = leaf.first(where: { $0 > first.last ?? -1 }) else { return nothing }
      first.append(next)
    }
    var last: [Int] = []
    for leaf in fitting.reversed() {
      guard let next = leaf.last(where: { $0 < last.last ?? .max }) else { return nothing }
      last.append(next)
    }
    return zip(first, last.reversed()).map { $0 == $1 ? $0 : nil }
  }

  // MARK: Nodes

  /// The nodes in the parts of the file that nothing known uses. A group's own node ends a fragment, as does a lost
  /// node or something that is not a node.
  private static func fragments(_ bytes: RescueBytes, _ space: RescueSpace, _ groups: Set<Ref>) -> [[Ref]] {
    var fragments: [[Ref]] = []
    var current: [Ref] = []
    var start = UInt64(RawHeader.size)
    var offset = start
    var count = 0
    let size = UInt64(bytes.byteCount)
    func finish(at next: UInt64) {
      if !current.isEmpty { fragments.append(current) }
      current.removeAll()
      start = next
    }
    while offset + UInt64(Node.headerSize) <= size, count < mostNodes {
      if offset & UInt64(PageCache.pageSize - 1) == 0 { bytes.letGoOfPages() }
      guard !space.isTaken(offset), let word = try? bytes.store.bytes(at: offset, length: Node.headerSize),
        NodeHeader.isSignature(word.loadUnaligned(as: UInt32.self)), let node = bytes.wholeNode(Ref(offset)),
        offset + UInt64(node.byteSize) <= size
      else {
        offset += 8
        finish(at: offset)
        continue
      }
      count += 1
      let end = offset + UInt64(node.byteSize)
      if groups.contains(Ref(offset)) {
        finish(at: end)
      } else {
        if node.hasRefs, node.scheme == .bits {
          var children: Set<Ref> = []
          node.forEachRef { children.insert($0) }
          while let last = current.last, children.remove(last) != nil { current.removeLast() }
          // A node that does not come right before it was written at another time.
          if children.contains(where: { $0.rawValue >= start && $0.rawValue < offset }) { finish(at: offset) }
        }
        current.append(Ref(offset))
      }
      offset = end
    }
    finish(at: offset)
    return fragments
  }
}

extension RescuedTable {
  /// Whether the values of a leaf show which objects they belong to.
  fileprivate func tellsKeys(_ leafIndex: Int) -> Bool {
    guard let index = columns.firstIndex(where: { $0.leafIndex == leafIndex }) else { return true }
    return hasIndex(index) || columns[index].element.code == .link && columns[index].collection == nil
  }
}
