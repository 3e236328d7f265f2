import RealmStorage

/// Searching in a table of objects.
extension ObjectsView {
  /// Where a search found what it looked for.
  struct FoundCell: Sendable {
    /// Where the search began, and which way it went; nil for a search for one object.
    var origin: (row: Int, direction: SearchDirection)?
    var row: Int?
    var property: Int?
    /// Values that could not be read and so could not be looked at.
    var damagedValues = 0
  }

  func find(_ pattern: TextPattern, from position: Int, _ direction: SearchDirection) -> SearchOutcome {
    guard let count = rows?.count, count > 0 else { return .notFound }
    let (source, realm) = (shownSource, context.realm)
    let properties = columns.columns.compactMap { $0.isHidden ? nil : $0.property }
    startSearch("searching for \(pattern.text)", failure: "not found", count) { progress in
      let search = RowSearch(pattern: pattern, properties: properties, source: source)
      var found = try search.run(from: position, direction, count: count, in: realm, progress)
      found.origin = (position, direction)
      return found
    }
    return .working
  }

  /// Goes to the first row that a predicate on one property finds.
  func find(_ predicate: any ObjectPredicate, _ property: Int, named name: String) -> [Effect] {
    guard let count = rows?.count else { return [] }
    let (source, realm) = (shownSource, context.realm)
    startSearch("looking for \(name)", failure: "no object has the primary key '\(name)'", count) { progress in
      var walk = try RowWalk(source, in: realm, progress)
      var found = FoundCell()
      do {
        try walk.forEach { group in
          predicate.match(
            group.batch, rows: group.rows, in: group.snapshot, damaged: { _ in found.damagedValues += 1 }
          ) { row in
            if found.row == nil { found.row = group.position + row - group.rows.lowerBound }
          }
          if found.row != nil { throw Enough() }
        }
      } catch is Enough {
        found.property = property
      }
      return found
    }
    return collectSearch()
  }

  private struct Enough: Error {}

  private func startSearch(
    _ title: String, failure: String, _ count: Int,
    _ work: @escaping @Sendable (WorkProgress) throws -> FoundCell
  ) {
    searching?.task.progress.stop()
    let task = BackgroundTask<FoundCell>(title, total: count) { progress, _ in try work(progress) }
    searching = (task, failure)
    task.start(on: context.executor)
  }

  func collectSearch() -> [Effect] {
    guard let (task, failure) = searching else { return [] }
    switch task.state {
    case .running: return []
    case .finished(let found):
      searching = nil
      guard let row = found.row else { return [.say(.failure(failure, damagedValues: found.damagedValues))] }
      if let property = found.property, let column = columns.columns.firstIndex(where: { $0.property == property }) {
        columns.moveFocus(to: column)
      }
      let wrapped = found.origin.flatMap { Message.wrapped(from: $0.row, to: row, $0.direction) }
      return [.move(to: row)] + (wrapped.map { [.say($0)] } ?? [])
    case .stopped:
      searching = nil
      return []
    case .failed(let error):
      searching = nil
      return [.say(context.message(error))]
    }
  }
}
