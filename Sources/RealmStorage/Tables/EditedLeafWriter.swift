/// Writes the leaves of one column that a transaction has changed, from owned values.
final class EditedLeafWriter {
  private let column: Column
  /// Writes single values of one type.
  private let leaf: (any LeafEncoder)?
  /// Writes collections, and what may be one.
  private let builder: ColumnBuilder
  /// Holds the bytes of elements while sets are put in order.
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
    for case .value(let value) in cells {
      switch value {
      case .string(let text): try text.utf8.withUnsafeBytes { try leaf.append(.string(BlobView($0))) }
      case .data(let data): try data.withUnsafeBytes { try leaf.append(.data(BlobView($0))) }
      default: try leaf.append(value.view(in: arena))
      }
    }
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
    case .string(let text): try text.utf8.withUnsafeBytes { try builder.append(.string(BlobView($0))) }
    case .data(let data): try data.withUnsafeBytes { try builder.append(.data(BlobView($0))) }
    default: try builder.append(value.view(in: arena))
    }
  }
}

extension Value {
  /// A borrowed form; the bytes of texts and data live as long as the arena. Collections are what an index sees of them.
  func view(in arena: ByteArena) -> ValueView {
    switch self {
    case .null: .null
    case .int(let value): .int(value)
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let text): .string(BlobView(text.utf8.withUnsafeBytes { arena.copy($0) }))
    case .data(let data): .data(BlobView(data.withUnsafeBytes { arena.copy($0) }))
    case .date(let value): .date(value)
    case .decimal(let value): .decimal(value)
    case .objectID(let value): .objectID(value)
    case .uuid(let value): .uuid(value)
    case .link(let table, let key): .link(table, key)
    case .typedLink(let table, let key): .typedLink(table, key)
    case .list: .list(ListView(root: .null, element: .mixed))
    case .set: .set(ListView(root: .null, element: .mixed))
    case .dictionary: .dictionary(DictionaryView(root: .null, linkTarget: nil))
    }
  }
}
