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
    do throws(SystemCallError) {
      let path = settings.folder + "/realmctl-" + String(number, radix: 36)
      descriptor = try settings.calls.opened(path, .create(mode: 0o600))
      do throws(SystemCallError) { try settings.calls.unlink(path) } catch {
        settings.calls.close(descriptor)
        throw error
      }
    } catch {
      ccrypto_pages_destroy(cipher)
      block.deallocate()
      throw settings.failure(error)
    }
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
    var isDone = true
    for page in 0..<Self.blockSize / Self.pageSize {
      isDone = isDone && crypt(page, of: block, at: writtenCount, ccrypto_pages_encrypt)
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
      var isDone = found == count
      for page in 0..<count / Self.pageSize {
        isDone = isDone && crypt(page, of: room, at: offset, ccrypto_pages_decrypt)
      }
      guard isDone else { throw SystemCallError(name: "pread", number: EIO) }
    } catch {
      throw settings.failure(error)
    }
  }

  private typealias Transform = (
    OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int
  ) -> Bool

  /// Encrypts or decrypts a page in place; each is written once, so that its offset is an initialization vector.
  private func crypt(
    _ page: Int, of start: UnsafeMutableRawPointer, at offset: UInt64, _ transform: Transform
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Int(CCRYPTO_IV_SIZE), alignment: 8) { vector in
      vector.initializeMemory(as: UInt8.self, repeating: 0)
      let place = offset + UInt64(page * Self.pageSize)
      vector.storeBytes(of: place.littleEndian, as: UInt64.self)
      let bytes = (start + page * Self.pageSize).assumingMemoryBound(to: UInt8.self)
      let chain = vector.baseAddress.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
      return transform(cipher, chain, bytes, bytes, Self.pageSize)
    }
  }
}
