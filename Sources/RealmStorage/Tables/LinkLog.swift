/// The links of one column, recorded as they are written, to add the backlinks afterwards.
///
/// About four bytes per link; this and indexed values are what building a realm keeps in memory.
final class LinkLog {
  private var targets = StepLog()
  private var origins = StepLog()

  var isEmpty: Bool { targets.count == 0 }

  func append(from origin: ObjectKey, to target: ObjectKey) {
    targets.append(target.rawValue)
    origins.append(origin.rawValue)
  }

  func removeAll() {
    targets.removeAll()
    origins.removeAll()
  }

  /// The links by target, and forgets them.
  ///
  /// - Parameters:
  ///   - rowCount: number of targets.
  ///   - row: the row of a target; called twice for each link.
  /// - Throws: what `row` throws.
  func takeIncoming(_ rowCount: Int, row: (ObjectKey) throws -> Int) throws -> IncomingLinks {
    defer { (targets, origins) = (StepLog(), StepLog()) }
    // Counted, then put in place: the origins of a target stay in the order they came in.
    var ends = [Int](repeating: 0, count: rowCount)
    var reader = targets.makeReader()
    while let target = reader.next() { ends[try row(ObjectKey(rawValue: target))] += 1 }
    var total = 0
    for index in ends.indices {
      total += ends[index]
      ends[index] = total - ends[index]
    }
    var sorted = [Int64](repeating: 0, count: total)
    reader = targets.makeReader()
    var originReader = origins.makeReader()
    while let target = reader.next(), let origin = originReader.next() {
      let found = try row(ObjectKey(rawValue: target))
      sorted[ends[found]] = origin
      ends[found] += 1
    }
    return IncomingLinks(origins: sorted, ends: ends)
  }
}

/// The incoming links of all objects of a table from one column.
struct IncomingLinks {
  private let origins: [Int64]
  /// By row: the end of its part of `origins`.
  private let ends: [Int]

  init(origins: [Int64], ends: [Int]) {
    self.origins = origins
    self.ends = ends
  }

  /// - Parameter origins: by row.
  init(_ origins: [[Int64]]) {
    self.origins = Array(origins.joined())
    var end = 0
    ends = origins.map { keys in
      end += keys.count
      return end
    }
  }

  /// The keys of the objects that link to a row, one per link.
  func origins(of row: Int) -> ArraySlice<Int64> { origins[(row == 0 ? 0 : ends[row - 1])..<ends[row]] }

  /// Writes the leaf of a cluster: one element per object (Docs/Format/2-nodes-and-values.md §2.12).
  func writeLeaf(_ rows: Range<Int>, _ nodes: NodeEncoder) throws -> Ref {
    let tree = BPlusTreeBuilder(.objectKey, nodes)
    return try nodes.integers(try rows.map { try tree.incomingLinks(origins(of: $0)) }, .refs)
  }
}
