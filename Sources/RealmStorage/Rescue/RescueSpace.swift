/// Which bytes of a damaged file belong to nodes of the snapshot that is used: anything that an older structure has
/// there was overwritten.
final class RescueSpace {
  private let bytes: RescueBytes
  private var map: SpaceMap?
  /// Leaves and collections that more than one object or column refers to: at least one of them is wrong.
  private(set) var shared: Set<Ref> = []

  /// Maximum number of nodes below one value before it counts as overwritten.
  private static let mostNodes = 100_000

  /// - Parameter root: of a snapshot; null if there is none.
  init(_ bytes: RescueBytes, root: Ref) throws {
    self.bytes = bytes
    guard !root.isNull else {
      map = try SpaceMap(byteCount: UInt64(bytes.byteCount))
      return
    }
    let walk = try NodeWalk(
      bytes.store, logicalSize: UInt64(bytes.byteCount), isFirstCopy: true, places: PlaceFinder(store: bytes.store),
      log: nil)
    try walk.run(from: root)
    bytes.letGoOfPages()
    map = walk.space
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
  /// groups and leaves of the right sizes count: one that claims too much would seem to refer to nodes of its neighbors.
  ///
  /// - Parameter free: the free space of the snapshot; nil if that is lost.
  func findShared(in tables: [RescuedTable], free: [Range<UInt64>]?) throws {
    let starts = try SpaceMap(byteCount: UInt64(bytes.byteCount))
    func visit(_ ref: Ref) {
      if starts.mark(from: ref.rawValue, length: 8) > 0, shared.count < Self.mostShared { shared.insert(ref) }
    }
    forEachLeaf(of: tables) { column, cluster, leaf in
      visit(leaf.ref)
      guard column.collection != nil, leaf.count == cluster.count, leaf.flags & 0xf8 == 0x40 else { return }
      leaf.forEachRef(visit)
    }
    forEachLeaf(of: tables) { _, _, leaf in
      let next = starts.firstMarked(from: leaf.ref.rawValue + 8) ?? .max
      guard next < leaf.ref.rawValue + UInt64(leaf.byteSize) || endsInGap(leaf, free) else { return }
      if shared.count < Self.mostShared { shared.insert(leaf.ref) }
    }
  }

  private func forEachLeaf(of tables: [RescuedTable], _ body: (Column, RescueCluster, Node) -> Void) {
    for table in tables {
      for place in table.places {
        guard let cluster = place.cluster(in: bytes) else { continue }
        for column in table.columns {
          guard let ref = cluster.leafRef(column.leafIndex), let leaf = try? Node(ref, in: bytes.store) else {
            continue
          }
          body(column, cluster, leaf)
        }
        bytes.letGoOfPages()
      }
    }
  }

  private static let widths = [1, 2, 4, 8, 16, 32, 64]

  /// Whether a leaf of numbers is followed by bytes that belong to nothing, as many as it would take if its numbers were
  /// wider.
  private func endsInGap(_ leaf: Node, _ free: [Range<UInt64>]?) -> Bool {
    guard let free, leaf.scheme == .bits, !leaf.hasRefs else { return false }
    let end = leaf.ref.rawValue + UInt64(leaf.byteSize)
    guard !isTaken(end), let next = map?.firstMarked(from: end), !free.contains(where: { $0.contains(end) }) else {
      return false
    }
    return Self.widths.contains { width in
      let size = Node.headerSize + (leaf.count * width + 63) / 64 * 8
      return size > leaf.byteSize && leaf.ref.rawValue + UInt64(size) == next
    }
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
