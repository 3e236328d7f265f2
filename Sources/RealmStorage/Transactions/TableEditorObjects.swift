/// Objects: reading, changing, making, deleting (Docs/Format/3-tables-and-objects.md §4, §5).
extension TableEditor {
  // MARK: Reading

  /// The value of a property, with all that is in it.
  ///
  /// Links to objects that are not there (tombstones of synced realms) come with their unresolved keys.
  ///
  /// - Throws: `EditError.noSuchProperty`, `noSuchObject`, `ended`; `StorageError.corrupted`.
  public func value(_ property: RealmString, of key: ObjectKey) throws -> Value {
    try requireThere()
    let column = try column(property)
    guard let (cluster, row) = try tree(of: key).find(key) else { throw noSuchObject(key) }
    return try value(column, in: cluster, row: row)
  }

  func noSuchObject(_ key: ObjectKey) -> EditError { .noSuchObject(table: name, key: key) }

  func tree(of key: ObjectKey) -> EditedClusterTree { key.isUnresolved ? tombstones : objects }

  /// The objects that link to one, through one property of one table after another, once for each link.
  ///
  /// - Throws: `EditError.noSuchObject`, `ended`; `StorageError.corrupted`.
  public func backlinks(of key: ObjectKey) throws -> [(table: TableKey, property: RealmString, origins: [ObjectKey])] {
    try requireThere()
    let transaction = try transaction
    guard let (cluster, row) = try tree(of: key).find(key) else { throw noSuchObject(key) }
    return try backlinks.compactMap { backlink in
      guard let table = transaction.table(backlink.originTable),
        let column = table.columns.first(where: { $0.key == backlink.originColumn })
      else { return nil }
      let origins = try origins(backlink, in: cluster, row: row)
      return origins.isEmpty ? nil : (table.key, column.name, origins.map { ObjectKey(rawValue: $0) })
    }
  }

  private func origins(_ backlink: BacklinkColumn, in cluster: EditedCluster, row: Int) throws -> [Int64] {
    try loadBacklinksToRead(backlink.leafIndex, in: cluster, row: row)
  }

  /// A cell of incoming links, the leaf left as it is.
  private func loadBacklinksToRead(_ leafIndex: Int, in cluster: EditedCluster, row: Int) throws -> [Int64] {
    guard leafIndex < cluster.leaves.count else { return [] }
    switch cluster.leaves[leafIndex] {
    case .backlinks(let leaf): return try keys(leaf.cells[row])
    case .stored(let ref):
      let element = try Node(ref, in: store).refOrTagged(row)
      if element.isTagged { return [Int64(bitPattern: element.tagged)] }
      return element.ref.isNull ? [] : try keys(.storedList(element.ref))
    case .defaults, .none, .values: return []
    }
  }

  // MARK: Changing

  /// Gives a property another value. Links get their backlinks, and lose them; an embedded object that nothing leads to
  /// any more is deleted.
  ///
  /// - Throws: `EditError` for what is not there; `BuildError` for a value that the property cannot hold, or a link to
  ///   an object that is not there; `StorageError.corrupted` where the old value is damaged, which stops the transaction.
  public func set(_ property: RealmString, of key: ObjectKey, to value: Value) throws {
    try change { try setValue(property, of: key, to: value) }
  }

  /// The same with embedded objects that were made for this object and have no parent yet.
  func adopt(_ property: RealmString, of key: ObjectKey, _ value: Value) throws {
    try change { try setValue(property, of: key, to: value, adoptsObjects: true) }
  }

  private func setValue(
    _ property: RealmString, of key: ObjectKey, to value: Value, adoptsObjects: Bool = false
  ) throws {
    let column = try column(property)
    try column.type.require(value)
    guard let (cluster, row) = try tree(of: key).change(key) else { throw noSuchObject(key) }
    if !adoptsObjects, column.type.element.code == .link,
      let target = try transaction.table(column.type.element.target), target.kind == .embedded
    {
      try target.requireOnlyKnown(value, besides: try self.value(column, in: cluster, row: row))
    }
    if column.key == primaryKeyColumn { try primaryKeyChanges(of: key, in: cluster, row: row, to: value) }
    try replace(column, of: key, in: cluster, row: row, by: value)
  }

  /// An embedded object has one parent: a value may keep the objects it has, each once, and lead to no others.
  private func requireOnlyKnown(_ value: Value, besides old: Value) throws {
    var known: Set<ObjectKey> = []
    old.forEachLink { known.insert($1) }
    try value.forEachLink { if known.remove($1) == nil { throw EditError.embeddedObject(table: name) } }
  }

