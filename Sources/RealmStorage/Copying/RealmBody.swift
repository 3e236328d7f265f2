/// Yields all nodes of a new realm below its top array.
///
/// There are two: `SnapshotNodes` takes the nodes of a snapshot over as they are; a rebuild writes new nodes, for older
/// formats and for copies that leave something out.
package protocol RealmBody {
  /// Passes all nodes to `output`, children first: those of the table names, of the tables, of the history.
  ///
  /// - Returns: nil, and no node, for a realm without content.
  /// - Throws: `StorageError` if the source is damaged; errors of `output`.
  func write(to output: StreamingOutput) throws -> RealmRoots?
}

/// A realm without content.
package struct EmptyRealm: RealmBody {
  package init() {}

  package func write(to output: StreamingOutput) throws -> RealmRoots? { nil }
}

/// The numbers in a realm's top array (Docs/Format/1-container.md §3.1).
package struct RealmIdentity: Hashable, Sendable {
  package struct History: Hashable, Sendable {
    package var kind: HistoryKind
    package var schemaVersion: UInt64
    package var syncFileIdent: UInt64
  }

  /// The number of the transaction that made this state.
  package var version: UInt64
  /// Nil: the file is written without anything about a history, as the engine does if there is none.
  package var history: History?

  /// What a compacted file keeps of the one it replaces: everything (§3.8), of a realm without a history, too.
  package init(of snapshot: Snapshot) {
    version = snapshot.version
    guard let top = snapshot.top, top.historyKind != .none else { return }
    history = History(
      kind: top.historyKind, schemaVersion: top.historySchemaVersion, syncFileIdent: top.syncFileIdent)
  }

  /// A version, and the empty history of another identity.
  package init(version: UInt64, emptyHistoryIn identity: RealmIdentity) {
    self.init(version: version, history: identity.history)
  }

  init(version: UInt64, history: History?) {
    self.version = version
    self.history = history
  }

  /// A file that an SDK opens without a first commit: empty history of the kind for local files (§1.5, §3.6).
  package static let fresh = RealmIdentity.fresh(in: .newest)

  /// The same in another file format.
  package static func fresh(in format: TargetFormat) -> RealmIdentity {
    RealmIdentity(
      version: 1, history: History(kind: .inRealm, schemaVersion: format.historySchemaVersion, syncFileIdent: 0))
  }
}

/// A snapshot's own nodes as the body of a new realm.
///
/// Only for snapshots of format 24: the nodes of older formats mean other things.
package struct SnapshotNodes: RealmBody {
  private let snapshot: Snapshot
  private let keepsHistory: Bool
  private let census: NodeCensus?

  /// - Parameters:
  ///   - keepsHistory: whether the history is written; of one inside the realm, what an engine would keep.
  ///   - census: counts the nodes that are copied.
  package init(of snapshot: Snapshot, keepsHistory: Bool, census: NodeCensus? = nil) {
    (self.snapshot, self.census) = (snapshot, census)
    self.keepsHistory = keepsHistory && snapshot.top?.historyKind != HistoryKind.none
  }

  package func write(to output: StreamingOutput) throws -> RealmRoots? {
    guard let top = snapshot.top else { return nil }
    var nodes = LiveNodes(of: snapshot, threadLimit: output.threadLimit)
    nodes.census = census
    var roots = RealmRoots(
      tableNames: try nodes.write(top.tableNames, to: output), tables: try nodes.write(top.tables, to: output))
    guard keepsHistory else { return roots }
    if top.historyKind == .inRealm {
      roots.history = try EmptiedHistory(of: top.history, in: snapshot.store).write(to: NodeEncoder(output))
    } else if !top.history.isNull {
      roots.history = try nodes.write(top.history, to: output)
    }
    return roots
  }
}

extension NodeCensus {
  /// Of a snapshot.
  ///
  /// - Returns: nil if there is nothing, or memory is short.
  package convenience init?(of snapshot: Snapshot) {
    guard let top = snapshot.top else { return nil }
    try? self.init(
      snapshot.store, logicalSize: min(top.logicalSize, UInt64(snapshot.store.count)),
      isFirstCopy: snapshot.header.form == .streaming,
      expectsSignature: !Header.legacyFormats.contains(snapshot.header.format))
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
