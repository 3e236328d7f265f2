/// Why the free list of a realm cannot be trusted. A node is given by its place: bytes from the start of the file, decrypted.
package enum SpaceFault: Hashable, Sendable {
  /// The free list contains the bytes from `start` to `end`, some of which the node uses.
  case listed(node: UInt64, start: UInt64, end: UInt64)
  /// The node reaches beyond the logical end of the realm, where a transaction writes.
  case beyondEnd(node: UInt64)
  /// The node shares bytes with another one, or is referenced twice: space released for one is still needed by the
  /// other.
  case shared(node: UInt64)
  /// The list of free space is damaged.
  case list(Corruption)
}

/// Proof that a transaction may write where a realm says that it may: in the space of its free list, and after its
/// logical end (Docs/Format/1-container.md §4.1).
///
/// Engines trust the list, and so would a transaction: if an entry overlaps a node in use, the next write destroys the
/// node. The proof takes one walk over all live nodes, and a bit for every eight bytes of the file.
struct FreeSpaceProof {
  private let snapshot: Snapshot
  private let progress: WorkProgress?

  init(of snapshot: Snapshot, progress: WorkProgress?) {
    (self.snapshot, self.progress) = (snapshot, progress)
  }

  /// - Throws: `WriteRefusal.spaceInUse`; `StorageError.corrupted` for a node that cannot be read, below which anything
  ///   may be.
  func run() throws {
    guard let top = snapshot.top else { return }
    let output = try UsedSpace(top, Self.freeRanges(of: top, in: snapshot.store), in: snapshot.store, progress)
    try output.enter(Node(top.ref, in: snapshot.store))
    var nodes = LiveNodes(of: snapshot, threadLimit: 0)
    // Whatever slot a ref is in, the node that it points to is in use.
    try Node(top.ref, in: snapshot.store).forEachRef { _ = try nodes.write($0, to: output) }
  }

  private static func freeRanges(of top: TopArray, in store: ByteStore) throws -> [SpaceRange] {
    SpaceRange.joined(try FreeLists(forWriting: top, in: store).entries.map(\.range))
  }
}

extension FreeLists {
  /// - Throws: `WriteRefusal.spaceInUse` if the lists are damaged.
  init(forWriting top: TopArray, in store: ByteStore) throws {
    do {
      try self.init(of: top, in: store)
    } catch StorageError.corrupted(let corruption) { throw WriteRefusal.spaceInUse(.list(corruption)) }
  }
}

/// Marks the space of nodes.
private final class UsedSpace: LiveNodeOutput {
  private let free: [SpaceRange]
  private let map: SpaceMap
  private let logicalSize: UInt64
  private let progress: WorkProgress?
  /// Bytes of nodes that were not yet reported to `progress`.
  private var unreported = 0

  private static let reportedBytes = 1 << 20

  init(_ top: TopArray, _ free: [SpaceRange], in store: ByteStore, _ progress: WorkProgress?) throws {
    (self.free, self.progress, logicalSize) = (free, progress, top.logicalSize)
    map = try SpaceMap(byteCount: UInt64(store.count))
    for range in free { map.mark(from: range.start, length: range.byteCount) }
    let freeBytes = free.reduce(0) { $0 + $1.byteCount }
    progress?.begin(.provingFreeSpace, totalByteCount: logicalSize - min(freeBytes, logicalSize))
  }

  @inline(__always)
  func enter(_ node: Node) throws {
    let (start, size) = (node.ref.rawValue, UInt64(node.byteSize))
    guard size <= logicalSize, start <= logicalSize - size else {
      throw WriteRefusal.spaceInUse(.beyondEnd(node: node.ref.rawValue))
    }
    if map.mark(from: start, length: size) > 0 {
      throw WriteRefusal.spaceInUse(fault(node.ref, SpaceRange(start, count: size)))
    }
    unreported += node.byteSize
    if unreported >= Self.reportedBytes { report() }
  }

  func finish(_ leaf: Node) -> Ref { leaf.ref }

  /// Nobody has requested it.
  func finish(_ kind: NodeHeader.Kind, _ elements: UnsafeBufferPointer<Int64>) -> Ref { .null }

  private func fault(_ node: Ref, _ place: SpaceRange) -> SpaceFault {
    // The first range that ends after the beginning of the node.
    let index = firstIndex(in: 0..<free.count) { free[$0].end > place.start }
    guard index < free.count, free[index].start < place.end else { return .shared(node: node.rawValue) }
    return .listed(node: node.rawValue, start: free[index].start, end: free[index].end)
  }

  private func report() {
    progress?.add(byteCount: unreported)
    unreported = 0
  }
}
