import RealmStorage

/// What `$0`, `$1`, … of a query stand for.
public indirect enum QueryArgument: Hashable, Sendable {
  /// Null, a scalar, or a link that names its table (`typedLink`); no collection.
  case value(Value)
  /// An object of a class, with or without `class_`, by its primary key: `obj("Person", 1)`.
  case object(className: String, primaryKey: Value)
  /// An object of a class by its object key.
  case objectOfClass(className: String, ObjectKey)
  /// An object of whatever class the other side links to: `O5`.
  case objectKey(ObjectKey)
  /// A list of anything but lists.
  case list([QueryArgument])
}
