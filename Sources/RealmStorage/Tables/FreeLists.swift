/// The three lists of free space of a snapshot, unverified (Docs/Format/1-container.md §4.1).
package struct RawFreeLists {
  let top: RawTop
  let store: ByteStore

  package init(top: RawTop, store: ByteStore) { (self.top, self.store) = (top, store) }

  /// One of the lists; nil if the root has none.
  ///
  /// - Throws: `StorageError.corrupted` if it cannot be read.
  package func list(_ slot: TopSlot) throws -> Node? { try top[slot].child.map { try Node($0, in: store) } }
}

/// How much of a file is free, as the list of lengths alone says.
package struct FreeSpace: Sendable, Equatable {
  /// Entries of the free list.
  package var entryCount = 0
  /// Bytes in all entries.
  package var byteCount: UInt64 = 0

  init() {}

  /// - Throws: `StorageError.corrupted` if the list of lengths is damaged.
  init(of top: TopArray, in store: ByteStore) throws {
    guard let lengths = try RawFreeLists(top: top.raw, store: store).list(.freeLengths) else { return }
    try lengths.requireBits("lengths of free space")
    entryCount = lengths.count
    for index in 0..<lengths.count { byteCount = byteCount &+ UInt64(bitPattern: lengths.uncheckedInt(index)) }
    guard byteCount <= top.logicalSize else {
      throw StorageError.corrupted(top.freeLengths, .valueOutOfRange("bytes of free space"))
    }
  }
}

/// The free space of a snapshot, from its three lists (Docs/Format/1-container.md §4.1).
package struct FreeLists {
  package struct Entry: Hashable {
    package var range: SpaceRange
    /// The transaction that released the space; 0 if nobody can still be reading what was there.
    package var version: UInt64

    package init(range: SpaceRange, version: UInt64) { (self.range, self.version) = (range, version) }
  }

  package var entries: [Entry] = []

  init(_ entries: [Entry]) { self.entries = entries }

  /// - Throws: `StorageError.corrupted` if the lists are damaged: a writer must not trust them.
  package init(of top: TopArray, in store: ByteStore) throws {
    let raw = RawFreeLists(top: top.raw, store: store)
    guard !top.freePositions.isNull, !top.freeLengths.isNull, let positions = try raw.list(.freePositions),
      let lengths = try raw.list(.freeLengths)
    else { return }
    let versions = try raw.list(.freeVersions)
    for node in [positions, lengths, versions].compactMap({ $0 }) {
      try node.requireBits("a list of free space")
      guard node.count == positions.count else {
        throw StorageError.corrupted(node.ref, .wrongElementCount(expected: positions.count, found: node.count))
      }
    }
    entries.reserveCapacity(positions.count)
    var end = UInt64(RawHeader.size)
    for index in 0..<positions.count {
      let (start, length) = (positions.uncheckedUnsigned(index), lengths.uncheckedUnsigned(index))
      guard start >= end, start <= top.logicalSize, length <= top.logicalSize - start, start & 7 == 0, length & 7 == 0
      else { throw StorageError.corrupted(positions.ref, .valueOutOfRange("position or size of free space")) }
      // Older engines left empty entries.
      guard length > 0 else { continue }
      let version = versions.map { $0.uncheckedUnsigned(index) } ?? 0
      entries.append(Entry(range: SpaceRange(start, count: length), version: version))
      end = start + length
    }
  }

  // MARK: Writing

  /// The three lists and the top array, to be written one after the other.
  struct Nodes {
    /// Bytes of the lists and the top array.
    let bytes: [UInt8]
    /// Where the top array is.
    let top: Ref
  }

  /// How many bytes the lists and a top array take at most.
  ///
  /// - Parameters:
  ///   - logicalSize: before the lists get their place.
  ///   - version: the highest one.
  static func mostBytes(entryCount: Int, topCount: Int, logicalSize: UInt64, version: UInt64) -> UInt64 {
    // With room for one growth, which is less than 64 MiB and a mebibyte.
    let placeSize: UInt64 = logicalSize < 1 << 30 ? 4 : 8
    let versionSize: UInt64 = version < 1 << 31 ? 4 : 8
    let (entries, slots) = (UInt64(entryCount), UInt64(topCount))
    // Headers and padding of four nodes, and something that is left: free ranges are not empty.
    return (entries * (2 * placeSize + versionSize) + 8 * slots + 72) & ~7
  }

  /// Encodes the lists and the top array into the start of a range that is reserved for them; what is left of it is
  /// free (§4.6).
  ///
  /// - Parameters:
  ///   - place: larger than the nodes can become.
  ///   - top: the elements of the top array; those of the three lists are filled in here.
  func nodes(in place: SpaceRange, top: [Int64]) -> Nodes {
    var all = entries
    let rest = Entry(range: place, version: 0)
    let index = all.firstIndex { $0.range.start > place.start } ?? all.count
    all.insert(rest, at: index)
    // The rest begins somewhere in the range and is no longer than it, so the widths fit in any case.
    let bounds = [place.start, place.end].map { Int64(bitPattern: $0) }
    var positions = PackedList(all.map { $0.range.start }, holding: bounds)
    var lengths = PackedList(all.map { $0.range.byteCount }, holding: [0])
    let versions = PackedList(all.map { $0.version }, holding: [0])
    var elements = top
    var next = place.start
    for (slot, list) in zip(3..., [positions, lengths, versions]) {
      elements[slot] = Ref(next).element
      next += UInt64(list.header.nodeSize)
    }
    let topList = PackedList(elements, holding: [Int64(bitPattern: place.end)], .refs)
    let end = next + UInt64(topList.header.nodeSize)
    var bytes: [UInt8] = []
    positions.values[index] = Int64(bitPattern: end)
    lengths.values[index] = Int64(bitPattern: place.end - end)
    for list in [positions, lengths, versions, topList] { list.append(to: &bytes) }
    return Nodes(bytes: bytes, top: Ref(next))
  }

  /// A node of numbers.
  private struct PackedList {
    var values: [Int64]
    let header: NodeHeader

    init(_ values: [UInt64], holding bounds: [Int64]) {
      self.init(values.map { Int64(bitPattern: $0) }, holding: bounds)
    }

    init(_ values: [Int64], holding bounds: [Int64], _ kind: NodeHeader.Kind = []) {
      self.values = values
      let width = (values + bounds).withUnsafeBufferPointer { ElementWidth(holding: $0) }
      header = NodeHeader(kind, .bits, widthCode: width.code, count: values.count)
    }

    func append(to bytes: inout [UInt8]) {
      let start = bytes.count
      bytes += [UInt8](repeating: 0, count: header.nodeSize)
      bytes.withUnsafeMutableBytes { bytes in
        guard let node = bytes.baseAddress.map({ $0 + start }) else { return }
        values.withUnsafeBufferPointer { header.write($0, to: node) }
      }
    }
  }
}
