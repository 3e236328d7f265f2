import RealmStorage

/// The trees of collections and of long lists of backlinks (Docs/Format/2-nodes-and-values.md §4, §9 checks 19, 20), and
/// those of the columns of formats 2–9 (Docs/Format/4-file-versions.md §2.6).
extension ValueCheck {
  /// What engines of different ages make of a tree.
  enum TreeForm {
    case current
    /// Formats 2–9, whose builds differed in how much they put into a node.
    case legacy
  }

  /// How many elements a subtree has, and over how many levels of inner nodes.
  struct TreeExtent {
    var count: Int
    var height: Int
  }

  /// Checks the nodes of a tree.
  ///
  /// - Parameters:
  ///   - leaf: checks a leaf, which starts at element `base`, and returns its logical length, nil if it cannot be read.
  ///     It also gets this check: capturing it would count references for each of as many trees as there are objects.
  /// - Returns: the number of elements; nil if it cannot be determined.
  func checkTree(_ root: Ref, _ form: TreeForm = .current, leaf: (ValueCheck, Node) -> Int?) -> Int? {
    var tree = Tree(form: form)
    return visit(root, &tree, level: 0, leaf)?.count
  }

  private struct Tree {
    let form: TreeForm
    /// Elements in the leaves seen so far.
    var seen = 0
    /// The parent of the current node is of the compact form.
    var isUnderCompact = false
  }

  private func visit(_ ref: Ref, _ tree: inout Tree, level: Int, _ leaf: (ValueCheck, Node) -> Int?) -> TreeExtent? {
    guard level <= InnerTreeNode.maximumDepth else { return fail(.treeDepth, ref) }
    guard let node = context.visited(ref) else { return nil }
    guard !node.isInner else { return visitInner(node, &tree, level: level, leaf) }
    // Before it costs anything: what a damaged node claims is not read.
    guard node.count <= CheckContext.mostElements else { return fail(.treeFanOut, ref, .count(node.count)) }
    guard context.spend(elements: node.count, at: ref) else { return nil }
    let outerBase = base
    base = tree.seen
    defer { base = outerBase }
    guard let count = leaf(self, node) else { return nil }
    if tree.form != .legacy {
      if count == 0, level > 0 { report(.treeEmptyLeaf, ref) }
      if count > context.treeFanOut { report(.treeFanOut, ref, .count(count)) }
    }
    tree.seen += count
    return TreeExtent(count: count, height: 0)
  }

  private func visitInner(_ node: Node, _ tree: inout Tree, level: Int, _ leaf: (ValueCheck, Node) -> Int?)
    -> TreeExtent?
  {
    // The context flag of a former root of links may remain (§1.2).
    guard node.flags & 0xd8 == 0xc0, node.count >= 3 else { return fail(.treeNode, node.ref) }
    let childCount = node.count - 2
    if childCount > (tree.form == .legacy ? CheckContext.mostElements : context.treeFanOut) {
      report(.treeFanOut, node.ref, .count(childCount))
    }
    guard childCount <= CheckContext.mostElements else { return nil }
    let isCompact = RefOrTagged(node.uncheckedInt(0)).isTagged
    if !isCompact, tree.isUnderCompact, tree.form != .legacy { report(.treeMixedForms, node.ref) }
    var children: [TreeExtent] = []
    for index in 1...childCount {
      guard let child = node.slot(index).child else {
        report(node.slot(index).isTagged ? .nodeKind : .nodeMissing, node.ref, slot: index)
        continue
      }
      tree.isUnderCompact = isCompact
      if let extent = visit(child, &tree, level: level + 1, leaf) { children.append(extent) }
    }
    guard children.count == childCount, let height = children.first?.height else { return nil }
    guard children.allSatisfy({ $0.height == height }) else { return fail(.treeDepth, node.ref) }
    let total = children.reduce(0) { $0 + $1.count }
    checkTotal(node, total)
    if isCompact {
      checkCompact(node, children, fullCount: tree.form == .legacy ? nil : fullCount(height: height + 1))
    } else {
      checkOffsets(node, children, tree.form)
    }
    return TreeExtent(count: total, height: height + 1)
  }

  private func checkTotal(_ node: Node, _ total: Int) {
    let stored = RefOrTagged(node.uncheckedInt(node.count - 1))
    guard stored.isTagged, stored.tagged == UInt64(total) else {
      return report(.treeTotal, node.ref, .counts(total, found: stored.tagged))
    }
  }

  private func fullCount(height: Int) -> Int {
    (0..<height).reduce(1) { full, _ in full.multipliedReportingOverflow(by: context.treeFanOut).partialValue }
  }

  /// Every child but the last is full, and full means what an engine assumes when it appends (§4.3).
  ///
  /// - Parameter fullCount: elements of a full child; nil if any number is possible.
  private func checkCompact(_ node: Node, _ children: [TreeExtent], fullCount: Int?) {
    let stored = Int(clamping: RefOrTagged(node.uncheckedInt(0)).tagged)
    let full = fullCount ?? stored
    let isFilled = children.dropLast().allSatisfy { $0.count == stored } && (children.last?.count ?? 0) <= stored
    if stored != full || !isFilled {
      report(.treeCompactSize, node.ref, .counts(full, found: stored))
    }
  }

  /// Element j is the number of elements in the children up to j; the last child has none (§4.2).
  private func checkOffsets(_ node: Node, _ children: [TreeExtent], _ form: TreeForm) {
    // A number would make it the compact form.
    guard let ref = node.slot(0).child else { return report(.nodeMissing, node.ref, slot: 0) }
    guard let offsets = context.node(ref, .integers, otherwise: { report(.treeOffsets, $0.ref) }) else { return }
    if offsets.width < 8, form != .legacy { report(.treeOffsetWidth, offsets.ref, .count(offsets.width)) }
    guard offsets.count == children.count - 1 else {
      return report(.treeOffsets, offsets.ref, .counts(children.count - 1, found: offsets.count))
    }
    var sum: UInt64 = 0
    for index in 0..<offsets.count {
      sum += UInt64(children[index].count)
      guard offsets.uncheckedUnsigned(index) == sum else {
        let found = Int64(bitPattern: offsets.uncheckedUnsigned(index))
        return report(.treeOffsets, offsets.ref, .counts(sum, found: found), slot: index)
      }
    }
  }
}
