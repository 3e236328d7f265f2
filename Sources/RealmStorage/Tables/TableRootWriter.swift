/// Writes the description of a table's columns and the table's root from what is known of them
/// (Docs/Format/3-tables-and-objects.md §2, §3.1).
struct TableRootWriter {
  let key: TableKey
  let kind: TableKind
  let primaryKey: ColumnKey?
  /// In the order of the spec.
  let columns: [PropertyColumn]
  let backlinks: [BacklinkColumn]

  /// A public column, with its elements in the lists of spec and root.
  struct PropertyColumn {
    let column: Column
    /// Bits of the spec that are not part of the key: those of the index, and obsolete ones.
    var attributes: Int64
    /// The column of incoming links in the target table, for a link property.
    var opposite = ColumnKey.null
    /// The distinct texts of an enumerated column; null if there are none.
    var enumeration = Ref.null
    /// Null if there is none.
    var index = Ref.null
  }

  /// The slots of the root that tell of objects.
  struct Objects {
    let clusters: Ref
    let tombstones: Ref
    /// The number of the next object.
    let sequence: UInt64
    /// The map of key collisions; written when its turn comes.
    let collisions: () throws -> Ref
  }

  func writeSpec(_ nodes: NodeEncoder) throws -> Ref {
    let enumerations = columns.map(\.enumeration)
    let enumerationList = enumerations.contains { !$0.isNull } ? try nodes.refs(enumerations) : .null
    let types = columns.map(\.column.typeNumber) + backlinks.map { _ in Int64(TypeCode.backlink.rawValue) }
    let attributes =
      columns.map { Int64($0.column.key.attributes.rawValue) & Self.keyAttributes | $0.attributes }
      + backlinks.map { _ in 0 }
    let keys = columns.map(\.column.key.rawValue) + backlinks.map(\.key.rawValue)
    let slots = SpecSlot.elements(
      count: RawSpec.slotCount,
      [
        .types: try nodes.integers(types).element, .names: try nodes.names(columns.map(\.column.name)).element,
        .attributes: try nodes.integers(attributes).element, .enumerations: enumerationList.element,
        .keys: try nodes.integers(keys).element,
      ])
    return try nodes.integers(slots, .refs)
  }

  /// Attributes that the key of a column has too (§3.3).
  private static let keyAttributes: Int64 = 0xf0

  /// Writes the root.
  ///
  /// - Parameters:
  ///   - leafCount: places in clusters, including those without a column.
  ///   - columnSequence: columns that were ever removed.
  ///   - contentVersion: slot 6.
  func writeTop(
    spec: Ref, _ objects: Objects, leafCount: Int, columnSequence: UInt64 = 0, contentVersion: UInt64 = 0,
    _ nodes: NodeEncoder
  ) throws -> Ref {
    var indexes = Array(repeating: Ref.null, count: leafCount)
    var oppositeTables = Array(repeating: Int64(TableKey.null.rawValue), count: leafCount)
    var oppositeColumns = Array(repeating: ColumnKey.null.rawValue, count: leafCount)
    for property in columns {
      indexes[property.column.leafIndex] = property.index
      oppositeTables[property.column.leafIndex] = Int64(property.column.element.target.rawValue)
      oppositeColumns[property.column.leafIndex] = property.opposite.rawValue
    }
    for backlink in backlinks {
      oppositeTables[backlink.leafIndex] = Int64(backlink.originTable.rawValue)
      oppositeColumns[backlink.leafIndex] = backlink.originColumn.rawValue
    }
    let slots = TableTopSlot.elements(
      count: nodes.format.tableSlotCount,
      [
        .spec: spec.element, .clusters: objects.clusters.element, .key: .tagged(UInt64(key.rawValue)),
        .indexes: try nodes.refs(indexes).element, .columnSequence: .tagged(columnSequence),
        .contentVersion: .tagged(contentVersion), .oppositeTables: try nodes.integers(oppositeTables).element,
        .oppositeColumns: try nodes.integers(oppositeColumns).element, .objectSequence: .tagged(objects.sequence),
        .collisionMap: try objects.collisions().element,
        .primaryKey: primaryKey.map { .tagged(UInt64(bitPattern: $0.rawValue)) } ?? 0, .flags: .tagged(kind.flags),
        .tombstones: objects.tombstones.element,
      ])
    return try nodes.integers(slots, .refs)
  }
}

extension Column {
  /// The number in the spec's list of types; dictionaries also name the type of their keys.
  fileprivate var typeNumber: Int64 {
    Int64(key.typeCode) | (collection == .dictionary ? Int64(TypeCode.string.rawValue) << 16 : 0)
  }

  /// The bits of the spec that tell of an index.
  ///
  /// - Parameter isImplied: whether it is that of a primary key which has it without them
  ///   (Docs/Format/3-tables-and-objects.md §6.1).
  func indexAttribute(isImplied: Bool) -> Int64 {
    switch index {
    case .none: 0
    case .general: isImplied ? 0 : Int64(ColumnAttributes.indexed.rawValue)
    case .fullText: Int64(ColumnAttributes.fullText.rawValue)
    }
  }
}

extension TableKind {
  /// Slot 12 of a table's root (Docs/Format/3-tables-and-objects.md §2).
  fileprivate var flags: UInt64 {
    switch self {
    case .topLevel: 0
    case .embedded: 1
    case .asymmetric: 2
    }
  }
}
