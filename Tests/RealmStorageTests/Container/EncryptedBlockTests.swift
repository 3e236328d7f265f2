import Testing

@testable import RealmStorage

@Suite("Blocks of encrypted pages") struct EncryptedBlockTests {
  @Test("are what encrypting page by page gives", arguments: [1, 7, 8, 9, 17, 63, 64])
  func pages(_ count: Int) throws {
    let key = try (0..<64).map { UInt8(truncatingIfNeeded: $0 * 7) }.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    var state: UInt8 = 1
    let plaintext = (0..<count * PageCache.pageSize).map { index -> UInt8 in
      state = state &* 31 &+ UInt8(truncatingIfNeeded: index)
      return state
    }
    let block: UInt64 = 3
    let writer = try EncryptedBlockWriter(key: key)
    let (together, offset) = try plaintext.withUnsafeBytes { bytes in
      let (written, offset) = try writer.encrypt(bytes, block: block)
      return (Array(written), offset)
    }
    #expect(offset == EncryptionLayout.entryOffset(ofPage: block * EncryptionLayout.pagesPerBlock))

    let cipher = try #require(key.makeCipher())
    var single = [UInt8](repeating: 0, count: PageCache.pageSize * (count + 1))
    single.withUnsafeMutableBytes { target in
      plaintext.withUnsafeBytes { source in
        guard let target = target.baseAddress, let source = source.baseAddress else { return }
        for page in 0..<count {
          #expect(
            cipher.encrypt(
              page: block * EncryptionLayout.pagesPerBlock + UInt64(page),
              plaintext: source + page * PageCache.pageSize, entry: target + page * PageEntry.size,
              ciphertext: target + (page + 1) * PageCache.pageSize))
        }
      }
    }
    #expect(together == single)
  }
}
