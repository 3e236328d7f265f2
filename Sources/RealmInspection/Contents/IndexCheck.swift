import RealmStorage

/// What the entries of an index are compared by, in the order of the index.
protocol IndexEntries {
  /// An object on its own.
  ///
  /// - Parameters:
  ///   - path: the chunks that lead to it.
  ///   - ref: the node it is in.
  mutating func add(_ key: ObjectKey, _ path: [Int32], at ref: Ref)
  /// A list of objects begins.
  mutating func startList(_ ref: Ref)
  /// The next object of a list.
  mutating func addToList(_ key: ObjectKey, _ path: [Int32], at ref: Ref, _ position: Int)
}

/// The nodes of one search index (Docs/Format/3-tables-and-objects.md §6, §9.1).
struct IndexCheck<Entries: IndexEntries> {
  private let context: CheckContext
  private let root: Ref
  /// Checks the trees of lists; its spot is the index.
  private let trees: ValueCheck
  private let place: Finding.Place
  private(set) var entries: Entries
  /// Chunks from the root to the current node, and the node's own.
  private var path: [Int32] = []

  /// - Parameter context: takes what is wrong with nodes.
  init(_ context: CheckContext, _ table: CheckedTable, _ column: CheckedColumn, _ entries: Entries) {
    (self.context, self.entries, root) = (context, entries, column.index)
    (place, trees) = (table.indexPlace(column), ValueCheck(context))
    trees.spot = Spot(part: .index, table: table.name, column: .property(column.name))
  }

  /// Walks the whole index.
  mutating func run() { _ = visit(root, level: 0) }

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

  /// The content of a subtree.
  private struct Bounds {
    let first: Int32
    let last: Int32
  }

  /// - Returns: the smallest and the largest chunk below; nil if there is none or the node cannot be read.
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
    if keys.width != IndexNode.keyWidth { report(.indexKeyWidth, keys.ref, .count(keys.width)) }
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
      return entries.add(ObjectKey(rawValue: Int64(bitPattern: element.tagged)), path, at: node.ref)
    }
    guard let child = try? Node(ref, in: context.store) else { return }
    guard !child.context else {
      guard entries.mayGoOn(after: path) else { return report(.indexDepth, child.ref) }
      _ = visit(ref, level: level + 1)
      return
    }
    visitList(ref)
  }

  private mutating func visitList(_ ref: Ref) {
    entries.startList(ref)
    let count = trees.checkTree(ref) { _, leaf in
      guard leaf.has(.integers) else { return fail(.indexNode, leaf.ref) }
      // So many distinct keys need at least a byte each; a narrower leaf can only repeat a few of them.
      guard leaf.count <= max(64, leaf.payloadSize) else {
        report(.indexListOrder, leaf.ref)
        return leaf.count
      }
      for index in 0..<leaf.count {
        entries.addToList(ObjectKey(rawValue: leaf.uncheckedInt(index)), path, at: leaf.ref, index)
      }
      return leaf.count
    }
    if count == 0 { report(.indexEmpty, ref) }
  }
}
