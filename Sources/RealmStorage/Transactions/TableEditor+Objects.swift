/// Objects: reading, changing, making, deleting (Docs/Format/3-tables-and-objects.md §4, §5).
extension TableEditor {
  // MARK: Reading

  /// The value of a property, with everything in it.
  ///
  /// Links to objects that do not exist (tombstones of synced realms) have their unresolved keys.
  ///
  /// - Throws: `EditError.noSuchProperty`, `noSuchObject`, `ended`; `StorageError.corrupted`.
  package func value(_ property: RealmString, of key: ObjectKey) throws(RealmError) -> Value {
    try asking {
      let column = try column(property)
      guard let place = try objects.find(key) else { throw noSuchObject(key) }
      return try objects.value(column, at: place)
    }
  }

  func noSuchObject(_ key: ObjectKey) -> EditError { .noSuchObject(table: name, key: key) }

  /// The objects that link to one, through one property of one table after another, once for each link.
  ///
  /// - Throws: `EditError.noSuchObject`, `ended`; `StorageError.corrupted`.
  package func backlinks(of key: ObjectKey) throws(RealmError) -> [(
    table: TableKey, property: RealmString, origins: [ObjectKey]
  )] {
    try asking {
      let transaction = try transaction
      guard let place = try objects.find(key) else { throw noSuchObject(key) }
      return try columns.backlinks.compactMap { backlink in
        guard let table = transaction.table(backlink.originTable), let column = table.columns[backlink.originColumn]
        else { return nil }
        let origins = try objects.origins(backlink.leafIndex, of: place)
        return origins.isEmpty ? nil : (table.key, column.name, origins.map { ObjectKey(rawValue: $0) })
      }
    }
  }

  /// Whether anything links to an object.
  func hasBacklinks(at place: EditedRow) throws -> Bool {
    for backlink in columns.backlinks where try transaction.table(backlink.originTable) != nil {
      if try objects.hasOrigins(backlink.leafIndex, of: place) { return true }
    }
    return false
  }

  // MARK: Changing

  /// Gives a property another value. Backlinks are added and removed with their links; an embedded object without a
  /// parent is deleted.
  ///
  /// - Throws: `EditError` for what is not there; `BuildError` for a value that the property cannot store, or a link to
  ///   a nonexistent object; `StorageError.corrupted` if the old value is damaged, which stops the transaction.
  package func set(_ property: RealmString, of key: ObjectKey, to value: Value) throws(RealmError) {
    try change { try setValue(property, of: key, to: value) }
  }

  /// The same with embedded objects that were created for this object and have no parent yet.
  func adopt(_ property: RealmString, of key: ObjectKey, _ value: Value) throws {
    try change { try setValue(property, of: key, to: value, adoptsObjects: true) }
  }

  private func setValue(
    _ property: RealmString, of key: ObjectKey, to value: Value, adoptsObjects: Bool = false
  ) throws {
    let column = try column(property)
    try column.require(value)
    guard let place = try objects.change(key) else { throw noSuchObject(key) }
    if !adoptsObjects, column.element.code == .link,
      let target = try transaction.table(column.element.target), target.kind == .embedded
    {
      try target.requireOnlyKnown(value, orIn: try objects.value(column, at: place))
    }
    if column.key == columns.primaryKeyName {
      primaryKeys.set(value, insteadOf: try objects.value(column, at: place), of: key)
      try transaction.uncheckedKeys.insert(self.key)
    }
    try replace(column, at: place, by: value)
  }

  /// An embedded object has one parent: a value may keep the objects it has, each once, and link to no others.
  func requireOnlyKnown(_ value: Value, orIn old: Value) throws {
    var known: Set<ObjectKey> = []
    old.forEachLink { known.insert($1) }
    try value.forEachLink { if known.remove($1) == nil { throw EditError.embeddedObject(table: name) } }
  }

