import RealmStorage

/// How data is read into a realm.
package struct DataOptions: Sendable {
  /// The class of objects that do not tell it; not needed where the schema has one class apart from embedded ones.
  package var className: RealmString?
  /// Objects keep the object keys that the data gives, which must ascend within each class. Otherwise they get the keys
  /// that the engine would give them, in the order in which they come.
  package var keepsObjectKeys = false
  /// The same, where the first object of a class has one: classes without any get those of the engine.
  package var keepsGivenKeys = false
  /// A property that an object has no value for is an error; otherwise it gets the default of its type.
  package var isStrict = false
  /// Members that the schema does not have are passed over; otherwise they are an error.
  package var ignoresUnknownProperties = false
  /// Texts are read as numbers and booleans where those are wanted.
  package var coerces = false
  /// What objects get that have no value for a property; otherwise the default of its type.
  package var defaults: [PropertyPath: Value] = [:]
  /// Written as the schema version; the schema's own, or 0, where none is given.
  package var schemaVersion: UInt64?

  package init() {}
}
