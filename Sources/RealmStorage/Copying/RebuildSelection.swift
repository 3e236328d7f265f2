/// The part of a snapshot that is copied into a rebuilt realm, and what happens to links to the rest.
package struct RebuildSelection: Sendable {
  /// The tables, in any order.
  package var tables: Set<TableKey>
  /// Properties that are left out, by table: their positions in its schema.
  package var leftOutProperties: [TableKey: Set<Int>] = [:]
  /// The objects that are wanted, by table, where not all are.
  package var objects: [TableKey: ObjectKeySet] = [:]

  /// Whether lists and dictionaries inside Mixed values are kept; otherwise they become null.
  package var keepsNestedCollections = true
  /// Whether links to objects that are not there are kept, with the placeholders of these.
  package var keepsTombstones = true
  /// Whether sets of Mixed values keep data with the same bytes as one of their strings; otherwise that data is
  /// removed.
  package var keepsDataLikeTexts = true

  package init(tables: Set<TableKey>) { self.tables = tables }

  /// Everything.
  package init(all snapshot: Snapshot) { self.init(tables: Set(snapshot.tables.map(\.key))) }

  /// Whether nothing of a snapshot is left out.
  package func takesEverything(of snapshot: Snapshot) -> Bool {
    keepsNestedCollections && keepsTombstones && keepsDataLikeTexts && leftOutProperties.isEmpty && objects.isEmpty
      && snapshot.tables.allSatisfy { tables.contains($0.key) }
  }

  /// The position of a table's primary key in its schema; nil if it is left out, or there is none.
  package func primaryKeyIndex(of table: Table) -> Int? {
    table.schema.primaryKeyIndex.flatMap { leftOutProperties[table.key]?.contains($0) ?? false ? nil : $0 }
  }

  /// The content of a table once it is rebuilt.
  package func schema(of table: TableSchema, _ key: TableKey, in format: TargetFormat) -> TableSchema {
    let leftOut = leftOutProperties[key] ?? []
    let kept = table.properties.indices.filter { !leftOut.contains($0) }
    var schema = table
    schema.primaryKeyIndex = schema.primaryKeyIndex.flatMap { kept.firstIndex(of: $0) }
    schema.properties = kept.map { index in
      var property = table.properties[index]
      // Only damaged, very old or newer files can have these; such an index is not content.
      if !property.allows(property.index) || !format.holdsIndex(property.index, on: property) {
        property.index = .none
      }
      return property
    }
    return schema
  }

  // MARK: Links

  /// Whether an object is kept, and with it the links to it. Placeholders of missing objects are treated like their
  /// table.
  @inline(__always)
  package func takes(_ key: ObjectKey, of table: TableKey) -> Bool {
    guard tables.contains(table), keepsTombstones || !key.isUnresolved else { return false }
    guard !objects.isEmpty, let wanted = objects[table] else { return true }
    return wanted.contains(key) || key.isUnresolved
  }

  /// Whether a value is a link to something that is left out. In a property and in a dictionary it becomes null.
  @inline(__always)
  package func loses(_ value: ValueView) -> Bool {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key): !takes(key, of: table)
    default: false
    }
  }

  /// Whether a value inside a Mixed property, or an element of a collection, is a collection that becomes null.
  @inline(__always)
  package func loses(nested value: ValueView) -> Bool {
    guard !keepsNestedCollections else { return false }
    switch value {
    case .list, .dictionary: return true
    default: return false
    }
  }

  /// Whether an element of a list or set is removed, at any depth: a link to an object that is left out, as if that had
  /// been deleted (Docs/Format/3-tables-and-objects.md §5.5). A link to a placeholder in a Mixed value reads as null, and
  /// becomes that.
  @inline(__always)
  package func drops(element: ValueView) -> Bool {
    switch element {
    case .link: loses(element)
    case .typedLink(_, let key): !key.isUnresolved && loses(element)
    default: false
    }
  }
}

extension ListView {
  /// The bytes of the data in a set of Mixed values that are also those of one of its strings.
  ///
  /// - Throws: `StorageError`.
  package func dataLikeTexts(_ walk: CollectionWalk) throws -> Set<[UInt8]> {
    guard holdsMixed else { return [] }
    var (texts, data): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    try forEachOfSet(walk, damaged: { throw $0 }) { value in
      switch value {
      case .string(let text): texts.insert(try text.copied())
      case .data(let bytes): data.insert(try bytes.copied())
      default: break
      }
    }
    return texts.intersection(data)
  }
}
