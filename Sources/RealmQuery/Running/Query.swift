import RealmStorage

/// A query bound to one class of one realm: which of its objects match, and in which order they come.
///
/// ```swift
/// let query = try Query("age > 30 SORT(name ASC)", of: table, in: snapshot)
/// let result = try query.keys()
/// ```
package struct Query: Sendable {
  package let table: Table
  package let snapshot: Snapshot
  /// Names of inverse relationships.
  package let inverses: InverseNames
  /// Warnings about parts that may not mean what they seem to, for those who show the result.
  package let warnings: [QueryWarning]
  let condition: Condition
  let steps: [ResultStep]
  let slots: SlotCounts
  /// The objects to look at, in the order in which they are found, any number of times each; nil for all.
  var chosen: [ObjectKey]?

  /// Binds a query that has been read.
  ///
  /// - Throws: `QueryError` for a query or an argument that does not fit this class.
  package init(
    _ syntax: QuerySyntax, arguments: [QueryArgument] = [], of table: Table, in snapshot: Snapshot,
    inverses: InverseNames = InverseNames()
  ) throws {
    let binder = Binder(snapshot, table, arguments, syntax.dialect, inverses)
    condition = try binder.condition(syntax.predicate)
    steps = try binder.steps(syntax.steps)
    (warnings, slots) = (binder.warnings, binder.slots)
    (self.table, self.snapshot, self.inverses) = (table, snapshot, inverses)
  }

  /// Reads and binds a query.
  ///
  /// - Throws: `QueryError`.
  package init(
    _ text: String, arguments: [QueryArgument] = [], of table: Table, in snapshot: Snapshot,
    dialect: Dialect = .standard, inverses: InverseNames = InverseNames()
  ) throws {
    try self.init(
      RQL.parse(text, dialect: dialect), arguments: arguments, of: table, in: snapshot, inverses: inverses)
  }

  /// Whether the objects come in the order of their keys, none of them left out.
  package var isPlain: Bool { steps.isEmpty }

  /// How the result will be found.
  package var explanation: QueryExplanation {
    var lines: [String] = []
    if let use = condition.indexUse {
      lines.append("look up \(use.explanation); check: \(condition.explanation)")
    } else {
      lines.append(condition.explanation)
    }
    for step in steps {
      switch step {
      case .sort(let keys):
        lines.append(
          "sort by "
            + keys.map { "\($0.key.text) \($0.isAscending ? "ascending" : "descending")" }
            .joined(separator: ", "))
      case .distinct(let keys): lines.append("distinct by " + keys.map(\.text).joined(separator: ", "))
      case .limit(let count): lines.append("first \(count)")
      case .failure(let error): lines.append(error.message)
      }
    }
    return QueryExplanation(index: condition.indexUse?.explanation, lines: lines)
  }
}

/// How a result is found, for people.
package struct QueryExplanation: Hashable, Sendable {
  /// The index that is used; nil if all objects are looked at.
  package let index: String?
  /// What is done, in order.
  package let lines: [String]
}

/// How a query runs.
package struct QueryOptions: Sendable {
  /// Threads at most.
  package var threadCount: Int
  /// Objects at most; nil for all.
  package var limit: Int?
  /// Whether indexes may be used; results are the same without.
  package var usesIndexes = true
  /// Called with the number of objects that were looked at since the last call, on any thread, one call at a time; also with
  /// 0, then by several threads at a time, where one object or a sort takes long. What it throws ends the query.
  package var visited: (@Sendable (Int) throws -> Void)?

  package init(threadCount: Int = 1, limit: Int? = nil, visited: (@Sendable (Int) throws -> Void)? = nil) {
    (self.threadCount, self.limit, self.visited) = (threadCount, limit, visited)
  }

  /// For what takes long between two calls of `visited`.
  var check: (@Sendable () throws -> Void)? {
    guard let visited else { return nil }
    return { try visited(0) }
  }
}

/// What a query found.
package struct QueryResult: Sendable {
  /// In the order of the result.
  package var keys: [ObjectKey]
  /// What could not be read; objects whose answer depends on it are not among the keys.
  package var damage: DamageReport
}

extension Query {
  /// The objects that match, in the order of the result.
  ///
  /// - Throws: what `QueryOptions.visited` throws; `QueryError` if a path leads to too many values; `StorageError` if
  ///   the pages that the realm stands on are lost.
  package func keys(_ options: QueryOptions = QueryOptions()) throws -> QueryResult {
    var keys: [ObjectKey] = []
    let damage = try forEachKey(options) {
      keys += $0
      return true
    }
    return QueryResult(keys: keys, damage: damage)
  }

