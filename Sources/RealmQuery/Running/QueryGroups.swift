import RealmStorage

/// Objects of a result counted by their values, with aggregates of other values.
package struct QueryGroups: Sendable {
  /// The objects that have the same values.
  package struct Group: Sendable {
    /// In the order of the paths that objects are grouped by: those of the first object of the group.
    package let values: [Value]
    package let count: Int
    /// In the order of the aggregates that were asked for.
    package let results: [Value]
  }

  /// What to compute of each group.
  package enum Function: String, Hashable, Sendable, CaseIterable {
    case sum, min, max
    case average = "avg"

    fileprivate var aggregate: AggregateFunction {
      switch self {
      case .sum: .sum
      case .min: .min
      case .max: .max
      case .average: .average
      }
    }

    /// What it is computed of.
    fileprivate var needed: String {
      switch self {
      case .sum, .average: "numbers"
      case .min, .max: "values that have an order"
      }
    }

    /// Whether it applies to values of a type.
    fileprivate func applies(to type: ValueType) -> Bool {
      switch self {
      case .sum, .average: Aggregate.resultType(aggregate, of: type) != nil
      case .min, .max: type.isStorable && type != .link && type != .typedLink
      }
    }
  }

  /// By their values, in the order of values; without a path to group by there is one.
  package let groups: [Group]
  package let damage: DamageReport

  /// Combinations of values that one object may have, where several paths lead to many.
  private static let mostCombinations = 1 << 16

  /// Runs a query and groups what it finds.
  ///
  /// - Parameters:
  ///   - paths: of the values to group by; an object whose path leads to several values counts for each of them once.
  ///   - aggregates: of which paths what is computed.
  /// - Throws: `QueryError` for a path that means nothing, or whose values cannot be added up; what `Query.forEachKey`
  ///   throws.
  package init(
    of query: Query, by paths: [String], _ aggregates: [(function: Function, path: String)], _ options: QueryOptions,
    dialect: Dialect = .standard
  ) throws {
    let columns = try QueryColumns(
      paths + aggregates.map(\.path), of: query.table, in: query.snapshot, dialect: dialect, inverses: query.inverses)
    let types = aggregates.indices.map { columns.valueType(paths.count + $0) }
    for (aggregate, type) in zip(aggregates, types) { try Self.check(aggregate.function, of: type, aggregate.path) }
    let reader = columns.reader(check: options.check)
    let areMany = columns.names.indices.map(columns.isList)
    let empty = zip(aggregates, types).enumerated().map { index, aggregate in
      Total(
        Aggregate(aggregate.0.function.aggregate, of: aggregate.1, dialect), isOfMany: areMany[paths.count + index])
    }
    var table = GroupTable(empty, isOneGroup: paths.isEmpty)
    var batch: ObjectBatch?
    var ticks = Ticks(options.check)
    var damage = try query.forEachKey(options) { keys in
      // Borrowed memory may be gone since the last call.
      batch = nil
      reader.forgetPlaces()
      for key in keys {
        try ticks.next()
        var row = batch?.row(of: key)
        if row == nil, let found = try query.table.object(key) { (batch, row) = (found.batch, found.row) }
        guard let batch, let row else { continue }
        let values = try reader.values(of: batch, row: row, distinct: paths.count)
        for combination in try Self.combinations(of: values.prefix(paths.count), areMany) {
          table.add(values[paths.count...], to: combination)
        }
      }
      return true
    }
    damage.merge(reader.takeDamage())
    self.damage = damage
    groups = table.groups(query.snapshot.collectionWalk())
  }

  /// Checks that a function can be computed of the values that a path leads to.
  ///
  /// - Throws: `QueryError`; its range is one of the path.
  package static func check(
    _ function: Function, of path: String, of query: Query, dialect: Dialect = .standard
  ) throws {
    let column = try QueryColumns(
      [path], of: query.table, in: query.snapshot, dialect: dialect, inverses: query.inverses)
    try check(function, of: column.valueType(0), path)
  }

  private static func check(_ function: Function, of type: ValueType, _ path: String) throws(QueryError) {
    guard !function.applies(to: type) else { return }
    // Data and dates have other names in the engine's messages.
    let name = [.date: "date", .data: "data", .link: "object"][type] ?? type.name
    var error = QueryError(
      .invalidQuery, "--\(function.rawValue) needs \(function.needed), and the type of '\(path)' is '\(name)'",
      at: SourceRange(0, path.utf8.count))
    if Function.min.applies(to: type) { error.advice = "use --min or --max" }
    throw error
  }

  /// What an object counts for: one value of each path, in all combinations.
  ///
  /// - Parameter areMany: whether a list is the values of a path, not one value.
  private static func combinations(
    of columns: ArraySlice<Value>, _ areMany: [Bool]
  ) throws(QueryError) -> [[GroupKey]] {
    var combinations: [[GroupKey]] = [[]]
    for (column, isOfMany) in zip(columns, areMany) {
      guard isOfMany, case .list(let elements) = column else {
        for index in combinations.indices { combinations[index].append(GroupKey(column)) }
        continue
      }
      var known: Set<GroupKey> = []
      let distinct = elements.map(GroupKey.init).filter { known.insert($0).inserted }
      guard distinct.count.multiplied(atMost: combinations.count) <= mostCombinations || combinations.count == 1 else {
        throw QueryError(
          .invalidQuery, "an object has more than \(mostCombinations) combinations of values to group by", at: nil)
      }
      combinations = combinations.flatMap { combination in distinct.map { combination + [$0] } }
    }
    return combinations
  }
}

