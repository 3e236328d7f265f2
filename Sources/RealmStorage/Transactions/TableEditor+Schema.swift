/// Columns: adding, removing, changing (Docs/Format/3-tables-and-objects.md §8).
extension TableEditor {
  // MARK: Incoming links

  /// The leaf index of the hidden column for the links of a property; one for a Mixed property is made with the first
  /// link (§5.1).
  func backlinkColumn(for column: EditedColumn, of table: TableEditor) throws -> Int {
    try (columns.backlink(from: table.key, column.key) ?? addBacklinkColumn(from: table.key, column.key)).leafIndex
  }

  private func addBacklinkColumn(from table: TableKey, _ column: ColumnKey) throws -> BacklinkColumn {
    // Deleting an object, an engine takes the values out in the order of the places, and then finds the backlinks of
    // links within the class in the wrong row if they come before the links (§8.4).
    let first = table == key ? column.leafIndex + 1 : 0
    let newKey = try columns.newKey(.backlink, [], from: first)
    let backlink = BacklinkColumn(key: newKey, originTable: table, originColumn: column)
    columns.add(backlink)
    try objects.addLeaves(backlink.leafIndex) { .noBacklinks($0.count) }
    return backlink
  }

  private func removeBacklinkColumn(_ backlink: BacklinkColumn) throws {
    try objects.dropLeaves(backlink.leafIndex)
    columns.remove(backlink.key)
  }

  // MARK: Adding

  /// Adds a property; existing objects get its default value.
  ///
  /// - Throws: `BuildError` for names and types that cannot be, `unknownTarget` for a link to nowhere;
  ///   `EditError.ended`; `StorageError.corrupted` if objects are damaged, which stops the transaction.
  package func addProperty(_ property: Property) throws {
    try change { try addProperty(property, targetKind: nil) { _, _ in .defaults } }
  }

  /// The same with a value of its own for existing objects.
  ///
  /// - Throws: also `BuildError.wrongType` for a value of another type.
  package func addProperty(_ property: Property, filledWith value: Value) throws {
    try change {
      try addProperty(property, targetKind: nil) { cluster, column in
        try column.require(value)
        return .values(EditedCells(Array(repeating: .value(value), count: cluster.keys.count)))
      }
    }
  }

  /// The same where the kind of the class that it links to changes before the transaction is committed.
  ///
  /// - Parameter kind: what it becomes.
  package func addProperty(_ property: Property, targetBecomes kind: TableKind?) throws {
    try change { try addProperty(property, targetKind: kind) { _, _ in .defaults } }
  }

  private func addProperty(
    _ property: Property, targetKind: TableKind?, leaf: (EditedCluster, EditedColumn) throws -> EditedLeaf
  ) throws {
    guard !property.name.isEmpty else { throw BuildError.nameEmpty }
    guard property.name.utf8.count <= TableLayout.longestName else { throw BuildError.nameTooLong(property.name) }
    guard columns[property.name] == nil else { throw BuildError.nameInUse(property.name) }
    guard columns.all.count < TableLayout.mostColumns else {
      throw BuildError.tooManyProperties(table: TableSchema.displayName(ofTable: name), limit: TableLayout.mostColumns)
    }
    guard property.allows(property.index), let code = property.type.code else {
      throw BuildError.indexNotSupported(table: name, property: property.name)
    }
    var target: TableEditor?
    if property.type == .object {
      guard let targetName = property.target, let found = try? transaction.table(targetName) else {
        throw BuildError.unknownTarget(table: name, property: property.name)
      }
      let kind = targetKind ?? found.kind
      guard kind != .asymmetric, !(kind == .embedded && property.collection == .set) else {
        throw BuildError.wrongType
      }
      target = found
    }
    let element = ElementType(code, isNullable: property.isStoredNullable, target: target?.key ?? .null)
    let edited = EditedColumn(
      Column(
        key: try columns.newKey(code, property.keyAttributes), name: property.name, element: element,
        collection: property.collection, enumeration: nil, index: property.index))
    try status.finish {
      columns.add(edited)
      account.noteAdded(edited, to: self)
      try objects.addLeaves(edited.leafIndex) { try leaf($0, edited) }
      if let target { edited.opposite = try target.addBacklinkColumn(from: key, edited.key).key }
    }
  }

  // MARK: Removing

