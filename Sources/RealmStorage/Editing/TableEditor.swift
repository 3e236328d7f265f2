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
  var backlinks: [EditedBacklinks]
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
  private var leafWriters: [ColumnKey: LeafWriter] = [:]

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
    backlinks = table.backlinks.map {
      EditedBacklinks(key: $0.key, originTable: $0.originTable, originColumn: $0.originColumn)
    }
    try requirePlaces(table)
    // One cluster is read as fast as an index.
    if objects.count > Cluster.mostObjects, let column = columns.first(where: { $0.key == primaryKeyColumn }),
      column.column.index == .general
    {
      primaryKeys = PrimaryKeys(IndexLookup(root: column.storedIndex, store: store))
    }
    prepareTrees()
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
    prepareTrees()
  }

  private func prepareTrees() {
    objects.emptyCluster = { [weak self] in self?.newCluster(base: 0) ?? EditedCluster(base: 0, leafCount: 0) }
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
    guard let column = columns.first(where: { $0.name == name }) else {
      throw EditError.noSuchProperty(table: self.name, property: name)
    }
    return column
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

  // MARK: Leaves

  func newCluster(base: UInt64) -> EditedCluster {
    let cluster = EditedCluster(base: base, leafCount: leafCount)
    fillEmpty(cluster)
    cluster.isLoaded = true
    return cluster
  }

  /// Every new object has the same values until one of them is set.
  private func fillEmpty(_ cluster: EditedCluster) {
    for leafIndex in columns.map(\.leafIndex) + backlinks.map(\.leafIndex) {
      makeRoom(in: cluster, for: leafIndex)
      cluster.leaves[leafIndex] = .defaults
    }
  }

  /// All leaves of a cluster that are in the file, to be changed.
  func loadAll(_ cluster: EditedCluster) throws {
    if cluster.isLoaded { return }
    cluster.isLoaded = true
    if cluster.stored == nil, cluster.count == 0 { return fillEmpty(cluster) }
    for column in columns where !cluster.hasDefaults(column.leafIndex) { try loadValues(column, in: cluster) }
    for column in backlinks where !cluster.hasDefaults(column.leafIndex) {
      try loadBacklinks(column.leafIndex, in: cluster)
    }
  }

  /// Makes a cluster have the place of a column.
  func makeRoom(in cluster: EditedCluster, for leafIndex: Int) {
    let missing = leafIndex + 1 - cluster.leaves.count
    if missing > 0 { cluster.leaves += Array(repeating: .none, count: missing) }
  }

  private func requirePlace(_ leafIndex: Int, in cluster: EditedCluster) throws {
    guard leafIndex < cluster.leaves.count else {
      throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// The values of one column in a cluster, to be changed; the leaf in the file is given back.
  func loadValues(_ column: EditedColumn, in cluster: EditedCluster) throws {
    try requirePlace(column.leafIndex, in: cluster)
    switch cluster.leaves[column.leafIndex] {
    case .values, .backlinks: return
    case .defaults:
      let cell = EditedCell.value(column.defaultValue)
      cluster.leaves[column.leafIndex] = .values(EditedCells(Array(repeating: cell, count: cluster.count)))
    case .stored(let ref):
      cluster.leaves[column.leafIndex] = .values(EditedCells(try cells(column, ref, count: cluster.count)))
      // Collections that are not looked at stay where they are.
      if column.column.collection != nil {
        output.release(ref, byteSize: try Node(ref, in: store).byteSize)
      } else {
        try output.releaseTree(ref)
      }
    case .none: throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// What a leaf in the file holds.
  private func cells(_ column: EditedColumn, _ ref: Ref, count: Int) throws -> [EditedCell] {
    if column.column.collection != nil {
      let roots = try Node(ref, in: store)
      try roots.requireRefs("the collections of a property")
      guard roots.count == count else {
        throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: roots.count))
      }
      return try (0..<count).map { .storedCollection(try roots.childRef($0)) }
    }
    let leaf = try storedLeaf(column, ref, count: count)
    let (store, walk) = (self.store, self.walk)
    return try (0..<count).map {
      .value(try Value(try leaf.value(at: $0, in: store, showsTombstones: true), walk))
    }
  }

  private func storedLeaf(_ column: EditedColumn, _ ref: Ref, count: Int) throws -> Leaf {
    let leaf =
      if let collection = column.column.collection {
        try Leaf(ref, of: collection, column.column.element, in: store)
      } else {
        try Leaf(
          ref, of: column.column.element, enumeration: column.column.enumeration, inCollection: false, in: store)
      }
    guard leaf.count == count else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: count, found: leaf.count))
    }
    return leaf
  }

  var walk: CollectionWalk {
    var walk = base.collectionWalk(passes: 4)
    walk.showsTombstones = true
    return walk
  }

  /// The value in a row of a cluster.
  func value(
    _ column: EditedColumn, in cluster: EditedCluster, row: Int, _ walk: CollectionWalk? = nil
  ) throws -> Value {
    guard column.leafIndex < cluster.leaves.count else { return column.defaultValue }
    switch cluster.leaves[column.leafIndex] {
    case .values(let leaf): return try value(of: leaf.cells[row], column, walk)
    case .defaults: return column.defaultValue
    case .stored(let ref):
      let leaf = try storedLeaf(column, ref, count: cluster.count)
      return try Value(try leaf.value(at: row, in: store, showsTombstones: true), walk ?? self.walk)
    case .none, .backlinks: throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// The values of all objects of a cluster.
  ///
  /// - Parameter walk: for what goes through all clusters, so that no collection is read for one after the other.
  func values(_ column: EditedColumn, in cluster: EditedCluster, _ walk: CollectionWalk? = nil) throws -> [Value] {
    let walk = walk ?? self.walk
    guard column.leafIndex < cluster.leaves.count, case .stored(let ref) = cluster.leaves[column.leafIndex] else {
      return try (0..<cluster.count).map { try value(column, in: cluster, row: $0, walk) }
    }
    let leaf = try storedLeaf(column, ref, count: cluster.count)
    let store = self.store
    return try (0..<cluster.count).map {
      try Value(try leaf.value(at: $0, in: store, showsTombstones: true), walk)
    }
  }

  private func value(of cell: EditedCell, _ column: EditedColumn, _ walk: CollectionWalk?) throws -> Value {
    switch cell {
    case .value(let value): return value
    case .storedCollection(let root):
      let walk = walk ?? self.walk
      let element = column.column.element
      switch column.column.collection {
      case .list: return try Value(.list(ListView(root: root, element: element)), walk)
      case .set: return try Value(.set(ListView(root: root, element: element)), walk)
      case .dictionary:
        let target = element.code == .link ? element.target : nil
        return try Value(.dictionary(DictionaryView(root: root, linkTarget: target)), walk)
      case nil: return .null
      }
    }
  }

  /// Puts a value into a row of a loaded leaf. Incoming links are the caller's business.
  func store(_ value: Value, _ column: EditedColumn, in cluster: EditedCluster, row: Int) throws {
    try loadValues(column, in: cluster)
    guard case .values(let leaf) = cluster.leaves[column.leafIndex] else { return }
    if case .storedCollection(let root) = leaf.cells[row] { try output.releaseTree(root) }
    leaf.cells[row] = .value(value)
    column.noteIndexChange(at: ObjectKey(rawValue: Int64(bitPattern: cluster.keys[row])))
    isTouched = true
  }

  // MARK: Backlink cells

  func loadBacklinks(_ leafIndex: Int, in cluster: EditedCluster) throws {
    try requirePlace(leafIndex, in: cluster)
    switch cluster.leaves[leafIndex] {
    case .backlinks, .values: return
    case .defaults: cluster.leaves[leafIndex] = .backlinks(EditedCells(Array(repeating: .empty, count: cluster.count)))
    case .stored(let ref):
      let leaf = try Node(ref, in: store)
      try leaf.requireRefs("incoming links")
      guard leaf.count == cluster.count else {
        throw StorageError.corrupted(ref, .wrongElementCount(expected: cluster.count, found: leaf.count))
      }
      cluster.leaves[leafIndex] = .backlinks(
        EditedCells(
          (0..<leaf.count).map { row in
            let element = RefOrTagged(leaf.uncheckedInt(row))
            if element.isTagged { return .keys([Int64(bitPattern: element.tagged)]) }
            return element.ref.isNull ? .empty : .storedList(element.ref)
          }))
      output.release(ref, byteSize: leaf.byteSize)
    case .none: throw StorageError.corrupted(cluster.stored?.ref ?? .null, .missingNode)
    }
  }

  /// The keys in a cell.
  func keys(_ cell: BacklinkCell) throws -> [Int64] {
    switch cell {
    case .keys(let keys): return keys
    case .storedList(let root):
      var keys: [Int64] = []
      try BPlusTree(root: root, element: ElementType(.int)).forEachLeaf(
        in: store, budget: WalkBudget.bytes(of: store), damaged: { throw $0 }
      ) { leaf in
        for index in 0..<leaf.count {
          if case .int(let key) = try leaf.value(at: index, in: store) { keys.append(key) }
        }
      }
      return keys
    }
  }

  // MARK: Writing

  /// Writes what has changed.
  ///
  /// - Returns: the root of the table.
  func write() throws -> Ref {
    guard isTouched else { return stored?.top.ref ?? .null }
    try requireKind()
    let indexes = try columns.map { try writeIndex($0) }
    let clusters = try objects.write(nodes, output) { try write($0) }
    var placeholders = Ref.null
    if hasTombstones {
      // The last placeholder takes the tree with it.
      if tombstones.count == 0 {
        try tombstones.releaseAll(output)
      } else {
        placeholders = try tombstones.write(nodes, output) { try write($0) }
      }
    }
    return try writeTop(clusters: clusters, tombstones: placeholders, indexes: indexes)
  }

  /// - Throws: `EditError.embeddedObject`, `BuildError.wrongType` where a table of its kind cannot have what it has.
  private func requireKind() throws {
    guard kind != .embedded || primaryKeyColumn == nil else { throw EditError.embeddedObject(table: name) }
    guard kind != .topLevel, kind != stored?.top.kind else { return }
    for backlink in backlinks {
      let columns = try transaction.table(backlink.originTable)?.columns ?? []
      guard let origin = columns.first(where: { $0.key == backlink.originColumn })?.column, origin.element.code == .link
      else { continue }
      guard kind == .embedded, origin.collection != .set else { throw BuildError.wrongType }
    }
  }

  private func write(_ cluster: EditedCluster) throws -> Ref {
    // A damaged cluster may have more than there are columns for; these stay.
    var refs: [Ref] = Array(repeating: .null, count: cluster.leaves.count)
    for index in cluster.leaves.indices {
      switch cluster.leaves[index] {
      case .none: continue
      case .stored(let ref): refs[index] = ref
      case .backlinks(let leaf): refs[index] = try nodes.integers(leaf.cells.map { try element($0) }, .refs)
      case .values(let leaf): refs[index] = try leafWriter(index)?.write(leaf.cells, of: cluster.keys) ?? .null
      case .defaults:
        refs[index] =
          try leafWriter(index)?.writeDefaults(cluster.count)
          ?? nodes.refs(Array(repeating: .null, count: cluster.count))
      }
    }
    // The last slots without a column are cut off.
    while let last = refs.last, last.isNull { refs.removeLast() }
    return try cluster.write(refs, nodes, output)
  }

  /// - Returns: nil for hidden columns.
  private func leafWriter(_ leafIndex: Int) -> LeafWriter? {
    guard let column = columns.first(where: { $0.leafIndex == leafIndex }) else { return nil }
    let writer = leafWriters[column.key] ?? LeafWriter(column.column, nodes)
    leafWriters[column.key] = writer
    return writer
  }

  private func element(_ cell: BacklinkCell) throws -> Int64 {
    switch cell {
    case .storedList(let root): return root.element
    case .keys(let keys):
      guard keys.count > 1 else { return keys.first.map { .tagged(UInt64(bitPattern: $0)) } ?? 0 }
      let tree = BPlusTreeBuilder(ElementType(.int), nodes)
      for key in keys { try tree.append(.int(key)) }
      return try tree.finish().element
    }
  }
}