  /// Makes an embedded object: in place of the one a property leads to, at the end of its list, or under a key of its
  /// dictionary.
  ///
  /// - Parameter dictionaryKey: needed for a dictionary, and for nothing else.
  /// - Returns: the object, in the table that the property links to.
  /// - Throws: `EditError` for what is not there; `BuildError.wrongType` where the property does not link to embedded
  ///   objects, `dictionaryKey` for a key that no dictionary can have; `StorageError.corrupted` where the old value is
  ///   damaged, which stops the transaction.
  public func createEmbedded(
    in property: RealmString, of key: ObjectKey, dictionaryKey: RealmString? = nil
  ) throws -> ObjectKey {
    try change { try makeEmbedded(in: property, of: key, dictionaryKey: dictionaryKey) }
  }

  private func makeEmbedded(
    in property: RealmString, of key: ObjectKey, dictionaryKey: RealmString?
  ) throws -> ObjectKey {
    let column = try column(property)
    guard column.type.element.code == .link, let target = try transaction.table(column.type.element.target),
      target.kind == .embedded, (column.type.collection == .dictionary) == (dictionaryKey != nil)
    else { throw BuildError.wrongType }
    if let dictionaryKey { try column.type.require(.dictionary([dictionaryKey: .null])) }
    guard let (cluster, row) = try tree(of: key).change(key) else { throw noSuchObject(key) }
    let value = try self.value(column, in: cluster, row: row)
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
    try column.type.require(value)
    guard let (cluster, row) = try tree(of: key).change(key) else { throw noSuchObject(key) }
    try replace(column, of: key, in: cluster, row: row, by: value)
  }

  private func replace(
    _ column: EditedColumn, of key: ObjectKey, in cluster: EditedCluster, row: Int, by value: Value
  ) throws {
    try unshareEnumeration(column)
    guard column.canHoldLinks else { return try store(value, column, in: cluster, row: row) }
    let old = try self.value(column, in: cluster, row: row)
    let transaction = try transaction
    try value.forEachLink { try transaction.requireObject($1, of: $0, linkedFrom: self) }
    try status.finish {
      try store(value, column, in: cluster, row: row)
      if old.hasLinks || value.hasLinks { try exchangeBacklinks(column, of: key, old, value, transaction) }
    }
  }

  private func exchangeBacklinks(
    _ column: EditedColumn, of key: ObjectKey, _ old: Value, _ value: Value, _ transaction: WriteTransaction
  ) throws {
    try value.forEachLink { try transaction.addBacklink(to: ($0, $1), from: key, column, of: self) }
    var orphans: [TransactionLink] = []
    try old.forEachLink {
      if try transaction.removeBacklink(to: ($0, $1), from: key, column, of: self) { orphans.append(($0, $1)) }
    }
    try transaction.delete(orphans)
  }

  /// An enumerated column holds numbers instead of texts; before one of them changes, all become texts again (§3.5).
  func unshareEnumeration(_ column: EditedColumn) throws {
    guard !column.enumeration.isNull else { return }
    for tree in hasTombstones ? [objects, tombstones] : [objects] {
      try tree.forEachCluster(changing: true) { try loadValues(column, in: $0) }
    }
    try output.releaseTree(column.enumeration)
    column.enumeration = .null
    column.column.enumeration = nil
    (isTouched, isSpecChanged) = (true, true)
  }

  // MARK: Primary keys

  /// The object with a primary key.
  ///
  /// - Throws: `EditError.primaryKeyMismatch` in a table without, `ended`; `StorageError.corrupted` where keys are
  ///   damaged.
  public func find(primaryKey value: Value) throws -> ObjectKey? {
    try requireThere()
    guard let column = columns.first(where: { $0.key == primaryKeyColumn }) else {
      throw EditError.primaryKeyMismatch(table: name)
    }
    return try find(value, by: column)
  }

  private func find(_ value: Value, by column: EditedColumn) throws -> ObjectKey? {
    if !primaryKeys.isComplete { try readPrimaryKeys(column) }
    if let key = primaryKeys[value] { return key }
    guard let index = primaryKeys.index else { return nil }
    guard let candidates = try index.candidates(for: value) else {
      try readPrimaryKeys(column)
      return primaryKeys[value]
    }
    // What the index in the file says was true before the transaction.
    return try candidates.first { key in
      guard let (cluster, row) = try objects.find(key) else { return false }
      return try self.value(column, in: cluster, row: row) == value
    }
  }

  /// Looks at all objects once, where there is no index, or one that does not tell long texts apart.
  private func readPrimaryKeys(_ column: EditedColumn) throws {
    primaryKeys = PrimaryKeys()
    primaryKeys.reserveCapacity(likelyCount)
    try objects.forEachCluster { cluster in
      for (key, value) in zip(cluster.keys, try values(column, in: cluster)) {
        primaryKeys.add(value, of: ObjectKey(rawValue: Int64(bitPattern: key)))
      }
    }
    primaryKeys.isComplete = true
  }

