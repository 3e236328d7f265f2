/// Yields all nodes of a new realm below its top array.
///
/// There are two: `SnapshotNodes` takes the nodes of a snapshot over as they are; a rebuild writes new nodes, for older
/// formats and for copies that leave something out.
package protocol RealmBody {
  /// Hands all nodes to `output`, children first: those of the table names, of the tables, of the history.
  ///
  /// - Returns: nil, and no node, for a realm without content.
  /// - Throws: `StorageError` where the source is damaged; what `output` throws.
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
  /// Nil: the file is written without anything about a history, as the engine does where there is none.
  package var history: History?

  /// What a compacted file keeps of the one it replaces: everything (§3.8).
  ///
  /// Where the source says "history of that kind, empty", so does the copy; the engine would leave the history out and
  /// make a first commit necessary.
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
