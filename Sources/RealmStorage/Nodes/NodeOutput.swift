/// Where finished nodes go: the body of a file that is being written, front to back.
///
/// A writer of trees hands nodes over children first, because a node holds the refs of its children. Nothing handed
/// over can be changed afterwards.
///
/// Layout: Docs/Format/1-container.md §6.1, Docs/Format/2-nodes-and-values.md §1.
package protocol NodeOutput: AnyObject {
  /// Appends a whole node and returns the ref it got.
  ///
  /// - Parameter node: header and payload, padded with zeros to a multiple of eight bytes. Bytes 0 to 3 are `AAAA`. The
  ///   bytes are copied or written before the call returns.
  /// - Throws: where the bytes cannot be written, and for a node that no file can hold (no whole multiple of eight
  ///   bytes, 64 MiB or more).
  func append(_ node: UnsafeRawBufferPointer) throws -> Ref
}

/// Where the nodes of a new state go, and those of the old state that it no longer needs.
protocol NodeReplacement: NodeOutput {
  /// A node is no longer needed. Its children are not looked at.
  func release(_ ref: Ref, byteSize: Int)

  /// A node and all below it are no longer needed.
  ///
  /// - Throws: `StorageError.corrupted` where the nodes are damaged.
  func releaseTree(_ root: Ref) throws
}

extension NodeReplacement {
  /// A node is no longer needed. Its children are not looked at.
  func release(_ node: Node) { release(node.ref, byteSize: node.byteSize) }
}
