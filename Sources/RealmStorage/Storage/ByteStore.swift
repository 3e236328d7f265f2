/// The plaintext bytes of one realm file at fixed addresses.
///
/// One class serves all backends, so that reading a node is a bounds check and a load: a mapping and bytes in memory are
/// there as a whole; a paged store reserves address space and fills it page by page as pages are touched, by reading
/// and, for encrypted files, decrypting and authenticating them.
///
/// Pointers handed out stay valid as long as the store lives (a paged store: until `releasePages()`).
public final class ByteStore: @unchecked Sendable {
  /// Start of the bytes. Reading beyond `count` is never legal; reading a paged store needs `require` first.
  let base: UnsafeRawPointer
  /// Number of plaintext bytes.
  public let count: Int
  /// Fills pages on demand; nil where all bytes are there.
  let pages: PageCache?
  private let release: @Sendable () -> Void

  /// - Parameter release: called once, when the last user of the bytes is gone.
  init(base: UnsafeRawPointer, count: Int, pages: PageCache? = nil, release: @escaping @Sendable () -> Void) {
    self.base = base
    self.count = count
    self.pages = pages
    self.release = release
  }

  deinit { release() }

  /// The address of `length` bytes at `offset`, present in memory.
  ///
  /// - Throws: `beyondEndOfFile`, `unreadablePage`, `readFailed`.
  @inline(__always)
  func bytes(at offset: UInt64, length: Int) throws -> UnsafeRawPointer {
    guard length >= 0, offset <= UInt64(count), UInt64(length) <= UInt64(count) - offset else {
      throw StorageError.corrupted(Ref(offset), .beyondEndOfFile)
    }
    if let pages { try pages.require(from: Int(offset), length: length) }
    return base + Int(offset)
  }
}
