/// Gives values, names and keys of a snapshot other ones on their way into a rebuilt realm, so that what they replace is
/// written nowhere.
package protocol RebuildMapping: Sendable {
  /// What becomes of the values of a property; nil where they stay as they are. Used by one thread.
  func values(ofProperty index: Int, of table: Table) -> (any ValueMapping)?

  /// The names that a table, its properties and their targets get. Nothing but names may change.
  func renamed(_ schema: TableSchema) -> TableSchema
}

/// What becomes of the values of one property.
///
/// A collection is mapped element by element; a mapped set has each of its values once, and a mapped dictionary keeps
/// its entries, so that its keys have to stay different from each other.
package protocol ValueMapping: AnyObject {
  /// The value that takes the place of one, which is not a collection. Null in the place of an element of a list or set of
  /// links takes it out.
  ///
  /// - Parameters:
  ///   - object: that the value belongs to, by its key in the source.
  ///   - arena: for the bytes of texts and data, which live as long as it.
  /// - Throws: `StorageError` where the value cannot be read.
  func value(_ value: ValueView, of object: ObjectKey, in arena: ByteArena) throws -> ValueView

  /// The key that takes the place of one of a dictionary.
  func key(_ key: BlobView, of object: ObjectKey, in arena: ByteArena) throws -> BlobView
}
