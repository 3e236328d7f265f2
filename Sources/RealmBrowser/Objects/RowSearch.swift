import RealmStorage
import RealmSystem

/// A search through rows that begins at a row, and continues from the other end.
struct RowSearch {
  let pattern: TextPattern
  /// The properties to look at.
  let properties: [Int]
  let source: RowsSource

  /// The number of rows searched together when going backwards.
  private static let stride = 256

  /// - Throws: `TaskProgress.Stopped`, what opening the source throws.
  func run(
    from start: Int, _ direction: SearchDirection, count: Int, in realm: BrowsedRealm, _ progress: TaskProgress
  ) throws -> ObjectsView.FoundCell {
    var walk = try ShownRowWalk(source, in: realm, progress)
    var damage = DamageTally()
    let found: ObjectsView.FoundCell?
    switch direction {
    case .forwards:
      found =
        try first(in: start..<max(count, start), &walk, &damage)
        ?? first(in: 0..<min(start, count), &walk, &damage)
    case .backwards:
      found =
        try last(in: 0..<min(start + 1, count), &walk, &damage)
        ?? last(in: min(start + 1, count)..<count, &walk, &damage)
    }
    damage.add(rows: walk.skipped)
    return found ?? ObjectsView.FoundCell(damage: damage)
  }

  private func first(
    in range: Range<Int>, _ walk: inout ShownRowWalk, _ damage: inout DamageTally
  ) throws -> ObjectsView.FoundCell? {
    let progress = walk.progress
    var found: ObjectsView.FoundCell?
    try EarlyEnd.ends {
      try walk.forEach(range) { group in
        found = try matches(in: group, progress, &damage).first
        if found != nil { throw EarlyEnd() }
      }
    }
    return found
  }

  private func last(
    in range: Range<Int>, _ walk: inout ShownRowWalk, _ damage: inout DamageTally
  ) throws -> ObjectsView.FoundCell? {
    let progress = walk.progress
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end - Self.stride)
      var found: ObjectsView.FoundCell?
      try walk.forEach(start..<end) { group in found = try matches(in: group, progress, &damage).last ?? found }
      if let found { return found }
      end = start
    }
    return nil
  }

  /// The rows of a group that contain the text, in order, each with the first property that does.
  private func matches(
    in group: ShownRowWalk.Group, _ progress: TaskProgress, _ damage: inout DamageTally
  ) throws -> [ObjectsView.FoundCell] {
    let matcher = ValueMatcher(pattern, group.snapshot, progress)
    var first: [Int: Int] = [:]
    for property in properties {
      try matcher.match(group.batch, property: property, rows: group.rows, &damage) { row in
        if first[row] == nil { first[row] = property }
      }
    }
    return first.sorted { $0.key < $1.key }.map { row, property in
      ObjectsView.FoundCell(row: group.position + row - group.rows.lowerBound, property: property)
    }
  }
}
