/// One table while a transaction changes it.
///
/// It can be kept longer than its transaction, and longer than the table exists: calls that read or change objects then
/// throw `EditError.ended` or `noSuchTable`.
package final class TableEditor {
  /// The key of the table.
  package let key: TableKey
  /// The name in the file.
  package internal(set) var name: RealmString
  /// The transaction owns its tables, not the other way round.
  private weak var owner: WriteTransaction?
  let status: TransactionStatus
  let output: TransactionOutput
  let account: ChangeAccount
  /// Whether it is one of the tables that apps see.
  let isClass: Bool
  private let nodes: NodeEncoder
  /// Whether the transaction has removed the table.
  var isRemoved = false
  /// The table in the file; nil for a new one.
  let stored: Table?
  let columns: EditedColumns
  let objects: EditedObjects
  private(set) var kind: TableKind
  private var isKindSet = false
  var primaryKeys = PrimaryKeys()

  /// - Throws: `StorageError.corrupted`.
  init(_ table: Table, _ transaction: WriteTransaction) throws {
    (key, name, kind, stored) = (table.key, table.schema.name, table.schema.kind, table)
    (owner, status, output, nodes) = (transaction, transaction.status, transaction.output, transaction.nodes)
    account = transaction.account
    isClass = table.schema.isClass
    objects = try EditedObjects(table, key: key, transaction)
    columns = objects.columns
    // One cluster is read as fast as an index.
    if objects.count > Cluster.mostObjects, let column = columns.primaryKey, column.column.index == .general {
      primaryKeys = PrimaryKeys(IndexLookup(root: column.storedIndex, store: table.store))
    }
  }

  /// A new table without columns.
  init(_ name: RealmString, _ kind: TableKind, key: TableKey, _ transaction: WriteTransaction) throws {
    (self.key, self.name, self.kind, stored) = (key, name, kind, nil)
    (owner, status, output, nodes) = (transaction, transaction.status, transaction.output, transaction.nodes)
    account = transaction.account
    isClass = name.hasPrefix(TableSchema.classPrefix)
    objects = try EditedObjects(nil, key: key, transaction)
    columns = objects.columns
  }

  // MARK: Transaction

  /// - Throws: `EditError.ended`.
  var transaction: WriteTransaction {
    get throws {
      guard let owner else { throw EditError.ended }
      return owner
    }
  }

  /// - Throws: `EditError.ended`, `noSuchTable`; what stopped the transaction.
  func requireThere() throws {
    try status.requireGoing()
    guard !isRemoved else { throw EditError.noSuchTable(name) }
  }

  /// Runs a call on an existing table, and throws its errors as errors of the realm.
  func asking<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(status.path) {
      try requireThere()
      return try body()
    }
  }

  /// Runs a change; see `TransactionStatus.change`.
  func change<Result>(_ body: () throws -> Result) throws(RealmError) -> Result {
    try asking { try status.change(body) }
  }

  // MARK: Facts

  /// The table with the changes of this transaction.
  package var schema: TableSchema {
    let properties = columns.all.map { $0.column.property { owner?.table($0)?.name } }
    return TableSchema(
      name: name, kind: kind, properties: properties,
      primaryKeyIndex: columns.all.firstIndex { $0.key == columns.primaryKeyName })
  }

  /// Number of objects.
  package var objectCount: Int { objects.count }

  /// - Throws: `EditError.noSuchProperty`.
  func column(_ name: RealmString) throws -> EditedColumn {
    guard let column = columns[name] else { throw EditError.noSuchProperty(table: self.name, property: name) }
    return column
  }

  /// Calls `visit` with the keys of all objects, in order. Changes meanwhile are not seen.
  ///
  /// - Throws: for `EditError.ended`, `StorageError.corrupted` if objects are damaged, and what `visit` throws.
  package func forEachKey(_ visit: (ObjectKey) throws -> Void) throws(RealmError) {
    try RealmError.wrapping(status.path) { for key in try keys() { try visit(key) } }
  }

  /// The keys of all objects, in order.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` if objects are damaged.
  package func keys() throws -> [ObjectKey] {
    try requireThere()
    var keys: [ObjectKey] = []
    keys.reserveCapacity(objects.likelyCount)
    try objects.forEachCluster { cluster in
      keys += cluster.keys.map { ObjectKey(rawValue: Int64(bitPattern: $0)) }
    }
    return keys
  }

  /// The key of the first object; nil if there are none.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` if objects are damaged.
  package func firstKey() throws -> ObjectKey? {
    try requireThere()
    return try objects.firstKey()
  }

  /// Whether there is an object with a key.
  ///
  /// - Throws: for `EditError.ended`, and `StorageError.corrupted` if objects are damaged.
  package func contains(_ key: ObjectKey) throws(RealmError) -> Bool {
    try asking { try objects.findLive(key) != nil }
  }

  /// Changes what kind of table it is. Whether its objects can be embedded is up to the caller (§8.11).
  ///
  /// An embedded table with a primary key, or links that cannot lead to such tables, are refused by `commit`.
  ///
  /// - Throws: `EditError.noSuchTable`, `ended`.
  package func setKind(_ kind: TableKind) throws {
    try requireThere()
    (self.kind, isKindSet) = (kind, true)
  }

  // MARK: Writing

  var indexes: IndexUpdate { IndexUpdate(stored: stored, objects: objects, nodes: nodes, output: output) }

  /// Whether any part of it differs from the file.
  var isTouched: Bool { stored == nil || isKindSet || columns.isChanged || objects.isChanged }

  /// The map of key collisions in the file; null if there is none.
  private var storedCollisions: Ref {
    get throws { try stored.map { try RawTableTop($0.root, in: $0.store).ref(.collisionMap) } ?? .null }
  }

  /// Writes what has changed.
  ///
  /// - Returns: the root of the table.
  func write() throws -> Ref {
    guard isTouched else { return stored?.root ?? .null }
    let indexes = try columns.all.map(self.indexes.write)
    let objects = try objects.write(collisions: storedCollisions)
    return try columns.write(kind, objects, indexes: indexes, replacing: stored, nodes, output)
  }

  /// - Throws: `EditError.embeddedObject`, `BuildError.wrongType` if a table of its kind cannot have what it has.
  func requireKind() throws {
    guard kind != .topLevel, isTouched else { return }
    guard kind != .embedded || columns.primaryKeyName == nil else { throw EditError.embeddedObject(table: name) }
    guard kind != stored?.schema.kind || columns.isChanged else { return }
    for backlink in columns.backlinks {
      guard let origin = try transaction.table(backlink.originTable)?.columns[backlink.originColumn]?.column,
        origin.element.code == .link
      else { continue }
      guard kind == .embedded, origin.collection != .set else { throw BuildError.wrongType }
    }
  }

  /// Gives back all nodes of the table in the file, when it is removed. There are no objects any more.
  func releaseAll() throws {
    for column in columns.all {
      try removeOppositeColumns(of: column)
      try output.releaseTree(column.storedIndex)
      try output.releaseTree(column.enumeration)
    }
    try objects.releaseAll()
    try output.releaseTree(storedCollisions)
    try stored?.releaseSpec(output)
    try stored?.releaseTop(output)
  }
}
