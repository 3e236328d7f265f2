import RealmSystem

/// What happened to a file after it was opened.
package enum FileChange: Hashable, Sendable {
  /// It has a new state. Anything read before may be overwritten from now on.
  case committed
  /// It is shorter than it was: another file is being copied over it, or it was cut off.
  case shortened
  /// Something was written to it, but its head is the same: parts read before and after may not fit together.
  case written
  /// The path is now that of another file; the one that was opened is unchanged.
  case replaced
  /// The path no longer exists; the file that was opened is unchanged.
  case removed
  /// The head of the file can no longer be read.
  case unreadable(StorageError)
}

extension OpenedBytes {
  /// What identifies the state of the file as it is now: the 24 bytes of the header and those of the live root, decrypted.
  ///
  /// A read that took no lock is consistent if these are at its end what they were at its start
  /// (Docs/Format/1-container.md §5.5). The header alone is not enough: commits that use the same free space in turn put
  /// their roots into the same places, but each root has the number of its commit. A file that was replaced does not count
  /// as changed: the old file was read, completely.
  ///
  /// - Throws: `StorageError.file`; `readFailed`; `unreadablePage` for page 0 of an encrypted file.
  package func currentState() throws -> [UInt8] {
    let header = try currentHeader()
    return try header + (root(header, bytes: currentBytes) ?? [])
  }

  /// The same of the bytes that are read from `store`: the state that a snapshot of them is of.
  ///
  /// What is in memory already may be of a state that the file no longer has; `isUnchanged` tells.
  ///
  /// - Throws: `StorageError.corrupted` if the header cannot be read.
  package func loadedState() throws -> [UInt8] {
    let header = try store.copy(at: 0, length: min(RawHeader.size, store.count))
    return try header + (root(header) { offset, count in try? store.copy(at: UInt64(offset), length: count) } ?? [])
  }

  /// Whether everything that was read since the file's head was `head` is of one state.
  ///
  /// A file that has grown counts as changed even if its head is the same. So does an encrypted one whose first page now
  /// fails its check, as it does while it is written.
  ///
  /// - Parameter head: the result of `currentState` from before the first read.
  /// - Throws: `StorageError.file`; `readFailed`.
  package func isUnchanged(since head: [UInt8]) throws -> Bool {
    do { guard try currentState() == head else { return false } } catch StorageError.corrupted(let corruption) {
      guard case .unreadablePage = corruption.reason else { throw StorageError.corrupted(corruption) }
      return false
    }
    return !hasOtherSize && !isBeingConverted(head)
  }

  /// Whether an engine is making the form that commits continue from of a copy that it has just opened or compacted. It
  /// takes two steps with a sync between them (Docs/Format/1-container.md §1.5), and a short read sees the same head
  /// before and after. When nobody has the file open, that head is what a crash has left.
  private func isBeingConverted(_ head: [UInt8]) -> Bool {
    guard case .path(let path) = source, head.count >= RawHeader.size else { return false }
    let header = head.withUnsafeBytes { RawHeader($0) }
    guard header.isStreaming, header.topRefs.1 != 0, case .processes(let holders) = LockHolders.of(realm: path) else {
      return false
    }
    return !holders.isEmpty
  }

  /// - Parameter bytes: gives the bytes at an offset, or nil.
  private func root(_ header: [UInt8], bytes: (Int, _ count: Int) throws -> [UInt8]?) throws -> [UInt8]? {
    guard header.count == RawHeader.size else { return nil }
    let header = header.withUnsafeBytes(RawHeader.init)
    guard !header.isStreaming, header.topRef >= UInt64(RawHeader.size), header.topRef < physicalSize,
      let first = try bytes(Int(header.topRef), NodeHeader.size)
    else { return nil }
    // A root has a dozen elements. Of something else, anything may be the number of them.
    let word = first.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    return try bytes(Int(header.topRef), min(NodeHeader(word).nodeSize, PageCache.pageSize))
  }

  /// What happened to the file since its head was `head`; nil if nothing did. Standard input never changes.
  ///
  /// Costs a few system calls. The answer may differ each time: a file that is copied over is first shorter and then
  /// has another head, and one that was moved away may come back.
  ///
  /// - Parameter head: the result of `currentState` from before the snapshot was made.
  package func change(since head: [UInt8]) -> FileChange? {
    guard case .path(let path) = source else { return nil }
    guard let named = try? FileBackend.calls.status(ofPath: path) else { return .removed }
    guard named.identity == identity else { return .replaced }
    guard named.size >= physicalSize else { return .shortened }
    do {
      guard try currentState() == head else { return .committed }
    } catch let error as StorageError {
      return .unreadable(error)
    } catch {
      return .unreadable(.corrupted(.null, .beyondEndOfFile))
    }
    return named.modified == modified ? nil : .written
  }
}
