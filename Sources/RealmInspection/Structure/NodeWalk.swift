import Libc
import RealmStorage

/// A walk over all nodes that can be reached from a root, whatever they mean: through every node with references
/// (Docs/Format/1-container.md §9, checks 3, 4 and 10; Docs/Format/2-nodes-and-values.md §9, checks 1–3 and 23).
///
/// It needs one bit per eight bytes. If two nodes meet, the walk is repeated up to that place to make a second such
/// map, of the places where nodes start.
final class NodeWalk {
  private let store: ByteStore
  private let logicalSize: UInt64
  /// Nil for a repetition.
  private let log: FindingLog?
  private let places: PlaceFinder
  private let isFirstCopy: Bool
  let space: SpaceMap
  private var starts: SpaceMap?
  private var path: NodePath
  /// Bytes of nodes, and elements of references, that may still be looked at. Without overlaps there are no more than
  /// five for each byte of the file.
  private var budget: Int
  private(set) var nodeCount = 0
  /// Nodes that more than one ref leads to.
  private(set) var shared: Set<Ref> = []
  /// Whether those are all that are shared.
  var isComplete: Bool { budget >= 0 && shared.count < Self.mostShared }
  /// Why a page could not be read, where that says nothing about the file: the check cannot go on.
  private(set) var lackOfMemory: StorageError?
  /// Bytes of nodes; bytes that several nodes share count once.
  private(set) var byteCount: UInt64 = 0
  /// Ranges in which nodes overlap, and the number of the finding that says so.
  private var overlaps: [(range: Range<UInt64>, number: Int)] = []
  /// Whether nodes start with AAAA: formats 2–9 have other numbers there (Docs/Format/4-file-versions.md §2.1).
  var expectsSignature = true
  /// Called from time to time with the bytes seen so far.
  var progress: ((UInt64) -> Void)?

  private static let largestBlob = 0xff_fff0
  private static let mostOverlaps = 256
  private static let mostShared = 1 << 17
  /// Nodes before an overlapping one that are looked at to find the other one.
  private static let mostNeighbors = 100_000
  private static let sectionShift: UInt64 = 26
  static let signature = UInt32(littleEndian: NodeHeader.signature)

  /// - Parameters:
  ///   - logicalSize: nodes must end before it.
  ///   - isFirstCopy: the file was written in one go; only there nodes may cross sections by right.
  init(_ store: ByteStore, logicalSize: UInt64, isFirstCopy: Bool, places: PlaceFinder, log: FindingLog?) throws {
    self.store = store
    self.logicalSize = logicalSize
    self.isFirstCopy = isFirstCopy
    self.places = places
    self.log = log
    path = NodePath(in: store)
    space = try SpaceMap(byteCount: UInt64(store.count))
    budget = store.count.multipliedReportingOverflow(by: 8).partialValue
  }

  func run(from root: Ref, atMost limit: Int = .max) throws {
    path.removeAll()
    try visit(root)
    while nodeCount < limit, let ref = path.nextInOrder() { try visit(ref) }
  }

  private func visit(_ ref: Ref) throws {
    guard ref.rawValue & 7 == 0, ref.rawValue >= UInt64(RawHeader.size) else { return report(.nodeMisplaced, ref) }
    let node: Node
    do {
      try path.move(to: ref)
      node = try Node(ref, in: store)
    } catch let error as StorageError { return report(error, ref) }
    let size = node.byteSize
    guard spend(on: node, size), try isNew(ref, size) else { return }
    nodeCount += 1
    if nodeCount & 0xfff == 0 { progress?(byteCount) }
    checkHeader(node, size)
    guard node.hasRefs, node.scheme == .bits, node.width > 1 else { return }
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

  private func checkHeader(_ node: Node, _ size: Int) {
    if node.ref.rawValue &+ UInt64(size) > logicalSize { report(.nodeOutside, node.ref) }
    if expectsSignature, node.signature != Self.signature { report(.nodeSignature, node.ref) }
    if node.hasRefs, node.scheme != .bits { report(.nodeScheme, node.ref) }
    if node.isInner, !node.hasRefs { report(.nodeInner, node.ref) }
    if size >= NodeHeader.nodeSizeLimit || (node.scheme == .ignore && node.count > Self.largestBlob) {
      report(.nodeSize, node.ref, .count(size))
    }
    let end = node.ref.rawValue &+ UInt64(size) &- 1
    if !isFirstCopy, node.ref.rawValue >> Self.sectionShift != end >> Self.sectionShift {
      report(.nodeSection, node.ref)
    }
  }

  // MARK: Nodes that meet

  /// Marks the node's bytes.
  ///
  /// - Returns: false for a node that was visited before.
  private func isNew(_ ref: Ref, _ size: Int) throws -> Bool {
    let (start, length) = (ref.rawValue, UInt64(size))
    let marked = space.mark(from: start, length: length)
    byteCount &+= length &- min(marked, length)
    guard marked > 0 else {
      starts?.mark(from: start, length: 8)
      return true
    }
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
    let walk = try NodeWalk(store, logicalSize: logicalSize, isFirstCopy: isFirstCopy, places: places, log: nil)
    walk.starts = map
    try walk.run(from: root, atMost: nodeCount)
    return map
  }

  // MARK: Findings

  private func report(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none) {
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