/// The groups so far.
private struct GroupTable {
  private struct Entry {
    let values: [Value]
    var count = 0
    var totals: [Total]
  }

  private let empty: [Total]
  private var places: [[GroupKey]: Int] = [:]
  private var entries: [Entry] = []

  /// - Parameter isOneGroup: whether there is one group, also where it has no object.
  init(_ empty: [Total], isOneGroup: Bool) {
    self.empty = empty
    if isOneGroup { _ = place(of: []) }
  }

  mutating func add(_ values: ArraySlice<Value>, to key: [GroupKey]) {
    let place = place(of: key)
    entries[place].count += 1
    for (index, value) in values.enumerated() { entries[place].totals[index].add(value) }
  }

  private mutating func place(of key: [GroupKey]) -> Int {
    if let known = places[key] { return known }
    places[key] = entries.count
    entries.append(Entry(values: key.map(\.value), totals: empty))
    return entries.count - 1
  }

  func groups(_ walk: CollectionWalk) -> [QueryGroups.Group] {
    let keeper = ValueKeeper()
    let views = entries.map { $0.values.map { keeper.view(of: $0) } }
    // Values that have no order among each other, such as two lists, stay in that of their first objects.
    let order = entries.indices.sorted { left, right in
      for (first, second) in zip(views[left], views[right]) {
        let order = ValueOrder.compare(first, second)
        if order != 0 { return order < 0 }
      }
      return left < right
    }
    return order.map { index in
      let entry = entries[index]
      return QueryGroups.Group(
        values: entry.values, count: entry.count, results: entry.totals.map { $0.result(walk) })
    }
  }
}

/// An aggregate of the values of a group so far.
private struct Total {
  private var aggregate: Aggregate
  /// Whether a list is the values of a path, not one value.
  private let isOfMany: Bool
  /// Keeps what the result so far points to.
  private var keeper = ValueKeeper()

  init(_ aggregate: Aggregate, isOfMany: Bool) { (self.aggregate, self.isOfMany) = (aggregate, isOfMany) }

  mutating func add(_ value: Value) {
    guard isOfMany, case .list(let elements) = value else { return addOne(value) }
    for element in elements { addOne(element) }
  }

  private mutating func addOne(_ value: Value) {
    switch value {
    case .string, .data:
      // Of all strings only the one that is the result is kept.
      let keeper = ValueKeeper()
      if aggregate.add(keeper.view(of: value)) { self.keeper = keeper }
    // Collections have no order among each other, so none is the least or the greatest.
    case .list, .set, .dictionary: break
    default: aggregate.add(keeper.view(of: value))
    }
  }

  func result(_ walk: CollectionWalk) -> Value {
    withExtendedLifetime(keeper) { (try? Value(aggregate.result, walk)) ?? .null }
  }
}
