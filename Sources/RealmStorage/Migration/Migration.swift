/// A migration while its function runs: the realm as it was, and as it will be.
///
/// The new realm has everything that the target schema has. What the target does not have is removed when the function
/// ends; until then `renameProperty` can save it, and the old objects have it.
///
/// ```swift
/// configuration.migration = { migration in
///   try migration.enumerateObjects(ofClass: "Person") { old, new in
///     guard let old, let new, case .int(let age) = try old.value("age") else { return }
///     try new.set("age", to: .string(RealmString(String(age))))
///   }
/// }
/// ```
///
/// It is valid only during the function that gets it.
public final class Migration {
  /// The realm before the migration.
  private let oldRealm: Snapshot
  /// The realm with the changes of the migration so far, for everything that this class does not offer.
  public let newRealm: WriteTransaction
  /// The target schema.
  public let newSchema: Schema

  init(_ transaction: WriteTransaction, target: Schema) {
    (oldRealm, newRealm, newSchema) = (transaction.base, transaction, target)
  }

  /// The schema before the migration.
  public var oldSchema: Schema { oldRealm.schema }
  /// The schema version before the migration.
  public var oldVersion: UInt64 { oldRealm.schema.version ?? RealmConfiguration.notVersioned }

  // MARK: - Objects

  /// Visits the objects of a class in the order of their keys, each as it was and as it is now.
  ///
  /// A class of both schemas: all objects that were there before the migration and are still there; none where either
  /// side has no objects. A class of the new schema only: its objects, without an old one. A class of the old schema
  /// only: its objects, without a new one. Objects made meanwhile are not visited.
  ///
  /// - Throws: for `StorageError.corrupted` if objects are damaged, and what `visit` throws.
  public func enumerateObjects(
    ofClass name: RealmString, _ visit: (_ old: OldObject?, _ new: MigratedObject?) throws -> Void
  ) throws(RealmError) {
    try wrapping { try forEachPair(ofClass: name, visit) }
  }

  private func forEachPair(
    ofClass name: RealmString, _ visit: (_ old: OldObject?, _ new: MigratedObject?) throws -> Void
  ) throws {
    let old = oldRealm.classTable(name)
    let new = newSchema.classNamed(name) == nil ? nil : newTable(name)
    switch (old, new) {
    case (let old?, let new?):
      guard new.objectCount > 0 else { return }
      try forEachObject(of: old) { object in
        guard try new.contains(object.key) else { return }
        try visit(object, self.object(object.key, of: new))
      }
    case (let old?, nil): try forEachObject(of: old) { try visit($0, nil) }
    case (nil, let new?): for key in try new.keys() { try visit(nil, self.object(key, of: new)) }
    case (nil, nil): return
    }
  }

  private func forEachObject(of table: Table, _ visit: (OldObject) throws -> Void) throws {
    var batches = table.batches()
    while let step = batches.next() {
      switch step {
      case .batch(let batch):
        for row in 0..<batch.count { try visit(oldObject(batch, row)) }
      case .damaged(let error): throw error
      }
    }
  }

  private func oldObject(_ batch: ObjectBatch, _ row: Int) -> OldObject {
    OldObject(batch, row, oldRealm, path: newRealm.status.path)
  }

