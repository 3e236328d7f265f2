import RealmStorage

/// Recovers groups of objects whose own node is lost while their leaves are not.
///
/// A copy of a realm has the leaves of each group one after another, in the order of the columns, right before the
/// group's node. Nodes count as such leaves only if other groups show this order, and only in a part of the file that
/// is neither free nor used by anything known: elsewhere they could be from another time.
struct LeafRuns {
  let bytes: RescueBytes
  let space: RescueSpace
  private let votes: KeyOffsetInference
  let free: [Range<UInt64>]
  /// The lost nodes, ascending.
  private let lostNodes: [Ref]
  /// Whether all groups that can be checked show the order.
  let isOrdered: Bool

  static let mostNodes = 1 << 16
  private static let mostHoles = 1 << 12
  private static let mostCompared = 64
  private static let leastCompared = 4

  /// - Returns: nil if the free space of the snapshot is not known.
  init?(_ bytes: RescueBytes, _ space: RescueSpace, _ top: RawTop?, _ tables: [RescuedTable]) {
    guard let top else { return nil }
    (self.bytes, self.space) = (bytes, space)
    votes = KeyOffsetInference(bytes, Dictionary(tables.map { ($0.key, $0) }) { first, _ in first })
    lostNodes = tables.flatMap { $0.holes.map(\.ref) }.filter { !$0.isNull }.sorted()
    isOrdered = Self.isOrdered(tables, bytes)
    guard let free = RescueSpace.freeRanges(of: top, in: bytes) else { return nil }
    self.free = free
  }

  /// Puts the groups that are found into the holes of a table.
  func fill(_ table: RescuedTable) {
    guard table.lostProperties.isEmpty, table.unresolved.isEmpty, !table.holes.isEmpty else { return }
    let places = table.places.sorted { $0.ref < $1.ref }
    for hole in table.holes.prefix(Self.mostHoles) where !hole.ref.isNull {
      bytes.letGoOfPages()
      guard isOrdered || showsOrder(near: hole, places, table), let run = run(before: hole, table) else { continue }
      let place = ClusterPlace(
        ref: hole.ref, offset: run.offset, keys: run.keys, confidence: .found, run: run.leaves)
      table.insert(place)
      for leaf in run.leaves.leaves where !leaf.isNull { space.take(leaf) }
    }
  }

  // MARK: Order

  private static func isOrdered(_ tables: [RescuedTable], _ bytes: RescueBytes) -> Bool {
    var count = 0
    for table in tables {
      let step = max(1, table.places.count / mostCompared)
      for index in stride(from: 0, to: table.places.count, by: step) {
        bytes.letGoOfPages()
        guard let isOrdered = isOrdered(table.places[index], table, bytes) else { continue }
        if !isOrdered { return false }
        count += 1
      }
    }
    return count >= leastCompared
  }

  /// Whether the leaves of a group lie right before it in the order of the columns; nil if that cannot be determined.
  static func isOrdered(_ place: ClusterPlace, _ table: RescuedTable, _ bytes: RescueBytes) -> Bool? {
    guard place.run == nil, bytes.wholeNode(place.ref) != nil, let cluster = place.cluster(in: bytes) else {
      return nil
    }
    let leaves = table.leafIndexes.map { cluster.leafRef($0) }
    guard let last = leaves.last ?? nil, let leaf = bytes.wholeNode(last) else { return nil }
    guard last.rawValue + UInt64(leaf.byteSize) == place.ref.rawValue else { return false }
    return zip(leaves, leaves.dropFirst()).allSatisfy { left, right in
      if let left, let right { left < right } else { false }
    }
  }

  /// Whether the groups before and after a lost one show the order, if they are there.
  private func showsOrder(near hole: KeyHole, _ places: [ClusterPlace], _ table: RescuedTable) -> Bool {
    let index = firstIndex(in: places.indices) { places[$0].ref >= hole.ref }
    let neighbors = [index - 1, index].filter(places.indices.contains)
    let shown = neighbors.compactMap { Self.isOrdered(places[$0], table, bytes) }
    return !shown.isEmpty && !shown.contains(false)
  }

  // MARK: One group

  private func run(before hole: KeyHole, _ table: RescuedTable) -> (
    leaves: LeafRun, offset: UInt64, keys: ClosedRange<UInt64>
  )? {
    let end = hole.ref.rawValue
    var start = max(space.end(before: end), UInt64(RawHeader.size))
    let before = firstIndex(in: lostNodes.indices) { lostNodes[$0] >= hole.ref }
    // If another lost node lies in between, everything before that node belongs to it.
    let isAnchored = before == 0 || lostNodes[before - 1].rawValue < start
    if !isAnchored { start = lostNodes[before - 1].rawValue + 8 }
    guard start < end, !free.contains(where: { $0.overlaps(start..<end) }) else { return nil }
    var front = isAnchored ? roots(from: start, to: end) : (roots: [], end: start)
    let back = front.end == end ? [] : lastRoots(from: front.end, to: end)
    // A group that is there, in a tree whose root is lost: the nodes after it count.
    if let last = front.roots.lastIndex(where: { table.fits($0, in: bytes) }) { front.roots.removeFirst(last + 1) }
    guard let found = match(front.roots, back, isWhole: front.end == end, hole, table) else { return nil }
    guard let cluster = RescueCluster(found.run, offset: 0, in: bytes), cluster.count > 0 else { return nil }
    let width = hole.keys.upperBound - hole.keys.lowerBound
    let (first, last) = (cluster.relativeKey(at: 0), cluster.relativeKey(at: cluster.count - 1))
    if hole.keys != RescueClusterTree.allKeys {
      guard last <= width else { return nil }
      if !found.isCertain {
        guard votes.offset(of: cluster, in: table) == hole.keys.lowerBound else { return nil }
      }
      return (found.run, hole.keys.lowerBound, hole.keys)
    }
    guard let offset = votes.offset(of: cluster, in: table), case let end = offset.addingReportingOverflow(last),
      !end.overflow, end.partialValue <= UInt64(Int64.max)
    else { return nil }
    return (found.run, offset, offset + first...end.partialValue)
  }

