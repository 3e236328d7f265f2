import RealmStorage

/// Choosing, sorting and adding up objects. All of these read what they need at once; what they return are the keys of the
/// objects, 8 bytes each, whose values are read when they are asked for.
extension RealmObjects {
  /// The objects that a query matches.
  ///
  /// ```swift
  /// let old = try dogs.filter("age > $0 AND owner.name BEGINSWITH $1", 3, "A")
  /// ```
  ///
  /// - Parameters:
  ///   - query: in the query language of the SDKs (`realmctl-query(5)`), with `SORT`, `DISTINCT` and `LIMIT`.
  ///   - arguments: the values of `$0`, `$1`, …: of the type that they are compared with, lists for `IN`, and
  ///     `RealmObject.reference` for links.
  /// - Throws: for a `QueryError`; for objects that cannot be read, so that it is not known whether they match.
  public func filter(_ query: String, _ arguments: any RealmConvertible...) throws(RealmError) -> RealmObjects {
    try filter(query, arguments: arguments)
  }

  /// The same with an array of arguments.
  public func filter(_ query: String, arguments: [any RealmConvertible]) throws(RealmError) -> RealmObjects {
    try queried { snapshot, table in
      try Query(query, arguments: arguments.map { try QueryArgument($0.realmValue) }, of: table, in: snapshot)
    }
  }

  /// The objects in the order of a value. Those with equal values keep their order, so that sorting by a second value
  /// first, and then by the first, sorts by both.
  ///
  /// - Parameters:
  ///   - path: a property with single values, or a path over links to one object, such as `owner.name`. Null comes before
  ///     all values, and objects whose path ends at a null link come last, or first in descending order.
  ///   - ascending: whether the least value comes first.
  /// - Throws: for a `QueryError`; for objects that cannot be read.
  public func sorted(by path: String, ascending: Bool = true) throws(RealmError) -> RealmObjects {
    try queried { snapshot, table in
      let expression = try RQL.parseKeyPath(written(path))
      guard case .property(let property) = expression, property.operation == nil, property.quantifier == nil else {
        throw QueryError(.invalidSortDescriptor, "Cannot sort by '\(path)'", at: nil)
      }
      let key = SortKeySyntax(path: property.path, isAscending: ascending)
      return try Query(
        Self.all(then: [.sort([key], range: property.range)], text: path), of: table, in: snapshot)
    }
  }

  /// The first objects.
  ///
  /// - Parameter count: how many at most, 0 or greater.
  public func prefix(_ count: Int) throws(RealmError) -> RealmObjects {
    if let keys { return RealmObjects(realm: realm, table: table, keys: Array(keys.prefix(Swift.max(count, 0)))) }
    return try queried { snapshot, table in
      try Query(
        Self.all(then: [.limit(.count(Swift.max(count, 0)), range: SourceRange(0, 0))], text: ""), of: table,
        in: snapshot)
    }
  }

  /// The least value.
  ///
  /// - Parameter path: a property, or a path with any links in it, such as `dogs.age`; of collections all elements count.
  /// - Returns: null if there is none; null and NaN do not count.
  /// - Throws: for a `QueryError` for values without an order; for objects that cannot be read.
  public func min(of path: String) throws(RealmError) -> Value { try aggregate(.min, path) }

  /// The greatest value; see `min(of:)`.
  public func max(of path: String) throws(RealmError) -> Value { try aggregate(.max, path) }

  /// The sum of numbers; see `min(of:)` for the path.
  ///
  /// - Returns: an `int` for ints, or a `decimal` if it is beyond their range; a `double` for floats and doubles; a
  ///   `decimal` for decimals and Mixed values, of which only numbers count.
  public func sum(of path: String) throws(RealmError) -> Value { try aggregate(.sum, path) }

  /// The average of numbers; see `min(of:)` for the path.
  ///
  /// - Returns: a `double`; a `decimal` for decimals and Mixed values, of which only numbers count; null if there is none.
  public func average(of path: String) throws(RealmError) -> Value { try aggregate(.average, path) }

  // MARK: Running

  private static func all(then steps: [OrderingSyntax], text: String) -> QuerySyntax {
    QuerySyntax(
      text: text, dialect: .standard, predicate: .constant(true, range: SourceRange(0, 0)), steps: steps)
  }

  /// A path as it is written in a query. The name of a property may have any characters.
  private func written(_ path: String) -> String {
    let name = RealmString(path)
    return schema.property(named: name) == nil ? path : CompletionWords.written(name)
  }

  private func queried(_ makeQuery: (Snapshot, Table) throws -> Query) throws(RealmError) -> RealmObjects {
    let found = try alone { snapshot, table in
      var query = try makeQuery(snapshot, table)
      query.chosen = keys
      let result = try query.keys()
      try Self.requireSound(result.damage)
      return result.keys
    }
    return RealmObjects(realm: realm, table: table, keys: found)
  }

  private func aggregate(_ function: QueryGroups.Function, _ path: String) throws(RealmError) -> Value {
    try alone { snapshot, table in
      var query = try Query(Self.all(then: [], text: path), of: table, in: snapshot)
      query.chosen = keys
      let result = try QueryGroups(of: query, by: [], [(function, written(path))], QueryOptions())
      try Self.requireSound(result.damage)
      return result.groups.first?.results.first ?? .null
    }
  }

  private static func requireSound(_ damage: DamageReport) throws {
    if let first = damage.described.first { throw first.error }
  }
}

extension QueryArgument {
  /// An argument that a program has as a value.
  ///
  /// - Throws: `QueryError` for a dictionary, and for lists in lists.
  init(_ value: Value) throws(QueryError) {
    switch value {
    case .list(let elements), .set(let elements):
      var list: [QueryArgument] = []
      for element in elements {
        guard element.elements == nil else { throw Self.refused("a list in a list") }
        list.append(try QueryArgument(element))
      }
      self = .list(list)
    case .dictionary: throw Self.refused("a dictionary")
    case .link(let table, let key): self = .value(.typedLink(table, key))
    default: self = .value(value)
    }
  }

  private static func refused(_ what: String) -> QueryError {
    QueryError(.invalidQueryArg, "\(what) cannot be an argument", at: nil)
  }
}

extension QueryError: RealmErrorCause {
  package var kind: RealmError.Kind {
    if case .damage? = cause { .damaged } else { .query }
  }
}