  /// Makes an embedded object: in place of the one that a property links to, at the end of its list, or under a key of
  /// its dictionary.
  ///
  /// - Parameter dictionaryKey: only for a dictionary, which needs it.
  /// - Returns: the object, in the table that the property links to.
  /// - Throws: `EditError` for what is not there; `BuildError.wrongType` if the property does not link to embedded
  ///   objects, `dictionaryKey` for a key that no dictionary can have; `StorageError.corrupted` if the old value is
  ///   damaged, which stops the transaction.
  package func createEmbedded(
    in property: RealmString, of key: ObjectKey, dictionaryKey: RealmString? = nil
  ) throws(RealmError) -> ObjectKey {
    try change { try makeEmbedded(in: property, of: key, dictionaryKey: dictionaryKey) }
  }

  private func makeEmbedded(
    in property: RealmString, of key: ObjectKey, dictionaryKey: RealmString?
  ) throws -> ObjectKey {
    let column = try column(property)
    guard column.element.code == .link, let target = try transaction.table(column.element.target),
      target.kind == .embedded, (column.collection == .dictionary) == (dictionaryKey != nil)
    else { throw BuildError.wrongType }
    if let dictionaryKey { try column.require(.dictionary([dictionaryKey: .null])) }
    guard let place = try objects.change(key) else { throw noSuchObject(key) }
    let value = try objects.value(column, at: place)
    return try status.finish {
      let made = try target.makeObject()
      try add(made, of: target, to: value, column, of: key, dictionaryKey)
      return made
    }
  }

  private func add(
    _ made: ObjectKey, of target: TableEditor, to old: Value, _ column: EditedColumn, of key: ObjectKey,
    _ dictionaryKey: RealmString?
  ) throws {
    var value = old
    let link = Value.link(target.key, made)
    switch value {
    case .list(let elements): value = .list(elements + [link])
    case .dictionary(var entries):
      if let dictionaryKey { entries[dictionaryKey] = link }
      value = .dictionary(entries)
    default: value = link
    }
    try column.require(value)
    guard let place = try objects.change(key) else { throw noSuchObject(key) }
    try replace(column, at: place, by: value)
  }

  private func replace(_ column: EditedColumn, at place: EditedRow, by value: Value) throws {
    try objects.unshareEnumeration(column)
    try objects.loadValues(column, in: place.cluster)
    let (key, old) = (place.key, try objects.value(column, at: place))
    guard column.canHoldLinks else {
      try noteReplaced(old, by: value, column, of: key)
      return try objects.store(value, column, at: place)
    }
    let transaction = try transaction
    try value.forEachLink { target, key in
      try transaction.requireObject(key, of: target, linkedFrom: self)
      if column.column.element.code == .mixed { try transaction.requireTopLevel(target) }
    }
    try status.finish {
      try noteReplaced(old, by: value, column, of: key)
      try objects.store(value, column, at: place)
      if old.hasLinks || value.hasLinks { try exchangeBacklinks(column, of: key, old, value, transaction) }
    }
  }

  /// Records that a value is replaced.
  private func noteReplaced(_ old: Value, by value: Value, _ column: EditedColumn, of key: ObjectKey) throws {
    guard !account.isCopying, !value.keeps(old) else { return }
    guard !column.isSomething(old) else { return account.noteOverwritten(column, of: self) }
    // A default counts if it was in the file, not if it is the initial value of a new object or property.
    guard !account.hasFreedValues, !account.isNew(column, of: self),
      let before = try transaction.start.table(self.key), try before.object(key) != nil
    else { return }
    account.noteFreedDefault(in: self)
  }

  private func exchangeBacklinks(
    _ column: EditedColumn, of key: ObjectKey, _ old: Value, _ value: Value, _ transaction: WriteTransaction
  ) throws {
    try value.forEachLink { try transaction.addBacklink(to: ($0, $1), from: key, column, of: self) }
    var orphans: [TransactionLink] = []
    try old.forEachLink {
      if try transaction.removeBacklink(to: ($0, $1), from: key, column, of: self) { orphans.append(($0, $1)) }
    }
    if !orphans.isEmpty { try transaction.delete(orphans) }
  }

