/// Where the nodes of a write transaction go: into free space of the file, or behind its end.
///
/// What stood there before the transaction stays where it is, and is what everybody sees until the commit. Nodes that
/// the new state no longer needs are handed to `release`; a later transaction may use their place.
public final class TransactionOutput: NodeOutput {
  private let store: ByteStore
  private let pages: any RealmPages
  private var allocator: SpaceAllocator
  /// Space that other versions may need: entries of the free list that must stay as they are.
  private let locked: [FreeLists.Entry]
  private var released: [SpaceRange] = []
  private let version: UInt64

  /// - Parameters:
  ///   - version: of the transaction.
  ///   - top: the root of the state it starts from; nil in a file without content.
  init(_ pages: any RealmPages, version: UInt64, top: TopArray?, in store: ByteStore) throws {
    (self.store, self.pages, self.version) = (store, pages, version)
    allocator = SpaceAllocator(logicalSize: top?.logicalSize ?? UInt64(RawHeader.size))
    var locked: [FreeLists.Entry] = []
    for entry in try top.map({ try FreeLists(of: $0, in: store) })?.entries ?? [] {
      // Nobody else has the file open: only the state that this transaction starts from can still be read (§4.2).
      if entry.version < version { allocator.add(entry.range) } else { locked.append(entry) }
    }
    self.locked = locked
  }

  /// Bytes of nodes so far.
  public private(set) var writtenByteCount: UInt64 = 0

  // MARK: Nodes

  public func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
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
  public func release(_ ref: Ref, byteSize: Int) {
    released.append(SpaceRange(ref.rawValue, count: UInt64(byteSize)))
  }

  /// A node of the state before, and all below it, is no longer needed.
  ///
  /// - Throws: `StorageError.corrupted` where the nodes are damaged or lead in circles.
  public func releaseTree(_ root: Ref) throws {
    guard !root.isNull else { return }
    var pending = [root]
    // Every node takes eight bytes at least.
    var nodesLeft = store.count / Node.headerSize
    while let ref = pending.popLast() {
      nodesLeft -= 1
      guard nodesLeft >= 0 else { throw StorageError.corrupted(ref, .visitedTooOften) }
      let node = try Node(ref, in: store)
      release(ref, byteSize: node.byteSize)
      guard node.hasRefs else { continue }
      try node.requireBits("a node with references")
      for index in 0..<node.count {
        let element = RefOrTagged(node.uncheckedInt(index))
        if !element.isTagged, !element.ref.isNull { pending.append(element.ref) }
      }
    }
  }

  // MARK: End

  /// Writes the lists of free space and the top array, and brings everything to the disk. Nobody sees it yet.
  ///
  /// - Parameter elements: of the top array; logical size and lists are filled in here.
  /// - Returns: the top array.
  func finish(top elements: [Int64]) throws -> Ref {
    // A range that is reserved changes the number of entries by two at most, and growth by one.
    let most = allocator.chunkCount + locked.count + released.count + 8
    let size = FreeLists.mostBytes(entryCount: most, topCount: elements.count)
    let place = try reserve(size)
    var elements = elements
    elements[2] = Int64(bitPattern: allocator.logicalSize << 1 | 1)
    let nodes = FreeLists(try freeEntries()).nodes(in: place, top: elements)
    try nodes.bytes.withUnsafeBytes { try pages.write($0, at: place.start) }
    try pages.reserve(allocator.logicalSize)
    try pages.synchronize()
    return nodes.top
  }

  private func freeEntries() throws -> [FreeLists.Entry] {
    let given = SpaceRange.joined(released.sorted { $0.start < $1.start })
    var entries = allocator.freeRanges().map { FreeLists.Entry(range: $0, version: 0) } + locked
    entries += given.map { FreeLists.Entry(range: $0, version: version) }
    entries.sort { $0.range.start < $1.range.start }
    // What is free twice would be given to two nodes one day: better no transaction than such a file.
    var end = UInt64(RawHeader.size)
    for entry in entries {
      guard entry.range.start >= end, entry.range.end <= allocator.logicalSize else {
        throw StorageError.corrupted(Ref(entry.range.start), .valueOutOfRange("space that is given back"))
      }
      end = entry.range.end
    }
    return entries
  }
}
