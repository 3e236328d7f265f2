/// Changes a search index of the file where values have changed (Docs/Format/3-tables-and-objects.md §6.5–6.7).
///
/// Nodes are read when they are needed and written once, those that were changed. The result has the form that
/// `IndexBuilder` gives the same entries, except for where nodes are split, and for lists of long strings that were
/// once less alike.
final class IndexEditor {
  /// Why the index must be rebuilt.
  enum Refusal: Error {
    /// An entry of an object is missing, or there is one where none should be: the index does not belong to these
    /// values.
    case otherValues
    /// Searching its long lists repeatedly would take longer.
    case tooMuchWork
  }

  private let content: IndexCollector.Content
  private let store: ByteStore
  /// The value of an object in the index, if it is not being replaced; nil for an unknown object.
  private let value: (ObjectKey) throws -> Value?
  private var root: EditedIndex.Subtree
  /// Nodes in the file that are no longer part of the index.
  private var droppedNodes: [Node] = []
  private var droppedLists: [EditedKeyList] = []
  /// The object that is being replaced, and its current entries in the index.
  private var current: (key: ObjectKey, terms: Set<IndexTerm>)?
  private var knownTerms: [ObjectKey: Set<IndexTerm>] = [:]
  /// Keys that may still be looked at one by one.
  private var stepsLeft: Int

  private static let mostKnownTerms = 1000

  /// An object on its way into the index or out of it.
  private struct Entry {
    let key: ObjectKey
    let term: IndexTerm
    /// For the order of lists of single values.
    let value: Value
  }

  /// - Parameter mostSteps: keys that may be looked at one by one, in lists without a reliable order.
  /// - Throws: `StorageError.corrupted`.
  init(
    _ index: Ref, _ content: IndexCollector.Content, in store: ByteStore, mostSteps: Int,
    value: @escaping (ObjectKey) throws -> Value?
  ) throws {
    (self.content, self.store, self.value, stepsLeft) = (content, store, value, mostSteps)
    root = try EditedIndex.Subtree(index: index, in: store)
  }

  // MARK: Changing

  /// Removes the old value of an object and adds the new one.
  ///
  /// - Parameters:
  ///   - old: nil for an object that the index does not know.
  ///   - new: nil for an object that has been deleted.
  /// - Throws: `StorageError.corrupted`, `BuildError.indexedTextTooLong`, `Refusal`.
  func replace(_ key: ObjectKey, _ old: Value?, by new: Value?) throws {
    let oldTerms = try old.map { try IndexTerm.terms(of: $0, content) } ?? []
    let newTerms = try new.map { try IndexTerm.terms(of: $0, content) } ?? []
    var (gone, added) = (oldTerms.subtracting(newTerms), newTerms.subtracting(oldTerms))
    // Equal data need not be equal values.
    if content == .mixedValues, let old, let new, old.indexOrder(new) != 0 { (gone, added) = (oldTerms, newTerms) }
    current = (key, oldTerms)
    for term in gone.sorted() {
      current?.terms.remove(term)
      try remove(Entry(key: key, term: term, value: old ?? .null), below: root, at: 0, depth: 0)
      root = try collapsed(root)
    }
    for term in added.sorted() {
      root = try insert(Entry(key: key, term: term, value: new ?? .null), below: root, at: 0, depth: 0)
      current?.terms.insert(term)
    }
    current = nil
    knownTerms[key] = nil
  }

  /// Writes what has changed.
  ///
  /// - Returns: the root.
  func write(_ nodes: NodeEncoder, _ output: any NodeReplacement) throws -> Ref {
    for node in droppedNodes { output.release(node) }
    for list in droppedLists { try list.release(output) }
    return try root.write(nodes, output)
  }

  // MARK: Insert

  private func insert(
    _ entry: Entry, below root: EditedIndex.Subtree, at offset: Int, depth: Int
  ) throws -> EditedIndex.Subtree {
    guard let sibling = try add(entry, to: root, at: offset, depth: depth) else { return root }
    return .inner(EditedIndex.Inner([root.lastChunk, sibling.lastChunk], [root, sibling], ()))
  }

