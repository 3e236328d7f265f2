import CCrypto
import Libc
import RealmSystem

/// A file without a name for what does not fit into memory: the system removes it when the process ends, however it ends.
///
/// It is always encrypted, with a key that is made for it and is nowhere else, because what goes into it may come from an
/// encrypted realm. Bytes are appended, and read anywhere. Used by one thread.
final class SpillFile {
  private let settings: SpillSettings
  private let descriptor: Int32
  private let cipher: OpaquePointer
  /// The bytes that are not in the file yet, always less than a block; behind them, room for a block that is read.
  private let block = UnsafeMutableRawPointer.allocate(byteCount: 2 * SpillFile.blockSize, alignment: 16)
  private var room: UnsafeMutableRawPointer { block + Self.blockSize }
  private var waitingCount = 0
  /// Bytes in the file: whole blocks.
  private var writtenCount: UInt64 = 0

  /// Whole pages; what is encrypted at a time.
  private static let (blockSize, pageSize) = (1 << 16, 4096)

  /// - Throws: `OutputError.temporary`.
  init(_ settings: SpillSettings) throws(OutputError) {
    self.settings = settings
    var secret = [UInt8](repeating: 0, count: Int(CCRYPTO_KEY_SIZE))
    var number: UInt64 = 0
    defer { secret.withUnsafeMutableBytes { ccrypto_wipe($0.baseAddress, $0.count) } }
    let isRandom =
      secret.withUnsafeMutableBytes { ccrypto_random($0.baseAddress, $0.count) }
      && withUnsafeMutableBytes(of: &number) { ccrypto_random($0.baseAddress, $0.count) }
    guard isRandom else { throw settings.failure(SystemCallError(name: "getrandom", number: EIO)) }
    guard let cipher = ccrypto_pages_create(secret) else {
      throw settings.failure(SystemCallError(name: "malloc", number: ENOMEM))
    }
    self.cipher = cipher
    let path = settings.folder + "/realmctl-" + String(number, radix: 36)
    do throws(SystemCallError) { descriptor = try settings.calls.opened(path, .create(mode: 0o600)) } catch {
      // There is nothing yet that `deinit` releases.
      ccrypto_pages_destroy(cipher)
      block.deallocate()
      throw settings.failure(error)
    }
    do throws(SystemCallError) { try settings.calls.unlink(path) } catch { throw settings.failure(error) }
  }

  deinit {
    settings.calls.close(descriptor)
    ccrypto_pages_destroy(cipher)
    block.deallocate()
  }

  /// Bytes so far.
  var count: UInt64 { writtenCount + UInt64(waitingCount) }

  /// - Throws: `OutputError.temporary`.
  func append(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.blockSize - waitingCount)
      UnsafeMutableRawBufferPointer(start: block + waitingCount, count: part.count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      waitingCount += part.count
      rest = rest.dropFirst(part.count)
      if waitingCount == Self.blockSize { try writeBlock() }
    }
  }

  private func writeBlock() throws(OutputError) {
    let pages = Self.blockSize / Self.pageSize
    let isDone = withVectors(pages, at: writtenCount) { vectors in
      let bytes = block.assumingMemoryBound(to: UInt8.self)
      return ccrypto_pages_encrypt_each(cipher, vectors, bytes, bytes, Self.pageSize, pages)
    }
    do throws(SystemCallError) {
      guard isDone else { throw SystemCallError(name: "encrypt", number: EIO) }
      try settings.calls.writeFully(
        descriptor, UnsafeRawBufferPointer(start: block, count: Self.blockSize), at: writtenCount)
    } catch {
      throw settings.failure(error)
    }
    writtenCount += UInt64(Self.blockSize)
    waitingCount = 0
  }

  /// Fills a buffer with the bytes from an offset on; they must be there.
  ///
  /// - Throws: `OutputError.temporary`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(OutputError) {
    var done = 0
    while done < buffer.count {
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let position = offset + UInt64(done)
      guard position < writtenCount else {
        let source = UnsafeRawBufferPointer(start: block, count: waitingCount)
        let first = Int(position - writtenCount)
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[first..<first + target.count]))
        return
      }
      let page = position & ~UInt64(Self.pageSize - 1)
      let skipped = Int(position - page)
      let wanted = (skipped + target.count + Self.pageSize - 1) & ~(Self.pageSize - 1)
      let count = Int(min(UInt64(min(wanted, Self.blockSize)), writtenCount - page))
      try readPages(count, at: page)
      let source = UnsafeRawBufferPointer(start: room + skipped, count: min(count - skipped, target.count))
      target.copyMemory(from: source)
      done += source.count
    }
  }

  /// Reads whole pages into `room`.
  private func readPages(_ count: Int, at offset: UInt64) throws(OutputError) {
    do throws(SystemCallError) {
      let found = try settings.calls.readFully(
        descriptor, into: UnsafeMutableRawBufferPointer(start: room, count: count), at: offset)
      let isDone =
        found == count
        && withVectors(count / Self.pageSize, at: offset) { vectors in
          (0..<count / Self.pageSize).allSatisfy { page in
            let bytes = (room + page * Self.pageSize).assumingMemoryBound(to: UInt8.self)
            return ccrypto_pages_decrypt(cipher, vectors + page * Int(CCRYPTO_IV_SIZE), bytes, bytes, Self.pageSize)
          }
        }
      guard isDone else { throw SystemCallError(name: "pread", number: EIO) }
    } catch {
      throw settings.failure(error)
    }
  }

  /// Lends the initialization vectors of some pages: their offsets, as each is written once.
  private func withVectors(_ count: Int, at offset: UInt64, _ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: count * Int(CCRYPTO_IV_SIZE), alignment: 8) { vectors in
      vectors.initializeMemory(as: UInt8.self, repeating: 0)
      for page in 0..<count {
        let place = offset + UInt64(page * Self.pageSize)
        vectors.storeBytes(of: place.littleEndian, toByteOffset: page * Int(CCRYPTO_IV_SIZE), as: UInt64.self)
      }
      guard let start = vectors.baseAddress else { return count == 0 }
      return body(UnsafePointer(start.assumingMemoryBound(to: UInt8.self)))
    }
  }
}
