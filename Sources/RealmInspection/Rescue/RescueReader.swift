import RealmStorage

/// What happened to one value.
package enum RescuedCell: Sendable {
  case value(Value, RescueConfidence)
  case lost
}

/// Reads values of a damaged file, each of them whole or not at all.
///
/// If bytes are lost, every value is read twice, once with zeros and once with ones in their place: a value that is the
/// same in both does not depend on them.
package struct RescueReader {
  let bytes: RescueBytes
  let space: RescueSpace
  let backlinks: RescueBacklinkCache
  let indexes: RescueIndexCache
  /// Nothing needs to be compared with anything else.
  let isSound: Bool
  private let walk: CollectionWalk
  private let showingWalk: CollectionWalk
  private let otherWalk: CollectionWalk?

  /// How often each byte may be read by one reader.
  private static let passes = 64

  init(
    _ bytes: RescueBytes, _ space: RescueSpace, _ backlinks: RescueBacklinkCache, _ indexes: RescueIndexCache,
    isSound: Bool, format: UInt8
  ) {
    (self.bytes, self.space, self.backlinks, self.indexes) = (bytes, space, backlinks, indexes)
    self.isSound = isSound
    // Sets and dictionaries are sorted if nothing shows that they are.
    let format = isSound ? format : 0
    walk = CollectionWalk(store: bytes.store, format: format, passes: Self.passes).sortingDictionaries
    var showing = walk
    showing.showsTombstones = true
    showingWalk = showing
    otherWalk = bytes.other.map { store in
      var walk = CollectionWalk(store: store, format: format, passes: Self.passes).sortingDictionaries
      walk.showsTombstones = true
      return walk
    }
  }

  /// The values of one column of a group of objects.
  ///
  /// - Parameters:
  ///   - confidence: of sound values.
  ///   - mustBeFree: what the snapshot at hand uses otherwise was overwritten.
  /// - Returns: as many as there are objects.
  func cells(
    of column: Column, in cluster: RescueCluster, confidence: RescueConfidence, mustBeFree: Bool = false
  ) -> [RescuedCell] {
    let nothing = [RescuedCell](repeating: .lost, count: cluster.count)
    guard let ref = cluster.leafRef(column.leafIndex), !mustBeFree || !space.isTaken(ref.rawValue),
      let leaf = try? leaf(ref, column, in: bytes.store)
    else { return nothing }
    guard leaf.count == cluster.count, !hasLostNull(ref, column) else { return nothing }
    let isDoubtful = space.sharedLeaves.contains(ref)
    let other =
      column.collection == nil && isWholeLeaf(ref, column)
      ? nil : bytes.other.map { store in try? self.leaf(ref, column, in: store) }
    if case .some(.none) = other { return salvagedCells(of: column, ref, cluster, confidence) ?? nothing }
    return (0..<cluster.count).map { row in
      guard let value = value(row, leaf, other ?? nil), isPossible(value, in: column),
        !mustBeFree || isFree(row, ref, column)
      else { return .lost }
      return .value(value, isDoubtful || isShared(row, ref, column) ? .doubtful : confidence)
    }
  }

  /// The values of one column of a group of objects where they are; nil if one cannot be read, or bytes are lost.
  func views(of column: Column, in cluster: RescueCluster) -> [ValueView]? {
    guard bytes.other == nil, let ref = cluster.leafRef(column.leafIndex),
      let leaf = try? leaf(ref, column, in: bytes.store), leaf.count == cluster.count
    else { return nil }
    var isReadable = true
    let views = [ValueView](unsafeUninitializedCapacity: leaf.count) { values, count in
      values.initialize(repeating: .null)
      leaf.decode(into: values, in: bytes.store) { _, _ in isReadable = false }
      count = leaf.count
    }
    return isReadable ? views : nil
  }

  /// Adds the elements of a list or set to others.
  ///
  /// - Returns: whether all can be read.
  func addElements(of list: ListView, to elements: inout [ValueView]) -> Bool {
    (try? list.forEach(walk, damaged: { throw $0 }) { elements.append($0) }) != nil
  }

  private func leaf(_ ref: Ref, _ column: Column, in store: ByteStore) throws -> Leaf {
    if let collection = column.collection { return try Leaf(ref, of: collection, column.element, in: store) }
    return try Leaf(ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: store)
  }

  /// What comes out the same is compared with links to placeholders shown: ones in the place of a link are such a link, which
  /// otherwise reads as null, as zeros do.
  private func value(_ row: Int, _ leaf: Leaf, _ other: Leaf?) -> Value? {
    guard let view = try? leaf.value(at: row, in: bytes.store), isSound || view.hasRoom(in: bytes.store),
      let value = try? Value(view, walk)
    else { return nil }
    guard let other, let otherWalk else { return value }
    guard
      let shown = try? Value(leaf.value(at: row, in: bytes.store, showsTombstones: true), showingWalk),
      let again = try? Value(other.value(at: row, in: otherWalk.store, showsTombstones: true), otherWalk),
      again.isSame(as: shown)
    else { return nil }
    return value
  }

  /// Whether the number that means null is lost: then every value would read as null, whatever the lost bytes were.
  private func hasLostNull(_ ref: Ref, _ column: Column) -> Bool {
    guard bytes.other != nil, column.collection == nil, let node = try? Node(ref, in: bytes.store) else { return false }
    var numbers = node
    switch column.element.code {
    case .int where column.element.isNullable: break
    case .timestamp where column.element.isNullable:
      guard let child = node.slot(0).child, let seconds = try? Node(child, in: bytes.store) else { return true }
      numbers = seconds
    default: return false
    }
    let size = max(1, numbers.width / 8)
    return bytes.lost.overlaps(numbers.ref.rawValue + UInt64(Node.headerSize), length: size)
  }

  /// Whether no byte of a leaf of single values is lost.
  private func isWholeLeaf(_ ref: Ref, _ column: Column) -> Bool {
    guard bytes.other != nil else { return true }
    guard column.element.code != .mixed, let node = bytes.wholeNode(ref) else { return false }
    guard node.hasRefs else { return column.enumeration == nil }
    guard node.count <= 3, !node.context else { return false }
    return (0..<node.count).allSatisfy { node.slot($0).child.flatMap(bytes.wholeNode) != nil }
  }

  /// Whether a value's collection is referenced more than once.
  private func isShared(_ row: Int, _ ref: Ref, _ column: Column) -> Bool {
    guard !space.sharedCollections.isEmpty, column.collection != nil, let node = try? Node(ref, in: bytes.store) else {
      return false
    }
    return node.slot(row).child.map(space.sharedCollections.contains) ?? false
  }

  private func isFree(_ row: Int, _ ref: Ref, _ column: Column) -> Bool {
    guard let node = try? Node(ref, in: bytes.store), node.hasRefs else { return true }
    guard column.collection != nil else { return space.isFree(ref) }
    return node.slot(row).child.map(space.isFree) ?? true
  }

  /// A leaf of texts whose end positions are lost: every string ends with a zero byte, so as many zero bytes as strings
  /// identify all of them.
  private func salvagedCells(
    of column: Column, _ ref: Ref, _ cluster: RescueCluster, _ confidence: RescueConfidence
  ) -> [RescuedCell]? {
    guard column.collection == nil, column.element.code == .string, let node = bytes.wholeNode(ref), node.hasRefs,
      !node.context, node.count == 3, let blob = node.slot(1).child.flatMap(bytes.wholeNode),
      (try? blob.requiringBlob()) != nil
    else { return nil }
    let texts = blob.bytes.split(separator: 0, omittingEmptySubsequences: false)
    guard blob.bytes.last == 0, texts.count == cluster.count + 1 else { return nil }
    let nulls = node.slot(2).child.flatMap(bytes.wholeNode).flatMap {
      $0.count == cluster.count && $0.scheme == .bits && !$0.hasRefs ? $0 : nil
    }
    return (0..<cluster.count).map { row in
      let text = RescuedCell.value(.string(RealmString(UnsafeRawBufferPointer(rebasing: texts[row]))), confidence)
      if let nulls { return nulls.uncheckedInt(row) == 0 ? text : .value(.null, confidence) }
      return column.element.isNullable && texts[row].isEmpty ? .lost : text
    }
  }

  /// Where a search index has an object below another value; nil if it does not contradict the value.
  ///
  /// That it does not have the object at all shows damage of its own.
  func difference(from value: Value, of key: ObjectKey, indexAt root: Ref) -> RescueIndexEntries.Difference? {
    guard let keys = objects(with: value, indexAt: root), !keys.contains(key) else { return nil }
    return indexes.entries(below: root).difference(from: value, of: key)
  }

  /// The objects that a search index has with a value; nil if it is damaged.
  func objects(with value: Value, indexAt root: Ref) -> [ObjectKey]? {
    try? IndexLookup(root: root, store: bytes.store).candidates(for: value)
  }

  // MARK: Plausibility

  /// Whether a property can have a value, and engines would read it.
  func isPossible(_ value: Value, in column: Column) -> Bool {
    switch (value, column.collection) {
    case (.list(let elements), .list): return elements.allSatisfy { isPossible($0, column.element) }
    case (.set(let elements), .set): return elements.allSatisfy { isPossible($0, column.element) }
    case (.dictionary(let entries), .dictionary):
      return entries.allSatisfy { Self.isPossible(key: $0.key) && isPossible($0.value, column.element) }
    case (_, nil): return isPossible(value, column.element)
    default: return false
    }
  }

  private func isPossible(_ value: Value, _ element: ElementType) -> Bool {
    switch value {
    case .list(let elements): element.code == .mixed && elements.allSatisfy { isPossible($0, .mixed) }
    case .dictionary(let entries):
      element.code == .mixed
        && entries.allSatisfy { Self.isPossible(key: $0.key) && isPossible($0.value, .mixed) }
    default: value.withView { isPossible($0, element) }
    }
  }

  /// The same for a value that is not a collection.
  func isPossible(_ value: ValueView, _ element: ElementType) -> Bool {
    switch (value, element.code) {
    case (.null, _): element.isNullable
    case (.list, _), (.set, _), (.dictionary, _): false
    case (.decimal(let decimal), .decimal), (.decimal(let decimal), .mixed): decimal.isCanonical
    case (.string(let bytes), .string), (.data(let bytes), .binary), (.string(let bytes), .mixed),
      (.data(let bytes), .mixed):
      bytes.count <= Self.longestText
    case (.link(let table, let key), .link): table == element.target && key.rawValue >= 0
    case (.link, _): false
    case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.date, .timestamp),
      (.objectID, .objectID), (.uuid, .uuid), (_, .mixed):
      true
    default: false
    }
  }

  /// Docs/Format/2-nodes-and-values.md §1.7, with the terminating zero.
  private static let longestText = 0xff_ffef - 16

  /// Engines refuse these keys (§5.3).
  private static func isPossible(key: RealmString) -> Bool {
    key.utf8.first != UInt8(ascii: "$") && !key.utf8.contains(UInt8(ascii: ".")) && key.utf8.count <= longestText
  }
}

extension ValueView {
  /// Whether a damaged file has room for the elements of a list or set: a leaf of zeros can claim any number of them, but
  /// hardly any sound list has more than its file has bits.
  func hasRoom(in store: ByteStore) -> Bool {
    switch self {
    case .list(let list), .set(let list):
      guard let count = try? list.count(in: store) else { return false }
      return count <= store.count.multiplied(atMost: 8)
    default: return true
    }
  }
}
