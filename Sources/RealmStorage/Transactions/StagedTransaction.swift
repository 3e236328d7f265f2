import RealmSystem

/// Changes of a realm that stay in memory: each state can be read as it would be after a commit, and no file is opened
/// for writing.
///
/// ```swift
/// let staged = try StagedTransaction("app.realm", key: nil)
/// try staged.change { try $0.table("class_Person").delete(key) }
/// let preview = try staged.state()
/// ```
///
/// What was read from an older state stays as it was. The only way back is to start again.
package final class StagedTransaction {
  private let files = MemoryFiles(.scratch)
  private let transaction: WriteTransaction
  private let path: String
  private let key: EncryptionKey?

  /// One state, to be read.
  package struct State: Sendable {
    package let snapshot: Snapshot
    package let bytes: OpenedBytes
  }

  /// - Throws: `StorageError` if the realm is damaged; `WriteRefusal` for one that no transaction may change.
  package init(_ path: String, key: EncryptionKey?) throws {
    (self.path, self.key) = (path, key)
    transaction = try FileBackend.$calls.withValue(files) {
      try WriteTransaction(RealmFile(staging: path, key: key))
    }
  }

  /// The number of the state from which the changes begin.
  package var startVersion: UInt64 { transaction.start.version }

  /// Runs changes. If they throw, their effect is unknown, and nothing may follow.
  ///
  /// - Throws: what `body` throws.
  package func change<Result>(_ body: (WriteTransaction) throws -> Result) throws -> Result {
    try FileBackend.$calls.withValue(files) { try RealmError.uncovering { try body(transaction) } }
  }

  /// The realm with all changes so far.
  ///
  /// - Throws: as `WriteTransaction.spill`.
  package func state() throws -> State {
    try FileBackend.$calls.withValue(files) {
      try transaction.spill()
      let bytes = try ByteStore.open(.path(path), key: key, prefersPages: true)
      return State(snapshot: try Snapshot(of: bytes.store, as: transaction.base), bytes: bytes)
    }
  }
}

extension StagedTransaction.State {
  /// The same without any page in memory.
  package func withoutPages() throws -> StagedTransaction.State {
    let fresh = try bytes.withoutPages()
    return StagedTransaction.State(snapshot: try Snapshot(of: fresh.store, as: snapshot), bytes: fresh)
  }
}
