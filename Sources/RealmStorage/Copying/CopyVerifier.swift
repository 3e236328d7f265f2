import Libc

/// Where a copy differs from its source.
package struct CopyDifference: Error, Hashable, Sendable {
  /// The node in the source.
  package let source: Ref
  /// The node in the copy; null if there is none.
  package let copy: Ref
  package let reason: Reason

  package enum Reason: Hashable, Sendable {
    /// The copy does not open, or a node of it cannot be read.
    case unreadable(StorageError)
    /// Kind, element count or width scheme.
    case header
    /// The number at this place, or the presence of a child there.
    case element(Int)
    /// The content of a node without references.
    case payload
    /// Not in its place: nodes must follow each other without gaps.
    case place(expected: Ref)
    /// A number in the top array: version, history, sizes.
    case topArray
    /// Tables, properties or numbers of objects, as a reader sees them.
    case schema
  }

  package init(source: Ref, copy: Ref, _ reason: Reason) {
    (self.source, self.copy, self.reason) = (source, copy, reason)
  }
}

/// Compares a copy with its source node by node, and with what it should be as a file.
///
/// The copy's nodes must follow each other in the order of a walk through the source, so a copy that passes has no gap, no
/// overlap and no node twice. Memory grows only with the nodes on the way from the root to where the walk is.
package struct CopyVerifier {
  private let source: Snapshot
  private let copy: Snapshot
  private let progress: WorkProgress?
  private var nodes: NodeComparison

  /// - Parameter threadLimit: threads that read pages of encrypted files ahead.
  /// - Throws: `CopyDifference` if the copy does not open as a realm in streaming form.
  package init(
    source: Snapshot, copy: OpenedBytes, threadLimit: Int = 0, progress: WorkProgress? = nil
  ) throws {
    self.source = source
    self.progress = progress
    do {
      self.copy = try Snapshot(of: copy.store, wasDecrypted: copy.isEncrypted)
    } catch let error as StorageError {
      throw CopyDifference(source: source.header.topRef, copy: .null, .unreadable(error))
    }
    nodes = NodeComparison(source: source, copy: self.copy, threadLimit: threadLimit, progress: progress)
  }

  /// - Parameters:
  ///   - identity: the expected content of the copy's top array.
  ///   - keepsHistory: whether the history is part of the copy.
  /// - Throws: `CopyDifference` for the first difference; `StorageError` if the source cannot be read.
  package mutating func verify(_ identity: RealmIdentity, keepsHistory: Bool) throws {
    try verifyTop(identity, keepsHistory)
    if let original = source.top, let written = copy.top {
      try nodes.compare(original.tableNames, written.tableNames)
      try nodes.compare(original.tables, written.tables)
      if keepsHistory, identity.history?.kind == .inRealm {
        try nodes.passEmptiedHistory(written.history)
      } else if keepsHistory, identity.history != nil, !original.history.isNull {
        try nodes.compare(original.history, written.history)
      }
      try verifyEnd(of: written)
    }
    try verifyContent()
  }

  private func verifyTop(_ identity: RealmIdentity, _ keepsHistory: Bool) throws {
    let difference = CopyDifference(source: source.header.topRef, copy: copy.header.topRef, .topArray)
    guard copy.header.form == .streaming, (source.top == nil) == (copy.top == nil) else { throw difference }
    guard let original = source.top, let written = copy.top else { return }
    let history = identity.history
    // A damaged file can have parts of a history that it says it does not have; they are left out.
    let historyRef = keepsHistory && history != nil ? original.history : .null
    let hasHistory = keepsHistory && history?.kind == .inRealm || !historyRef.isNull
    guard copy.header.format == Header.newestFormat, written.version == identity.version,
      written.slotCount == (history == nil ? 7 : 11), written.historyKind == history?.kind ?? .none,
      written.historySchemaVersion == history?.schemaVersion ?? 0,
      written.syncFileIdent == history?.syncFileIdent ?? 0, written.history.isNull != hasHistory
    else { throw difference }
  }

  /// Free lists and top array follow the last node and end the realm.
  private func verifyEnd(of top: TopArray) throws {
    var place = nodes.position
    for list in [top.freePositions, top.freeLengths, top.freeVersions] {
      guard list == Ref(place) else { throw CopyDifference(source: .null, copy: list, .place(expected: Ref(place))) }
      guard try Node(list, in: copy.store).count == 0 else { throw CopyDifference(source: .null, copy: list, .header) }
      place += UInt64(Node.headerSize)
    }
    let node = try Node(top.ref, in: copy.store)
    guard top.ref == Ref(place), top.logicalSize == place + UInt64(node.byteSize) else {
      throw CopyDifference(source: source.header.topRef, copy: top.ref, .place(expected: Ref(place)))
    }
  }

  /// What a reader sees.
  private func verifyContent() throws {
    let difference = CopyDifference(source: source.header.topRef, copy: copy.header.topRef, .schema)
    guard source.tables.count == copy.tables.count, source.damagedTables.count == copy.damagedTables.count,
      source.schema == copy.schema
    else { throw difference }
    for (original, written) in zip(source.tables, copy.tables) {
      guard original.key == written.key, try original.objectCount() == written.objectCount() else { throw difference }
    }
  }
}

