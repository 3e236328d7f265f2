import Libc
import RealmStorage

/// A walk over all nodes that can be reached from a root, whatever they mean: through every node with references
/// (Docs/Format/1-container.md §9, checks 3, 4 and 10; Docs/Format/2-nodes-and-values.md §9, checks 1–3 and 23).
///
/// It needs one bit per eight bytes. If two nodes meet, the walk is repeated up to that place to make a second such
/// map, of the places where nodes start.
final class NodeWalk {
  private let store: ByteStore
  /// Nil where nothing is reported.
  private let log: FindingLog?
  private let places: PlaceFinder
  let census: NodeCensus
  /// Trees that the census has already, and that are not visited again.
  private var known: [Ref]
  /// Whether the walk only finds out if all is well.
  private let isTrial: Bool
  private var starts: SpaceMap?
  private var path: NodePath
  /// Bytes of nodes, and elements of references, that may still be looked at. Without overlaps there are no more than
  /// five for each byte of the file.
  private var budget: Int
  /// Whether there is nothing to report.
  private(set) var isPlain = true
  /// Nodes that more than one ref leads to.
  private(set) var shared: Set<Ref> = []
  /// Whether those are all that are shared.
  var isComplete: Bool { budget >= 0 && shared.count < Self.mostShared }
  /// Why a page could not be read, where that says nothing about the file: the check cannot go on.
  private(set) var lackOfMemory: StorageError?
  /// Ranges in which nodes overlap, and the number of the finding that says so.
  private var overlaps: [(range: Range<UInt64>, number: Int)] = []
  /// Called from time to time with the bytes seen so far.
  var progress: ((UInt64) -> Void)?

  private static let mostOverlaps = 256
  private static let mostShared = 1 << 17
  /// Nodes before an overlapping one that are looked at to find the other one.
  private static let mostNeighbors = 100_000

  /// - Parameter census: what is known before the walk: nothing, or whole trees below the root, without anything odd; then
  ///   the walk only finds out whether the rest is plain, too.
  init(_ store: ByteStore, _ census: NodeCensus, places: PlaceFinder, log: FindingLog?) {
    self.store = store
    self.census = census
    self.places = places
    self.log = log
    (known, isTrial) = (census.roots, !census.roots.isEmpty)
    path = NodePath(in: store)
    budget = store.count.multipliedReportingOverflow(by: 8).partialValue
  }

  func run(from root: Ref, atMost limit: Int = .max) throws {
    path.removeAll()
    try visit(root)
    while census.nodeCount < limit, let ref = path.nextInOrder() { try visit(ref) }
  }

  private func visit(_ ref: Ref) throws {
    if !known.isEmpty, path.last != nil, path[1] == nil, let index = known.firstIndex(of: ref) {
      known.remove(at: index)
      return
    }
    guard ref.rawValue & 7 == 0, ref.rawValue >= UInt64(RawHeader.size) else { return report(.nodeMisplaced, ref) }
    let node: Node
    do {
      try path.move(to: ref)
      node = try Node(ref, in: store)
    } catch let error as StorageError { return report(error, ref) }
    let size = node.byteSize
    guard spend(on: node, size) else { return }
    let (oddities, marked) = census.add(node)
    guard try marked == 0 || isNew(ref, size) else { return census.removeLast() }
    if marked == 0 { starts?.mark(from: ref.rawValue, length: 8) }
    if census.nodeCount & 0xfff == 0 { progress?(census.byteCount) }
    if !oddities.isEmpty { report(oddities, node, size) }
    guard node.hasRefs, node.isOfBits, node.width > 1 else { return }
    guard !path.isFull else { return report(.nodeDepth, ref) }
    try path.enter(node)
  }

  /// - Returns: false if overlapping nodes, which only damage makes, have used up the budget; the walk then goes no
  ///   deeper.
  private func spend(on node: Node, _ size: Int) -> Bool {
    guard budget >= 0 else { return false }
    // No overflow: a size and a count are below 2^31. Elements of at most one bit cannot be refs, and their count says
    // nothing of the node's size, so they are not counted.
    budget &-= size &+ (node.hasRefs && node.width > 1 ? node.count : 0)
    if budget < 0 { report(.walkTooLong, node.ref) }
    return budget >= 0
  }

