import RealmStorage

/// A file as opening finds it, read-only.
struct LaunchedFile {
  let facts: RealmFacts
  /// Nil where there is no content to read.
  let content: (bytes: OpenedBytes, snapshot: Snapshot)?

  /// - Throws: `StorageError` for a file that is no realm, or whose tables cannot be told.
  init(at path: String, key: EncryptionKey?) throws {
    do {
      let bytes = try ByteStore.open(.path(path), key: key)
      let snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
      // A damaged table would look like one that is not there.
      if let damaged = snapshot.damagedTables.first { throw damaged.error }
      (facts, content) = (RealmFacts(snapshot), (bytes, snapshot))
    } catch StorageError.file(.missing) {
      (facts, content) = (.missing, nil)
    } catch StorageError.notARealm(.empty) {
      (facts, content) = (.empty, nil)
    } catch StorageError.unsupportedFormat(let format) {
      (facts, content) = (.realm(format: format, history: .none, schema: Schema()), nil)
    }
  }

  var identity: FileIdentity? { content?.bytes.identity }
}
