import RealmStorage

/// Some clusters of a table that follow each other, for checks that can be divided.
struct ClusterRun {
  /// The table, and its number in the list of tables.
  let table: CheckedTable
  let number: Int
  /// Objects or tombstones.
  let part: Finding.Part
  /// By their places in the directory.
  let clusters: Range<Int>

  var directory: ObjectDirectory { part == .tombstones ? table.tombstones : table.objects }
  var entries: ArraySlice<ObjectDirectory.Entry> { directory.entries[clusters] }
  /// Whether it is the first, or the last, of its part of the table.
  var isFirst: Bool { clusters.lowerBound == 0 }
  var isLast: Bool { clusters.upperBound == directory.entries.count }
}

extension [CheckedTable] {
  /// All clusters in order: those of a table's objects, then those of its tombstones. There is at least one run for
  /// each, which is empty if there are no clusters.
  ///
  /// - Parameter limit: clusters of one run, 1 at least.
  func clusterRuns(ofAtMost limit: Int = .max) -> [ClusterRun] {
    var runs: [ClusterRun] = []
    for (number, table) in enumerated() {
      for part in [Finding.Part.objects, .tombstones] {
        let count = (part == .tombstones ? table.tombstones : table.objects).entries.count
        var start = 0
        repeat {
          let end = count - start > limit ? start + limit : count
          runs.append(ClusterRun(table: table, number: number, part: part, clusters: start..<end))
          start = end
        } while start < count
      }
    }
    return runs
  }
}
