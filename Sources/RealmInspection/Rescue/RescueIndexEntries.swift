import RealmStorage

/// Where the objects of a column are in its search index: what the index says of their values.
///
/// Only parts that do not contradict themselves count: nodes of the right kind with their keys in order, below nodes with
/// the same keys, and objects that are in one place. So damage to the index says nothing about values.
struct RescueIndexEntries {
  /// A chunk of values, below that of another entry.
  private struct Entry {
    let chunk: Int32
    let parent: Int32
  }

  /// A chunk of a value that differs from the index.
  struct Difference: Hashable {
    fileprivate let entry: Int32
    fileprivate let chunk: Int32

    func isAtSameEntry(as other: Difference) -> Bool { entry == other.entry }
  }

  private var entries: [Entry] = []
  /// The entry of each object.
  private var places: [Int64: Int32] = [:]
  /// Room for keys in lists: each needs a byte.
  private var listed: Int

  private static let mostEntries = 1 << 24
  /// The parent of the first chunk.
  private static let top: Int32 = -1
  /// In place of the entry of an object that is in two places.
  private static let several: Int32 = -2

  /// A node, and what those above it say about its keys.
  private struct Step {
    let ref: Ref
    var parent = top
    var depth = 0
    /// The node before it ends with this one.
    var lower: Int32?
    var last: Int32?
  }

  init(root: Ref, in bytes: RescueBytes) {
    listed = bytes.byteCount
    // Each key needs four bytes; more of them are in a circle.
    let most = min(Self.mostEntries, bytes.byteCount / 4)
    var pending = [Step(ref: root)]
    while let step = pending.popLast() {
      bytes.letGoOfPages()
      guard step.depth < IndexNode.mostLevels, let node = Self.node(step, in: bytes) else { continue }
      guard entries.count + node.count <= most else {
        (entries, places) = ([], [:])
        return
      }
      if node.isInner {
        for index in 0..<node.count {
          guard let child = node.element(at: index).child else { continue }
          let lower = index > 0 ? node.chunk(at: index - 1) : step.lower
          pending.append(
            Step(
              ref: child, parent: step.parent, depth: step.depth + 1, lower: lower, last: node.chunk(at: index)))
        }
      } else {
        for index in 0..<node.count { add(node, index, step, &pending, in: bytes) }
      }
    }
  }

  /// The node if it is whole and does not contradict itself or those above it.
  private static func node(_ step: Step, in bytes: RescueBytes) -> IndexNode? {
    guard bytes.wholeNode(step.ref) != nil, let node = try? IndexNode(step.ref, in: bytes.store),
      bytes.isWhole(node.keys), node.count > 0
    else { return nil }
    let isInOrder = (1..<node.count).allSatisfy { node.chunk(at: $0 - 1) < node.chunk(at: $0) }
    guard isInOrder, step.lower.map({ $0 < node.chunk(at: 0) }) ?? true,
      step.last.map({ $0 == node.chunk(at: node.count - 1) }) ?? true
    else { return nil }
    return node.isInner || !looksInner(node, in: bytes) ? node : nil
  }

  /// Whether the keys are those that the nodes below end with, as in an inner node.
  private static func looksInner(_ node: IndexNode, in bytes: RescueBytes) -> Bool {
    (0..<node.count).allSatisfy { index in
      guard let child = node.element(at: index).child, let below = try? IndexNode(child, in: bytes.store) else {
        return false
      }
      return below.count > 0 && below.chunk(at: below.count - 1) == node.chunk(at: index)
    }
  }

  private mutating func add(
    _ node: IndexNode, _ index: Int, _ step: Step, _ pending: inout [Step], in bytes: RescueBytes
  ) {
    let (entry, element) = (Int32(entries.count), node.element(at: index))
    entries.append(Entry(chunk: node.chunk(at: index), parent: step.parent))
    if element.isTagged { return add(Int64(bitPattern: element.tagged), entry) }
    guard let child = element.child, let below = bytes.wholeNode(child) else { return }
    guard !below.context else {
      return pending.append(Step(ref: child, parent: entry, depth: step.depth + 1))
    }
    let tree = BPlusTree(root: child, element: .objectKey)
    guard bytes.other == nil || !below.isInner, let count = try? tree.count(in: bytes.store), count <= listed else {
      return
    }
    listed -= count
    try? tree.forEachKey(in: bytes.store, budget: .bytes(of: bytes.store)) { add($0, entry) }
  }