  /// - Returns: the second part of a node that had no room.
  private func add(
    _ entry: Entry, to node: EditedIndex.Subtree, at offset: Int, depth: Int
  ) throws -> EditedIndex.Subtree? {
    try requireDepth(of: node, depth)
    let chunk = entry.term.chunk(at: offset)
    switch node {
    case .inner(let inner):
      let index = min(inner.position(notBelow: chunk), inner.count - 1)
      let child = try inner.child(at: index, in: store)
      let sibling = try add(entry, to: child, at: offset, depth: depth + 1)
      inner.setBound(child.lastChunk, at: index)
      guard let sibling else { return nil }
      inner.insert(sibling, sibling.lastChunk, at: index + 1)
      guard let cut = cutOfFullNode(inner.count, most: IndexNode.mostKeys, insertedAt: index + 1) else { return nil }
      let tail = inner.removeTail(from: cut)
      return .inner(EditedIndex.Inner(tail.bounds, tail.children, ()))
    case .leaf(let leaf):
      let index = leaf.position(notBelow: chunk)
      if index < leaf.count, leaf.chunks[index] == chunk {
        leaf.set(try joined(entry, try leaf.slot(at: index, in: store), at: offset, depth: depth), at: index)
        return nil
      }
      leaf.insert(chunk, try newSlot(entry, at: offset, depth: depth), at: index)
      return leaf.split(insertedAt: index).map { .leaf($0) }
    case .stored: throw Refusal.otherValues
    }
  }

  private func requireDepth(of node: EditedIndex.Subtree, _ depth: Int) throws {
    guard depth < IndexNode.mostLevels else {
      throw StorageError.corrupted(node.storedNodes.first?.ref ?? .null, .tooDeep)
    }
  }

  private var isOfWords: Bool { content == .words || content == .elements }

  /// What a chunk of a single entry refers to: the object, or the rest of a word.
  private func newSlot(_ entry: Entry, at offset: Int, depth: Int) throws -> EditedIndexLeaf.Slot {
    guard isOfWords, !entry.term.ends(at: offset) else { return .object(entry.key) }
    return .index(
      try insert(entry, below: .leaf(EditedIndexLeaf()), at: offset + IndexData.chunkSize, depth: depth + 1))
  }

  /// What a chunk refers to when one more object has it.
  private func joined(
    _ entry: Entry, _ slot: EditedIndexLeaf.Slot, at offset: Int, depth: Int
  ) throws -> EditedIndexLeaf.Slot {
    let next = offset + IndexData.chunkSize
    let known: ObjectKey
    switch slot {
    case .index(let index):
      guard next <= IndexNode.lastOffset else {
        throw StorageError.corrupted(index.storedNodes.first?.ref ?? .null, .tooDeep)
      }
      return .index(try insert(entry, below: index, at: next, depth: depth + 1))
    case .object(let key): known = key
    case .list(let list): known = try list.key(at: 0)
    case .stored: throw Refusal.otherValues
    }
    let other = try term(of: known, sharing: entry, to: offset)
    if other == entry.term || (!isOfWords && next > IndexData.lastOffset) {
      let list = if case .list(let list) = slot { list } else { EditedKeyList([known], in: store) }
      try add(entry, to: list, at: offset)
      return .list(list)
    }
    let index = EditedIndexLeaf([other.chunk(at: next)], [slot])
    return .index(try insert(entry, below: .leaf(index), at: next, depth: depth + 1))
  }

  // MARK: Terms of other objects

  /// The terms of an object that is found where an entry belongs.
  private func term(of key: ObjectKey, sharing entry: Entry, to offset: Int) throws -> IndexTerm {
    switch content {
    case .values, .mixedValues:
      guard key != entry.key, let value = try value(key) else { throw Refusal.otherValues }
      let term = IndexTerm(value)
      guard term.chunk(at: offset) == entry.term.chunk(at: offset) else { throw Refusal.otherValues }
      return term
    case .words:
      // Words have no `X` of their own: the chunks tell where they end.
      if entry.term.ends(at: offset) { return entry.term }
      return IndexTerm(bytes: entry.term.bytes.map { Array($0.prefix(offset + IndexData.chunkSize)) })
    case .elements:
      let found = try terms(of: key).filter { $0.ends(at: offset) && $0.isSame(as: entry.term, to: offset) }
      guard found.count == 1, let term = found.first else { throw Refusal.otherValues }
      return term
    }
  }

