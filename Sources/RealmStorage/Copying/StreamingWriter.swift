/// Writes whole realms in compacted streaming form (Docs/Format/1-container.md §6), plain or encrypted.
package struct StreamingWriter: Sendable {
  /// Encrypts the output; nil writes plain.
  package var key: EncryptionKey?
  /// Threads for encrypting and writing, in addition to the caller's; 0 for none.
  package var threadLimit: Int
  package var progress: WorkProgress?
  /// The format that the body is laid out for.
  package var format = TargetFormat.newest

  package init(key: EncryptionKey?, threadLimit: Int, progress: WorkProgress? = nil) {
    self.key = key
    self.threadLimit = threadLimit
    self.progress = progress
  }

  /// Writes a realm. The output is neither closed nor published.
  ///
  /// - Throws: `StorageError` if the source is damaged; `OutputError` if the bytes cannot be written.
  package func write(_ body: some RealmBody, _ identity: RealmIdentity, to output: SafeOutput) throws -> WrittenRealm {
    try write(body, identity, into: output)
  }

  /// How large the realm would be: does all the work except for encrypting and writing.
  ///
  /// - Throws: as `write` does.
  package func measure(_ body: some RealmBody, _ identity: RealmIdentity) throws -> WrittenRealm {
    var writer = self
    writer.key = nil
    let plain = try writer.write(body, identity, into: DiscardedBytes())
    guard key != nil else { return plain }
    return WrittenRealm(logicalSize: plain.logicalSize, fileSize: EncryptionLayout.fileSize(ofRealm: plain.fileSize))
  }

  func write(_ body: some RealmBody, _ identity: RealmIdentity, into output: any OutputBytes) throws -> WrittenRealm {
    let pipeline = BlockPipeline(to: output, key: key, threadLimit: threadLimit, progress: progress)
    // Whatever happens, no thread writes after this returns, so that an output can be released.
    defer { pipeline.close() }
    let realm = try StreamingOutput(through: pipeline, isEncrypted: key != nil, format: format)
    return try realm.finish(try body.write(to: realm), identity)
  }
}

/// A realm that has been written.
package struct WrittenRealm: Hashable, Sendable {
  /// Bytes of header and nodes.
  package var logicalSize: UInt64
  /// Bytes of the file, encryption included.
  package var fileSize: UInt64
}
