import RealmStorage

/// Objects of a result counted by a value, with what comes of other values of theirs.
package struct QueryGroups: Sendable {
  /// One value and the objects that have it.
  package struct Group: Sendable {
    package let value: Value
    package let count: Int
    /// In the order of the aggregates that were asked for.
    package let results: [Value]
  }

  /// What to compute of each group.
  package enum Function: Hashable, Sendable, CaseIterable {
    case sum, min, max, average

    fileprivate var aggregate: AggregateFunction {
      switch self {
      case .sum: .sum
      case .min: .min
      case .max: .max
      case .average: .average
      }
    }
  }

  /// By the value, in the order of values.
  package let groups: [Group]
  package let damage: DamageReport

  /// Runs a query and groups what it finds.
  ///
  /// - Parameters:
  ///   - path: of the value to group by; an object whose path leads to several values counts for each of them once.
  ///   - aggregates: of which paths what is computed.
  /// - Throws: `QueryError` for a path that means nothing; what `Query.forEachKey` throws.
  package init(
    of query: Query, by path: String, _ aggregates: [(function: Function, path: String)], _ options: QueryOptions,
    dialect: Dialect = .standard
  ) throws {
    let columns = try QueryColumns(
      [path] + aggregates.map(\.path), of: query.table, in: query.snapshot, dialect: dialect)
    let reader = columns.reader()
    var counted: [GroupKey: State] = [:]
    var batch: ObjectBatch?
    var damage = try query.forEachKey(options) { keys in
      // What was borrowed may be gone since the last call.
      batch = nil
      reader.forgetPlaces()
      for key in keys {
        var row = batch?.row(of: key)
        if row == nil, let found = try query.table.object(key) { (batch, row) = (found.batch, found.row) }
        guard let batch, let row else { continue }
        let values = reader.values(of: batch, row: row)
        let groupValues: Set<GroupKey> =
          if case .list(let elements) = values[0] { Set(elements.map(GroupKey.init)) } else { [GroupKey(values[0])] }
        for value in groupValues {
          counted[value, default: State(aggregates.map(\.function.aggregate))].add(values.dropFirst())
        }
      }
      return true
    }
    damage.merge(reader.takeDamage())
    self.damage = damage
    let keeper = ValueKeeper()
    let walk = query.snapshot.collectionWalk()
    groups = counted.map { Group(value: $0.key.value, count: $0.value.count, results: $0.value.results(walk)) }
      .sorted { ValueOrder.compare(keeper.view(of: $0.value), keeper.view(of: $1.value)) < 0 }
  }

  /// Numbers of all types with the same value are one group.
  private struct GroupKey: Hashable {
    let value: Value

    init(_ value: Value) {
      switch value {
      case .float(let number): self.value = Int64(exactly: number).map { .int($0) } ?? .double(Double(number))
      case .double(let number): self.value = Int64(exactly: number).map { .int($0) } ?? .double(number)
      default: self.value = value
      }
    }
  }

  /// What is known of a group so far.
  private struct State {
    var count = 0
    private let functions: [AggregateFunction]
    private var aggregates: [Aggregate?]
    private let keeper = ValueKeeper()

    init(_ functions: [AggregateFunction]) {
      self.functions = functions
      aggregates = functions.map { _ in nil }
    }

    mutating func add(_ values: ArraySlice<Value>) {
      count += 1
      for (index, value) in values.enumerated() {
        let elements = if case .list(let elements) = value { elements } else { [value] }
        for element in elements where element != .null {
          let view = keeper.view(of: element)
          if aggregates[index] == nil { aggregates[index] = Aggregate(functions[index], of: ValueType(view)) }
          aggregates[index]?.add(view)
        }
      }
    }

    func results(_ walk: CollectionWalk) -> [Value] {
      zip(functions, aggregates).map { function, aggregate in
        guard let aggregate else { return function == .sum ? .int(0) : .null }
        return (try? Value(aggregate.result, walk)) ?? .null
      }
    }
  }
}
