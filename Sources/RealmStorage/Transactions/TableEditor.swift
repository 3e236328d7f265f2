/// One table while a transaction changes it.
///
/// It can be held longer than its transaction, and longer than the table is there: what reads or changes objects then
/// throws `EditError.ended` or `noSuchTable`.
public final class TableEditor {
  public let key: TableKey
  public internal(set) var name: RealmString
  /// The transaction holds its tables, not the other way round.
  private weak var owner: WriteTransaction?
  let status: TransactionStatus
  /// The state before the transaction.
  let base: Snapshot
  let output: TransactionOutput
  let nodes: NodeEncoder
  /// Whether the transaction has removed the table.
  var isRemoved = false
  /// The table in the file; nil for a new one.
  let stored: Table?

  var columns: [EditedColumn]
  var backlinks: [BacklinkColumn]
  var primaryKeyColumn: ColumnKey?
  var kind: TableKind
  /// Slots of the lists by leaf index: they never get shorter.
  var leafCount: Int
  /// Columns that were ever removed: part of the keys of new ones (Docs/Format/3-tables-and-objects.md §3.4).
  var columnSequence: UInt64
  /// The number of the next object.
  var objectSequence: UInt64
  let objects: EditedClusterTree
  let tombstones: EditedClusterTree
  let hasTombstones: Bool

  /// Whether anything of it is different from the file.
  var isTouched: Bool
  var isSpecChanged: Bool
  /// Whether an object or a placeholder was taken out.
  var hasRemovedObjects = false
  /// Objects by primary key.
  var primaryKeys: PrimaryKeys
  /// What each leaf gets for a new object; nil after every change of the columns.
  var defaultsOfNewObjects: [Value]?
  var leafWriters: [ColumnKey: LeafWriter] = [:]
  private var likelyColumn = 0

  init(_ table: Table, _ transaction: WriteTransaction) throws {
    let store = transaction.base.store
    (key, name, stored, owner, status) = (table.key, table.schema.name, table, transaction, transaction.status)
    (base, output, nodes) = (transaction.base, transaction.output, transaction.nodes)
    let top = try Node(table.top.ref, in: store)
    columnSequence = try top.tagged(5)
    objectSequence = try top.tagged(9)
    (kind, primaryKeyColumn) = (table.top.kind, table.top.primaryKey)
    leafCount = table.top.oppositeTables.count
    objects = try EditedClusterTree(table.top.clusters, in: store)
    tombstones = try EditedClusterTree(table.top.tombstones, in: store)
    hasTombstones = !table.top.tombstones.isNull
    (isTouched, isSpecChanged, primaryKeys) = (false, false, PrimaryKeys())
    let spec = try Node(table.top.spec, in: store)
    let attributes = try Node(spec.childRef(2), in: store)
    let enumerations = try spec.childRef(4).isNull ? nil : Node(spec.childRef(4), in: store)
    let objectCount = objects.count
    columns = try table.columns.enumerated().map { index, column in
      let edited = EditedColumn(
        column, extraAttributes: try attributes.int(index) & Self.obsoleteAttributes,
        storedIndex: column.leafIndex < table.top.indexes.count
          ? try table.top.indexes.childRef(column.leafIndex) : .null,
        mostIndexChanges: table.mostIndexChanges(column, attributes: try attributes.int(index), objectCount),
        opposite: column.element.code == .link ? table.top.oppositeColumn(at: column.leafIndex) : .null)
      edited.wasIndexedBesides = try attributes.int(index) & Int64(ColumnAttributes.indexed.rawValue) != 0
      if let enumerations, index < enumerations.count { edited.enumeration = try enumerations.childRef(index) }
      return edited
    }
    backlinks = table.backlinks
    try requirePlaces(table)
    // One cluster is read as fast as an index.
    if objects.count > Cluster.mostObjects, let column = columns.first(where: { $0.key == primaryKeyColumn }),
      column.column.index == .general
    {
      primaryKeys = PrimaryKeys(IndexLookup(root: column.storedIndex, store: store))
    }
  }

