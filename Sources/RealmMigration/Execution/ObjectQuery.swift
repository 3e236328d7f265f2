import RealmStorage

/// The objects of a class that a condition in the query language is true of: the one place where plans meet it.
struct ObjectQuery {
  private let text: QueryText

  init(_ text: QueryText) { self.text = text }

  /// - Returns: keys in the order that the query asks for, else that of the keys.
  /// - Throws: `PlanError` where it is not a query of the class; `StorageError`.
  func keys(in table: Table, of snapshot: Snapshot) throws -> [ObjectKey] {
    throw PlanError("queries are not connected", at: text.location)
  }
}
