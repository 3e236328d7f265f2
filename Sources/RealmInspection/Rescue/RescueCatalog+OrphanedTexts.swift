import RealmStorage

extension RescueCatalog {
  /// Calls `body` with the texts in nodes that nothing refers to: values of lost objects, and of deleted ones.
  ///
  /// Text that is not UTF-8, has control characters, or is shorter than four bytes is skipped.
  package func forEachOrphanedText(_ body: (Ref, [UInt8]) -> Void) {
    for table in tables {
      for place in table.places where place.confidence > .current || !isLive { space.take(place.ref) }
    }
    let (store, size) = (bytes.store, UInt64(bytes.byteCount))
    var offset = UInt64(RawHeader.size)
    while offset + UInt64(Node.headerSize) <= size {
      defer { offset += 8 }
      if offset & UInt64(PageCache.pageSize - 1) == 0 { bytes.letGoOfPages() }
      guard !space.isTaken(offset), let node = try? Node(Ref(offset), in: store), !node.hasRefs, node.count > 0,
        NodeHeader.isSignature(node.signature)
      else { continue }
      switch node.scheme {
      case .ignore: for part in node.bytes.split(separator: 0) { Self.hand(part, of: node, body) }
      case .multiply where node.width > 1:
        for index in 0..<node.count {
          if let text = try? StringLeaf.short(node, index) { Self.hand(text[...], of: node, body) }
        }
      default: break
      }
    }
  }

  private static let shortestText = 4

  private static func hand(
    _ bytes: Slice<UnsafeRawBufferPointer>, of node: Node, _ body: (Ref, [UInt8]) -> Void
  ) {
    guard bytes.count >= shortestText, let text = String(utf8: bytes),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f || $0 == "\n" || $0 == "\t" || $0 == "\r" })
    else { return }
    body(node.ref, Array(bytes))
  }
}
