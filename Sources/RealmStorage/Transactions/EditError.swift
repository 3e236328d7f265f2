/// Why a change is refused. The transaction can go on, unless it is said otherwise.
public enum EditError: Error, Hashable, Sendable {
  case noSuchTable(RealmString)
  case noSuchProperty(table: RealmString, property: RealmString)
  case noSuchObject(table: RealmString, key: ObjectKey)
  /// There is an object with that primary key.
  case primaryKeyInUse(table: RealmString, Value)
  /// Two objects have the same primary key when the transaction is to be committed.
  case equalPrimaryKeys(table: RealmString)
  /// Objects of a table with a primary key are made with one, of others without.
  case primaryKeyMismatch(table: RealmString)
  /// Embedded objects come into being through a property of their parent only, and have no primary key.
  case embeddedObject(table: RealmString)
  /// Mixed values do not link to objects of embedded and asymmetric classes.
  case notLinkable(table: RealmString)
  /// The file has damage or leftovers that a transaction must not build on.
  case unsound(table: RealmString)
  /// A place in a list that it does not have.
  case noSuchElement(index: Int, count: Int)
  /// The transaction has ended.
  case ended
}
