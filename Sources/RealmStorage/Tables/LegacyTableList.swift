/// The slots of the root of a table of formats 2–9 (Docs/Format/4-file-versions.md §2.2).
package enum RowTableSlot: Int, StructureSlot {
  case spec, columns

  /// A table without columns has no second node.
  package var content: SlotContent { self == .spec ? .ref : .refOrZero }
}

/// The tables of formats 2–9 (Docs/Format/4-file-versions.md §2.2), also of a file whose upgrade to format 10 was
/// interrupted, where some tables are in one layout and some in the other (§2.21).
///
/// What old formats keep in tables of their own is taken out of the list: primary keys, and the progress of an upgrade.
package struct LegacyTableList {
  package struct Described {
    let key: TableKey
    package let root: Ref
    package var schema: TableSchema
    package var columns: [Column]
    var backlinks: [BacklinkColumn]
    package let source: ObjectSource
    /// Public columns in the order of the spec: position among the properties; nil for one that is hidden.
    fileprivate var propertyOfColumn: [Int?] = []
    /// The column with the former row of each object, if objects have other keys.
    fileprivate var rowNumbers: Column?
    /// The keys of all public columns in the order of the spec.
    fileprivate var columnKeys: [ColumnKey] = []
    /// Whether backlinks name their origin columns by number; the columns may already have keys.
    fileprivate var numbersOrigins = false
  }

  package private(set) var tables: [Described] = []
  private(set) var damaged: [(name: RealmString, error: StorageError)] = []
  /// Parts that are not read as they are.
  private(set) var notes: [LegacyNote] = []
  private let names: [RealmString]
  private let store: ByteStore
  private let budget: WalkBudget

  /// - Throws: `StorageError.corrupted` if the list itself is damaged.
  package init(_ top: TopArray, in store: ByteStore) throws {
    let refs: Node
    (names, refs) = try top.tableSlots(in: store)
    self.store = store
    budget = WalkBudget(limit: store.count / 4 + 64)
    for number in 0..<refs.count {
      do {
        tables.append(try describe(refs.childRef(number), number))
      } catch let error as StorageError {
        damaged.append((names[number], error))
      }
    }
    if let keys = tables.firstIndex(where: \.holdsPrimaryKeys) {
      do { assign(try PrimaryKeyRows(tables[keys], in: store, budget: budget)) } catch let error as StorageError {
        // Costs the primary keys, not the objects.
        damaged.append((tables[keys].schema.name, error))
      }
      tables.remove(at: keys)
    }
    tables.removeAll { $0.schema.name == Self.progressName }
    nameOrigins()
    try renumberLinks()
  }

  /// Left behind by an upgrade that was interrupted.
  private static let progressName: RealmString = "!UPDATE_PROGRESS"
  /// The object ids of the sync protocol (§2.18).
  private static let objectIDName: RealmString = "!OID"

  private mutating func describe(_ ref: Ref, _ number: Int) throws -> Described {
    let top = try Node(ref, in: store)
    try top.requireRefs("the root of a table")
    // An upgrade extends all roots before it converts the descriptions of their columns.
    let isExtended = top.count > 2
    guard try !isExtended || !UpgradedRows.areConverted(top, in: store) else {
      return try describeUpgraded(ref, number)
    }
    let spec = try LegacySpec(
      top.childRef(RowTableSlot.spec.rawValue), in: store, budget: budget, isExtended: isExtended)
    let data = try top.childRef(RowTableSlot.columns.rawValue)
    let slots = try data.isNull ? nil : Node(data, in: store)
    try slots?.requireRefs("the columns of a table")
    guard slots?.count ?? 0 == spec.slotCount else {
      throw StorageError.corrupted(data, .wrongElementCount(expected: spec.slotCount, found: slots?.count ?? 0))
    }
    var builder = RowTableBuilder(table: names[number], tableNames: names, store: store)
    for column in spec.columns {
      try builder.add(column, root: slots?.childRef(column.slot) ?? .null, isHidden: column.name == Self.objectIDName)
    }
    notes += builder.notes
    return Described(
      key: TableKey(rawValue: UInt32(number)), root: ref,
      schema: TableSchema(name: names[number], properties: builder.properties), columns: builder.columns,
      backlinks: builder.backlinks, source: .rows(builder.first), propertyOfColumn: builder.propertyOfColumn,
      numbersOrigins: true)
  }

  // MARK: Interrupted upgrades

  private func describeUpgraded(_ ref: Ref, _ number: Int) throws -> Described {
    let top = try TableTop(ref, in: store)
    let rows = try UpgradedRows(top, in: store, budget: budget)
    let rowNumbers = rows.columns.first { $0.name == UpgradedRows.rowName }
    // Neither of them is a property.
    let shown = rows.columns.indices.filter {
      rows.columns[$0].name != Self.objectIDName && rows.columns[$0].name != UpgradedRows.rowName
    }
    let source = try rows.source(
      showing: shown, knowsRows: !rows.columns.contains { $0.name == Self.objectIDName } || rowNumbers != nil)
    let columns = shown.map { rows.columns[$0] }
    let properties = columns.map { column in
      var property = column.property { name(ofTable: $0.slot) }
      if property.type == .object, property.collection == nil { property.isOptional = true }
      return property
    }
    return Described(
      key: TableKey(rawValue: UInt32(number)), root: ref,
      schema: TableSchema(
        name: names[number], properties: properties,
        primaryKeyIndex: top.primaryKey.flatMap { key in columns.firstIndex { $0.key == key } }),
      columns: columns, backlinks: rows.backlinks, source: source,
      propertyOfColumn: rows.columns.indices.map { shown.firstIndex(of: $0) },
      rowNumbers: rowNumbers, columnKeys: rows.columns.map(\.key),
      numbersOrigins: rows.numbersOrigins)
  }

  /// The origin columns of backlinks by their keys, where an interrupted upgrade has not come to that.
  private mutating func nameOrigins() {
    let keys = Dictionary(tables.map { ($0.key, $0.columnKeys) }) { first, _ in first }
    for place in tables.indices where tables[place].numbersOrigins {
      for index in tables[place].backlinks.indices {
        let column = tables[place].backlinks[index]
        let number = Int(clamping: column.originColumn.rawValue)
        guard let origins = keys[column.originTable], origins.indices.contains(number) else { continue }
        tables[place].backlinks[index] = BacklinkColumn(
          key: column.key, originTable: column.originTable, originColumn: origins[number], rows: column.rows)
      }
    }
  }

  /// Links that are still in rows name the rows of objects that now have other keys.
  private mutating func renumberLinks() throws {
    var keys: [TableKey: [ObjectKey]] = [:]
    for table in tables {
      if let column = table.rowNumbers { keys[table.key] = try keysByRow(of: table, column) }
    }
    guard !keys.isEmpty else { return }
    store.keepAlive(RenumberedRows(keys))
    let renumbered = Set(keys.keys)
    for place in tables.indices {
      let table = tables[place].rowNumbers == nil ? nil : tables[place].key
      for column in tables[place].columns.indices {
        tables[place].columns[column].rows?.renumberLinks(renumbered)
        tables[place].columns[column].rows?.table = table
      }
    }
  }

  private func keysByRow(of table: Described, _ column: Column) throws -> [ObjectKey] {
    guard case .clusters(let top) = table.source else { return [] }
    var keys: [Int64: ObjectKey] = [:]
    var walk = ClusterWalk(ClusterTree(root: top.clusters), in: store, budget: .bytes(of: store))
    while let step = walk.next() {
      guard case .cluster(let cluster) = step else {
        if case .damaged(let error) = step { throw error }
        continue
      }
      let leaf = try Leaf(cluster.leafRef(column.leafIndex), of: column.element, inCollection: false, in: store)
      guard leaf.count == cluster.count else {
        throw StorageError.corrupted(cluster.node.ref, .wrongElementCount(expected: cluster.count, found: leaf.count))
      }
      for row in 0..<cluster.count {
        if case .int(let number) = try leaf.value(at: row, in: store) { keys[number] = cluster.key(at: row) }
      }
    }
    // Each row once; the others point to a nonexistent row.
    return (0..<keys.count).map { keys[Int64($0)] ?? ObjectKey(rawValue: -1) }
  }

  private func name(ofTable number: Int) -> RealmString? { number < names.count ? names[number] : nil }

  // MARK: Primary keys

  private mutating func assign(_ rows: PrimaryKeyRows) {
    for (table, key) in rows.entries {
      let name = TableSchema.tableName(ofClass: table)
      // Realm Java wrote whole table names for a while (§2.17).
      let place = tables.firstIndex { $0.schema.name == name || $0.schema.name == table }
      guard let place else { continue }
      let index: Int? =
        switch key {
        case .name(let name): tables[place].schema.properties.firstIndex { $0.name == name }
        case .column(let number):
          tables[place].propertyOfColumn.indices.contains(number) ? tables[place].propertyOfColumn[number] : nil
        }
      guard let index, tables[place].schema.properties[index].canBeLegacyPrimaryKey else { continue }
      tables[place].schema.primaryKeyIndex = index
      tables[place].schema.properties[index].index = .general
    }
  }
}

