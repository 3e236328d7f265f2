import RealmStorage

/// The root of one table and the description of its columns (Docs/Format/3-tables-and-objects.md §2, §3, §9.1).
struct TableCheck {
  let context: CheckContext
  let name: RealmString
  let ref: Ref
  let slot: Int

  /// Nil if nothing can be learned about the table.
  func run() -> CheckedTable? {
    guard let node = context.node(ref, .refs, otherwise: { _ in report(.nodeKind, .text("the root of a table")) })
    else { return nil }
    let top = RawTableTop(node)
    if !RawTableTop.slotCounts.contains(top.count) { report(.tableSlotCount, .count(top.count)) }
    return top.count < RawTableTop.slotCounts.lowerBound ? nil : read(top)
  }

  private func report(_ kind: FindingKind, _ facts: Finding.Facts = .none, _ slot: TableTopSlot? = nil) {
    context.log.add(kind, facts, at: Finding.Place(part: .table, table: name, ref: ref, position: slot?.rawValue))
  }

  private func read(_ top: RawTableTop) -> CheckedTable {
    for slot in top.wrongSlots { report(.tableSlot, .found(top[slot].rawValue), slot) }
    let table = CheckedTable(name: name, key: key(top), top: ref)
    table.kind = kind(top)
    table.clusters = top[.clusters].child ?? .null
    table.removedColumns = top[.columnSequence].number
    table.objectSequence = top[.objectSequence].number
    table.collisionMap = top[.collisionMap].child ?? .null
    table.tombstoneClusters = top[.tombstones].child ?? .null
    let lists = LeafIndexLists(top, context: context, name: name)
    if let spec = top[.spec].child, let node = try? Node(spec, in: context.store) {
      SpecCheck(context: context, table: table, lists: lists, node: node).run()
    }
    checkPrimaryKey(top, table)
    lists.check(table)
    return table
  }

  // MARK: Slots

  /// The key names the table's slot in the list of tables; bit 31 is clear (§1.1).
  private func key(_ top: RawTableTop) -> TableKey {
    let stored = top[.key].number
    if stored & 0xffff != UInt64(slot) || stored > 0x7fff_ffff {
      report(.tableKey, .counts(slot, found: stored), .key)
    }
    return TableKey(rawValue: UInt32(truncatingIfNeeded: stored))
  }

  private func kind(_ top: RawTableTop) -> TableKind {
    let flags = top[.flags].number
    if flags > 2 { report(.tableType, .count(flags), .flags) }
    return TableKind(flags: flags)
  }

  // MARK: Primary key

  /// A live public column of a type that can be one; formats from 22 on need its index (§6.1,
  /// Docs/Format/4-file-versions.md §3.3).
  private func checkPrimaryKey(_ top: RawTableTop, _ table: CheckedTable) {
    guard let key = top.primaryKey else { return }
    guard let index = table.columns.firstIndex(where: { $0.key == key }) else {
      return report(.tablePrimaryKey, .text("no column has the key \(key.hexText)"), .primaryKey)
    }
    table.columns[index].isPrimaryKey = true
    let column = table.columns[index]
    if !column.type.propertyType.canBePrimaryKey || column.collection != nil || table.kind == .embedded {
      report(.tablePrimaryKey, .name(column.name), .primaryKey)
    }
    if context.format >= 22, column.index.isNull {
      context.log.add(.tablePrimaryKeyIndex, at: table.place(.index, column, position: TableTopSlot.indexes.rawValue))
    }
  }
}

/// The three lists of a table that have an element per leaf index: index roots, opposite tables, opposite columns
/// (Docs/Format/3-tables-and-objects.md §2, slots 4, 7, 8).
struct LeafIndexLists {
  private let context: CheckContext
  private let indexes: Node?
  private let tables: Node?
  private let columns: Node?

  init(_ top: RawTableTop, context: CheckContext, name: RealmString) {
    self.context = context
    func list(_ slot: TableTopSlot, _ shape: NodeShape) -> Node? {
      context.node(top[slot].child, shape) {
        context.log.add(.nodeKind, at: Finding.Place(part: .table, table: name, ref: $0.ref, position: slot.rawValue))
      }
    }
    indexes = list(.indexes, .refs)
    tables = list(.oppositeTables, .integers)
    columns = list(.oppositeColumns, .integers)
  }

  /// The root of a column's search index; null if there is none.
  func index(_ leafIndex: Int) -> Ref { indexes?.slot(leafIndex).child ?? .null }
  /// Whether engines, which follow whatever is not 0, can take a slot of the list of search indexes for what it is.
  private func isIndexSound(_ leafIndex: Int) -> Bool {
    indexes.map { SlotContent.refOrZero.allows($0.slot(leafIndex)) } ?? true
  }
  func oppositeTable(_ leafIndex: Int) -> TableKey { TableKey(in: tables, at: leafIndex) }
  func oppositeColumn(_ leafIndex: Int) -> ColumnKey { ColumnKey(in: columns, at: leafIndex) }

  /// Equal lengths, long enough, and nothing at leaf indexes without a column.
  func check(_ table: CheckedTable) {
    let lengths = [indexes, tables, columns].compactMap { $0?.count }
    let (shortest, longest) = (lengths.min() ?? 0, lengths.max() ?? 0)
    if shortest != longest || shortest < table.leafCount {
      let wrong = shortest < table.leafCount ? shortest : longest
      context.log.add(.tableLists, .counts(table.leafCount, found: wrong), at: table.place(.table))
    }
    let live = table.liveLeafIndexes.union(table.unreadableLeafIndexes)
    for leafIndex in 0..<min(longest, ColumnKey.mostLeafIndexes) where !live.contains(leafIndex) {
      if !index(leafIndex).isNull || !isIndexSound(leafIndex) || !isVacant(leafIndex) {
        context.log.add(.tableDeadEntry, at: table.place(.table, position: leafIndex))
      }
    }
    for leafIndex in live.sorted() where !isIndexSound(leafIndex) {
      let column = table.columns.first { $0.leafIndex == leafIndex }
      context.log.add(
        .nodeKind, .text("a ref"), at: table.place(.index, column, ref: indexes?.ref, position: leafIndex))
    }
    for column in table.backlinks where !index(column.leafIndex).isNull {
      context.log.add(.indexColumn, at: table.place(.index, ref: index(column.leafIndex)))
    }
    for column in table.columns where column.type != .link && !isVacant(column.leafIndex) {
      context.log.add(.columnOpposite, at: table.place(.table, column))
    }
  }

  /// Null, or 0 as engines of format 10 leave it (Docs/Format/4-file-versions.md §3.2).
  private func isVacant(_ leafIndex: Int) -> Bool {
    let (table, column) = (oppositeTable(leafIndex), oppositeColumn(leafIndex))
    return (table == .null || table.rawValue == 0) && (column == .null || column.rawValue == 0)
  }
}
