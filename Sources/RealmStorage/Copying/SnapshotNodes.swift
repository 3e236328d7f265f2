/// A snapshot's own nodes as the body of a new realm.
///
/// Only for snapshots of format 24: the nodes of older formats mean other things.
package struct SnapshotNodes: RealmBody {
  private let snapshot: Snapshot
  private let keepsHistory: Bool

  package init(of snapshot: Snapshot, keepsHistory: Bool) {
    self.snapshot = snapshot
    self.keepsHistory = keepsHistory
  }

  package func write(to output: StreamingOutput) throws -> RealmRoots? {
    guard let top = snapshot.top else { return nil }
    var nodes = LiveNodes(of: snapshot, threadLimit: output.threadLimit)
    var roots = RealmRoots(
      tableNames: try nodes.write(top.tableNames, to: output), tables: try nodes.write(top.tables, to: output))
    if keepsHistory, !top.history.isNull { roots.history = try nodes.write(top.history, to: output) }
    return roots
  }
}

/// A copy: nodes without references are taken over as they are, padding zeroed; nodes with references are built again
/// around the new refs of their children.
extension StreamingOutput: LiveNodeOutput {
  @inline(__always)
  func enter(_ node: Node) throws {
    guard node.byteSize < NodeHeader.nodeSizeLimit else {
      throw StorageError.corrupted(node.ref, .tooManyElements(node.count))
    }
  }

  @inline(__always)
  func finish(_ leaf: Node) throws -> Ref {
    try append(leaf)
  }

  @inline(__always)
  func finish(_ kind: NodeHeader.Kind, _ elements: UnsafeBufferPointer<Int64>) throws -> Ref {
    try append(kind, elements: elements)
  }
}
