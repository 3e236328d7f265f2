/// Updates the search indexes of a table (Docs/Format/3-tables-and-objects.md §6): a few changes are made in the index
/// of the file; after many changes it is rebuilt.
struct IndexUpdate {
  /// The table in the file; nil for a new one.
  let stored: Table?
  let objects: EditedObjects
  let nodes: NodeEncoder
  let output: TransactionOutput

  /// Maximum number of keys of long lists to read in any case.
  private static let fewSteps = 10_000

  /// - Returns: the index of a column; null if there is none.
  func write(_ column: EditedColumn) throws -> Ref {
    guard let content = column.column.indexContent else {
      try output.releaseTree(column.storedIndex)
      return .null
    }
    if !column.isIndexStale, !column.storedIndex.isNull {
      guard !column.indexChanges.isEmpty else { return column.storedIndex }
      if let edited = try edited(column, content) { return try edited.write(nodes, output) }
    }
    try output.releaseTree(column.storedIndex)
    return try newIndex(column, content)
  }

  /// The index in the file with the changes of the transaction, not yet written.
  ///
  /// - Returns: nil if the index must be rebuilt.
  func edited(_ column: EditedColumn, _ content: IndexCollector.Content) throws -> IndexEditor? {
    guard let stored, let storedColumn = stored.columns.first(where: { $0.key == column.key }) else { return nil }
    let before = EditedColumn(storedColumn)
    // Nothing of the previous state is overwritten until the transaction is over.
    let storedObjects = try EditedClusterTree(stored.clusterTop.clusters, in: stored.store)
    func oldValue(of key: ObjectKey) throws -> Value? {
      try storedObjects.find(key).map { try objects.value(before, at: EditedRow($0, $1)) }
    }
    func newValue(of key: ObjectKey) throws -> Value? {
      try objects.findLive(key).map { try objects.value(column, at: $0) }
    }
    var pending = column.indexChanges
    let mostSteps = max(Self.fewSteps, 2 * objects.count)
    let editor = try IndexEditor(column.storedIndex, content, in: stored.store, mostSteps: mostSteps) { key in
      try pending[key] != nil ? oldValue(of: key) : newValue(of: key)
    }
    do {
      for key in column.indexChanges.keys.sorted() {
        pending[key] = nil
        try editor.replace(key, try oldValue(of: key), by: try newValue(of: key))
      }
    } catch is IndexEditor.Refusal {
      return nil
    }
    return editor
  }

  private func newIndex(_ column: EditedColumn, _ content: IndexCollector.Content) throws -> Ref {
    let collector = IndexCollector(content, nodes.format.textOrder, Spill())
    let arena = ByteArena()
    try objects.forEachCluster { cluster in
      for (key, value) in zip(cluster.keys, try objects.values(column, in: cluster)) {
        let key = ObjectKey(rawValue: Int64(bitPattern: key))
        switch (content, value) {
        case (.elements, .list(let elements)):
          for element in elements { try collector.append(element.view(in: arena), of: key) }
        default: try collector.append(value.view(in: arena), of: key)
        }
        try collector.finishObject(key)
      }
    }
    return try IndexBuilder(collector, nodes).write()
  }
}

extension Table {
  /// How many changes to make in the index of a column before rebuilding it is less work.
  func mostIndexChanges(_ column: Column, attributes: Int64, _ objectCount: Int) -> Int {
    let attributes = ColumnAttributes(rawValue: UInt16(truncatingIfNeeded: attributes))
    // An index that an engine left behind may contain something else than it says (§6.8).
    let isLeftover = attributes.contains(.indexed) == attributes.contains(.fullText)
    if isLeftover, column.key != top?.primaryKey { return 0 }
    return min(max(Self.fewIndexChanges, objectCount / 16), Self.mostIndexChanges)
  }

  private static let fewIndexChanges = 64
  /// They are kept until the commit.
  private static let mostIndexChanges = 1 << 20
}