  private mutating func add(_ key: Int64, _ entry: Int32) {
    if let other = places.updateValue(entry, forKey: key), other != entry { places[key] = Self.several }
  }

  /// Calls `body` with the entries that lead to an object, the last one first.
  private func forEachEntry(of key: ObjectKey, _ body: (Int32) -> Void) {
    guard var entry = places[key.rawValue] else { return }
    while entry >= 0 {
      body(entry)
      entry = entries[Int(entry)].parent
    }
  }

  /// The first chunk of a value that differs from where its object is; nil if the index does not contradict the value.
  func difference(from value: Value, of key: ObjectKey) -> Difference? {
    var path: [Int32] = []
    forEachEntry(of: key) { path.append($0) }
    guard !path.isEmpty else { return nil }
    return value.withIndexData { data in
      for (level, entry) in path.reversed().enumerated() {
        let chunk = data.chunk(at: level * IndexData.chunkSize)
        if chunk != entries[Int(entry)].chunk { return Difference(entry: entry, chunk: chunk) }
      }
      return nil
    }
  }

  /// Whether an object is where a value of another one differs from the index.
  func leads(through difference: Difference, to key: ObjectKey) -> Bool {
    var isThere = false
    forEachEntry(of: key) { if $0 == difference.entry { isThere = true } }
    return isThere
  }

  /// The number of an object; nil if it cannot be determined.
  ///
  /// An index has the lower half of a number, and the other half only if the lower one does not distinguish two numbers
  /// (Docs/Format/3-tables-and-objects.md §6.3).
  ///
  /// - Parameter width: bits of the elements of the leaf that it was in, which shows whether the lower half is the whole
  ///   number.
  func number(of key: ObjectKey, width: Int) -> Int64? {
    var (bits, levels): (UInt64, Int) = (0, 0)
    forEachEntry(of: key) { entry in
      bits = bits << 32 | UInt64(UInt32(bitPattern: entries[Int(entry)].chunk).byteSwapped)
      levels += 1
    }
    let number: Int64
    switch levels {
    case 1 where width <= 32: number = Int64(Int32(truncatingIfNeeded: bits))
    case 2: number = Int64(bitPattern: bits)
    default: return nil
    }
    // Elements narrower than a byte have no sign.
    let range: ClosedRange<Int64> =
      width < 8
      ? 0...(1 << Int64(width)) - 1 : width == 64 ? .min ... .max : -1 << Int64(width - 1)...(1 << Int64(width - 1)) - 1
    return range.contains(number) ? number : nil
  }
}

/// What the indexes of columns say, read on demand.
final class RescueIndexCache {
  private let bytes: RescueBytes
  private var known: [Ref: RescueIndexEntries] = [:]

  init(_ bytes: RescueBytes) { self.bytes = bytes }

  func entries(below root: Ref) -> RescueIndexEntries {
    if let entries = known[root] { return entries }
    let entries = RescueIndexEntries(root: root, in: bytes)
    known[root] = entries
    return entries
  }

  /// A number according to the index of its column.
  ///
  /// - Parameter leaf: where the number was; without it the upper half of the number may be another one than it seems.
  func number(of key: ObjectKey, root: Ref, leaf: Ref?) -> (number: Int64, isCertain: Bool)? {
    let known = leaf.flatMap { leaf -> Int? in
      guard let node = try? Node(leaf, in: bytes.store), node.flags & 0xf8 == 0,
        !bytes.lost.overlaps(leaf.rawValue, length: Node.headerSize) || bytes.hasHead(at: leaf)
      else { return nil }
      return node.width
    }
    return entries(below: root).number(of: key, width: known ?? 32).map { ($0, known != nil) }
  }
}
