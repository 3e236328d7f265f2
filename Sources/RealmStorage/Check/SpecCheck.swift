/// The description of a table's columns (Docs/Format/3-tables-and-objects.md §3, §9.1).
struct SpecCheck {
  private let context: CheckContext
  private let table: CheckedTable
  private let spec: Node
  private let lists: LeafIndexLists

  init(_ context: CheckContext, table: CheckedTable, spec: Node, lists: LeafIndexLists) {
    self.context = context
    self.table = table
    self.spec = spec
    self.lists = lists
  }

  private static let slotCount = 6
  private static let longestName = 63
  private static let mostColumns = 0x1_0000

  func run() {
    guard spec.flags & 0xf8 == 0x40 else { return report(.nodeKind, .text("the description of columns")) }
    if spec.count != Self.slotCount { report(.specShape, .found(Int64(spec.count))) }
    guard spec.count >= Self.slotCount else { return }
    if spec.uncheckedInt(3) != 0 { report(.specShape, .found(spec.uncheckedInt(3)), position: 3) }
    guard let types = numbers(0), let attributes = numbers(2), let keys = numbers(5) else { return }
    if attributes.count != types.count || keys.count != types.count {
      let found = attributes.count != types.count ? attributes.count : keys.count
      report(.specLengths, .expected(Int64(types.count), found: Int64(found)))
    }
    let count = min(types.count, attributes.count, keys.count, Self.mostColumns)
    guard context.visit(spec.ref), context.spend(count, at: spec.ref) else { return }
    var publicCount = count
    while publicCount > 0, Self.isBacklink(types.uncheckedInt(publicCount - 1)) { publicCount -= 1 }
    let names = names(publicCount)
    let enumerations = enumerations(publicCount)
    var seenNames: Set<RealmString> = []
    var seenLeaves: Set<Int> = []
    for index in 0..<count {
      let stored = Stored(
        index: index, type: types.uncheckedInt(index), attributes: attributes.uncheckedInt(index),
        key: ColumnKey(rawValue: keys.uncheckedInt(index)))
      check(stored, &seenLeaves)
      if index >= publicCount {
        addBacklink(stored)
      } else {
        let name = name(names, index, &seenNames)
        addProperty(stored, name, enumerations.flatMap { try? $0.childRef(index) } ?? .null)
      }
    }
  }

  /// A column as the lists of the spec describe it.
  private struct Stored {
    let index: Int
    let type: Int64
    let attributes: Int64
    let key: ColumnKey

    var typeCode: Int { Int(type & 0xffff) }
  }

  private static func isBacklink(_ type: Int64) -> Bool { type & 0xffff == TypeCode.backlink.rawValue }

  private func report(_ kind: FindingKind, _ facts: Finding.Facts = .none, position: Int? = nil) {
    context.log.add(kind, facts, at: table.place(.spec, ref: spec.ref, position: position))
  }

  // MARK: Lists

  private func numbers(_ slot: Int) -> Node? {
    guard let ref = try? spec.childRef(slot), !ref.isNull else {
      report(.specShape, position: slot)
      return nil
    }
    guard let node = try? Node(ref, in: context.store) else { return nil }
    guard node.flags & 0xf8 == 0 else {
      report(.nodeKind, .text("numbers that describe columns"), position: slot)
      return nil
    }
    return node
  }

  private func names(_ publicCount: Int) -> Node? {
    guard let ref = try? spec.childRef(1), !ref.isNull else {
      report(.specShape, position: 1)
      return nil
    }
    guard let node = try? Node(ref, in: context.store) else { return nil }
    guard node.flags & 0xf8 == 0x08 else {
      report(.nodeKind, .text("names of columns"), position: 1)
      return nil
    }
    if node.count != publicCount {
      report(.specNames, .expected(Int64(publicCount), found: Int64(node.count)))
    }
    return node
  }

  /// One element per public column, or nothing at all (§3.5).
  private func enumerations(_ publicCount: Int) -> Node? {
    let element = RefOrTagged(spec.uncheckedInt(4))
    guard element.rawValue != 0 else { return nil }
    guard !element.isTagged else {
      report(.columnEnumeration, position: 4)
      return nil
    }
    guard let node = try? Node(element.ref, in: context.store) else { return nil }
    guard node.flags & 0xf8 == 0x40, node.count == publicCount else {
      report(.columnEnumeration, .expected(Int64(publicCount), found: Int64(node.count)), position: 4)
      return nil
    }
    return node
  }

  private func name(_ names: Node?, _ index: Int, _ seen: inout Set<RealmString>) -> RealmString {
    guard let names, index < names.count else { return "" }
    guard let bytes = try? StringLeaf.short(names, index), bytes.count <= Self.longestName else {
      report(.columnName, position: index)
      return ""
    }
    let name = RealmString(bytes)
    if !seen.insert(name).inserted { report(.columnName, .name(name), position: index) }
    return name
  }

  // MARK: One column

