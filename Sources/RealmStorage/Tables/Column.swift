/// A public column: where a property's values are, and how they are encoded.
struct Column: Sendable {
  let key: ColumnKey
  var name: RealmString
  let element: ElementType
  let collection: CollectionKind?
  /// The distinct values of an enumerated text column.
  var enumeration: StringEnumeration?
  var index: IndexKind

  /// Position in a cluster, its slot 0 not counted.
  var leafIndex: Int { key.leafIndex }
}

/// A hidden column of incoming links (Docs/Format/3-tables-and-objects.md §5).
struct BacklinkColumn: Sendable {
  let key: ColumnKey
  let originTable: TableKey
  let originColumn: ColumnKey

  var leafIndex: Int { key.leafIndex }
}

/// The columns of a table, as its spec describes them (Docs/Format/3-tables-and-objects.md §3).
struct Columns: Sendable {
  private(set) var properties: [Column] = []
  private(set) var backlinks: [BacklinkColumn] = []

  /// Leaf indexes have 16 bits.
  private static let mostColumns = 0x1_0000

  init(of top: TableTop, in store: ByteStore, budget: WalkBudget) throws {
    let spec = try Node(top.spec, in: store)
    try spec.requireRefs("the description of a table's columns")
    guard spec.count >= 6 else {
      throw StorageError.corrupted(spec.ref, .wrongElementCount(expected: 6, found: spec.count))
    }
    let types = try Self.numbers(spec, slot: 0, in: store)
    let attributes = try Self.numbers(spec, slot: 2, in: store)
    let keys = try Self.numbers(spec, slot: 5, in: store)
    guard attributes.count == types.count, keys.count == types.count, types.count <= Self.mostColumns else {
      throw StorageError.corrupted(spec.ref, .badTable("its lists of columns differ in length"))
    }
    try budget.spend(types.count, at: spec.ref)
    var publicCount = types.count
    while publicCount > 0, types.uncheckedInt(publicCount - 1) & 0xffff == TypeCode.backlink.rawValue {
      publicCount -= 1
    }
    let nameNode = try Node(spec.childRef(1), in: store)
    guard nameNode.count == publicCount else {
      throw StorageError.corrupted(nameNode.ref, .wrongElementCount(expected: publicCount, found: nameNode.count))
    }
    let names = try nameNode.names()
    let enumerations = try spec.childRef(4).isNull ? nil : Node(spec.childRef(4), in: store)
    try enumerations?.requireRefs("lists of enumerated texts")

    for index in 0..<publicCount {
      let enumeration = try enumerations.flatMap { index < $0.count ? try $0.childRef(index) : nil } ?? .null
      properties.append(
        try Self.column(
          named: names[index], key: ColumnKey(rawValue: keys.uncheckedInt(index)),
          attributes: ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: attributes.uncheckedInt(index))),
          enumeration: enumeration, of: top, in: store))
    }
    for index in publicCount..<types.count {
      let key = ColumnKey(rawValue: keys.uncheckedInt(index))
      backlinks.append(
        BacklinkColumn(
          key: key, originTable: top.oppositeTable(at: key.leafIndex),
          originColumn: top.oppositeColumn(at: key.leafIndex)))
    }
  }

  private static func numbers(_ spec: Node, slot: Int, in store: ByteStore) throws -> Node {
    let node = try Node(spec.childRef(slot), in: store)
    try node.requireBits("numbers that describe columns")
    return node
  }

  private static func column(
    named name: RealmString, key: ColumnKey, attributes: ColumnAttributes, enumeration: Ref, of top: TableTop,
    in store: ByteStore
  ) throws -> Column {
    // The column key tells the type: after an upgrade the list of types still says 13 for link lists (§3.1).
    guard let stored = TypeCode(rawValue: key.typeCode), stored.isColumnType else {
      throw StorageError.corrupted(top.spec, .unknownType(key.typeCode))
    }
    let code = stored == .linkList ? .link : stored
    let keyAttributes = key.attributes
    let collection: CollectionKind? =
      keyAttributes.contains(.dictionary)
      ? .dictionary : keyAttributes.contains(.set) ? .set : keyAttributes.contains(.list) ? .list : nil
    let element = ElementType(
      code, isNullable: keyAttributes.contains(.nullable),
      target: code == .link ? top.oppositeTable(at: key.leafIndex) : .null)
    let isEnumerated = !enumeration.isNull && code == .string && collection == nil
    let index: IndexKind =
      !top.hasIndex(at: key.leafIndex) ? .none : attributes.contains(.fullText) ? .fullText : .general
    return Column(
      key: key, name: name, element: element, collection: collection,
      enumeration: isEnumerated ? try StringEnumeration(enumeration, in: store) : nil, index: index)
  }
}

extension TypeCode {
  /// Whether a public column can be of this type.
  fileprivate var isColumnType: Bool {
    switch self {
    case .int, .bool, .string, .binary, .mixed, .timestamp, .float, .double, .decimal, .link, .linkList, .objectID,
      .uuid:
      true
    case .backlink, .typedLink, .list, .dictionary: false
    }
  }

  /// The property type of a column of this type.
  var propertyType: PropertyType {
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
