/// A column of formats 2–9 that is not read as it is, because no later format has anything like it.
package struct LegacyNote: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Subtables of several columns are read as a list for each of these.
    case lists([RealmString])
    /// These columns of subtables are not read.
    case leftOut([RealmString])
  }

  package let table: RealmString
  package let column: RealmString
  package let kind: Kind
}

/// Makes properties of the columns of a table of formats 2–9 (Docs/Format/4-file-versions.md §2.3–2.5).
struct RowTableBuilder {
  private(set) var properties: [Property] = []
  private(set) var columns: [Column] = []
  private(set) var backlinks: [BacklinkColumn] = []
  /// Position among the properties, by column; nil for a hidden one.
  private(set) var propertyOfColumn: [Int?] = []
  private(set) var notes: [LegacyNote] = []
  /// The first column of all.
  private(set) var first: RowColumn?

  private let tableName: RealmString
  private let tableNames: [RealmString]
  private let store: ByteStore
  private var names: Set<RealmString> = []
  /// Columns so far, hidden ones too.
  private var columnCount = 0

  /// - Parameter tableNames: of all tables, by number.
  init(table: RealmString, tableNames: [RealmString], store: ByteStore) {
    (tableName, self.tableNames, self.store) = (table, tableNames, store)
  }

  /// Adds the next column.
  ///
  /// - Parameter root: where its values are.
  /// - Throws: `StorageError.corrupted` for a link to a nonexistent table.
  mutating func add(_ column: LegacySpec.Column, root: Ref, isHidden: Bool) throws {
    let number = columnCount
    columnCount += 1
    let key = ColumnKey(rawValue: Int64(number))
    switch column.type {
    case .backlink:
      let backlink = BacklinkColumn(
        key: key, originTable: try target(column.table, root).key,
        originColumn: ColumnKey(rawValue: Int64(column.originColumn ?? 0)),
        rows: RowColumn(root: root, cells: .backlinks))
      backlinks.append(backlink)
      first = first ?? backlink.rows
      return
    case .table:
      first = first ?? RowColumn(root: root, cells: .backlinks)
      propertyOfColumn.append(properties.count)
      try addSubtables(column, number, root: root)
      return
    case .linkList:
      let target = try target(column.table, root)
      let element = ElementType(.link, target: target.key)
      first = first ?? RowColumn(root: root, cells: .lists(element))
      propertyOfColumn.append(properties.count)
      add(
        Column(key: key, name: name(column.name, number), element: element, collection: .list, index: .none),
        .lists(element), target.name, root)
    default:
      let target = try column.type == .link ? target(column.table, root) : nil
      let element = column.element(to: target?.key ?? .null)
      first = first ?? RowColumn(root: root, cells: .values(element))
      propertyOfColumn.append(isHidden ? nil : properties.count)
      guard !isHidden else { return }
      add(
        Column(
          key: key, name: name(column.name, number), element: element, collection: nil,
          enumeration: column.enumeration.isNull ? nil : try StringEnumeration(legacy: column.enumeration, in: store),
          index: column.isIndexed ? .general : .none),
        .values(element), target?.name, root)
    }
  }

  private mutating func add(
    _ column: Column, _ cells: RowColumn.Cells, _ target: RealmString?, _ root: Ref
  ) {
    properties.append(column.property { _ in target })
    var column = column
    column.rows = RowColumn(root: root, cells: cells)
    columns.append(column)
  }

  /// SDKs used subtables of one column as lists. Of those with several, each column becomes a list.
  private mutating func addSubtables(_ column: LegacySpec.Column, _ number: Int, root: Ref) throws {
    let base = name(column.name, number)
    var lists: [RealmString] = []
    var leftOut: [RealmString] = []
    for (index, nested) in column.nested.enumerated() {
      let nestedName = nested.name ?? ""
      guard nested.canBeListElement else {
        leftOut.append(nestedName)
        continue
      }
      let listName =
        column.nested.count == 1
        ? base : name(RealmString(utf8: base.utf8 + Array("_".utf8) + nestedName.utf8), number)
      lists.append(listName)
      let element = nested.element(to: .null)
      add(
        Column(
          key: ColumnKey(rawValue: Int64(number) | Int64(index) << 30), name: listName, element: element,
          collection: .list, index: .none),
        .subtables(column: nested.slot, element), nil, root)
    }
    if column.nested.isEmpty {
      // As after an engine's upgrade: a list that is empty in every row.
      let element = ElementType(.int, layout: .legacy)
      add(
        Column(
          key: ColumnKey(rawValue: Int64(number)), name: base, element: element, collection: .list, index: .none),
        .subtables(column: 0, element), nil, root)
    }
    if column.nested.count > 1 { notes.append(LegacyNote(table: tableName, column: base, kind: .lists(lists))) }
    if !leftOut.isEmpty { notes.append(LegacyNote(table: tableName, column: base, kind: .leftOut(leftOut))) }
  }

  private func target(_ number: Int?, _ root: Ref) throws -> (key: TableKey, name: RealmString) {
    guard let number, number < tableNames.count else {
      throw StorageError.corrupted(root, .badTable("a link points to a table that does not exist"))
    }
    return (TableKey(rawValue: UInt32(number)), tableNames[number])
  }

  /// A name that no other property has: as engines that upgrade name columns (§4.2).
  private mutating func name(_ stored: RealmString?, _ number: Int) -> RealmString {
    var name = stored ?? ""
    if name.utf8.isEmpty { name = RealmString("col_\(number)") }
    while !names.insert(name).inserted { name = RealmString(utf8: name.utf8 + Array("_\(number)".utf8)) }
    return name
  }
}

extension LegacySpec.Column {
  /// What the values are; those of tables and lists have none.
  package func element(to target: TableKey) -> ElementType {
    ElementType(
      type.code ?? .int, isNullable: isNullable || type == .link || type == .mixed, target: target,
      layout: type == .seconds ? .seconds : .legacy)
  }

  /// Whether a column of a subtable can be read as a list. No engine made enumerations there; lists contain no null
  /// links, and no lists.
  package var canBeListElement: Bool {
    switch type {
    case .enumerated, .table, .link, .linkList, .backlink: false
    default: true
    }
  }
}
