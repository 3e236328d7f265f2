/// Columns: adding, removing, changing (Docs/Format/3-tables-and-objects.md §8).
extension TableEditor {
  // MARK: Column keys

  /// The key of a new column (§3.4): the lowest free place, and a tag that no column with that place ever had.
  ///
  /// - Parameter first: the lowest place that it may have.
  /// - Throws: `BuildError.nodeTooLarge` where all places are taken.
  private func newKey(_ type: TypeCode, _ attributes: ColumnAttributes, from first: Int = 0) throws -> ColumnKey {
    let used = Set(columns.map(\.leafIndex) + backlinks.map(\.leafIndex))
    let leafIndex = (first...first + used.count).first { !used.contains($0) } ?? first
    guard leafIndex < Self.mostPlaces else { throw BuildError.nodeTooLarge(elementCount: leafIndex) }
    let tag = UInt32(truncatingIfNeeded: columnSequence) ^ key.rawValue
    return ColumnKey(leafIndex: leafIndex, type: type, attributes: attributes, tag: tag)
  }

  /// Places have 16 bits.
  private static let mostPlaces = 0x1_0000

  /// Puts a new leaf into every cluster.
  private func addLeaves(_ leafIndex: Int, _ leaf: (EditedCluster) throws -> EditedLeaf) throws {
    leafCount = max(leafCount, leafIndex + 1)
    defaultsOfNewObjects = nil
    (isTouched, isSpecChanged) = (true, true)
    for tree in hasTombstones ? [objects, tombstones] : [objects] {
      try tree.forEachCluster(changing: true) { cluster in
        makeRoom(in: cluster, for: leafIndex)
        cluster.leaves[leafIndex] = try leaf(cluster)
        cluster.isLoaded = false
      }
    }
  }

  func addBacklinkColumn(from table: TableKey, _ column: ColumnKey) throws -> BacklinkColumn {
    // Deleting an object, an engine takes the values out in the order of the places, and then finds the backlinks of
    // links within the class in the wrong row if they come before the links (§8.4).
    let first = table == key ? column.leafIndex + 1 : 0
    let newKey = try newKey(.backlink, [], from: first)
    let backlink = BacklinkColumn(key: newKey, originTable: table, originColumn: column)
    backlinks.append(backlink)
    try addLeaves(backlink.leafIndex) { .backlinks(EditedCells(Array(repeating: .empty, count: $0.count))) }
    return backlink
  }

  // MARK: Adding

  /// Adds a property; existing objects get its default value.
  ///
  /// - Throws: `BuildError` for names and types that cannot be, `unknownTarget` for a link to nowhere; `EditError.ended`;
  ///   `StorageError.corrupted` where objects are damaged, which stops the transaction.
  public func addProperty(_ property: Property) throws {
    try change { try addProperty(property) { _, _ in .defaults } }
  }

  func addProperty(_ property: Property, leaf: (EditedCluster, EditedColumn) throws -> EditedLeaf) throws {
    guard !property.name.isEmpty else { throw BuildError.nameEmpty }
    guard property.name.utf8.count <= TableLayout.longestName else { throw BuildError.nameTooLong(property.name) }
    guard !columns.contains(where: { $0.name == property.name }) else { throw BuildError.nameInUse(property.name) }
    guard property.allows(property.index), let code = property.type.code else {
      throw BuildError.indexNotSupported(table: name, property: property.name)
    }
    var target: TableEditor?
    if property.type == .object {
      guard let targetName = property.target, let found = try? transaction.table(targetName) else {
        throw BuildError.unknownTarget(table: name, property: property.name)
      }
      guard found.kind != .asymmetric, !(found.kind == .embedded && property.collection == .set) else {
        throw BuildError.wrongType
      }
      target = found
    }
    let element = ElementType(code, isNullable: property.isStoredNullable, target: target?.key ?? .null)
    let edited = EditedColumn(
      Column(
        key: try newKey(code, property.keyAttributes), name: property.name, element: element,
        collection: property.collection, enumeration: nil, index: property.index))
    try status.finish {
      columns.append(edited)
      try addLeaves(edited.leafIndex) { try leaf($0, edited) }
      if let target { edited.opposite = try target.addBacklinkColumn(from: key, edited.key).key }
    }
  }

  // MARK: Removing

  /// Removes a property with all its values. Embedded objects that it leads to go too.
  ///
  /// - Throws: `EditError.noSuchProperty`, `ended`; `StorageError.corrupted` where values or links are damaged, which
  ///   stops the transaction.
  public func removeProperty(_ property: RealmString) throws {
    try change {
      let column = try column(property)
      try status.finish { try remove(column) }
    }
  }

  private func remove(_ column: EditedColumn) throws {
    if column.key == primaryKeyColumn { try setPrimaryKey(nil) }
    try removeLinks(of: column)
    try output.releaseTree(column.storedIndex)
    try output.releaseTree(column.enumeration)
    try dropLeaves(column.leafIndex)
    columns.removeAll { $0 === column }
    columnSequence &+= 1
    (isTouched, isSpecChanged) = (true, true)
    try removeOppositeColumns(of: column)
  }

