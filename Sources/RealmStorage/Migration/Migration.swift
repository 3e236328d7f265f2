/// A migration while its function runs: the realm as it was, and as it will be.
///
/// The new realm has everything that the target schema has. What the target does not have is removed when the function
/// ends; until then `renameProperty` can save it, and the old objects have it.
///
/// ```swift
/// configuration.migration = { migration in
///   try migration.enumerate("Dog") { old, new in try new.set("years", to: old.get("age", as: Int.self)) }
/// }
/// ```
///
/// A migration is lent to its function and cannot be kept. Objects of the old and the new realm throw when it has ended.
public struct Migration: ~Copyable {
  /// The realm before the migration.
  private let oldRealm: Snapshot
  /// The realm with the changes of the migration so far: makes, finds, changes and deletes objects as every transaction
  /// does. It shows the classes and properties of the target schema. Primary keys may change; equal ones are found when the
  /// function ends.
  public let newRealm: RealmTransaction
  /// The target schema.
  public let newSchema: Schema

  init(_ transaction: WriteTransaction, target: Schema) {
    (oldRealm, newSchema) = (transaction.base, target)
    newRealm = RealmTransaction(transaction, MigrationScope(target))
  }

  /// The schema before the migration.
  public var oldSchema: Schema { oldRealm.schema }
  /// The schema version before the migration.
  public var oldVersion: UInt64 { oldRealm.schema.version ?? RealmConfiguration.notVersioned }

  // MARK: - Objects

  /// Visits the objects of a class in the order of their keys, each as it was and as it is now: all that were there before
  /// the migration and are still there.
  ///
  /// For a class of the old schema only, use `enumerateOld`; for one of the new schema only, `newRealm.objects`.
  ///
  /// - Parameters:
  ///   - className: without `class_`.
  ///   - visit: gets each object: as it was, and as it is now.
  /// - Throws: an error of kind `change` if one of the schemas lacks the class, of kind `damaged` if objects are; what
  ///   `visit` throws, as it is.
  public func enumerate(_ className: String, _ visit: (_ old: OldObject, _ new: WrittenObject) throws -> Void) throws {
    let place = try wrapping { try newRealm.place(ofClass: className) }
    try enumerateOld(className) { old in
      let new = WrittenObject(place, old.key)
      if try new.exists() { try visit(old, new) }
    }
  }

  /// Visits the objects that a class had before the migration, in the order of their keys.
  ///
  /// - Parameters:
  ///   - className: without `class_`.
  ///   - visit: gets each object.
  /// - Throws: an error of kind `change` if the old schema lacks the class, of kind `damaged` if objects are; what `visit`
  ///   throws, as it is.
  public func enumerateOld(_ className: String, _ visit: (OldObject) throws -> Void) throws {
    let name = RealmString(className)
    let table = try wrapping {
      guard let table = oldRealm.classTable(name) else {
        throw EditError.noSuchTable(TableSchema.tableName(ofClass: name))
      }
      return table
    }
    var batches = table.batches()
    while let step = batches.next() {
      switch step {
      case .batch(let batch):
        for row in 0..<batch.count { try visit(OldObject(batch, row, oldRealm, transaction.status)) }
      case .damaged(let error): throw RealmError(path: transaction.status.path, error)
      }
    }
  }

  /// The object that a value of an old object links to, as it was before the migration; nil if the value is not a link,
  /// or the object did not exist.
  ///
  /// - Throws: an error of kind `damaged` if the objects of its class are.
  public func oldObject(linkedBy value: Value) throws(RealmError) -> OldObject? {
    try wrapping { try OldObject(linkedBy: value, in: oldRealm, transaction.status) }
  }

  /// Removes all objects of a class; a class that the new schema does not have is removed.
  ///
  /// - Parameter name: without `class_`.
  /// - Returns: false if no such class exists.
  /// - Throws: for `MigrationError.classIsLinkTarget` if properties of other classes link to a class that would be
  ///   removed.
  @discardableResult
  public func deleteData(ofClass name: String) throws(RealmError) -> Bool {
    let name = RealmString(name)
    guard let table = newTable(name) else { return false }
    guard newSchema.classNamed(name) == nil else {
      try table.deleteAll()
      return true
    }
    try wrapping {
      do { try transaction.removeTable(table.name) } catch EditError.isLinkTarget {
        throw MigrationError.classIsLinkTarget(className: name)
      }
    }
    return true
  }

