import RealmStorage

/// How the bytes of a realm would be used after an app has opened it to compact it.
///
/// The SDKs commit a change of nothing before they ask the app: it drops the history that nobody can read any longer, and
/// its lists of free space may make the file longer. This does what the engine does then, without writing anything
/// (Docs/Format/1-container.md §4), down to the byte, for pages of 4 KiB. Upgrading an older format also changes objects,
/// which is left out.
package struct SpaceWhenOpened: Hashable, Sendable {
  /// All bytes that nodes and free space account for.
  package let total: UInt64
  /// What nodes do not need.
  package let free: UInt64

  /// - Throws: `StorageError.corrupted` if the lists of free space or the history are damaged.
  init(of snapshot: Snapshot) throws {
    let commit = try UnwrittenCommit(of: snapshot)
    // An opened realm gets the newest layout of its history first, in a commit of its own.
    let upgrades =
      snapshot.top != nil && !snapshot.historyKind.isSynchronized
      && (snapshot.header.format != Header.newestFormat || snapshot.historySchemaVersion == 0)
    if upgrades { try commit.run() }
    try commit.run()
    (total, free) = (commit.logicalSize, commit.free)
  }
}

extension Snapshot {
  /// - Throws: `StorageError.corrupted` if the lists of free space or the history are damaged.
  package func spaceWhenOpened() throws -> SpaceWhenOpened { try SpaceWhenOpened(of: self) }
}

/// What commits of an engine do to the space of a realm. Nodes get their places, and are gone.
private final class UnwrittenCommit: NodeOutput {
  private(set) var logicalSize: UInt64
  private(set) var free: UInt64 = 0
  private var entries: [FreeLists.Entry]
  /// Nodes that each commit writes again: root, lists, history, state of an evacuation.
  private var replaced: [SpaceRange] = []
  private var written: [SpaceRange] = []
  /// Bytes of nodes that were not walked over yet.
  private var unseen = 0
  private var version: UInt64
  /// What the history becomes; nil if it stays.
  private let history: EmptiedHistory?
  private let hasContent: Bool
  private var topCount: Int
  private var topWidth: ElementWidth
  /// Nodes are no longer put behind this place, because the file is to become shorter; nil if it is not (§4.8).
  private var limit: UInt64?
  /// Commits before that may begin.
  private var backoff: UInt64 = 0
  /// Free space that may be used, in the order of its length.
  private var chunks: [Chunk] = []
  private var behindLimit: [SpaceRange] = []

  private struct Chunk: Comparable {
    var byteCount: UInt64
    var start: UInt64
    var range: SpaceRange { SpaceRange(start, count: byteCount) }

    static func < (left: Chunk, right: Chunk) -> Bool {
      (left.byteCount, left.start) < (right.byteCount, right.start)
    }
  }

  /// Slots of the root after the commit of a current engine.
  private static let usualTopCount = TopSlot.evacuation.rawValue
  /// While nodes are in memory, the root refers to places far behind the file. It never gets narrower.
  private static let leastTopWidth = ElementWidth.bits32
  /// Smaller files are never made shorter.
  private static let leastShortened: UInt64 = 1 << 20
  private static let leastLimit: UInt64 = 1 << 16
  private static let doubledBelow: UInt64 = 1 << 20
  private static let pageSize = UInt64(PageCache.pageSize)
  private static let sectionSize = UInt64(NodeHeader.nodeSizeLimit)

  init(of snapshot: Snapshot) throws {
    let store = snapshot.store
    (logicalSize, version) = (snapshot.logicalSize, snapshot.version)
    guard let top = snapshot.top else {
      (entries, hasContent, topCount, topWidth) = ([], false, Self.usualTopCount, Self.leastTopWidth)
      history = EmptiedHistory(of: .null, in: store)
      return
    }
    entries = try FreeLists(of: top, in: store).entries
    hasContent = true
    topCount = max(top.slotCount, Self.usualTopCount)
    topWidth = max(Self.leastTopWidth, ElementWidth(ofFlags: top.raw.flags))
    history = top.historyKind.isSynchronized ? nil : EmptiedHistory(of: top.history, in: store)
    unseen = store.count
    replaced.append(SpaceRange(top.ref.rawValue, count: UInt64(top.raw.slots.byteSize)))
    for list in [top.freePositions, top.freeLengths, top.freeVersions] { try replace(list, of: snapshot) }
    if history != nil { try replace(top.history, of: snapshot) }
    try startShortening(top.raw[.evacuation], listsAt: top.freePositions, of: snapshot)
  }

