import RealmStorage

/// The description of a table's columns (Docs/Format/3-tables-and-objects.md §3, §9.1).
struct SpecCheck {
  let context: CheckContext
  let table: CheckedTable
  let lists: LeafIndexLists
  let node: Node

  func run() {
    guard node.has(.refs) else { return report(.nodeKind, .text("the description of columns")) }
    let spec = RawSpec(node)
    if spec.count != RawSpec.slotCount { report(.specShape, .count(spec.count)) }
    guard spec.count >= RawSpec.slotCount else { return }
    for slot in spec.wrongSlots where slot.content != .ref {
      report(
        slot == .vacant ? .specShape : .columnEnumeration, slot == .vacant ? .found(spec[slot].rawValue) : .none, slot)
    }
    let numbers = "numbers that describe columns"
    guard let types = list(spec, .types, .integers, numbers),
      let attributes = list(spec, .attributes, .integers, numbers), let keys = list(spec, .keys, .integers, numbers)
    else { return }
    if attributes.count != types.count || keys.count != types.count {
      let found = attributes.count != types.count ? attributes.count : keys.count
      report(.specLengths, .counts(types.count, found: found))
    }
    let columns = RawColumn.Lists(types: types, attributes: attributes, keys: keys)
    guard context.visit(spec.ref), context.spend(columns.count, at: spec.ref) else { return }
    let publicCount = columns.publicCount()
    let names = list(spec, .names, .fields, "names of columns")
    if let names, names.count != publicCount {
      report(.specNames, .counts(publicCount, found: names.count))
    }
    let enumerations = enumerations(spec, publicCount)
    var seenNames: Set<RealmString> = []
    var seenLeaves: Set<Int> = []
    for index in 0..<columns.count {
      let raw = columns[index]
      check(raw, index, &seenLeaves)
      if index >= publicCount {
        addBacklink(raw, index)
      } else {
        let name = name(names, index, &seenNames)
        addProperty(raw, index, name, enumerations.flatMap { $0.slot(index).child } ?? .null)
      }
    }
  }

  private func report(
    _ kind: FindingKind, _ facts: Finding.Facts = .none, _ slot: SpecSlot? = nil, position: Int? = nil
  ) {
    context.log.add(kind, facts, at: table.place(.spec, ref: node.ref, position: slot?.rawValue ?? position))
  }

  // MARK: Lists

  private func list(_ spec: RawSpec, _ slot: SpecSlot, _ shape: NodeShape, _ expected: String) -> Node? {
    guard let ref = spec[slot].child else {
      report(.specShape, .none, slot)
      return nil
    }
    return context.node(ref, shape) { _ in report(.nodeKind, .text(expected), slot) }
  }

  /// One element per public column, or nothing at all (§3.5).
  private func enumerations(_ spec: RawSpec, _ publicCount: Int) -> Node? {
    let unsound = { (node: Node) in
      report(.columnEnumeration, .counts(publicCount, found: node.count), .enumerations)
    }
    guard let node = context.node(spec[.enumerations].child, .refs, otherwise: unsound) else { return nil }
    for index in 0..<min(node.count, CheckContext.mostElements)
    where !SlotContent.refOrZero.allows(node.slot(index)) {
      report(.columnEnumeration, position: index)
    }
    if node.count == publicCount { return node }
    unsound(node)
    return nil
  }

  private func name(_ names: Node?, _ index: Int, _ seen: inout Set<RealmString>) -> RealmString {
    guard let names, index < names.count else { return "" }
    guard let bytes = try? StringLeaf.short(names, index), bytes.count <= TableListCheck.longestName else {
      report(.columnName, position: index)
      return ""
    }
    let name = RealmString(bytes)
    if !seen.insert(name).inserted || name.isDamagedName { report(.columnName, .name(name), position: index) }
    return name
  }

  // MARK: One column

  /// What key, type and attributes must say together (§3.1–3.4).
  private func check(_ raw: RawColumn, _ index: Int, _ seenLeaves: inout Set<Int>) {
    let key = raw.key
    if key.rawValue < 0 || key.rawValue >> 62 != 0 {
      report(.columnKeyTag, .text(key.hexText), position: index)
    }
    if !seenLeaves.insert(key.leafIndex).inserted {
      report(.columnLeafIndex, .count(key.leafIndex), position: index)
    }
    table.leafCount = max(table.leafCount, key.leafIndex + 1)
    if Int64(key.attributes.rawValue) & 0xf0 != raw.attributes & 0xf0 {
      report(.columnAttributes, .counts(key.attributes.rawValue, found: raw.attributes), position: index)
    }
    // Formats 10–23 name link lists 13 in both places; an upgrade to 24 rewrites the key only (§3.1).
    let isOldLinkList = raw.typeCode == TypeCode.linkList.rawValue && key.typeCode == TypeCode.link.rawValue
    if raw.typeCode != key.typeCode, !isOldLinkList {
      report(.columnType, .counts(key.typeCode, found: raw.type), position: index)
    }
    let keyType = key.attributes.contains(.dictionary) ? TypeCode.string.rawValue : 0
    if raw.type >> 16 != keyType {
      report(.columnType, .counts(keyType << 16 | key.typeCode, found: raw.type), position: index)
    }
  }

  private func addBacklink(_ raw: RawColumn, _ index: Int) {
    if raw.key.attributes.rawValue & 0xf0 != 0 { report(.columnCombination, position: index) }
    let leafIndex = raw.key.leafIndex
    let origin = CheckedBacklinkColumn.Origin(
      table: lists.oppositeTable(leafIndex), column: lists.oppositeColumn(leafIndex))
    table.backlinks.append(CheckedBacklinkColumn(key: raw.key, declaredOrigin: origin))
  }

  private func addProperty(_ raw: RawColumn, _ index: Int, _ name: RealmString, _ enumeration: Ref) {
    let key = raw.key
    if raw.isBacklink { report(.specOrder, position: index) }
    guard let type = key.valueType else {
      if !raw.isBacklink { report(.columnType, .count(key.typeCode), position: index) }
      table.unreadableLeafIndexes.insert(key.leafIndex)
      return
    }
    checkCombination(key, index)
    let column = CheckedColumn(
      key: key, name: name, type: type, collection: key.collection,
      target: type == .link ? lists.oppositeTable(key.leafIndex) : .null,
      partner: type == .link ? lists.oppositeColumn(key.leafIndex) : .null,
      attributes: ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: raw.attributes)),
      enumeration: type == .string && key.collection == nil ? enumeration : .null, index: lists.index(key.leafIndex))
    if column.enumeration != enumeration { report(.columnEnumeration, position: index) }
    checkIndexAttributes(column)
    table.columns.append(column)
  }

  /// The combinations that engines make (§3.3).
  private func checkCombination(_ key: ColumnKey, _ index: Int) {
    let kinds = [ColumnAttributes.list, .set, .dictionary].filter(key.attributes.contains)
    let isNullable = key.attributes.contains(.nullable)
    let isSound =
      switch TypeCode(rawValue: key.typeCode) {
      case .linkList: kinds == [.list]
      case .link: isNullable == (kinds.isEmpty || kinds == [.dictionary])
      case .mixed: isNullable
      default: true
      }
    if kinds.count > 1 || !isSound {
      report(.columnCombination, .count(key.attributes.rawValue), position: index)
    }
  }

  /// An index on a column that can have none, or an attribute without an index (§6.1).
  private func checkIndexAttributes(_ column: CheckedColumn) {
    let place = table.indexPlace(column)
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
