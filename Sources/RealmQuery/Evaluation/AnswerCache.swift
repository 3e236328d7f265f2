import RealmStorage

/// The answers of a condition about the objects of one table, a bit for each: links lead to the same objects again and
/// again, and the answer never depends on where the link started.
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

  /// Batches that are remembered at most.
  private let mostEntries: Int
  private let directSize: Int

  private var entries: [Entry] = []
  private var indexes: [UInt64: Int] = [:]
  /// By the upper bits of an object's key, the entry that has it, plus one.
  private var direct: [Int32]

  /// - Parameter count: number of caches that share the memory of one query.
  init(sharedBy count: Int) {
    let share = 1 << (Int.bitWidth - max(count, 1).leadingZeroBitCount)
    mostEntries = max((1 << 17) / share, 64)
    directSize = min(max((1 << 18) / share, 64), 1 << 12)
    direct = [Int32](repeating: 0, count: directSize)
  }

  func removeAll() {
    entries.removeAll()
    indexes.removeAll()
    direct = [Int32](repeating: 0, count: directSize)
  }

  /// Whether a condition is true for an object; nil if no such object exists.
  ///
  /// - Throws: `StorageError` if it cannot be known.
  func answer(_ condition: Condition, _ table: Table, _ key: ObjectKey, _ evaluator: Evaluator) throws -> Bool? {
    let place = Int(truncatingIfNeeded: key.rawValue >> 8) & (directSize - 1)
    let candidate = Int(direct[place]) - 1
    if candidate >= 0, let row = entries[candidate].batch.row(of: key) {
      if entries[candidate].known.contains(row), !entries[candidate].unreadable.contains(row) {
        return entries[candidate].holds.contains(row)
      }
      return try answer(condition, candidate, row, evaluator)
    }
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
    direct[place] = Int32(index + 1)
    return try answer(condition, index, found.row, evaluator)
  }

  private func answer(_ condition: Condition, _ index: Int, _ row: Int, _ evaluator: Evaluator) throws -> Bool {
    if !entries[index].known.contains(row) {
      entries[index].questionCount += 1
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
    return entries[index].holds.contains(row)
  }
}
