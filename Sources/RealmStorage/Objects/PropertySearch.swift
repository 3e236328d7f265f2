/// Looking for values of a property in a batch as a whole.
extension PropertyValues {
  /// The rows whose values pass a test.
  ///
  /// - Parameters:
  ///   - among: the rows that matter.
  ///   - damaged: called for each value that cannot be read; its row is not among the result.
  /// - Returns: nil where the property holds values of another type.
  package func rows(
    passing test: LeafTest, among rows: RowMask, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask? {
    withLeaf { leaf, store, spend in
      leaf.rows(passing: test, among: rows, in: store, long: spend, damaged: damaged)
    }
  }

  /// Reads the keys of all links of a to-one link property, below 0 where there is none.
  ///
  /// - Parameter keys: room for as many as there are values.
  /// - Returns: whether the property holds such links.
  package func readLinks(into keys: UnsafeMutableBufferPointer<Int64>) -> Bool {
    withLeaf { leaf, _, _ in
      guard case .links(let node, _) = leaf.searchable else { return false }
      for row in 0..<min(leaf.count, keys.count) { keys[row] = node.uncheckedInt(row) &- 1 }
      return true
    }
  }

  /// Reads how many elements the collection of each row has.
  ///
  /// - Parameter counts: room for as many as there are values; those of other rows stay as they are.
  /// - Returns: whether the property holds collections.
  package func readCounts(
    into counts: UnsafeMutableBufferPointer<Int64>, among rows: RowMask,
    damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> Bool {
    withLeaf { leaf, store, _ in
      guard case .collections(let node, let kind, let element) = leaf.searchable else { return false }
      rows.forEach { row in
        guard row < counts.count else { return }
        do {
          counts[row] = Int64(try Self.count(node.childRef(row), kind, element, in: store))
        } catch {
          if let error = error as? StorageError { damaged(row, error) }
        }
      }
      return true
    }
  }

  private static func count(
    _ root: Ref, _ kind: CollectionKind, _ element: ElementType, in store: ByteStore
  ) throws -> Int {
    guard !root.isNull else { return 0 }
    guard kind == .dictionary else { return try BPlusTree(root: root, element: element).count(in: store) }
    return switch try DictionaryLayout(root, in: store) {
    case .trees(let keys, _): try keys.count(in: store)
    case .clusters(let tree): try tree.count(in: store)
    }
  }
}

extension ObjectBatch {
  /// Where the batch lies in the file: no two batches of a table that are there at the same time have the same.
  package var place: UInt64 { cluster.node.ref.rawValue }
}

// MARK: - Incoming links

extension Snapshot {
  /// The place of the links that come through one property of one table, among the incoming links of another table.
  package func incomingLinkIndex(to table: Table, origin: Table, property: Int) -> Int? {
    guard origin.columns.indices.contains(property) else { return nil }
    let column = origin.columns[property].key
    return table.backlinks.firstIndex { $0.originTable == origin.key && $0.originColumn == column }
  }

  /// The links to an object that come through one property.
  ///
  /// - Parameter index: into `incomingLinks(to:)` of the object's table.
  /// - Throws: `StorageError.corrupted`.
  package func backlinks(to batch: ObjectBatch, row: Int, index: Int) throws -> BacklinkGroup {
    try backlinks(batch.table.backlinks[index], batch, row)
  }
}

extension BacklinkGroup {
  /// Calls `visit` with the keys of the objects that link here, in the order of the file.
  ///
  /// - Throws: `StorageError.corrupted`; what `visit` throws.
  package func forEachOrigin(_ walk: CollectionWalk, _ visit: (ObjectKey) throws -> Void) throws {
    switch links {
    case .none: return
    case .one(let key): try visit(key)
    case .many(let root):
      try BPlusTree(root: root, element: ElementType(.int)).forEachKey(in: walk.store, budget: walk.budget) {
        try visit(ObjectKey(rawValue: $0))
      }
    }
  }
}

// MARK: - Indexes

extension Table {
  /// The search index of a property, if it has a general one or one of words.
  package func indexKind(ofProperty index: Int) -> IndexKind { columns[index].index }

  /// Whether an index tells the order of objects of equal values apart, so that looking up is worth while: lists of
  /// more objects than the limit are not read.
  ///
  /// The objects that the index of a property has where a value belongs. Values that agree in many bytes share a place:
  /// whoever asks looks at the objects' values, too.
  ///
  /// - Parameter limit: the most candidates.
  /// - Returns: nil where there is no index, or where the candidates are more than `limit`.
  /// - Throws: `StorageError.corrupted` where the index is damaged.
  package func indexCandidates(ofProperty index: Int, for value: Value, limit: Int) throws -> [ObjectKey]? {
    let column = columns[index]
    guard column.index != .none, let root = top.indexRoot(at: column.leafIndex) else { return nil }
    return try IndexLookup(root: root, store: store, mostCandidates: limit).candidates(for: value)
  }
}

/// Words of texts, as a full-text index has them.
package enum TextTokens {
  /// The distinct words of a text: lower case, without accents.
  package static func words(in text: UnsafeRawBufferPointer) -> Set<[UInt8]> { TextWords.words(in: text) }
}

// MARK: - Collections

extension DictionaryView {
  /// The value of a key; nil where the dictionary has none.
  ///
  /// All keys are looked at until it is found: upgraded files can hold dictionaries in any order
  /// (Docs/Format/2-nodes-and-values.md §11.3).
  ///
  /// - Throws: `StorageError.corrupted`.
  package func value(of key: UnsafeRawBufferPointer, _ walk: CollectionWalk) throws -> ValueView? {
    guard !root.isNull else { return nil }
    let wanted = BlobView(key)
    guard case .trees(let keys, let values) = try DictionaryLayout(root, in: walk.store) else {
      var found: ValueView?
      try forEach(walk, damaged: { throw $0 }) { key, value in
        if found == nil, ValueOrder.compareBytes(key, wanted) == 0 { found = value }
      }
      return found
    }
    var position = 0
    var found: Int?
    try keys.forEachLeaf(in: walk.store, budget: walk.budget, damaged: { throw $0 }) { leaf in
      for index in 0..<leaf.count where found == nil {
        if case .string(let key) = try leaf.value(at: index, in: walk.store), key.count == wanted.count,
          ValueOrder.compareBytes(key, wanted) == 0
        {
          found = position + index
        }
      }
      position += leaf.count
    }
    guard let found else { return nil }
    let place = try values.leaf(holding: found, in: walk.store)
    return withPlainLink(try place.leaf.value(at: place.position, in: walk.store))
  }

  /// Whether there is no tree of entries at all, as before the first entry was made.
  package var isNull: Bool { root.isNull }
}

extension ListView {
  /// Whether there is no tree of elements at all.
  package var isNull: Bool { root.isNull }
}

/// Keeps bytes of values that are not in the file.
package final class ValueKeeper: @unchecked Sendable {
  private let arena = ByteArena()

  package init() {}

  /// The borrowed form of a value; its bytes live as long as the keeper.
  package func view(of value: Value) -> ValueView { value.view(in: arena) }
}