  /// What key, type and attributes must say together (§3.1–3.4).
  private func check(_ stored: Stored, _ seenLeaves: inout Set<Int>) {
    let (key, index) = (stored.key, stored.index)
    if key.rawValue < 0 || key.rawValue >> 62 != 0 {
      report(.columnKeyTag, .found(key.rawValue), position: index)
    }
    if !seenLeaves.insert(key.leafIndex).inserted {
      report(.columnLeafIndex, .found(Int64(key.leafIndex)), position: index)
    }
    table.leafCount = max(table.leafCount, key.leafIndex + 1)
    if Int64(key.attributes.rawValue) & 0xf0 != stored.attributes & 0xf0 {
      report(
        .columnAttributes, .expected(Int64(key.attributes.rawValue), found: stored.attributes), position: index)
    }
    // Formats 10–23 name link lists 13 in both places; an upgrade to 24 rewrites the key only (§3.1).
    let isOldLinkList = stored.typeCode == TypeCode.linkList.rawValue && key.typeCode == TypeCode.link.rawValue
    if stored.typeCode != key.typeCode, !isOldLinkList {
      report(.columnType, .expected(Int64(key.typeCode), found: stored.type), position: index)
    }
    let keyType = key.attributes.contains(.dictionary) ? TypeCode.string.rawValue : 0
    if stored.type >> 16 != keyType {
      report(.columnType, .expected(Int64(keyType << 16 | key.typeCode), found: stored.type), position: index)
    }
  }

  private func addBacklink(_ stored: Stored) {
    if stored.key.attributes.rawValue & 0xf0 != 0 { report(.columnCombination, position: stored.index) }
    table.backlinks.append(
      CheckedBacklinkColumn(
        key: stored.key, originTable: lists.oppositeTable(stored.key.leafIndex),
        originColumn: lists.oppositeColumn(stored.key.leafIndex)))
  }

  private func addProperty(_ stored: Stored, _ name: RealmString, _ enumeration: Ref) {
    let (key, index) = (stored.key, stored.index)
    if Self.isBacklink(stored.type) { report(.specOrder, position: index) }
    guard let code = TypeCode(rawValue: key.typeCode), code.isPublic else {
      if !Self.isBacklink(stored.type) { report(.columnType, .found(Int64(key.typeCode)), position: index) }
      table.unreadableLeafIndexes.insert(key.leafIndex)
      return
    }
    checkCombination(code, key.attributes, index)
    let type = code == .linkList ? TypeCode.link : code
    let collection = CollectionKind(key.attributes)
    var column = CheckedColumn(
      key: key, name: name, type: type, collection: collection,
      target: type == .link ? lists.oppositeTable(key.leafIndex) : .null,
      partner: type == .link ? lists.oppositeColumn(key.leafIndex) : .null,
      attributes: ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: stored.attributes)),
      enumeration: type == .string && collection == nil ? enumeration : .null)
    if column.enumeration != enumeration { report(.columnEnumeration, position: index) }
    column.index = lists.index(key.leafIndex)
    checkIndexAttributes(column)
    table.columns.append(column)
  }

  /// The combinations that engines make (§3.3).
  private func checkCombination(_ code: TypeCode, _ attributes: ColumnAttributes, _ index: Int) {
    let kinds = [ColumnAttributes.list, .set, .dictionary].filter(attributes.contains)
    let isNullable = attributes.contains(.nullable)
    let isSound =
      switch code {
      case .linkList: kinds == [.list]
      case .link: isNullable == (kinds.isEmpty || kinds == [.dictionary])
      case .mixed: isNullable
      default: true
      }
    if kinds.count > 1 || !isSound {
      report(.columnCombination, .found(Int64(attributes.rawValue)), position: index)
    }
  }

  /// An index on a column that can have none, or an attribute without an index (§6.1).
  private func checkIndexAttributes(_ column: CheckedColumn) {
    let place = Finding.Place(part: .index, table: table.name, column: .property(column.name), ref: column.index)
    guard !column.index.isNull else {
      if !column.attributes.isDisjoint(with: [.indexed, .fullText]) {
        context.log.add(.indexColumn, severity: .warning, at: place)
      }
      return
    }
    let isSupported =
      switch (column.type, column.collection) {
      case (.int, nil), (.bool, nil), (.string, nil), (.timestamp, nil), (.objectID, nil), (.uuid, nil), (.mixed, nil),
        (.string, .list):
        true
      default: false
      }
    if !isSupported { context.log.add(.indexColumn, at: place) }
  }
}

extension TypeCode {
  /// Whether a public column can be of this type.
  fileprivate var isPublic: Bool {
    switch self {
    case .backlink, .typedLink, .list, .dictionary: false
    default: true
    }
  }
}

extension CollectionKind {
  fileprivate init?(_ attributes: ColumnAttributes) {
    if attributes.contains(.dictionary) {
      self = .dictionary
    } else if attributes.contains(.set) {
      self = .set
    } else if attributes.contains(.list) {
      self = .list
    } else {
      return nil
    }
  }
}
