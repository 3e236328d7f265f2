import RealmStorage

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
  /// The leaf indexes of columns whose keys are not those that the description has.
  private(set) var restated: Set<Int> = []

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

  static func isPossible(_ attributes: ColumnAttributes) -> Bool {
    let collections = attributes.intersection([.list, .set, .dictionary])
    return attributes.subtracting(collections).isSubset(of: .nullable)
      && collections.rawValue & (collections.rawValue &- 1) == 0
  }

  /// - Throws: `StorageError.corrupted` if not even the keys of the columns can be read, or they contradict each other.
  init(_ ref: Ref, in bytes: RescueBytes) throws {
    let lists = try Lists(ref, in: bytes)
    self = try Self(lists, lists.columnKeys)
  }

  /// - Parameter columnKeys: those that the lists have, or what stands for them.
  init(_ lists: Lists, _ columnKeys: [ColumnKey]) throws {
    (ref, keys) = (lists.ref, lists.keys.ref)
    let attributes = lists.attributes
    statesIndexes = attributes != nil
    var leafIndexes: Set<Int> = []
    for (index, key) in columnKeys.enumerated() {
      guard key.rawValue >= 0, leafIndexes.insert(key.leafIndex).inserted, key.leafIndex <= Self.mostColumns else {
        throw lists.damage
      }
      if key.typeCode == TypeCode.backlink.rawValue {
        backlinks.append(key)
        continue
      }
      guard key.valueType != nil, backlinks.isEmpty else { throw lists.damage }
      let all = ColumnAttributes(
        rawValue: UInt16(truncatingIfNeeded: attributes.map { $0.slot(index).rawValue } ?? 0))
      properties.append(
        PropertyColumn(
          key: key, name: lists.names.flatMap { index < $0.count ? $0[index] : nil },
          enumeration: lists.enumerations?.slot(index).child ?? .null, isIndexed: all.contains(.indexed),
          isFullText: all.contains(.fullText)))
      if key != lists.columnKeys[index] { restated.insert(key.leafIndex) }
    }
  }

  /// Where the names are, as the description says; nil if that is lost.
  func names(in bytes: RescueBytes) -> Ref? { bytes.wholeNode(ref).flatMap { RawSpec($0)[.names].child } }

  /// The upper bits of the table's key according to its columns; nil if fewer than two say the same. The lower ones count
  /// the columns that were removed, too (Docs/Format/3-tables-and-objects.md §3.4).
  var tableTag: UInt32? {
    let tags = (properties.map(\.key) + backlinks).map { UInt32(truncatingIfNeeded: $0.rawValue >> 46) }
    return tags.count > 1 && Set(tags).count == 1 ? tags[0] : nil
  }

  /// The table that the columns say they belong to, where it never lost a column
  /// (Docs/Format/3-tables-and-objects.md §3.4).
  var likelyTable: TableKey? {
    let tags = Set((properties.map(\.key) + backlinks).map { UInt32(truncatingIfNeeded: $0.rawValue >> 30) })
    guard tags.count == 1, let tag = tags.first, tag < 0x7fff_ffff else { return nil }
    return TableKey(rawValue: tag)
  }
}
