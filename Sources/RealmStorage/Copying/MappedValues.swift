/// Appends values of a snapshot to a column as a mapping makes them.
struct MappedValues {
  let mapping: any ValueMapping
  let walk: CollectionWalk
  let format: TargetFormat
  /// What the rebuild makes of a link or another value before it is mapped.
  let kept: (ValueView) throws -> ValueView
  /// Whether an element of a list or set is removed.
  let isDropped: (ValueView) throws -> Bool
  /// Whether a collection inside a Mixed value becomes null.
  let loses: (ValueView) -> Bool

  /// - Parameter object: that the value belongs to, by its key in the source.
  func append(_ value: ValueView, of object: ObjectKey, to column: ColumnBuilder, in arena: ByteArena) throws {
    switch value {
    case .list(let list):
      try column.begin(.list)
      try list.forEach(walk, damaged: { throw $0 }) { element in
        if try isDropped(element) { return }
        guard case .link = element else { return try appendNested(element, of: object, to: column, in: arena) }
        let mapped = try mapping.value(kept(element), of: object, in: arena)
        if case .link = mapped { try column.append(mapped) }
      }
      try column.end()
    case .set(let set):
      try column.begin(.set)
      for element in try elements(of: set, object, arena) { try column.append(element) }
      try column.end()
    case .dictionary(let dictionary):
      try column.begin(.dictionary)
      for (key, value) in try entries(of: dictionary, object, arena) {
        try column.append(key: key)
        try appendNested(value, of: object, to: column, in: arena)
      }
      try column.end()
    default: try column.append(mapping.value(kept(value), of: object, in: arena))
    }
  }

  private func appendNested(
    _ value: ValueView, of object: ObjectKey, to column: ColumnBuilder, in arena: ByteArena
  ) throws {
    try loses(value) ? column.append(.null) : append(value, of: object, to: column, in: arena)
  }

  /// In the order of the format, each once.
  private func elements(of set: ListView, _ object: ObjectKey, _ arena: ByteArena) throws -> [ValueView] {
    var values: [ValueView] = []
    try set.forEachOfSet(walk, damaged: { throw $0 }) { element in
      if try isDropped(element) { return }
      let mapped = try mapping.value(kept(element), of: object, in: arena)
      if case .link = element, case .null = mapped { return }
      values.append(mapped)
    }
    // Sets of decimals have a special order for NaN and null.
    let isDecimal = !set.holdsMixed && values.contains { if case .decimal = $0 { true } else { false } }
    let distinct = ValueOrder.sortedSet(values, of: isDecimal ? .decimal128 : .mixed)
    return CollectionOrder(format).sorted(distinct, isMixed: set.holdsMixed)
  }

  /// By their new keys, in the order of the format.
  private func entries(
    of dictionary: DictionaryView, _ object: ObjectKey, _ arena: ByteArena
  ) throws -> [(key: BlobView, value: ValueView)] {
    var entries: [(key: BlobView, value: ValueView)] = []
    try dictionary.forEach(walk, damaged: { throw $0 }) { key, value in
      entries.append((try mapping.key(key, of: object, in: arena), value))
    }
    entries.sort { ValueOrder.compareBytes($0.key, $1.key) < 0 }
    for (index, entry) in entries.enumerated().dropFirst()
    where ValueOrder.compareBytes(entries[index - 1].key, entry.key) == 0 {
      throw BuildError.dictionaryKey(RealmString(utf8: try entry.key.copied()))
    }
    return CollectionOrder(format).sorted(entries)
  }
}
