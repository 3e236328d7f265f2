import CCrypto

/// Encrypts and decrypts single pages under one key (Docs/Format/1-container.md §7.4, §7.5). One thread at a time.
final class PageCipher: @unchecked Sendable {
  private let context: OpaquePointer

  /// The result of decrypting a page.
  enum Outcome: Hashable {
    /// The data of the last write.
    case current
    /// The data of the previous write: the last one was interrupted between its entry and its data.
    case previous
    /// Zeros: the file was truncated and has grown again, so the entry is older than the page.
    case zeros
    case failed(PageProblem)
  }

  /// - Parameter key: 64 bytes.
  init?(key: UnsafeRawBufferPointer) {
    guard key.count == EncryptionKey.size, let bytes = key.baseAddress,
      let context = ccrypto_pages_create(bytes.assumingMemoryBound(to: UInt8.self))
    else { return nil }
    self.context = context
  }

  deinit { ccrypto_pages_destroy(context) }

  /// Decrypts a page in place.
  ///
  /// - Parameters:
  ///   - page: the number of the plaintext page.
  ///   - entry: the page's 64 bytes in its block of counters.
  ///   - data: 4096 bytes, of which `available` were in the file.
  func decrypt(page: UInt64, entry: UnsafeRawPointer, data: UnsafeMutableRawPointer, available: Int) -> Outcome {
    let counter = Self.counter(entry + PageEntry.counter)
    guard counter != 0 else { return .failed(.neverWritten) }
    guard available >= PageCache.pageSize else { return .failed(.beyondEndOfFile) }
    var outcome = Outcome.current
    var usedCounter = counter
    withUnsafeTemporaryAllocation(byteCount: PageEntry.codeSize, alignment: 8) { code in
      guard let code = code.baseAddress else { return outcome = .failed(.authenticationFailed) }
      authenticate(data, into: code)
      if ccrypto_equal(code, entry + PageEntry.code, PageEntry.codeSize) { return }
      usedCounter = Self.counter(entry + PageEntry.previousCounter)
      if usedCounter == 0 {
        outcome = .failed(.firstWriteInterrupted)
      } else if ccrypto_equal(code, entry + PageEntry.previousCode, PageEntry.codeSize) {
        outcome = .previous
      } else {
        outcome = Self.isZero(data) ? .zeros : .failed(.authenticationFailed)
      }
    }
    switch outcome {
    case .zeros, .failed: return outcome
    case .current, .previous:
      let isDone = withChain(page: page, counter: usedCounter) { chain in
        ccrypto_pages_decrypt(context, chain, Self.bytes(data), Self.mutableBytes(data), PageCache.pageSize)
      }
      return isDone ? outcome : .failed(.authenticationFailed)
    }
  }

  /// Encrypts a page and advances its entry.
  ///
  /// - Parameters:
  ///   - entry: the page's 64 bytes; the last write moves to second place. After decrypting gave `.previous`, copy the
  ///     second half over the first before.
  ///   - ciphertext: room for 4096 bytes.
  /// - Returns: false when the cipher failed.
  func encrypt(
    page: UInt64, plaintext: UnsafeRawPointer, entry: UnsafeMutableRawPointer, ciphertext: UnsafeMutableRawPointer
  ) -> Bool {
    (entry + PageEntry.previousCounter).copyMemory(from: entry, byteCount: PageEntry.previousCounter)
    var counter = Self.counter(entry + PageEntry.counter)
    repeat {
      counter = counter == UInt32.max ? 1 : counter + 1
      let isDone = withChain(page: page, counter: counter) { chain in
        ccrypto_pages_encrypt(context, chain, Self.bytes(plaintext), Self.mutableBytes(ciphertext), PageCache.pageSize)
      }
      guard isDone else { return false }
      (entry + PageEntry.counter).storeBytes(of: counter.littleEndian, as: UInt32.self)
      authenticate(ciphertext, into: entry + PageEntry.code)
      // With the same code for both writes, a reader could not distinguish them.
    } while ccrypto_equal(entry + PageEntry.code, entry + PageEntry.previousCode, PageEntry.codeSize)
    return true
  }

  /// Encrypts consecutive pages that were never written before, several at a time if the processor can, and makes their
  /// entries.
  ///
  /// - Parameters:
  ///   - first: the number of the first page.
  ///   - plaintext: `count` pages.
  ///   - entries: zeros, 64 bytes a page.
  ///   - ciphertext: room for `count` pages.
  /// - Returns: false when the cipher failed.
  func encryptFirstTime(
    _ first: UInt64, count: Int, plaintext: UnsafeRawPointer, entries: UnsafeMutableRawPointer,
    ciphertext: UnsafeMutableRawPointer
  ) -> Bool {
    let isDone = withUnsafeTemporaryAllocation(byteCount: count * CCRYPTO_IV_SIZE, alignment: 8) { chains in
      guard let start = chains.baseAddress else { return count == 0 }
      for page in 0..<count {
        Self.makeChain(page: first &+ UInt64(page), counter: 1, at: start + page * CCRYPTO_IV_SIZE)
      }
      return ccrypto_pages_encrypt_each(
        context, Self.bytes(start), Self.bytes(plaintext), Self.mutableBytes(ciphertext), PageCache.pageSize, count)
    }
    guard isDone else { return false }
    for page in 0..<count {
      let (entry, data) = (entries + page * PageEntry.size, ciphertext + page << PageCache.pageShift)
      (entry + PageEntry.counter).storeBytes(of: UInt32(1).littleEndian, as: UInt32.self)
      authenticate(data, into: entry + PageEntry.code)
      // As when a page is written again: the codes of both writes must differ, even from those of zeros.
      if ccrypto_equal(entry + PageEntry.code, entry + PageEntry.previousCode, PageEntry.codeSize) {
        let source = plaintext + page << PageCache.pageShift
        guard encrypt(page: first &+ UInt64(page), plaintext: source, entry: entry, ciphertext: data) else {
          return false
        }
      }
    }
    return true
  }

  private func authenticate(_ data: UnsafeRawPointer, into code: UnsafeMutableRawPointer) {
    ccrypto_pages_authenticate(context, Self.bytes(data), PageCache.pageSize, Self.mutableBytes(code))
  }

  /// The chain's first block: counter, byte offset of the page in the plaintext, zeros (§7.1).
  private func withChain(page: UInt64, counter: UInt32, _ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: CCRYPTO_IV_SIZE, alignment: 8) { chain in
      guard let address = chain.baseAddress else { return false }
      Self.makeChain(page: page, counter: counter, at: address)
      return body(Self.bytes(address))
    }
  }

  private static func makeChain(page: UInt64, counter: UInt32, at address: UnsafeMutableRawPointer) {
    address.initializeMemory(as: UInt8.self, repeating: 0, count: CCRYPTO_IV_SIZE)
    address.storeBytes(of: counter.littleEndian, as: UInt32.self)
    (address + 4).storeBytes(of: (page &* EncryptionLayout.pageSize).littleEndian, as: UInt64.self)
  }

  private static func counter(_ address: UnsafeRawPointer) -> UInt32 {
    UInt32(littleEndian: address.loadUnaligned(as: UInt32.self))
  }

  private static func isZero(_ data: UnsafeRawPointer) -> Bool {
    UnsafeRawBufferPointer(start: data, count: PageCache.pageSize).allSatisfy { $0 == 0 }
  }

  private static func bytes(_ address: UnsafeRawPointer) -> UnsafePointer<UInt8> {
    address.assumingMemoryBound(to: UInt8.self)
  }

  private static func mutableBytes(_ address: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
    address.assumingMemoryBound(to: UInt8.self)
  }
}
