extension Value {
  /// A copy of a value with everything in it.
  ///
  /// - Parameter walk: says how collections are read; see `CollectionWalk`.
  /// - Throws: `StorageError.corrupted` if a part of it is damaged, or collections are nested deeper than any engine
  ///   reads (Docs/Format/2-nodes-and-values.md §3.2).
  package init(_ view: ValueView, _ walk: CollectionWalk) throws { try self.init(view, walk, depth: 0) }

  private init(_ view: ValueView, _ walk: CollectionWalk, depth: Int) throws {
    switch view {
    case .null: self = .null
    case .int(let value): self = .int(value)
    case .bool(let value): self = .bool(value)
    case .float(let value): self = .float(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(RealmString(utf8: try value.copied()))
    case .data(let value): self = .data(try value.copied())
    case .date(let value): self = .date(value)
    case .decimal(let value): self = .decimal(value)
    case .objectID(let value): self = .objectID(value)
    case .uuid(let value): self = .uuid(value)
    case .link(let table, let key): self = .link(table, key)
    case .typedLink(let table, let key): self = .typedLink(table, key)
    case .list(let list): self = .list(try Self.elements(of: list, walk, depth: depth))
    case .set(let set): self = .set(try Self.elements(of: set, walk, depth: depth))
    case .dictionary(let dictionary):
      guard depth <= ColumnBuilder.mostLevels else { throw StorageError.corrupted(dictionary.root, .tooDeep) }
      var entries: [RealmString: Value] = [:]
      try dictionary.forEach(walk, damaged: { throw $0 }) { key, value in
        entries[RealmString(utf8: try key.copied())] = try Value(value, walk, depth: depth + 1)
      }
      self = .dictionary(entries)
    }
  }

  private static func elements(of list: ListView, _ walk: CollectionWalk, depth: Int) throws -> [Value] {
    guard depth <= ColumnBuilder.mostLevels else { throw StorageError.corrupted(list.root, .tooDeep) }
    var elements: [Value] = []
    try list.forEach(walk, damaged: { throw $0 }) { elements.append(try Value($0, walk, depth: depth + 1)) }
    return elements
  }
}
