/// Writes a search index from scratch (Docs/Format/3-tables-and-objects.md §6.4–6.7), from entries in its order.
///
/// Levels that are open are those on the path to the last value; a level is written when a value comes that is not below it.
final class IndexBuilder {
  private let nodes: NodeEncoder
  private let collected: IndexCollector
  private let content: IndexCollector.Content
  /// Writes the lists of objects.
  private let keyLists: BPlusTreeBuilder
  /// By the number of the chunk.
  private var levels: [Level] = []
  private let value = IndexedValue()

  /// The chunks of a level and what they refer to, so far.
  private final class Level {
    let chunks = StepLog()
    let slots = StepLog()

    func append(_ chunk: Int32, _ slot: Int64) {
      chunks.append(Int64(chunk))
      slots.append(slot)
    }

    func removeAll() {
      chunks.removeAll()
      slots.removeAll()
    }
  }

  init(_ collected: IndexCollector, _ nodes: NodeEncoder) {
    (self.nodes, self.collected) = (nodes, collected)
    keyLists = BPlusTreeBuilder(.objectKey, nodes)
    content = collected.content
  }

  /// Writes the index; afterwards the collected data is gone.
  ///
  /// - Returns: its root; an empty index has a leaf without keys.
  /// - Throws: as `IndexCollector.sortedEntries`; what the output throws.
  func write() throws -> Ref {
    defer { collected.removeAll() }
    let entries = try collected.sortedEntries()
    var isThere = try entries.advance()
    /// The number of chunks that a value has in common with the one before.
    var before = 0
    while isThere {
      value.take(entries.data)
      let first = entries.key
      var (count, isSame, behind) = (1, true, 0)
      while true {
        isThere = try entries.advance()
        guard isThere else { break }
        if !(entries.data == value.data) {
          behind = common(with: entries.data)
          guard !content.distinguishes(at: behind * IndexData.chunkSize) else { break }
          (isSame, behind) = (false, 0)
        }
        if count == 1 { try keyLists.append(.int(first.rawValue)) }
        try keyLists.append(.int(entries.key.rawValue))
        count += 1
      }
      let slot: Int64 =
        count == 1 ? .tagged(UInt64(bitPattern: first.rawValue)) : try keyLists.finish().element
      try add(slot, atLevel: level(before, behind, isSame), keeping: behind)
      before = behind
    }
    while levels.count < 1 { levels.append(Level()) }
    return try tree(levels[0])
  }

  /// The level whose chunk tells a value from those before and behind it (§6.5); words end at their last chunk (§6.7).
  private func level(_ before: Int, _ behind: Int, _ isSame: Bool) -> Int {
    guard isSame else { return IndexData.lastOffset / IndexData.chunkSize }
    let least = content.isOfWords ? max(value.data.count - 1, 0) / IndexData.chunkSize : 0
    return max(before, behind, least)
  }

  /// How many chunks the value has in common with another.
  private func common(with other: IndexData) -> Int {
    var number = 0
    while content.distinguishes(at: number * IndexData.chunkSize),
      value.chunk(number) == other.chunk(at: number * IndexData.chunkSize)
    { number += 1 }
    return number
  }

  /// Adds the entry for the value, and writes the levels that are complete then.
  ///
  /// - Parameter last: the number of the lowest level that stays open.
  private func add(_ slot: Int64, atLevel lowest: Int, keeping last: Int) throws {
    while levels.count <= lowest { levels.append(Level()) }
    levels[lowest].append(value.chunk(lowest), slot)
    for number in stride(from: lowest, to: last, by: -1) {
      let root = try tree(levels[number])
      levels[number].removeAll()
      levels[number - 1].append(value.chunk(number - 1), root.element)
    }
  }

  // MARK: Nodes

  /// Writes the keys and entries of one level: a leaf, or a small tree of leaves.
  private func tree(_ level: Level) throws -> Ref {
    var (chunkReader, slotReader) = (level.chunks.makeReader(), level.slots.makeReader())
    var (upperChunks, upperSlots): ([Int64], [Int64]) = ([], [])
    var (chunks, slots): ([Int64], [Int64]) = ([], [])
    var rest = level.chunks.count
    repeat {
      while chunks.count < IndexNode.mostKeys, let chunk = chunkReader.next(), let slot = slotReader.next() {
        chunks.append(chunk)
        slots.append(slot)
      }
      rest -= chunks.count
      let node = try nodes.indexNode(chunks: chunks, slots: slots[...], isInner: false)
      if rest == 0, upperSlots.isEmpty { return node }
      // An inner node names the largest chunk of each child.
      upperChunks.append(chunks[chunks.count - 1])
      upperSlots.append(node.element)
      chunks.removeAll(keepingCapacity: true)
      slots.removeAll(keepingCapacity: true)
    } while rest > 0
    return try tree(upperChunks, upperSlots)
  }

  /// Writes the inner nodes over leaves.
  private func tree(_ chunks: [Int64], _ slots: [Int64]) throws -> Ref {
    var (chunks, slots) = (chunks, slots)
    while true {
      var nextChunks: [Int64] = []
      var nextSlots: [Int64] = []
      for first in stride(from: 0, to: max(chunks.count, 1), by: IndexNode.mostKeys) {
        let range = first..<min(first + IndexNode.mostKeys, chunks.count)
        let node = try nodes.indexNode(chunks: Array(chunks[range]), slots: slots[range], isInner: true)
        guard range.count < chunks.count else { return node }
        nextSlots.append(node.element)
        nextChunks.append(chunks[range.upperBound - 1])
      }
      (chunks, slots) = (nextChunks, nextSlots)
    }
  }
}

/// A copy of what an index keeps of a value.
private final class IndexedValue {
  private(set) var data = IndexData.null
  /// Has the bytes of it.
  private var room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 8, alignment: 16)

  deinit { room.deallocate() }

  func take(_ data: IndexData) {
    guard case .bytes(let bytes) = data else { return self.data = data }
    if bytes.count > room.count {
      room.deallocate()
      room = .allocate(byteCount: bytes.count, alignment: 16)
    }
    room.copyMemory(from: bytes)
    self.data = .bytes(UnsafeRawBufferPointer(rebasing: room[..<bytes.count]))
  }

  /// - Parameter number: from 0.
  func chunk(_ number: Int) -> Int32 { data.chunk(at: number * IndexData.chunkSize) }
}

extension IndexData {
  /// Bytes that the index keeps.
  fileprivate var count: Int {
    switch self {
    case .null: 0
    case .inline(_, _, let count): count
    case .bytes(let bytes): bytes.count
    }
  }
}

extension NodeEncoder {
  /// Writes a node of a search index (§6.4).
  ///
  /// - Parameter slots: what the chunks refer to, elements of a node of refs.
  func indexNode(chunks: [Int64], slots: some Sequence<Int64>, isInner: Bool) throws -> Ref {
    // The engine reads these keys at this width, whatever they are.
    let keys = try integers(chunks, width: .bits32)
    return try integers([keys.element] + slots, isInner ? [.inner, .refs, .context] : [.refs, .context])
  }
}
