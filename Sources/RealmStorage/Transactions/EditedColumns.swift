/// The columns of a table while a transaction changes them: what its spec and its root say about them
/// (Docs/Format/3-tables-and-objects.md §2, §3).
final class EditedColumns {
  private let table: TableKey
  /// The public ones, in the order of the spec.
  private(set) var all: [EditedColumn] = []
  /// The hidden ones of incoming links.
  private(set) var backlinks: [BacklinkColumn] = []
  /// Nil in a table without primary key.
  private(set) var primaryKeyName: ColumnKey?
  /// The number of places in clusters, which never decreases.
  private(set) var leafCount = 0
  /// Columns that were ever removed: part of the keys of new ones (§3.4).
  private var removedCount: UInt64 = 0
  /// Whether anything differs from the file.
  private(set) var isChanged = false
  /// What each leaf gets for a new object; nil after every change.
  private var newObject: [Value]?
  private var likely = 0
  /// The names of all columns, and the places that are taken; nil after changes of other kinds than a new column.
  private var names: Set<RealmString>?
  private var places: (taken: Set<Int>, allBelow: Int)?

  /// Of a new table.
  init(of table: TableKey) { (self.table, isChanged) = (table, true) }

  /// - Throws: `StorageError.corrupted`.
  init(_ table: Table, objectCount: Int) throws {
    let store = table.store
    self.table = table.key
    let top = try table.clusterTop
    removedCount = try RawTableTop(top.ref, in: store).number(.columnSequence)
    (primaryKeyName, leafCount, backlinks) = (top.primaryKey, top.oppositeTables.count, table.backlinks)
    let spec = try RawSpec(top.spec, in: store)
    let attributes = try Node(spec.ref(.attributes), in: store)
    let enumerations = try spec.ref(.enumerations).isNull ? nil : Node(spec.ref(.enumerations), in: store)
    all = try table.columns.enumerated().map { index, column in
      let attributes = try attributes.int(index)
      let edited = EditedColumn(
        column, extraAttributes: attributes & Self.obsoleteAttributes,
        storedIndex: column.leafIndex < top.indexes.count ? try top.indexes.childRef(column.leafIndex) : .null,
        mostIndexChanges: table.mostIndexChanges(column, attributes: attributes, objectCount),
        opposite: column.element.code == .link ? top.oppositeColumn(at: column.leafIndex) : .null)
      edited.wasIndexedToo = attributes & Int64(ColumnAttributes.indexed.rawValue) != 0
      if let enumerations, index < enumerations.count { edited.enumeration = try enumerations.childRef(index) }
      return edited
    }
    try requirePlaces(top)
  }

  /// Bits of the spec that no longer mean anything, and stay (§3.3).
  private static let obsoleteAttributes: Int64 = 8

  /// - Throws: `StorageError.corrupted` where two columns share a place in the clusters, or one has a place beyond the
  ///   lists, or these claim more than there can be: a place that no column has takes eight bytes (§2).
  private func requirePlaces(_ top: TableTop) throws {
    let taken = leafIndexes.sorted()
    for (index, leafIndex) in taken.enumerated() {
      guard index == 0 || taken[index - 1] != leafIndex, leafIndex < leafCount else {
        throw StorageError.corrupted(top.spec, .badTable("the columns have no places of their own in the clusters"))
      }
    }
    let lists = top.oppositeColumns
    guard leafCount == taken.count || leafCount <= min(lists.count, lists.payloadSize / 8) else {
      throw StorageError.corrupted(lists.ref, .wrongElementCount(expected: leafCount, found: lists.count))
    }
  }

  // MARK: Finding

  /// The column of the primary key; nil in a table without one.
  var primaryKey: EditedColumn? { primaryKeyName.flatMap { self[$0] } }

  /// The places in clusters that columns have.
  var leafIndexes: [Int] { all.map(\.leafIndex) + backlinks.map(\.leafIndex) }

  subscript(key: ColumnKey) -> EditedColumn? { all.first { $0.key == key } }

  subscript(name: RealmString) -> EditedColumn? {
    // Usually it is the column of the last call, or the next one.
    for step in all.indices {
      // For a new column the search fails, once for each column.
      if step == 2, !knownNames.contains(name) { return nil }
      let index = (likely + step) % all.count
      guard all[index].name == name else { continue }
      likely = index
      return all[index]
    }
    return nil
  }

  private var knownNames: Set<RealmString> {
    if let names { return names }
    let known = Set(all.map(\.name))
    names = known
    return known
  }

  /// The hidden column of the links that come from a property.
  func backlink(from table: TableKey, _ column: ColumnKey) -> BacklinkColumn? {
    backlinks.first { $0.originTable == table && $0.originColumn == column }
  }

  /// What each leaf gets for a new object, by leaf index.
  ///
  /// - Parameter prepare: called first with each column, after changes.
  func defaults(_ prepare: (EditedColumn) throws -> Void) throws -> [Value] {
    if let newObject { return newObject }
    var defaults: [Value] = Array(repeating: .null, count: leafCount)
    for column in all {
      try prepare(column)
      defaults[column.leafIndex] = column.defaultValue
    }
    newObject = defaults
    return defaults
  }

