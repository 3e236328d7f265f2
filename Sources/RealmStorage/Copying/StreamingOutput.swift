/// Writes a realm in streaming form from front to back (Docs/Format/1-container.md §1.3, §6.1): header, nodes, top
/// array, footer.
///
/// The nodes come from a `RealmBody`. Equal input gives equal bytes, encrypted or not.
package final class StreamingOutput: NodeOutput {
  private let pipeline: BlockPipeline
  private let isEncrypted: Bool
  private var block: OutputBlock
  // Used by one thread, a few times per node: checking for overlapping access costs more than the use.
  /// The part of the block that is still free, and how long it is.
  @exclusivity(unchecked) private var free: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var room = OutputBlock.capacity
  /// Bytes of plaintext that were handed in.
  @exclusivity(unchecked) private(set) var position: UInt64 = 0

  /// Threads that may help to make the body.
  var threadLimit: Int { pipeline.threadLimit }

  /// Where the header has the format of slot 0.
  private static let formatOffset = 20

  /// - Parameter isEncrypted: whether the pipeline encrypts, which takes whole pages.
  init(through pipeline: BlockPipeline, isEncrypted: Bool, format: TargetFormat) throws {
    self.pipeline = pipeline
    self.isEncrypted = isEncrypted
    block = try pipeline.emptyBlock()
    free = block.start
    // Slot 0, slot 1, mnemonic, and the format for slot 0.
    for word in [Header.streamingSentinel, 0, UInt64(RawHeader.mnemonicNumber) | UInt64(format.number) << 32] {
      try append(word: word)
    }
  }

  // MARK: Nodes

  package func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
    let ref = Ref(position)
    guard node.count >= Node.headerSize, node.count & 7 == 0, node.count < NodeHeader.nodeSizeLimit else {
      throw StorageError.corrupted(ref, .tooManyElements(node.count))
    }
    try append(bytes: node)
    return ref
  }

  /// Appends a node without references unchanged.
  func append(_ leaf: Node) throws -> Ref {
    let ref = Ref(position)
    let size = leaf.byteSize
    guard size < NodeHeader.nodeSizeLimit else {
      throw StorageError.corrupted(ref, .tooManyElements(leaf.count))
    }
    if size <= room {
      leaf.copy(to: free)
      advance(size)
    } else {
      try withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { node in
        if let start = node.baseAddress { leaf.copy(to: start) }
        try append(bytes: UnsafeRawBufferPointer(node))
      }
    }
    return ref
  }

  /// Appends a node of integers with the smallest width that fits its elements.
  func append(
    _ kind: NodeHeader.Kind, elements: UnsafeBufferPointer<Int64>, atLeast width: ElementWidth = .zero
  ) throws -> Ref {
    let width = max(width, ElementWidth(holding: elements))
    let header = NodeHeader(kind, .bits, widthCode: width.code, count: elements.count)
    return try withUnsafeTemporaryAllocation(byteCount: header.nodeSize, alignment: 8) { node in
      if let start = node.baseAddress { header.write(elements, to: start) }
      return try append(UnsafeRawBufferPointer(rebasing: node[..<header.nodeSize]))
    }
  }

  // MARK: End

  /// Writes free lists, top array, padding and footer, and waits until all bytes are on their way to the file.
  ///
  /// - Parameter roots: nil for a realm without content, which has no top array and format 0.
  func finish(_ roots: RealmRoots?, _ identity: RealmIdentity) throws -> WrittenRealm {
    if roots == nil, position == RawHeader.size {
      block.start.storeBytes(of: 0, toByteOffset: Self.formatOffset, as: UInt8.self)
    }
    let top = try roots.map { try appendTopArray($0, identity) } ?? .null
    let logicalSize = position
    if isEncrypted {
      // The footer ends a page (§7.7).
      while (position + UInt64(Header.footerSize)) % EncryptionLayout.pageSize != 0 { try append(word: 0) }
    }
    try append(word: top.rawValue)
    try append(word: Header.footerCookie)
    try submitBlock()
    try pipeline.finish()
    let pages = position / EncryptionLayout.pageSize
    return WrittenRealm(
      logicalSize: logicalSize, fileSize: isEncrypted ? EncryptionLayout.physicalSize(ofPages: pages) : position)
  }

  private func appendTopArray(_ roots: RealmRoots, _ identity: RealmIdentity) throws -> Ref {
    var elements = [roots.tableNames.element, roots.tables.element, 0]
    // Nothing is free: three empty nodes.
    for _ in 0..<3 { elements.append(try append([], elements: UnsafeBufferPointer(start: nil, count: 0)).element) }
    elements.append(.tagged(identity.version))
    if let history = identity.history {
      elements += [
        .tagged(history.kind.code), roots.history.element, .tagged(history.schemaVersion),
        .tagged(history.syncFileIdent),
      ]
    }
    // The width must fit the size, which depends on the width; the engine uses an upper bound to settle that.
    let slotLimit = identity.history == nil ? 7 : 12
    let sizeLimit = Int64.tagged(position + UInt64(NodeHeader.size + 8 * slotLimit))
    let width = elements.withUnsafeBufferPointer { max(ElementWidth(holding: $0), ElementWidth(holding: sizeLimit)) }
    let header = NodeHeader(.refs, .bits, widthCode: width.code, count: elements.count)
    elements[TopSlot.logicalSize.rawValue] = .tagged(position + UInt64(header.nodeSize))
    return try elements.withUnsafeBufferPointer { try append(.refs, elements: $0, atLeast: width) }
  }

  // MARK: Bytes

  @inline(__always)
  private func append(word: UInt64) throws {
    // Everything before is a multiple of eight bytes, and so is a block.
    if room < 8 { try nextBlock() }
    free.storeBytes(of: word.littleEndian, as: UInt64.self)
    advance(8)
  }

  @inline(__always)
  private func append(bytes: UnsafeRawBufferPointer) throws {
    guard var next = bytes.baseAddress else { return }
    var count = bytes.count
    while count > room {
      let first = room
      free.copyMemory(from: next, byteCount: first)
      advance(first)
      next += first
      count -= first
      try nextBlock()
    }
    free.copyMemory(from: next, byteCount: count)
    advance(count)
  }

  @inline(__always)
  private func advance(_ count: Int) {
    free += count
    room -= count
    position += UInt64(count)
  }

  private func submitBlock() throws {
    block.count = OutputBlock.capacity - room
    if block.count > 0 { try pipeline.submit(block) }
  }

  private func nextBlock() throws {
    let index = block.index
    try submitBlock()
    block = try pipeline.emptyBlock()
    block.index = index + 1
    (free, room) = (block.start, OutputBlock.capacity)
  }
}
