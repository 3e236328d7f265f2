import RealmStorage

/// What a filter and a sort order make of a source of objects.
struct ShownRows: Sendable {
  var keys: [ObjectKey] = []
  /// Rows left out because they are not objects, or not readable.
  var skipped = 0
  /// Values that could not be read and so could not match or be put in order.
  var damagedValues = 0

  /// What of it is worth a remark; nil where everything could be read.
  var remark: String? {
    var parts: [String] = []
    if skipped > 0 { parts.append(CountText.counted(skipped, "row") + " without an object hidden") }
    if damagedValues > 0 { parts.append(CountText.counted(damagedValues, "value") + " could not be read") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// How a view of objects differs from all of them in their own order.
struct RowsArrangement: Sendable {
  /// What the view is about, and no key drops: the objects with one value.
  var subject: (any ObjectPredicate)?
  var predicate: (any ObjectPredicate)?
  /// What was typed for the predicate.
  var predicateText = ""
  /// Index of the property sorted by.
  var sortProperty: Int?
  var isDescending = false

  var isPlain: Bool { filter == nil && sortProperty == nil }

  /// Subject and predicate together.
  private var filter: (any ObjectPredicate)? {
    guard let subject, let predicate else { return subject ?? predicate }
    return BothPredicates(first: subject, second: predicate)
  }

  /// How many units of work `rows` takes for each object: reading counts one, and so does putting in order.
  var unitsPerObject: Int { (filter == nil ? 0 : 1) + (sortProperty == nil ? 0 : 2) }

  /// Finds the rows; what was found so far is handed on while a filter is at work.
  func rows(
    of source: RowsSource, in realm: BrowsedRealm, _ progress: TaskProgress, _ publish: (ShownRows) -> Void
  ) throws -> ShownRows {
    var shown = ShownRows()
    var source = source
    if let filter {
      var walk = try RowWalk(source, in: realm, progress)
      try find(&walk, by: filter, into: &shown, publish)
      guard case .some(let table) = try source.open(in: realm)?.table.schema.name else { return shown }
      source = .keys(table: table, shown.keys)
    }
    if let sortProperty {
      var walk = try RowWalk(source, in: realm, progress)
      var sorted = SortedKeys(property: sortProperty, isDescending: isDescending)
      shown.keys = try sorted.sort(&walk)
      shown.skipped += walk.skipped
      shown.damagedValues += sorted.damagedValues
    }
    return shown
  }

  private func find(
    _ walk: inout RowWalk, by predicate: any ObjectPredicate, into shown: inout ShownRows,
    _ publish: (ShownRows) -> Void
  ) throws {
    var found: [ObjectKey] = []
    var damaged = 0
    var published = 0
    let progress = walk.progress
    try walk.forEach { group in
      try predicate.match(group.batch, rows: group.rows, in: group.snapshot, progress, damaged: { _ in damaged += 1 }) {
        row in
        found.append(group.key(at: row))
      }
      // The first screens at once, then each time the number has doubled: copies stay cheap.
      if found.count >= 2 * published + 64 {
        published = found.count
        publish(ShownRows(keys: found, skipped: 0, damagedValues: damaged))
      }
    }
    shown.keys = found
    shown.skipped += walk.skipped
    shown.damagedValues += damaged
  }
}
