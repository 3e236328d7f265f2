/// Groups of objects whose own node is lost while their leaves are not.
///
/// A copy of a realm has the leaves of each group one behind the other, in the order of the columns, right before the
/// group's node. Only what lies where its neighbours show this order, in a file without free space there, is taken for
/// such leaves: in other places they could be of another time.
struct LeafRuns {
  private let bytes: RescueBytes
  private let space: RescueSpace
  private let free: [Range<UInt64>]

  private static let mostNodes = 1 << 16
  private static let mostFree = 1 << 16
  private static let mostHoles = 1 << 12

  /// - Returns: nil where the free space of the snapshot is not known.
  init?(_ bytes: RescueBytes, _ space: RescueSpace, _ top: RawTop?) {
    guard let top else { return nil }
    (self.bytes, self.space) = (bytes, space)
    guard let positions = top[.freePositions].child, let lengths = top[.freeLengths].child else {
      free = []
      return
    }
    guard let starts = bytes.wholeNode(positions), let sizes = bytes.wholeNode(lengths), starts.flags & 0xf8 == 0,
      sizes.flags & 0xf8 == 0, starts.count == sizes.count, starts.count <= Self.mostFree
    else { return nil }
    free = (0..<starts.count).map { index in
      let start = UInt64(bitPattern: starts.uncheckedInt(index)) & UInt64(Int64.max)
      return start..<start + UInt64(max(0, sizes.uncheckedInt(index)))
    }
  }

  /// Puts what is found into the holes of a table.
  func fill(_ table: RescuedTable) {
    guard table.lostProperties.isEmpty, table.unresolved.isEmpty, !table.holes.isEmpty else { return }
    let refs = (table.places.map(\.ref) + table.holes.map(\.ref)).sorted()
    let places = Dictionary(table.places.map { ($0.ref, $0) }) { first, _ in first }
    for hole in table.holes.prefix(Self.mostHoles)
    where !hole.ref.isNull && hole.keys.upperBound < UInt64(Int64.max) {
      bytes.letGoOfPages()
      let index = firstIndex(in: refs.indices) { refs[$0] >= hole.ref }
      guard index > 0, let before = places[refs[index - 1]], let start = end(of: before, table),
        start <= hole.ref.rawValue, !free.contains(where: { $0.overlaps(start..<hole.ref.rawValue) }),
        let run = run(from: start, to: hole, table)
      else { continue }
      table.insert(ClusterPlace(ref: hole.ref, offset: hole.keys.lowerBound, keys: hole.keys, grade: .found, run: run))
    }
  }

  /// Where a group ends, if its leaves lie before it in the order of the columns.
  private func end(of place: ClusterPlace, _ table: RescuedTable) -> UInt64? {
    guard place.run == nil, let node = bytes.wholeNode(place.ref), let cluster = place.cluster(in: bytes) else {
      return nil
    }
    let leaves = table.leafIndexes.map { cluster.leafRef($0) }
    guard let last = leaves.last ?? nil, let leaf = bytes.wholeNode(last),
      last.rawValue + UInt64(leaf.byteSize) == place.ref.rawValue
    else { return nil }
    for (left, right) in zip(leaves, leaves.dropFirst()) {
      guard let left, let right, left < right else { return nil }
    }
    return place.ref.rawValue + UInt64(node.byteSize)
  }

  private func run(from start: UInt64, to hole: KeyHole, _ table: RescuedTable) -> LeafRun? {
    let roots = roots(from: start, to: hole.ref.rawValue)
    let width = hole.keys.upperBound - hole.keys.lowerBound
    guard let first = roots.first, width < UInt64(Cluster.mostObjects) << 8 else { return nil }
    // Either the objects have all keys of the hole, or a list of keys comes first.
    if let run = match(roots[...], table, count: Int(width) + 1, keys: .null) { return run }
    guard let keys = bytes.wholeNode(first), keys.flags & 0xf8 == 0, keys.count > 0, keys.count <= Cluster.mostObjects,
      keys.uncheckedUnsigned(0) == 0, keys.uncheckedUnsigned(keys.count - 1) <= width,
      (1..<keys.count).allSatisfy({ keys.uncheckedUnsigned($0 - 1) < keys.uncheckedUnsigned($0) })
    else { return nil }
    return match(roots.dropFirst(), table, count: keys.count, keys: first)
  }

  /// The leaves, as far as they are those of the columns.
  private func match(_ roots: ArraySlice<Ref>, _ table: RescuedTable, count: Int, keys: Ref) -> LeafRun? {
    guard count <= Cluster.mostObjects else { return nil }
    var leaves: [Ref] = []
    for (leafIndex, root) in zip(table.leafIndexes, roots) {
      guard let node = bytes.wholeNode(root), table.count(of: node, leafIndex, in: bytes) == count else { break }
      while leaves.count < leafIndex { leaves.append(.null) }
      leaves.append(root)
    }
    return leaves.isEmpty ? nil : LeafRun(count: count, keys: keys, leaves: leaves)
  }

  /// The nodes one behind the other that no later one of them leads to, up to the first that is lost.
  private func roots(from start: UInt64, to end: UInt64) -> [Ref] {
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
        guard children.isEmpty else { break }
      }
      roots.append(Ref(offset))
      offset += UInt64(node.byteSize)
    }
    return roots
  }
}
