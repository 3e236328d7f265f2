/// The root of one table and the description of its columns (Docs/Format/3-tables-and-objects.md §2, §3, §9.1).
struct TableCheck {
  private let context: CheckContext
  private let name: RealmString
  private let ref: Ref
  private let slot: Int

  init(_ context: CheckContext, name: RealmString, ref: Ref, slot: Int) {
    self.context = context
    self.name = name
    self.ref = ref
    self.slot = slot
  }

  /// Nil where nothing can be learned about the table.
  func run() -> CheckedTable? {
    guard let top = try? Node(ref, in: context.store) else { return nil }
    guard top.flags & 0xf8 == 0x40 else {
      report(.nodeKind, ref, .text("the root of a table"))
      return nil
    }
    guard (12...14).contains(top.count) else {
      report(.tableSlotCount, ref, .found(Int64(top.count)))
      guard top.count > 14 else { return nil }
      return read(top)
    }
    return read(top)
  }

  private func report(
    _ kind: FindingKind, _ ref: Ref?, _ facts: Finding.Facts = .none, part: Finding.Part = .table,
    position: Int? = nil
  ) {
    context.log.add(kind, facts, at: Finding.Place(part: part, table: name, ref: ref, position: position))
  }

  private func read(_ top: Node) -> CheckedTable {
    checkSlots(top)
    let table = CheckedTable(name: name, key: key(top), top: ref)
    table.kind = kind(top)
    table.clusters = reference(top, 2)
    table.removedColumns = number(top, 5)
    table.objectSequence = number(top, 9)
    table.collisionMap = reference(top, 10)
    table.tombstoneClusters = reference(top, 13)
    let lists = LeafIndexLists(top, context: context, name: name)
    if let spec = child(top, 0, part: .spec) {
      SpecCheck(context, table: table, spec: spec, lists: lists).run()
    }
    checkPrimaryKey(top, table)
    lists.check(table)
    return table
  }

  // MARK: Slots

  /// Numbers are odd, refs are even, slot 1 is empty (§2).
  private func checkSlots(_ top: Node) {
    for slot in 0..<min(top.count, 14) {
      let element = RefOrTagged(top.uncheckedInt(slot))
      let isSound =
        switch slot {
        case 1: element.rawValue == 0
        case 3, 5, 6: element.isTagged
        case 9, 11, 12: element.isTagged || element.rawValue == 0
        case 0, 2, 4, 7, 8: !element.isTagged && element.rawValue != 0
        default: !element.isTagged
        }
      if !isSound { report(.tableSlot, ref, .found(element.rawValue), position: slot) }
    }
  }

  private func number(_ top: Node, _ slot: Int) -> UInt64 {
    guard slot < top.count else { return 0 }
    let element = RefOrTagged(top.uncheckedInt(slot))
    return element.isTagged ? element.tagged : 0
  }

  private func reference(_ top: Node, _ slot: Int) -> Ref {
    guard slot < top.count else { return .null }
    let element = RefOrTagged(top.uncheckedInt(slot))
    return element.isTagged ? .null : element.ref
  }

  private func child(_ node: Node, _ slot: Int, part: Finding.Part) -> Node? {
    let ref = reference(node, slot)
    return ref.isNull ? nil : try? Node(ref, in: context.store)
  }

  /// The key names the table's slot in the list of tables; bit 31 is clear (§1.1).
  private func key(_ top: Node) -> TableKey {
    let stored = number(top, 3)
    if stored & 0xffff != UInt64(slot) || stored > 0x7fff_ffff {
      report(.tableKey, ref, .expected(Int64(slot), found: Int64(clamping: stored)), position: 3)
    }
    return TableKey(rawValue: UInt32(truncatingIfNeeded: stored))
  }

  private func kind(_ top: Node) -> TableKind {
    let flags = number(top, 12)
    switch flags {
    case 0: return .topLevel
    case 1: return .embedded
    case 2: return .asymmetric
    default:
      report(.tableType, ref, .found(Int64(clamping: flags)), position: 12)
      return flags & 3 == 1 ? .embedded : flags & 3 == 2 ? .asymmetric : .topLevel
    }
  }

  // MARK: Primary key