  // MARK: Changing

  /// Records that something about a column has changed.
  func noteChange() { (isChanged, newObject, names, places) = (true, nil, nil, nil) }

  /// The key of a new column (§3.4): the lowest free place, and a tag that no column with that place ever had.
  ///
  /// - Parameter first: the lowest place that it may have.
  /// - Throws: `BuildError.nodeTooLarge` if all places are taken.
  func newKey(_ type: TypeCode, _ attributes: ColumnAttributes, from first: Int = 0) throws -> ColumnKey {
    var known = places ?? (Set(leafIndexes), 0)
    while known.taken.contains(known.allBelow) { known.allBelow += 1 }
    places = known
    var leafIndex = max(known.allBelow, first)
    while known.taken.contains(leafIndex) { leafIndex += 1 }
    guard leafIndex < Self.mostPlaces else { throw BuildError.nodeTooLarge(elementCount: leafIndex) }
    return ColumnKey(
      leafIndex: leafIndex, type: type, attributes: attributes,
      tag: UInt32(truncatingIfNeeded: removedCount) ^ table.rawValue)
  }

  /// Places have 16 bits.
  private static let mostPlaces = 0x1_0000

  func add(_ column: EditedColumn) {
    all.append(column)
    names?.insert(column.name)
    takePlace(column.leafIndex)
  }

  func add(_ backlink: BacklinkColumn) {
    backlinks.append(backlink)
    takePlace(backlink.leafIndex)
  }

  private func takePlace(_ leafIndex: Int) {
    leafCount = max(leafCount, leafIndex + 1)
    (isChanged, newObject) = (true, nil)
    places?.taken.insert(leafIndex)
  }

  func remove(_ key: ColumnKey) {
    all.removeAll { $0.key == key }
    backlinks.removeAll { $0.key == key }
    removedCount &+= 1
    noteChange()
  }

  /// Makes a column the primary key, or none; the previous one then keeps the index that it also had.
  func setPrimaryKey(_ column: EditedColumn?) {
    if let old = primaryKey, old !== column { old.column.index = old.wasIndexedToo ? .general : .none }
    if let column {
      column.wasIndexedToo = column.column.index == .general
      column.column.index = .general
    }
    primaryKeyName = column?.key
    noteChange()
  }

  // MARK: Writing

  /// Writes the root of the table, and the description of its columns if that has changed; gives back those in the file.
  ///
  /// - Parameters:
  ///   - stored: the table in the file; nil for a new one.
  ///   - indexes: by column.
  func write(
    _ kind: TableKind, _ objects: TableRootWriter.Objects, indexes: [Ref], replacing stored: Table?,
    _ nodes: NodeEncoder, _ output: any NodeReplacement
  ) throws -> Ref {
    let writer = TableRootWriter(
      key: table, kind: kind, primaryKey: primaryKeyName,
      columns: zip(all, indexes).map { $0.written(index: $1, isPrimaryKey: $0.key == primaryKeyName) },
      backlinks: backlinks)
    var spec = try stored?.clusterTop.spec ?? .null
    if isChanged || stored == nil {
      try stored?.releaseSpec(output)
      spec = try writer.writeSpec(nodes)
    }
    let contentVersion = try stored.map { try RawTableTop($0.root, in: $0.store).number(.contentVersion) } ?? 0
    let root = try writer.writeTop(
      spec: spec, objects, leafCount: leafCount, columnSequence: removedCount, contentVersion: contentVersion &+ 1,
      nodes)
    try stored?.releaseTop(output)
    return root
  }
}

extension Table {
  /// Releases the root in the file and its own lists.
  func releaseTop(_ output: any NodeReplacement) throws {
    let top = try clusterTop
    output.release(try Node(top.ref, in: store))
    output.release(top.indexes)
    for list in [top.oppositeTables, top.oppositeColumns] { try output.releaseTree(list.ref) }
  }

  /// Releases the description of the columns. The texts of enumerated columns stay.
  func releaseSpec(_ output: any NodeReplacement) throws {
    let spec = try RawSpec(clusterTop.spec, in: store)
    for slot in [SpecSlot.types, .names, .attributes, .keys] { try output.releaseTree(spec.ref(slot)) }
    let enumerations = try spec.ref(.enumerations)
    if !enumerations.isNull { output.release(try Node(enumerations, in: store)) }
    output.release(spec.ref, byteSize: spec.slots.byteSize)
  }
}

extension EditedColumn {
  fileprivate func written(index: Ref, isPrimaryKey: Bool) -> TableRootWriter.PropertyColumn {
    TableRootWriter.PropertyColumn(
      column: column,
      attributes: extraAttributes | column.indexAttribute(isImplied: isPrimaryKey && !wasIndexedToo),
      opposite: opposite, enumeration: enumeration, index: index)
  }
}
