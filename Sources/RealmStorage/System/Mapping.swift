import Libc

/// A read-only mapping of a file, taken down with its last user.
final class Mapping: @unchecked Sendable {
  let address: UnsafeMutableRawPointer
  let count: Int

  /// - Parameters:
  ///   - address: from `mmap`; the object takes it over.
  ///   - path: of the file, for who must say that it cannot be read any more.
  init(address: UnsafeMutableRawPointer, count: Int, path: String) {
    self.address = address
    self.count = count
    MappingFault.watch(address, count: count, path: path)
  }

  deinit {
    MappingFault.unwatch(address)
    munmap(address, count)
  }
}
