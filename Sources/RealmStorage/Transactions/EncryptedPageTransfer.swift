import Libc

/// The pages of an encrypted realm, written as a whole (Docs/Format/1-container.md §7.5, §7.6).
///
/// A page also contains data that other snapshots need. It survives an interrupted write because its entry keeps
/// counter and code of the previous write, under two rules: entries are on the disk before their pages, and no page is
/// written twice between two syncs.
final class EncryptedPageTransfer: PageTransfer {
  let file: WritableFile
  private let cipher: PageCipher
  /// Entries of pages that were loaded and not stored, ready for the next write: counter and code of the current
  /// content come first.
  private var entries: [UInt64: [UInt8]] = [:]
  /// One page's ciphertext, or entries and pages of a run.
  private let buffer = UnsafeMutableRawPointer.allocate(
    byteCount: Int(EncryptionLayout.pagesPerBlock) << PageCache.pageShift, alignment: PageCache.pageSize)

  /// - Throws: `StorageError.file` if memory is short.
  init(_ file: WritableFile, key: EncryptionKey) throws {
    guard let cipher = key.makeCipher() else {
      throw StorageError.file(.systemCall(name: "malloc", errorNumber: ENOMEM))
    }
    self.file = file
    self.cipher = cipher
  }

  deinit { buffer.deallocate() }

  func fileSize(of byteCount: UInt64) -> UInt64 {
    let pages = (byteCount + EncryptionLayout.pageSize - 1) / EncryptionLayout.pageSize
    // As the engine does, with room for the block that the next page would need (§7.3).
    return (pages + pages / EncryptionLayout.pagesPerBlock + 1) * EncryptionLayout.pageSize
  }

  // MARK: Reading

  func load(_ page: UInt64, into target: UnsafeMutableRawBufferPointer) throws {
    var entry = [UInt8](repeating: 0, count: PageEntry.size)
    _ = try entry.withUnsafeMutableBytes { try file.read(into: $0, at: EncryptionLayout.entryOffset(ofPage: page)) }
    let available = try file.read(into: target, at: EncryptionLayout.dataOffset(ofPage: page))
    let outcome = entry.withUnsafeBytes { entry in
      guard let entry = entry.baseAddress, let data = target.baseAddress else {
        return PageCipher.Outcome.failed(.neverWritten)
      }
      return cipher.decrypt(page: page, entry: entry, data: data, available: available)
    }
    switch outcome {
    case .current, .zeros: break
    case .previous:
      // The last write never reached the page: its place in the entry is free again.
      entry.replaceSubrange(..<PageEntry.previousCounter, with: Array(entry[PageEntry.previousCounter...]))
    case .failed(.neverWritten), .failed(.beyondEndOfFile), .failed(.firstWriteInterrupted):
      target.initializeMemory(as: UInt8.self, repeating: 0)
    case .failed:
      throw StorageError.corrupted(
        Ref(page * EncryptionLayout.pageSize), .unreadablePage(index: Int(clamping: page)))
    }
    entries[page] = entry
  }

  // MARK: Writing

  func store(_ pages: [ChangedPage]) throws {
    guard !pages.isEmpty else { return }
    for page in pages { try encrypt(page) }
    try forEachRun(of: pages, writeEntries)
    try file.synchronize()
    try forEachRun(of: pages, writeData)
    // The same page may occur again.
    try file.synchronize()
    entries.removeAll(keepingCapacity: true)
  }

  /// Everything that was stored is already on the disk.
  func synchronize() {}

  /// Runs of pages whose entries lie in one block.
  private func forEachRun(of pages: [ChangedPage], _ body: (ArraySlice<ChangedPage>) throws -> Void) rethrows {
    let pagesPerBlock = EncryptionLayout.pagesPerBlock
    try Self.forEachRun(of: pages, limit: Int(pagesPerBlock), isBreak: { $0 % pagesPerBlock == 0 }, body)
  }

  /// Replaces the plaintext by the ciphertext, and advances the entry.
  private func encrypt(_ page: ChangedPage) throws {
    let isDone = entries[page.number]?.withUnsafeMutableBytes { entry in
      guard let entry = entry.baseAddress else { return false }
      return cipher.encrypt(page: page.number, plaintext: page.bytes, entry: entry, ciphertext: buffer)
    }
    guard isDone == true else { throw StorageError.file(.systemCall(name: "encrypt", errorNumber: EIO)) }
    page.bytes.copyMemory(from: buffer, byteCount: PageCache.pageSize)
  }

  private func writeEntries(of pages: ArraySlice<ChangedPage>) throws {
    for (index, page) in pages.enumerated() {
      let target = UnsafeMutableRawBufferPointer(start: buffer + index * PageEntry.size, count: PageEntry.size)
      entries[page.number].map { target.copyBytes(from: $0) }
    }
    try write(pages.count * PageEntry.size, at: EncryptionLayout.entryOffset(ofPage: pages.first?.number ?? 0))
  }

  private func writeData(of pages: ArraySlice<ChangedPage>) throws {
    for (index, page) in pages.enumerated() {
      (buffer + index << PageCache.pageShift).copyMemory(from: page.bytes, byteCount: PageCache.pageSize)
    }
    try write(pages.count << PageCache.pageShift, at: EncryptionLayout.dataOffset(ofPage: pages.first?.number ?? 0))
  }

  private func write(_ count: Int, at offset: UInt64) throws {
    try file.write(UnsafeRawBufferPointer(start: buffer, count: count), at: offset)
  }
}
