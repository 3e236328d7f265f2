/// Tells from the path to a node what the node is part of.
///
/// Used for findings only, on files of which nothing is believed: what cannot be told is left out.
struct PlaceFinder {
  let store: ByteStore

  private typealias Frame = NodeWalk.Frame

  /// - Parameters:
  ///   - ref: the node; where it cannot be read, the ref that led there.
  ///   - frames: the nodes from the top array down to its parent.
  func place(of ref: Ref, under frames: [NodeWalk.Frame]) -> Finding.Place {
    var place = Finding.Place(part: .top, ref: ref)
    guard let slot = slot(frames, 0).flatMap(TopSlot.init) else { return place }
    place.part = Self.topParts[slot] ?? .top
    guard slot == .tables, let tableSlot = self.slot(frames, 1) else { return place }
    place.table = tableName(frames[0].node, tableSlot)
    place.part = .table
    guard let part = self.slot(frames, 2).flatMap(TableTopSlot.init) else { return place }
    place.part = Self.tableParts[part] ?? .table
    switch part {
    case .oldColumns: place.part = .objects
    case .clusters, .tombstones: findObject(frames, &place)
    case .indexes: place.column = self.slot(frames, 3).flatMap { column(frames[2].node, leafIndex: $0)?.name }
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

  /// The element of a frame that the path goes through.
  private func slot(_ frames: [NodeWalk.Frame], _ index: Int) -> Int? {
    index < frames.count ? frames[index].next - 1 : nil
  }

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
  private func findObject(_ frames: [NodeWalk.Frame], _ place: inout Finding.Place) {
    var offset: UInt64 = 0
    var level = 3
    while level < frames.count, frames[level].node.isInner {
      offset &+= childOffset(frames[level])
      level += 1
    }
    guard let leafSlot = slot(frames, level), leafSlot > 0,
      let column = column(frames[2].node, leafIndex: leafSlot - 1)
    else { return }
    place.column = column.name
    guard column.hasNodePerObject, let row = slot(frames, level + 1) else { return }
    place.object = key(frames[level].node, row, offset)
  }

  private func childOffset(_ frame: NodeWalk.Frame) -> UInt64 {
    let index = frame.next - 1 - ClusterTree.InnerNode.firstChildSlot
    guard index >= 0 else { return 0 }
    if let offsets = child(frame.node, 0) { return (try? offsets.unsigned(index)) ?? 0 }
    let depth = (try? frame.node.tagged(1)) ?? 0
    return depth < 8 ? UInt64(index) << (8 * depth) : 0
  }

  private func key(_ cluster: Node, _ row: Int, _ offset: UInt64) -> ObjectKey? {
    guard let first = try? cluster.refOrTagged(0) else { return nil }
    if first.isTagged { return ObjectKey(rawValue: Int64(bitPattern: offset &+ UInt64(row))) }
    guard let relative = try? Node(first.ref, in: store).unsigned(row) else { return nil }
    return ObjectKey(rawValue: Int64(bitPattern: offset &+ relative))
  }

  // MARK: Columns

  /// Name of the column at a leaf index, and whether its leaf holds one node per object.
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
