import RealmStorage

/// How data is read into a realm.
package struct DataOptions: Hashable, Sendable {
  /// The class of objects that do not name theirs. Not needed if the schema has only one class that is not embedded.
  package var className: RealmString?
  /// Objects keep the object keys given in the data, which must be in ascending order within each class. Otherwise they
  /// get the keys that the engine would assign, in the order in which they are read.
  package var keepsObjectKeys = false
  /// The same, but only for classes whose first object has a key; the other classes get keys as the engine assigns
  /// them.
  package var keepsGivenKeys = false
  /// A property that an object has no value for is an error; otherwise it gets the default of its type.
  package var isStrict = false
  /// Keys that the schema does not have are ignored; otherwise they are an error.
  package var ignoresUnknownProperties = false
  /// Texts are read as numbers and booleans where those are wanted.
  package var coerces = false
  /// Values for properties that an object does not give; otherwise the default of the property's type.
  package var defaults: [PropertyPath: Value] = [:]
  /// Written as the schema version; if nil, the schema's own version or 0.
  package var schemaVersion: UInt64?

  package init() {}
}
