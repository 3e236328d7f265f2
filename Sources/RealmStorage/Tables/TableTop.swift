/// The slots of the root of a table (Docs/Format/3-tables-and-objects.md §2).
package enum TableTopSlot: Int, StructureSlot {
  case spec, oldColumns, clusters, key, indexes, columnSequence, contentVersion, oppositeTables, oppositeColumns,
    objectSequence, collisionMap, primaryKey, flags, tombstones

  package var content: SlotContent {
    switch self {
    case .spec, .clusters, .indexes, .oppositeTables, .oppositeColumns: .ref
    case .collisionMap, .tombstones: .refOrZero
    case .key, .columnSequence, .contentVersion: .number
    case .objectSequence, .primaryKey, .flags: .numberOrZero
    case .oldColumns: .zero
    }
  }
}

/// The root of a table as it is.
package struct RawTableTop: RawStructure {
  package typealias Slot = TableTopSlot
  package let slots: RawSlots

  /// - Throws: `StorageError.corrupted` if there is no node of references.
  package init(_ ref: Ref, in store: ByteStore) throws { slots = try RawSlots(ref, in: store, "the root of a table") }

  /// - Parameter node: one of references.
  package init(_ node: Node) { slots = RawSlots(node) }

  /// Engines write 14 slots; 12 and 13 remain in tables upgraded from formats 10 and 11.
  package static let slotCounts = 12...14

  /// Raw 0 is not a key; raw 1 is column key 0 (Docs/Format/4-file-versions.md §3.2).
  package var primaryKey: ColumnKey? {
    self[.primaryKey].isTagged ? ColumnKey(rawValue: Int64(bitPattern: self[.primaryKey].tagged)) : nil
  }
}

extension TableKind {
  /// - Parameter flags: of the root of a table; the bits above the lowest two do not matter.
  package init(flags: UInt64) {
    switch flags & 3 {
    case 1: self = .embedded
    case 2: self = .asymmetric
    default: self = .topLevel
    }
  }
}

extension TableKey {
  /// The list of tables has fewer slots (Docs/Format/3-tables-and-objects.md §1.1).
  package static let mostSlots = 0x1_0000

  /// What a list of opposite tables says; null beyond its end.
  package init(in list: Node?, at leafIndex: Int) {
    guard let list, leafIndex < list.count else {
      self = .null
      return
    }
    self.init(rawValue: UInt32(truncatingIfNeeded: list.uncheckedInt(leafIndex)))
  }
}

extension ColumnKey {
  /// Leaf indexes have 16 bits, and no two columns of a table share one.
  package static let mostLeafIndexes = 0x1_0000

  /// What a list of opposite columns says; null beyond its end.
  package init(in list: Node?, at leafIndex: Int) {
    guard let list, leafIndex < list.count else {
      self = .null
      return
    }
    self.init(rawValue: list.uncheckedInt(leafIndex))
  }
}

/// The root of one table (Docs/Format/3-tables-and-objects.md §2).
package struct TableTop: Sendable {
  package let ref: Ref
  package let spec: Ref
  package let clusters: Ref
  let key: TableKey
  /// Roots of the search indexes by leaf index, 0 if there is none.
  package let indexes: Node
  /// Target or origin table by leaf index.
  let oppositeTables: Node
  /// Column at the other end by leaf index.
  let oppositeColumns: Node
  package let primaryKey: ColumnKey?
  let kind: TableKind
  package let tombstones: Ref

  /// - Throws: `StorageError.corrupted` if a slot contains something impossible.
  init(_ ref: Ref, in store: ByteStore) throws {
    let raw = try RawTableTop(ref, in: store)
    guard raw.count >= RawTableTop.slotCounts.lowerBound else {
      throw StorageError.corrupted(
        ref, .wrongElementCount(expected: RawTableTop.slotCounts.upperBound, found: raw.count))
    }
    self.ref = ref
    spec = try raw.ref(.spec)
    clusters = try raw.ref(.clusters)
    key = TableKey(rawValue: UInt32(truncatingIfNeeded: try raw.number(.key)))
    indexes = try Node(raw.ref(.indexes), in: store)
    oppositeTables = try Node(raw.ref(.oppositeTables), in: store)
    oppositeColumns = try Node(raw.ref(.oppositeColumns), in: store)
    try indexes.requireBits("roots of search indexes")
    try oppositeTables.requireBits("opposite tables")
    try oppositeColumns.requireBits("opposite columns")
    primaryKey = raw.primaryKey
    kind = TableKind(flags: try raw.number(.flags))
    tombstones = try raw.ref(.tombstones)
  }

  /// The table at the other end of a link or backlink column.
  func oppositeTable(at leafIndex: Int) -> TableKey { TableKey(in: oppositeTables, at: leafIndex) }

  /// The column at the other end of a link or backlink column.
  func oppositeColumn(at leafIndex: Int) -> ColumnKey { ColumnKey(in: oppositeColumns, at: leafIndex) }

  /// The root of a column's search index; nil if there is none.
  func indexRoot(at leafIndex: Int) -> Ref? {
    let element = indexes.slot(leafIndex)
    return element.rawValue == 0 || element.isTagged ? nil : element.ref
  }

  /// Whether a column has a search index (§6.1: the slot decides, not the attribute).
  func hasIndex(at leafIndex: Int) -> Bool { indexes.slot(leafIndex).rawValue != 0 }
}