  /// A live public column of a type that can be one; formats from 22 on need its index (§6.1,
  /// Docs/Format/4-file-versions.md §3.3).
  private func checkPrimaryKey(_ top: Node, _ table: CheckedTable) {
    guard top.count > 11, case let element = RefOrTagged(top.uncheckedInt(11)), element.isTagged else { return }
    let key = ColumnKey(rawValue: Int64(bitPattern: element.tagged))
    guard let index = table.columns.firstIndex(where: { $0.key == key }) else {
      return report(.tablePrimaryKey, ref, .found(key.rawValue), position: 11)
    }
    table.columns[index].isPrimaryKey = true
    let column = table.columns[index]
    if ![.int, .string, .objectID, .uuid].contains(column.type) || column.collection != nil || table.kind == .embedded {
      report(.tablePrimaryKey, ref, .found(key.rawValue), position: 11)
    }
    if context.format >= 22, column.index.isNull {
      context.log.add(
        .tablePrimaryKeyIndex,
        at: Finding.Place(part: .index, table: name, column: .property(column.name), ref: ref, position: 4))
    }
  }
}

/// The three lists of a table that have an element per leaf index: index roots, opposite tables, opposite columns
/// (Docs/Format/3-tables-and-objects.md §2, slots 4, 7, 8).
struct LeafIndexLists {
  private let context: CheckContext
  private let name: RealmString
  private let indexes: Node?
  private let tables: Node?
  private let columns: Node?

  init(_ top: Node, context: CheckContext, name: RealmString) {
    self.context = context
    self.name = name
    func list(_ slot: Int, flags: UInt8) -> Node? {
      guard slot < top.count, let ref = try? top.childRef(slot), !ref.isNull,
        let node = try? Node(ref, in: context.store)
      else { return nil }
      if node.flags & 0xf8 == flags { return node }
      context.log.add(.nodeKind, at: Finding.Place(part: .table, table: name, ref: ref, position: slot))
      return nil
    }
    indexes = list(4, flags: 0x40)
    tables = list(7, flags: 0)
    columns = list(8, flags: 0)
  }

  /// Leaf indexes have 16 bits.
  private static let mostLeafIndexes = 0x1_0000

  /// The root of a column's search index; null where there is none.
  func index(_ leafIndex: Int) -> Ref {
    guard let indexes, leafIndex < indexes.count else { return .null }
    let element = RefOrTagged(indexes.uncheckedInt(leafIndex))
    return element.isTagged ? .null : element.ref
  }

  func oppositeTable(_ leafIndex: Int) -> TableKey {
    guard let tables, leafIndex < tables.count else { return .null }
    return TableKey(rawValue: UInt32(truncatingIfNeeded: tables.uncheckedInt(leafIndex)))
  }

  func oppositeColumn(_ leafIndex: Int) -> ColumnKey {
    guard let columns, leafIndex < columns.count else { return .null }
    return ColumnKey(rawValue: columns.uncheckedInt(leafIndex))
  }

  /// Equal lengths, long enough, and nothing at leaf indexes without a column.
  func check(_ table: CheckedTable) {
    let lengths = [indexes, tables, columns].compactMap { $0?.count }
    let shortest = lengths.min() ?? 0
    if shortest != lengths.max() ?? 0 || shortest < table.leafCount {
      context.log.add(
        .tableLists, .expected(Int64(table.leafCount), found: Int64(shortest)), at: table.place(.table))
    }
    let live = Set(table.columns.map(\.leafIndex) + table.backlinks.map(\.leafIndex))
      .union(table.unreadableLeafIndexes)
    for leafIndex in 0..<min(lengths.max() ?? 0, Self.mostLeafIndexes) where !live.contains(leafIndex) {
      if !index(leafIndex).isNull || !isVacant(leafIndex) {
        context.log.add(.tableDeadEntry, at: table.place(.table, position: leafIndex))
      }
    }
    for column in table.columns where column.type != .link && !isVacant(column.leafIndex) {
      context.log.add(
        .columnOpposite, at: Finding.Place(part: .table, table: name, column: .property(column.name), ref: table.top))
    }
  }

  /// Null, or 0 as engines of format 10 leave it (Docs/Format/4-file-versions.md §3.2).
  private func isVacant(_ leafIndex: Int) -> Bool {
    let (table, column) = (oppositeTable(leafIndex), oppositeColumn(leafIndex))
    return (table == .null || table.rawValue == 0) && (column == .null || column.rawValue == 0)
  }
}
