import RealmStorage

/// Checks the list of free space, which together with the nodes must cover the file without gap or overlap
/// (Docs/Format/1-container.md §4.1, §9 checks 5–7).
struct FreeListCheck {
  let store: ByteStore
  let top: RawTop
  /// The space of nodes.
  let space: SpaceMap
  let log: FindingLog
  /// Whether entries must name existing versions. Engines of formats 2–9 restarted the count of versions when nobody
  /// else had the file open, and left the old ones in the list.
  var knowsVersions = true
  private(set) var entryCount = 0
  /// Free bytes, except those of several entries and of nodes.
  private(set) var byteCount: UInt64 = 0

  private static let start = UInt64(RawHeader.size)

  mutating func run() {
    if let positions = numbers(.freePositions), let lengths = numbers(.freeLengths) {
      checkEntries(positions, lengths, numbers(.freeVersions))
    }
    checkGaps()
  }

  private func numbers(_ slot: TopSlot) -> Node? {
    guard let node = try? RawFreeLists(top: top, store: store).list(slot) else { return nil }
    guard node.has(.integers) else {
      log.add(.freeListNode, at: place(node.ref))
      return nil
    }
    return node
  }

  private func place(_ ref: Ref?, _ position: Int? = nil) -> Finding.Place {
    Finding.Place(part: .freeList, ref: ref, position: position)
  }

  // MARK: Entries

  private mutating func checkEntries(_ positions: Node, _ lengths: Node, _ versions: Node?) {
    for other in [lengths, versions].compactMap({ $0 }) where other.count != positions.count {
      log.add(.freeListLengths, .counts(positions.count, found: other.count), at: place(other.ref))
    }
    var end: Int64 = 0
    var last: Int64 = -1
    // If there are more entries than fit in the file, they can only be zeros.
    let most = store.count / Node.headerSize
    for index in 0..<min(positions.count, lengths.count, most) {
      let (position, length) = (positions.uncheckedInt(index), lengths.uncheckedInt(index))
      entryCount += 1
      if let versions, knowsVersions, index < versions.count { checkVersion(versions, index) }
      guard checkEntry(position, length, index, positions.ref) else { continue }
      let bytes = Finding.Facts.bytes(from: UInt64(position), to: UInt64(position + length))
      if position <= last {
        log.add(.freeListOrder, bytes, at: place(positions.ref, index))
      } else if position < end {
        log.add(.freeListOverlap, bytes, at: place(positions.ref, index))
      }
      let overlapsEntry = position < end
      (last, end) = (max(last, position), max(end, position + length))
      let marked = space.mark(from: UInt64(position), length: UInt64(length))
      // Space that is listed twice counts once.
      byteCount &+= UInt64(length) &- min(marked, UInt64(length))
      if marked > 0, !overlapsEntry {
        log.add(.freeListLive, bytes, after: log.damages.space, at: place(positions.ref, index))
      }
    }
  }

  /// - Returns: whether the entry is a range of bytes at all.
  private func checkEntry(_ position: Int64, _ length: Int64, _ index: Int, _ ref: Ref) -> Bool {
    guard length > 0 else {
      log.add(.freeListEmptyEntry, .found(length), at: place(ref, index))
      return false
    }
    // The file may be shorter than its root says.
    let end = Int64(clamping: min(top.logicalSize, UInt64(store.count)))
    guard position >= Int64(Self.start), length <= end, position <= end - length else {
      log.add(.freeListOutside, .found(position), at: place(ref, index))
      return false
    }
    if position % 8 != 0 || length % 8 != 0 {
      log.add(.freeListAlignment, .bytes(from: UInt64(position), to: UInt64(position + length)), at: place(ref, index))
    }
    return true
  }

  private func checkVersion(_ versions: Node, _ index: Int) {
    let version = versions.uncheckedInt(index)
    guard version < 0 || version > Int64(clamping: top.version) else { return }
    log.add(.freeListVersion, .counts(top.version, found: version), at: place(versions.ref, index))
  }

  // MARK: Gaps

  /// Space that is neither in use nor free. What consists of whole nodes can be a leak of the engine, whose conversion
  /// of lists forgets to release some (Docs/Format/3-tables-and-objects.md §11).
  private func checkGaps() {
    let end = min(top.logicalSize, UInt64(store.count))
    space.forEachGap(from: Self.start) { gap in
      guard gap.lowerBound < end else { return }
      let gap = gap.lowerBound..<min(gap.upperBound, end)
      let kind = isMadeOfNodes(gap) ? FindingKind.freeSpaceLeftover : .freeSpaceGap
      log.add(
        kind, .bytes(from: gap.lowerBound, to: gap.upperBound),
        after: kind.severity == .error ? log.damages.space : nil,
        at: Finding.Place(part: .freeList, ref: Ref(gap.lowerBound)))
    }
  }

  private func isMadeOfNodes(_ gap: Range<UInt64>) -> Bool {
    var offset = gap.lowerBound
    while offset < gap.upperBound {
      guard let node = try? Node(Ref(offset), in: store), node.hasSignature else { return false }
      // The node lies inside the file.
      offset &+= UInt64(node.byteSize)
    }
    return offset == gap.upperBound
  }
}