/// A tree of the source walked while the copy is read from front to back, where its nodes follow in the same order.
struct NodeComparison {
  private let source: Snapshot
  private let copy: Snapshot
  private let progress: WorkProgress?
  /// Where the copy's next node must be.
  private(set) var position = UInt64(RawHeader.size)
  /// Bytes compared since progress was last reported.
  private var unreported = 0
  /// Those of the snapshots; counting references would cost more than a look at a node.
  private let sourceStore: Unmanaged<ByteStore>
  private let copyStore: Unmanaged<ByteStore>
  private var sourcePath: NodePath
  /// Without nodes: it evicts pages, and reads ahead.
  private var copyPath: NodePath
  /// Where the children of the nodes on the path are in the copy, as far as they are compared.
  private var children: [UInt64] = []

  init(source: Snapshot, copy: Snapshot, threadLimit: Int, progress: WorkProgress?) {
    self.source = source
    self.copy = copy
    self.progress = progress
    (sourceStore, copyStore) = (.passUnretained(source.store), .passUnretained(copy.store))
    sourcePath = NodePath(in: source.store, threadLimit: threadLimit) { try source.releasePages() }
    copyPath = NodePath(in: copy.store, threadLimit: threadLimit) { try copy.releasePages() }
  }

  /// - Throws: `CopyDifference`; `StorageError` if the source cannot be read.
  mutating func compare(_ sourceRoot: Ref, _ copyRoot: Ref) throws {
    sourcePath.removeAll()
    children.removeAll(keepingCapacity: true)
    try visit(sourceRoot)
    while !sourcePath.isEmpty {
      while let ref = sourcePath.nextChild() { try visit(ref) }
      if let original = sourcePath.leave() { try compareElements(original) }
    }
    let root = Ref(children.last ?? 0)
    guard root == copyRoot else { throw CopyDifference(source: sourceRoot, copy: copyRoot, .place(expected: root)) }
    progress?.add(byteCount: unreported)
    unreported = 0
  }

  /// The history of a copy that has nothing in common with that of the source: one leaf.
  ///
  /// - Throws: `CopyDifference` for any other.
  mutating func passEmptiedHistory(_ root: Ref) throws {
    do {
      guard try EmptiedHistory.isAll(of: root, in: copy.store) else {
        throw CopyDifference(source: .null, copy: root, .payload)
      }
      let leaf = try Node(root, in: copy.store)
      for index in 0..<leaf.count { try finish(.null, Node(leaf.childRef(index), in: copy.store)) }
      try finish(.null, leaf)
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: root, .unreadable(error))
    }
  }

  private mutating func visit(_ sourceRef: Ref) throws {
    if sourcePath.isElsewhere(sourceRef) || copyPath.isElsewhere(Ref(position)) { try move(to: sourceRef) }
    let original = try sourceStore._withUnsafeGuaranteedRef { try Node(sourceRef, in: $0) }
    guard !original.hasRefs else { return try sourcePath.enter(original) }
    if copyStore._withUnsafeGuaranteedRef({ original.isStored(at: position, in: $0) }) {
      children.append(position)
      return finish(original.byteSize)
    }
    let written = try next(for: original)
    guard original.flags == written.flags, original.count == written.count else {
      throw CopyDifference(source: sourceRef, copy: written.ref, .header)
    }
    guard original.hasSamePayload(as: written) else {
      throw CopyDifference(source: sourceRef, copy: written.ref, .payload)
    }
    children.append(position)
    try finish(sourceRef, written)
  }

  /// The copy's node in the place of the next one.
  private func next(for original: Node) throws -> Node {
    do {
      return try copyStore._withUnsafeGuaranteedRef { try Node(Ref(position), in: $0) }
    } catch let error as StorageError {
      throw CopyDifference(source: original.ref, copy: Ref(position), .unreadable(error))
    }
  }

  /// Called when the walk reaches other parts of the files: time to evict pages, and to read some ahead.
  private mutating func move(to sourceRef: Ref) throws {
    // Both together, so that memory stays the same whichever of them is encrypted.
    if source.store.residentBytes + copy.store.residentBytes > ByteStore.residentByteBudget {
      try sourcePath.evictPages()
      try copyPath.evictPages()
    }
    sourcePath.readAhead(from: sourceRef)
    copyPath.readAhead(from: Ref(position))
  }

  /// A node all of whose children are compared: the copy's must refer to where those are.
  private mutating func compareElements(_ original: Node) throws {
    let written = try next(for: original)
    // It may have another width in the copy.
    guard original.flags & 0xf8 == written.flags & 0xf8, original.count == written.count else {
      throw CopyDifference(source: original.ref, copy: written.ref, .header)
    }
    var child = children.count
    for index in (0..<original.count).reversed() {
      let element = original.uncheckedInt(index)
      var expected = element
      // A file that changes meanwhile may have more refs than before.
      if element != 0, element & 1 == 0, child > 0 {
        child -= 1
        expected = Int64(bitPattern: children[child])
      }
      guard written.uncheckedInt(index) == expected else {
        throw CopyDifference(source: original.ref, copy: written.ref, .element(index))
      }
    }
    children.removeSubrange(child...)
    children.append(position)
    try finish(original.ref, written)
  }

  /// The node and all below it are equal; checks its place.
  private mutating func finish(_ sourceRef: Ref, _ written: Node) throws {
    guard written.ref.rawValue == position else {
      throw CopyDifference(source: sourceRef, copy: written.ref, .place(expected: Ref(position)))
    }
    finish(written.byteSize)
  }

  @inline(__always)
  private mutating func finish(_ size: Int) {
    position += UInt64(size)
    unreported += size
    if unreported > 1 << 20 {
      progress?.add(byteCount: unreported)
      unreported = 0
    }
  }
}