  // MARK: Primary keys

  /// The object with a primary key.
  ///
  /// - Throws: `EditError.primaryKeyMismatch` in a table without, `ended`; `StorageError.corrupted` where keys are
  ///   damaged.
  package func find(primaryKey value: Value) throws(RealmError) -> ObjectKey? {
    try asking { try primaryKeys.find(value, requiredPrimaryKey, in: objects) }
  }

  private var requiredPrimaryKey: EditedColumn {
    get throws {
      guard let column = columns.primaryKey else { throw EditError.primaryKeyMismatch(table: name) }
      return column
    }
  }

  // MARK: Making

  /// Makes an object with default values, in a table without primary key.
  ///
  /// - Throws: `EditError.primaryKeyMismatch`, `embeddedObject`, `unsound` if no key is left, `ended`;
  ///   `StorageError.corrupted` if the objects next to it are damaged, which stops the transaction.
  package func create() throws(RealmError) -> ObjectKey {
    try change {
      guard columns.primaryKeyName == nil else { throw EditError.primaryKeyMismatch(table: name) }
      guard kind != .embedded else { throw EditError.embeddedObject(table: name) }
      return try makeObject()
    }
  }

  /// Makes an object with a primary key; its other values are defaults.
  ///
  /// - Parameter allowsDuplicates: duplicates are an error at the end only, as in a migration.
  /// - Throws: `EditError.primaryKeyMismatch`, `primaryKeyInUse`, `embeddedObject`, `unsound` if no key is left,
  ///   `ended`; `BuildError` for a value of another type; `StorageError.corrupted` where keys, or the objects next to
  ///   it, are damaged, which stops the transaction.
  package func create(primaryKey value: Value, allowsDuplicates: Bool = false) throws(RealmError) -> ObjectKey {
    try change { try makeObject(primaryKey: value, allowsDuplicates: allowsDuplicates) }
  }

  private func makeObject(primaryKey value: Value, allowsDuplicates: Bool) throws -> ObjectKey {
    let column = try requiredPrimaryKey
    guard kind != .embedded else { throw EditError.embeddedObject(table: name) }
    try column.require(value)
    if !allowsDuplicates, try primaryKeys.find(value, column, in: objects) != nil {
      throw EditError.primaryKeyInUse(table: name, value)
    }
    let key = try makeObject()
    if let place = try objects.change(key) { try objects.store(value, column, at: place) }
    primaryKeys.set(value, of: key)
    if allowsDuplicates { try transaction.uncheckedKeys.insert(self.key) }
    return key
  }

  func makeObject() throws -> ObjectKey {
    guard let key = try objects.make() else { throw EditError.unsound(table: name) }
    account.noteCreated(in: self)
    return key
  }

  // MARK: Deleting

  /// Deletes an object: links to it become null or disappear, and its embedded objects are deleted with it.
  ///
  /// - Throws: `EditError.noSuchObject`, `ended`; `StorageError.corrupted` if the object or what links to it is
  ///   damaged, which stops the transaction.
  package func delete(_ key: ObjectKey) throws(RealmError) {
    try change {
      guard try objects.find(key) != nil else { throw noSuchObject(key) }
      try status.finish { try transaction.delete([(self.key, key)]) }
    }
  }

  /// Deletes objects together, with less work than one after another if they are in the same collections.
  ///
  /// - Parameter keys: those that do not exist are ignored.
  /// - Returns: how many objects with these keys existed.
  /// - Throws: as `delete`.
  @discardableResult
  package func delete(_ keys: [ObjectKey]) throws -> Int {
    try change {
      let present = try Set(keys).sorted().filter { try objects.find($0) != nil }
      try status.finish { try transaction.delete(present.map { (key, $0) }) }
      return present.count
    }
  }

  /// Deletes all objects.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` if objects are damaged, which stops the transaction.
  package func deleteAll() throws(RealmError) {
    try change {
      let keys = try keys().map { (key, $0) }
      try status.finish { try transaction.delete(keys) }
    }
  }
}
