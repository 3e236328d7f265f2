/// Changes of a realm that become real all at once, or not at all.
///
/// Everything that is read through the transaction shows its changes. Nothing is written to the file before it is needed,
/// and what was not touched stays where it is.
///
/// ```swift
/// try Realm.write(at: "app.realm") { tx in
///   let alice = try tx.upsert("Person", ["id": 1, "name": "Alice"])
///   let rex = try tx.create("Dog", ["name": "Rex", "age": 3])
///   try rex.set("owner", to: alice)
///   try tx.objects("Dog").forEach { try $0.set("isGood", to: true) }
/// }
/// ```
///
/// A call that is refused (an error of kind `change`) changes nothing, and the transaction can go on. Any other error may have
/// stopped a change halfway: then the transaction can only be abandoned, and everything else throws the same error again.
///
/// A transaction is lent to the closure that makes the changes and cannot be kept. Objects that were taken from it can, and
/// every call of theirs throws when it has ended.
public struct RealmTransaction: ~Copyable {
  package let editing: WriteTransaction
  private let scope: MigrationScope?

  package init(_ editing: WriteTransaction) { self.init(editing, nil) }

  init(_ editing: WriteTransaction, _ scope: MigrationScope?) { (self.editing, self.scope) = (editing, scope) }

  /// The path of the realm, as given.
  public var path: String { editing.status.path }

  /// All tables with their properties.
  public var schema: Schema { editing.schema }

  /// - Throws: `EditError.noSuchTable`.
  func place(ofClass name: String) throws -> WrittenPlace { try editing.place(ofClass: name, scope) }

  // MARK: Objects

  /// The objects of a class, embedded classes included.
  ///
  /// - Parameter className: without `class_`.
  /// - Throws: an error of kind `change` if there is no such class.
  public func objects(_ className: String) throws(RealmError) -> WrittenObjects {
    try editing.asking { WrittenObjects(try place(ofClass: className), keys: nil) }
  }

  /// The object with a primary key; nil if there is none.
  ///
  /// - Parameters:
  ///   - className: without `class_`.
  ///   - value: of the primary key.
  /// - Throws: an error of kind `change` if there is no such class, or it has no primary key; of kind `damaged` if keys are.
  public func object(
    _ className: String, primaryKey value: (any RealmConvertible)?
  ) throws(RealmError) -> WrittenObject? {
    try editing.asking {
      let place = try place(ofClass: className)
      return try place.editor.find(primaryKey: value?.realmValue ?? .null).map { WrittenObject(place, $0) }
    }
  }

  /// The object with a key, such as that of a `RealmObject`; nil if there is none.
  ///
  /// - Parameters:
  ///   - className: without `class_`.
  ///   - key: of the object.
  /// - Throws: an error of kind `change` if there is no such class; of kind `damaged` if objects cannot be read.
  public func object(_ className: String, key: ObjectKey) throws(RealmError) -> WrittenObject? {
    try editing.asking {
      let place = try place(ofClass: className)
      return try place.editor.contains(key) ? WrittenObject(place, key) : nil
    }
  }

  /// The target of a link; nil if the value is not a link, or the object no longer exists.
  ///
  /// - Throws: an error of kind `damaged` if objects cannot be read.
  public func object(linkedBy value: Value) throws(RealmError) -> WrittenObject? {
    try editing.asking { try editing.object(linkedBy: value, scope) }
  }

  // MARK: Making

  /// Makes an object.
  ///
  /// - Parameters:
  ///   - className: without `class_`.
  ///   - values: by the names of properties, the primary key among them if the class has one; other properties get the
  ///     default of their type. See `WrittenObject.set` for what can be given.
  /// - Throws: an error of kind `change` if the class or a property does not exist, a property cannot store its value, the
  ///   primary key is missing or in use, or the class is embedded: nothing is made then.
  @discardableResult
  public func create(
    _ className: String, _ values: [String: (any RealmConvertible)?] = [:]
  ) throws(RealmError) -> WrittenObject {
    try editing.asking { try editing.make(place(ofClass: className), NewValues(values)) }
  }

