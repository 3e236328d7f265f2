import RealmStorage

/// Counts the nodes of one table in rows (Docs/Format/4-file-versions.md §2.3): each column has a tree of its own, and
/// the index of a column follows it.
struct RowTableSpace {
  private let table: Table
  private let walk: SpaceWalk
  private let base: Int

  /// - Parameter base: the first of the table's counters.
  init(_ table: Table, _ walk: SpaceWalk, base: Int) { (self.table, self.walk, self.base) = (table, walk, base) }

  /// Counts all nodes of the table.
  func run() -> [PropertySpace] {
    let objectCount = (try? table.objectCount()) ?? 0
    let owners = Owners(table, base)
    countColumns(owners)
    return table.columns.indices.map { index in
      var space = PropertySpace(
        table: table.schema.name, property: table.columns[index].name, objectCount: objectCount,
        isPrimaryKey: table.schema.primaryKeyIndex == index)
      space.take(walk.counters[TableSpace.counters(ofProperty: index, base)])
      return space
    }
  }

  private func countColumns(_ owners: Owners) {
    guard let top = walk.refs(table.root, owners.description) else { return }
    if let data = top.count == 2 ? top.slot(RowTableSlot.columns).child : nil,
      let columns = walk.refs(data, owners.description)
    {
      let roots = (0..<columns.count).map { columns.slot($0).child }
      var index = owners.description
      for root in roots {
        guard let root else { continue }
        let owner = owners.values[root]
        walk.tree(root, owner?.values ?? index)
        index = owner?.index ?? owners.description
      }
    }
    // What is left is the description; of a table that an interrupted upgrade has changed, its objects.
    for slot in 0..<top.count where top.count != 2 || slot != RowTableSlot.columns.rawValue {
      if let ref = top.slot(slot).child { walk.tree(ref, top.count == 2 ? owners.description : owners.objects) }
    }
  }

  /// Whose the columns are, by their roots.
  private struct Owners {
    let description: SpaceWalk.Owner
    let objects: SpaceWalk.Owner
    private(set) var values: [Ref: (values: SpaceWalk.Owner, index: SpaceWalk.Owner?)] = [:]

    init(_ table: Table, _ base: Int) {
      description = TableSpace.owner(.description, base)
      objects = TableSpace.owner(.objects, base)
      for column in table.backlinks {
        if let root = column.rows?.root { values[root] = (TableSpace.owner(.backlinks, base), nil) }
      }
      for (index, column) in table.columns.enumerated().reversed() {
        guard let root = column.rows?.root else { continue }
        values[root] = (
          TableSpace.owner(of: column, index, base),
          SpaceWalk.Owner(TableSpace.counter(.index, ofProperty: index, base))
        )
      }
    }
  }
}
