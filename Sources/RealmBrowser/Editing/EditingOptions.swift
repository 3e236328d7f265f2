import RealmStorage

/// What the program gives the browser for editing: reading typed values, and writing.
package struct EditingOptions: Sendable {
  package var key: EncryptionKey?
  /// Whether editing is on from the start.
  package var isOn = false
  /// Why the realm cannot be edited; nil if it can.
  package var refusal: String?
  /// Reads the text typed for a property, or for an element of a collection.
  package var readValue: ReadValue
  /// A value as text that `readValue` reads, for collections, embedded objects and Mixed values.
  package var editableText: EditableText
  package var write: Write

  package typealias ReadValue =
    @Sendable (_ text: String, Property, _ table: TableSchema, LinkLookup) throws -> UnmanagedValue
  package typealias EditableText = @Sendable (ValueView, _ isMixed: Bool, Snapshot) throws -> String
  package typealias Write = @Sendable (MigrationScript, _ compacts: Bool) -> WriteOutcome

  package init(
    readValue: @escaping ReadValue, editableText: @escaping EditableText, write: @escaping Write
  ) {
    (self.readValue, self.editableText, self.write) = (readValue, editableText, write)
  }

  /// How typed links find their objects.
  package struct LinkLookup {
    package let schema: Schema
    /// The key of a table, by its full name.
    package let tableKey: (RealmString) -> TableKey?
    package let find: (_ table: RealmString, _ primaryKey: Value) throws -> ObjectKey?
    package let contains: (_ table: RealmString, ObjectKey) throws -> Bool
  }

  /// The result of writing.
  package enum WriteOutcome: Sendable {
    /// A message about it.
    case written(String)
    /// Somebody else has changed the file since it was read.
    case changedMeanwhile
    /// Nothing was changed, or it is not known whether anything was: why, and what to do.
    case failed(String)
  }
}

extension StagedChanges {
  /// - Returns: how links that are typed now find their objects.
  var linkLookup: EditingOptions.LinkLookup {
    EditingOptions.LinkLookup(
      schema: realm.snapshot.schema, tableKey: { [realm] in realm.table(named: $0)?.key },
      find: { [self] in try find(primaryKey: $1, in: $0) },
      contains: { [realm] in try realm.table(named: $0)?.object($1) != nil })
  }
}
