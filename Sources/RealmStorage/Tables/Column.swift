/// A public column: where a property's values are, and how they are encoded.
package struct Column: Sendable {
  package let key: ColumnKey
  package var name: RealmString
  package var element: ElementType
  package let collection: CollectionKind?
  /// The distinct values of an enumerated text column.
  package var enumeration: StringEnumeration?
  package var index: IndexKind
  /// Where the values are in a table in rows; nil for one whose leaves are in clusters.
  package var rows: RowColumn?

  package init(
    key: ColumnKey, name: RealmString, element: ElementType, collection: CollectionKind?,
    enumeration: StringEnumeration? = nil, index: IndexKind, rows: RowColumn? = nil
  ) {
    (self.key, self.name, self.element, self.collection) = (key, name, element, collection)
    (self.enumeration, self.index, self.rows) = (enumeration, index, rows)
  }

  /// Position in a cluster, its slot 0 not counted.
  package var leafIndex: Int { key.leafIndex }

  /// The column as an app sees it.
  ///
  /// - Parameter table: gives the name of a link's target table.
  package func property(target table: (TableKey) -> RealmString?) -> Property {
    Property(
      name: name, type: element.code.propertyType, collection: collection, isOptional: element.isNullable,
      target: element.code == .link ? table(element.target) : nil, index: index)
  }

  /// Whether it can be the primary key of its table.
  package var canBePrimaryKey: Bool { collection == nil && element.code.propertyType.canBePrimaryKey }
}

/// A hidden column of incoming links (Docs/Format/3-tables-and-objects.md §5).
package struct BacklinkColumn: Sendable {
  package let key: ColumnKey
  package let originTable: TableKey
  package let originColumn: ColumnKey
  /// As for a public column.
  package var rows: RowColumn?

  package init(key: ColumnKey, originTable: TableKey, originColumn: ColumnKey, rows: RowColumn? = nil) {
    (self.key, self.originTable, self.originColumn, self.rows) = (key, originTable, originColumn, rows)
  }

  package var leafIndex: Int { key.leafIndex }
}

/// The columns of a table, as its spec describes them (Docs/Format/3-tables-and-objects.md §3).
struct Columns: Sendable {
  private(set) var properties: [Column] = []
  private(set) var backlinks: [BacklinkColumn] = []

  /// - Parameter isUpgraded: the table is one of formats 2–9 whose upgrade was interrupted: lists of enumerated strings are
  ///   still as they were.
  /// - Throws: `StorageError.corrupted` if the spec is damaged.
  init(of top: TableTop, in store: ByteStore, budget: WalkBudget, isUpgraded: Bool = false) throws {
    let spec = try RawSpec(top.spec, in: store)
    guard spec.count >= RawSpec.slotCount else {
      throw StorageError.corrupted(spec.ref, .wrongElementCount(expected: RawSpec.slotCount, found: spec.count))
    }
    func numbers(_ slot: SpecSlot) throws -> Node {
      let node = try Node(spec.ref(slot), in: store)
      try node.requireBits("numbers that describe columns")
      return node
    }
    let lists = RawColumn.Lists(
      types: try numbers(.types), attributes: try numbers(.attributes), keys: try numbers(.keys))
    let count = lists.types.count
    guard lists.attributes.count == count, lists.keys.count == count, count <= ColumnKey.mostLeafIndexes else {
      throw StorageError.corrupted(spec.ref, .badTable("the lists that describe columns have different lengths"))
    }
    try budget.spend(count, at: spec.ref)
    let publicCount = lists.publicCount()
    let nameNode = try Node(spec.ref(.names), in: store)
    guard nameNode.count == publicCount else {
      throw StorageError.corrupted(nameNode.ref, .wrongElementCount(expected: publicCount, found: nameNode.count))
    }
    let names = try nameNode.names()
    let enumerations = try spec.ref(.enumerations).isNull ? nil : Node(spec.ref(.enumerations), in: store)
    try enumerations?.requireRefs("lists of enumerated strings")

    let keys = Self.keys(lists, names, of: top, isUpgraded: isUpgraded)
    for index in 0..<publicCount {
      let enumeration = try enumerations.flatMap { index < $0.count ? try $0.childRef(index) : nil } ?? .null
      let raw = RawColumn(type: lists[index].type, attributes: lists[index].attributes, key: keys[index])
      var column = try Self.column(raw, named: names[index], of: top)
      // The index itself may still have to be made.
      if isUpgraded, ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: raw.attributes)).contains(.indexed) {
        column.index = .general
      }
      if !enumeration.isNull, column.element.code == .string, column.collection == nil {
        column.enumeration =
          isUpgraded
          ? try StringEnumeration(legacy: enumeration, in: store) : try StringEnumeration(enumeration, in: store)
      }
      properties.append(column)
    }
    backlinks = (publicCount..<count).map { index in
      let key = keys[index]
      return BacklinkColumn(
        key: key, originTable: top.oppositeTable(at: key.leafIndex),
        originColumn: top.oppositeColumn(at: key.leafIndex))
    }
  }

  /// The keys of all columns.
  ///
  /// If an upgrade put the numbers of rows into a column of its own, engines up to 6.0.19 swapped that column and the
  /// backlinks after it in the list of keys; later ones fix this (Docs/Format/4-file-versions.md §2.21). A backlink
  /// column without its origin shows it.
  private static func keys(
    _ lists: RawColumn.Lists, _ names: [RealmString], of top: TableTop, isUpgraded: Bool
  ) -> [ColumnKey] {
    var keys = (0..<lists.count).map { lists[$0].key }
    guard isUpgraded, names.last == UpgradedRows.rowName,
      (names.count..<keys.count).contains(where: { top.oppositeTable(at: keys[$0].leafIndex) == .null })
    else { return keys }
    for index in names.count - 1..<keys.count {
      keys[index] = keys[index].moved(toLeaf: index == names.count - 1 ? keys.count - 1 : index - 1)
    }
    return keys
  }

  private static func column(_ raw: RawColumn, named name: RealmString, of top: TableTop) throws -> Column {
    let key = raw.key
    guard let type = key.valueType else { throw StorageError.corrupted(top.spec, .unknownType(key.typeCode)) }
    let element = ElementType(
      type, isNullable: key.attributes.contains(.nullable),
      target: type == .link ? top.oppositeTable(at: key.leafIndex) : .null)
    let isFullText = ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: raw.attributes)).contains(.fullText)
    return Column(
      key: key, name: name, element: element, collection: key.collection,
      index: !top.hasIndex(at: key.leafIndex) ? .none : isFullText ? .fullText : .general)
  }
}

extension TypeCode {
  /// The property type of a column of this type.
  package var propertyType: PropertyType {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .binary: .data
    case .timestamp: .date
    case .float: .float
    case .double: .double
    case .decimal: .decimal128
    case .objectID: .objectID
    case .uuid: .uuid
    case .link, .linkList: .object
    case .mixed, .backlink, .typedLink, .list, .dictionary: .mixed
    }
  }
}
