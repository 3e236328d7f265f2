import RealmExchange
import RealmInspection
import RealmRedaction
import RealmStorage

extension RealmCopy {
  /// Opens a file that was written and compares it with the snapshot.
  ///
  /// - Returns: the hash of a rebuild's content.
  /// - Throws: `CopyDifference`, `WrittenFault`; `StorageError` if the snapshot cannot be read.
  func verify(fileAt path: String, _ written: WrittenRealm) throws -> ContentHash? {
    let difference = CopyDifference(source: .null, copy: .null, .topArray)
    let opened: OpenedBytes
    do {
      opened = try ByteStore.open(.path(path), key: options.key)
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    guard opened.physicalSize == written.fileSize else {
      throw WrittenFault.fileSize(expected: written.fileSize, found: opened.physicalSize)
    }
    guard opened.isEncrypted == (options.key != nil) else { throw difference }
    switch method {
    case .nodes:
      options.progress?.begin(.verifying, totalByteCount: written.logicalSize)
      var verifier = try CopyVerifier(
        source: snapshot, copy: opened, threadLimit: options.threadLimit, progress: options.progress)
      try verifier.verify(identity, keepsHistory: options.identity == .kept)
      return nil
    case .rebuild:
      return try verifyContent(of: opened, written)
    }
  }

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
    let opened: OpenedBytes
    do {
      opened = try ByteStore.open(.path(path), key: options.key)
      let copy = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
      guard RealmIdentity(of: copy) == identity else { throw WrittenFault.identity }
      guard (options.schemaVersion ?? snapshot.schema.version) == copy.schema.version else {
        throw WrittenFault.identity
      }
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    guard opened.physicalSize == written.fileSize else {
      throw WrittenFault.fileSize(expected: written.fileSize, found: opened.physicalSize)
    }
    options.progress?.begin(.verifying, totalByteCount: 0)
    return try proof.run(on: opened, keys: keys)
  }

  /// Makes sure that a copy is at most as damaged as its source, where a comparison cannot show it.
  ///
  /// Equal nodes are equally good. But the copy of a damaged node may have taken numbers for refs.
  ///
  /// - Throws: `WrittenFault`, `CopyError.readsDifferently`; `StorageError` if the copy cannot be opened.
  func verify(fileAt path: String, of source: SourceCheck) throws {
    guard method == .rebuild || source.errorCount > 0 else { return }
    let opened = try ByteStore.open(.path(path), key: options.key)
    let copy = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    switch method {
    case .nodes:
      let threadCount = options.threadLimit + 1
      let expected = try ReadableContent(of: snapshot, threadCount: threadCount)
      guard try ReadableContent(of: copy, threadCount: threadCount) == expected else {
        throw CopyError.readsDifferently
      }
    case .rebuild:
      let found = try SourceCheck(of: copy, threadCount: options.threadLimit + 1)
      let new = found.findings.filter { $0.kind.isRebuilt || !source.kinds.contains($0.kind) }
      if let first = new.first { throw WrittenFault.unsound(first.message, count: new.count) }
    }
  }

  private func verifyContent(of opened: OpenedBytes, _ written: WrittenRealm) throws -> ContentHash {
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