extension Node {
  /// Whether a file has the node at a place, as a copy has it; false also where it takes more to find out.
  @inline(__always)
  fileprivate func isStored(at position: UInt64, in store: borrowing ByteStore) -> Bool {
    let size = UInt64(byteSize)
    guard store.isThereAsAWhole, size <= UInt64(store.count), position <= UInt64(store.count) - size else {
      return false
    }
    let place = store.base + Int(position)
    guard UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) == header.word else { return false }
    let (count, unusedBits) = (payloadSize, unusedBits)
    guard unusedBits > 0 else { return memcmp(place + Self.headerSize, payload, count) == 0 }
    let (last, otherLast) = (
      payload.load(fromByteOffset: count - 1, as: UInt8.self),
      place.load(fromByteOffset: Self.headerSize + count - 1, as: UInt8.self)
    )
    return memcmp(place + Self.headerSize, payload, count - 1) == 0 && (last ^ otherLast) << UInt8(unusedBits) == 0
  }

  /// Whether two nodes with equal headers have the same elements; bytes that belong to no element are ignored.
  fileprivate func hasSamePayload(as other: Node) -> Bool {
    let (own, others) = (bytes, other.bytes)
    guard own.count == others.count else { return false }
    guard let last = own.last, let otherLast = others.last, let start = own.baseAddress, let other = others.baseAddress
    else { return true }
    let wholeBytes = unusedBits > 0 ? own.count - 1 : own.count
    return memcmp(start, other, wholeBytes) == 0
      && (unusedBits == 0 || (last ^ otherLast) << UInt8(unusedBits) == 0)
  }
}

extension Snapshot {
  /// Whether another file has the same nodes in the same places. That is the same state, even if a transaction that was
  /// never committed has written to one of the files.
  ///
  /// - Throws: `StorageError` if a node cannot be read, or occurs more than once.
  package func hasSameNodes(as other: Snapshot) throws -> Bool {
    guard header.topRef == other.header.topRef, header.format == other.header.format, version == other.version else {
      return false
    }
    guard !header.topRef.isNull else { return true }
    // In a sound file no two nodes overlap.
    var budget = byteCount
    func evictPages() throws {
      try releasePages()
      try other.releasePages()
    }
    return try NodePath.accepts(header.topRef, in: store, evictPages: evictPages) { ref in
      let (node, twin) = (try Node(ref, in: store), try Node(ref, in: other.store))
      guard node.byteSize <= budget else { throw StorageError.corrupted(ref, .valueOutOfRange("ref")) }
      budget -= node.byteSize
      return node.flags == twin.flags && node.count == twin.count && node.bytes.elementsEqual(twin.bytes) ? node : nil
    }
  }
}
