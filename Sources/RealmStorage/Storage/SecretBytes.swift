import CCrypto

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Bytes that must not outlive their use: kept out of swap space and core dumps where the system allows, and
/// overwritten when they are let go.
final class SecretBytes: @unchecked Sendable {
  private let allocation: UnsafeMutableRawBufferPointer
  /// Bytes in use, at the start of the allocation.
  private(set) var count: Int

  /// - Throws: `StorageError.file(.systemCall)` when memory is short.
  init(capacity: Int) throws {
    let length = max(capacity, 1)
    guard let address = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), address != MAP_FAILED
    else { throw StorageError.file(.systemCall(name: "mmap", errorNumber: errno)) }
    // Best effort: the amount of memory a user may lock is limited, and a key must be usable without it.
    _ = mlock(address, length)
    #if !canImport(Darwin)
      _ = madvise(address, length, MADV_DONTDUMP)
    #endif
    allocation = UnsafeMutableRawBufferPointer(start: address, count: length)
    count = 0
  }

  deinit {
    ccrypto_wipe(allocation.baseAddress, allocation.count)
    munmap(allocation.baseAddress, allocation.count)
  }

  /// The bytes in use; the pointer must not leave the closure.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(rebasing: allocation[..<count]))
  }

  /// Room that is left, to be filled from its start; the closure says how many bytes it added.
  func append<Failure: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure) -> Int {
    let added = try body(UnsafeMutableRawBufferPointer(rebasing: allocation[count...]))
    count += min(max(added, 0), allocation.count - count)
    return added
  }

  /// Adds one byte; false when there is no room.
  func append(_ byte: UInt8) -> Bool {
    guard count < allocation.count else { return false }
    allocation[count] = byte
    count += 1
    return true
  }

  /// Drops and overwrites the last byte.
  func removeLast() {
    guard count > 0 else { return }
    count -= 1
    allocation[count] = 0
  }
}
