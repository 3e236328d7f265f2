import RealmStorage

/// Counts the bytes of nodes, each once, whatever leads to them.
///
/// Of nodes without references only the header is read. No pointer into the file is kept between two calls, so that pages
/// can be let go. Memory is a 64th of the file for the map, and grows with the depth of trees.
final class SpaceWalk {
  /// Who the nodes of a tree belong to.
  struct Owner {
    /// What they are, for the names of damaged ones.
    var place: Int
    /// The counter of nodes of numbers and references.
    var numbers: Int
    /// The counter of nodes of bytes.
    var bytes: Int

    init(_ counter: Int, bytes: Int? = nil) {
      (place, numbers) = (counter, counter)
      self.bytes = bytes ?? counter
    }
  }

  let store: ByteStore
  let map: SpaceMap
  /// Bytes by counter.
  private(set) var counters: [UInt64]
  /// Bytes of all nodes.
  private(set) var byteCount: UInt64 = 0
  private(set) var sharedNodeCount = 0
  private(set) var damage: [(counter: Int, error: StorageError)] = []
  private(set) var damageCount = 0
  /// Bytes of nodes and elements of references that may still be looked at; without overlaps there are no more than five
  /// for each byte of the file.
  private var budget: Int
  private var path: NodePath
  /// Called from time to time with the bytes of nodes seen so far.
  private let progress: (UInt64) -> Void
  private var untilProgress = SpaceWalk.nodesPerProgress

  private static let mostDamage = 100
  private static let nodesPerProgress = 1 << 14

  init(_ store: ByteStore, counterCount: Int, progress: @escaping (UInt64) -> Void) throws {
    self.store = store
    self.progress = progress
    path = NodePath(in: store)
    map = try SpaceMap(byteCount: UInt64(store.count))
    counters = Array(repeating: 0, count: counterCount)
    budget = store.count.multiplied(atMost: 8)
  }

  // MARK: Bytes

  /// Counts a range of bytes as far as nothing else has it.
  ///
  /// - Returns: the bytes that were counted.
  @discardableResult
  func count(from start: UInt64, length: UInt64, _ counter: Int) -> UInt64 {
    let end = UInt64(store.count)
    guard start < end else { return 0 }
    let length = min(length, end - start)
    let fresh = length &- min(map.mark(from: start, length: length), length)
    counters[counter] &+= fresh
    return fresh
  }

  /// Counts bytes that are not in the map.
  func count(_ bytes: UInt64, _ counter: Int) { counters[counter] &+= bytes }

  func note(_ error: StorageError, _ counter: Int) {
    damageCount += 1
    if damage.count < Self.mostDamage { damage.append((counter, error)) }
  }

  // MARK: Nodes

  /// Counts a node.
  ///
  /// - Returns: its header; nil if it was counted before or cannot be read.
  @inline(__always)
  func header(_ ref: Ref, _ owner: Owner) -> NodeHeader? {
    do { return try enter(ref, owner) } catch {
      if let error = error as? StorageError { note(error, owner.place) }
      return nil
    }
  }

  /// Counts a node, and gives it where it was not counted before.
  func node(_ ref: Ref, _ owner: Owner) -> Node? {
    do { return try enter(ref, owner) == nil ? nil : Node(ref, in: store) } catch {
      if let error = error as? StorageError { note(error, owner.place) }
      return nil
    }
  }

  /// The same for a node of references.
  func refs(_ ref: Ref, _ owner: Owner) -> Node? {
    guard let node = node(ref, owner) else { return nil }
    do {
      try node.requireRefs("a node of refs")
      return node
    } catch {
      if let error = error as? StorageError { note(error, owner.place) }
      return nil
    }
  }

  private func enter(_ ref: Ref, _ owner: Owner) throws -> NodeHeader? {
    let offset = ref.rawValue
    guard offset & 7 == 0, offset >= UInt64(RawHeader.size) else {
      throw StorageError.corrupted(ref, ref.isNull ? .missingNode : .misplacedRef)
    }
    if map.isMarked(offset) {
      sharedNodeCount += 1
      return nil
    }
    let bytes = try store.bytes(at: offset, length: NodeHeader.size)
    let header = NodeHeader(UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    guard let payloadSize = header.payloadSize else {
      throw StorageError.corrupted(ref, .unknownWidthScheme)
    }
    guard payloadSize <= store.count - Int(offset) - NodeHeader.size else {
      throw StorageError.corrupted(ref, .beyondEndOfFile)
    }
    let size = UInt64(header.nodeSize)
    guard budget >= 0 else { return nil }
    budget -= header.nodeSize + (header.canLeadOn ? header.count : 0)
    guard budget >= 0 else { throw StorageError.corrupted(ref, .visitedTooOften) }
    let fresh = size &- min(map.mark(from: offset, length: size), size)
    counters[header.flags & 0x18 == 0 ? owner.numbers : owner.bytes] &+= fresh
    byteCount &+= fresh
    untilProgress -= 1
    if untilProgress == 0 {
      untilProgress = Self.nodesPerProgress
      progress(byteCount)
    }
    return header
  }

  // MARK: Trees

  /// Counts all nodes that can be reached from a root.
  ///
  /// - Returns: their bytes, those left out that were counted before.
  @discardableResult
  func tree(_ root: Ref, _ owner: Owner) -> UInt64 {
    let before = byteCount
    push(root, owner)
    while let ref = path.nextInOrder() { push(ref, owner) }
    return byteCount &- before
  }

  @inline(__always)
  private func push(_ ref: Ref, _ owner: Owner) {
    do {
      try path.move(to: ref)
      guard let header = header(ref, owner), header.canLeadOn else { return }
      let node = try Node(ref, in: store)
      try node.requireRefs("a node of refs")
      try path.enter(node)
    } catch {
      if let error = error as? StorageError { note(error, owner.place) }
    }
  }
}

extension NodeHeader {
  /// Whether elements may be refs: those of no or one bit lead nowhere, and any number of them fits into a few bytes.
  fileprivate var canLeadOn: Bool { flags & Kind.refs.rawValue != 0 && flags & 7 > 1 }
}
