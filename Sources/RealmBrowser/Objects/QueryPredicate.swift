import RealmQuery
import RealmStorage

/// Objects that a query finds.
struct QueryPredicate: ObjectPredicate {
  let syntax: QuerySyntax
  /// The app's names for the inverses of links.
  let inverses: InverseNames

  /// Whether it does more than choose objects: `SORT`, `DISTINCT`, `LIMIT`.
  var hasSteps: Bool { !syntax.steps.isEmpty }

  /// - Throws: `QueryError` if it has no meaning in the class.
  func query(of table: Table, in snapshot: Snapshot) throws -> Query {
    try Query(syntax, of: table, in: snapshot, inverses: inverses)
  }

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) throws -> any ObjectMatcher {
    Matcher(matcher: try query(of: table, in: snapshot).matcher(check: progress.check), progress: progress)
  }

  private struct Matcher: ObjectMatcher {
    let matcher: QueryMatcher
    let progress: TaskProgress

    func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws {
      try progress.check()
      var asked = RowMask()
      for row in rows { asked.insert(row) }
      try matcher.rows(of: batch, among: asked).forEach(found)
      damage.add(matcher.takeDamage())
    }
  }
}
