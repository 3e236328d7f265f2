import CSystem
import Synchronization

/// Ends the process in order when a mapped realm cannot be read.
///
/// Where a file behind a mapping is cut short or its disk fails, a load raises SIGBUS, and there is no way back into
/// the interrupted code. An executable that calls `installHandler` ends with one line that names the file, and a status,
/// instead of a crash. A library leaves the signal alone.
package enum MappingFault {
  /// How the process ends.
  package struct Ending: Sendable {
    /// The complete line, with its line feed.
    let message: String
    let status: Int32

    package init(message: String, status: Int32) { (self.message, self.status) = (message, status) }
  }

  /// Says how a fault in the mapping of a file ends the process. Nil: it takes its default course.
  private static let ending = Mutex<(@Sendable (_ path: String) -> Ending)?>(nil)

  /// Makes a fault inside the mapping of a realm that is opened from now on write a line to standard error, remove
  /// unfinished outputs and end the process. Any other SIGBUS takes its default course. May be called again.
  ///
  /// - Parameter ending: told the path that a file is opened by, before anything happens to it.
  package static func installHandler(_ ending: @escaping @Sendable (_ path: String) -> Ending) {
    self.ending.withLock { $0 = ending }
    _ = csystem_fault_install { UnfinishedOutputs.removeAll() }
  }

  /// Remembers a mapping of a file. Beyond 64 at a time a fault is no longer recognised, and takes its default course.
  static func watch(_ address: UnsafeRawPointer, count: Int, path: String) {
    guard let ending = ending.withLock({ $0 })?(path) else { return }
    csystem_fault_watch(address, count, ending.message, ending.status)
  }

  static func unwatch(_ address: UnsafeRawPointer) { csystem_fault_unwatch(address) }
}
