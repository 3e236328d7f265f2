/// The root of one table (Docs/Format/3-tables-and-objects.md §2).
struct TableTop: Sendable {
  let ref: Ref
  let spec: Ref
  let clusters: Ref
  let key: TableKey
  /// Roots of the search indexes by leaf index, 0 where there is none.
  let indexes: Node
  /// Target or origin table by leaf index.
  let oppositeTables: Node
  /// Column at the other end by leaf index.
  let oppositeColumns: Node
  let primaryKey: ColumnKey?
  let kind: TableKind
  let tombstones: Ref

  /// Engines write 14 slots; 12 and 13 remain in tables upgraded from formats 10 and 11.
  private static let fewestSlots = 12

  init(_ ref: Ref, in store: ByteStore) throws {
    let node = try Node(ref, in: store)
    try node.requireRefs("the root of a table")
    guard node.count >= Self.fewestSlots else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: 14, found: node.count))
    }
    self.ref = ref
    spec = try node.childRef(0)
    clusters = try node.childRef(2)
    key = TableKey(rawValue: UInt32(truncatingIfNeeded: try node.tagged(3)))
    indexes = try Node(node.childRef(4), in: store)
    oppositeTables = try Node(node.childRef(7), in: store)
    oppositeColumns = try Node(node.childRef(8), in: store)
    try indexes.requireBits("roots of search indexes")
    try oppositeTables.requireBits("opposite tables")
    try oppositeColumns.requireBits("opposite columns")
    // Raw 0 is no key; raw 1 is column key 0 (Docs/Format/4-file-versions.md §3.2).
    let primary = try node.refOrTagged(11)
    primaryKey = primary.isTagged ? ColumnKey(rawValue: Int64(bitPattern: primary.tagged)) : nil
    switch node.count > 12 ? try node.tagged(12) & 3 : 0 {
    case 1: kind = .embedded
    case 2: kind = .asymmetric
    default: kind = .topLevel
    }
    tombstones = node.count > 13 ? try node.childRef(13) : .null
  }

  /// The table at the other end of a link or backlink column.
  func oppositeTable(at leafIndex: Int) -> TableKey {
    guard leafIndex < oppositeTables.count else { return .null }
    return TableKey(rawValue: UInt32(truncatingIfNeeded: oppositeTables.uncheckedInt(leafIndex)))
  }

  /// The column at the other end of a link or backlink column.
  func oppositeColumn(at leafIndex: Int) -> ColumnKey {
    guard leafIndex < oppositeColumns.count else { return .null }
    return ColumnKey(rawValue: oppositeColumns.uncheckedInt(leafIndex))
  }

  /// Whether a column has a search index (§6.1: the slot decides, not the attribute).
  func hasIndex(at leafIndex: Int) -> Bool {
    leafIndex < indexes.count && indexes.uncheckedInt(leafIndex) != 0
  }
}