  /// Makes an object with a primary key.
  ///
  /// - Parameters, and errors: those of `create` without it; an error of kind `change` if the class has no primary key.
  @discardableResult
  public func create(
    _ className: String, primaryKey value: (any RealmConvertible)?, _ values: [String: (any RealmConvertible)?] = [:]
  ) throws(RealmError) -> WrittenObject {
    try editing.asking {
      try editing.make(place(ofClass: className), NewValues(values, primaryKey: value?.realmValue ?? .null))
    }
  }

  /// Makes an object, or changes the one that has its primary key: then only the properties that are given change.
  ///
  /// Embedded objects that are given take the place of those before.
  ///
  /// - Parameters, and errors: those of `create`; the primary key must be among the values.
  @discardableResult
  public func upsert(
    _ className: String, _ values: [String: (any RealmConvertible)?]
  ) throws(RealmError) -> WrittenObject {
    try editing.asking { try editing.update(place(ofClass: className), NewValues(values)) }
  }

  /// The same with the primary key apart.
  @discardableResult
  public func upsert(
    _ className: String, primaryKey value: (any RealmConvertible)?, _ values: [String: (any RealmConvertible)?] = [:]
  ) throws(RealmError) -> WrittenObject {
    try editing.asking {
      try editing.update(place(ofClass: className), NewValues(values, primaryKey: value?.realmValue ?? .null))
    }
  }
}

/// Where objects of a class are, for as long as its transaction goes on.
///
/// The table is looked up with every call: after a spill it is another one.
struct WrittenPlace: Sendable {
  let status: TransactionStatus
  let table: TableKey
  /// The full name of the table, for messages.
  let name: RealmString
  /// Nil outside a migration.
  let scope: MigrationScope?

  init(_ status: TransactionStatus, _ table: TableEditor, _ scope: MigrationScope?) {
    (self.status, self.table, self.name, self.scope) = (status, table.key, table.name, scope)
  }

  /// The same for another table.
  func place(of table: TableEditor) -> WrittenPlace { WrittenPlace(status, table, scope) }

  /// - Throws: `EditError.otherThread`, `ended`; what stopped the transaction.
  var transaction: WriteTransaction {
    get throws {
      try status.requireThread()
      try status.requireGoing()
      guard let transaction = status.transaction else { throw EditError.ended }
      return transaction
    }
  }

  /// - Throws: as `transaction`; `EditError.noSuchTable`.
  var editor: TableEditor {
    get throws {
      guard let editor = try transaction.table(table) else { throw EditError.noSuchTable(name) }
      return editor
    }
  }

  /// - Throws: `EditError.noSuchProperty`, also for one that a migration is about to remove.
  func requireVisible(_ property: RealmString) throws {
    guard !isVisible(property) else { return }
    throw EditError.noSuchProperty(table: name, property: property)
  }

  func isVisible(_ property: RealmString) -> Bool {
    scope.map { $0.tables[name]?.property(named: property) != nil } ?? true
  }

  /// The target of a link; nil if the value is not a link, or the object no longer exists.
  func object(linkedBy value: Value) throws -> WrittenObject? {
    try transaction.object(linkedBy: value, scope)
  }

  /// Runs a call of a client on an object or on several.
  func asking<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(status.path) { try RealmError.uncovering(body) }
  }
}

/// What a migration shows of the realm: the properties of its target schema. Primary keys may change.
final class MigrationScope: Sendable {
  /// By their full names.
  let tables: [RealmString: TableSchema]

  init(_ target: Schema) {
    tables = Dictionary(target.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension WriteTransaction {
  /// Runs a call of a client, and throws its errors as errors of the realm.
  func asking<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(status.path) {
      try status.requireGoing()
      return try RealmError.uncovering(body)
    }
  }

  /// - Parameter name: without `class_`.
  /// - Throws: `EditError.noSuchTable`.
  func place(ofClass name: String, _ scope: MigrationScope?) throws -> WrittenPlace {
    let table = try table(TableSchema.tableName(ofClass: RealmString(name)))
    guard scope.map({ $0.tables[table.name] != nil }) ?? true else { throw EditError.noSuchTable(table.name) }
    return WrittenPlace(status, table, scope)
  }

  /// - Returns: nil if the value is not a link, or the object does not exist.
  func object(linkedBy value: Value, _ scope: MigrationScope?) throws -> WrittenObject? {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      guard let editor = self.table(table), try editor.contains(key) else { return nil }
      return WrittenObject(WrittenPlace(status, editor, scope), key)
    default: return nil
    }
  }
}
