import RealmExchange
import RealmOpening
import RealmRedaction
import RealmStorage

extension RealmCopy {
  /// What will be proved of a redacted copy; what to search for is gathered while it is written.
  func startProof(of redaction: Redaction) -> RedactionProof {
    var proof = RedactionProof(of: snapshot, plan.selection, redaction)
    (proof.threadCount, proof.compares, proof.format) = (options.threadLimit + 1, options.verifies, options.format)
    if options.threadLimit > 0, !snapshot.isReadInPages { proof.startGathering() }
    return proof
  }

  /// Opens a redacted copy that was written, and proves that it contains what the rules say and nothing that they
  /// remove.
  ///
  /// - Throws: `RedactionError`, `CopyDifference`, `WrittenFault`; `OutputError.notARegularFile` for what cannot be
  ///   read again; `StorageError` if the snapshot cannot be read.
  func run(
    _ proof: RedactionProof, _ keys: [TableKey: DerivedKeys], of output: SafeOutput, _ written: WrittenRealm
  ) throws -> RedactionAccount {
    guard let path = output.temporaryPath else { throw OutputError.notARegularFile(path: output.path) }
    let opened = try written.opened(at: path, key: options.key)
    do {
      let copy = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
      guard RealmIdentity(of: copy) == identity, copy.schema.version == options.schemaVersion ?? snapshot.schema.version
      else { throw WrittenFault.identity }
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    options.progress?.begin(.verifying, totalByteCount: 0)
    return try proof.run(on: opened, keys: keys)
  }

  /// Makes sure that a copy is at most as damaged as its source, where a comparison cannot show it.
  ///
  /// - Throws: as `SourceCheck.verify`.
  func verify(fileAt path: String, of source: SourceCheck) throws {
    try source.verify(fileAt: path, of: snapshot, method, key: options.key, threadCount: options.threadLimit + 1)
  }

  /// Opens a file that was written and compares it with the snapshot.
  ///
  /// - Returns: the hash of a rebuild's content.
  /// - Throws: `CopyDifference`, `WrittenFault`; `StorageError` if the snapshot cannot be read.
  func verify(fileAt path: String, _ written: WrittenRealm) throws -> ContentHash? {
    if let whole {
      try whole.verify(fileAt: path, written)
      return nil
    }
    let opened = try written.opened(at: path, key: options.key)
    let copy: Snapshot
    do {
      copy = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    guard RealmIdentity(of: copy) == identity else { throw WrittenFault.identity }
    var verifier = ContentVerifier(source: snapshot, plan: plan)
    if let version = options.schemaVersion { verifier.schemaVersion = version }
    (verifier.threadCount, verifier.format) = (options.threadLimit + 1, options.format)
    options.progress?.begin(.verifying, totalByteCount: 0)
    return try verifier.verify(copy)
  }
}
