import RealmStorage

/// A table as far as its description can be read.
final class CheckedTable {
  let name: RealmString
  let key: TableKey
  let top: Ref
  var kind = TableKind.topLevel
  var columns: [CheckedColumn] = []
  var backlinks: [CheckedBacklinkColumn] = []
  /// One more than the highest leaf index of a column.
  var leafCount = 0
  /// Leaf indexes of columns whose type is unknown; their leaves are left alone.
  var unreadableLeafIndexes: Set<Int> = []
  /// Columns removed so far (Docs/Format/3-tables-and-objects.md §3.4).
  var removedColumns: UInt64 = 0
  /// The number that the next object's key is made of.
  var objectSequence: UInt64 = 0
  var clusters = Ref.null
  var tombstoneClusters = Ref.null
  var collisionMap = Ref.null
  var objects = ObjectDirectory()
  var tombstones = ObjectDirectory()

  init(name: RealmString, key: TableKey, top: Ref) { (self.name, self.key, self.top) = (name, key, top) }

  /// Of the columns that can be read.
  var liveLeafIndexes: Set<Int> { Set(columns.map(\.leafIndex) + backlinks.map(\.leafIndex)) }
  var primaryKey: CheckedColumn? { columns.first { $0.isPrimaryKey } }

  func column(_ key: ColumnKey) -> CheckedColumn? { columns.first { $0.key == key } }

  func place(
    _ part: Finding.Part, _ column: CheckedColumn? = nil, ref: Ref? = nil, position: Int? = nil
  ) -> Finding.Place {
    Finding.Place(
      part: part, table: name, column: column.map { .property($0.name) }, ref: ref ?? top, position: position)
  }

  /// The index of a column.
  func indexPlace(_ column: CheckedColumn) -> Finding.Place { place(.index, column, ref: column.index) }
}

extension [CheckedTable] {
  /// The columns that have, or had, links: those that backlink columns name.
  var linkColumns: Set<CheckedBacklinkColumn.Origin> { Set(flatMap { $0.backlinks.map(\.declaredOrigin) }) }

  /// The position of each table in the list; if two tables have the same key, that of the first.
  var numbersByKey: [TableKey: Int] { Dictionary(indices.map { (self[$0].key, $0) }) { first, _ in first } }
}

/// A public column.
struct CheckedColumn {
  let key: ColumnKey
  let name: RealmString
  let type: TypeCode
  let collection: CollectionKind?
  /// The target of links.
  let target: TableKey
  /// The backlink column that belongs to a link column.
  let partner: ColumnKey
  let attributes: ColumnAttributes
  /// The distinct values of an enumerated text column; null if there are none.
  let enumeration: Ref
  /// The root of its search index; null if there is none.
  let index: Ref
  var isPrimaryKey = false

  var leafIndex: Int { key.leafIndex }
  var isNullable: Bool { key.attributes.contains(.nullable) }
  var element: ElementType { ElementType(type, isNullable: isNullable, target: target) }
  /// Links are stored in columns of type link and inside mixed values.
  var canLink: Bool { type == .link || type == .mixed }
}

/// A hidden column of incoming links.
struct CheckedBacklinkColumn {
  let key: ColumnKey
  /// Where the links come from, as the table says.
  let declaredOrigin: Origin
  /// Where the links come from, by number in the list of tables and of columns; nil if that no longer exists.
  var origin: (table: Int, column: Int)?
  var name = Finding.ColumnName.backlinks(table: nil, column: nil)

  var leafIndex: Int { key.leafIndex }

  struct Origin: Hashable {
    let table: TableKey
    let column: ColumnKey
  }
}
