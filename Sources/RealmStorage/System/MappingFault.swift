import CSystem

/// Ends the process in order when a mapped realm cannot be read.
///
/// Where a file behind a mapping is cut short or its disk fails, a load raises SIGBUS, and there is no way back into
/// the interrupted code. An executable that calls `installHandler` ends with one line and status 2 instead of a crash.
/// A library leaves the signal alone.
package enum MappingFault {
  /// Makes a fault inside a realm's mapping write `message` to standard error, remove unfinished outputs and end the
  /// process with status 2. Any other SIGBUS takes its default course. May be called again with another message.
  ///
  /// - Parameter message: the complete line, with its line feed.
  package static func installHandler(message: String) {
    var message = message
    message.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        _ = csystem_fault_install($0.baseAddress, $0.count) { UnfinishedOutputs.removeAll() }
      }
    }
  }

  /// Remembers a mapping. Beyond 64 at a time a fault is no longer recognised, and takes its default course.
  static func watch(_ address: UnsafeRawPointer, count: Int) { csystem_fault_watch(address, count) }

  static func unwatch(_ address: UnsafeRawPointer) { csystem_fault_unwatch(address) }
}