  /// The elements of an object in the index.
  private func terms(of key: ObjectKey) throws -> Set<IndexTerm> {
    if let current, current.key == key { return current.terms }
    if let known = knownTerms[key] { return known }
    let terms = try value(key).map { try IndexTerm.terms(of: $0, content) } ?? []
    if knownTerms.count >= Self.mostKnownTerms { knownTerms.removeAll(keepingCapacity: true) }
    knownTerms[key] = terms
    return terms
  }

  // MARK: Lists

  /// Puts an object into a list: by value, then by key (§6.5).
  private func add(_ entry: Entry, to list: EditedKeyList, at offset: Int) throws {
    var place: Int
    if content == .mixedValues { try requireAbsence(of: entry.key, from: list) }
    if try holdsOneValue(list, at: offset) {
      let order = isOfSameValue(offset) ? 0 : entry.value.indexOrder(try requiredValue(list.key(at: 0)))
      place = order == 0 ? try list.position(notBelow: entry.key) : order < 0 ? 0 : list.count
    } else {
      place = try self.place(for: entry, in: list)
    }
    place = min(place, list.count)
    if place < list.count, try list.key(at: place) == entry.key { throw Refusal.otherValues }
    try list.insert(entry.key, at: place)
  }

  /// Engines leave entries behind in indexes of Mixed properties (§11): such a list may contain an object at a place
  /// where its value does not belong.
  private func requireAbsence(of key: ObjectKey, from list: EditedKeyList) throws {
    try list.forEach { each in
      try step()
      guard each != key else { throw Refusal.otherValues }
      return true
    }
  }

  /// Whether equal data are equal values, and nothing else shares a list.
  private func isOfSameValue(_ offset: Int) -> Bool {
    isOfWords || (content == .values && offset + IndexData.chunkSize <= IndexData.lastOffset)
  }

  private func holdsOneValue(_ list: EditedKeyList, at offset: Int) throws -> Bool {
    if isOfSameValue(offset) || list.count == 1 { return true }
    let first = try requiredValue(list.key(at: 0))
    return first.indexOrder(try requiredValue(list.key(at: list.count - 1))) == 0
  }

  private func requiredValue(_ key: ObjectKey) throws -> Value {
    guard let value = try value(key) else { throw Refusal.otherValues }
    return value
  }

  /// The place in a list of several values. Lists of old files are in another order (§6.5), so all of it is looked at.
  private func place(for entry: Entry, in list: EditedKeyList) throws -> Int {
    var (index, place, firstGreater) = (0, Int?.none, Int?.none)
    try list.forEach { key in
      defer { index += 1 }
      try step()
      let order = try requiredValue(key).indexOrder(entry.value)
      if order > 0, firstGreater == nil { firstGreater = index }
      if order == 0, key < entry.key { place = index + 1 }
      if order == 0, key > entry.key {
        place = place ?? index
        return false
      }
      return true
    }
    return place ?? firstGreater ?? index
  }

  private func step() throws {
    stepsLeft -= 1
    guard stepsLeft >= 0 else { throw Refusal.tooMuchWork }
  }

  // MARK: Remove

  private func remove(_ entry: Entry, below node: EditedIndex.Subtree, at offset: Int, depth: Int) throws {
    try requireDepth(of: node, depth)
    let chunk = entry.term.chunk(at: offset)
    switch node {
    case .inner(let inner):
      let index = inner.position(notBelow: chunk)
      guard index < inner.count else { throw Refusal.otherValues }
      let child = try inner.child(at: index, in: store)
      try remove(entry, below: child, at: offset, depth: depth + 1)
      guard child.isEmpty else { return inner.setBound(child.lastChunk, at: index) }
      droppedNodes += child.storedNodes
      inner.remove(at: index)
    case .leaf(let leaf):
      let index = leaf.position(notBelow: chunk)
      guard index < leaf.count, leaf.chunks[index] == chunk else { throw Refusal.otherValues }
      if let rest = try rest(of: try leaf.slot(at: index, in: store), without: entry, at: offset, depth: depth) {
        leaf.set(rest, at: index)
      } else {
        leaf.remove(at: index)
      }
    case .stored: throw Refusal.otherValues
    }
  }

