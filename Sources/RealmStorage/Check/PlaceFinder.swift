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
    case .clusters, .tombstones: findObject(path, table.node, &place)
    case .indexes: place.column = path[3].flatMap { column(table.node, leafIndex: $0.slot)?.name }
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
  private func findObject(_ path: NodePath, _ table: Node, _ place: inout Finding.Place) {
    var offset: UInt64 = 0
    var level = 3
    while let step = path[level], step.node.isInner {
      offset &+= childOffset(step)
      level += 1
    }
    guard let cluster = path[level], cluster.slot > 0, let column = column(table, leafIndex: cluster.slot - 1) else {
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
  private func column(_ table: Node, leafIndex: Int) -> (name: Finding.ColumnName, hasNodePerObject: Bool)? {
    guard let spec = child(table, TableTopSlot.spec.rawValue), let keys = child(spec, SpecSlot.keys.rawValue),
      keys.scheme == .bits, let names = names(spec, SpecSlot.names.rawValue)
    else { return nil }
    for index in 0..<min(keys.count, ColumnKey.mostLeafIndexes) {
      let key = ColumnKey(rawValue: keys.uncheckedInt(index))
      guard key.leafIndex == leafIndex else { continue }
      if key.typeCode == TypeCode.backlink.rawValue { return (.backlinks(table: nil, column: nil), true) }
      guard let name = try? StringLeaf.short(names, index) else { return nil }
      return (.property(RealmString(name)), key.collection != nil)
    }
    return nil
  }
}