  /// Duplicates are found when the transaction that makes them is over; see `requireUniquePrimaryKeys`.
  private func primaryKeyChanges(of key: ObjectKey, in cluster: EditedCluster, row: Int, to value: Value) throws {
    guard primaryKeys.isComplete, let column = columns.first(where: { $0.key == primaryKeyColumn }) else { return }
    primaryKeys.remove(try self.value(column, in: cluster, row: row), of: key)
    primaryKeys.add(value, of: key)
  }

  // MARK: Making

  /// Makes an object with default values, in a table without primary key.
  ///
  /// - Throws: `EditError.primaryKeyMismatch`, `embeddedObject`, `unsound` where no key is left, `ended`;
  ///   `StorageError.corrupted` where the objects beside it are damaged, which stops the transaction.
  public func create() throws -> ObjectKey {
    try requireThere()
    guard primaryKeyColumn == nil else { throw EditError.primaryKeyMismatch(table: name) }
    guard kind != .embedded else { throw EditError.embeddedObject(table: name) }
    return try status.change { try makeObject() }
  }

  /// Makes an object with a primary key; its other values are defaults.
  ///
  /// - Parameter allowsDuplicates: duplicates are an error at the end only, as in a migration.
  /// - Throws: `EditError.primaryKeyMismatch`, `primaryKeyInUse`, `embeddedObject`, `unsound` where no key is left, `ended`; `BuildError`
  ///   for a value of another type; `StorageError.corrupted` where keys, or the objects beside it, are damaged, which
  ///   stops the transaction.
  public func create(primaryKey value: Value, allowsDuplicates: Bool = false) throws -> ObjectKey {
    try change { try makeObject(primaryKey: value, allowsDuplicates: allowsDuplicates) }
  }

  private func makeObject(primaryKey value: Value, allowsDuplicates: Bool) throws -> ObjectKey {
    guard let column = columns.first(where: { $0.key == primaryKeyColumn }) else {
      throw EditError.primaryKeyMismatch(table: name)
    }
    guard kind != .embedded else { throw EditError.embeddedObject(table: name) }
    try column.type.require(value)
    if !allowsDuplicates, try find(value, by: column) != nil { throw EditError.primaryKeyInUse(table: name, value) }
    let key = try makeObject()
    if let (cluster, row) = try objects.change(key) { try store(value, column, in: cluster, row: row) }
    if primaryKeys.isComplete { primaryKeys.add(value, of: key) }
    return key
  }

  /// Makes an object with the next free key (§4.5).
  func makeObject() throws -> ObjectKey {
    isTouched = true
    while true {
      let number = objectSequence
      // A damaged file may claim that all keys were given out: the highest is the last of them.
      guard number < UInt64(Int64.max) else { throw EditError.unsound(table: name) }
      objectSequence = number + 1
      let key =
        primaryKeyColumn != nil
        ? ObjectKey(rawValue: Int64(clamping: number)) : ObjectKey(spreading: UInt32(truncatingIfNeeded: number))
      guard try insert(key) else { continue }
      for column in columns where !column.isIndexStale { column.noteIndexChange(at: key) }
      return key
    }
  }

  private func insert(_ key: ObjectKey) throws -> Bool {
    let defaults = try defaultsOfNewObjects ?? makeDefaultsOfNewObjects()
    return try objects.insert(key, defaults, prepare: loadAll) { newCluster(base: $0) }
  }

  /// What each leaf gets for a new object; the columns are made ready for it.
  private func makeDefaultsOfNewObjects() throws -> [Value] {
    var defaults: [Value] = Array(repeating: .null, count: leafCount)
    for column in columns {
      try unshareEnumeration(column)
      defaults[column.leafIndex] = column.defaultValue
    }
    defaultsOfNewObjects = defaults
    return defaults
  }

  // MARK: Deleting

  /// Deletes an object: links to it become null or disappear, and embedded objects that were its own go with it.
  ///
  /// - Throws: `EditError.noSuchObject`, `ended`; `StorageError.corrupted` where the object or what links to it is
  ///   damaged, which stops the transaction.
  public func delete(_ key: ObjectKey) throws {
    try change {
      guard try tree(of: key).find(key) != nil else { throw noSuchObject(key) }
      try status.finish { try transaction.delete([(self.key, key)]) }
    }
  }

  /// Deletes all objects.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where objects are damaged, which stops the transaction.
  public func deleteAll() throws {
    try change {
      var keys: [TransactionLink] = []
      try forEachKey { keys.append((key, $0)) }
      try status.finish { try transaction.delete(keys) }
    }
  }
}
