/// What a walk over live nodes hands them to.
protocol LiveNodeOutput: AnyObject {
  /// A node is come to, before any below it.
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
///
/// The walk keeps no pointer into the source between two nodes, so that pages read on demand can
/// be given back; its memory grows with the depth of the tree alone.
struct LiveNodes {
  /// Lets go of pages, of which there are too many.
  private let releasePages: () throws -> Void
  /// That of the snapshot; a node takes thirty nanoseconds, of which counting references would be a fifth.
  private let store: Unmanaged<ByteStore>
  private var place: PlaceInPages
  /// Bytes of nodes that may still be visited. In a sound file no two nodes overlap, so all of them fit into it; refs
  /// in circles, or one subtree referred to a million times, do not.
  private var budget: Int
  private var frames: [Frame] = []
  /// The elements of the nodes under way: new refs up to each frame's place, old ones behind it.
  private var elements: [Int64] = []

  /// A node whose children are being visited.
  private struct Frame {
    let ref: Ref
    let kind: NodeHeader.Kind
    /// The element to look at next.
    var next: Int
    /// Where its elements start and end.
    let start: Int
    let end: Int
  }

  /// Elements of all nodes under way. Trees have at most 1000 children a node and a group 65,535 tables, so a sound file
  /// stays far below.
  private static let elementLimit = 1 << 22
  /// Collections nest 100 levels deep, of half a dozen nodes each.
  private static let depthLimit = 4096

  /// - Parameters:
  ///   - store: has to live as long as the walk.
  ///   - threadLimit: threads for reading pages ahead.
  ///   - releasePages: lets go of the pages of the store, and restores what else stands on them.
  init(in store: ByteStore, threadLimit: Int, releasePages: @escaping () throws -> Void) {
    self.store = .passUnretained(store)
    self.releasePages = releasePages
    place = PlaceInPages(store, threadLimit: threadLimit)
    budget = store.count
  }

  /// Hands over the tree below `root`.
  ///
  /// - Returns: the new ref of the root.
  /// - Throws: `StorageError.corrupted`, naming the node that stands in the way; what `output` throws.
  mutating func write(_ root: Ref, to output: some LiveNodeOutput) throws -> Ref {
    frames.removeAll(keepingCapacity: true)
    elements.removeAll(keepingCapacity: true)
    if let ref = try visit(root, output) { return ref }
    while let frame = frames.last {
      guard try writeChildren(of: frame, output) else { continue }
      frames.removeLast()
      let ref = try finish(frame, output)
      guard let parent = frames.last else { return ref }
      elements[parent.next] = Int64(bitPattern: ref.rawValue)
      frames[frames.count - 1].next += 1
    }
    return .null
  }

  /// Writes the children of the last frame up to the first one that has children itself, for which a frame is begun.
  ///
  /// - Returns: false where there is such a one.
  private mutating func writeChildren(of frame: Frame, _ output: some LiveNodeOutput) throws -> Bool {
    for index in frame.next..<frame.end {
      let element = RefOrTagged(elements[index])
      let ahead = index &+ ByteStore.prefetchDistance
      if ahead < frame.end { store._withUnsafeGuaranteedRef { $0.prefetch(elements[ahead]) } }
      guard !element.isTagged, element.rawValue != 0 else { continue }
      let depth = frames.count - 1
      guard let ref = try visit(element.ref, output) else {
        frames[depth].next = index
        return false
      }
      elements[index] = Int64(bitPattern: ref.rawValue)
    }
    return true
  }

  /// Writes a node without children, or begins one with children.
  ///
  /// - Returns: the new ref of the node if it is written.
  private mutating func visit(_ ref: Ref, _ output: some LiveNodeOutput) throws -> Ref? {
    if place.leaves(for: ref) { try move(to: ref) }
    let node = try store._withUnsafeGuaranteedRef { try Node(ref, in: $0) }
    budget -= node.byteSize
    guard budget >= 0 else { throw StorageError.corrupted(ref, .visitedTooOften) }
    try output.enter(node)
    guard node.hasRefs else { return try output.finish(node) }
    try node.requireBits("a node with references")
    guard frames.count < Self.depthLimit else { throw StorageError.corrupted(ref, .tooDeep) }
    guard elements.count + node.count <= Self.elementLimit else {
      throw StorageError.corrupted(ref, .tooManyElements(node.count))
    }
    let start = elements.count
    node.appendElements(to: &elements)
    frames.append(
      Frame(
        ref: ref, kind: NodeHeader.Kind(rawValue: node.flags & 0xe0), next: start, start: start, end: elements.count))
    return nil
  }

  /// The walk comes to another part of the file: time to let go of pages, and to read some ahead.
  private mutating func move(to ref: Ref) throws {
    if store._withUnsafeGuaranteedRef({ $0.holdsTooManyPages }) { try place.releasePages(releasePages) }
    place.move(to: ref)
  }

  private mutating func finish(_ frame: Frame, _ output: some LiveNodeOutput) throws -> Ref {
    defer { elements.removeLast(frame.end - frame.start) }
    return try elements.withUnsafeBufferPointer { elements in
      try output.finish(frame.kind, UnsafeBufferPointer(rebasing: elements[frame.start..<frame.end]))
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
  func appendElements(to elements: inout [Int64]) {
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
