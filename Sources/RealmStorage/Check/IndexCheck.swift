/// One search index against the values of its column (Docs/Format/3-tables-and-objects.md §6, §9.1).
///
/// The index is walked once. In an index of values each entry leads to its object, whose value must have the chunks that
/// lead to the entry; a bit per object tells that each comes once. An index of words is compared with the words of the
/// values as a multiset, by a sum of hashes.
struct IndexCheck {
  private let context: CheckContext
  private let contentContext: CheckContext
  private let table: CheckedTable
  private let column: CheckedColumn
  private let kind: IndexKind
  /// Checks the trees of lists; its spot is the index.
  private let trees: ValueCheck
  private let place: Finding.Place
  private var content: IndexContent
  /// Chunks from the root to the node at hand, and the node's own.
  private var path: [Int32] = []

  private static let keyWidth = 32

  /// - Parameters:
  ///   - kind: how the index is to be read.
  ///   - contentContext: takes what is wrong with objects and values; `context` what is wrong with nodes.
  init(
    _ context: CheckContext, _ table: CheckedTable, _ column: CheckedColumn, _ kind: IndexKind,
    contentContext: CheckContext, isCollecting: Bool = false
  ) {
    (self.context, self.contentContext, self.table, self.column) = (context, contentContext, table, column)
    (self.kind, place, trees) = (kind, table.indexPlace(column), ValueCheck(context))
    trees.spot = Spot(part: .index, table: table.name, column: .property(column.name))
    content = IndexContent(contentContext, table, column, kind, isCollecting: isCollecting)
  }

  mutating func run() {
    _ = visit(column.index, level: 0)
    if !content.finish() { reportWords() }
  }

  /// Compares entry by entry what the sums said is different.
  private func reportWords() {
    let muted = context.muted().context
    var walk = IndexCheck(muted, table, column, kind, contentContext: muted, isCollecting: true)
    _ = walk.visit(column.index, level: 0)
    walk.content.words?.forEachDifference(ColumnValues(context, table, column)) { isInIndex, key in
      var place = place
      place.object = key
      contentContext.log.add(
        isInIndex ? .indexEntry : .indexMissing,
        after: contentContext.log.damages.index(table.name, column.name), inNode: column.index, at: place)
    }
  }

  private func report(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none, position: Int? = nil) {
    var place = place
    (place.ref, place.position) = (ref, position)
    context.log.add(kind, facts, at: place)
  }

  /// Reports, and gives nothing.
  private func fail<T>(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none) -> T? {
    report(kind, ref, facts)
    return nil
  }

  // MARK: Nodes

  /// What a subtree holds.
  private struct Bounds {
    let first: Int32
    let last: Int32
  }

  /// - Returns: the smallest and the largest chunk below; nil where there is none or the node cannot be read.
  private mutating func visit(_ ref: Ref, level: Int) -> Bounds? {
    guard level <= IndexNode.mostLevels else { return fail(.indexDepth, ref) }
    guard context.visit(ref), let node = try? Node(ref, in: context.store) else { return nil }
    guard node.flags & 0x78 == 0x60, node.count > 0 else { return fail(.indexNode, ref) }
    guard let keys = keys(of: node) else { return nil }
    if keys.count == 0 {
      if level > 0 { report(.indexEmpty, ref) }
      return nil
    }
    return node.isInner ? visitInner(node, keys, level: level) : visitLeaf(node, keys, level: level)
  }

  private func child(of node: Node, _ slot: Int) -> Ref? {
    let element = node.slot(slot)
    if element.child == nil { report(element.isTagged ? .indexNode : .nodeMissing, node.ref, position: slot) }
    return element.child
  }

  private func keys(of node: Node) -> Node? {
    guard let ref = child(of: node, 0),
      let keys = context.node(ref, .integers, otherwise: { report(.indexNode, $0.ref) })
    else { return nil }
    if keys.width != Self.keyWidth { report(.indexKeyWidth, keys.ref, .count(keys.width)) }
    if keys.count > IndexNode.mostKeys { report(.indexSize, node.ref, .count(keys.count)) }
    guard keys.count <= CheckContext.mostElements else { return nil }
    guard context.spend(elements: keys.count, at: keys.ref) else { return nil }
    guard keys.count == node.count - 1 else {
      return fail(.indexKeys, keys.ref, .counts(node.count - 1, found: keys.count))
    }
    for index in 1..<max(1, keys.count) where keys.uncheckedInt(index) <= keys.uncheckedInt(index - 1) {
      report(.indexOrder, keys.ref, position: index)
      break
    }
    return keys
  }

  /// Children of one chunk offset; the key of each is its largest chunk.
  private mutating func visitInner(_ node: Node, _ keys: Node, level: Int) -> Bounds? {
    var bounds: Bounds?
    for index in 0..<keys.count {
      guard let ref = child(of: node, index + 1), let child = visit(ref, level: level + 1) else { continue }
      let key = keys.uncheckedInt(index)
      if Int64(child.last) != key {
        report(.indexMaximum, node.ref, .counts(child.last, found: key), position: index)
      }
      if let last = bounds?.last, child.first <= last { report(.indexOrder, node.ref, position: index) }
      bounds = Bounds(first: bounds?.first ?? child.first, last: child.last)
    }
    return bounds
  }

  private mutating func visitLeaf(_ node: Node, _ keys: Node, level: Int) -> Bounds? {
    for index in 0..<keys.count {
      path.append(Int32(truncatingIfNeeded: keys.uncheckedInt(index)))
      visitEntry(node.slot(index + 1), node, index, level: level)
      path.removeLast()
    }
    return Bounds(
      first: Int32(truncatingIfNeeded: keys.uncheckedInt(0)),
      last: Int32(truncatingIfNeeded: keys.uncheckedInt(keys.count - 1)))
  }

  // MARK: Entries

  /// One object, a list of objects, or a node of the next chunk (§6.4).
  private mutating func visitEntry(_ element: RefOrTagged, _ node: Node, _ index: Int, level: Int) {
    guard let ref = element.child else {
      guard element.isTagged else { return report(.nodeMissing, node.ref, position: index + 1) }
      return content.add(ObjectKey(rawValue: Int64(bitPattern: element.tagged)), path, at: node.ref)
    }
    guard let child = try? Node(ref, in: context.store) else { return }
    guard !child.context else {
      guard content.mayGoOn(after: path) else { return report(.indexDepth, child.ref) }
      _ = visit(ref, level: level + 1)
      return
    }
    visitList(ref)
  }

  private mutating func visitList(_ ref: Ref) {
    content.startList(ref)
    let count = trees.checkTree(ref) { leaf in
      guard leaf.has(.integers) else { return fail(.indexNode, leaf.ref) }
      // So many keys, each there once, need a byte at least; a narrower leaf repeats a few of them without end.
      guard leaf.count <= max(64, leaf.payloadSize) else {
        report(.indexListOrder, leaf.ref)
        return leaf.count
      }
      for index in 0..<leaf.count {
        content.addToList(ObjectKey(rawValue: leaf.uncheckedInt(index)), path, at: leaf.ref, index)
      }
      return leaf.count
    }
    if count == 0 { report(.indexEmpty, ref) }
  }
}
