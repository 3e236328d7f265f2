/// What an interrupted upgrade to format 10 has left in the columns of a table (Docs/Format/4-file-versions.md §2.21).
struct UpgradedRows {
  /// The public columns, links with their targets; those that are still in rows with their places.
  private(set) var columns: [Column]
  private(set) var backlinks: [BacklinkColumn]
  /// Whether the origin columns of backlinks are numbers, as in formats 2–9, and not yet keys.
  private(set) var numbersOrigins = false
  private let top: TableTop
  private let store: ByteStore

  /// The row that an object had before it got a key.
  static let rowName: RealmString = "!ROW_INDEX"

  /// Whether the description of a table's columns is in the form of format 10 already: each key then has the type of
  /// the column. Before that, keys are the numbers of the columns, and types and attributes those of formats 2–9.
  ///
  /// - Parameter root: of the table.
  static func areConverted(_ root: Node, in store: ByteStore) throws -> Bool {
    let spec = try RawSpec(root.childRef(TableTopSlot.spec.rawValue), in: store)
    func numbers(_ slot: SpecSlot) throws -> Node {
      let node = try Node(spec.ref(slot), in: store)
      try node.requireBits("numbers that describe columns")
      return node
    }
    let lists = RawColumn.Lists(
      types: try numbers(.types), attributes: try numbers(.attributes), keys: try numbers(.keys))
    let isNumbered = (0..<lists.count).allSatisfy { lists[$0].key.rawValue == Int64($0) }
    // Which columns of plain integers have in both forms.
    return !isNumbered || (0..<lists.count).allSatisfy { lists[$0].type == 0 && lists[$0].attributes & ~3 == 0 }
  }

  init(_ top: TableTop, in store: ByteStore, budget: WalkBudget) throws {
    (self.top, self.store) = (top, store)
    let described = try Columns(of: top, in: store, budget: budget, isUpgraded: true)
    (columns, backlinks) = (described.properties, described.backlinks)
    for column in columns {
      guard LegacyType.hasValues(of: column.element.code), column.collection == nil || column.collection == .list else {
        throw StorageError.corrupted(top.spec, .badTable("a column is of a type that older formats do not have"))
      }
    }
    let spec = try RawSpec(top.spec, in: store)
    try takeTargets(of: spec)
    let data = try RawTableTop(top.ref, in: store).ref(.oldColumns)
    guard !data.isNull else { return }
    let slots = try Node(data, in: store)
    try slots.requireRefs("the columns of a table")
    let attributes = try Node(spec.ref(.attributes), in: store)
    try attributes.requireBits("numbers that describe columns")
    // The column that came with the upgrade has no slot.
    let stored = (0..<columns.count + backlinks.count).filter {
      $0 >= columns.count || columns[$0].name != Self.rowName
    }
    let indexed = Set(stored.filter { $0 < attributes.count && attributes.uncheckedInt($0) & 1 != 0 })
    let hasIndexes = !indexed.isEmpty && slots.count == stored.count + indexed.count
    guard hasIndexes || slots.count == stored.count else {
      throw StorageError.corrupted(data, .wrongElementCount(expected: stored.count, found: slots.count))
    }
    var slot = 0
    for column in stored {
      // None for a column that is in clusters already.
      if let root = slots.slot(slot).child {
        if column < columns.count {
          columns[column].rows = RowColumn(root: root, cells: cells(of: columns[column]))
        } else {
          backlinks[column - columns.count].rows = RowColumn(root: root, cells: .backlinks)
        }
      }
      slot += hasIndexes && indexed.contains(column) ? 2 : 1
    }
  }

  /// The other ends of links, as long as they are in the description of the columns.
  private mutating func takeTargets(of spec: RawSpec) throws {
    let ref = try spec.ref(.vacant)
    guard !ref.isNull else { return }
    let ends = try Node(ref, in: store)
    try ends.requireRefs("what belongs to columns")
    numbersOrigins = true
    var next = 0
    func end() -> UInt32 {
      defer { next += 1 }
      return UInt32(truncatingIfNeeded: ends.slot(next).number)
    }
    for index in columns.indices where columns[index].element.code == .link {
      let element = columns[index].element
      columns[index].element = ElementType(
        .link, isNullable: element.isNullable, target: TableKey(rawValue: end()), layout: element.layout)
    }
    for index in backlinks.indices {
      backlinks[index] = BacklinkColumn(
        key: backlinks[index].key, originTable: TableKey(rawValue: end()),
        originColumn: ColumnKey(rawValue: Int64(end())))
    }
  }

  /// Where the objects are.
  ///
  /// - Parameters:
  ///   - shown: the columns that are properties.
  ///   - knowsRows: objects that were moved have the numbers of their rows as keys, or in a column.
  /// - Throws: `StorageError.corrupted` for a state that cannot be read.
  func source(showing shown: [Int], knowsRows: Bool) throws -> ObjectSource {
    let rows = columns.compactMap(\.rows) + backlinks.compactMap(\.rows)
    guard let first = rows.first else { return .clusters(top) }
    guard try ClusterTree(root: top.clusters).count(in: store) > 0 else {
      guard shown.allSatisfy({ columns[$0].rows != nil }) else { throw unreadable }
      return .rows(first)
    }
    guard knowsRows || columns.allSatisfy({ $0.rows == nil }) else { throw unreadable }
    return .clusters(top)
  }

  private var unreadable: StorageError {
    .corrupted(top.ref, .badTable("an upgrade to format 10 was interrupted while its objects were moved"))
  }

  private func cells(of column: Column) -> RowColumn.Cells {
    let element = column.element
    guard column.collection == .list else {
      let isNullable = element.isNullable || element.code == .link
      return .values(ElementType(element.code, isNullable: isNullable, target: element.target, layout: .legacy))
    }
    return column.element.code == .link
      ? .lists(ElementType(.link, target: column.element.target)) : .subtables(column: 0, column.element.legacy)
  }
}
