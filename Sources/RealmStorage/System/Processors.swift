import CSystem

/// The processors this process may use.
package enum Processors {
  /// How many threads pay off for work on that many bytes: one for each processor, but a thread costs more than it
  /// saves on less than a megabyte.
  package static func threadCount(forBytes byteCount: UInt64) -> Int {
    min(Int(csystem_processor_count()), 1 + Int(min(byteCount >> 20, 64)))
  }
}