  private func replace(_ root: Ref, of snapshot: Snapshot) throws {
    guard !root.isNull else { return }
    let store = snapshot.store
    _ = try NodePath.accepts(root, in: store, evictPages: { try snapshot.releasePages() }) { ref in
      let node = try Node(ref, in: store)
      unseen -= node.byteSize
      guard unseen >= 0 else { throw StorageError.corrupted(ref, .visitedTooOften) }
      replaced.append(SpaceRange(ref.rawValue, count: UInt64(node.byteSize)))
      return node
    }
  }

  private func startShortening(_ state: RefOrTagged, listsAt lists: Ref, of snapshot: Snapshot) throws {
    if state.isTagged { limit = state.tagged }
    guard let child = state.child else { return }
    let node = try Node(child, in: snapshot.store)
    try node.requireBits("the state of an evacuation")
    try replace(child, of: snapshot)
    guard node.count >= 2 else { return }
    (limit, backoff) = (node.uncheckedUnsigned(0), node.uncheckedUnsigned(1))
    if backoff > 0 { backoff -= 1 }
    if limit == 0 { limit = nil }
    if let reached = limit, lists.rawValue > reached { (limit, backoff) = (nil, 10) }
  }

  // MARK: Commit

  func run() throws {
    version += 1
    // Nobody else reads: all that is free in the state before may be used (§4.2).
    var usable: [SpaceRange] = []
    let locked = entries.filter { $0.version >= version }
    behindLimit = []
    for range in entries.filter({ $0.version < version }).map(\.range) {
      guard let limit, range.end > limit else {
        usable.append(range)
        continue
      }
      if range.start < limit { usable.append(SpaceRange(range.start, to: limit)) }
      behindLimit.append(SpaceRange(max(range.start, limit), to: range.end))
    }
    behindLimit = SpaceRange.joined(behindLimit)
    chunks = SpaceRange.joined(usable).map { Chunk(byteCount: $0.byteCount, start: $0.start) }.sorted()
    try writeNodes()
    let state = try writeState()
    var released = SpaceRange.joined(replaced.sorted { $0.start < $1.start })
    let size = try mostBytes(entryCount: chunks.count + locked.count + released.count + behindLimit.count + 10)
    let place = try chunk(for: size + 8)
    if let last = behindLimit.last, behindLimit.count == 1, last.end == logicalSize {
      shorten(to: last.start)
      released += state
    } else {
      written += state
    }
    try finish(in: place, reserved: size, locked, released)
  }

  private func writeNodes() throws {
    let nodes = NodeEncoder(self)
    // Names of tables, and tables, which later commits do not replace.
    if !hasContent { for _ in 0..<2 { _ = try nodes.integers([]) } }
    written = []
    _ = try history?.write(to: nodes)
  }

  /// The node of an evacuation that goes on.
  private func writeState() throws -> [SpaceRange] {
    guard limit != nil || backoff > 0 else { return [] }
    // Nothing lies behind the limit that could be moved: the next look is much later.
    if backoff == 0 { backoff = 1000 }
    let kept = written
    defer { written = kept }
    _ = try NodeEncoder(self).integers([limit ?? 0, backoff].map { Int64(clamping: $0) })
    return Array(written[kept.count...])
  }

  private func shorten(to end: UInt64) {
    logicalSize = (end + Self.pageSize - 1) / Self.pageSize * Self.pageSize
    behindLimit = logicalSize > end ? [SpaceRange(end, to: logicalSize)] : []
    limit = nil
  }

  private func mostBytes(entryCount: Int) throws -> UInt64 {
    let entrySize: UInt64 = logicalSize < 1 << 27 ? 16 : 24
    let size = UInt64(8 + 8 * topCount) + entrySize * UInt64(entryCount)
    guard size + 8 <= Self.sectionSize else {
      throw StorageError.corrupted(.null, .tooManyElements(entryCount))
    }
    return size
  }

  /// The lists and the root, of which only the sizes matter.
  private func finish(
    in place: Chunk, reserved size: UInt64, _ locked: [FreeLists.Entry], _ released: [SpaceRange]
  ) throws {
    var all = chunks.map { FreeLists.Entry(range: $0.range, version: 0) } + locked
    all += released.map { FreeLists.Entry(range: $0, version: version) }
    all += behindLimit.map { FreeLists.Entry(range: $0, version: 0) }
    all.sort { $0.range.start < $1.range.start }
    free = all.reduce(0) { $0 &+ $1.range.byteCount } &- place.byteCount
    let notYetFree = (locked.map(\.range) + released).reduce(0) { $0 &+ $1.byteCount }
    considerShortening(free: free &+ place.byteCount &- size &- notYetFree)
    let numbers = [logicalSize, version].map { Int64.tagged($0) } + [Int64(clamping: place.start + size)]
    topWidth = max(topWidth, numbers.withUnsafeBufferPointer { ElementWidth(holding: $0) })
    let lists = [
      all.map(\.range.start) + [place.start + size], all.map(\.range.byteCount), all.map(\.version),
    ]
    var used = NodeHeader(.refs, .bits, widthCode: topWidth.code, count: topCount).nodeSize
    for list in lists {
      let width = list.map { Int64(clamping: $0) }.withUnsafeBufferPointer { ElementWidth(holding: $0) }
      used += NodeHeader([], .bits, widthCode: width.code, count: all.count).nodeSize
    }
    let end = place.start + UInt64(used)
    free &+= place.range.end &- end
    entries = all.map { entry in
      entry.range.start == place.start
        ? FreeLists.Entry(range: SpaceRange(end, to: place.range.end), version: 0) : entry
    }
    replaced = written + [SpaceRange(place.start, to: end)]
  }

