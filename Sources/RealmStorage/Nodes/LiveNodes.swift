/// What a walk over live nodes hands them to.
protocol LiveNodeOutput: AnyObject {
  /// Called on reaching a node, before any below it.
  func enter(_ node: Node) throws

  /// A node without references.
  ///
  /// - Returns: what its parent is to refer to.
  func finish(_ leaf: Node) throws -> Ref

  /// A node with references, when all below it are done.
  ///
  /// - Parameters:
  ///   - kind: of the node.
  ///   - elements: with what `finish` has returned for the children.
  func finish(_ kind: NodeHeader.Kind, _ elements: UnsafeBufferPointer<Int64>) throws -> Ref
}

/// The live nodes of a snapshot, each visited once, children first (Docs/Format/1-container.md §6.1).
struct LiveNodes {
  /// That of the snapshot, which has to live as long as the walk.
  private let store: Unmanaged<ByteStore>
  private var path: NodePath
  /// Bytes of nodes that may still be visited. In a sound file no two nodes overlap, so all of them fit into it; refs
  /// in circles, or one subtree referred to a million times, do not.
  private var budget: Int
  /// Counts the nodes; nil if nobody wants to know.
  var census: NodeCensus?
  /// The elements of the nodes of the path: new refs in place of those of children that are written.
  private var elements: [Int64] = []

  /// Elements of all nodes under way. Trees have at most 1000 children a node and a group 65,535 tables, so a sound file
  /// stays far below.
  private static let elementLimit = 1 << 22

  /// - Parameters: as of `NodePath`.
  init(in store: ByteStore, threadLimit: Int, evictPages: @escaping () throws -> Void) {
    self.store = .passUnretained(store)
    path = NodePath(in: store, threadLimit: threadLimit, evictPages: evictPages)
    budget = store.count
  }

  /// Hands over the tree below `root`.
  ///
  /// - Returns: the new ref of the root.
  /// - Throws: `StorageError.corrupted`, with the node that cannot be read; what `output` throws.
  mutating func write(_ root: Ref, to output: some LiveNodeOutput) throws -> Ref {
    path.removeAll()
    elements.removeAll(keepingCapacity: true)
    defer { census?.finish(root) }
    if let ref = try visit(root, output) { return ref }
    while true {
      while let child = path.nextChild() {
        if let ref = try visit(child, output) { replaceChild(ref) }
      }
      guard let node = path.leave() else { return .null }
      let ref = try finish(node, output)
      guard !path.isEmpty else { return ref }
      replaceChild(ref)
    }
  }

  /// Writes a node without children, or begins one with children.
  ///
  /// - Returns: the new ref of the node if it is written.
  @inline(__always)
  private mutating func visit(_ ref: Ref, _ output: some LiveNodeOutput) throws -> Ref? {
    try path.move(to: ref)
    let node = try store._withUnsafeGuaranteedRef { try Node(ref, in: $0) }
    budget -= node.byteSize
    guard budget >= 0 else { throw StorageError.corrupted(ref, .visitedTooOften) }
    census?.add(node)
    try output.enter(node)
    guard node.hasRefs else { return try output.finish(node) }
    try path.enter(node)
    if path.isFull { census?.noteDepth() }
    guard elements.count + node.count <= Self.elementLimit else {
      throw StorageError.corrupted(ref, .tooManyElements(node.count))
    }
    node.appendElements(to: &elements)
    return nil
  }

  /// Puts the new ref of the last child of the path into its parent's elements.
  @inline(__always)
  private mutating func replaceChild(_ ref: Ref) {
    let start = elements.count &- (path.last?.count ?? 0)
    elements[start &+ path.lastIndex] = Int64(bitPattern: ref.rawValue)
  }

  private mutating func finish(_ node: Node, _ output: some LiveNodeOutput) throws -> Ref {
    defer { elements.removeLast(node.count) }
    return try elements.withUnsafeBufferPointer { elements in
      try output.finish(
        NodeHeader.Kind(rawValue: node.flags & 0xe0),
        UnsafeBufferPointer(rebasing: elements[(elements.count - node.count)...]))
    }
  }
}

extension Node {
  /// High bits of the payload's last byte that belong to no element.
  @inline(__always) var unusedBits: Int {
    guard scheme == .bits, width < 8 else { return 0 }
    return payloadSize &* 8 &- count &* width
  }

  /// Puts the node into memory of `byteSize` bytes, zeros where no element is.
  @inline(__always)
  func copy(to node: UnsafeMutableRawPointer) {
    let payload = header.write(to: node)
    let bytes = bytes
    guard let start = bytes.baseAddress, bytes.count > 0 else { return }
    payload.copyMemory(from: start, byteCount: bytes.count)
    let unusedBits = unusedBits
    guard unusedBits > 0 else { return }
    let last = payload + bytes.count - 1
    last.storeBytes(of: last.load(as: UInt8.self) & 0xff >> UInt8(unusedBits), as: UInt8.self)
  }

  /// All elements, sign-extended, at the end of `elements`.
  ///
  /// The caller has proved the scheme (`requireBits`).
  package func appendElements(to elements: inout [Int64]) {
    let start = elements.count
    elements.append(contentsOf: repeatElement(0, count: count))
    elements.withUnsafeMutableBufferPointer { elements in
      let target = UnsafeMutableBufferPointer(rebasing: elements[start...])
      switch flags & 7 {
      case 5: copyElements(Int16.self, to: target)
      case 6: copyElements(Int32.self, to: target)
      case 7: copyElements(Int64.self, to: target)
      default: for index in 0..<count { target[index] = uncheckedInt(index) }
      }
    }
  }

  /// A loop for one width can take several elements at a time.
  @inline(__always)
  private func copyElements<Element: FixedWidthInteger & BitwiseCopyable>(
    _ type: Element.Type, to target: UnsafeMutableBufferPointer<Int64>
  ) {
    forEachWord(type) { index, element in target[index] = Int64(truncatingIfNeeded: element) }
  }
}
