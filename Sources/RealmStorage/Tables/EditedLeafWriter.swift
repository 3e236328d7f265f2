/// Writes the leaves of one column that a transaction has changed, from owned values.
final class EditedLeafWriter {
  private let column: Column
  /// Writes single values of one type.
  private let leaf: (any LeafEncoder)?
  /// Writes collections, and what may be one.
  private let builder: ColumnBuilder
  /// The bytes of elements while sets are sorted.
  private let arena = ByteArena()

  init(_ column: Column, _ nodes: NodeEncoder) {
    self.column = column
    let isSingle = column.collection == nil && column.element.code != .mixed
    leaf = isSingle ? column.element.leafEncoder(inCollection: false, nodes) : nil
    var plain = column
    (plain.enumeration, plain.index) = (nil, .none)
    builder = ColumnBuilder(plain, nodes)
  }

  func writeDefaults(_ count: Int) throws -> Ref { try builder.writeDefaults(count) }

  /// - Parameter origins: the objects' keys.
  func write(_ cells: [EditedCell], of origins: [UInt64]) throws -> Ref {
    if let leaf { return try write(cells, leaf) }
    builder.begin(origins.map { ObjectKey(rawValue: Int64(bitPattern: $0)) })
    for cell in cells {
      switch cell {
      case .storedCollection(let root): try builder.append(written: root)
      case .value(let value): try append(value)
      }
    }
    return try builder.takeLeaf()
  }

  private func write(_ cells: [EditedCell], _ leaf: any LeafEncoder) throws -> Ref {
    for case .value(let value) in cells { try value.withView { try leaf.append($0) } }
    return try leaf.finish()
  }

  private func append(_ value: Value) throws {
    switch value {
    case .list(let elements):
      try builder.begin(.list)
      for element in elements { try append(element) }
      try builder.end()
    case .set(let elements):
      try builder.begin(.set)
      let views = elements.map { $0.view(in: arena) }
      for view in ValueOrder.sortedSet(views, of: column.element.code.propertyType) { try builder.append(view) }
      try builder.end()
    case .dictionary(let entries):
      try builder.begin(.dictionary)
      for key in entries.keys.sorted() {
        try key.utf8.withUnsafeBytes { try builder.append(key: BlobView($0)) }
        try append(entries[key] ?? .null)
      }
      try builder.end()
    default: try value.withView { try builder.append($0) }
    }
  }
}