  /// A new table without columns.
  init(_ name: RealmString, _ kind: TableKind, key: TableKey, _ transaction: WriteTransaction) throws {
    (self.key, self.name, self.kind, owner, status) = (key, name, kind, transaction, transaction.status)
    (base, output, nodes) = (transaction.base, transaction.output, transaction.nodes)
    (stored, columns, backlinks, primaryKeyColumn) = (nil, [], [], nil)
    (leafCount, columnSequence, objectSequence) = (0, 0, 0)
    objects = try EditedClusterTree(.null, in: transaction.base.store)
    tombstones = try EditedClusterTree(.null, in: transaction.base.store)
    (hasTombstones, isTouched, isSpecChanged, primaryKeys) = (false, true, true, PrimaryKeys())
  }

  /// - Throws: `StorageError.corrupted` where two columns have the same place in clusters, or one has a place beyond the
  ///   lists, or these claim more than there can be: a place that no column has takes eight bytes (§2).
  private func requirePlaces(_ table: Table) throws {
    var taken: Set<Int> = []
    for leafIndex in columns.map(\.leafIndex) + backlinks.map(\.leafIndex) {
      guard taken.insert(leafIndex).inserted, leafIndex < leafCount else {
        throw StorageError.corrupted(table.top.spec, .badTable("its columns have no places of their own"))
      }
    }
    let lists = table.top.oppositeColumns
    guard leafCount == taken.count || leafCount <= min(lists.count, lists.payloadSize / 8) else {
      throw StorageError.corrupted(lists.ref, .wrongElementCount(expected: leafCount, found: lists.count))
    }
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

  /// Runs a change; see `TransactionStatus.change`.
  func change<Result>(_ body: () throws -> Result) throws -> Result {
    try requireThere()
    return try status.change(body)
  }

  /// Bits of the spec that mean nothing any more, and stay (§3.3).
  private static let obsoleteAttributes: Int64 = 8

  // MARK: Facts

  /// The table with the changes of this transaction.
  public var schema: TableSchema {
    let properties = columns.map { edited in
      let column = edited.column
      return Property(
        name: column.name, type: column.element.code.propertyType, collection: column.collection,
        isOptional: column.element.isNullable,
        target: column.element.code == .link ? owner?.table(column.element.target)?.name : nil,
        index: column.index)
    }
    return TableSchema(
      name: name, kind: kind, properties: properties,
      primaryKeyIndex: primaryKeyColumn.flatMap { key in columns.firstIndex { $0.key == key } })
  }

  /// Number of objects.
  public var objectCount: Int { objects.count }

  var store: ByteStore { base.store }

  /// - Throws: `EditError.noSuchProperty`.
  func column(_ name: RealmString) throws -> EditedColumn {
    // Mostly it is the one that was asked for last, or the next.
    for step in columns.indices {
      let index = (likelyColumn + step) % columns.count
      guard columns[index].name == name else { continue }
      likelyColumn = index
      return columns[index]
    }
    throw EditError.noSuchProperty(table: self.name, property: name)
  }

  /// Calls `visit` with the keys of all objects, in order. Changes meanwhile are not seen.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where objects are damaged; what `visit` throws.
  public func forEachKey(_ visit: (ObjectKey) throws -> Void) throws {
    try requireThere()
    var keys: [ObjectKey] = []
    keys.reserveCapacity(likelyCount)
    try objects.forEachCluster { cluster in
      keys += cluster.keys.map { ObjectKey(rawValue: Int64(bitPattern: $0)) }
    }
    for key in keys { try visit(key) }
  }

  /// The number of objects to make room for: the file may claim any.
  var likelyCount: Int { min(objectCount, base.byteCount) }

  /// The key of the first object; nil where there are none.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where objects are damaged.
  public func firstKey() throws -> ObjectKey? {
    try requireThere()
    return try objects.firstKey().map { ObjectKey(rawValue: Int64(bitPattern: $0)) }
  }

  /// Whether there is an object with a key.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where objects are damaged.
  public func contains(_ key: ObjectKey) throws -> Bool {
    try requireThere()
    return try objects.find(key) != nil
  }
}
