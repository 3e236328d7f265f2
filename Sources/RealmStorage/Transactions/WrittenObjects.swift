/// Objects of a class in a transaction: all, or those that were chosen.
///
/// ```swift
/// let dogs = try tx.objects("Dog")
/// try dogs.forEach { dog in try dog.set("age", to: dog.get("age", as: Int.self) + 1) }
/// ```
///
/// Every call throws an error of kind `change` when the transaction has ended, and on another thread than that of the
/// transaction; of kind `damaged` where the file is.
public struct WrittenObjects: Sendable {
  let place: WrittenPlace
  /// Chosen ones, in their order; nil for all that there are at the time, in the order of their keys.
  package let keys: [ObjectKey]?

  init(_ place: WrittenPlace, keys: [ObjectKey]?) { (self.place, self.keys) = (place, keys) }

  /// The name of the class, without `class_`.
  public var className: String { TableSchema.displayName(ofTable: place.name).description }

  /// The number of objects; chosen ones that were deleted since are not among them.
  public func count() throws(RealmError) -> Int {
    try place.asking {
      let table = try place.editor
      return try keys?.count(where: table.contains) ?? table.objectCount
    }
  }

  /// The first object; nil if there are none.
  public func first() throws(RealmError) -> WrittenObject? {
    try place.asking {
      let table = try place.editor
      let key = try keys.map { try $0.first(where: table.contains) } ?? table.firstKey()
      return key.map { WrittenObject(place, $0) }
    }
  }

  /// Calls a function with each object. Objects that are made meanwhile are not visited, nor those that are deleted before
  /// it is their turn.
  ///
  /// - Throws: what `visit` throws, as it is.
  public func forEach(_ visit: (WrittenObject) throws -> Void) throws {
    for key in try place.asking({ try keys ?? place.editor.keys() })
    where try place.asking({ try place.editor.contains(key) }) {
      try visit(WrittenObject(place, key))
    }
  }

  /// Deletes these objects together: links to them become null or disappear, and their embedded objects are deleted with
  /// them.
  ///
  /// - Returns: how many were deleted; chosen ones that no longer exist do not count.
  @discardableResult
  public func delete() throws(RealmError) -> Int {
    try place.asking {
      let table = try place.editor
      return try table.delete(keys ?? table.keys())
    }
  }

  // MARK: Queries

  /// Runs a call of a client.
  package func asking<Result>(_ body: () throws -> Result) throws(RealmError) -> Result { try place.asking(body) }

  /// The class with all changes of the transaction so far, as snapshots show it, until the next call.
  ///
  /// - Throws: as `WriteTransaction.spill`; `EditError.ended`, `noSuchTable`.
  package func current() throws -> (table: Table, snapshot: Snapshot) {
    let transaction = try place.transaction
    try transaction.spill()
    // A migration still reads its old realm, which may be an earlier spill.
    if place.scope == nil { try transaction.forgetEarlierSpills() }
    guard let table = transaction.base.table(place.table) else { throw EditError.noSuchTable(place.name) }
    return (table, transaction.base)
  }

  /// Some of the objects.
  package func choosing(_ keys: [ObjectKey]) -> WrittenObjects { WrittenObjects(place, keys: keys) }
}