  /// Removes a property with all its values, embedded objects included.
  ///
  /// - Throws: `EditError.noSuchProperty`, `ended`; `StorageError.corrupted` if values or links are damaged, which
  ///   stops the transaction.
  package func removeProperty(_ property: RealmString) throws { try removeProperty(property, movedFrom: nil) }

  /// The same for a property whose values live on elsewhere.
  ///
  /// - Parameter moved: the objects whose values do: these are not lost. Nil for none, if the property itself is lost.
  package func removeProperty(_ property: RealmString, movedFrom moved: Set<ObjectKey>?) throws {
    try change {
      let column = try column(property)
      try status.finish {
        try noteLoss(of: column, excluding: moved)
        try remove(column)
      }
    }
  }

  /// Replaces a property by one of another type, for values that are about to be converted.
  ///
  /// - Throws: as `removeProperty` and `addProperty`.
  package func replaceProperty(_ property: RealmString, by new: Property) throws {
    let old = try column(property).key
    try removeProperty(property)
    try addProperty(new)
    try transaction.notePredecessor(old, of: column(new.name).key, in: key)
  }

  /// Records that a column is about to be removed with all its values.
  ///
  /// - Parameter moved: see `removeProperty`.
  private func noteLoss(of column: EditedColumn, excluding moved: Set<ObjectKey>? = nil) throws {
    let counts = try objects.countValues(column, excluding: moved ?? [])
    // A moved property still exists, so nothing is lost with objects that have no value.
    if moved != nil, counts.values == 0 { return }
    account.noteRemoved(column, of: self, objectCount: counts.objects, valueCount: counts.values)
  }

  /// Records that the table is about to be removed with everything in it.
  func noteRemoval() throws {
    account.noteRemoved(self, objectCount: objectCount)
    for column in columns.all { try noteLoss(of: column) }
  }

  private func remove(_ column: EditedColumn) throws {
    if column.key == columns.primaryKeyName { try setPrimaryKey(nil) }
    try removeLinks(of: column)
    try output.releaseTree(column.storedIndex)
    try output.releaseTree(column.enumeration)
    try objects.dropLeaves(column.leafIndex)
    columns.remove(column.key)
    try removeOppositeColumns(of: column)
  }

  /// Removes the backlinks of a column's links from their targets.
  private func removeLinks(of column: EditedColumn) throws {
    guard column.canHoldLinks else { return }
    let transaction = try transaction
    var links: [(origin: ObjectKey, target: TransactionLink)] = []
    let walk = objects.walk
    try objects.forEachCluster { cluster in
      for (key, value) in zip(cluster.keys, try objects.values(column, in: cluster, walk)) {
        let origin = ObjectKey(rawValue: Int64(bitPattern: key))
        value.forEachLink { links.append((origin, ($0, $1))) }
      }
    }
    var orphans: [TransactionLink] = []
    for link in links where try transaction.removeBacklink(to: link.target, from: link.origin, column, of: self) {
      orphans.append(link.target)
    }
    // Deletion no longer looks for the links of these objects: they have no backlinks.
    try transaction.delete(orphans)
  }

  /// Removes the hidden columns that belong to a property's links: one for a link property, any number for Mixed.
  func removeOppositeColumns(of column: EditedColumn) throws {
    guard column.canHoldLinks else { return }
    let element = column.element
    let targets: [TableEditor?] = try element.code == .link ? [transaction.table(element.target)] : transaction.tables
    for case let target? in targets {
      guard let backlink = target.columns.backlink(from: key, column.key) else { continue }
      try target.removeBacklinkColumn(backlink)
    }
  }

  // MARK: Changing

  /// Gives a property another name.
  ///
  /// - Throws: `EditError.noSuchProperty`, `ended`; `BuildError.nameInUse`, `nameTooLong`.
  package func renameProperty(_ property: RealmString, to newName: RealmString) throws {
    try requireThere()
    let column = try column(property)
    guard !newName.isEmpty else { throw BuildError.nameEmpty }
    guard newName.utf8.count <= TableLayout.longestName else { throw BuildError.nameTooLong(newName) }
    guard newName == property || columns[newName] == nil else {
      throw BuildError.nameInUse(newName)
    }
    column.column.name = newName
    columns.noteChange()
  }

  /// Lets a property, or the elements of its collection, be null, or forbids it. Values stay; the property goes to the
  /// end of the stored order, as in the engine (§8.7).
  ///
  /// - Parameter replacingNulls: becoming required, nulls become the default value; otherwise they are an error.
  /// - Throws: `BuildError.nullForRequired`; `EditError.noSuchProperty`, `ended`; `StorageError.corrupted` if values
  ///   are damaged, which stops the transaction.
  package func setOptional(_ property: RealmString, _ isOptional: Bool, replacingNulls: Bool = true) throws {
    try change { try changeOptionality(property, isOptional, replacingNulls: replacingNulls) }
  }

