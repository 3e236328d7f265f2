import RealmStorage

/// Which bytes of a damaged file belong to nodes of the snapshot that is used: anything that an older structure has
/// there was overwritten.
final class RescueSpace {
  private let bytes: RescueBytes
  private var map: SpaceMap?
  /// Leaves that more than one column refers to, that end in another node, or before their end: at least one of them is
  /// wrong.
  private(set) var sharedLeaves: Set<Ref> = []
  /// Collections that more than one object refers to, or that are leaves of a column: at least one ref is wrong.
  private(set) var sharedCollections: Set<Ref> = []
  private var free: [Range<UInt64>]?

  /// Maximum number of nodes below one value before it counts as overwritten.
  private static let mostNodes = 100_000

  /// - Parameter root: of a snapshot; null if there is none.
  init(_ bytes: RescueBytes, root: Ref) throws {
    self.bytes = bytes
    guard !root.isNull else {
      map = try SpaceMap(byteCount: UInt64(bytes.byteCount))
      return
    }
    let census = try NodeCensus(
      bytes.store, logicalSize: UInt64(bytes.byteCount), isFirstCopy: true, expectsSignature: false)
    let walk = NodeWalk(bytes.store, census, places: PlaceFinder(store: bytes.store), log: nil)
    try walk.run(from: root)
    bytes.letGoOfPages()
    map = census.space
  }

  private static let mostFree = 1 << 16

  /// The free space of a snapshot; nil if that is lost.
  static func freeRanges(of top: RawTop, in bytes: RescueBytes) -> [Range<UInt64>]? {
    guard let positions = top[.freePositions].child, let lengths = top[.freeLengths].child else { return [] }
    guard let starts = bytes.wholeNode(positions), let sizes = bytes.wholeNode(lengths), starts.flags & 0xf8 == 0,
      sizes.flags & 0xf8 == 0, starts.count == sizes.count, starts.count <= mostFree
    else { return nil }
    return (0..<starts.count).map { index in
      let start = UInt64(bitPattern: starts.uncheckedInt(index)) & UInt64(Int64.max)
      return start..<start + UInt64(max(0, sizes.uncheckedInt(index)))
    }
  }

  private static let mostShared = 1 << 20

  /// Finds what more than one place in the tables refers to, and leaves that end in another one or before their end. Only
  /// groups and leaves of the right sizes count, and refs to nodes: one that claims too much would seem to refer to nodes of
  /// its neighbors, and a damaged ref to the middle of one.
  ///
  /// - Parameter free: the free space of the snapshot; nil if that is lost.
  func findShared(in tables: [RescuedTable], free: [Range<UInt64>]?) throws {
    self.free = free?.sorted { $0.lowerBound < $1.lowerBound }
    let starts = try SpaceMap(byteCount: UInt64(bytes.byteCount))
    func isNew(_ ref: Ref) -> Bool { starts.mark(from: ref.rawValue, length: 8) == 0 }
    forEachLeaf(of: tables) { _, leaf in
      if !isNew(leaf.ref), sharedLeaves.count < Self.mostShared { sharedLeaves.insert(leaf.ref) }
    }
    forEachLeaf(of: tables) { column, leaf in
      guard column == nil || column?.collection != nil else { return }
      leaf.forEachRef { ref in
        guard (try? Node(ref, in: bytes.store)) != nil, !isNew(ref) else { return }
        if sharedCollections.count < Self.mostShared { sharedCollections.insert(ref) }
      }
    }
    forEachLeaf(of: tables) { column, leaf in
      let next = starts.firstMarked(from: leaf.ref.rawValue + 8) ?? .max
      // What a leaf of refs lacks may be what one of them refers to.
      let lacksBytes = (column == nil || !leaf.hasRefs) && endsInGap(leaf)
      guard next < leaf.ref.rawValue + UInt64(leaf.byteSize) || lacksBytes else { return }
      if sharedLeaves.count < Self.mostShared { sharedLeaves.insert(leaf.ref) }
    }
  }

  /// Calls `body` with the leaves that have as many elements as their groups have objects.
  ///
  /// - Parameter body: gets nil for a column of incoming links.
  private func forEachLeaf(of tables: [RescuedTable], _ body: (Column?, Node) -> Void) {
    for table in tables {
      for place in table.places {
        guard let cluster = place.cluster(in: bytes) else { continue }
        for leafIndex in table.leafIndexes {
          let column = table.column(at: leafIndex)
          guard let ref = cluster.leafRef(leafIndex), let leaf = try? Node(ref, in: bytes.store),
            table.count(of: leaf, leafIndex, in: bytes) == cluster.count
          else { continue }
          body(column, leaf)
        }
        bytes.letGoOfPages()
      }
    }
  }

  /// The leaves of references, whose elements could be taken for refs to leaves.
  func leavesOfRefs(in tables: [RescuedTable]) -> Set<Ref> {
    var leaves: Set<Ref> = []
    forEachLeaf(of: tables) { _, leaf in if leaf.hasRefs, leaves.count < Self.mostShared { leaves.insert(leaf.ref) } }
    return leaves
  }

  private static let widths = [1, 2, 4, 8, 16, 32, 64]

  /// Whether a leaf is followed by bytes that belong to nothing, as many as it would take if its elements were wider.
  private func endsInGap(_ leaf: Node) -> Bool {
    guard leaf.scheme == .bits, let next = endOfGap(behind: leaf) else { return false }
    return Self.widths.contains { width in
      let size = Node.headerSize + (leaf.count * width + 63) / 64 * 8
      return size > leaf.byteSize && leaf.ref.rawValue + UInt64(size) == next
    }
  }

  /// Where bytes end that follow a node and that are neither in use nor free; nil if there are none.
  private func endOfGap(behind node: Node) -> UInt64? {
    let end = node.ref.rawValue + UInt64(node.byteSize)
    guard let free, !isTaken(end) else { return nil }
    let behind = firstIndex(in: free.indices) { free[$0].lowerBound > end }
    guard behind == 0 || !free[behind - 1].contains(end) else { return nil }
    return map?.firstMarked(from: end)
  }

  /// Whether eight bytes belong to a node of the snapshot.
  func isTaken(_ offset: UInt64) -> Bool { map?.isMarked(offset) ?? false }

  /// Where the last bytes before a place end that belong to a node of the snapshot; 0 if there are none.
  func end(before offset: UInt64) -> UInt64 { map?.lastMarked(before: offset).map { $0 + 8 } ?? 0 }

  /// Where the first bytes after a place begin that belong to a node of the snapshot; nil if there are none.
  func start(behind offset: UInt64) -> UInt64? { map?.firstMarked(from: offset + 8) }

  /// Whether neither a node nor any below it was overwritten by what the snapshot leads to.
  func isFree(_ root: Ref) -> Bool {
    let isFree = try? NodePath.accepts(root, in: bytes.store, atMost: Self.mostNodes) { ref in
      isTaken(ref.rawValue) ? nil : try? Node(ref, in: bytes.store)
    }
    return isFree ?? false
  }

  /// Takes over what a node and those below it occupy.
  func take(_ root: Ref) {
    var path = NodePath(in: bytes.store)
    var pending: Ref? = root
    for _ in 0..<Self.mostNodes {
      guard let ref = pending else { return }
      if !isTaken(ref.rawValue), let node = try? Node(ref, in: bytes.store) {
        map?.mark(from: ref.rawValue, length: UInt64(node.byteSize))
        if node.hasRefs { try? path.enter(node) }
      }
      pending = path.nextInOrder()
    }
  }
}
