/// Replaces values, names and keys of a snapshot on their way into a rebuilt realm, so that the old ones are written
/// nowhere.
package protocol ValueReplacement: Sendable {
  /// How the values of a property change; nil if they do not. Used by one thread.
  func values(ofProperty index: Int, of table: Table) -> (any ValueMapping)?

  /// The new names of a table, its properties and their targets. Only names may change.
  func renamed(_ schema: TableSchema) -> TableSchema
}

/// How the values of one property change.
///
/// A collection is mapped element by element. A mapped set has each of its values once. A mapped dictionary keeps its
/// entries, so its keys must remain different from each other.
package protocol ValueMapping: AnyObject {
  /// The new value for a value that is not a collection. If the new value is null in a list or set of links, the
  /// element is removed.
  ///
  /// - Parameters:
  ///   - object: the object with the value, by its key in the source.
  ///   - arena: for the bytes of strings and data, which live as long as it.
  /// - Throws: `StorageError` if the value cannot be read.
  func value(_ value: ValueView, of object: ObjectKey, in arena: ByteArena) throws -> ValueView

  /// The key that takes the place of one of a dictionary.
  func key(_ key: BlobView, of object: ObjectKey, in arena: ByteArena) throws -> BlobView
}