  /// The transaction that everything happens in.
  package var transaction: WriteTransaction { newRealm.editing }

  private func wrapping<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try transaction.asking(body)
  }

  // MARK: - Properties

  /// Keeps the values of a property under another name, with the optionality and the index that the target has for it.
  /// Not to be called while objects are enumerated.
  ///
  /// - Throws: for `MigrationError.rename`.
  public func renameProperty(
    ofClass name: String, from old: String, to new: String
  ) throws(RealmError) {
    try wrapping { try rename(ofClass: RealmString(name), from: RealmString(old), to: RealmString(new)) }
  }

  private func rename(ofClass name: RealmString, from old: RealmString, to new: RealmString) throws {
    let rename = try PropertyRename(
      ofClass: name, from: old, to: new, current: transaction.schema, target: newSchema)
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
    try? transaction.table(TableSchema.tableName(ofClass: name))
  }
}

/// An object as it was before a migration. It cannot be changed.
public struct OldObject {
  private let batch: ObjectBatch
  private let row: Int
  private let realm: Snapshot
  private let status: TransactionStatus

  init(_ batch: ObjectBatch, _ row: Int, _ realm: Snapshot, _ status: TransactionStatus) {
    (self.batch, self.row, self.realm, self.status) = (batch, row, realm, status)
  }

  /// - Returns: nil if the value is not a link, or the object did not exist.
  init?(linkedBy value: Value, in realm: Snapshot, _ status: TransactionStatus) throws {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      guard !key.isUnresolved, let place = try realm.table(table)?.object(key) else { return nil }
      self.init(place.batch, place.row, realm, status)
    default: return nil
    }
  }

  /// The key of the object, which the new object has as well.
  public var key: ObjectKey { batch.key(at: row) }

  /// The name of its class, without `class_`.
  public var className: String { batch.table.schema.displayName.description }

  /// The value of a property of the old schema. Nothing is read before it is asked for.
  ///
  /// - Parameters:
  ///   - property: its name.
  ///   - type: what the value is given as; `Value` takes every value.
  /// - Throws: `RealmError` because of a `ValueMismatch` if there was no such property, or its value is null or of another
  ///   type; an error of kind `damaged` if the value is.
  public func get<T: RealmConvertible>(_ property: String, as type: T.Type = T.self) throws(RealmError) -> T {
    try asking {
      let value = try value(property, as: type)
      do { return try T(realmValue: value) } catch let error as ValueMismatch { throw error.inside(property) }
    }
  }

  /// The object that a property linked to; nil for null, or if the object did not exist.
  ///
  /// - Throws: as `get`.
  public func link(_ property: String) throws(RealmError) -> OldObject? {
    try asking {
      let value = try value(property, as: OldObject.self)
      switch value {
      case .null: return nil
      case .link, .typedLink: return try OldObject(linkedBy: value, in: realm, status)
      default: throw ValueMismatch(value, expected: OldObject.self).inside(property)
      }
    }
  }

  /// The objects in a list or set of links, in the order of the list. Links to objects that did not exist are left out.
  ///
  /// - Throws: as `get`.
  public func links(_ property: String) throws(RealmError) -> [OldObject] {
    try asking {
      let value = try value(property, as: [OldObject].self)
      guard let elements = value.elements else {
        throw ValueMismatch(value, expected: [OldObject].self).inside(property)
      }
      return try elements.compactMap { try OldObject(linkedBy: $0, in: realm, status) }
    }
  }

  private func value(_ property: String, as type: Any.Type) throws -> Value {
    let (schema, name) = (batch.table.schema, RealmString(property))
    guard let index = schema.properties.firstIndex(where: { $0.name == name }) else {
      throw ValueMismatch(.absent(names: schema.properties.map(\.name.description)), expected: type, at: property)
    }
    return try Value(batch.values(ofProperty: index).value(at: row), realm.collectionWalk())
  }

  /// The space of old objects may be written again when the transaction has ended.
  private func asking<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(status.path) {
      try status.requireThread()
      try status.requireGoing()
      return try body()
    }
  }
}
