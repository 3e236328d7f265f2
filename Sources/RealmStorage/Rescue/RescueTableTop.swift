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
      throw StorageError.corrupted(ref, .badTable("its root is damaged"))
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

/// The columns of a table as far as their description can be read.
struct RescueSpec {
  /// A column of values. Its name is nil where names are lost.
  struct PropertyColumn {
    let key: ColumnKey
    let name: RealmString?
    let enumeration: Ref
    var isIndexed = false
    let isFullText: Bool
  }

  let ref: Ref
  /// The list of the columns' keys; null if they were found otherwise.
  let keys: Ref
  private(set) var properties: [PropertyColumn] = []
  private(set) var backlinks: [ColumnKey] = []
  /// Whether the attributes of the columns can be read.
  private(set) var statesIndexes = false

  /// One more than the highest leaf index.
  var leafCount: Int { (properties.map(\.key) + backlinks).reduce(0) { max($0, $1.leafIndex + 1) } }

  private static let mostColumns = ColumnKey.mostLeafIndexes

  /// A description that was put together from other parts of the file. Its columns have no names.
  init?(of columns: (properties: [ColumnKey], backlinks: [ColumnKey])) {
    guard !columns.properties.isEmpty else { return nil }
    (ref, keys) = (.null, .null)
    properties = columns.properties.map { PropertyColumn(key: $0, name: nil, enumeration: .null, isFullText: false) }
    backlinks = columns.backlinks
  }

  /// Only the keys of the columns, found without what leads to them.
  ///
  /// - Returns: nil if a node does not contain such keys.
  init?(keys node: Node) {
    guard node.flags & 0xf8 == 0, node.width >= 32, (1...Self.mostColumns).contains(node.count) else { return nil }
    var columns: (properties: [ColumnKey], backlinks: [ColumnKey]) = ([], [])
    var leafIndexes: Set<Int> = []
    for index in 0..<node.count {
      let key = ColumnKey(rawValue: node.uncheckedInt(index))
      // Leaves are numbered from 0 up, and few numbers are left out.
      guard key.rawValue >= 0, key.leafIndex < 2 * node.count, leafIndexes.insert(key.leafIndex).inserted,
        key.rawValue >> 62 == 0
      else { return nil }
      if key.typeCode == TypeCode.backlink.rawValue {
        columns.backlinks.append(key)
      } else {
        guard key.valueType != nil, columns.backlinks.isEmpty, Self.isPossible(key.attributes) else { return nil }
        columns.properties.append(key)
      }
    }
    self.init(of: columns)
    guard likelyTable != nil else { return nil }
  }

  private static func isPossible(_ attributes: ColumnAttributes) -> Bool {
    let collections = attributes.intersection([.list, .set, .dictionary])
    return attributes.subtracting(collections).isSubset(of: .nullable)
      && collections.rawValue & (collections.rawValue &- 1) == 0
  }

  /// - Throws: `StorageError.corrupted` if not even the keys of the columns can be read.
  init(_ ref: Ref, in bytes: RescueBytes) throws {
    let damaged = StorageError.corrupted(ref, .badTable("the description of its columns is damaged"))
    let node = try Node(ref, in: bytes.store)
    try node.requireRefs("the description of a table's columns")
    let raw = RawSpec(node)
    guard bytes.isWhole(node), raw.count >= RawSpec.slotCount, let keys = raw[.keys].child.flatMap(bytes.wholeNode),
      keys.scheme == .bits, !keys.hasRefs, keys.count <= Self.mostColumns
    else { throw damaged }
    (self.ref, self.keys) = (ref, keys.ref)
    let names = raw[.names].child.flatMap(bytes.wholeNode).flatMap { try? $0.names() }
    let attributes = raw[.attributes].child.flatMap(bytes.wholeNode).flatMap { $0.scheme == .bits ? $0 : nil }
    statesIndexes = attributes.map { $0.count == keys.count } ?? false
    let enumerations = raw[.enumerations].child.flatMap(bytes.wholeNode).flatMap { $0.scheme == .bits ? $0 : nil }
    var leafIndexes: Set<Int> = []
    for index in 0..<keys.count {
      let key = ColumnKey(rawValue: keys.uncheckedInt(index))
      guard key.rawValue >= 0, leafIndexes.insert(key.leafIndex).inserted, key.leafIndex <= Self.mostColumns else {
        throw damaged
      }
      if key.typeCode == TypeCode.backlink.rawValue {
        backlinks.append(key)
        continue
      }
      guard key.valueType != nil, backlinks.isEmpty else { throw damaged }
      let all = ColumnAttributes(
        rawValue: UInt16(truncatingIfNeeded: attributes.map { $0.slot(index).rawValue } ?? 0))
      properties.append(
        PropertyColumn(
          key: key, name: names.flatMap { index < $0.count ? $0[index] : nil },
          enumeration: enumerations?.slot(index).child ?? .null, isIndexed: all.contains(.indexed),
          isFullText: all.contains(.fullText)))
    }
  }

  /// Where the names are, as the description says; nil if that is lost.
  func names(in bytes: RescueBytes) -> Ref? { bytes.wholeNode(ref).flatMap { RawSpec($0)[.names].child } }

  /// The table that the columns say they belong to, where it never lost a column
  /// (Docs/Format/3-tables-and-objects.md §3.4).
  var likelyTable: TableKey? {
    let tags = Set((properties.map(\.key) + backlinks).map { UInt32(truncatingIfNeeded: $0.rawValue >> 30) })
    guard tags.count == 1, let tag = tags.first, tag < 0x7fff_ffff else { return nil }
    return TableKey(rawValue: tag)
  }
}
