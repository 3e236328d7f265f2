/// Tables of which neither root nor description is left: what they were is told by the trees of objects that belong to no
/// other table.
struct LostTables {
  private let bytes: RescueBytes
  private let space: RescueSpace
  private let reader: RescueReader
  private let scan: NodeScan
  private let names: [RealmString]

  private static let mostTables = 64
  private static let mostRoots = 4096

  /// - Parameter names: those of the tables that were not found, by slot; empty where there is none.
  init(_ reader: RescueReader, _ scan: NodeScan, names: [RealmString]) {
    (bytes, space, self.reader, self.scan, self.names) = (reader.bytes, reader.space, reader, scan, names)
  }

  /// The tables that are found besides those that are known.
  func tables(besides known: [RescuedTable]) -> [RescuedTable] {
    var found: [RescuedTable] = []
    var free = (known.map(\.key.slot).max() ?? -1) + 1
    free = max(free, names.count)
    for tree in trees() where found.count < Self.mostTables && free < TableKey.mostSlots - 1 {
      // An older version of a table that is known, or that was found already, is none of its own.
      guard !(known + found).contains(where: { belongs(tree, to: $0) }),
        let table = table(tree, TableKey(rawValue: UInt32(free)), named: madeUpName(known + found))
      else { continue }
      if let (key, name) = identity(of: table, besides: known + found), let named = self.table(tree, key, named: name) {
        named.hasMadeUpName = name == table.schema.name
        found.append(named)
      } else {
        table.hasMadeUpName = true
        found.append(table)
        free += 1
      }
    }
    return found
  }

  /// Trees of objects that nothing leads to, the larger first.
  private func trees() -> [RescueClusterTree] {
    var children: Set<Ref> = []
    for ref in scan.innerNodes {
      guard let node = try? Node(ref, in: bytes.store) else { continue }
      for index in ClusterTree.InnerNode.firstChildSlot..<max(node.count, ClusterTree.InnerNode.firstChildSlot) {
        if let child = node.slot(index).child { children.insert(child) }
      }
      bytes.letGoOfPages()
    }
    let roots = scan.innerNodes.filter { !children.contains($0) && !space.isTaken($0.rawValue) }
    let trees = roots.suffix(Self.mostRoots).map { RescueClusterTree($0, bytes, grade: .found) }
    return trees.filter { !$0.places.isEmpty }.enumerated().sorted { left, right in
      (left.element.places.count, left.offset) > (right.element.places.count, right.offset)
    }.map(\.element)
  }

  private static let mostCompared = 8

  private func belongs(_ tree: RescueClusterTree, to table: RescuedTable) -> Bool {
    let placed = Set(table.places.map(\.ref))
    let step = max(1, tree.places.count / Self.mostCompared)
    return stride(from: 0, to: tree.places.count, by: step).contains { index in
      bytes.letGoOfPages()
      let ref = tree.places[index].ref
      return placed.contains(ref) || table.fits(ref, in: bytes)
    }
  }

  private func table(_ tree: RescueClusterTree, _ key: TableKey, named name: RealmString) -> RescuedTable? {
    let shapes = ColumnShapes(key, tree.places, known: [], links: [], in: bytes)
    guard let spec = RescueSpec(of: shapes.columns()) else { return nil }
    let table = RescuedTable(key: key, named: name, byStructure: spec)
    (table.places, table.holes, table.unplaced) = (tree.places, tree.holes, tree.unplaced)
    table.expectedCount = tree.objectCount
    return table
  }

  private func madeUpName(_ tables: [RescuedTable]) -> RealmString {
    let taken = Set(tables.map(\.schema.name) + names)
    for number in 1... {
      let name = RealmString(TableSchema.classPrefix + "Recovered\(number)")
      if !taken.contains(name) { return name }
    }
    return RealmString(TableSchema.classPrefix + "Recovered")
  }

  /// Which of the lost tables this is, where links of another table say so that lead to it.
  private func identity(of table: RescuedTable, besides known: [RescuedTable]) -> (TableKey, RealmString)? {
    let evidence = LinkEvidence(reader, known + [table])
    for other in known {
      for link in other.unresolved where link.statedTarget != .null {
        let key = link.statedTarget
        guard key.slot < TableKey.mostSlots, !known.contains(where: { $0.key.slot == key.slot }),
          evidence.end(of: link, in: other)?.table === table
        else { continue }
        let name =
          key.slot < names.count && names[key.slot].hasPrefix(TableSchema.classPrefix)
          ? names[key.slot] : table.schema.name
        return (key, name)
      }
    }
    return nil
  }
}
