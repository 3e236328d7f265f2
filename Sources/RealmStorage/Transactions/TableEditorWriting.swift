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
    let links = BPlusTreeBuilder(.objectKey, nodes)
    // A damaged cluster may have more than there are columns for; these stay.
    var refs: [Ref] = Array(repeating: .null, count: cluster.leaves.count)
    for index in cluster.leaves.indices {
      switch cluster.leaves[index] {
      case .none: continue
      case .stored(let ref): refs[index] = ref
      case .backlinks(let leaf): refs[index] = try nodes.integers(leaf.cells.map { try element($0, links) }, .refs)
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

  private func element(_ cell: BacklinkCell, _ tree: BPlusTreeBuilder) throws -> Int64 {
    switch cell {
    case .storedList(let root): root.element
    case .keys(let keys): try tree.incomingLinks(keys)
    }
  }

  // MARK: Root

  /// Writes the root and, if it has changed, the description of the columns.
  private func writeTop(clusters: Ref, tombstones: Ref, indexes: [Ref]) throws -> Ref {
    let old = try stored.map { try Node($0.top.ref, in: store) }
    let collisionMap = try writeCollisionMap(old?.childRef(10) ?? .null)
    let writer = TableRootWriter(
      key: key, kind: kind, primaryKey: primaryKeyColumn,
      columns: zip(columns, indexes).map { $0.written(index: $1, isPrimaryKey: $0.key == primaryKeyColumn) },
      backlinks: backlinks)
    var spec = stored?.top.spec ?? .null
    if isSpecChanged || spec.isNull {
      if let stored { try releaseSpec(of: stored) }
      spec = try writer.writeSpec(nodes)
    }
    let objects = TableRootWriter.Objects(clusters: clusters, tombstones: tombstones, sequence: objectSequence) {
      collisionMap
    }
    let contentVersion = (try old?.tagged(6) ?? 0) &+ 1
    let top = try writer.writeTop(
      spec: spec, objects, leafCount: leafCount, columnSequence: columnSequence, contentVersion: contentVersion, nodes)
    if let stored { try releaseTop(of: stored) }
    return top
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
}

extension EditedColumn {
  fileprivate func written(index: Ref, isPrimaryKey: Bool) -> TableRootWriter.PropertyColumn {
    TableRootWriter.PropertyColumn(
      column: column,
      attributes: extraAttributes | column.indexAttribute(isPrimaryKey: isPrimaryKey && !wasIndexedBesides),
      opposite: opposite, enumeration: enumeration, index: index)
  }
}
