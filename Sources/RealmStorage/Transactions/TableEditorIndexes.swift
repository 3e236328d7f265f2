/// Search indexes (Docs/Format/3-tables-and-objects.md §6): a few changes are made in the index that the file has, after
/// many it is built anew.
extension TableEditor {
  /// - Returns: the index of a column; null where there is none.
  func writeIndex(_ column: EditedColumn) throws -> Ref {
    guard let content = column.column.indexContent else {
      try output.releaseTree(column.storedIndex)
      return .null
    }
    if !column.isIndexStale, !column.storedIndex.isNull {
      guard !column.indexChanges.isEmpty else { return column.storedIndex }
      if let edited = try editedIndex(column, content) { return try edited.write(nodes, output) }
    }
    try output.releaseTree(column.storedIndex)
    return try newIndex(column, content)
  }

  // MARK: In place

  /// The index in the file with the changes of the transaction, not written yet.
  ///
  /// - Returns: nil where the index must be built anew.
  func editedIndex(_ column: EditedColumn, _ content: IndexCollector.Content) throws -> IndexEditor? {
    guard let stored, let storedColumn = stored.columns.first(where: { $0.key == column.key }) else { return nil }
    let before = EditedColumn(storedColumn)
    // Nothing of the state before is overwritten until the transaction is over.
    let storedObjects = try EditedClusterTree(stored.top.clusters, in: store)
    var pending = column.indexChanges
    func value(_ column: EditedColumn, of key: ObjectKey, in tree: EditedClusterTree) throws -> Value? {
      guard let (cluster, row) = try tree.find(key) else { return nil }
      return try self.value(column, in: cluster, row: row)
    }
    let mostSteps = max(Self.fewSteps, 2 * objectCount)
    let editor = try IndexEditor(column.storedIndex, content, in: store, mostSteps: mostSteps) { key in
      try pending.contains(key) ? value(before, of: key, in: storedObjects) : value(column, of: key, in: self.objects)
    }
    do {
      for key in column.indexChanges.sorted() {
        pending.remove(key)
        try editor.replace(
          key, try value(before, of: key, in: storedObjects), by: try value(column, of: key, in: objects))
      }
    } catch is IndexEditor.Refusal {
      return nil
    }
    return editor
  }

  /// Keys of long lists that are looked at without a thought.
  private static let fewSteps = 10_000

  // MARK: Anew

  private func newIndex(_ column: EditedColumn, _ content: IndexCollector.Content) throws -> Ref {
    let collector = IndexCollector(content)
    let arena = ByteArena()
    try objects.forEachCluster { cluster in
      for (key, value) in zip(cluster.keys, try values(column, in: cluster)) {
        let key = ObjectKey(rawValue: Int64(bitPattern: key))
        switch (content, value) {
        case (.elements, .list(let elements)):
          for element in elements { try collector.append(element.view(in: arena), of: key) }
        default: try collector.append(value.view(in: arena), of: key)
        }
        collector.finishObject(key)
      }
    }
    return try IndexBuilder(collector, nodes).write()
  }
}

extension Table {
  /// How many changes are made in the index of a column before building it anew is less work.
  func mostIndexChanges(_ column: Column, attributes: Int64, _ objectCount: Int) -> Int {
    let attributes = ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: attributes))
    // What an engine left behind may hold something else than it says (§6.8).
    let isLeftover = attributes.contains(.indexed) == attributes.contains(.fullText)
    if isLeftover, column.key != top.primaryKey { return 0 }
    return min(max(Self.fewIndexChanges, objectCount / 16), Self.mostIndexChanges)
  }

  private static let fewIndexChanges = 64
  /// They are kept until the commit.
  private static let mostIndexChanges = 1 << 20
}

/// Objects by primary key, as a transaction changes them.
struct PrimaryKeys {
  /// The index in the file; nil where all objects are here.
  let index: IndexLookup?
  /// Whether an object that is neither here nor in the index is nowhere.
  var isComplete: Bool
  /// With an index, the objects that the transaction has given their primary keys.
  private var keys: [Value: ObjectKey] = [:]

  /// - Parameter index: nil where there is none, or none of this primary key: then nothing is known.
  init(_ index: IndexLookup? = nil) { (self.index, isComplete) = (index, index != nil) }

  subscript(value: Value) -> ObjectKey? { keys[value] }

  mutating func reserveCapacity(_ count: Int) { keys.reserveCapacity(count) }

  mutating func add(_ value: Value, of key: ObjectKey) { keys[value] = key }

  mutating func remove(_ value: Value, of key: ObjectKey) {
    if keys[value] == key { keys[value] = nil }
  }
}
