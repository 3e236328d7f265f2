/// Ascending object keys in few bytes: runs of consecutive ones. The keys that the engine makes are such runs
/// (Docs/Format/3-tables-and-objects.md §4.5).
struct KeyRuns {
  /// First keys, ascending as unsigned numbers, so that those of tombstones have an order too.
  private var firstKeys: [UInt64] = []
  /// The row of each first key.
  private var firstRows: [Int] = []
  private(set) var count = 0
  private var last: UInt64 = 0

  /// - Returns: false, without any effect, unless the key is above all previous ones.
  mutating func append(_ key: ObjectKey) -> Bool {
    let number = UInt64(bitPattern: key.rawValue)
    guard count == 0 || number > last else { return false }
    if count == 0 || number != last + 1 {
      firstKeys.append(number)
      firstRows.append(count)
    }
    last = number
    count += 1
    return true
  }

  /// The row of a key; nil if it is not here.
  func row(of key: ObjectKey) -> Int? {
    let number = UInt64(bitPattern: key.rawValue)
    guard let run = lastIndex(of: firstKeys, notAbove: number) else { return nil }
    let end = run + 1 < firstRows.count ? firstRows[run + 1] : count
    let offset = number - firstKeys[run]
    return offset < UInt64(end - firstRows[run]) ? firstRows[run] + Int(offset) : nil
  }

  /// The keys of rows that are there, in order.
  func keys(_ rows: Range<Int>) -> [UInt64] {
    var result: [UInt64] = []
    result.reserveCapacity(rows.count)
    guard var run = lastIndex(of: firstRows, notAbove: rows.lowerBound) else { return result }
    for row in rows {
      if run + 1 < firstRows.count, firstRows[run + 1] == row { run += 1 }
      result.append(firstKeys[run] &+ UInt64(row - firstRows[run]))
    }
    return result
  }

  private func lastIndex<Number: Comparable>(of ascending: [Number], notAbove number: Number) -> Int? {
    let behind = firstIndex(in: 0..<ascending.count) { ascending[$0] > number }
    return behind == 0 ? nil : behind - 1
  }
}
