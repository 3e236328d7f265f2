import Libc
import RealmSystem

/// The plaintext pages of an encrypted input (Docs/Format/1-container.md §7).
package struct EncryptedPages: PageSource {
  let input: any InputBytes
  let key: EncryptionKey
  /// Plaintext bytes: whole pages.
  package let count: Int
  let retry: RetryPolicy

  package init(_ input: any InputBytes, key: EncryptionKey, retry: RetryPolicy = .never) {
    self.input = input
    self.key = key
    self.retry = retry
    let pages = EncryptionLayout.pageCount(physicalSize: input.size)
    count = Int(clamping: pages) << PageCache.pageShift
  }

  /// Whether reading a page again can help, because another process may be writing it.
  package struct RetryPolicy: Sendable {
    /// Asked only after a page failed.
    let mayBeWritten: @Sendable () -> Bool
    let pause: @Sendable (_ milliseconds: UInt32) -> Void

    /// For bytes that nobody can change.
    static let never = RetryPolicy(mayBeWritten: { false }, pause: { _ in })
  }

  package func makeWorker() throws(PageFailure) -> any PageWorker {
    guard let cipher = key.makeCipher() else {
      throw PageFailure(page: 0, problem: .readFailed(errorNumber: ENOMEM))
    }
    return EncryptedPageWorker(pages: self, cipher: cipher)
  }
}

private final class EncryptedPageWorker: PageWorker, @unchecked Sendable {
  private let pages: EncryptedPages
  private let cipher: PageCipher
  /// The entries of one run.
  private let entries = UnsafeMutableRawBufferPointer.allocate(
    byteCount: PageCache.pagesPerGroup * PageEntry.size, alignment: 8)

  init(pages: EncryptedPages, cipher: PageCipher) {
    self.pages = pages
    self.cipher = cipher
  }

  deinit { entries.deallocate() }

  func readRun(_ run: Range<Int>, into target: UnsafeMutableRawPointer) -> UInt64 {
    guard run.count <= PageCache.pagesPerGroup, let available = try? readBytes(run, into: target) else { return 0 }
    var success: UInt64 = 0
    for index in 0..<run.count {
      switch decrypt(run.lowerBound + index, at: index, in: target, available) {
      case .current, .previous, .zeros: success |= 1 << UInt64(index)
      case .failed: break
      }
    }
    return success
  }

  /// One page; a page that fails its check is read again while another process may be writing it. The engine tries six
  /// times, and up to twenty while the bytes keep changing.
  func read(_ page: Int, into target: UnsafeMutableRawPointer) throws(PageFailure) {
    var attempt = 1
    var limit = 2
    var lastBytes: Int?
    while true {
      let outcome = try readOnce(page, into: target)
      guard case .failed(let problem) = outcome else { return }
      switch problem {
      case .neverWritten, .beyondEndOfFile, .readFailed: throw PageFailure(page: page, problem: problem)
      case .firstWriteInterrupted, .authenticationFailed: break
      }
      if attempt == 1, pages.retry.mayBeWritten() { limit = 6 }
      let bytes = fingerprint(of: target)
      let isChanging = lastBytes.map { $0 != bytes } ?? false
      guard attempt < limit || (isChanging && attempt < 20) else { throw PageFailure(page: page, problem: problem) }
      if limit > 2 { pages.retry.pause(UInt32(attempt)) }
      lastBytes = bytes
      attempt += 1
    }
  }

  private func readOnce(_ page: Int, into target: UnsafeMutableRawPointer) throws(PageFailure) -> PageCipher.Outcome {
    do throws(SystemCallError) {
      let available = try readBytes(page..<page + 1, into: target)
      return decrypt(page, at: 0, in: target, available)
    } catch {
      throw PageFailure(page: page, problem: .readFailed(errorNumber: error.number))
    }
  }

  /// Reads entries and ciphertext of a run inside one block.
  ///
  /// - Returns: bytes of ciphertext that the file has.
  private func readBytes(_ run: Range<Int>, into target: UnsafeMutableRawPointer) throws(SystemCallError) -> Int {
    let first = UInt64(run.lowerBound)
    let room = UnsafeMutableRawBufferPointer(rebasing: entries[..<(run.count * PageEntry.size)])
    let read = try pages.input.readRequired(into: room, at: EncryptionLayout.entryOffset(ofPage: first))
    room[min(read, room.count)...].initializeToZero()
    let data = UnsafeMutableRawBufferPointer(start: target, count: run.count << PageCache.pageShift)
    return try pages.input.readRequired(into: data, at: EncryptionLayout.dataOffset(ofPage: first))
  }

  private func decrypt(_ page: Int, at index: Int, in target: UnsafeMutableRawPointer, _ available: Int)
    -> PageCipher.Outcome
  {
    guard let entries = entries.baseAddress else { return .failed(.neverWritten) }
    let start = index << PageCache.pageShift
    return cipher.decrypt(
      page: UInt64(page), entry: entries + index * PageEntry.size, data: target + start,
      available: max(0, available - start))
  }

  /// Detects whether entry or ciphertext changed between two attempts.
  private func fingerprint(of data: UnsafeRawPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: entries[..<PageEntry.size]))
    hasher.combine(bytes: UnsafeRawBufferPointer(start: data, count: PageCache.pageSize))
    return hasher.finalize()
  }
}

extension Slice where Base == UnsafeMutableRawBufferPointer {
  fileprivate func initializeToZero() {
    let rest = UnsafeMutableRawBufferPointer(rebasing: self)
    rest.initializeMemory(as: UInt8.self, repeating: 0)
  }
}