  private func dropLeaves(_ leafIndex: Int) throws {
    defaultsOfNewObjects = nil
    for tree in hasTombstones ? [objects, tombstones] : [objects] {
      try tree.forEachCluster(changing: true) { cluster in
        guard leafIndex < cluster.leaves.count else { return }
        try cluster.leaves[leafIndex].releaseAll(output)
        cluster.leaves[leafIndex] = .none
      }
    }
  }

  /// Takes the notes of a column's links away from their targets.
  private func removeLinks(of column: EditedColumn) throws {
    guard column.canHoldLinks else { return }
    let transaction = try transaction
    var links: [(origin: ObjectKey, target: TransactionLink)] = []
    let walk = self.walk
    try objects.forEachCluster { cluster in
      for (key, value) in zip(cluster.keys, try values(column, in: cluster, walk)) {
        let origin = ObjectKey(rawValue: Int64(bitPattern: key))
        value.forEachLink { links.append((origin, ($0, $1))) }
      }
    }
    var orphans: [TransactionLink] = []
    for link in links where try transaction.removeBacklink(to: link.target, from: link.origin, column, of: self) {
      orphans.append(link.target)
    }
    // What is deleted looks for its links no more: they are noted nowhere.
    try transaction.delete(orphans)
  }

  /// Removes the hidden columns that belong to a property's links: one for a link property, any number for Mixed.
  private func removeOppositeColumns(of column: EditedColumn) throws {
    guard column.canHoldLinks else { return }
    let element = column.type.element
    let targets: [TableEditor?] = try element.code == .link ? [transaction.table(element.target)] : transaction.tables
    for case let target? in targets {
      guard let backlink = target.backlinks.first(where: { $0.originTable == key && $0.originColumn == column.key })
      else { continue }
      try target.removeBacklinkColumn(backlink)
    }
  }

  func removeBacklinkColumn(_ backlink: BacklinkColumn) throws {
    try dropLeaves(backlink.leafIndex)
    backlinks.removeAll { $0.key == backlink.key }
    columnSequence &+= 1
    (isTouched, isSpecChanged) = (true, true)
  }

  /// Gives back all nodes of the table in the file, when it is removed. There are no objects any more.
  func releaseAll() throws {
    for column in columns {
      try removeOppositeColumns(of: column)
      try output.releaseTree(column.storedIndex)
      try output.releaseTree(column.enumeration)
    }
    for tree in hasTombstones ? [objects, tombstones] : [objects] { try tree.releaseAll(output) }
    guard let stored else { return }
    try output.releaseTree(Node(stored.top.ref, in: store).childRef(10))
    try releaseSpec(of: stored)
    try releaseTop(of: stored)
  }

  // MARK: Changing

  /// Gives a property another name.
  ///
  /// - Throws: `EditError.noSuchProperty`, `ended`; `BuildError.nameInUse`, `nameTooLong`.
  public func renameProperty(_ property: RealmString, to newName: RealmString) throws {
    try requireThere()
    let column = try column(property)
    guard !newName.isEmpty else { throw BuildError.nameEmpty }
    guard newName.utf8.count <= TableLayout.longestName else { throw BuildError.nameTooLong(newName) }
    guard newName == property || !columns.contains(where: { $0.name == newName }) else {
      throw BuildError.nameInUse(newName)
    }
    column.column.name = newName
    (isTouched, isSpecChanged) = (true, true)
  }

  /// Lets a property, or the elements of its collection, be null, or forbids it. Values stay; the property goes to the
  /// end of the stored order, as in the engine (§8.7).
  ///
  /// - Parameter replacingNulls: becoming required, nulls become the default value; otherwise they are an error.
  /// - Throws: `BuildError.nullForRequired`; `EditError.noSuchProperty`, `ended`; `StorageError.corrupted` where values
  ///   are damaged, which stops the transaction.
  public func setOptional(_ property: RealmString, _ isOptional: Bool, replacingNulls: Bool = true) throws {
    try change { try changeOptionality(property, isOptional, replacingNulls: replacingNulls) }
  }

  private func changeOptionality(_ property: RealmString, _ isOptional: Bool, replacingNulls: Bool) throws {
    let old = try column(property)
    guard old.type.element.isNullable != isOptional, !old.canHoldLinks else { return }
    if !isOptional, !replacingNulls { try requireNoNulls(old) }
    try unshareEnumeration(old)
    let isPrimaryKey = old.key == primaryKeyColumn
    var changed = try schemaProperty(old)
    changed.isOptional = isOptional
    changed.index = isPrimaryKey ? (old.wasIndexedBesides ? .general : .none) : old.column.index
    changed.name = RealmString(utf8: [0] + old.name.utf8.prefix(TableLayout.longestName - 1))
    let nullReplacement: Value? = isOptional || !replacingNulls ? nil : old.type.element.required.defaultValue
    let walk = self.walk
    try addProperty(changed) { cluster, column in
      let cells = try values(old, in: cluster, walk).map { value -> EditedCell in
        let value = value.replacingNulls(by: nullReplacement)
        try column.type.require(value)
        return .value(value)
      }
      return .values(EditedCells(cells))
    }
    let name = old.name
    try status.finish {
      // What the engine does too: a required key can have duplicates, and must be set again.
      if isPrimaryKey { try setPrimaryKey(nil) }
      try remove(old)
      try renameProperty(changed.name, to: name)
      if isPrimaryKey { try setPrimaryKey(name) }
    }
  }

