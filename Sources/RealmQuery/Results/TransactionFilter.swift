import RealmStorage

extension WrittenObjects {
  /// Those of the objects that a query in Realm's query language is true of, with all changes of the transaction so far.
  ///
  /// ```swift
  /// try tx.objects("Dog").filter("age > $0 AND owner.name BEGINSWITH $1", 15, "A").delete()
  /// ```
  ///
  /// What the transaction has changed is written for that, where nobody else reads it: filter once, not for each object.
  ///
  /// - Parameters:
  ///   - query: as `Docs/RQL.md` describes it. `SORT`, `DISTINCT` and `LIMIT` count, too.
  ///   - arguments: for `$0`, `$1`, …: values, objects, or arrays of them.
  /// - Returns: the objects that match, in the order of the query, else in the order they had.
  /// - Throws: an error of kind `query` because of a `QueryError`; of kind `damaged` if an object cannot be read.
  public func filter(_ query: String, _ arguments: (any RealmConvertible)?...) throws(RealmError) -> WrittenObjects {
    try asking {
      let (table, snapshot) = try current()
      let bound = try Query(
        query, arguments: arguments.map { try QueryArgument(realmValue: $0?.realmValue ?? .null) }, of: table,
        in: snapshot)
      guard let keys else { return choosing(try Self.complete(bound.keys())) }
      let matching = try Self.complete(bound.matching(keys))
      return choosing(bound.isPlain ? matching : try Self.complete(bound.applySteps(to: matching)))
    }
  }

  /// An incomplete answer would be wrong.
  private static func complete(_ result: QueryResult) throws -> [ObjectKey] {
    if let damage = result.damage.described.first { throw damage.error }
    return result.keys
  }
}

extension Query {
  /// Those of some objects that the condition is true of, in their order.
  fileprivate func matching(_ keys: [ObjectKey]) throws -> QueryResult {
    let matcher = matcher()
    let found = try keys.filter { key in
      if snapshot.holdsTooManyPages {
        matcher.forgetPlaces()
        try snapshot.releasePages()
      }
      guard let place = try table.object(key) else { return false }
      return try matcher.matches(place.batch, place.row)
    }
    return QueryResult(keys: found, damage: matcher.takeDamage())
  }
}

extension QueryArgument {
  /// A value as an app has it; lists and sets become lists, links those that name their table.
  ///
  /// - Throws: `QueryError` for a dictionary.
  init(realmValue value: Value) throws(QueryError) {
    switch value {
    case .link(let table, let key): self = .value(.typedLink(table, key))
    case .list(let elements), .set(let elements):
      var arguments: [QueryArgument] = []
      for element in elements { arguments.append(try QueryArgument(realmValue: element)) }
      self = .list(arguments)
    case .dictionary: throw QueryError(.invalidQueryArg, "a dictionary cannot be compared with", at: nil)
    default: self = .value(value)
    }
  }
}

extension QueryError: RealmErrorCause {
  package var kind: RealmError.Kind { .query }
}
