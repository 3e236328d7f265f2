import RealmQuery
import RealmStorage

/// The objects of a class that a condition in the query language is true of: the one place where plans meet it.
struct ObjectQuery {
  private let text: QueryText

  init(_ text: QueryText) { self.text = text }

  /// - Returns: keys in the order of the query, or otherwise in ascending order.
  /// - Throws: `PlanError` if it is not a query of the class; `StorageError` if objects cannot be read.
  func keys(in table: Table, of snapshot: Snapshot) throws -> [ObjectKey] {
    let query: Query
    do { query = try Query(text.text, of: table, in: snapshot) } catch let error as QueryError { throw located(error) }
    let result: QueryResult
    do { result = try query.keys() } catch let error as QueryError { throw located(error) }
    // An incomplete answer would be wrong.
    if let damage = result.damage.described.first { throw damage.error }
    return result.keys
  }

  /// Reads the query without a realm, and reports errors in it.
  func report(to mistakes: PlanMistakes) {
    do throws(QueryError) { _ = try RQL.parse(text.text) } catch {
      mistakes.add(mistake(error))
    }
  }

  private func located(_ error: QueryError) -> PlanError { PlanError([mistake(error)]) }

  private func mistake(_ error: QueryError) -> PlanError.Mistake {
    PlanError.Mistake(error.message, advice: error.advice, at: text.location, .query(error, in: text.text))
  }
}
