/// A column of formats 2–9: one tree over all rows of the table (Docs/Format/4-file-versions.md §2.6).
package struct RowColumn: Sendable {
  /// The content of each row.
  enum Cells: Sendable {
    case values(ElementType)
    /// Roots of link lists, whose elements are of this type.
    case lists(ElementType)
    /// Roots of subtables, of which one column is a property.
    case subtables(column: Int, ElementType)
    /// Roots of lists of linking rows, or one such row.
    case backlinks
  }

  package let root: Ref
  private(set) var cells: Cells
  /// The table whose objects have other keys than the numbers of their rows: see `RenumberedRows`. Nil for all others.
  var table: TableKey?

  init(root: Ref, cells: Cells) { (self.root, self.cells) = (root, cells) }

  /// The row of an object.
  ///
  /// - Throws: `StorageError.corrupted` for an object that was not in any row.
  func row(of key: ObjectKey, in store: ByteStore) throws -> Int {
    guard let table else { return Int(clamping: key.rawValue) }
    guard let row = store.companion(RenumberedRows.self)?.row(of: key, in: table) else {
      throw StorageError.corrupted(root, .danglingLink(key: key.rawValue))
    }
    return row
  }

  /// Reads links by the new keys of rows.
  mutating func renumberLinks(_ tables: Set<TableKey>) {
    func renumbered(_ element: ElementType) -> ElementType {
      guard element.code == .link, tables.contains(element.target) else { return element }
      return ElementType(.link, isNullable: element.isNullable, target: element.target, layout: .rows)
    }
    switch cells {
    case .values(let element): cells = .values(renumbered(element))
    case .lists(let element): cells = .lists(renumbered(element))
    case .subtables, .backlinks: break
    }
  }

  /// The tree that says how many rows there are.
  private func spine(in store: ByteStore) throws -> Ref {
    if case .values(let element) = cells, element.isInSeveralTrees {
      return try LegacyPlace.tree(0, of: root, in: store)
    }
    return root
  }

  /// Number of rows, from the root alone.
  ///
  /// - Throws: `StorageError.corrupted`, also for a number that the file has no room for.
  package func count(in store: ByteStore) throws -> Int {
    let node = try Node(spine(in: store), in: store)
    guard node.isInner else { return try leaf(node, from: 0, nil, in: store).count }
    let total = try InnerTreeNode(node, in: store).total
    guard total <= BPlusTree.mostElements(in: store) else {
      throw StorageError.corrupted(root, .valueOutOfRange("number of rows"))
    }
    return total
  }

  /// The leaf with a row, and the row's place there.
  ///
  /// - Throws: `indexOutOfRange` if no such row exists.
  package func leaf(
    holding row: Int, _ enumeration: StringEnumeration?, in store: ByteStore
  ) throws -> (leaf: Leaf, position: Int) {
    let (node, position) = try InnerTreeNode.leaf(below: spine(in: store), holding: row, in: store)
    let leaf = try leaf(node, from: row - position, enumeration, in: store)
    guard position >= 0, position < leaf.count else {
      throw StorageError.corrupted(node.ref, .indexOutOfRange(position, count: leaf.count))
    }
    return (leaf, position)
  }

  /// - Parameter first: the row of the leaf's first element.
  private func leaf(
    _ node: Node, from first: Int, _ enumeration: StringEnumeration?, in store: ByteStore
  ) throws -> Leaf {
    switch cells {
    case .values(let element):
      let place = LegacyPlace(column: root, first: first)
      // Enumerated strings have leaves of their own; without the strings only their number is needed.
      let isEnumerated = element.code == .string && node.count > 0 && !node.hasRefs && node.scheme == .bits
      let type = isEnumerated && enumeration == nil ? ElementType(.int, layout: .legacy) : element
      return try Leaf(legacy: node, of: type, place, enumeration: enumeration, in: store)
    case .lists(let element): return try Leaf(legacyLists: node, of: element)
    case .subtables(let column, let element): return try Leaf(legacySubtables: node, column: column, of: element)
    case .backlinks: return try Leaf(legacyLists: node, of: .objectKey)
    }
  }

  /// The element of a column of incoming links in a row.
  func backlinkElement(row: Int, in store: ByteStore) throws -> Int64 {
    let (leaf, position) = try InnerTreeNode.leaf(below: root, holding: row, in: store)
    try leaf.requireRefs("a leaf of backlinks")
    return try leaf.int(position)
  }
}

/// Where the objects of a table are. This is where layouts meet.
package enum ObjectSource: Sendable {
  /// Formats 10–24: a tree of clusters. Also a table whose upgrade to format 10 was interrupted, some of whose columns are
  /// still in rows (Docs/Format/4-file-versions.md §2.21).
  case clusters(TableTop)
  /// Formats 2–9: a tree for each column. An object is a row, and its key the number of the row. The first column says how
  /// many there are; without columns there are none (§2.15).
  case rows(RowColumn?)
}
