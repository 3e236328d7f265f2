/// The bytes of an encrypted realm, written in whole pages (Docs/Format/1-container.md §7.5, §7.6).
///
/// A page also holds what other snapshots need. It survives an interrupted write because its entry keeps counter and
/// code of the write before, under two rules: entries are on the disk before their pages, and no page is written twice
/// between two syncs.
final class EncryptedRealmPages: RealmPages {
  private let file: WritableFile
  private let cipher: PageCipher
  /// Pages that were changed and are not written.
  private var changed: [UInt64: Page] = [:]

  /// How many changed pages are kept in memory: 32 MiB.
  private static let mostPages = 8192

  private struct Page {
    /// 64 bytes, as they are in the file, ready for the next write.
    var entry: [UInt8]
    /// 4096 bytes.
    var plaintext: [UInt8]
  }

  /// - Throws: `StorageError.file` where memory is short.
  init(_ file: WritableFile, key: EncryptionKey) throws {
    guard let cipher = key.makeCipher() else { throw StorageError.file(.systemCall(name: "malloc", errorNumber: 12)) }
    self.file = file
    self.cipher = cipher
  }

  func reserve(_ byteCount: UInt64) throws(OutputError) {
    let pages = (byteCount + EncryptionLayout.pageSize - 1) / EncryptionLayout.pageSize
    // As the engine does: with room for the block that the next page would need (§7.3).
    try file.reserve((pages + pages / EncryptionLayout.pagesPerBlock + 1) * EncryptionLayout.pageSize)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    var rest = bytes
    var offset = offset
    while !rest.isEmpty {
      let number = offset / EncryptionLayout.pageSize
      let start = Int(offset % EncryptionLayout.pageSize)
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(PageCache.pageSize - start))
      if changed[number] == nil {
        if changed.count >= Self.mostPages { try synchronize() }
        changed[number] = try page(number)
      }
      changed[number]?.plaintext.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[start..<start + part.count]).copyMemory(from: part)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      offset += UInt64(part.count)
    }
  }

  /// A page as it is in the file; zeros for one that was never written.
  private func page(_ number: UInt64) throws -> Page {
    var page = Page(
      entry: Array(repeating: 0, count: PageEntry.size), plaintext: Array(repeating: 0, count: PageCache.pageSize))
    _ = try page.entry.withUnsafeMutableBytes {
      try file.read(into: $0, at: EncryptionLayout.entryOffset(ofPage: number))
    }
    let available = try page.plaintext.withUnsafeMutableBytes {
      try file.read(into: $0, at: EncryptionLayout.dataOffset(ofPage: number))
    }
    let outcome = page.entry.withUnsafeBytes { entry in
      page.plaintext.withUnsafeMutableBytes { data in
        guard let entry = entry.baseAddress, let data = data.baseAddress else {
          return PageCipher.Outcome.failed(.neverWritten)
        }
        return cipher.decrypt(page: number, entry: entry, data: data, available: available)
      }
    }
    switch outcome {
    case .current, .zeros: break
    case .previous:
      // The last write never reached the page: its place in the entry is free again.
      page.entry.replaceSubrange(
        0..<PageEntry.previousCounter, with: Array(page.entry[PageEntry.previousCounter...]))
    case .failed(.neverWritten), .failed(.beyondEndOfFile), .failed(.firstWriteInterrupted):
      page.plaintext = Array(repeating: 0, count: PageCache.pageSize)
    case .failed:
      throw StorageError.corrupted(
        Ref(number * EncryptionLayout.pageSize), .unreadablePage(index: Int(clamping: number)))
    }
    return page
  }

  /// Writes the entries of all changed pages, then the pages.
  func synchronize() throws {
    let numbers = changed.keys.sorted()
    guard !numbers.isEmpty else { return try file.synchronize() }
    let last = numbers.last ?? 0
    try reserve((last + 1) * EncryptionLayout.pageSize)
    var ciphertexts: [[UInt8]] = []
    ciphertexts.reserveCapacity(numbers.count)
    for number in numbers { ciphertexts.append(try encrypt(number)) }
    for run in Self.runs(numbers) {
      let bytes = run.flatMap { changed[numbers[$0]]?.entry ?? [] }
      try write(bytes, at: EncryptionLayout.entryOffset(ofPage: numbers[run.lowerBound]))
    }
    try file.synchronize()
    for run in Self.runs(numbers) {
      let bytes = Array(ciphertexts[run].joined())
      try write(bytes, at: EncryptionLayout.dataOffset(ofPage: numbers[run.lowerBound]))
    }
    try file.synchronize()
    changed.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8], at offset: UInt64) throws(OutputError) {
    var result: Result<Void, OutputError> = .success(())
    bytes.withUnsafeBytes { bytes in
      do throws(OutputError) { try file.write(bytes, at: offset) } catch { result = .failure(error) }
    }
    try result.get()
  }

  private func encrypt(_ number: UInt64) throws -> [UInt8] {
    guard var page = changed[number] else { return [] }
    var ciphertext = [UInt8](repeating: 0, count: PageCache.pageSize)
    let isDone = page.entry.withUnsafeMutableBytes { entry in
      ciphertext.withUnsafeMutableBytes { target in
        page.plaintext.withUnsafeBytes { plaintext in
          guard let entry = entry.baseAddress, let target = target.baseAddress, let source = plaintext.baseAddress
          else { return false }
          return cipher.encrypt(page: number, plaintext: source, entry: entry, ciphertext: target)
        }
      }
    }
    guard isDone else { throw StorageError.file(.systemCall(name: "encrypt", errorNumber: 5)) }
    changed[number] = page
    return ciphertext
  }

  /// Neighbouring pages that lie in one block of counters, as ranges of positions in `numbers`.
  private static func runs(_ numbers: [UInt64]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var first = 0
    for index in 1...numbers.count {
      let continues =
        index < numbers.count && numbers[index] == numbers[index - 1] + 1
        && numbers[index] % EncryptionLayout.pagesPerBlock != 0
      if continues { continue }
      runs.append(first..<index)
      first = index
    }
    return runs
  }

  func giveBack() { file.giveBack() }
}
