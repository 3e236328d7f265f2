import RealmQuery
import RealmStorage
import RealmText

/// The filter of a collection, as typed: a condition on its elements, otherwise text or, after `~`, a regular
/// expression.
struct ElementFilter: Sendable {
  /// As it was typed.
  let text: String
  /// A short description for the user who types it.
  let meaning: String
  private let kind: Kind

  private enum Kind: Sendable {
    case query(ElementQuery)
    case pattern(TextPattern)
  }

  /// - Throws: `FilterError`.
  init(_ text: String, of property: Property, isDictionary: Bool) throws(FilterError) {
    self.text = text
    if text.count > 2, text.hasPrefix("\""), text.hasSuffix("\""),
      let pattern = TextPattern(String(text.dropFirst().dropLast()))
    {
      (kind, meaning) = (.pattern(pattern), "text; Enter looks for it")
      return
    }
    do throws(QueryError) {
      let query = try ElementQuery(text, elements: property.type, of: property.name, isDictionary: isDictionary)
      (kind, meaning) = (.query(query), "a condition; Enter filters")
      return
    } catch {
      // Text that uses the element's name, or begins with an operator, was meant as a condition.
      let traces = QueryTraces(of: text)
      let names = [RealmString(ElementQuery.valueName), property.name]
      if error.code != .syntaxError || names.contains(where: traces.names.contains) || "<>=!".contains(text.prefix(1)) {
        throw FilterError(error, in: text)
      }
    }
    let read: TextPattern?
    do throws(PatternError) { read = try TextPattern(typed: text) } catch {
      throw FilterError(error, in: text, expression: text)
    }
    guard let pattern = read else { throw FilterError("nothing to filter by", at: nil) }
    kind = .pattern(pattern)
    meaning = (pattern.isRegex ? "a regular expression" : "text") + "; Enter looks for it"
  }

  /// Prepared for the elements of one snapshot; belongs to one thread.
  fileprivate func matcher(in snapshot: Snapshot, _ progress: TaskProgress) -> Matcher {
    switch kind {
    case .query(let query): Matcher(query: query, values: nil)
    case .pattern(let pattern): Matcher(query: nil, values: ValueMatcher(pattern, snapshot, progress))
    }
  }

  fileprivate struct Matcher {
    let query: ElementQuery?
    let values: ValueMatcher?

    func matches(_ row: Elements.Row) throws -> Bool {
      guard let value = row.value else { return false }
      let key: ValueView? = if case .entry(let key, _) = row { .string(key) } else { nil }
      if let query { return query.holds(key: key, value: value) }
      if let key, try values?.matches(key) ?? false { return true }
      return try values?.matches(value) ?? false
    }
  }
}

/// How a view of a collection differs from all elements in their own order.
struct ElementArrangement: Sendable {
  /// The fixed filter of the view, which no key removes: the elements with one value.
  var subject: DistinctValue?
  var filters: [ElementFilter] = []
  /// Nil for the order of the collection.
  var order: Order?

  enum Order: Sendable { case ascending, descending }

  var isPlain: Bool { subject == nil && filters.isEmpty && order == nil }

  /// The positions that are shown, in order, and how many elements could not be read.
  ///
  /// - Throws: `TaskProgress.Stopped`, what opening the collection throws.
  func positions(
    of address: ValueAddress, _ property: Property, in realm: BrowsedRealm, _ progress: TaskProgress
  ) throws -> (positions: [Int], damaged: Int) {
    var walk = try ElementsWalk(address, in: realm, progress)
    let reader = DistinctValue.Reader(of: property.type)
    var entries: [SortEntry] = []
    var damaged = 0
    var state: (snapshot: Snapshot, walk: CollectionWalk, matchers: [ElementFilter.Matcher])?
    try walk.forEach { position, row, snapshot in
      if state?.snapshot !== snapshot {
        state = (snapshot, snapshot.collectionWalk(), filters.map { $0.matcher(in: snapshot, progress) })
      }
      do {
        guard let state, try state.matchers.allSatisfy({ try $0.matches(row) }) else { return }
        if let subject {
          guard let value = row.value, try reader.identity(of: value, in: snapshot, state.walk) == subject else {
            return
          }
        }
        var entry = SortEntry(position: position)
        if order != nil, let value = row.value {
          (entry.rank, entry.word, entry.hasMore) = try SortWord.of(value, from: 0, in: snapshot)
        }
        entries.append(entry)
      } catch is StorageError {
        damaged += 1
      }
    }
    if let order { try sort(&entries, isDescending: order == .descending, walk, progress) }
    return (entries.map(\.position), damaged)
  }

  private struct SortEntry {
    let position: Int
    /// Elements that cannot be read come last.
    var rank = UInt8.max
    var word: UInt64 = 0
    var hasMore = false
  }

  private func sort(
    _ entries: inout [SortEntry], isDescending: Bool, _ walk: ElementsWalk, _ progress: TaskProgress
  ) throws {
    try entries.sort { left, right in
      try progress.check()
      if left.rank == .max || right.rank == .max {
        return left.rank == right.rank ? left.position < right.position : left.rank != .max
      }
      if left.rank != right.rank { return (left.rank < right.rank) != isDescending }
      if left.word != right.word { return (left.word < right.word) != isDescending }
      if left.hasMore || right.hasMore, let a = walk.elements.single(at: left.position)?.value,
        let b = walk.elements.single(at: right.position)?.value
      {
        let order = ValueOrder.compare(a, b)
        if order != 0 { return (order < 0) != isDescending }
      }
      return left.position < right.position
    }
  }
}

/// A walk over elements of a collection on another thread.
struct ElementsWalk {
  private(set) var elements: Elements
  private let address: ValueAddress
  private let progress: TaskProgress
  private var realm: BrowsedRealm
  private let isOwnRealm: Bool

  /// - Throws: `BrowserProblem.stale` if there is no collection; errors of opening it.
  init(_ address: ValueAddress, in realm: BrowsedRealm, _ progress: TaskProgress) throws {
    // This thread has its own pages, so that releasing them does not affect the key loop.
    self.realm = realm.isReadInPages ? try realm.withoutPages() : realm
    isOwnRealm = self.realm !== realm
    guard let elements = try Elements(of: address, in: self.realm) else { throw BrowserProblem.stale }
    (self.elements, self.address, self.progress) = (elements, address, progress)
  }

  /// Calls `body` with one element after another.
  ///
  /// - Parameter positions: the elements to visit, in this order; all unless given.
  /// - Throws: `TaskProgress.Stopped`; errors of `body`.
  mutating func forEach(
    _ positions: [Int]? = nil, _ body: (_ position: Int, _ row: Elements.Row, _ snapshot: Snapshot) throws -> Void
  ) throws {
    for index in 0..<(positions?.count ?? elements.count) {
      let position = positions?[index] ?? index
      if let row = elements.row(at: position) { try body(position, row, realm.snapshot) }
      try progress.advance(by: 1)
      if index & 0xfff == 0xfff, isOwnRealm, realm.holdsTooMuch {
        realm = try realm.withoutPages()
        guard let again = try Elements(of: address, in: realm) else { throw BrowserProblem.stale }
        elements = again
      }
    }
  }
}
