import Libc

/// Encrypts a file that is written for the first time, 64 pages with their block of counters at a time
/// (Docs/Format/1-container.md §7.2, §7.6). One thread at a time.
package final class EncryptedBlockWriter {
  private let cipher: PageCipher
  /// A block of counters and the ciphertext of its pages, as they lie in the file.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: (PageCache.pageSize << 6) + PageCache.pageSize, alignment: 4096)

  /// Plaintext bytes of a whole block.
  package static let plaintextSize = PageCache.pageSize << 6

  /// - Throws: `StorageError.file` when memory is short.
  package init(key: EncryptionKey) throws {
    guard let cipher = key.makeCipher() else {
      throw StorageError.file(.systemCall(name: "malloc", errorNumber: ENOMEM))
    }
    self.cipher = cipher
  }

  deinit { buffer.deallocate() }

  /// Encrypts one block.
  ///
  /// - Parameters:
  ///   - plaintext: whole pages, at most 64.
  ///   - index: the number of the block in the file.
  /// - Returns: the bytes and where they belong; valid until the next call.
  /// - Throws: `StorageError.file` when the cipher fails.
  package func encrypt(
    _ plaintext: UnsafeRawBufferPointer, block index: UInt64
  ) throws -> (UnsafeRawBufferPointer, UInt64) {
    guard let source = plaintext.baseAddress, let target = buffer.baseAddress, plaintext.count <= Self.plaintextSize
    else { return (UnsafeRawBufferPointer(rebasing: buffer[..<0]), 0) }
    target.initializeMemory(as: UInt8.self, repeating: 0, count: PageCache.pageSize)
    let pageCount = plaintext.count >> PageCache.pageShift
    let isDone = cipher.encryptFirstTime(
      index &* EncryptionLayout.pagesPerBlock, count: pageCount, plaintext: source, entries: target,
      ciphertext: target + PageCache.pageSize)
    guard isDone else { throw StorageError.file(.systemCall(name: "encrypt", errorNumber: EIO)) }
    let count = (pageCount + 1) << PageCache.pageShift
    return (
      UnsafeRawBufferPointer(rebasing: buffer[..<count]),
      EncryptionLayout.entryOffset(ofPage: index &* EncryptionLayout.pagesPerBlock)
    )
  }
}
