extension TableEditor {
  // MARK: Root

  /// Writes the root (Docs/Format/3-tables-and-objects.md §2).
  func writeTop(clusters: Ref, tombstones: Ref, indexes: [Ref]) throws -> Ref {
    var indexRefs: [Ref] = Array(repeating: .null, count: leafCount)
    var oppositeTables = Array(repeating: Int64(TableKey.null.rawValue), count: leafCount)
    var oppositeColumns = Array(repeating: ColumnKey.null.rawValue, count: leafCount)
    for (column, index) in zip(columns, indexes) {
      indexRefs[column.leafIndex] = index
      guard column.column.element.code == .link else { continue }
      oppositeTables[column.leafIndex] = Int64(column.column.element.target.rawValue)
      oppositeColumns[column.leafIndex] = column.opposite.rawValue
    }
    for column in backlinks {
      oppositeTables[column.leafIndex] = Int64(column.originTable.rawValue)
      oppositeColumns[column.leafIndex] = column.originColumn.rawValue
    }
    let old = try stored.map { try Node($0.top.ref, in: store) }
    let slots: [Int64] = [
      try writeSpec().element, 0, clusters.element, .tagged(UInt64(key.rawValue)),
      try nodes.refs(indexRefs).element, .tagged(columnSequence), .tagged((try old?.tagged(6) ?? 0) &+ 1),
      try nodes.integers(oppositeTables).element, try nodes.integers(oppositeColumns).element,
      .tagged(objectSequence), try old?.childRef(10).element ?? 0,
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
