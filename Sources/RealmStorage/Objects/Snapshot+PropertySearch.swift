/// Looking for values of a property in a batch as a whole.
extension PropertyValues {
  /// The rows whose values pass a test.
  ///
  /// - Parameters:
  ///   - among: the rows to test.
  ///   - damaged: called for each value that cannot be read; its row is not in the result.
  /// - Returns: nil if the property has values of another type.
  package func rows(
    passing test: LeafTest, among rows: RowMask, damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> RowMask? {
    let found = withLeaf { leaf, store, spend in
      leaf.rows(passing: test, among: rows, in: store, long: spend, damaged: damaged)
    }
    if let found { return found }
    // Rows of a column are looked at one by one.
    var passing = RowMask()
    var isOfType = true
    rows.forEach { row in
      do {
        guard let passes = try test.passes(value(at: row)) else { return isOfType = false }
        if passes { passing.insert(row) }
      } catch {
        if let error = error as? StorageError { damaged(row, error) }
      }
    }
    return isOfType ? passing : nil
  }

  /// Reads the keys of all links of a to-one link property; below 0 for no link.
  ///
  /// - Parameter keys: has room for as many keys as there are values.
  /// - Returns: whether the property has such links.
  package func readLinks(into keys: UnsafeMutableBufferPointer<Int64>) -> Bool {
    let found = withLeaf { leaf, _, _ in
      guard case .links(let node, _) = leaf.searchable else { return false }
      for row in 0..<min(leaf.count, keys.count) { keys[row] = node.uncheckedInt(row) &- 1 }
      return true
    }
    if let found { return found }
    for row in 0..<min(count, keys.count) {
      switch try? value(at: row) {
      case .link(_, let key): keys[row] = key.rawValue
      case .null: keys[row] = -1
      default: return false
      }
    }
    return true
  }

  /// Reads how many elements the collection of each row has.
  ///
  /// - Parameter counts: has room for as many as there are values; those of other rows do not change.
  /// - Returns: whether the property has collections.
  package func readCounts(
    into counts: UnsafeMutableBufferPointer<Int64>, among rows: RowMask,
    damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> Bool {
    let found = withLeaf { leaf, store, _ in
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
    if let found { return found }
    var areLists = true
    rows.forEach { row in
      guard row < counts.count else { return }
      do {
        guard case .list(let list) = try value(at: row) else { return areLists = false }
        counts[row] = Int64(try elementCount(of: list))
      } catch {
        if let error = error as? StorageError { damaged(row, error) }
      }
    }
    return areLists
  }

  /// Calls `visit` with the key of each target of the lists or sets of links of some rows, until it returns false for a
  /// row; links to tombstones are left out.
  ///
  /// - Parameter damaged: called for each row whose links cannot be read, or for which `visit` throws, with the error.
  package func forEachLink(
    among rows: RowMask, _ walk: CollectionWalk, damaged: (_ row: Int, _ error: any Error) -> Void,
    _ visit: (_ row: Int, ObjectKey) throws -> Bool
  ) {
    let areLists = withLeaf { leaf, store, _ in
      guard case .collections(let node, let kind, let element) = leaf.searchable, kind != .dictionary,
        element.code == .link, element.layout == .current
      else { return false }
      rows.forEach { row in
        do {
          try Self.forEachLink(BPlusTree(root: node.childRef(row), element: element), walk, in: store) {
            try visit(row, $0)
          }
        } catch { damaged(row, error) }
      }
      return true
    }
    guard areLists != true else { return }
    rows.forEach { row in
      do { _ = try forEachLink(at: row, walk) { try visit(row, $0) } } catch { damaged(row, error) }
    }
  }

  /// Most lists have one leaf, which is read as the node that it is.
  @inline(__always)
  private static func forEachLink(
    _ tree: BPlusTree, _ walk: CollectionWalk, in store: ByteStore, _ visit: (ObjectKey) throws -> Bool
  ) throws {
    guard !tree.root.isNull else { return }
    guard let only = try tree.onlyLeaf(in: store) else {
      var goesOn = true
      return try tree.forEachLeaf(in: store, budget: walk.budget, damaged: { throw $0 }) { leaf in
        guard goesOn, case .keys(let keys, _) = leaf.searchable else { return }
        goesOn = try forEachKey(keys, visit)
      }
    }
    let keys = try tree.links(only, in: store)
    try walk.budget.spend(Leaf.footprint(of: keys, count: keys.count), at: tree.root)
    _ = try forEachKey(keys, visit)
  }

  /// - Returns: whether to go on.
  @inline(__always)
  private static func forEachKey(_ keys: Node, _ visit: (ObjectKey) throws -> Bool) throws -> Bool {
    for index in 0..<keys.count {
      let key = keys.uncheckedInt(index)
      guard try key < 0 || visit(ObjectKey(rawValue: key)) else { return false }
    }
    return true
  }

  /// Calls `visit` with the key of each target of a row's list or set of links, until it returns false; links to
  /// tombstones are left out.
  ///
  /// - Returns: whether the property has such collections.
  /// - Throws: `StorageError.corrupted`; errors of `visit`.
  package func forEachLink(
    at row: Int, _ walk: CollectionWalk, _ visit: (ObjectKey) throws -> Bool
  ) throws -> Bool {
    let found = try withLeaf { leaf, store, _ in
      guard case .collections(let node, let kind, let element) = leaf.searchable, kind != .dictionary,
        element.code == .link || element.code == .linkList
      else { return false }
      var goesOn = true
      func visitAll(_ leaf: Leaf) throws {
        guard goesOn, case .keys(let keys, _) = leaf.searchable else { return }
        goesOn = try Self.forEachKey(keys, visit)
      }
      try Self.forEachLeaf(node.childRef(row), element, walk, in: store, visitAll)
      return true
    }
    if let found { return found }
    guard case .list(let list) = try value(at: row) else { return false }
    var goesOn = true
    try list.forEach(walk, damaged: { throw $0 }) { element in
      if goesOn, case .link(_, let key) = element { goesOn = try visit(key) }
    }
    return true
  }

  /// The rows in whose list or set any element passes a test, and those in which all do.
  ///
  /// - Parameter damaged: called for each collection that cannot be read.
  /// - Returns: also the rows for which this test gives no answer.
  package func elements(
    passing test: LeafTest, among rows: RowMask, _ walk: CollectionWalk,
    damaged: (_ row: Int, _ error: StorageError) -> Void
  ) -> (any: RowMask, all: RowMask, unknown: RowMask) {
    var (any, all, unknown) = (RowMask(), RowMask(), RowMask())
    // Rows of a column have lists of links only.
    let isSearched: Bool?? = withLeaf { leaf, store, spend in
      guard case .collections(let node, let kind, let element) = leaf.searchable, kind != .dictionary else {
        return nil
      }
      let text = element.code == .string ? test.exactText : nil
      rows.forEach { row in
        do {
          let root = try node.childRef(row)
          guard
            let found = try text.flatMap({ try Self.shortTexts(root, $0, test.matchesNullText, walk, in: store) })
              ?? Self.elements(root, element, passing: test, walk, in: store, long: spend)
          else { return unknown.insert(row) }
          if found.any { any.insert(row) }
          if found.all { all.insert(row) }
        } catch {
          if let error = error as? StorageError { damaged(row, error) }
        }
      }
      return true
    }
    withExtendedLifetime(test) {}
    return isSearched == true ? (any, all, unknown) : (RowMask(), RowMask(), rows)
  }

  private static func elements(
    _ root: Ref, _ element: ElementType, passing test: LeafTest, _ walk: CollectionWalk, in store: ByteStore,
    long: (_ byteCount: Int) throws -> Void
  ) throws -> (any: Bool, all: Bool)? {
    var result: (any: Bool, all: Bool)? = (false, true)
    var failure: StorageError?
    try forEachLeaf(root, element, walk, in: store) { leaf in
      let rows = RowMask(first: leaf.count)
      guard let (any, all) = result, leaf.count <= RowMask.capacity,
        let passing = leaf.rows(passing: test, among: rows, in: store, long: long, damaged: { failure = failure ?? $1 })
      else {
        result = nil
        return
      }
      result = (any || !passing.isEmpty, all && passing == rows)
    }
    if let failure { throw failure }
    return result
  }

  /// The same for one string among short ones in one leaf, as in most lists of strings; nil for all others.
  @inline(__always)
  private static func shortTexts(
    _ root: Ref, _ text: UnsafeRawBufferPointer, _ matchesNull: Bool, _ walk: CollectionWalk, in store: ByteStore
  ) throws -> (any: Bool, all: Bool)? {
    guard !root.isNull else { return (false, true) }
    let leaf = try Node(root, in: store)
    guard !leaf.isInner, !leaf.hasRefs, leaf.scheme == .multiply, leaf.width > 0, leaf.count <= RowMask.capacity else {
      return nil
    }
    try walk.budget.spend(leaf.byteSize, at: root)
    var (any, all) = (false, true)
    for index in 0..<leaf.count {
      switch leaf.shortText(at: index, matches: text) {
      case .equal: any = true
      case .null where matchesNull: any = true
      case .different, .null: all = false
      case .damaged: throw StringLeaf.wrongPadding(of: index, root)
      }
    }
    return (any, all)
  }

  /// Calls `visit` with the leaves of a collection.
  @inline(__always)
  private static func forEachLeaf(
    _ root: Ref, _ element: ElementType, _ walk: CollectionWalk, in store: ByteStore, _ visit: (Leaf) throws -> Void
  ) throws {
    guard !root.isNull else { return }
    guard try Node(root, in: store).isInner else {
      let leaf = try Leaf(root, of: element, inCollection: true, in: store)
      try walk.budget.spend(leaf.footprint, at: root)
      return try visit(leaf)
    }
    try BPlusTree(root: root, element: element).forEachLeaf(
      in: store, budget: walk.budget, damaged: { throw $0 }, visit: visit)
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

// MARK: - Incoming links

extension Snapshot {
  /// The place of the links through one property of one table, among the incoming links of another table.
  package func incomingLinkIndex(to table: Table, origin: Table, property: Int) -> Int? {
    guard origin.columns.indices.contains(property) else { return nil }
    let column = origin.columns[property].key
    return table.backlinks.firstIndex { $0.originTable == origin.key && $0.originColumn == column }
  }

  /// The links to an object through one property.
  ///
  /// - Parameter index: into `incomingLinks(to:)` of the object's table.
  /// - Throws: `StorageError.corrupted`.
  package func backlinks(to batch: ObjectBatch, row: Int, index: Int) throws -> BacklinkGroup {
    try backlinks(batch.table.backlinks[index], batch, row)
  }
}

extension BacklinkGroup {
  /// The links as they are stored: 0 for none, the key of the only object twice and one more, or a place in the file; a
  /// number that is not a place where several are not stored together.
  package var storedElement: Int64 {
    switch links {
    case .none: 0
    case .one(let key): key.rawValue &<< 1 | 1
    case .many(let root): Int64(bitPattern: root.rawValue)
    case .found(let keys):
      keys.count > 1 ? .min : keys.first.map { $0.rawValue &<< 1 | 1 } ?? 0
    }
  }

  /// Calls `visit` with the keys of the objects that link here, in the order of the file.
  ///
  /// - Throws: `StorageError.corrupted`; what `visit` throws.
  package func forEachOrigin(_ walk: CollectionWalk, _ visit: (ObjectKey) throws -> Void) throws {
    switch links {
    case .none: return
    case .one(let key): try visit(key)
    case .found(let keys): for key in keys { try visit(key) }
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

  /// The objects at the place of a value in the index of a property. Values that agree in many bytes share a place, so
  /// the caller must also compare the objects' values.
  ///
  /// - Parameter limit: the maximum number of candidates.
  /// - Returns: nil if there is no index, or there are more candidates than `limit`.
  /// - Throws: `StorageError.corrupted` if the index is damaged.
  package func indexCandidates(ofProperty index: Int, for value: Value, limit: Int) throws -> [ObjectKey]? {
    let column = columns[index]
    guard column.index != .none, let root = top?.indexRoot(at: column.leafIndex) else { return nil }
    return try IndexLookup(root: root, store: store, mostCandidates: limit).candidates(for: value)
  }
}

extension Table {
  /// The first object whose property has a value, according to the index of the property.
  ///
  /// - Returns: nil if no index can answer; otherwise the object, or nil if the index has none.
  /// - Throws: `StorageError.corrupted` if the index, or an object in it, is damaged.
  package func indexedObject(
    ofProperty index: Int, is value: Value, in snapshot: Snapshot
  ) throws -> IndexedObject? {
    // The index of a list has its elements.
    guard columns[index].index == .general, columns[index].collection == nil,
      let candidates = try indexCandidates(ofProperty: index, for: value, limit: 1000)
    else { return nil }
    let walk = snapshot.collectionWalk()
    for key in candidates.sorted() {
      guard let found = try object(key) else { continue }
      if try Value(found.batch.values(ofProperty: index).value(at: found.row), walk) == value {
        return IndexedObject(key: key)
      }
    }
    return IndexedObject(key: nil)
  }

  /// The first object whose property has a value, found by a walk over all objects; nil if there is none.
  ///
  /// - Parameter releasesPages: gives pages back in between, which nobody else may be using then.
  /// - Throws: `StorageError` if objects are damaged and it is not among the others.
  package func firstObject(
    ofProperty index: Int, is value: Value, in snapshot: Snapshot, releasesPages: Bool = false
  ) throws -> ObjectKey? {
    let walk = snapshot.collectionWalk()
    var batches = batches()
    var damage: StorageError?
    while let step = batches.next() {
      switch step {
      case .damaged(let error): damage = damage ?? error
      case .batch(let batch):
        let values = try batch.values(ofProperty: index)
        for row in 0..<batch.count where try Value(values.value(at: row), walk) == value { return batch.key(at: row) }
      }
      if releasesPages, snapshot.holdsTooManyPages {
        try snapshot.releasePages()
        if let error = batches.restorePlaces() { throw error }
      }
    }
    // It may be one of those that cannot be read.
    if let damage { throw damage }
    return nil
  }
}

/// What an index says about a value.
package struct IndexedObject: Sendable {
  /// The first object that has it; nil for none.
  package let key: ObjectKey?
}

/// Words of texts, as a full-text index has them.
package enum TextTokens {
  /// The distinct words of a text: lower case, without accents.
  package static func words(in text: UnsafeRawBufferPointer) -> Set<[UInt8]> { TextWords.words(in: text) }
}

// MARK: - Collections

extension DictionaryView {
  /// The value of a key; nil if the dictionary has none.
  ///
  /// - Throws: `StorageError.corrupted`.
  package func value(of key: UnsafeRawBufferPointer, _ walk: CollectionWalk) throws -> ValueView? {
    guard !root.isNull else { return nil }
    guard case .trees(let keys, let values) = try DictionaryLayout(root, in: walk.store) else {
      let wanted = BlobView(key)
      var found: ValueView?
      try forEach(walk, damaged: { throw $0 }) { key, value in
        if found == nil, ValueOrder.compareBytes(key, wanted) == 0 { found = value }
      }
      return found
    }
    var position = 0
    var found: Int?
    try keys.forEachLeaf(in: walk.store, budget: walk.budget, damaged: { throw $0 }) { leaf in
      defer { position += leaf.count }
      guard found == nil, case .strings(let texts) = leaf.searchable else { return }
      found = try texts.firstIndex(of: key, in: walk.store).map { position + $0 }
    }
    guard let found else { return nil }
    let place = try values.leaf(holding: found, in: walk.store)
    return withPlainLink(try place.leaf.value(at: place.position, in: walk.store))
  }

  /// Whether there is no tree of entries at all, as before the first entry was added.
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
