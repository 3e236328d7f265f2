/// Writes a search index from scratch (Docs/Format/3-tables-and-objects.md §6.4–6.7).
struct IndexBuilder {
  private let nodes: NodeEncoder
  private let collected: IndexCollector
  private let log: IndexLog
  private let isOfWords: Bool
  /// Writes the lists of objects.
  private let keyLists: BPlusTreeBuilder

  /// - Throws: as `IndexCollector.sort`.
  init(_ collected: IndexCollector, _ nodes: NodeEncoder) throws {
    (self.nodes, self.collected) = (nodes, collected)
    keyLists = BPlusTreeBuilder(.objectKey, nodes)
    try collected.sort()
    log = collected.log
    isOfWords = collected.content == .words || collected.content == .elements
  }

  /// Writes the index; afterwards the collected data is gone.
  ///
  /// - Returns: its root; an empty index has a leaf without keys.
  func write() throws -> Ref {
    defer { collected.removeAll() }
    var order: [UInt64] = []
    order.reserveCapacity(log.count)
    log.forEachPlace { order.append(sortable($0, at: 0)) }
    order.sort()
    return try level(order, at: 0)
  }

  // MARK: Levels

  /// The chunk above, the place below: sorting these sorts by chunk and keeps the order of equal ones.
  @inline(__always)
  private func sortable(_ member: IndexLog.Place, at offset: Int) -> UInt64 {
    UInt64(UInt32(bitPattern: data(member).chunk(at: offset)) ^ 0x8000_0000) << 32 | UInt64(member)
  }

  /// Writes what is below one chunk: entries that agree before `offset`.
  private func level(_ members: [IndexLog.Place], at offset: Int) throws -> Ref {
    var order = members.map { sortable($0, at: offset) }
    order.sort()
    return try level(order, at: offset)
  }

  /// - Parameter order: sorted.
  private func level(_ order: [UInt64], at offset: Int) throws -> Ref {
    var chunks: [Int64] = []
    var slots: [Int64] = []
    var first = 0
    while first < order.count {
      let chunk = order[first] >> 32
      var end = first + 1
      while end < order.count, order[end] >> 32 == chunk { end += 1 }
      chunks.append(Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: chunk) ^ 0x8000_0000)))
      if end == first + 1, !isOfWords {
        slots.append(single(IndexLog.Place(truncatingIfNeeded: order[first])))
      } else {
        let group = order[first..<end].map { IndexLog.Place(truncatingIfNeeded: $0) }
        slots.append(isOfWords ? try wordSlot(group, at: offset) : try valueSlot(group, at: offset))
      }
      first = end
    }
    return try tree(chunks, slots)
  }

  private func data(_ member: IndexLog.Place) -> IndexData { log.data(at: member) }

  private func hasSameData(_ group: [IndexLog.Place]) -> Bool {
    guard let first = group.first else { return true }
    let expected = data(first)
    return group.allSatisfy { expected == data($0) }
  }

  /// The entry for values that agree up to and including one chunk (§6.5).
  private func valueSlot(_ group: [IndexLog.Place], at offset: Int) throws -> Int64 {
    if offset + IndexData.chunkSize > IndexData.lastOffset || hasSameData(group) {
      return try list(sortedByValue(group))
    }
    return try level(group, at: offset + IndexData.chunkSize).element
  }

  /// The entry for words that agree up to and including one chunk (§6.7).
  private func wordSlot(_ group: [IndexLog.Place], at offset: Int) throws -> Int64 {
    let length = group.first.map { data($0).count } ?? 0
    guard hasSameData(group), offset + IndexData.chunkSize >= length else {
      return try level(group, at: offset + IndexData.chunkSize).element
    }
    if group.count == 1, let only = group.first { return single(only) }
    return try list(group)
  }

  private func single(_ member: IndexLog.Place) -> Int64 {
    .tagged(UInt64(bitPattern: log.key(at: member).rawValue))
  }

  /// By value, objects with equal values by their keys, in whose order the members come.
  private func sortedByValue(_ group: [IndexLog.Place]) -> [IndexLog.Place] {
    guard collected.content == .mixedValues else {
      if hasSameData(group) { return group }
      return group.sorted { left, right in
        let order = data(left).compare(data(right), nodes.format.textOrder)
        return order != 0 ? order < 0 : left < right
      }
    }
    return group.sorted { left, right in
      let order = ValueOrder.compare(
        collected.value(at: left), collected.value(at: right), ofIndexIn: nodes.format.textOrder)
      return order != 0 ? order < 0 : left < right
    }
  }

  private func list(_ group: [IndexLog.Place]) throws -> Int64 {
    for member in group { try keyLists.append(.int(log.key(at: member).rawValue)) }
    return try keyLists.finish().element
  }

  // MARK: Nodes

  /// Writes the keys and entries of one level: a leaf, or a small tree of leaves.
  private func tree(_ chunks: [Int64], _ slots: [Int64]) throws -> Ref {
    var (chunks, slots, isInner) = (chunks, slots, false)
    while true {
      var nextChunks: [Int64] = []
      var nextSlots: [Int64] = []
      for first in stride(from: 0, to: max(chunks.count, 1), by: IndexNode.mostKeys) {
        let range = first..<min(first + IndexNode.mostKeys, chunks.count)
        let node = try nodes.indexNode(chunks: Array(chunks[range]), slots: slots[range], isInner: isInner)
        guard range.count < chunks.count else { return node }
        nextSlots.append(node.element)
        // An inner node names the largest chunk of each child.
        nextChunks.append(chunks[range.upperBound - 1])
      }
      (chunks, slots, isInner) = (nextChunks, nextSlots, true)
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

extension IndexData {
  /// Bytes that the index keeps.
  fileprivate var count: Int {
    switch self {
    case .null: 0
    case .inline(_, _, let count): count
    case .bytes(let bytes): bytes.count
    }
  }

  /// The order of texts, null first. Values that share a list without being equal are texts, except in Mixed columns.
  fileprivate func compare(_ other: IndexData, _ order: TextSorting) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.bytes(let left), .bytes(let right)):
      ValueOrder.compare(.string(BlobView(left)), .string(BlobView(right)), ofIndexIn: order)
    default: 0
    }
  }
}
