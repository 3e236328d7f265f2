import RealmStorage

/// The lengths of the texts or data of a leaf, read from headers where each value is a node of its own.
struct TextLengths {
  private enum Form {
    /// Many values in few nodes.
    case packed(StringLeaf)
    /// A node for each value.
    case blobs(Node)
  }

  private let form: Form
  private let isText: Bool
  private let store: ByteStore
  let count: Int

  /// Nil if no such leaf exists.
  ///
  /// - Parameter isText: values end with a byte that does not belong to them.
  init?(_ ref: Ref, isText: Bool, in store: ByteStore) {
    guard let node = try? Node(ref, in: store) else { return nil }
    (self.isText, self.store) = (isText, store)
    if node.flags & 0x78 == 0x60 {
      (form, count) = (.blobs(node), node.count)
    } else {
      guard let leaf = try? StringLeaf(node, isString: isText, in: store) else { return nil }
      (form, count) = (.packed(leaf), leaf.count)
    }
  }

  /// Bytes of a value; nil for null and for what cannot be read.
  ///
  /// - Parameter pieces: how many pieces of long values may still be added up.
  func length(at index: Int, pieces: inout Int) -> UInt64? {
    switch form {
    case .packed(let leaf):
      return (try? leaf.value(at: index, isString: isText, in: store)).flatMap { $0 }.map { UInt64($0.count) }
    case .blobs(let node):
      guard let ref = node.slot(index).child,
        let bytes = try? store.bytes(at: ref.rawValue, length: NodeHeader.size)
      else { return nil }
      let header = NodeHeader(UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
      if header.flags & NodeHeader.Kind.refs.rawValue == 0 { return UInt64(max(header.count - (isText ? 1 : 0), 0)) }
      pieces -= header.count
      guard pieces >= 0, let node = try? Node(ref, in: store), (try? node.requireRefs("pieces")) != nil,
        let value = try? BlobView(pieces: node, droppingLast: isText ? 1 : 0, in: store)
      else { return nil }
      return UInt64(value.count)
    }
  }

  /// The bytes of a value that is no longer than `limit`.
  func bytes(at index: Int, atMost limit: Int) -> UnsafeRawBufferPointer? {
    switch form {
    case .packed(let leaf):
      let value = (try? leaf.value(at: index, isString: isText, in: store)).flatMap { $0 }
      return value.flatMap { $0.count <= limit ? $0.contiguous : nil }
    case .blobs(let node):
      guard let ref = node.slot(index).child, let header = try? store.bytes(at: ref.rawValue, length: NodeHeader.size),
        NodeHeader(UInt64(littleEndian: header.loadUnaligned(as: UInt64.self))).count <= limit,
        let blob = try? Node(ref, in: store).requiringBlob()
      else { return nil }
      return UnsafeRawBufferPointer(rebasing: isText ? blob.bytes.dropLast() : blob.bytes[...])
    }
  }
}
