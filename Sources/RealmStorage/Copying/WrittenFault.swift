/// What is wrong with a file that was written: its content is not what it was made of.
package enum WrittenFault: Error, Hashable, Sendable {
  /// The first thing that the checker finds.
  case unsound(String, count: Int)
  /// Classes, objects or schema version are not those that were written.
  case content
  /// Classes with different contents, and whether the schema version differs.
  case differs(classes: [RealmString], schemaVersion: Bool)
  /// A class with another content hash.
  case contentHash(className: RealmString)
  /// A table without some of the rows that it was made of, or with others; empty if SQLite finds the file damaged.
  case table(String)
  /// The version or the history is not that of the source.
  case identity
  /// The file cannot be read.
  case unreadable(StorageError)
  /// The file is not as long as what was written.
  case fileSize(expected: UInt64, found: UInt64)
}
