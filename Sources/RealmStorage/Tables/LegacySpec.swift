/// The type codes of columns in formats 2–9 (Docs/Format/4-file-versions.md §2.4).
package enum LegacyType: Int, Sendable {
  case int, bool, string
  /// Texts as positions in a list of distinct values.
  case enumerated
  case binary
  /// A table in each row.
  case table
  case mixed
  /// Dates of formats 2–4.
  case seconds
  case timestamp
  case float, double
  case link = 12
  case linkList, backlink

  /// The type of the column's values; nil if no later format has it.
  package var code: TypeCode? {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string, .enumerated: .string
    case .binary: .binary
    case .mixed: .mixed
    case .seconds, .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .link: .link
    case .linkList, .table, .backlink: nil
    }
  }

  /// Whether values of a type can be in a column of these formats.
  static func hasValues(of code: TypeCode) -> Bool {
    (0...Self.backlink.rawValue).contains { LegacyType(rawValue: $0)?.code == code }
  }
}

/// The description of a table's columns in formats 2–9 (Docs/Format/4-file-versions.md §2.3).
package struct LegacySpec: Sendable {
  package struct Column: Sendable {
    /// Nil for a backlink column.
    package let name: RealmString?
    package let type: LegacyType
    let attributes: ColumnAttributes
    /// The number of the target table of a link, or of the origin table of a backlink.
    package let table: Int?
    /// Which of the origin's columns a backlink belongs to.
    package let originColumn: Int?
    /// The distinct values of an enumerated column.
    package let enumeration: Ref
    /// The columns of subtables.
    package let nested: [Column]
    /// The slot of the values among the table's columns; that of the index is the next one.
    package let slot: Int

    package var isNullable: Bool { attributes.contains(.nullable) }
    package var isIndexed: Bool { attributes.contains(.indexed) }
  }

  let ref: Ref
  package let columns: [Column]
  /// How many slots the columns of a table have.
  package let slotCount: Int

  /// The columns that have a name, which come first.
  var properties: ArraySlice<Column> { columns.prefix { $0.type != .backlink } }

  /// Slots of the description, the last of them in later ones only.
  static let slotCounts = 3...5
  /// Tables in tables in tables: deeper than any known file.
  static let mostLevels = 16

  /// - Parameter isExtended: an upgrade to format 10 has begun, and given the description all slots of that format.
  /// - Throws: `StorageError.corrupted` if the description is damaged.
  package init(_ ref: Ref, in store: ByteStore, budget: WalkBudget, isExtended: Bool = false, level: Int = 0) throws {
    guard level < Self.mostLevels else { throw StorageError.corrupted(ref, .tooDeep) }
    let spec = try RawSpec(ref, in: store)
    let slotCounts = isExtended ? RawSpec.slotCount...RawSpec.slotCount : Self.slotCounts
    guard slotCounts.contains(spec.count) else {
      throw StorageError.corrupted(ref, .wrongElementCount(expected: slotCounts.upperBound, found: spec.count))
    }
    func numbers(_ slot: SpecSlot) throws -> Node {
      let node = try Node(spec.ref(slot), in: store)
      try node.requireBits("numbers that describe columns")
      return node
    }
    let (types, attributes) = (try numbers(.types), try numbers(.attributes))
    guard attributes.count == types.count, types.count <= ColumnKey.mostLeafIndexes else {
      throw StorageError.corrupted(ref, .badTable("the lists that describe columns have different lengths"))
    }
    try budget.spend(types.count, at: ref)
    let nameNode = try Node(spec.ref(.names), in: store)
    guard nameNode.count <= types.count else {
      throw StorageError.corrupted(nameNode.ref, .wrongElementCount(expected: types.count, found: nameNode.count))
    }
    let names = try nameNode.names()
    var details = try Details(spec, in: store)
    var columns: [Column] = []
    var slot = 0
    for index in 0..<types.count {
      let code = types.uncheckedInt(index)
      guard let type = LegacyType(rawValue: Int(clamping: code)) else {
        throw StorageError.corrupted(types.ref, .unknownType(Int(clamping: code)))
      }
      guard (index < names.count) == (type != .backlink) else {
        throw StorageError.corrupted(ref, .badTable("the names of the columns are not those of their types"))
      }
      let columnAttributes = ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: attributes.uncheckedInt(index)))
      let isLink = type == .link || type == .linkList || type == .backlink
      columns.append(
        Column(
          name: index < names.count ? names[index] : nil, type: type, attributes: columnAttributes,
          table: isLink ? try details.nextNumber() : nil,
          originColumn: type == .backlink ? try details.nextNumber() : nil,
          enumeration: type == .enumerated ? try details.nextEnumeration() : .null,
          nested: type == .table
            ? try LegacySpec(details.nextSpec(), in: store, budget: budget, level: level + 1).columns : [],
          slot: slot))
      slot += columnAttributes.contains(.indexed) ? 2 : 1
    }
    self.ref = ref
    self.columns = columns
    slotCount = slot
  }

  /// The slots that have elements for some types of columns only, in the order of the columns.
  private struct Details {
    private let links: Node?
    private let enumerations: Node?
    private var nextLink = 0
    private var enumerationCount = 0
    private let ref: Ref

    init(_ spec: RawSpec, in store: ByteStore) throws {
      func node(_ slot: SpecSlot) throws -> Node? {
        let ref = try spec.ref(slot)
        guard !ref.isNull else { return nil }
        let node = try Node(ref, in: store)
        try node.requireRefs("what belongs to columns")
        return node
      }
      ref = spec.ref
      links = try node(.vacant)
      enumerations = try node(.enumerations)
    }

    private mutating func nextSlot() throws -> RefOrTagged {
      defer { nextLink += 1 }
      guard let links, nextLink < links.count else { throw StorageError.corrupted(ref, .missingNode) }
      return links.slot(nextLink)
    }

    mutating func nextNumber() throws -> Int {
      let element = try nextSlot()
      guard element.isTagged else {
        throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "the number of a table or column"))
      }
      return Int(clamping: element.tagged)
    }

    mutating func nextSpec() throws -> Ref {
      guard let child = try nextSlot().child else { throw StorageError.corrupted(ref, .missingNode) }
      return child
    }

    mutating func nextEnumeration() throws -> Ref {
      defer { enumerationCount += 1 }
      guard let child = enumerations?.slot(enumerationCount).child else {
        throw StorageError.corrupted(ref, .missingNode)
      }
      return child
    }
  }
}
