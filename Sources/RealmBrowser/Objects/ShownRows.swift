import RealmPresentation
import RealmQuery
import RealmStorage
import RealmSystem

/// The objects of a source after filters and sorting.
struct ShownRows: Sendable {
  var keys: [ObjectKey] = []
  /// The number of rows left out because their object does not exist or cannot be read.
  var skipped = 0
  /// Objects that could not be read, and so could not match or be sorted.
  var damage = DamageTally()

  /// A remark about it; nil if everything could be read.
  var remark: String? {
    let hidden = skipped > 0 ? CountText.counted(skipped, "row") + " without an object hidden" : nil
    let parts = [hidden, damage.text].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// How a view of objects differs from all of them in their own order.
struct RowsArrangement: Sendable {
  /// The fixed filter of the view, which no key removes: the objects with one value.
  var subject: (any ObjectPredicate)?
  /// Each one narrows the result of those before it further.
  var filters: [ObjectFilter] = []
  /// Index of the property sorted by.
  var sortProperty: Int?
  var isDescending = false

  var isPlain: Bool { predicates.isEmpty && sortProperty == nil }

  private var predicates: [any ObjectPredicate] { (subject.map { [$0] } ?? []) + filters.map(\.predicate) }

  /// The units of work of `rows` for each object: one for reading it, and one for sorting.
  var unitsPerObject: Int { (predicates.isEmpty ? 0 : 1) + (sortProperty == nil ? 0 : 2) }

  /// Finds the rows, and passes on what was found so far while the last filter is running.
  func rows(
    of source: RowsSource, in realm: BrowsedRealm, _ progress: TaskProgress, _ publish: (ShownRows) -> Void
  ) throws -> ShownRows {
    var search = FilterSearch(source: source, realm: realm, progress: progress)
    try search.run(predicates, publish)
    var shown = search.shown
    if let sortProperty {
      var walk = try ShownRowWalk(search.source, in: realm, progress)
      var sorted = SortedKeys(property: sortProperty, isDescending: isDescending)
      shown.keys = try sorted.sort(&walk)
      shown.skipped += walk.skipped
      shown.damage.merge(sorted.damage)
    }
    return shown
  }
}

/// Finds the objects that filters let through, one filter after another.
private struct FilterSearch {
  private(set) var source: RowsSource
  let realm: BrowsedRealm
  let progress: TaskProgress
  private(set) var shown = ShownRows()

  init(source: RowsSource, realm: BrowsedRealm, progress: TaskProgress) {
    (self.source, self.realm, self.progress) = (source, realm, progress)
  }

  /// - Throws: `TaskProgress.Stopped`, `QueryError`, what opening the source throws.
  mutating func run(_ predicates: [any ObjectPredicate], _ publish: (ShownRows) -> Void) throws {
    var rest = predicates[...]
    if case .table(let name) = source, let marked = rest.first as? MarkedPredicate {
      rest = rest.dropFirst()
      shown.keys = marked.marks.keys
      source = .keys(table: name, shown.keys)
    }
    if case .table(let name) = source, let query = rest.first as? QueryPredicate {
      rest = rest.dropFirst()
      try ask(query, of: name) { if rest.isEmpty { publish($0) } }
    }
    while !rest.isEmpty {
      // Predicates that look at objects one by one share a walk; one that sorts or limits comes at its end.
      let steps = rest.firstIndex { ($0 as? QueryPredicate)?.hasSteps ?? false }
      let part = rest[...(steps ?? rest.endIndex - 1)]
      rest = rest[part.endIndex...]
      try walk(part, steps.flatMap { predicates[$0] as? QueryPredicate }) {
        if rest.isEmpty, steps == nil { publish($0) }
      }
    }
  }

  /// How many more rows there must be before they are shown again: the first screens at once, then each time their
  /// number has doubled, so that copies stay cheap.
  private static func isWorthPublishing(_ count: Int, after published: Int) -> Bool { count >= 2 * published + 64 }

  /// Asks a query of a whole class, which may use indexes and several threads.
  private mutating func ask(
    _ predicate: QueryPredicate, of name: RealmString, _ publish: (ShownRows) -> Void
  ) throws {
    // This snapshot has its own pages, which a query may release without affecting the key loop.
    let own = realm.isReadInPages ? try realm.withoutPages() : realm
    guard let table = own.table(named: name) else { return }
    let progress = progress
    let options = QueryOptions(threadCount: Processors.threadCount(forBytes: own.bytes.physicalSize)) {
      try progress.advance(by: $0)
    }
    var found: [ObjectKey] = []
    var published = 0
    try progress.check()
    let report = try predicate.query(of: table, in: own.snapshot).forEachKey(options) { keys in
      found += keys
      if Self.isWorthPublishing(found.count, after: published) {
        published = found.count
        publish(ShownRows(keys: found))
      }
      return true
    }
    shown.keys = found
    shown.damage.add(report)
    source = .keys(table: name, found)
  }

  /// - Parameter last: the last predicate, if it does more than select.
  private mutating func walk(
    _ predicates: ArraySlice<any ObjectPredicate>, _ last: QueryPredicate?, _ publish: (ShownRows) -> Void
  ) throws {
    var walk = try ShownRowWalk(source, in: realm, progress)
    var found: [ObjectKey] = []
    var damage = shown.damage
    var published = 0
    var matcher: (snapshot: Snapshot, all: AllMatchers)?
    let progress = progress
    try walk.forEach { group in
      // Each snapshot needs its own: when pages are released, another snapshot follows.
      if matcher == nil || matcher?.snapshot !== group.snapshot {
        let ready = try predicates.map { try $0.matcher(of: group.batch.table, in: group.snapshot, progress) }
        matcher = (group.snapshot, AllMatchers(matchers: ready))
      }
      try matcher?.all.match(group.batch, rows: group.rows, &damage) { found.append(group.key(at: $0)) }
      if Self.isWorthPublishing(found.count, after: published) {
        published = found.count
        var partial = shown
        (partial.keys, partial.damage) = (found, damage)
        publish(partial)
      }
    }
    if let last, let table = try source.open(in: walk.realm)?.table {
      let result = try last.query(of: table, in: walk.realm.snapshot).applySteps(to: found)
      found = result.keys
      damage.add(result.damage)
    }
    shown.keys = found
    shown.skipped += walk.skipped
    shown.damage = damage
    guard let name = try source.open(in: realm)?.table.schema.name else { return }
    source = .keys(table: name, found)
  }
}
