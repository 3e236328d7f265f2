import RealmStorage

/// The description of a table as far as it can be read. Unlike `TableTop` it goes without what only helps to find things.
struct RescueTableTop {
  let ref: Ref
  let key: TableKey
  let kind: TableKind
  let primaryKey: ColumnKey?
  /// Null if it is lost.
  let clusters: Ref
  let spec: Ref
  /// Counts the commits that touched the table.
  let contentVersion: UInt64
  let objectSequence: UInt64
  /// Where links lead and come from, by leaf index; empty if that is lost.
  let oppositeTables: [TableKey]
  let oppositeColumns: [ColumnKey]
  private let indexes: [Ref]

  private static let mostLeafIndexes = ColumnKey.mostLeafIndexes

  /// - Parameter slot: the place in the list of tables that refers to it, if there is one: if the key is damaged, the
  ///   keys of the columns show it.
  /// - Throws: `StorageError.corrupted` if there is no root of a table.
  init(_ ref: Ref, in bytes: RescueBytes, at slot: Int? = nil) throws {
    let node = try Node(ref, in: bytes.store)
    try node.requireRefs("the root of a table")
    let raw = RawTableTop(node)
    guard bytes.isWhole(node), raw.count >= RawTableTop.slotCounts.lowerBound,
      let key = Self.key(raw, in: bytes, at: slot)
    else {
      throw StorageError.corrupted(ref, .badTable("the table's root is damaged"))
    }
    (self.ref, self.key) = (ref, key)
    kind = TableKind(flags: raw[.flags].number)
    primaryKey = raw.primaryKey
    clusters = raw[.clusters].child ?? .null
    spec = raw[.spec].child ?? .null
    contentVersion = raw[.contentVersion].number
    objectSequence = raw[.objectSequence].number
    func list(_ slot: TableTopSlot) -> [Int64] {
      guard let node = raw[slot].child.flatMap(bytes.wholeNode), node.scheme == .bits,
        node.count <= Self.mostLeafIndexes
      else { return [] }
      return (0..<node.count).map { node.uncheckedInt($0) }
    }
    oppositeTables = list(.oppositeTables).map { TableKey(rawValue: UInt32(truncatingIfNeeded: $0)) }
    oppositeColumns = list(.oppositeColumns).map { ColumnKey(rawValue: $0) }
    indexes = list(.indexes).map { RefOrTagged($0).child ?? .null }
  }

  private static func key(_ raw: RawTableTop, in bytes: RescueBytes, at slot: Int?) -> TableKey? {
    if raw[.key].isTagged, raw[.key].tagged < UInt64(TableKey.null.rawValue) {
      let key = TableKey(rawValue: UInt32(truncatingIfNeeded: raw[.key].tagged))
      if slot == nil || key.slot == slot { return key }
    }
    let lists: [TableTopSlot] = [.clusters, .indexes, .oppositeTables, .oppositeColumns]
    guard let slot, lists.allSatisfy({ raw[$0].child != nil }),
      let spec = raw[.spec].child.flatMap({ try? RescueSpec($0, in: bytes) }), let key = spec.likelyTable,
      key.slot == slot
    else { return nil }
    return key
  }

  /// Whether the root says that a column has no other end, and so no links.
  func hasNoLinks(at leafIndex: Int) -> Bool {
    leafIndex < oppositeTables.count && oppositeTables[leafIndex] == .null
  }

  /// Whether the list of indexes is there.
  var hasIndexes: Bool { !indexes.isEmpty }

  /// The root of a search index; nil if there is none, or it is lost.
  func indexRoot(at leafIndex: Int) -> Ref? {
    leafIndex < indexes.count && !indexes[leafIndex].isNull ? indexes[leafIndex] : nil
  }
}