  /// What a chunk refers to when an object is removed; nil for nothing.
  private func rest(
    of slot: EditedIndexLeaf.Slot, without entry: Entry, at offset: Int, depth: Int
  ) throws -> EditedIndexLeaf.Slot? {
    switch slot {
    case .stored: throw Refusal.otherValues
    case .object(let key):
      guard key == entry.key else { throw Refusal.otherValues }
      return nil
    case .list(let list): return try rest(of: list, without: entry.key)
    case .index(let index):
      let next = offset + IndexData.chunkSize
      guard next <= IndexNode.lastOffset else {
        throw StorageError.corrupted(index.storedNodes.first?.ref ?? .null, .tooDeep)
      }
      try remove(entry, below: index, at: next, depth: depth + 1)
      let rest = try collapsed(index)
      guard !rest.isEmpty else {
        droppedNodes += rest.storedNodes
        return nil
      }
      guard let only = try onlyEntry(of: rest, sharing: entry, at: next) else { return .index(rest) }
      droppedNodes += rest.storedNodes
      return only
    }
  }

  private func rest(of list: EditedKeyList, without key: ObjectKey) throws -> EditedIndexLeaf.Slot? {
    let place = try place(of: key, in: list)
    try list.remove(at: place)
    // A list of texts that repeats one may have its object twice (§6.8).
    while isOfWords, place < list.count, try list.key(at: place) == key { try list.remove(at: place) }
    guard list.count < 2 else { return .list(list) }
    droppedLists.append(list)
    return list.count == 0 ? nil : .object(try list.key(at: 0))
  }

  /// Where a key is, whatever the order of the list.
  private func place(of key: ObjectKey, in list: EditedKeyList) throws -> Int {
    let guess = try list.position(notBelow: key)
    if guess < list.count, try list.key(at: guess) == key { return guess }
    var (position, found) = (0, Int?.none)
    try list.forEach { each in
      try step()
      if each == key { found = position }
      position += 1
      return found == nil
    }
    guard let found else { throw Refusal.otherValues }
    return found
  }

  /// An inner root with one child gives way to it, and one without any to an empty leaf.
  private func collapsed(_ root: EditedIndex.Subtree) throws -> EditedIndex.Subtree {
    var (root, depth) = (root, 0)
    while case .inner(let inner) = root, inner.count < 2 {
      try requireDepth(of: root, depth)
      droppedNodes += inner.stored
      guard inner.count == 1 else { return .leaf(EditedIndexLeaf()) }
      root = try inner.child(at: 0, in: store)
      depth += 1
    }
    return root
  }

  /// The remaining object or list of a sub-index, if its chunk above can refer to it directly because nothing else
  /// shares that chunk.
  ///
  /// - Parameter entry: the removed one.
  private func onlyEntry(
    of index: EditedIndex.Subtree, sharing entry: Entry, at offset: Int
  ) throws -> EditedIndexLeaf.Slot? {
    guard case .leaf(let index) = index, index.count == 1 else { return nil }
    let slot = try index.slot(at: 0, in: store)
    let key: ObjectKey
    switch slot {
    case .object(let only): key = only
    case .list(let list): key = try list.key(at: 0)
    case .index, .stored: return nil
    }
    let above = offset - IndexData.chunkSize
    switch content {
    case .values, .mixedValues:
      // In the last lists there can be different values.
      if case .list = slot, offset + IndexData.chunkSize > IndexData.lastOffset { return nil }
      return slot
    case .words:
      let chunk = index.chunks[0]
      return chunk == 0 || chunk == IndexData.chunk(of: UnsafeRawBufferPointer(start: nil, count: 0), at: 0)
        ? slot : nil
    case .elements:
      let found = try terms(of: key).filter {
        $0.ends(at: offset) && $0.chunk(at: offset) == index.chunks[0] && $0.isSame(as: entry.term, to: above)
      }
      guard found.count == 1, let term = found.first, term.ends(at: above) else { return nil }
      return slot
    }
  }
}