  private func report(_ oddities: NodeOddities, _ node: Node, _ size: Int) {
    if oddities.contains(.outside) { report(.nodeOutside, node.ref) }
    if oddities.contains(.signature) { report(.nodeSignature, node.ref) }
    if oddities.contains(.scheme) { report(.nodeScheme, node.ref) }
    if oddities.contains(.inner) { report(.nodeInner, node.ref) }
    if oddities.contains(.size) { report(.nodeSize, node.ref, .count(size)) }
    if oddities.contains(.section) { report(.nodeSection, node.ref) }
  }

  // MARK: Nodes that meet

  /// Finds out whether a node some of whose bytes were marked was visited before, or overlaps another.
  private func isNew(_ ref: Ref, _ size: Int) throws -> Bool {
    isPlain = false
    guard !isTrial else { return false }
    let (start, length) = (ref.rawValue, UInt64(size))
    let starts = try self.starts ?? repeated()
    self.starts = starts
    guard starts.mark(from: start, length: 8) == 0 else {
      report(.nodeShared, ref)
      if shared.count < Self.mostShared { shared.insert(ref) }
      return false
    }
    reportOverlap(ref, start..<start &+ length, starts)
    return true
  }

  /// A node whose header claims too many bytes overlaps all those after it, which counts as one damage.
  private func reportOverlap(_ ref: Ref, _ range: Range<UInt64>, _ starts: SpaceMap) {
    guard let log else { return }
    let facts = Finding.Facts.bytes(from: range.lowerBound, to: range.upperBound)
    let place = { [places, path] in places.place(of: ref, under: path) }
    if let known = overlaps.first(where: { $0.range.overlaps(range) }) {
      _ = log.record(.nodeOverlap, facts, after: known.number, at: place)
      return
    }
    let number = log.record(.nodeOverlap, facts, inNode: path.last?.ref, at: place)
    guard overlaps.count < Self.mostOverlaps else { return }
    overlaps.append((range, number))
    if let outer = node(over: range.lowerBound, starts) { overlaps.append((outer, number)) }
  }

  /// The bytes of the node that starts before `offset` and reaches beyond it.
  private func node(over offset: UInt64, _ starts: SpaceMap) -> Range<UInt64>? {
    var start = offset
    for _ in 0..<Self.mostNeighbors {
      guard let previous = starts.lastMarked(before: start), let node = try? Node(Ref(previous), in: store) else {
        return nil
      }
      let end = previous &+ UInt64(node.byteSize)
      if end > offset { return previous..<end }
      start = previous
    }
    return nil
  }

  /// The places where all nodes visited so far start.
  private func repeated() throws -> SpaceMap {
    let map = try SpaceMap(byteCount: UInt64(store.count))
    guard let root = path[0]?.node.ref else { return map }
    let census = try NodeCensus(store, logicalSize: .max, isFirstCopy: true, expectsSignature: false)
    let walk = NodeWalk(store, census, places: places, log: nil)
    walk.starts = map
    try walk.run(from: root, atMost: self.census.nodeCount - 1)
    return map
  }

  // MARK: Findings

  private func report(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none) {
    isPlain = false
    guard let log else { return }
    // Bad refs in one node are one damage.
    log.add(
      kind, facts, inNode: kind.severity == .error ? path.last?.ref : nil, at: places.place(of: ref, under: path))
  }

  private func report(_ error: StorageError, _ ref: Ref) {
    guard case .corrupted(let corruption) = error else { return report(.nodeUnreadable, ref) }
    switch corruption.reason {
    case .readFailed(ENOMEM): lackOfMemory = lackOfMemory ?? error
    case .beyondEndOfFile: report(.nodeOutside, ref)
    case .missingNode: report(.nodeMissing, ref)
    case .unreadablePage, .readFailed: report(.nodeUnreadable, ref, .node(corruption.reason))
    default: report(.nodeScheme, ref)
    }
  }
}
