/// The nodes from the root of a tree down to where a walk is, and which of their elements it has reached.
///
/// Every walk over nodes, whatever they mean, goes along such a path: it asks for the next child, looks at it, and enters
/// it where it wants to see what is below. The path limits how deep a walk goes and evicts pages when there are
/// too many; how many nodes a walk may visit is up to the walk. Memory grows with the depth of the tree alone.
package struct NodePath {
  /// A node that the path goes through.
  package struct Step {
    package var node: Node
    /// The element after the one that the path goes through.
    fileprivate var next: Int
    /// The element that the path goes through.
    package var slot: Int { next - 1 }
  }

  /// That of the snapshot; a node takes thirty nanoseconds, of which counting references would be a fifth.
  private let store: Unmanaged<ByteStore>
  /// Evicts the pages of the store.
  private let evict: () throws -> Void
  private var place: PlaceInPages
  private var outer: [Step] = []
  /// The innermost node; nil if the path is empty.
  private var node: Node?
  /// The element of the innermost node to look at next.
  private var next = 0

  /// Engines stop at 100 levels of nested collections, each of some eight nodes.
  private static let depthLimit = 4096

  /// - Parameters:
  ///   - store: has to live as long as the walk.
  ///   - threadLimit: threads for reading pages ahead.
  ///   - evictPages: evicts the pages of the store and restores what else depends on them; nil if nothing does.
  package init(in store: ByteStore, threadLimit: Int = 0, evictPages: (() throws -> Void)? = nil) {
    self.store = .passUnretained(store)
    let pages = Unmanaged.passUnretained(store)
    evict = evictPages ?? { pages._withUnsafeGuaranteedRef { $0.releasePages() } }
    place = PlaceInPages(store, threadLimit: threadLimit)
  }

  var depth: Int { node == nil ? 0 : outer.count + 1 }
  var isEmpty: Bool { node == nil }
  /// Whether no other node can be entered.
  package var isFull: Bool { depth >= Self.depthLimit }
  /// The innermost node.
  @inline(__always) package var last: Node? { node }
  /// The element of the innermost node that leads to the child last asked for.
  @inline(__always) var lastIndex: Int { next &- 1 }

  /// The step at a level, of which the root is 0; nil after the innermost one.
  package subscript(level: Int) -> Step? {
    if level == outer.count { return node.map { Step(node: $0, next: next) } }
    return outer.indices.contains(level) ? outer[level] : nil
  }

  package mutating func removeAll() {
    outer.removeAll(keepingCapacity: true)
    (node, next) = (nil, 0)
  }

  /// Goes down to a node, whose children come next.
  ///
  /// - Throws: `StorageError.corrupted` for a node of another scheme than that of references, and if the path is full.
  package mutating func enter(_ child: Node) throws {
    try child.requireBits("a node of refs")
    if let node {
      guard !isFull else { throw StorageError.corrupted(child.ref, .tooDeep) }
      outer.append(Step(node: node, next: next))
    }
    (node, next) = (child, 0)
  }

  /// The next child of the innermost node; nil if it has no more.
  @inline(__always)
  mutating func nextChild() -> Ref? {
    guard let node else { return nil }
    while next < node.count {
      let element = node.uncheckedInt(next)
      store._withUnsafeGuaranteedRef { node.prefetchChild(ahead: next, in: $0) }
      next &+= 1
      // Neither nothing nor a number.
      if element != 0, element & 1 == 0 { return RefOrTagged(element).ref }
    }
    return nil
  }

  /// Goes back up from the innermost node.
  @discardableResult
  mutating func leave() -> Node? {
    let left = node
    let step = outer.popLast()
    (node, next) = (step?.node, step?.next ?? 0)
    return left
  }

  /// The next child of the innermost node that has one, after leaving those that have none; nil at the end of the walk.
  @inline(__always)
  package mutating func nextInOrder() -> Ref? {
    while node != nil {
      if let child = nextChild() { return child }
      leave()
    }
    return nil
  }

  // MARK: Pages

  /// Whether a node lies in another part of the file than the one before it.
  @inline(__always)
  func isElsewhere(_ ref: Ref) -> Bool { place.leaves(for: ref) }

  /// The walk reaches a node: if that is in another part of the file, it is time to evict pages, if there are too many,
  /// and to read some ahead.
  ///
  /// - Throws: as `evictPages`.
  @inline(__always)
  package mutating func move(to ref: Ref) throws {
    guard isElsewhere(ref) else { return }
    if store._withUnsafeGuaranteedRef({ $0.holdsTooManyPages }) { try evictPages() }
    readAhead(from: ref)
  }

  mutating func readAhead(from ref: Ref) { place.move(to: ref) }

  /// Evicts pages and looks up the nodes of the path again.
  ///
  /// - Throws: `StorageError` if one of them can no longer be read; the path then ends above it.
  mutating func evictPages() throws {
    try place.releasePages(evict)
    try store._withUnsafeGuaranteedRef { store in
      for level in outer.indices {
        do { outer[level].node = try Node(outer[level].node.ref, in: store) } catch {
          outer.removeSubrange(level...)
          leave()
          throw error
        }
      }
      guard let node else { return }
      do { self.node = try Node(node.ref, in: store) } catch {
        leave()
        throw error
      }
    }
  }
}

extension NodePath {
  /// Whether a walk accepts a node and all below it, parents first.
  ///
  /// - Parameters:
  ///   - nodeLimit: nodes that may be looked at.
  ///   - evictPages: evicts the pages of the store when there are too many; nil where others still need them.
  ///   - visit: the node at a ref; nil if it is not acceptable, which ends the walk.
  /// - Returns: false, too, where there are more nodes.
  /// - Throws: what `visit` throws; `StorageError.corrupted` for what lies too deep.
  package static func accepts(
    _ root: Ref, in store: ByteStore, atMost nodeLimit: Int = .max, evictPages: (() throws -> Void)? = nil,
    _ visit: (Ref) throws -> Node?
  ) throws -> Bool {
    var path = NodePath(in: store, evictPages: evictPages)
    var nodesLeft = nodeLimit
    var pending: Ref? = root
    while let ref = pending {
      if evictPages != nil { try path.move(to: ref) }
      guard nodesLeft > 0, let node = try visit(ref) else { return false }
      nodesLeft -= 1
      if node.hasRefs, node.scheme == .bits { try path.enter(node) }
      pending = path.nextInOrder()
    }
    return true
  }
}