  private func changeOptionality(_ property: RealmString, _ isOptional: Bool, replacingNulls: Bool) throws {
    let old = try column(property)
    guard old.element.isNullable != isOptional, !old.canHoldLinks else { return }
    if !isOptional, !replacingNulls { try requireNoNulls(old) }
    try objects.unshareEnumeration(old)
    let isPrimaryKey = old.key == columns.primaryKeyName
    var changed = try schemaProperty(old)
    changed.isOptional = isOptional
    changed.index = isPrimaryKey ? (old.wasIndexedToo ? .general : .none) : old.column.index
    changed.name = RealmString(utf8: [0] + old.name.utf8.prefix(TableLayout.longestName - 1))
    let nullReplacement: Value? = isOptional || !replacingNulls ? nil : old.element.required.defaultValue
    let walk = objects.walk
    try addProperty(changed, targetKind: nil) { cluster, column in
      let cells = try objects.values(old, in: cluster, walk).map { value -> EditedCell in
        let value = nullReplacement.map { value.replacingNulls(by: $0) } ?? value
        try column.require(value)
        return .value(value)
      }
      return .values(EditedCells(cells))
    }
    let name = old.name
    try status.finish {
      // The engine does the same: a required key can have duplicates, and must be set again.
      if isPrimaryKey { try setPrimaryKey(nil) }
      try remove(old)
      try renameProperty(changed.name, to: name)
      try transaction.notePredecessor(old.key, of: column(name).key, in: key)
      if isPrimaryKey { try setPrimaryKey(name) }
    }
  }

  private func requireNoNulls(_ column: EditedColumn) throws {
    let walk = objects.walk
    try objects.forEachCluster { cluster in
      for value in try objects.values(column, in: cluster, walk) where value.holdsNull {
        throw BuildError.nullForRequired
      }
    }
  }

  private func schemaProperty(_ column: EditedColumn) throws -> Property {
    guard let property = schema.property(named: column.name) else {
      throw EditError.noSuchProperty(table: name, property: column.name)
    }
    return property
  }

  /// - Parameter property: nil takes the primary key away.
  /// - Throws: `BuildError.indexNotSupported` for a type that cannot be one. `hasUniquePrimaryKeys` checks whether
  ///   values are unique. `EditError.noSuchProperty`, `ended`.
  package func setPrimaryKey(_ property: RealmString?) throws {
    try requireThere()
    let new = try property.map { try column($0) }
    if let new {
      guard new.column.canBePrimaryKey, new.column.index != .fullText else {
        throw BuildError.indexNotSupported(table: name, property: new.name)
      }
    }
    columns.setPrimaryKey(new)
    primaryKeys = PrimaryKeys()
    if new != nil { try transaction.uncheckedKeys.insert(key) }
  }

  /// Whether all primary keys are different.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where keys are damaged.
  package func hasUniquePrimaryKeys() throws -> Bool {
    try requireThere()
    guard let column = columns.primaryKey else { return true }
    var seen: Set<Value> = []
    seen.reserveCapacity(objects.likelyCount)
    var isUnique = true
    try objects.forEachCluster { cluster in
      guard isUnique else { return }
      for value in try objects.values(column, in: cluster) where !seen.insert(value).inserted { isUnique = false }
    }
    return isUnique
  }

  /// Gives a property an index, another one, or none. A primary key keeps its own.
  ///
  /// - Throws: `BuildError.indexNotSupported`; `EditError.noSuchProperty`, `ended`.
  package func setIndex(_ property: RealmString, _ index: IndexKind) throws {
    try requireThere()
    let column = try column(property)
    guard column.key != columns.primaryKeyName else {
      guard column.wasIndexedToo != (index == .general) else { return }
      // The attributes show it, even if nothing else in the table changes.
      column.wasIndexedToo = index == .general
      columns.noteChange()
      return
    }
    var changed = try schemaProperty(column)
    changed.index = index
    guard changed.allows(index) else { throw BuildError.indexNotSupported(table: name, property: property) }
    guard column.column.index != index else { return }
    column.column.index = index
    column.makeIndexStale()
    columns.noteChange()
  }
}