  private func requireNoNulls(_ column: EditedColumn) throws {
    let walk = self.walk
    try objects.forEachCluster { cluster in
      for value in try values(column, in: cluster, walk) where value.holdsNull { throw BuildError.nullForRequired }
    }
  }

  private func schemaProperty(_ column: EditedColumn) throws -> Property {
    guard let property = schema.property(named: column.name) else {
      throw EditError.noSuchProperty(table: name, property: column.name)
    }
    return property
  }

  /// - Parameter property: nil takes the primary key away.
  /// - Throws: `BuildError.indexNotSupported` for a type that cannot be one. Whether values are unique is asked with
  ///   `hasUniquePrimaryKeys`. `EditError.noSuchProperty`, `ended`.
  public func setPrimaryKey(_ property: RealmString?) throws {
    try requireThere()
    let old = columns.first { $0.key == primaryKeyColumn }
    let new = try property.map { try column($0) }
    if let new {
      let isAllowed = [.int, .string, .objectID, .uuid].contains(new.column.element.code)
      guard isAllowed, new.column.collection == nil, new.column.index != .fullText else {
        throw BuildError.indexNotSupported(table: name, property: new.name)
      }
    }
    if let old, old !== new { old.column.index = old.wasIndexedBesides ? .general : .none }
    if let new {
      new.wasIndexedBesides = new.column.index == .general
      new.column.index = .general
    }
    primaryKeyColumn = new?.key
    defaultsOfNewObjects = nil
    primaryKeys = PrimaryKeys()
    (isTouched, isSpecChanged) = (true, true)
  }

  /// Whether all primary keys are different.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where keys are damaged.
  public func hasUniquePrimaryKeys() throws -> Bool {
    try requireThere()
    guard let column = columns.first(where: { $0.key == primaryKeyColumn }) else { return true }
    var seen: Set<Value> = []
    seen.reserveCapacity(likelyCount)
    var isUnique = true
    try objects.forEachCluster { cluster in
      guard isUnique else { return }
      for value in try values(column, in: cluster) where !seen.insert(value).inserted { isUnique = false }
    }
    return isUnique
  }

  /// Gives a property an index, another one, or none. A primary key keeps its own.
  ///
  /// - Throws: `BuildError.indexNotSupported`; `EditError.noSuchProperty`, `ended`.
  public func setIndex(_ property: RealmString, _ index: IndexKind) throws {
    try requireThere()
    let column = try column(property)
    guard column.key != primaryKeyColumn else {
      guard column.wasIndexedBesides != (index == .general) else { return }
      // The attributes tell it, also where nothing else of the table changes.
      column.wasIndexedBesides = index == .general
      (isTouched, isSpecChanged) = (true, true)
      return
    }
    var changed = try schemaProperty(column)
    changed.index = index
    guard changed.allows(index) else { throw BuildError.indexNotSupported(table: name, property: property) }
    guard column.column.index != index else { return }
    column.column.index = index
    column.makeIndexStale()
    defaultsOfNewObjects = nil
    (isTouched, isSpecChanged) = (true, true)
  }

  /// Changes what kind of table it is. Whether its objects can be embedded is the caller's business (§8.11).
  ///
  /// An embedded table with a primary key, or links that cannot lead to such tables, are refused by `commit`.
  ///
  /// - Throws: `EditError.noSuchTable`, `ended`.
  public func setKind(_ kind: TableKind) throws {
    try requireThere()
    self.kind = kind
    isTouched = true
  }
}

extension Value {
  /// Whether it is null, or an element of the collection is.
  fileprivate var holdsNull: Bool {
    switch self {
    case .null: true
    case .list(let elements), .set(let elements): elements.contains(.null)
    case .dictionary(let entries): entries.values.contains(.null)
    default: false
    }
  }

  /// The value, or the elements of the collection, with something else for null.
  fileprivate func replacingNulls(by replacement: Value?) -> Value {
    guard let replacement else { return self }
    return switch self {
    case .null: replacement
    case .list(let elements): .list(elements.map { $0 == .null ? replacement : $0 })
    case .set(let elements): .set(Array(Set(elements.map { $0 == .null ? replacement : $0 })))
    case .dictionary(let entries): .dictionary(entries.mapValues { $0 == .null ? replacement : $0 })
    default: self
    }
  }
}
