import CCrypto
import Libc

/// Bytes that must not outlive their use: kept out of swap space and core dumps if the system allows, and overwritten
/// when they are released.
package final class SecretBytes: @unchecked Sendable {
  private let allocation: UnsafeMutableRawBufferPointer
  /// Bytes in use, at the start of the allocation.
  package private(set) var count: Int

  /// - Throws: when memory is short.
  package init(capacity: Int) throws(SystemCallError) {
    let length = max(capacity, 1)
    guard let address = ccrypto_secret_allocate(length) else {
      throw SystemCallError(name: "mmap", number: errno)
    }
    allocation = UnsafeMutableRawBufferPointer(start: address, count: length)
    count = 0
  }

  deinit { ccrypto_secret_release(allocation.baseAddress, allocation.count) }

  /// The bytes in use; the pointer must not leave the closure.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(rebasing: allocation[..<count]))
  }

  /// The free space, to be filled from its start; the closure returns how many bytes it added.
  package func append<Failure: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int) throws(Failure)
    -> Int
  {
    let added = try body(UnsafeMutableRawBufferPointer(rebasing: allocation[count...]))
    count += min(max(added, 0), allocation.count - count)
    return added
  }

  /// Adds one byte; false when there is no room.
  package func append(_ byte: UInt8) -> Bool {
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
