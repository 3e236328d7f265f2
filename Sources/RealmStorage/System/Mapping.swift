#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A read-only mapping of a file, taken down with its last user.
final class Mapping: @unchecked Sendable {
  let address: UnsafeMutableRawPointer
  let count: Int

  /// - Parameter address: from `mmap`; the object takes it over.
  init(address: UnsafeMutableRawPointer, count: Int) {
    self.address = address
    self.count = count
    MappingFault.watch(address, count: count)
  }

  deinit {
    MappingFault.unwatch(address)
    munmap(address, count)
  }
}