  /// Calls `body` with the objects that match, some at a time, in the order of the result.
  ///
  /// Without `SORT` and `DISTINCT` they come as they are found, and nothing is kept of them.
  ///
  /// - Parameter body: returns whether to go on.
  package func forEachKey(_ options: QueryOptions, _ body: ([ObjectKey]) throws -> Bool) throws -> DamageReport {
    let run = QueryExecution(self, options)
    guard let first = steps.firstIndex(where: { if case .limit = $0 { false } else { true } }) else {
      let limit = limit(of: steps[...], options.limit)
      guard limit != 0 else { return DamageReport() }
      var rest = limit ?? .max
      return try run.forEachKey { keys in
        let taken = keys.count > rest ? Array(keys.prefix(rest)) : keys
        rest -= taken.count
        return try body(taken) && rest > 0
      }
    }
    let limit = limit(of: steps[..<first], nil)
    var order = ResultOrder(self, options)
    var rest = limit ?? .max
    var damage = DamageReport()
    if rest > 0 {
      damage = try run.forEachKey { keys in
        let taken = keys.count > rest ? Array(keys.prefix(rest)) : keys
        rest -= taken.count
        try order.add(taken, steps[first...])
        return rest > 0
      }
    }
    var keys = try order.result(of: steps[first...])
    if let limit = options.limit { keys = Array(keys.prefix(limit)) }
    damage.merge(order.damage)
    if !keys.isEmpty { _ = try body(keys) }
    return damage
  }

  /// Applies `SORT`, `DISTINCT` and `LIMIT` to objects that were found elsewhere.
  ///
  /// - Parameter keys: in the order in which they were found.
  package func applySteps(to keys: [ObjectKey]) throws -> QueryResult {
    var order = ResultOrder(self, QueryOptions())
    try order.add(keys, steps[...])
    return QueryResult(keys: try order.result(of: steps[...]), damage: order.damage)
  }

  private func limit(of steps: ArraySlice<ResultStep>, _ limit: Int?) -> Int? {
    steps.reduce(limit) { limit, step in
      guard case .limit(let count) = step else { return limit }
      return min(limit ?? count, count)
    }
  }

  /// How many objects match.
  package func count(_ options: QueryOptions = QueryOptions()) throws -> (count: Int, damage: DamageReport) {
    guard steps.isEmpty, options.limit == nil else {
      var count = 0
      let damage = try forEachKey(options) {
        count += $0.count
        return true
      }
      return (count, damage)
    }
    return try QueryExecution(self, options).count()
  }

  /// Whether any object matches.
  package func exists(_ options: QueryOptions = QueryOptions()) throws -> (exists: Bool, damage: DamageReport) {
    var options = options
    options.limit = 1
    let (count, damage) = try count(options)
    return (count > 0, damage)
  }

  /// For checking objects during a walk of the caller.
  ///
  /// - Parameter check: called now and then, also while one object is looked at. What it throws ends the work.
  package func matcher(check: (@Sendable () throws -> Void)? = nil) -> QueryMatcher { QueryMatcher(self, check) }
}

/// Checks whether objects match, batch by batch; an instance belongs to one thread.
///
/// Sorting, `DISTINCT` and `LIMIT` have no meaning here.
package final class QueryMatcher {
  private let condition: Condition
  private let evaluator: Evaluator

  fileprivate init(_ query: Query, _ check: (@Sendable () throws -> Void)?) {
    condition = query.condition
    evaluator = Evaluator(query.snapshot, query.slots, check: check)
  }

  /// The rows of a batch that match. Those for which it cannot be known are left out, and the damage is kept.
  ///
  /// - Throws: `QueryError` if a bound is reached, such as that for the ways of a path.
  package func rows(of batch: ObjectBatch, among rows: RowMask? = nil) throws -> RowMask {
    let found = evaluator.answers(of: condition, batch, rows ?? RowMask(first: batch.count)).rows
    try evaluator.checkBounds()
    return found
  }

  /// Whether one object matches.
  ///
  /// - Throws: as `rows`.
  package func matches(_ batch: ObjectBatch, _ row: Int) throws -> Bool {
    try rows(of: batch, among: RowMask(row: row)).contains(row)
  }

  /// What could not be read since the last call.
  package func takeDamage() -> DamageReport { evaluator.takeDamage() }

  /// Forgets all places in the file, whose bytes are about to be released.
  package func forgetPlaces() { evaluator.forgetPlaces() }
}
