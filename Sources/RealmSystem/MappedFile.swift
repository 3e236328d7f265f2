import CSystem
import Libc

/// A read-only mapping of a file, taken down with its last user.
package final class MappedFile: @unchecked Sendable {
  package let address: UnsafeMutableRawPointer
  package let count: Int

  /// - Parameters:
  ///   - address: from `mmap`; the object takes it over.
  ///   - path: of the file, for the message if it can no longer be read.
  package init(address: UnsafeMutableRawPointer, count: Int, path: String) {
    self.address = address
    self.count = count
    FileTruncation.watch(address, count: count, path: path)
  }

  deinit {
    FileTruncation.unwatch(address)
    munmap(address, count)
  }
}

/// Ends the process in order when a mapped realm cannot be read.
///
/// If a mapped file is truncated or its disk fails, a load raises SIGBUS, and the interrupted code cannot continue. An
/// executable that calls `installHandler` ends with one line that names the file, and a status, instead of a crash. A
/// library leaves the signal alone.
package enum FileTruncation {
  /// How the process ends.
  package struct Ending: Sendable {
    /// The complete line, with its line feed.
    let message: String
    let status: Int32

    package init(message: String, status: Int32) { (self.message, self.status) = (message, status) }
  }

  /// Decides how a fault in the mapping of a file ends the process; nil for the default action.
  private static let ending = Locked<(@Sendable (_ path: String) -> Ending)?>(nil)

  /// Makes a fault inside the mapping of a realm that is opened from now on write a line to standard error, remove
  /// unfinished outputs and end the process. Any other SIGBUS has its default action. May be called again.
  ///
  /// - Parameter ending: called with the path by which a file is opened, before anything happens to it.
  package static func installHandler(_ ending: @escaping @Sendable (_ path: String) -> Ending) {
    self.ending.withLock { $0 = ending }
    _ = csystem_fault_install { UnfinishedOutputs.removeAll() }
  }

  /// Remembers a mapping of a file. Beyond 64 at a time a fault is no longer recognized, and has its default action.
  static func watch(_ address: UnsafeRawPointer, count: Int, path: String) {
    guard let ending = ending.withLock({ $0 })?(path) else { return }
    csystem_fault_watch(address, count, ending.message, ending.status)
  }

  static func unwatch(_ address: UnsafeRawPointer) { csystem_fault_unwatch(address) }
}

/// Addresses for `count` bytes that take no memory until they are made writable and written.
///
/// The parts made writable are large, because each one may split the kernel's list of mappings, whose length is limited
/// (65,530 by default on Linux); and they are not the whole, because a system that does not overcommit memory counts
/// what is writable, not what is written.
package final class AddressSpace: @unchecked Sendable {
  package let base: UnsafeMutableRawPointer
  /// Reserved bytes: a multiple of the system's page.
  private let length: Int

  /// - Throws: if the address space is limited too narrowly.
  package init(count: Int) throws(SystemCallError) {
    let (padded, overflow) = max(count, 1).addingReportingOverflow(Self.systemPage - 1)
    guard !overflow else { throw SystemCallError(name: "mmap", number: ENOMEM) }
    length = padded / Self.systemPage * Self.systemPage
    guard let address = Self.reserve(length, at: nil) else {
      throw SystemCallError(name: "mmap", number: errno)
    }
    base = address
  }

  deinit { munmap(base, length) }

  /// Lets a range be written. Bytes never written are zero.
  ///
  /// - Parameter range: byte offsets; its start is a multiple of the system's page.
  /// - Returns: `errno`, 0 for success.
  package func makeWritable(_ range: Range<Int>) -> Int32 {
    let clamped = range.clamped(to: 0..<length)
    guard !clamped.isEmpty else { return 0 }
    return mprotect(base + clamped.lowerBound, clamped.count, PROT_READ | PROT_WRITE) == 0 ? 0 : errno
  }

  /// Gives all memory back; the addresses stay reserved, but nothing is readable afterwards.
  ///
  /// - Returns: false if the system refuses; everything is as it was.
  package func reset() -> Bool { Self.reserve(length, at: base) != nil }

  private static func reserve(_ length: Int, at address: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    var flags = MAP_PRIVATE | MAP_ANON
    #if !canImport(Darwin)
      flags |= MAP_NORESERVE
    #endif
    if address != nil { flags |= MAP_FIXED }
    let result = mmap(address, length, PROT_NONE, flags, -1, 0)
    return result == MAP_FAILED ? nil : result
  }

  package static let systemPage = max(Int(sysconf(Int32(_SC_PAGESIZE))), 4096)
}