  /// With much free space, the next commits move nodes to the front.
  private func considerShortening(free: UInt64) {
    guard logicalSize >= Self.leastShortened, limit == nil, backoff == 0, free < logicalSize else { return }
    let used = logicalSize - free
    guard free > 2 &* used else { return }
    let end = (used + used / 2 + Self.pageSize - 1) / Self.pageSize * Self.pageSize
    (limit, topCount) = (max(Self.leastLimit, end), TopSlot.evacuation.rawValue + 1)
  }

  // MARK: Space

  func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
    let size = UInt64(node.count)
    let found = try chunk(for: size)
    remove(found)
    insert(Chunk(byteCount: found.byteCount - size, start: found.start + size))
    written.append(SpaceRange(found.start, count: size))
    return Ref(found.start)
  }

  /// Free space that begins with a place for a node, found as the engine does (§4.4).
  private func chunk(for byteCount: UInt64) throws -> Chunk {
    if let found = search(byteCount) { return found }
    if !behindLimit.isEmpty {
      for range in behindLimit { insert(Chunk(byteCount: range.byteCount, start: range.start)) }
      (behindLimit, limit, backoff) = ([], nil, 10)
      if let found = search(byteCount) { return found }
    }
    while true { if let found = place(byteCount, in: try grow(by: byteCount)) { return found } }
  }

  private func search(_ byteCount: UInt64) -> Chunk? {
    var index = index(ofLeast: byteCount)
    while index < chunks.count {
      let length = chunks[index].byteCount
      if length == byteCount || length >= 2 * byteCount {
        if let found = place(byteCount, in: chunks[index]) { return found }
        index += 1
      } else {
        index = self.index(ofLeast: 2 * byteCount)
      }
    }
    return nil
  }

  /// The chunk from the first place on where a node does not cross a section's end; what comes before it becomes another.
  private func place(_ byteCount: UInt64, in chunk: Chunk) -> Chunk? {
    var start = chunk.start
    while start + byteCount <= chunk.range.end {
      let section = (start / Self.sectionSize + 1) * Self.sectionSize
      guard start + byteCount > section else {
        guard start > chunk.start else { return chunk }
        let found = Chunk(byteCount: chunk.range.end - start, start: start)
        remove(chunk)
        insert(Chunk(byteCount: start - chunk.start, start: chunk.start))
        insert(found)
        return found
      }
      start = section
    }
    return nil
  }

  /// Makes the realm longer (§4.5).
  ///
  /// - Returns: the space that was added.
  private func grow(by byteCount: UInt64) throws -> Chunk {
    let step = logicalSize < Self.doubledBelow ? logicalSize : Self.doubledBelow
    let wanted = logicalSize + max(step, byteCount)
    let section = (wanted + Self.sectionSize - 1) / Self.sectionSize * Self.sectionSize
    let grown = min((wanted + Self.pageSize - 1) / Self.pageSize * Self.pageSize, section)
    guard grown < 1 << 46 else { throw StorageError.corrupted(.null, .valueOutOfRange("size of the file")) }
    let added = Chunk(byteCount: grown - logicalSize, start: logicalSize)
    insert(added)
    logicalSize = grown
    return added
  }

  private func index(ofLeast byteCount: UInt64) -> Int {
    firstIndex(in: 0..<chunks.count) { chunks[$0].byteCount >= byteCount }
  }

  private func insert(_ chunk: Chunk) {
    guard chunk.byteCount > 0 else { return }
    chunks.insert(chunk, at: firstIndex(in: 0..<chunks.count) { chunks[$0] >= chunk })
  }

  private func remove(_ chunk: Chunk) {
    let index = firstIndex(in: 0..<chunks.count) { chunks[$0] >= chunk }
    if index < chunks.count, chunks[index] == chunk { chunks.remove(at: index) }
  }
}
