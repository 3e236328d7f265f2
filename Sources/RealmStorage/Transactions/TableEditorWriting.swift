extension TableEditor {
  /// Writes what has changed.
  ///
  /// - Returns: the root of the table.
  func write() throws -> Ref {
    guard isTouched else { return stored?.top.ref ?? .null }
    try requireKind()
    let indexes = try columns.map { try writeIndex($0) }
    let clusters = try objects.write(nodes, output) { try write($0) }
    var placeholders = Ref.null
    if hasTombstones {
      // The last placeholder takes the tree with it.
      if tombstones.count == 0 {
        try tombstones.releaseAll(output)
      } else {
        placeholders = try tombstones.write(nodes, output) { try write($0) }
      }
    }
    return try writeTop(clusters: clusters, tombstones: placeholders, indexes: indexes)
  }

  /// - Throws: `EditError.embeddedObject`, `BuildError.wrongType` where a table of its kind cannot have what it has.
  private func requireKind() throws {
    guard kind != .embedded || primaryKeyColumn == nil else { throw EditError.embeddedObject(table: name) }
    guard kind != .topLevel, kind != stored?.top.kind else { return }
    for backlink in backlinks {
      let columns = try transaction.table(backlink.originTable)?.columns ?? []
      guard let origin = columns.first(where: { $0.key == backlink.originColumn })?.column, origin.element.code == .link
      else { continue }
      guard kind == .embedded, origin.collection != .set else { throw BuildError.wrongType }
    }
  }

  private func write(_ cluster: EditedCluster) throws -> Ref {
    // A damaged cluster may have more than there are columns for; these stay.
    var refs: [Ref] = Array(repeating: .null, count: cluster.leaves.count)
    for index in cluster.leaves.indices {
      switch cluster.leaves[index] {
      case .none: continue
      case .stored(let ref): refs[index] = ref
      case .backlinks(let leaf): refs[index] = try nodes.integers(leaf.cells.map { try element($0) }, .refs)
      case .values(let leaf): refs[index] = try leafWriter(index)?.write(leaf.cells, of: cluster.keys) ?? .null
      case .defaults:
        refs[index] =
          try leafWriter(index)?.writeDefaults(cluster.count)
          ?? nodes.refs(Array(repeating: .null, count: cluster.count))
      }
    }
    // The last slots without a column are cut off.
    while let last = refs.last, last.isNull { refs.removeLast() }
    return try cluster.write(refs, nodes, output)
  }

  /// - Returns: nil for hidden columns.
  private func leafWriter(_ leafIndex: Int) -> LeafWriter? {
    guard let column = columns.first(where: { $0.leafIndex == leafIndex }) else { return nil }
    let writer = leafWriters[column.key] ?? LeafWriter(column.column, nodes)
    leafWriters[column.key] = writer
    return writer
  }

  private func element(_ cell: BacklinkCell) throws -> Int64 {
    switch cell {
    case .storedList(let root): return root.element
    case .keys(let keys):
      guard keys.count > 1 else { return keys.first.map { .tagged(UInt64(bitPattern: $0)) } ?? 0 }
      let tree = BPlusTreeBuilder(ElementType(.int), nodes)
      for key in keys { try tree.append(.int(key)) }
      return try tree.finish().element
    }
  }

  // MARK: Root

  /// Writes the root (Docs/Format/3-tables-and-objects.md §2).
  func writeTop(clusters: Ref, tombstones: Ref, indexes: [Ref]) throws -> Ref {
    var indexRefs: [Ref] = Array(repeating: .null, count: leafCount)
    var oppositeTables = Array(repeating: Int64(TableKey.null.rawValue), count: leafCount)
    var oppositeColumns = Array(repeating: ColumnKey.null.rawValue, count: leafCount)
    for (column, index) in zip(columns, indexes) {
      indexRefs[column.leafIndex] = index
      guard column.type.element.code == .link else { continue }
      oppositeTables[column.leafIndex] = Int64(column.type.element.target.rawValue)
      oppositeColumns[column.leafIndex] = column.opposite.rawValue
    }
    for column in backlinks {
      oppositeTables[column.leafIndex] = Int64(column.originTable.rawValue)
      oppositeColumns[column.leafIndex] = column.originColumn.rawValue
    }
    let old = try stored.map { try Node($0.top.ref, in: store) }
    let collisionMap = try writeCollisionMap(old?.childRef(10) ?? .null)
    let slots: [Int64] = [
      try writeSpec().element, 0, clusters.element, .tagged(UInt64(key.rawValue)),
      try nodes.refs(indexRefs).element, .tagged(columnSequence), .tagged((try old?.tagged(6) ?? 0) &+ 1),
      try nodes.integers(oppositeTables).element, try nodes.integers(oppositeColumns).element,
      .tagged(objectSequence), collisionMap.element,
      primaryKeyColumn.map { .tagged(UInt64(bitPattern: $0.rawValue)) } ?? 0, .tagged(kind.flags), tombstones.element,
    ]
    if let stored { try releaseTop(of: stored) }
    return try nodes.integers(slots, .refs)
  }

  /// The root and its own lists.
  func releaseTop(of stored: Table) throws {
    let top = try Node(stored.top.ref, in: store)
    output.release(top.ref, byteSize: top.byteSize)
    output.release(try top.childRef(4), byteSize: try Node(top.childRef(4), in: store).byteSize)
    for slot in [7, 8] { try output.releaseTree(top.childRef(slot)) }
  }

  /// The texts of enumerated columns stay.
  func releaseSpec(of stored: Table) throws {
    let spec = try Node(stored.top.spec, in: store)
    for slot in [0, 1, 2, 5] { try output.releaseTree(spec.childRef(slot)) }
    let enumerations = try spec.childRef(4)
    if !enumerations.isNull { output.release(enumerations, byteSize: try Node(enumerations, in: store).byteSize) }
    output.release(spec.ref, byteSize: spec.byteSize)
  }

  /// Writes the description of the columns (§3.1), if it has changed.
  private func writeSpec() throws -> Ref {
    if !isSpecChanged, let stored { return stored.top.spec }
    if let stored { try releaseSpec(of: stored) }
    var types = columns.map(\.typeNumber)
    var attributes = columns.map { column in
      Int64(column.key.attributes.rawValue) & 0xf0 | column.extraAttributes
        | column.column.indexAttribute(
          isPrimaryKey: column.key == primaryKeyColumn && !column.wasIndexedBesides)
    }
    var keys = columns.map(\.key.rawValue)
    for backlink in backlinks {
      types.append(Int64(TypeCode.backlink.rawValue))
      attributes.append(0)
      keys.append(backlink.key.rawValue)
    }
    let enumerations = columns.map(\.enumeration)
    let enumerationList = enumerations.contains { !$0.isNull } ? try nodes.refs(enumerations) : .null
    return try nodes.refs([
      try nodes.integers(types), try nodes.names(columns.map(\.name)), try nodes.integers(attributes), .null,
      enumerationList, try nodes.integers(keys),
    ])
  }
}