  /// The object that a value of an old object links to, as it was before the migration; nil if the value is not a link,
  /// or the object did not exist.
  ///
  /// - Throws: for `StorageError.corrupted` if the objects of its class are damaged.
  public func oldObject(linkedBy value: Value) throws(RealmError) -> OldObject? {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      guard !key.isUnresolved, let table = oldRealm.table(table) else { return nil }
      return try wrapping { try table.object(key).map { oldObject($0.batch, $0.row) } }
    default: return nil
    }
  }

  /// Creates an object. Duplicate primary keys are detected when the function ends.
  ///
  /// - Parameters:
  ///   - name: of the class, which the new schema must have.
  ///   - values: of its properties, including the primary key if there is one; others get their defaults.
  /// - Throws: for `EditError` if class, property or primary key is missing; for `BuildError` if a property cannot store
  ///   its value.
  @discardableResult
  public func create(
    _ name: RealmString, _ values: [RealmString: Value] = [:]
  ) throws(RealmError) -> MigratedObject {
    try wrapping { try make(name, values) }
  }

  private func make(_ name: RealmString, _ values: [RealmString: Value]) throws -> MigratedObject {
    guard let table = newTable(name), newSchema.classNamed(name) != nil else { throw EditError.noSuchTable(name) }
    let key: ObjectKey
    if let property = table.schema.primaryKey {
      guard let value = values[property.name] else { throw EditError.primaryKeyMismatch(table: table.name) }
      key = try table.create(primaryKey: value, allowsDuplicates: true)
    } else {
      key = try table.create()
    }
    let object = object(key, of: table)
    for property in table.schema.properties where property.name != table.schema.primaryKey?.name {
      if let value = values[property.name] { try object.set(property.name, to: value) }
    }
    return object
  }

  /// Deletes an object; links to it become null or disappear.
  ///
  /// - Throws: for `EditError.noSuchObject` if it is deleted already, and `StorageError.corrupted` if it, or what links
  ///   to it, is damaged.
  public func delete(_ object: MigratedObject) throws(RealmError) { try object.table.delete(object.key) }

  /// Removes all objects of a class; a class that the new schema does not have is removed.
  ///
  /// - Returns: false if no such class exists.
  /// - Throws: for `MigrationError.classIsLinkTarget` if properties of other classes link to a class that would be
  ///   removed.
  @discardableResult
  public func deleteData(ofClass name: RealmString) throws(RealmError) -> Bool {
    guard let table = newTable(name) else { return false }
    guard newSchema.classNamed(name) == nil else {
      try table.deleteAll()
      return true
    }
    try wrapping {
      do { try newRealm.removeTable(table.name) } catch EditError.isLinkTarget {
        throw MigrationError.classIsLinkTarget(className: name)
      }
    }
    return true
  }

  private func wrapping<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(newRealm.status.path, body)
  }

  // MARK: - Properties

  /// Keeps the values of a property under another name, with the optionality and the index that the target has for it.
  /// Not to be called while objects are enumerated.
  ///
  /// - Throws: for `MigrationError.rename`.
  public func renameProperty(
    ofClass name: RealmString, from old: RealmString, to new: RealmString
  ) throws(RealmError) {
    try wrapping { try rename(ofClass: name, from: old, to: new) }
  }

  private func rename(ofClass name: RealmString, from old: RealmString, to new: RealmString) throws {
    let rename = try PropertyRename(
      ofClass: name, from: old, to: new, current: newRealm.schema, target: newSchema)
    guard let table = newTable(name) else { return }
    guard case .replacing(let replaced, let becomesOptional) = rename else {
      return try table.renameProperty(old, to: new)
    }
    let schema = table.schema
    let index = schema.property(named: new)?.index ?? .none
    let isPrimaryKey = schema.primaryKey?.name == old
    try table.removeProperty(replaced.name)
    try table.renameProperty(old, to: new)
    if becomesOptional { try table.setOptional(new, true) }
    if !isPrimaryKey { try table.setIndex(new, index) }
  }

  // MARK: - Tables

  private func newTable(_ name: RealmString) -> TableEditor? {
    try? newRealm.table(TableSchema.tableName(ofClass: name))
  }

  private func object(_ key: ObjectKey, of table: TableEditor) -> MigratedObject {
    MigratedObject(key: key, table: table, schema: newSchema.classNamed(table.schema.displayName))
  }
}

/// An object as it was before a migration. It cannot be changed.
public struct OldObject {
  private let batch: ObjectBatch
  private let row: Int
  private let realm: Snapshot
  private let path: String

  init(_ batch: ObjectBatch, _ row: Int, _ realm: Snapshot, path: String) {
    (self.batch, self.row, self.realm, self.path) = (batch, row, realm, path)
  }

  /// The key of the object, which the migrated object has as well.
  public var key: ObjectKey { batch.key(at: row) }

  /// The value of a property of the old schema, with everything in it. Nothing is read before it is asked for.
  ///
  /// - Throws: for `EditError.noSuchProperty`, and `StorageError.corrupted` if the value is damaged.
  public func value(_ property: RealmString) throws(RealmError) -> Value {
    try RealmError.wrapping(path) {
      let schema = batch.table.schema
      guard let index = schema.properties.firstIndex(where: { $0.name == property }) else {
        throw EditError.noSuchProperty(table: schema.name, property: property)
      }
      return try Value(batch.values(ofProperty: index).value(at: row), realm.collectionWalk())
    }
  }
}

/// An object as the migration changes it.
public struct MigratedObject {
  /// The key of the object, which the old object has as well if there was one.
  public let key: ObjectKey
  let table: TableEditor
  /// Its class in the target schema; only that part is visible.
  private let schema: TableSchema?

  init(key: ObjectKey, table: TableEditor, schema: TableSchema?) {
    (self.key, self.table, self.schema) = (key, table, schema)
  }

  /// The value of a property of the new schema, with everything in it and with the changes of the migration so far.
  ///
  /// - Throws: for `EditError.noSuchProperty`, also for a property that this migration removes, and
  ///   `StorageError.corrupted` if the value is damaged.
  public func value(_ property: RealmString) throws(RealmError) -> Value {
    try requireVisible(property)
    return try table.value(property, of: key)
  }

  /// Gives a property of the new schema another value.
  ///
  /// - Throws: for `EditError.noSuchProperty`, also for a property that this migration removes, and `BuildError` for a
  ///   value that the property cannot store.
  public func set(_ property: RealmString, to value: Value) throws(RealmError) {
    try requireVisible(property)
    try table.set(property, of: key, to: value)
  }

  /// The value of a property that links to the object.
  public var link: Value { .link(table.key, key) }

  private func requireVisible(_ property: RealmString) throws(RealmError) {
    guard schema?.property(named: property) != nil else {
      throw RealmError(path: table.status.path, EditError.noSuchProperty(table: table.name, property: property))
    }
  }
}
