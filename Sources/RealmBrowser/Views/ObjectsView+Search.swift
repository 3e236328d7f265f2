import RealmStorage
import RealmSystem

/// Searching in a table of objects.
extension ObjectsView {
  /// Where a search found a match.
  struct FoundCell: Sendable {
    /// Where the search began, and in which direction; nil for a search for one object.
    var origin: (row: Int, direction: SearchDirection)?
    var row: Int?
    var property: Int?
    /// Values that could not be read and so could not be looked at.
    var damage = DamageTally()
    /// Where the requested object is, if it is not one of those shown.
    var elsewhere: Elsewhere?
  }

  enum Elsewhere: Sendable {
    /// It is hidden by the filter.
    case filtered
    /// It belongs to the class, but not to the objects that this view is about.
    case outside
  }

  /// The object to jump to.
  enum Wanted {
    case primaryKey(String)
    case key(ObjectKey)

    fileprivate var name: String {
      switch self {
      case .primaryKey(let text): "'\(text)'"
      case .key(let key): "object #\(key.rawValue)"
      }
    }

    /// Why it cannot be jumped to.
    fileprivate func failure(_ elsewhere: Elsewhere?) -> String {
      let object =
        switch self {
        case .primaryKey: "the object with the primary key \(name)"
        case .key: name
        }
      switch (elsewhere, self) {
      case (.filtered, _): return "the filter hides \(object)"
      case (.outside, _): return "\(object) is not among those shown here"
      case (nil, .primaryKey): return "no object has the primary key \(name)"
      case (nil, .key): return "no \(name)"
      }
    }
  }

  func find(_ pattern: TextPattern, from position: Int, _ direction: SearchDirection) -> SearchOutcome {
    guard let count = rows?.count, count > 0 else { return .notFound }
    let (source, realm) = (shownSource, context.realm)
    let properties = columns.columns.compactMap { $0.isHidden ? nil : $0.property }
    startSearch("searching for \(pattern.text)", failure: { _ in "not found" }, count) { progress in
      let search = RowSearch(pattern: pattern, properties: properties, source: source)
      var found = try search.run(from: position, direction, count: count, in: realm, progress)
      found.origin = (position, direction)
      return found
    }
    return .working
  }

  /// Goes to the first row that matches a predicate; if there is none, finds out whether there is such an object at
  /// all.
  ///
  /// - Parameters:
  ///   - property: the column that gets the focus.
  ///   - wanted: what was searched for, for messages.
  func find(_ predicate: any ObjectPredicate, _ property: Int?, _ wanted: Wanted) -> [Effect] {
    guard let table, let count = rows?.count else { return [] }
    if !arrangement.filters.isEmpty, work != nil {
      return [.say(.info("still filtering; jump when done"))]
    }
    var places: [(source: RowsSource, elsewhere: Elsewhere?)] = [(shownSource, nil)]
    if !arrangement.filters.isEmpty { places.append((source, arrangement.subject == nil ? .filtered : .outside)) }
    if source != .table(table.schema.name) { places.append((.table(table.schema.name), .outside)) }
    let (realm, sources) = (context.realm, places)
    startSearch("looking for \(wanted.name)", failure: { wanted.failure($0.elsewhere) }, count) { progress in
      var damage = DamageTally()
      for place in sources {
        var walk = try ShownRowWalk(place.source, in: realm, progress)
        var found = try Self.first(&walk, predicate)
        found.property = property
        found.elsewhere = found.row == nil ? nil : place.elsewhere
        damage.merge(found.damage)
        if found.row != nil { return found }
      }
      return FoundCell(damage: damage)
    }
    return collectSearch()
  }

  private static func first(_ walk: inout ShownRowWalk, _ predicate: any ObjectPredicate) throws -> FoundCell {
    let progress = walk.progress
    var found = FoundCell()
    try EarlyEnd.ends {
      try walk.forEach { group in
        let matcher = try predicate.matcher(of: group.batch.table, in: group.snapshot, progress)
        var row: Int?
        try matcher.match(group.batch, rows: group.rows, &found.damage) { row = row ?? $0 }
        found.row = row.map { group.position + $0 - group.rows.lowerBound }
        if found.row != nil { throw EarlyEnd() }
      }
    }
    return found
  }

  private func startSearch(
    _ title: String, failure: @escaping (FoundCell) -> String, _ count: Int,
    _ work: @escaping @Sendable (TaskProgress) throws -> FoundCell
  ) {
    searching?.task.progress.stop()
    searching = (context.start(title, total: count) { progress, _ in try work(progress) }, failure)
  }

  func collectSearch() -> [Effect] {
    guard let (task, failure) = searching else { return [] }
    return task.collect(context) {
      searching = nil
    } finished: { found in
      guard let row = found.row, found.elsewhere == nil else {
        return [.say(.failure(failure(found), found.damage))]
      }
      if let property = found.property, let column = columns.columns.firstIndex(where: { $0.property == property }) {
        columns.moveFocus(to: column)
      }
      guard let origin = found.origin else { return [.move(to: row)] }
      return Message.ofSearch(from: origin.row, to: row, origin.direction)
    }
  }
}
