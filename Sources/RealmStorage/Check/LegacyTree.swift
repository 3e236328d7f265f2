/// A column of formats 2–9 as the checker walks it: every leaf of its tree, with the number of its first row
/// (Docs/Format/4-file-versions.md §2.6).
///
/// The shape of the tree is checked on the way: totals, the sizes of children, the offsets of the general form.
struct LegacyTree {
  let context: CheckContext
  let place: (Ref) -> Finding.Place
  /// Elements in the leaves seen so far.
  private var seen = 0

  init(_ context: CheckContext, place: @escaping (Ref) -> Finding.Place) {
    (self.context, self.place) = (context, place)
  }

  /// - Parameter leaf: checks a leaf that starts at an element, and returns how many elements it has; nil if it cannot
  ///   be read.
  /// - Returns: the number of elements; nil if it cannot be determined.
  mutating func run(_ root: Ref, leaf: (Node, Int) -> Int?) -> Int? { visit(root, level: 0, leaf)?.count }

  private struct Extent {
    let count: Int
    let height: Int
  }

  private func fail(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none) -> Extent? {
    context.log.add(kind, facts, at: place(ref))
    return nil
  }

  private mutating func visit(_ ref: Ref, level: Int, _ leaf: (Node, Int) -> Int?) -> Extent? {
    guard level <= InnerTreeNode.maximumDepth else { return fail(.treeDepth, ref) }
    guard context.visit(ref), let node = try? Node(ref, in: context.store) else { return nil }
    if node.isInner { return visitInner(node, level: level, leaf) }
    guard context.spend(elements: node.count, at: ref) else { return nil }
    guard node.count <= CheckContext.mostElements else { return fail(.treeFanOut, ref, .count(node.count)) }
    guard let count = leaf(node, seen) else { return nil }
    seen += count
    return Extent(count: count, height: 0)
  }

  private mutating func visitInner(_ node: Node, level: Int, _ leaf: (Node, Int) -> Int?) -> Extent? {
    guard let inner = try? InnerTreeNode(node, in: context.store) else { return fail(.treeNode, node.ref) }
    guard inner.childCount <= CheckContext.mostElements else {
      return fail(.treeFanOut, node.ref, .count(inner.childCount))
    }
    var children: [Extent] = []
    for index in 0..<inner.childCount {
      guard let child = node.slot(index + 1).child else {
        context.log.add(.nodeMissing, at: place(node.ref))
        continue
      }
      if let extent = visit(child, level: level + 1, leaf) { children.append(extent) }
    }
    guard children.count == inner.childCount, let height = children.first?.height else { return nil }
    guard children.allSatisfy({ $0.height == height }) else { return fail(.treeDepth, node.ref) }
    let total = children.reduce(0) { $0 + $1.count }
    if inner.total != total { context.log.add(.treeTotal, .counts(total, found: inner.total), at: place(node.ref)) }
    checkPlaces(inner, children.map(\.count))
    return Extent(count: total, height: height + 1)
  }

  private func checkPlaces(_ inner: InnerTreeNode, _ counts: [Int]) {
    guard let offsets = inner.offsets else {
      let isFilled = counts.dropLast().allSatisfy { $0 == inner.elementsPerChild }
      if !isFilled || (counts.last ?? 0) > inner.elementsPerChild {
        context.log.add(.treeCompactSize, .count(inner.elementsPerChild), at: place(inner.node.ref))
      }
      return
    }
    guard offsets.count == counts.count - 1 else {
      return context.log.add(
        .treeOffsets, .counts(counts.count - 1, found: offsets.count), at: place(offsets.ref))
    }
    var sum = 0
    for index in 0..<offsets.count {
      sum += counts[index]
      guard offsets.uncheckedUnsigned(index) == UInt64(sum) else {
        return context.log.add(
          .treeOffsets, .counts(sum, found: Int64(bitPattern: offsets.uncheckedUnsigned(index))),
          at: place(offsets.ref))
      }
    }
  }
}
