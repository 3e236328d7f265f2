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
      var bound = try Query(
        query, arguments: arguments.map { try QueryArgument($0?.realmValue ?? .null) }, of: table, in: snapshot)
      bound.chosen = keys
      return choosing(try Self.complete(bound.keys()))
    }
  }

  /// An incomplete answer would be wrong.
  private static func complete(_ result: QueryResult) throws -> [ObjectKey] {
    if let damage = result.damage.described.first { throw damage.error }
    return result.keys
  }
}