  /// The leaves that are those of the columns, and whether it is certain which keys the objects have, counted from the
  /// beginning of the leaves.
  ///
  /// - Parameters:
  ///   - front: nodes from the place where the leaves of the group begin.
  ///   - back: nodes up to the place where the group begins, after lost bytes.
  ///   - isWhole: whether nothing in between is lost.
  private func match(
    _ front: [Ref], _ back: [Ref], isWhole: Bool, _ hole: KeyHole, _ table: RescuedTable
  ) -> (run: LeafRun, isCertain: Bool)? {
    let indexes = table.leafIndexes
    let compact = assign(front[...], back, indexes, nil, table)
    let listed = front.first.flatMap(keyList).flatMap {
      assign(front.dropFirst(), back, indexes, ($0.ref, $0.count), table)
    }
    if isWhole {
      if front.count == indexes.count, let compact, compact.matched == indexes.count { return (compact.run, true) }
      if front.count == indexes.count + 1, let listed, listed.matched == indexes.count { return (listed.run, true) }
      return nil
    }
    let width = hole.keys.upperBound - hole.keys.lowerBound
    if let compact, UInt64(compact.run.count) == width &+ 1 { return (compact.run, true) }
    let (plain, with) = (compact?.front ?? 0, listed?.front ?? 0)
    // A list of numbers may be either.
    let isEither = front.count == 1 && listed != nil
    if plain > with, let compact { return (compact.run, !isEither) }
    if with > plain, let listed { return (listed.run, true) }
    // Nothing shows whether there was a list of keys.
    return plain == 0 && with == 0 ? compact.map { ($0.run, false) } : nil
  }

  /// - Parameter keys: the list of the objects' keys, with its number of elements.
  private func assign(
    _ front: ArraySlice<Ref>, _ back: [Ref], _ indexes: [Int], _ keys: (ref: Ref, count: Int)?, _ table: RescuedTable
  ) -> (run: LeafRun, front: Int, matched: Int)? {
    var count = keys?.count
    var leaves: [Int: Ref] = [:]
    func add(_ root: Ref, _ leafIndex: Int) -> Bool {
      guard leaves[leafIndex] == nil, let node = bytes.wholeNode(root),
        let found = table.count(of: node, leafIndex, in: bytes), found > 0, found <= Cluster.mostObjects,
        count == nil || found == count
      else { return false }
      (leaves[leafIndex], count) = (root, found)
      return true
    }
    for (leafIndex, root) in zip(indexes, front) { if !add(root, leafIndex) { break } }
    let inFront = leaves.count
    for (leafIndex, root) in zip(indexes.reversed(), back.reversed()) { if !add(root, leafIndex) { break } }
    guard let count, let last = leaves.keys.max() else { return nil }
    let run = LeafRun(count: count, keys: keys?.ref ?? .null, leaves: (0...last).map { leaves[$0] ?? .null })
    return (run, inFront, leaves.count)
  }

  private func keyList(_ ref: Ref) -> Node? {
    guard let keys = bytes.wholeNode(ref), keys.flags & 0xf8 == 0, keys.count > 0, keys.count <= Cluster.mostObjects,
      (1..<keys.count).allSatisfy({ keys.uncheckedUnsigned($0 - 1) < keys.uncheckedUnsigned($0) })
    else { return nil }
    return keys
  }

  // MARK: Nodes

  /// The nodes one after another that no later one of them refers to, up to the first that is lost, and where that is.
  ///
  /// - Parameter isWhole: whether everything they refer to must be among them.
  private func roots(from start: UInt64, to end: UInt64, isWhole: Bool = true) -> (roots: [Ref], end: UInt64) {
    var roots: [Ref] = []
    var offset = start
    for _ in 0..<Self.mostNodes {
      guard offset < end, !space.isTaken(offset), let node = bytes.wholeNode(Ref(offset)),
        NodeHeader.isSignature(node.signature), offset + UInt64(node.byteSize) <= end
      else { break }
      if node.hasRefs, node.scheme == .bits {
        var children: Set<Ref> = []
        node.forEachRef { children.insert($0) }
        while let last = roots.last, children.remove(last) != nil { roots.removeLast() }
        guard children.isEmpty || !isWhole && children.allSatisfy({ $0.rawValue < start }) else { break }
      }
      roots.append(Ref(offset))
      offset += UInt64(node.byteSize)
    }
    return (roots, offset)
  }

  /// The same nodes, but those that end exactly where a group begins, after lost bytes.
  private func lastRoots(from start: UInt64, to end: UInt64) -> [Ref] {
    var tries = 0
    var offset = start + 8
    while offset < end, tries < Self.mostTries, offset - start < Self.mostSearched {
      defer { offset += 8 }
      guard let node = bytes.wholeNode(Ref(offset)), NodeHeader.isSignature(node.signature) else { continue }
      tries += 1
      let found = roots(from: offset, to: end, isWhole: false)
      if found.end == end { return found.roots }
    }
    return []
  }

  private static let mostTries = 64
  private static let mostSearched: UInt64 = 1 << 22
}
