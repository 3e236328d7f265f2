/// A tree of the file while a transaction changes it: nodes are read when they are needed, and those with a change at or
/// below them are written.
///
/// The trees of clusters, of the keys of a list and of the chunks of an index share their nodes; each finds, splits and
/// encodes in its own way.
protocol EditedTree {
  /// What is below the inner nodes.
  associatedtype Leaf: AnyObject
  /// What distinguishes the children of an inner node: a key, a position or a chunk.
  associatedtype Bound
  /// What an inner node states of everything below it.
  associatedtype Summary

  typealias Subtree = EditedSubtree<Self>
  typealias Inner = EditedInnerNode<Self>
}

/// A part of a tree: where it is in the file, until it is needed.
enum EditedSubtree<Tree: EditedTree> {
  case stored(Ref)
  case leaf(Tree.Leaf)
  case inner(EditedInnerNode<Tree>)

  /// Writes what has changed.
  ///
  /// - Parameters:
  ///   - writeLeaf: writes a leaf, or says where it is.
  ///   - writeInner: writes an inner node, whose children have been written.
  /// - Returns: the root.
  func write(
    _ output: any NodeReplacement, leaf writeLeaf: (Tree.Leaf) throws -> Ref,
    inner writeInner: (EditedInnerNode<Tree>, [Ref]) throws -> Ref
  ) throws -> Ref {
    switch self {
    case .stored(let ref): return ref
    case .leaf(let leaf): return try writeLeaf(leaf)
    case .inner(let node):
      if !node.isChanged, let stored = node.stored.first { return stored.ref }
      let children = try node.children.map { try $0.write(output, leaf: writeLeaf, inner: writeInner) }
      for stored in node.stored { output.release(stored) }
      return try writeInner(node, children)
    }
  }
}

/// An inner node. Adding and removing children marks it as changed.
final class EditedInnerNode<Tree: EditedTree> {
  /// One for each child, ascending.
  private(set) var bounds: [Tree.Bound]
  /// A child that is read takes the place of its reference here.
  var children: [EditedSubtree<Tree>]
  var summary: Tree.Summary
  /// The nodes in the file, to be released: the node, with the list of its bounds.
  let stored: [Node]
  var isChanged: Bool

  /// - Parameter stored: empty for a new node.
  init(
    _ bounds: [Tree.Bound], _ children: [EditedSubtree<Tree>], _ summary: Tree.Summary, stored: [Node] = []
  ) {
    (self.bounds, self.children, self.summary, self.stored) = (bounds, children, summary, stored)
    isChanged = stored.isEmpty
  }

  var count: Int { children.count }

  func setBound(_ bound: Tree.Bound, at index: Int) {
    bounds[index] = bound
    isChanged = true
  }

  /// Changes the bounds from a child on.
  func changeBounds(from index: Int, _ change: (inout Tree.Bound) -> Void) {
    for later in min(index, count)..<count { change(&bounds[later]) }
    isChanged = true
  }

  func insert(_ child: EditedSubtree<Tree>, _ bound: Tree.Bound, at index: Int) {
    bounds.insert(bound, at: index)
    children.insert(child, at: index)
    isChanged = true
  }

  func remove(at index: Int) {
    bounds.remove(at: index)
    children.remove(at: index)
    isChanged = true
  }

  /// Removes the children from one on.
  func removeTail(from index: Int) -> (bounds: [Tree.Bound], children: [EditedSubtree<Tree>]) {
    defer {
      bounds.removeSubrange(index...)
      children.removeSubrange(index...)
      isChanged = true
    }
    return (Array(bounds[index...]), Array(children[index...]))
  }

  func append(_ bounds: [Tree.Bound], _ children: [EditedSubtree<Tree>]) {
    self.bounds += bounds
    self.children += children
    isChanged = true
  }
}

/// Where to split a node that has become too large: at the end if elements come in order, otherwise in the middle.
///
/// - Returns: nil if all fits.
func cutOfFullNode(_ count: Int, most: Int, insertedAt index: Int) -> Int? {
  guard count > most else { return nil }
  return index == count - 1 ? count - 1 : count / 2
}
