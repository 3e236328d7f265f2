import RealmStorage

/// Determines from the path to a node what the node is part of.
///
/// Used only for findings, in files that are not trusted: what cannot be determined is left out.
struct PlaceFinder {
  let store: ByteStore

  /// - Parameters:
  ///   - ref: the node; if it cannot be read, the ref to it.
  ///   - path: from the top array down to its parent.
  func place(of ref: Ref, under path: NodePath) -> Finding.Place {
    var place = Finding.Place(part: .top, ref: ref)
    guard let top = path[0], let slot = TopSlot(rawValue: top.slot) else { return place }
    place.part = Self.topParts[slot] ?? .top
    guard slot == .tables, let tables = path[1] else { return place }
    place.table = tableName(top.node, tables.slot)
    place.part = .table
    guard let table = path[2], let part = TableTopSlot(rawValue: table.slot) else { return place }
    place.part = Self.tableParts[part] ?? .table
    switch part {
    case .oldColumns: place.part = .objects
    case .clusters, .tombstones: findObject(path, &place)
    case .indexes: place.column = path[3].flatMap { column(path, leafIndex: $0.slot)?.name }
    default: break
    }
    return place
  }

  private static let topParts: [TopSlot: Finding.Part] = [
    .tableNames: .tables, .tables: .tables, .freePositions: .freeList, .freeLengths: .freeList,
    .freeVersions: .freeList, .history: .history, .evacuation: .evacuation,
  ]
  private static let tableParts: [TableTopSlot: Finding.Part] = [
    .spec: .spec, .clusters: .objects, .indexes: .index, .collisionMap: .collisions, .tombstones: .tombstones,
  ]

  private func child(_ node: Node, _ slot: Int) -> Node? {
    (try? node.childRef(slot)).flatMap { try? Node($0, in: store) }
  }

  private func names(_ node: Node, _ slot: Int) -> Node? {
    child(node, slot).flatMap { !$0.hasRefs && $0.scheme == .multiply ? $0 : nil }
  }

  private func tableName(_ top: Node, _ slot: Int) -> RealmString? {
    guard let names = names(top, TopSlot.tableNames.rawValue) else { return nil }
    return (try? StringLeaf.short(names, slot)).flatMap { $0 }.map { RealmString($0) }
  }

  // MARK: Objects

  /// Column and object of a node below a cluster.
  private func findObject(_ path: NodePath, _ place: inout Finding.Place) {
    var offset: UInt64 = 0
    var level = 3
    while let step = path[level], step.node.isInner {
      offset &+= childOffset(step)
      level += 1
    }
    guard let cluster = path[level], cluster.slot > 0, let column = column(path, leafIndex: cluster.slot - 1) else {
      return
    }
    place.column = column.name
    guard column.hasNodePerObject, let leaf = path[level + 1] else { return }
    place.object = key(cluster.node, leaf.slot, offset)
  }

  private func childOffset(_ step: NodePath.Step) -> UInt64 {
    let index = step.slot - ClusterTree.InnerNode.firstChildSlot
    guard index >= 0 else { return 0 }
    if let offsets = child(step.node, 0) { return (try? offsets.unsigned(index)) ?? 0 }
    let depth = (try? step.node.tagged(1)) ?? 0
    return depth < 8 ? UInt64(index) << (8 * depth) : 0
  }

  private func key(_ cluster: Node, _ row: Int, _ offset: UInt64) -> ObjectKey? {
    guard let first = try? cluster.refOrTagged(0) else { return nil }
    if first.isTagged { return ObjectKey(rawValue: Int64(bitPattern: offset &+ UInt64(row))) }
    guard let relative = try? Node(first.ref, in: store).unsigned(row) else { return nil }
    return ObjectKey(rawValue: Int64(bitPattern: offset &+ relative))
  }

  // MARK: Columns

  /// Name of the column at a leaf index, and whether its leaf has one node per object.
  private func column(_ path: NodePath, leafIndex: Int) -> (name: Finding.ColumnName, hasNodePerObject: Bool)? {
    guard let table = path[2]?.node, let (key, name) = column(of: table, where: { $0.leafIndex == leafIndex }) else {
      return nil
    }
    if key.typeCode == TypeCode.backlink.rawValue { return (origin(path, leafIndex), true) }
    return name.map { (.property($0), key.collection != nil) }
  }

  /// The first column whose key meets a condition, with its name; backlink columns have none.
  private func column(of table: Node, where isWanted: (ColumnKey) -> Bool) -> (key: ColumnKey, name: RealmString?)? {
    guard let spec = child(table, TableTopSlot.spec.rawValue), let keys = child(spec, SpecSlot.keys.rawValue),
      keys.scheme == .bits, let names = names(spec, SpecSlot.names.rawValue)
    else { return nil }
    for index in 0..<min(keys.count, ColumnKey.mostLeafIndexes) {
      let key = ColumnKey(rawValue: keys.uncheckedInt(index))
      if isWanted(key) { return (key, (try? StringLeaf.short(names, index)).flatMap { $0 }.map { RealmString($0) }) }
    }
    return nil
  }

  /// Where the links of a backlink column come from, as far as both tables say so.
  private func origin(_ path: NodePath, _ leafIndex: Int) -> Finding.ColumnName {
    let unknown = Finding.ColumnName.backlinks(table: nil, column: nil)
    guard let top = path[0]?.node, let tables = path[1]?.node, let table = path[2]?.node,
      let others = child(table, TableTopSlot.oppositeTables.rawValue),
      let columns = child(table, TableTopSlot.oppositeColumns.rawValue),
      let other = try? TableKey(rawValue: UInt32(truncatingIfNeeded: others.unsigned(leafIndex))),
      let key = try? ColumnKey(rawValue: columns.int(leafIndex)), let origin = child(tables, other.slot),
      let (_, found) = column(of: origin, where: { $0 == key }), let name = found
    else { return unknown }
    return tableName(top, other.slot).map { .backlinks(table: $0, column: name) } ?? unknown
  }
}