extension Property {
  fileprivate var canBeLegacyPrimaryKey: Bool { collection == nil && (type == .int || type == .string) }
}

extension LegacyTableList.Described {
  /// Whether this is the table of primary keys, by what it consists of: any table may have its name.
  fileprivate var holdsPrimaryKeys: Bool {
    schema.name == "pk" && schema.properties.map(\.name) == ["pk_table", "pk_property"]
      && schema.properties[0].type == .string && [.string, .int].contains(schema.properties[1].type)
      && schema.properties.allSatisfy { $0.collection == nil }
  }
}

/// What table `pk` says: the only place where formats 2–9 keep primary keys (Docs/Format/4-file-versions.md §2.17).
private struct PrimaryKeyRows {
  enum Key {
    case name(RealmString)
    /// Position among the columns: Realm Java up to 0.80.
    case column(Int)
  }

  private(set) var entries: [(table: RealmString, key: Key)] = []

  /// Classes that a realm has at most.
  private static let mostRows = TableKey.mostSlots

  init(_ table: LegacyTableList.Described, in store: ByteStore, budget: WalkBudget) throws {
    switch table.source {
    case .rows(let first):
      for row in 0..<min(try first?.count(in: store) ?? 0, Self.mostRows) {
        try budget.spend(at: table.root)
        try add(
          table.columns.map { column in
            guard let place = try column.rows?.leaf(holding: row, column.enumeration, in: store) else { return .null }
            return try place.leaf.value(at: place.position, in: store)
          })
      }
    case .clusters(let top):
      var walk = ClusterWalk(ClusterTree(root: top.clusters), in: store, budget: budget)
      while case .cluster(let cluster) = walk.next() {
        let leaves = try table.columns.map {
          try Leaf(cluster.leafRef($0.leafIndex), of: $0.element, inCollection: false, in: store)
        }
        for row in 0..<cluster.count { try add(leaves.map { try $0.value(at: row, in: store) }) }
      }
    }
  }

  private mutating func add(_ values: [ValueView]) throws {
    guard case .string(let table) = values[0] else { return }
    let name = RealmString(utf8: try table.copied())
    switch values[1] {
    case .string(let property): entries.append((name, .name(RealmString(utf8: try property.copied()))))
    case .int(let column): entries.append((name, .column(Int(clamping: column))))
    default: return
    }
  }
}
