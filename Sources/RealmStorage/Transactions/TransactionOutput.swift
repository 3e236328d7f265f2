/// How a transaction uses the space that a file lists as free.
enum FreeSpaceUse {
  /// Nodes are written there first. The caller must prove that it is free.
  case used
  /// It stays as it is, and is listed again: nodes are written after the end of the realm, where there are no others.
  case kept
  /// The lists are not even read, for a transaction that is never committed.
  case ignored
}

/// Where the nodes of a write transaction are written: into free space of the file, or after its end.
///
/// What was there before the transaction stays, and is what everybody sees until the commit. Nodes that the new state
/// no longer needs are passed to `release`; a later transaction may use their place. Used by one owner, on one thread
/// at a time.
package final class TransactionOutput: NodeReplacement {
  private var store: ByteStore
  private let pages: ChangedPages
  private var allocator: SpaceAllocator
  /// The free space when the transaction began, in order: any node there now is the transaction's own.
  private let freeBefore: [SpaceRange]
  private let logicalSizeBefore: UInt64
  /// Space that other versions may need: entries of the free list that must stay as they are.
  private let locked: [FreeLists.Entry]
  private var released: [SpaceRange] = []
  /// Their bytes, which are not more than exist unless nodes are released twice.
  private var releasedBytes: UInt64 = 0
  /// Nodes of intermediate states that the transaction wrote itself and no longer needs.
  private var discarded: [SpaceRange] = []
  private var discardedBytes: UInt64 = 0
  /// Whether this transaction has written a state to read: its own nodes can then be released.
  private var hasIntermediateState = false
  /// A node that was released although the previous state cannot have it there.
  private var misplaced: Ref?
  private let version: UInt64

  /// - Parameters:
  ///   - version: of the transaction.
  ///   - top: the root of the state it starts from; nil in a file without content.
  ///   - freeSpace: what to do with the space that the file lists as free.
  init(
    _ pages: ChangedPages, version: UInt64, top: TopArray?, in store: ByteStore, freeSpace: FreeSpaceUse = .used
  ) throws {
    (self.store, self.pages, self.version) = (store, pages, version)
    logicalSizeBefore = top?.logicalSize ?? UInt64(RawHeader.size)
    allocator = SpaceAllocator(logicalSize: logicalSizeBefore, growsSparingly: freeSpace == .kept)
    guard logicalSizeBefore & 7 == 0, logicalSizeBefore >= UInt64(RawHeader.size) else {
      throw StorageError.corrupted(top?.ref ?? .null, .valueOutOfRange("size of the realm"))
    }
    let entries = freeSpace == .ignored ? [] : try top.map { try FreeLists(forWriting: $0, in: store).entries } ?? []
    // Nobody else has the file open: only the state that this transaction starts from can still be read (§4.2).
    let isFree = { (entry: FreeLists.Entry) in freeSpace == .used && entry.version < version }
    locked = entries.filter { !isFree($0) }
    freeBefore = SpaceRange.joined(entries.filter(isFree).map(\.range))
    // The last one added is taken first among those of equal length.
    for range in freeBefore.reversed() { allocator.add(range) }
    // If the lists say that the root is free, they cannot be trusted at all.
    if let top {
      try Self.requireInUse([top.ref, top.tableNames, top.tables, top.freePositions], excluding: freeBefore)
    }
  }

  private static func requireInUse(_ refs: [Ref], excluding free: [SpaceRange]) throws {
    for ref in refs where free.contains(where: { $0.start <= ref.rawValue && ref.rawValue < $0.end }) {
      throw WriteRefusal.spaceInUse(
        .list(Corruption(ref: ref, reason: .valueOutOfRange("position or size of free space"))))
    }
  }

  /// Bytes of nodes so far.
  package private(set) var writtenByteCount: UInt64 = 0

  // MARK: Nodes

  package func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
    let place = try reserve(UInt64(node.count))
    try pages.write(node, at: place.start)
    writtenByteCount += UInt64(node.count)
    return Ref(place.start)
  }

  private func reserve(_ byteCount: UInt64) throws -> SpaceRange {
    let size = allocator.logicalSize
    let place = try allocator.allocate(byteCount)
    if allocator.logicalSize != size { try pages.reserve(allocator.logicalSize) }
    return place
  }

  /// A node of the state before is no longer needed. Its children are not looked at.
  ///
  /// A node that is released twice, or lies in that state's free space, which damaged refs can cause, stops the commit.
  package func release(_ ref: Ref, byteSize: Int) {
    guard !isOwn(ref) else { return discard(ref, byteSize) }
    released.append(SpaceRange(ref.rawValue, count: UInt64(clamping: byteSize)))
    releasedBytes &+= UInt64(clamping: byteSize)
  }

  private func discard(_ ref: Ref, _ byteSize: Int) {
    guard hasIntermediateState else {
      misplaced = misplaced ?? ref
      return
    }
    discarded.append(SpaceRange(ref.rawValue, count: UInt64(clamping: byteSize)))
    discardedBytes &+= UInt64(clamping: byteSize)
  }

  /// Whether only this transaction can have written the node.
  func isOwn(_ ref: Ref) -> Bool {
    guard ref.rawValue < logicalSizeBefore else { return true }
    // The first range that ends after the node.
    let index = firstIndex(in: 0..<freeBefore.count) { freeBefore[$0].end > ref.rawValue }
    return index < freeBefore.count && freeBefore[index].start <= ref.rawValue
  }

  /// Releases a node of the previous state and all nodes below it.
  ///
  /// - Throws: `StorageError.corrupted` if the nodes are damaged, form a cycle, or lie in free space.
  package func releaseTree(_ root: Ref) throws {
    guard !root.isNull else { return }
    _ = try NodePath.accepts(root, in: store) { ref in
      guard hasIntermediateState || !isOwn(ref) else {
        throw StorageError.corrupted(ref, .valueOutOfRange("position or size of free space"))
      }
      // Every node takes at least eight bytes, so this ends.
      guard releasedBytes < logicalSizeBefore, discardedBytes <= writtenByteCount else {
        throw StorageError.corrupted(ref, .visitedTooOften)
      }
      let node = try Node(ref, in: store)
      if node.hasRefs { try node.requireBits("a node of refs") }
      release(node)
      return node
    }
  }

  // MARK: Intermediate states

  /// Passes all nodes so far to the system, with a top array that nothing refers to.
  ///
  /// - Parameter elements: of the top array; the logical size is filled in here.
  /// - Returns: the top array.
  func writeIntermediate(top elements: [Int64], _ nodes: NodeEncoder) throws -> Ref {
    try pages.reserve(allocator.logicalSize)
    var elements = elements
    elements[TopSlot.logicalSize.rawValue] = .tagged(allocator.logicalSize)
    let top = try nodes.integers(elements, .refs)
    try pages.flush()
    return top
  }

  /// From now on nodes are read from this store, which has all that were written so far.
  func goOn(from store: ByteStore) { (self.store, hasIntermediateState) = (store, true) }

  /// Allows the space of nodes of intermediate states to be used again. From then on only the last of these may be
  /// read.
  ///
  /// - Throws: `StorageError.corrupted` for space that was given back twice.
  func reuseDiscarded() throws {
    discarded.sort { $0.start < $1.start }
    var free = allocator.freeRanges()[...]
    var end = UInt64(0)
    for range in discarded {
      while let first = free.first, first.end <= range.start { free.removeFirst() }
      guard range.start >= end, range.end <= allocator.logicalSize, free.first.map({ $0.start >= range.end }) ?? true
      else { throw StorageError.corrupted(Ref(range.start), .valueOutOfRange("space that is given back")) }
      end = range.end
    }
    for range in SpaceRange.joined(discarded) { allocator.add(range) }
    discarded = []
  }

  // MARK: End

  /// Writes the lists of free space and the top array, and syncs everything to the disk. Nobody sees it yet.
  ///
  /// - Parameter elements: of the top array; logical size and lists are filled in here.
  /// - Returns: the top array.
  func finish(top elements: [Int64]) throws -> Ref {
    if let misplaced { throw StorageError.corrupted(misplaced, .valueOutOfRange("space that is given back")) }
    try reuseDiscarded()
    released.sort { $0.start < $1.start }
    released = SpaceRange.joined(released)
    try requireReleasedInUse()
    // The reserved space cuts at most two ranges, and growth adds one.
    let most = allocator.freeRanges().count + locked.count + released.count + 4
    let size = FreeLists.mostBytes(
      entryCount: most, topCount: elements.count, logicalSize: allocator.logicalSize, version: newestVersion)
    let place = try reserve(size)
    var elements = elements
    elements[TopSlot.logicalSize.rawValue] = .tagged(allocator.logicalSize)
    let nodes = FreeLists(try freeEntries(excluding: place)).nodes(in: place, top: elements)
    try nodes.bytes.withUnsafeBytes { try pages.write($0, at: place.start) }
    try pages.reserve(allocator.logicalSize)
    try pages.synchronize()
    return nodes.top
  }

  /// Released space was in use: this transaction may have written where it must not.
  private func requireReleasedInUse() throws {
    var free = freeBefore[...]
    for range in released {
      while let first = free.first, first.end <= range.start { free.removeFirst() }
      guard range.end > range.start, range.end <= logicalSizeBefore, free.first.map({ $0.start >= range.end }) ?? true
      else { throw StorageError.corrupted(Ref(range.start), .valueOutOfRange("space that is given back")) }
    }
  }

  /// The highest number in the list of versions.
  private var newestVersion: UInt64 { locked.reduce(version) { max($0, $1.version) } }

  private func freeEntries(excluding place: SpaceRange) throws -> [FreeLists.Entry] {
    var entries = allocator.freeRanges().map { FreeLists.Entry(range: $0, version: 0) } + locked
    entries += released.map { FreeLists.Entry(range: $0, version: version) }
    entries.sort { $0.range.start < $1.range.start }
    // Space that is free twice would be given to two nodes one day: no transaction is better than such a file.
    var end = UInt64(RawHeader.size)
    for entry in entries {
      let range = entry.range
      guard range.start >= end, range.end > range.start, range.end <= allocator.logicalSize,
        range.end <= place.start || range.start >= place.end
      else { throw StorageError.corrupted(Ref(range.start), .valueOutOfRange("space that is given back")) }
      end = range.end
    }
    return entries
  }
}
