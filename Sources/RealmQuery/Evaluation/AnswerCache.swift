import RealmStorage

/// The answers of a condition about the objects of one table, a bit for each: links lead to the same objects again and
/// again, and the answer never depends on where the link started.
///
/// Answers are kept twice: by batch, as conditions give them, and by 256 successive keys, where an answer is found without
/// looking for the object.
final class AnswerCache {
  private struct Entry {
    let batch: ObjectBatch
    /// Rows that were asked about.
    var known = RowMask()
    var holds = RowMask()
    var unreadable = RowMask()
    var error: StorageError?
    var questionCount = 0
  }

  /// What is known of the objects whose keys differ in their last eight bits only.
  private struct KeyGroup {
    /// The upper bits of the keys; no key has those of a free place.
    var number = UInt64.max
    /// The entry that has one of them.
    var entry = 0
    var known = RowMask()
    var holds = RowMask()
  }

  /// Batches that are remembered at most.
  private let mostEntries: Int
  private var entries: [Entry] = []
  private var indexes: [UInt64: Int] = [:]
  private let groups: UnsafeMutableBufferPointer<KeyGroup>

  /// - Parameters:
  ///   - count: number of caches that share the memory of one query.
  ///   - objectCount: about how many objects the table has.
  init(sharedBy count: Int, objectCount: Int) {
    let share = 1 << (Int.bitWidth - max(count, 1).leadingZeroBitCount)
    mostEntries = max((1 << 17) / share, 64)
    // Of a table with gaps between its keys each object may have a place of its own.
    let useful = min(max(objectCount >> 8, 1 << 12), max(objectCount, 1))
    let groupCount = min(max(useful, 64), max((1 << 17) / share, 64))
    groups = .allocate(capacity: 1 << (Int.bitWidth - (groupCount - 1).leadingZeroBitCount))
    groups.initialize(repeating: KeyGroup())
  }

  deinit { groups.deallocate() }

  func removeAll() {
    entries.removeAll()
    indexes.removeAll()
    groups.update(repeating: KeyGroup())
  }

  /// Whether a condition is true for an object; nil if no such object exists.
  ///
  /// - Throws: `StorageError` if it cannot be known.
  @inline(__always)
  func answer(_ condition: Condition, _ table: Table, _ key: ObjectKey, _ evaluator: Evaluator) throws -> Bool? {
    let (number, bit) = Self.place(of: key)
    let group = group(number)
    if group.pointee.number == number, group.pointee.known.contains(bit) { return group.pointee.holds.contains(bit) }
    return try findAnswer(condition, table, key, evaluator)
  }

  @inline(__always)
  private static func place(of key: ObjectKey) -> (number: UInt64, bit: Int) {
    let bits = UInt64(bitPattern: key.rawValue)
    return (bits >> 8, Int(truncatingIfNeeded: bits & 0xff))
  }

  @inline(__always)
  private func group(_ number: UInt64) -> UnsafeMutablePointer<KeyGroup> {
    groups.baseAddress.unsafelyUnwrapped + Int(truncatingIfNeeded: number) & (groups.count &- 1)
  }

  @inline(never)
  private func findAnswer(
    _ condition: Condition, _ table: Table, _ key: ObjectKey, _ evaluator: Evaluator
  ) throws -> Bool? {
    let (number, _) = Self.place(of: key)
    let known = group(number).pointee
    if known.number == number, known.entry < entries.count, let row = entries[known.entry].batch.row(of: key) {
      return try answer(condition, known.entry, row, evaluator)
    }
    try evaluator.walk.spend(LinkPath.lookupCost)
    guard let found = try table.object(key) else { return nil }
    let index: Int
    if let known = indexes[found.batch.place] {
      index = known
    } else {
      if entries.count >= mostEntries { removeAll() }
      index = entries.count
      entries.append(Entry(batch: found.batch))
      indexes[found.batch.place] = index
    }
    return try answer(condition, index, found.row, evaluator)
  }

  private func answer(_ condition: Condition, _ index: Int, _ row: Int, _ evaluator: Evaluator) throws -> Bool {
    if !entries[index].known.contains(row) {
      entries[index].questionCount += 1
      try evaluator.walk.spend(LinkPath.lookupCost)
      let batch = entries[index].batch
      // A single object may be all that is asked for; a second one means that there will be more.
      let asked =
        condition.isCheap && entries[index].questionCount > 1
        ? RowMask(first: batch.count).subtracting(entries[index].known) : RowMask(row: row)
      let (holds, unreadable) = evaluator.answers(of: condition, batch, asked)
      // The condition may have come here before by another way.
      guard index < entries.count, entries[index].batch.place == batch.place else { return holds.contains(row) }
      entries[index].known = entries[index].known.union(asked)
      entries[index].holds = entries[index].holds.union(holds)
      entries[index].unreadable = entries[index].unreadable.union(unreadable)
      if !unreadable.isEmpty { entries[index].error = evaluator.lastError }
    }
    if entries[index].unreadable.contains(row) {
      throw entries[index].error ?? .corrupted(Ref.null, .missingNode)
    }
    keep(index, row)
    return entries[index].holds.contains(row)
  }

  /// Keeps what is known of a batch by keys, as far as they are in the same group as that of a row.
  private func keep(_ index: Int, _ row: Int) {
    let batch = entries[index].batch
    let readable = entries[index].known.subtracting(entries[index].unreadable)
    let holds = entries[index].holds
    let (number, _) = Self.place(of: batch.key(at: row))
    let group = group(number)
    if group.pointee.number != number { group.pointee = KeyGroup(number: number) }
    group.pointee.entry = index
    /// Whether the key is one of the group's.
    func keep(_ row: Int) -> Bool {
      let (other, bit) = Self.place(of: batch.key(at: row))
      guard other == number else { return false }
      guard readable.contains(row) else { return true }
      group.pointee.known.insert(bit)
      if holds.contains(row) { group.pointee.holds.insert(bit) }
      return true
    }
    // Keys are in order.
    for row in row..<batch.count { guard keep(row) else { break } }
    for row in (0..<row).reversed() { guard keep(row) else { break } }
  }
}
