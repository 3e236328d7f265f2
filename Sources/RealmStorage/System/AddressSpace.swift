import Libc

/// Addresses for `count` bytes that take no memory until they are made writable and written.
///
/// The parts made writable are large, because each one may split the kernel's list of mappings, whose length is limited
/// (65,530 by default on Linux); and they are not the whole, because a system that does not overcommit memory counts
/// what is writable, not what is written.
final class AddressSpace: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  /// Reserved bytes: a multiple of the system's page.
  private let length: Int

  /// - Throws: `StorageError.file(.systemCall)` where the address space is limited too narrowly.
  init(count: Int) throws {
    let (padded, overflow) = max(count, 1).addingReportingOverflow(Self.systemPage - 1)
    guard !overflow else { throw StorageError.file(.systemCall(name: "mmap", errorNumber: ENOMEM)) }
    length = padded / Self.systemPage * Self.systemPage
    guard let address = Self.reserve(length, at: nil) else {
      throw StorageError.file(.systemCall(name: "mmap", errorNumber: errno))
    }
    base = address
  }

  deinit { munmap(base, length) }

  /// Lets a range be written. Bytes never written are zero.
  ///
  /// - Parameter range: byte offsets; its start is a multiple of the system's page.
  /// - Returns: `errno`, 0 for success.
  func makeWritable(_ range: Range<Int>) -> Int32 {
    let clamped = range.clamped(to: 0..<length)
    guard !clamped.isEmpty else { return 0 }
    return mprotect(base + clamped.lowerBound, clamped.count, PROT_READ | PROT_WRITE) == 0 ? 0 : errno
  }

  /// Gives all memory back; the addresses stay reserved and nothing is readable any more.
  func reset() { _ = Self.reserve(length, at: base) }

  private static func reserve(_ length: Int, at address: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var flags = MAP_PRIVATE | MAP_ANON
    #if !canImport(Darwin)
      flags |= MAP_NORESERVE
    #endif
    if address != nil { flags |= MAP_FIXED }
    let result = mmap(address, length, PROT_NONE, flags, -1, 0)
    return result == MAP_FAILED ? nil : result
  }

  static let systemPage = max(Int(sysconf(Int32(_SC_PAGESIZE))), 4096)
}
